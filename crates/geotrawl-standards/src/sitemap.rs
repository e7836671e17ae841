//! Sitemaps: an index, and pages of addresses.

use crate::markup::Markup;

const NAMESPACE: &str = "http://www.sitemaps.org/schemas/sitemap/0.9";
/// Addresses on one page: what the protocol allows.
pub const PAGE: usize = 50_000;

/// The index of so many pages.
pub fn index(base: &str, pages: usize) -> String {
    let mut out = Markup::new("sitemapindex", &[("xmlns", NAMESPACE)]);
    for page in 1..=pages {
        out.open("sitemap", &[]);
        out.text("loc", &[], &format!("{base}/sitemap/{page}.xml"));
        out.close();
    }
    out.finish()
}

/// A page of records by their ids.
pub fn page(base: &str, ids: &[String]) -> String {
    let mut out = Markup::new("urlset", &[("xmlns", NAMESPACE)]);
    for id in ids {
        out.open("url", &[]);
        out.text("loc", &[], &format!("{base}/service/{id}"));
        out.close();
    }
    out.finish()
}

/// What robots may read.
pub fn robots(base: &str) -> String {
    // Searches without end are no pages to walk; harvesters have OAI-PMH and the files.
    let closed = ["/api/", "/records/collections/", "/opensearch/search", "/stac/search", "/csw", "/oai"];
    let closed = closed.map(|path| format!("Disallow: {path}")).join("\n");
    format!("User-agent: *\n{closed}\nAllow: /\nSitemap: {base}/sitemap.xml\n")
}
