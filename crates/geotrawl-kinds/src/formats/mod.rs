//! Readers of formats that several kinds share.

pub mod bbox;
pub mod crs;
pub mod json;
pub mod shp;
pub mod tree;
pub mod xml;
pub mod zip;
