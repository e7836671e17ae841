//! Macros that build statements from column names and values, so that no parameters are counted by
//! hand.
//!
//! The text is assembled at compile time. Values follow the order of their columns.

/// Builds the text of an `INSERT` with one parameter per column.
macro_rules! insert_text {
    ($table:ident { $first:ident $(, $column:ident)* $(,)? } $($tail:literal)?) => {
        concat!(
            "INSERT INTO ", stringify!($table), " (", stringify!($first), $(", ", stringify!($column),)*
            ") VALUES (?", $($crate::sql::next_parameter!($column),)* ")", $(" ", $tail)?
        )
    };
}

macro_rules! next_parameter {
    ($column:ident) => {
        ", ?"
    };
}

/// Inserts a row and returns the number of inserted rows:
/// `insert!(tx, door { url: url, kind: kind } "ON CONFLICT DO NOTHING")`.
macro_rules! insert {
    ($tx:expr, $table:ident { $($column:ident: $value:expr),+ $(,)? } $($tail:literal)?) => {
        $crate::sql::Conn::from($tx)
            .prepare_cached($crate::sql::insert_text!($table { $($column),+ } $($tail)?))?
            .execute($crate::sql::params![$($value),+])
    };
}

/// Inserts a row and returns a column of it: `insert_returning!(tx, notice { at: at } "RETURNING seq")`.
macro_rules! insert_returning {
    ($tx:expr, $table:ident { $($column:ident: $value:expr),+ $(,)? } $tail:literal) => {
        $crate::sql::Conn::from($tx)
            .prepare_cached($crate::sql::insert_text!($table { $($column),+ } $tail))?
            .query_row($crate::sql::params![$($value),+], |row| row.get(0))
    };
}

/// Updates the rows with this key and returns their number:
/// `update!(tx, watch { host: host } also "checks = checks + 1" where resource = row)`.
macro_rules! update {
    ($tx:expr, $table:ident { $first:ident: $one:expr $(, $column:ident: $value:expr)* $(,)? }
     $(also $more:literal)? where $key:ident = $id:expr) => {
        $crate::sql::Conn::from($tx)
            .prepare_cached(concat!(
                "UPDATE ", stringify!($table), " SET ", stringify!($first), " = ?",
                $(", ", stringify!($column), " = ?",)* $(", ", $more,)? " WHERE ", stringify!($key), " = ?"
            ))?
            .execute($crate::sql::params![$one, $($value,)* $id])
    };
}

pub(crate) use {insert, insert_returning, insert_text, next_parameter, update};
