//! Parses HTML pages for the archive: text, metadata, links and requisites.

pub(crate) mod addresses;
mod references;

pub use addresses::AddressRole;
pub(crate) use references::decode_references;

use crate::css;
use addresses::{HtmlAddress, element_addresses};
use lol_html::html_content::TextType;
use lol_html::{
    AsciiCompatibleEncoding, DocumentContentHandlers, HtmlRewriter, MemorySettings, Settings, element, text,
};
use std::cell::RefCell;
use std::collections::HashSet;
use url::Url;

/// Maximum length of the visible text.
const MOST_TEXT: usize = 4 << 20;
/// Maximum number of addresses per page.
const MOST_ADDRESSES: usize = 20_000;
/// Maximum number of `meta` fields per page.
const MOST_METAS: usize = 500;
/// Maximum bytes of structured data.
const MOST_LD_JSON: usize = 1 << 20;
/// Memory limit of the parser, not counting the text.
pub(crate) const MOST_MEMORY: usize = 16 << 20;

/// A parsed page.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ParsedPage {
    pub title: Option<String>,
    pub language: Option<String>,
    /// Names (or properties) and contents of `meta` elements, in order.
    pub metas: Vec<(String, String)>,
    /// `link` elements other than requisites: relation and URL.
    pub relations: Vec<(String, Url)>,
    /// The texts of scripts of type `application/ld+json`.
    pub ld_json: Vec<String>,
    /// Visible text.
    pub text: String,
    /// Pages it links to, including frames, without duplicates.
    pub links: Vec<Url>,
    /// Files it is displayed with (images, style sheets, scripts), without duplicates.
    pub requisites: Vec<Url>,
    /// The page asks not to be archived.
    pub noarchive: bool,
    /// The page asks that its links are not followed.
    pub nofollow: bool,
}

#[derive(Default)]
struct PageCollector {
    page: ParsedPage,
    raw: Vec<HtmlAddress>,
    base: Option<String>,
    ld_json: Option<String>,
    style: String,
    styles: Vec<String>,
    ld_bytes: usize,
}

/// Parses a page at `url`. Never fails: if parsing stops early, the result covers the beginning.
pub fn read_page(url: &Url, source: &str) -> ParsedPage {
    let gathered = RefCell::new(PageCollector::default());
    let settings = parser_settings()
        .append_element_content_handler(element!("*", |element| {
            let mut gathered = gathered.borrow_mut();
            add_space(&mut gathered.page.text);
            let tag = element.tag_name();
            gathered.element(&tag, element.attributes().iter().map(|a| (a.name(), a.value())).collect());
            Ok(())
        }))
        .append_element_content_handler(text!("title", |chunk| {
            let mut gathered = gathered.borrow_mut();
            // Ignore titles of SVG drawings.
            if chunk.text_type() == TextType::RCData {
                let title = gathered.page.title.get_or_insert_default();
                if title.len() < 4_000 {
                    title.push_str(chunk.as_str());
                }
                // Marks the end of this title; further titles are ignored.
                if chunk.last_in_text_node() {
                    title.push('\u{0}');
                }
            }
            Ok(())
        }))
        .append_element_content_handler(text!("script", |chunk| {
            let mut gathered = gathered.borrow_mut();
            if let Some(script) = gathered.ld_json.as_mut() {
                script.push_str(chunk.as_str());
                if chunk.last_in_text_node() {
                    gathered.end_of_script();
                }
            }
            Ok(())
        }))
        .append_element_content_handler(text!("style", |chunk| {
            let mut gathered = gathered.borrow_mut();
            gathered.style.push_str(chunk.as_str());
            if chunk.last_in_text_node() {
                let style = std::mem::take(&mut gathered.style);
                gathered.styles.push(style);
            }
            Ok(())
        }))
        .append_document_content_handler(DocumentContentHandlers::default().text(
            |chunk: &mut lol_html::html_content::TextChunk<'_>| {
                let mut gathered = gathered.borrow_mut();
                if chunk.text_type() == TextType::Data && gathered.page.text.len() < MOST_TEXT {
                    gathered.page.text.push_str(chunk.as_str());
                    if chunk.last_in_text_node() {
                        add_space(&mut gathered.page.text);
                    }
                }
                Ok(())
            },
        ));
    let mut reader = HtmlRewriter::new(settings, |_: &[u8]| {});
    // In chunks, so that the parser never holds the whole page.
    let read = source.as_bytes().chunks(64 << 10).try_for_each(|piece| reader.write(piece));
    match read {
        Ok(()) => drop(reader.end()),
        Err(_) => drop(reader),
    }
    gathered.take().conclude(url)
}

/// Returns parser settings: UTF-8 whatever the page declares, limited memory, and lenient like
/// browsers.
pub(crate) fn parser_settings<'h, 's>() -> Settings<'h, 's> {
    Settings::new()
        .with_encoding(AsciiCompatibleEncoding::utf_8())
        .with_adjust_charset_on_meta_tag(false)
        .with_memory_settings(MemorySettings::new().with_max_allowed_memory_usage(MOST_MEMORY))
        .with_strict(false)
}

fn add_space(text: &mut String) {
    if text.as_bytes().last().is_some_and(|last| !last.is_ascii_whitespace()) {
        text.push(' ');
    }
}

impl PageCollector {
    fn element(&mut self, tag: &str, attributes: Vec<(String, String)>) {
        let value = |name: &str| {
            attributes
                .iter()
                .find(|(known, _)| known == name)
                .map(|(_, value)| decode_references(value).into_owned())
        };
        match tag {
            "html" => self.page.language = value("lang").filter(|lang| !lang.trim().is_empty()),
            "base" if self.base.is_none() => self.base = value("href"),
            "meta" => {
                let name = value("name").or_else(|| value("property")).or_else(|| value("itemprop"));
                if let (Some(name), Some(content)) = (name.or_else(|| value("http-equiv")), value("content"))
                {
                    self.meta(name.trim(), content.trim());
                }
            }
            "script" => {
                let kind = value("type").unwrap_or_default();
                let is_ld = kind.split(';').next().is_some_and(|kind| kind.trim() == "application/ld+json");
                self.ld_json = is_ld.then(String::new);
            }
            _ => {}
        }
        if self.raw.len() < MOST_ADDRESSES {
            self.raw.extend(element_addresses(tag, &attributes));
        }
    }

    fn meta(&mut self, name: &str, content: &str) {
        let name = name.to_ascii_lowercase();
        if name == "robots" || name == "geotrawl" {
            let words = content.to_ascii_lowercase();
            let has = |word: &str| words.split([',', ' ']).any(|found| found.trim() == word);
            self.page.noarchive |= has("noarchive");
            self.page.nofollow |= has("nofollow") || has("none");
        }
        if self.page.metas.len() < MOST_METAS
            && !name.is_empty()
            && !content.is_empty()
            && content.len() < 20_000
        {
            self.page.metas.push((name, content.to_owned()));
        }
    }

    fn end_of_script(&mut self) {
        if let Some(script) = self.ld_json.take() {
            self.ld_bytes += script.len();
            if self.ld_bytes <= MOST_LD_JSON {
                self.page.ld_json.push(script);
            }
        }
    }

    fn conclude(mut self, url: &Url) -> ParsedPage {
        self.end_of_script();
        let base = self.base.as_deref().and_then(|base| url.join(base.trim()).ok());
        let base =
            base.filter(|base| matches!(base.scheme(), "http" | "https")).unwrap_or_else(|| url.clone());
        let mut page = self.page;
        page.text = collapse_whitespace(&decode_references(&page.text));
        let title = page.title.take().unwrap_or_default();
        let title = collapse_whitespace(&decode_references(title.split('\u{0}').next().unwrap_or_default()));
        page.title = Some(title).filter(|title| !title.is_empty());
        let (mut links, mut requisites) = (HashSet::new(), HashSet::new());
        for address in self.raw {
            match address.role {
                AddressRole::Style => self.styles.push(address.raw),
                AddressRole::SrcSet => {
                    for at in addresses::srcset_candidates(&address.raw) {
                        if let Some(url) = resolve_address(&base, address.raw.get(at).unwrap_or_default())
                            && requisites.insert(url.clone())
                        {
                            page.requisites.push(url);
                        }
                    }
                }
                AddressRole::Relation => {
                    let rel = address.rel.unwrap_or_default();
                    page.relations.extend(resolve_address(&base, &address.raw).map(|url| (rel, url)));
                }
                AddressRole::Form => {}
                AddressRole::Link | AddressRole::Frame => {
                    if let Some(url) = resolve_address(&base, &address.raw)
                        && links.insert(url.clone())
                    {
                        page.links.push(url);
                    }
                }
                AddressRole::Requisite | AddressRole::StyleSheet | AddressRole::Script => {
                    if let Some(url) = resolve_address(&base, &address.raw)
                        && requisites.insert(url.clone())
                    {
                        page.requisites.push(url);
                    }
                }
            }
        }
        for style in self.styles {
            for (url, _) in css::find_addresses(&style, &base) {
                if requisites.len() < MOST_ADDRESSES && requisites.insert(url.clone()) {
                    page.requisites.push(url);
                }
            }
        }
        page
    }
}

/// Resolves an HTTP address without its fragment.
pub(crate) fn resolve_address(base: &Url, raw: &str) -> Option<Url> {
    let raw = raw.trim();
    if raw.is_empty() || raw.starts_with('#') {
        return None;
    }
    let mut url = base.join(raw).ok()?;
    url.set_fragment(None);
    (matches!(url.scheme(), "http" | "https") && url.host_str().is_some()).then_some(url)
}

/// Collapses whitespace to single spaces.
fn collapse_whitespace(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    out
}

#[cfg(test)]
mod tests;
