//! Readers of formats that several kinds share.

pub mod bbox;
pub mod crs;
pub mod dap;
pub mod erddap;
pub mod feed;
pub mod json;
pub mod opensearch;
pub mod records;
pub mod shp;
pub mod thredds;
pub mod tree;
pub mod xml;
pub mod zip;
