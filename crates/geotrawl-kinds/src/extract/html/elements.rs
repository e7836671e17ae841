//! Links in the elements of a page: where they are and what they may become.

use super::super::addresses::SchemeMarks;
use super::super::app;
use super::super::collect::{LinkFilter, LinkOrigin};
use super::PageScan;
use super::tokens::{PackedName, SVG, TagAttribute};
use crate::urls;
use std::ops::Range;

/// Packed names of elements and attributes.
mod is {
    use super::PackedName;
    pub(super) const A: PackedName = PackedName::from_text("a");
    pub(super) const ALT: PackedName = PackedName::from_text("alt");
    pub(super) const AREA: PackedName = PackedName::from_text("area");
    pub(super) const ACTION: PackedName = PackedName::from_text("action");
    pub(super) const BASE: PackedName = PackedName::from_text("base");
    pub(super) const CLASS: PackedName = PackedName::from_text("class");
    pub(super) const CONTENT: PackedName = PackedName::from_text("content");
    pub(super) const DATA: PackedName = PackedName::from_text("data");
    pub(super) const DOWNLOAD: PackedName = PackedName::from_text("download");
    pub(super) const EMBED: PackedName = PackedName::from_text("embed");
    pub(super) const FORM: PackedName = PackedName::from_text("form");
    pub(super) const FRAME: PackedName = PackedName::from_text("frame");
    pub(super) const HREF: PackedName = PackedName::from_text("href");
    pub(super) const HTML: PackedName = PackedName::from_text("html");
    pub(super) const ID: PackedName = PackedName::from_text("id");
    pub(super) const IFRAME: PackedName = PackedName::from_text("iframe");
    pub(super) const IMG: PackedName = PackedName::from_text("img");
    pub(super) const INPUT: PackedName = PackedName::from_text("input");
    pub(super) const LANG: PackedName = PackedName::from_text("lang");
    pub(super) const LINK: PackedName = PackedName::from_text("link");
    pub(super) const META: PackedName = PackedName::from_text("meta");
    pub(super) const METHOD: PackedName = PackedName::from_text("method");
    pub(super) const NAME: PackedName = PackedName::from_text("name");
    pub(super) const OBJECT: PackedName = PackedName::from_text("object");
    pub(super) const PREFIX: PackedName = PackedName::from_text("prefix");
    pub(super) const PROFILE: PackedName = PackedName::from_text("profile");
    pub(super) const PROPERTY: PackedName = PackedName::from_text("property");
    pub(super) const REL: PackedName = PackedName::from_text("rel");
    pub(super) const SCRIPT: PackedName = PackedName::from_text("script");
    pub(super) const SRC: PackedName = PackedName::from_text("src");
    pub(super) const SRCSET: PackedName = PackedName::from_text("srcset");
    pub(super) const STYLE: PackedName = PackedName::from_text("style");
    pub(super) const TYPE: PackedName = PackedName::from_text("type");
    pub(super) const TYPEOF: PackedName = PackedName::from_text("typeof");
    pub(super) const VALUE: PackedName = PackedName::from_text("value");
    pub(super) const VOCAB: PackedName = PackedName::from_text("vocab");

    /// Inline elements, which do not separate words.
    pub(super) const INLINE: [PackedName; 20] = [
        PackedName::from_text("b"),
        PackedName::from_text("i"),
        PackedName::from_text("em"),
        PackedName::from_text("strong"),
        PackedName::from_text("span"),
        PackedName::from_text("font"),
        PackedName::from_text("u"),
        PackedName::from_text("s"),
        PackedName::from_text("small"),
        PackedName::from_text("big"),
        PackedName::from_text("sub"),
        PackedName::from_text("sup"),
        PackedName::from_text("code"),
        PackedName::from_text("tt"),
        PackedName::from_text("kbd"),
        PackedName::from_text("abbr"),
        PackedName::from_text("mark"),
        PackedName::from_text("wbr"),
        PackedName::from_text("ins"),
        PackedName::from_text("del"),
    ];
}

/// Form whose fields are being read.
struct OpenForm<'a> {
    action: &'a str,
    /// `name=value` pairs of hidden fields, as a query.
    fields: String,
    count: usize,
}

/// Maximum number of fields in the request of a service.
const MAX_FIELDS: usize = 24;
/// Maximum length of an event handler. Longer ones are programs rather than links.
const MAX_HANDLER: usize = 2_048;

/// Open elements that affect the elements inside them.
#[derive(Default)]
pub(super) struct ElementHandler<'a> {
    /// Link whose text is being read.
    anchor: Option<usize>,
    form: Option<OpenForm<'a>>,
    svg: u32,
}

impl<'a> ElementHandler<'a> {
    /// Handles a start tag.
    pub(super) fn start_element(
        &mut self,
        page: &mut PageScan<'a>,
        source: &'a str,
        marks: &mut SchemeMarks<'a>,
        name: PackedName,
        self_closing: bool,
        attributes: &[TagAttribute<'a>],
    ) {
        if !is::INLINE.contains(&name) {
            page.push_break();
        }
        if attributes.is_empty() {
            return self.without_attributes(page, name, self_closing);
        }
        let of = |wanted: PackedName| attributes.iter().find(|a| a.name == wanted).map(|a| a.value);
        match name {
            is::A => {
                self.close_anchor(page);
                let before = page.links.len();
                if let Some(href) = of(is::HREF) {
                    push_anchor(page, href, LinkOrigin::Href, attributes);
                }
                self.anchor = (page.links.len() > before).then_some(before);
            }
            is::AREA => {
                if let Some(href) = of(is::HREF) {
                    push_anchor(page, href, LinkOrigin::Area, attributes);
                }
                page.push_text(of(is::ALT).unwrap_or_default());
            }
            is::SCRIPT => page.push_script(of(is::SRC), of(is::TYPE), attributes),
            is::LINK => push_link_element(page, of(is::HREF), of(is::REL), of(is::TYPE)),
            is::IFRAME => push_source(page, of(is::SRC), LinkOrigin::Iframe, LinkFilter::All),
            is::FRAME => push_source(page, of(is::SRC), LinkOrigin::Frame, LinkFilter::All),
            is::OBJECT => push_source(page, of(is::DATA), LinkOrigin::Object, LinkFilter::Data),
            is::EMBED => push_source(page, of(is::SRC), LinkOrigin::Object, LinkFilter::Data),
            is::IMG => {
                push_source(page, of(is::SRC), LinkOrigin::Img, LinkFilter::Data);
                if self.anchor.is_some() {
                    page.push_text(of(is::ALT).unwrap_or_default());
                }
            }
            is::BASE => page.base = page.base.or(of(is::HREF).map(str::trim).filter(|h| !h.is_empty())),
            is::HTML => {
                page.language = page.language.or(of(is::LANG).map(str::trim).filter(|l| is_language(l)));
            }
            is::META => read_meta(page, of(is::NAME), of(is::CONTENT), attributes),
            is::FORM => self.open_form(page, of(is::ACTION), of(is::METHOD)),
            is::INPUT => self.read_input(page, of(is::TYPE), of(is::NAME), of(is::VALUE)),
            SVG => self.svg += u32::from(!self_closing),
            _ => {}
        }
        for attribute in attributes {
            push_attribute(page, source, marks, name, attribute, attributes);
        }
    }

    fn without_attributes(&mut self, page: &mut PageScan<'a>, name: PackedName, self_closing: bool) {
        match name {
            is::SCRIPT => page.push_script(None, None, &[]),
            is::A => self.close_anchor(page),
            is::FORM => self.open_form(page, None, None),
            SVG => self.svg += u32::from(!self_closing),
            _ => {}
        }
    }

    /// Handles an end tag.
    pub(super) fn end_element(&mut self, page: &mut PageScan<'a>, name: PackedName) {
        match name {
            is::A => self.close_anchor(page),
            is::FORM => self.close_form(page),
            SVG => self.svg = self.svg.saturating_sub(1),
            _ => {}
        }
        if !is::INLINE.contains(&name) {
            page.push_break();
        }
    }

    /// Closes the elements that the page left open.
    pub(super) fn finish(mut self, page: &mut PageScan<'a>) {
        self.close_anchor(page);
        self.close_form(page);
    }

    fn close_anchor(&mut self, page: &mut PageScan<'a>) {
        let to = page.position();
        if let Some(link) = self.anchor.take().and_then(|at| page.links.get_mut(at)) {
            link.to = to;
        }
    }

    fn open_form(&mut self, page: &mut PageScan<'a>, action: Option<&'a str>, method: Option<&str>) {
        self.close_form(page);
        // A link cannot express a POST request.
        let posts = method.is_some_and(|m| m.trim().eq_ignore_ascii_case("post"));
        if !posts && let Some(action) = action.filter(|a| !a.trim().is_empty()) {
            self.form = Some(OpenForm { action, fields: String::new(), count: 0 });
        }
    }

    /// Adds the request of a form: its address with the preset fields.
    fn close_form(&mut self, page: &mut PageScan<'a>) {
        let Some(form) = self.form.take() else { return };
        if form.fields.is_empty() {
            page.push_link(form.action, LinkOrigin::Form, LinkFilter::Data);
            return;
        }
        let separator = if form.action.contains('?') { '&' } else { '?' };
        page.push_link(
            format!("{}{separator}{}", form.action, form.fields),
            LinkOrigin::Form,
            LinkFilter::Data,
        );
    }

    fn read_input(
        &mut self,
        page: &mut PageScan<'a>,
        kind: Option<&str>,
        name: Option<&str>,
        value: Option<&str>,
    ) {
        let kind = kind.unwrap_or("text").trim();
        if kind.eq_ignore_ascii_case("password") {
            page.password = true;
        }
        let hidden = kind.eq_ignore_ascii_case("hidden");
        let (Some(form), Some(name), Some(value)) = (self.form.as_mut(), name, value) else { return };
        let fits = form.count < MAX_FIELDS && name.len() + value.len() < 512;
        if hidden && fits && !name.is_empty() {
            form.count += 1;
            if !form.fields.is_empty() {
                form.fields.push('&');
            }
            // Cleaning the URL decodes references and percent signs, but the separators must be
            // escaped here.
            form.fields.push_str(name);
            form.fields.push('=');
            form.fields.push_str(&value.replace('&', "%26").replace('#', "%23").replace("%26amp;", "%26"));
        }
    }
}

/// Adds a link that users click.
fn push_anchor<'a>(
    page: &mut PageScan<'a>,
    href: &'a str,
    place: LinkOrigin,
    attributes: &[TagAttribute<'a>],
) {
    let trimmed = href.trim_start();
    if trimmed.is_empty() || trimmed.starts_with('#') {
        return;
    }
    if trimmed.get(..11).is_some_and(|s| s.eq_ignore_ascii_case("javascript:")) {
        push_quoted(page, trimmed);
        return;
    }
    let of = |wanted: PackedName| attributes.iter().find(|a| a.name == wanted).map(|a| a.value);
    let named = of(is::DOWNLOAD).is_some_and(|name| urls::file_hint_of_name(name).is_some());
    let typed = of(is::TYPE).is_some_and(is_file_type);
    let unfollowed = of(is::REL).is_some_and(|rel| has_word(rel, "nofollow"));
    let accept = match (named || typed, unfollowed) {
        (true, _) => LinkFilter::File,
        (false, true) => LinkFilter::Data,
        (false, false) => LinkFilter::All,
    };
    page.push_link(href, place, accept);
}

/// Returns whether a media type is that of a supported file.
pub(in crate::extract) fn is_file_type(media_type: &str) -> bool {
    media_type.contains("google-earth") || media_type.contains("x-shapefile")
}

fn push_source<'a>(page: &mut PageScan<'a>, source: Option<&'a str>, place: LinkOrigin, accept: LinkFilter) {
    if let Some(source) = source.filter(|s| !s.is_empty()) {
        page.push_link(source, place, accept);
    }
}

/// Adds a `<link>` to related pages or other representations, but not to the files that the page
/// consists of.
fn push_link_element<'a>(
    page: &mut PageScan<'a>,
    href: Option<&'a str>,
    rel: Option<&str>,
    kind: Option<&str>,
) {
    const MATERIAL: [&str; 22] = [
        "stylesheet",
        "icon",
        "shortcut",
        "apple-touch-icon",
        "apple-touch-icon-precomposed",
        "mask-icon",
        "preload",
        "prefetch",
        "preconnect",
        "dns-prefetch",
        "modulepreload",
        "prerender",
        "manifest",
        "pingback",
        "edituri",
        "wlwmanifest",
        "shortlink",
        "amphtml",
        "license",
        "profile",
        "schema.dc",
        "fluid-icon",
    ];
    let Some(href) = href.filter(|h| !h.trim().is_empty()) else { return };
    let rel = rel.unwrap_or_default();
    page.map_style = page.map_style || app::is_map_style(href);
    let material = MATERIAL.iter().any(|word| has_word(rel, word));
    if material || rel.trim().is_empty() || kind.is_some_and(|k| k.contains("oembed") || k.contains("css")) {
        return;
    }
    let accept = if has_word(rel, "sitemap") {
        LinkFilter::Sitemap
    } else if kind.is_some_and(is_file_type) {
        LinkFilter::File
    } else {
        LinkFilter::All
    };
    page.push_link(href, LinkOrigin::Link, accept);
}

fn read_meta<'a>(
    page: &mut PageScan<'a>,
    name: Option<&str>,
    content: Option<&'a str>,
    attributes: &[TagAttribute<'a>],
) {
    let Some(content) = content else { return };
    if name.is_some_and(|n| n.trim().eq_ignore_ascii_case("robots")) {
        page.nofollow |= has_word(content, "nofollow") || has_word(content, "none");
        return;
    }
    let refresh = attributes.iter().any(|a| {
        a.full_name.eq_ignore_ascii_case("http-equiv") && a.value.trim().eq_ignore_ascii_case("refresh")
    });
    if refresh && let Some(target) = refresh_target(content) {
        page.push_link(target, LinkOrigin::MetaRefresh, LinkFilter::All);
    }
}

/// Returns the target of a refresh such as `5; url='/new'`.
fn refresh_target(content: &str) -> Option<&str> {
    let rest = content.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.' || c.is_whitespace());
    let rest = rest.trim_start_matches([';', ',']).trim_start();
    let rest = match rest.get(..3).filter(|s| s.eq_ignore_ascii_case("url")) {
        Some(_) => rest.get(3..)?.trim_start().strip_prefix('=')?.trim_start(),
        None => rest,
    };
    let target = match rest.chars().next()? {
        quote @ ('"' | '\'') => rest.get(1..)?.split(quote).next()?,
        _ => rest,
    };
    (!target.is_empty()).then_some(target)
}

/// Adds the addresses in the value of any other attribute.
fn push_attribute<'a>(
    page: &mut PageScan<'a>,
    source: &'a str,
    marks: &mut SchemeMarks<'a>,
    element: PackedName,
    attribute: &TagAttribute<'a>,
    all: &[TagAttribute<'a>],
) {
    let value = attribute.value;
    if value.len() < 2 {
        return;
    }
    let range = attribute.at..attribute.at + value.len();
    match attribute.name {
        is::ID => page.see_id(value),
        is::CLASS | is::STYLE | is::SRCSET | is::VOCAB | is::PREFIX | is::TYPEOF | is::PROFILE => {}
        is::REL | is::TYPE | is::PROPERTY | is::ALT | is::NAME => {}
        is::HREF | is::ACTION if is_own_link(element, attribute.name) => {
            inner_addresses(page, source, marks, range);
        }
        is::SRC | is::DATA if is_own_link(element, attribute.name) => {
            inner_addresses(page, source, marks, range);
        }
        is::CONTENT if element == is::META && is_media_meta(all) => {}
        is::HREF | is::SRC if matches!(element, is::LINK | is::SCRIPT) => {}
        _ => {
            let name = attribute.full_name;
            if starts_with_ignoring_case(name, "data-") {
                push_data_attribute(page, name, value);
                page.push_addresses(source, marks, range, LinkOrigin::Data, LinkFilter::All);
            } else if starts_with_ignoring_case(name, "on") {
                push_quoted(page, value);
            } else if !starts_with_ignoring_case(name, "xmlns") && !starts_with_ignoring_case(name, "item") {
                page.push_addresses(source, marks, range, LinkOrigin::Attribute, LinkFilter::All);
            }
        }
    }
}

/// Returns whether the attribute has been read by the rule of its element.
fn is_own_link(element: PackedName, attribute: PackedName) -> bool {
    match attribute {
        is::HREF => matches!(element, is::A | is::AREA | is::BASE),
        is::SRC => matches!(element, is::IFRAME | is::FRAME | is::EMBED | is::IMG),
        is::DATA => element == is::OBJECT,
        is::ACTION => element == is::FORM,
        _ => false,
    }
}

/// Adds the address of a service after the `#` of a viewer's link:
/// `https://viewer.org/#/?url=https://x.org/wms`.
fn inner_addresses<'a>(
    page: &mut PageScan<'a>,
    source: &'a str,
    marks: &mut SchemeMarks<'a>,
    range: Range<usize>,
) {
    let value = source.get(range.clone()).unwrap_or_default();
    if let Some(at) = memchr::memchr(b'#', value.as_bytes()) {
        page.push_addresses(
            source,
            marks,
            range.start + at..range.end,
            LinkOrigin::Attribute,
            LinkFilter::Data,
        );
    }
}

/// Returns whether a `<meta>` such as `og:image` refers to media.
fn is_media_meta(attributes: &[TagAttribute<'_>]) -> bool {
    attributes.iter().filter(|a| matches!(a.name, is::NAME | is::PROPERTY)).any(|a| {
        let name = a.value.to_ascii_lowercase();
        ["image", "video", "audio", "player", "icon", "logo", "photo"].iter().any(|word| name.contains(word))
    })
}

/// Adds a relative link whose attribute name suggests one: `data-url="/geoserver/wms"`.
fn push_data_attribute<'a>(page: &mut PageScan<'a>, name: &str, value: &'a str) {
    let relative =
        value.starts_with(['/', '.']) && value.len() < 2_048 && !value.contains(char::is_whitespace);
    if !relative {
        return;
    }
    let name = name.get(5..).unwrap_or_default().to_ascii_lowercase();
    let navigates = matches!(name.as_str(), "href" | "url" | "link" | "target-url");
    page.push_link(value, LinkOrigin::Data, if navigates { LinkFilter::All } else { LinkFilter::Data });
}

/// Adds quoted addresses in an event handler: `window.open('/maps/viewer.html')`.
fn push_quoted<'a>(page: &mut PageScan<'a>, handler: &'a str) {
    let mut rest = handler.get(..handler.floor_char_boundary(MAX_HANDLER)).unwrap_or_default();
    while let Some(at) = rest.find(['\'', '"', '&']) {
        let from = rest.get(at..).unwrap_or_default();
        let quote =
            ["'", "\"", "&quot;", "&#39;", "&#34;", "&apos;"].into_iter().find(|q| from.starts_with(q));
        let Some(quote) = quote else {
            rest = from.get(1..).unwrap_or_default();
            continue;
        };
        let inside = from.get(quote.len()..).unwrap_or_default();
        let Some((text, after)) = inside.split_once(quote) else { return };
        if looks_like_address(text) {
            page.push_link(text, LinkOrigin::Onclick, LinkFilter::All);
        }
        rest = after;
    }
}

fn looks_like_address(text: &str) -> bool {
    const PAGES: [&str; 8] = [".html", ".htm", ".php", ".asp", ".aspx", ".jsp", ".kml", ".kmz"];
    if text.len() < 2
        || text.contains(|c: char| c.is_whitespace() || matches!(c, '<' | '>' | '(' | '{' | '+'))
    {
        return false;
    }
    let path = text.split(['?', '#']).next().unwrap_or_default();
    starts_with_ignoring_case(text, "http://")
        || starts_with_ignoring_case(text, "https://")
        || (text.starts_with('/') && text.len() > 2)
        || text.starts_with("../")
        || text.starts_with("./")
        || PAGES.iter().any(|ending| path.ends_with(ending))
}

fn starts_with_ignoring_case(text: &str, prefix: &str) -> bool {
    text.get(..prefix.len()).is_some_and(|head| head.eq_ignore_ascii_case(prefix))
}

/// Returns whether a list of words contains a word, ignoring case.
fn has_word(list: &str, word: &str) -> bool {
    list.split([' ', ',', '\t', '\n', ';']).any(|w| w.eq_ignore_ascii_case(word))
}

/// Returns whether a tag looks like a language: `de`, `en-GB`.
fn is_language(tag: &str) -> bool {
    (2..=35).contains(&tag.len()) && tag.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_')
}
