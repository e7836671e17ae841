//! Generated documents and catalogues for instruction counts and benchmarks.

mod capabilities;
mod catalogue;

pub use capabilities::wms_capabilities;
pub use catalogue::GeneratedCatalogue;
