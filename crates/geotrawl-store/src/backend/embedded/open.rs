//! Opens the file: lock, connection settings and a quick health check.

use super::database_error::{DatabaseError, DatabaseResult};
use super::options::{Durability, StoreOptions};
use super::schema;
use geotrawl_model::StoreError;
use geotrawl_model::store::Result;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};
use std::fs::{File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Name of the database file in the data directory.
const DATABASE: &str = "geotrawl.db";
/// Name of the database file while it is being copied.
const INCOMPLETE: &str = "geotrawl.db.incomplete";
/// Name of the lock file.
const LOCK: &str = "geotrawl.lock";
/// Page size of new files. Blocks of the known-URL set are sized to fit one page.
const PAGE_BYTES: u64 = 4096;
/// Prepared statements cached per connection.
const STATEMENTS: usize = 256;
/// How long a connection waits for a short lock of another one (recovery, end of a checkpoint).
const BUSY: Duration = Duration::from_secs(10);
/// How long to wait for the writer's lock before the store counts as in use.
const LOCK_WAIT: Duration = Duration::from_secs(2);
/// Time between two attempts to take the lock.
const LOCK_RETRY: Duration = Duration::from_millis(20);

/// Lock held by the writing process.
pub(crate) struct WriterLock(File);

impl Drop for WriterLock {
    /// Unlocks explicitly: a child process that another thread is just starting inherits the open
    /// file until it runs its own program, and would keep the lock that long.
    fn drop(&mut self) {
        if let Err(error) = self.0.unlock() {
            tracing::warn!(%error, "cannot release the store lock");
        }
    }
}

/// Paths of a store's files.
pub(crate) struct StoreFiles {
    directory: PathBuf,
    pub database: PathBuf,
}

impl StoreFiles {
    /// Returns the paths in a data directory.
    pub fn in_directory(directory: &Path) -> Self {
        Self { directory: directory.to_owned(), database: directory.join(DATABASE) }
    }

    /// Returns the data directory.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// Returns the path of the file while it is being copied into this directory.
    pub fn incomplete_path(&self) -> PathBuf {
        self.directory.join(INCOMPLETE)
    }

    /// Refuses a directory with an unfinished copy.
    fn check_complete(&self) -> Result<()> {
        if !self.database.exists() && self.incomplete_path().exists() {
            return Err(StoreError::Incomplete { path: self.directory.display().to_string() });
        }
        Ok(())
    }

    /// Wraps an error that occurred while opening.
    pub fn open_error(&self, cause: impl std::fmt::Display) -> StoreError {
        StoreError::Open { path: self.directory.display().to_string(), cause: cause.to_string() }
    }

    /// Takes the writer's lock. The operating system releases it when the process ends for any
    /// reason.
    pub fn lock_for_writing(&self) -> Result<WriterLock> {
        std::fs::create_dir_all(&self.directory).map_err(|error| self.open_error(error))?;
        let file = OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .open(self.directory.join(LOCK))
            .map_err(|error| self.open_error(error))?;
        let mut waited = Duration::ZERO;
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(WriterLock(file)),
                // The holder may have been killed while it started a child, which keeps a copy of the open file until it
                // runs its own program. A restart must not fail because of those milliseconds.
                Err(TryLockError::WouldBlock) if waited < LOCK_WAIT => {
                    std::thread::sleep(LOCK_RETRY);
                    waited += LOCK_RETRY;
                }
                Err(TryLockError::WouldBlock) => {
                    return Err(StoreError::Locked { path: self.directory.display().to_string() });
                }
                Err(TryLockError::Error(error)) => return Err(self.open_error(error)),
            }
        }
    }

    /// Opens the writing connection and upgrades the file to the current version.
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
        // Checkpoint an earlier process's journal, so that the following checks see the file
        // itself.
        self.to_open_error(fold_journal(&conn))?;
        self.check_size(&conn)?;
        self.to_open_error(check_tables(&conn))?;
        Ok(conn)
    }

    /// Opens a writing connection next to that of the process with the lock. Leaves the schema and
    /// the journal to that process.
    pub fn open_second_writer(&self, options: &StoreOptions) -> Result<Connection> {
        // A reader requires a sound file of the current version, and so does this connection.
        drop(self.open_reader(options)?);
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let conn = self.to_open_error(open_connection(&self.database, flags, options.reader_cache_bytes))?;
        self.to_open_error(configure_writer(&conn, options))?;
        Ok(conn)
    }

    /// Opens a reading connection, even while another process writes.
    pub fn open_reader(&self, options: &StoreOptions) -> Result<Connection> {
        self.check_complete()?;
        if !self.database.is_file() {
            return Err(self.open_error("there is no store yet; a crawl creates it"));
        }
        self.check_header()?;
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let conn = match open_connection(&self.database, flags, options.reader_cache_bytes) {
            // On a read-only medium SQLite cannot create its journal index. Without a journal there
            // is nothing to index and no writer.
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
            return Err(self.open_error(format!(
                "schema version {found} must first be upgraded to {} by a command that writes, such as crawl",
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

    /// Detects a foreign or truncated file before SQLite touches it.
    fn check_header(&self) -> Result<()> {
        use std::io::Read;
        let Ok(file) = File::open(&self.database) else { return Ok(()) };
        let mut header = Vec::new();
        file.take(100).read_to_end(&mut header).map_err(|error| self.open_error(error))?;
        if header.is_empty() || header.starts_with(b"SQLite format 3\0") && header.len() == 100 {
            return Ok(());
        }
        Err(self.open_error(
            "the file is not a Geotrawl database, or its header is damaged; move it away, restore a \
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
            return Err(self.open_error(
                "the file belongs to another program; move it away or use another --data directory",
            ));
        }
        if found > schema::CURRENT {
            let path = self.directory.display().to_string();
            return Err(StoreError::TooNew { path, found, known: schema::CURRENT });
        }
        Ok(())
    }

    /// Detects a file that is shorter than its header says.
    fn check_size(&self, conn: &Connection) -> Result<()> {
        let pages: i64 = self.to_open_error(read_pragma(conn, "page_count"))?;
        let page: i64 = self.to_open_error(read_pragma(conn, "page_size"))?;
        let length = std::fs::metadata(&self.database).map_err(|error| self.open_error(error))?.len();
        let expected = (pages * page) as u64;
        if length < expected {
            return Err(self.open_error(format!(
                "the file is truncated: {length} of {expected} bytes; restore a backup, or move it away and crawl again"
            )));
        }
        Ok(())
    }

    fn to_open_error<T>(&self, step: DatabaseResult<T>) -> Result<T> {
        step.map_err(|fault| self.open_error(fault.cause()))
    }
}

pub(super) fn open_connection(path: &Path, flags: OpenFlags, cache_bytes: u64) -> DatabaseResult<Connection> {
    let conn = Connection::open_with_flags(path, flags)?;
    conn.busy_timeout(BUSY)?;
    conn.set_prepared_statement_cache_capacity(STATEMENTS);
    // Negative values are KiB, independent of the page size.
    conn.pragma_update(None, "cache_size", -((cache_bytes / 1024).max(64) as i64))?;
    conn.pragma_update(None, "temp_store", "memory")?;
    // With memory-mapped files, disk errors would end the process with a signal.
    conn.pragma_update(None, "mmap_size", 0)?;
    // Query plans must not depend on bound values, so that cached statements stay valid.
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    // A manipulated file must not run functions or virtual tables from its schema.
    conn.pragma_update(None, "trusted_schema", false)?;
    Ok(conn)
}

fn configure_writer(conn: &Connection, options: &StoreOptions) -> DatabaseResult<()> {
    conn.pragma_update(None, "page_size", PAGE_BYTES as i64)?;
    let mode: String = conn.query_row("PRAGMA journal_mode = wal", [], |row| row.get(0))?;
    if mode != "wal" {
        return Err(DatabaseError::Inconsistent(format!(
            "the file system does not support a write-ahead log ({mode})"
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

/// Limits the size of the file; `None` means SQLite's own limit.
pub(super) fn limit_size(conn: &Connection, bytes: Option<u64>) -> DatabaseResult<()> {
    let pages = bytes.map_or(i64::from(u32::MAX) - 1, |bytes| (bytes / PAGE_BYTES).max(1) as i64);
    Ok(conn.query_row(&format!("PRAGMA max_page_count = {pages}"), [], |_| Ok(()))?)
}

/// Checkpoints the journal into the file. Active readers may keep part of it back, which is fine.
fn fold_journal(conn: &Connection) -> DatabaseResult<()> {
    Ok(conn.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(()))?)
}

/// Reads from every table, so that gross damage shows here rather than in the middle of a crawl.
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
