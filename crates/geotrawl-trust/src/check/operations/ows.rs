//! Services of the OGC that are asked by parameters: features, coverages, processes and records.

use super::Operation;
use crate::check::plan::{ACCEPT_XML, Context, DOCUMENT_BYTES, Expect, FEATURE_BYTES, NO_SUCH, Planned};
use geotrawl_kinds::urls;
use geotrawl_model::{Dataset, Resource};
use url::Url;

/// A feature of a WFS.
pub struct Features;

impl Operation for Features {
    fn kind(&self) -> &'static str {
        "wfs"
    }

    fn plan_dataset(&self, context: &Context<'_>, dataset: &Dataset) -> Option<Planned> {
        Some(feature(context, dataset))
    }
}

/// The description of a coverage, by a WCS or what is read from it.
pub struct Coverages(&'static str);

pub static WCS: Coverages = Coverages("wcs");
pub static WCPS: Coverages = Coverages("wcps");

impl Operation for Coverages {
    fn kind(&self) -> &'static str {
        self.0
    }

    fn plan_dataset(&self, context: &Context<'_>, dataset: &Dataset) -> Option<Planned> {
        Some(coverage(context, dataset))
    }
}

/// The description of a process of a WPS.
pub struct Processes;

impl Operation for Processes {
    fn kind(&self) -> &'static str {
        "wps"
    }

    fn plan_dataset(&self, context: &Context<'_>, dataset: &Dataset) -> Option<Planned> {
        Some(process(context, dataset))
    }
}

/// The number of records of a CSW, and one of them.
pub struct Records;

impl Operation for Records {
    fn kind(&self) -> &'static str {
        "csw"
    }

    fn plan(&self, context: &Context<'_>) -> Vec<Planned> {
        records(&context.at, context.resource)
    }

    fn plan_refusal(&self, context: &Context<'_>) -> Option<Planned> {
        Some(no_such_record_type(context))
    }
}

/// The version of a service as it describes itself, else the given one.
pub fn version<'r>(resource: &'r Resource, otherwise: &'r str) -> &'r str {
    let plausible = |version: &&String| {
        version.starts_with(|c: char| c.is_ascii_digit()) && version.len() <= 8 && version.is_ascii()
    };
    resource.versions.iter().find(plausible).map_or(otherwise, String::as_str)
}

/// One feature of a type. Both spellings of both parameters: servers know one of each.
fn feature(context: &Context<'_>, dataset: &Dataset) -> Planned {
    let version = version(context.resource, "2.0.0");
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
    Planned::new(Some(&dataset.name), url, ACCEPT_XML, FEATURE_BYTES, Expect::Features)
}

/// The description of a coverage.
fn coverage(context: &Context<'_>, dataset: &Dataset) -> Planned {
    let version = version(context.resource, "2.0.1");
    let name = match version.get(..3) {
        Some("1.0") => "COVERAGE",
        Some("1.1") => "IDENTIFIERS",
        _ => "COVERAGEID",
    };
    let params =
        [("SERVICE", "WCS"), ("VERSION", version), ("REQUEST", "DescribeCoverage"), (name, &dataset.name)];
    let url = urls::with_params(&context.at, &params);
    let expect = Expect::Xml(&["CoverageDescriptions", "CoverageDescription"]);
    Planned::new(Some(&dataset.name), url, ACCEPT_XML, DOCUMENT_BYTES, expect)
}

/// The description of a process; it is never run. Some servers describe themselves in versions that they do not
/// take: the two that exist are tried when theirs is refused.
fn process(context: &Context<'_>, dataset: &Dataset) -> Planned {
    let stated = version(context.resource, "1.0.0");
    let others = ["2.0.0", "1.0.0"].into_iter().filter(|other| *other != stated);
    let chain =
        others.rev().fold(None, |next, version| Some(process_in(context, dataset, version).if_refused(next)));
    process_in(context, dataset, stated).if_refused(chain)
}

fn process_in(context: &Context<'_>, dataset: &Dataset, version: &str) -> Planned {
    let params = [
        ("SERVICE", "WPS"),
        ("VERSION", version),
        ("REQUEST", "DescribeProcess"),
        ("IDENTIFIER", &dataset.name),
    ];
    let url = urls::with_params(&context.at, &params);
    let expect = Expect::Xml(&["ProcessDescriptions", "ProcessOfferings"]);
    Planned::new(Some(&dataset.name), url, ACCEPT_XML, DOCUMENT_BYTES, expect)
}

/// How many records a catalogue has, and one of them.
pub fn records(at: &Url, resource: &Resource) -> Vec<Planned> {
    let version = if version(resource, "2.0.2").starts_with('3') { "3.0.0" } else { "2.0.2" };
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
        Planned::new(None, url, ACCEPT_XML, DOCUMENT_BYTES, Expect::Records)
    };
    vec![ask(&[("RESULTTYPE", "hits")]), ask(&[("RESULTTYPE", "results"), ("MAXRECORDS", "1")])]
}

/// Records of a type that does not exist.
fn no_such_record_type(context: &Context<'_>) -> Planned {
    let version = if version(context.resource, "2.0.2").starts_with('3') { "3.0.0" } else { "2.0.2" };
    let params = [
        ("SERVICE", "CSW"),
        ("VERSION", version),
        ("REQUEST", "GetRecords"),
        ("TYPENAMES", NO_SUCH),
        ("RESULTTYPE", "hits"),
    ];
    let url = urls::with_params(&context.at, &params);
    Planned::new(None, url, ACCEPT_XML, DOCUMENT_BYTES, Expect::Records)
}
