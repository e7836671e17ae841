//! Data files over HTTP ranges: archives built here and served from memory by servers of every
//! kind.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::float_cmp,
    reason = "a test that cannot go on fails; exact boxes are meant"
)]

mod archive;
mod corpus;
mod costs;
mod fixtures;
mod hostile;
mod server;
mod shapes;
