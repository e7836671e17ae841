//! Discovery through configuration files of map viewers.

use super::{ANY, RevealDocument, RevealForm, RevealWay, ShownResource, UrlForm};
use serde_json::json;
use std::fmt::Write as _;

const fn viewer(
    tag: &'static str,
    path: fn(usize) -> String,
    write: fn(&ShownResource) -> RevealDocument,
) -> RevealWay {
    RevealWay {
        tag,
        surface: false,
        level: Some(2),
        kinds: ANY,
        url: UrlForm::Endpoint,
        form: RevealForm::Document { path, link: viewer_start, in_head: false, write },
    }
}

pub(super) static WAYS: &[RevealWay] = &[
    viewer("config:terria", |n| format!("/terria-{n}/init/simple.json"), terria),
    viewer(
        "config:masterportal",
        |n| format!("/masterportal-{n}/resources/services-internet.json"),
        masterportal,
    ),
    viewer("config:mapstore", |n| format!("/mapstore-{n}/configs/new.json"), mapstore),
    viewer("config:qwc2", |n| format!("/qwc2-{n}/themes.json"), qwc2),
];

fn viewer_start(s: &ShownResource, out: &mut String) {
    let _ = writeln!(
        out,
        "<div id=\"viewer{0}\"></div><script>fetch(\"{1}\").then(r => r.json()).then(c => startViewer(\"viewer{0}\", c));</script>",
        s.number, s.document
    );
}

fn document(value: &serde_json::Value) -> RevealDocument {
    RevealDocument { content_type: "application/json", body: value.to_string() }
}

fn terria(s: &ShownResource) -> RevealDocument {
    document(
        &json!({"catalog": [{"type": "group", "name": "Data", "members": [{"type": s.kind, "name": s.title, "url": s.url}]}]}),
    )
}

fn masterportal(s: &ShownResource) -> RevealDocument {
    document(
        &json!([{"id": s.number.to_string(), "name": s.title, "url": s.url, "typ": s.kind.to_ascii_uppercase(), "layers": s.layer, "version": "1.3.0"}]),
    )
}

fn mapstore(s: &ShownResource) -> RevealDocument {
    document(
        &json!({"version": 2, "map": {"layers": [{"type": s.kind, "url": s.url, "name": s.layer, "title": s.title}]}}),
    )
}

fn qwc2(s: &ShownResource) -> RevealDocument {
    document(&json!({"themes": {"items": [{"id": s.number, "title": s.title, "url": s.url}]}}))
}
