//! The folders `tests/kinds/<id>/`: beside every file stands what it is, `[]` for a look-alike.
//!
//! `UPDATE_FIXTURES=1 cargo test` writes the expectations anew; read the difference before committing it.

use crate::server::{Server, drive};
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
            let targets: Vec<_> =
                finding.targets.iter().map(|t| serde_json::json!({"url": t.url, "intent": t.intent.to_string(), "way": t.way, "words": t.words})).collect();
            let resources: Vec<_> = finding
                .resources
                .iter()
                .map(|f| serde_json::json!({"resource": f.resource, "rule": f.rule}))
                .collect();
            let found = serde_json::json!({"found": resources, "targets": targets});
            let expectation = folder.join(format!("{name}.expected.json"));
            if std::env::var_os("UPDATE_FIXTURES").is_some() {
                std::fs::write(&expectation, format!("{}\n", serde_json::to_string_pretty(&found).unwrap()))
                    .unwrap();
            }
            let expected = std::fs::read_to_string(&expectation)
                .unwrap_or_else(|_| panic!("{kind}/{name} has no expectation"));
            let expected: serde_json::Value = serde_json::from_str(&expected).unwrap();
            // Through text, so that both went through the same reading of numbers.
            let found: serde_json::Value = serde_json::from_str(&found.to_string()).unwrap();
            assert_eq!(found, expected, "{kind}/{name}");
        }
    }
}
