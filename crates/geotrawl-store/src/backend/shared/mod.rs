//! Everything but the frontier, with SQL that runs on both engines.
//!
//! Any engine that can run [`crate::sql`] statements ([`SqlEngine`]) becomes a store ([`SqlStore`])
//! by adding queues, known links and leases.

mod accounts;
mod accounts_log;
pub(crate) mod batch;
mod browse;
pub(crate) mod catalogue;
mod changes;
mod collections;
pub(crate) mod database_error;
mod dated;
pub(crate) mod events;
pub(crate) mod explain;
mod focus;
pub(crate) mod frontier;
mod host_locations;
pub(crate) mod hosts;
mod jobs;
mod jobs_live;
mod jobs_remove;
mod mining;
pub(crate) mod moment;
pub(crate) mod monitoring;
pub(crate) mod robots;
mod searches;
pub(crate) mod seeds;
pub(crate) mod statistics;
pub(crate) mod tasks;

use crate::geoip::GeoIpDatabases;
use crate::sql::{Conn, LockDomain};
use database_error::DatabaseResult;
use geotrawl_model::store::Result;
use geotrawl_model::{FrontierEntryId, HarvestedRecord, Host, Record, RecordFilter, RunId, Seed};
use std::collections::HashSet;
use std::ops::Deref;
use std::sync::RwLock;
use std::time::Duration;

/// Records read at a time when visiting all of them.
const RECORDS_PER_SLICE: usize = 100;
/// Seeds read at a time.
const SEEDS_PER_SLICE: usize = 1_000;

/// A store over a database engine.
pub struct SqlStore<E> {
    engine: E,
    /// Cache of the latest statistics.
    counted: statistics::StatisticsCache,
    /// GeoIP databases; set by the caller after opening.
    places: RwLock<GeoIpDatabases>,
}

impl<E> SqlStore<E> {
    pub(super) fn from_engine(engine: E) -> Self {
        Self { engine, counted: statistics::StatisticsCache::default(), places: RwLock::default() }
    }

    /// Sets the GeoIP databases that locate hosts.
    pub fn set_geoip(&self, places: GeoIpDatabases) {
        if let Ok(mut own) = self.places.write() {
            *own = places;
        }
    }

    /// Fills in the location of a host.
    fn locate_host(&self, host: &mut Host) {
        if let Ok(places) = self.places.read() {
            places.locate_host(host);
        }
    }

    /// Returns a record with the location of its host.
    fn with_location(&self, mut record: Record) -> Record {
        self.locate_host(&mut record.host);
        record
    }
}

impl<E> Deref for SqlStore<E> {
    type Target = E;

    fn deref(&self) -> &E {
        &self.engine
    }
}

/// A database engine: runs SQL, and provides what SQL alone cannot.
pub(crate) trait SqlEngine: Send + Sync {
    /// Runs `work` on a reading connection.
    fn read<T>(&self, doing: &str, work: impl FnOnce(Conn<'_>) -> DatabaseResult<T>) -> Result<T>;

    /// Runs `work` in one transaction that is the only writer in this part of the store.
    fn change<T>(
        &self,
        domain: LockDomain,
        doing: &str,
        work: impl FnOnce(Conn<'_>) -> DatabaseResult<T>,
    ) -> Result<T>;

    /// Returns whether the store was opened for writing.
    fn is_writable(&self) -> bool;

    /// See [`geotrawl_model::store::Changes`]. Without notifications, just waits.
    fn wait_for_change(&self, seen: u64, at_most: Duration) -> u64 {
        std::thread::sleep(at_most);
        seen + 1
    }

    /// See [`geotrawl_model::store::Changes`].
    fn is_listening(&self) -> bool {
        false
    }

    /// Deletes the known links of finished runs.
    fn forget_runs(&self, runs: &[RunId]) -> Result<()>;

    /// Deletes pending items and known links of runs that are over.
    fn clear_runs(&self, runs: &[RunId]) -> Result<()>;

    /// Deletes the pages of a run except those in `needed`, and the hosts of the run. Works in
    /// pieces, so that concurrent crawls never wait long.
    fn clear_pages(&self, run: RunId, needed: &HashSet<FrontierEntryId>) -> Result<()>;
}

/// Visits all records that match a filter.
pub(crate) fn visit_records<E: SqlEngine>(
    store: &SqlStore<E>,
    filter: &RecordFilter,
    visit: &mut dyn FnMut(Record) -> bool,
) -> Result<()> {
    let mut after = Some((String::new(), String::new()));
    while let Some(place) = after {
        let (records, next) = store.read("reading records", |conn| {
            catalogue::assemble::read_records_after(conn, &place, RECORDS_PER_SLICE, filter)
        })?;
        for record in records {
            if !visit(store.with_location(record)) {
                return Ok(());
            }
        }
        after = next;
    }
    Ok(())
}

/// Visits the harvested records of one or all catalogues.
pub(crate) fn visit_harvested<E: SqlEngine>(
    store: &SqlStore<E>,
    catalogue: Option<&str>,
    visit: &mut dyn FnMut(HarvestedRecord) -> bool,
) -> Result<()> {
    let mut after = Some(0);
    while let Some(place) = after {
        let (records, next) = store.read("reading harvested records", |conn| {
            catalogue::records::read_slice(conn, place, catalogue, RECORDS_PER_SLICE)
        })?;
        for record in records {
            if !visit(record) {
                return Ok(());
            }
        }
        after = next;
    }
    Ok(())
}

/// Visits the seeds of a list.
pub(crate) fn visit_seeds<E: SqlEngine>(
    store: &SqlStore<E>,
    list: &str,
    visit: &mut dyn FnMut(Seed) -> bool,
) -> Result<()> {
    let mut after = Some(0);
    while let Some(place) = after {
        let (seeds, next) =
            store.read("reading seeds", |conn| seeds::read_slice(conn, list, place, SEEDS_PER_SLICE))?;
        for seed in seeds {
            if !visit(seed) {
                return Ok(());
            }
        }
        after = next;
    }
    Ok(())
}
