//! Links in feeds (RSS, Atom, RDF), outlines (OPML), map contexts, metadata records and any other
//! XML.

use super::charset::{TextKind, decode_text};
use super::collect::{LinkCollector, LinkFilter, LinkOrigin};
use super::simhash::simhash;
use super::text::add_addresses;
use super::words::{push_collapsed, truncate_chars, words_near};
use super::xml_walk::{MarkupEvent, root_name, walk_markup};
use crate::probe::{Finding, PageFacts, ResponseHead};
use crate::urls;
use geotrawl_model::Issue;
use quick_xml::events::BytesStart;
use url::Url;

/// Number of bytes of text to keep for words and similarity.
const MAX_TEXT: usize = 1 << 20;

/// Attributes whose value is a link, absolute or relative.
const LINKS: &[&str] = &["href", "url", "src", "xmlUrl", "htmlUrl", "resource"];
/// Attributes that hold identifiers, which only look like addresses.
const NAMES: &[&str] = &[
    "schemaLocation",
    "noNamespaceSchemaLocation",
    "codeList",
    "codeSpace",
    "uom",
    "srsName",
    "targetNamespace",
    "namespace",
    "role",
    "arcrole",
    "about",
    "ID",
    "datatype",
    "gmlid",
    "scheme",
    "domain",
    "profile",
];

/// Elements whose whole text is a link.
const WHOLE_LINKS: &[&str] = &["link", "guid", "url", "URL", "comments", "docs", "href", "loc", "linkage"];

/// Reads the links of an XML document. Sitemaps and XHTML pages are passed to their own readers.
pub fn read_xml_links(url: &Url, head: &ResponseHead, body: &[u8]) -> Finding {
    let (source, charset) = decode_text(head, body, TextKind::Xml);
    let root = root_name(&source).map(|name| name.to_ascii_lowercase());
    match root.as_deref() {
        Some("urlset" | "sitemapindex") => super::sitemap::read_sitemap(url, head, body),
        Some("html") => super::html::read_html(url, head, body),
        _ => {
            let mut finding = read_decoded(head.url.as_ref().unwrap_or(url), head, &source);
            if let Some(page) = &mut finding.page {
                charset.clone_into(&mut page.charset);
            }
            finding
        }
    }
}

/// Does the same as [`read_xml_links`] for text that is neither a sitemap nor a page.
pub(super) fn read_decoded(base: &Url, head: &ResponseHead, source: &str) -> Finding {
    let root = root_name(source).map(|name| name.to_ascii_lowercase());
    let place = match root.as_deref() {
        Some("rss" | "feed" | "rdf" | "opml" | "channel") => LinkOrigin::Feed,
        _ => LinkOrigin::Xml,
    };
    let mut finding = Finding::default();
    let mut facts =
        PageFacts { charset: "UTF-8".to_owned(), nofollow: head.nofollow, ..PageFacts::default() };
    let mut document =
        XmlLinkState { text: String::new(), collector: LinkCollector::new(base.clone()), place };
    let end = walk_markup(source, |step| match step {
        MarkupEvent::Start { element } => document.read_attributes(element),
        MarkupEvent::Text { element, text } => {
            let name = element.rsplit(':').next().unwrap_or_default();
            if facts.title.is_none() && name.eq_ignore_ascii_case("title") {
                facts.title = one_line(text);
            }
            if facts.language.is_none() && name == "language" {
                facts.language = one_line(text).filter(|l| l.len() <= 35);
            }
            document.read_text(name, text);
        }
        MarkupEvent::End { .. } => {}
    });
    if let Err(at) = end {
        finding
            .issues
            .push(Issue::new("xml-not-well-formed", format!("the document cannot be read past byte {at}")));
        let rest = source.get(source.floor_char_boundary(at)..).unwrap_or_default();
        add_addresses(rest, place, LinkFilter::All, |_| String::new(), &mut document.collector);
    }
    (facts.simhash, facts.words) = simhash(&document.text);
    if !head.nofollow {
        document.collector.finish_into(&mut finding);
    }
    finding.page = Some(facts);
    finding
}

struct XmlLinkState {
    text: String,
    collector: LinkCollector<'static>,
    place: LinkOrigin,
}

impl XmlLinkState {
    fn read_attributes(&mut self, element: &BytesStart<'_>) {
        // The check for duplicate attributes is quadratic, and duplicates do no harm here.
        let attributes: Vec<_> = element.attributes().with_checks(false).flatten().take(64).collect();
        let file = attributes.iter().any(|a| a.key.0 == "type" && super::html::is_file_type(&a.value));
        for attribute in attributes {
            let (prefix, name) = attribute.key.0.split_once(':').unwrap_or(("", attribute.key.0));
            if prefix == "xmlns" || name == "xmlns" || NAMES.contains(&name) {
                continue;
            }
            if attribute.key.0 == "xml:base" {
                self.collector.set_base_url(&attribute.value);
            } else if LINKS.contains(&name) {
                let accept = if file { LinkFilter::File } else { LinkFilter::All };
                let words = || words_near(&self.text, self.text.len());
                if !attribute.value.starts_with('#') {
                    self.collector.add(&attribute.value, self.place, accept, words);
                }
            } else if attribute.value.contains("://") {
                add_addresses(
                    &attribute.value,
                    self.place,
                    LinkFilter::All,
                    |_| String::new(),
                    &mut self.collector,
                );
            }
        }
    }

    fn read_text(&mut self, element: &str, text: &str) {
        let at = self.text.len();
        if at < MAX_TEXT {
            self.text.push_str(&urls::unescape_entities(text).unwrap_or_default());
            self.text.push(' ');
        }
        if self.place == LinkOrigin::Feed && element == "id" {
            return;
        }
        let trimmed = text.trim_ascii();
        let holds_address = trimmed.contains("://") || trimmed.contains(r":\/\/");
        let whole = WHOLE_LINKS.contains(&element) && !trimmed.contains(char::is_whitespace);
        let Self { text: all, collector, place } = self;
        let words = |_| words_near(all, at);
        if whole && (holds_address || element == "link") {
            collector.add(trimmed, *place, LinkFilter::All, || words(0));
        } else if holds_address {
            add_addresses(text, *place, LinkFilter::All, words, collector);
        }
    }
}

/// Returns a short text without references, with blanks collapsed.
fn one_line(text: &str) -> Option<String> {
    let text = text.get(..text.floor_char_boundary(2_400)).unwrap_or_default();
    let plain = urls::unescape_entities(text)?;
    let mut out = String::new();
    push_collapsed(&plain, &mut out);
    out.truncate(out.trim_end().len());
    truncate_chars(&mut out, 300);
    (!out.is_empty()).then_some(out)
}
