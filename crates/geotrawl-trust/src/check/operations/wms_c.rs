//! Maps of a tile cache that answers as a WMS.

use super::ScoredOperation;
use super::wms::is_one_layer;
use crate::check::plan::area::{SampleArea, to_mercator, zoom_level_of};
use crate::check::plan::{ACCEPT_PICTURE, ExpectedAnswer, PICTURE_BYTES, PlanContext, PlannedRequest};
use crate::check::xml_walk::{ElementEvent, walk_xml};
use geotrawl_kinds::formats::bbox::parse_decimal;
use geotrawl_kinds::urls;
use geotrawl_model::Dataset;

/// Requests maps on the grid of the cache.
pub struct CachedMaps;

impl ScoredOperation for CachedMaps {
    fn kind(&self) -> &'static str {
        "wms-c"
    }

    fn plan_requests(&self, context: &PlanContext<'_>) -> Vec<PlannedRequest> {
        cached_maps(context)
    }

    fn can_request(&self, dataset: &Dataset) -> bool {
        is_one_layer(dataset)
    }
}

/// A tile set that a WMS has cached.
#[derive(Debug, Clone, Default)]
struct CachedTileSet {
    srs: String,
    edges: Option<[f64; 4]>,
    resolutions: Vec<f64>,
    width: f64,
    height: f64,
    format: String,
    layers: String,
    styles: String,
}

/// Plans maps on the grid of the cache, which rejects all others.
fn cached_maps(context: &PlanContext<'_>) -> Vec<PlannedRequest> {
    let Some(document) = context.document else { return Vec::new() };
    let sets = tile_sets(&document.bytes);
    let planned = context.chosen.iter().filter_map(|dataset| {
        let of_layer = |set: &&CachedTileSet| set.layers == dataset.name;
        let known = |set: &&CachedTileSet| matches!(code(&set.srs), 3857 | 900_913 | 4326);
        let set = sets.iter().filter(of_layer).find(known).or_else(|| sets.iter().find(of_layer))?;
        let area = SampleArea::from_bbox(dataset.bbox.as_ref());
        let first = grid_box(set, area, 0)?;
        // Two levels up shows more; if the middle lies on an edge there, the other side is
        // requested.
        let other =
            [(area.southwest_quarter(), -2), (area.southwest_quarter(), 0), (area.southwest_quarter(), 1)]
                .into_iter()
                .filter_map(|(area, deeper)| grid_box(set, area, deeper))
                .find(|other| *other != first);
        let other = other.map(|bbox| cached_map(context, &dataset.name, set, &bbox));
        Some(cached_map(context, &dataset.name, set, &first).fallback_if_empty(other))
    });
    planned.collect()
}

fn cached_map(context: &PlanContext<'_>, name: &str, set: &CachedTileSet, bbox: &str) -> PlannedRequest {
    let (width, height) = (set.width.to_string(), set.height.to_string());
    let params = [
        ("SERVICE", "WMS"),
        ("VERSION", "1.1.1"),
        ("REQUEST", "GetMap"),
        ("TILED", "true"),
        ("LAYERS", &set.layers),
        ("STYLES", &set.styles),
        ("SRS", &set.srs),
        ("BBOX", bbox),
        ("WIDTH", &width),
        ("HEIGHT", &height),
        ("FORMAT", &set.format),
    ];
    let url = urls::with_params(&context.at, &params);
    PlannedRequest::new(Some(name), url, ACCEPT_PICTURE, PICTURE_BYTES, ExpectedAnswer::Picture)
}

fn code(srs: &str) -> u32 {
    srs.rsplit(':').next().and_then(|code| code.parse().ok()).unwrap_or_default()
}

/// Returns the grid box at the middle of an area, this many levels deeper than fits it.
fn grid_box(set: &CachedTileSet, area: SampleArea, deeper: isize) -> Option<String> {
    let [west, south, east, north] = set.edges?;
    let wanted = zoom_level_of((east - west).abs() / (set.resolutions.first()? * set.width)) as usize;
    let level = wanted.saturating_add_signed(deeper).min(set.resolutions.len() - 1);
    let resolution = *set.resolutions.get(level)?;
    let (dx, dy) = (resolution * set.width, resolution * set.height);
    let (longitude, latitude) = area.centre();
    let (x, y) = match code(&set.srs) {
        4326 => (longitude, latitude),
        3857 | 900_913 => to_mercator(longitude, latitude),
        _ => (f64::midpoint(west, east), f64::midpoint(south, north)),
    };
    let snap = |at: f64, start: f64, end: f64, step: f64| {
        start + ((at.clamp(start, end) - start) / step).floor() * step
    };
    let (left, bottom) = (snap(x, west, east, dx), snap(y, south, north, dy));
    let sound = dx > 0.0 && dy > 0.0 && [left, bottom, dx, dy].iter().all(|n| n.is_finite());
    sound.then(|| format!("{left},{bottom},{},{}", left + dx, bottom + dy))
}

fn tile_sets(bytes: &[u8]) -> Vec<CachedTileSet> {
    let mut sets = Vec::new();
    let mut set: Option<CachedTileSet> = None;
    walk_xml(bytes, |met| {
        match met {
            ElementEvent::Begin { name: "TileSet", .. } => {
                set = Some(CachedTileSet { width: 256.0, height: 256.0, ..CachedTileSet::default() });
            }
            ElementEvent::Begin { name: "BoundingBox", reader } => {
                if let Some(set) = &mut set {
                    let edge = |name: &str| {
                        reader
                            .attr_by_local_name(name)
                            .and_then(|text| parse_decimal(&text))
                            .filter(|n| n.is_finite())
                    };
                    if let (Some(a), Some(b), Some(c), Some(d)) =
                        (edge("minx"), edge("miny"), edge("maxx"), edge("maxy"))
                        && a <= c
                        && b <= d
                    {
                        set.edges = Some([a, b, c, d]);
                    }
                }
            }
            ElementEvent::Leaf { name, text } => {
                if let Some(set) = &mut set {
                    match name {
                        "SRS" => text.clone_into(&mut set.srs),
                        "Resolutions" => {
                            let positive = |n: &f64| n.is_finite() && *n > 0.0;
                            let numbers = text.split_whitespace().filter_map(parse_decimal).filter(positive);
                            set.resolutions = numbers.take(100).collect();
                        }
                        "Width" => set.width = parse_decimal(text).unwrap_or(256.0).clamp(1.0, 4096.0),
                        "Height" => set.height = parse_decimal(text).unwrap_or(256.0).clamp(1.0, 4096.0),
                        "Format" => text.clone_into(&mut set.format),
                        "Layers" => text.clone_into(&mut set.layers),
                        "Styles" => text.clone_into(&mut set.styles),
                        _ => {}
                    }
                }
            }
            ElementEvent::End { name: "TileSet" } if sets.len() < 10_000 => sets.extend(set.take()),
            _ => {}
        }
        true
    });
    sets
}
