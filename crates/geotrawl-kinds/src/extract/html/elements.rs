//! What each element of a page says: where its links stand and what they may become.

use super::super::addresses::Marks;
use super::super::app;
use super::super::collect::{Accept, Place};
use super::Page;
use super::tokens::{Attribute, Name, SVG};
use crate::urls;
use std::ops::Range;

/// Names of elements and attributes, packed once.
mod is {
    use super::Name;
    pub(super) const A: Name = Name::of("a");
    pub(super) const ALT: Name = Name::of("alt");
    pub(super) const AREA: Name = Name::of("area");
    pub(super) const ACTION: Name = Name::of("action");
    pub(super) const BASE: Name = Name::of("base");
    pub(super) const CLASS: Name = Name::of("class");
    pub(super) const CONTENT: Name = Name::of("content");
    pub(super) const DATA: Name = Name::of("data");
    pub(super) const DOWNLOAD: Name = Name::of("download");
    pub(super) const EMBED: Name = Name::of("embed");
    pub(super) const FORM: Name = Name::of("form");
    pub(super) const FRAME: Name = Name::of("frame");
    pub(super) const HREF: Name = Name::of("href");
    pub(super) const HTML: Name = Name::of("html");
    pub(super) const ID: Name = Name::of("id");
    pub(super) const IFRAME: Name = Name::of("iframe");
    pub(super) const IMG: Name = Name::of("img");
    pub(super) const INPUT: Name = Name::of("input");
    pub(super) const LANG: Name = Name::of("lang");
    pub(super) const LINK: Name = Name::of("link");
    pub(super) const META: Name = Name::of("meta");
    pub(super) const METHOD: Name = Name::of("method");
    pub(super) const NAME: Name = Name::of("name");
    pub(super) const OBJECT: Name = Name::of("object");
    pub(super) const PREFIX: Name = Name::of("prefix");
    pub(super) const PROFILE: Name = Name::of("profile");
    pub(super) const PROPERTY: Name = Name::of("property");
    pub(super) const REL: Name = Name::of("rel");
    pub(super) const SCRIPT: Name = Name::of("script");
    pub(super) const SRC: Name = Name::of("src");
    pub(super) const SRCSET: Name = Name::of("srcset");
    pub(super) const STYLE: Name = Name::of("style");
    pub(super) const TYPE: Name = Name::of("type");
    pub(super) const TYPEOF: Name = Name::of("typeof");
    pub(super) const VALUE: Name = Name::of("value");
    pub(super) const VOCAB: Name = Name::of("vocab");

    /// Elements that do not part words.
    pub(super) const INLINE: [Name; 20] = [
        Name::of("b"),
        Name::of("i"),
        Name::of("em"),
        Name::of("strong"),
        Name::of("span"),
        Name::of("font"),
        Name::of("u"),
        Name::of("s"),
        Name::of("small"),
        Name::of("big"),
        Name::of("sub"),
        Name::of("sup"),
        Name::of("code"),
        Name::of("tt"),
        Name::of("kbd"),
        Name::of("abbr"),
        Name::of("mark"),
        Name::of("wbr"),
        Name::of("ins"),
        Name::of("del"),
    ];
}

/// A form whose fields are being read.
struct OpenForm<'a> {
    action: &'a str,
    /// `name=value` of hidden and preset fields, as a query.
    fields: String,
    count: usize,
}

/// More fields than this are not a service's request.
const MAX_FIELDS: usize = 24;
/// A handler of events longer than this is a program, not a link.
const MAX_HANDLER: usize = 2_048;

/// The state that elements leave for those inside of them.
#[derive(Default)]
pub(super) struct Elements<'a> {
    /// The link whose text is being read.
    anchor: Option<usize>,
    form: Option<OpenForm<'a>>,
    svg: u32,
}

impl<'a> Elements<'a> {
    /// Reads a start tag.
    pub(super) fn start(
        &mut self,
        page: &mut Page<'a>,
        source: &'a str,
        marks: &mut Marks<'a>,
        name: Name,
        self_closing: bool,
        attributes: &[Attribute<'a>],
    ) {
        if !is::INLINE.contains(&name) {
            page.push_break();
        }
        if attributes.is_empty() {
            return self.without_attributes(page, name, self_closing);
        }
        let of = |wanted: Name| attributes.iter().find(|a| a.name == wanted).map(|a| a.value);
        match name {
            is::A => {
                self.close_anchor(page);
                let before = page.links.len();
                if let Some(href) = of(is::HREF) {
                    push_anchor(page, href, Place::Href, attributes);
                }
                self.anchor = (page.links.len() > before).then_some(before);
            }
            is::AREA => {
                if let Some(href) = of(is::HREF) {
                    push_anchor(page, href, Place::Area, attributes);
                }
                page.push_text(of(is::ALT).unwrap_or_default());
            }
            is::SCRIPT => page.push_script(of(is::SRC), of(is::TYPE), attributes),
            is::LINK => push_link_element(page, of(is::HREF), of(is::REL), of(is::TYPE)),
            is::IFRAME => push_source(page, of(is::SRC), Place::Iframe, Accept::All),
            is::FRAME => push_source(page, of(is::SRC), Place::Frame, Accept::All),
            is::OBJECT => push_source(page, of(is::DATA), Place::Object, Accept::Data),
            is::EMBED => push_source(page, of(is::SRC), Place::Object, Accept::Data),
            is::IMG => {
                push_source(page, of(is::SRC), Place::Img, Accept::Data);
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

    fn without_attributes(&mut self, page: &mut Page<'a>, name: Name, self_closing: bool) {
        match name {
            is::SCRIPT => page.push_script(None, None, &[]),
            is::A => self.close_anchor(page),
            is::FORM => self.open_form(page, None, None),
            SVG => self.svg += u32::from(!self_closing),
            _ => {}
        }
    }

    /// Reads an end tag.
    pub(super) fn end(&mut self, page: &mut Page<'a>, name: Name) {
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

    /// Closes what the page left open.
    pub(super) fn finish(mut self, page: &mut Page<'a>) {
        self.close_anchor(page);
        self.close_form(page);
    }

    fn close_anchor(&mut self, page: &mut Page<'a>) {
        let to = page.position();
        if let Some(link) = self.anchor.take().and_then(|at| page.links.get_mut(at)) {
            link.to = to;
        }
    }

    fn open_form(&mut self, page: &mut Page<'a>, action: Option<&'a str>, method: Option<&str>) {
        self.close_form(page);
        let posts = method.is_some_and(|m| m.trim().eq_ignore_ascii_case("post"));
        if !posts && let Some(action) = action.filter(|a| !a.trim().is_empty()) {
            self.form = Some(OpenForm { action, fields: String::new(), count: 0 });
        }
    }

    /// A form that asks a service: its address with the fields that are preset.
    fn close_form(&mut self, page: &mut Page<'a>) {
        let Some(form) = self.form.take() else { return };
        if form.fields.is_empty() {
            page.push_link(form.action, Place::Form, Accept::Data);
            return;
        }
        let separator = if form.action.contains('?') { '&' } else { '?' };
        page.push_link(format!("{}{separator}{}", form.action, form.fields), Place::Form, Accept::Data);
    }

    fn read_input(
        &mut self,
        page: &mut Page<'a>,
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
            // Undone references and percent signs are the cleaning's business; separators are ours.
            form.fields.push_str(name);
            form.fields.push('=');
            form.fields.push_str(&value.replace('&', "%26").replace('#', "%23").replace("%26amp;", "%26"));
        }
    }
}

/// A link that people click.
fn push_anchor<'a>(page: &mut Page<'a>, href: &'a str, place: Place, attributes: &[Attribute<'a>]) {
    let trimmed = href.trim_start();
    if trimmed.is_empty() || trimmed.starts_with('#') {
        return;
    }
    if trimmed.get(..11).is_some_and(|s| s.eq_ignore_ascii_case("javascript:")) {
        push_quoted(page, trimmed);
        return;
    }
    let of = |wanted: Name| attributes.iter().find(|a| a.name == wanted).map(|a| a.value);
    let named = of(is::DOWNLOAD).is_some_and(|name| urls::file_hint_of_name(name).is_some());
    let typed = of(is::TYPE).is_some_and(is_file_type);
    let unfollowed = of(is::REL).is_some_and(|rel| has_word(rel, "nofollow"));
    let accept = match (named || typed, unfollowed) {
        (true, _) => Accept::File,
        (false, true) => Accept::Data,
        (false, false) => Accept::All,
    };
    page.push_link(href, place, accept);
}

/// Media types of files that we read.
pub(in crate::extract) fn is_file_type(media_type: &str) -> bool {
    media_type.contains("google-earth") || media_type.contains("x-shapefile")
}

fn push_source<'a>(page: &mut Page<'a>, source: Option<&'a str>, place: Place, accept: Accept) {
    if let Some(source) = source.filter(|s| !s.is_empty()) {
        page.push_link(source, place, accept);
    }
}

/// `<link>`: other forms and neighbours of the page, not what it is made of.
fn push_link_element<'a>(page: &mut Page<'a>, href: Option<&'a str>, rel: Option<&str>, kind: Option<&str>) {
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
        Accept::Sitemap
    } else if kind.is_some_and(is_file_type) {
        Accept::File
    } else {
        Accept::All
    };
    page.push_link(href, Place::Link, accept);
}

fn read_meta<'a>(
    page: &mut Page<'a>,
    name: Option<&str>,
    content: Option<&'a str>,
    attributes: &[Attribute<'a>],
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
        page.push_link(target, Place::MetaRefresh, Accept::All);
    }
}

/// `5; url='/new'`
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

/// Addresses in the values of any other attribute.
fn push_attribute<'a>(
    page: &mut Page<'a>,
    source: &'a str,
    marks: &mut Marks<'a>,
    element: Name,
    attribute: &Attribute<'a>,
    all: &[Attribute<'a>],
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
                page.push_addresses(source, marks, range, Place::Data, Accept::All);
            } else if starts_with_ignoring_case(name, "on") {
                push_quoted(page, value);
            } else if !starts_with_ignoring_case(name, "xmlns") && !starts_with_ignoring_case(name, "item") {
                page.push_addresses(source, marks, range, Place::Attribute, Accept::All);
            }
        }
    }
}

/// Attributes that the element's own rule has read already.
fn is_own_link(element: Name, attribute: Name) -> bool {
    match attribute {
        is::HREF => matches!(element, is::A | is::AREA | is::BASE),
        is::SRC => matches!(element, is::IFRAME | is::FRAME | is::EMBED | is::IMG),
        is::DATA => element == is::OBJECT,
        is::ACTION => element == is::FORM,
        _ => false,
    }
}

/// A service's address behind the `#` of a viewer's link: `https://viewer.org/#/?url=https://x.org/wms`.
fn inner_addresses<'a>(page: &mut Page<'a>, source: &'a str, marks: &mut Marks<'a>, range: Range<usize>) {
    let value = source.get(range.clone()).unwrap_or_default();
    if let Some(at) = memchr::memchr(b'#', value.as_bytes()) {
        page.push_addresses(source, marks, range.start + at..range.end, Place::Attribute, Accept::Data);
    }
}

/// `og:image` and its kin name pictures.
fn is_media_meta(attributes: &[Attribute<'_>]) -> bool {
    attributes.iter().filter(|a| matches!(a.name, is::NAME | is::PROPERTY)).any(|a| {
        let name = a.value.to_ascii_lowercase();
        ["image", "video", "audio", "player", "icon", "logo", "photo"].iter().any(|word| name.contains(word))
    })
}

/// `data-url="/geoserver/wms"`: a relative link under a telling name.
fn push_data_attribute<'a>(page: &mut Page<'a>, name: &str, value: &'a str) {
    let relative =
        value.starts_with(['/', '.']) && value.len() < 2_048 && !value.contains(char::is_whitespace);
    if !relative {
        return;
    }
    let name = name.get(5..).unwrap_or_default().to_ascii_lowercase();
    let navigates = matches!(name.as_str(), "href" | "url" | "link" | "target-url");
    page.push_link(value, Place::Data, if navigates { Accept::All } else { Accept::Data });
}

/// Quoted addresses in a handler: `window.open('/maps/viewer.html')`.
fn push_quoted<'a>(page: &mut Page<'a>, handler: &'a str) {
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
            page.push_link(text, Place::Onclick, Accept::All);
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

/// Whether a list of words holds one, in any case.
fn has_word(list: &str, word: &str) -> bool {
    list.split([' ', ',', '\t', '\n', ';']).any(|w| w.eq_ignore_ascii_case(word))
}

/// `de`, `en-GB`: letters, digits and hyphens.
fn is_language(tag: &str) -> bool {
    (2..=35).contains(&tag.len()) && tag.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_')
}
