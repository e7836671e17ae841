//! A connection with its prepared statements.

use super::{Fault, Step};
use std::collections::HashMap;
use std::sync::Mutex;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, Row, Statement};

/// A value to bind.
pub(crate) type Value<'a> = &'a (dyn ToSql + Sync);

/// One connection. Statements that are polled together travel together: the server answers in order.
pub(crate) struct Session {
    client: Client,
    prepared: Mutex<HashMap<&'static str, Statement>>,
}

impl Session {
    /// Takes over a connection.
    pub fn new(client: Client) -> Self {
        Self { client, prepared: Mutex::new(HashMap::new()) }
    }

    /// The statement, prepared once per connection.
    pub async fn prepare(&self, sql: &'static str) -> Step<Statement> {
        let known = self.prepared.lock().ok().and_then(|known| known.get(sql).cloned());
        if let Some(statement) = known {
            return Ok(statement);
        }
        let statement = self.client.prepare(sql).await?;
        if let Ok(mut known) = self.prepared.lock() {
            known.insert(sql, statement.clone());
        }
        Ok(statement)
    }

    /// Rows of a prepared statement; sent when first polled.
    pub async fn rows(&self, statement: &Statement, values: &[Value<'_>]) -> Step<Vec<Row>> {
        Ok(self.client.query(statement, values).await?)
    }

    /// Rows of a statement.
    pub async fn query(&self, sql: &'static str, values: &[Value<'_>]) -> Step<Vec<Row>> {
        let statement = self.prepare(sql).await?;
        self.rows(&statement, values).await
    }

    /// The only row of a statement.
    pub async fn one(&self, sql: &'static str, values: &[Value<'_>]) -> Step<Row> {
        let mut rows = self.query(sql, values).await?;
        rows.pop().ok_or_else(|| Fault::Inconsistent(format!("no answer to {sql}")))
    }

    /// Rows that a statement changed.
    pub async fn execute(&self, sql: &'static str, values: &[Value<'_>]) -> Step<u64> {
        let statement = self.prepare(sql).await?;
        Ok(self.client.execute(&statement, values).await?)
    }

    /// Begins a transaction.
    pub async fn begin(&self) -> Step<()> {
        Ok(self.client.batch_execute("BEGIN").await?)
    }

    /// Ends a transaction, taking it or not.
    pub async fn end<T>(&self, outcome: Step<T>) -> Step<T> {
        match outcome {
            Ok(value) => {
                self.client.batch_execute("COMMIT").await?;
                Ok(value)
            }
            Err(fault) => {
                // The first fault is the one to tell; a connection that cannot roll back is closed anyway.
                let _ = self.client.batch_execute("ROLLBACK").await;
                Err(fault)
            }
        }
    }
}
