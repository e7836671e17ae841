//! Statements, their values and their rows.

use super::postgres::{self, PgStatement};
use super::value::{self, Bind, FromValue, Kind, Value};
use super::{Result, SqlError, lite};
use std::fmt::Display;
use std::str::FromStr;

/// Values for the parameters of a statement.
pub(crate) trait Params {
    /// Calls `visit` with each value in order.
    fn each<'p>(&'p self, visit: impl FnMut(Value<'p>, Kind) -> Result<()>) -> Result<()>;
}

impl Params for &[&dyn Bind] {
    fn each<'p>(&'p self, mut visit: impl FnMut(Value<'p>, Kind) -> Result<()>) -> Result<()> {
        self.iter().try_for_each(|one| visit(one.value(), one.kind()))
    }
}

impl Params for [&dyn Bind; 0] {
    fn each<'p>(&'p self, _visit: impl FnMut(Value<'p>, Kind) -> Result<()>) -> Result<()> {
        Ok(())
    }
}

// One impl per length instead of a const generic, so that the type of an empty list can be
// inferred.
macro_rules! arrays {
    ($($length:literal)*) => { $(
        impl<T: Bind> Params for [T; $length] {
            fn each<'p>(&'p self, mut visit: impl FnMut(Value<'p>, Kind) -> Result<()>) -> Result<()> {
                self.iter().try_for_each(|one| visit(one.value(), one.kind()))
            }
        }
    )* };
}
arrays! { 1 2 3 4 5 6 7 8 }

/// A statement that is prepared already or will be when it first gets values.
pub(crate) enum Statement<'c> {
    Lite(rusqlite::CachedStatement<'c>),
    Pg(PgStatement<'c>),
}

impl<'c> Statement<'c> {
    /// Runs the statement and returns the number of affected rows.
    pub fn execute(&mut self, params: impl Params) -> Result<usize> {
        match self {
            Self::Lite(statement) => {
                lite::bind_values(statement, &params)?;
                Ok(statement.raw_execute()?)
            }
            Self::Pg(statement) => statement.execute(&params),
        }
    }

    /// Runs the query and returns its rows.
    pub fn query(&mut self, params: impl Params) -> Result<Rows<'_>> {
        match self {
            Self::Lite(statement) => {
                lite::bind_values(statement, &params)?;
                Ok(Rows::Lite(statement.raw_query()))
            }
            Self::Pg(statement) => {
                let rows = statement.query(&params)?;
                Ok(Rows::Pg { rows: rows.into_iter(), current: None })
            }
        }
    }

    /// Returns the first row, or [`SqlError::NoRows`].
    pub fn query_row<T>(
        &mut self,
        params: impl Params,
        read: impl FnOnce(Row<'_>) -> Result<T>,
    ) -> Result<T> {
        let mut rows = self.query(params)?;
        match rows.next()? {
            Some(row) => read(row),
            None => Err(SqlError::NoRows),
        }
    }

    /// Returns an iterator that reads each row with `read`.
    pub fn query_map<T, F: FnMut(Row<'_>) -> Result<T>>(
        &mut self,
        params: impl Params,
        read: F,
    ) -> Result<MappedRows<'_, F>> {
        Ok(MappedRows { rows: self.query(params)?, read })
    }

    /// Starts a batch of executions. PostgreSQL receives them as a pipeline instead of one at a
    /// time.
    pub fn start_batch(&mut self) -> StatementBatch<'_, 'c> {
        StatementBatch { statement: self, touched: Vec::new() }
    }

    /// Returns whether the query has at least one row.
    pub fn exists(&mut self, params: impl Params) -> Result<bool> {
        Ok(self.query(params)?.next()?.is_some())
    }
}

/// Executions of one statement with many sets of values; see [`Statement::start_batch`].
pub(crate) struct StatementBatch<'s, 'c> {
    statement: &'s mut Statement<'c>,
    touched: Vec<usize>,
}

impl StatementBatch<'_, '_> {
    /// Runs the statement with these values, immediately or later.
    pub fn add_values(&mut self, params: impl Params) -> Result<()> {
        match self.statement {
            Statement::Lite(_) => self.touched.push(self.statement.execute(params)?),
            Statement::Pg(statement) => statement.queue_execution(&params, &mut self.touched)?,
        }
        Ok(())
    }

    /// Waits for all executions and returns the number of rows that each affected.
    pub fn finish(mut self) -> Result<Vec<usize>> {
        if let Statement::Pg(statement) = &mut self.statement {
            statement.flush_queued(&mut self.touched)?;
        }
        Ok(self.touched)
    }
}

/// Rows of a query, read one at a time.
pub(crate) enum Rows<'s> {
    Lite(rusqlite::Rows<'s>),
    Pg { rows: std::vec::IntoIter<tokio_postgres::Row>, current: Option<tokio_postgres::Row> },
}

impl Rows<'_> {
    /// Returns the next row.
    pub fn next(&mut self) -> Result<Option<Row<'_>>> {
        match self {
            Self::Lite(rows) => Ok(rows.next()?.map(Row::Lite)),
            Self::Pg { rows, current } => {
                // Kept here because the returned row borrows it.
                *current = rows.next();
                Ok(current.as_ref().map(Row::Pg))
            }
        }
    }
}

/// Iterator over converted rows; see [`Statement::query_map`].
pub(crate) struct MappedRows<'s, F> {
    rows: Rows<'s>,
    read: F,
}

impl<T, F: FnMut(Row<'_>) -> Result<T>> Iterator for MappedRows<'_, F> {
    type Item = Result<T>;

    fn next(&mut self) -> Option<Self::Item> {
        match self.rows.next() {
            Ok(Some(row)) => Some((self.read)(row)),
            Ok(None) => None,
            Err(error) => Some(Err(error)),
        }
    }
}

/// One row of a result.
#[derive(Clone, Copy)]
pub(crate) enum Row<'r> {
    Lite(&'r rusqlite::Row<'r>),
    Pg(&'r tokio_postgres::Row),
}

/// Types that can be read from a whole row: from its first column, or as a tuple from the first
/// columns.
pub(crate) trait FromRow: Sized {
    /// Reads the columns in order.
    fn from_row(row: Row<'_>) -> Result<Self>;
}

impl<T: FromValue> FromRow for T {
    fn from_row(row: Row<'_>) -> Result<Self> {
        row.get(0)
    }
}

macro_rules! tuples {
    ($($($type:ident $at:literal)*;)*) => { $(
        impl<$($type: FromValue),*> FromRow for ($($type),*) {
            fn from_row(row: Row<'_>) -> Result<Self> {
                Ok(($(row.get($at)?),*))
            }
        }
    )* };
}
tuples! {
    A 0 B 1;
    A 0 B 1 C 2;
    A 0 B 1 C 2 D 3;
    A 0 B 1 C 2 D 3 E 4;
    A 0 B 1 C 2 D 3 E 4 F 5;
    A 0 B 1 C 2 D 3 E 4 F 5 G 6;
    A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7;
}

/// Reads a row as the type that the caller expects.
pub(crate) fn read_row<T: FromRow>(row: Row<'_>) -> Result<T> {
    T::from_row(row)
}

impl<'r> Row<'r> {
    /// Reads a column.
    pub fn get<T: FromValue>(self, at: usize) -> Result<T> {
        value::read_value(self.get_ref(at)?, at)
    }

    /// Parses a column that holds a word. The error names the word and `record`.
    pub fn parse<T: FromStr<Err: Display>>(self, at: usize, record: impl Display) -> Result<T> {
        let word = self.get_ref(at)?.as_str()?;
        word.parse()
            .map_err(|error: T::Err| SqlError::Word { record: record.to_string(), cause: error.to_string() })
    }

    /// Returns a column without conversion.
    pub fn get_ref(self, at: usize) -> Result<Value<'r>> {
        match self {
            Self::Lite(row) => lite::read_column(row, at),
            Self::Pg(row) => postgres::read_column(row, at),
        }
    }
}
