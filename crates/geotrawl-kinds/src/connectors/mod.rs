//! One file per catalogue protocol: how to harvest a catalogue page by page.
//!
//! A connector does no I/O: it builds a request, and parses the response into records and further
//! requests. Everything it must remember is in the `state` of the next request, which is an
//! ordinary frontier entry: after a crash the harvest continues where it stopped, and no request is
//! made twice.
//!
//! To add one: a file here, a line in [`CONNECTORS`], and recorded pages in
//! `tests/connectors/<id>/`.

mod arcgis_directory;
mod arcgis_portal;
mod ckan;
mod csw;
mod dcat;
mod declarative;
mod erddap;
pub(crate) mod fields;
mod geonetwork;
mod geonode;
mod inspire_atom;
mod json_page;
mod links;
mod oai_pmh;
mod ogcapi_records;
mod opendatasoft;
mod opensearch;
mod sensorthings;
mod socrata;
mod stac;
mod state;
mod thredds;

use crate::probe::{CrawlTarget, Finding, Found, ProbeRequest, ProbeResponse, ResponseClass};
use crate::urls;
use geotrawl_model::{CatalogueRecord, HarvestedPage, Intent, Issue};
use std::ops::Deref;
use std::sync::Arc;
use url::Url;

pub use declarative::{ConnectorFileError, DeclarativeConnector};
pub use links::link_targets;

// Used by the kinds of the same portals.
pub(crate) use arcgis_portal::{is_hub as is_arcgis_hub, portal_base as arcgis_portal_base};
pub(crate) use ckan::{
    link_from_resource as ckan_link, portal_base as ckan_base, record_from_package as ckan_record,
};
pub(crate) use dcat::{rdf_nodes, record_from_dataset as dcat_record, records_from_nodes, turtle_nodes};
pub(crate) use geonetwork::catalogue_base as geonetwork_base;
pub(crate) use geonode::{endpoint_links as geonode_endpoints, portal_base as geonode_base};
pub(crate) use json_page::parse_json as page_value;
pub(crate) use opendatasoft::{datasets_url as opendatasoft_datasets, portal_base as opendatasoft_base};
pub(crate) use socrata::catalogue_url as socrata_catalogue;

/// Documentation of a connector, printed in the published list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ConnectorDoc {
    /// Stable id: the protocol in `catalogue:<id>`.
    pub id: &'static str,
    /// Display name.
    pub name: &'static str,
    /// What it reads and how it pages.
    pub what: &'static str,
    /// URL of the specification.
    pub specification: &'static str,
    /// Kinds of resources that it harvests.
    pub kinds: &'static [&'static str],
    /// Whether later harvests request only what has changed.
    pub incremental: bool,
}

/// A catalogue protocol.
pub trait Connector: Sync {
    /// Returns the documentation.
    fn doc(&self) -> &'static ConnectorDoc;

    /// Builds the request for one page of the catalogue at `at`. The first page has an empty
    /// `state`. Only the first call gets `since` (RFC 3339), if only changes are wanted: a
    /// connector that needs it later must put it into the state.
    fn page_request(&self, at: &Url, state: &str, since: Option<&str>) -> ProbeRequest;

    /// Parses the response to [`Connector::page_request`].
    fn parse_page(&self, at: &Url, state: &str, answer: ProbeResponse<'_>) -> CataloguePage;
}

/// Contents of one page of a catalogue.
#[derive(Debug, Default)]
pub struct CataloguePage {
    pub records: Vec<CatalogueRecord>,
    /// States of further pages; empty if this was the last one.
    pub next: Vec<String>,
    /// Other catalogues and documents to read, and anything else worth requesting that is not a
    /// link of a record. Their `way` is set by the caller.
    pub targets: Vec<CrawlTarget>,
    /// Resources that the response itself proves.
    pub resources: Vec<Found>,
    /// Number of records that the catalogue claims to have.
    pub total: Option<u64>,
    /// Why the response is not a page of this catalogue.
    pub failure: Option<Issue>,
    pub issues: Vec<Issue>,
}

/// All connectors, sorted by id.
pub static CONNECTORS: &[&dyn Connector] = &[
    &arcgis_directory::ArcgisDirectoryConnector,
    &arcgis_portal::ArcgisPortalConnector,
    &ckan::CkanConnector,
    &csw::CswConnector,
    &dcat::DcatConnector,
    &erddap::ErddapConnector,
    &geonetwork::GeoNetworkConnector,
    &geonode::GeoNodeConnector,
    &inspire_atom::InspireAtomConnector,
    &oai_pmh::OaiPmhConnector,
    &ogcapi_records::OgcApiRecordsConnector,
    &opendatasoft::OpenDataSoftConnector,
    &opensearch::OpenSearchConnector,
    &sensorthings::SensorThingsConnector,
    &socrata::SocrataConnector,
    &stac::StacConnector,
    &thredds::ThreddsConnector,
];

/// Returns the built-in connector with this id.
pub fn by_id(id: &str) -> Option<&'static dyn Connector> {
    CONNECTORS.iter().find(|connector| connector.doc().id == id).copied()
}

/// All available connectors: the built-in ones and those declared in the operator's files.
#[derive(Debug, Clone, Default)]
pub struct ConnectorSet {
    declared: Vec<Arc<DeclarativeConnector>>,
}

impl ConnectorSet {
    /// Creates a set of the built-in connectors and these.
    pub fn new(declared: Vec<DeclarativeConnector>) -> Self {
        Self { declared: declared.into_iter().map(Arc::new).collect() }
    }

    /// Returns the connector with this id.
    pub fn by_id(&self, id: &str) -> Option<ConnectorHandle> {
        let declared = || self.declared.iter().find(|connector| connector.id() == id);
        by_id(id)
            .map(ConnectorHandle::BuiltIn)
            .or_else(|| declared().map(|connector| ConnectorHandle::Declared(Arc::clone(connector))))
    }

    /// Returns the declared connector for a URL.
    pub fn declared_for(&self, url: &Url) -> Option<&DeclarativeConnector> {
        self.declared.iter().map(Arc::as_ref).find(|connector| connector.serves_url(url))
    }
}

/// A connector of a [`ConnectorSet`].
#[derive(Clone)]
pub enum ConnectorHandle {
    BuiltIn(&'static dyn Connector),
    Declared(Arc<DeclarativeConnector>),
}

impl Deref for ConnectorHandle {
    type Target = dyn Connector;

    fn deref(&self) -> &Self::Target {
        match self {
            Self::BuiltIn(connector) => *connector,
            Self::Declared(connector) => connector.as_ref(),
        }
    }
}

/// Adds the first harvest request for every catalogue among the identified resources, and the URLs
/// where their servers list their other services.
pub fn add_harvest_targets(finding: &mut Finding) {
    for found in &finding.resources {
        let Ok(url) = Url::parse(&found.resource.url) else { continue };
        finding.targets.extend(urls::related_targets(&url));
        for connector in CONNECTORS {
            let doc = connector.doc();
            if doc.kinds.contains(&found.resource.kind.as_str()) {
                finding.targets.push(first_page_target(doc.id, url.clone()));
            }
        }
    }
}

/// Returns the target for the first page of the catalogue at `url`.
pub fn first_page_target(connector: &str, url: Url) -> CrawlTarget {
    let intent = Intent::Harvest { connector: connector.to_owned(), page: 0, state: String::new() };
    CrawlTarget::new(url, intent, way(connector))
}

/// Returns the `way` of everything found in a catalogue.
fn way(id: &str) -> String {
    format!("catalogue:{id}")
}

/// Reads one page of a catalogue.
pub(crate) fn harvest_page(
    connector: &dyn Connector,
    at: &Url,
    (page, state, partial): (u32, &str, bool),
    answer: ProbeResponse<'_>,
) -> Finding {
    let id = connector.doc().id;
    let read = connector.parse_page(at, state, answer);
    if let Some(issue) = read.failure {
        return Finding { verdict: ResponseClass::Nothing, issues: vec![issue], ..Finding::default() };
    }
    let mut targets = read.targets;
    for record in read.records.iter().filter(|record| !record.deleted) {
        for link in &record.links {
            link_targets(at, link, record.title.as_deref().unwrap_or_default(), &mut targets);
        }
    }
    for target in &mut targets {
        target.way = way(id).into();
    }
    let next = read.next.len() as u32;
    for state in read.next {
        let intent = Intent::Harvest { connector: id.to_owned(), page: page + 1, state };
        targets.push(CrawlTarget::new(at.clone(), intent, way(id)));
    }
    let harvested = HarvestedPage {
        connector: id.to_owned(),
        catalogue: at.to_string(),
        records: read.records,
        total: read.total,
        first: page == 0,
        partial,
        next,
    };
    Finding {
        resources: read.resources,
        targets,
        verdict: ResponseClass::Resource,
        issues: read.issues,
        harvest: Some(Box::new(harvested)),
        ..Finding::default()
    }
}
