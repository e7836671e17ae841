//! Configurations of map viewers: lists of services with their types and layers, the richest pages of all.
//!
//! One file a viewer: what its document looks like ([`Viewer::claims`]) and how it is read. What is of no
//! known viewer is read by the shape of its members. Adding one: a file here and a line in [`VIEWERS`].

mod arcgis_webmap;
mod c2cgeoportal;
mod finds;
mod geomoose;
mod lizmap;
mod mapstore;
mod masterportal;
mod origo;
mod oskari;
mod owc;
mod qwc2;
mod terria;
mod types;
mod walk;

use crate::probe::CrawlTarget;
pub(super) use finds::{ConfigEntry, ConfigTargets, arcgis_kind};
use serde_json::Value;
pub(super) use types::{RequestKind as Means, request_for_kind as means_kind};
use url::Url;

/// A map viewer whose configuration is known.
pub struct MapViewer {
    /// Stable id: the viewer in `config:<viewer>`.
    pub id: &'static str,
    /// What it is, for people.
    pub what: &'static str,
    claims: fn(&Value) -> bool,
    read: fn(&Value, &mut ConfigTargets),
}

/// All viewers, sorted by id.
pub static VIEWERS: &[MapViewer] = &[
    arcgis_webmap::VIEWER,
    c2cgeoportal::VIEWER,
    geomoose::VIEWER,
    lizmap::VIEWER,
    mapstore::VIEWER,
    masterportal::VIEWER,
    origo::VIEWER,
    oskari::VIEWER,
    owc::VIEWER,
    qwc2::VIEWER,
    terria::VIEWER,
];

/// The id under which a configuration of no known viewer is read.
pub const GENERIC: &str = "json";

/// The viewer whose configuration a JSON document is, and the services and files that it names; a document
/// of no known viewer counts when it names any. `at` is the document's address.
pub fn read_config(value: &Value, at: &Url) -> Option<(&'static str, Vec<CrawlTarget>)> {
    let viewer = VIEWERS.iter().find(|viewer| (viewer.claims)(value));
    let mut finds = ConfigTargets::new(at.clone(), viewer.map_or(GENERIC, |viewer| viewer.id));
    match viewer {
        Some(viewer) => (viewer.read)(value, &mut finds),
        None => walk::walk_values(value, &mut finds),
    }
    let targets = finds.into_targets();
    if viewer.is_none() && targets.is_empty() {
        return None;
    }
    Some((viewer.map_or(GENERIC, |viewer| viewer.id), targets))
}

/// As [`read`], for documents that are something else too: only known viewers count.
pub fn read_known_viewer(value: &Value, at: &Url) -> Option<(&'static str, Vec<CrawlTarget>)> {
    VIEWERS.iter().any(|viewer| (viewer.claims)(value)).then(|| read_config(value, at)).flatten()
}

#[cfg(test)]
mod tests;
