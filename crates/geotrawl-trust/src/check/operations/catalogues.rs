//! Catalogues: the number of records, and one record.

use super::{ScoredOperation, ows};
use crate::check::plan::{
    ACCEPT_JSON, ACCEPT_XML, DOCUMENT_BYTES, ExpectedAnswer, NO_SUCH, PlanContext, PlannedRequest,
};
use crate::check::plan::{repeat_description, start_reader, url_below};
use geotrawl_kinds::formats::opensearch::{OpenSearchDescription, fill_template};
use geotrawl_kinds::urls;
use geotrawl_model::Resource;
use url::Url;

/// Searches a CKAN.
pub struct CkanSearch;

impl ScoredOperation for CkanSearch {
    fn kind(&self) -> &'static str {
        "ckan"
    }

    fn plan_requests(&self, context: &PlanContext<'_>) -> Vec<PlannedRequest> {
        let url = url_below(&context.at, &["api", "3", "action", "package_search"], &[("rows", "1")]);
        vec![PlannedRequest::new(
            None,
            url,
            ACCEPT_JSON,
            DOCUMENT_BYTES,
            ExpectedAnswer::List(&["/result/results"]),
        )]
    }

    fn plan_refusal(&self, context: &PlanContext<'_>) -> Option<PlannedRequest> {
        let url = url_below(&context.at, &["api", "3", "action", "package_show"], &[("id", NO_SUCH)]);
        Some(PlannedRequest::new(None, url, ACCEPT_JSON, DOCUMENT_BYTES, ExpectedAnswer::Object(&["result"])))
    }
}

/// Requests the headers of an OAI-PMH repository.
pub struct OaiHeaders;

impl ScoredOperation for OaiHeaders {
    fn kind(&self) -> &'static str {
        "oai-pmh"
    }

    fn plan_requests(&self, context: &PlanContext<'_>) -> Vec<PlannedRequest> {
        vec![headers(context, &[("verb", "ListIdentifiers"), ("metadataPrefix", "oai_dc")])]
    }

    fn plan_refusal(&self, context: &PlanContext<'_>) -> Option<PlannedRequest> {
        let params = [("verb", "GetRecord"), ("metadataPrefix", "oai_dc"), ("identifier", NO_SUCH)];
        Some(headers(context, &params))
    }
}

fn headers(context: &PlanContext<'_>, params: &[(&str, &str)]) -> PlannedRequest {
    let url = urls::with_params(&context.at, params);
    PlannedRequest::new(None, url, ACCEPT_XML, DOCUMENT_BYTES, ExpectedAnswer::Headers)
}

/// Requests the records of a GeoNetwork.
pub struct GeoNetworkRecords;

impl ScoredOperation for GeoNetworkRecords {
    fn kind(&self) -> &'static str {
        "geonetwork"
    }

    fn plan_requests(&self, context: &PlanContext<'_>) -> Vec<PlannedRequest> {
        // CSW is the only interface that all versions of the software have.
        ows::plan_csw_records(&url_below(&context.at, &["srv", "eng", "csw"], &[]), &Resource::default())
    }
}

/// Requests the results of an OpenSearch query.
pub struct OpenSearchResults;

impl ScoredOperation for OpenSearchResults {
    fn kind(&self) -> &'static str {
        "opensearch"
    }

    fn description_url(&self, url: &Url) -> Url {
        // A CSW that describes its OpenSearch must be requested as a CSW, but records are stored
        // without that parameter.
        let csw = url.query_pairs().any(|(name, value)| name == "mode" && value == "opensearch")
            && !url.query_pairs().any(|(name, _)| name.eq_ignore_ascii_case("request"));
        if !csw {
            return url.clone();
        }
        let params = [("service", "CSW"), ("version", "2.0.2"), ("request", "GetCapabilities")];
        urls::with_params(url, &params)
    }

    fn plan_requests(&self, context: &PlanContext<'_>) -> Vec<PlannedRequest> {
        opensearch(context).into_iter().collect()
    }
}

/// A portal whose description is a search with results.
pub struct PortalSearch(&'static str);

pub static SOCRATA: PortalSearch = PortalSearch("socrata");
pub static OPENDATASOFT: PortalSearch = PortalSearch("opendatasoft");

impl ScoredOperation for PortalSearch {
    fn kind(&self) -> &'static str {
        self.0
    }

    fn plan_requests(&self, context: &PlanContext<'_>) -> Vec<PlannedRequest> {
        repeat_description(context, ExpectedAnswer::List(&["/results"]))
    }
}

/// Fills the best template of a description for a query with one result.
fn opensearch(context: &PlanContext<'_>) -> Option<PlannedRequest> {
    let document = context.document?;
    let mut bytes = document.bytes.as_slice();
    let mut reader = start_reader(&mut bytes)?;
    let description = OpenSearchDescription::from_xml(&mut reader);
    let template = description.best_template()?;
    let filled = fill_template(&template.template, 1, 0, (template.index_offset, template.page_offset));
    let url = document.url.join(&filled).ok().filter(|url| matches!(url.scheme(), "http" | "https"))?;
    Some(PlannedRequest::new(None, url, ACCEPT_XML, DOCUMENT_BYTES, ExpectedAnswer::Results))
}
