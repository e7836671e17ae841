//! Services of ArcGIS servers.

use super::area::Area;
use super::{ACCEPT_JSON, ACCEPT_PICTURE, Context, DOCUMENT_BYTES, Expect, FEATURE_BYTES, PICTURE_BYTES};
use super::{Planned, below};

/// The number of a layer that no service has.
const NO_SUCH_LAYER: &str = "987654321";

/// The scored operation; empty for services that only describe themselves.
pub fn operations(context: &Context<'_>) -> Vec<Planned> {
    let chosen = || context.chosen.iter().map(|dataset| dataset.name.as_str());
    match context.resource.kind.as_str() {
        "arcgis-mapserver" => {
            let of_layer = |name: &str| {
                let layer = context.chosen.iter().find(|dataset| dataset.name == name);
                let area = Area::of(layer.and_then(|l| l.bbox.as_ref()).or(context.resource.bbox.as_ref()));
                picture(context, "export", Some(name), area)
            };
            chosen().map(of_layer).collect()
        }
        "arcgis-imageserver" => {
            let area = Area::of(context.resource.bbox.as_ref());
            let name = context.chosen.first().map(|dataset| dataset.name.as_str());
            let planned = picture(context, "exportImage", None, area);
            // Both questions are about the same dataset.
            vec![named(planned, name)]
        }
        "arcgis-featureserver" => chosen().map(|name| feature(context, name)).collect(),
        // A task is described, never run.
        "arcgis-gpserver" => chosen().map(|name| task(context, name)).collect(),
        _ => Vec::new(),
    }
}

fn named(mut planned: Planned, name: Option<&str>) -> Planned {
    planned.dataset = name.map(str::to_owned);
    planned.again.if_empty = planned
        .again
        .if_empty
        .map(|second| Box::new(Planned { dataset: planned.dataset.clone(), ..*second }));
    planned
}

/// A picture of 64 by 64 pixels in the middle; of all when that is empty.
fn picture(context: &Context<'_>, operation: &str, layer: Option<&str>, area: Area) -> Planned {
    let all = picture_of(context, operation, layer, area.whole(), "128,128");
    picture_of(context, operation, layer, area.middle(), "64,64").if_empty(Some(all))
}

fn picture_of(
    context: &Context<'_>,
    operation: &str,
    layer: Option<&str>,
    area: Area,
    size: &str,
) -> Planned {
    let bbox = area.by_longitude();
    let show = layer.map(|layer| format!("show:{layer}"));
    let mut params = vec![
        ("bbox", bbox.as_str()),
        ("bboxSR", "4326"),
        ("imageSR", "4326"),
        ("size", size),
        ("format", "png"),
    ];
    if let Some(show) = &show {
        params.extend([("transparent", "true"), ("layers", show)]);
    }
    params.push(("f", "image"));
    let url = below(&context.at, &[operation], &params);
    Planned::new(layer, url, ACCEPT_PICTURE, PICTURE_BYTES, Expect::Picture)
}

/// One feature of a layer.
fn feature(context: &Context<'_>, layer: &str) -> Planned {
    let params = [("where", "1=1"), ("outFields", "*"), ("resultRecordCount", "1"), ("f", "json")];
    let url = below(&context.at, &[layer, "query"], &params);
    Planned::new(Some(layer), url, ACCEPT_JSON, FEATURE_BYTES, Expect::List(&["/features"]))
}

fn task(context: &Context<'_>, name: &str) -> Planned {
    let url = below(&context.at, &[name], &[("f", "json")]);
    Planned::new(
        Some(name),
        url,
        ACCEPT_JSON,
        DOCUMENT_BYTES,
        Expect::Object(&["parameters", "displayName", "name"]),
    )
}

/// A layer that does not exist; `None` for services without layers.
pub fn no_such_layer(context: &Context<'_>) -> Option<Planned> {
    let kind = context.resource.kind.as_str();
    if !matches!(kind, "arcgis-mapserver" | "arcgis-featureserver" | "arcgis-gpserver") {
        return None;
    }
    let url = below(&context.at, &[NO_SUCH_LAYER], &[("f", "json")]);
    Some(Planned::new(None, url, ACCEPT_JSON, DOCUMENT_BYTES, Expect::Object(&["name", "parameters"])))
}
