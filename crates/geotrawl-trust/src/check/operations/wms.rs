//! Maps of a WMS.

use super::Operation;
use super::ows::version;
use crate::check::plan::area::Area;
use crate::check::plan::{ACCEPT_PICTURE, Context, Expect, PICTURE_BYTES, Planned};
use crate::check::walk::{Met, walk};
use geotrawl_kinds::urls;
use geotrawl_model::{Dataset, Resource};

/// A map of a layer, by a WMS or what is read from it.
pub struct Maps(&'static str);

pub static WMS: Maps = Maps("wms");
pub static NCWMS: Maps = Maps("ncwms");

impl Operation for Maps {
    fn kind(&self) -> &'static str {
        self.0
    }

    fn plan_dataset(&self, context: &Context<'_>, dataset: &Dataset) -> Option<Planned> {
        Some(map(context, dataset))
    }

    fn can_ask(&self, dataset: &Dataset) -> bool {
        is_one_layer(dataset)
    }
}

/// Returns whether the name of a layer is read as that of one: with a comma it would be two.
pub fn is_one_layer(dataset: &Dataset) -> bool {
    !dataset.name.contains(',')
}

/// The picture format that tells most: without loss, if there is one.
fn picture_format(resource: &Resource) -> &str {
    const LIKED: &[&str] =
        &["image/png", "image/png8", "image/png; mode=8bit", "image/gif", "image/jpeg", "image/webp"];
    let offers = |liked: &&&str| resource.formats.iter().any(|format| format.eq_ignore_ascii_case(liked));
    LIKED.iter().find(offers).copied().unwrap_or("image/png")
}

/// A map of 64 by 64 pixels in the middle of a layer. When nothing is there, all of the layer is asked for, larger,
/// so that points show; when it is refused, with a style by name and in the commonest system, which some servers
/// insist on.
pub fn map(context: &Context<'_>, dataset: &Dataset) -> Planned {
    let all = Area::of(dataset.bbox.as_ref().or(context.resource.bbox.as_ref()));
    let first = Look { area: all.middle(), side: "64", style: "", plain: false };
    let style = context.document.and_then(|kept| style_of(&kept.bytes, &dataset.name));
    let named = Look { style: style.as_deref().unwrap_or_default(), plain: true, ..first };
    let planned = map_of(context, dataset, first);
    let refused = Some(map_of(context, dataset, named)).filter(|second| second.ask.url != planned.ask.url);
    let whole = Look { area: all.whole(), side: "128", ..first };
    planned.if_empty(Some(map_of(context, dataset, whole))).if_refused(refused)
}

/// How a map is asked for.
#[derive(Clone, Copy)]
struct Look<'l> {
    area: Area,
    side: &'l str,
    style: &'l str,
    /// Not in CRS:84 if there is another.
    plain: bool,
}

/// The name of the first style of a layer.
fn style_of(bytes: &[u8], layer: &str) -> Option<String> {
    // Names of the open layers, and which element has others open inside it.
    let mut path: Vec<String> = Vec::new();
    let (mut current, mut found) = (false, None);
    walk(bytes, |met| {
        match met {
            Met::Begin { name, .. } => {
                current &= name != "Layer";
                path.push(name.to_owned());
                return true;
            }
            Met::Leaf { name: "Name", text } => match path.iter().rev().nth(1).map(String::as_str) {
                Some("Layer") => current = text == layer,
                Some("Style") if current => found = Some(text.to_owned()),
                _ => {}
            },
            Met::End { name: "Layer" } => current = false,
            _ => {}
        }
        path.pop();
        found.is_none()
    });
    found.filter(|style| !style.is_empty() && style.len() <= 200)
}

fn map_of(context: &Context<'_>, dataset: &Dataset, look: Look<'_>) -> Planned {
    let resource = context.resource;
    let version = version(resource, "1.1.1");
    let area = look.area;
    let offers = |code: &str| {
        let known =
            |list: &[geotrawl_model::SharedText]| list.iter().any(|crs| crs.eq_ignore_ascii_case(code));
        known(&dataset.crs) || known(&resource.crs)
    };
    let silent = dataset.crs.is_empty() && resource.crs.is_empty();
    let new = version.starts_with("1.3");
    // Where the axes cannot be mistaken, if the layer is offered there.
    let (crs, bbox) = match () {
        () if look.plain && offers("EPSG:4326") => {
            ("EPSG:4326", if new { area.by_latitude() } else { area.by_longitude() })
        }
        () if new && (offers("CRS:84") || silent) => ("CRS:84", area.by_longitude()),
        () if offers("EPSG:4326") || silent => {
            ("EPSG:4326", if new { area.by_latitude() } else { area.by_longitude() })
        }
        () if offers("EPSG:3857") => ("EPSG:3857", area.in_mercator()),
        () if offers("EPSG:900913") => ("EPSG:900913", area.in_mercator()),
        // Servers take it more often than they say.
        () if new => ("CRS:84", area.by_longitude()),
        () => ("EPSG:4326", area.by_longitude()),
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
    // Without it what is outside the data has a colour, too: a transparent picture is surely empty.
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
    Planned::new(Some(&dataset.name), url, ACCEPT_PICTURE, PICTURE_BYTES, Expect::Picture)
}
