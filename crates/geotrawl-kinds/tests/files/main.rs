//! Data files over HTTP ranges: archives built here, served in memory by servers of every kind.

mod archive;
mod corpus;
mod costs;
mod hostile;
mod server;
mod shapes;
