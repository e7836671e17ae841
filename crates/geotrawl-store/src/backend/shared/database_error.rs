//! Internal errors of a store, and their conversion to the public error.

use crate::sql;
use geotrawl_model::StoreError;
use geotrawl_model::store::Result;
use rusqlite::ErrorCode;

/// Errors inside a store implementation.
#[derive(Debug)]
pub(crate) enum DatabaseError {
    /// The database engine reported an error.
    Sql(sql::SqlError),
    /// A stored text is not valid JSON of the expected type.
    Json(serde_json::Error),
    /// The store is inconsistent, or the caller asked for something that does not exist.
    Inconsistent(String),
}

/// Result inside a store implementation.
pub(crate) type DatabaseResult<T> = std::result::Result<T, DatabaseError>;

impl From<rusqlite::Error> for DatabaseError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sql(error.into())
    }
}

impl From<sql::SqlError> for DatabaseError {
    fn from(error: sql::SqlError) -> Self {
        Self::Sql(error)
    }
}

impl From<tokio_postgres::Error> for DatabaseError {
    fn from(error: tokio_postgres::Error) -> Self {
        Self::Sql(error.into())
    }
}

impl From<serde_json::Error> for DatabaseError {
    fn from(error: serde_json::Error) -> Self {
        Self::Json(error)
    }
}

impl DatabaseError {
    /// Returns a description of the cause, with what to do about it.
    pub fn cause(&self) -> String {
        match self {
            Self::Json(error) => format!("cannot parse a stored document ({error}): the file is damaged"),
            Self::Inconsistent(what) => what.clone(),
            Self::Sql(sql::SqlError::Lite(error)) => match error.sqlite_error_code() {
                Some(ErrorCode::DiskFull) => {
                    "the disk is full, or the store has reached its maximum size; free some space and run the same \
                     command again (saved data is not lost)"
                        .to_owned()
                }
                Some(ErrorCode::NotADatabase) => {
                    "the file is not a Geotrawl database; move it away or use another --data directory"
                        .to_owned()
                }
                Some(ErrorCode::DatabaseCorrupt) => format!(
                    "the file is damaged ({error}); restore a backup, or move it away and crawl again"
                ),
                Some(ErrorCode::ReadOnly) => {
                    "the file or its directory is not writable; check permissions and mount options".to_owned()
                }
                Some(ErrorCode::SystemIoFailure) => {
                    format!("disk I/O error ({error}); check the system log")
                }
                Some(ErrorCode::PermissionDenied | ErrorCode::CannotOpen) => {
                    format!("access denied ({error}); check that the directory exists and that its permissions are right")
                }
                _ => error.to_string(),
            },
            Self::Sql(error) => error.to_string(),
        }
    }

    /// Returns whether the database is unreachable, so that a retry may succeed later.
    pub fn is_unavailable(&self) -> bool {
        matches!(self, Self::Sql(error) if error.is_unavailable())
    }

    /// Returns whether the transaction collided with another one.
    pub fn is_conflict(&self) -> bool {
        matches!(self, Self::Sql(error) if error.is_conflict())
    }

    /// Converts to the public error, naming the operation that failed.
    pub fn to_store_error(&self, doing: &str) -> StoreError {
        let (doing, cause) = (doing.to_owned(), self.cause());
        if self.is_unavailable() {
            StoreError::Unavailable { doing, cause }
        } else {
            StoreError::Engine { doing, cause }
        }
    }
}

/// Converts internal errors to the public error.
pub(crate) trait ErrorContext<T> {
    /// Names the operation that failed.
    fn with_operation(self, what: &str) -> Result<T>;
}

impl<T> ErrorContext<T> for DatabaseResult<T> {
    fn with_operation(self, what: &str) -> Result<T> {
        self.map_err(|fault| fault.to_store_error(what))
    }
}
