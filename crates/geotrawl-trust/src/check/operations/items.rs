//! STAC and SensorThings.

use super::ScoredOperation;
use crate::check::plan::{
    ACCEPT_FEATURES, ACCEPT_JSON, DOCUMENT_BYTES, ExpectedAnswer, FEATURE_BYTES, PlanContext,
};
use crate::check::plan::{NO_SUCH, PlannedRequest, url_below};
use geotrawl_model::Dataset;

/// Searches a STAC API.
pub struct StacApiSearch;

impl ScoredOperation for StacApiSearch {
    fn kind(&self) -> &'static str {
        "stac-api"
    }

    fn plan_requests(&self, context: &PlanContext<'_>) -> Vec<PlannedRequest> {
        stac(context)
    }

    fn plan_refusal(&self, context: &PlanContext<'_>) -> Option<PlannedRequest> {
        Some(collection(context, NO_SUCH))
    }
}

/// Requests an observation of a SensorThings datastream.
pub struct SensorThingsObservation;

impl ScoredOperation for SensorThingsObservation {
    fn kind(&self) -> &'static str {
        "sensorthings"
    }

    fn plan_dataset(&self, context: &PlanContext<'_>, dataset: &Dataset) -> Option<PlannedRequest> {
        Some(observation(context, dataset))
    }

    fn plan_refusal(&self, context: &PlanContext<'_>) -> Option<PlannedRequest> {
        Some(no_such_thing(context))
    }
}

/// Plans a search for one item, and a request for one collection.
fn stac(context: &PlanContext<'_>) -> Vec<PlannedRequest> {
    let url = url_below(&context.at, &["search"], &[("limit", "1")]);
    let search =
        PlannedRequest::new(None, url, ACCEPT_FEATURES, FEATURE_BYTES, ExpectedAnswer::List(&["/features"]));
    let record = context.chosen.first().map(|dataset| collection(context, &dataset.name));
    std::iter::once(search).chain(record).collect()
}

/// Plans a request for one collection.
fn collection(context: &PlanContext<'_>, name: &str) -> PlannedRequest {
    let url = url_below(&context.at, &["collections", name], &[]);
    let expect = ExpectedAnswer::Object(&["extent", "stac_version", "links"]);
    PlannedRequest::new(Some(name), url, ACCEPT_JSON, DOCUMENT_BYTES, expect)
}

/// Plans a request for one observation of a datastream.
fn observation(context: &PlanContext<'_>, dataset: &Dataset) -> PlannedRequest {
    let name = dataset.name.as_str();
    let number = name.bytes().all(|byte| byte.is_ascii_digit());
    let entity = if number {
        format!("Datastreams({name})")
    } else {
        format!("Datastreams('{}')", name.replace('\'', "''"))
    };
    let mut url = url_below(&context.at, &[&entity, "Observations"], &[]);
    // The dollar sign is not encoded, because some servers do not decode parameter names.
    url.set_query(Some("$top=1"));
    PlannedRequest::new(Some(name), url, ACCEPT_JSON, DOCUMENT_BYTES, ExpectedAnswer::List(&["/value"]))
}

/// Plans a request for an entity set that does not exist.
fn no_such_thing(context: &PlanContext<'_>) -> PlannedRequest {
    let url = url_below(&context.at, &[NO_SUCH], &[]);
    PlannedRequest::new(None, url, ACCEPT_JSON, DOCUMENT_BYTES, ExpectedAnswer::List(&["/value"]))
}
