//! The languages of catalogues: what other tools ask and how they are answered. Pure: bytes in, bytes out.
//!
//! A question in any language becomes one [`geotrawl_index::Query`]; a record becomes the [`links::Link`]s and fields
//! that every encoder shares.

#![cfg_attr(not(test), warn(clippy::disallowed_methods, clippy::disallowed_types))]

pub mod ask;
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
pub mod schemaorg;
pub mod sitemap;
pub mod stac;
pub mod status_feed;
pub mod tree;
pub mod words;
pub mod xml;

#[cfg(test)]
mod strangers;
