//! Responses that a crawler must survive. Every case has its own host, so that each can be tested
//! alone and none is delayed by the crawl delay of another.

mod bombs;
mod markup;
mod redirects;
mod transport;

use crate::reply::{ReplyAct, SiteReply};
use crate::request::SiteRequest;
use bytes::Bytes;
use std::sync::atomic::{AtomicU32, Ordering};

/// Domain of the hostile hosts.
pub(crate) const DOMAIN: &str = "hostile.test";

/// A host that documents refer to and that must never be requested.
pub(crate) const CANARY: &str = "canary.hostile.test";

/// One hostile case.
pub(crate) struct CaseForm {
    /// Also the host's first label.
    pub name: &'static str,
    /// Path and query of the hostile response.
    pub target: &'static str,
    /// Expected result of a fetch.
    pub expect: &'static str,
    /// Cheap enough to be part of every web.
    pub in_default: bool,
    /// Answers `robots.txt` itself.
    pub in_robots: bool,
    /// Answers the n-th request (from 0) to this case.
    pub answer: fn(&SiteRequest<'_>, u32) -> SiteReply,
}

/// A case with a request counter.
pub(crate) struct CountedCase {
    pub form: &'static CaseForm,
    hits: AtomicU32,
}

const fn case(
    name: &'static str,
    target: &'static str,
    expect: &'static str,
    answer: fn(&SiteRequest<'_>, u32) -> SiteReply,
) -> CaseForm {
    CaseForm { name, target, expect, in_default: false, in_robots: false, answer }
}

/// Marks a case as part of every web.
const fn common(form: CaseForm) -> CaseForm {
    CaseForm { in_default: true, ..form }
}

/// Returns all cases with new counters.
pub(crate) fn all_cases() -> Vec<CountedCase> {
    [bombs::CASES, markup::CASES, redirects::CASES, transport::CASES]
        .into_iter()
        .flatten()
        .map(|form| CountedCase { form, hits: AtomicU32::new(0) })
        .collect()
}

impl CountedCase {
    pub(crate) fn host_name(&self) -> String {
        format!("{}.{DOMAIN}", self.form.name)
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}{}", self.host_name(), self.form.target)
    }

    pub(crate) fn answer(&self, request: &SiteRequest<'_>) -> SiteReply {
        if request.path() == "/robots.txt" && !self.form.in_robots {
            return SiteReply::not_found();
        }
        (self.form.answer)(request, self.hits.fetch_add(1, Ordering::Relaxed))
    }
}

/// Returns a short ordinary page.
fn harmless() -> SiteReply {
    SiteReply::html(
        200,
        "<!DOCTYPE html><html><head><title>Harmless</title></head><body><p>Nothing to see.</p></body></html>"
            .to_owned(),
    )
}

/// Returns a raw response: a head without a length, then acts, then the end of the connection.
fn unbounded(content_type: &str, headers: &str, mut acts: Vec<ReplyAct>) -> SiteReply {
    let head =
        format!("HTTP/1.1 200 OK\r\nContent-Type: {content_type}\r\n{headers}Connection: close\r\n\r\n");
    acts.insert(0, send(head));
    let mut reply = SiteReply::raw(acts);
    reply.status = 200;
    reply
}

fn send(bytes: impl Into<Bytes>) -> ReplyAct {
    ReplyAct::Send(bytes.into())
}

/// Repeats `text` `times` times, sent in pieces of some kilobytes.
fn repeat(text: &str, times: u64) -> ReplyAct {
    let together = (16_384 / text.len().max(1)).max(1) as u64;
    ReplyAct::Repeat(Bytes::from(text.repeat(together as usize)), times.div_ceil(together))
}
