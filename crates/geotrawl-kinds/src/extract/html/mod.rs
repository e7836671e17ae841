//! Links, words and facts of an HTML page. This is the hot path of a crawl.
//!
//! One pass over the tokens collects raw links with their origins and the visible text. Links are
//! resolved and classified afterwards, when `<base>` and the robots rule are known.

mod elements;
mod gather;
mod tokens;
mod tree;

use super::addresses::{SchemeMarks, addresses_in, without_js_escapes};
use super::app::{self, RawScript, ScriptType};
use super::charset::{TextKind, decode_text};
use super::collect::{HtmlOptions, KnownPageLookup, LinkCollector, LinkFilter, LinkOrigin};
use super::simhash::{simhash, simhash_and_terms};
use super::verdict::{PageSigns, verdict_of};
use super::words::{push_collapsed, truncate_chars, words_around};
use crate::probe::{Finding, PageFacts, ResponseHead};
use crate::urls;
use elements::ElementHandler;
pub(super) use elements::is_file_type;
pub(super) use gather::elements_of;
use geotrawl_model::Issue;
use std::borrow::Cow;
use std::cell::Cell;
use std::ops::Range;
use tokens::{HtmlToken, HtmlTokenizer, TagAttribute};
pub(crate) use tree::parse_tree;
use url::Url;

/// Maximum number of raw links. Beyond it, only links that suggest services or files are kept.
const MAX_LINKS: usize = 50_000;
/// Maximum length of a title, in characters.
const MAX_TITLE: usize = 300;
/// Maximum amount of visible text to keep for words and similarity.
const MAX_TEXT: usize = 4 << 20;

/// Maximum number of scripts to read per page.
const MAX_SCRIPTS: usize = 500;

/// Maximum size of a text buffer that is kept for the next page.
const MAX_SPARE: usize = 512 << 10;

thread_local! {
    /// Text buffer that is reused from page to page, because the system has to clear fresh memory.
    static SPARE_TEXT: Cell<String> = const { Cell::new(String::new()) };
}

/// Reads a page: its links as targets, title, language and words, and whether it is a login or
/// block page.
pub fn read_html(url: &Url, head: &ResponseHead, body: &[u8]) -> Finding {
    read_html_with_options(url, head, body, HtmlOptions::default())
}

/// Does the same as [`read_html`] with options.
pub fn read_html_with_options(
    url: &Url,
    head: &ResponseHead,
    body: &[u8],
    wanted: HtmlOptions<'_>,
) -> Finding {
    let (source, charset) = decode_text(head, body, TextKind::Html);
    let mut page = PageScan::read(&source);
    let (simhash, words, terms) = simhash_and_terms(&page.text);
    let title = page.title.take();
    let nofollow = head.nofollow || page.nofollow;
    let signs = PageSigns {
        password: page.password,
        words,
        links: page.links.len(),
        title: title.as_deref().unwrap_or_default(),
        source: &source,
    };
    let mut finding = Finding { verdict: verdict_of(head, &signs), ..Finding::default() };
    if page.links_dropped {
        let message =
            format!("the page has more than {MAX_LINKS} links; the rest was only searched for services");
        finding.issues.push(Issue::new("too-many-links", message));
    }
    if !nofollow {
        let at = head.url.as_ref().unwrap_or(url);
        page.resolve(&source, at, head, wanted.known, &mut finding);
        if wanted.apps {
            finding.app = page.app(&source, at, title.as_deref().unwrap_or_default(), words);
        }
    }
    super::ld_json::add_datasets(&source, head.url.as_ref().unwrap_or(url), nofollow, &mut finding);
    page.give_text_back();
    let language = page.language.map(str::to_owned);
    let charset = charset.to_owned();
    finding.page = Some(PageFacts { title, language, charset, simhash, words, terms, nofollow });
    finding
}

/// Returns the verdict on a page whose links are not needed.
pub(super) fn judge_html(head: &ResponseHead, source: &str) -> crate::probe::ResponseClass {
    let mut page = PageScan::read(source);
    let (_, words) = simhash(&page.text);
    let title = page.title.take().unwrap_or_default();
    verdict_of(
        head,
        &PageSigns { password: page.password, words, links: page.links.len(), title: &title, source },
    )
}

/// Link as found, before `<base>` is known.
struct RawLink<'a> {
    raw: Cow<'a, str>,
    place: LinkOrigin,
    accept: LinkFilter,
    /// Range of the link's own text in [`PageScan::text`].
    from: u32,
    to: u32,
}

/// Data collected in one pass over a page.
#[derive(Default)]
struct PageScan<'a> {
    /// Visible text, with references decoded and elements separated by blanks.
    text: String,
    links: Vec<RawLink<'a>>,
    links_dropped: bool,
    base: Option<&'a str>,
    title: Option<String>,
    language: Option<&'a str>,
    nofollow: bool,
    password: bool,
    scripts: Vec<RawScript<'a>>,
    /// Whether the page has a style sheet of a map library.
    map_style: bool,
    /// Whether an element is named as a map.
    map_id: bool,
    /// Whether an element is the usual root of a single-page application.
    root_id: bool,
}

impl<'a> PageScan<'a> {
    fn read(source: &'a str) -> Self {
        let mut text = SPARE_TEXT.take();
        text.reserve(source.len().min(MAX_TEXT));
        let mut page = Self { text, links: Vec::with_capacity(64), ..Self::default() };
        let mut tokens = HtmlTokenizer::new(source);
        let mut marks = SchemeMarks::new(source.as_bytes());
        let mut elements = ElementHandler::default();
        while let Some(token) = tokens.next() {
            match token {
                HtmlToken::Text(range) => {
                    page.push_addresses(source, &mut marks, range.clone(), LinkOrigin::Text, LinkFilter::All);
                    page.push_text(source.get(range).unwrap_or_default());
                }
                HtmlToken::Start { name, self_closing } => {
                    elements.start_element(
                        &mut page,
                        source,
                        &mut marks,
                        name,
                        self_closing,
                        tokens.attributes(),
                    );
                }
                HtmlToken::End { name } => elements.end_element(&mut page, name),
                HtmlToken::Comment(range) => {
                    page.push_addresses(source, &mut marks, range, LinkOrigin::Comment, LinkFilter::Hinted);
                }
                HtmlToken::Raw { name: tokens::SCRIPT, range } => {
                    let place = page.read_script(range.clone());
                    page.push_addresses(source, &mut marks, range, place, LinkFilter::Data);
                }
                HtmlToken::Raw { name: tokens::STYLE, .. } => {}
                HtmlToken::Raw { name, range } => {
                    if name == tokens::TITLE && page.title.is_none() {
                        page.title = title_of(source.get(range.clone()).unwrap_or_default());
                    }
                    page.push_addresses(source, &mut marks, range, LinkOrigin::Text, LinkFilter::All);
                }
            }
        }
        elements.finish(&mut page);
        page
    }

    /// Adds a script after its start tag.
    fn push_script(&mut self, src: Option<&'a str>, kind: Option<&str>, attributes: &[TagAttribute<'a>]) {
        let kind = ScriptType::from_type_attribute(kind);
        let src = src.filter(|src| !src.trim().is_empty());
        let has = |name: &str| attributes.iter().any(|a| a.full_name.eq_ignore_ascii_case(name));
        let deferred = src.is_some() && has("defer") || kind == ScriptType::Module;
        if self.scripts.len() < MAX_SCRIPTS {
            self.scripts.push(RawScript { src, kind, deferred, legacy: has("nomodule"), range: 0..0 });
        }
    }

    /// Stores the text of the last script and returns the origin of addresses in it.
    fn read_script(&mut self, range: Range<usize>) -> LinkOrigin {
        match self.scripts.last_mut() {
            Some(script) if script.kind == ScriptType::Other => LinkOrigin::Data,
            Some(script) => {
                script.range = range;
                LinkOrigin::ScriptText
            }
            None => LinkOrigin::ScriptText,
        }
    }

    /// Checks the id of an element.
    fn see_id(&mut self, id: &str) {
        self.map_id = self.map_id || app::is_map_id(id);
        self.root_id = self.root_id || app::is_root_id(id);
    }

    /// Returns the draft of a map application if the page is one.
    fn app(&self, source: &str, url: &Url, title: &str, words: u32) -> Option<Box<app::AppDraft>> {
        let signs = app::AppSigns {
            source,
            scripts: &self.scripts,
            map_style: self.map_style,
            map_id: self.map_id,
            root_id: self.root_id,
            words,
            title,
            url: url.as_str(),
        };
        let why = signs.map_reason()?;
        let base = self.base.and_then(|raw| urls::clean_attribute(raw, url)).unwrap_or_else(|| url.clone());
        Some(Box::new(app::draft_app(why, source, &self.scripts, title, (url, &base))))
    }

    /// Returns the text buffer for the next page on this thread, unless it is unusually large.
    fn give_text_back(&mut self) {
        let mut text = std::mem::take(&mut self.text);
        if text.capacity() <= MAX_SPARE {
            text.clear();
            SPARE_TEXT.set(text);
        }
    }

    /// Returns the current length of the visible text.
    fn position(&self) -> u32 {
        u32::try_from(self.text.len()).unwrap_or(u32::MAX)
    }

    /// Adds a raw link. Its own text is empty until its end is known.
    fn push_link(&mut self, raw: impl Into<Cow<'a, str>>, place: LinkOrigin, accept: LinkFilter) {
        let raw = raw.into();
        if self.links.len() >= MAX_LINKS {
            self.links_dropped = true;
            if self.links.len() >= 2 * MAX_LINKS || !may_be_data(&raw) {
                return;
            }
        }
        let at = self.position();
        self.links.push(RawLink { raw, place, accept, from: at, to: at });
    }

    /// Adds every absolute address in a range of the page.
    fn push_addresses(
        &mut self,
        source: &'a str,
        marks: &mut SchemeMarks<'a>,
        range: Range<usize>,
        place: LinkOrigin,
        accept: LinkFilter,
    ) {
        if marks.none_before(range.end) {
            return;
        }
        let from = range.start;
        for (mark, raw) in addresses_in(source, marks, range) {
            let before = self.links.len();
            self.push_link(without_js_escapes(raw), place, accept);
            // Visible text is appended after its addresses, so compute their position in it.
            // References may shift it.
            if place == LinkOrigin::Text
                && let Some(link) = self.links.get_mut(before)
            {
                let scheme = raw.find(':').unwrap_or(0);
                let offset = mark.saturating_sub(from + scheme);
                link.from = link.from.saturating_add(u32::try_from(offset).unwrap_or(0));
                link.to = link.from.saturating_add(u32::try_from(raw.len()).unwrap_or(0));
            }
        }
    }

    /// Appends visible text, with references decoded.
    fn push_text(&mut self, text: &str) {
        if self.text.len() > MAX_TEXT {
            return;
        }
        let mut rest = text;
        while let Some(at) = memchr::memchr(b'&', rest.as_bytes()) {
            self.text.push_str(rest.get(..at).unwrap_or_default());
            let from = rest.get(at..).unwrap_or_default();
            let length = match urls::decode_entity(from) {
                Some(('\u{a0}', length)) => {
                    self.text.push(' ');
                    length
                }
                Some((character, length)) => {
                    self.text.push(character);
                    length
                }
                None => {
                    self.text.push('&');
                    1
                }
            };
            rest = from.get(length..).unwrap_or_default();
        }
        self.text.push_str(rest);
    }

    /// Separates the words of two elements.
    fn push_break(&mut self) {
        if !self.text.ends_with(' ') {
            self.text.push(' ');
        }
    }

    /// Returns which links are known for certain. Computes all keys before the lookups: the table
    /// does not fit into the processor's cache, and this way many lookups run concurrently.
    fn known_links(&self, known: &dyn KnownPageLookup, collector: &mut LinkCollector<'_>) -> Vec<bool> {
        let key = |link: &RawLink<'_>| collector.key_as_written(&link.raw, link.place, link.accept);
        let keys: Vec<_> = self.links.iter().map(key).collect();
        keys.into_iter().map(|key| key.is_some_and(|key| known.is_known(key))).collect()
    }

    fn resolve(
        &self,
        source: &str,
        url: &Url,
        head: &ResponseHead,
        known: Option<&dyn KnownPageLookup>,
        finding: &mut Finding,
    ) {
        let base = self.base.and_then(|raw| urls::clean_attribute(raw, url)).unwrap_or_else(|| url.clone());
        let mut collector = LinkCollector::new(base).excluding_known(known);
        let left_out = known.map(|known| self.known_links(known, &mut collector)).unwrap_or_default();
        if known.is_none() {
            collector.reserve_links(self.links.len());
        }
        let mut lines = LineCounter::new(source);
        let mut recent = RecentLinks::default();
        for (at, link) in self.links.iter().enumerate() {
            if left_out.get(at) == Some(&true) || recent.holds_or_takes(link) {
                continue;
            }
            // A link that was rewritten is no longer a slice of the source, so its line is unknown.
            collector.line = match &link.raw {
                Cow::Borrowed(piece) => lines.of(piece),
                Cow::Owned(_) => None,
            };
            let words = || {
                words_around(&self.text, link.from as usize..link.to as usize, link.place != LinkOrigin::Text)
            };
            collector.add(&link.raw, link.place, link.accept, words);
        }
        collector.line = None;
        super::link_header::add_links(&head.links, &mut collector);
        collector.finish_into(finding);
    }
}

/// Computes the line numbers of links, which must be queried in document order.
struct LineCounter<'a> {
    source: &'a str,
    counted: usize,
    line: u32,
}

impl<'a> LineCounter<'a> {
    fn new(source: &'a str) -> Self {
        Self { source, counted: 0, line: 1 }
    }

    /// Returns the line of a piece of the source.
    fn of(&mut self, piece: &str) -> Option<u32> {
        let at = (piece.as_ptr() as usize).checked_sub(self.source.as_ptr() as usize)?;
        let between = self.source.as_bytes().get(self.counted..at)?;
        self.line += u32::try_from(memchr::memchr_iter(b'\n', between).count()).ok()?;
        self.counted = at;
        Some(self.line)
    }
}

/// Small cache of recent links: menus and references repeat the same few, and comparing two texts
/// is much cheaper than resolving one. Hits are exact; evicted links are resolved again.
struct RecentLinks<'p, 'a>([Option<&'p RawLink<'a>>; 256]);

impl Default for RecentLinks<'_, '_> {
    fn default() -> Self {
        Self([None; 256])
    }
}

impl<'p, 'a> RecentLinks<'p, 'a> {
    /// Returns whether an equal link, ignoring fragments, was resolved already from an origin at
    /// least as strong. Otherwise stores the link.
    fn holds_or_takes(&mut self, link: &'p RawLink<'a>) -> bool {
        let raw = without_fragment(&link.raw);
        let bytes = raw.as_bytes();
        let at = |from_end: usize| bytes.len().checked_sub(from_end).and_then(|at| bytes.get(at)).copied();
        // A cheap slot from the length and two bytes near the end, where the links of a menu
        // differ.
        let slot = bytes.len() ^ usize::from(at(1).unwrap_or(0)) << 2 ^ usize::from(at(6).unwrap_or(0)) << 3;
        let Some(place) = self.0.get_mut(slot & 255) else { return false };
        let known = place.is_some_and(|old| {
            old.accept == link.accept && old.place <= link.place && without_fragment(&old.raw) == raw
        });
        if !known {
            *place = Some(link);
        }
        known
    }
}

/// Removes the fragment. A `#` may also be part of a character reference, so such links are not
/// changed.
fn without_fragment(raw: &str) -> &str {
    if memchr::memchr(b'&', raw.as_bytes()).is_some() {
        return raw;
    }
    memchr::memchr(b'#', raw.as_bytes()).and_then(|at| raw.get(..at)).unwrap_or(raw)
}

/// Returns whether a raw link beyond the limit may be a service or file.
fn may_be_data(raw: &str) -> bool {
    const SIGNS: [&[u8]; 12] =
        [b"wms", b"wfs", b"wcs", b"wmt", b"wps", b"csw", b"sos", b"ows", b"map", b"kml", b"kmz", b"zip"];
    raw.as_bytes().windows(3).any(|w| SIGNS.iter().any(|s| w.eq_ignore_ascii_case(s)))
}

/// Returns a title with references decoded and blanks collapsed, or `None` if it is empty.
fn title_of(raw: &str) -> Option<String> {
    let raw = raw.get(..raw.floor_char_boundary(8 * MAX_TITLE)).unwrap_or_default();
    let plain = urls::unescape_entities(raw).unwrap_or(Cow::Borrowed(raw));
    let mut title = String::new();
    push_collapsed(&plain, &mut title);
    title.truncate(title.trim_end().len());
    truncate_chars(&mut title, MAX_TITLE);
    (!title.is_empty()).then_some(title)
}
