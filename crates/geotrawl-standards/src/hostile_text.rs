//! Property tests: whatever services contain, every document about them stays well-formed.

use crate::dcat::write::{RdfFormat, write_triples};
use crate::described::DescribedRecord;
use crate::opensearch::OpenSearchPage;
use crate::records::{CatalogueInfo, RecordsPage};
use crate::status_feed::StatusFeedPage;
use crate::{dcat, opensearch, records, schemaorg, stac, status_feed};
use geotrawl_model::{Contact, Dataset, Host, Record, RelatedService, Resource, Theme};
use jiff::Timestamp;
use proptest::prelude::*;
use quick_xml::Reader;
use quick_xml::events::Event;

/// Generates text with everything that might break out of it.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => any::<String>(),
        1 => "[<>&\"'\\]\\[!/ a-z\u{0}-\u{1f}]{0,40}",
        1 => Just("</script><script>]]>--><!DOCTYPE x [<!ENTITY".to_owned()),
    ]
}

fn url() -> impl Strategy<Value = String> {
    prop_oneof![
        text(),
        Just("javascript:alert(1)".to_owned()),
        text().prop_map(|text| format!("http://h.example/{text}")),
        text().prop_map(|text| format!("https://h.example/wms?map={text}")),
    ]
}

fn number() -> impl Strategy<Value = f64> {
    prop_oneof![any::<f64>(), -200.0..200.0]
}

prop_compose! {
    fn described()(
        kind in prop_oneof![Just("wms"), Just("geojson"), Just("stac-api"), Just("<new>")],
        url in url(),
        face in url(),
        texts in proptest::collection::vec(text(), 12),
        bbox in proptest::option::of([number(), number(), number(), number()]),
        times in proptest::collection::vec(prop_oneof![text(), Just("2020-01-01/..".to_owned()), Just("2020".to_owned())], 0..3),
        score in proptest::option::of(0_u8..=100),
    ) -> DescribedRecord {
        let mut texts = texts.into_iter();
        let mut next = move || texts.next();
        let resource = Resource {
            kind: kind.to_owned(),
            url,
            title: next(),
            abstract_: next(),
            keywords: next().into_iter().chain(next()).collect(),
            provider: next(),
            licence: next(),
            contact: Contact { email: next(), person: next(), url: next(), ..Contact::default() },
            bbox: bbox.map(Into::into),
            ..Resource::default()
        };
        let term = next().unwrap_or_default();
        let themes = vec![Theme { scheme: "eu-dcat".into(), term, evidence: String::new() }];
        let layer = Dataset {
            name: next().unwrap_or_default(),
            title: next(),
            bbox: bbox.map(Into::into),
            time: times,
            ..Dataset::default()
        };
        let faces = vec![RelatedService { kind: "wfs".into(), url: face, id: "r2".into() }];
        let host = Host { name: "h.example".into(), ..Host::default() };
        let record = Record { id: "r1".into(), resource, themes, faces, host, score, ..Record::default() };
        DescribedRecord { record, layers: vec![layer] }
    }
}

fn place() -> CatalogueInfo {
    CatalogueInfo { base: "https://maps.example".into(), title: "Maps & more".into() }
}

/// Checks that a document is well-formed and contains only characters that XML allows.
fn is_whole(document: &str) -> Result<(), TestCaseError> {
    let mut reader = Reader::from_str(document);
    let mut depth = 0;
    loop {
        match reader.read_event() {
            Ok(Event::Start(_)) => depth += 1,
            Ok(Event::End(_)) => depth -= 1,
            Ok(Event::Eof) => break,
            Ok(Event::DocType(_) | Event::CData(_) | Event::Comment(_)) => {
                return Err(TestCaseError::fail("something broke out"));
            }
            Ok(_) => {}
            Err(error) => return Err(TestCaseError::fail(error.to_string())),
        }
    }
    prop_assert_eq!(depth, 0);
    // The line break after the declaration is written by us.
    let document = document.replacen("?>\n", "?>", 1);
    prop_assert!(!document.chars().any(|c| c.is_control() || crate::sanitize::is_hidden(c)));
    Ok(())
}

/// Checks that only http(s) addresses become links.
fn leads_to_the_web(value: &serde_json::Value) -> Result<(), TestCaseError> {
    match value {
        serde_json::Value::Object(object) => {
            for (name, inner) in object {
                if let ("href" | "contentUrl", Some(address)) = (name.as_str(), inner.as_str()) {
                    prop_assert!(
                        address.starts_with("http://") || address.starts_with("https://"),
                        "{}",
                        address
                    );
                }
                leads_to_the_web(inner)?;
            }
        }
        serde_json::Value::Array(list) => list.iter().try_for_each(leads_to_the_web)?,
        _ => {}
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn every_document_stays_whole(described in described()) {
        let (place, now) = (place(), Timestamp::UNIX_EPOCH);
        let found = [described];
        let answer = OpenSearchPage { total: 1, first: 1, count: 10, now, ..OpenSearchPage::default() };
        is_whole(&opensearch::render_atom(&place, &answer, &found))?;
        let feed = StatusFeedPage { here: "https://maps.example/feeds/status.atom".into(), next: None, total: 1, now };
        is_whole(&status_feed::render_atom(&place, &feed, &found))?;
        let pages = dcat::DcatPage { total: 1, limit: 1, here: "https://maps.example/dcat".into(), ..dcat::DcatPage::default() };
        let triples = dcat::page_triples(&place, &pages, &found);
        is_whole(&write_triples(RdfFormat::RdfXml, &triples))?;
        let turtle = write_triples(RdfFormat::Turtle, &triples);
        let read = oxttl::TurtleParser::new().for_reader(turtle.as_bytes()).collect::<Result<Vec<_>, _>>();
        prop_assert_eq!(read.map(|read| read.len()).ok(), Some(triples.len()));
        for value in [
            records::item::build_feature(&place, &found[0]),
            opensearch::render_geojson(&place, &answer, &found),
            schemaorg::build_json_ld(&place, &found[0]),
            stac::build_item(&place, &found[0]).unwrap_or_default(),
        ] {
            leads_to_the_web(&value)?;
        }
        for page in [
            records::pages::render_item(&place, &found[0]),
            records::pages::render_items(&place, &RecordsPage::default(), "<x>", &found),
            opensearch::render_html(&place, &answer, "\"><x>", &found),
            schemaorg::insert_head("<head></head>", &place, &found[0]),
        ] {
            prop_assert!(!page.contains("<x>") && !page.contains("<!--") && !page.contains("href=\"javascript"));
            prop_assert!(page.matches("<script").count() <= 1);
        }
    }
}
