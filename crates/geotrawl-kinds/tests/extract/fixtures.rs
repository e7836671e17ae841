//! Every folder is a test. `input.*` is the document, `head.json` (optional) the head of the
//! response, and `expected.json` the expected result. `GEOTRAWL_BLESS=1` rewrites the expected
//! results.

use geotrawl_kinds::extract::{read_html, read_sitemap, read_text, read_xml_links};
use geotrawl_kinds::probe::{Finding, ResponseHead};
use serde_json::{Value, json};
use std::path::Path;
use url::Url;

#[test]
fn every_folder_gives_what_it_expects() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/extract/fixtures");
    let mut folders: Vec<_> = std::fs::read_dir(&root).unwrap().map(|e| e.unwrap().path()).collect();
    folders.sort();
    assert!(folders.len() >= 10, "fixtures are missing");
    let mut wrong = Vec::new();
    for folder in folders {
        let found = read(&folder);
        let expected_file = folder.join("expected.json");
        let text = serde_json::to_string_pretty(&found).unwrap() + "\n";
        if std::env::var_os("GEOTRAWL_BLESS").is_some() {
            std::fs::write(&expected_file, &text).unwrap();
            continue;
        }
        let expected: Value =
            serde_json::from_slice(&std::fs::read(&expected_file).unwrap_or_default()).unwrap_or_default();
        if expected != found {
            wrong.push(format!("{}:\n{text}", folder.file_name().unwrap().display()));
        }
    }
    assert!(wrong.is_empty(), "not as expected:\n{}", wrong.join("\n"));
}

/// Reads the document of a folder with the reader named by the folder's prefix.
fn read(folder: &Path) -> Value {
    let name = folder.file_name().unwrap().to_str().unwrap();
    let input = std::fs::read_dir(folder)
        .unwrap()
        .map(|e| e.unwrap().path())
        .find(|p| p.file_stem().is_some_and(|s| s == "input"))
        .unwrap_or_else(|| panic!("{name} has no input"));
    let body = std::fs::read(input).unwrap();
    let settings: Value = std::fs::read(folder.join("head.json"))
        .map(|b| serde_json::from_slice(&b).unwrap())
        .unwrap_or_default();
    let text = |key: &str| settings.get(key).and_then(Value::as_str).map(str::to_owned);
    let url =
        Url::parse(&text("url").unwrap_or_else(|| "https://site.example/dir/page.html".to_owned())).unwrap();
    let head = ResponseHead {
        status: 200,
        content_type: text("content_type"),
        nofollow: settings.get("nofollow").and_then(Value::as_bool).unwrap_or(false),
        links: settings.get("links").map(|l| serde_json::from_value(l.clone()).unwrap()).unwrap_or_default(),
        ..ResponseHead::default()
    };
    let finding = match name.split('-').next().unwrap() {
        "html" => read_html(&url, &head, &body),
        "sitemap" => read_sitemap(&url, &head, &body),
        "xml" => read_xml_links(&url, &head, &body),
        "text" => read_text(&url, &head, &body),
        other => panic!("no reader for {other}"),
    };
    shown(&finding)
}

fn shown(finding: &Finding) -> Value {
    let targets: Vec<Value> = finding
        .targets
        .iter()
        .map(|t| match t.words.as_str() {
            "" => json!(format!("{} {} {}", t.way, t.intent, t.url)),
            words => json!([format!("{} {} {}", t.way, t.intent, t.url), words]),
        })
        .collect();
    let issues: Vec<&str> = finding.issues.iter().map(|i| i.code.as_str()).collect();
    let page = finding.page.as_ref().map(|p| {
        json!({"title": p.title, "language": p.language, "charset": p.charset, "words": p.words, "nofollow": p.nofollow})
    });
    json!({"verdict": finding.verdict, "targets": targets, "page": page, "issues": issues})
}
