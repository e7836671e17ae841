//! Source maps: the code as it was written, where it is published.

use super::modules;
use crate::model::{AppScript, MapApp};
use serde::Deserialize;

/// A source as it was written.
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

/// Where a script says that its map is.
pub(super) enum SourceMapPointer<'a> {
    Elsewhere(String),
    Here(&'a str),
}

/// The last pointer to a source map in a script.
pub(super) fn find_pointer(script: &AppScript) -> Option<SourceMapPointer<'_>> {
    let source = &*script.source;
    // It stands in one of the last lines; the line itself may be long, when the map is in it.
    let from = memchr::memrchr_iter(b'\n', source.as_bytes()).nth(4).map_or(0, |at| at + 1);
    let at = from + memchr::memmem::rfind(source.as_bytes().get(from..)?, b"# sourceMappingURL=")?;
    let rest = source.get(at + "# sourceMappingURL=".len()..)?;
    let named = rest.split(char::is_whitespace).next().unwrap_or_default();
    // In the text of an `eval` the comment of a module is no comment of this script.
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

/// The sources behind a script, and whether they are all of it.
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

/// Code of others, and what is no code.
fn foreign(name: &str) -> bool {
    let name = name.split('?').next().unwrap_or_default();
    name.contains("node_modules")
        || name.contains("webpack/")
        || name.contains("(webpack)")
        || name.contains('\0')
        || [".css", ".scss", ".less", ".html", ".svg", ".png"].iter().any(|ending| name.ends_with(ending))
}

/// The script blocks of a component.
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
