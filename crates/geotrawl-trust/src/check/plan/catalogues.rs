//! Catalogues: how many records, and one of them.

use super::{ACCEPT_JSON, ACCEPT_XML, Context, DOCUMENT_BYTES, Expect, NO_SUCH, Planned, begun, below, ows};
use geotrawl_kinds::formats::opensearch::{Description, fill};
use geotrawl_kinds::urls;

/// The search that costs a catalogue least.
pub fn search(context: &Context<'_>) -> Vec<Planned> {
    let planned = match context.resource.kind.as_str() {
        "ckan" => {
            let url = below(&context.at, &["api", "3", "action", "package_search"], &[("rows", "1")]);
            Some(Planned::new(None, url, ACCEPT_JSON, DOCUMENT_BYTES, Expect::List(&["/result/results"])))
        }
        "oai-pmh" => {
            let params = [("verb", "ListIdentifiers"), ("metadataPrefix", "oai_dc")];
            let url = urls::with_params(&context.at, &params);
            Some(Planned::new(None, url, ACCEPT_XML, DOCUMENT_BYTES, Expect::Headers))
        }
        "geonetwork" => {
            // Every version of the software has it, as none of its own interfaces.
            let at = below(&context.at, &["srv", "eng", "csw"], &[]);
            return ows::records(&at, &geotrawl_kinds::model::Resource::default());
        }
        "opensearch" => opensearch(context),
        _ => None,
    };
    planned.into_iter().collect()
}

/// The best template of a description, filled for one result.
fn opensearch(context: &Context<'_>) -> Option<Planned> {
    let document = context.document?;
    let mut bytes = document.bytes.as_slice();
    let mut reader = begun(&mut bytes)?;
    let description = Description::read(&mut reader);
    let template = description.best()?;
    let filled = fill(&template.template, 1, 0, (template.index_offset, template.page_offset));
    let url = document.url.join(&filled).ok().filter(|url| matches!(url.scheme(), "http" | "https"))?;
    Some(Planned::new(None, url, ACCEPT_XML, DOCUMENT_BYTES, Expect::Results))
}

/// A record that does not exist.
pub fn no_such_record(context: &Context<'_>) -> Option<Planned> {
    Some(match context.resource.kind.as_str() {
        "ckan" => {
            let url = below(&context.at, &["api", "3", "action", "package_show"], &[("id", NO_SUCH)]);
            Planned::new(None, url, ACCEPT_JSON, DOCUMENT_BYTES, Expect::Object(&["result"]))
        }
        "oai-pmh" => {
            let params = [("verb", "GetRecord"), ("metadataPrefix", "oai_dc"), ("identifier", NO_SUCH)];
            let url = urls::with_params(&context.at, &params);
            Planned::new(None, url, ACCEPT_XML, DOCUMENT_BYTES, Expect::Headers)
        }
        _ => return None,
    })
}
