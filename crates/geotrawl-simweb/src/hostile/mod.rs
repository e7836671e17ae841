//! Answers that a crawler must survive. Every case is a host of its own, so that each can be tried alone and
//! none is slowed by another's politeness.

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

/// A host that documents point to and nobody may ask.
pub(crate) const CANARY: &str = "canary.hostile.test";

/// One hostile case.
pub(crate) struct CaseForm {
    /// Also the host's first label.
    pub name: &'static str,
    /// Path and query where it bites.
    pub target: &'static str,
    /// How a fetch should end.
    pub expect: &'static str,
    /// Cheap enough to stand in every web.
    pub in_default: bool,
    /// Answers `robots.txt` itself.
    pub in_robots: bool,
    /// Answers the request, which is the n-th (from 0) to this case.
    pub answer: fn(&SiteRequest<'_>, u32) -> SiteReply,
}

/// A case with its count of requests.
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

/// The case in every web.
const fn common(form: CaseForm) -> CaseForm {
    CaseForm { in_default: true, ..form }
}

/// All cases, fresh.
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

/// A short ordinary page.
fn harmless() -> SiteReply {
    SiteReply::html(
        200,
        "<!DOCTYPE html><html><head><title>Harmless</title></head><body><p>Nothing to see.</p></body></html>"
            .to_owned(),
    )
}

/// A raw answer: a head without a length, then acts, then the end of the connection.
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

/// `text` repeated `times` times, sent in pieces of some kilobytes.
fn repeat(text: &str, times: u64) -> ReplyAct {
    let together = (16_384 / text.len().max(1)).max(1) as u64;
    ReplyAct::Repeat(Bytes::from(text.repeat(together as usize)), times.div_ceil(together))
}
