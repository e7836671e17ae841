//! Data files: KML, KMZ, zipped Shapefiles, and files far larger than memory.

mod kml;
mod shapefile;
mod sparse;
mod zip;

pub(crate) use kml::{kml, kmz};
pub(crate) use shapefile::{ShapeZip, shape_zip};
pub(crate) use sparse::{Segment, SparseFile};
pub(crate) use zip::{Entry, Method, crc_with_zeros, zip, zip_of_packed};
