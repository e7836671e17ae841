//! Harvests a simulated catalogue that misbehaves like real ones.

use super::*;
use crate::probe::ResponseHead;
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// Computes `nextRecord` from start position, number returned and number matched.
type NextRecordRule = fn(u64, u64, u64) -> Option<u64>;

/// A simulated catalogue.
#[derive(Clone, Copy)]
struct TestCatalogue {
    records: u64,
    /// Maximum number of records per page.
    cap: u64,
    get: bool,
    post: bool,
    version: &'static str,
    next: NextRecordRule,
    /// Positions beyond this fail.
    reach: u64,
    /// Requests that include this record fail.
    rotten: u64,
    /// Every n-th record is hidden.
    hidden: u64,
    links: bool,
    iso: bool,
    says_matched: bool,
    ignores_position: bool,
    filters: bool,
}

const HONEST: TestCatalogue = TestCatalogue {
    records: 1234,
    cap: 1000,
    get: true,
    post: true,
    version: "2.0.2",
    next: |start, given, matched| Some(if start + given > matched { 0 } else { start + given }),
    reach: u64::MAX,
    rotten: u64::MAX,
    hidden: u64::MAX,
    links: true,
    iso: true,
    says_matched: true,
    ignores_position: false,
    filters: true,
};

/// Returns the modification date of a record: 28 per month, so that all dates exist.
fn modified(i: u64) -> String {
    let day = i * 7919 % 4000;
    format!("{}-{:02}-{:02}", 2010 + day / 336, day % 336 / 28 + 1, day % 28 + 1)
}

fn between<'t>(text: &'t str, before: &str, after: &str) -> Option<&'t str> {
    let (_, rest) = text.split_once(before)?;
    rest.split_once(after).map(|(value, _)| value)
}

impl TestCatalogue {
    fn answer(&self, ask: &ProbeRequest) -> (u16, String) {
        let report = |text: &str| {
            format!(
                "<ows:ExceptionReport xmlns:ows='http://www.opengis.net/ows'><ows:Exception exceptionCode='NoApplicableCode'><ows:ExceptionText>{text}</ows:ExceptionText></ows:Exception></ows:ExceptionReport>"
            )
        };
        let query: String = match &ask.post {
            Some(post) if self.post => post.body.replace("<?xml version=\"1.0\"", ""),
            None if self.get => {
                let pairs = ask.url.query_pairs().map(|(k, v)| match k.as_ref() {
                    "STARTPOSITION" => format!("startPosition=\"{v}\" "),
                    "MAXRECORDS" => format!("maxRecords=\"{v}\" "),
                    "VERSION" => format!(" version=\"{v}\" "),
                    _ => format!("{k}={v} "),
                });
                pairs.collect()
            }
            _ => return (405, "<html><body>Not allowed</body></html>".to_owned()),
        };
        if between(&query, " version=\"", "\"")
            != Some(if self.version == "2.0.2" { "2.0.2" } else { "3.0.0" })
        {
            return (200, report("VersionNegotiationFailed: this version is not supported"));
        }
        let number = |name: &str| {
            between(&query, &format!("{name}=\""), "\"").and_then(|v| v.parse::<u64>().ok()).expect(name)
        };
        let iso = query.contains("2005/gmd\" startPosition")
            || query.contains("OUTPUTSCHEMA=http://www.isotc211.org/2005/gmd");
        if iso && !self.iso {
            return (200, report("outputSchema"));
        }
        let test = |name: &str| {
            query.split_once(name).and_then(|(_, rest)| between(rest, ":Literal>", "<")).map(str::to_owned)
        };
        let (from, to) = (test("PropertyIsGreaterThanOrEqualTo"), test("PropertyIsLessThan"));
        if (from.is_some() || to.is_some()) && !self.filters {
            return (500, "filters? no.".to_owned());
        }
        let inside = |i: &u64| {
            let date = modified(*i);
            from.as_ref().is_none_or(|from| date >= *from) && to.as_ref().is_none_or(|to| date < *to)
        };
        let all: Vec<u64> = (1..=self.records).filter(inside).collect();
        let (start, size) = (number("startPosition"), number("maxRecords").min(self.cap));
        let start = if self.ignores_position { 1 } else { start };
        let page: Vec<u64> = all.iter().copied().skip(start as usize - 1).take(size as usize).collect();
        if start + size > self.reach || page.contains(&self.rotten) {
            return (500, "<html>stack trace</html>".to_owned());
        }
        let matched = all.len() as u64;
        let mut body = String::from(
            "<csw:GetRecordsResponse xmlns:csw='http://www.opengis.net/cat/csw/2.0.2' xmlns:dc='d' xmlns:dct='t'><csw:SearchResults ",
        );
        if self.says_matched {
            let _ = write!(body, "numberOfRecordsMatched='{matched}' ");
        }
        if let Some(next) = (self.next)(start, page.len() as u64, matched) {
            let _ = write!(body, "nextRecord='{next}'");
        }
        body.push('>');
        for i in page.iter().filter(|i| *i % self.hidden != 0) {
            let date = modified(*i);
            if iso {
                let _ = write!(
                    body,
                    "<gmd:MD_Metadata xmlns:gmd='http://www.isotc211.org/2005/gmd'><gmd:fileIdentifier><x:CharacterString xmlns:x='x'>r{i}</x:CharacterString></gmd:fileIdentifier><gmd:distributionInfo><CI_OnlineResource><linkage><URL>https://x.org/{i}</URL></linkage></CI_OnlineResource></gmd:distributionInfo></gmd:MD_Metadata>"
                );
            } else {
                let link = if self.links {
                    "<dct:references scheme='OGC:WMS'>https://x.org/wms</dct:references>"
                } else {
                    ""
                };
                let _ = write!(
                    body,
                    "<csw:Record><dc:identifier>r{i}</dc:identifier><dct:modified>{date}</dct:modified>{link}</csw:Record>"
                );
            }
        }
        body.push_str("</csw:SearchResults></csw:GetRecordsResponse>");
        (200, body)
    }
}

struct HarvestLog {
    ids: BTreeSet<String>,
    linked: usize,
    requests: usize,
    codes: BTreeSet<String>,
    failed: bool,
}

fn harvest_since(server: TestCatalogue, since: Option<&str>) -> HarvestLog {
    let at = Url::parse("https://x.org/csw?map=a").expect("a URL");
    let mut states = vec![String::new()];
    let mut asked = BTreeSet::new();
    let mut harvest =
        HarvestLog { ids: BTreeSet::new(), linked: 0, requests: 0, codes: BTreeSet::new(), failed: false };
    while let Some(state) = states.pop() {
        assert!(asked.insert(state.clone()), "asked twice: {state}");
        harvest.requests += 1;
        assert!(harvest.requests < 3000, "no end: {state}");
        let ask = CswConnector.page_request(&at, &state, since.filter(|_| state.is_empty()));
        assert!(ask.url.as_str().contains("map=a"));
        let (status, body) = server.answer(&ask);
        let head = ResponseHead { url: Some(ask.url), status, ..ResponseHead::default() };
        let answer =
            ProbeResponse { head: &head, body: ResponseBody::Whole(body.as_bytes()), truncated: false };
        let page = CswConnector.parse_page(&at, &state, answer);
        harvest.failed |= page.failure.is_some();
        harvest.codes.extend(page.issues.into_iter().map(|issue| issue.code));
        harvest.linked += page.records.iter().filter(|r| !r.links.is_empty()).count();
        harvest.ids.extend(page.records.into_iter().map(|record| record.id));
        states.extend(page.next);
    }
    harvest
}

fn all(server: TestCatalogue) -> HarvestLog {
    let harvest = harvest_since(server, None);
    assert_eq!(harvest.ids.len() as u64, server.records, "{:?} {}", harvest.codes, harvest.requests);
    harvest
}

#[test]
fn an_honest_catalogue_is_harvested_in_few_requests() {
    let harvest = all(HONEST);
    assert_eq!(harvest.requests, 3, "100, 500, the rest");
    assert!(harvest.codes.is_empty());
    assert_eq!(all(TestCatalogue { records: 0, ..HONEST }).requests, 1);
    assert_eq!(all(TestCatalogue { records: 100, ..HONEST }).requests, 1);
}

#[test]
fn lies_about_the_next_record_do_not_matter() {
    let lies: [NextRecordRule; 7] = [
        |_, _, _| None,
        |_, _, _| Some(0),
        |start, _, _| Some(start),
        |_, _, _| Some(1),
        |_, _, matched| Some(matched + 1000),
        |start, _, _| Some(start + 100_000),
        |start, given, _| Some(start + given),
    ];
    for next in lies {
        all(TestCatalogue { next, ..HONEST });
        all(TestCatalogue { next, cap: 10, ..HONEST });
    }
    all(TestCatalogue { says_matched: false, ..HONEST });
    all(TestCatalogue { says_matched: false, next: |_, _, _| None, ..HONEST });
}

#[test]
fn pages_with_holes_are_followed() {
    let harvest = harvest_since(TestCatalogue { hidden: 7, ..HONEST }, None);
    assert_eq!(harvest.ids.len(), 1234 - 1234 / 7);
    let harvest = harvest_since(TestCatalogue { hidden: 7, next: |_, _, _| None, ..HONEST }, None);
    assert_eq!(harvest.ids.len(), 1234 - 1234 / 7);
}

#[test]
fn a_catalogue_that_does_not_move_on_ends_the_harvest() {
    let harvest = harvest_since(TestCatalogue { ignores_position: true, ..HONEST }, None);
    assert!(harvest.requests <= 3 && harvest.codes.contains("csw-stuck"), "{:?}", harvest.codes);
}

#[test]
fn post_and_version_3_are_found_and_remembered() {
    let harvest = all(TestCatalogue { get: false, ..HONEST });
    assert_eq!(harvest.requests, 4);
    all(TestCatalogue { version: "3.0.0", ..HONEST });
    let harvest = all(TestCatalogue { version: "3.0.0", get: false, ..HONEST });
    assert!(harvest.requests <= 8);
    let harvest = harvest_since(TestCatalogue { get: false, post: false, ..HONEST }, None);
    assert!(harvest.failed && harvest.requests == 5 && harvest.ids.is_empty());
}

#[test]
fn records_without_links_are_asked_for_in_iso() {
    let harvest = all(TestCatalogue { links: false, ..HONEST });
    assert_eq!(harvest.linked, 1234);
    let harvest = all(TestCatalogue { links: false, iso: false, ..HONEST });
    assert_eq!(harvest.linked, 0);
    assert!(harvest.requests <= 6, "one attempt, no more: {}", harvest.requests);
}

#[test]
fn deep_paging_that_fails_is_cut_by_date() {
    let harvest = all(TestCatalogue { records: 20_000, reach: 2_500, ..HONEST });
    assert!(harvest.codes.contains("csw-deep-paging"));
    assert!(harvest.requests < 150, "{}", harvest.requests);
    all(TestCatalogue { records: 5_000, reach: 600, get: false, next: |_, _, _| None, ..HONEST });
}

#[test]
fn one_rotten_record_costs_little() {
    let harvest = harvest_since(TestCatalogue { rotten: 700, ..HONEST }, None);
    assert!(harvest.ids.len() >= 1233 - 250, "{} {:?}", harvest.ids.len(), harvest.codes);
    assert!(harvest.requests < 200, "{}", harvest.requests);
}

#[test]
fn only_what_changed_is_asked_for() {
    let changed = (1..=1234).filter(|i| modified(*i).as_str() >= "2019-06-01").count();
    for server in [
        HONEST,
        TestCatalogue { get: false, ..HONEST },
        TestCatalogue { version: "3.0.0", ..HONEST },
        TestCatalogue { cap: 20, ..HONEST },
    ] {
        let harvest = harvest_since(server, Some("2019-06-01"));
        assert_eq!(harvest.ids.len(), changed);
    }
    let harvest = harvest_since(TestCatalogue { filters: false, ..HONEST }, Some("2019-06-01"));
    assert_eq!(harvest.ids.len(), 1234, "a catalogue that cannot filter is read whole");
}

#[test]
fn requests_are_written_as_servers_want_them() {
    let at = Url::parse("https://x.org/csw?service=CSW&request=GetCapabilities&map=a").expect("a URL");
    let ask = CswConnector.page_request(&at, "", Some("2024-01-01T00:00:00Z"));
    let url = ask.url.as_str();
    assert!(
        url.starts_with(
            "https://x.org/csw?map=a&SERVICE=CSW&VERSION=2.0.2&REQUEST=GetRecords&TYPENAMES=csw:Record"
        ),
        "{url}"
    );
    assert_eq!(request::requested_since(&ask.url).as_deref(), Some("2024-01-01T00:00:00Z"));
    let ask = CswConnector.page_request(&at, "at=101 n=50 by=post from=2024-01-01", None);
    let body = ask.post.expect("a body").body;
    assert!(
        body.contains("startPosition=\"101\" maxRecords=\"50\"") && body.contains("<ogc:Literal>2024-01-01<"),
        "{body}"
    );
    let mut reader_input = body.as_bytes();
    let mut reader = crate::formats::xml::XmlReader::new(&mut reader_input, None);
    while reader.next() != crate::formats::xml::XmlEvent::Eof {}
    assert!(reader.is_well_formed(), "{:?}", reader.violation());
}

#[test]
fn an_answer_that_breaks_off_is_gone_on_with_where_it_broke() {
    let at = Url::parse("https://x.org/csw").expect("a URL");
    let (_, body) = HONEST.answer(&CswConnector.page_request(&at, "", None));
    for cut in (0..body.len()).step_by(501) {
        let head = ResponseHead { status: 200, ..ResponseHead::default() };
        let answer = ProbeResponse {
            head: &head,
            body: ResponseBody::Whole(&body.as_bytes()[..cut]),
            truncated: true,
        };
        let page = CswConnector.parse_page(&at, "", answer);
        let whole = body[..cut].matches("</csw:Record>").count();
        assert_eq!(page.records.len(), whole);
        if whole > 0 {
            assert!(page.next[0].starts_with(&format!("at={} ", whole + 1)), "{:?}", page.next);
        }
    }
}
