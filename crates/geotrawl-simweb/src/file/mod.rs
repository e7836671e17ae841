//! Data files: KML, KMZ, zipped Shapefiles, and files far larger than memory.

mod kml;
mod shapefile;
mod sparse;
mod zip;

pub(crate) use kml::{write_kml, write_kmz};
pub(crate) use shapefile::{ShapeZip, shape_zip};
pub(crate) use sparse::{FileSegment, SparseFile};
pub(crate) use zip::{ZipMember, ZipMethod, crc_with_zeros, write_zip, zip_of_packed};
