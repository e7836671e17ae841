//! Answers requests for the planned web.

use crate::hostile::CountedCase;
use crate::page;
use crate::prose::ProsePools;
use crate::rendered::RenderedPages;
use crate::reply::{ReplyAct, ReplyBody, SiteReply};
use crate::request::SiteRequest;
use crate::reveal::{RevealForm, ShownResource};
use crate::robots::{self, RobotsShape};
use crate::server::RequestHandler;
use crate::service;
use crate::sitemap;
use crate::world::{HostRoute, WorldPlan};
use bytes::Bytes;
use std::collections::HashMap;
use std::time::Duration;

/// The planned web with everything that rendering requires.
pub(crate) struct PlannedWeb {
    pub world: WorldPlan,
    pub prose: ProsePools,
    /// Hostile cases by their host.
    pub hostile: HashMap<String, CountedCase>,
    pub rendered: RenderedPages,
    /// Delay before every response.
    pub latency: Duration,
}

impl RequestHandler for PlannedWeb {
    fn answer(&self, request: &SiteRequest<'_>) -> SiteReply {
        let Some(&host) = self.world.host_ids.get(request.host) else {
            if let Some(case) = self.hostile.get(request.host) {
                return case.answer(request);
            }
            return SiteReply::html(404, "<html><body>No such host</body></html>".to_owned());
        };
        let mut reply = self.route(host, request);
        reply.delay += self.latency;
        if self.world.hosts[host].gzip && request.accepts_gzip && request.range.is_none() {
            compress_reply(&mut reply);
        }
        reply
    }
}

/// Compresses responses that servers usually compress.
pub(crate) fn compress_reply(reply: &mut SiteReply) {
    let textual = ["text/", "application/xml", "application/json", "application/javascript"];
    if let ReplyBody::Bytes(bytes) = &reply.body
        && bytes.len() > 200
        && textual.iter().any(|prefix| reply.content_type.starts_with(prefix))
    {
        reply.body = ReplyBody::Bytes(sitemap::gzip(bytes).into());
        reply.headers.push(("Content-Encoding".into(), "gzip".to_owned()));
        reply.headers.push(("Vary".into(), "Accept-Encoding".to_owned()));
    }
}

/// Whether a service of the host has the layer in a tile's path.
fn has_tiles(host: &crate::world::PlannedHost, path: &str) -> bool {
    let layer = path.split("/default/").next().unwrap_or_default();
    let base = layer.rsplit_once('/').map_or("", |(base, _)| base);
    host.routes.contains_key(base) || host.routes.contains_key(&format!("{base}/1.0.0/WMTSCapabilities.xml"))
}

impl PlannedWeb {
    fn route(&self, host: usize, request: &SiteRequest<'_>) -> SiteReply {
        let world = &self.world;
        let owner = &world.hosts[host];
        let path = request.path();
        if path == "/robots.txt" || path == "/robots-real.txt" {
            return self.robots(host, path);
        }
        // Some targets include a query (vendor parameters, page ids), so try the full target before
        // the path.
        if let Some(route) = owner.routes.get(request.target).or_else(|| owner.routes.get(path)) {
            return self.follow(host, route, request);
        }
        if let Some(reply) = sitemap::answer_sitemap(world, host, path) {
            return reply;
        }
        if let Some(&trap) =
            owner.traps.iter().find(|&&trap| request.target.starts_with(world.traps[trap].form.prefix))
        {
            return world.traps[trap].answer(request.target);
        }
        if let Some(tile) = service::tile_at(path).filter(|_| has_tiles(owner, path)) {
            return SiteReply::new(200, "image/png", tile);
        }
        if path.starts_with("/assets/") {
            return asset(path);
        }
        SiteReply::not_found()
    }

    fn follow(&self, host: usize, route: &HostRoute, request: &SiteRequest<'_>) -> SiteReply {
        let world = &self.world;
        match route {
            HostRoute::Page(page) => {
                self.rendered.get_or_render(*page, || page::render_page(world, &self.prose, *page))
            }
            HostRoute::Endpoints(ids) => {
                let query = request.query();
                let chosen = ids.iter().find(|&&id| {
                    let vendor = &world.endpoints[id].vendor;
                    vendor.as_ref().is_none_or(|(key, value)| query.get(key) == Some(value))
                });
                match chosen {
                    Some(&id) => {
                        let url = format!("http://{}{}", request.host, world.endpoints[id].target());
                        service::answer_request(&world.endpoints[id], &world.services, &url, &query)
                    }
                    None => SiteReply::html(
                        200,
                        "<HTML><HEAD><TITLE>MapServer Message</TITLE></HEAD><BODY>msLoadMap(): Unable to access file.</BODY></HTML>\n".to_owned(),
                    ),
                }
            }
            HostRoute::File(id) => {
                let file = &world.files[*id];
                let mut reply = SiteReply::new(200, file.content_type, "");
                reply.body = ReplyBody::File { file: file.file.clone(), ranges: file.ranges };
                reply
            }
            HostRoute::Negative(id) => {
                let negative = &world.negatives[*id];
                (negative.form.answer)(negative.seed)
            }
            HostRoute::Document(id) => {
                let reveal = &world.reveals[*id];
                document(&reveal.way.form, &reveal.shown)
            }
            HostRoute::Moved(status, path) => {
                let query =
                    request.target.split_once('?').map(|(_, query)| format!("?{query}")).unwrap_or_default();
                SiteReply::redirect(*status, format!("http://{}{path}{query}", world.hosts[host].name))
            }
        }
    }

    fn robots(&self, host: usize, path: &str) -> SiteReply {
        let owner = &self.world.hosts[host];
        let sitemaps = sitemap::announced_urls(&self.world, host);
        let text = || robots::render_robots(owner.robots_shape, &owner.robots, &sitemaps);
        match owner.robots_shape {
            RobotsShape::Missing => SiteReply::not_found(),
            RobotsShape::Forbidden403 => {
                SiteReply::html(403, "<html><body>Forbidden</body></html>".to_owned())
            }
            RobotsShape::ServerError => SiteReply::new(503, "text/plain", "temporarily unavailable\n"),
            RobotsShape::Stalls => SiteReply::raw(vec![ReplyAct::Pause(Duration::from_mins(10))]),
            RobotsShape::Html => SiteReply::html(
                200,
                "<!DOCTYPE html><html><head><title>Start</title></head><body><p>Welcome</p></body></html>"
                    .to_owned(),
            ),
            RobotsShape::Redirected if path == "/robots.txt" => {
                SiteReply::redirect(301, owner.url("/robots-real.txt"))
            }
            RobotsShape::WrongType => SiteReply::new(200, "text/html", text()),
            _ => SiteReply::new(200, "text/plain", text()),
        }
    }
}

fn document(form: &RevealForm, shown: &ShownResource) -> SiteReply {
    match form {
        RevealForm::Redirect => {
            SiteReply::redirect([301, 302, 303, 307][shown.number % 4], shown.url.clone())
        }
        RevealForm::Document { write, .. } => {
            let document = write(shown);
            SiteReply::new(200, document.content_type, document.body)
        }
        _ => SiteReply::not_found(),
    }
}

fn asset(path: &str) -> SiteReply {
    match path.rsplit('.').next() {
        Some("css") => SiteReply::new(200, "text/css", "body{margin:0;font-family:sans-serif}\n"),
        Some("js") => SiteReply::new(200, "application/javascript", "window.ready=true;\n"),
        Some("jpg" | "jpeg") => {
            SiteReply::new(200, "image/jpeg", Bytes::from_static(b"\xFF\xD8\xFF\xE0\0\x10JFIF\0\xFF\xD9"))
        }
        _ => SiteReply::new(200, "image/png", service::PIXEL),
    }
}
