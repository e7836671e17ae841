//! The pure heart of Geotrawl: what a resource is, how it is found in a page, recognised and read.
//!
//! Nothing here touches the network, the clock, a database or a file: the same bytes always give the
//! same answer. Kinds say which requests they want ([`probe`]); the crawler performs them.

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
