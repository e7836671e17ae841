//! Answers requests for the planned web.

use crate::hostile::Case;
use crate::page;
use crate::prose::Prose;
use crate::rendered::Rendered;
use crate::reply::{Act, Body, Reply};
use crate::request::Request;
use crate::reveal::{Form, Shown};
use crate::robots::{self, Shape};
use crate::server::Site;
use crate::service;
use crate::sitemap;
use crate::world::{Route, World};
use bytes::Bytes;
use std::collections::HashMap;
use std::time::Duration;

/// The planned web with all that rendering needs.
pub(crate) struct Web {
    pub world: World,
    pub prose: Prose,
    /// Hostile cases by their host.
    pub hostile: HashMap<String, Case>,
    pub rendered: Rendered,
    /// Waited before every answer.
    pub latency: Duration,
}

impl Site for Web {
    fn answer(&self, request: &Request<'_>) -> Reply {
        let Some(&host) = self.world.host_ids.get(request.host) else {
            if let Some(case) = self.hostile.get(request.host) {
                return case.answer(request);
            }
            return Reply::html(404, "<html><body>No such host</body></html>".to_owned());
        };
        let mut reply = self.route(host, request);
        reply.delay += self.latency;
        if self.world.hosts[host].gzip && request.accepts_gzip && request.range.is_none() {
            compress(&mut reply);
        }
        reply
    }
}

/// Compresses what servers compress.
pub(crate) fn compress(reply: &mut Reply) {
    let textual = ["text/", "application/xml", "application/json", "application/javascript"];
    if let Body::Bytes(bytes) = &reply.body
        && bytes.len() > 200
        && textual.iter().any(|prefix| reply.content_type.starts_with(prefix))
    {
        reply.body = Body::Bytes(sitemap::gzip(bytes).into());
        reply.headers.push(("Content-Encoding".into(), "gzip".to_owned()));
        reply.headers.push(("Vary".into(), "Accept-Encoding".to_owned()));
    }
}

/// Whether a service of the host offers the layer of a tile's path.
fn has_tiles(host: &crate::world::Host, path: &str) -> bool {
    let layer = path.split("/default/").next().unwrap_or_default();
    let base = layer.rsplit_once('/').map_or("", |(base, _)| base);
    host.routes.contains_key(base) || host.routes.contains_key(&format!("{base}/1.0.0/WMTSCapabilities.xml"))
}

impl Web {
    fn route(&self, host: usize, request: &Request<'_>) -> Reply {
        let world = &self.world;
        let owner = &world.hosts[host];
        let path = request.path();
        if path == "/robots.txt" || path == "/robots-real.txt" {
            return self.robots(host, path);
        }
        if let Some(route) = owner.routes.get(request.target).or_else(|| owner.routes.get(path)) {
            return self.follow(host, route, request);
        }
        if let Some(reply) = sitemap::answer(world, host, path) {
            return reply;
        }
        if let Some(&trap) =
            owner.traps.iter().find(|&&trap| request.target.starts_with(world.traps[trap].form.prefix))
        {
            return world.traps[trap].answer(request.target);
        }
        if let Some(tile) = service::tile_at(path).filter(|_| has_tiles(owner, path)) {
            return Reply::new(200, "image/png", tile);
        }
        if path.starts_with("/assets/") {
            return asset(path);
        }
        Reply::not_found()
    }

    fn follow(&self, host: usize, route: &Route, request: &Request<'_>) -> Reply {
        let world = &self.world;
        match route {
            Route::Page(page) => self.rendered.get(*page, || page::render(world, &self.prose, *page)),
            Route::Endpoints(ids) => {
                let query = request.query();
                let chosen = ids.iter().find(|&&id| {
                    let vendor = &world.endpoints[id].vendor;
                    vendor.as_ref().is_none_or(|(key, value)| query.get(key) == Some(value))
                });
                match chosen {
                    Some(&id) => {
                        let url = format!("http://{}{}", request.host, world.endpoints[id].target());
                        service::answer(&world.endpoints[id], &world.services, &url, &query)
                    }
                    None => Reply::html(
                        200,
                        "<HTML><HEAD><TITLE>MapServer Message</TITLE></HEAD><BODY>msLoadMap(): Unable to access file.</BODY></HTML>\n".to_owned(),
                    ),
                }
            }
            Route::File(id) => {
                let file = &world.files[*id];
                let mut reply = Reply::new(200, file.content_type, "");
                reply.body = Body::File { file: file.file.clone(), ranges: file.ranges };
                reply
            }
            Route::Negative(id) => {
                let negative = &world.negatives[*id];
                (negative.form.answer)(negative.seed)
            }
            Route::Document(id) => {
                let reveal = &world.reveals[*id];
                document(&reveal.way.form, &reveal.shown)
            }
            Route::Moved(status, path) => {
                let query =
                    request.target.split_once('?').map(|(_, query)| format!("?{query}")).unwrap_or_default();
                Reply::redirect(*status, format!("http://{}{path}{query}", world.hosts[host].name))
            }
        }
    }

    fn robots(&self, host: usize, path: &str) -> Reply {
        let owner = &self.world.hosts[host];
        let sitemaps = sitemap::named(&self.world, host);
        let text = || robots::text(owner.robots_shape, &owner.robots, &sitemaps);
        match owner.robots_shape {
            Shape::Missing => Reply::not_found(),
            Shape::Forbidden403 => Reply::html(403, "<html><body>Forbidden</body></html>".to_owned()),
            Shape::ServerError => Reply::new(503, "text/plain", "temporarily unavailable\n"),
            Shape::Stalls => Reply::raw(vec![Act::Pause(Duration::from_mins(10))]),
            Shape::Html => Reply::html(
                200,
                "<!DOCTYPE html><html><head><title>Start</title></head><body><p>Welcome</p></body></html>"
                    .to_owned(),
            ),
            Shape::Redirected if path == "/robots.txt" => Reply::redirect(301, owner.url("/robots-real.txt")),
            Shape::WrongType => Reply::new(200, "text/html", text()),
            _ => Reply::new(200, "text/plain", text()),
        }
    }
}

fn document(form: &Form, shown: &Shown) -> Reply {
    match form {
        Form::Redirect => Reply::redirect([301, 302, 303, 307][shown.number % 4], shown.url.clone()),
        Form::Document { write, .. } => {
            let document = write(shown);
            Reply::new(200, document.content_type, document.body)
        }
        _ => Reply::not_found(),
    }
}

fn asset(path: &str) -> Reply {
    match path.rsplit('.').next() {
        Some("css") => Reply::new(200, "text/css", "body{margin:0;font-family:sans-serif}\n"),
        Some("js") => Reply::new(200, "application/javascript", "window.ready=true;\n"),
        Some("jpg" | "jpeg") => {
            Reply::new(200, "image/jpeg", Bytes::from_static(b"\xFF\xD8\xFF\xE0\0\x10JFIF\0\xFF\xD9"))
        }
        _ => Reply::new(200, "image/png", service::PIXEL),
    }
}
