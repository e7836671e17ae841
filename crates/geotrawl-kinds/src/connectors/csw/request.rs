//! `GetRecords` requests by GET and by POST, for versions 2.0.2 and 3.0.
//!
//! Records are requested as full `csw:Record`: every server supports them (the profile is
//! mandatory), while many that announce ISO 19139 reject it, and a GET request works without
//! reading the capabilities first. ISO is requested if a page of Dublin Core contains no link at
//! all.
//!
//! Dates are sent as an XML filter with both methods, not as CQL, because servers agree more often
//! on the former.

use super::plan::{DateSpan, HarvestPlan};
use crate::probe::{PostBody, ProbeRequest};
use crate::urls;
use quick_xml::escape::partial_escape;
use std::fmt::Write as _;
use url::Url;

const ACCEPT: &str = "application/xml, text/xml;q=0.9, */*;q=0.5";
/// Enough for a thousand ISO records of 60 KB.
const MAX_BYTES: u64 = 64 << 20;

const CSW2: &str = "http://www.opengis.net/cat/csw/2.0.2";
const CSW3: &str = "http://www.opengis.net/cat/csw/3.0";
const GMD: &str = "http://www.isotc211.org/2005/gmd";

/// Builds the request for a page.
pub fn get_records_request(at: &Url, plan: &HarvestPlan) -> ProbeRequest {
    let endpoint = urls::endpoint_url(at);
    if plan.way.uses_post() {
        let content_type = "application/xml";
        let post = Some(PostBody { content_type, body: body(plan) });
        return ProbeRequest { post, ..ProbeRequest::get(endpoint, ACCEPT, MAX_BYTES) };
    }
    let (version, csw) = if plan.way.is_version_3() { ("3.0.0", CSW3) } else { ("2.0.2", CSW2) };
    let (start, size) = (plan.at.to_string(), plan.size.to_string());
    let mut params = vec![
        ("SERVICE", "CSW"),
        ("VERSION", version),
        ("REQUEST", "GetRecords"),
        ("TYPENAMES", "csw:Record"),
        ("ELEMENTSETNAME", "full"),
        ("RESULTTYPE", "results"),
        ("OUTPUTSCHEMA", if plan.iso { GMD } else { csw }),
        ("OUTPUTFORMAT", "application/xml"),
        ("STARTPOSITION", &start),
        ("MAXRECORDS", &size),
    ];
    let filter = filter(&plan.span, plan.way.is_version_3());
    if let Some(filter) = &filter {
        params.push(("CONSTRAINTLANGUAGE", "FILTER"));
        params.push(("CONSTRAINT_LANGUAGE_VERSION", "1.1.0"));
        params.push(("CONSTRAINT", filter));
    }
    ProbeRequest::get(urls::with_params(&endpoint, &params), ACCEPT, MAX_BYTES)
}

fn body(plan: &HarvestPlan) -> String {
    let three = plan.way.is_version_3();
    let (version, csw) = if three { ("3.0.0", CSW3) } else { ("2.0.2", CSW2) };
    let iso_only = plan.way == super::plan::RequestMode::PostIso;
    let schema = if plan.iso || iso_only { GMD } else { csw };
    let types = if iso_only { "gmd:MD_Metadata" } else { "csw:Record" };
    let mut body = String::with_capacity(1024);
    body.push_str("<?xml version=\"1.0\" encoding=\"UTF-8\"?>");
    let _ = write!(
        body,
        "<csw:GetRecords xmlns:csw=\"{csw}\" xmlns:gmd=\"{GMD}\" service=\"CSW\" version=\"{version}\"{} \
         outputFormat=\"application/xml\" outputSchema=\"{schema}\" startPosition=\"{}\" maxRecords=\"{}\">\
         <csw:Query typeNames=\"{types}\"><csw:ElementSetName>full</csw:ElementSetName>",
        if three { "" } else { " resultType=\"results\"" },
        plan.at,
        plan.size,
    );
    if let Some(filter) = filter(&plan.span, three) {
        let _ = write!(
            body,
            "<csw:Constraint version=\"{}\">{filter}</csw:Constraint>",
            if three { "2.0.0" } else { "1.1.0" }
        );
    }
    body.push_str("</csw:Query></csw:GetRecords>");
    body
}

/// Builds the filter for a date span. Returns `None` if it is unbounded.
fn filter(span: &DateSpan, three: bool) -> Option<String> {
    let (prefix, namespace, property) = if three {
        ("fes", "http://www.opengis.net/fes/2.0", "ValueReference")
    } else {
        ("ogc", "http://www.opengis.net/ogc", "PropertyName")
    };
    let test = |name: &str, value: &str| {
        format!(
            "<{prefix}:{name}><{prefix}:{property}>dct:modified</{prefix}:{property}>\
             <{prefix}:Literal>{}</{prefix}:Literal></{prefix}:{name}>",
            partial_escape(value)
        )
    };
    let from = span.from.as_deref().map(|from| test("PropertyIsGreaterThanOrEqualTo", from));
    let to = span.to.as_deref().map(|to| test("PropertyIsLessThan", to));
    let tests = match (from, to) {
        (Some(from), Some(to)) => format!("<{prefix}:And>{from}{to}</{prefix}:And>"),
        (from, to) => from.or(to)?,
    };
    Some(format!(
        "<{prefix}:Filter xmlns:{prefix}=\"{namespace}\" xmlns:dct=\"http://purl.org/dc/terms/\">{tests}</{prefix}:Filter>"
    ))
}

/// Returns the start of the span that a GET request contained: the first page has no state to
/// remember it.
pub fn requested_since(asked: &Url) -> Option<String> {
    let (_, constraint) = asked.query_pairs().find(|(key, _)| key.eq_ignore_ascii_case("CONSTRAINT"))?;
    let (_, rest) = constraint.split_once("PropertyIsGreaterThanOrEqualTo")?;
    let (_, rest) = rest.split_once(":Literal>")?;
    let (value, _) = rest.split_once('<')?;
    (value.len() <= 40).then(|| value.to_owned())
}
