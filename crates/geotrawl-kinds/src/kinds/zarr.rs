//! Zarr: arrays in chunks, each stored as a separate object.

use super::members::{
    ResourceDraft, identifier_member, parse_float, parse_keywords, prose_member, text_member, title_member,
};
use super::{
    DescriptionFormat, DocumentClaim, DocumentReading, Kind, KindProfile, MetadataDepth, single_response,
};
use crate::formats::crs::CrsRef;
use crate::formats::json::JsonDocument;
use crate::probe::{
    Finding, ProbeRequest, ProbeResponse, ProbeStep, ResponseClass, ServiceProbe, read_response,
};
use crate::urls;
use geotrawl_model::{Dataset, Issue};
use serde_json::Value;
use std::collections::BTreeSet;
use url::Url;

/// A Zarr store.
pub struct ZarrKind;

const ID: &str = "zarr";

static PROFILE: KindProfile = KindProfile {
    id: ID,
    name: "Zarr",
    what: "Arrays in chunks that are fetched one by one: climate and weather, satellite images. Each array except coordinates is a dataset.",
    specification: "https://zarr.dev/",
    evidence: "Metadata at the known paths: zarr.json with zarr_format 3, .zmetadata or .zgroup with zarr_format 2.",
    false_positives: "Other JSON at those paths. Stores without geospatial metadata are still Zarr.",
    description: DescriptionFormat::Json,
    metadata: MetadataDepth::Full,
    ..KindProfile::FILE
};

/// Paths of the metadata, in the order in which they are requested.
const PLACES: [&str; 3] = [".zmetadata", "zarr.json", ".zgroup"];
/// Names of arrays that hold coordinates rather than data.
const COORDINATES: &[&str] = &[
    "lat",
    "latitude",
    "lon",
    "longitude",
    "time",
    "x",
    "y",
    "z",
    "level",
    "depth",
    "crs",
    "spatial_ref",
    "band",
    "lat_bnds",
    "lon_bnds",
    "time_bnds",
    "nav_lat",
    "nav_lon",
];

impl Kind for ZarrKind {
    fn profile(&self) -> &'static KindProfile {
        &PROFILE
    }

    fn claim_json(&self, doc: &JsonDocument, _at: &Url) -> Option<DocumentClaim> {
        let format = doc.get("zarr_format").and_then(Value::as_u64);
        let three =
            format == Some(3) && doc.text_member("node_type").is_some_and(|t| matches!(t, "group" | "array"));
        let consolidated =
            doc.has_member("zarr_consolidated_format") && doc.get("metadata").is_some_and(Value::is_object);
        // In version 2, a group has no other member, and an array has `chunks`.
        let two = format == Some(2)
            && (doc.root.as_object().is_some_and(|o| o.len() == 1) || doc.has_member("chunks"));
        let version = if three { "3" } else { "2" };
        (three || consolidated || two)
            .then(|| DocumentClaim { version: Some(version.to_owned()), oddity: None })
    }

    fn read_json(&self, doc: &JsonDocument, claim: DocumentClaim, at: &Url) -> DocumentReading {
        let mut draft = ResourceDraft::new(ID, store_url(at));
        draft.resource.versions.extend(claim.version);
        let metadata = doc.get("metadata").or_else(|| doc.root.pointer("/consolidated_metadata/metadata"));
        let members = metadata.and_then(Value::as_object);
        let attributes =
            doc.get("attributes").or_else(|| members.and_then(|m| m.get(".zattrs"))).unwrap_or(&Value::Null);
        describe(&mut draft, attributes);
        let name = store_name(at);
        // An array named like a dimension holds its coordinates, so collect the names first.
        let mut dimensions = BTreeSet::new();
        for (path, node) in members.into_iter().flatten() {
            let attributes =
                members.and_then(|m| m.get(&format!("{}/.zattrs", path.trim_end_matches("/.zarray"))));
            let named =
                node.get("dimension_names").or_else(|| attributes.and_then(|a| a.get("_ARRAY_DIMENSIONS")));
            dimensions
                .extend(named.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str));
        }
        for (path, node) in members.into_iter().flatten() {
            let array =
                path.ends_with("/.zarray") || node.get("node_type").and_then(Value::as_str) == Some("array");
            let short = path.trim_end_matches("/.zarray");
            let last = short.rsplit('/').next().unwrap_or(short);
            if !array || COORDINATES.contains(&last) || dimensions.contains(last) {
                continue;
            }
            let empty = Value::Null;
            let attributes = node
                .get("attributes")
                .or_else(|| members.and_then(|m| m.get(&format!("{short}/.zattrs"))))
                .unwrap_or(&empty);
            draft.add_dataset(Dataset {
                name: short.chars().take(1000).collect(),
                title: title_member(attributes, "long_name")
                    .or_else(|| title_member(attributes, "standard_name")),
                abstract_: prose_member(attributes, "description")
                    .or_else(|| prose_member(attributes, "comment")),
                bbox: draft.resource.bbox,
                ..Dataset::default()
            });
        }
        // Without consolidated metadata, the store itself is the only known dataset.
        if draft.resource.dataset_count == 0 {
            draft.add_dataset(Dataset {
                name: name.clone(),
                title: draft.resource.title.clone(),
                bbox: draft.resource.bbox,
                ..Dataset::default()
            });
        }
        draft.resource.title = draft.resource.title.take().or(Some(name).filter(|n| !n.is_empty()));
        draft.note_syntax_issues(doc);
        DocumentReading {
            resources: vec![draft.finish()],
            document: Some("zarr"),
            ..DocumentReading::default()
        }
    }

    fn url_marks(&self) -> &'static [&'static str] {
        &[".zarr", "/zarr.json", "/.zmetadata", "/.zgroup"]
    }

    fn probe_url(&self, url: &Url) -> Option<Url> {
        let store = store_url(url);
        let named = store.path().trim_end_matches('/').to_ascii_lowercase().ends_with(".zarr");
        (named || store.path() != urls::endpoint_url(url).path()).then_some(store)
    }

    fn start_probe(&self, at: &Url) -> Option<(Box<dyn ServiceProbe>, ProbeRequest)> {
        let dialogue = ZarrProbe { store: store_url(at), tries: 0 };
        let ask = dialogue.ask()?;
        Some((Box::new(dialogue), ask))
    }
}

/// Returns the store that a URL belongs to.
fn store_url(at: &Url) -> Url {
    let mut url = urls::endpoint_url(at);
    let path = url.path().to_owned();
    let lower = path.to_ascii_lowercase();
    if let Some(end) = lower.find(".zarr/").map(|at| at + ".zarr".len()) {
        url.set_path(&path[..end]);
    } else if let Some((store, last)) = path.rsplit_once('/')
        && (PLACES.contains(&last) || matches!(last, ".zattrs" | ".zarray"))
    {
        url.set_path(store);
    }
    url
}

fn store_name(at: &Url) -> String {
    let store = store_url(at);
    let last = store.path_segments().and_then(|mut s| s.rfind(|s| !s.is_empty())).unwrap_or_default();
    let last = percent_encoding::percent_decode_str(last).decode_utf8_lossy().into_owned();
    last.trim_end_matches(".zarr").chars().take(200).collect()
}

/// Copies metadata from the ACDD, CF and GeoZarr attributes.
fn describe(draft: &mut ResourceDraft, attributes: &Value) {
    let resource = &mut draft.resource;
    resource.title = title_member(attributes, "title");
    resource.abstract_ =
        prose_member(attributes, "summary").or_else(|| prose_member(attributes, "description"));
    resource.keywords = parse_keywords(attributes.get("keywords"));
    resource.licence = super::members::stated_licence(title_member(attributes, "license"));
    resource.provider =
        title_member(attributes, "institution").or_else(|| title_member(attributes, "publisher_name"));
    resource.contact.person = title_member(attributes, "creator_name");
    resource.contact.email = text_member(attributes, "creator_email").map(|t| t.chars().take(200).collect());
    let number = |name: &str| attributes.get(name).and_then(parse_float);
    let stated = (|| {
        Some([
            number("geospatial_lon_min")?,
            number("geospatial_lat_min")?,
            number("geospatial_lon_max")?,
            number("geospatial_lat_max")?,
        ])
    })();
    if let Some(written) = stated {
        draft.resource.bbox = draft.place_box(written);
        return;
    }
    let Some(written) = attributes
        .get("spatial:bbox")
        .or_else(|| attributes.get("proj:bbox"))
        .and_then(super::members::parse_corners)
    else {
        return;
    };
    let code = identifier_member(attributes, "proj:code")
        .or_else(|| identifier_member(attributes, "proj:epsg").map(|c| format!("EPSG:{c}")));
    match code.as_deref().and_then(CrsRef::from_text) {
        Some(crs) => {
            draft.resource.crs = crs.label().into_iter().map(Into::into).collect();
            draft.resource.bbox = draft.place_box_in(&crs, written);
        }
        None => draft.add_issue(Issue::new("crs-unknown", "the extent has no coordinate system")),
    }
}

/// Requests the known metadata paths one after the other.
struct ZarrProbe {
    store: Url,
    tries: usize,
}

impl ZarrProbe {
    fn ask(&self) -> Option<ProbeRequest> {
        let place = PLACES.get(self.tries)?;
        let mut url = self.store.clone();
        url.set_path(&format!("{}/{place}", self.store.path().trim_end_matches('/')));
        Some(ProbeRequest::get(url, single_response::ACCEPT, single_response::MAX_BYTES))
    }
}

impl ServiceProbe for ZarrProbe {
    fn handle_response(&mut self, answer: ProbeResponse<'_>) -> ProbeStep {
        let finding = read_response(&self.store, answer);
        let proven = finding.resources.iter().any(|found| found.resource.kind == ID);
        self.tries += 1;
        let stop = proven || matches!(finding.verdict, ResponseClass::Login | ResponseClass::Blocked);
        match self.ask().filter(|_| !stop) {
            Some(ask) => ProbeStep::Ask(Box::new(ask)),
            None if stop => ProbeStep::Done(Box::new(finding)),
            None => {
                ProbeStep::Done(Box::new(Finding { verdict: ResponseClass::Nothing, ..Finding::default() }))
            }
        }
    }
}
