//! Source maps: the original code, where it is published.

use super::modules;
use crate::model::{AppScript, MapApp};
use serde::Deserialize;

/// An original source.
pub(super) struct OriginalSource {
    pub url: String,
    pub text: String,
}

#[derive(Deserialize)]
struct SourceMap {
    #[serde(default)]
    sources: Vec<Option<String>>,
    #[serde(default, rename = "sourcesContent")]
    contents: Vec<Option<String>>,
    #[serde(default, rename = "sourceRoot")]
    root: Option<String>,
}

/// Location of a source map.
pub(super) enum SourceMapPointer<'a> {
    Elsewhere(String),
    Here(&'a str),
}

/// Returns the last source map reference of a script.
pub(super) fn find_pointer(script: &AppScript) -> Option<SourceMapPointer<'_>> {
    let source = &*script.source;
    // It is in one of the last lines, which may be long if it contains the map itself.
    let from = memchr::memrchr_iter(b'\n', source.as_bytes()).nth(4).map_or(0, |at| at + 1);
    let at = from + memchr::memmem::rfind(source.as_bytes().get(from..)?, b"# sourceMappingURL=")?;
    let rest = source.get(at + "# sourceMappingURL=".len()..)?;
    let named = rest.split(char::is_whitespace).next().unwrap_or_default();
    // In the string of an `eval`, the comment belongs to a module, not to this script.
    if named.is_empty() || named.contains(['\\', '"', '\'']) || named.len() + 4_096 < rest.len() {
        return None;
    }
    if let Some((head, data)) = named.split_once(',')
        && head.starts_with("data:")
    {
        return head.contains("base64").then_some(SourceMapPointer::Here(data));
    }
    let base = script.url.as_deref()?;
    modules::join_url(base, named).map(SourceMapPointer::Elsewhere)
}

/// Returns the original sources of a script, and whether they are complete.
pub(super) fn read_originals(app: &MapApp, script: &AppScript) -> Option<(Vec<OriginalSource>, bool)> {
    let decoded;
    let (body, base): (&str, String) = match find_pointer(script)? {
        SourceMapPointer::Elsewhere(url) => {
            let document = app.documents.iter().find(|document| document.url == url)?;
            (&document.body, url)
        }
        SourceMapPointer::Here(data) => {
            decoded = modules::decode_base64(data)?;
            (&decoded, script.url.clone().unwrap_or_else(|| app.base.clone()))
        }
    };
    let body = body.trim_start_matches(")]}'").trim_start();
    let map: SourceMap = serde_json::from_str(body).ok()?;
    let root = map.root.unwrap_or_default();
    let mut whole = true;
    let mut out = Vec::new();
    let mut contents = map.contents.into_iter();
    for name in map.sources {
        let text = contents.next().flatten();
        let Some(name) = name else { continue };
        if foreign(&name) {
            continue;
        }
        let Some(text) = text else {
            whole = false;
            continue;
        };
        let named =
            if root.is_empty() { name.clone() } else { format!("{}/{name}", root.trim_end_matches('/')) };
        let url = modules::join_url(&base, &named).unwrap_or(named);
        let text =
            if name.contains(".vue") || name.contains(".svelte") { script_blocks(&text) } else { text };
        out.push(OriginalSource { url, text });
    }
    (!out.is_empty()).then_some((out, whole))
}

/// Returns whether a source is third-party code, or no code at all.
fn foreign(name: &str) -> bool {
    let name = name.split('?').next().unwrap_or_default();
    name.contains("node_modules")
        || name.contains("webpack/")
        || name.contains("(webpack)")
        || name.contains('\0')
        || [".css", ".scss", ".less", ".html", ".svg", ".png"].iter().any(|ending| name.ends_with(ending))
}

/// Returns the script blocks of a component.
fn script_blocks(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("<script") {
        let Some(start) = rest.get(at..).and_then(|tag| tag.find('>')).map(|end| at + end + 1) else { break };
        let body = rest.get(start..).unwrap_or_default();
        let end = body.find("</script>").unwrap_or(body.len());
        out.push_str(body.get(..end).unwrap_or_default());
        out.push('\n');
        rest = body.get(end..).unwrap_or_default();
    }
    if out.is_empty() && !text.contains("<template") { text.to_owned() } else { out }
}
