//! OGC services with key-value requests: features, coverages, processes and records.

use super::ScoredOperation;
use crate::check::plan::{
    ACCEPT_XML, DOCUMENT_BYTES, ExpectedAnswer, FEATURE_BYTES, NO_SUCH, PlanContext, PlannedRequest,
};
use geotrawl_kinds::urls;
use geotrawl_model::{Dataset, Resource};
use url::Url;

/// Requests a feature of a WFS.
pub struct WfsFeature;

impl ScoredOperation for WfsFeature {
    fn kind(&self) -> &'static str {
        "wfs"
    }

    fn plan_dataset(&self, context: &PlanContext<'_>, dataset: &Dataset) -> Option<PlannedRequest> {
        Some(feature(context, dataset))
    }
}

/// Requests the description of a coverage of a WCS, or of a service whose description is read from
/// a WCS.
pub struct CoverageDescription(&'static str);

pub static WCS: CoverageDescription = CoverageDescription("wcs");
pub static WCPS: CoverageDescription = CoverageDescription("wcps");

impl ScoredOperation for CoverageDescription {
    fn kind(&self) -> &'static str {
        self.0
    }

    fn plan_dataset(&self, context: &PlanContext<'_>, dataset: &Dataset) -> Option<PlannedRequest> {
        Some(coverage(context, dataset))
    }
}

/// Requests the description of a process of a WPS.
pub struct WpsProcess;

impl ScoredOperation for WpsProcess {
    fn kind(&self) -> &'static str {
        "wps"
    }

    fn plan_dataset(&self, context: &PlanContext<'_>, dataset: &Dataset) -> Option<PlannedRequest> {
        Some(process(context, dataset))
    }
}

/// Requests the number of records of a CSW, and one of them.
pub struct CswRecords;

impl ScoredOperation for CswRecords {
    fn kind(&self) -> &'static str {
        "csw"
    }

    fn plan_requests(&self, context: &PlanContext<'_>) -> Vec<PlannedRequest> {
        plan_csw_records(&context.at, context.resource)
    }

    fn plan_refusal(&self, context: &PlanContext<'_>) -> Option<PlannedRequest> {
        Some(no_such_record_type(context))
    }
}

/// Returns the version in the description of a service, or the given default.
pub fn service_version<'r>(resource: &'r Resource, otherwise: &'r str) -> &'r str {
    let plausible = |version: &&String| {
        version.starts_with(|c: char| c.is_ascii_digit()) && version.len() <= 8 && version.is_ascii()
    };
    resource.versions.iter().find(plausible).map_or(otherwise, String::as_str)
}

/// Plans a request for one feature of a type, with both spellings of both parameters, since servers
/// know only one each.
fn feature(context: &PlanContext<'_>, dataset: &Dataset) -> PlannedRequest {
    let version = service_version(context.resource, "2.0.0");
    let params = [
        ("SERVICE", "WFS"),
        ("VERSION", version),
        ("REQUEST", "GetFeature"),
        ("TYPENAMES", &dataset.name),
        ("TYPENAME", &dataset.name),
        ("COUNT", "1"),
        ("MAXFEATURES", "1"),
    ];
    let url = urls::with_params(&context.at, &params);
    PlannedRequest::new(Some(&dataset.name), url, ACCEPT_XML, FEATURE_BYTES, ExpectedAnswer::Features)
}

/// Plans a request for the description of a coverage.
fn coverage(context: &PlanContext<'_>, dataset: &Dataset) -> PlannedRequest {
    let version = service_version(context.resource, "2.0.1");
    let name = match version.get(..3) {
        Some("1.0") => "COVERAGE",
        Some("1.1") => "IDENTIFIERS",
        _ => "COVERAGEID",
    };
    let params =
        [("SERVICE", "WCS"), ("VERSION", version), ("REQUEST", "DescribeCoverage"), (name, &dataset.name)];
    let url = urls::with_params(&context.at, &params);
    let expect = ExpectedAnswer::Xml(&["CoverageDescriptions", "CoverageDescription"]);
    PlannedRequest::new(Some(&dataset.name), url, ACCEPT_XML, DOCUMENT_BYTES, expect)
}

/// Plans a request for the description of a process, which is never run. Some servers advertise
/// versions that they reject, so the two existing versions are the fallbacks.
fn process(context: &PlanContext<'_>, dataset: &Dataset) -> PlannedRequest {
    let stated = service_version(context.resource, "1.0.0");
    let others = ["2.0.0", "1.0.0"].into_iter().filter(|other| *other != stated);
    let chain = others
        .rev()
        .fold(None, |next, version| Some(process_in(context, dataset, version).fallback_if_refused(next)));
    process_in(context, dataset, stated).fallback_if_refused(chain)
}

fn process_in(context: &PlanContext<'_>, dataset: &Dataset, version: &str) -> PlannedRequest {
    let params = [
        ("SERVICE", "WPS"),
        ("VERSION", version),
        ("REQUEST", "DescribeProcess"),
        ("IDENTIFIER", &dataset.name),
    ];
    let url = urls::with_params(&context.at, &params);
    let expect = ExpectedAnswer::Xml(&["ProcessDescriptions", "ProcessOfferings"]);
    PlannedRequest::new(Some(&dataset.name), url, ACCEPT_XML, DOCUMENT_BYTES, expect)
}

/// Plans a request for the number of records of a catalogue, and one of them.
pub fn plan_csw_records(at: &Url, resource: &Resource) -> Vec<PlannedRequest> {
    let version = if service_version(resource, "2.0.2").starts_with('3') { "3.0.0" } else { "2.0.2" };
    let ask = |more: &[(&str, &str)]| {
        let mut params = vec![
            ("SERVICE", "CSW"),
            ("VERSION", version),
            ("REQUEST", "GetRecords"),
            ("TYPENAMES", "csw:Record"),
            ("ELEMENTSETNAME", "brief"),
        ];
        params.extend(more);
        let url = urls::with_params(at, &params);
        PlannedRequest::new(None, url, ACCEPT_XML, DOCUMENT_BYTES, ExpectedAnswer::Records)
    };
    vec![ask(&[("RESULTTYPE", "hits")]), ask(&[("RESULTTYPE", "results"), ("MAXRECORDS", "1")])]
}

/// Plans a request for records of a type that does not exist.
fn no_such_record_type(context: &PlanContext<'_>) -> PlannedRequest {
    let version = if service_version(context.resource, "2.0.2").starts_with('3') { "3.0.0" } else { "2.0.2" };
    let params = [
        ("SERVICE", "CSW"),
        ("VERSION", version),
        ("REQUEST", "GetRecords"),
        ("TYPENAMES", NO_SUCH),
        ("RESULTTYPE", "hits"),
    ];
    let url = urls::with_params(&context.at, &params);
    PlannedRequest::new(None, url, ACCEPT_XML, DOCUMENT_BYTES, ExpectedAnswer::Records)
}
