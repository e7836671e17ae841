//! SensorThings: sensors, their observations and their locations.

use super::members::{ResourceDraft, extent_of, identifier_member, prose_member, text_member, title_member};
use super::single_response::{ACCEPT, MAX_BYTES};
use super::{DescriptionFormat, DocumentClaim, DocumentReading, Family, Kind, KindProfile, RubricRow};
use crate::formats::json::JsonDocument;
use crate::probe::{
    CrawlTarget, Finding, Found, ProbeRequest, ProbeResponse, ProbeStep, ResponseClass, ServiceProbe,
    read_json_doc, read_json_response,
};
use crate::urls;
use geotrawl_model::{Dataset, Intent, Resource};
use serde_json::Value;
use url::Url;

/// A SensorThings service.
pub struct SensorThingsKind;

const ID: &str = "sensorthings";
/// Number of datastreams listed; all are counted.
const TOP: &str = "100";

static PROFILE: KindProfile = KindProfile {
    id: ID,
    name: "SensorThings API",
    what: "Sensors and their observations through a web API, versions 1.0 to 2.0. Each datastream is a dataset.",
    specification: "https://docs.ogc.org/is/18-088/18-088.html",
    evidence: "A root document that lists the entity sets Things, Locations and Datastreams.",
    false_positives: "Other OData services, which list entity sets with other names.",
    family: Family::Sensor,
    description: DescriptionFormat::Json,
    protocol: Some("OGC:SensorThings"),
    lists_datasets: false,
    rubric_row: RubricRow::Observations,
    operation_words: ("observations", "returned"),
    ..KindProfile::XML_SERVICE
};

const ENTITIES: &[&str] = &[
    "Things",
    "Locations",
    "Datastreams",
    "Sensors",
    "Observations",
    "ObservedProperties",
    "FeaturesOfInterest",
    "HistoricalLocations",
    "MultiDatastreams",
    "Features",
];

impl Kind for SensorThingsKind {
    fn profile(&self) -> &'static KindProfile {
        &PROFILE
    }

    fn claim_json(&self, doc: &JsonDocument, at: &Url) -> Option<DocumentClaim> {
        is_root(doc).then(|| DocumentClaim { version: version(doc, at), oddity: None })
    }

    fn read_json(&self, doc: &JsonDocument, _claim: DocumentClaim, at: &Url) -> DocumentReading {
        let root = root_url(at);
        let resource = service(doc, at, &root).finish();
        let target = CrawlTarget::new(root, Intent::Ask { kind: ID.to_owned() }, "content");
        DocumentReading {
            resources: vec![resource],
            targets: vec![target],
            document: Some("sensorthings-root"),
            ..DocumentReading::default()
        }
    }

    fn url_marks(&self) -> &'static [&'static str] {
        &["sensorthings", "frost", "/sta/", "/v1.0", "/v1.1", "/v2.0"]
    }

    fn probe_url(&self, url: &Url) -> Option<Url> {
        let path = url.path();
        let segments: Vec<&str> = path.split('/').filter(|s| !s.is_empty()).collect();
        let version = segments.iter().position(|s| is_version(s))?;
        let lower = path.to_ascii_lowercase();
        let named = lower.contains("sensorthings") || lower.contains("frost") || lower.contains("/sta/");
        let entity = segments.get(version + 1).is_some_and(|s| ENTITIES.iter().any(|e| s.starts_with(e)));
        (named && version + 1 == segments.len() || entity).then(|| root_url(url))
    }

    fn start_probe(&self, at: &Url) -> Option<(Box<dyn ServiceProbe>, ProbeRequest)> {
        let root = root_url(at);
        let ask = ProbeRequest::get(root.clone(), ACCEPT, MAX_BYTES);
        Some((Box::new(SensorThingsProbe { root, draft: None }), ask))
    }
}

fn is_version(segment: &str) -> bool {
    matches!(segment, "v1.0" | "v1.1" | "v2.0")
}

/// Returns the root of the service, which ends with the version.
fn root_url(at: &Url) -> Url {
    let mut url = urls::endpoint_url(at);
    let path = url.path().to_owned();
    let mut kept = String::new();
    for segment in path.split('/').filter(|s| !s.is_empty()) {
        kept.push('/');
        kept.push_str(segment);
        if is_version(segment) {
            url.set_path(&kept);
            url.set_query(None);
            break;
        }
    }
    url
}

fn is_root(doc: &JsonDocument) -> bool {
    let Some(list) = doc.get("value").and_then(Value::as_array) else { return false };
    let has = |name: &str| list.iter().take(100).any(|set| text_member(set, "name") == Some(name));
    has("Things") && has("Datastreams") && has("Sensors")
}

/// Returns the version from the conformance classes, or else from the URL.
fn version(doc: &JsonDocument, at: &Url) -> Option<String> {
    let classes = doc.root.pointer("/serverSettings/conformance").and_then(Value::as_array);
    let named = classes.into_iter().flatten().filter_map(Value::as_str).find_map(|class| {
        let rest = class.split_once("/iot_sensing/").or_else(|| class.split_once("/sensorthings/"))?.1;
        rest.split('/').next().filter(|v| v.starts_with(|c: char| c.is_ascii_digit()) && v.len() <= 8)
    });
    let by_path = at.path().split('/').find(|s| is_version(s)).map(|s| &s[1..]);
    named.or(by_path).map(str::to_owned)
}

fn service(doc: &JsonDocument, at: &Url, root: &Url) -> ResourceDraft {
    let mut draft = ResourceDraft::new(ID, root.clone());
    draft.resource.versions.extend(version(doc, at));
    draft.note_syntax_issues(doc);
    draft
}

/// Requests the root document, then the datastreams.
struct SensorThingsProbe {
    root: Url,
    draft: Option<ResourceDraft>,
}

impl ServiceProbe for SensorThingsProbe {
    fn handle_response(&mut self, answer: ProbeResponse<'_>) -> ProbeStep {
        let at = answer.head.url.clone().unwrap_or_else(|| self.root.clone());
        let read = read_json_response(&at, answer);
        let Some(mut draft) = self.draft.take() else {
            return match read {
                Ok(doc) if is_root(&doc) => {
                    self.draft = Some(service(&doc, &at, &self.root));
                    let mut url = self.root.clone();
                    url.set_path(&format!("{}/Datastreams", self.root.path().trim_end_matches('/')));
                    url.set_query(Some(&format!("$top={TOP}&$count=true")));
                    ProbeStep::Ask(Box::new(ProbeRequest::get(url, ACCEPT, MAX_BYTES)))
                }
                Ok(doc) => ProbeStep::Done(Box::new(read_json_doc(&at, &doc))),
                Err(finding) => ProbeStep::Done(finding),
            };
        };
        // The root document proves the service even if the datastreams cannot be read.
        if let Ok(doc) = read {
            add_datastreams(&mut draft, &doc);
        }
        let resource: Resource = draft.finish();
        let found = Found::new(resource, "entity sets of the root document");
        ProbeStep::Done(Box::new(Finding {
            resources: vec![found],
            verdict: ResponseClass::Resource,
            document: Some("sensorthings-root"),
            ..Finding::default()
        }))
    }
}

fn add_datastreams(draft: &mut ResourceDraft, doc: &JsonDocument) {
    for stream in doc.get("value").and_then(Value::as_array).into_iter().flatten() {
        let bbox =
            stream.get("observedArea").and_then(extent_of).and_then(|written| draft.place_box(written));
        draft.add_dataset(Dataset {
            name: identifier_member(stream, "@iot.id")
                .or_else(|| identifier_member(stream, "id"))
                .unwrap_or_default(),
            title: title_member(stream, "name"),
            abstract_: prose_member(stream, "description"),
            bbox,
            time: text_member(stream, "phenomenonTime")
                .map(|t| t.chars().take(100).collect())
                .into_iter()
                .collect(),
            formats: stream
                .pointer("/unitOfMeasurement/name")
                .and_then(Value::as_str)
                .map(Into::into)
                .into_iter()
                .collect(),
            ..Dataset::default()
        });
    }
    let count = doc.get("@iot.count").or_else(|| doc.get("@count")).and_then(Value::as_u64);
    let more = doc.has_member("@iot.nextLink") || doc.has_member("@nextLink");
    if let Some(count) = count.filter(|count| *count >= draft.resource.dataset_count) {
        draft.resource.dataset_count = count;
    } else if more {
        let issue = geotrawl_model::Issue::new(
            "count-unknown",
            "the service does not state the number of its datastreams",
        );
        draft.add_issue(issue);
    }
}
