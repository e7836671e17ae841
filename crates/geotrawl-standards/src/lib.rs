//! Catalogue protocols: parses requests and renders responses, without I/O.
//!
//! Every query language becomes one [`geotrawl_index::Query`]; every encoder uses the same
//! [`links::AccessLink`]s and fields of a record.

#![cfg_attr(not(test), warn(clippy::disallowed_methods, clippy::disallowed_types))]

pub mod cql;
pub mod cql2;
pub mod csw;
pub mod dc;
pub mod dcat;
pub mod described;
pub mod fes;
pub mod html;
pub mod iso;
pub mod links;
pub mod oai;
pub mod opensearch;
pub mod place;
pub mod queryables;
pub mod records;
pub mod sanitize;
pub mod schemaorg;
pub mod shared_params;
pub mod sitemap;
pub mod stac;
pub mod status_feed;
pub mod tree;
pub mod xml;

#[cfg(test)]
mod hostile_text;
