//! Copies a whole store: from a file to a database, back, or to another of its kind.
//!
//! Streams rows table by table from a consistent snapshot of the source into an empty target. The
//! target only becomes a store after everything was read back and compared. Ids and sequence
//! numbers stay the same, so followers of events and changes continue where they were.

mod distribute;
mod keys;
mod read;
mod sum;
mod tables;
mod write;

pub(crate) use distribute::count_distributed_tables;
pub use distribute::{DistributionReport, distribute_frontier};
pub use sum::TableComparison;

use crate::StoreOptions;
use crate::backend::embedded::copying::{self, IncompleteStore};
use crate::backend::embedded::open::{StoreFiles as FilePlace, WriterLock};
pub(crate) use crate::backend::postgres::frontier::ITEM_BLOCK;
pub(crate) use crate::backend::postgres::frontier::shard::SHARD_BITS;
use crate::backend::postgres::location::{self, DatabaseLocation};
use crate::backend::postgres::pool::ConnectionPool;
use crate::backend::postgres::schema;
use crate::backend::shared::database_error::{DatabaseError, DatabaseResult, ErrorContext};
use crate::sql::{Conn, PgClient, Value};
use geotrawl_model::{RunId, StoreError};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tables::{TABLES, TableSpec};

const DOING: &str = "copying a store";
/// Rows between two progress reports.
const TOLD_EVERY: u64 = 2_000;
/// Maximum time without an answer. Building an index can keep a database silent this long.
const SILENCE: Duration = Duration::from_mins(30);

/// A copied table, for tests that compare the list of tables with a schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CopiedTable {
    pub name: &'static str,
    pub columns: Vec<&'static str>,
    /// Whether the engine assigns the numbers in the first column.
    pub counted: bool,
    /// Whether the table is keyed by shard in PostgreSQL.
    pub sharded: bool,
}

/// Returns all tables that are copied.
pub fn copied_tables() -> Vec<CopiedTable> {
    let list = |table: &TableSpec| CopiedTable {
        name: table.name,
        columns: table.columns().collect(),
        counted: table.counted,
        sharded: table.is_sharded(),
    };
    TABLES.iter().map(list).collect()
}

/// Location of a store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CopyEndpoint {
    /// A data directory.
    Directory(PathBuf),
    /// A database URL: `postgres://…`.
    Database(String),
}

impl CopyEndpoint {
    /// Returns the location without secrets, for messages.
    pub fn redacted(&self) -> String {
        match self {
            Self::Directory(path) => path.display().to_string(),
            Self::Database(url) => location::redact_url(url),
        }
    }
}

/// Reason why a copy was not made.
#[derive(Debug, thiserror::Error)]
pub enum CopyError {
    /// The copy is not allowed; the message says what to do.
    #[error("{0}")]
    Refused(String),
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Progress of a copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CopyProgress {
    /// `copying` or `comparing`.
    pub doing: &'static str,
    pub table: &'static str,
    /// Rows processed so far.
    pub rows: u64,
}

/// Result of a copy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CopyReport {
    /// Comparison of every table; known links come last.
    pub tables: Vec<TableComparison>,
    /// Texts with a NUL character, which PostgreSQL cannot store; it was replaced by U+FFFD.
    pub altered: u64,
}

impl CopyReport {
    /// Returns whether source and target are equal. Only then does the target become a store.
    pub fn is_same(&self) -> bool {
        self.tables.iter().all(TableComparison::is_same)
    }
}

/// Copies a store. With `snapshot`, other processes may keep using the source; the copy then has
/// its state at the start.
pub fn copy_store(
    from: &CopyEndpoint,
    to: &CopyEndpoint,
    snapshot: bool,
    tell: &mut dyn FnMut(CopyProgress),
) -> Result<CopyReport, CopyError> {
    match from {
        CopyEndpoint::Directory(path) => {
            let (_lock, conn) = open_file(path, snapshot)?;
            copy_from(Conn::from(&conn), to, tell)
        }
        CopyEndpoint::Database(url) => {
            let pool = pool(url)?;
            let place = pool.get().map_err(DatabaseError::from).with_operation(DOING)?;
            let client = place.client().map_err(DatabaseError::from).with_operation(DOING)?;
            check_version(client, pool.location())?;
            if !snapshot && is_used(client).with_operation(DOING)? {
                return Err(CopyError::Refused(format!(
                    "other processes use {}, or were killed less than three minutes ago; stop them, or copy the \
                     current state with --snapshot",
                    pool.location().shown
                )));
            }
            disable_timeouts(client).with_operation(DOING)?;
            copy_from(Conn::from(client), to, tell)
        }
    }
}

/// Copies the database file of one data directory into another, in its current state, even while a
/// process writes to it.
pub fn back_up(from: &Path, to: &Path) -> Result<(), CopyError> {
    refuse_occupied(to)?;
    Ok(copying::back_up(from, to)?)
}

fn open_file(path: &Path, snapshot: bool) -> Result<(Option<WriterLock>, rusqlite::Connection), StoreError> {
    let place = FilePlace::in_directory(path);
    // Open before locking, because locking would create the directory.
    let conn = place.open_reader(&StoreOptions::default())?;
    let lock = if snapshot { None } else { Some(place.lock_for_writing()?) };
    Ok((lock, conn))
}

fn pool(url: &str) -> Result<ConnectionPool, StoreError> {
    let mut location = DatabaseLocation::parse(url)
        .map_err(|cause| StoreError::Open { path: location::redact_url(url), cause })?;
    location.config.tcp_user_timeout(SILENCE);
    ConnectionPool::new(location, 2)
}

/// Refuses a source whose schema version differs from the one this program knows.
fn check_version(client: &PgClient, location: &DatabaseLocation) -> Result<(), StoreError> {
    let (path, known) = (location.shown.clone(), schema::CURRENT);
    match schema::read_version(client).with_operation(DOING)? {
        Some(found) if found == known => check_complete(client, location),
        Some(found) if found > known => {
            Err(StoreError::TooNew { path, found: found as u32, known: known as u32 })
        }
        Some(found) => Err(StoreError::Open {
            path,
            cause: format!(
                "schema version {found} must first be upgraded to {known} by a command that writes, such as worker"
            ),
        }),
        None => Err(StoreError::Open { path, cause: "there is no store yet".to_owned() }),
    }
}

/// Refuses a store whose copy was not finished.
pub(crate) fn check_complete(client: &PgClient, location: &DatabaseLocation) -> Result<(), StoreError> {
    let marked: DatabaseResult<bool> = (|| Ok(Conn::from(client).prepare_cached(MARKED)?.exists([])?))();
    if marked.with_operation("opening the store")? {
        return Err(StoreError::Incomplete { path: location.shown.clone() });
    }
    Ok(())
}

const MARKED: &str = "SELECT 1 FROM meta WHERE key = 'copying'";

/// Returns whether other processes use the store.
fn is_used(client: &PgClient) -> DatabaseResult<bool> {
    Ok(Conn::from(client)
        .prepare_cached(
            "SELECT 1 FROM process WHERE expires > now() \
             UNION ALL SELECT 1 FROM host WHERE owner IS NOT NULL AND expires > now() LIMIT 1",
        )?
        .exists([])?)
}

/// Disables timeouts, because the transaction may wait long for the other side.
fn disable_timeouts(client: &PgClient) -> DatabaseResult<()> {
    Ok(client.execute_batch("SET idle_in_transaction_session_timeout = 0; SET statement_timeout = 0")?)
}

fn refuse_occupied(directory: &Path) -> Result<(), CopyError> {
    if FilePlace::in_directory(directory).database.exists() {
        return Err(CopyError::Refused(format!(
            "{} already holds a store; use an empty directory, or move that store away",
            directory.display()
        )));
    }
    Ok(())
}

fn copy_from(
    from: Conn<'_>,
    to: &CopyEndpoint,
    tell: &mut dyn FnMut(CopyProgress),
) -> Result<CopyReport, CopyError> {
    match to {
        CopyEndpoint::Directory(path) => {
            refuse_occupied(path)?;
            let file = IncompleteStore::begin(path)?;
            let target = Conn::from(file.conn());
            let snapshot = from.snapshot().map_err(DatabaseError::from).with_operation(DOING)?;
            let copied =
                transfer(snapshot.conn(), target, tell, || file.create_indexes()).with_operation(DOING)?;
            drop(snapshot);
            if copied.is_same() {
                file.finish()?;
            }
            Ok(copied)
        }
        CopyEndpoint::Database(url) => {
            let pool = pool(url)?;
            let place = pool.get().map_err(DatabaseError::from).with_operation(DOING)?;
            let client = place.client().map_err(DatabaseError::from).with_operation(DOING)?;
            into_database(from, client, pool.location(), tell)
        }
    }
}

fn into_database(
    from: Conn<'_>,
    client: &PgClient,
    location: &DatabaseLocation,
    tell: &mut dyn FnMut(CopyProgress),
) -> Result<CopyReport, CopyError> {
    let target = Conn::from(client);
    schema::migrate(client, location)?;
    match schema::read_version(client).with_operation(DOING)? {
        Some(found) if found > schema::CURRENT => {
            let (path, known) = (location.shown.clone(), schema::CURRENT as u32);
            return Err(StoreError::TooNew { path, found: found as u32, known }.into());
        }
        _ => {}
    }
    disable_timeouts(client).with_operation(DOING)?;
    if !client.try_session_lock().map_err(DatabaseError::from).with_operation(DOING)? {
        return Err(CopyError::Refused(format!("another copy into {} is in progress", location.shown)));
    }
    if let Some(table) = read::find_occupied_table(target).with_operation(DOING)? {
        return Err(CopyError::Refused(format!(
            "the store at {} is not empty (table {table} has rows); use an empty database, or another schema of this one \
             with ?schema=NAME",
            location.shown
        )));
    }
    // Committed on its own, so that all processes see the mark until the copy is complete.
    let mark = "INSERT INTO meta (key, value) VALUES ('copying', 1) ON CONFLICT (key) DO NOTHING";
    target.execute(mark, []).map_err(DatabaseError::from).with_operation(DOING)?;
    let snapshot = from.snapshot().map_err(DatabaseError::from).with_operation(DOING)?;
    let copied: DatabaseResult<CopyReport> = (|| {
        let tx = target.transaction()?;
        let copied = transfer(snapshot.conn(), tx.conn(), tell, || Ok(()))?;
        if copied.is_same() {
            tx.conn().execute("DELETE FROM meta WHERE key = 'copying'", [])?;
            tx.commit()?;
            // New tables have no statistics yet, so the first queries would get bad plans.
            write::analyze_tables(client)?;
        }
        Ok(copied)
    })();
    Ok(copied.with_operation(DOING)?)
}

/// Copies all tables and compares both sides.
fn transfer(
    from: Conn<'_>,
    to: Conn<'_>,
    tell: &mut dyn FnMut(CopyProgress),
    indexes: impl FnOnce() -> DatabaseResult<()>,
) -> DatabaseResult<CopyReport> {
    let mut altered = 0;
    let mut sums = Vec::with_capacity(TABLES.len());
    let mut counters: Vec<(&TableSpec, i64)> = Vec::new();
    for table in TABLES {
        let (mut sum, ids) = (sum::TableChecksum::default(), table.id_positions());
        write::write_rows(to, table, |put| {
            read::visit_rows(from, table, &mut |row| {
                sum.add_row(row, &ids);
                altered += count_nul_texts(row);
                report_progress(tell, "copying", table.name, sum.rows);
                put(row)
            })
        })?;
        sums.push(sum);
        if table.counted {
            counters.push((table, read::read_last_id(from, table)?));
        }
    }
    let runs = read::unfinished_runs(from)?;
    keys::write_known_links(from, to, &runs, &mut |rows| report_progress(tell, "copying", KNOWN, rows))?;
    write::advance_id_sequences(to, &counters, read::read_last_ids(from)?)?;
    indexes()?;
    // The source was summed while copying, so only the target has to be read again.
    let mut tables = Vec::with_capacity(TABLES.len() + 1);
    for (table, sum) in TABLES.iter().zip(sums) {
        let there = table.compute_checksum(|visit| {
            let mut rows = 0;
            read::visit_rows(to, table, &mut |row| {
                rows += 1;
                report_progress(tell, "comparing", table.name, rows);
                visit(row)
            })
        })?;
        tables.push(TableComparison::new(table.name, sum, there));
    }
    tables.push(compare_known_links(from, to, &runs)?);
    // Only a PostgreSQL target loses NUL characters.
    let altered = if matches!(to, Conn::Pg(_)) { altered } else { 0 };
    Ok(CopyReport { tables, altered })
}

/// Name of the known links in progress reports and comparisons.
const KNOWN: &str = "known links";

/// Compares the known links of both sides. The engines hash differently, so each side is compared
/// with its own items, which are equal.
fn compare_known_links(
    from: Conn<'_>,
    to: Conn<'_>,
    runs: &BTreeSet<RunId>,
) -> DatabaseResult<TableComparison> {
    let word = |same| if same { "same as items".to_owned() } else { "differs from items".to_owned() };
    let ((source, well), (target, kept)) =
        (keys::compare_known_links_with_items(from, runs)?, keys::compare_known_links_with_items(to, runs)?);
    if !well {
        return Err(DatabaseError::Inconsistent(
            "the known links of an unfinished crawl do not match its items, so they cannot be copied; \
             finish or remove unfinished crawls, then copy again"
                .to_owned(),
        ));
    }
    Ok(TableComparison { table: KNOWN, from: source, to: target, from_sum: word(well), to_sum: word(kept) })
}

fn count_nul_texts(row: &[Value<'_>]) -> u64 {
    row.iter().filter(|value| matches!(value, Value::Text(text) if text.contains('\0'))).count() as u64
}

fn report_progress(tell: &mut dyn FnMut(CopyProgress), doing: &'static str, table: &'static str, rows: u64) {
    if rows.is_multiple_of(TOLD_EVERY) {
        tell(CopyProgress { doing, table, rows });
    }
}
