//! A simulated server with canned replies, and the exchange with it.

use geotrawl_kinds::probe::{ProbeResponse, ResponseBody, ResponseHead};
use geotrawl_model::{CheckFailure, Phases, Resource};
use geotrawl_trust::check::{
    CheckOptions, CheckOutcome, CheckSession, FetchedResponse, MOST_REQUESTS, PendingRequest, SessionStep,
};
use std::collections::BTreeMap;
use url::Url;

/// The result of a request.
#[derive(Debug, Clone, Default)]
pub struct CannedReply {
    pub status: u16,
    pub headers: BTreeMap<String, String>,
    pub body: Vec<u8>,
    pub redirects: Vec<(u16, String)>,
    pub failure: Option<CheckFailure>,
    pub millis: u32,
    pub cut: bool,
    pub streamed: bool,
}

impl CannedReply {
    pub fn ok(body: impl Into<Vec<u8>>) -> Self {
        Self { status: 200, body: body.into(), millis: 50, ..Self::default() }
    }

    pub fn status(status: u16, body: impl Into<Vec<u8>>) -> Self {
        Self { status, ..Self::ok(body) }
    }

    pub fn failure(class: &str) -> Self {
        let failure = CheckFailure { class: class.to_owned(), message: format!("It failed: {class}.") };
        Self { failure: Some(failure), ..Self::default() }
    }

    pub fn with_header(mut self, name: &str, value: &str) -> Self {
        self.headers.insert(name.to_owned(), value.to_owned());
        self
    }

    pub fn with_redirect(mut self, status: u16, to: &str) -> Self {
        self.redirects.push((status, to.to_owned()));
        self
    }

    pub fn with_delay(mut self, millis: u32) -> Self {
        self.millis = millis;
        self
    }

    pub fn cut(mut self) -> Self {
        self.cut = true;
        self
    }

    pub fn streamed(mut self) -> Self {
        self.streamed = true;
        self
    }
}

/// Checks a resource; returns the check and all its requests.
pub fn run_check(
    known: &Resource,
    options: &CheckOptions,
    mut server: impl FnMut(&PendingRequest) -> CannedReply,
) -> (CheckOutcome, Vec<PendingRequest>) {
    let (mut session, mut wanted) = CheckSession::start(known, options);
    let mut asked = Vec::new();
    loop {
        asked.push(wanted.clone());
        assert!(asked.len() <= MOST_REQUESTS, "{}: {asked:#?}", known.kind);
        let reply = server(&wanted);
        match hear(&mut session, &wanted, reply) {
            SessionStep::Ask(next) => wanted = *next,
            SessionStep::Done(checked) => return (*checked, asked),
        }
    }
}

fn hear(session: &mut CheckSession, wanted: &PendingRequest, reply: CannedReply) -> SessionStep {
    let at = jiff::Timestamp::UNIX_EPOCH;
    let CannedReply { status, mut headers, mut body, redirects, failure, millis, cut, streamed } = reply;
    let mut status = status;
    let whole = body.len() as u64;
    let range = match wanted.ask.range {
        Some(geotrawl_kinds::probe::ByteRange::Span { from, to })
            if headers.contains_key("accept-ranges") =>
        {
            Some((from, to))
        }
        _ => None,
    };
    if let Some((from, to)) = range {
        status = 206;
        body = body.into_iter().skip(from as usize).take((to - from + 1) as usize).collect();
    }
    body.truncate(wanted.ask.max_bytes as usize);
    let url =
        redirects.last().and_then(|(_, to)| Url::parse(to).ok()).unwrap_or_else(|| wanted.ask.url.clone());
    let head = ResponseHead {
        url: Some(url),
        status,
        content_type: headers.get("content-type").cloned(),
        total_length: (failure.is_none()).then_some(whole),
        served_from: range.map(|(from, _)| from),
        ..ResponseHead::default()
    };
    headers.remove("accept-ranges");
    let count = body.len() as u64;
    let hash = format!("{count:064x}");
    let truncated = cut || count < whole && range.is_none();
    let mut stream = body.as_slice();
    let answer = match failure {
        Some(failed) => Err(failed),
        None if streamed => {
            Ok(ProbeResponse { head: &head, body: ResponseBody::Stream(&mut stream), truncated })
        }
        None => Ok(ProbeResponse { head: &head, body: ResponseBody::Whole(&body), truncated }),
    };
    let phases = Phases { first_byte: millis, total: millis + 20, ..Phases::default() };
    session.handle_response(FetchedResponse {
        at,
        ip: None,
        phases,
        redirects,
        headers,
        answer,
        read: Box::new(move || (count, hash)),
    })
}

/// Returns a server that replies with the first page whose key occurs in the address.
pub fn serve_pages(pages: Vec<(&'static str, CannedReply)>) -> impl FnMut(&PendingRequest) -> CannedReply {
    move |wanted| {
        let address = wanted.ask.url.as_str();
        let found = pages.iter().find(|(part, _)| part.split('&').all(|part| address.contains(part)));
        found.map_or_else(|| CannedReply::status(404, "no such thing"), |(_, reply)| reply.clone())
    }
}

/// Returns a resource as known before a check.
pub fn known_resource(kind: &str, url: &str) -> Resource {
    Resource { kind: kind.to_owned(), url: url.to_owned(), ..Resource::default() }
}
