//! Folders are tests: in `tests/kinds/<id>/`, every `is-*` is that kind and matches its snapshot,
//! and every `not-*` is not recognised.

use crate::files::server::{FileServer, drive_probe};
use geotrawl_kinds::probe::{CrawlTarget, Finding, Found};
use serde_json::{Value, json};
use std::path::Path;

#[test]
fn fixtures_are_what_their_names_say() {
    for kind in ["kml", "kmz", "shapefile"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/kinds").join(kind);
        let mut names: Vec<String> = std::fs::read_dir(&folder)
            .unwrap()
            .map(|file| file.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        let (alike, real): (Vec<&String>, Vec<&String>) = names.iter().partition(|n| n.starts_with("not-"));
        assert!(!alike.is_empty() && !real.is_empty(), "{kind} needs one of each");
        for name in &names {
            let bytes = std::fs::read(folder.join(name)).unwrap();
            let (finding, _) = drive_probe(
                &format!("https://data.example.org/files/{name}"),
                &FileServer::from_bytes(&bytes),
            );
            assert!(finding.resources.iter().all(|found| found.resource.kind == kind), "{kind}/{name}");
            assert_eq!(finding.resources.is_empty(), name.starts_with("not-"), "{kind}/{name}: {finding:?}");
            if name.starts_with("is-") {
                insta::assert_json_snapshot!(format!("{kind}-{name}"), summary(&finding));
            }
        }
    }
}

/// Summarises a finding. Of issues it keeps only the codes, so that messages can be reworded.
fn summary(finding: &Finding) -> Value {
    let target = |t: &CrawlTarget| json!({"url": t.url, "intent": t.intent.to_string(), "way": t.way, "words": t.words});
    let found = |f: &Found| {
        let mut resource = serde_json::to_value(&f.resource).unwrap();
        let codes: Vec<&str> = f.resource.issues.iter().map(|i| i.code.as_str()).collect();
        resource["issues"] = json!(codes);
        json!({"resource": resource, "rule": f.evidence.rule})
    };
    json!({
        "found": finding.resources.iter().map(found).collect::<Vec<_>>(),
        "targets": finding.targets.iter().map(target).collect::<Vec<_>>(),
    })
}
