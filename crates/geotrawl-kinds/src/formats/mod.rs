//! Readers shared by several kinds.

pub mod crs;
pub mod shp;
pub mod zip;
