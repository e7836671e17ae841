//! Services of ArcGIS servers.

use super::ScoredOperation;
use super::tiles::plan_vector_tile;
use crate::check::plan::area::SampleArea;
use crate::check::plan::{
    ACCEPT_JSON, ACCEPT_PICTURE, DOCUMENT_BYTES, ExpectedAnswer, FEATURE_BYTES, PlanContext,
};
use crate::check::plan::{PICTURE_BYTES, PlannedRequest, url_below};
use geotrawl_model::Dataset;

/// Number of a layer that no service has.
const NO_SUCH_LAYER: &str = "987654321";

/// Draws a map of a layer of a map service.
pub struct ArcgisMap;

impl ScoredOperation for ArcgisMap {
    fn kind(&self) -> &'static str {
        "arcgis-mapserver"
    }

    fn plan_dataset(&self, context: &PlanContext<'_>, dataset: &Dataset) -> Option<PlannedRequest> {
        let area = SampleArea::from_bbox(dataset.bbox.as_ref().or(context.resource.bbox.as_ref()));
        Some(picture(context, "export", Some(&dataset.name), area))
    }

    fn plan_refusal(&self, context: &PlanContext<'_>) -> Option<PlannedRequest> {
        Some(no_such_layer(context))
    }

    fn can_request(&self, dataset: &Dataset) -> bool {
        !is_folder(dataset)
    }
}

/// Draws a picture of an image service.
pub struct ArcgisImage;

impl ScoredOperation for ArcgisImage {
    fn kind(&self) -> &'static str {
        "arcgis-imageserver"
    }

    fn plan_requests(&self, context: &PlanContext<'_>) -> Vec<PlannedRequest> {
        let area = SampleArea::from_bbox(context.resource.bbox.as_ref());
        let name = context.chosen.first().map(|dataset| dataset.name.as_str());
        let planned = picture(context, "exportImage", None, area);
        // Both requests are about the same dataset.
        vec![named(planned, name)]
    }

    fn can_request(&self, dataset: &Dataset) -> bool {
        !is_folder(dataset)
    }
}

/// Requests a feature of a layer of a feature service.
pub struct ArcgisFeature;

impl ScoredOperation for ArcgisFeature {
    fn kind(&self) -> &'static str {
        "arcgis-featureserver"
    }

    fn plan_dataset(&self, context: &PlanContext<'_>, dataset: &Dataset) -> Option<PlannedRequest> {
        Some(feature(context, &dataset.name))
    }

    fn plan_refusal(&self, context: &PlanContext<'_>) -> Option<PlannedRequest> {
        Some(no_such_layer(context))
    }

    fn can_request(&self, dataset: &Dataset) -> bool {
        !is_folder(dataset)
    }
}

/// Requests the description of a task of a geoprocessing service; the task is never run.
pub struct ArcgisTask;

impl ScoredOperation for ArcgisTask {
    fn kind(&self) -> &'static str {
        "arcgis-gpserver"
    }

    fn plan_dataset(&self, context: &PlanContext<'_>, dataset: &Dataset) -> Option<PlannedRequest> {
        Some(task(context, &dataset.name))
    }

    fn plan_refusal(&self, context: &PlanContext<'_>) -> Option<PlannedRequest> {
        Some(no_such_layer(context))
    }

    fn can_request(&self, dataset: &Dataset) -> bool {
        !is_folder(dataset)
    }
}

/// Requests a tile of a vector tile service.
pub struct ArcgisVectorTile;

impl ScoredOperation for ArcgisVectorTile {
    fn kind(&self) -> &'static str {
        "arcgis-vectortileserver"
    }

    fn plan_requests(&self, context: &PlanContext<'_>) -> Vec<PlannedRequest> {
        vec![plan_vector_tile(context)]
    }

    fn can_request(&self, dataset: &Dataset) -> bool {
        !is_folder(dataset)
    }
}

/// Returns whether a dataset is only a folder of others.
fn is_folder(dataset: &Dataset) -> bool {
    dataset.formats.iter().any(|format| format.to_ascii_lowercase().starts_with("group"))
}

fn named(mut planned: PlannedRequest, name: Option<&str>) -> PlannedRequest {
    planned.dataset = name.map(str::to_owned);
    planned.again.if_empty = planned
        .again
        .if_empty
        .map(|second| Box::new(PlannedRequest { dataset: planned.dataset.clone(), ..*second }));
    planned
}

/// Plans a picture of 64 by 64 pixels of the middle; if it is empty, of the whole area.
fn picture(
    context: &PlanContext<'_>,
    operation: &str,
    layer: Option<&str>,
    area: SampleArea,
) -> PlannedRequest {
    let all = picture_of(context, operation, layer, area.whole_area(), "128,128");
    picture_of(context, operation, layer, area.middle_part(), "64,64").fallback_if_empty(Some(all))
}

fn picture_of(
    context: &PlanContext<'_>,
    operation: &str,
    layer: Option<&str>,
    area: SampleArea,
    size: &str,
) -> PlannedRequest {
    let bbox = area.format_lon_lat();
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
    let url = url_below(&context.at, &[operation], &params);
    PlannedRequest::new(layer, url, ACCEPT_PICTURE, PICTURE_BYTES, ExpectedAnswer::Picture)
}

/// Plans a request for one feature of a layer.
fn feature(context: &PlanContext<'_>, layer: &str) -> PlannedRequest {
    let params = [("where", "1=1"), ("outFields", "*"), ("resultRecordCount", "1"), ("f", "json")];
    let url = url_below(&context.at, &[layer, "query"], &params);
    PlannedRequest::new(Some(layer), url, ACCEPT_JSON, FEATURE_BYTES, ExpectedAnswer::List(&["/features"]))
}

fn task(context: &PlanContext<'_>, name: &str) -> PlannedRequest {
    let url = url_below(&context.at, &[name], &[("f", "json")]);
    PlannedRequest::new(
        Some(name),
        url,
        ACCEPT_JSON,
        DOCUMENT_BYTES,
        ExpectedAnswer::Object(&["parameters", "displayName", "name"]),
    )
}

/// Plans a request for a layer that does not exist.
fn no_such_layer(context: &PlanContext<'_>) -> PlannedRequest {
    let url = url_below(&context.at, &[NO_SUCH_LAYER], &[("f", "json")]);
    PlannedRequest::new(
        None,
        url,
        ACCEPT_JSON,
        DOCUMENT_BYTES,
        ExpectedAnswer::Object(&["name", "parameters"]),
    )
}
