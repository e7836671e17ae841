//! Generated documents and catalogues, shared by the counted work and the measurements.

mod capabilities;
mod catalogue;

pub use capabilities::wms_capabilities;
pub use catalogue::GeneratedCatalogue;
