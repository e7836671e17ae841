//! Catalogues: how many records, and one of them.

use super::{Operation, ows};
use crate::check::plan::{ACCEPT_JSON, ACCEPT_XML, Context, DOCUMENT_BYTES, Expect, NO_SUCH, Planned};
use crate::check::plan::{again, begun, below};
use geotrawl_kinds::formats::opensearch::{OpenSearchDescription, fill_template};
use geotrawl_kinds::urls;
use geotrawl_model::Resource;
use url::Url;

/// A search of a CKAN.
pub struct Ckan;

impl Operation for Ckan {
    fn kind(&self) -> &'static str {
        "ckan"
    }

    fn plan(&self, context: &Context<'_>) -> Vec<Planned> {
        let url = below(&context.at, &["api", "3", "action", "package_search"], &[("rows", "1")]);
        vec![Planned::new(None, url, ACCEPT_JSON, DOCUMENT_BYTES, Expect::List(&["/result/results"]))]
    }

    fn plan_refusal(&self, context: &Context<'_>) -> Option<Planned> {
        let url = below(&context.at, &["api", "3", "action", "package_show"], &[("id", NO_SUCH)]);
        Some(Planned::new(None, url, ACCEPT_JSON, DOCUMENT_BYTES, Expect::Object(&["result"])))
    }
}

/// Headers of an OAI-PMH repository.
pub struct OaiHeaders;

impl Operation for OaiHeaders {
    fn kind(&self) -> &'static str {
        "oai-pmh"
    }

    fn plan(&self, context: &Context<'_>) -> Vec<Planned> {
        vec![headers(context, &[("verb", "ListIdentifiers"), ("metadataPrefix", "oai_dc")])]
    }

    fn plan_refusal(&self, context: &Context<'_>) -> Option<Planned> {
        let params = [("verb", "GetRecord"), ("metadataPrefix", "oai_dc"), ("identifier", NO_SUCH)];
        Some(headers(context, &params))
    }
}

fn headers(context: &Context<'_>, params: &[(&str, &str)]) -> Planned {
    let url = urls::with_params(&context.at, params);
    Planned::new(None, url, ACCEPT_XML, DOCUMENT_BYTES, Expect::Headers)
}

/// Records of a GeoNetwork.
pub struct GeoNetwork;

impl Operation for GeoNetwork {
    fn kind(&self) -> &'static str {
        "geonetwork"
    }

    fn plan(&self, context: &Context<'_>) -> Vec<Planned> {
        // Every version of the software has a CSW, as none of its own interfaces.
        ows::records(&below(&context.at, &["srv", "eng", "csw"], &[]), &Resource::default())
    }
}

/// The results of a search by OpenSearch.
pub struct OpenSearch;

impl Operation for OpenSearch {
    fn kind(&self) -> &'static str {
        "opensearch"
    }

    fn address(&self, url: &Url) -> Url {
        // A CSW that describes its OpenSearch wants to be asked as a CSW, and records are kept without that.
        let csw = url.query_pairs().any(|(name, value)| name == "mode" && value == "opensearch")
            && !url.query_pairs().any(|(name, _)| name.eq_ignore_ascii_case("request"));
        if !csw {
            return url.clone();
        }
        let params = [("service", "CSW"), ("version", "2.0.2"), ("request", "GetCapabilities")];
        urls::with_params(url, &params)
    }

    fn plan(&self, context: &Context<'_>) -> Vec<Planned> {
        opensearch(context).into_iter().collect()
    }
}

/// A portal whose description is a search that gives results.
pub struct Portal(&'static str);

pub static SOCRATA: Portal = Portal("socrata");
pub static OPENDATASOFT: Portal = Portal("opendatasoft");

impl Operation for Portal {
    fn kind(&self) -> &'static str {
        self.0
    }

    fn plan(&self, context: &Context<'_>) -> Vec<Planned> {
        again(context, Expect::List(&["/results"]))
    }
}

/// The best template of a description, filled for one result.
fn opensearch(context: &Context<'_>) -> Option<Planned> {
    let document = context.document?;
    let mut bytes = document.bytes.as_slice();
    let mut reader = begun(&mut bytes)?;
    let description = OpenSearchDescription::from_xml(&mut reader);
    let template = description.best_template()?;
    let filled = fill_template(&template.template, 1, 0, (template.index_offset, template.page_offset));
    let url = document.url.join(&filled).ok().filter(|url| matches!(url.scheme(), "http" | "https"))?;
    Some(Planned::new(None, url, ACCEPT_XML, DOCUMENT_BYTES, Expect::Results))
}
