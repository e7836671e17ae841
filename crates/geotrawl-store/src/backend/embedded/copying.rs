//! Copies and backups in progress. They have another file name until they are complete, so that a
//! partial file is never opened as a store.

use super::open::{StoreFiles, WriterLock};
use super::options::StoreOptions;
use super::schema;
use crate::backend::shared::database_error::{DatabaseError, DatabaseResult};
use geotrawl_model::store::Result;
use rusqlite::{Connection, OpenFlags};
use std::fs::File;
use std::path::Path;

/// A store file that is being filled. After a failure it stays in place until the next attempt
/// replaces it.
pub(crate) struct IncompleteStore {
    conn: Connection,
    place: StoreFiles,
    /// Statements that create the indexes.
    indexes: Vec<String>,
    _lock: WriterLock,
}

impl IncompleteStore {
    /// Creates a file with all tables but no indexes. The caller has checked that the directory
    /// holds no store.
    pub fn begin(directory: &Path) -> Result<Self> {
        let place = StoreFiles::in_directory(directory);
        let lock = place.lock_for_writing()?;
        remove_leftovers(&place).map_err(|error| place.open_error(error))?;
        let (conn, indexes) =
            create(&place.incomplete_path()).map_err(|fault| place.open_error(fault.cause()))?;
        Ok(Self { conn, place, indexes, _lock: lock })
    }

    /// Returns the connection that fills the file.
    pub fn conn(&self) -> &Connection {
        &self.conn
    }

    /// Creates the indexes, after all rows are written.
    pub fn create_indexes(&self) -> DatabaseResult<()> {
        Ok(self.indexes.iter().try_for_each(|sql| self.conn.execute_batch(sql))?)
    }

    /// Closes the file and makes it the store of its directory.
    pub fn finish(self) -> Result<()> {
        let Self { conn, place, .. } = self;
        conn.close().map_err(|(_, error)| place.open_error(error))?;
        publish_file(&place).map_err(|error| place.open_error(error))
    }
}

fn create(path: &Path) -> DatabaseResult<(Connection, Vec<String>)> {
    let flags =
        OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut conn = super::open::open_connection(path, flags, StoreOptions::default().cache_bytes)?;
    // If anything fails before the end, the file is discarded, so it needs no journal.
    let fast = "PRAGMA page_size = 4096; PRAGMA journal_mode = off; PRAGMA synchronous = off; PRAGMA locking_mode = exclusive";
    conn.execute_batch(fast)?;
    schema::migrate(&mut conn)?;
    // Building indexes after all rows are written is faster than maintaining them meanwhile.
    let indexes: Vec<(String, String)> = conn
        .prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL")?
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect::<rusqlite::Result<_>>()?;
    for (name, _) in &indexes {
        conn.execute_batch(&format!("DROP INDEX \"{name}\""))?;
    }
    Ok((conn, indexes.into_iter().map(|(_, sql)| sql).collect()))
}

/// Removes the files of an earlier attempt.
fn remove_leftovers(place: &StoreFiles) -> std::io::Result<()> {
    for end in ["", "-journal", "-wal", "-shm"] {
        let mut path = place.incomplete_path().into_os_string();
        path.push(end);
        match std::fs::remove_file(path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    Ok(())
}

/// Renames a complete file to its final name after its bytes have reached the disk.
fn publish_file(place: &StoreFiles) -> std::io::Result<()> {
    File::open(place.incomplete_path())?.sync_all()?;
    std::fs::rename(place.incomplete_path(), &place.database)?;
    File::open(place.directory())?.sync_all()
}

/// Copies the database file of one directory into another in its current state, even while a
/// process writes to it.
pub(crate) fn back_up(from: &Path, to: &Path) -> Result<()> {
    let (source, target) = (StoreFiles::in_directory(from), StoreFiles::in_directory(to));
    let reader = source.open_reader(&StoreOptions::default())?;
    let _lock = target.lock_for_writing()?;
    remove_leftovers(&target).map_err(|error| target.open_error(error))?;
    let path = target.incomplete_path();
    let copied = (|| {
        reader.execute("VACUUM INTO ?1", [path.to_str().ok_or_else(not_utf8)?])?;
        let copy = Connection::open_with_flags(&path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        let found: Vec<String> = copy
            .prepare("PRAGMA integrity_check(3)")?
            .query_map([], |row| row.get(0))?
            .collect::<rusqlite::Result<_>>()?;
        if found == ["ok"] { Ok(()) } else { Err(DatabaseError::Inconsistent(found.join("; "))) }
    })();
    copied.map_err(|fault| target.open_error(fault.cause()))?;
    publish_file(&target).map_err(|error| target.open_error(error))
}

fn not_utf8() -> DatabaseError {
    DatabaseError::Inconsistent("the path is not valid UTF-8".to_owned())
}
