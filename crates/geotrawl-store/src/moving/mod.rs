//! Moving a whole store: from a file to a database, back, or to another of its kind.
//!
//! Rows are streamed, table by table, out of one consistent state of the source into an empty target, which is not
//! taken for a store before everything was read back and compared. Ids, numbers and sequences stay, so that whoever
//! follows events or changes goes on where they were.

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
use crate::backend::shared::fault::{DatabaseError, DatabaseResult, ErrorContext};
use crate::sql::{Conn, PgClient, Value};
use geotrawl_model::{RunId, StoreError};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tables::{TABLES, TableSpec};

const DOING: &str = "copying a store";
/// Rows between two words about progress.
const TOLD_EVERY: u64 = 2_000;
/// A database that writes an index may be silent for so long.
const SILENCE: Duration = Duration::from_mins(30);

/// A table that is copied, for whoever compares the list of them with a schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CopiedTable {
    pub name: &'static str,
    pub columns: Vec<&'static str>,
    /// The engine gives the numbers of its first column.
    pub counted: bool,
    /// PostgreSQL has it by shard.
    pub sharded: bool,
}

/// All tables that are copied.
pub fn copied_tables() -> Vec<CopiedTable> {
    let list = |table: &TableSpec| CopiedTable {
        name: table.name,
        columns: table.columns().collect(),
        counted: table.counted,
        sharded: table.is_sharded(),
    };
    TABLES.iter().map(list).collect()
}

/// Where a store is, or will be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CopyEndpoint {
    /// A data directory.
    Directory(PathBuf),
    /// A database: `postgres://…`.
    Database(String),
}

impl CopyEndpoint {
    /// For people, without secrets.
    pub fn redacted(&self) -> String {
        match self {
            Self::Directory(path) => path.display().to_string(),
            Self::Database(url) => location::redact_url(url),
        }
    }
}

/// Why a copy was not made.
#[derive(Debug, thiserror::Error)]
pub enum CopyError {
    /// It may not be made; says what to do.
    #[error("{0}")]
    Refused(String),
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// What is being done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CopyProgress {
    /// `copying` or `comparing`.
    pub doing: &'static str,
    pub table: &'static str,
    /// Rows so far.
    pub rows: u64,
}

/// A copy that was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CopyReport {
    /// Every table, compared; known links last.
    pub tables: Vec<TableComparison>,
    /// Texts that hold a character zero, which PostgreSQL cannot keep: it became U+FFFD.
    pub altered: u64,
}

impl CopyReport {
    /// Whether the target holds what the source held. Only then it is a store.
    pub fn is_same(&self) -> bool {
        self.tables.iter().all(TableComparison::is_same)
    }
}

/// Copies everything. `snapshot`: also when other processes work on the source; then it is the state of this moment.
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
                    "other processes work on {}, or were killed less than three minutes ago; stop them, or copy the \
                     state of this moment with --snapshot",
                    pool.location().shown
                )));
            }
            disable_timeouts(client).with_operation(DOING)?;
            copy_from(Conn::from(client), to, tell)
        }
    }
}

/// Copies the file of a data directory into another, as it is at this moment, also while a process writes it.
pub fn back_up(from: &Path, to: &Path) -> Result<(), CopyError> {
    refuse_occupied(to)?;
    Ok(copying::back_up(from, to)?)
}

fn open_file(path: &Path, snapshot: bool) -> Result<(Option<WriterLock>, rusqlite::Connection), StoreError> {
    let place = FilePlace::in_directory(path);
    // Before the lock, which would make the directory.
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

/// Only the very version that this program knows is copied whole.
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
                "it has schema version {found} and must be brought to {known} by a command that writes, such as worker"
            ),
        }),
        None => Err(StoreError::Open { path, cause: "there is no store yet".to_owned() }),
    }
}

/// Refuses a copy that was not finished.
pub(crate) fn check_complete(client: &PgClient, location: &DatabaseLocation) -> Result<(), StoreError> {
    let marked: DatabaseResult<bool> = (|| Ok(Conn::from(client).prepare_cached(MARKED)?.exists([])?))();
    if marked.with_operation("opening the store")? {
        return Err(StoreError::Incomplete { path: location.shown.clone() });
    }
    Ok(())
}

const MARKED: &str = "SELECT 1 FROM meta WHERE key = 'copying'";

/// Whether processes crawl into it.
fn is_used(client: &PgClient) -> DatabaseResult<bool> {
    Ok(Conn::from(client)
        .prepare_cached(
            "SELECT 1 FROM process WHERE expires > now() \
             UNION ALL SELECT 1 FROM host WHERE owner IS NOT NULL AND expires > now() LIMIT 1",
        )?
        .exists([])?)
}

/// Lets a transaction wait for the other side for as long as it takes.
fn disable_timeouts(client: &PgClient) -> DatabaseResult<()> {
    Ok(client.execute_batch("SET idle_in_transaction_session_timeout = 0; SET statement_timeout = 0")?)
}

fn refuse_occupied(directory: &Path) -> Result<(), CopyError> {
    if FilePlace::in_directory(directory).database.exists() {
        return Err(CopyError::Refused(format!(
            "there is a store in {} already; name an empty directory, or move that one away",
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
        return Err(CopyError::Refused(format!("another copy into {} is under way", location.shown)));
    }
    if let Some(table) = read::find_occupied_table(target).with_operation(DOING)? {
        return Err(CopyError::Refused(format!(
            "the store at {} is not empty (it has rows in {table}); name an empty database, or another schema of this one \
             with ?schema=NAME",
            location.shown
        )));
    }
    // Seen by all others until the copy is whole.
    let mark = "INSERT INTO meta (key, value) VALUES ('copying', 1) ON CONFLICT (key) DO NOTHING";
    target.execute(mark, []).map_err(DatabaseError::from).with_operation(DOING)?;
    let snapshot = from.snapshot().map_err(DatabaseError::from).with_operation(DOING)?;
    let copied: DatabaseResult<CopyReport> = (|| {
        let tx = target.transaction()?;
        let copied = transfer(snapshot.conn(), tx.conn(), tell, || Ok(()))?;
        if copied.is_same() {
            tx.conn().execute("DELETE FROM meta WHERE key = 'copying'", [])?;
            tx.commit()?;
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
            counters.push((table, read::read_counter(from, table)?));
        }
    }
    let runs = read::open_runs(from)?;
    keys::write_known_links(from, to, &runs, &mut |rows| report_progress(tell, "copying", KNOWN, rows))?;
    write::write_counters(to, &counters, read::read_last_numbers(from)?)?;
    indexes()?;
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
    // What cannot be kept is lost only where it cannot be kept.
    let altered = if matches!(to, Conn::Pg(_)) { altered } else { 0 };
    Ok(CopyReport { tables, altered })
}

/// How known links are called among the tables.
const KNOWN: &str = "known links";

/// Known links of both sides: the keys differ, so each side's are compared with its own items, which are the same.
fn compare_known_links(
    from: Conn<'_>,
    to: Conn<'_>,
    runs: &BTreeSet<RunId>,
) -> DatabaseResult<TableComparison> {
    let word = |same| if same { "as the items".to_owned() } else { "not as the items".to_owned() };
    let ((source, well), (target, kept)) =
        (keys::compare_with_items(from, runs)?, keys::compare_with_items(to, runs)?);
    if !well {
        return Err(DatabaseError::Inconsistent(
            "the known links of an unfinished crawl are not those of its items, so that they cannot be carried over; \
             let the crawls end or remove them, then copy again"
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
