//! Every folder `connectors/<id>/<case>/` is a test: `replay.json` maps requests to response files.
//! The harvest must end with the expected records and targets.

#![expect(clippy::expect_used, clippy::panic, reason = "a test that cannot read its fixtures has failed")]

use geotrawl_kinds::connectors;
use geotrawl_kinds::probe::{Probe, ProbeResponse, ProbeStep, ResponseBody, ResponseHead};
use geotrawl_model::Intent;
use serde_json::Value;
use std::collections::{BTreeSet, VecDeque};
use std::path::Path;
use url::Url;

const MINE: &[&str] = &["csw", "erddap", "inspire-atom", "oai-pmh", "opensearch", "thredds"];

fn texts(value: &Value) -> BTreeSet<String> {
    value.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
}

fn replay(folder: &Path) {
    let script = std::fs::read_to_string(folder.join("replay.json")).expect("a script");
    let script: Value = serde_json::from_str(&script).expect("JSON");
    let connector = script["connector"].as_str().expect("a connector");
    assert!(connectors::by_id(connector).is_some(), "{connector}");
    let at = Url::parse(script["at"].as_str().expect("an address")).expect("a URL");
    let first = Intent::Harvest { connector: connector.to_owned(), page: 0, state: String::new() };
    let mut waiting = VecDeque::from([first]);
    let mut asked = BTreeSet::new();
    let (mut ids, mut targets, mut issues, mut total) =
        (BTreeSet::new(), BTreeSet::new(), BTreeSet::new(), None);
    while let Some(intent) = waiting.pop_front() {
        // Like the frontier, never make the same request twice.
        if !asked.insert(intent.request_key()) {
            continue;
        }
        assert!(asked.len() < 50, "no end in {}", folder.display());
        assert_eq!(intent.to_string().parse(), Ok(intent.clone()), "a state survives being stored");
        let (mut probe, ask) = Probe::start(intent, at.clone());
        let request = ask.post.as_ref().map_or_else(|| ask.url.to_string(), |post| post.body.clone());
        let answer = script["answers"]
            .as_array()
            .and_then(|all| {
                all.iter().find(|answer| request.contains(answer["asked"].as_str().unwrap_or_default()))
            })
            .unwrap_or_else(|| panic!("{}: nobody answers {request}", folder.display()));
        let bytes = std::fs::read(folder.join(answer["file"].as_str().expect("a file"))).expect("a page");
        let status = answer["status"].as_u64().and_then(|s| u16::try_from(s).ok()).unwrap_or(200);
        let head = ResponseHead { url: Some(ask.url), status, ..ResponseHead::default() };
        let step = probe.handle_response(ProbeResponse {
            head: &head,
            body: ResponseBody::Whole(&bytes),
            truncated: false,
        });
        let ProbeStep::Done(finding) = step else { panic!("a connector asks by its states") };
        issues.extend(finding.issues.into_iter().map(|issue| issue.code));
        for target in finding.targets {
            assert_eq!(target.way, format!("catalogue:{connector}"));
            if matches!(target.intent, Intent::Harvest { .. }) {
                waiting.push_back(target.intent);
            } else {
                targets.insert(format!("{} {}", target.intent, target.url));
            }
        }
        if let Some(harvest) = finding.harvest {
            total = harvest.total.or(total);
            ids.extend(harvest.records.into_iter().map(|record| record.id));
        }
    }
    let place = folder.display();
    assert_eq!(ids, texts(&script["ids"]), "{place}");
    assert_eq!(total, script["total"].as_u64(), "{place}");
    let wanted = texts(&script["targets"]);
    assert!(wanted.is_subset(&targets), "{place}: {wanted:?} in {targets:?}");
    let expected = texts(&script["issues"]);
    assert!(expected.is_subset(&issues), "{place}: {expected:?} in {issues:?}");
}

#[test]
fn recorded_catalogues_are_harvested() {
    for id in MINE {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/connectors").join(id);
        let cases: Vec<_> = std::fs::read_dir(&folder)
            .unwrap_or_else(|_| panic!("{id} has no recorded pages"))
            .filter_map(|entry| entry.ok().map(|entry| entry.path()))
            .filter(|path| path.join("replay.json").is_file())
            .collect();
        assert!(!cases.is_empty(), "{id}");
        for case in &cases {
            replay(case);
        }
    }
}
