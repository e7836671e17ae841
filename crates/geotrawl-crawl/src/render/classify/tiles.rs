//! Reduces tile requests to the template that they were made from.

use super::RequestSighting;
use crate::render::result::PageRequest;
use geotrawl_kinds::urls;
use std::collections::HashMap;
use url::{Position, Url};

/// Deepest zoom level in practice.
const DEEPEST: u32 = 26;
/// Suffixes that only tiles have after a number.
const PICTURES: &[&str] = &["png", "jpg", "jpeg", "webp", "gif", "avif", "png8", "png32"];
const VECTORS: &[&str] = &["pbf", "mvt", "vector.pbf"];

/// The URL template of a tile request.
#[derive(Debug, Clone, PartialEq, Eq)]
struct TileTemplate {
    /// With `{z}`, `{x}` and `{y}`.
    url: String,
    /// Identical for all servers that share the tiles (`a.`, `b.`, `c.`).
    key: String,
    vector: bool,
    /// Whether the URL has a suffix that only tiles have.
    sure: bool,
}

/// Counts the requests per template.
pub(super) fn count_templates(requests: &[PageRequest]) -> HashMap<String, usize> {
    let mut counted = HashMap::new();
    for seen in requests {
        let Ok(url) = Url::parse(&seen.url) else { continue };
        if let Some(template) = template(&urls::unwrap_proxy(&url).unwrap_or(url)) {
            *counted.entry(template.key).or_default() += 1;
        }
    }
    counted
}

/// Returns the tile service that a request belongs to.
pub(super) fn find_tiles(
    url: &Url,
    resource_type: &str,
    counted: &HashMap<String, usize>,
) -> Option<RequestSighting> {
    let template = template(url)?;
    // Dates and page numbers look like tiles as well, so require an image type or several requests.
    let several = counted.get(&template.key).is_some_and(|count| *count >= 2);
    if !(template.sure || resource_type == "Image" || several) {
        return None;
    }
    let (says, rule) = if template.vector { ("mvt", "render:vector-tiles") } else { ("xyz", "render:tiles") };
    Some(RequestSighting {
        reason: format!(
            "the page requested {} of its tiles",
            counted.get(&template.key).copied().unwrap_or(1)
        ),
        key: template.key,
        url: template.url,
        says: says.to_owned(),
        layers: Vec::new(),
        rule: rule.to_owned(),
    })
}

fn template(url: &Url) -> Option<TileTemplate> {
    in_path(url).or_else(|| in_query(url))
}

/// Finds level, column and row as three consecutive path segments; the last may have a suffix.
fn in_path(url: &Url) -> Option<TileTemplate> {
    let segments: Vec<&str> = url.path().split('/').collect();
    let at = (0..segments.len().checked_sub(2)?).rev().find(|at| {
        let last_of_path = at + 3 == segments.len();
        let (Some(z), Some(x)) = (number(segments[*at]), number(segments[at + 1])) else { return false };
        let (last, suffix) = split_suffix(segments[at + 2]);
        let suffix_fits = suffix.is_empty() || last_of_path;
        suffix_fits && number(last).is_some_and(|y| fits(z, x, y))
    })?;
    let (_, suffix) = split_suffix(segments[at + 2]);
    // WMTS-like services put the row before the column, and the tile matrix set before the level.
    let matrix = url.path().to_ascii_lowercase().contains("wmts")
        || at.checked_sub(1).and_then(|before| segments.get(before)).is_some_and(|set| is_matrix_set(set));
    let places = if matrix { ["{z}", "{y}", "{x}"] } else { ["{z}", "{x}", "{y}"] };
    let mut path = segments[..at].join("/");
    for place in places {
        path.push('/');
        path.push_str(place);
    }
    path.push_str(suffix);
    for rest in &segments[at + 3..] {
        path.push('/');
        path.push_str(rest);
    }
    let query = url.query().map(|query| format!("?{query}")).unwrap_or_default();
    Some(assembled(url, &format!("{path}{query}"), suffix.rsplit('.').next().unwrap_or_default(), suffix))
}

/// Finds level, column and row as parameters `z`, `x` and `y`.
fn in_query(url: &Url) -> Option<TileTemplate> {
    let mut found = [None; 3];
    let mut query = String::new();
    for pair in url.query()?.split('&') {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        let place = ["z", "x", "y"].iter().position(|place| name.eq_ignore_ascii_case(place));
        let place = place.or_else(|| matches!(name, "zoom" | "level" | "l").then_some(0));
        if !query.is_empty() {
            query.push('&');
        }
        match (place, number(value)) {
            (Some(place), Some(number)) => {
                found[place] = Some(number);
                query.push_str(name);
                query.push_str(["={z}", "={x}", "={y}"][place]);
            }
            _ => query.push_str(pair),
        }
    }
    let [Some(z), Some(x), Some(y)] = found else { return None };
    let extension = url.path().rsplit_once('.').map_or("", |(_, extension)| extension);
    fits(z, x, y).then(|| assembled(url, &format!("{}?{query}", url.path()), extension, ""))
}

fn assembled(url: &Url, rest: &str, extension: &str, suffix: &str) -> TileTemplate {
    let extension = extension.to_ascii_lowercase();
    let vector = VECTORS.contains(&extension.as_str());
    let host = url.host_str().unwrap_or_default();
    let shared = match host.split_once('.') {
        Some((first, others)) if is_one_of_many(first) => others,
        _ => host,
    };
    TileTemplate {
        url: format!("{}{rest}", &url[..Position::BeforePath]),
        key: format!("tiles {shared}{rest}"),
        vector,
        sure: !suffix.is_empty() && (vector || PICTURES.contains(&extension.as_str())),
    }
}

/// Whether a label is one of several server names: `a`, `b`, `3`, `t1`, `mt0`, `tile2`.
fn is_one_of_many(label: &str) -> bool {
    let letters = label.trim_end_matches(|c: char| c.is_ascii_digit());
    let digits = label.len() - letters.len();
    match (letters.len(), digits) {
        (1, 0) | (0, 1..=2) => true,
        (1..=8, 1..=2) => letters.bytes().all(|byte| byte.is_ascii_lowercase()),
        _ => false,
    }
}

fn is_matrix_set(segment: &str) -> bool {
    let lower = segment.to_ascii_lowercase();
    ["epsg", "googlemapscompatible", "webmercator", "worldmercator", "google3857", "3857", "900913"]
        .iter()
        .any(|name| lower.contains(name))
        && !lower.contains('@')
}

/// Parses a number without leading zeros, short enough for a row of the deepest level.
fn number(text: &str) -> Option<u32> {
    let plain = text.len() <= 8 && (text.len() == 1 || !text.starts_with('0'));
    text.parse().ok().filter(|_| plain && text.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Splits `12@2x.png` into `12` and `@2x.png`.
fn split_suffix(segment: &str) -> (&str, &str) {
    let end = segment.find(|c: char| !c.is_ascii_digit()).unwrap_or(segment.len());
    segment.split_at(end)
}

/// Whether the tile exists. Schemes with two tiles at the top have twice as many columns.
fn fits(z: u32, x: u32, y: u32) -> bool {
    z <= DEEPEST && u64::from(x) < 2 << z && u64::from(y) < 2 << z
}
