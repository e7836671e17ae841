//! Configurations of map viewers: lists of services with their types and layers, the richest
//! documents of all.
//!
//! One file per viewer: how to recognise its documents ([`MapViewer::claims`]) and how to read
//! them. Documents of unknown viewers are read by the names of their members. To add a viewer, add
//! a file here and a line in [`VIEWERS`].

mod arcgis_webmap;
mod c2cgeoportal;
mod geomoose;
mod lizmap;
mod mapstore;
mod masterportal;
mod origo;
mod oskari;
mod owc;
mod qwc2;
mod targets;
mod terria;
mod types;
mod walk;

use crate::probe::CrawlTarget;
use serde_json::Value;
pub(super) use targets::{ConfigEntry, ConfigTargets, arcgis_kind};
pub(super) use types::{RequestKind, request_for_kind};
use url::Url;

/// Map viewer whose configuration format is supported.
pub struct MapViewer {
    /// Stable id of the viewer, used in `config:<viewer>`.
    pub id: &'static str,
    /// Human-readable description of the format.
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

/// Id used for the configuration of an unknown viewer.
pub const GENERIC: &str = "json";

/// Returns the viewer that a JSON document configures, and the services and files in it. The
/// document of an unknown viewer counts only if it contains any. `at` is the address of the
/// document.
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

/// Does the same as [`read_config`] for known viewers only. For documents that may also be
/// something else.
pub fn read_known_viewer(value: &Value, at: &Url) -> Option<(&'static str, Vec<CrawlTarget>)> {
    VIEWERS.iter().any(|viewer| (viewer.claims)(value)).then(|| read_config(value, at)).flatten()
}

#[cfg(test)]
mod tests;
