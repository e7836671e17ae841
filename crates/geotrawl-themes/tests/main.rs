//! All tests in one target, so that the crate is linked only once.

mod corpus;
mod land_cover;
mod themes;
