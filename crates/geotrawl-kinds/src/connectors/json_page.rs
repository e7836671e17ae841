//! Shared by the JSON connectors: reading one page within limits, state between pages, loop
//! detection.

use crate::probe::{ProbeRequest, ProbeResponse, ResponseBody};
use geotrawl_model::{CatalogueRecord, Issue};
use serde_json::Value;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Read;
use url::{Url, form_urlencoded};

/// Maximum number of bytes read of one page.
pub(super) const PAGE_BYTES: u64 = 32 << 20;
/// `Accept` header of all JSON connectors.
pub(super) const ACCEPT: &str = "application/json, */*;q=0.5";
/// Maximum number of records per catalogue, in case a server generates them endlessly.
const MAX_RECORDS: u64 = 20_000_000;
/// Maximum length of a link to the next page.
const MAX_NEXT: usize = 4096;

/// Builds the request for one page.
pub(super) fn page_request(url: Url) -> ProbeRequest {
    ProbeRequest::get(url, ACCEPT, PAGE_BYTES)
}

/// Appends `path` to the path of `base`, whether or not that ends with a slash, and drops the
/// query.
pub(super) fn url_below(base: &Url, path: &str) -> Url {
    let mut url = base.clone();
    url.set_query(None);
    url.set_fragment(None);
    let joined = format!("{}/{}", base.path().trim_end_matches('/'), path.trim_start_matches('/'));
    url.set_path(&joined);
    url
}

/// Cuts the path of `base` before the first of these pieces (in lower case): `/data/api/3/action/x`
/// becomes `/data/` for `/api/3`.
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

/// Adds query parameters to a URL.
pub(super) fn with_query(mut url: Url, pairs: &[(&str, &str)]) -> Url {
    url.query_pairs_mut().extend_pairs(pairs);
    url
}

/// Reads a body into memory, up to a limit.
pub(super) fn read_body(body: ResponseBody<'_>, limit: u64) -> Vec<u8> {
    match body {
        ResponseBody::Whole(all) => all.get(..all.len().min(limit as usize)).unwrap_or_default().to_vec(),
        ResponseBody::Stream(stream) => {
            let mut all = Vec::new();
            // After a read error, the bytes received so far are still used.
            let _ = stream.take(limit).read_to_end(&mut all);
            all
        }
    }
}

/// Returns an issue if the status shows that the response is not a page of a catalogue.
pub(super) fn status_issue(answer: &ProbeResponse<'_>) -> Option<Issue> {
    let status = answer.head.status;
    (status >= 400)
        .then(|| Issue::new("catalogue-refused", format!("the catalogue responded with status {status}")))
}

/// Parses a response as JSON.
pub(crate) fn parse_json(answer: ProbeResponse<'_>) -> Result<Value, Issue> {
    if let Some(issue) = status_issue(&answer) {
        return Err(issue);
    }
    let body = read_body(answer.body, PAGE_BYTES);
    let body = body.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&body);
    serde_json::from_slice(body).map_err(|error| {
        let cut = if answer.truncated { "the response ended early: " } else { "" };
        Issue::new("catalogue-no-json", format!("the response is not JSON: {cut}{error}"))
    })
}

/// What a connector remembers between two pages, encoded as `key=value&key=value`: stable, and
/// readable in the frontier and in messages.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct PageState(Vec<(String, String)>);

impl PageState {
    /// Parses what [`PageState::encode`] wrote; unknown text gives an empty state.
    pub(super) fn parse(text: &str) -> Self {
        Self(form_urlencoded::parse(text.as_bytes()).into_owned().collect())
    }

    pub(super) fn get(&self, key: &str) -> Option<&str> {
        self.0.iter().find(|(k, _)| k == key).map(|(_, v)| v.as_str())
    }

    /// Returns a number, or 0 if it is missing.
    pub(super) fn number(&self, key: &str) -> u64 {
        self.get(key).and_then(|v| v.parse().ok()).unwrap_or(0)
    }

    /// Sets a value.
    pub(super) fn with_value(mut self, key: &str, value: impl ToString) -> Self {
        self.0.retain(|(k, _)| k != key);
        self.0.push((key.to_owned(), value.to_string()));
        self
    }

    /// Removes a value.
    pub(super) fn without_value(mut self, key: &str) -> Self {
        self.0.retain(|(k, _)| k != key);
        self
    }

    pub(super) fn encode(&self) -> String {
        form_urlencoded::Serializer::new(String::new()).extend_pairs(&self.0).finish()
    }
}

/// Key for the hash of the previous page.
const LAST: &str = "last";

/// Paging by offset.
pub(super) struct OffsetPaging {
    pub start: u64,
    pub asked: u64,
    pub got: u64,
    /// Total stated by the catalogue. It may change during the harvest, and some servers miscount.
    pub total: Option<u64>,
}

impl OffsetPaging {
    /// Returns the offset of the next page. Servers may return fewer records than requested, so the
    /// next page starts after those received; a full page beyond the stated total is a reason to
    /// request one more.
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

/// Detects a server that returns the same page again. Returns the state for the page after this
/// one, or an issue.
pub(super) fn check_progress(state: &PageState, records: &[CatalogueRecord]) -> Result<PageState, Issue> {
    let mut hasher = DefaultHasher::new();
    for record in records {
        record.id.hash(&mut hasher);
    }
    let mark = format!("{:016x}", hasher.finish());
    if !records.is_empty() && state.get(LAST) == Some(mark.as_str()) {
        return Err(Issue::new("paging-stuck", "the catalogue returns the same page repeatedly"));
    }
    Ok(state.clone().with_value(LAST, mark))
}

/// Resolves the link to the next page: it may be relative, or name a host that only the server
/// itself knows.
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
        // Set the scheme before the port: the port of one scheme may be the default of the other.
        next.set_scheme(answered.scheme()).ok()?;
        next.set_port(answered.port()).ok()?;
    } else if next.scheme() != answered.scheme() {
        next.set_scheme(answered.scheme()).ok()?;
    }
    next.set_fragment(None);
    Some(next)
}

/// Replaces the host of a URL that only the server itself can reach (`localhost`, `10.0.0.1`,
/// `backend`) by the host that responded; returns any other URL unchanged.
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

/// Returns the `href` of the first link with one of these relations in `links`.
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
