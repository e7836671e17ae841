//! Sitemaps: an index, and pages of addresses.

use crate::xml::XmlWriter;

const NAMESPACE: &str = "http://www.sitemaps.org/schemas/sitemap/0.9";
/// Addresses on one page: what the protocol allows.
pub const PAGE: usize = 50_000;

/// The index of so many pages.
pub fn render_index(base: &str, pages: usize) -> String {
    let mut out = XmlWriter::with_declaration();
    out.start("sitemapindex", &[("xmlns", NAMESPACE)]);
    for page in 1..=pages {
        out.start("sitemap", &[]);
        out.leaf_with("loc", &[], &format!("{base}/sitemap/{page}.xml"));
        out.end();
    }
    out.finish()
}

/// A page of records by their ids.
pub fn render_page(base: &str, ids: &[String]) -> String {
    let mut out = XmlWriter::with_declaration();
    out.start("urlset", &[("xmlns", NAMESPACE)]);
    for id in ids {
        out.start("url", &[]);
        out.leaf_with("loc", &[], &format!("{base}/service/{id}"));
        out.end();
    }
    out.finish()
}

/// What robots may read.
pub fn render_robots(base: &str) -> String {
    // Searches without end and copies of others' pages are nothing to walk. Catalogues stay open: harvesters that obey
    // this file (ours does) are whom they are for.
    let closed = ["/api/", "/opensearch/search", "/replay/"];
    let closed = closed.map(|path| format!("Disallow: {path}")).join("\n");
    format!("User-agent: *\n{closed}\nAllow: /\nSitemap: {base}/sitemap.xml\n")
}
