use super::*;
use crate::probe::ResponseHead;
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// A repository with 250 records, a hundred per page, every tenth deleted.
struct TestRepository {
    formats: &'static [(&'static str, &'static str)],
    day_only: bool,
    repeats_token: bool,
    /// Tokens from this position on are rejected once.
    expires: std::cell::Cell<Option<u32>>,
    geospatial: bool,
    wants_prefix: bool,
    /// The token of the last page leads to the first page.
    circles: bool,
}

const ISO: &[(&str, &str)] =
    &[("oai_dc", "http://www.openarchives.org/OAI/2.0/oai_dc/"), ("md", "http://www.isotc211.org/2005/gmd")];
const DC: &[(&str, &str)] = &[("oai_dc", "http://www.openarchives.org/OAI/2.0/oai_dc/")];

fn repository() -> TestRepository {
    TestRepository {
        formats: ISO,
        day_only: false,
        repeats_token: false,
        expires: None.into(),
        geospatial: true,
        wants_prefix: false,
        circles: false,
    }
}

fn stamp(i: u32) -> String {
    format!("2024-{:02}-{:02}T00:00:00Z", i / 28 + 1, i % 28 + 1)
}

impl TestRepository {
    fn answer(&self, asked: &Url) -> String {
        let value = |name: &str| asked.query_pairs().find(|(k, _)| k == name).map(|(_, v)| v.into_owned());
        let mut body = String::from(
            "<OAI-PMH xmlns='http://www.openarchives.org/OAI/2.0/'><responseDate>2025-01-01T00:00:00Z</responseDate>",
        );
        if value("verb").as_deref() == Some("ListMetadataFormats") {
            body.push_str("<ListMetadataFormats>");
            for (prefix, namespace) in self.formats {
                let _ = write!(
                    body,
                    "<metadataFormat><metadataPrefix>{prefix}</metadataPrefix><schema>s</schema><metadataNamespace>{namespace}</metadataNamespace></metadataFormat>"
                );
            }
            return body + "</ListMetadataFormats></OAI-PMH>";
        }
        let error = |code: &str| format!("{body}<error code='{code}'>no</error></OAI-PMH>");
        let from = value("from").unwrap_or_default();
        if self.wants_prefix && value("resumptionToken").is_some() && value("metadataPrefix").is_none() {
            return error("badArgument");
        }
        let start = if let Some(token) = value("resumptionToken") {
            let start: u32 = token.trim_start_matches("t ").parse().expect("a token");
            if self.expires.get().is_some_and(|e| start >= e) {
                self.expires.set(None);
                return error("badResumptionToken");
            }
            start
        } else {
            let prefix = value("metadataPrefix").expect("a prefix");
            if !self.formats.iter().any(|(known, _)| *known == prefix) {
                return error("cannotDisseminateFormat");
            }
            if self.day_only && from.contains('T') {
                return error("badArgument");
            }
            (0..250).find(|i| stamp(*i) >= from).unwrap_or(250)
        };
        if start >= 250 {
            return error("noRecordsMatch");
        }
        body.push_str("<ListRecords>");
        let end = (start + 100).min(250);
        for i in start..end {
            let date = stamp(i);
            if i % 10 == 0 {
                let _ = write!(
                    body,
                    "<record><header status='deleted'><identifier>oai:x:{i}</identifier><datestamp>{date}</datestamp></header></record>"
                );
            } else {
                let place = if self.geospatial {
                    "<coverage>North 2, South 1, East 2, West 1</coverage>"
                } else {
                    ""
                };
                let _ = write!(
                    body,
                    "<record><header><identifier>oai:x:{i}</identifier><datestamp>{date}</datestamp></header><metadata><o:dc xmlns:o='http://www.openarchives.org/OAI/2.0/oai_dc/'><title>T{i}</title>{place}</o:dc></metadata><about><x/></about></record>"
                );
            }
        }
        let token = if self.repeats_token { "t 100".to_owned() } else { format!("t {end}") };
        if end == 250 && self.circles {
            body.push_str("<resumptionToken>t 00</resumptionToken>");
        } else if end < 250 {
            let _ = write!(
                body,
                "<resumptionToken completeListSize='250' cursor='{start}'>{token}</resumptionToken>"
            );
        } else {
            body.push_str("<resumptionToken completeListSize='250'/>");
        }
        body + "</ListRecords></OAI-PMH>"
    }
}

fn harvest(
    repository: &TestRepository,
    since: Option<&str>,
) -> (BTreeSet<String>, usize, BTreeSet<String>, usize) {
    let at = Url::parse("https://x.org/oai?mode=oaipmh&verb=Identify").expect("a URL");
    let mut states = vec![String::new()];
    let mut asked = BTreeSet::new();
    let (mut ids, mut deleted, mut codes) = (BTreeSet::new(), 0, BTreeSet::new());
    while let Some(state) = states.pop() {
        assert!(asked.insert(state.clone()), "asked twice: {state}");
        assert!(asked.len() < 50);
        let ask = OaiPmhConnector.page_request(&at, &state, since.filter(|_| state.is_empty()));
        assert!(ask.url.as_str().starts_with("https://x.org/oai?mode=oaipmh&verb=List"), "{}", ask.url);
        let body = repository.answer(&ask.url);
        let head = ResponseHead { url: Some(ask.url), status: 200, ..ResponseHead::default() };
        let page = OaiPmhConnector.parse_page(
            &at,
            &state,
            ProbeResponse { head: &head, body: ResponseBody::Whole(body.as_bytes()), truncated: false },
        );
        codes.extend(page.issues.into_iter().chain(page.failure).map(|i| i.code));
        deleted += page.records.iter().filter(|r| r.deleted).count();
        ids.extend(page.records.into_iter().map(|r| r.id));
        states.extend(page.next);
    }
    (ids, deleted, codes, asked.len())
}

#[test]
fn a_repository_is_listed_to_its_end() {
    let (ids, deleted, codes, requests) = harvest(&repository(), None);
    assert_eq!((ids.len(), deleted, requests), (250, 25, 4));
    assert!(codes.is_empty());
    let (ids, ..) = harvest(&TestRepository { formats: DC, ..repository() }, None);
    assert_eq!(ids.len(), 250);
}

#[test]
fn only_changes_are_listed_by_the_granularity_that_is_known() {
    let changed = (0..250).filter(|i| stamp(*i).as_str() >= "2024-06-05").count();
    for day_only in [false, true] {
        let iso = &[("iso19139", "http://www.isotc211.org/2005/gmd")];
        let (ids, ..) = harvest(
            &TestRepository { day_only, formats: iso, ..repository() },
            Some("2024-06-05T00:00:00.123Z"),
        );
        assert_eq!(ids.len(), changed);
        let (ids, ..) = harvest(&TestRepository { day_only, ..repository() }, Some("2024-06-05T00:00:00Z"));
        assert_eq!(ids.len(), changed, "another prefix");
    }
    let (ids, _, codes, _) = harvest(&repository(), Some("2030-01-01T00:00:00Z"));
    assert!(ids.is_empty() && codes.is_empty());
}

#[test]
fn tokens_that_repeat_or_expire_end_or_are_replaced() {
    let (ids, _, codes, requests) = harvest(&TestRepository { repeats_token: true, ..repository() }, None);
    assert!(ids.len() >= 200 && requests <= 5 && codes.contains("oai-stuck"), "{codes:?}");
    let (ids, _, codes, _) = harvest(&TestRepository { expires: Some(200).into(), ..repository() }, None);
    assert_eq!(ids.len(), 250);
    assert!(codes.contains("oai-token-expired"));
}

#[test]
fn a_prefix_is_sent_with_the_token_where_it_is_wanted() {
    let (ids, ..) = harvest(&TestRepository { wants_prefix: true, ..repository() }, None);
    assert_eq!(ids.len(), 250);
}

#[test]
fn tokens_that_lead_in_a_circle_end() {
    let (ids, _, codes, requests) = harvest(&TestRepository { circles: true, ..repository() }, None);
    assert!(ids.len() == 250 && requests == 5 && codes.contains("oai-stuck"), "{codes:?} {requests}");
}

#[test]
fn a_library_is_left_soon() {
    let (ids, _, codes, _) =
        harvest(&TestRepository { formats: DC, geospatial: false, ..repository() }, None);
    assert!(ids.len() == 250 && codes.contains("oai-not-geospatial"), "the third page is the last here");
}
