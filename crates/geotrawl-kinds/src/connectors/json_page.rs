//! What the JSON connectors share: one page within bounds, the state between two pages, the end of loops.

use crate::probe::{ProbeRequest, ProbeResponse, ResponseBody};
use geotrawl_model::{CatalogueRecord, Issue};
use serde_json::Value;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Read;
use url::{Url, form_urlencoded};

/// The most of one page that is read.
pub(super) const PAGE_BYTES: u64 = 32 << 20;
/// What every connector of JSON accepts.
pub(super) const ACCEPT: &str = "application/json, */*;q=0.5";
/// No catalogue is followed further than this many records: a server that invents them forever ends here.
const MAX_RECORDS: u64 = 20_000_000;
/// Links to further pages that are longer are not followed.
const MAX_NEXT: usize = 4096;

/// A request for one page.
pub(super) fn page_request(url: Url) -> ProbeRequest {
    ProbeRequest::get(url, ACCEPT, PAGE_BYTES)
}

/// `base` with `path` below it, whether or not it ends with a slash, without its query.
pub(super) fn url_below(base: &Url, path: &str) -> Url {
    let mut url = base.clone();
    url.set_query(None);
    url.set_fragment(None);
    let joined = format!("{}/{}", base.path().trim_end_matches('/'), path.trim_start_matches('/'));
    url.set_path(&joined);
    url
}

/// `base` cut before the first of these pieces of its path (in lower case): `/data/api/3/action/x` is
/// `/data/` for `/api/3`.
pub(crate) fn cut_before(base: &Url, pieces: &[&str]) -> Url {
    let path = base.path();
    let lower = path.to_ascii_lowercase();
    let at = pieces.iter().filter_map(|piece| lower.find(piece)).min();
    let mut url = base.clone();
    url.set_query(None);
    url.set_fragment(None);
    if let Some(at) = at {
        url.set_path(&format!("{}/", path.get(..at).unwrap_or_default().trim_end_matches('/')));
    }
    url
}

/// Adds parameters to an address.
pub(super) fn with_query(mut url: Url, pairs: &[(&str, &str)]) -> Url {
    url.query_pairs_mut().extend_pairs(pairs);
    url
}

/// Everything of a body up to a limit.
pub(super) fn read_body(body: ResponseBody<'_>, limit: u64) -> Vec<u8> {
    match body {
        ResponseBody::Whole(all) => all.get(..all.len().min(limit as usize)).unwrap_or_default().to_vec(),
        ResponseBody::Stream(stream) => {
            let mut all = Vec::new();
            // What came before a failure is read.
            let _ = stream.take(limit).read_to_end(&mut all);
            all
        }
    }
}

/// Why an answer is no page of a catalogue, by its status alone.
pub(super) fn status_issue(answer: &ProbeResponse<'_>) -> Option<Issue> {
    let status = answer.head.status;
    (status >= 400)
        .then(|| Issue::new("catalogue-refused", format!("the catalogue answered with status {status}")))
}

/// The JSON of an answer.
pub(crate) fn parse_json(answer: ProbeResponse<'_>) -> Result<Value, Issue> {
    if let Some(issue) = status_issue(&answer) {
        return Err(issue);
    }
    let body = read_body(answer.body, PAGE_BYTES);
    let body = body.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&body);
    serde_json::from_slice(body).map_err(|error| {
        let cut = if answer.truncated { "the answer ended early: " } else { "" };
        Issue::new("catalogue-no-json", format!("the catalogue did not answer with JSON: {cut}{error}"))
    })
}

/// What a connector remembers between two pages, as `key=value&key=value`: readable in the frontier and in
/// messages, and stable.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct PageState(Vec<(String, String)>);

impl PageState {
    /// Reads what [`State::write`] wrote; unknown text gives an empty state.
    pub(super) fn parse(text: &str) -> Self {
        Self(form_urlencoded::parse(text.as_bytes()).into_owned().collect())
    }

    pub(super) fn get(&self, key: &str) -> Option<&str> {
        self.0.iter().find(|(k, _)| k == key).map(|(_, v)| v.as_str())
    }

    /// A number, 0 when it is absent.
    pub(super) fn number(&self, key: &str) -> u64 {
        self.get(key).and_then(|v| v.parse().ok()).unwrap_or(0)
    }

    /// With one value set.
    pub(super) fn with_value(mut self, key: &str, value: impl ToString) -> Self {
        self.0.retain(|(k, _)| k != key);
        self.0.push((key.to_owned(), value.to_string()));
        self
    }

    /// Without one value.
    pub(super) fn without_value(mut self, key: &str) -> Self {
        self.0.retain(|(k, _)| k != key);
        self
    }

    pub(super) fn encode(&self) -> String {
        form_urlencoded::Serializer::new(String::new()).extend_pairs(&self.0).finish()
    }
}

/// The key of a state under which the mark of the page before is kept.
const LAST: &str = "last";

/// Pages by offset.
pub(super) struct OffsetPaging {
    pub start: u64,
    pub asked: u64,
    pub got: u64,
    /// What the catalogue says it has. It drifts while it is read, and some count wrongly.
    pub total: Option<u64>,
}

impl OffsetPaging {
    /// Where the next page begins. Servers give fewer records than asked for, so the next page begins
    /// behind what came; a full page beyond the said total is a reason to ask once more.
    pub(super) fn next_offset(&self) -> Option<u64> {
        let next = self.start.saturating_add(self.got);
        if self.got == 0 || next > MAX_RECORDS {
            return None;
        }
        match self.total {
            Some(total) if next == total || next > total && self.got < self.asked => None,
            _ => Some(next),
        }
    }
}

/// Whether a page holds the same records as the one before it: a server that does not move on. Gives the
/// state for the page after it, or an issue.
pub(super) fn check_progress(state: &PageState, records: &[CatalogueRecord]) -> Result<PageState, Issue> {
    let mut hasher = DefaultHasher::new();
    for record in records {
        record.id.hash(&mut hasher);
    }
    let mark = format!("{:016x}", hasher.finish());
    if !records.is_empty() && state.get(LAST) == Some(mark.as_str()) {
        return Err(Issue::new("paging-stuck", "the catalogue gives the same page again and again"));
    }
    Ok(state.clone().with_value(LAST, mark))
}

/// A link to the next page, read as meant: relative, or on a host that only the server itself knows.
pub(super) fn next_link(answered: &Url, raw: &str) -> Option<Url> {
    let raw = raw.trim();
    if raw.is_empty() || raw.len() > MAX_NEXT {
        return None;
    }
    let mut next = answered.join(raw).ok()?;
    if !matches!(next.scheme(), "http" | "https") {
        return None;
    }
    if next.host_str() != answered.host_str() || next.port() != answered.port() {
        next.set_host(answered.host_str()).ok()?;
        // In this order: the port of one scheme may be the default of the other.
        next.set_scheme(answered.scheme()).ok()?;
        next.set_port(answered.port()).ok()?;
    } else if next.scheme() != answered.scheme() {
        next.set_scheme(answered.scheme()).ok()?;
    }
    next.set_fragment(None);
    Some(next)
}

/// An address that only the server itself can reach (`localhost`, `10.0.0.1`, `backend`), with the host that
/// answered instead; any other as it is.
pub(super) fn reachable_url(answered: &Url, raw: &str) -> String {
    let Ok(url) = answered.join(raw) else { return raw.to_owned() };
    let inner = match url.host() {
        Some(url::Host::Domain(name)) => !name.contains('.') || name.rsplit('.').next() == Some("local"),
        Some(url::Host::Ipv4(ip)) => ip.is_loopback() || ip.is_private() || ip.is_link_local(),
        Some(url::Host::Ipv6(ip)) => ip.is_loopback(),
        None => false,
    };
    match next_link(answered, raw).filter(|_| inner && answered.host() != url.host()) {
        Some(repaired) => repaired.into(),
        None => raw.to_owned(),
    }
}

/// The `href` of the first link of a relation in `links`.
pub(super) fn link_href<'v>(doc: &'v Value, rels: &[&str]) -> Option<&'v str> {
    let links = doc.get("links")?.as_array()?;
    rels.iter().find_map(|rel| {
        links
            .iter()
            .find(|link| link.get("rel").and_then(Value::as_str) == Some(*rel))
            .and_then(|link| link.get("href")?.as_str())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> Url {
        Url::parse(text).unwrap()
    }

    #[test]
    fn states_survive_writing() {
        let state =
            PageState::default().with_value("start", 1000).with_value("since", "2026-01-01T00:00:00Z & more");
        assert_eq!(PageState::parse(&state.encode()), state);
        assert_eq!(PageState::parse("start=x").number("start"), 0);
        assert_eq!(PageState::parse("").encode(), "");
    }

    #[test]
    fn offsets_follow_what_came() {
        let next = |start, asked, got, total| OffsetPaging { start, asked, got, total }.next_offset();
        assert_eq!(next(0, 1000, 100, Some(250)), Some(100), "rows are capped");
        assert_eq!(next(200, 1000, 50, Some(250)), None);
        assert_eq!(next(0, 1000, 4, Some(3)), None, "a count that is too small");
        assert_eq!(next(0, 100, 100, Some(50)), Some(100), "a full page beyond the count");
        assert_eq!(next(0, 100, 0, Some(50)), None, "a count that is too large");
        assert_eq!(next(0, 100, 40, None), Some(40));
        assert_eq!(next(MAX_RECORDS, 100, 100, None), None);
    }

    #[test]
    fn a_page_that_comes_again_ends_it() {
        let records = [CatalogueRecord { id: "a".into(), ..CatalogueRecord::default() }];
        let state = check_progress(&PageState::default(), &records).unwrap();
        assert_eq!(check_progress(&state, &records).unwrap_err().code, "paging-stuck");
        assert!(check_progress(&state, &[]).is_ok());
    }

    #[test]
    fn next_links_stay_with_the_server() {
        let at = url("https://x.org/api/items?offset=0");
        for (raw, expected) in [
            ("?offset=10", "https://x.org/api/items?offset=10"),
            ("http://localhost:8080/api/items?offset=10", "https://x.org/api/items?offset=10"),
            ("http://x.org/api/items?offset=10", "https://x.org/api/items?offset=10"),
        ] {
            assert_eq!(next_link(&at, raw).map(String::from).as_deref(), Some(expected), "{raw}");
        }
        assert_eq!(next_link(&at, "ftp://x.org/"), None);
        assert_eq!(next_link(&at, ""), None);
        let at = url("http://x.org:8080/v1.1/");
        assert_eq!(next_link(&at, "https://10.0.0.1/a?b").unwrap().as_str(), "http://x.org:8080/a?b");
    }

    #[test]
    fn inner_hosts_are_replaced() {
        let at = url("https://x.org/");
        assert_eq!(reachable_url(&at, "http://localhost:8080/csw"), "https://x.org/csw");
        assert_eq!(reachable_url(&at, "http://10.1.2.3/csw"), "https://x.org/csw");
        assert_eq!(reachable_url(&at, "https://gis.y.org/csw"), "https://gis.y.org/csw");
    }

    #[test]
    fn bases_are_cut() {
        let cut = |text: &str| cut_before(&url(text), &["/api/3"]).to_string();
        assert_eq!(cut("https://x.org/data/api/3/action/x?y"), "https://x.org/data/");
        assert_eq!(cut("https://x.org/API/3/"), "https://x.org/");
        assert_eq!(url_below(&url("https://x.org/a?b"), "c/d").as_str(), "https://x.org/a/c/d");
    }
}
