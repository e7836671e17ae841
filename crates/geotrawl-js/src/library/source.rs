//! Recognises libraries by their source: a banner or a definition at the very beginning, and the
//! end of a library.
//!
//! A bundle may begin with a library's banner, because bundlers keep licences in place, but it ends
//! with application code. So both ends must belong to the library.

use super::ScriptLibrary;
use super::table::LIBRARIES;
use aho_corasick::AhoCorasick;
use std::sync::LazyLock;

/// Length of the beginning in which a banner is searched.
const HEAD: usize = 2_048;
/// Length of the end in which an ending is searched.
const TAIL: usize = 480;
/// Minimum length of a source that is recognised.
const LEAST: usize = 2_000;

/// Automaton of all beginnings, with their libraries.
static HEADS: LazyLock<Option<(AhoCorasick, Vec<&'static ScriptLibrary>)>> = LazyLock::new(|| {
    let heads: Vec<(&str, &'static ScriptLibrary)> =
        LIBRARIES.iter().flat_map(|library| library.heads.iter().map(move |head| (*head, library))).collect();
    let automaton = AhoCorasick::new(heads.iter().map(|(head, _)| head)).ok()?;
    Some((automaton, heads.into_iter().map(|(_, library)| library).collect()))
});

/// Returns the library that a script is, by its banner or by definitions only that library has.
/// Returns `None` for bundles that contain application code, too.
pub fn find_by_source(source: &str) -> Option<&'static ScriptLibrary> {
    if source.len() < LEAST {
        return None;
    }
    let (automaton, owners) = HEADS.as_ref()?;
    let head = source.as_bytes().get(..HEAD.min(source.len()))?;
    // Development bundles contain each module, with its banner, as a string that they evaluate.
    if holds(head, "eval(\"") || holds(head, "eval('") || holds(head, "eval(__webpack") {
        return None;
    }
    let begins_with_comment =
        source.trim_start_matches(['\u{feff}', ';']).trim_start().starts_with(['/', '<']);
    let mut candidates: Vec<&'static ScriptLibrary> = Vec::new();
    for found in automaton.find_overlapping_iter(head) {
        // A banner counts only at the start of the file, because bundlers keep banners inside their
        // wrappers.
        let is_code =
            head.get(found.range()).is_some_and(|mark| mark.iter().any(|b| matches!(b, b'=' | b'(' | b'{')));
        if let Some(library) = owners.get(found.pattern().as_usize())
            && (is_code || begins_with_comment)
            && !candidates.iter().any(|other| other.id == library.id)
        {
            candidates.push(library);
        }
    }
    let plugin = if is_universal(head) { plugin_of(head) } else { None };
    candidates.extend(plugin);
    let tail = last(without_map(source));
    candidates.into_iter().find(|library| {
        source.len() <= library.most as usize * 1_024
            && (has_end(tail) || library.tails.iter().any(|mark| tail.contains(mark)))
            && !uses_maps(source)
    })
}

fn holds(head: &[u8], piece: &str) -> bool {
    memchr::memmem::find(head, piece.as_bytes()).is_some()
}

/// Returns whether the source starts with a UMD header, which supports every module system.
fn is_universal(head: &[u8]) -> bool {
    holds(head, "define.amd") && (holds(head, "exports"))
}

/// Returns the plug-in family of a UMD header that requires a map library.
fn plugin_of(head: &[u8]) -> Option<&'static ScriptLibrary> {
    let id = if ["require(\"leaflet\")", "require('leaflet')"].iter().any(|piece| holds(head, piece)) {
        "leaflet-plugin"
    } else if ["require(\"ol/", "require('ol/", "require(\"openlayers\")", "require('openlayers')"]
        .iter()
        .any(|piece| holds(head, piece))
    {
        "openlayers-plugin"
    } else {
        return None;
    };
    LIBRARIES.iter().find(|library| library.id == id)
}

/// Returns the source without its source map comment, which may contain the map itself.
fn without_map(source: &str) -> &str {
    match memchr::memmem::rfind(source.as_bytes(), b"\n//# sourceMappingURL=") {
        Some(at) if source.get(at + 1..).is_some_and(|rest| !rest.trim_end().contains('\n')) => {
            source.get(..at).unwrap_or(source)
        }
        _ => source,
    }
}

/// Returns the end of a source.
fn last(source: &str) -> &str {
    &source[source.ceil_char_boundary(source.len().saturating_sub(TAIL))..]
}

/// Returns whether a source ends like a library, with an export.
fn has_end(tail: &str) -> bool {
    let code = tail;
    let near = &code[code.ceil_char_boundary(code.len().saturating_sub(200))..];
    let exports = ["__esModule", "module.exports", "return exports"];
    if exports.iter().any(|mark| near.contains(mark)) {
        return true;
    }
    let code = code.trim_end().trim_end_matches(';');
    // `return library;}));`, minified: `,n});`.
    let bare = code.trim_end_matches(|c: char| matches!(c, ')' | '}' | ';') || c.is_whitespace());
    let closing = code.get(bare.len()..).unwrap_or_default();
    let name = bare
        .rsplit(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '$' | '.')))
        .next()
        .unwrap_or_default();
    let before = bare.get(..bare.len() - name.len()).unwrap_or_default();
    let returned = before.trim_end().ends_with("return") && closing.contains('}');
    let assigned = before.trim_end().ends_with('=')
        && closing.trim_start_matches([';', ' ', '\n', '\r', '\t']).starts_with('}');
    !name.is_empty()
        && closing.contains(')')
        && (returned || assigned || before.ends_with(',') && closing.starts_with('}'))
}

/// Returns whether a source calls functions that applications use to create maps, but libraries do
/// not.
fn uses_maps(source: &str) -> bool {
    // Code that is appended to a library is in the last part of the source.
    let from = source.len().saturating_sub(16_384).max(HEAD.min(source.len()));
    let end = &source.as_bytes()[source.ceil_char_boundary(from)..];
    [
        "new ol.Map(",
        "L.map(",
        "new OpenLayers.Map(",
        "new maplibregl.Map(",
        "new mapboxgl.Map(",
        "new Cesium.Viewer(",
        "L.tileLayer.wms(",
        "new ol.source.TileWMS(",
    ]
    .iter()
    .any(|call| holds(end, call))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn script(head: &str, tail: &str) -> String {
        format!("{head}\n{}\n{tail}", "var a=function(b){return b+1};".repeat(200))
    }

    #[test]
    fn libraries_are_told_by_both_ends() {
        let leaflet = "/* @preserve\n * Leaflet 1.9.4, a JS library for interactive maps. https://leafletjs.com\n */\n!function(t,e){";
        for (head, tail, id) in [
            (
                leaflet,
                "t.noConflict=function(){return window.L=i,this},window.L=t});\n//# sourceMappingURL=leaflet.js.map",
                Some("leaflet"),
            ),
            (
                leaflet,
                "t.Map=e,t.map=function(){}});var m=L.map('m');L.tileLayer('https://a.example/{z}/{x}/{y}.png').addTo(m)",
                None,
            ),
            (leaflet, "start({layers:a});", None),
            (
                "/*! jQuery v3.6.0 | (c) OpenJS Foundation */\n!function(e,t){",
                "e.jQuery=e.$=S),S});",
                Some("jquery"),
            ),
            (
                "/*! jQuery v3.6.0 | (c) OpenJS Foundation */\n!function(e,t){",
                "$(document).ready(function(){go()});",
                None,
            ),
            (
                "!function(t,e){\"object\"==typeof exports?e(require(\"leaflet\")):define.amd}(this,function(){",
                "t.x=1,Object.defineProperty(t,\"__esModule\",{value:!0})});",
                Some("leaflet-plugin"),
            ),
            ("(function(){", "})();", None),
        ] {
            let source = script(head, tail);
            assert_eq!(find_by_source(&source).map(|library| library.id), id, "{head} ... {tail}");
        }
        assert_eq!(find_by_source("L.map()"), None);
    }

    #[test]
    fn ends_of_libraries_are_told() {
        for (tail, is) in [
            ("  return proj4;\n\n}));\n", true),
            ("a.b=c,Kn});", true),
            ("window.L = exports;\n\n}));", true),
            ("export{a as b,c as d};", false),
            ("go(a,b)});", false),
            ("init();", false),
            ("map.addLayer(wms);\n});", false),
        ] {
            assert_eq!(has_end(tail), is, "{tail}");
        }
    }
}
