//! What engines say when something cannot be done.

use tokio_postgres::error::SqlState;

/// Result of a statement.
pub(crate) type Result<T> = std::result::Result<T, SqlError>;

/// Why a statement failed.
#[derive(Debug)]
pub(crate) enum SqlError {
    /// SQLite said no.
    Lite(rusqlite::Error),
    /// PostgreSQL said no, or cannot be heard.
    Pg(tokio_postgres::Error),
    /// There is no connection to be had.
    Unreachable(String),
    /// A row was wanted and there is none.
    NoRows,
    /// A column holds something else than what was asked for.
    Type { column: usize, wanted: &'static str, found: &'static str },
    /// A column holds a word that names nothing.
    Word { record: String, cause: String },
    /// A statement got other values than it has parameters.
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
    /// What PostgreSQL calls it.
    pub fn sql_state(&self) -> Option<&SqlState> {
        match self {
            Self::Pg(error) => error.code(),
            _ => None,
        }
    }

    /// The database cannot be reached, or is starting or stopping: the same may work later.
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
                // Without a code it is not an answer of the server: the connection is broken, or what came
                // over it made no sense.
                None => error.is_closed() || has_io_cause(error),
            },
            _ => false,
        }
    }

    /// Two transactions stood in each other's way: the same will work when it is tried again.
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
            Self::NoRows => f.write_str("a row that must be there is not there"),
            Self::Type { column, wanted, found } => {
                write!(f, "column {column} holds {found} where {wanted} is wanted")
            }
            Self::Word { record, cause } => write!(f, "{record}: {cause}"),
            Self::Parameters { wanted, given } => {
                write!(f, "a statement with {wanted} parameters was given {given} values")
            }
        }
    }
}

impl std::error::Error for SqlError {}

/// No row is often an answer, and no fault.
pub(crate) trait OptionalExtension<T> {
    /// `None` when there is no row.
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
