//! Checks the XML and OPeNDAP documents of the public corpus other than capabilities: catalogues,
//! records, feeds, contexts. The corpus is not part of the project; without it, the test reports
//! that it was skipped.

#![expect(clippy::expect_used, clippy::panic, reason = "a test that cannot read its fixtures has failed")]

use geotrawl_kinds::connectors;
use geotrawl_kinds::corpus::{ABSENT, corpus_folder};
use geotrawl_kinds::formats::records::{ParsedRecord, RecordFormat, read_record};
use geotrawl_kinds::formats::thredds::ThreddsCatalog;
use geotrawl_kinds::formats::xml::{XmlEvent, XmlReader, tidy_text};
use geotrawl_kinds::formats::{dap, feed};
use geotrawl_kinds::probe::{Finding, Probe, ProbeResponse, ProbeStep, ResponseBody, ResponseHead};
use geotrawl_model::Intent;
use serde_json::Value;
use std::collections::BTreeMap;
use url::Url;

/// Document kinds of the corpus, and our kinds for them.
const KIND_OF: &[(&str, Option<&str>)] = &[
    ("csw-describerecord", None),
    ("csw-dublin-core-record", None),
    ("csw-getdomain", None),
    ("csw-getrecordbyid-response", None),
    ("csw-getrecords-response", None),
    ("dif-record", None),
    ("fgdc-csdgm-record", None),
    ("gdal-wms-xml", None),
    ("georss-atom-feed", None),
    ("georss-rss", None),
    ("inspire-atom-feed", Some("inspire-atom")),
    ("iso19115-3-record", None),
    ("iso19139-record", None),
    ("oai-pmh-response", Some("oai-pmh")),
    ("opendap-das", Some("opendap")),
    ("opendap-dds", Some("opendap")),
    ("opendap-ddx", Some("opendap")),
    ("opensearch-atom-response", None),
    ("opensearch-description", Some("opensearch")),
    ("qgis-project", None),
    ("sensorml", None),
    ("sld", None),
    ("sos-getobservation", None),
    ("thredds-catalog", Some("thredds")),
    ("tms-root", Some("tms")),
    ("tms-tilemap", Some("tms")),
    ("wcs-describecoverage", None),
    ("wmc-viewcontext", None),
    ("wms-describelayer", None),
    ("wps-describeprocess", None),
    ("wps-executeresponse", None),
];

/// Labels that are wrong or mean something else: kind or id, field, and the reason.
const EXCEPTIONS: &[(&str, &str, &str)] = &[
    (
        "iso19115-3-record",
        "title",
        "the label is the first title of the document, that of the metadata standard",
    ),
    ("iso19115-3-record", "file_identifier", "19115-3 has no element of this name; its identifier is read"),
    ("iso19139-record-df823d1260", "title", "the label joins the title in all its languages"),
    ("iso19139-record-609a5fe435", "title", "the label joins the title in all its languages"),
    (
        "iso19139-record-0136985847",
        "title",
        "the label is the first title of the document, that of a registry",
    ),
];

fn page(bytes: &[u8]) -> Finding {
    let url = Url::parse("http://example.org/document").expect("a URL");
    let (mut probe, _) = Probe::start(Intent::Page, url.clone());
    let head = ResponseHead { url: Some(url), status: 200, ..ResponseHead::default() };
    match probe.handle_response(ProbeResponse {
        head: &head,
        body: ResponseBody::Whole(bytes),
        truncated: false,
    }) {
        ProbeStep::Done(finding) => *finding,
        ProbeStep::Ask(ask) => panic!("{ask:?}"),
    }
}

fn root<T>(mut bytes: &[u8], read: impl FnOnce(&mut XmlReader<'_>) -> T) -> T {
    let mut reader = XmlReader::new(&mut bytes, None);
    while !matches!(reader.next(), XmlEvent::Start | XmlEvent::Eof) {}
    read(&mut reader)
}

fn record(bytes: &[u8]) -> ParsedRecord {
    root(bytes, |reader| {
        let format = RecordFormat::from_element(reader.local_name(), reader.namespace()).expect("a record");
        read_record(reader, format)
    })
}

fn harvested(connector: &str, state: &str, bytes: &[u8]) -> connectors::CataloguePage {
    let at = Url::parse("http://example.org/catalogue").expect("a URL");
    let head = ResponseHead { status: 200, ..ResponseHead::default() };
    let answer = ProbeResponse { head: &head, body: ResponseBody::Whole(bytes), truncated: false };
    connectors::by_id(connector).expect("a connector").parse_page(&at, state, answer)
}

struct LabelDifferences(Vec<(String, String)>);

impl LabelDifferences {
    fn check(&mut self, field: &str, ours: impl std::fmt::Debug, theirs: impl std::fmt::Debug) {
        let (ours, theirs) = (format!("{ours:?}"), format!("{theirs:?}"));
        if ours != theirs {
            self.0.push((field.to_owned(), format!("{ours} instead of {theirs}")));
        }
    }
}

fn texts(value: &Value) -> Vec<&str> {
    value.as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

fn iso(label: &Value, bytes: &[u8], wrong: &mut LabelDifferences) {
    let ParsedRecord { record, .. } = record(bytes);
    let tidied = |name: &str| label[name].as_str().and_then(|t| tidy_text(t, 1024));
    wrong.check("title", &record.title, tidied("title"));
    if let Some(id) = tidied("file_identifier") {
        wrong.check("file_identifier", &record.id, id);
    } else if label["file_identifier"].is_null() && !record.id.is_empty() {
        wrong.check("file_identifier", &record.id, "none");
    }
    let theirs: Vec<f64> = label["bbox"].as_array().into_iter().flatten().filter_map(Value::as_f64).collect();
    if let [west, south, east, north] = theirs[..] {
        let expected = geotrawl_kinds::formats::bbox::classify_bbox([west, south, east, north]).bbox();
        let near = |a: f64, b: f64| (a - b).abs() < 1e-9;
        let same = match (record.bbox, expected) {
            (Some(a), Some(b)) => {
                near(a.west, b.west)
                    && near(a.south, b.south)
                    && near(a.east, b.east)
                    && near(a.north, b.north)
            }
            (a, b) => a == b,
        };
        if !same {
            wrong.check("bbox", record.bbox, expected);
        }
    }
    // The label also lists the links of contacts, standards and thesauri, so ours must be a subset.
    let theirs = texts(&label["online_resources"]);
    let strange: Vec<&str> = record
        .links
        .iter()
        .map(|l| l.url.as_str())
        .filter(|url| !theirs.iter().any(|t| t.trim() == *url))
        .collect();
    wrong.check("online_resources", strange, Vec::<&str>::new());
    if !theirs.is_empty() && record.links.is_empty() && record.contact.url.is_none() {
        wrong.check("links", 0, theirs.len());
    }
}

fn details(kind: &str, row: &Value, bytes: &[u8], finding: &Finding, wrong: &mut LabelDifferences) {
    let label = &row["expected"];
    let number =
        |name: &str| label[name].as_str().and_then(|v| v.parse().ok()).or_else(|| label[name].as_u64());
    let targets: Vec<String> = finding.targets.iter().map(|t| t.url.to_string()).collect();
    let reached = |url: &str| {
        let stem = url.trim_end_matches(['?', '/', '&']).split(['{', '%', '$']).next().unwrap_or(url);
        targets.iter().any(|target| target.starts_with(stem.trim_end_matches('/')))
    };
    let resource = finding.resources.first().map(|found| &found.resource);
    let title = |name: &str| label[name].as_str().and_then(|t| tidy_text(t, 1024));
    match kind {
        "iso19139-record" | "iso19115-3-record" => iso(label, bytes, wrong),
        "csw-getrecords-response" | "csw-getrecordbyid-response" => {
            let page = harvested("csw", "", bytes);
            wrong.check("count", page.records.len() as u64, number("count").unwrap_or(0));
            wrong.check("matched", page.total, number("matched"));
            wrong.check("ids", page.records.iter().filter(|r| r.id.starts_with("without-id")).count(), 0);
        }
        "csw-dublin-core-record" | "dif-record" | "fgdc-csdgm-record" => {
            wrong.check("complete", record(bytes).complete, true);
        }
        "oai-pmh-response" => {
            let page = harvested("oai-pmh", "as=oai_dc", bytes);
            wrong.check("records", page.records.len() as u64, number("records").unwrap_or(0));
            let more = label["resumption_token"].as_bool() == Some(true);
            wrong.check("next", !page.next.is_empty(), more);
        }
        "thredds-catalog" => {
            let catalog = root(bytes, ThreddsCatalog::from_xml);
            wrong.check("name", &catalog.name, title("name"));
            wrong.check("access", catalog.accessible, number("access_urlpaths").unwrap_or(0));
            wrong.check("datasets", catalog.datasets, number("datasets").unwrap_or(0));
            wrong.check("references", catalog.references.len() as u64, number("catalog_refs").unwrap_or(0));
            let services: Vec<[&str; 2]> =
                catalog.services.iter().map(|s| [s.kind.as_str(), s.base.as_str()]).collect();
            let theirs: Vec<[&str; 2]> = label["services"]
                .as_array()
                .into_iter()
                .flatten()
                .map(|s| [s[0].as_str().unwrap_or_default(), s[1].as_str().unwrap_or_default()])
                .collect();
            wrong.check("services", services, theirs);
        }
        "opendap-dds" => {
            wrong.check("name", dap::dds_name(&String::from_utf8_lossy(bytes)), title("dataset_name"));
        }
        "opensearch-description" => wrong.check("title", resource.map(|r| r.title.is_some()), Some(true)),
        "tms-root" => {
            wrong.check("title", resource.and_then(|r| r.title.clone()), title("title"));
            wrong.check("count", resource.map(|r| r.dataset_count), number("count"));
        }
        "tms-tilemap" => {
            wrong.check("title", resource.and_then(|r| r.title.clone()), title("title"));
            let srs = resource.and_then(|r| r.crs.first()).map(ToString::to_string);
            wrong.check("srs", srs, title("srs"));
        }
        "georss-atom-feed" | "georss-rss" | "opensearch-atom-response" | "inspire-atom-feed" => {
            let feed = root(bytes, feed::read_feed);
            wrong.check("entries", feed.count, number("entries").unwrap_or(0));
            if kind != "georss-rss" {
                wrong.check("title", feed.head.title, title("title"));
            }
        }
        "gdal-wms-xml" => {
            for url in texts(&label["server_url"]) {
                wrong.check(url, reached(url), true);
            }
        }
        "wmc-viewcontext" => {
            wrong.check("title", finding.page.as_ref().and_then(|p| p.title.clone()), title("title"));
            for url in texts(&label["servers"]) {
                wrong.check(url, reached(url), true);
            }
        }
        _ => {}
    }
}

#[test]
fn every_label_of_the_corpus_is_met() {
    let Some(corpus) = corpus_folder(env!("CARGO_MANIFEST_DIR")) else {
        println!("{ABSENT}");
        return;
    };
    let manifest = std::fs::read_to_string(corpus.join("manifest.jsonl")).expect("manifest");
    let mut counts: BTreeMap<&str, (u32, u32)> = BTreeMap::new();
    let (mut failures, mut excused) = (Vec::new(), 0);
    for line in manifest.lines() {
        let row: Value = serde_json::from_str(line).expect("a row");
        let text = |name: &str| row[name].as_str().unwrap_or_default();
        let Some((kind, expected)) = KIND_OF.iter().find(|(kind, _)| *kind == text("kind")) else { continue };
        let bytes = std::fs::read(corpus.join(text("file"))).expect("a corpus file");
        let finding = page(&bytes);
        let mut wrong = LabelDifferences(Vec::new());
        let ours: Vec<&str> = finding.resources.iter().map(|f| f.resource.kind.as_str()).collect();
        wrong.check("kind", &ours, expected.iter().collect::<Vec<_>>());
        wrong.check("document", finding.document, Some(*kind));
        details(kind, &row, &bytes, &finding, &mut wrong);
        let count = counts.entry(kind).or_default();
        count.0 += 1;
        let excused_by = |field: &str| {
            EXCEPTIONS.iter().any(|(id, f, _)| (*id == text("id") || id == kind) && *f == field)
        };
        let before = failures.len();
        for (field, message) in wrong.0 {
            if excused_by(&field) {
                excused += 1;
            } else {
                failures.push(format!("{}: {field}: {message}", text("id")));
            }
        }
        count.1 += u32::from(failures.len() == before);
    }
    for (kind, (seen, right)) in &counts {
        println!("{kind}: {right} of {seen}");
    }
    println!("{excused} differences excused");
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(counts.len() == KIND_OF.len(), "kinds of the table that are not in the corpus");
}
