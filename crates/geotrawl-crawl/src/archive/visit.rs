//! Fetches one address with all its redirects.

use crate::fetch::{FailureClass, FetchError, FetchRequest, GuardedClient, RedirectPolicy};
use bytes::Bytes;
use geotrawl_kinds::probe::ResponseHead;
use jiff::Timestamp;
use url::Url;

/// Maximum number of redirects to follow.
const MOST_HOPS: usize = 10;
/// Maximum number of bytes kept of the body of a redirect or an error.
const SMALL_BODY: u64 = 64 << 10;
const ACCEPT: &str = "text/html, application/xhtml+xml, */*;q=0.8";

/// A response.
#[derive(Debug, Clone)]
pub(super) struct ArchiveAnswer {
    pub url: Url,
    pub at: Timestamp,
    pub ip: Option<String>,
    pub status: u16,
    pub headers: Vec<(String, Vec<u8>)>,
    pub head: ResponseHead,
    pub body: Bytes,
    /// Reason for truncation in WARC terms.
    pub truncated: Option<&'static str>,
}

/// Result of a visit.
#[derive(Debug)]
pub(super) struct ArchiveVisit {
    pub requested: Url,
    /// Redirects, in order.
    pub hops: Vec<ArchiveAnswer>,
    pub outcome: ArchiveVisitOutcome,
}

#[derive(Debug)]
pub(super) enum ArchiveVisitOutcome {
    Found(ArchiveAnswer),
    /// The server answered 404 or 410.
    Gone(ArchiveAnswer),
    /// Could not be fetched this time, and why.
    Failed(String),
}

/// Fetches an address, following redirects.
pub(super) async fn visit_url(
    client: &GuardedClient,
    url: Url,
    max_bytes: u64,
    now: impl Fn() -> Timestamp,
) -> ArchiveVisit {
    let mut hops: Vec<ArchiveAnswer> = Vec::new();
    let mut at = url.clone();
    loop {
        let outcome = fetch_hop(client, at.clone(), max_bytes, &now).await;
        let (answer, location) = match outcome {
            Ok(answered) => answered,
            Err(failure) => {
                return ArchiveVisit {
                    requested: url,
                    hops,
                    outcome: ArchiveVisitOutcome::Failed(failure.message),
                };
            }
        };
        if let Some(next) = location {
            let again = next == at || hops.iter().any(|hop| hop.url == next);
            hops.push(answer);
            if again || hops.len() > MOST_HOPS {
                let reason = "redirect loop, or too many redirects".to_owned();
                return ArchiveVisit { requested: url, hops, outcome: ArchiveVisitOutcome::Failed(reason) };
            }
            at = next;
            continue;
        }
        let outcome = match answer.status {
            200 | 203 => ArchiveVisitOutcome::Found(answer),
            404 | 410 => ArchiveVisitOutcome::Gone(answer),
            status => ArchiveVisitOutcome::Failed(format!("the server answered HTTP {status}")),
        };
        return ArchiveVisit { requested: url, hops, outcome };
    }
}

async fn fetch_hop(
    client: &GuardedClient,
    url: Url,
    max_bytes: u64,
    now: &impl Fn() -> Timestamp,
) -> Result<(ArchiveAnswer, Option<Url>), FetchError> {
    let request = FetchRequest {
        accept: ACCEPT,
        redirects: RedirectPolicy::Manual,
        ..FetchRequest::new(url.clone(), max_bytes)
    };
    let fetched = client.fetch(request).await;
    let status = fetched.head.status;
    let body = fetched.outcome?;
    let limit = if matches!(status, 200 | 203) { max_bytes } else { SMALL_BODY };
    let collected = body.collect(limit).await;
    let truncated = match &collected.truncated {
        None => None,
        Some(failure) if matches!(failure.class, FailureClass::TooLarge | FailureClass::Bomb) => {
            Some("length")
        }
        // Partial content is not archived; the next run may get all of it.
        Some(failure) if matches!(status, 200 | 203) => return Err(failure.clone()),
        Some(_) => Some("disconnect"),
    };
    let headers = fetched
        .headers
        .iter()
        .map(|(name, value)| (name.as_str().to_owned(), value.as_bytes().to_vec()))
        .collect();
    let answer = ArchiveAnswer {
        url: fetched.url,
        at: now(),
        ip: fetched.ip.map(|ip| ip.to_string()),
        status,
        headers,
        head: fetched.head,
        body: collected.bytes,
        truncated,
    };
    Ok((answer, fetched.location))
}
