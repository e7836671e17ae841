//! Links, words and facts of an HTML page: the hot path of the crawl.
//!
//! One pass over the tokens gathers raw links with their places and the visible text; afterwards, when
//! `<base>` and the robots rule are known, the links are resolved and classified.

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

/// Raw links beyond this are only looked at when they speak of services or files.
const MAX_LINKS: usize = 50_000;
/// A title is not longer than this (characters).
const MAX_TITLE: usize = 300;
/// Visible text beyond this is not kept for words and similarity.
const MAX_TEXT: usize = 4 << 20;

/// Scripts of one page that are looked at.
const MAX_SCRIPTS: usize = 500;

/// Largest text buffer kept for the next page.
const MAX_SPARE: usize = 512 << 10;

thread_local! {
    /// Text is gathered in the same memory page after page: fresh memory has to be cleared by the system.
    static SPARE_TEXT: Cell<String> = const { Cell::new(String::new()) };
}

/// Reads a page: its links as targets, its title, language, words, and whether it is a login or a wall.
pub fn read_html(url: &Url, head: &ResponseHead, body: &[u8]) -> Finding {
    read_html_with_options(url, head, body, HtmlOptions::default())
}

/// As [`read_html`], with what is wanted of it.
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

/// The verdict on a page whose links do not matter.
pub(super) fn judge_html(head: &ResponseHead, source: &str) -> crate::probe::ResponseClass {
    let mut page = PageScan::read(source);
    let (_, words) = simhash(&page.text);
    let title = page.title.take().unwrap_or_default();
    verdict_of(
        head,
        &PageSigns { password: page.password, words, links: page.links.len(), title: &title, source },
    )
}

/// A link as it was found, before `<base>` is known.
struct RawLink<'a> {
    raw: Cow<'a, str>,
    place: LinkOrigin,
    accept: LinkFilter,
    /// Its own text in [`Page::text`].
    from: u32,
    to: u32,
}

/// What one pass over a page gathers.
#[derive(Default)]
struct PageScan<'a> {
    /// Visible text, elements apart by blanks; references undone.
    text: String,
    links: Vec<RawLink<'a>>,
    links_dropped: bool,
    base: Option<&'a str>,
    title: Option<String>,
    language: Option<&'a str>,
    nofollow: bool,
    password: bool,
    scripts: Vec<RawScript<'a>>,
    /// The style sheet of a map library.
    map_style: bool,
    /// An element that is called a map.
    map_id: bool,
    /// An element that programs put themselves into.
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

    /// Keeps a script whose start tag was read.
    fn push_script(&mut self, src: Option<&'a str>, kind: Option<&str>, attributes: &[TagAttribute<'a>]) {
        let kind = ScriptType::from_type_attribute(kind);
        let src = src.filter(|src| !src.trim().is_empty());
        let has = |name: &str| attributes.iter().any(|a| a.full_name.eq_ignore_ascii_case(name));
        let deferred = src.is_some() && has("defer") || kind == ScriptType::Module;
        if self.scripts.len() < MAX_SCRIPTS {
            self.scripts.push(RawScript { src, kind, deferred, legacy: has("nomodule"), range: 0..0 });
        }
    }

    /// Keeps the text of the script last begun; says what addresses in it stand in.
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

    /// Takes note of the id of an element.
    fn see_id(&mut self, id: &str) {
        self.map_id = self.map_id || app::is_map_id(id);
        self.root_id = self.root_id || app::is_root_id(id);
    }

    /// What the page is as a map application, if it is one.
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

    /// Lets the next page on this thread use the buffer; an unusually large one goes.
    fn give_text_back(&mut self) {
        let mut text = std::mem::take(&mut self.text);
        if text.capacity() <= MAX_SPARE {
            text.clear();
            SPARE_TEXT.set(text);
        }
    }

    /// Where the visible text stands.
    fn position(&self) -> u32 {
        u32::try_from(self.text.len()).unwrap_or(u32::MAX)
    }

    /// Keeps a raw link; its own text begins here and is empty until told otherwise.
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

    /// Keeps every absolute address in a range of the page.
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
            // Visible text follows its addresses: where they will stand in it, but for references.
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

    /// Appends visible text, references undone.
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

    /// Parts the words of two elements.
    fn push_break(&mut self) {
        if !self.text.ends_with(' ') {
            self.text.push(' ');
        }
    }

    /// Which links are surely known, as they are written. First all keys, then all questions: what is known does not
    /// fit into the processor's cache, and like this many answers are on their way at once.
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
            // What was rewritten has lost its place.
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

/// Counts lines up to the links of a page, which come in the order they stand.
struct LineCounter<'a> {
    source: &'a str,
    counted: usize,
    line: u32,
}

impl<'a> LineCounter<'a> {
    fn new(source: &'a str) -> Self {
        Self { source, counted: 0, line: 1 }
    }

    /// The line of a link that is a piece of the source.
    fn of(&mut self, piece: &str) -> Option<u32> {
        let at = (piece.as_ptr() as usize).checked_sub(self.source.as_ptr() as usize)?;
        let between = self.source.as_bytes().get(self.counted..at)?;
        self.line += u32::try_from(memchr::memchr_iter(b'\n', between).count()).ok()?;
        self.counted = at;
        Some(self.line)
    }
}

/// Links that stood on the page a moment ago: menus and references repeat the same few again and again,
/// and comparing two texts is much cheaper than resolving one. Exact; what it forgets is resolved again.
struct RecentLinks<'p, 'a>([Option<&'p RawLink<'a>>; 256]);

impl Default for RecentLinks<'_, '_> {
    fn default() -> Self {
        Self([None; 256])
    }
}

impl<'p, 'a> RecentLinks<'p, 'a> {
    /// Whether an equal link, fragments aside, was resolved already from no weaker a place.
    fn holds_or_takes(&mut self, link: &'p RawLink<'a>) -> bool {
        let raw = without_fragment(&link.raw);
        let bytes = raw.as_bytes();
        let at = |from_end: usize| bytes.len().checked_sub(from_end).and_then(|at| bytes.get(at)).copied();
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

/// A `#` may also belong to a character reference; such links are compared as they are.
fn without_fragment(raw: &str) -> &str {
    if memchr::memchr(b'&', raw.as_bytes()).is_some() {
        return raw;
    }
    memchr::memchr(b'#', raw.as_bytes()).and_then(|at| raw.get(..at)).unwrap_or(raw)
}

/// Whether a raw link beyond the cap is worth a look: services and files only.
fn may_be_data(raw: &str) -> bool {
    const SIGNS: [&[u8]; 12] =
        [b"wms", b"wfs", b"wcs", b"wmt", b"wps", b"csw", b"sos", b"ows", b"map", b"kml", b"kmz", b"zip"];
    raw.as_bytes().windows(3).any(|w| SIGNS.iter().any(|s| w.eq_ignore_ascii_case(s)))
}

/// A title without references, blanks collapsed; `None` when nothing is left.
fn title_of(raw: &str) -> Option<String> {
    let raw = raw.get(..raw.floor_char_boundary(8 * MAX_TITLE)).unwrap_or_default();
    let plain = urls::unescape_entities(raw).unwrap_or(Cow::Borrowed(raw));
    let mut title = String::new();
    push_collapsed(&plain, &mut title);
    title.truncate(title.trim_end().len());
    truncate_chars(&mut title, MAX_TITLE);
    (!title.is_empty()).then_some(title)
}
