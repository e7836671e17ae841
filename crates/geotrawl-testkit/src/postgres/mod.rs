//! PostgreSQL for tests: a temporary server per test process, and a database per test.
//!
//! `GEOTRAWL_TEST_POSTGRES=postgres://user@host/postgres` uses an existing server instead. Its user
//! must be allowed to create databases.

mod database;
mod server;

pub use database::{TestDatabase, execute_sql, is_available, query_column};
pub use server::PostgresServer;
