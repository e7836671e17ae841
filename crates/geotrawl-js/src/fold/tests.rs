//! Tests of single constructs, of fixture folders, and of arbitrary input.

mod constructs;
mod fixtures;
mod hostile;
mod modules;

use super::{EventFilter, FoldResult, fold_app_with};
use crate::model::{AnalysisLimits, AppDocument, AppScript, HOLE, MapApp};
use crate::value::{CodeEvent, JsValue};

/// A small filter of events that is independent of the real signatures.
pub(super) struct TestFilter;

impl EventFilter for TestFilter {
    fn accepts_call(&self, name: &[&str]) -> bool {
        matches!(
            name.last(),
            Option::Some(
                &("wms"
                    | "tileLayer"
                    | "WMS"
                    | "TileWMS"
                    | "WMSLayer"
                    | "addSource"
                    | "FeatureLayer"
                    | "XYZ"
                    | "show")
            )
        )
    }

    fn accepts_member(&self, name: &str) -> bool {
        matches!(name, "url" | "LAYERS" | "tiles")
    }

    fn accepts_assignment(&self, name: &str) -> bool {
        matches!(name, "url" | "ProxyHost" | "proxyUrl")
    }

    fn is_library(&self, _script: &AppScript) -> bool {
        false
    }
}

pub(super) fn app(code: &str) -> MapApp {
    MapApp {
        page: "https://page.example/maps/index.html".into(),
        base: "https://page.example/maps/".into(),
        scripts: vec![AppScript { url: None, source: code.into(), module: false, line: 1 }],
        ..MapApp::default()
    }
}

pub(super) fn script(url: &str, code: &str, module: bool) -> AppScript {
    AppScript { url: Option::Some(url.into()), source: code.into(), module, line: 1 }
}

pub(super) fn document(url: &str, body: &str) -> AppDocument {
    AppDocument { url: url.into(), body: body.into() }
}

pub(super) fn folded(app: &MapApp) -> FoldResult {
    fold_app_with(app, &AnalysisLimits::default(), &TestFilter)
}

/// Formats events as text, for reading and comparing.
pub(super) fn lines(folded: &FoldResult) -> Vec<String> {
    folded.events.iter().map(line).collect()
}

pub(super) fn line(event: &CodeEvent) -> String {
    let dotted = |name: &[std::rc::Rc<str>]| name.join(".");
    match event {
        CodeEvent::Call { name, new, args, .. } => {
            let args: Vec<String> = args.iter().map(value).collect();
            format!("{}{}({})", if *new { "new " } else { "" }, dotted(name), args.join(", "))
        }
        CodeEvent::Object { object, .. } => value(&JsValue::Object(object.clone())),
        CodeEvent::Assign { name, value: assigned, .. } => format!("{} = {}", dotted(name), value(assigned)),
        CodeEvent::Text { text, .. } => format!("text {}", text.replace(HOLE, "…")),
    }
}

fn value(of: &JsValue) -> String {
    let list = |values: &[JsValue], by: &str| values.iter().map(value).collect::<Vec<_>>().join(by);
    match of {
        JsValue::Unknown => "?".into(),
        JsValue::Null => "null".into(),
        JsValue::Bool(value) => value.to_string(),
        JsValue::Number(number) => number.to_string(),
        JsValue::Text(text) => format!("'{}'", text.replace(HOLE, "…")),
        JsValue::List(values) => format!("[{}]", list(values, ", ")),
        JsValue::OneOf(values) => format!("<{}>", list(values, " | ")),
        JsValue::Object(object) => {
            let members = object.members.iter().map(|(name, member)| format!("{name}: {}", value(member)));
            format!("{{{}}}", members.collect::<Vec<_>>().join(", "))
        }
        JsValue::Returns(value_of) => format!("=> {}", value(value_of)),
        JsValue::Made(made) => format!("{}({})", made.name.join("."), list(&made.args, ", ")),
    }
}

/// Returns all values passed to `show(...)` in the code.
pub(super) fn shown(code: &str) -> Vec<String> {
    shown_in(&app(code))
}

pub(super) fn shown_in(app: &MapApp) -> Vec<String> {
    let lines = lines(&folded(app));
    let shown = lines.iter().filter_map(|line| line.strip_prefix("show(")?.strip_suffix(')'));
    shown.map(str::to_owned).collect()
}

#[track_caller]
pub(super) fn shows(code: &str, expected: &str) {
    assert_eq!(shown(code).join("; "), expected, "{code}");
}

#[track_caller]
pub(super) fn has(app: &MapApp, expected: &str) {
    let lines = lines(&folded(app));
    assert!(lines.iter().any(|line| line == expected), "{expected}\nis not in\n{}", lines.join("\n"));
}
