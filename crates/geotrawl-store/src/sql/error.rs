//! Errors of SQL statements on either engine.

use tokio_postgres::error::SqlState;

/// Result of a SQL statement.
pub(crate) type Result<T> = std::result::Result<T, SqlError>;

/// Reason why a SQL statement failed.
#[derive(Debug)]
pub(crate) enum SqlError {
    /// SQLite reported an error.
    Lite(rusqlite::Error),
    /// PostgreSQL reported an error, or the connection to it failed.
    Pg(tokio_postgres::Error),
    /// No connection is available.
    Unreachable(String),
    /// The query returned no row although one was expected.
    NoRows,
    /// A column holds a value of another type.
    Type { column: usize, wanted: &'static str, found: &'static str },
    /// A column holds a word that is not a known value of its type.
    Word { record: String, cause: String },
    /// The number of values differs from the number of parameters of the statement.
    Parameters { wanted: usize, given: usize },
}

impl From<rusqlite::Error> for SqlError {
    fn from(error: rusqlite::Error) -> Self {
        match error {
            rusqlite::Error::QueryReturnedNoRows => Self::NoRows,
            error => Self::Lite(error),
        }
    }
}

impl From<tokio_postgres::Error> for SqlError {
    fn from(error: tokio_postgres::Error) -> Self {
        Self::Pg(error)
    }
}

impl SqlError {
    /// Returns PostgreSQL's error code (SQLSTATE).
    pub fn sql_state(&self) -> Option<&SqlState> {
        match self {
            Self::Pg(error) => error.code(),
            _ => None,
        }
    }

    /// Returns whether the database is unreachable, starting or stopping, so that a retry may
    /// succeed.
    pub fn is_unavailable(&self) -> bool {
        match self {
            Self::Unreachable(_) => true,
            Self::Pg(error) => match error.code() {
                Some(state) => {
                    state.code().starts_with("08")
                        || [
                            &SqlState::ADMIN_SHUTDOWN,
                            &SqlState::CRASH_SHUTDOWN,
                            &SqlState::CANNOT_CONNECT_NOW,
                            &SqlState::TOO_MANY_CONNECTIONS,
                            &SqlState::READ_ONLY_SQL_TRANSACTION,
                            &SqlState::IDLE_SESSION_TIMEOUT,
                        ]
                        .contains(&state)
                }
                // An error without a code does not come from the server: the connection is broken
                // or the protocol was violated.
                None => error.is_closed() || has_io_cause(error),
            },
            _ => false,
        }
    }

    /// Returns whether the transaction collided with another one, so that a retry will succeed.
    pub fn is_conflict(&self) -> bool {
        self.sql_state().is_some_and(|state| {
            [&SqlState::T_R_DEADLOCK_DETECTED, &SqlState::T_R_SERIALIZATION_FAILURE].contains(&state)
        })
    }
}

fn has_io_cause(error: &tokio_postgres::Error) -> bool {
    let mut cause = std::error::Error::source(error);
    while let Some(inner) = cause {
        if inner.is::<std::io::Error>() {
            return true;
        }
        cause = inner.source();
    }
    false
}

impl std::fmt::Display for SqlError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Lite(error) => error.fmt(f),
            Self::Pg(error) => {
                let Some(said) = error.as_db_error() else {
                    error.fmt(f)?;
                    return match std::error::Error::source(error) {
                        Some(cause) => write!(f, ": {cause}"),
                        None => Ok(()),
                    };
                };
                write!(f, "{} ({})", said.message(), said.code().code())?;
                match said.detail() {
                    Some(detail) => write!(f, ": {detail}"),
                    None => Ok(()),
                }
            }
            Self::Unreachable(cause) => f.write_str(cause),
            Self::NoRows => f.write_str("a required row is missing"),
            Self::Type { column, wanted, found } => {
                write!(f, "column {column} holds {found}, expected {wanted}")
            }
            Self::Word { record, cause } => write!(f, "{record}: {cause}"),
            Self::Parameters { wanted, given } => {
                write!(f, "the statement has {wanted} parameters but got {given} values")
            }
        }
    }
}

impl std::error::Error for SqlError {}

/// Converts the error "no rows" into `None`, for queries that may return nothing.
pub(crate) trait OptionalExtension<T> {
    /// Returns `None` if the query returned no row.
    fn optional(self) -> Result<Option<T>>;
}

impl<T> OptionalExtension<T> for Result<T> {
    fn optional(self) -> Result<Option<T>> {
        match self {
            Ok(value) => Ok(Some(value)),
            Err(SqlError::NoRows) => Ok(None),
            Err(error) => Err(error),
        }
    }
}
