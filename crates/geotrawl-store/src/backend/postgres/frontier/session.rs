//! Pipelined statements with array parameters.

use super::{DatabaseError, DatabaseResult};
pub(super) use crate::sql::PgClient as Session;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Row, Statement};

/// A parameter value.
pub(super) type BoundValue<'a> = &'a (dyn ToSql + Sync);

/// Statements in PostgreSQL's own syntax. Statements polled together are pipelined, and the server
/// answers in order. All of them must be prepared with [`Session::prepare_statement`] beforehand:
/// preparing blocks on its own answer, and nothing would consume the answers before it.
impl Session {
    /// Prepares a statement once per connection.
    pub(super) fn prepare_statement(&self, sql: &str) -> DatabaseResult<Statement> {
        Ok(self.prepare_native(sql, &[])?)
    }

    /// Returns the rows of a prepared statement. Sent when first polled.
    pub(super) async fn query_prepared(
        &self,
        statement: &Statement,
        values: &[BoundValue<'_>],
    ) -> DatabaseResult<Vec<Row>> {
        Ok(self.raw().query(statement, values).await.map_err(|error| self.convert_error(error))?)
    }

    /// Runs a prepared statement and returns the number of affected rows. Sent when first polled.
    pub(super) async fn execute_prepared(
        &self,
        statement: &Statement,
        values: &[BoundValue<'_>],
    ) -> DatabaseResult<u64> {
        Ok(self.raw().execute(statement, values).await.map_err(|error| self.convert_error(error))?)
    }

    /// Returns the rows of a statement that is not pipelined.
    pub(super) async fn query_once(&self, sql: &str, values: &[BoundValue<'_>]) -> DatabaseResult<Vec<Row>> {
        let statement = self.prepare_statement(sql)?;
        self.query_prepared(&statement, values).await
    }

    /// Returns the only row of a statement that is not pipelined.
    pub(super) async fn query_one(&self, sql: &str, values: &[BoundValue<'_>]) -> DatabaseResult<Row> {
        let mut rows = self.query_once(sql, values).await?;
        rows.pop().ok_or_else(|| DatabaseError::Inconsistent(format!("no row returned by {sql}")))
    }

    /// Runs a statement that is not pipelined and returns the number of affected rows.
    pub(super) async fn execute_once(&self, sql: &str, values: &[BoundValue<'_>]) -> DatabaseResult<u64> {
        let statement = self.prepare_statement(sql)?;
        self.execute_prepared(&statement, values).await
    }

    /// Commits the transaction if `outcome` is `Ok`, otherwise rolls it back.
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
