//! The folders `tests/kinds/<id>/`: beside every file stands what it is, `[]` for a look-alike.
//!
//! Of issues only the codes are compared: their words may be improved.
//!
//! `UPDATE_FIXTURES=1 cargo test` writes the expectations anew; read the difference before committing it.

use crate::server::{Server, drive};
use geotrawl_kinds::probe::{Finding, Found, Target};
use serde_json::{Value, json};
use std::path::Path;

#[test]
fn fixtures_are_what_their_expectations_say() {
    for kind in ["kml", "kmz", "shapefile"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/kinds").join(kind);
        let mut names: Vec<String> = std::fs::read_dir(&folder)
            .unwrap()
            .map(|file| file.unwrap().file_name().into_string().unwrap())
            .filter(|name| !name.ends_with(".expected.json"))
            .collect();
        names.sort();
        let (alike, real): (Vec<&String>, Vec<&String>) =
            names.iter().partition(|n| n.starts_with("look-alike"));
        assert!(!alike.is_empty() && !real.is_empty(), "{kind} needs one of each");
        for name in &names {
            let bytes = std::fs::read(folder.join(name)).unwrap();
            let (finding, _) = drive(&format!("https://data.example.org/files/{name}"), &Server::of(&bytes));
            assert_eq!(finding.resources.is_empty(), name.starts_with("look-alike"), "{kind}/{name}");
            assert!(finding.resources.iter().all(|found| found.resource.kind == kind), "{kind}/{name}");
            let found = summary(&finding);
            let expectation = folder.join(format!("{name}.expected.json"));
            if std::env::var_os("UPDATE_FIXTURES").is_some() {
                std::fs::write(&expectation, format!("{}\n", serde_json::to_string_pretty(&found).unwrap()))
                    .unwrap();
            }
            let expected = std::fs::read_to_string(&expectation)
                .unwrap_or_else(|_| panic!("{kind}/{name} has no expectation"));
            let expected: Value = serde_json::from_str(&expected).unwrap();
            // Through text, so that both went through the same reading of numbers.
            let found: Value = serde_json::from_str(&found.to_string()).unwrap();
            assert_eq!(found, expected, "{kind}/{name}");
        }
    }
}

fn summary(finding: &Finding) -> Value {
    let target =
        |t: &Target| json!({"url": t.url, "intent": t.intent.to_string(), "way": t.way, "words": t.words});
    let found = |f: &Found| {
        let mut resource = serde_json::to_value(&f.resource).unwrap();
        let codes: Vec<&str> = f.resource.issues.iter().map(|i| i.code.as_str()).collect();
        resource["issues"] = json!(codes);
        json!({"resource": resource, "rule": f.rule})
    };
    json!({
        "found": finding.resources.iter().map(found).collect::<Vec<_>>(),
        "targets": finding.targets.iter().map(target).collect::<Vec<_>>(),
    })
}
