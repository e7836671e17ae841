//! THREDDS inventory catalogues: datasets with inherited metadata, access services, and references
//! to further catalogues.
//!
//! A catalogue may list a million files that differ only by a date. They are granules of one
//! dataset, so datasets of one level whose names differ only in digits are grouped, with the last
//! one as a sample.

mod entries;
pub mod groups;

use super::records::ensure_id;
use super::xml::{XmlReader, tidy_text};
use geotrawl_model::{CatalogueRecord, RecordLink};
use url::Url;

pub use entries::{CatalogReference, DatasetMetadata, ThreddsCatalog, ThreddsDataset, ThreddsService};

impl ThreddsCatalog {
    /// Reads a catalogue. The reader must have just started the root element.
    pub fn from_xml(reader: &mut XmlReader<'_>) -> Self {
        entries::read_catalog(reader)
    }

    /// Converts the datasets to records, one per group of granules. `at` is the address of the
    /// catalogue.
    pub fn to_records(&self, at: &Url) -> Vec<CatalogueRecord> {
        self.groups.iter().map(|group| self.record(at, group)).collect()
    }

    fn record(&self, at: &Url, group: &groups::GranuleGroup) -> CatalogueRecord {
        let ThreddsDataset { name, id, meta, .. } = &group.sample;
        let granules = group.count > 1;
        let title = if granules { group.title() } else { name.clone() };
        let mut record = CatalogueRecord {
            id: if granules { group.pattern.clone() } else { id.clone().unwrap_or_default() },
            title: tidy_text(&title, 1024),
            abstract_: meta.summary.clone(),
            keywords: meta.keywords.clone(),
            type_: Some(if granules { "series" } else { "dataset" }.to_owned()),
            bbox: meta.bbox,
            time: meta.time.clone().into_iter().collect(),
            provider: meta.contact.organisation.clone(),
            contact: meta.contact.clone(),
            licence: meta.rights.clone(),
            modified: meta.modified.clone(),
            links: self.access_links(at, &group.sample),
            ..CatalogueRecord::default()
        };
        if record.id.is_empty()
            && let Some(link) = record.links.first()
        {
            record.id.clone_from(&link.url);
        }
        ensure_id(&mut record);
        record
    }

    /// Returns all links that give access to a dataset.
    pub fn access_links(&self, at: &Url, entry: &ThreddsDataset) -> Vec<RecordLink> {
        let mut links: Vec<RecordLink> = Vec::new();
        for access in &entry.access {
            let name = access.service.as_deref().or(entry.meta.service.as_deref());
            for service in self.services_named(name) {
                let Some(protocol) = service.protocol() else { continue };
                let address = format!("{}{}{}", service.base, access.path, service.suffix);
                let Ok(url) = at.join(&address) else { continue };
                let link = RecordLink {
                    url: url.into(),
                    protocol: Some(protocol.to_owned()),
                    format: access.format.clone().or_else(|| entry.meta.format.clone()),
                    name: None,
                };
                if links.len() < 20 && !links.contains(&link) {
                    links.push(link);
                }
            }
        }
        links
    }

    /// Returns the service with this name, or all services inside a compound one. Without a name,
    /// the first.
    fn services_named(&self, name: Option<&str>) -> impl Iterator<Item = &ThreddsService> {
        let named = name.and_then(|name| self.services.iter().position(|service| service.name == name));
        let at = named.or_else(|| (!self.services.is_empty()).then_some(0));
        let below = at.map_or(0..0, |at| at..self.services[at].end.max(at + 1));
        self.services[below.start..below.end.min(self.services.len())].iter()
    }
}

impl ThreddsService {
    /// Returns the usual protocol name of the service, or `None` if it does not deliver data.
    pub fn protocol(&self) -> Option<&'static str> {
        Some(match self.kind.to_ascii_lowercase().as_str() {
            "opendap" | "dods" => "OPENDAP",
            "dap4" => "DAP4",
            "wms" => "OGC:WMS",
            "wcs" => "OGC:WCS",
            "wfs" => "OGC:WFS",
            "sos" => "OGC:SOS",
            "netcdfsubset" | "ncss" | "netcdfserver" => "NetcdfSubset",
            "httpserver" | "http" | "fileserver" => "HTTPServer",
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests;
