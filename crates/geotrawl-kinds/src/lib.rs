//! Finds links to geospatial resources in documents, and recognises and reads the resources
//! themselves.
//!
//! Nothing here touches the network, the clock, a database or a file: the same bytes always give
//! the same result. Kinds return the requests they need ([`probe`]); the crawler sends them.

#![cfg_attr(not(test), warn(clippy::disallowed_methods, clippy::disallowed_types))]

pub mod connectors;
pub mod corpus;
pub mod extract;
pub mod files;
pub mod formats;
pub mod kinds;
pub mod probe;
pub mod sniff;
pub mod urls;
