//! ERDDAP.

use super::{DescriptionFormat, DocumentClaim, DocumentReading, Family, Kind, KindProfile, RubricRow};
use crate::formats::bbox::BboxUnion;
use crate::formats::erddap::{base_url, base_url_of_response, is_dataset_table, read_records, table_url};
use crate::formats::json;
use crate::probe::{
    Finding, Found, ProbeRequest, ProbeResponse, ProbeStep, ResponseBody, ResponseClass, ServiceProbe,
};
use geotrawl_model::Resource;
use serde_json::Value;
use std::io::Read;
use url::Url;

/// ERDDAP servers.
pub struct ErddapKind;

static PROFILE: KindProfile = KindProfile {
    id: "erddap",
    name: "ERDDAP",
    what: "Offers gridded and tabular scientific data through one API in many formats, with a table of all its \
           datasets.",
    specification: "https://erddap.github.io/docs/user/rest",
    evidence: "The text ERDDAP_version=... at /erddap/version, or the table of all datasets \
               (tabledap/allDatasets) in JSON.",
    false_positives: "Other tables in the same JSON format (search results, dataset info), `Error {` with any \
                status, pages about ERDDAP.",
    family: Family::Coverage,
    description: DescriptionFormat::Types(&[
        "text/csv",
        "application/json",
        "text/html",
        "application/xhtml+xml",
        "text/plain",
    ]),
    rubric_row: RubricRow::Observations,
    operation_words: ("datasets", "returned"),
    ..KindProfile::XML_SERVICE
};

const MAX_BYTES: u64 = 64 << 20;

impl Kind for ErddapKind {
    fn profile(&self) -> &'static KindProfile {
        &PROFILE
    }

    fn read_text(&self, text: &str, at: &Url) -> Option<DocumentReading> {
        let version = version(text)?;
        let resource = server_resource(&base_url_of_response(at)?, Some(version));
        Some(DocumentReading {
            resources: vec![resource],
            document: Some("erddap-version"),
            ..DocumentReading::default()
        })
    }

    fn claim_json(&self, doc: &json::JsonDocument, at: &Url) -> Option<DocumentClaim> {
        (is_dataset_table(&doc.root) && base_url_of_response(at).is_some()).then(DocumentClaim::default)
    }

    fn read_json(&self, doc: &json::JsonDocument, _claim: DocumentClaim, at: &Url) -> DocumentReading {
        let Some(base) = base_url_of_response(at) else { return DocumentReading::default() };
        let mut resource = server_resource(&base, None);
        add_datasets(&mut resource, &doc.root, &base);
        DocumentReading {
            resources: vec![resource],
            document: Some("erddap-datasets"),
            ..DocumentReading::default()
        }
    }

    fn url_marks(&self) -> &'static [&'static str] {
        &["/erddap"]
    }

    fn probe_url(&self, url: &Url) -> Option<Url> {
        base_url(url)
    }

    fn start_probe(&self, at: &Url) -> Option<(Box<dyn ServiceProbe>, ProbeRequest)> {
        let base = base_url(at)?;
        let mut url = base.clone();
        url.set_path(&format!("{}version", base.path()));
        let ask = ProbeRequest::get(url, "text/plain, */*;q=0.5", 16 * 1024);
        Some((Box::new(ErddapProbe { base, version: None }), ask))
    }
}

/// Returns the version in a text like `ERDDAP_version=2.23`.
fn version(text: &str) -> Option<String> {
    let rest = text.trim_start().strip_prefix("ERDDAP_version=")?;
    let version: String =
        rest.chars().take_while(|c| c.is_ascii_alphanumeric() || ".-_".contains(*c)).take(32).collect();
    (!version.is_empty()).then_some(version)
}

/// Creates the resource of a server, without its datasets.
pub fn server_resource(base: &Url, version: Option<String>) -> Resource {
    Resource {
        kind: PROFILE.id.to_owned(),
        url: base.to_string(),
        software: Some(version.as_ref().map_or_else(|| "ERDDAP".to_owned(), |v| format!("ERDDAP {v}"))),
        versions: version.into_iter().collect(),
        title: Some(format!("ERDDAP of {}", base.host_str().unwrap_or_default())),
        ..Resource::default()
    }
}

/// Adds the datasets of the table `allDatasets` to a resource.
pub fn add_datasets(resource: &mut Resource, table: &Value, base: &Url) {
    let records = read_records(table, base);
    resource.dataset_count = records.len() as u64;
    let mut union = BboxUnion::default();
    for record in records.into_iter().take(super::thredds::LISTED) {
        record.bbox.into_iter().for_each(|b| union.add(b));
        resource.datasets.push(super::thredds::dataset_from_record(record));
    }
    resource.bbox = union.bbox();
}

/// Requests the version, then the table of datasets.
struct ErddapProbe {
    base: Url,
    version: Option<String>,
}

impl ServiceProbe for ErddapProbe {
    fn handle_response(&mut self, answer: ProbeResponse<'_>) -> ProbeStep {
        let mut body = Vec::new();
        match answer.body {
            ResponseBody::Whole(bytes) => {
                body.extend_from_slice(&bytes[..bytes.len().min(MAX_BYTES as usize)]);
            }
            // After a read error, the bytes received so far are still used.
            ResponseBody::Stream(stream) => drop(stream.take(MAX_BYTES).read_to_end(&mut body)),
        }
        let Some(known) = self.version.clone() else {
            let Some(version) = version(&String::from_utf8_lossy(&body[..body.len().min(4096)])) else {
                let finding = Finding { verdict: ResponseClass::Nothing, ..Finding::default() };
                return ProbeStep::Done(Box::new(finding));
            };
            self.version = Some(version);
            let ask = ProbeRequest::get(table_url(&self.base), "application/json, */*;q=0.5", MAX_BYTES);
            return ProbeStep::Ask(Box::new(ask));
        };
        let mut resource = server_resource(&self.base, Some(known));
        if let Ok(table) = serde_json::from_slice::<Value>(&body)
            && is_dataset_table(&table)
        {
            add_datasets(&mut resource, &table, &self.base);
        }
        let found = Found::new(resource, "ERDDAP_version at /erddap/version");
        ProbeStep::Done(Box::new(Finding {
            resources: vec![found],
            verdict: ResponseClass::Resource,
            ..Finding::default()
        }))
    }
}
