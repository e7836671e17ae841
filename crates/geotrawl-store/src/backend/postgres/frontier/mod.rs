//! The frontier of the shared store.
//!
//! A batch is written by a few statements, each for one table and sorted by key. Every transaction
//! takes its locks in this order, which prevents deadlocks: rows of `host` (leases of the hosts
//! whose items it closes), keys of `seen`, rows of `host_run`, the row of the run, the catalogue.

mod commit;
mod held_leases;
mod hosts;
mod leases;
mod numbers;
mod other_processes;
#[cfg(test)]
mod plans;
pub(crate) mod read;
mod rows;
mod seen;
mod session;
pub mod shard;
#[cfg(test)]
mod tests;
pub(crate) mod upkeep;

pub(crate) use commit::FrontierCommit;
pub use held_leases::LeaseOptions;
pub(crate) use numbers::BLOCK as ITEM_BLOCK;
pub(crate) use seen::link_key as known_key;

use crate::backend::shared::database_error::{DatabaseError, DatabaseResult};
use crate::sql::Conn;
use geotrawl_model::{AddedLinks, CrawlBatch, HostId, HostWork, NewLink, RunId};
use pollster::block_on;
use session::Session;
use std::collections::HashMap;
use std::time::Duration;

/// Limits of a process's frontier caches.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FrontierOptions {
    pub leases: LeaseOptions,
    /// Host names whose ids are kept in memory.
    pub host_names: usize,
    /// Keys of known links kept in memory for each run, rounded up to a power of two.
    pub hot_keys: usize,
    /// Added to the priority of an item that is queued again after a failure.
    pub retry_penalty: u32,
}

impl Default for FrontierOptions {
    fn default() -> Self {
        Self { leases: LeaseOptions::default(), host_names: 200_000, hot_keys: 1 << 19, retry_penalty: 1000 }
    }
}

/// One process's view of the frontier: its leases and caches. Every method runs its own
/// transactions on the given connection.
pub(crate) struct SharedFrontier {
    loans: held_leases::HeldLeases,
    hosts: hosts::SharedHostIdCache,
    seen: seen::KnownLinkCache,
    numbers: numbers::ItemNumbers,
    retry_penalty: u32,
}

impl SharedFrontier {
    /// Creates the state of a new process; `secret` is the store's hashing secret.
    pub fn new(secret: &[u8; 16], options: &FrontierOptions) -> Self {
        Self {
            loans: held_leases::HeldLeases::new(options.leases),
            hosts: hosts::SharedHostIdCache::with_limit(options.host_names),
            seen: seen::KnownLinkCache::new(secret, options.hot_keys),
            numbers: numbers::ItemNumbers::default(),
            retry_penalty: options.retry_penalty,
        }
    }

    /// Returns whether a request to this host would finish before its lease ends.
    pub fn lease_covers_request(&self, host: HostId) -> bool {
        self.loans.lease_covers_request(host)
    }

    /// Adds links; `count` updates the counters of the run at the end of the transaction.
    pub fn add_links(
        &self,
        session: &Session,
        run: RunId,
        links: &[NewLink],
        count: impl FnOnce(Conn<'_>, &FrontierCommit) -> DatabaseResult<()>,
    ) -> DatabaseResult<AddedLinks> {
        let placed = block_on(self.prepare_links(session, run, links))?;
        let part = in_transaction(session, || {
            let part = block_on(self.insert_links(session, run, placed))?;
            count(session.into(), &part)?;
            Ok(part)
        })?;
        self.note_committed(run, &part);
        Ok(part.added)
    }

    /// Commits a batch: first the frontier, then `rest` in the same transaction, which also updates
    /// the counters.
    pub fn commit_batch<T>(
        &self,
        session: &Session,
        batch: &CrawlBatch,
        rest: impl FnOnce(Conn<'_>, &FrontierCommit) -> DatabaseResult<T>,
    ) -> DatabaseResult<(FrontierCommit, T)> {
        let placed = block_on(self.prepare_batch_links(session, batch))?;
        let (part, value) = in_transaction(session, || {
            let part = block_on(self.write_batch(session, batch, placed))?;
            let value = rest(session.into(), &part)?;
            Ok((part, value))
        })?;
        self.note_committed(batch.run, &part);
        Ok((part, value))
    }

    /// Returns ids of hosts by name, creating new hosts. Must not be called within a transaction.
    pub fn host_ids<'n>(
        &self,
        session: &Session,
        names: impl Iterator<Item = &'n str>,
    ) -> DatabaseResult<HashMap<&'n str, HostId>> {
        block_on(self.hosts.find_or_create(session, names))
    }

    /// Leases and returns hosts with pending items, best head first.
    pub fn hosts_with_work(
        &self,
        session: &Session,
        run: RunId,
        limit: usize,
        skip: &dyn Fn(HostId) -> bool,
    ) -> DatabaseResult<Vec<HostWork>> {
        block_on(read::hosts_with_work(session, &self.loans, run, limit, skip))
    }

    /// Renews all leases and returns the hosts that other processes have taken over.
    pub fn renew_leases(&self, session: &Session) -> DatabaseResult<Vec<HostId>> {
        block_on(leases::renew_leases(session, &self.loans))
    }

    /// Releases hosts with their crawl delays. A host that another run of this process uses stays
    /// leased.
    pub fn release_hosts(
        &self,
        session: &Session,
        run: RunId,
        hosts: &[(HostId, Duration)],
    ) -> DatabaseResult<()> {
        let left = self.loans.remove_run(run, hosts);
        block_on(leases::release_hosts(session, &self.loans, &left))
    }

    /// Releases everything this process holds.
    pub fn release_all(&self, session: &Session) -> DatabaseResult<()> {
        block_on(leases::release_all(session, &self.loans))
    }

    /// Claims pages from the budget of a run.
    pub fn claim_pages(&self, session: &Session, run: RunId, most: u64, wanted: i64) -> DatabaseResult<u64> {
        block_on(leases::claim_pages(session, &self.loans, run, most, wanted))
    }

    /// Returns whether another process has leased a host of the run with pending items.
    pub fn has_hosts_held_elsewhere(&self, session: &Session, run: RunId) -> DatabaseResult<bool> {
        block_on(other_processes::other_process_holds_hosts(session, &self.loans, run))
    }

    /// Deletes the known links of a finished run.
    pub fn forget_run(&self, session: &Session, run: RunId) -> DatabaseResult<()> {
        self.seen.forget_run(run);
        upkeep::forget_seen(session, run)
    }
}

/// Runs `work` in one transaction.
fn in_transaction<T>(session: &Session, work: impl FnOnce() -> DatabaseResult<T>) -> DatabaseResult<T> {
    session.begin("BEGIN")?;
    session.end_transaction(work())
}
