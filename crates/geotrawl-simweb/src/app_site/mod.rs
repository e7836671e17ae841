//! Map applications built with real bundlers: their pages, scripts and configurations, the services
//! that only they reveal, and the programs that some of them call at run time.
//!
//! `tools/apps` builds the folder; the addresses are fixed there, so that any technique can hide
//! them.

mod manifest;
pub(crate) mod place;
mod truth;

pub use truth::{AppPage, AppService, AppTruth, MustNotFind};

use crate::lexicon::LEXICONS;
use crate::prose::draw_sentence;
use crate::reply::SiteReply;
use crate::request::SiteRequest;
use crate::rng::SeededRng;
use crate::robots::{self, RobotsShape};
use crate::server::{self, LogSink, RequestHandler, ServerHandle};
use crate::service::escape_xml_text;
use crate::web::compress_reply;
use bytes::Bytes;
use manifest::{AppManifest, AppProgram, ManifestApp, ProgramAnswer};
use place::SimulatedService;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::io;
use std::net::TcpListener;
use std::path::Path;
use std::sync::Arc;
use truth::host_of;

const PORTAL: &str = "portal.map-apps.example";
/// Applications linked from one page of the portal.
const APPS_A_TOPIC: usize = 12;

/// The map applications of a folder built by `tools/apps`, as a separate web: a portal that links
/// to all of them, a host for each, the hosts of their services, and one for library files.
#[derive(Clone)]
pub struct AppSite {
    hosts: Arc<HashMap<String, AppHost>>,
    /// Topic pages of the portal: titles and addresses of applications.
    topics: Arc<Vec<Vec<(String, String)>>>,
    libraries: Arc<HashMap<String, Bytes>>,
    truth: Arc<AppTruth>,
}

/// The content of one host.
#[derive(Default)]
struct AppHost {
    app: Option<AppFiles>,
    places: Vec<SimulatedService>,
    /// Programs that are not services: path, and whether the response is an empty list.
    others: Vec<(String, bool)>,
    is_library: bool,
}

/// An application and its files.
struct AppFiles {
    app: ManifestApp,
    files: HashMap<String, Bytes>,
    /// Sends its classic scripts and configurations with a wrong media type.
    careless: bool,
    gzip: bool,
}

impl AppSite {
    /// Loads the folder; the error says if it is missing or what is wrong with it.
    pub fn load(folder: &Path) -> io::Result<Self> {
        let manifest = AppManifest::read(folder)?;
        let mut hosts: HashMap<String, AppHost> = HashMap::new();
        for app in &manifest.apps {
            add(&mut hosts, app, folder)?;
        }
        hosts.entry(manifest.library_host.clone()).or_default().is_library = true;
        let mut libraries = HashMap::new();
        for name in &manifest.library_files {
            libraries.insert(name.clone(), read(&folder.join("lib").join(name))?);
        }
        let links: Vec<(String, String)> =
            manifest.apps.iter().map(|app| (app.title.clone(), front_url(app))).collect();
        Ok(Self {
            hosts: Arc::new(hosts),
            topics: Arc::new(links.chunks(APPS_A_TOPIC).map(<[_]>::to_vec).collect()),
            libraries: Arc::new(libraries),
            truth: Arc::new(AppTruth::from_manifest(&manifest, vec![format!("http://{PORTAL}/")])),
        })
    }

    /// Returns the ground truth of the applications.
    pub fn truth(&self) -> &AppTruth {
        &self.truth
    }

    /// Serves all hosts on one port, selected by the `Host` header. Must be called within a tokio
    /// runtime.
    pub fn serve(&self, listener: TcpListener, log: Option<LogSink>) -> io::Result<ServerHandle> {
        server::start_server(Arc::new(self.clone()), listener, log)
    }

    fn portal(&self, path: &str) -> SiteReply {
        if path == "/" {
            let links = (1..=self.topics.len()).map(|n| (format!("Topic {n}"), format!("/topics/{n}.html")));
            return prose_page("Directory of maps", 0, links);
        }
        let number = path.strip_prefix("/topics/").and_then(|rest| rest.strip_suffix(".html"));
        let number: Option<usize> = number.and_then(|n| n.parse().ok());
        let topic = number.and_then(|n| Some((n, self.topics.get(n.checked_sub(1)?)?)));
        match topic {
            Some((n, links)) => prose_page(&format!("Topic {n}"), n as u64, links.iter().cloned()),
            None => SiteReply::not_found(),
        }
    }

    fn route(&self, request: &SiteRequest<'_>) -> SiteReply {
        let path = request.path();
        if request.host == PORTAL {
            return self.portal(path);
        }
        let Some(host) = self.hosts.get(request.host) else { return SiteReply::not_found() };
        if let Some(reply) = host.places.iter().find_map(|place| place.answer(request)) {
            return reply;
        }
        if host.is_library {
            return self.library(path.trim_start_matches('/'));
        }
        if let Some(app) = &host.app {
            return app.answer(request).unwrap_or_else(|| match path.strip_prefix("/vendor/") {
                Some(name) => self.library(name),
                None => SiteReply::not_found(),
            });
        }
        match host.others.iter().find(|(other, _)| other == path) {
            Some((_, true)) => SiteReply::new(200, "application/json", "[]"),
            _ => SiteReply::not_found(),
        }
    }

    fn library(&self, name: &str) -> SiteReply {
        match self.libraries.get(name) {
            Some(bytes) => SiteReply::new(200, "text/javascript", bytes.clone()),
            None => SiteReply::not_found(),
        }
    }
}

impl RequestHandler for AppSite {
    fn answer(&self, request: &SiteRequest<'_>) -> SiteReply {
        let mut reply = self.route(request);
        // Applications request services of other hosts.
        reply.headers.push(("Access-Control-Allow-Origin".into(), "*".to_owned()));
        let app = self.hosts.get(request.host).and_then(|host| host.app.as_ref());
        if request.accepts_gzip && app.is_some_and(|app| app.gzip) {
            compress_reply(&mut reply);
        }
        reply
    }
}

impl AppFiles {
    fn answer(&self, request: &SiteRequest<'_>) -> Option<SiteReply> {
        let path = request.path();
        if path == "/robots.txt" {
            let summary = truth::robots_rules(&self.app.id);
            let plain = summary.shape == "plain";
            return plain.then(|| {
                SiteReply::new(200, "text/plain", robots::render_robots(RobotsShape::Plain, &summary, &[]))
            });
        }
        let programs = || self.app.endpoints.iter().filter(|program| program.path == path);
        if let Some(program) = programs().find(|program| program.method == request.method) {
            return Some(run(program, request));
        }
        if programs().next().is_some() {
            return Some(SiteReply::new(405, "text/plain", "method not allowed\n"));
        }
        if let Some(name) = path.strip_prefix(self.app.base.as_str()) {
            let name = if name.is_empty() { "index.html" } else { name };
            if let Some(bytes) = self.files.get(name) {
                return Some(SiteReply::new(200, self.media_type(name), bytes.clone()));
            }
        }
        let front = path == "/" && self.app.base != "/";
        front.then(|| {
            let link = ("Open the map".to_owned(), self.app.base.clone());
            prose_page(&self.app.title, self.app.id.len() as u64, std::iter::once(link))
        })
    }

    fn media_type(&self, name: &str) -> &'static str {
        match name.rsplit('.').next().unwrap_or("") {
            "html" => "text/html; charset=utf-8",
            "js" | "json" if self.careless => "text/plain",
            "js" | "mjs" => "text/javascript",
            "json" | "map" => "application/json",
            "css" => "text/css",
            _ => "application/octet-stream",
        }
    }
}

fn run(program: &AppProgram, request: &SiteRequest<'_>) -> SiteReply {
    let wants = &program.requires;
    let query = request.query();
    let same = |want: &Option<String>, have: Option<&str>| {
        want.as_deref().is_none_or(|want| have.is_some_and(|have| have.contains(want)))
    };
    let met = same(&wants.authorization, request.authorization)
        && same(&wants.cookie, request.cookie)
        && same(&wants.body, Some(&String::from_utf8_lossy(request.body)))
        && wants.query.as_ref().is_none_or(|(key, value)| query.get(key) == Some(value));
    match (met, &program.otherwise) {
        (true, _) => made(&program.reply),
        (false, Some(answer)) => made(answer),
        (false, None) => SiteReply::new(403, "text/plain", "forbidden\n"),
    }
}

fn made(answer: &ProgramAnswer) -> SiteReply {
    let mut reply = SiteReply::new(answer.status, answer.content_type.clone(), answer.body.clone());
    reply.headers.extend(answer.headers.iter().map(|(name, value)| (name.clone().into(), value.clone())));
    reply
}

fn add(hosts: &mut HashMap<String, AppHost>, app: &ManifestApp, folder: &Path) -> io::Result<()> {
    for service in &app.services {
        let place = SimulatedService::new(service, &app.title);
        hosts.entry(host_of(&service.url).to_owned()).or_default().places.extend(place);
    }
    for address in app.must_not_find.iter().filter(|address| address.url.starts_with("http://")) {
        let host = hosts.entry(host_of(&address.url).to_owned()).or_default();
        if address.live {
            let kind = match address.url.as_str() {
                url if url.contains("{z}") => "xyz",
                url if url.ends_with("/MapServer") => "arcgis-mapserver",
                _ => "wms",
            };
            let service = manifest::ManifestService {
                kind: kind.to_owned(),
                url: address.url.clone(),
                layers: Vec::new(),
                level: None,
                requested: false,
                proxied: false,
                optional: false,
            };
            host.places.extend(SimulatedService::new(&service, &app.title));
        } else {
            let rest = address.url.split_once("://").map_or("", |(_, rest)| rest);
            let path = rest.find('/').map_or("/", |at| &rest[at..]);
            let lists = matches!(address.reason.as_str(), "warehouse-system" | "web-shop" | "statistics");
            host.others.push((path.to_owned(), lists));
        }
    }
    let mut files = HashMap::new();
    for name in &app.files {
        files.insert(name.clone(), read(&folder.join(&app.id).join(name))?);
    }
    let page = files
        .get("index.html")
        .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidData, format!("{}: no index.html", app.id)))?;
    // A browser runs a module only if its media type is correct.
    let modules = page.windows(13).any(|w| w == b"type=\"module\"");
    let mut rng = SeededRng::new(app.id.bytes().fold(7, |sum, byte| sum * 31 % 65_521 + u64::from(byte)));
    let careless = !modules && rng.percent(20);
    let gzip = rng.percent(50);
    hosts.entry(app.host.clone()).or_default().app =
        Some(AppFiles { app: app.clone(), files, careless, gzip });
    Ok(())
}

fn read(file: &Path) -> io::Result<Bytes> {
    let bytes = std::fs::read(file);
    bytes
        .map(Bytes::from)
        .map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", file.display())))
}

/// Returns the address to which the portal links: the host's front page, which is the application
/// or links to it.
fn front_url(app: &ManifestApp) -> String {
    format!("http://{}/", app.host)
}

fn prose_page(title: &str, seed: u64, links: impl Iterator<Item = (String, String)>) -> SiteReply {
    let mut rng = SeededRng::new(seed + 1);
    let title = escape_xml_text(title);
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title}</title></head>\n<body><h1>{title}</h1>\n"
    );
    for (name, url) in links {
        let _ = writeln!(out, "<p>{}</p>", draw_sentence(&LEXICONS[0], &mut rng, 18));
        let _ = writeln!(out, "<p><a href=\"{}\">{}</a></p>", escape_xml_text(&url), escape_xml_text(&name));
    }
    for _ in 0..3 {
        let _ = writeln!(out, "<p>{}</p>", draw_sentence(&LEXICONS[0], &mut rng, 25));
    }
    out.push_str("</body></html>\n");
    SiteReply::html(200, out)
}
