//! The OGC API family.

use super::ScoredOperation;
use crate::check::plan::area::SampleArea;
use crate::check::plan::{
    ACCEPT_FEATURES, ACCEPT_JSON, ACCEPT_PICTURE, DOCUMENT_BYTES, ExpectedAnswer, PlanContext,
};
use crate::check::plan::{FEATURE_BYTES, NO_SUCH, PICTURE_BYTES, PlannedRequest, url_below};
use geotrawl_model::Dataset;
use serde_json::Value;

/// Number of extra datasets, as replacements for those that cannot be requested.
const SPARE: usize = 3;

/// An interface that is tested on a collection or process.
pub struct OgcApiDocument {
    kind: &'static str,
    plan: fn(&PlanContext<'_>, &Dataset) -> PlannedRequest,
}

pub static COVERAGES: OgcApiDocument = OgcApiDocument { kind: "ogcapi-coverages", plan: coverage };
pub static MAPS: OgcApiDocument = OgcApiDocument { kind: "ogcapi-maps", plan: map };
pub static PROCESSES: OgcApiDocument = OgcApiDocument { kind: "ogcapi-processes", plan: process };
pub static RECORDS: OgcApiDocument = OgcApiDocument { kind: "ogcapi-records", plan: items };
pub static TILES: OgcApiDocument = OgcApiDocument { kind: "ogcapi-tiles", plan: tiles };

impl ScoredOperation for OgcApiDocument {
    fn kind(&self) -> &'static str {
        self.kind
    }

    fn plan_dataset(&self, context: &PlanContext<'_>, dataset: &Dataset) -> Option<PlannedRequest> {
        Some((self.plan)(context, dataset))
    }
}

/// Requests features of a collection.
pub struct OgcApiFeatures;

impl ScoredOperation for OgcApiFeatures {
    fn kind(&self) -> &'static str {
        "ogcapi-features"
    }

    fn plan_dataset(&self, context: &PlanContext<'_>, dataset: &Dataset) -> Option<PlannedRequest> {
        Some(items(context, dataset))
    }

    fn spare_datasets(&self) -> usize {
        SPARE
    }
}

/// Requests the description of a collection of environmental data.
pub struct EdrCollection;

impl ScoredOperation for EdrCollection {
    fn kind(&self) -> &'static str {
        "ogcapi-edr"
    }

    fn plan_dataset(&self, context: &PlanContext<'_>, dataset: &Dataset) -> Option<PlannedRequest> {
        // The landing page is itself the description of the only collection.
        if dataset.name != NO_SUCH && is_collection(context) {
            return None;
        }
        let expect = ExpectedAnswer::Object(&["data_queries", "parameter_names", "extent"]);
        Some(document(context, dataset, &["collections", &dataset.name], expect))
    }
}

fn items(context: &PlanContext<'_>, dataset: &Dataset) -> PlannedRequest {
    let name = dataset.name.as_str();
    // Some servers treat plain JSON and GeoJSON as different formats; others return HTML whatever
    // is accepted.
    let items = |params: &[(&str, &str)]| {
        let url = url_below(&context.at, &["collections", name, "items"], params);
        PlannedRequest::new(
            Some(name),
            url,
            ACCEPT_FEATURES,
            FEATURE_BYTES,
            ExpectedAnswer::List(&["/features"]),
        )
    };
    items(&[("limit", "1")]).fallback_if_refused(Some(items(&[("limit", "1"), ("f", "json")])))
}

fn map(context: &PlanContext<'_>, dataset: &Dataset) -> PlannedRequest {
    let name = dataset.name.as_str();
    let all = SampleArea::from_bbox(dataset.bbox.as_ref());
    let map = |area: SampleArea, side: &str| {
        let area = area.format_lon_lat();
        let params = [("bbox", area.as_str()), ("width", side), ("height", side), ("f", "png")];
        let url = url_below(&context.at, &["collections", name, "map"], &params);
        PlannedRequest::new(Some(name), url, ACCEPT_PICTURE, PICTURE_BYTES, ExpectedAnswer::Picture)
    };
    map(all.middle_part(), "64").fallback_if_empty(Some(map(all.whole_area(), "128")))
}

fn tiles(context: &PlanContext<'_>, dataset: &Dataset) -> PlannedRequest {
    let expect = ExpectedAnswer::TileSets { steps: 1, bbox: dataset.bbox.or(context.resource.bbox) };
    document(context, dataset, &["collections", &dataset.name, "tiles"], expect)
}

fn coverage(context: &PlanContext<'_>, dataset: &Dataset) -> PlannedRequest {
    let expect = ExpectedAnswer::Object(&["extent", "links"]);
    document(context, dataset, &["collections", &dataset.name], expect)
}

fn process(context: &PlanContext<'_>, dataset: &Dataset) -> PlannedRequest {
    let expect = ExpectedAnswer::Object(&["inputs", "outputs", "version"]);
    document(context, dataset, &["processes", &dataset.name], expect)
}

fn document(
    context: &PlanContext<'_>,
    dataset: &Dataset,
    path: &[&str],
    expect: ExpectedAnswer,
) -> PlannedRequest {
    let url = url_below(&context.at, path, &[("f", "json")]);
    PlannedRequest::new(Some(&dataset.name), url, ACCEPT_JSON, DOCUMENT_BYTES, expect)
}

/// Returns whether the description is that of a collection.
fn is_collection(context: &PlanContext<'_>) -> bool {
    let root = context.document.and_then(|kept| serde_json::from_slice::<Value>(&kept.bytes).ok());
    root.is_some_and(|root| root.get("data_queries").is_some())
}
