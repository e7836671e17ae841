//! Opening the file: the lock, the settings of a connection, and a quick look at its health.

use super::fault::{DatabaseError, DatabaseResult};
use super::options::{Durability, StoreOptions};
use super::schema;
use geotrawl_model::StoreError;
use geotrawl_model::store::Result;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};
use std::fs::{File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Name of the database in the data directory.
const DATABASE: &str = "geotrawl.db";
/// Its name while a copy is being made.
const INCOMPLETE: &str = "geotrawl.db.incomplete";
/// Name of the lock file beside it.
const LOCK: &str = "geotrawl.lock";
/// Page size of new files; blocks of the known-URL set are cut to fit one.
const PAGE_BYTES: u64 = 4096;
/// Statements kept prepared per connection.
const STATEMENTS: usize = 256;
/// How long a connection waits for another's short lock (recovery, the end of a checkpoint).
const BUSY: Duration = Duration::from_secs(10);

/// The writer's lock.
pub(crate) struct WriterLock(File);

impl Drop for WriterLock {
    /// Given back explicitly: a process being started at this moment by another thread has a copy of the
    /// open file until it runs its own program, and would hold the lock for that long.
    fn drop(&mut self) {
        if let Err(error) = self.0.unlock() {
            tracing::warn!(%error, "the lock of the store could not be given back");
        }
    }
}

/// Where the parts of a store are.
pub(crate) struct StoreFiles {
    directory: PathBuf,
    pub database: PathBuf,
}

impl StoreFiles {
    /// In this data directory.
    pub fn in_directory(directory: &Path) -> Self {
        Self { directory: directory.to_owned(), database: directory.join(DATABASE) }
    }

    /// Where it is.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// The file while it is being copied into this directory.
    pub fn incomplete_path(&self) -> PathBuf {
        self.directory.join(INCOMPLETE)
    }

    /// A copy that was not finished is no store, and nothing is made beside it.
    fn check_complete(&self) -> Result<()> {
        if !self.database.exists() && self.incomplete_path().exists() {
            return Err(StoreError::Incomplete { path: self.directory.display().to_string() });
        }
        Ok(())
    }

    /// An error about opening it.
    pub fn cannot_open(&self, cause: impl std::fmt::Display) -> StoreError {
        StoreError::Open { path: self.directory.display().to_string(), cause: cause.to_string() }
    }

    /// Takes the writer's lock; the operating system gives it back when the process ends, however it ends.
    pub fn lock_for_writing(&self) -> Result<WriterLock> {
        std::fs::create_dir_all(&self.directory).map_err(|error| self.cannot_open(error))?;
        let file = OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .open(self.directory.join(LOCK))
            .map_err(|error| self.cannot_open(error))?;
        match file.try_lock() {
            Ok(()) => Ok(WriterLock(file)),
            Err(TryLockError::WouldBlock) => {
                Err(StoreError::Locked { path: self.directory.display().to_string() })
            }
            Err(TryLockError::Error(error)) => Err(self.cannot_open(error)),
        }
    }

    /// Opens the connection that writes, bringing the file to the current version.
    pub fn open_writer(&self, options: &StoreOptions) -> Result<Connection> {
        self.check_complete()?;
        self.check_header()?;
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
            | OpenFlags::SQLITE_OPEN_CREATE
            | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let mut conn = self.to_open_error(open_connection(&self.database, flags, options.cache_bytes))?;
        self.to_open_error(configure_writer(&conn, options))?;
        self.check_version(&conn)?;
        self.to_open_error(schema::migrate(&mut conn))?;
        // Fold the journal of an earlier process in, so that what follows looks at the file itself.
        self.to_open_error(fold_journal(&conn))?;
        self.check_size(&conn)?;
        self.to_open_error(check_tables(&conn))?;
        Ok(conn)
    }

    /// Opens a connection that reads, also while another process writes.
    pub fn open_reader(&self, options: &StoreOptions) -> Result<Connection> {
        self.check_complete()?;
        if !self.database.is_file() {
            return Err(self.cannot_open("there is no store yet; a crawl creates it"));
        }
        self.check_header()?;
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let conn = match open_connection(&self.database, flags, options.reader_cache_bytes) {
            // On a medium that cannot be written SQLite cannot make its index of the journal; without a
            // journal there is nothing to index and nobody to write.
            Err(DatabaseError::Sql(crate::sql::SqlError::Lite(error)))
                if error.sqlite_error_code() == Some(rusqlite::ErrorCode::CannotOpen)
                    && !self.has_journal() =>
            {
                self.to_open_error(self.connect_immutable(options))?
            }
            connected => self.to_open_error(connected)?,
        };
        self.check_version(&conn)?;
        let found = self.to_open_error(schema::read_version(&conn))?;
        if found < schema::CURRENT {
            return Err(self.cannot_open(format!(
                "it has schema version {found} and must be brought to {} by a command that writes, such as crawl",
                schema::CURRENT
            )));
        }
        Ok(conn)
    }

    fn connect_immutable(&self, options: &StoreOptions) -> DatabaseResult<Connection> {
        let uri = url::Url::from_file_path(std::path::absolute(&self.database).unwrap_or_default())
            .map(|url| format!("{url}?immutable=1"))
            .map_err(|()| DatabaseError::Inconsistent("the path cannot be written as a URI".to_owned()))?;
        let flags =
            OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_URI;
        open_connection(Path::new(&uri), flags, options.reader_cache_bytes)
    }

    fn has_journal(&self) -> bool {
        let mut journal = self.database.clone().into_os_string();
        journal.push("-wal");
        std::fs::metadata(journal).is_ok_and(|meta| meta.len() > 0)
    }

    /// A foreign or torn file is told apart before SQLite touches it.
    fn check_header(&self) -> Result<()> {
        use std::io::Read;
        let Ok(file) = File::open(&self.database) else { return Ok(()) };
        let mut header = Vec::new();
        file.take(100).read_to_end(&mut header).map_err(|error| self.cannot_open(error))?;
        if header.is_empty() || header.starts_with(b"SQLite format 3\0") && header.len() == 100 {
            return Ok(());
        }
        Err(self.cannot_open(
            "the file is not a Geotrawl database, or its beginning is destroyed; move it away, restore a \
             backup or use another --data directory",
        ))
    }

    fn check_version(&self, conn: &Connection) -> Result<()> {
        let found = self.to_open_error(schema::read_version(conn))?;
        let owner: i32 = self.to_open_error(
            conn.query_row("PRAGMA application_id", [], |row| row.get(0)).map_err(DatabaseError::from),
        )?;
        let tables: i64 = self.to_open_error(
            conn.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))
                .map_err(DatabaseError::from),
        )?;
        if (found > 0 || tables > 0) && owner != schema::APPLICATION_ID {
            return Err(self.cannot_open(
                "the file belongs to another program; move it away or use another --data directory",
            ));
        }
        if found > schema::CURRENT {
            let path = self.directory.display().to_string();
            return Err(StoreError::TooNew { path, found, known: schema::CURRENT });
        }
        Ok(())
    }

    /// A file shorter than it says it is was cut.
    fn check_size(&self, conn: &Connection) -> Result<()> {
        let pages: i64 = self.to_open_error(read_pragma(conn, "page_count"))?;
        let page: i64 = self.to_open_error(read_pragma(conn, "page_size"))?;
        let length = std::fs::metadata(&self.database).map_err(|error| self.cannot_open(error))?.len();
        let expected = (pages * page) as u64;
        if length < expected {
            return Err(self.cannot_open(format!(
                "the file is cut off: {length} bytes of {expected}; restore a backup, or move it away and crawl again"
            )));
        }
        Ok(())
    }

    fn to_open_error<T>(&self, step: DatabaseResult<T>) -> Result<T> {
        step.map_err(|fault| self.cannot_open(fault.cause()))
    }
}

pub(super) fn open_connection(path: &Path, flags: OpenFlags, cache_bytes: u64) -> DatabaseResult<Connection> {
    let conn = Connection::open_with_flags(path, flags)?;
    conn.busy_timeout(BUSY)?;
    conn.set_prepared_statement_cache_capacity(STATEMENTS);
    // Negative: in KiB, whatever the page size.
    conn.pragma_update(None, "cache_size", -((cache_bytes / 1024).max(64) as i64))?;
    conn.pragma_update(None, "temp_store", "memory")?;
    conn.pragma_update(None, "mmap_size", 0)?;
    // Plans never depend on the values bound: statements stay prepared however often they are used.
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    // Strangers' bytes never become schema: no functions or virtual tables from it.
    conn.pragma_update(None, "trusted_schema", false)?;
    Ok(conn)
}

fn configure_writer(conn: &Connection, options: &StoreOptions) -> DatabaseResult<()> {
    conn.pragma_update(None, "page_size", PAGE_BYTES as i64)?;
    let mode: String = conn.query_row("PRAGMA journal_mode = wal", [], |row| row.get(0))?;
    if mode != "wal" {
        return Err(DatabaseError::Inconsistent(format!(
            "the file system does not allow a write-ahead journal ({mode})"
        )));
    }
    conn.pragma_update(
        None,
        "synchronous",
        match options.durability {
            Durability::Normal => "normal",
            Durability::Full => "full",
        },
    )?;
    conn.pragma_update(None, "wal_autocheckpoint", (options.journal_bytes / PAGE_BYTES).max(100) as i64)?;
    // After a spike the journal shrinks back to twice its usual size.
    conn.pragma_update(None, "journal_size_limit", (options.journal_bytes * 2) as i64)?;
    limit_size(conn, options.max_bytes)
}

/// Sets how large the file may grow; `None` is SQLite's own limit.
pub(super) fn limit_size(conn: &Connection, bytes: Option<u64>) -> DatabaseResult<()> {
    let pages = bytes.map_or(i64::from(u32::MAX) - 1, |bytes| (bytes / PAGE_BYTES).max(1) as i64);
    Ok(conn.query_row(&format!("PRAGMA max_page_count = {pages}"), [], |_| Ok(()))?)
}

/// Moves the journal into the file. Readers may keep part of it from being moved, which is no fault.
fn fold_journal(conn: &Connection) -> DatabaseResult<()> {
    Ok(conn.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(()))?)
}

/// Touches the root of every table and index: gross damage shows here and not in the middle of a crawl.
fn check_tables(conn: &Connection) -> DatabaseResult<()> {
    let tables: Vec<String> = conn
        .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")?
        .query_map([], |row| row.get(0))?
        .collect::<rusqlite::Result<_>>()?;
    for table in tables {
        conn.prepare(&format!("SELECT 1 FROM \"{table}\" LIMIT 1"))?.exists([])?;
    }
    Ok(())
}

fn read_pragma(conn: &Connection, name: &str) -> DatabaseResult<i64> {
    Ok(conn.query_row(&format!("PRAGMA {name}"), [], |row| row.get(0))?)
}
