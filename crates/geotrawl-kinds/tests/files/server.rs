//! In-memory server with the range behaviour of real ones, and the loop that runs a probe against
//! it.

use crate::files::archive::VirtualFile;
use geotrawl_kinds::files::FileProbe;
use geotrawl_kinds::probe::{
    ByteRange, Finding, ProbeRequest, ProbeResponse, ProbeStep, ResponseBody, ResponseHead,
};
use std::collections::HashMap;
use std::io::{self, Read};
use url::Url;

/// How a server treats ranges.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RangeBehaviour {
    Honest,
    /// `Content-Range: bytes 0-9/*`.
    HidesTotal,
    /// 200 and the whole file, with its length.
    IgnoresRanges,
    /// 200 and the whole file, chunked.
    IgnoresRangesHidesLength,
    /// 416 for every suffix range.
    RefusesSuffix,
    /// 206 with a `Content-Range`, but for the whole file from its start.
    SendsTheStart,
    /// 206 without `Content-Range`, and the whole file from its start.
    LiesAboutRanges,
    /// 206 for the first request, 500 for the others.
    BreaksAfterFirst,
    /// 206 for the first request, 200 for the others.
    ForgetsRanges,
    /// A different total each time.
    GrowsWhileRead,
    /// Half of the requested range.
    StopsHalfway,
    /// 416 to everything.
    Refuses,
}

pub const ALL: &[RangeBehaviour] = &[
    RangeBehaviour::Honest,
    RangeBehaviour::HidesTotal,
    RangeBehaviour::IgnoresRanges,
    RangeBehaviour::IgnoresRangesHidesLength,
    RangeBehaviour::RefusesSuffix,
    RangeBehaviour::SendsTheStart,
    RangeBehaviour::LiesAboutRanges,
    RangeBehaviour::BreaksAfterFirst,
    RangeBehaviour::ForgetsRanges,
    RangeBehaviour::GrowsWhileRead,
    RangeBehaviour::StopsHalfway,
    RangeBehaviour::Refuses,
];

pub struct FileServer {
    pub file: VirtualFile,
    pub manners: RangeBehaviour,
    /// Other files of the same server, by path.
    pub siblings: HashMap<String, Vec<u8>>,
    /// Redirect target of the first request.
    pub redirect: Option<Url>,
}

/// Cost of a probe.
#[derive(Debug, Default)]
pub struct TransferCost {
    pub requests: u32,
    pub bytes: u64,
    pub asks: Vec<ProbeRequest>,
}

impl FileServer {
    pub fn new(file: VirtualFile, manners: RangeBehaviour) -> Self {
        Self { file, manners, siblings: HashMap::new(), redirect: None }
    }

    pub fn from_bytes(bytes: &[u8]) -> Self {
        Self::new(VirtualFile::from_bytes(bytes), RangeBehaviour::Honest)
    }
}

/// Reader of a virtual file that counts what is read.
struct CountingFileReader<'a> {
    file: &'a VirtualFile,
    at: u64,
    end: u64,
    read: u64,
}

impl Read for CountingFileReader<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let bytes = self.file.read_range(self.at, self.end.min(self.at + out.len() as u64));
        out[..bytes.len()].copy_from_slice(&bytes);
        self.at += bytes.len() as u64;
        self.read += bytes.len() as u64;
        Ok(bytes.len())
    }
}

/// Runs a probe to its end.
pub fn drive_probe(url: &str, server: &FileServer) -> (Finding, TransferCost) {
    let mut cost = TransferCost::default();
    let url = Url::parse(url).unwrap();
    let (mut probe, first) = FileProbe::start(url.clone());
    let mut ask = first;
    loop {
        cost.requests += 1;
        assert!(cost.requests <= 6, "too many requests: {:?}", cost.asks);
        cost.asks.push(ask.clone());
        let step = if ask.url == url || Some(&ask.url) == server.redirect.as_ref() {
            answer(&mut probe, server, &ask, &mut cost)
        } else {
            let found = server.siblings.get(ask.url.path());
            let head =
                ResponseHead { status: if found.is_some() { 200 } else { 404 }, ..ResponseHead::default() };
            let body = found.map_or(&b"not found"[..], Vec::as_slice);
            let body = &body[..body.len().min(ask.max_bytes as usize)];
            cost.bytes += body.len() as u64;
            probe.handle_response(ProbeResponse {
                head: &head,
                body: ResponseBody::Whole(body),
                truncated: false,
            })
        };
        match step {
            ProbeStep::Ask(next) => ask = *next,
            ProbeStep::Done(finding) => return (*finding, cost),
        }
    }
}

fn answer(
    probe: &mut FileProbe,
    server: &FileServer,
    ask: &ProbeRequest,
    cost: &mut TransferCost,
) -> ProbeStep {
    let total = server.file.len();
    let first = cost.requests == 1;
    let span = match ask.range {
        None => None,
        Some(ByteRange::Span { from, to }) => Some((from, to.min(total.saturating_sub(1)))),
        Some(ByteRange::Suffix(n)) => Some((total.saturating_sub(n), total.saturating_sub(1))),
    };
    let url = server.redirect.clone().or_else(|| Some(ask.url.clone()));
    let mut head = ResponseHead { url, status: 206, total_length: Some(total), ..ResponseHead::default() };
    let mut sent = span.unwrap_or((0, total.saturating_sub(1)));
    let whole = |head: &mut ResponseHead, sent: &mut (u64, u64)| {
        head.status = 200;
        *sent = (0, total.saturating_sub(1));
    };
    match server.manners {
        _ if span.is_none() => whole(&mut head, &mut sent),
        RangeBehaviour::Refuses => head.status = 416,
        _ if span.is_some_and(|(from, to)| from > to || from >= total) => head.status = 416,
        RangeBehaviour::Honest => {}
        RangeBehaviour::HidesTotal => head.total_length = None,
        RangeBehaviour::IgnoresRanges => whole(&mut head, &mut sent),
        RangeBehaviour::IgnoresRangesHidesLength => whole(&mut head, &mut sent),
        RangeBehaviour::RefusesSuffix => {
            if matches!(ask.range, Some(ByteRange::Suffix(_))) {
                head.status = 416;
            }
        }
        RangeBehaviour::SendsTheStart | RangeBehaviour::LiesAboutRanges => sent = (0, total - 1),
        RangeBehaviour::BreaksAfterFirst => {
            if !first {
                head.status = 500;
            }
        }
        RangeBehaviour::ForgetsRanges => {
            if !first {
                whole(&mut head, &mut sent);
            }
        }
        RangeBehaviour::GrowsWhileRead => head.total_length = Some(total + 10 * u64::from(cost.requests)),
        RangeBehaviour::StopsHalfway => sent.1 = sent.0 + (sent.1 - sent.0) / 2,
    }
    if server.manners == RangeBehaviour::IgnoresRangesHidesLength {
        head.total_length = None;
    }
    if head.status == 206 && server.manners != RangeBehaviour::LiesAboutRanges {
        head.served_from = Some(sent.0);
    }
    let failed = matches!(head.status, 416 | 500);
    if failed {
        return probe.handle_response(ProbeResponse {
            head: &head,
            body: ResponseBody::Whole(b"error"),
            truncated: false,
        });
    }
    let length = if total == 0 { 0 } else { sent.1 + 1 - sent.0 };
    let cut = length > ask.max_bytes || server.manners == RangeBehaviour::StopsHalfway;
    let end = sent.0 + length.min(ask.max_bytes);
    let mut stream = CountingFileReader { file: &server.file, at: sent.0, end, read: 0 };
    let step = probe.handle_response(ProbeResponse {
        head: &head,
        body: ResponseBody::Stream(&mut stream),
        truncated: cut,
    });
    // Everything within the limit travels over the network, whether it is read or not.
    cost.bytes += end - sent.0;
    step
}
