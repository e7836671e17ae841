//! Services with known behaviour: up, slow, broken, behind logins and firewalls, gone, moved,
//! flapping, reborn. Every case has its own host and the verdict that a check must reach.

use crate::app_site::place::SimulatedService;
use crate::reply::{ReplyAct, SiteReply};
use crate::request::SiteRequest;
use crate::server::{self, LogSink, RequestHandler, ServerHandle};
use bytes::Bytes;
use std::collections::HashMap;
use std::io;
use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

/// Domain of the hosts.
const DOMAIN: &str = "trust.test";

/// Tested kinds, with the path of their endpoint.
const KINDS: &[(&str, &str)] = &[
    ("wms", "/geoserver/wms"),
    ("wfs", "/geoserver/wfs"),
    ("wcs", "/geoserver/wcs"),
    ("wmts", "/geoserver/gwc/service/wmts"),
    ("wps", "/geoserver/wps"),
    ("csw", "/geonetwork/srv/eng/csw"),
    ("sos", "/52n/sos"),
    ("ogcapi-features", "/ogcapi"),
    ("arcgis-mapserver", "/arcgis/rest/services/Land/MapServer"),
    ("arcgis-featureserver", "/arcgis/rest/services/Land/FeatureServer"),
    ("geojson", "/data/land.geojson"),
];

/// Kinds with an operation that draws images.
const PICTURES: &[&str] = &["wms", "wmts", "arcgis-mapserver"];
/// Kinds with an operation that returns features.
const FEATURES: &[&str] = &["wfs", "ogcapi-features", "arcgis-featureserver"];
/// Kinds of which a check tests an operation, not only the description.
const OPERATED: &[&str] =
    &["wms", "wmts", "arcgis-mapserver", "wfs", "ogcapi-features", "arcgis-featureserver", "wcs", "wps"];
/// Kinds that report errors in XML.
const XML: &[&str] = &["wms", "wfs", "wcs", "wmts", "wps", "csw", "sos"];

/// The purpose of a request.
#[derive(Clone, Copy, PartialEq, Eq)]
enum RequestPart {
    Description,
    Operation,
}

/// A request with its purpose and step.
struct CaseRequest<'a> {
    request: &'a SiteRequest<'a>,
    part: RequestPart,
    step: u32,
}

/// A behaviour of services.
struct Behaviour {
    name: &'static str,
    /// Kinds tested with it; empty: all.
    kinds: &'static [&'static str],
    /// Expected verdict and cause at each step; the last one applies to all further steps.
    expected: &'static [(&'static str, &'static str)],
    /// Returns the response in place of the healthy one.
    act: fn(&CaseRequest<'_>, SiteReply) -> SiteReply,
}

const fn always(
    name: &'static str,
    kinds: &'static [&'static str],
    expected: &'static [(&'static str, &'static str)],
    act: fn(&CaseRequest<'_>, SiteReply) -> SiteReply,
) -> Behaviour {
    Behaviour { name, kinds, expected, act }
}

const FIREWALL: &str = "<html><head><title>Attention Required! | Cloudflare</title></head><body><div id=\"cf-chl-widget\">Checking your browser</div></body></html>";
const REJECTED: &str = "<html><head><title>Request Rejected</title></head><body>The requested URL was rejected. Please consult with your administrator. Your support ID is: 77</body></html>";
const LOGIN: &str = "<!DOCTYPE html><html><head><title>Sign in</title></head><body><form method=\"post\"><input name=\"user\"><input type=\"password\" name=\"p\"></form></body></html>";
const PARKED: &str = "<!DOCTYPE html><html><head><title>land.example is for sale</title></head><body><h1>This domain may be for sale</h1><p>Related searches: insurance, travel</p></body></html>";
const EXCEPTION: &str = "<?xml version=\"1.0\"?>\n<ServiceExceptionReport version=\"1.3.0\" xmlns=\"http://www.opengis.net/ogc\"><ServiceException code=\"NoApplicableCode\">java.lang.NullPointerException: the data store is closed</ServiceException></ServiceExceptionReport>";

fn status(code: u16, text: &str) -> SiteReply {
    SiteReply::html(
        code,
        format!("<html><head><title>{code}</title></head><body><h1>{text}</h1></body></html>"),
    )
}

fn with(mut reply: SiteReply, name: &'static str, value: &str) -> SiteReply {
    reply.headers.push((name.into(), value.to_owned()));
    reply
}

/// Replaces the response of an operation only; the description stays healthy.
fn operation(asked: &CaseRequest<'_>, healthy: SiteReply, instead: SiteReply) -> SiteReply {
    if asked.part == RequestPart::Operation { instead } else { healthy }
}

/// An image of a single colour.
fn blank() -> SiteReply {
    SiteReply::new(200, "image/png", crate::service::PIXEL)
}

/// Up at even steps, down at odd ones.
const FLAPPING: &[(&str, &str)] = &[
    ("alive", "answers"),
    ("dead", "server-error"),
    ("alive", "answers"),
    ("dead", "server-error"),
    ("alive", "answers"),
    ("dead", "server-error"),
];

/// All behaviours.
const BEHAVIOURS: &[Behaviour] = &[
    always("up", &[], &[("alive", "answers")], |_, healthy| healthy),
    always("http-500", &[], &[("dead", "server-error")], |_, _| status(500, "Internal Server Error")),
    always("http-502", &[], &[("dead", "server-error")], |_, _| status(502, "Bad Gateway")),
    always("http-404", &[], &[("dead", "gone")], |_, _| SiteReply::not_found()),
    always("http-410", &["wms", "geojson"], &[("dead", "gone")], |_, _| status(410, "Gone")),
    always("http-401", &[], &[("restricted", "login")], |_, _| {
        with(status(401, "Authorization Required"), "WWW-Authenticate", "Basic realm=\"GIS\"")
    }),
    always("http-403", &[], &[("blocked", "forbidden")], |_, _| status(403, "Forbidden")),
    always("http-429", &[], &[("blocked", "rate-limited")], |_, _| {
        with(status(429, "Too Many Requests"), "Retry-After", "3600")
    }),
    always("maintenance", &["wms", "csw"], &[("blocked", "rate-limited")], |_, _| {
        with(status(503, "Down for maintenance"), "Retry-After", "3600")
    }),
    always("login-page", &[], &[("restricted", "login")], |_, _| SiteReply::html(200, LOGIN.to_owned())),
    always("login-redirect", &["wms", "ogcapi-features"], &[("restricted", "login")], |_, _| {
        SiteReply::redirect(302, format!("http://login.{DOMAIN}/oauth2/authorize?client_id=gis"))
    }),
    always("api-key", &["wms", "ogcapi-features"], &[("restricted", "key")], |_, _| {
        let mut reply = SiteReply::new(
            200,
            "application/json",
            "{\"error\":\"Missing API key. Please provide an api key with your request.\"}",
        );
        reply.status = 401;
        reply
    }),
    always("token", &["arcgis-mapserver", "arcgis-featureserver"], &[("restricted", "key")], |_, _| {
        SiteReply::new(
            200,
            "application/json",
            "{\"error\":{\"code\":499,\"message\":\"Token Required\",\"details\":[]}}",
        )
    }),
    always("firewall-403", &[], &[("blocked", "firewall")], |_, _| SiteReply::html(403, FIREWALL.to_owned())),
    always("firewall-503", &["wms"], &[("blocked", "firewall")], |_, _| {
        SiteReply::html(503, FIREWALL.to_owned())
    }),
    always("firewall-200", &["wms", "wfs", "csw"], &[("blocked", "firewall")], |_, _| {
        SiteReply::html(200, REJECTED.to_owned())
    }),
    always("parked", &["wms", "csw", "ogcapi-features"], &[("dead", "wrong-content")], |_, _| {
        SiteReply::html(200, PARKED.to_owned())
    }),
    always("exception", XML, &[("degraded", "exception")], |_, _| SiteReply::xml(EXCEPTION)),
    always("error-200", &["arcgis-mapserver"], &[("degraded", "exception")], |_, _| {
        SiteReply::new(
            200,
            "application/json",
            "{\"error\":{\"code\":500,\"message\":\"Service not started\",\"details\":[]}}",
        )
    }),
    always("operation-500", OPERATED, &[("degraded", "server-error")], |asked, healthy| {
        operation(asked, healthy, status(500, "Internal Server Error"))
    }),
    always(
        "operation-exception",
        &["wms", "wfs", "wcs", "wps"],
        &[("degraded", "exception")],
        |asked, healthy| operation(asked, healthy, SiteReply::xml(EXCEPTION)),
    ),
    always("operation-login", &["wms", "wfs"], &[("restricted", "login")], |asked, healthy| {
        operation(asked, healthy, with(status(401, "Login"), "WWW-Authenticate", "Basic realm=\"x\""))
    }),
    always("blank-map", PICTURES, &[("degraded", "blank")], |asked, healthy| {
        operation(asked, healthy, blank())
    }),
    always("no-features", FEATURES, &[("degraded", "blank")], |asked, healthy| {
        let text = match healthy.content_type.as_ref() {
            "text/xml" => {
                "<?xml version=\"1.0\"?><wfs:FeatureCollection xmlns:wfs=\"http://www.opengis.net/wfs\" numberOfFeatures=\"0\"/>"
            }
            "application/geo+json" => "{\"type\":\"FeatureCollection\",\"features\":[]}",
            _ => "{\"objectIdFieldName\":\"OBJECTID\",\"features\":[]}",
        };
        let empty = SiteReply::new(200, healthy.content_type.clone(), text);
        operation(asked, healthy, empty)
    }),
    always("wrong-image", PICTURES, &[("degraded", "wrong-content")], |asked, healthy| {
        operation(asked, healthy, SiteReply::new(200, "image/png", "<html><body>Error 42</body></html>"))
    }),
    always("broken-image", PICTURES, &[("degraded", "malformed")], |asked, healthy| {
        let mut picture = crate::service::sample_tile();
        picture.truncate(60);
        operation(asked, healthy, SiteReply::new(200, "image/png", picture))
    }),
    always("slow", &["wmts"], &[("degraded", "slow")], |asked, mut healthy| {
        if asked.part == RequestPart::Operation {
            healthy.delay = Duration::from_millis(2_300);
        }
        healthy
    }),
    always("silent", &["wms", "ogcapi-features"], &[("inconclusive", "timeout")], |_, _| {
        SiteReply::raw(vec![ReplyAct::Pause(Duration::from_secs(30))])
    }),
    always("reset", &["wms", "csw"], &[("inconclusive", "reset")], |_, _| SiteReply::raw(Vec::new())),
    always("not-http", &["wms"], &[("inconclusive", "reset")], |_, _| {
        SiteReply::raw(vec![ReplyAct::Send(Bytes::from_static(b"SSH-2.0-OpenSSH_9.6\r\n"))])
    }),
    always(
        "moved",
        &["wms", "wfs", "csw", "ogcapi-features", "geojson"],
        &[("alive", "moved")],
        |asked, _| {
            SiteReply::redirect(301, format!("http://new-{}{}", asked.request.host, asked.request.target))
        },
    ),
    always("flapping", &["wms", "wfs"], FLAPPING, |asked, healthy| {
        if asked.step % 2 == 0 { healthy } else { status(500, "Internal Server Error") }
    }),
    always(
        "reborn",
        &["wms", "csw"],
        &[
            ("alive", "answers"),
            ("dead", "gone"),
            ("dead", "gone"),
            ("dead", "gone"),
            ("dead", "gone"),
            ("alive", "answers"),
        ],
        |asked, healthy| if (1..5).contains(&asked.step) { SiteReply::not_found() } else { healthy },
    ),
    always("dies", &["wms", "geojson"], &[("alive", "answers"), ("dead", "gone")], |asked, healthy| {
        if asked.step == 0 { healthy } else { status(410, "Gone") }
    }),
];

/// A service and the expected results of its checks.
#[derive(Debug, Clone)]
pub struct TrustCase {
    /// Name of the behaviour.
    pub name: &'static str,
    pub kind: &'static str,
    pub url: String,
    /// Expected verdict and cause at each step; the last one applies to all further steps.
    pub expected: &'static [(&'static str, &'static str)],
}

impl TrustCase {
    /// Returns the expected verdict and cause at this step.
    pub fn expected_at(&self, step: u32) -> (&'static str, &'static str) {
        let last = self.expected.len().saturating_sub(1);
        self.expected.get((step as usize).min(last)).copied().unwrap_or_default()
    }
}

struct HostedCase {
    place: SimulatedService,
    behaviour: &'static Behaviour,
    path: &'static str,
}

/// All cases, served on one address.
#[derive(Clone)]
pub struct TrustSite {
    cases: Arc<Vec<TrustCase>>,
    hosts: Arc<HashMap<String, HostedCase>>,
    step: Arc<AtomicU32>,
}

impl Default for TrustSite {
    fn default() -> Self {
        Self::new()
    }
}

impl TrustSite {
    /// Creates all cases, at step 0.
    pub fn new() -> Self {
        let mut cases = Vec::new();
        let mut hosts = HashMap::new();
        let layers = ["roads", "rivers", "forest", "land_cover"].map(str::to_owned);
        for behaviour in BEHAVIOURS {
            for (kind, path) in KINDS {
                if !behaviour.kinds.is_empty() && !behaviour.kinds.contains(kind) {
                    continue;
                }
                let host = format!("{}-{kind}.{DOMAIN}", behaviour.name);
                let url = format!("http://{host}{path}");
                // One layer differs, because identical content on one domain would become one
                // record.
                let own = format!("{}_{kind}", behaviour.name);
                let layers: Vec<String> = layers.iter().cloned().chain([own]).collect();
                let Some(place) = SimulatedService::from_kind(kind, &url, &layers, "Land information") else {
                    continue;
                };
                cases.push(TrustCase { name: behaviour.name, kind, url, expected: behaviour.expected });
                hosts.insert(host, HostedCase { place, behaviour, path });
            }
        }
        Self { cases: Arc::new(cases), hosts: Arc::new(hosts), step: Arc::default() }
    }

    /// Returns the cases.
    pub fn cases(&self) -> &[TrustCase] {
        &self.cases
    }

    /// Sets the current step, on which the behaviours that change over time depend.
    pub fn set_step(&self, step: u32) {
        self.step.store(step, Ordering::Release);
    }

    /// Serves the cases. Must be called within a tokio runtime.
    pub fn serve(&self, listener: TcpListener, log: Option<LogSink>) -> io::Result<ServerHandle> {
        server::start_server(Arc::new(self.clone()), listener, log)
    }
}

/// Whether a request is for the description of a service or for an operation.
fn part_of(request: &SiteRequest<'_>, path: &str) -> RequestPart {
    let asked = request.query().get("request").map(str::to_ascii_lowercase);
    let below = request.path().strip_prefix(path).unwrap_or_default().trim_matches('/');
    let description = match asked.as_deref() {
        Some(asked) => matches!(asked, "getcapabilities" | "capabilities"),
        None => matches!(below, "" | "layers" | "collections" | "conformance" | "0"),
    };
    if description { RequestPart::Description } else { RequestPart::Operation }
}

impl RequestHandler for TrustSite {
    fn answer(&self, request: &SiteRequest<'_>) -> SiteReply {
        if request.host == format!("login.{DOMAIN}") {
            return SiteReply::html(200, LOGIN.to_owned());
        }
        // A service that moved is healthy at its new address.
        let host = request.host.strip_prefix("new-").unwrap_or(request.host);
        let Some(hosted) = self.hosts.get(host) else { return SiteReply::not_found() };
        if request.path() == "/robots.txt" {
            return SiteReply::not_found();
        }
        let Some(healthy) = hosted.place.answer(request) else { return SiteReply::not_found() };
        if host != request.host {
            return healthy;
        }
        let asked = CaseRequest {
            request,
            part: part_of(request, hosted.path),
            step: self.step.load(Ordering::Acquire),
        };
        (hosted.behaviour.act)(&asked, healthy)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_many_cases_and_healthy_ones_answer() {
        let site = TrustSite::new();
        assert!(site.cases().len() >= 120, "{}", site.cases().len());
        for case in site.cases().iter().filter(|case| case.name == "up") {
            let (host, target) = case.url["http://".len()..].split_once('/').unwrap();
            let target = format!("/{target}?service={}&request=GetCapabilities&f=json", case.kind);
            let reply =
                site.answer(&SiteRequest { host, target: &target, method: "GET", ..SiteRequest::default() });
            assert_eq!(reply.status, 200, "{}", case.url);
        }
    }
}
