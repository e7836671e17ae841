//! Statements, their values and their rows.

use super::postgres::{self, PgStatement};
use super::value::{self, Bind, FromValue, Kind, Value};
use super::{Result, SqlError, lite};
use std::fmt::Display;
use std::str::FromStr;

/// Values for the parameters of a statement.
pub(crate) trait Params {
    /// Shows them in order.
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

// Not for every number by one generic, so that the type of an empty list is known.
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

/// A prepared statement, or one that is prepared with its first values.
pub(crate) enum Statement<'c> {
    Lite(rusqlite::CachedStatement<'c>),
    Pg(PgStatement<'c>),
}

impl<'c> Statement<'c> {
    /// Runs it and says how many rows it touched.
    pub fn execute(&mut self, params: impl Params) -> Result<usize> {
        match self {
            Self::Lite(statement) => {
                lite::bind_values(statement, &params)?;
                Ok(statement.raw_execute()?)
            }
            Self::Pg(statement) => statement.execute(&params),
        }
    }

    /// Its rows.
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

    /// The first of its rows; [`Error::NoRows`] when there is none.
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

    /// Its rows, each made into something.
    pub fn query_map<T, F: FnMut(Row<'_>) -> Result<T>>(
        &mut self,
        params: impl Params,
        read: F,
    ) -> Result<MappedRows<'_, F>> {
        Ok(MappedRows { rows: self.query(params)?, read })
    }

    /// Runs it with many sets of values, which PostgreSQL is sent without waiting for its answer to each.
    pub fn start_batch(&mut self) -> StatementBatch<'_, 'c> {
        StatementBatch { statement: self, touched: Vec::new() }
    }

    /// Whether it has a row.
    pub fn exists(&mut self, params: impl Params) -> Result<bool> {
        Ok(self.query(params)?.next()?.is_some())
    }
}

/// See [`Statement::many`].
pub(crate) struct StatementBatch<'s, 'c> {
    statement: &'s mut Statement<'c>,
    touched: Vec<usize>,
}

impl StatementBatch<'_, '_> {
    /// Runs the statement with these values, now or soon.
    pub fn add_values(&mut self, params: impl Params) -> Result<()> {
        match self.statement {
            Statement::Lite(_) => self.touched.push(self.statement.execute(params)?),
            Statement::Pg(statement) => statement.queue_execution(&params, &mut self.touched)?,
        }
        Ok(())
    }

    /// Waits for all, and says how many rows each has touched.
    pub fn finish(mut self) -> Result<Vec<usize>> {
        if let Statement::Pg(statement) = &mut self.statement {
            statement.flush_queued(&mut self.touched)?;
        }
        Ok(self.touched)
    }
}

/// Rows of a query, one after the other.
pub(crate) enum Rows<'s> {
    Lite(rusqlite::Rows<'s>),
    Pg { rows: std::vec::IntoIter<tokio_postgres::Row>, current: Option<tokio_postgres::Row> },
}

impl Rows<'_> {
    /// The next row.
    pub fn next(&mut self) -> Result<Option<Row<'_>>> {
        match self {
            Self::Lite(rows) => Ok(rows.next()?.map(Row::Lite)),
            Self::Pg { rows, current } => {
                *current = rows.next();
                Ok(current.as_ref().map(Row::Pg))
            }
        }
    }
}

/// See [`Statement::query_map`].
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

/// One row.
#[derive(Clone, Copy)]
pub(crate) enum Row<'r> {
    Lite(&'r rusqlite::Row<'r>),
    Pg(&'r tokio_postgres::Row),
}

/// What can be read from a whole row: its first column, or as many as a tuple has.
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

/// Reads a row into what the caller expects.
pub(crate) fn read_row<T: FromRow>(row: Row<'_>) -> Result<T> {
    T::from_row(row)
}

impl<'r> Row<'r> {
    /// A column.
    pub fn get<T: FromValue>(self, at: usize) -> Result<T> {
        value::read_value(self.get_ref(at)?, at)
    }

    /// Parses a column that holds a word; the error names the word, and the record as `record` says.
    pub fn parse<T: FromStr<Err: Display>>(self, at: usize, record: impl Display) -> Result<T> {
        let word = self.get_ref(at)?.as_str()?;
        word.parse()
            .map_err(|error: T::Err| SqlError::Word { record: record.to_string(), cause: error.to_string() })
    }

    /// A column as it stands there.
    pub fn get_ref(self, at: usize) -> Result<Value<'r>> {
        match self {
            Self::Lite(row) => lite::read_column(row, at),
            Self::Pg(row) => postgres::read_column(row, at),
        }
    }
}
