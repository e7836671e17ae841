//! In-memory server, and the loop that runs a probe against it.

use geotrawl_kinds::files::FileProbe;
use geotrawl_kinds::probe::{
    ByteRange, Finding, ProbeRequest, ProbeResponse, ProbeStep, ResponseBody, ResponseHead,
};
use geotrawl_model::Resource;
use std::io::{self, Read};
use url::Url;

/// Cost of a probe.
#[derive(Debug, Default)]
pub struct ProbeCost {
    pub requests: u32,
    pub bytes: u64,
    pub asks: Vec<ProbeRequest>,
}

/// File that is never materialised: a beginning followed by a repeated piece.
pub struct RepeatedFile {
    pub start: Vec<u8>,
    pub piece: Vec<u8>,
    pub total: u64,
}

impl RepeatedFile {
    pub fn from_bytes(bytes: &[u8]) -> Self {
        Self { start: bytes.to_vec(), piece: Vec::new(), total: bytes.len() as u64 }
    }

    fn byte(&self, at: u64) -> u8 {
        let behind = match self.start.get(at as usize) {
            Some(byte) => return *byte,
            None => at - self.start.len() as u64,
        };
        if self.piece.is_empty() { 0 } else { self.piece[(behind % self.piece.len() as u64) as usize] }
    }
}

struct RepeatedFileReader<'a> {
    file: &'a RepeatedFile,
    at: u64,
    end: u64,
}

impl Read for RepeatedFileReader<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let n = out.len().min((self.end - self.at) as usize);
        for slot in &mut out[..n] {
            *slot = self.file.byte(self.at);
            self.at += 1;
        }
        Ok(n)
    }
}

/// Runs a probe. Each bit of `manners` says whether the server supports the range of one request.
pub fn drive_probe(url: &str, file: &RepeatedFile, manners: u8) -> (Finding, ProbeCost) {
    let url = Url::parse(url).unwrap();
    let (mut probe, mut ask) = FileProbe::start(url.clone());
    let mut cost = ProbeCost::default();
    loop {
        let honest = manners >> (cost.requests % 8) & 1 == 0;
        cost.requests += 1;
        assert!(cost.requests <= 6, "too many requests: {:?}", cost.asks);
        cost.asks.push(ask.clone());
        let total = file.total;
        let (status, from, to) = match ask.range {
            _ if ask.url != url => (404, 0, 0),
            Some(ByteRange::Span { from, .. }) if honest && from >= total => (416, 0, 0),
            Some(ByteRange::Span { from, to }) if honest => (206, from, (to + 1).min(total)),
            Some(ByteRange::Suffix(n)) if honest => (206, total.saturating_sub(n), total),
            _ => (200, 0, total),
        };
        let end = to.min(from + ask.max_bytes);
        cost.bytes += end - from;
        let head = ResponseHead {
            status,
            total_length: Some(total).filter(|_| status != 404 && manners & 0x40 == 0),
            served_from: (status == 206).then_some(from),
            ..ResponseHead::default()
        };
        let mut stream = RepeatedFileReader { file, at: from, end };
        let answer =
            ProbeResponse { head: &head, body: ResponseBody::Stream(&mut stream), truncated: end < to };
        match probe.handle_response(answer) {
            ProbeStep::Ask(next) => ask = *next,
            ProbeStep::Done(finding) => return (*finding, cost),
        }
    }
}

/// Returns the resource of a file on a well-behaved server.
pub fn probe_record(name: &str, bytes: &[u8]) -> Option<Resource> {
    let (finding, _) =
        drive_probe(&format!("https://data.example.org/{name}"), &RepeatedFile::from_bytes(bytes), 0);
    finding.resources.into_iter().next().map(|found| found.resource)
}

/// Returns the box, rounded to a thousandth of a degree.
pub fn rounded_bbox(resource: &Resource) -> Option<[f64; 4]> {
    let bbox: [f64; 4] = resource.bbox?.into();
    Some(bbox.map(|v| (v * 1000.0).round() / 1000.0))
}
