//! Fixture folders: `tests/fold/<name>/` with scripts and an `expected.json`.

use super::{document, folded, lines, script};
use crate::model::MapApp;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;

#[derive(Deserialize)]
struct ExpectedFold {
    page: String,
    /// Files of the folder in order; files that end in `.mjs` are modules.
    scripts: Vec<String>,
    /// Files by URL.
    #[serde(default)]
    documents: BTreeMap<String, String>,
    /// Events that must occur.
    has: Vec<String>,
    /// Texts that must not occur in any event.
    #[serde(default)]
    lacks: Vec<String>,
    /// The complete list of needed URLs.
    #[serde(default)]
    wants: Option<Vec<String>>,
}

#[test]
fn every_folder_gives_what_it_expects() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fold");
    let mut count = 0;
    for folder in std::fs::read_dir(&root).unwrap().map(|entry| entry.unwrap().path()) {
        let read = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
        let expected: ExpectedFold = serde_json::from_str(&read("expected.json")).unwrap();
        let base = expected.page.rsplit_once('/').unwrap().0;
        let app = MapApp {
            page: expected.page.clone(),
            base: expected.page.clone(),
            scripts: expected
                .scripts
                .iter()
                .map(|name| {
                    script(
                        &format!("{base}/{name}"),
                        &read(name),
                        name.rsplit_once('.').is_some_and(|(_, last)| last == "mjs"),
                    )
                })
                .collect(),
            documents: expected.documents.iter().map(|(url, name)| document(url, &read(name))).collect(),
            ..MapApp::default()
        };
        let folded = folded(&app);
        let lines = lines(&folded);
        let all = lines.join("\n");
        for has in &expected.has {
            assert!(lines.contains(has), "{}: no {has} in\n{all}", folder.display());
        }
        for lacks in &expected.lacks {
            assert!(!all.contains(lacks), "{}: {lacks} in\n{all}", folder.display());
        }
        if let Some(wants) = &expected.wants {
            let found: Vec<String> = folded.wants.iter().map(|want| want.url.clone()).collect();
            assert_eq!(&found, wants, "{}", folder.display());
        }
        count += 1;
    }
    assert!(count > 0);
}
