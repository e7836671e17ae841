//! All tests that need no process of their own: one target, so that the crate is linked once.

mod corpus;
mod land_cover;
mod themes;
