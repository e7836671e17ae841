//! Readers of formats that several kinds share.

pub mod acdd;
pub mod bbox;
pub mod crs;
pub mod csv_table;
pub mod cursor;
pub mod dap;
pub mod erddap;
pub mod feed;
pub mod flatgeobuf;
pub mod geokeys;
pub mod grib;
pub mod hdf5;
pub mod json;
pub mod las;
pub mod netcdf3;
pub mod opensearch;
pub mod parquet;
pub mod pmtiles;
pub mod records;
pub mod shp;
pub mod sqlite;
pub mod thredds;
pub mod tiff;
pub mod tree;
pub mod xml;
pub mod zip;
