//! Services of ArcGIS servers.

use super::Operation;
use super::tiles::of_vector_tile_server;
use crate::check::plan::area::Area;
use crate::check::plan::{ACCEPT_JSON, ACCEPT_PICTURE, Context, DOCUMENT_BYTES, Expect, FEATURE_BYTES};
use crate::check::plan::{PICTURE_BYTES, Planned, below};
use geotrawl_model::Dataset;

/// The number of a layer that no service has.
const NO_SUCH_LAYER: &str = "987654321";

/// A map of a layer of a map service.
pub struct Maps;

impl Operation for Maps {
    fn kind(&self) -> &'static str {
        "arcgis-mapserver"
    }

    fn plan_dataset(&self, context: &Context<'_>, dataset: &Dataset) -> Option<Planned> {
        let area = Area::of(dataset.bbox.as_ref().or(context.resource.bbox.as_ref()));
        Some(picture(context, "export", Some(&dataset.name), area))
    }

    fn plan_refusal(&self, context: &Context<'_>) -> Option<Planned> {
        Some(no_such_layer(context))
    }

    fn can_ask(&self, dataset: &Dataset) -> bool {
        !is_folder(dataset)
    }
}

/// A picture of an image service.
pub struct Images;

impl Operation for Images {
    fn kind(&self) -> &'static str {
        "arcgis-imageserver"
    }

    fn plan(&self, context: &Context<'_>) -> Vec<Planned> {
        let area = Area::of(context.resource.bbox.as_ref());
        let name = context.chosen.first().map(|dataset| dataset.name.as_str());
        let planned = picture(context, "exportImage", None, area);
        // Both questions are about the same dataset.
        vec![named(planned, name)]
    }

    fn can_ask(&self, dataset: &Dataset) -> bool {
        !is_folder(dataset)
    }
}

/// A feature of a layer of a feature service.
pub struct Features;

impl Operation for Features {
    fn kind(&self) -> &'static str {
        "arcgis-featureserver"
    }

    fn plan_dataset(&self, context: &Context<'_>, dataset: &Dataset) -> Option<Planned> {
        Some(feature(context, &dataset.name))
    }

    fn plan_refusal(&self, context: &Context<'_>) -> Option<Planned> {
        Some(no_such_layer(context))
    }

    fn can_ask(&self, dataset: &Dataset) -> bool {
        !is_folder(dataset)
    }
}

/// The description of a task of a geoprocessing service, which is never run.
pub struct Tasks;

impl Operation for Tasks {
    fn kind(&self) -> &'static str {
        "arcgis-gpserver"
    }

    fn plan_dataset(&self, context: &Context<'_>, dataset: &Dataset) -> Option<Planned> {
        Some(task(context, &dataset.name))
    }

    fn plan_refusal(&self, context: &Context<'_>) -> Option<Planned> {
        Some(no_such_layer(context))
    }

    fn can_ask(&self, dataset: &Dataset) -> bool {
        !is_folder(dataset)
    }
}

/// A tile of a vector tile service.
pub struct VectorTiles;

impl Operation for VectorTiles {
    fn kind(&self) -> &'static str {
        "arcgis-vectortileserver"
    }

    fn plan(&self, context: &Context<'_>) -> Vec<Planned> {
        vec![of_vector_tile_server(context)]
    }

    fn can_ask(&self, dataset: &Dataset) -> bool {
        !is_folder(dataset)
    }
}

/// Returns whether a dataset is a mere folder of others.
fn is_folder(dataset: &Dataset) -> bool {
    dataset.formats.iter().any(|format| format.to_ascii_lowercase().starts_with("group"))
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

/// A layer that does not exist.
fn no_such_layer(context: &Context<'_>) -> Planned {
    let url = below(&context.at, &[NO_SUCH_LAYER], &[("f", "json")]);
    Planned::new(None, url, ACCEPT_JSON, DOCUMENT_BYTES, Expect::Object(&["name", "parameters"]))
}
