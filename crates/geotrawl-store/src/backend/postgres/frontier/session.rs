//! Statements with arrays, several on their way at once.

use super::{Fault, Step};
pub(super) use crate::sql::PgClient as Session;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Row, Statement};

/// A value to bind.
pub(super) type Value<'a> = &'a (dyn ToSql + Sync);

/// Statements in PostgreSQL's own words. Those that are polled together travel together, and the server answers
/// in order. All that travel together must be [`Session::ready`] before: preparing one waits for the answer while
/// nobody takes those before it off the connection.
impl Session {
    /// The statement, prepared once per connection.
    pub(super) fn ready(&self, sql: &str) -> Step<Statement> {
        Ok(self.prepared(sql, &[])?)
    }

    /// Rows of a prepared statement; sent when first polled.
    pub(super) async fn rows(&self, statement: &Statement, values: &[Value<'_>]) -> Step<Vec<Row>> {
        Ok(self.raw().query(statement, values).await.map_err(|error| self.note(error))?)
    }

    /// Rows that a prepared statement changed; sent when first polled.
    pub(super) async fn changed(&self, statement: &Statement, values: &[Value<'_>]) -> Step<u64> {
        Ok(self.raw().execute(statement, values).await.map_err(|error| self.note(error))?)
    }

    /// Rows of a statement that travels alone.
    pub(super) async fn query(&self, sql: &str, values: &[Value<'_>]) -> Step<Vec<Row>> {
        let statement = self.ready(sql)?;
        self.rows(&statement, values).await
    }

    /// The only row of a statement that travels alone.
    pub(super) async fn one(&self, sql: &str, values: &[Value<'_>]) -> Step<Row> {
        let mut rows = self.query(sql, values).await?;
        rows.pop().ok_or_else(|| Fault::Inconsistent(format!("no answer to {sql}")))
    }

    /// Rows that a statement changed that travels alone.
    pub(super) async fn change(&self, sql: &str, values: &[Value<'_>]) -> Step<u64> {
        let statement = self.ready(sql)?;
        self.changed(&statement, values).await
    }

    /// Ends a transaction, taking it or not.
    pub(super) fn end<T>(&self, outcome: Step<T>) -> Step<T> {
        match outcome {
            Ok(value) => {
                self.commit()?;
                Ok(value)
            }
            Err(fault) => {
                self.rollback();
                Err(fault)
            }
        }
    }
}
