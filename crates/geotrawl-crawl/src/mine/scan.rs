//! Turns addresses into candidates. All addresses pass one automaton ([`urls::may_lead_to_data`]);
//! only those that may lead to a service or file are parsed.

use geotrawl_kinds::kinds;
use geotrawl_kinds::probe::{CrawlTarget, Found};
use geotrawl_kinds::urls;
use geotrawl_model::{DiscoveryMethod, Intent};
use siphasher::sip128::{Hasher128, SipHasher13};
use std::hash::Hasher;
use url::Url;

/// A service or file that an archive refers to, and what the archived bytes prove about it.
#[derive(Debug, Clone)]
pub struct ArchiveCandidate {
    pub target: CrawlTarget,
    /// The archived page that refers to it.
    pub page: String,
    /// When the page was archived, as written.
    pub captured: String,
    /// What the archived bytes prove about that time.
    pub found: Option<Box<Found>>,
    /// The probable kind of a data file, if its URL does not tell it.
    pub kind: Option<&'static str>,
}

impl ArchiveCandidate {
    /// Returns the kind, which may be a guess.
    pub fn kind(&self) -> Option<&str> {
        if let Some(found) = &self.found {
            return Some(&found.resource.kind);
        }
        match &self.target.intent {
            Intent::Ows { kind, .. } | Intent::Ask { kind } => Some(kind),
            Intent::File => self.kind.or_else(|| urls::file_hint(&self.target.url).map(|hint| hint.kind)),
            Intent::Page | Intent::Sitemap | Intent::Harvest { .. } | Intent::Import => None,
        }
    }

    /// Returns a hash of the request, long enough to rule out collisions.
    pub fn request_key(&self) -> u128 {
        key_of(&self.target, self.found.is_some())
    }
}

fn key_of(target: &CrawlTarget, found: bool) -> u128 {
    let mut hasher = SipHasher13::new();
    hasher.write(target.intent.request_key().as_bytes());
    hasher.write_u8(u8::from(found));
    hasher.write(target.url.as_str().as_bytes());
    hasher.finish128().as_u128()
}

/// Recently reported requests, because most links occur on every page of a site.
struct RecentKeys(Vec<u128>);

impl RecentKeys {
    const SLOTS: usize = 1 << 15;

    /// Whether the key was recently seen; also records it.
    fn holds(&mut self, key: u128) -> bool {
        if self.0.is_empty() {
            self.0.resize(Self::SLOTS, 0);
        }
        let slot = self.0.get_mut(key as usize % Self::SLOTS);
        slot.is_some_and(|slot| std::mem::replace(slot, key) == key)
    }
}

/// The page that addresses are relative to, split once.
pub struct BaseUrl<'t> {
    text: &'t str,
    url: Option<Url>,
    /// Ends of `http://host`, of the directory with its slash, and of the path.
    origin: usize,
    directory: usize,
    path: usize,
}

impl<'t> BaseUrl<'t> {
    /// Splits the address of a page.
    pub fn new(text: &'t str) -> Self {
        let host = text.find("://").map_or(0, |at| at + 3);
        let end = |from: usize, marks: &[char]| {
            text.get(from..).and_then(|rest| rest.find(marks)).map_or(text.len(), |at| from + at)
        };
        let origin = end(host, &['/', '?', '#']);
        let path = end(origin, &['?', '#']);
        let directory =
            text.get(origin..path).and_then(|path| path.rfind('/')).map_or(origin, |at| origin + at + 1);
        Self { text, url: None, origin, directory, path }
    }

    /// Returns the parsed address, or `None` if it is invalid.
    fn url(&mut self) -> Option<&Url> {
        if self.url.is_none() {
            self.url = Url::parse(self.text).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
        }
        self.url.as_ref()
    }

    fn part(&self, end: usize) -> &str {
        self.text.get(..end).unwrap_or_default()
    }
}

/// How an address occurs in its document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AddressContext {
    /// As a value with a known end.
    Exact,
    /// In running text, where other characters may be attached to it.
    Loose,
}

/// Turns addresses into candidates.
pub struct AddressScanner {
    whole: Vec<u8>,
    targets: Vec<CrawlTarget>,
    recent: RecentKeys,
    /// Candidates that were not taken yet.
    pub shown: Vec<ArchiveCandidate>,
    /// Number of candidates, including repeats.
    pub count: u64,
}

impl Default for AddressScanner {
    fn default() -> Self {
        Self {
            whole: Vec::new(),
            targets: Vec::new(),
            recent: RecentKeys(Vec::new()),
            shown: Vec::new(),
            count: 0,
        }
    }
}

impl AddressScanner {
    /// Whether a raw address may lead to data. False positives
    /// are possible, false negatives are not.
    pub fn may_lead_to_data(&mut self, raw: &str, base: &BaseUrl<'_>) -> bool {
        let text = raw.trim_ascii_start();
        let before = match text.as_bytes() {
            [] | [b'#', ..] => return false,
            [b'/', b'/', ..] => {
                let scheme = base.text.find("//").unwrap_or(0);
                base.part(scheme)
            }
            [b'/', ..] => base.part(base.origin),
            [b'?', ..] => base.part(base.path),
            // Quotes and similar characters are stripped later, so
            // the real beginning is unknown here.
            [first, ..] if !first.is_ascii_alphanumeric() && !matches!(first, b'.' | b'_' | b'-' | b'~') => {
                return true;
            }
            bytes => {
                let scheme = bytes.iter().position(|b| !(b.is_ascii_alphanumeric() || b"+-.".contains(b)));
                let begins = bytes.first().is_some_and(u8::is_ascii_alphabetic);
                let behind = scheme.filter(|at| begins && bytes.get(*at) == Some(&b':'));
                if let Some(behind) = behind.and_then(|at| bytes.get(at + 1..)) {
                    // Trailing punctuation is stripped later, so `wms:` is not a scheme.
                    let mut behind = behind.split(|byte| *byte == b'#').next().unwrap_or_default().iter();
                    if !behind.any(u8::is_ascii_alphanumeric) {
                        return true;
                    }
                    let http = bytes.get(..4).is_some_and(|start| start.eq_ignore_ascii_case(b"http"));
                    // `mailto:` and `javascript:` are rejected; for
                    // `feed:http://...` the wrapped address counts.
                    return if http {
                        urls::may_lead_to_data(bytes)
                    } else {
                        bytes.windows(4).any(|four| four.eq_ignore_ascii_case(b"http"))
                    };
                }
                base.part(base.directory)
            }
        };
        self.whole.clear();
        self.whole.extend_from_slice(before.as_bytes());
        // The base is a host without a path.
        if !before.ends_with('/') && text.as_bytes().first().is_some_and(|b| !matches!(b, b'/' | b'?')) {
            self.whole.push(b'/');
        }
        self.whole.extend_from_slice(text.as_bytes());
        urls::may_lead_to_data(&self.whole)
    }

    /// Scans an address as written on a page; `about` returns how it was linked, and its link text.
    pub fn scan_address(
        &mut self,
        raw: &str,
        stands: AddressContext,
        base: &mut BaseUrl<'_>,
        captured: &str,
        about: impl FnOnce() -> (DiscoveryMethod, String),
    ) {
        if raw.len() > urls::MAX_RAW || !self.may_lead_to_data(raw, base) {
            return;
        }
        let page = base.text;
        let Some(at) = base.url() else { return };
        let url = match stands {
            AddressContext::Exact => urls::clean_attribute(raw, at),
            AddressContext::Loose => urls::clean_link(raw, at),
        };
        let Some(url) = url else { return };
        let mut targets = std::mem::take(&mut self.targets);
        urls::append_targets(url, DiscoveryMethod::Borrowed(""), "", &mut targets);
        targets.retain(|target| target.intent.is_probe());
        if !targets.is_empty() {
            let (way, words) = about();
            for target in targets.drain(..) {
                let target = CrawlTarget { way: way.clone(), words: words.clone(), ..target };
                self.add_candidate(ArchiveCandidate {
                    target,
                    page: page.to_owned(),
                    captured: captured.to_owned(),
                    found: None,
                    kind: None,
                });
            }
        }
        self.targets = targets;
    }

    /// Scans the address of an archived document itself.
    pub fn scan_own_address(&mut self, raw: &str, captured: &str) {
        let mut base = BaseUrl::new(raw);
        self.scan_address(raw, AddressContext::Exact, &mut base, captured, || {
            (DiscoveryMethod::Borrowed("archive"), String::new())
        });
    }

    /// Adds a candidate unless it was added recently.
    pub fn add_candidate(&mut self, candidate: ArchiveCandidate) {
        self.count += 1;
        if !self.recent.holds(candidate.request_key()) {
            self.shown.push(candidate);
        }
    }
}

/// Adds a candidate by the media type that an index records, for URLs that do not tell the kind.
pub fn scan_media_type(url: &str, media_type: &str, captured: &str, into: &mut AddressScanner) {
    let Some(kind) = kinds::by_media_type(media_type) else { return };
    let id = kind.profile().id;
    let Ok(url) = Url::parse(url) else { return };
    if !matches!(url.scheme(), "http" | "https") {
        return;
    }
    let page = url.to_string();
    let target = if kind.ows().is_some() {
        let intent = Intent::Ows { kind: id.to_owned(), siblings: false };
        CrawlTarget::new(urls::endpoint_url(&url), intent, "archive")
    } else {
        CrawlTarget::new(urls::canonical_url(&url), Intent::File, "archive")
    };
    into.add_candidate(ArchiveCandidate {
        target,
        page,
        captured: captured.to_owned(),
        found: None,
        kind: Some(id),
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn shown(raw: &str, page: &str) -> Vec<String> {
        let mut scanner = AddressScanner::default();
        for stands in [AddressContext::Exact, AddressContext::Loose] {
            scanner.scan_address(raw, stands, &mut BaseUrl::new(page), "", || ("href".into(), String::new()));
        }
        let mut all: Vec<String> =
            scanner.shown.iter().map(|c| format!("{} {}", c.target.intent, c.target.url)).collect();
        all.sort();
        all.dedup();
        all
    }

    /// What the crawler would derive from the address.
    fn expected(raw: &str, page: &str) -> Vec<String> {
        let Ok(base) = Url::parse(page) else { return Vec::new() };
        let mut targets = Vec::new();
        for url in [urls::clean_attribute(raw, &base), urls::clean_link(raw, &base)].into_iter().flatten() {
            urls::append_targets(url, "href".into(), "", &mut targets);
        }
        targets.retain(|target| target.intent.is_probe());
        let mut all: Vec<String> = targets.iter().map(|t| format!("{} {}", t.intent, t.url)).collect();
        all.sort();
        all.dedup();
        all
    }

    #[test]
    fn relative_addresses_are_read_as_on_their_page() {
        let page = "http://x.example/arcgis/rest/folder/page.html?a=b";
        for (raw, found) in [
            ("../services", 1),
            ("/geoserver/wms", 1),
            ("//y.example/ows", 1),
            ("?request=GetCapabilities", 1),
            ("roads.kml", 1),
            ("..feed:.kml", 1),
            ("wms:", 1),
            ("http://y.example/tiles/12/2200/1343.png", 1),
            ("about.html", 0),
            ("#wms", 0),
            ("mailto:wms@x.example", 0),
            ("javascript:wms()", 0),
        ] {
            assert_eq!(shown(raw, page).len(), found, "{raw}: {:?}", shown(raw, page));
            assert_eq!(shown(raw, page), expected(raw, page), "{raw}");
        }
    }

    fn piece() -> impl Strategy<Value = &'static str> {
        prop::sample::select(vec![
            "/",
            "//",
            "..",
            ".",
            "?",
            "&",
            "=",
            "#",
            "wms",
            "WFS",
            "ows",
            "rest",
            "services",
            "rest/services",
            "tms",
            "MapServer",
            "collections",
            "stac",
            "a",
            "b.html",
            ".kml",
            ".zip",
            "file=",
            "map=/a.map",
            "request=GetMap",
            "http://y.org",
            "https:",
            "http:",
            "feed:",
            "'",
            "\"",
            " ",
            "\t",
            "%2e",
            "%77ms",
            "&#119;ms",
            "ü",
            "1.0.0",
            "12/2200/1343.png",
            "{z}/{x}/{y}",
            "\u{200b}",
            "sharing",
            "erddap",
            "thredds/",
            "item.html?id=1",
            "-",
            "_",
        ])
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(3_000))]
        #[test]
        fn whatever_the_crawler_would_ask_is_shown(
            page in prop::collection::vec(piece(), 0..4),
            raw in prop::collection::vec(piece(), 0..6),
        ) {
            let page = format!("http://x.org/{}", page.concat());
            let raw = raw.concat();
            prop_assert_eq!(shown(&raw, &page), expected(&raw, &page), "{} on {}", raw, page);
        }
    }
}
