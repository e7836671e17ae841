//! The OGC API family.

use super::Operation;
use crate::check::plan::area::Area;
use crate::check::plan::{ACCEPT_FEATURES, ACCEPT_JSON, ACCEPT_PICTURE, Context, DOCUMENT_BYTES, Expect};
use crate::check::plan::{FEATURE_BYTES, NO_SUCH, PICTURE_BYTES, Planned, below};
use geotrawl_model::Dataset;
use serde_json::Value;

/// Datasets that are kept in hand for those that cannot be asked.
const SPARE: usize = 3;

/// An interface that is tried on a collection (or process).
pub struct Interface {
    kind: &'static str,
    plan: fn(&Context<'_>, &Dataset) -> Planned,
}

pub static COVERAGES: Interface = Interface { kind: "ogcapi-coverages", plan: coverage };
pub static MAPS: Interface = Interface { kind: "ogcapi-maps", plan: map };
pub static PROCESSES: Interface = Interface { kind: "ogcapi-processes", plan: process };
pub static RECORDS: Interface = Interface { kind: "ogcapi-records", plan: items };
pub static TILES: Interface = Interface { kind: "ogcapi-tiles", plan: tiles };

impl Operation for Interface {
    fn kind(&self) -> &'static str {
        self.kind
    }

    fn plan_dataset(&self, context: &Context<'_>, dataset: &Dataset) -> Option<Planned> {
        Some((self.plan)(context, dataset))
    }
}

/// Features of a collection.
pub struct Features;

impl Operation for Features {
    fn kind(&self) -> &'static str {
        "ogcapi-features"
    }

    fn plan_dataset(&self, context: &Context<'_>, dataset: &Dataset) -> Option<Planned> {
        Some(items(context, dataset))
    }

    fn spare_datasets(&self) -> usize {
        SPARE
    }
}

/// The description of a collection of environmental data.
pub struct EnvironmentalData;

impl Operation for EnvironmentalData {
    fn kind(&self) -> &'static str {
        "ogcapi-edr"
    }

    fn plan_dataset(&self, context: &Context<'_>, dataset: &Dataset) -> Option<Planned> {
        // The landing page describes its only collection itself: nothing is left to ask.
        if dataset.name != NO_SUCH && is_collection(context) {
            return None;
        }
        let expect = Expect::Object(&["data_queries", "parameter_names", "extent"]);
        Some(document(context, dataset, &["collections", &dataset.name], expect))
    }
}

fn items(context: &Context<'_>, dataset: &Dataset) -> Planned {
    let name = dataset.name.as_str();
    // Plain JSON is another format than GeoJSON to some; others give pages whatever is accepted.
    let items = |params: &[(&str, &str)]| {
        let url = below(&context.at, &["collections", name, "items"], params);
        Planned::new(Some(name), url, ACCEPT_FEATURES, FEATURE_BYTES, Expect::List(&["/features"]))
    };
    items(&[("limit", "1")]).if_refused(Some(items(&[("limit", "1"), ("f", "json")])))
}

fn map(context: &Context<'_>, dataset: &Dataset) -> Planned {
    let name = dataset.name.as_str();
    let all = Area::of(dataset.bbox.as_ref());
    let map = |area: Area, side: &str| {
        let area = area.by_longitude();
        let params = [("bbox", area.as_str()), ("width", side), ("height", side), ("f", "png")];
        let url = below(&context.at, &["collections", name, "map"], &params);
        Planned::new(Some(name), url, ACCEPT_PICTURE, PICTURE_BYTES, Expect::Picture)
    };
    map(all.middle(), "64").if_empty(Some(map(all.whole(), "128")))
}

fn tiles(context: &Context<'_>, dataset: &Dataset) -> Planned {
    let expect = Expect::TileSets { steps: 1, bbox: dataset.bbox.or(context.resource.bbox) };
    document(context, dataset, &["collections", &dataset.name, "tiles"], expect)
}

fn coverage(context: &Context<'_>, dataset: &Dataset) -> Planned {
    let expect = Expect::Object(&["extent", "links"]);
    document(context, dataset, &["collections", &dataset.name], expect)
}

fn process(context: &Context<'_>, dataset: &Dataset) -> Planned {
    let expect = Expect::Object(&["inputs", "outputs", "version"]);
    document(context, dataset, &["processes", &dataset.name], expect)
}

fn document(context: &Context<'_>, dataset: &Dataset, path: &[&str], expect: Expect) -> Planned {
    let url = below(&context.at, path, &[("f", "json")]);
    Planned::new(Some(&dataset.name), url, ACCEPT_JSON, DOCUMENT_BYTES, expect)
}

/// Whether the description is that of a collection.
fn is_collection(context: &Context<'_>) -> bool {
    let root = context.document.and_then(|kept| serde_json::from_slice::<Value>(&kept.bytes).ok());
    root.is_some_and(|root| root.get("data_queries").is_some())
}
