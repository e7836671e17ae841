//! Everything of Geotrawl that touches other people's servers.

pub mod fetch;
