//! The languages of catalogues: what other tools ask and how they are answered. Pure: bytes in, bytes out.
//!
//! A question in any language becomes one [`geotrawl_index::Query`]; a record becomes the [`links::Link`]s and fields
//! that every encoder shares.

pub mod links;
pub mod oai;
