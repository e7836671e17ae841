//! Copies of whole stores: complete, equal, refused where necessary, and detected when incomplete.

#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

/// Interrupted copies.
mod cut_off;
/// Copies that must be refused.
mod refusals;
/// Copies there and back.
mod round;
/// The list of tables compared with the real schemas.
mod tables;

use geotrawl_store::store_copy::{CopyEndpoint, CopyError, CopyReport, copy_store};
use geotrawl_store::{PostgresOptions, PostgresStore};
use geotrawl_testkit::postgres;
use std::path::Path;

/// Creates a database without our tables, or returns `None` if tests run without a server.
fn database() -> Option<postgres::TestDatabase> {
    postgres::TestDatabase::new(|_| {})
}

fn connect(url: &str) -> PostgresStore {
    let options = PostgresOptions { connections: 4, ..PostgresOptions::default() };
    PostgresStore::connect(url, &options).expect("the store opens")
}

fn directory(path: &Path) -> CopyEndpoint {
    CopyEndpoint::Directory(path.to_owned())
}

fn server(database: &postgres::TestDatabase) -> CopyEndpoint {
    CopyEndpoint::Database(database.url.clone())
}

fn moved(from: &CopyEndpoint, to: &CopyEndpoint) -> Result<CopyReport, CopyError> {
    copy_store(from, to, false, &mut |_| {})
}

/// Copies a store and checks that both are equal.
fn move_all(from: &CopyEndpoint, to: &CopyEndpoint) {
    let copied = moved(from, to).unwrap_or_else(|error| panic!("{error}"));
    let different: Vec<_> = copied.tables.iter().filter(|table| !table.is_same()).collect();
    assert!(different.is_empty(), "{different:#?}");
}

/// Returns the error of a copy that must be refused.
fn refusal(from: &CopyEndpoint, to: &CopyEndpoint) -> String {
    moved(from, to).expect_err("it is refused").to_string()
}
