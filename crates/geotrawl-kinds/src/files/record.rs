//! Builds resources from the headers of data files.

use super::FileRequest;
use super::examine::FileExamination;
use super::sparse::{SparseFile, SparseReadError};
use crate::formats::bbox;
use crate::formats::crs::{self, CrsRef};
use crate::formats::xml::tidy_text;
use crate::kinds::kml::file_stem;
use crate::probe::{Finding, Found, ResponseClass};
use geotrawl_model::{Bbox, Contact, Dataset, Issue, Resource, SharedText};
use url::Url;

/// Maximum length of a title.
pub const MAX_TITLE: usize = 500;
/// Maximum length of an abstract.
pub const MAX_ABSTRACT: usize = 8 * 1024;
/// Maximum number of datasets listed per file; all are counted.
pub const MAX_DATASETS: usize = 10_000;

/// Converts an extent to WGS 84 if that is safe, and returns an issue if something is wrong with
/// it.
pub fn locate_extent(reference: Option<&CrsRef>, extent: [f64; 4]) -> (Option<Bbox>, Option<Issue>) {
    let [west, south, east, north] = extent;
    if extent.iter().any(|v| !v.is_finite()) || west > east || south > north {
        return (None, Some(Issue::new("bbox-broken", "the extent is empty, inverted or not finite")));
    }
    // All zeros: the extent was never filled in.
    if extent.iter().all(|v| v.abs() < f64::EPSILON) {
        return (None, Some(Issue::new("bbox-empty", "the extent is empty")));
    }
    match reference {
        Some(reference) => match crs::to_wgs84(reference, extent) {
            Ok(bbox) => (Some(bbox), None),
            Err(issue) => (None, Some(issue)),
        },
        None if west >= -180.0 && east <= 180.0 && south >= -90.0 && north <= 90.0 => {
            let issue =
                Issue::new("crs-assumed", "the file names no coordinate system; its extent fits degrees");
            (Some(extent.into()), Some(issue))
        }
        None => (None, Some(Issue::new("crs-unknown", "the file names no known coordinate system"))),
    }
}

/// Checks an extent that should be in degrees.
pub fn bbox_from_degrees(extent: [f64; 4]) -> (Option<Bbox>, Option<Issue>) {
    let class = bbox::classify_bbox(extent);
    (class.bbox(), class.issue().map(|(code, message)| Issue::new(code, message)))
}

/// Description of one file, taken from its header.
#[derive(Debug, Clone, Default)]
pub struct FileDescription {
    pub kind: &'static str,
    pub media_type: &'static str,
    pub rule: String,
    pub versions: Vec<String>,
    pub title: Option<String>,
    pub abstract_: Option<String>,
    pub keywords: Vec<String>,
    pub licence: Option<String>,
    pub provider: Option<String>,
    pub contact: Contact,
    pub software: Option<String>,
    pub bbox: Option<Bbox>,
    pub crs: Vec<SharedText>,
    pub time: Vec<String>,
    pub issues: Vec<Issue>,
}

impl FileDescription {
    /// Creates a description of this kind, with `rule` as the evidence.
    pub fn new(kind: &'static str, media_type: &'static str, rule: impl Into<String>) -> Self {
        Self { kind, media_type, rule: rule.into(), ..Self::default() }
    }

    /// Sets the extent and coordinate system from the header.
    pub fn set_extent(&mut self, reference: Option<&CrsRef>, extent: Option<[f64; 4]>) {
        self.crs.extend(reference.and_then(CrsRef::label).map(SharedText::from));
        if let Some(extent) = extent {
            let (bbox, issue) = locate_extent(reference, extent);
            self.bbox = bbox;
            self.issues.extend(issue);
        }
    }

    /// Builds the resource: the file is one dataset, named by its title or else by its file name.
    pub fn into_found(self, url: &Url) -> Found {
        let title = self.title.as_deref().and_then(|t| tidy_text(t, MAX_TITLE));
        let abstract_ = self.abstract_.as_deref().and_then(|t| tidy_text(t, MAX_ABSTRACT));
        let stem = file_stem(url);
        let dataset = Dataset {
            name: stem.clone(),
            title: title.clone(),
            abstract_: abstract_.clone(),
            keywords: self.keywords.iter().map(|k| SharedText::from(k.as_str())).collect(),
            bbox: self.bbox,
            crs: self.crs.clone().into(),
            time: self.time,
            ..Dataset::default()
        };
        let resource = Resource {
            kind: self.kind.to_owned(),
            url: url.to_string(),
            versions: self.versions,
            title: title.or_else(|| Some(stem).filter(|s| !s.is_empty())),
            abstract_,
            keywords: self.keywords,
            licence: self.licence.as_deref().and_then(|t| tidy_text(t, MAX_TITLE)),
            provider: self.provider,
            contact: self.contact,
            bbox: self.bbox,
            crs: self.crs,
            software: self.software.as_deref().and_then(|t| tidy_text(t, 200)),
            formats: vec![self.media_type.into()],
            datasets: vec![dataset],
            dataset_count: 1,
            issues: self.issues,
            ..Resource::default()
        };
        Found::new(resource, self.rule)
    }
}

/// Finishes the resource of a file with several datasets: derives its extent and coordinate systems
/// from them.
pub fn combine_datasets(mut resource: Resource, rule: String) -> Found {
    let mut union = bbox::BboxUnion::default();
    let mut left_out = 0_usize;
    for dataset in &resource.datasets {
        match dataset.bbox {
            Some(b) => union.add(b),
            None => left_out += 1,
        }
        for code in dataset.crs.iter() {
            if resource.crs.len() < 200 && !resource.crs.contains(code) {
                resource.crs.push(code.clone());
            }
        }
    }
    resource.bbox = resource.bbox.or(union.bbox());
    if left_out > 0 && left_out < resource.datasets.len() {
        let message =
            format!("the extent does not include {left_out} of {} datasets", resource.datasets.len());
        resource.issues.push(Issue::new("bbox-partial", message));
    }
    Found::new(resource, rule)
}

impl FileExamination {
    /// Creates a result for a file that no kind recognises.
    pub fn unrecognised() -> Self {
        Self { wants: Vec::new(), finding: Finding { verdict: ResponseClass::Nothing, ..Finding::default() } }
    }

    /// Creates a result for a document of a known type that is not a resource.
    pub fn known_document(document: &'static str) -> Self {
        let mut nothing = Self::unrecognised();
        nothing.finding.document = Some(document);
        nothing
    }

    /// Creates a result for an identified file.
    pub fn proven_file(found: Found, document: &'static str) -> Self {
        let finding = Finding {
            resources: vec![found],
            verdict: ResponseClass::Resource,
            document: Some(document),
            ..Finding::default()
        };
        Self { wants: Vec::new(), finding }
    }

    /// Sets the further requests.
    #[must_use]
    pub fn with_requests(mut self, wants: Vec<FileRequest>) -> Self {
        self.wants = wants;
        self
    }

    /// Adds an issue to the resource, or to the finding when there is none.
    pub fn add_issue(&mut self, issue: Issue) {
        match self.finding.resources.first_mut() {
            Some(found) => found.resource.issues.push(issue),
            None => self.finding.issues.push(issue),
        }
    }
}

/// Returns a request for the missing bytes, plus `ahead` bytes after them, which are often needed
/// next.
pub fn request_missing(file: &SparseFile, lack: SparseReadError, ahead: u64) -> Option<FileRequest> {
    let SparseReadError::Bytes(first, last) = lack else { return None };
    let end = file.total().map_or(u64::MAX, |total| total.saturating_sub(1));
    let last = last.max(first.saturating_add(ahead)).min(end);
    (first <= last)
        .then(|| file.missing_range(first, last))
        .flatten()
        .map(|(from, to)| FileRequest::Span(from, to))
}
