//! Harvests OAI-PMH: `ListRecords` in the richest format that the repository offers.
//!
//! State: `as` (metadata prefix), `token` (resumption token), `from` (first date requested), `day`
//! (the repository supports only whole days), `last` (newest datestamp so far, as long as they
//! ascend), `before` and `start` (hashes of the previous and the first page), `plain` (pages so far
//! without anything geospatial), `both` (the prefix must be sent with the token).

use super::state::{StateFields, page_mark};
use super::{CataloguePage, Connector, ConnectorDoc};
use crate::formats::records::{RecordFormat, ensure_id, read_record};
use crate::formats::xml::{XmlEvent, XmlReader, charset_parameter};
use crate::probe::{ProbeRequest, ProbeResponse, ResponseBody};
use crate::urls;
use geotrawl_model::{CatalogueRecord, Issue};
use std::io::Read;
use url::Url;

/// OAI-PMH 2.0.
pub struct OaiPmhConnector;

static DOC: ConnectorDoc = ConnectorDoc {
    id: "oai-pmh",
    name: "OAI-PMH",
    what: "Reads the records of a repository as ISO 19139, ISO 19115-3, DIF, FGDC, csw:Record or Dublin Core, \
           whichever it has first in this order, by resumption tokens. Deleted records are reported. A repository \
           with only Dublin Core is abandoned after three pages without a location or a service.",
    specification: "https://www.openarchives.org/OAI/openarchivesprotocol.html",
    kinds: &["oai-pmh"],
    incremental: true,
};

const ACCEPT: &str = "text/xml, application/xml;q=0.9, */*;q=0.5";
const MAX_BYTES: u64 = 64 << 20;
/// Number of pages without anything geospatial after which a repository is abandoned.
const PLAIN_PAGES: u64 = 3;
/// Maximum number of restarts after expired tokens, and of consecutive pages without records.
const RESTARTS: u64 = 3;
const MOST: usize = 20_000;

/// Formats by a part of their namespace or prefix, richest first.
const FORMATS: &[&str] = &[
    "isotc211.org/2005/gm",
    "iso19139",
    "19115/-3",
    "iso19115-3",
    "/dif",
    "fgdc",
    "cat/csw",
    "csw-record",
    "oai_dc",
];

#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct OaiState {
    prefix: Option<String>,
    token: Option<String>,
    from: Option<String>,
    day: bool,
    last: Option<String>,
    descends: bool,
    before: Option<u64>,
    plain: Option<u64>,
    restarts: u64,
    /// The repository requires the prefix with the token, contrary to the protocol.
    both: bool,
    /// Hash of the first page, since tokens may lead in a circle.
    start: Option<u64>,
}

impl OaiState {
    fn parse(state: &str) -> Self {
        let fields = StateFields::parse(state);
        let text = |key: &str| fields.get(key).map(str::to_owned);
        Self {
            prefix: text("as"),
            token: text("token"),
            from: text("from"),
            day: fields.get("day").is_some(),
            last: text("last"),
            descends: fields.get("unsorted").is_some(),
            before: fields.number_value("before"),
            plain: fields.number_value("plain"),
            restarts: fields.number_value("restarts").unwrap_or(0),
            both: fields.get("both").is_some(),
            start: fields.number_value("start"),
        }
    }

    fn text(&self) -> String {
        let mut fields = StateFields::default();
        fields.put_optional("as", self.prefix.as_deref());
        fields.put_optional("from", self.from.as_deref());
        fields.put_optional("last", self.last.as_deref());
        for (set, key) in [(self.day, "day"), (self.descends, "unsorted"), (self.both, "both")] {
            if set {
                fields.put_value(key, 1);
            }
        }
        fields.put_optional("start", self.start);
        fields.put_optional("before", self.before);
        fields.put_optional("plain", self.plain);
        if self.restarts > 0 {
            fields.put_value("restarts", self.restarts);
        }
        fields.put_optional("token", self.token.as_deref());
        // The empty state means the beginning, so this one must not be empty.
        if self == &Self::default() {
            fields.put_value("formats", 1);
        }
        fields.to_string()
    }
}

impl Connector for OaiPmhConnector {
    fn doc(&self) -> &'static ConnectorDoc {
        &DOC
    }

    fn page_request(&self, at: &Url, state: &str, since: Option<&str>) -> ProbeRequest {
        let mut now = OaiState::parse(state);
        // Only the request remembers a date from the first page on, so request records right away.
        if state.is_empty() && since.is_some() {
            now.prefix = Some("iso19139".to_owned());
            now.from = since.map(str::to_owned);
        }
        let from =
            now.from.as_deref().map(|from| if now.day { from.get(..10).unwrap_or(from) } else { from });
        let from = from.map(seconds);
        let mut params = Vec::new();
        match (&now.token, &now.prefix) {
            (Some(token), prefix) => {
                params.extend([("verb", "ListRecords"), ("resumptionToken", token.as_str())]);
                params.extend(prefix.as_deref().filter(|_| now.both).map(|p| ("metadataPrefix", p)));
            }
            (None, Some(prefix)) => {
                params.extend([("verb", "ListRecords"), ("metadataPrefix", prefix.as_str())]);
                params.extend(from.as_deref().map(|from| ("from", from)));
            }
            (None, None) => params.push(("verb", "ListMetadataFormats")),
        }
        ProbeRequest::get(urls::with_params(&urls::endpoint_url(at), &params), ACCEPT, MAX_BYTES)
    }

    fn parse_page(&self, _at: &Url, state: &str, answer: ProbeResponse<'_>) -> CataloguePage {
        let mut now = OaiState::parse(state);
        if state.is_empty()
            && let Some(asked) = &answer.head.url
        {
            let value = |name: &str| {
                asked.query_pairs().find(|(key, _)| key == name).map(|(_, value)| value.into_owned())
            };
            (now.prefix, now.from) = (value("metadataPrefix"), value("from"));
        }
        let charset = answer.head.content_type.as_deref().and_then(charset_parameter);
        let mut listed = match answer.body {
            ResponseBody::Whole(mut bytes) => ListResponse::read(&mut bytes, charset),
            ResponseBody::Stream(stream) => ListResponse::read(stream, charset),
        };
        listed.cut |= answer.truncated;
        if let Some(code) = listed.error.take() {
            return refused(now, &code);
        }
        if !listed.protocol {
            let message = format!("the response (status {}) is not OAI-PMH", answer.head.status);
            return CataloguePage {
                failure: Some(Issue::new("oai-no-answer", message)),
                ..CataloguePage::default()
            };
        }
        if now.prefix.is_none() && now.token.is_none() {
            return choose(now, &listed.formats);
        }
        follow(now, listed)
    }
}

/// Removes fractions of seconds, which are not allowed.
fn seconds(time: &str) -> String {
    match (time.get(..19), time.get(19..)) {
        (Some(head), Some(_)) if time.contains('T') => format!("{head}Z"),
        _ => time.to_owned(),
    }
}

fn choose(now: OaiState, formats: &[(String, String)]) -> CataloguePage {
    let rank = |(prefix, namespace): &(String, String)| {
        FORMATS
            .iter()
            .position(|known| namespace.contains(known) || prefix.to_ascii_lowercase().contains(known))
    };
    let best =
        formats.iter().filter_map(|format| rank(format).map(|rank| (rank, format))).min_by_key(|(r, _)| *r);
    // Dublin Core is mandatory, whatever the list says.
    let prefix = best.map_or_else(|| "oai_dc".to_owned(), |(_, (prefix, _))| prefix.clone());
    let plain = (prefix == "oai_dc").then_some(0);
    let next = OaiState { prefix: Some(prefix), plain, ..now };
    CataloguePage { next: vec![next.text()], ..CataloguePage::default() }
}

/// Handles a protocol error.
fn refused(mut now: OaiState, code: &str) -> CataloguePage {
    let issue = |code: &'static str, message: &str| vec![Issue::new(code, message)];
    match code {
        "noRecordsMatch" => CataloguePage::default(),
        "cannotDisseminateFormat" if now.prefix.as_deref() != Some("oai_dc") => {
            let known = now.prefix.as_deref().is_some_and(|p| p != "iso19139");
            now.prefix = known.then(|| "oai_dc".to_owned());
            now.plain = known.then_some(0);
            let next = if now == OaiState::default() { "formats=1".to_owned() } else { now.text() };
            CataloguePage { next: vec![next], ..CataloguePage::default() }
        }
        "badResumptionToken" if now.last.is_some() && !now.descends && now.restarts < RESTARTS => {
            let next = OaiState {
                token: None,
                from: now.last.take(),
                restarts: now.restarts + 1,
                before: None,
                ..now
            };
            let issues = issue("oai-token-expired", "a resumption token was rejected; continued by date");
            CataloguePage { next: vec![next.text()], issues, ..CataloguePage::default() }
        }
        "badArgument" if now.token.is_some() && now.prefix.is_some() && !now.both => {
            CataloguePage { next: vec![OaiState { both: true, ..now }.text()], ..CataloguePage::default() }
        }
        "badArgument" if now.token.is_none() && now.from.is_some() => {
            // If seconds are not supported, send days; if days are not supported either, send no
            // date.
            let next = if now.day {
                OaiState { from: None, day: false, ..now }
            } else {
                OaiState { day: true, ..now }
            };
            CataloguePage { next: vec![next.text()], ..CataloguePage::default() }
        }
        code => {
            let message = format!("the repository returned the error {code}");
            CataloguePage { failure: Some(Issue::new("oai-error", message)), ..CataloguePage::default() }
        }
    }
}

/// Returns the page for a response with records.
fn follow(now: OaiState, listed: ListResponse) -> CataloguePage {
    let ListResponse { records, token, total, stamps, cut, mut issues, .. } = listed;
    let mut page = CataloguePage { total, ..CataloguePage::default() };
    let first = records.first().map(|record| page_mark(&record.id));
    // Some servers send 0 at the end.
    let token = token.filter(|token| !token.is_empty() && token != "0" && token.len() <= 4096);
    let mut next =
        OaiState { token, before: first.or(now.before), start: now.start.or(first), ..now.clone() };
    for stamp in stamps {
        next.descends |= next.last.as_ref().is_some_and(|last| stamp < *last);
        next.last = Some(stamp);
    }
    if let Some(plain) = now.plain {
        let geospatial = records.iter().any(is_geospatial);
        next.plain = (!geospatial).then_some(plain + 1);
    }
    next.restarts = if records.is_empty() { now.restarts + 1 } else { now.restarts };
    let again = |mark: Option<u64>| first.is_some() && first == mark;
    let same_token = next.token.is_some() && next.token == now.token;
    let repeats = same_token || again(now.before) || again(now.start);
    if repeats {
        issues.push(Issue::new("oai-stuck", "the repository returns the same page repeatedly"));
    } else if next.plain.is_some_and(|plain| plain >= PLAIN_PAGES) {
        issues.push(Issue::new(
            "oai-not-geospatial",
            "stopped after three pages without a location or a service",
        ));
    } else if next.token.is_some() && next.restarts <= RESTARTS {
        page.next = vec![next.text()];
    } else if cut && next.token.is_none() && !next.descends && next.last.is_some() && now.last != next.last {
        // The token came after the point where the response was cut off: continue by date.
        let next = OaiState { from: next.last.clone(), before: None, start: None, ..next };
        page.next = vec![next.text()];
    }
    page.records = records;
    page.issues = issues;
    page
}

/// Returns whether a Dublin Core record has a location or links to a service.
fn is_geospatial(record: &CatalogueRecord) -> bool {
    let leads_to_service = |url: &str| {
        Url::parse(url).is_ok_and(|url| {
            urls::service_hint(&url).is_some_and(|hint| hint.strength == urls::HintStrength::Strong)
                || urls::file_hint(&url).is_some()
        })
    };
    record.bbox.is_some() || record.links.iter().any(|link| leads_to_service(&link.url))
}

/// Contents of a response.
#[derive(Default)]
struct ListResponse {
    protocol: bool,
    records: Vec<CatalogueRecord>,
    /// Datestamps, in document order.
    stamps: Vec<String>,
    token: Option<String>,
    total: Option<u64>,
    /// (prefix, namespace) of the metadata formats.
    formats: Vec<(String, String)>,
    error: Option<String>,
    cut: bool,
    issues: Vec<Issue>,
}

impl ListResponse {
    fn read(stream: &mut dyn Read, charset: Option<&str>) -> Self {
        let mut listed = Self::default();
        let mut reader = XmlReader::new(stream, charset);
        let mut text = String::new();
        let mut names: Vec<OaiElement> = Vec::new();
        let mut header = CatalogueRecord::default();
        let mut record: Option<CatalogueRecord> = None;
        loop {
            match reader.next() {
                XmlEvent::Start => {
                    text.clear();
                    if names.last() == Some(&OaiElement::Metadata) {
                        record = listed.metadata(&mut reader).or(record);
                        continue;
                    }
                    let name = OaiElement::of(reader.local_name());
                    match name {
                        OaiElement::Root => listed.protocol = true,
                        OaiElement::Header => {
                            let deleted = reader
                                .attr_by_local_name("status")
                                .is_some_and(|s| s.eq_ignore_ascii_case("deleted"));
                            header = CatalogueRecord { deleted, ..CatalogueRecord::default() };
                        }
                        OaiElement::Record => record = None,
                        OaiElement::Token => {
                            listed.total = reader
                                .attr_by_local_name("completeListSize")
                                .and_then(|v| v.trim().parse().ok());
                        }
                        OaiElement::Error => {
                            let code = reader
                                .attr_by_local_name("code")
                                .map(|v| v.trim().chars().take(64).collect());
                            listed.error = listed.error.or(code).or_else(|| Some("an error".to_owned()));
                        }
                        OaiElement::Format => listed.formats.push(Default::default()),
                        _ => {}
                    }
                    names.push(name);
                }
                XmlEvent::Text if text.len() < 8192 => reader.append_text(&mut text, 8192),
                XmlEvent::End => {
                    let parent = names.len().checked_sub(2).map(|at| names[at]);
                    match (names.pop(), parent) {
                        (Some(OaiElement::Identifier), Some(OaiElement::Header)) => {
                            text.trim().chars().take(1024).collect::<String>().clone_into(&mut header.id);
                        }
                        (Some(OaiElement::Datestamp), Some(OaiElement::Header))
                            if !text.trim().is_empty() =>
                        {
                            header.modified = Some(text.trim().chars().take(64).collect());
                        }
                        (Some(OaiElement::Record), _) => {
                            // At the end of the input, the record may be incomplete.
                            if reader.is_at_end() {
                                listed.cut = true;
                            } else {
                                listed.close(std::mem::take(&mut header), record.take());
                            }
                        }
                        (Some(OaiElement::Token), _) => listed.token = Some(text.trim().to_owned()),
                        (Some(OaiElement::Prefix), Some(OaiElement::Format)) => {
                            if let Some(format) = listed.formats.last_mut() {
                                format.0 = text.trim().chars().take(64).collect();
                            }
                        }
                        (Some(OaiElement::Namespace), Some(OaiElement::Format)) => {
                            if let Some(format) = listed.formats.last_mut() {
                                format.1 = text.trim().to_ascii_lowercase();
                            }
                        }
                        _ => {}
                    }
                    text.clear();
                }
                XmlEvent::Eof => break,
                _ => {}
            }
        }
        listed.cut |= reader.has_read_error();
        listed.formats.truncate(100);
        // Records take precedence over an error in the same response.
        if !listed.records.is_empty() {
            listed.error = None;
        }
        listed
    }

    /// Reads the element inside `metadata`, which the reader has just entered.
    fn metadata(&mut self, reader: &mut XmlReader<'_>) -> Option<CatalogueRecord> {
        let Some(format) = RecordFormat::from_element(reader.local_name(), reader.namespace()) else {
            let depth = reader.depth();
            while reader.depth() >= depth && reader.next() != XmlEvent::Eof {}
            return None;
        };
        let read = read_record(reader, format);
        for issue in read.issues {
            if self.issues.len() < 20 && !self.issues.iter().any(|i| i.code == issue.code) {
                self.issues.push(issue);
            }
        }
        read.complete.then_some(read.record)
    }

    /// Finishes a record. The header takes precedence over the metadata.
    fn close(&mut self, header: CatalogueRecord, record: Option<CatalogueRecord>) {
        if let Some(stamp) = &header.modified {
            self.stamps.push(stamp.clone());
        }
        let mut record = record.unwrap_or_default();
        record.deleted = header.deleted;
        if !header.id.is_empty() {
            record.id = header.id;
        }
        record.modified = record.modified.or(header.modified);
        ensure_id(&mut record);
        if self.records.len() < MOST {
            self.records.push(record);
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum OaiElement {
    Root,
    Record,
    Header,
    Identifier,
    Datestamp,
    Metadata,
    Token,
    Error,
    Format,
    Prefix,
    Namespace,
    Other,
}

impl OaiElement {
    fn of(local: &[u8]) -> Self {
        match local {
            b"OAI-PMH" => Self::Root,
            b"record" => Self::Record,
            b"header" => Self::Header,
            b"identifier" => Self::Identifier,
            b"datestamp" => Self::Datestamp,
            b"metadata" => Self::Metadata,
            b"resumptionToken" => Self::Token,
            b"error" => Self::Error,
            b"metadataFormat" => Self::Format,
            b"metadataPrefix" => Self::Prefix,
            b"metadataNamespace" => Self::Namespace,
            _ => Self::Other,
        }
    }
}

#[cfg(test)]
mod tests;
