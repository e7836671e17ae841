//! Maps of a WMS.

use super::ScoredOperation;
use super::ows::service_version;
use crate::check::plan::area::SampleArea;
use crate::check::plan::{ACCEPT_PICTURE, ExpectedAnswer, PICTURE_BYTES, PlanContext, PlannedRequest};
use crate::check::xml_walk::{ElementEvent, walk_xml};
use geotrawl_kinds::urls;
use geotrawl_model::{Dataset, Resource};

/// Requests a map of a layer of a WMS, or of a service whose description is read from a WMS.
pub struct WmsMap(&'static str);

pub static WMS: WmsMap = WmsMap("wms");
pub static NCWMS: WmsMap = WmsMap("ncwms");

impl ScoredOperation for WmsMap {
    fn kind(&self) -> &'static str {
        self.0
    }

    fn plan_dataset(&self, context: &PlanContext<'_>, dataset: &Dataset) -> Option<PlannedRequest> {
        Some(plan_map(context, dataset))
    }

    fn can_request(&self, dataset: &Dataset) -> bool {
        is_one_layer(dataset)
    }
}

/// Returns whether the name of a layer stands for one layer: with a comma it would be read as two.
pub fn is_one_layer(dataset: &Dataset) -> bool {
    !dataset.name.contains(',')
}

/// Returns the most informative picture format: a lossless one, if available.
fn picture_format(resource: &Resource) -> &str {
    const LIKED: &[&str] =
        &["image/png", "image/png8", "image/png; mode=8bit", "image/gif", "image/jpeg", "image/webp"];
    let offers = |liked: &&&str| resource.formats.iter().any(|format| format.eq_ignore_ascii_case(liked));
    LIKED.iter().find(offers).copied().unwrap_or("image/png")
}

/// Plans a map of 64 by 64 pixels of the middle of a layer. If it is empty, the whole layer is
/// requested at a larger size so that points become visible. If it is rejected, it is requested
/// with a named style and in the most common coordinate system, which some servers require.
pub fn plan_map(context: &PlanContext<'_>, dataset: &Dataset) -> PlannedRequest {
    let all = SampleArea::from_bbox(dataset.bbox.as_ref().or(context.resource.bbox.as_ref()));
    let first = MapRequest { area: all.middle_part(), side: "64", style: "", plain: false };
    let style = context.document.and_then(|kept| style_of(&kept.bytes, &dataset.name));
    let named = MapRequest { style: style.as_deref().unwrap_or_default(), plain: true, ..first };
    let planned = map_of(context, dataset, first);
    let refused = Some(map_of(context, dataset, named)).filter(|second| second.ask.url != planned.ask.url);
    let whole = MapRequest { area: all.whole_area(), side: "128", ..first };
    planned.fallback_if_empty(Some(map_of(context, dataset, whole))).fallback_if_refused(refused)
}

/// Parameters of a map request.
#[derive(Clone, Copy)]
struct MapRequest<'l> {
    area: SampleArea,
    side: &'l str,
    style: &'l str,
    /// Whether to avoid CRS:84 if another system is offered.
    plain: bool,
}

/// Returns the name of the first style of a layer.
fn style_of(bytes: &[u8], layer: &str) -> Option<String> {
    // Names of the open elements; `current` tells whether the last `Name` was that of the wanted
    // layer.
    let mut path: Vec<String> = Vec::new();
    let (mut current, mut found) = (false, None);
    walk_xml(bytes, |met| {
        match met {
            ElementEvent::Begin { name, .. } => {
                current &= name != "Layer";
                path.push(name.to_owned());
                return true;
            }
            ElementEvent::Leaf { name: "Name", text } => match path.iter().rev().nth(1).map(String::as_str) {
                Some("Layer") => current = text == layer,
                Some("Style") if current => found = Some(text.to_owned()),
                _ => {}
            },
            ElementEvent::End { name: "Layer" } => current = false,
            _ => {}
        }
        path.pop();
        found.is_none()
    });
    found.filter(|style| !style.is_empty() && style.len() <= 200)
}

fn map_of(context: &PlanContext<'_>, dataset: &Dataset, look: MapRequest<'_>) -> PlannedRequest {
    let resource = context.resource;
    let version = service_version(resource, "1.1.1");
    let area = look.area;
    let offers = |code: &str| {
        let known =
            |list: &[geotrawl_model::SharedText]| list.iter().any(|crs| crs.eq_ignore_ascii_case(code));
        known(&dataset.crs) || known(&resource.crs)
    };
    let silent = dataset.crs.is_empty() && resource.crs.is_empty();
    let new = version.starts_with("1.3");
    // Prefer a system with unambiguous axis order, if the layer is offered in it.
    let (crs, bbox) = match () {
        () if look.plain && offers("EPSG:4326") => {
            ("EPSG:4326", if new { area.format_lat_lon() } else { area.format_lon_lat() })
        }
        () if new && (offers("CRS:84") || silent) => ("CRS:84", area.format_lon_lat()),
        () if offers("EPSG:4326") || silent => {
            ("EPSG:4326", if new { area.format_lat_lon() } else { area.format_lon_lat() })
        }
        () if offers("EPSG:3857") => ("EPSG:3857", area.format_mercator()),
        () if offers("EPSG:900913") => ("EPSG:900913", area.format_mercator()),
        // Servers accept it more often than they advertise it.
        () if new => ("CRS:84", area.format_lon_lat()),
        () => ("EPSG:4326", area.format_lon_lat()),
    };
    let old = version.starts_with("1.0");
    let format = if old { "PNG" } else { picture_format(resource) };
    let mut params = if old {
        vec![("WMTVER", version), ("REQUEST", "map")]
    } else {
        vec![("SERVICE", "WMS"), ("VERSION", version), ("REQUEST", "GetMap")]
    };
    params.extend([
        ("LAYERS", dataset.name.as_str()),
        ("STYLES", look.style),
        (if new { "CRS" } else { "SRS" }, crs),
        ("BBOX", &bbox),
        ("WIDTH", look.side),
        ("HEIGHT", look.side),
        ("FORMAT", format),
    ]);
    // Without transparency, areas outside the data have a colour as well; a transparent picture is
    // certainly empty.
    params.push(("TRANSPARENT", "TRUE"));
    params.push((
        "EXCEPTIONS",
        match () {
            () if new => "XML",
            () if old => "WMS_XML",
            () => "application/vnd.ogc.se_xml",
        },
    ));
    let url = urls::with_params(&context.at, &params);
    PlannedRequest::new(Some(&dataset.name), url, ACCEPT_PICTURE, PICTURE_BYTES, ExpectedAnswer::Picture)
}
