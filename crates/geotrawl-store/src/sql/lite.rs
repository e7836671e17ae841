//! Conversion of values to and from SQLite.

use super::{Params, Result, SqlError, Value};
use rusqlite::types::{ToSqlOutput, ValueRef};

impl rusqlite::ToSql for Value<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match *self {
            Value::Null => ValueRef::Null,
            Value::Integer(number) => ValueRef::Integer(number),
            Value::Real(number) => ValueRef::Real(number),
            Value::Text(text) => ValueRef::Text(text.as_bytes()),
            Value::Blob(bytes) => ValueRef::Blob(bytes),
        }))
    }
}

/// Reads a column of a row.
pub(crate) fn read_column<'r>(row: &'r rusqlite::Row<'_>, at: usize) -> Result<Value<'r>> {
    Ok(match row.get_ref(at)? {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(number) => Value::Integer(number),
        ValueRef::Real(number) => Value::Real(number),
        ValueRef::Text(bytes) => {
            Value::Text(std::str::from_utf8(bytes).map_err(|error| rusqlite::Error::Utf8Error(at, error))?)
        }
        ValueRef::Blob(bytes) => Value::Blob(bytes),
    })
}

/// Binds values to the parameters of a statement.
pub(super) fn bind_values(statement: &mut rusqlite::Statement<'_>, params: &impl Params) -> Result<()> {
    let wanted = statement.parameter_count();
    let mut given = 0;
    params.each(|value, _| {
        given += 1;
        // Surplus values are only counted here; the comparison below reports them.
        if given <= wanted { Ok(statement.raw_bind_parameter(given, value)?) } else { Ok(()) }
    })?;
    if given == wanted { Ok(()) } else { Err(SqlError::Parameters { wanted, given }) }
}
