//! What only a store in PostgreSQL can do or suffer: many processes at once, a server that goes away, a database that
//! is not as it should be, maps.

#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]
#![expect(clippy::print_stdout, reason = "a test that is left out says so")]

#[path = "../contract/builders.rs"]
#[expect(dead_code, reason = "shared with the contract suite")]
mod builders;
/// Many processes write one catalogue.
mod crowds;
/// Boxes as geometries.
mod maps;
/// Opening: tables, schemas, versions, refusals.
mod opening;
/// Connections break.
mod outages;
#[path = "../pg/mod.rs"]
mod pg;
/// Texts that strangers chose.
mod strangers;
/// Connections that are secured, and those that must not be made.
mod tls;

use geotrawl_store::{PostgresOptions, PostgresStore};

/// A database with our tables, or `None` where tests do without a server.
fn database() -> Option<pg::Database> {
    pg::Database::new(|url| drop(open(url)))
}

/// Opens the store at an address, as one process would.
fn open(url: &str) -> PostgresStore {
    let options = PostgresOptions { connections: 4, ..PostgresOptions::default() };
    PostgresStore::connect(url, &options).expect("the store opens")
}

/// What a query says, as one text per row.
fn ask(url: &str, sql: &str) -> Vec<String> {
    pg::ask(url, sql)
}
