//! DCAT-AP 3 as triples: services are `dcat:DataService` and serve their layers as datasets, files
//! are `dcat:Dataset` with a distribution.
//!
//! Every node has its own address and none is blank, so all three encodings ([`write`]) contain the
//! same triples.

mod node;
pub mod write;

#[cfg(test)]
mod tests;

use crate::described::DescribedRecord;
use crate::links;
use crate::records::CatalogueInfo;
use crate::sanitize::{single_line, web_address};
use crate::shared_params;
use geotrawl_kinds::kinds;
use geotrawl_model::{Bbox, Dataset};
use node::{TripleGraph, TripleNode};
use oxrdf::Triple;

/// Path below the base address.
pub const PATH: &str = "/dcat";
/// Maximum number of records per page.
pub const PAGE: usize = 100;
/// Maximum number of layers per service on a page of many records.
pub const LAYERS_ON_PAGE: usize = 20;

const THEMES: &str = "http://publications.europa.eu/resource/authority/data-theme/";
const IANA: &str = "https://www.iana.org/assignments/media-types/";

/// A page of the catalogue.
#[derive(Debug, Clone, Default)]
pub struct DcatPage {
    /// Number of matching records.
    pub total: u64,
    /// Records per page.
    pub limit: usize,
    /// Time of the last change of the catalogue; the same on every page.
    pub updated: jiff::Timestamp,
    pub here: String,
    /// Addresses of other pages by relation: `first`, `next`, `previous`, `last`.
    pub beside: Vec<(&'static str, String)>,
}

/// Returns the IRI of the catalogue.
fn catalogue(place: &CatalogueInfo) -> String {
    format!("{}{PATH}#catalogue", place.base)
}

/// Returns the IRI of a record.
pub fn record_iri(place: &CatalogueInfo, id: &str) -> String {
    format!("{}{PATH}/record/{id}", place.base)
}

/// Returns the triples of a page of records and of the catalogue that contains them.
pub fn page_triples(place: &CatalogueInfo, pages: &DcatPage, found: &[DescribedRecord]) -> Vec<Triple> {
    let mut graph = TripleGraph::default();
    let Some(mut own) = graph.add_node(&catalogue(place), "dcat:Catalog") else { return graph.finish() };
    own.add_text("dct:title", &single_line(&place.title, 500));
    own.add_text("dct:description", &single_line(&place.description(), 2_000));
    own.add_link("foaf:homepage", &format!("{}/", place.base));
    own.add_link("dct:publisher", &format!("{}{PATH}#publisher", place.base));
    own.add_moment("dct:modified", pages.updated);
    for described in found {
        let is_data = shared_params::resource_type(&described.record.resource.kind) == "dataset";
        own.add_link(
            if is_data { "dcat:dataset" } else { "dcat:service" },
            &record_iri(place, described.id()),
        );
    }
    drop(own);
    if let Some(mut publisher) = graph.add_node(&format!("{}{PATH}#publisher", place.base), "foaf:Agent") {
        publisher.add_text("foaf:name", &single_line(&place.title, 500));
    }
    hydra(&mut graph, pages);
    for described in found {
        add(&mut graph, place, described, LAYERS_ON_PAGE);
    }
    graph.finish()
}

/// Returns the triples of one record.
pub fn record_triples(place: &CatalogueInfo, described: &DescribedRecord) -> Vec<Triple> {
    let mut graph = TripleGraph::default();
    add(&mut graph, place, described, usize::MAX);
    graph.finish()
}

/// Adds Hydra paging in both vocabularies that harvesters know: the older one as CKAN writes it,
/// and the current one.
fn hydra(graph: &mut TripleGraph, pages: &DcatPage) {
    let Some(mut view) = graph.add_node(&pages.here, "hydra:PartialCollectionView") else { return };
    view.add_type("hydra:PagedCollection");
    view.add_integer("hydra:totalItems", pages.total);
    view.add_integer("hydra:itemsPerPage", pages.limit as u64);
    for (rel, href) in &pages.beside {
        view.add_link(&format!("hydra:{rel}"), href);
        view.add_text(&format!("hydra:{rel}Page"), href);
    }
}

fn add(graph: &mut TripleGraph, place: &CatalogueInfo, described: &DescribedRecord, most_layers: usize) {
    let resource = &described.record.resource;
    let own = record_iri(place, described.id());
    if shared_params::resource_type(&resource.kind) == "dataset" {
        let Some(mut node) = graph.add_node(&own, "dcat:Dataset") else { return };
        add_common_properties(&mut node, place, described, &own);
        node.add_link("dcat:distribution", &format!("{own}#file"));
        drop(node);
        distribution(graph, described, &own);
    } else {
        let Some(mut node) = graph.add_node(&own, "dcat:DataService") else { return };
        add_common_properties(&mut node, place, described, &own);
        if let Some(endpoint) = web_address(&resource.url) {
            node.add_link("dcat:endpointURL", &endpoint);
        }
        if let Some(specification) = kinds::by_id(&resource.kind).map(|kind| kind.profile().specification) {
            node.add_link("dct:conformsTo", specification);
        }
        let layers: Vec<(String, &Dataset)> = described
            .layers
            .iter()
            .take(most_layers)
            .filter(|layer| !layer.name.is_empty() && layer.name.len() <= 300)
            .map(|layer| (format!("{own}#layer-{}", node::percent_encode(&layer.name)), layer))
            .collect();
        for (layer, _) in &layers {
            node.add_link("dcat:servesDataset", layer);
        }
        drop(node);
        for (address, layer) in layers {
            add_layer(graph, &own, &address, layer, described);
        }
    }
    details(graph, described, &own);
}

/// Adds the properties common to services and files.
fn add_common_properties(
    node: &mut TripleNode<'_>,
    place: &CatalogueInfo,
    described: &DescribedRecord,
    own: &str,
) {
    let record = &described.record;
    node.add_text("dct:identifier", &record.id);
    node.add_text("dct:title", &described.title());
    // DCAT-AP requires a description.
    node.add_text("dct:description", &described.description().unwrap_or_else(|| described.title()));
    node.add_moment("dct:issued", record.first_seen);
    node.add_moment("dct:modified", described.modified());
    node.add_link("dcat:landingPage", &format!("{}/service/{}", place.base, record.id));
    for keyword in described.keywords() {
        node.add_text("dcat:keyword", &keyword);
    }
    for theme in record.themes.iter().filter(|theme| theme.scheme == "eu-dcat").take(13) {
        node.add_link("dcat:theme", &format!("{THEMES}{}", node::percent_encode(&theme.term)));
    }
    match described.licence() {
        Some(licence) if web_address(&licence).is_some() => {
            node.add_link("dct:license", &web_address(&licence).unwrap_or_default());
        }
        Some(_) => node.add_link("dct:rights", &format!("{own}#rights")),
        None => {}
    }
    if described.provider().is_some() {
        node.add_link("dct:publisher", &format!("{own}#publisher"));
    }
    if has_contact(described) {
        node.add_link("dcat:contactPoint", &format!("{own}#contact"));
    }
    if described.bbox().is_some() {
        node.add_link("dct:spatial", &format!("{own}#place"));
    }
    if described.covered_period().is_some() {
        node.add_link("dct:temporal", &format!("{own}#time"));
    }
}

fn has_contact(described: &DescribedRecord) -> bool {
    let contact = &described.record.resource.contact;
    contact.email.is_some() || contact.person.is_some() || contact.organisation.is_some()
}

/// Adds the nodes to which [`add_common_properties`] refers.
fn details(graph: &mut TripleGraph, described: &DescribedRecord, own: &str) {
    if let Some(licence) = described.licence()
        && web_address(&licence).is_none()
        && let Some(mut node) = graph.add_node(&format!("{own}#rights"), "dct:RightsStatement")
    {
        node.add_text("rdfs:label", &licence);
    }
    if let Some(provider) = described.provider()
        && let Some(mut node) = graph.add_node(&format!("{own}#publisher"), "foaf:Agent")
    {
        node.add_text("foaf:name", &provider);
    }
    let contact = &described.record.resource.contact;
    if has_contact(described)
        && let Some(mut node) = graph.add_node(&format!("{own}#contact"), "vcard:Kind")
    {
        let name = contact.person.as_deref().or(contact.organisation.as_deref());
        let name = name.map(|name| single_line(name, 500)).or_else(|| described.provider());
        node.add_text("vcard:fn", &name.unwrap_or_else(|| described.title()));
        if let Some(organisation) = &contact.organisation {
            node.add_text("vcard:organization-name", &single_line(organisation, 500));
        }
        if let Some(email) = contact.email.as_deref().filter(|email| email.contains('@')) {
            node.add_link("vcard:hasEmail", &format!("mailto:{}", node::percent_encode_email(email)));
        }
        if let Some(url) = contact.url.as_deref().and_then(web_address) {
            node.add_link("vcard:hasURL", &url);
        }
    }
    if let Some(bbox) = described.bbox() {
        location(graph, &format!("{own}#place"), bbox);
    }
    if let Some(covered) = described.covered_period()
        && let Some(mut node) = graph.add_node(&format!("{own}#time"), "dct:PeriodOfTime")
    {
        node.add_moment("dcat:startDate", covered.from);
        if let Some(until) = covered.until {
            node.add_moment("dcat:endDate", until);
        }
    }
}

fn location(graph: &mut TripleGraph, address: &str, bbox: Bbox) {
    let Some(mut node) = graph.add_node(address, "dct:Location") else { return };
    let wkt = wkt(bbox);
    node.add_typed("dcat:bbox", &wkt, "geo:wktLiteral");
    node.add_typed("locn:geometry", &wkt, "geo:wktLiteral");
}

fn wkt(Bbox { west, south, east, north }: Bbox) -> String {
    let ring = |west: f64, east: f64| {
        format!("(({west} {south}, {east} {south}, {east} {north}, {west} {north}, {west} {south}))")
    };
    if west <= east {
        return format!("POLYGON{}", ring(west, east));
    }
    format!("MULTIPOLYGON({}, {})", ring(west, 180.0), ring(-180.0, east))
}

fn distribution(graph: &mut TripleGraph, described: &DescribedRecord, own: &str) {
    let Some(mut node) = graph.add_node(&format!("{own}#file"), "dcat:Distribution") else { return };
    node.add_text("dct:title", &described.title());
    let url = web_address(&described.record.resource.url);
    if let Some(url) = url {
        node.add_link("dcat:accessURL", &url);
        node.add_link("dcat:downloadURL", &url);
    }
    let (_, media) = links::kind_protocol(&described.record.resource.kind);
    node.add_link("dcat:mediaType", &format!("{IANA}{media}"));
    if let Some(licence) = described.licence().as_deref().and_then(web_address) {
        node.add_link("dct:license", &licence);
    }
}

/// Adds a layer as a dataset, with a distribution that refers to the service.
fn add_layer(
    graph: &mut TripleGraph,
    service: &str,
    own: &str,
    layer: &Dataset,
    described: &DescribedRecord,
) {
    let title = single_line(layer.title.as_deref().unwrap_or(&layer.name), 500);
    let title = if title.is_empty() { single_line(&layer.name, 500) } else { title };
    let Some(mut node) = graph.add_node(own, "dcat:Dataset") else { return };
    node.add_text("dct:identifier", &single_line(&layer.name, 300));
    node.add_text("dct:title", &title);
    let text =
        layer.abstract_.as_deref().map(|text| single_line(text, 2_000)).filter(|text| !text.is_empty());
    node.add_text("dct:description", &text.unwrap_or_else(|| title.clone()));
    for keyword in layer.keywords.iter().take(20) {
        node.add_text("dcat:keyword", &single_line(keyword, 200));
    }
    let bbox =
        layer.bbox.map(<[f64; 4]>::from).and_then(|numbers| shared_params::bbox_from_numbers(&numbers).ok());
    if bbox.is_some() {
        node.add_link("dct:spatial", &format!("{own}-place"));
    }
    node.add_link("dcat:distribution", &format!("{own}-access"));
    drop(node);
    if let Some(bbox) = bbox {
        location(graph, &format!("{own}-place"), bbox);
    }
    if let Some(mut node) = graph.add_node(&format!("{own}-access"), "dcat:Distribution") {
        node.add_text("dct:title", &title);
        node.add_link("dcat:accessService", service);
        if let Some(url) = web_address(&described.record.resource.url) {
            node.add_link("dcat:accessURL", &url);
        }
    }
}
