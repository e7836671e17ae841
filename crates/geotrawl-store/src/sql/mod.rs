//! SQL on two engines: SQLite and PostgreSQL behind one small interface.
//!
//! It has the shape of rusqlite's, because everything was written against that; what it adds is little: numbered
//! parameters are translated, values are borrowed on their way in and out, and a statement stays prepared with its
//! connection in both engines. Statements are written in what the two dialects share; where they differ, the text
//! comes from [`dialect`].

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

/// Values of a statement, of any types, in the order of its parameters.
macro_rules! params {
    ($($value:expr),* $(,)?) => {
        &[$(&$value as &dyn $crate::sql::Bind),*] as &[&dyn $crate::sql::Bind]
    };
}
pub(crate) use params;

/// A connection, borrowed. Copied like a reference; whether it is within a transaction is its owner's matter.
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
    /// A statement that stays prepared with the connection.
    pub fn prepare_cached(self, sql: &str) -> Result<Statement<'c>> {
        Ok(match self {
            Self::Lite(conn) => Statement::Lite(conn.prepare_cached(sql)?),
            Self::Pg(client) => Statement::Pg(client.statement(sql)),
        })
    }

    /// Runs a statement once and says how many rows it touched.
    pub fn execute(self, sql: &str, params: impl Params) -> Result<usize> {
        self.prepare_cached(sql)?.execute(params)
    }

    /// The first row of a query; [`Error::NoRows`] when there is none.
    pub fn query_row<T>(
        self,
        sql: &str,
        params: impl Params,
        read: impl FnOnce(Row<'_>) -> Result<T>,
    ) -> Result<T> {
        self.prepare_cached(sql)?.query_row(params, read)
    }

    /// All rows of a query, each made into something.
    pub fn query_all<T, C: FromIterator<T>>(
        self,
        sql: &str,
        params: impl Params,
        read: impl FnMut(Row<'_>) -> Result<T>,
    ) -> Result<C> {
        self.prepare_cached(sql)?.query_map(params, read)?.collect()
    }

    /// Whether a query has a row.
    pub fn exists(self, sql: &str, params: impl Params) -> Result<bool> {
        self.prepare_cached(sql)?.exists(params)
    }

    /// Begins a transaction that only reads: all of its statements see one state. Ends when it is dropped.
    pub fn snapshot(self) -> Result<Snapshot<'c>> {
        Ok(match self {
            Self::Lite(conn) => Snapshot { conn: self, _lite: Some(conn.unchecked_transaction()?) },
            Self::Pg(client) => {
                client.begin("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")?;
                Snapshot { conn: self, _lite: None }
            }
        })
    }

    /// Begins a transaction that writes; rolled back unless it is committed.
    pub fn transaction(self) -> Result<Transaction<'c>> {
        Ok(match self {
            Self::Lite(conn) => {
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

/// See [`Conn::snapshot`].
pub(crate) struct Snapshot<'c> {
    conn: Conn<'c>,
    _lite: Option<rusqlite::Transaction<'c>>,
}

impl<'c> Snapshot<'c> {
    /// The connection, to ask.
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

/// See [`Conn::transaction`].
pub(crate) struct Transaction<'c> {
    conn: Conn<'c>,
    lite: Option<rusqlite::Transaction<'c>>,
}

impl<'c> Transaction<'c> {
    /// The connection, to work with.
    pub fn conn(&self) -> Conn<'c> {
        self.conn
    }

    /// Makes all of it last.
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
        // That of SQLite rolls itself back.
        if let Conn::Pg(client) = self.conn {
            client.rollback();
        }
    }
}

#[cfg(test)]
pub(crate) mod tests;
