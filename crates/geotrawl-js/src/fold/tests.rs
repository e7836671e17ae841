//! Constructs one by one, then the folders of fixtures, then whatever comes.

mod constructs;
mod fixtures;
mod hostile;
mod modules;

use super::{Folded, Interest, fold_for};
use crate::model::{App, Document, HOLE, Limits, Script};
use crate::value::{Event, Value};

/// A small idea of what is worth an event, apart from the real one.
pub(super) struct Some;

impl Interest for Some {
    fn call(&self, name: &[&str]) -> bool {
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

    fn member(&self, name: &str) -> bool {
        matches!(name, "url" | "LAYERS" | "tiles")
    }

    fn assignment(&self, name: &str) -> bool {
        matches!(name, "url" | "ProxyHost" | "proxyUrl")
    }

    fn library(&self, _script: &Script) -> bool {
        false
    }
}

pub(super) fn app(code: &str) -> App {
    App {
        page: "https://page.example/maps/index.html".into(),
        base: "https://page.example/maps/".into(),
        scripts: vec![Script { url: None, source: code.into(), module: false, line: 1 }],
        ..App::default()
    }
}

pub(super) fn script(url: &str, code: &str, module: bool) -> Script {
    Script { url: Option::Some(url.into()), source: code.into(), module, line: 1 }
}

pub(super) fn document(url: &str, body: &str) -> Document {
    Document { url: url.into(), body: body.into() }
}

pub(super) fn folded(app: &App) -> Folded {
    fold_for(app, &Limits::default(), &Some)
}

/// Events as text, for reading and comparing.
pub(super) fn lines(folded: &Folded) -> Vec<String> {
    folded.events.iter().map(line).collect()
}

pub(super) fn line(event: &Event) -> String {
    let dotted = |name: &[std::rc::Rc<str>]| name.join(".");
    match event {
        Event::Call { name, new, args, .. } => {
            let args: Vec<String> = args.iter().map(value).collect();
            format!("{}{}({})", if *new { "new " } else { "" }, dotted(name), args.join(", "))
        }
        Event::Object { object, .. } => value(&Value::Object(object.clone())),
        Event::Assign { name, value: assigned, .. } => format!("{} = {}", dotted(name), value(assigned)),
        Event::Text { text, .. } => format!("text {}", text.replace(HOLE, "…")),
    }
}

fn value(of: &Value) -> String {
    let list = |values: &[Value], by: &str| values.iter().map(value).collect::<Vec<_>>().join(by);
    match of {
        Value::Unknown => "?".into(),
        Value::Null => "null".into(),
        Value::Bool(value) => value.to_string(),
        Value::Number(number) => number.to_string(),
        Value::Text(text) => format!("'{}'", text.replace(HOLE, "…")),
        Value::List(values) => format!("[{}]", list(values, ", ")),
        Value::OneOf(values) => format!("<{}>", list(values, " | ")),
        Value::Object(object) => {
            let members = object.members.iter().map(|(name, member)| format!("{name}: {}", value(member)));
            format!("{{{}}}", members.collect::<Vec<_>>().join(", "))
        }
        Value::Returns(value_of) => format!("=> {}", value(value_of)),
        Value::Made(made) => format!("{}({})", made.name.join("."), list(&made.args, ", ")),
    }
}

/// All that is shown by `show(...)` in the code.
pub(super) fn shown(code: &str) -> Vec<String> {
    shown_in(&app(code))
}

pub(super) fn shown_in(app: &App) -> Vec<String> {
    let lines = lines(&folded(app));
    let shown = lines.iter().filter_map(|line| line.strip_prefix("show(")?.strip_suffix(')'));
    shown.map(str::to_owned).collect()
}

#[track_caller]
pub(super) fn shows(code: &str, expected: &str) {
    assert_eq!(shown(code).join("; "), expected, "{code}");
}

#[track_caller]
pub(super) fn has(app: &App, expected: &str) {
    let lines = lines(&folded(app));
    assert!(lines.iter().any(|line| line == expected), "{expected}\nis not in\n{}", lines.join("\n"));
}
