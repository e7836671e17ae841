//! Kinds that are identified in a document of another kind.

use crate::sniff::XmlRoot;
use geotrawl_model::Resource;
use std::collections::HashSet;

/// Maximum number of datasets listed by a derived resource: they are the same as its parent's, and
/// a server with tens of thousands of them would be held twice.
const LISTED: usize = 10_000;

/// Evidence in a document for kinds other than its own.
#[derive(Debug, Default)]
pub struct DerivedEvidence {
    /// Names of operations.
    pub operations: Vec<String>,
    /// URIs of profiles.
    pub profiles: Vec<String>,
    /// Names of layers with prepared tiles.
    pub tiled_layers: HashSet<String>,
}

/// A document read as one kind, to be examined by other kinds.
#[derive(Debug, Clone, Copy)]
pub struct ParentDocument<'a> {
    /// The kind that read it.
    pub kind: &'a str,
    /// The resource proven by the document.
    pub resource: &'a Resource,
    pub root: &'a XmlRoot,
    pub signs: &'a DerivedEvidence,
}

impl ParentDocument<'_> {
    /// Returns a copy of the parent's resource with another kind.
    pub fn resource_as(&self, kind: &str) -> Resource {
        let parent = self.resource;
        if parent.datasets.len() <= LISTED {
            return Resource { kind: kind.to_owned(), ..parent.clone() };
        }
        Resource {
            kind: kind.to_owned(),
            url: parent.url.clone(),
            versions: parent.versions.clone(),
            title: parent.title.clone(),
            abstract_: parent.abstract_.clone(),
            keywords: parent.keywords.clone(),
            provider: parent.provider.clone(),
            contact: parent.contact.clone(),
            licence: parent.licence.clone(),
            bbox: parent.bbox,
            crs: parent.crs.clone(),
            languages: parent.languages.clone(),
            software: parent.software.clone(),
            formats: parent.formats.clone(),
            datasets: Vec::new(),
            dataset_count: parent.dataset_count,
            issues: parent.issues.clone(),
        }
    }
}
