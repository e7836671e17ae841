//! One file per catalogue protocol: how to go behind a catalogue, page by page.
//!
//! A connector does no I/O: it says what to request, and reads an answer into records and the next
//! requests. All that it must remember stands in the `state` of the next request, which is a frontier item
//! like any other: after a crash the harvest goes on where it stopped, and the same request is never made
//! twice.
//!
//! Adding one: a file here, a line in [`CONNECTORS`], and recorded pages in `tests/connectors/<id>/`.

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

use crate::probe::{Answer, Ask, Finding, Found, Target, Verdict};
use crate::urls;
use geotrawl_model::{CatalogueRecord, Harvested, Intent, Issue};
use std::ops::Deref;
use std::sync::Arc;
use url::Url;

pub use declarative::{Declarative, Problem};
pub use links::link_targets;

// What the kinds of the same portals need of their connectors.
pub(crate) use arcgis_portal::{base as arcgis_portal_base, is_hub as is_arcgis_hub};
pub(crate) use ckan::{base as ckan_base, link as ckan_link, record as ckan_record};
pub(crate) use dcat::{catalogue_of, rdf_nodes, record_of as dcat_record, turtle_nodes};
pub(crate) use geonetwork::base as geonetwork_base;
pub(crate) use geonode::{base as geonode_base, endpoints as geonode_endpoints};
pub(crate) use json_page::value as page_value;
pub(crate) use opendatasoft::{base as opendatasoft_base, datasets as opendatasoft_datasets};
pub(crate) use socrata::catalogue as socrata_catalogue;

/// What a connector is, for people: the published list is made of this.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ConnectorDoc {
    /// Stable id: the protocol in `catalogue:<id>`.
    pub id: &'static str,
    /// Name for people.
    pub name: &'static str,
    /// What it reads, and how it pages.
    pub what: &'static str,
    /// Where the protocol is specified.
    pub specification: &'static str,
    /// Kinds of resources that it goes behind.
    pub kinds: &'static [&'static str],
    /// Whether a second harvest asks only for what has changed.
    pub incremental: bool,
}

/// A catalogue protocol.
pub trait Connector: Sync {
    /// What it is.
    fn doc(&self) -> &'static ConnectorDoc;

    /// The request for one page of the catalogue at `at`. The first page has an empty `state`; `since`
    /// (RFC 3339) is given for it alone, when only changes are wanted: a connector that needs it later
    /// puts it into the state.
    fn ask(&self, at: &Url, state: &str, since: Option<&str>) -> Ask;

    /// Reads the answer to [`Connector::ask`].
    fn read(&self, at: &Url, state: &str, answer: Answer<'_>) -> Page;
}

/// What an answer of a catalogue held.
#[derive(Debug, Default)]
pub struct Page {
    pub records: Vec<CatalogueRecord>,
    /// States of further pages; none when this was the last.
    pub next: Vec<String>,
    /// Other catalogues and documents to read, and anything else worth requesting that is not a link of
    /// a record. Their way is set for them.
    pub targets: Vec<Target>,
    /// Resources that the answer itself proves.
    pub resources: Vec<Found>,
    /// How many records the catalogue says it has.
    pub total: Option<u64>,
    /// Why the answer is no page of this catalogue.
    pub failure: Option<Issue>,
    pub issues: Vec<Issue>,
}

/// All connectors, sorted by id.
pub static CONNECTORS: &[&dyn Connector] = &[
    &arcgis_directory::ArcgisDirectory,
    &arcgis_portal::ArcgisPortal,
    &ckan::Ckan,
    &csw::Csw,
    &dcat::Dcat,
    &erddap::Erddap,
    &geonetwork::GeoNetwork,
    &geonode::GeoNode,
    &inspire_atom::InspireAtom,
    &oai_pmh::OaiPmh,
    &ogcapi_records::OgcApiRecords,
    &opendatasoft::OpenDataSoft,
    &opensearch::OpenSearch,
    &sensorthings::SensorThings,
    &socrata::Socrata,
    &stac::Stac,
    &thredds::Thredds,
];

/// Returns the built-in connector with this id.
pub fn by_id(id: &str) -> Option<&'static dyn Connector> {
    CONNECTORS.iter().find(|connector| connector.doc().id == id).copied()
}

/// The connectors in force: the built-in ones and those that the operator's files declare.
#[derive(Debug, Clone, Default)]
pub struct ConnectorSet {
    declared: Vec<Arc<Declarative>>,
}

impl ConnectorSet {
    /// Adds these connectors to the built-in ones.
    pub fn new(declared: Vec<Declarative>) -> Self {
        Self { declared: declared.into_iter().map(Arc::new).collect() }
    }

    /// Returns the connector with this id.
    pub fn by_id(&self, id: &str) -> Option<ConnectorHandle> {
        let declared = || self.declared.iter().find(|connector| connector.id() == id);
        by_id(id)
            .map(ConnectorHandle::BuiltIn)
            .or_else(|| declared().map(|connector| ConnectorHandle::Declared(Arc::clone(connector))))
    }

    /// Returns the declared connector that an address belongs to.
    pub fn declared_for(&self, url: &Url) -> Option<&Declarative> {
        self.declared.iter().map(Arc::as_ref).find(|connector| connector.serves(url))
    }
}

/// A connector of a [`ConnectorSet`].
#[derive(Clone)]
pub enum ConnectorHandle {
    BuiltIn(&'static dyn Connector),
    Declared(Arc<Declarative>),
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

/// Adds the first request behind every catalogue among the resources found, and the places where their
/// servers list what else they have.
pub fn go_behind(finding: &mut Finding) {
    for found in &finding.resources {
        let Ok(url) = Url::parse(&found.resource.url) else { continue };
        finding.targets.extend(urls::relatives(&url));
        for connector in CONNECTORS {
            let doc = connector.doc();
            if doc.kinds.contains(&found.resource.kind.as_str()) {
                finding.targets.push(first_page(doc.id, url.clone()));
            }
        }
    }
}

/// The first request behind the catalogue at `url`.
pub fn first_page(connector: &str, url: Url) -> Target {
    let intent = Intent::Harvest { connector: connector.to_owned(), page: 0, state: String::new() };
    Target::new(url, intent, way(connector))
}

/// The way of everything that a catalogue reveals.
fn way(id: &str) -> String {
    format!("catalogue:{id}")
}

/// Reads one page of a catalogue.
pub(crate) fn harvest_page(
    connector: &dyn Connector,
    at: &Url,
    (page, state, partial): (u32, &str, bool),
    answer: Answer<'_>,
) -> Finding {
    let id = connector.doc().id;
    let read = connector.read(at, state, answer);
    if let Some(issue) = read.failure {
        return Finding { verdict: Verdict::Nothing, issues: vec![issue], ..Finding::default() };
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
        targets.push(Target::new(at.clone(), intent, way(id)));
    }
    let harvested = Harvested {
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
        verdict: Verdict::Resource,
        issues: read.issues,
        harvest: Some(Box::new(harvested)),
        ..Finding::default()
    }
}
