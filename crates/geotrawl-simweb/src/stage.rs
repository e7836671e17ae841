//! Services that are put up, changed, broken and taken down while they are being served; and a fleet of them that is
//! too large to be kept in memory.

use crate::app_site::place::SimulatedService;
use crate::reply::SiteReply;
use crate::request::SiteRequest;
use crate::server::{self, LogSink, RequestHandler, ServerHandle};
use std::collections::HashMap;
use std::io;
use std::net::TcpListener;
use std::sync::{Arc, PoisonError, RwLock};

/// A stage; clones are the same stage.
#[derive(Clone, Default)]
pub struct ServiceStage {
    played: Arc<RwLock<StageState>>,
}

#[derive(Default)]
struct StageState {
    /// Services by host, then address.
    places: HashMap<String, HashMap<String, SimulatedService>>,
    /// Status that everything on a host is answered with.
    broken: HashMap<String, u16>,
}

impl ServiceStage {
    /// An empty one: nothing is found anywhere.
    pub fn new() -> Self {
        Self::default()
    }

    /// Puts a service up, or another one in its place; `false` for a kind that is not played.
    pub fn put_service(&self, kind: &str, url: &str, layers: &[&str], title: &str) -> bool {
        let layers: Vec<String> = layers.iter().map(|layer| (*layer).to_owned()).collect();
        let Some(place) = SimulatedService::from_kind(kind, url, &layers, title) else { return false };
        self.change(|played| {
            played.places.entry(host_of(url).to_owned()).or_default().insert(url.to_owned(), place);
        });
        true
    }

    /// Takes a service down: it is not found any more.
    pub fn remove_service(&self, url: &str) {
        self.change(|played| {
            if let Some(places) = played.places.get_mut(host_of(url)) {
                places.remove(url);
            }
        });
    }

    /// Lets everything on a host be answered with this status; `None`: as it should be.
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

    /// Serves it. Must be called within a tokio runtime.
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

/// Layers of each service of a [`Fleet`].
const FLEET_LAYERS: usize = 20;
/// Domain of its hosts.
const FLEET: &str = "fleet.test";

/// So many WMS on so many hosts, each made when it is asked.
#[derive(Debug, Clone, Copy)]
pub struct ServiceFleet {
    /// Services.
    pub services: usize,
    /// Hosts that they are on, in turn.
    pub hosts: usize,
    /// Further services, all on one more host.
    pub crowded: usize,
}

impl ServiceFleet {
    /// Address of a service.
    pub fn service_url(&self, service: usize) -> String {
        if service >= self.services {
            return format!("http://crowded.{FLEET}/geo/{service}/wms");
        }
        format!("http://h{}.{FLEET}/geo/{service}/wms", service % self.hosts.max(1))
    }

    /// Services, those of the crowded host last.
    pub fn service_count(&self) -> usize {
        self.services + self.crowded
    }

    /// Names of the layers of a service.
    pub fn layer_names(&self, service: usize) -> Vec<String> {
        (0..FLEET_LAYERS).map(|layer| format!("ns{service}:layer_{layer}")).collect()
    }

    /// Serves it. Must be called within a tokio runtime.
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
