//! Which scripts are libraries: they are not read, since what they hold is of no map in particular.

/// The library that a script at this address is, by its name: `openlayers`, `leaflet`, `jquery`, ...
pub fn by_url(_url: &str) -> Option<&'static str> {
    None
}

/// The library that a script is, by its banner or by what only the library defines; not so for a bundle that
/// holds a library beside code of its own.
pub fn by_source(_source: &str) -> Option<&'static str> {
    None
}
