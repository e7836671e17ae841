//! One small SQL interface over SQLite and PostgreSQL.
//!
//! The interface follows rusqlite. It adds translation of numbered parameters, borrowed values, and
//! statements that stay prepared with their connection on both engines. Statements are written in
//! the common subset of the two dialects; [`dialect`] supplies the fragments that differ.

mod dialect;
mod error;
mod lite;
mod postgres;
mod statement;
mod translate;
mod value;
mod write;

pub(crate) use error::{OptionalExtension, Result, SqlError};
pub(crate) use lite::read_column as lite_column;
pub(crate) use postgres::{LockDomain, PgClient, replace_nul};
pub(crate) use statement::{Params, Row, Rows, Statement, read_row};
pub(crate) use translate::to_postgres;
pub(crate) use value::{Bind, Value};
pub(crate) use write::{insert, insert_returning, insert_text, next_parameter, update};

/// Builds the list of values for a statement, of any types, in the order of its parameters.
macro_rules! params {
    ($($value:expr),* $(,)?) => {
        &[$(&$value as &dyn $crate::sql::Bind),*] as &[&dyn $crate::sql::Bind]
    };
}
pub(crate) use params;

/// A borrowed connection. Cheap to copy; the owner decides whether a transaction is open.
#[derive(Clone, Copy)]
pub(crate) enum Conn<'c> {
    Lite(&'c rusqlite::Connection),
    Pg(&'c PgClient),
}

impl<'c> From<&'c rusqlite::Connection> for Conn<'c> {
    fn from(conn: &'c rusqlite::Connection) -> Self {
        Self::Lite(conn)
    }
}

impl<'c> From<&'c PgClient> for Conn<'c> {
    fn from(client: &'c PgClient) -> Self {
        Self::Pg(client)
    }
}

impl<'c> Conn<'c> {
    /// Prepares a statement and caches it with the connection.
    pub fn prepare_cached(self, sql: &str) -> Result<Statement<'c>> {
        Ok(match self {
            Self::Lite(conn) => Statement::Lite(conn.prepare_cached(sql)?),
            Self::Pg(client) => Statement::Pg(client.statement(sql)),
        })
    }

    /// Runs a statement once and returns the number of affected rows.
    pub fn execute(self, sql: &str, params: impl Params) -> Result<usize> {
        self.prepare_cached(sql)?.execute(params)
    }

    /// Returns the first row of a query, or [`SqlError::NoRows`].
    pub fn query_row<T>(
        self,
        sql: &str,
        params: impl Params,
        read: impl FnOnce(Row<'_>) -> Result<T>,
    ) -> Result<T> {
        self.prepare_cached(sql)?.query_row(params, read)
    }

    /// Reads all rows of a query with `read` and collects the results.
    pub fn query_all<T, C: FromIterator<T>>(
        self,
        sql: &str,
        params: impl Params,
        read: impl FnMut(Row<'_>) -> Result<T>,
    ) -> Result<C> {
        self.prepare_cached(sql)?.query_map(params, read)?.collect()
    }

    /// Returns whether a query has at least one row.
    pub fn exists(self, sql: &str, params: impl Params) -> Result<bool> {
        self.prepare_cached(sql)?.exists(params)
    }

    /// Begins a read-only transaction whose statements all see the same state. Ends when dropped.
    pub fn snapshot(self) -> Result<Snapshot<'c>> {
        Ok(match self {
            // Deferred: the snapshot begins with the first read and never blocks the writer.
            Self::Lite(conn) => Snapshot { conn: self, _lite: Some(conn.unchecked_transaction()?) },
            Self::Pg(client) => {
                client.begin("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")?;
                Snapshot { conn: self, _lite: None }
            }
        })
    }

    /// Begins a write transaction. Dropping it without a commit rolls it back.
    pub fn transaction(self) -> Result<Transaction<'c>> {
        Ok(match self {
            Self::Lite(conn) => {
                // Immediate, because upgrading a read transaction to a write can fail while another
                // one writes.
                let behavior = rusqlite::TransactionBehavior::Immediate;
                let lite = rusqlite::Transaction::new_unchecked(conn, behavior)?;
                Transaction { conn: self, lite: Some(lite) }
            }
            Self::Pg(client) => {
                client.begin("BEGIN")?;
                Transaction { conn: self, lite: None }
            }
        })
    }
}

/// A read-only transaction; see [`Conn::snapshot`].
pub(crate) struct Snapshot<'c> {
    conn: Conn<'c>,
    _lite: Option<rusqlite::Transaction<'c>>,
}

impl<'c> Snapshot<'c> {
    /// Returns the connection to query.
    pub fn conn(&self) -> Conn<'c> {
        self.conn
    }
}

impl Drop for Snapshot<'_> {
    fn drop(&mut self) {
        if let Conn::Pg(client) = self.conn {
            client.rollback();
        }
    }
}

/// A write transaction; see [`Conn::transaction`].
pub(crate) struct Transaction<'c> {
    conn: Conn<'c>,
    lite: Option<rusqlite::Transaction<'c>>,
}

impl<'c> Transaction<'c> {
    /// Returns the connection to use within the transaction.
    pub fn conn(&self) -> Conn<'c> {
        self.conn
    }

    /// Commits the transaction.
    pub fn commit(mut self) -> Result<()> {
        match (self.lite.take(), self.conn) {
            (Some(lite), _) => Ok(lite.commit()?),
            (None, Conn::Pg(client)) => client.commit(),
            (None, Conn::Lite(_)) => Ok(()),
        }
    }
}

impl Drop for Transaction<'_> {
    fn drop(&mut self) {
        // SQLite's transaction type rolls back on its own drop.
        if let Conn::Pg(client) = self.conn {
            client.rollback();
        }
    }
}

#[cfg(test)]
pub(crate) mod tests;
