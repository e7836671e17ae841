//! Processes archived responses like fetched ones: the same probe, extraction and verdicts.

use super::http::ArchivedResponse;
use super::members::ArchiveReadError;
use super::scan::{AddressContext, AddressScanner, ArchiveCandidate, BaseUrl};
use super::script_index::is_app_piece;
use super::warc::{RecordKind, WarcRecordHead, WarcRecordReader};
use geotrawl_kinds::extract::{HtmlOptions, KnownPageLookup};
use geotrawl_kinds::probe::{
    CrawlTarget, Finding, Probe, ProbeResponse, ProbeStep, ResponseBody, ResponseClass, ResponseHead,
};
use geotrawl_kinds::urls;
use geotrawl_model::Intent;
use std::io::{self, Read};
use std::panic::{AssertUnwindSafe, catch_unwind};
use url::Url;

/// Media types, by prefix, whose bodies contain neither links nor data.
const MEDIA: &[&str] = &["audio/", "font/", "image/", "text/css", "video/"];

/// Filters links that cannot lead to data, which are most of a page, before they are reported.
struct DataLinkFilter;

impl KnownPageLookup for DataLinkFilter {
    fn page_key(&self, page: &str) -> u128 {
        // Relative addresses cannot be judged here.
        let plain = page.starts_with("http") && !urls::may_lead_to_data(page.as_bytes());
        u128::from(plain)
    }

    fn is_known(&self, key: u128) -> bool {
        key == 1
    }
}

/// What a record turned out to be, besides the candidates it contained.
#[derive(Debug, Default)]
pub struct RecordScan {
    /// A script or document that applications may need.
    pub piece: bool,
    /// A map application. Its candidates are not reported yet, because its code must be read first.
    pub app: Option<Box<(Finding, ResponseHead)>>,
    /// URL of the response, if it can be parsed.
    pub url: Option<Url>,
    /// Why it could not be read.
    pub problem: Option<String>,
}

/// Processes archived responses.
#[derive(Debug, Clone)]
pub struct PageReader {
    /// The crawler's name for `X-Robots-Tag`.
    pub token: String,
    /// Whether to recognise map applications.
    pub apps: bool,
}

impl PageReader {
    /// Processes a record and reports its candidates to `scanner`.
    pub fn read_record(
        &self,
        record: &WarcRecordHead,
        records: &mut WarcRecordReader,
        scanner: &mut AddressScanner,
    ) -> Result<RecordScan, ArchiveReadError> {
        scanner.scan_own_address(&record.uri, &record.date);
        let url = Url::parse(&record.uri).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
        let Some(url) = url else { return Ok(RecordScan::default()) };
        let mut seen = RecordScan { url: Some(url.clone()), ..RecordScan::default() };
        let Some(message) = self.message(record, records, &url)? else { return Ok(seen) };
        if let Some(location) =
            message.location.as_deref().filter(|_| (300..400).contains(&message.head.status))
        {
            let mut base = BaseUrl::new(&record.uri);
            scanner.scan_address(location, AddressContext::Exact, &mut base, &record.date, || {
                ("redirect".into(), String::new())
            });
            return Ok(seen);
        }
        let media_type = message.head.content_type.clone().unwrap_or_default().to_ascii_lowercase();
        if MEDIA.iter().any(|start| media_type.starts_with(start)) && !media_type.starts_with("image/tiff") {
            return Ok(seen);
        }
        seen.piece = message.head.status == 200 && is_app_piece(&url, &media_type);
        // Like a crawl, read scripts only with the pages that use them.
        if geotrawl_kinds::extract::app::is_script(&url, Some(&media_type)).is_some() {
            return Ok(seen);
        }
        // A parser that panics is a bug, but one response must not cost the whole archive.
        let judged = catch_unwind(AssertUnwindSafe(|| self.judge(record, records, &message, &url)));
        match judged {
            Ok(Ok(Some(mut finding))) => {
                if self.apps && finding.app.is_some() {
                    seen.app = Some(Box::new((finding, message.head)));
                } else {
                    finding.app = None;
                    add_finding(&url, &message.head, finding, &record.date, scanner);
                }
            }
            Ok(Ok(None)) => {}
            Ok(Err(fault)) => return Err(fault),
            Err(_) => {
                seen.problem = Some(format!(
                    "{url} could not be read because its parser panicked; please report this bug"
                ));
            }
        }
        Ok(seen)
    }

    fn message(
        &self,
        record: &WarcRecordHead,
        records: &mut WarcRecordReader,
        url: &Url,
    ) -> Result<Option<ArchivedResponse>, ArchiveReadError> {
        let block = records.read_block()?;
        Ok(match record.kind {
            RecordKind::Response => ArchivedResponse::parse(block, url, &self.token),
            _ => Some(ArchivedResponse::from_resource(&record.content_type, url)),
        })
    }

    fn judge(
        &self,
        record: &WarcRecordHead,
        records: &mut WarcRecordReader,
        message: &ArchivedResponse,
        url: &Url,
    ) -> Result<Option<Finding>, ArchiveReadError> {
        let (mut probe, _) = Probe::start(Intent::Page, url.clone());
        let wanted = HtmlOptions { known: Some(&DataLinkFilter), apps: self.apps };
        let truncated = record.truncated;
        let step = if message.is_plain() && !records.is_large() {
            let body = records.read_block()?.get(message.body..).unwrap_or_default();
            probe.handle_response_wanting(
                ProbeResponse { head: &message.head, body: ResponseBody::Whole(body), truncated },
                wanted,
            )
        } else {
            let mut stream = records.block_stream();
            io::copy(&mut (&mut stream).take(message.body as u64), &mut io::sink())?;
            let mut body = message.decode_body(stream);
            probe.handle_response_wanting(
                ProbeResponse { head: &message.head, body: ResponseBody::Stream(&mut body), truncated },
                wanted,
            )
        };
        Ok(match step {
            ProbeStep::Done(finding) => Some(*finding),
            // A page is judged by its single archived response.
            ProbeStep::Ask(_) => None,
        })
    }
}

/// Reports what an archived response proves and what it links to.
pub fn add_finding(
    url: &Url,
    head: &ResponseHead,
    finding: Finding,
    captured: &str,
    scanner: &mut AddressScanner,
) {
    let Finding { resources, targets, verdict, saved, .. } = finding;
    let page = url.to_string();
    let candidate = |target: CrawlTarget| ArchiveCandidate {
        target,
        page: page.clone(),
        captured: captured.to_owned(),
        found: None,
        kind: None,
    };
    if !saved {
        let mut own = Vec::new();
        urls::append_targets(url.clone(), "archive".into(), "", &mut own);
        own.retain(|target| target.intent.is_probe());
        // If the URL does not determine the request, use the original one: a page request.
        let ask =
            own.into_iter().next().unwrap_or_else(|| CrawlTarget::new(url.clone(), Intent::Page, "archive"));
        for found in resources {
            scanner
                .add_candidate(ArchiveCandidate { found: Some(Box::new(found)), ..candidate(ask.clone()) });
        }
    }
    // Links on error pages are useless, but an exception report names its own endpoint.
    if head.status < 400 || verdict == ResponseClass::Exception {
        for target in targets.into_iter().filter(|target| target.intent.is_probe()) {
            scanner.add_candidate(candidate(target));
        }
    }
}
