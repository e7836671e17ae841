//! Tiles of a WMTS; which ones, and at which address, follows from its capabilities.

use super::ScoredOperation;
use crate::check::plan::area::{SampleArea, to_mercator};
use crate::check::plan::{ACCEPT_TILE, ExpectedAnswer, NO_SUCH, PICTURE_BYTES, PlanContext, PlannedRequest};
use crate::check::xml_walk::{ElementEvent, walk_xml};
use geotrawl_kinds::formats::crs::CrsRef;
use geotrawl_kinds::urls;
use url::Url;

/// Maximum number of tile matrix sets and levels read.
const SETS: usize = 500;
const LEVELS: usize = 40;
/// Metres per pixel in the definition of the scale denominator.
const PIXEL: f64 = 0.000_28;
/// Metres per degree in the same definition.
const DEGREE: f64 = 111_319.490_793_273_57;

/// Requests a tile of each layer of a WMTS.
pub struct TileLayers;

impl ScoredOperation for TileLayers {
    fn kind(&self) -> &'static str {
        "wmts"
    }

    fn plan_requests(&self, context: &PlanContext<'_>) -> Vec<PlannedRequest> {
        tiles(context)
    }

    fn plan_refusal(&self, context: &PlanContext<'_>) -> Option<PlannedRequest> {
        no_such_tile(context)
    }
}

#[derive(Debug, Clone, Default)]
struct WmtsLayer {
    name: String,
    style: Option<String>,
    style_is_default: bool,
    formats: Vec<String>,
    sets: Vec<String>,
    /// Formats and templates of tiles.
    templates: Vec<(String, String)>,
    /// Further dimensions, with one value each.
    dimensions: Vec<(String, String)>,
    /// Boxes in coordinate systems, in the order of their axes.
    boxes: Vec<(String, [f64; 4])>,
    limits: Vec<TileLimits>,
}

/// Range of the tiles that a layer has at a level: first and last row and column.
#[derive(Debug, Clone, Default)]
struct TileLimits {
    set: String,
    level: String,
    rows: (u64, u64),
    columns: (u64, u64),
}

#[derive(Debug, Clone, Default)]
struct TileMatrixSet {
    name: String,
    crs: String,
    levels: Vec<TileMatrix>,
}

#[derive(Debug, Clone, Default)]
struct TileMatrix {
    name: String,
    scale: f64,
    corner: (f64, f64),
    tile: (f64, f64),
    size: (f64, f64),
}

/// Plans one tile of each chosen layer.
fn tiles(context: &PlanContext<'_>) -> Vec<PlannedRequest> {
    let Some(document) = context.document else { return Vec::new() };
    let names: Vec<&str> = context.chosen.iter().map(|dataset| dataset.name.as_str()).collect();
    let (layers, sets) = read(&document.bytes, &names);
    let planned = context.chosen.iter().filter_map(|dataset| {
        let layer = layers.iter().find(|layer| layer.name == dataset.name)?;
        let bbox = dataset.bbox.as_ref().or(context.resource.bbox.as_ref());
        let area = SampleArea::from_bbox(bbox);
        let first = tile_of(context, layer, &sets, (area, 0))?;
        // Two levels up shows more; without such a level, use another place.
        let other = [(area, -2), (area.southwest_quarter(), -1), (area.southwest_quarter(), 0)]
            .into_iter()
            .filter_map(|place| tile_of(context, layer, &sets, place))
            .find(|other| *other != first);
        let planned = |url| {
            PlannedRequest::new(Some(&dataset.name), url, ACCEPT_TILE, PICTURE_BYTES, ExpectedAnswer::Tile)
        };
        Some(planned(first).fallback_if_empty(other.map(planned)))
    });
    planned.collect()
}

/// Plans a request for a tile of a layer that does not exist.
fn no_such_tile(context: &PlanContext<'_>) -> Option<PlannedRequest> {
    if is_document(&context.at) {
        return None;
    }
    let url = by_parameters(&context.at, NO_SUCH, "default", "image/png", ("EPSG:3857", "0", 0, 0), &[]);
    Some(PlannedRequest::new(None, url, ACCEPT_TILE, PICTURE_BYTES, ExpectedAnswer::Tile))
}

fn is_document(url: &Url) -> bool {
    url.path().to_ascii_lowercase().ends_with(".xml")
}

fn tile_of(
    context: &PlanContext<'_>,
    layer: &WmtsLayer,
    sets: &[TileMatrixSet],
    (area, deeper): (SampleArea, isize),
) -> Option<Url> {
    let usable = layer.sets.iter().filter_map(|name| sets.iter().find(|set| set.name == *name));
    let set = usable.filter(|set| !set.levels.is_empty()).min_by_key(|set| TileCrs::of(&set.crs).rank())?;
    let (level, column, row) = place(set, layer, area, deeper)?;
    let format = layer
        .formats
        .iter()
        .find(|format| format.starts_with("image/png"))
        .or_else(|| layer.formats.iter().find(|format| format.starts_with("image/")))
        .or(layer.formats.first())
        .map_or("image/png", String::as_str);
    let style = layer.style.as_deref().unwrap_or_default();
    let address = (set.name.as_str(), level.name.as_str(), column, row);
    let template = layer
        .templates
        .iter()
        .find(|(of, _)| of == format)
        .or(layer.templates.first())
        .and_then(|(_, template)| by_template(&context.at, template, style, address, &layer.dimensions));
    // A template that leads to another host may be wrong; the address that answered is not.
    let here = |url: &Url| url.host_str() == context.at.host_str();
    match template {
        Some(url) if here(&url) || is_document(&context.at) => Some(url),
        other if is_document(&context.at) => other,
        _ => Some(by_parameters(&context.at, &layer.name, style, format, address, &layer.dimensions)),
    }
}

fn by_parameters(
    at: &Url,
    layer: &str,
    style: &str,
    format: &str,
    (set, level, column, row): (&str, &str, u64, u64),
    dimensions: &[(String, String)],
) -> Url {
    let (column, row) = (column.to_string(), row.to_string());
    let mut params = vec![
        ("SERVICE", "WMTS"),
        ("REQUEST", "GetTile"),
        ("VERSION", "1.0.0"),
        ("LAYER", layer),
        ("STYLE", style),
        ("FORMAT", format),
        ("TILEMATRIXSET", set),
        ("TILEMATRIX", level),
        ("TILEROW", &row),
        ("TILECOL", &column),
    ];
    params.extend(dimensions.iter().map(|(name, value)| (name.as_str(), value.as_str())));
    urls::with_params(at, &params)
}

fn by_template(
    at: &Url,
    template: &str,
    style: &str,
    (set, level, column, row): (&str, &str, u64, u64),
    dimensions: &[(String, String)],
) -> Option<Url> {
    let value = |name: &str| -> Option<String> {
        Some(match name.to_ascii_lowercase().as_str() {
            "style" => style.to_owned(),
            "tilematrixset" => set.to_owned(),
            "tilematrix" => level.to_owned(),
            "tilerow" => row.to_string(),
            "tilecol" => column.to_string(),
            other => dimensions.iter().find(|(of, _)| of.eq_ignore_ascii_case(other))?.1.clone(),
        })
    };
    super::tiles::fill_template(template, value).and_then(|text| at.join(&text).ok()).filter(is_web)
}

fn is_web(url: &Url) -> bool {
    matches!(url.scheme(), "http" | "https")
}

/// Coordinate systems that positions in degrees can be converted to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TileCrs {
    Mercator,
    Degrees { latitude_first: bool },
    Other,
}

impl TileCrs {
    fn of(crs: &str) -> Self {
        let Some(known) = CrsRef::from_text(crs) else { return Self::Other };
        let code = crs.rsplit([':', '/', '#']).next().unwrap_or_default();
        match code {
            "3857" | "900913" | "102100" | "102113" | "3785" => Self::Mercator,
            _ if known.is_geographic() && (code.contains("84") || code == "4326") => {
                Self::Degrees { latitude_first: code == "4326" }
            }
            _ => Self::Other,
        }
    }

    fn rank(self) -> u8 {
        match self {
            Self::Mercator => 0,
            Self::Degrees { .. } => 1,
            Self::Other => 2,
        }
    }
}

/// Levels with more tiles per side do not tell where the data is.
const FEW: f64 = 4.0;

/// Returns the level whose tiles have about the size of the area, or `deeper` levels below, and the
/// tile at its centre.
fn place<'s>(
    set: &'s TileMatrixSet,
    layer: &WmtsLayer,
    area: SampleArea,
    deeper: isize,
) -> Option<(&'s TileMatrix, u64, u64)> {
    let mut levels: Vec<&TileMatrix> = set.levels.iter().filter(|level| level.scale > 0.0).collect();
    levels.sort_by(|a, b| b.scale.total_cmp(&a.scale));
    let coarsest = *levels.first()?;
    let system = TileCrs::of(&set.crs);
    let limits_of = |level: &TileMatrix| {
        layer.limits.iter().find(|limits| limits.set == set.name && limits.level == level.name)
    };
    let Some(spot) = spot(set, layer, area, system) else {
        // A system that cannot be converted to, and no box in it.
        let (columns, rows) = match limits_of(coarsest) {
            Some(limits) => (limits.columns, limits.rows),
            None if coarsest.size.0 <= FEW && coarsest.size.1 <= FEW => {
                let last = |size: f64| (size - 1.0).max(0.0) as u64;
                ((0, last(coarsest.size.0)), (0, last(coarsest.size.1)))
            }
            None => return None,
        };
        return Some((coarsest, u64::midpoint(columns.0, columns.1), u64::midpoint(rows.0, rows.1)));
    };
    let unit = if matches!(system, TileCrs::Degrees { .. }) { DEGREE } else { 1.0 };
    let pixel = |level: &TileMatrix| level.scale * PIXEL / unit;
    // Deep levels are often empty, and the middle one is deep enough for every purpose.
    let deepest = levels.len() / 2;
    let fits = |level: &&TileMatrix| pixel(level) * level.tile.0 <= spot.width;
    let at = levels.iter().position(fits).unwrap_or(levels.len()).min(deepest);
    let at = at.saturating_add_signed(deeper).min(levels.len() - 1);
    let level = *levels.get(at).unwrap_or(&coarsest);
    let (mut left, mut top) = level.corner;
    // Many servers write longitude first in spite of the standard: no corner can be beyond the
    // pole.
    let swapped = match system {
        TileCrs::Degrees { latitude_first } => latitude_first && left.abs() <= 90.5,
        TileCrs::Mercator => false,
        TileCrs::Other => spot.north_first,
    };
    if swapped {
        std::mem::swap(&mut left, &mut top);
    }
    let column = (spot.x - left) / (pixel(level) * level.tile.0);
    let row = (top - spot.y) / (pixel(level) * level.tile.1);
    if !column.is_finite() || !row.is_finite() {
        return None;
    }
    let whole = |number: f64, size: f64| number.floor().clamp(0.0, (size - 1.0).max(0.0)) as u64;
    let within = |number: u64, (first, last): (u64, u64)| number.clamp(first, last.max(first));
    let (column, row) = (whole(column, level.size.0), whole(row, level.size.1));
    Some(match limits_of(level) {
        Some(limits) => (level, within(column, limits.columns), within(row, limits.rows)),
        None => (level, column, row),
    })
}

/// The middle of a layer in the coordinates of a tile matrix set.
struct GridPosition {
    x: f64,
    y: f64,
    width: f64,
    north_first: bool,
}

fn spot(set: &TileMatrixSet, layer: &WmtsLayer, area: SampleArea, system: TileCrs) -> Option<GridPosition> {
    let (longitude, latitude) = area.centre();
    match system {
        TileCrs::Degrees { .. } => {
            Some(GridPosition { x: longitude, y: latitude, width: area.east - area.west, north_first: false })
        }
        TileCrs::Mercator => {
            let (x, y) = to_mercator(longitude, latitude);
            let width = to_mercator(area.east, 0.0).0 - to_mercator(area.west, 0.0).0;
            Some(GridPosition { x, y, width, north_first: false })
        }
        TileCrs::Other => {
            let known = CrsRef::from_text(&set.crs)?;
            let same = |crs: &str| CrsRef::from_text(crs).is_some_and(|other| other.label() == known.label());
            let (_, [low, near, high, far]) = layer.boxes.iter().find(|(crs, _)| same(crs))?;
            let (first, second) = (f64::midpoint(*low, *high), f64::midpoint(*near, *far));
            let north_first = known.north_first();
            Some(if north_first {
                GridPosition { x: second, y: first, width: far - near, north_first }
            } else {
                GridPosition { x: first, y: second, width: high - low, north_first }
            })
        }
    }
}

/// Reads the named layers and all tile matrix sets.
fn read(bytes: &[u8], names: &[&str]) -> (Vec<WmtsLayer>, Vec<TileMatrixSet>) {
    let (mut layers, mut sets) = (Vec::<WmtsLayer>::new(), Vec::<TileMatrixSet>::new());
    let mut path: Vec<String> = Vec::new();
    let mut layer: Option<WmtsLayer> = None;
    let mut set: Option<TileMatrixSet> = None;
    let mut level: Option<TileMatrix> = None;
    let (mut default_style, mut dimension) = (false, (String::new(), String::new()));
    let (mut bounds, mut limits) = ((String::new(), [f64::NAN; 4]), TileLimits::default());
    let number = |text: &str| text.trim().parse::<f64>().ok().filter(|n| n.is_finite()).unwrap_or_default();
    let pair = |text: &str| {
        let mut numbers = text.split_whitespace().map(number);
        [numbers.next().unwrap_or(f64::NAN), numbers.next().unwrap_or(f64::NAN)]
    };
    walk_xml(bytes, |met| {
        let name = match met {
            ElementEvent::Begin { name, reader } => {
                let parent = path.last().map(String::as_str).unwrap_or_default();
                match name {
                    "Layer" => layer = Some(WmtsLayer::default()),
                    "Style" => {
                        default_style = reader.attr_by_local_name("isDefault").is_some_and(|v| &*v == "true");
                    }
                    "Dimension" => dimension = (String::new(), String::new()),
                    "BoundingBox" => {
                        let crs = reader.attr_by_local_name("crs").map(std::borrow::Cow::into_owned);
                        bounds = (crs.unwrap_or_default(), [f64::NAN; 4]);
                    }
                    "TileMatrixLimits" => {
                        let set = layer.as_ref().and_then(|layer| layer.sets.last()).cloned();
                        limits = TileLimits { set: set.unwrap_or_default(), ..TileLimits::default() };
                    }
                    "ResourceURL" => {
                        let attr = |name| {
                            reader
                                .attr_by_local_name(name)
                                .map(std::borrow::Cow::into_owned)
                                .unwrap_or_default()
                        };
                        if let Some(layer) = &mut layer
                            && attr("resourceType") == "tile"
                            && layer.templates.len() < 50
                        {
                            layer.templates.push((attr("format"), attr("template")));
                        }
                    }
                    "TileMatrixSet" if parent == "Contents" => set = Some(TileMatrixSet::default()),
                    "TileMatrix" if parent == "TileMatrixSet" => level = Some(TileMatrix::default()),
                    _ => {}
                }
                path.push(name.to_owned());
                return true;
            }
            ElementEvent::Leaf { name, text } => {
                let parent = path.iter().rev().nth(1).map(String::as_str).unwrap_or_default();
                match (name, parent, &mut level, &mut set, &mut layer) {
                    ("Identifier", "TileMatrix", Some(level), _, _) => text.clone_into(&mut level.name),
                    ("ScaleDenominator", _, Some(level), _, _) => level.scale = number(text),
                    ("TopLeftCorner", _, Some(level), _, _) => level.corner = pair(text).into(),
                    ("TileWidth", _, Some(level), _, _) => level.tile.0 = number(text),
                    ("TileHeight", _, Some(level), _, _) => level.tile.1 = number(text),
                    ("MatrixWidth", _, Some(level), _, _) => level.size.0 = number(text),
                    ("MatrixHeight", _, Some(level), _, _) => level.size.1 = number(text),
                    ("Identifier", "TileMatrixSet", None, Some(set), _) => text.clone_into(&mut set.name),
                    ("SupportedCRS", _, None, Some(set), _) => text.clone_into(&mut set.crs),
                    ("Identifier", "Layer", _, None, Some(layer)) => text.clone_into(&mut layer.name),
                    ("Identifier", "Style", _, None, Some(layer))
                        if layer.style.is_none() || default_style && !layer.style_is_default =>
                    {
                        layer.style = Some(text.to_owned());
                        layer.style_is_default = default_style;
                    }
                    ("Format", "Layer", _, None, Some(layer)) if layer.formats.len() < 50 => {
                        layer.formats.push(text.to_owned());
                    }
                    ("TileMatrixSet", "TileMatrixSetLink", _, None, Some(layer))
                        if layer.sets.len() < SETS =>
                    {
                        layer.sets.push(text.to_owned());
                    }
                    ("LowerCorner", "BoundingBox", ..) => [bounds.1[0], bounds.1[1]] = pair(text),
                    ("UpperCorner", "BoundingBox", ..) => [bounds.1[2], bounds.1[3]] = pair(text),
                    ("TileMatrix", "TileMatrixLimits", ..) => text.clone_into(&mut limits.level),
                    ("MinTileRow", ..) => limits.rows.0 = number(text).max(0.0) as u64,
                    ("MaxTileRow", ..) => limits.rows.1 = number(text).max(0.0) as u64,
                    ("MinTileCol", ..) => limits.columns.0 = number(text).max(0.0) as u64,
                    ("MaxTileCol", ..) => limits.columns.1 = number(text).max(0.0) as u64,
                    ("Identifier", "Dimension", ..) => text.clone_into(&mut dimension.0),
                    ("Default", "Dimension", ..) => text.clone_into(&mut dimension.1),
                    ("Value", "Dimension", ..) if dimension.1.is_empty() => text.clone_into(&mut dimension.1),
                    _ => {}
                }
                name
            }
            ElementEvent::End { name } => name,
        };
        path.pop();
        match name {
            "BoundingBox" => {
                if let Some(layer) = &mut layer
                    && bounds.1.iter().all(|edge| edge.is_finite())
                    && layer.boxes.len() < 50
                {
                    layer.boxes.push(std::mem::take(&mut bounds));
                }
            }
            "TileMatrixLimits" => {
                if let Some(layer) = &mut layer
                    && layer.limits.len() < SETS
                {
                    layer.limits.push(std::mem::take(&mut limits));
                }
            }
            "Dimension" => {
                let (name, value) = std::mem::take(&mut dimension);
                if let Some(layer) = &mut layer
                    && !name.is_empty()
                    && layer.dimensions.len() < 20
                {
                    layer.dimensions.push((name, value));
                }
            }
            "Layer" => layers.extend(layer.take().filter(|layer| names.contains(&layer.name.as_str()))),
            "TileMatrix" => {
                if let (Some(set), Some(level)) = (&mut set, level.take())
                    && set.levels.len() < LEVELS
                {
                    set.levels.push(level);
                }
            }
            "TileMatrixSet" => sets.extend(set.take().filter(|_| sets.len() < SETS)),
            _ => {}
        }
        true
    });
    (layers, sets)
}
