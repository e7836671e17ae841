//! Level 1: the published method, as the baseline for the other levels.
//!
//! Hou, Chen and Wu, "Discovering Land Cover Web Map Services from the Deep Web with JavaScript
//! Invocation Rules" (2016), sections 3.1 and 3.2, as published, including its weaknesses. Its
//! rules, and the choices made where the available text is silent:
//!
//! * **Judgements.** A page is analyzed if one of its script links contains `openlayers`, `ol.js`,
//!   `ol-debug.js`, `arcgis`, `leaflet` or `mapbox`. Its own examples (`OpenLayers.js`) show that
//!   case is ignored. Links are the URLs of the scripts and the `src` of the given elements.
//! * **Naming keywords.** Of the linked scripts, only those are searched whose link contains `map`,
//!   `initial`, `wms`, `layer`, `conus`, `capabilities`, `demo`, `query` or `content`. *Chosen:*
//!   the file name counts, not the host; libraries that fulfil a judgement are not searched ("the
//!   *other* JavaScript code"); inline scripts have no link and are searched. The second of its
//!   "two additional measures" is on a page that is missing and is not implemented.
//! * **Invocation rule one** (its expression is on the missing page; its pseudocode is not). Calls
//!   of `Layer.WMS` (the text between the first two commas), `ImageWMS` and `TileWMS` (between
//!   `url:` and the next comma), `WMSLayer` and `tileLayer.wms` (between the first parenthesis and
//!   the first comma). *Chosen:* the matched text extends from the name to the next semicolon, at
//!   most 2,000 characters, or to the end. Titles with a comma break it, as published. Text with
//!   `http://` or `https://` is used as it is, without its quotes.
//! * **Variables.** Other text is treated as the name of a variable: `var name = ...;` is cut from
//!   the same code and returned by a function that an engine runs (Jurassic there, QuickJS here).
//!   Members, quoted relative URLs and `let` or `const` find nothing, as published. *Chosen:*
//!   whitespace around the name and the equals sign is ignored.
//! * **URL rule two**, with its expression verbatim except for the doubled characters of the print,
//!   only for code in which rule one found no URL. (The pseudocode says "no match", the text "no
//!   URLs"; the text favours the baseline.)

use crate::model::{AnalysisLevel, AnalysisLimits, MapApp, ScriptPosition, Sighting};
use crate::run::{SandboxClock, ScriptEngine, THREAD_STACK, without_nul};
use regex::Regex;
use std::collections::HashMap;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

const JUDGEMENTS: [&str; 6] = ["openlayers", "ol.js", "ol-debug.js", "arcgis", "leaflet", "mapbox"];
const KEYWORDS: [&str; 9] =
    ["map", "initial", "wms", "layer", "conus", "capabilities", "demo", "query", "content"];
const FUNCTIONS: [&str; 5] = ["Layer.WMS", "ImageWMS", "TileWMS", "WMSLayer", "tileLayer.wms"];
/// Regular expression in figure 3 of the paper.
const RULE_TWO: &str =
    r"(http|https)://[a-zA-Z0-9\-.]+\.[a-zA-Z]{2,3}(:[a-zA-Z0-9]*)?/?([a-zA-Z0-9\-._?!,/\\+&$%#=~]*)*";
const MOST_MATCH: usize = 2_000;
/// Maximum number of calls of one function per script.
const MOST_MATCHES: usize = 10_000;
const MOST_STATEMENT: usize = 20_000;
const MOST_VARIABLES: usize = 200;
/// Maximum number of bytes that are searched for declarations.
const MOST_SCANNED: usize = 64 << 20;
const MOST_SIGHTINGS: usize = 2_000;

/// Applies the published method.
pub fn read(app: &MapApp, limits: &AnalysisLimits) -> Vec<Sighting> {
    let mut sightings = Vec::new();
    if !is_judged(app) {
        return sightings;
    }
    let mut variables = Vec::new();
    let mut scanned = 0;
    for (index, script) in app.scripts.iter().enumerate() {
        if script.source.len() > limits.script_bytes || !is_read(script.url.as_deref()) {
            continue;
        }
        let script_index = u32::try_from(index).unwrap_or(u32::MAX);
        let mut declared: HashMap<&str, Option<&str>> = HashMap::new();
        for candidate in rule_one(&script.source) {
            let place = ScriptPosition {
                script: script_index,
                offset: u32::try_from(candidate.offset).unwrap_or(u32::MAX),
            };
            if candidate.text.contains("http://") || candidate.text.contains("https://") {
                sightings.push(invocation(candidate.text, candidate.function, place));
                continue;
            }
            if variables.len() >= MOST_VARIABLES {
                continue;
            }
            let statement = *declared.entry(candidate.text).or_insert_with(|| {
                scanned += script.source.len();
                if scanned > MOST_SCANNED { None } else { declaration(&script.source, candidate.text) }
            });
            if let Some(statement) = statement {
                variables.push((candidate.text.to_owned(), statement.to_owned(), candidate.function, place));
            }
        }
    }
    let asked: Vec<(String, String)> =
        variables.iter().map(|(name, statement, ..)| (name.clone(), statement.clone())).collect();
    let values = if asked.is_empty() { Vec::new() } else { evaluate(asked, limits) };
    for ((_, _, function, place), value) in variables.iter().zip(values) {
        if let Some(value) = value {
            sightings.push(invocation(&value, function, *place));
        }
    }
    rule_two(app, limits, &mut sightings);
    sightings.truncate(MOST_SIGHTINGS.min(limits.sightings));
    sightings
}

/// Returns whether a script link of the page names one of the libraries.
fn is_judged(app: &MapApp) -> bool {
    let links = app.scripts.iter().filter_map(|script| script.url.as_deref());
    let sources = app.elements.iter().filter(|element| element.tag == "script").flat_map(|element| {
        element.attributes.iter().filter(|(name, _)| name == "src").map(|(_, value)| value.as_str())
    });
    links.chain(sources).any(fulfils_judgement)
}

fn fulfils_judgement(link: &str) -> bool {
    let link = link.to_lowercase();
    JUDGEMENTS.iter().any(|name| link.contains(name))
}

/// Returns whether a script is searched.
fn is_read(url: Option<&str>) -> bool {
    let Some(url) = url else { return true };
    let path = url.split(['?', '#']).next().unwrap_or_default();
    let file = path.rsplit('/').next().unwrap_or_default().to_lowercase();
    !fulfils_judgement(url) && KEYWORDS.iter().any(|word| file.contains(word))
}

/// Text that rule one cuts from a call.
struct CallArgument<'a> {
    text: &'a str,
    function: &'static str,
    offset: usize,
}

fn rule_one(source: &str) -> Vec<CallArgument<'_>> {
    let mut out = Vec::new();
    for function in FUNCTIONS {
        for offset in memchr::memmem::find_iter(source.as_bytes(), function.as_bytes()).take(MOST_MATCHES) {
            let Some(rest) = source.get(offset..) else { continue };
            if !rest.get(function.len()..).unwrap_or_default().trim_start().starts_with('(') {
                continue;
            }
            let most = rest.floor_char_boundary(MOST_MATCH.min(rest.len()));
            let matched = rest.get(..most).unwrap_or_default();
            let matched = matched.split(';').next().unwrap_or_default();
            if let Some(text) = cut(matched, function) {
                out.push(CallArgument { text: unquoted(text), function, offset });
            }
            if out.len() >= MOST_SIGHTINGS {
                return out;
            }
        }
    }
    out
}

/// Steps 8 to 27 of the published pseudocode.
fn cut<'a>(matched: &'a str, function: &str) -> Option<&'a str> {
    let (start, end) = match function {
        "Layer.WMS" => {
            let start = matched.find(',')? + 1;
            (start, start + matched.get(start..)?.find(',')?)
        }
        "ImageWMS" | "TileWMS" => {
            let start = matched.find("url:")? + 4;
            (start, start + matched.get(start..)?.find(',')?)
        }
        _ => {
            let start = matched.find('(')? + 1;
            (start, start + matched.get(start..)?.find(',')?)
        }
    };
    matched.get(start..end)
}

fn unquoted(text: &str) -> &str {
    text.trim().trim_matches(['"', '\'']).trim()
}

/// Returns the text from `var name =` to its semicolon.
fn declaration<'a>(source: &'a str, name: &str) -> Option<&'a str> {
    let is_name = !name.is_empty()
        && name.len() < 200
        && name.chars().all(|one| one.is_alphanumeric() || one == '_' || one == '$');
    if !is_name {
        return None;
    }
    for offset in memchr::memmem::find_iter(source.as_bytes(), name.as_bytes()) {
        let (before, after) = (source.get(..offset)?, source.get(offset + name.len()..)?);
        let spaced = before.trim_end();
        let is_declared =
            spaced.len() < before.len() && spaced.ends_with("var") && after.trim_start().starts_with('=');
        if is_declared {
            let start = spaced.len() - 3;
            let end = offset + after.find(';').map_or(after.len(), |at| at + 1) + name.len();
            return source.get(start..end).filter(|statement| statement.len() <= MOST_STATEMENT);
        }
    }
    None
}

/// Evaluates the variables, each in a separate function, in an engine with limits.
fn evaluate(variables: Vec<(String, String)>, limits: &AnalysisLimits) -> Vec<Option<String>> {
    let (sender, receiver) = mpsc::channel();
    let (time, memory, count) = (limits.run_time, limits.run_memory, variables.len());
    let work = move || {
        // The receiver may have timed out.
        let _ = sender.send(evaluate_here(&variables, time, memory));
    };
    if thread::Builder::new().name("variables".into()).stack_size(THREAD_STACK).spawn(work).is_err() {
        return vec![None; count];
    }
    receiver
        .recv_timeout(time.saturating_add(Duration::from_millis(500)))
        .unwrap_or_else(|_| vec![None; count])
}

fn evaluate_here(variables: &[(String, String)], time: Duration, memory: usize) -> Vec<Option<String>> {
    let clock = SandboxClock::new(time);
    let Ok(engine) = ScriptEngine::new(clock, memory) else { return vec![None; variables.len()] };
    let one = |(name, statement): &(String, String)| {
        engine.clock.begin_slice(engine.clock.time_left() / 4);
        let code = format!("function GetValue(){{ {statement}\nreturn {name} }} GetValue()");
        engine.context.with(|ctx| {
            let value = ctx.eval::<rquickjs::Value<'_>, _>(without_nul(&code).as_bytes());
            if let Ok(value) = value {
                value.as_string().and_then(|text| text.to_string().ok())
            } else {
                ctx.catch();
                None
            }
        })
    };
    variables.iter().map(one).collect()
}

/// Finds every URL in scripts without a match of rule one.
fn rule_two(app: &MapApp, limits: &AnalysisLimits, sightings: &mut Vec<Sighting>) {
    let Ok(expression) = Regex::new(RULE_TWO) else { return };
    let with_rule_one: Vec<u32> = sightings.iter().map(|sighting| sighting.place.script).collect();
    for (index, script) in app.scripts.iter().enumerate() {
        let script_index = u32::try_from(index).unwrap_or(u32::MAX);
        let skipped = script.source.len() > limits.script_bytes || !is_read(script.url.as_deref());
        if skipped || with_rule_one.contains(&script_index) {
            continue;
        }
        for found in expression.find_iter(&script.source) {
            if sightings.len() >= MOST_SIGHTINGS {
                return;
            }
            let place = ScriptPosition {
                script: script_index,
                offset: u32::try_from(found.start()).unwrap_or(u32::MAX),
            };
            sightings.push(sighting(
                found.as_str(),
                String::new(),
                "paper:url",
                place,
                "a URL in the code".into(),
            ));
        }
    }
}

fn invocation(url: &str, function: &str, place: ScriptPosition) -> Sighting {
    sighting(url, "wms".into(), "paper:invocation", place, format!("an argument of {function}"))
}

fn sighting(url: &str, says: String, rule: &str, place: ScriptPosition, reason: String) -> Sighting {
    Sighting {
        url: url.to_owned(),
        says,
        layers: Vec::new(),
        title: String::new(),
        level: AnalysisLevel::Paper,
        rule: rule.to_owned(),
        reason,
        place,
        line: 0,
        column: 0,
        original: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::AppScript;

    fn app(scripts: &[(Option<&str>, &str)]) -> MapApp {
        MapApp {
            page: "https://a.example/".into(),
            base: "https://a.example/".into(),
            scripts: scripts
                .iter()
                .map(|(url, source)| AppScript {
                    url: url.map(str::to_owned),
                    source: (*source).into(),
                    module: false,
                    line: 1,
                })
                .collect(),
            ..MapApp::default()
        }
    }

    const LIBRARY: (Option<&str>, &str) = (Some("https://cdn.example/OpenLayers.js"), "");

    fn urls(scripts: &[(Option<&str>, &str)]) -> Vec<String> {
        read(&app(scripts), &AnalysisLimits::default()).into_iter().map(|sighting| sighting.url).collect()
    }

    #[test]
    fn pages_without_a_library_link_are_not_read() {
        let code = (None, "new OpenLayers.Layer.WMS('a', 'http://a.example/wms', {});");
        assert_eq!(urls(&[code]), Vec::<String>::new());
        assert_eq!(urls(&[LIBRARY, code]), ["http://a.example/wms"]);
    }

    #[test]
    fn linked_scripts_are_read_by_their_names() {
        let code = "L.tileLayer.wms('http://a.example/wms', {});";
        assert_eq!(urls(&[LIBRARY, (Some("https://a.example/mymap.js?x"), code)]), ["http://a.example/wms"]);
        assert_eq!(urls(&[LIBRARY, (Some("https://map.example/app.js"), code)]), Vec::<String>::new());
    }

    #[test]
    fn each_call_gives_its_argument() {
        for (code, url) in [
            (
                "new OpenLayers.Layer.WMS(\"A\", \"http://a.example/wms\", {layers: 'x'});",
                "http://a.example/wms",
            ),
            ("new ol.source.TileWMS({url: 'http://a.example/t', params: {}});", "http://a.example/t"),
            (
                "new ol.source.ImageWMS({ratio: 1, url:'https://a.example/i', params: {}});",
                "https://a.example/i",
            ),
            ("new esri.layers.WMSLayer('http://a.example/e', {});", "http://a.example/e"),
            ("L.tileLayer.wms( \"http://a.example/l\", {});", "http://a.example/l"),
        ] {
            assert_eq!(urls(&[LIBRARY, (None, code)]), [url], "{code}");
        }
    }

    #[test]
    fn variables_are_resolved_by_an_engine() {
        let code = "var host = 'x'; var wmsUrl = 'http://a.example' + '/' + ['w', 'ms'].join('');\nL.tileLayer.wms(wmsUrl, {});";
        assert_eq!(urls(&[LIBRARY, (None, code)]), ["http://a.example/wms"]);
        let hostile = "var u = (function(){ for(;;){} })();\nL.tileLayer.wms(u, {});";
        let limits = AnalysisLimits { run_time: Duration::from_millis(200), ..AnalysisLimits::default() };
        assert_eq!(read(&app(&[LIBRARY, (None, hostile)]), &limits), []);
    }

    #[test]
    fn its_published_weaknesses_are_kept() {
        // A title with a comma, a relative address, a member of an object, `const`.
        for code in [
            "new OpenLayers.Layer.WMS('Roads, all', '/wms', {});",
            "L.tileLayer.wms('/geoserver/wms', {});",
            "var c = {u: '/x'};L.tileLayer.wms(c.u, {});",
            "const u = '/x';L.tileLayer.wms(u, {});",
        ] {
            assert_eq!(urls(&[LIBRARY, (None, code)]), Vec::<String>::new(), "{code}");
        }
    }

    #[test]
    fn rule_two_is_for_code_without_rule_one() {
        let list = "G.WMSList.push(\"Demo (WMS)-2\", \"http://demo.example.com/demo/serv.cgi\"); a('http://10.0.0.1/wms');";
        assert_eq!(urls(&[LIBRARY, (None, list)]), ["http://demo.example.com/demo/serv.cgi"]);
        let both = format!("L.tileLayer.wms('http://a.example/wms', {{}});{list}");
        assert_eq!(urls(&[LIBRARY, (None, &both)]), ["http://a.example/wms"]);
    }

    #[test]
    fn long_scripts_take_linear_time() {
        for part in [
            "L.tileLayer.wms(",
            "http://",
            "http://a.b",
            "tileLayer.wms(a,",
            "var a ",
            "Layer.WMS(a,b,",
            "a=1;",
        ] {
            let code = format!("{};L.tileLayer.wms(a, 1);", part.repeat((2 << 20) / part.len()));
            let started = std::time::Instant::now();
            let _ = urls(&[LIBRARY, (None, &code)]);
            assert!(started.elapsed() < Duration::from_secs(8), "{part}: {:?}", started.elapsed());
        }
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_read(text in "[\\s\\S]{0,200}", call in proptest::sample::select(FUNCTIONS.to_vec())) {
            let code = format!("{text}{call}({text},{text}");
            let _ = urls(&[LIBRARY, (None, &code)]);
        }
    }
}
