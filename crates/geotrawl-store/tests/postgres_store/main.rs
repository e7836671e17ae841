//! Tests of the PostgreSQL store alone: many processes at once, a server that goes away, unusable
//! databases, maps.

#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

/// Many processes write one catalogue.
mod crowds;
/// Bounding boxes as geometries.
mod maps;
/// Opening: tables, schemas, versions, refusals.
mod opening;
/// Connections break.
mod outages;
/// Hostile text from the web.
mod strangers;
/// TLS connections, and those that must be refused.
mod tls;

use geotrawl_store::{PostgresOptions, PostgresStore};
use geotrawl_testkit::postgres;

/// Creates a database with our tables, or returns `None` if tests run without a server.
fn database() -> Option<postgres::TestDatabase> {
    postgres::TestDatabase::new(|url| drop(open(url)))
}

/// Opens the store at a URL, as a separate process would.
fn open(url: &str) -> PostgresStore {
    let options = PostgresOptions { connections: 4, ..PostgresOptions::default() };
    PostgresStore::connect(url, &options).expect("the store opens")
}

/// Runs a query and returns one text per row.
fn ask(url: &str, sql: &str) -> Vec<String> {
    postgres::query_column(url, sql)
}
