//! One file per kind.

pub mod kml;
pub mod kmz;
pub mod shapefile;
