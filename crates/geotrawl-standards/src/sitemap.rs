//! Sitemaps (an index and pages of addresses) and robots.txt.

use crate::xml::XmlWriter;

const NAMESPACE: &str = "http://www.sitemaps.org/schemas/sitemap/0.9";
/// Addresses per page, the maximum that the protocol allows.
pub const PAGE: usize = 50_000;

/// Renders the index of `pages` pages.
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

/// Renders a page of records by their ids.
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

/// Renders robots.txt.
pub fn render_robots(base: &str) -> String {
    // Search engines should not crawl endless search results or copies of other sites. The
    // catalogue endpoints stay open, because they are meant for harvesters that obey this file (as
    // ours does).
    let closed = ["/api/", "/opensearch/search", "/replay/"];
    let closed = closed.map(|path| format!("Disallow: {path}")).join("\n");
    format!("User-agent: *\n{closed}\nAllow: /\nSitemap: {base}/sitemap.xml\n")
}
