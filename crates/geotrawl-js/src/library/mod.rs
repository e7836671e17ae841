//! Which scripts are libraries: they are not read, since what they hold is of no map in particular.
//!
//! By their address ([`by_url`]), so that they need not be fetched, or by their source ([`by_source`]). Neither
//! must take an application for a library: `ol.js` is one, `ol-app.js` is not, and a bundle that holds a library
//! beside code of its own is none either.

mod source;
mod table;
mod url;

pub use source::find_by_source;
pub use url::find_by_url;

/// A library, or a family of them.
#[derive(Debug, PartialEq, Eq)]
pub struct ScriptLibrary {
    /// `openlayers`, `leaflet`, `jquery`, ...
    pub id: &'static str,
    /// It draws maps or belongs to one that does: a page that loads it is likely a map application.
    pub is_map: bool,
    /// File names in lower case without version, ending and marks of builds: `leaflet` for `leaflet-src.1.9.js`.
    files: &'static [&'static str],
    /// Names of packages, as content networks write them.
    packages: &'static [&'static str],
    /// Hosts and beginnings of paths that serve nothing else.
    places: &'static [&'static str],
    /// One of these stands at the beginning of its source.
    heads: &'static [&'static str],
    /// One of these stands at the end, where the end is not an ordinary one.
    tails: &'static [&'static str],
    /// Its builds are smaller than this many KiB.
    most: u32,
}

/// Whether a script at this address is a library that draws maps.
pub fn is_map_library(url: &str) -> bool {
    find_by_url(url).is_some_and(|library| library.is_map)
}
