//! Records the requests of a page, merging the two kinds of events that the browser sends.
//!
//! A request is announced with its initiator, and paused for our decision, in either order. Some
//! requests cause only one of these events.

use super::result::{PageRequest, RequestHandling, RequestInitiator};
use serde_json::Value;
use std::collections::{HashMap, HashSet};
use url::Url;

/// Most bytes kept of a posted body.
const POSTED: usize = 4096;
/// Longer URLs are ignored, because they could not be requested anyway.
const ADDRESS: usize = 16 * 1024;

/// The requests of one page, up to a limit.
pub(super) struct PageRequests {
    most: usize,
    seen: Vec<RequestEntry>,
    by_id: HashMap<String, usize>,
    under_way: HashSet<String>,
    full: bool,
}

struct RequestEntry {
    seen: PageRequest,
    /// Which of the two events has been seen.
    announced: bool,
    paused: bool,
    frame: String,
}

impl PageRequests {
    pub fn new(most: usize) -> Self {
        Self { most, seen: Vec::new(), by_id: HashMap::new(), under_way: HashSet::new(), full: false }
    }

    /// Records an announcement (`Network.requestWillBeSent`).
    pub fn record_announced(&mut self, body: &Value) {
        let id = text(&body["requestId"]);
        if let (Some(at), Some(status)) = (self.by_id.get(&id), body["redirectResponse"]["status"].as_u64()) {
            self.seen[*at].seen.status = u16::try_from(status).ok();
        }
        let Some(entry) = self.entry(&id, &body["request"], |entry| entry.announced) else { return };
        entry.announced = true;
        entry.frame = text(&body["frameId"]);
        entry.seen.initiator = initiator(&body["initiator"]);
        if let Some(kind) = body["type"].as_str() {
            kind.clone_into(&mut entry.seen.resource_type);
        }
        self.under_way.insert(id);
    }

    /// Records a paused request (`Fetch.requestPaused`). Returns
    /// `false` if there are too many requests.
    pub fn record_paused(&mut self, id: &str, body: &Value, handling: RequestHandling) -> bool {
        let kind = body["resourceType"].as_str().unwrap_or_default();
        match self.entry(id, &body["request"], |entry| entry.paused) {
            Some(entry) => {
                entry.paused = true;
                entry.frame = text(&body["frameId"]);
                entry.seen.handling = handling;
                if entry.seen.resource_type.is_empty() {
                    kind.clone_into(&mut entry.seen.resource_type);
                }
                true
            }
            None => !self.full,
        }
    }

    /// Records the decision on a request that had to wait.
    pub fn record_decision(&mut self, id: &str, handling: RequestHandling) {
        if let Some(entry) = self.by_id.get(id).and_then(|at| self.seen.get_mut(*at)) {
            entry.seen.handling = handling;
        }
    }

    /// Records a response (`Network.responseReceived`).
    pub fn record_response(&mut self, body: &Value) {
        let status = body["response"]["status"].as_u64().and_then(|status| u16::try_from(status).ok());
        if let Some(entry) =
            body["requestId"].as_str().and_then(|id| self.by_id.get(id)).and_then(|at| self.seen.get_mut(*at))
        {
            entry.seen.status = status;
        }
    }

    /// Records that a request has ended.
    pub fn record_finished(&mut self, id: &str) {
        self.under_way.remove(id);
    }

    /// Returns the number of announced requests that have not ended.
    pub fn pending_count(&self) -> usize {
        self.under_way.len()
    }

    /// Whether there were more requests than are recorded.
    pub fn is_full(&self) -> bool {
        self.full
    }

    /// Returns the status of the main frame's document.
    pub fn status_of_page(&self, frame: &str, url: &str) -> Option<u16> {
        let url = url.split('#').next().unwrap_or_default();
        let documents =
            self.seen.iter().filter(|entry| entry.seen.resource_type == "Document" && entry.frame == frame);
        documents.rev().find(|entry| entry.seen.url == url)?.seen.status
    }

    /// Returns why the last document was blocked, if it was.
    pub fn refused_document(&self) -> Option<&'static str> {
        let last = self.seen.iter().rev().find(|entry| entry.seen.resource_type == "Document")?;
        match last.seen.handling {
            RequestHandling::Refused(reason) => Some(reason),
            _ => None,
        }
    }

    /// Takes all requests, leaving the record empty.
    pub fn take_requests(&mut self) -> Vec<PageRequest> {
        self.by_id.clear();
        std::mem::take(&mut self.seen).into_iter().map(|entry| entry.seen).collect()
    }

    /// Returns the entry that still misses this event, or a new one:
    /// redirects reuse the id of their request.
    fn entry(
        &mut self,
        id: &str,
        request: &Value,
        told: impl Fn(&RequestEntry) -> bool,
    ) -> Option<&mut RequestEntry> {
        let url = request["url"].as_str()?;
        if url.len() > ADDRESS || !is_remote(url) {
            return None;
        }
        let url = url.split('#').next().unwrap_or_default();
        let known = self
            .by_id
            .get(id)
            .copied()
            .filter(|at| self.seen.get(*at).is_some_and(|entry| entry.seen.url == url && !told(entry)));
        let at = if let Some(at) = known {
            at
        } else {
            if self.seen.len() >= self.most {
                self.full = true;
                return None;
            }
            self.seen.push(new_entry(url, request));
            self.by_id.insert(id.to_owned(), self.seen.len() - 1);
            self.seen.len() - 1
        };
        let entry = self.seen.get_mut(at)?;
        if entry.seen.post_data.is_none() {
            entry.seen.post_data = posted(request);
        }
        Some(entry)
    }
}

fn new_entry(url: &str, request: &Value) -> RequestEntry {
    let headers = request["headers"].as_object();
    let range = headers.and_then(|all| all.iter().find(|(name, _)| name.eq_ignore_ascii_case("range")));
    let seen = PageRequest {
        url: url.to_owned(),
        method: text(&request["method"]),
        range: range.and_then(|(_, value)| value.as_str()).map(str::to_owned),
        ..PageRequest::default()
    };
    RequestEntry { seen, announced: false, paused: false, frame: String::new() }
}

fn posted(request: &Value) -> Option<String> {
    let mut data = request["postData"].as_str()?.to_owned();
    data.truncate(data.floor_char_boundary(POSTED));
    Some(data)
}

/// Whether the request leaves the browser.
fn is_remote(url: &str) -> bool {
    let scheme = url.split(':').next().unwrap_or_default();
    !matches!(scheme, "data" | "blob" | "about") && Url::parse(url).is_ok()
}

/// Returns the innermost function with a URL, in the call itself or in what caused it.
fn initiator(value: &Value) -> Option<RequestInitiator> {
    let mut stack = &value["stack"];
    // Asynchronous calls link to their cause as parent stack; a few levels are enough.
    for _ in 0..8 {
        let frames = stack["callFrames"].as_array().map(Vec::as_slice).unwrap_or_default();
        if let Some(found) = frames.iter().find_map(place) {
            return Some(found);
        }
        stack = &stack["parent"];
    }
    place(value)
}

fn place(value: &Value) -> Option<RequestInitiator> {
    let url = value["url"].as_str().filter(|url| !url.is_empty() && url.len() <= ADDRESS)?;
    // The browser counts from 0.
    let number = |name: &str| {
        value[name].as_f64().map_or(0, |number| number.clamp(0.0, f64::from(u32::MAX - 1)) as u32 + 1)
    };
    Some(RequestInitiator { url: url.to_owned(), line: number("lineNumber"), column: number("columnNumber") })
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn told(id: &str, url: &str) -> Value {
        json!({ "requestId": id, "frameId": "F", "type": "Fetch", "resourceType": "Fetch",
                "request": { "url": url, "method": "GET", "headers": { "rAnGe": "bytes=0-9" } } })
    }

    #[test]
    fn both_ways_of_telling_are_one_request_and_redirects_are_more() {
        for first_announced in [true, false] {
            let mut record = PageRequests::new(10);
            for (hop, url) in ["http://a.test/#x", "http://b.test/"].into_iter().enumerate() {
                let mut announced = told("1", url);
                if hop > 0 {
                    announced["redirectResponse"] = json!({ "status": 302 });
                }
                if first_announced {
                    record.record_announced(&announced);
                }
                assert!(record.record_paused("1", &told("1", url), RequestHandling::Passed));
                if !first_announced {
                    record.record_announced(&announced);
                }
            }
            record.record_response(&json!({ "requestId": "1", "response": { "status": 200 } }));
            assert_eq!(record.pending_count(), 1);
            record.record_finished("1");
            assert_eq!(record.pending_count(), 0);
            let seen = record.take_requests();
            let told: Vec<_> = seen.iter().map(|seen| (seen.url.as_str(), seen.range.as_deref())).collect();
            assert_eq!(told, [("http://a.test/", Some("bytes=0-9")), ("http://b.test/", Some("bytes=0-9"))]);
            assert_eq!(seen[1].status, Some(200));
            assert_eq!(seen[0].status, first_announced.then_some(302));
        }
    }

    #[test]
    fn the_record_is_bounded_and_reads_anything() {
        let mut record = PageRequests::new(2);
        for odd in [json!(null), json!({ "request": 7 }), told("x", "data:,x"), told("y", "not an address")] {
            record.record_announced(&odd);
            assert!(record.record_paused("x", &odd, RequestHandling::Passed));
            record.record_response(&odd);
        }
        for n in 0..5 {
            let url = format!("http://a.test/{n}");
            assert_eq!(
                record.record_paused(&n.to_string(), &told("", &url), RequestHandling::Stubbed),
                n < 2
            );
        }
        assert!(record.is_full());
        assert_eq!(record.take_requests().len(), 2);
    }

    #[test]
    fn the_initiator_is_the_innermost_function_with_an_address() {
        let value = json!({ "type": "script", "stack": { "callFrames": [{ "url": "" }], "parent": {
            "callFrames": [{ "url": "http://a.test/app.js", "lineNumber": 4, "columnNumber": -3.5 }] } } });
        let expected = RequestInitiator { url: "http://a.test/app.js".to_owned(), line: 5, column: 1 };
        assert_eq!(initiator(&value), Some(expected));
        assert_eq!(initiator(&json!({ "type": "other" })), None);
    }
}
