//! The draft of a map application: what the page itself holds, and what must be fetched.

use super::super::html::elements_of;
use super::gather::AppAsset;
use crate::urls;
use geotrawl_js::library;
use geotrawl_js::{AppScript, MapApp, NeededResourceKind};
use std::ops::Range;
use url::Url;

/// Scripts of one page that are fetched.
const MOST_SCRIPTS: usize = 40;
/// Of these, scripts of other sites.
const MOST_FOREIGN: usize = 8;

/// A `<script>` as it stands.
#[derive(Debug, Clone)]
pub(in crate::extract) struct RawScript<'a> {
    pub src: Option<&'a str>,
    pub kind: ScriptType,
    /// Runs when the page is read (`defer`, modules).
    pub deferred: bool,
    /// For browsers without modules.
    pub legacy: bool,
    /// Its text.
    pub range: Range<usize>,
}

/// What a `<script>` holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::extract) enum ScriptType {
    Classic,
    Module,
    /// Data or a template.
    Other,
}

impl ScriptType {
    /// By the `type` attribute.
    pub(in crate::extract) fn from_type_attribute(said: Option<&str>) -> Self {
        let said = said.unwrap_or_default().trim();
        if said.eq_ignore_ascii_case("module") {
            return Self::Module;
        }
        let lower = said.to_ascii_lowercase();
        let is_code = lower.is_empty()
            || lower.contains("javascript")
            || lower.contains("ecmascript")
            || lower.contains("jscript")
            || lower == "text/babel"
            || lower == "text/jsx"
            || lower == "text/rocketscript";
        if is_code { Self::Classic } else { Self::Other }
    }
}

/// A map application, as far as its page tells.
#[derive(Debug, Clone)]
pub struct AppDraft {
    pub app: MapApp,
    /// Scripts to fetch; their places in `app.scripts` are kept free.
    pub pieces: Vec<AppAsset>,
    /// Why the page is taken for a map application.
    pub why: &'static str,
}

/// The draft of a page that was judged to be a map application.
pub(in crate::extract) fn draft_app(
    why: &'static str,
    source: &str,
    scripts: &[RawScript<'_>],
    title: &str,
    (page, base): (&Url, &Url),
) -> AppDraft {
    let mut app = MapApp {
        page: page.to_string(),
        base: base.to_string(),
        title: title.to_owned(),
        elements: elements_of(source),
        ..MapApp::default()
    };
    let mut pieces = Vec::new();
    let modules = scripts.iter().any(|script| script.kind == ScriptType::Module);
    let mut foreign = 0;
    // What is deferred runs after all that is not.
    for deferred in [false, true] {
        for script in scripts.iter().filter(|script| script.deferred == deferred) {
            if script.kind == ScriptType::Other || script.legacy && modules {
                continue;
            }
            let module = script.kind == ScriptType::Module;
            let Some(src) = script.src else {
                let text = source.get(script.range.clone()).unwrap_or_default();
                let line = 1 + memchr::memchr_iter(
                    b'\n',
                    source.get(..script.range.start).unwrap_or_default().as_bytes(),
                )
                .count();
                let line = u32::try_from(line).unwrap_or(u32::MAX);
                app.scripts.push(AppScript { url: None, source: text.into(), module, line });
                continue;
            };
            let Some(url) = script_url(src, base) else { continue };
            let elsewhere = urls::registrable_domain(&url) != urls::registrable_domain(page);
            let known = library::find_by_url(url.as_str()).is_some();
            let too_many = pieces.len() >= MOST_SCRIPTS || elsewhere && foreign >= MOST_FOREIGN;
            if known || too_many {
                // Its name still tells the code that follows what is there.
                app.scripts.push(AppScript { url: Some(url.into()), source: "".into(), module, line: 1 });
                continue;
            }
            foreign += usize::from(elsewhere);
            pieces.push(AppAsset {
                url: url.clone(),
                kind: NeededResourceKind::Script,
                slot: Some(app.scripts.len()),
            });
            app.scripts.push(AppScript { url: Some(url.into()), source: "".into(), module, line: 1 });
        }
    }
    AppDraft { app, pieces, why }
}

/// Whether a document is a script, and then whether it is surely a module.
pub fn is_script(url: &Url, content_type: Option<&str>) -> Option<bool> {
    let path = url.path().to_ascii_lowercase();
    let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending);
    match ending {
        "mjs" | "ts" | "tsx" | "jsx" => Some(true),
        "js" | "cjs" => Some(false),
        _ => content_type.is_some_and(|said| said.contains("javascript")).then_some(false),
    }
}

/// A script by itself, as if a page held it.
pub fn script_draft(at: &Url, source: &str, module: bool) -> AppDraft {
    let script = AppScript { url: Some(at.to_string()), source: source.into(), module, line: 1 };
    let app =
        MapApp { page: at.to_string(), base: at.to_string(), scripts: vec![script], ..MapApp::default() };
    AppDraft { app, pieces: Vec::new(), why: "a script" }
}

fn script_url(src: &str, base: &Url) -> Option<Url> {
    let url = base.join(urls::unescape_entities(src).as_deref().unwrap_or(src).trim()).ok()?;
    matches!(url.scheme(), "http" | "https" | "file").then_some(url)
}
