//! Tests of the sandbox.

mod hostile;
mod instrumented;
mod libraries;

use super::{RunResult, run};
use crate::model::{AnalysisLimits, AppDocument, AppScript, MapApp};
use crate::value::{CodeEvent, JsValue};

/// Creates an application of classic scripts.
fn app(scripts: &[&str]) -> MapApp {
    MapApp {
        page: "https://maps.example.org/viewer/index.html?x=1".into(),
        base: "https://maps.example.org/viewer/index.html".into(),
        title: "Map".into(),
        scripts: scripts
            .iter()
            .map(|source| AppScript { url: None, source: (*source).into(), module: false, line: 1 })
            .collect(),
        ..MapApp::default()
    }
}

/// Returns a long time limit, because debug builds on busy machines are slow; results do not depend
/// on it.
fn patient() -> AnalysisLimits {
    AnalysisLimits { run_time: std::time::Duration::from_secs(10), ..AnalysisLimits::default() }
}

fn ran(scripts: &[&str]) -> RunResult {
    run(&app(scripts), &patient())
}

/// Collects all texts in a value.
fn texts(value: &JsValue, out: &mut Vec<String>) {
    match value {
        JsValue::Text(text) => out.push(text.to_string()),
        JsValue::List(list) => list.iter().for_each(|value| texts(value, out)),
        JsValue::Object(object) => object.members.iter().for_each(|(_, value)| texts(value, out)),
        JsValue::Returns(value) => texts(value, out),
        JsValue::Made(made) => made.args.iter().for_each(|value| texts(value, out)),
        _ => {}
    }
}

/// Returns the texts in the arguments of each call with this name.
fn calls(ran: &RunResult, name: &str) -> Vec<Vec<String>> {
    let mut out = Vec::new();
    for event in &ran.events {
        if let CodeEvent::Call { name: parts, args, .. } = event
            && parts.iter().map(|part| &**part).collect::<Vec<_>>().join(".") == name
        {
            let mut found = Vec::new();
            for value in args {
                texts(value, &mut found);
            }
            out.push(found);
        }
    }
    out
}

/// Asserts that a call with this name had this text.
#[track_caller]
fn assert_call(ran: &RunResult, name: &str, text: &str) {
    let found = calls(ran, name);
    assert!(
        found.iter().any(|texts| texts.iter().any(|one| one == text)),
        "no {name} with {text}: {found:?}\n{:#?}\n{:?}",
        ran.events,
        ran.issues
    );
}

#[track_caller]
fn assert_runs(script: &str, name: &str, text: &str) {
    assert_call(&ran(&[script]), name, text);
}

fn document(url: &str, body: &str) -> AppDocument {
    AppDocument { url: url.into(), body: body.into() }
}
