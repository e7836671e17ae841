//! Records as the API gives them, and their description for the OpenAPI document.

use geotrawl_store::record::Record;
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// The record as it is shown: layers have a path of their own.
pub fn shown(mut record: Record) -> Record {
    record.resource.datasets = Vec::new();
    record
}

/// One resource: a service, a catalogue or a file. Members may be absent (not known) and new ones may be added.
#[derive(ToSchema)]
#[schema(as = Record)]
#[expect(dead_code, reason = "describes the record of geotrawl-store, which knows no OpenAPI")]
pub struct RecordShape {
    /// Stable identifier.
    id: String,
    /// Kind, e.g. `wms`; GET /kinds lists them.
    kind: String,
    /// Canonical endpoint without request parameters; for files the file's address.
    url: String,
    aliases: Vec<String>,
    versions: Option<Vec<String>>,
    title: Option<String>,
    r#abstract: Option<String>,
    keywords: Option<Vec<String>>,
    provider: Option<String>,
    contact: Option<BTreeMap<String, String>>,
    licence: Option<String>,
    /// west, south, east, north in degrees; west > east crosses the antimeridian
    #[schema(min_items = 4, max_items = 4)]
    bbox: Option<Vec<f64>>,
    crs: Option<Vec<String>>,
    languages: Option<Vec<String>>,
    software: Option<String>,
    formats: Option<Vec<String>>,
    dataset_count: u64,
    /// `alive`, `degraded`, `dead`, `restricted`, `blocked`, `inconclusive` or `unchecked`.
    status: String,
    reason: Option<String>,
    /// Quality from 0 to 100.
    score: Option<u8>,
    themes: Option<Vec<ThemeShape>>,
    host: HostShape,
    first_seen: String,
    last_seen: String,
    last_ok: Option<String>,
    provenance: Vec<ProvenanceShape>,
    faces: Option<Vec<FaceShape>>,
    issues: Option<Vec<IssueShape>>,
}

/// What it is about.
#[derive(ToSchema)]
#[schema(as = Theme)]
#[expect(dead_code, reason = "describes a type of geotrawl-store")]
pub struct ThemeShape {
    scheme: String,
    term: String,
    evidence: String,
}

/// Where it is served from.
#[derive(ToSchema)]
#[schema(as = Host)]
#[expect(dead_code, reason = "describes a type of geotrawl-store")]
pub struct HostShape {
    name: String,
    ip: Option<String>,
    /// ISO 3166 code.
    country: Option<String>,
    city: Option<String>,
    lat: Option<f64>,
    lon: Option<f64>,
    /// `city`, `region` or `country`.
    precision: Option<String>,
}

/// How it was found.
#[derive(ToSchema)]
#[schema(as = Provenance)]
#[expect(dead_code, reason = "describes a type of geotrawl-store")]
pub struct ProvenanceShape {
    task: String,
    page: String,
    way: String,
    depth: u32,
}

/// Another way into the same service.
#[derive(ToSchema)]
#[schema(as = Face)]
#[expect(dead_code, reason = "describes a type of geotrawl-store")]
pub struct FaceShape {
    kind: String,
    url: String,
    id: String,
}

/// Something odd about it.
#[derive(ToSchema)]
#[schema(as = Issue)]
#[expect(dead_code, reason = "describes a type of geotrawl-kinds")]
pub struct IssueShape {
    code: String,
    message: String,
}

/// A layer, feature type, coverage, ...: what a service offers.
#[derive(ToSchema)]
#[schema(as = Dataset)]
#[expect(dead_code, reason = "describes a type of geotrawl-kinds")]
pub struct DatasetShape {
    name: String,
    title: Option<String>,
    r#abstract: Option<String>,
    keywords: Option<Vec<String>>,
    #[schema(min_items = 4, max_items = 4)]
    bbox: Option<Vec<f64>>,
    crs: Option<Vec<String>>,
    time: Option<Vec<String>>,
    formats: Option<Vec<String>>,
}
