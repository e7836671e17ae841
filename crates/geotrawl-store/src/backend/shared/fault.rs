//! Faults inside a store, and how they are told to people.

use crate::sql;
use geotrawl_model::StoreError;
use geotrawl_model::store::Result;
use rusqlite::ErrorCode;

/// What can go wrong below the trait.
#[derive(Debug)]
pub(crate) enum DatabaseError {
    /// The engine said no.
    Sql(sql::SqlError),
    /// A stored text is not what this program writes.
    Json(serde_json::Error),
    /// The store contradicts itself, or the caller asked for what is not there.
    Inconsistent(String),
}

/// Result inside a store.
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
    /// The cause in words, with what to do about it.
    pub fn cause(&self) -> String {
        match self {
            Self::Json(error) => format!("a stored document cannot be read ({error}): the file is damaged"),
            Self::Inconsistent(what) => what.clone(),
            Self::Sql(sql::SqlError::Lite(error)) => match error.sqlite_error_code() {
                Some(ErrorCode::DiskFull) => {
                    "the disk, or the size allowed to the store, is full; free some space and run the same \
                     command again: nothing that was reported as saved is lost"
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
                    "the file or its directory cannot be written; check permissions and mount".to_owned()
                }
                Some(ErrorCode::SystemIoFailure) => {
                    format!("the disk failed ({error}); check the system log")
                }
                Some(ErrorCode::PermissionDenied | ErrorCode::CannotOpen) => {
                    format!("no access ({error}); check that the directory exists and its permissions")
                }
                _ => error.to_string(),
            },
            Self::Sql(error) => error.to_string(),
        }
    }

    /// The database cannot be reached now, and may be later.
    pub fn is_unavailable(&self) -> bool {
        matches!(self, Self::Sql(error) if error.is_unavailable())
    }

    /// Two transactions stood in each other's way.
    pub fn is_conflict(&self) -> bool {
        matches!(self, Self::Sql(error) if error.is_conflict())
    }

    /// The public error, saying what was being done.
    pub fn to_store_error(&self, doing: &str) -> StoreError {
        let (doing, cause) = (doing.to_owned(), self.cause());
        if self.is_unavailable() {
            StoreError::Unavailable { doing, cause }
        } else {
            StoreError::Engine { doing, cause }
        }
    }
}

/// Turns inner faults into the public error, saying what was being done.
pub(crate) trait ErrorContext<T> {
    /// Names the activity that failed.
    fn with_operation(self, what: &str) -> Result<T>;
}

impl<T> ErrorContext<T> for DatabaseResult<T> {
    fn with_operation(self, what: &str) -> Result<T> {
        self.map_err(|fault| fault.to_store_error(what))
    }
}
