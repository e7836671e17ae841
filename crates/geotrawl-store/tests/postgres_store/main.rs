//! What only a store in PostgreSQL can do or suffer: many processes at once, a server that goes away, a database that
//! is not as it should be, maps.

#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

/// Many processes write one catalogue.
mod crowds;
/// Boxes as geometries.
mod maps;
/// Opening: tables, schemas, versions, refusals.
mod opening;
/// Connections break.
mod outages;
/// Texts that strangers chose.
mod strangers;
/// Connections that are secured, and those that must not be made.
mod tls;

use geotrawl_store::{PostgresOptions, PostgresStore};
use geotrawl_testkit::postgres;

/// A database with our tables, or `None` where tests do without a server.
fn database() -> Option<postgres::TestDatabase> {
    postgres::TestDatabase::new(|url| drop(open(url)))
}

/// Opens the store at an address, as one process would.
fn open(url: &str) -> PostgresStore {
    let options = PostgresOptions { connections: 4, ..PostgresOptions::default() };
    PostgresStore::connect(url, &options).expect("the store opens")
}

/// What a query says, as one text per row.
fn ask(url: &str, sql: &str) -> Vec<String> {
    postgres::query_column(url, sql)
}
