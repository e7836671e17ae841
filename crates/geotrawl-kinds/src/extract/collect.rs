//! Converts the links of a document to targets: resolved, classified and without duplicates.

use crate::probe::{CrawlTarget, Finding};
use crate::urls;
use geotrawl_model::{DiscoveryMethod, Intent, Issue};
use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use url::{Position, Url};

/// Set of pages that the caller already knows, so that links to them need not be reported.
///
/// It may contain only pages for whose URL [`urls::targets`] returns that page and nothing else.
pub trait KnownPageLookup {
    /// Returns the key of a canonical URL.
    fn page_key(&self, page: &str) -> u128;
    /// Returns whether the page with this key is known.
    fn is_known(&self, key: u128) -> bool;
}

/// Options for reading a page.
#[derive(Clone, Copy)]
pub struct HtmlOptions<'k> {
    /// Known pages: links to them are omitted.
    pub known: Option<&'k dyn KnownPageLookup>,
    /// Whether to detect map applications.
    pub apps: bool,
}

impl Default for HtmlOptions<'_> {
    fn default() -> Self {
        Self { known: None, apps: true }
    }
}

/// Maximum number of pages per document. The limit for services and files is twice as high.
pub const MAX_TARGETS: usize = 20_000;

/// Discovery method of addresses found in the text of a script, without knowledge of their context.
pub const SCRIPT_TEXT: &str = "script-text";

/// Where a link was found, strongest evidence first. If a link occurs twice, the first variant is
/// kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum LinkOrigin {
    Href,
    Area,
    Iframe,
    Frame,
    Link,
    LinkHeader,
    MetaRefresh,
    Form,
    Object,
    Img,
    Onclick,
    Data,
    Sitemap,
    Feed,
    Xml,
    Attribute,
    Text,
    ScriptText,
    Comment,
}

impl LinkOrigin {
    fn way(self) -> DiscoveryMethod {
        DiscoveryMethod::Borrowed(match self {
            Self::Href => "href",
            Self::Area => "area",
            Self::Iframe => "iframe",
            Self::Frame => "frame",
            Self::Link => "link",
            Self::LinkHeader => "link-header",
            Self::MetaRefresh => "meta-refresh",
            Self::Form => "form",
            Self::Object => "object",
            Self::Img => "img",
            Self::Onclick => "onclick",
            Self::Data => "data",
            Self::Sitemap => "sitemap",
            Self::Feed => "feed",
            Self::Xml => "xml",
            Self::Attribute => "attribute",
            Self::Text => "text",
            Self::ScriptText => SCRIPT_TEXT,
            Self::Comment => "comment",
        })
    }

    /// Returns whether the end of the link is certain, so that no prose can be attached to it.
    fn is_exact(self) -> bool {
        !matches!(self, Self::Text | Self::ScriptText | Self::Comment | Self::Attribute | Self::Data)
    }
}

/// Targets that a link may become.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum LinkFilter {
    /// Any target.
    All,
    /// Services and files, including ones that are only hinted at.
    Hinted,
    /// Services and files that are certain.
    Data,
    /// A sitemap, whatever the address looks like.
    Sitemap,
    /// A data file, whatever the address looks like.
    File,
}

/// Collects the targets of a document.
pub(super) struct LinkCollector<'k> {
    base: Url,
    known: Option<&'k dyn KnownPageLookup>,
    /// Buffer for a resolved link.
    resolved: String,
    room: usize,
    targets: Vec<CrawlTarget>,
    places: Vec<LinkOrigin>,
    /// Maps the hash of URL and intent to the index of a target, which is compared to rule out
    /// collisions. The hasher's keys are random, so that a page cannot provoke collisions.
    seen: HashMap<u64, usize, BuildPassthroughHasher>,
    hasher: RandomState,
    scratch: Vec<CrawlTarget>,
    dropped: usize,
    /// Line of the links that are being added.
    pub(super) line: Option<u32>,
}

impl<'k> LinkCollector<'k> {
    pub(super) fn new(base: Url) -> Self {
        Self::with_target_limit(base, MAX_TARGETS)
    }

    /// Creates a collector with another limit than [`MAX_TARGETS`].
    pub(super) fn with_target_limit(base: Url, room: usize) -> Self {
        Self {
            base,
            known: None,
            resolved: String::new(),
            room,
            targets: Vec::new(),
            places: Vec::new(),
            seen: HashMap::default(),
            hasher: RandomState::new(),
            scratch: Vec::new(),
            dropped: 0,
            line: None,
        }
    }

    /// Omits links to known pages.
    pub(super) fn excluding_known(mut self, known: Option<&'k dyn KnownPageLookup>) -> Self {
        self.known = known;
        self
    }

    /// Returns the lookup key of a raw link without resolving it, since nearly every link of a
    /// crawl leads to a known page. Works for absolute addresses, and for paths from the root that
    /// need no cleaning and are appended to the address of the site.
    pub(super) fn key_as_written(
        &mut self,
        raw: &str,
        place: LinkOrigin,
        accept: LinkFilter,
    ) -> Option<u128> {
        let known = self.known.filter(|_| accept == LinkFilter::All && place.is_exact())?;
        let plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'/' | b'.' | b'-' | b'_' | b'~' | b':');
        let raw = memchr::memchr(b'#', raw.as_bytes()).and_then(|at| raw.get(..at)).unwrap_or(raw);
        if raw.starts_with("//") || !raw.bytes().fold(true, |all, byte| all & plain(byte)) {
            return None;
        }
        if !raw.starts_with('/') {
            return Some(known.page_key(raw));
        }
        self.resolved.clear();
        self.resolved.push_str(&self.base[..Position::BeforePath]);
        self.resolved.push_str(raw);
        Some(known.page_key(&self.resolved))
    }

    /// Resolves and classifies a raw link. `words` is called only for new links.
    pub(super) fn add(
        &mut self,
        raw: &str,
        place: LinkOrigin,
        accept: LinkFilter,
        words: impl FnOnce() -> String,
    ) {
        if place.is_exact() {
            self.add_read(raw, urls::clean_attribute, place, accept, words);
        } else {
            self.add_read(raw, urls::clean_link, place, accept, words);
        }
    }

    /// Does the same as [`Self::add`] for a link found in running text, whatever its origin.
    pub(super) fn add_from_text(
        &mut self,
        raw: &str,
        place: LinkOrigin,
        accept: LinkFilter,
        words: impl FnOnce() -> String,
    ) {
        self.add_read(raw, urls::clean_link, place, accept, words);
    }

    fn add_read(
        &mut self,
        raw: &str,
        read: impl FnOnce(&str, &Url) -> Option<Url>,
        place: LinkOrigin,
        accept: LinkFilter,
        words: impl FnOnce() -> String,
    ) {
        if raw.len() > urls::MAX_RAW {
            self.dropped += 1;
        } else if let Some(url) = read(raw, &self.base) {
            self.add_url(url, place, accept, words);
        }
    }

    /// Classifies a cleaned link.
    pub(super) fn add_url(
        &mut self,
        url: Url,
        place: LinkOrigin,
        accept: LinkFilter,
        words: impl FnOnce() -> String,
    ) {
        if accept == LinkFilter::All
            && self.known.is_some_and(|known| known.is_known(known.page_key(url.as_str())))
        {
            return;
        }
        let way = place.way();
        let mut found = std::mem::take(&mut self.scratch);
        match accept {
            LinkFilter::Sitemap => found.push(plain_target(urls::canonical_url(&url), Intent::Sitemap, way)),
            LinkFilter::File => found.push(plain_target(urls::canonical_url(&url), Intent::File, way)),
            LinkFilter::Hinted if urls::service_hint(&url).is_none() && urls::file_hint(&url).is_none() => {
                urls::append_targets(url, way, "", &mut found);
                found.retain(|t| t.intent.is_probe());
            }
            LinkFilter::Data => {
                urls::append_targets(url, way, "", &mut found);
                found.retain(|t| t.intent.is_probe());
            }
            LinkFilter::All | LinkFilter::Hinted => urls::append_targets(url, way, "", &mut found),
        }
        let mut words = Some(words);
        let mut text = String::new();
        for mut target in found.drain(..) {
            let key = self.hasher.hash_one((target.url.as_str(), kind_of(&target.intent)));
            let known = self.seen.get(&key).copied().filter(|at| {
                let same =
                    |t: &CrawlTarget| t.url == target.url && kind_of(&t.intent) == kind_of(&target.intent);
                self.targets.get(*at).is_some_and(same)
            });
            if let Some(at) = known {
                self.merge(at, target, place);
                continue;
            }
            let room = if target.intent.is_probe() { 2 * self.room } else { self.room };
            if self.targets.len() >= room {
                self.dropped += 1;
                continue;
            }
            if let Some(words) = words.take() {
                text = words();
            }
            target.words.clone_from(&text);
            target.line = self.line;
            self.seen.insert(key, self.targets.len());
            self.targets.push(target);
            self.places.push(place);
        }
        self.scratch = found;
    }

    /// Merges a repeated request: the stronger origin is kept, and one request for siblings is
    /// enough.
    fn merge(&mut self, at: usize, again: CrawlTarget, place: LinkOrigin) {
        let (Some(old), Some(was)) = (self.targets.get_mut(at), self.places.get_mut(at)) else { return };
        if let (Intent::Ows { siblings, .. }, Intent::Ows { siblings: true, .. }) =
            (&mut old.intent, &again.intent)
        {
            *siblings = true;
        }
        for layer in again.layers {
            if !old.layers.contains(&layer) {
                old.layers.push(layer);
            }
        }
        if place < *was {
            old.way = again.way;
            old.line = self.line;
            *was = place;
        }
    }

    /// Reserves memory for a number of links.
    pub(super) fn reserve_links(&mut self, links: usize) {
        let links = links.min(self.room);
        self.targets.reserve(links);
        self.places.reserve(links);
        self.seen.reserve(links);
    }

    /// Sets the base that the following links are relative to.
    pub(super) fn set_base_url(&mut self, raw: &str) {
        if let Some(base) = urls::clean_attribute(raw, &self.base) {
            self.base = base;
        }
    }

    /// Moves all targets into a finding.
    pub(super) fn finish_into(self, finding: &mut Finding) {
        finding.targets = self.targets;
        if self.dropped > 0 {
            let message = format!("{} links were dropped: too many or too long", self.dropped);
            finding.issues.push(Issue::new("links-dropped", message));
        }
    }
}

/// Returns the part of an intent that distinguishes requests to the same URL.
fn kind_of(intent: &Intent) -> (u8, &str) {
    match intent {
        Intent::Page => (0, ""),
        Intent::Sitemap => (1, ""),
        Intent::File => (2, ""),
        Intent::Ows { kind, .. } => (3, kind),
        Intent::Ask { kind } => (4, kind),
        Intent::Harvest { state, .. } => (5, state),
        Intent::Import => (6, ""),
    }
}

fn plain_target(url: Url, intent: Intent, way: DiscoveryMethod) -> CrawlTarget {
    CrawlTarget::new(url, intent, way)
}

/// Builds hashers that return their input, because the keys are already hashes.
#[derive(Default, Clone)]
struct BuildPassthroughHasher;

impl BuildHasher for BuildPassthroughHasher {
    type Hasher = PassthroughHasher;
    fn build_hasher(&self) -> PassthroughHasher {
        PassthroughHasher(0)
    }
}

struct PassthroughHasher(u64);

impl std::hash::Hasher for PassthroughHasher {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(*byte);
        }
    }
    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}
