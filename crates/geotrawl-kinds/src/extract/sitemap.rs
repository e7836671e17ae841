//! Sitemaps and sitemap indexes (sitemaps.org): XML or a list of lines, plain or gzipped.

use super::charset::{TextKind, decode_text};
use super::collect::{LinkCollector, LinkFilter, LinkOrigin};
use super::xml_walk::{MarkupEvent, root_name, walk_markup};
use crate::probe::{Finding, ResponseClass, ResponseHead};
use flate2::read::MultiGzDecoder;
use geotrawl_model::Issue;
use std::borrow::Cow;
use std::io::Read;
use url::Url;

/// The protocol allows 50,000 entries; we tolerate some more.
const MAX_ENTRIES: usize = 60_000;
/// The protocol allows 50 MB, uncompressed.
const MAX_BYTES: u64 = 64 << 20;

/// Reads a sitemap: its pages, services and files, and the sitemaps it refers to.
pub fn read_sitemap(url: &Url, head: &ResponseHead, body: &[u8]) -> Finding {
    let mut finding = Finding::default();
    let body = inflated(body, MAX_BYTES, &mut finding);
    let (source, _) = decode_text(head, &body, TextKind::Xml);
    let base = head.url.as_ref().unwrap_or(url);
    let root = root_name(&source).map(|name| name.to_ascii_lowercase());
    match root.as_deref() {
        Some("urlset" | "sitemapindex") => read_xml(base, &source, &mut finding),
        Some("html") => not_a_sitemap(&mut finding),
        Some(_) => return super::xml::read_decoded(base, head, &source),
        None if source.trim_start().starts_with('<') => not_a_sitemap(&mut finding),
        None => read_lines(base, &source, &mut finding),
    }
    finding
}

fn not_a_sitemap(finding: &mut Finding) {
    finding.verdict = ResponseClass::Nothing;
    finding.issues.push(Issue::new("not-a-sitemap", "the response is a page, not a sitemap"));
}

/// Decompresses a gzip body, which may occur even inside a decompressed transfer.
fn inflated<'a>(body: &'a [u8], limit: u64, finding: &mut Finding) -> Cow<'a, [u8]> {
    let mut body = Cow::Borrowed(body);
    for _ in 0..2 {
        if !body.starts_with(&[0x1f, 0x8b]) {
            break;
        }
        let mut plain = Vec::new();
        let read = MultiGzDecoder::new(&*body).take(limit).read_to_end(&mut plain);
        if read.is_err() {
            finding.issues.push(Issue::new("gzip-broken", "the compressed sitemap ends early or is damaged"));
        }
        if plain.len() as u64 >= limit {
            finding
                .issues
                .push(Issue::new("sitemap-too-large", "the sitemap is larger than the protocol allows"));
        }
        body = Cow::Owned(plain);
    }
    body
}

/// Entry that is being read.
#[derive(Default)]
struct SitemapEntry {
    location: Option<String>,
    /// Whether the entry is a sitemap rather than a page.
    sitemap: bool,
    /// Whether a geographic sitemap declares the entry as KML.
    file: bool,
}

fn read_xml(base: &Url, source: &str, finding: &mut Finding) {
    let mut collector = LinkCollector::with_target_limit(base.clone(), MAX_ENTRIES);
    let mut entry = SitemapEntry::default();
    let end = walk_markup(source, |step| match step {
        MarkupEvent::Start { element } => match element.local_name().into_inner() {
            "url" | "sitemap" => {
                add(&mut collector, &mut entry);
                entry.sitemap = element.local_name().into_inner() == "sitemap";
            }
            "link" => {
                let href = element.attributes().with_checks(false).flatten().find(|a| a.key.0 == "href");
                if let Some(href) = href {
                    collector.add(&href.value, LinkOrigin::Sitemap, LinkFilter::All, String::new);
                }
            }
            _ => {}
        },
        MarkupEvent::Text { element, text } => match element.split_once(':').unwrap_or(("", element)) {
            ("image" | "video" | "news", _) => {}
            (_, "loc" | "url") => entry.location = Some(text.trim().to_owned()),
            // Some sitemaps write the address without a `<loc>` element.
            (_, "sitemap") if text.contains("://") => entry.location = Some(text.trim().to_owned()),
            (_, "format") => {
                entry.file = matches!(text.trim().to_ascii_lowercase().as_str(), "kml" | "kmz");
            }
            _ => {}
        },
        MarkupEvent::End { local_name } => {
            if matches!(local_name, "url" | "sitemap") {
                add(&mut collector, &mut entry);
            }
        }
    });
    add(&mut collector, &mut entry);
    if let Err(at) = end {
        finding
            .issues
            .push(Issue::new("xml-not-well-formed", format!("the sitemap cannot be read past byte {at}")));
        let rest = source.get(source.floor_char_boundary(at)..).unwrap_or_default();
        super::text::add_addresses(
            rest,
            LinkOrigin::Sitemap,
            LinkFilter::All,
            |_| String::new(),
            &mut collector,
        );
    }
    collector.finish_into(finding);
}

fn add(collector: &mut LinkCollector<'_>, entry: &mut SitemapEntry) {
    let entry = std::mem::take(entry);
    let accept = match (entry.sitemap, entry.file) {
        (true, _) => LinkFilter::Sitemap,
        (false, true) => LinkFilter::File,
        (false, false) => LinkFilter::All,
    };
    if let Some(location) = entry.location {
        collector.add(&location, LinkOrigin::Sitemap, accept, String::new);
    }
}

/// Reads a list with one address per line.
fn read_lines(base: &Url, source: &str, finding: &mut Finding) {
    let mut collector = LinkCollector::with_target_limit(base.clone(), MAX_ENTRIES);
    let lines = source
        .lines()
        .map(str::trim)
        .filter(|line| line.get(..4).is_some_and(|s| s.eq_ignore_ascii_case("http")));
    for line in lines.take(MAX_ENTRIES) {
        collector.add(line, LinkOrigin::Sitemap, LinkFilter::All, String::new);
    }
    collector.finish_into(finding);
    if finding.targets.is_empty() {
        not_a_sitemap(finding);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::Compression;
    use flate2::write::GzEncoder;
    use std::io::Write;

    fn gzipped(text: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn a_bomb_is_cut_at_the_limit() {
        let mut finding = Finding::default();
        let bomb = gzipped(&gzipped(&vec![b' '; 1 << 20]));
        assert_eq!(inflated(&bomb, 1 << 16, &mut finding).len(), 1 << 16);
        assert!(finding.issues.iter().any(|i| i.code == "sitemap-too-large"));
    }

    #[test]
    fn what_a_broken_file_gives_is_taken() {
        let whole = gzipped(b"<urlset><url><loc>https://x.org/a</loc></url>");
        let mut finding = Finding::default();
        let read = inflated(&whole[..whole.len() - 6], MAX_BYTES, &mut finding).into_owned();
        assert!(read.starts_with(b"<urlset>"));
        assert_eq!(finding.issues[0].code, "gzip-broken");
    }
}
