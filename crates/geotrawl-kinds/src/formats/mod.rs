//! Readers of formats that several kinds share.

pub mod bbox;
pub mod crs;
pub mod json;
pub mod selectors;
pub mod shp;
pub mod xml;
pub mod zip;
