//! The languages of catalogues: what other tools ask and how they are answered. Pure: bytes in, bytes out.
//!
//! A question in any language becomes one [`geotrawl_index::Query`]; a record becomes the [`links::Link`]s and fields
//! that every encoder shares.

pub mod cql;
pub mod csw;
pub mod dc;
pub mod fes;
pub mod iso;
pub mod links;
pub mod place;
pub mod queryables;
pub mod tree;
pub mod xml;
