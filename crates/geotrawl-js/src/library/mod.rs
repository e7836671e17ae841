//! Recognises scripts that are libraries. They are not analyzed, because their contents belong to
//! no map in particular.
//!
//! A library is recognised by its URL ([`find_by_url`]), so that it need not be fetched, or by its
//! source ([`find_by_source`]). Neither may mistake an application for a library: `ol.js` is one,
//! `ol-app.js` is not, nor is a bundle that contains a library besides application code.

mod source;
mod table;
mod url;

pub use source::find_by_source;
pub use url::find_by_url;

/// A library or a family of libraries.
#[derive(Debug, PartialEq, Eq)]
pub struct ScriptLibrary {
    /// `openlayers`, `leaflet`, `jquery`, ...
    pub id: &'static str,
    /// Whether it draws maps or belongs to a library that does: a page that loads it is likely a
    /// map application.
    pub is_map: bool,
    /// Lower-case file names without version, extension and build suffix: `leaflet` for
    /// `leaflet-src.1.9.js`.
    files: &'static [&'static str],
    /// Package names, as used in CDN URLs.
    packages: &'static [&'static str],
    /// Hosts, optionally with path prefixes, that serve only this library.
    places: &'static [&'static str],
    /// Texts, one of which occurs at the beginning of its source.
    heads: &'static [&'static str],
    /// Texts, one of which occurs at the end of its source, if that is not a usual library ending.
    tails: &'static [&'static str],
    /// Maximum size of its builds in KiB.
    most: u32,
}

/// Returns whether the script at a URL is a library that draws maps.
pub fn is_map_library(url: &str) -> bool {
    find_by_url(url).is_some_and(|library| library.is_map)
}
