use super::*;
use proptest::prelude::*;
use std::cell::RefCell;
use std::sync::Mutex;

/// A source with records in the order of their last change.
struct FakeSource {
    name: &'static str,
    prefix: &'static str,
    sets: bool,
    items: Mutex<Vec<(i64, OaiRecord)>>,
}

impl FakeSource {
    fn new(name: &'static str, prefix: &'static str, count: i64) -> Self {
        let fake = Self { name, prefix, sets: true, items: Mutex::default() };
        for n in 1..=count {
            fake.touch(&format!("{name}:{n}"), n, n % 7 == 0);
        }
        fake
    }

    fn touch(&self, id: &str, second: i64, deleted: bool) {
        let mut items = self.items.lock().unwrap();
        let seq = items.last().map_or(1, |(seq, _)| seq + 1);
        items.retain(|(_, item)| item.head.identifier != id);
        let head = RecordHeader {
            identifier: id.to_owned(),
            datestamp: Timestamp::from_second(1_000_000 + second).unwrap(),
            sets: vec![format!("{}.even", self.name)],
            deleted,
        };
        items.push((seq, OaiRecord { head, metadata: Some(format!("<m>{id}</m>")) }));
    }
}

impl OaiSource for FakeSource {
    fn name(&self) -> &'static str {
        self.name
    }
    fn list_formats(&self) -> Vec<MetadataFormat> {
        vec![MetadataFormat {
            prefix: self.prefix,
            schema: "http://s.example/x.xsd",
            namespace: "http://s.example/",
        }]
    }
    fn list_sets(&self) -> SourceResult<Vec<OaiSet>> {
        let set = OaiSet { spec: format!("{}.even", self.name), name: "Even".into() };
        Ok(if self.sets { vec![set] } else { vec![] })
    }
    fn has_set(&self, spec: &str) -> SourceResult<bool> {
        Ok(self.sets && spec == format!("{}.even", self.name))
    }
    fn earliest_change(&self) -> SourceResult<Option<Timestamp>> {
        Ok(self.items.lock().unwrap().iter().map(|(_, item)| item.head.datestamp).min())
    }
    fn list_records(&self, ask: &ListRequest) -> SourceResult<SourcePage> {
        let items = self.items.lock().unwrap();
        let in_span = |item: &OaiRecord| {
            ask.from.is_none_or(|from| item.head.datestamp >= from)
                && ask.before.is_none_or(|before| item.head.datestamp < before)
        };
        let all: Vec<&(i64, OaiRecord)> = items.iter().filter(|(_, item)| in_span(item)).collect();
        let size = Some(all.len() as u64);
        let mut rest = all.into_iter().filter(|(seq, _)| *seq > ask.after.after);
        let page: Vec<&(i64, OaiRecord)> = rest.by_ref().take(ask.limit).collect();
        let next = rest.next().and(page.last()).map(|(seq, _)| ListPosition { after: *seq, ..ask.after });
        Ok(SourcePage { items: page.into_iter().map(|(_, item)| item.clone()).collect(), next, size })
    }
    fn get_record(&self, identifier: &str, _format: Option<&str>) -> SourceResult<Option<OaiRecord>> {
        let items = self.items.lock().unwrap();
        Ok(items.iter().find(|(_, item)| item.head.identifier == identifier).map(|(_, item)| item.clone()))
    }
}

fn ask(sources: &[&dyn OaiSource], query: &str) -> String {
    let repository = OaiRepository {
        name: "Name & <co>".into(),
        base_url: "http://h.example/oai".into(),
        email: "a@h.example".into(),
        sources: sources.to_vec(),
        now: Timestamp::from_second(2_000_000).unwrap(),
        records_at_once: 5,
        heads_at_once: 8,
    };
    let arguments: Vec<(String, String)> = url::form_urlencoded::parse(query.as_bytes())
        .map(|(name, value)| (name.into_owned(), value.into_owned()))
        .collect();
    let text = answer_request(&repository, &arguments).unwrap();
    well_formed(&text);
    text
}

fn well_formed(text: &str) {
    let mut reader = quick_xml::Reader::from_str(text);
    while reader.read_event().unwrap() != quick_xml::events::Event::Eof {}
}

fn between<'t>(text: &'t str, open: &str, close: &str) -> Vec<&'t str> {
    text.split(open).skip(1).filter_map(|part| part.split(close).next()).collect()
}

fn token(text: &str) -> Option<String> {
    let rest = text.split("<resumptionToken").nth(1)?.split_once('>')?.1;
    Some(rest.split('<').next()?.to_owned()).filter(|token| !token.is_empty())
}

/// Follows a list to its end and returns the identifiers.
fn harvest(sources: &[&dyn OaiSource], query: &str, each: &dyn Fn(usize)) -> Vec<String> {
    let mut ids = Vec::new();
    let mut text = ask(sources, query);
    let verb = query.split('&').next().unwrap();
    for part in 0.. {
        assert!(!text.contains("<error"), "{text}");
        ids.extend(between(&text, "<identifier>", "</identifier>").into_iter().map(str::to_owned));
        each(part);
        let Some(token) = token(&text) else { break };
        text = ask(sources, &format!("{verb}&resumptionToken={token}"));
    }
    assert!(text.contains("cursor=") && text.contains("></resumptionToken>"), "{text}");
    ids
}

#[test]
fn every_wrong_question_has_its_code() {
    let one = FakeSource::new("one", "oai_dc", 9);
    let mut bare = FakeSource::new("bare", "oai_dc", 2);
    bare.sets = false;
    for (query, code) in [
        ("", "badVerb"),
        ("verb=Nonsense", "badVerb"),
        ("verb=identify", "badVerb"),
        ("verb=Identify&verb=Identify", "badVerb"),
        ("verb=Identify&x=1", "badArgument"),
        ("verb=ListRecords", "badArgument"),
        ("verb=ListRecords&metadataPrefix=", "badArgument"),
        ("verb=ListRecords&metadataPrefix=a%20b", "badArgument"),
        ("verb=ListRecords&metadataPrefix=oai_dc&metadataPrefix=oai_dc", "badArgument"),
        ("verb=ListRecords&metadataPrefix=oai_dc&from=yesterday", "badArgument"),
        ("verb=ListRecords&metadataPrefix=oai_dc&from=2026-01-01&until=2025-01-01", "badArgument"),
        ("verb=ListRecords&metadataPrefix=oai_dc&from=2026-01-01&until=2026-02-01T00:00:00Z", "badArgument"),
        ("verb=ListRecords&metadataPrefix=oai_dc&set=a::b", "badArgument"),
        ("verb=ListRecords&resumptionToken=x&metadataPrefix=oai_dc", "badArgument"),
        ("verb=ListRecords&resumptionToken=x", "badResumptionToken"),
        ("verb=ListSets&resumptionToken=x", "badResumptionToken"),
        ("verb=ListRecords&metadataPrefix=marc21", "cannotDisseminateFormat"),
        ("verb=GetRecord&metadataPrefix=marc21&identifier=one:1", "cannotDisseminateFormat"),
        ("verb=GetRecord&metadataPrefix=oai_dc&identifier=no", "idDoesNotExist"),
        ("verb=GetRecord&metadataPrefix=oai_dc", "badArgument"),
        ("verb=ListMetadataFormats&identifier=no", "idDoesNotExist"),
        ("verb=ListRecords&metadataPrefix=oai_dc&from=2030-01-01", "noRecordsMatch"),
        ("verb=ListRecords&metadataPrefix=oai_dc&set=unknown", "noRecordsMatch"),
    ] {
        let text = ask(&[&one], query);
        assert!(text.contains(&format!("<error code=\"{code}\">")), "{query}: {text}");
        let bare_request = text.contains("<request>http");
        assert_eq!(bare_request, matches!(code, "badVerb" | "badArgument"), "{query}: {text}");
    }
    for query in ["verb=ListSets", "verb=ListRecords&metadataPrefix=oai_dc&set=x"] {
        assert!(ask(&[&bare], query).contains("noSetHierarchy"), "{query}");
    }
}

#[test]
fn lists_run_through_all_sources_in_parts() {
    let (one, two) = (FakeSource::new("one", "oai_dc", 23), FakeSource::new("two", "oai_dc", 10));
    let other = FakeSource::new("other", "didl", 4);
    let sources: [&dyn OaiSource; 3] = [&one, &two, &other];
    let first = ask(&sources, "verb=ListRecords&metadataPrefix=oai_dc");
    assert!(first.contains("completeListSize=\"33\" cursor=\"0\""), "{first}");
    for verb in ["ListRecords", "ListIdentifiers"] {
        let ids = harvest(&sources, &format!("verb={verb}&metadataPrefix=oai_dc"), &|_| {});
        assert_eq!(ids.len(), 33);
        let mut unique = ids.clone();
        unique.sort();
        unique.dedup();
        assert_eq!(unique.len(), 33);
    }
    let set = harvest(&sources, "verb=ListRecords&metadataPrefix=oai_dc&set=two.even", &|_| {});
    assert!(set.len() == 10 && set.iter().all(|id| id.starts_with("two:")));
    let archive = ask(&sources, "verb=ListRecords&metadataPrefix=didl");
    assert_eq!(between(&archive, "<identifier>", "</identifier>").len(), 4);
    assert!(!archive.contains("resumptionToken"), "a list in one part needs none");
    let deleted = ask(&sources, "verb=GetRecord&metadataPrefix=oai_dc&identifier=one:7");
    assert!(deleted.contains("<header status=\"deleted\">") && !deleted.contains("<metadata>"));
    let formats = ask(&sources, "verb=ListMetadataFormats&identifier=other:1");
    assert!(formats.contains("didl") && !formats.contains("oai_dc"));
    assert_eq!(ask(&sources, "verb=ListMetadataFormats").matches("<metadataFormat>").count(), 2);
    assert_eq!(ask(&sources, "verb=ListSets").matches("<set>").count(), 3);
}

#[test]
fn dates_include_both_ends() {
    let one = FakeSource::new("one", "oai_dc", 9);
    let day = |n: i64| dates::format_date(Timestamp::from_second(1_000_000 + n).unwrap());
    let query = format!("verb=ListIdentifiers&metadataPrefix=oai_dc&from={}&until={}", day(3), day(5));
    assert_eq!(between(&ask(&[&one], &query), "<identifier>", "</identifier>").len(), 3);
    let whole_day = "verb=ListIdentifiers&metadataPrefix=oai_dc&from=1970-01-12&until=1970-01-12";
    assert!(token(&ask(&[&one], whole_day)).is_some());
    assert_eq!(harvest(&[&one], whole_day, &|_| {}).len(), 9);
    let identify = ask(&[&one], "verb=Identify");
    assert!(identify.contains(&format!("<earliestDatestamp>{}", day(1))), "{identify}");
}

#[test]
fn what_changes_during_a_harvest_is_given_again() {
    let one = FakeSource::new("one", "oai_dc", 23);
    let seen = RefCell::new(0);
    let ids = harvest(&[&one], "verb=ListRecords&metadataPrefix=oai_dc", &|part| {
        if part == 1 {
            // Change one record that was already returned, and one that was not.
            one.touch("one:2", 100, false);
            one.touch("one:20", 101, true);
        }
        *seen.borrow_mut() = part;
    });
    assert_eq!(ids.len(), 24);
    assert_eq!(ids.iter().filter(|id| *id == "one:2").count(), 2);
    assert!(ids.contains(&"one:20".to_owned()));
    assert!(*seen.borrow() >= 4);
}

#[test]
fn a_token_is_of_its_own_list() {
    let one = FakeSource::new("one", "oai_dc", 23);
    let token = token(&ask(&[&one], "verb=ListRecords&metadataPrefix=oai_dc")).unwrap();
    let other = ask(&[&one], &format!("verb=ListIdentifiers&resumptionToken={token}"));
    assert!(other.contains("badResumptionToken"));
    // A token can be used twice with the same result.
    let again = |token: &str| ask(&[&one], &format!("verb=ListRecords&resumptionToken={token}"));
    assert_eq!(again(&token), again(&token));
}

#[test]
fn a_token_with_the_largest_numbers_is_answered() {
    let one = FakeSource::new("one", "oai_dc", 23);
    let first = token(&ask(&[&one], "verb=ListRecords&metadataPrefix=oai_dc")).unwrap();
    let written = token::ResumptionToken::decode(&first).unwrap();
    let largest = token::ResumptionToken { cursor: u64::MAX, size: Some(u64::MAX), ..written }.encode();
    let answer = ask(&[&one], &format!("verb=ListRecords&resumptionToken={largest}"));
    assert!(answer.contains(&format!("cursor=\"{}\"", u64::MAX)), "{answer}");
}

proptest! {
    #[test]
    fn whatever_is_asked_the_answer_is_a_document(
        verb in prop_oneof![Just("ListRecords".to_owned()), Just("GetRecord".to_owned()), any::<String>()],
        pairs in proptest::collection::vec((prop_oneof![
            Just("metadataPrefix".to_owned()), Just("identifier".to_owned()), Just("set".to_owned()), any::<String>()
        ], any::<String>()), 0..4),
    ) {
        let one = FakeSource::new("one", "oai_dc", 3);
        let mut query = url::form_urlencoded::Serializer::new(String::new());
        query.append_pair("verb", &verb);
        query.extend_pairs(pairs);
        ask(&[&one], &query.finish());
    }
}
