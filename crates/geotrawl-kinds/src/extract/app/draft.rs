//! The draft of a map application: what the page itself contains, and what must be fetched.

use super::super::html::elements_of;
use super::loader::AppAsset;
use crate::urls;
use geotrawl_js::library;
use geotrawl_js::{AppScript, MapApp, NeededResourceKind};
use std::ops::Range;
use url::Url;

/// Maximum number of scripts to fetch per page.
const MOST_SCRIPTS: usize = 40;
/// Maximum number of these scripts from other sites.
const MOST_FOREIGN: usize = 8;

/// `<script>` element as found.
#[derive(Debug, Clone)]
pub(in crate::extract) struct RawScript<'a> {
    pub src: Option<&'a str>,
    pub kind: ScriptType,
    /// Whether the script runs after the page is parsed (`defer`, modules).
    pub deferred: bool,
    /// Whether the script is only for browsers without modules.
    pub legacy: bool,
    /// Range of the script's text.
    pub range: Range<usize>,
}

/// Content type of a `<script>`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::extract) enum ScriptType {
    Classic,
    Module,
    /// Data or a template.
    Other,
}

impl ScriptType {
    /// Returns the type for the value of a `type` attribute.
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

/// Map application, as far as it is known from its page.
#[derive(Debug, Clone)]
pub struct AppDraft {
    pub app: MapApp,
    /// Scripts to fetch. Empty slots are reserved for them in `app.scripts`.
    pub pieces: Vec<AppAsset>,
    /// Reason why the page was classified as a map application.
    pub why: &'static str,
}

/// Creates the draft of a page that was classified as a map application.
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
    // Deferred scripts run after all others.
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
                // The name alone tells the analysis of later code which library is present.
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

/// Returns whether a document is a script: `Some(true)` for a certain module, `None` if it is not a
/// script.
pub fn is_script(url: &Url, content_type: Option<&str>) -> Option<bool> {
    let path = url.path().to_ascii_lowercase();
    let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending);
    match ending {
        "mjs" | "ts" | "tsx" | "jsx" => Some(true),
        "js" | "cjs" => Some(false),
        _ => content_type.is_some_and(|said| said.contains("javascript")).then_some(false),
    }
}

/// Creates the draft of a single script, as if a page contained it.
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
