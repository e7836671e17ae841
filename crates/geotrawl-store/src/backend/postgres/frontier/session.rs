//! Statements with arrays, several on their way at once.

use super::{DatabaseError, DatabaseResult};
pub(super) use crate::sql::PgClient as Session;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Row, Statement};

/// A value to bind.
pub(super) type BoundValue<'a> = &'a (dyn ToSql + Sync);

/// Statements in PostgreSQL's own words. Those that are polled together travel together, and the server answers
/// in order. All that travel together must be [`Session::ready`] before: preparing one waits for the answer while
/// nobody takes those before it off the connection.
impl Session {
    /// The statement, prepared once per connection.
    pub(super) fn prepare_statement(&self, sql: &str) -> DatabaseResult<Statement> {
        Ok(self.prepare_native(sql, &[])?)
    }

    /// Rows of a prepared statement; sent when first polled.
    pub(super) async fn query_prepared(
        &self,
        statement: &Statement,
        values: &[BoundValue<'_>],
    ) -> DatabaseResult<Vec<Row>> {
        Ok(self.raw().query(statement, values).await.map_err(|error| self.note_error(error))?)
    }

    /// Rows that a prepared statement changed; sent when first polled.
    pub(super) async fn execute_prepared(
        &self,
        statement: &Statement,
        values: &[BoundValue<'_>],
    ) -> DatabaseResult<u64> {
        Ok(self.raw().execute(statement, values).await.map_err(|error| self.note_error(error))?)
    }

    /// Rows of a statement that travels alone.
    pub(super) async fn query_once(&self, sql: &str, values: &[BoundValue<'_>]) -> DatabaseResult<Vec<Row>> {
        let statement = self.prepare_statement(sql)?;
        self.query_prepared(&statement, values).await
    }

    /// The only row of a statement that travels alone.
    pub(super) async fn query_one(&self, sql: &str, values: &[BoundValue<'_>]) -> DatabaseResult<Row> {
        let mut rows = self.query_once(sql, values).await?;
        rows.pop().ok_or_else(|| DatabaseError::Inconsistent(format!("no answer to {sql}")))
    }

    /// Rows that a statement changed that travels alone.
    pub(super) async fn execute_once(&self, sql: &str, values: &[BoundValue<'_>]) -> DatabaseResult<u64> {
        let statement = self.prepare_statement(sql)?;
        self.execute_prepared(&statement, values).await
    }

    /// Ends a transaction, taking it or not.
    pub(super) fn end_transaction<T>(&self, outcome: DatabaseResult<T>) -> DatabaseResult<T> {
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
