//! Converts the addresses found in the code of an application to targets.

use super::super::config::{self, ConfigEntry, ConfigTargets, RequestKind};
use crate::formats::json::JsonDocument;
use crate::probe::{CrawlTarget, ScriptEvidence};
use geotrawl_js::model::{HOLE, says};
use geotrawl_js::{AppDocument, MapApp, Sighting};
use std::borrow::Cow;
use url::Url;

/// Returns targets for the addresses found in an application's code. Their `way` is `js:<rule>`.
pub fn targets_of_sightings(app: &MapApp, sightings: &[Sighting]) -> Vec<CrawlTarget> {
    let Ok(base) = Url::parse(&app.base).or_else(|_| Url::parse(&app.page)) else { return Vec::new() };
    let mut finds = ConfigTargets::new(base.clone(), "");
    for sighting in sightings {
        let Some(url) = without_holes(&sighting.url).filter(|url| is_whole(url)) else { continue };
        let url = with_query(&url);
        // Skip documents that were read while loading the application, unless they are resources
        // themselves.
        if sighting.says == says::DOCUMENT && is_read(app, &base, &url) {
            continue;
        }
        let before = finds.len();
        finds.set_way(format!("js:{}", sighting.rule));
        finds.add(ConfigEntry {
            url: &url,
            way: means(&sighting.says, &url),
            layers: sighting.layers.clone(),
            words: &sighting.title,
        });
        let note = note(app, sighting);
        finds.annotate(before, sighting.line, &note);
    }
    let mut targets = finds.into_targets();
    // Settings contained in the page itself.
    for element in app.elements.iter().filter(|element| !element.text.is_empty()) {
        targets.extend(targets_of_document(&AppDocument {
            url: app.base.clone(),
            body: element.text.as_str().into(),
        }));
    }
    targets
}

/// Returns how to request an address that the code uses as `said`, or `None` if the address must
/// identify itself.
fn means(said: &str, url: &str) -> Option<RequestKind> {
    match said {
        "" => by_host(url).or_else(|| by_name(url)),
        // Request a document as it is: styles and tile descriptions are recognised by their
        // members.
        says::DOCUMENT => Some(RequestKind::Ask("maplibre-style")),
        says::ARCGIS => config::arcgis_kind(url).map(RequestKind::Ask),
        says::FILE => Some(RequestKind::File),
        says::ARCGIS_ITEM => Some(RequestKind::Page),
        kind => config::request_for_kind(kind),
    }
}

/// Returns the service that a host is named after, unless the path says more:
/// `https://wms.example.org/`, `https://wms.example.org/rivers`.
fn by_host(url: &str) -> Option<RequestKind> {
    let rest = url.split_once("//")?.1;
    let (host, path) = rest.split_once(['/', '?']).unwrap_or((rest, ""));
    let path = path.split(['?', '#']).next().unwrap_or_default();
    let service = host.split_once('.')?.0;
    let short = path.split('/').filter(|part| !part.is_empty()).count() <= 2 && !path.contains(['.', '{']);
    let named = matches!(service, "wms" | "wmts" | "wfs" | "wcs" | "csw" | "wps" | "sos");
    (named && short).then(|| config::request_for_kind(service)).flatten()
}

/// Returns the request that a file name or part of the path indicates: `/MapServer`, `/style.json`.
fn by_name(url: &str) -> Option<RequestKind> {
    let path = url.split(['?', '#']).next().unwrap_or(url);
    let style = path.ends_with("/style.json") || path.ends_with("-style.json");
    config::arcgis_kind(url).or(style.then_some("maplibre-style")).map(RequestKind::Ask)
}

/// Returns whether a document was loaded with the application and is not a resource itself.
fn is_read(app: &MapApp, base: &Url, url: &str) -> bool {
    let Ok(at) = base.join(url) else { return true };
    let Some(document) = app.documents.iter().find(|document| document.url == at.as_str()) else {
        return false;
    };
    let doc = JsonDocument::from_reader(&mut document.body.as_bytes());
    doc.is_none_or(|doc| crate::kinds::read_json(&doc, &at).is_empty())
}

fn note(app: &MapApp, sighting: &Sighting) -> ScriptEvidence {
    let script = app.scripts.get(sighting.place.script as usize).and_then(|script| script.url.clone());
    ScriptEvidence {
        level: sighting.level,
        rule: sighting.rule.clone(),
        reason: sighting.reason.clone(),
        script: sighting.original.clone().or(script),
        column: sighting.column,
    }
}

/// Returns whether an address is more than the page itself and does not have a host such as
/// `undefined`.
fn is_whole(url: &str) -> bool {
    let host =
        url.split_once("//").map_or("", |(_, rest)| rest).split(['/', ':', '?']).next().unwrap_or_default();
    !url.is_empty()
        && !url.starts_with(['?', '#', '&'])
        && !matches!(host, "null" | "undefined" | "NaN" | "false")
}

/// Repairs `http://x.org/wms&REQUEST=GetMap`, which results from code that expects an address with
/// a query.
fn with_query(url: &str) -> Cow<'_, str> {
    match url.split_once('&') {
        Some((path, query)) if !path.contains('?') && query.contains('=') => {
            Cow::Owned(format!("{path}?{query}"))
        }
        _ => Cow::Borrowed(url),
    }
}

/// Removes the unknown parts of an address, if the rest is still an address.
fn without_holes(url: &str) -> Option<Cow<'_, str>> {
    if !url.contains(HOLE) {
        return Some(Cow::Borrowed(url));
    }
    let (path, query) = url.split_once('?').map_or((url, None), |(path, query)| (path, Some(query)));
    let host_ends = path.find("://").map_or(0, |at| at + 3);
    let host_ends = path.get(host_ends..)?.find('/').map_or(path.len(), |at| host_ends + at);
    if path.get(..host_ends)?.contains(HOLE) {
        return None;
    }
    let (host, rest) = path.split_at_checked(host_ends)?;
    let known = || rest.split('/').filter(|part| !part.contains(HOLE)).collect::<Vec<_>>().join("/");
    let mut out = format!("{host}{}", tiles(rest).unwrap_or_else(known));
    if let Some(query) = query {
        let kept: Vec<&str> = query.split('&').filter(|pair| !pair.contains(HOLE)).collect();
        out.push('?');
        out.push_str(&kept.join("&"));
    }
    Some(Cow::Owned(out))
}

/// Restores `/tiles/{z}/{x}/{y}.png` from `/tiles/⬚/⬚/⬚.png`, where the code computes the parts.
fn tiles(path: &str) -> Option<String> {
    let parts: Vec<&str> = path.split('/').collect();
    let at = parts.len().checked_sub(3)?;
    let (before, last) = parts.split_at(at);
    let [zoom, column, row] = last else { return None };
    let hole = |part: &str| part.chars().eq([HOLE]);
    let (row, ending) =
        row.split_once('.').map_or((*row, String::new()), |(row, end)| (row, format!(".{end}")));
    if !hole(zoom)
        || !hole(column)
        || !hole(row)
        || ending.contains(HOLE)
        || before.iter().any(|p| p.contains(HOLE))
    {
        return None;
    }
    Some(format!("{}/{{z}}/{{x}}/{{y}}{ending}", before.join("/")))
}

/// Returns the targets in a document that an application loads: a viewer configuration or any list
/// of services.
pub fn targets_of_document(document: &AppDocument) -> Vec<CrawlTarget> {
    let Ok(at) = Url::parse(&document.url) else { return Vec::new() };
    let text = document.body.trim();
    // For JSONP and scripts that assign a value, use the text between the outermost brackets.
    let inner = match (text.find(['{', '[']), text.rfind(['}', ']'])) {
        (Some(from), Some(to)) if from < to => text.get(from..=to).unwrap_or(text),
        _ => return Vec::new(),
    };
    let Ok(value) = serde_json::from_str(inner) else { return Vec::new() };
    config::read_config(&value, &at).map(|(_, targets)| targets).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_parts_are_left_out_where_the_address_stands_without_them() {
        let hole = |text: &str| text.replace('*', &HOLE.to_string());
        for (url, expected) in [
            ("https://x.org/wms", Some("https://x.org/wms")),
            ("https://x.org/wms?time=*&a=b", Some("https://x.org/wms?a=b")),
            ("https://x.org/geoserver/*/wms", Some("https://x.org/geoserver/wms")),
            ("https://x.org/t/*/*/*.png?k=1", Some("https://x.org/t/{z}/{x}/{y}.png?k=1")),
            ("https://*.x.org/wms", None),
            ("*/wms", None),
            ("https://*", None),
        ] {
            assert_eq!(without_holes(&hole(url)).as_deref(), expected, "{url}");
        }
    }
}
