//! Services that can be added, changed, broken and removed while they are served, and a fleet of
//! services too large for memory.

use crate::app_site::place::SimulatedService;
use crate::reply::SiteReply;
use crate::request::SiteRequest;
use crate::server::{self, LogSink, RequestHandler, ServerHandle};
use std::collections::HashMap;
use std::io;
use std::net::TcpListener;
use std::sync::{Arc, PoisonError, RwLock};

/// A changeable set of services; clones share it.
#[derive(Clone, Default)]
pub struct ServiceStage {
    played: Arc<RwLock<StageState>>,
}

#[derive(Default)]
struct StageState {
    /// Services by host and address.
    places: HashMap<String, HashMap<String, SimulatedService>>,
    /// Status with which all requests to a host are answered.
    broken: HashMap<String, u16>,
}

impl ServiceStage {
    /// Creates an empty stage: every request is answered with 404.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds or replaces a service; returns `false` for an unsupported kind.
    pub fn put_service(&self, kind: &str, url: &str, layers: &[&str], title: &str) -> bool {
        let layers: Vec<String> = layers.iter().map(|layer| (*layer).to_owned()).collect();
        let Some(place) = SimulatedService::from_kind(kind, url, &layers, title) else { return false };
        self.change(|played| {
            played.places.entry(host_of(url).to_owned()).or_default().insert(url.to_owned(), place);
        });
        true
    }

    /// Removes a service; requests to it are answered with 404.
    pub fn remove_service(&self, url: &str) {
        self.change(|played| {
            if let Some(places) = played.places.get_mut(host_of(url)) {
                places.remove(url);
            }
        });
    }

    /// Answers everything on a host with this status; `None` restores normal operation.
    pub fn break_host(&self, host: &str, status: Option<u16>) {
        self.change(|played| match status {
            Some(status) => {
                played.broken.insert(host.to_owned(), status);
            }
            None => {
                played.broken.remove(host);
            }
        });
    }

    fn change(&self, work: impl FnOnce(&mut StageState)) {
        work(&mut self.played.write().unwrap_or_else(PoisonError::into_inner));
    }

    /// Serves the stage. Must be called within a tokio runtime.
    pub fn serve(&self, listener: TcpListener, log: Option<LogSink>) -> io::Result<ServerHandle> {
        server::start_server(Arc::new(self.clone()), listener, log)
    }
}

/// Name of the host, without the port.
fn host_of(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.split(['/', '?', ':']).next().unwrap_or_default()
}

impl RequestHandler for ServiceStage {
    fn answer(&self, request: &SiteRequest<'_>) -> SiteReply {
        let played = self.played.read().unwrap_or_else(PoisonError::into_inner);
        if request.path() == "/robots.txt" {
            return SiteReply::not_found();
        }
        if let Some(status) = played.broken.get(request.host) {
            let text = format!("<html><head><title>{status}</title></head><body>{status}</body></html>");
            return SiteReply::html(*status, text);
        }
        let places = played.places.get(request.host).into_iter().flat_map(HashMap::values);
        let mut found = places.filter_map(|place| place.answer(request));
        found.next().unwrap_or_else(SiteReply::not_found)
    }
}

/// Number of layers of each service in a [`ServiceFleet`].
const FLEET_LAYERS: usize = 20;
/// Domain of the fleet's hosts.
const FLEET: &str = "fleet.test";

/// Many WMS on many hosts, each generated on request.
#[derive(Debug, Clone, Copy)]
pub struct ServiceFleet {
    /// Number of services.
    pub services: usize,
    /// Number of hosts, over which the services are distributed in turn.
    pub hosts: usize,
    /// Number of additional services, all on one extra host.
    pub crowded: usize,
}

impl ServiceFleet {
    /// Returns the address of a service.
    pub fn service_url(&self, service: usize) -> String {
        if service >= self.services {
            return format!("http://crowded.{FLEET}/geo/{service}/wms");
        }
        format!("http://h{}.{FLEET}/geo/{service}/wms", service % self.hosts.max(1))
    }

    /// Returns the number of services; those of the crowded host come last.
    pub fn service_count(&self) -> usize {
        self.services + self.crowded
    }

    /// Returns the layer names of a service.
    pub fn layer_names(&self, service: usize) -> Vec<String> {
        (0..FLEET_LAYERS).map(|layer| format!("ns{service}:layer_{layer}")).collect()
    }

    /// Serves the fleet. Must be called within a tokio runtime.
    pub fn serve(&self, listener: TcpListener, log: Option<LogSink>) -> io::Result<ServerHandle> {
        server::start_server(Arc::new(*self), listener, log)
    }
}

impl RequestHandler for ServiceFleet {
    fn answer(&self, request: &SiteRequest<'_>) -> SiteReply {
        let number =
            request.path().strip_prefix("/geo/").and_then(|rest| rest.split('/').next()?.parse().ok());
        let Some(service) = number.filter(|number: &usize| *number < self.service_count()) else {
            return SiteReply::not_found();
        };
        let url = self.service_url(service);
        if host_of(&url) != request.host {
            return SiteReply::not_found();
        }
        let place = SimulatedService::from_kind(
            "wms",
            &url,
            &self.layer_names(service),
            &format!("Maps of office {service}"),
        );
        place.and_then(|place| place.answer(request)).unwrap_or_else(SiteReply::not_found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(site: &dyn RequestHandler, host: &str, target: &str) -> u16 {
        site.answer(&SiteRequest { host, target, method: "GET", ..SiteRequest::default() }).status
    }

    #[test]
    fn what_is_played_can_be_changed() {
        let (stage, url) = (ServiceStage::new(), "http://a.test/geo/wms");
        let target = "/geo/wms?service=WMS&request=GetCapabilities";
        assert_eq!(ask(&stage, "a.test", target), 404);
        assert!(
            stage.put_service("wms", url, &["roads"], "Maps") && !stage.put_service("nonsense", url, &[], "")
        );
        assert_eq!((ask(&stage, "a.test", target), ask(&stage, "b.test", target)), (200, 404));
        stage.break_host("a.test", Some(502));
        assert_eq!(ask(&stage, "a.test", target), 502);
        stage.break_host("a.test", None);
        stage.remove_service(url);
        assert_eq!(ask(&stage, "a.test", target), 404);
    }

    #[test]
    fn a_fleet_answers_for_each_of_its_services() {
        let fleet = ServiceFleet { services: 10, hosts: 3, crowded: 1 };
        let target = "/geo/7/wms?service=WMS&request=GetCapabilities";
        assert_eq!(fleet.service_url(7), "http://h1.fleet.test/geo/7/wms");
        assert_eq!(ask(&fleet, "h1.fleet.test", target), 200);
        assert_eq!(ask(&fleet, "h2.fleet.test", target), 404);
        let crowded = "/geo/10/wms?service=WMS&request=GetCapabilities";
        assert_eq!(
            (ask(&fleet, "h1.fleet.test", crowded), ask(&fleet, "crowded.fleet.test", crowded)),
            (404, 200)
        );
    }
}
