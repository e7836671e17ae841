//! Captured responses of the simulated web.

use crate::reply::ReplyBody;
use crate::request::SiteRequest;
use crate::server::RequestHandler;
use crate::web::PlannedWeb;
use crate::world::{HostRoute, SitemapShape};
use bytes::Bytes;

/// Files are truncated at this size, as crawlers do.
const MOST_BYTES: u64 = 1 << 20;

/// An archived response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Capture {
    pub url: String,
    pub status: u16,
    /// As sent, `Content-Type` among them.
    pub headers: Vec<(String, String)>,
    /// As sent: compressed where the server compresses.
    pub body: Bytes,
    /// Whether only the beginning was kept.
    pub truncated: bool,
}

impl Capture {
    /// Returns the value of a header.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(own, _)| own.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    /// Returns the media type without its parameters.
    pub fn media_type(&self) -> &str {
        self.header("content-type").unwrap_or("unk").split(';').next().unwrap_or_default().trim()
    }
}

/// Captures the response at this address.
pub(super) fn capture_url(web: &PlannedWeb, url: &str) -> Option<Capture> {
    let rest = url.strip_prefix("http://")?;
    let (host, target) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let target = if target.is_empty() { "/" } else { target };
    let request = SiteRequest { method: "GET", host, target, accepts_gzip: true, ..SiteRequest::default() };
    let reply = web.answer(&request);
    let mut headers: Vec<(String, String)> =
        reply.headers.iter().map(|(name, value)| (name.to_string(), value.clone())).collect();
    if !reply.content_type.is_empty() {
        headers.insert(0, ("Content-Type".to_owned(), reply.content_type.to_string()));
    }
    let (body, truncated) = match reply.body {
        ReplyBody::Bytes(bytes) => (bytes, false),
        ReplyBody::File { file, .. } => {
            let mut kept = Vec::new();
            while (kept.len() as u64) < file.len().min(MOST_BYTES) {
                let chunk = file.chunk(kept.len() as u64);
                if chunk.is_empty() {
                    break;
                }
                kept.extend_from_slice(&chunk);
            }
            kept.truncate(MOST_BYTES as usize);
            let truncated = (kept.len() as u64) < file.len();
            (Bytes::from(kept), truncated)
        }
        ReplyBody::Raw(_) => return None,
    };
    headers.push(("Content-Length".to_owned(), body.len().to_string()));
    Some(Capture { url: url.to_owned(), status: reply.status, headers, body, truncated })
}

/// Returns every address with a page, a document of a page, a redirect or a sitemap, host by host.
pub(super) fn list_urls(web: &PlannedWeb) -> Vec<String> {
    let mut urls = Vec::new();
    for host in &web.world.hosts {
        let mut own: Vec<&str> = host
            .routes
            .iter()
            .filter(|(_, route)| !matches!(route, HostRoute::Endpoints(_) | HostRoute::File(_)))
            .map(|(target, _)| target.as_str())
            .collect();
        own.extend(match host.sitemap {
            SitemapShape::None => &[][..],
            SitemapShape::Conventional | SitemapShape::Named => &["/sitemap.xml"],
            SitemapShape::Index => &["/sitemap_index.xml", "/sitemaps/teil-1.xml", "/sitemaps/teil-2.xml.gz"],
            SitemapShape::Text => &["/urls.txt"],
        });
        // The routes are in no defined order.
        own.sort_unstable();
        urls.extend(own.into_iter().map(|target| host.url(target)));
    }
    urls
}
