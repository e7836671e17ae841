//! The OGC API family, STAC and SensorThings.

use super::area::Area;
use super::{ACCEPT_FEATURES, ACCEPT_JSON, ACCEPT_PICTURE, Context, DOCUMENT_BYTES, Expect, FEATURE_BYTES};
use super::{NO_SUCH, PICTURE_BYTES, Planned, below};
use geotrawl_kinds::model::Dataset;
use serde_json::Value;

/// The scored operation of an interface on a collection (or process).
pub fn operation(context: &Context<'_>, dataset: &Dataset) -> Option<Planned> {
    let name = dataset.name.as_str();
    let json = ("f", "json");
    let document = |path: &[&str], members: &'static [&'static str]| {
        let url = below(&context.at, path, &[json]);
        Planned::new(Some(name), url, ACCEPT_JSON, DOCUMENT_BYTES, Expect::Object(members))
    };
    Some(match context.resource.kind.as_str() {
        "ogcapi-features" | "ogcapi-records" => {
            // Plain JSON is another format than GeoJSON to some; others give pages whatever is accepted.
            let items = |params: &[(&str, &str)]| {
                let url = below(&context.at, &["collections", name, "items"], params);
                Planned::new(Some(name), url, ACCEPT_FEATURES, FEATURE_BYTES, Expect::List(&["/features"]))
            };
            items(&[("limit", "1")]).if_refused(Some(items(&[("limit", "1"), json])))
        }
        "ogcapi-maps" => {
            let all = Area::of(dataset.bbox.as_ref());
            let map = |area: Area, side: &str| {
                let area = area.by_longitude();
                let params = [("bbox", area.as_str()), ("width", side), ("height", side), ("f", "png")];
                let url = below(&context.at, &["collections", name, "map"], &params);
                Planned::new(Some(name), url, ACCEPT_PICTURE, PICTURE_BYTES, Expect::Picture)
            };
            map(all.middle(), "64").if_empty(Some(map(all.whole(), "128")))
        }
        // The landing page describes its only collection itself: nothing is left to ask.
        "ogcapi-edr" if name != NO_SUCH && is_collection(context) => return None,
        "ogcapi-tiles" => {
            let url = below(&context.at, &["collections", name, "tiles"], &[json]);
            let expect = Expect::TileSets { steps: 1, bbox: dataset.bbox.or(context.resource.bbox) };
            Planned::new(Some(name), url, ACCEPT_JSON, DOCUMENT_BYTES, expect)
        }
        "ogcapi-coverages" => document(&["collections", name], &["extent", "links"]),
        "ogcapi-edr" => document(&["collections", name], &["data_queries", "parameter_names", "extent"]),
        "ogcapi-processes" => document(&["processes", name], &["inputs", "outputs", "version"]),
        _ => return None,
    })
}

/// Whether the description is that of a collection.
fn is_collection(context: &Context<'_>) -> bool {
    let root = context.document.and_then(|kept| serde_json::from_slice::<Value>(&kept.bytes).ok());
    root.is_some_and(|root| root.get("data_queries").is_some())
}

/// A search for one item, and one collection.
pub fn stac(context: &Context<'_>) -> Vec<Planned> {
    let url = below(&context.at, &["search"], &[("limit", "1")]);
    let search = Planned::new(None, url, ACCEPT_FEATURES, FEATURE_BYTES, Expect::List(&["/features"]));
    let record = context.chosen.first().map(|dataset| collection(context, &dataset.name));
    std::iter::once(search).chain(record).collect()
}

/// One collection.
pub fn collection(context: &Context<'_>, name: &str) -> Planned {
    let url = below(&context.at, &["collections", name], &[]);
    let expect = Expect::Object(&["extent", "stac_version", "links"]);
    Planned::new(Some(name), url, ACCEPT_JSON, DOCUMENT_BYTES, expect)
}

/// One observation of a datastream.
pub fn observation(context: &Context<'_>, dataset: &Dataset) -> Planned {
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
pub fn no_such_thing(context: &Context<'_>) -> Planned {
    let url = below(&context.at, &[NO_SUCH], &[]);
    Planned::new(None, url, ACCEPT_JSON, DOCUMENT_BYTES, Expect::List(&["/value"]))
}
