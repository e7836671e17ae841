//! Tiles addressed by templates and by folders.

use super::ScoredOperation;
use crate::check::plan::area::SampleArea;
use crate::check::plan::{ACCEPT_JSON, ACCEPT_TILE, ACCEPT_XML, DOCUMENT_BYTES, PlanContext};
use crate::check::plan::{
    ExpectedAnswer, PICTURE_BYTES, PlannedRequest, repeat_description, start_reader, url_below,
};
use geotrawl_kinds::formats::bbox::parse_decimal;
use geotrawl_kinds::formats::tree::XmlTreeNode;
use geotrawl_model::Bbox;
use serde_json::Value;
use url::Url;

/// Requests a tile from the template in a TileJSON.
pub struct TileJson;

impl ScoredOperation for TileJson {
    fn kind(&self) -> &'static str {
        "tilejson"
    }

    fn plan_requests(&self, context: &PlanContext<'_>) -> Vec<PlannedRequest> {
        of_tilejson(context).into_iter().collect()
    }
}

/// Requests a tile from an address with placeholders for level, column and row.
pub struct TileAddress(&'static str);

pub static XYZ: TileAddress = TileAddress("xyz");
pub static MVT: TileAddress = TileAddress("mvt");

impl ScoredOperation for TileAddress {
    fn kind(&self) -> &'static str {
        self.0
    }

    fn plan_requests(&self, context: &PlanContext<'_>) -> Vec<PlannedRequest> {
        of_address(context, repeat_description(context, ExpectedAnswer::Tile))
    }
}

/// Requests a tile of a map of a TMS.
pub struct TileMaps;

impl ScoredOperation for TileMaps {
    fn kind(&self) -> &'static str {
        "tms"
    }

    fn plan_requests(&self, context: &PlanContext<'_>) -> Vec<PlannedRequest> {
        tile_maps(context)
    }
}

/// Fills the placeholders of a template; `None` if it has none or an unknown one.
pub fn fill_template(template: &str, value: impl Fn(&str) -> Option<String>) -> Option<String> {
    if template.len() > 4096 {
        return None;
    }
    let mut out = String::with_capacity(template.len());
    let mut rest = template;
    while let Some((before, tail)) = rest.split_once('{') {
        let (name, after) = tail.split_once('}')?;
        out.push_str(before);
        out.push_str(&value(name)?);
        rest = after;
    }
    out.push_str(rest);
    Some(out)
}

fn web(at: &Url, text: &str) -> Option<Url> {
    at.join(text).ok().filter(|url| matches!(url.scheme(), "http" | "https"))
}

fn tile(dataset: Option<&str>, url: Url) -> PlannedRequest {
    PlannedRequest::new(dataset, url, ACCEPT_TILE, PICTURE_BYTES, ExpectedAnswer::Tile)
}

/// Plans a web mercator tile of a template, with another one in case it is empty.
fn of_template(
    at: &Url,
    template: &str,
    area: SampleArea,
    levels: (u32, u32),
    from_below: bool,
) -> Option<(Url, Option<Url>)> {
    let first = area.centre_tile(levels.0, levels.1);
    let other = Some(area.other_tile(levels.0, levels.1)).filter(|other| *other != first);
    let filled = |place| fill_place(at, template, place, from_below);
    Some((filled(first)?, other.and_then(filled)))
}

fn fill_place(at: &Url, template: &str, (z, x, y): (u32, u32, u32), from_below: bool) -> Option<Url> {
    let flipped = (1_u32 << z) - 1 - y;
    let text = fill_template(template, |place| {
        Some(match place.to_ascii_lowercase().as_str() {
            "z" | "tilematrix" | "level" => z.to_string(),
            "x" | "tilecol" | "col" => x.to_string(),
            "y" | "tilerow" | "row" => if from_below { flipped } else { y }.to_string(),
            "-y" => flipped.to_string(),
            "s" => "a".to_owned(),
            "r" | "ratio" => String::new(),
            _ => return None,
        })
    })?;
    web(at, &text)
}

/// Plans a tile of the template in a TileJSON.
fn of_tilejson(context: &PlanContext<'_>) -> Option<PlannedRequest> {
    let document = context.document?;
    let root: Value = serde_json::from_slice(&document.bytes).ok()?;
    let template = root.pointer("/tiles/0")?.as_str()?;
    let level = |name: &str, otherwise: u32| {
        root.get(name).and_then(Value::as_u64).and_then(|z| u32::try_from(z).ok()).unwrap_or(otherwise)
    };
    let area = SampleArea::from_bbox(context.resource.bbox.as_ref());
    let from_below = root.get("scheme").and_then(Value::as_str) == Some("tms");
    let levels = (level("minzoom", 0), level("maxzoom", 14));
    let (url, other) = of_template(&document.url, template, area, levels, from_below)?;
    Some(either(name_of(context), url, other))
}

/// Plans the tile that was requested as the description, with another one of the same template in
/// case it is empty.
fn of_address(context: &PlanContext<'_>, planned: Vec<PlannedRequest>) -> Vec<PlannedRequest> {
    let name = context.resource.url.as_str();
    let area = SampleArea::from_bbox(context.resource.bbox.as_ref());
    let other = || {
        let template = name.replace("%7B", "{").replace("%7D", "}");
        let at = template.contains('{').then(|| area.other_tile(0, 8));
        at.and_then(|place| fill_place(&context.at, &template, place, false))
    };
    // Both requests are about the same dataset, which has no other name.
    let with_other = |planned: PlannedRequest| {
        let other = other().filter(|url| *url != planned.ask.url).map(|url| tile(Some(name), url));
        PlannedRequest { dataset: Some(name.to_owned()), ..planned }.fallback_if_empty(other)
    };
    planned.into_iter().map(with_other).collect()
}

/// Returns the name of the only dataset, which both requests must share.
fn name_of<'c>(context: &PlanContext<'c>) -> Option<&'c str> {
    context.chosen.first().map(|dataset| dataset.name.as_str())
}

/// Plans a tile with another one in case it is empty.
fn either(dataset: Option<&str>, url: Url, other: Option<Url>) -> PlannedRequest {
    tile(dataset, url).fallback_if_empty(other.map(|other| tile(dataset, other)))
}

/// Plans a tile of a vector tile server.
pub fn plan_vector_tile(context: &PlanContext<'_>) -> PlannedRequest {
    let area = SampleArea::from_bbox(context.resource.bbox.as_ref());
    let url = |(z, x, y): (u32, u32, u32)| {
        url_below(&context.at, &["tile", &z.to_string(), &y.to_string(), &format!("{x}.pbf")], &[])
    };
    either(name_of(context), url(area.centre_tile(0, 8)), Some(url(area.other_tile(0, 8))))
}

/// Plans tiles of a TMS: of the map that the document describes, else of the maps that it lists.
fn tile_maps(context: &PlanContext<'_>) -> Vec<PlannedRequest> {
    let Some(document) = context.document else { return Vec::new() };
    let name = context.chosen.first().map(|dataset| dataset.name.as_str());
    if let Some(planned) = follow_tile_map(&document.bytes, &document.url, name) {
        return vec![planned];
    }
    let mut bytes = document.bytes.as_slice();
    let Some(mut reader) = start_reader(&mut bytes) else { return Vec::new() };
    let tree = XmlTreeNode::read_element(&mut reader);
    let maps: Vec<&XmlTreeNode> = tree
        .child("TileMaps")
        .into_iter()
        .flat_map(|maps| maps.children_named("TileMap"))
        .take(10_000)
        .collect();
    let last = |href: &str| href.trim_end_matches('/').rsplit('/').next().unwrap_or(href).to_owned();
    let planned = context.chosen.iter().filter_map(|dataset| {
        let href = maps.iter().filter_map(|map| map.attr("href")).find(|href| last(href) == dataset.name)?;
        let url = web(&document.url, href)?;
        Some(PlannedRequest::new(
            Some(&dataset.name),
            url,
            ACCEPT_XML,
            DOCUMENT_BYTES,
            ExpectedAnswer::TileMap,
        ))
    });
    planned.collect()
}

/// Plans the tile that follows from the description of a tile map.
pub fn follow_tile_map(mut bytes: &[u8], at: &Url, dataset: Option<&str>) -> Option<PlannedRequest> {
    let mut reader = start_reader(&mut bytes)?;
    if reader.local_name() != b"TileMap" {
        return None;
    }
    let tree = XmlTreeNode::read_element(&mut reader);
    let edges = |node: &XmlTreeNode, names: [&str; 4]| -> Option<[f64; 4]> {
        let [a, b, c, d] = names.map(|name| node.attr(name).and_then(parse_decimal));
        Some([a?, b?, c?, d?]).filter(|edges| edges.iter().all(|edge| edge.is_finite()))
    };
    let [west, south, east, north] = edges(tree.child("BoundingBox")?, ["minx", "miny", "maxx", "maxy"])?;
    let origin = tree.child("Origin");
    let start = |name: &str, otherwise: f64| {
        origin.and_then(|o| o.attr(name)).and_then(parse_decimal).unwrap_or(otherwise)
    };
    let (left, bottom) = (start("x", west), start("y", south));
    let format = tree.child("TileFormat");
    let side = |name: &str| {
        format.and_then(|f| f.attr(name)).and_then(parse_decimal).filter(|n| *n >= 1.0).unwrap_or(256.0)
    };
    let extension = format.and_then(|f| f.attr("extension")).unwrap_or("png");
    // The first set whose tiles are no larger than the map, else the finest one.
    // They are inside an element whose name is not always correct.
    let sets: Vec<(f64, &str)> = tree
        .descendants()
        .filter(|node| node.name == "TileSet")
        .filter_map(|set| {
            Some((
                set.attr("units-per-pixel").and_then(parse_decimal).filter(|n| *n > 0.0)?,
                set.attr("href")?,
            ))
        })
        .take(100)
        .collect();
    let fits = |(units, _): &(f64, &str)| units * side("width") <= (east - west).abs();
    let level = sets.iter().position(fits).or(sets.len().checked_sub(1))?;
    let middle = (f64::midpoint(west, east), f64::midpoint(south, north));
    // Rows are counted from the bottom, or from the top if the origin is there.
    let above = bottom >= middle.1;
    let place = |level: usize, (x, y): (f64, f64)| {
        let (units, _) = sets.get(level)?;
        let up = if above { bottom - y } else { y - bottom };
        let column = ((x - left) / (units * side("width"))).floor();
        let row = (up / (units * side("height"))).floor();
        let sound = (0.0..1e9).contains(&column) && (0.0..1e9).contains(&row);
        sound.then_some((level, column, row))
    };
    let first = place(level, middle)?;
    // Without a lower level, which would show more: another place.
    let quarter = (f64::midpoint(west, middle.0), f64::midpoint(south, middle.1));
    let other = if level > 0 {
        place(level.saturating_sub(2), middle)
    } else {
        place(level, quarter).filter(|beside| *beside != first).or_else(|| place(level + 1, quarter))
    };
    // Relative addresses are resolved against the map's own address, which need not end with a
    // slash.
    let mut base = at.clone();
    if !base.path().ends_with('/') && !base.path().to_ascii_lowercase().ends_with(".xml") {
        base.set_path(&format!("{}/", at.path()));
    }
    let address = |(level, column, row): (usize, f64, f64)| {
        let (_, href) = sets.get(level)?;
        web(&base, &format!("{}/{column}/{row}.{extension}", href.trim_end_matches('/')))
    };
    Some(either(dataset, address(first)?, other.and_then(address)))
}

/// Plans the tile, or the next document, that follows from the tile sets of an OGC API.
pub fn follow_tile_sets(
    bytes: &[u8],
    at: &Url,
    steps: u8,
    bbox: Option<Bbox>,
    dataset: Option<&str>,
) -> Option<PlannedRequest> {
    let root: Value = serde_json::from_slice(bytes).ok()?;
    let list = root.get("tilesets").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let mercator_first = |set: &&&Value| {
        let text =
            |name: &str| set.get(name).and_then(Value::as_str).unwrap_or_default().to_ascii_lowercase();
        let named = format!("{} {}", text("tileMatrixSetURI"), text("tileMatrixSetId"));
        u8::from(!(named.contains("webmercatorquad") || named.contains("googlemaps")))
    };
    let sets: Vec<&Value> = list.iter().take(100).collect();
    let best = sets.iter().min_by_key(mercator_first).copied().unwrap_or(&root);
    for set in [best, &root] {
        let links = set.get("links").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        let text =
            |link: &Value, name: &str| link.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        let templates = links.iter().take(100).filter(|link| text(link, "rel").ends_with("item"));
        let set_name = text(set, "tileMatrixSetId");
        for link in templates {
            let href = text(link, "href").replace("{tileMatrixSetId}", &set_name);
            let area = SampleArea::from_bbox(bbox.as_ref());
            if href.contains('{')
                && let Some((url, other)) = of_template(at, &href, area, (0, 10), false)
            {
                return Some(either(dataset, url, other));
            }
        }
        let itself = links.iter().take(100).find(|link| {
            let json = text(link, "type").contains("json") || text(link, "type").is_empty();
            matches!(text(link, "rel").as_str(), "self" | "tileset")
                && json
                && !text(link, "href").contains('{')
        });
        if steps > 0
            && let Some(url) = itself.and_then(|link| web(at, &text(link, "href"))).filter(|url| url != at)
        {
            let expect = ExpectedAnswer::TileSets { steps: steps - 1, bbox };
            return Some(PlannedRequest::new(dataset, url, ACCEPT_JSON, DOCUMENT_BYTES, expect));
        }
    }
    None
}
