//! Sitemaps: plain, indexed, gzipped, and as text.

use crate::reply::SiteReply;
use crate::service::escape_xml_text;
use crate::world::depth::listed_pages;
use crate::world::{SitemapShape, WorldPlan};
use flate2::{Compression, write::GzEncoder};
use std::fmt::Write as _;
use std::io::Write as _;

/// Returns the sitemap URLs announced in robots.txt.
pub(crate) fn announced_urls(world: &WorldPlan, host: usize) -> Vec<String> {
    let host = &world.hosts[host];
    match host.sitemap {
        SitemapShape::Named => vec![host.url("/sitemap.xml")],
        SitemapShape::Index => vec![host.url("/sitemap_index.xml")],
        SitemapShape::Text => vec![host.url("/urls.txt")],
        SitemapShape::None | SitemapShape::Conventional => Vec::new(),
    }
}

/// Answers a request for one of the host's sitemaps; `None` for other paths.
pub(crate) fn answer_sitemap(world: &WorldPlan, id: usize, path: &str) -> Option<SiteReply> {
    let host = &world.hosts[id];
    let urls = || -> Vec<String> {
        let pages = listed_pages(world, id).map(|page| world.page_url(page));
        pages.chain(host.sitemap_urls.iter().cloned()).collect()
    };
    match (host.sitemap, path) {
        (SitemapShape::Conventional | SitemapShape::Named, "/sitemap.xml") => {
            Some(SiteReply::new(200, "application/xml", urlset(&urls())))
        }
        (SitemapShape::Text, "/urls.txt") => {
            Some(SiteReply::new(200, "text/plain", urls().join("\n") + "\n"))
        }
        (SitemapShape::Index, "/sitemap_index.xml") => {
            let mut out = String::from(
                "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n",
            );
            for part in ["/sitemaps/teil-1.xml", "/sitemaps/teil-2.xml.gz"] {
                let _ = writeln!(out, "<sitemap><loc>{}</loc></sitemap>", host.url(part));
            }
            out.push_str("</sitemapindex>\n");
            Some(SiteReply::new(200, "text/xml", out))
        }
        (SitemapShape::Index, "/sitemaps/teil-1.xml") => {
            let all = urls();
            Some(SiteReply::new(200, "application/xml", urlset(&all[..all.len() / 2])))
        }
        (SitemapShape::Index, "/sitemaps/teil-2.xml.gz") => {
            let all = urls();
            let bytes = gzip(urlset(&all[all.len() / 2..]).as_bytes());
            Some(SiteReply::new(200, "application/x-gzip", bytes))
        }
        _ => None,
    }
}

fn urlset(urls: &[String]) -> String {
    let mut out = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n",
    );
    for url in urls {
        let _ =
            writeln!(out, "<url><loc>{}</loc><changefreq>monthly</changefreq></url>", escape_xml_text(url));
    }
    out.push_str("</urlset>\n");
    out
}

/// Compresses with gzip. Writing to memory cannot fail; if it did, an empty response would be
/// harmless.
pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    if encoder.write_all(bytes).is_err() {
        return Vec::new();
    }
    encoder.finish().unwrap_or_default()
}
