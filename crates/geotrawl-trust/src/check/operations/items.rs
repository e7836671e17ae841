//! STAC and SensorThings.

use super::Operation;
use crate::check::plan::{ACCEPT_FEATURES, ACCEPT_JSON, Context, DOCUMENT_BYTES, Expect, FEATURE_BYTES};
use crate::check::plan::{NO_SUCH, Planned, below};
use geotrawl_model::Dataset;

/// A search of a STAC API.
pub struct Stac;

impl Operation for Stac {
    fn kind(&self) -> &'static str {
        "stac-api"
    }

    fn plan(&self, context: &Context<'_>) -> Vec<Planned> {
        stac(context)
    }

    fn plan_refusal(&self, context: &Context<'_>) -> Option<Planned> {
        Some(collection(context, NO_SUCH))
    }
}

/// An observation of a datastream of SensorThings.
pub struct Observations;

impl Operation for Observations {
    fn kind(&self) -> &'static str {
        "sensorthings"
    }

    fn plan_dataset(&self, context: &Context<'_>, dataset: &Dataset) -> Option<Planned> {
        Some(observation(context, dataset))
    }

    fn plan_refusal(&self, context: &Context<'_>) -> Option<Planned> {
        Some(no_such_thing(context))
    }
}

/// A search for one item, and one collection.
fn stac(context: &Context<'_>) -> Vec<Planned> {
    let url = below(&context.at, &["search"], &[("limit", "1")]);
    let search = Planned::new(None, url, ACCEPT_FEATURES, FEATURE_BYTES, Expect::List(&["/features"]));
    let record = context.chosen.first().map(|dataset| collection(context, &dataset.name));
    std::iter::once(search).chain(record).collect()
}

/// One collection.
fn collection(context: &Context<'_>, name: &str) -> Planned {
    let url = below(&context.at, &["collections", name], &[]);
    let expect = Expect::Object(&["extent", "stac_version", "links"]);
    Planned::new(Some(name), url, ACCEPT_JSON, DOCUMENT_BYTES, expect)
}

/// One observation of a datastream.
fn observation(context: &Context<'_>, dataset: &Dataset) -> Planned {
    let name = dataset.name.as_str();
    let number = name.bytes().all(|byte| byte.is_ascii_digit());
    let entity = if number {
        format!("Datastreams({name})")
    } else {
        format!("Datastreams('{}')", name.replace('\'', "''"))
    };
    let mut url = below(&context.at, &[&entity, "Observations"], &[]);
    // Dollar signs as the protocol writes them: some servers do not decode names.
    url.set_query(Some("$top=1"));
    Planned::new(Some(name), url, ACCEPT_JSON, DOCUMENT_BYTES, Expect::List(&["/value"]))
}

/// An entity set that does not exist.
fn no_such_thing(context: &Context<'_>) -> Planned {
    let url = below(&context.at, &[NO_SUCH], &[]);
    Planned::new(None, url, ACCEPT_JSON, DOCUMENT_BYTES, Expect::List(&["/value"]))
}
