//! The writing connection and its state in memory.
//!
//! Memory changes only after the transaction is committed; if it fails, nothing has changed.

use super::super::shared::moment::to_micros;
use super::super::shared::{batch as catalogue, robots, seeds, tasks};
use super::clear;
use super::database_error::{DatabaseError, DatabaseResult};
use super::frontier::FrontierBatch;
use super::hosts::HostIdCache;
use super::options::StoreOptions;
use super::seen::{self, KnownUrlSet, LinkHasher};
use crate::sql::Conn;
use geotrawl_model::{
    AddedLinks, CommitSummary, CrawlBatch, FinishedItem, FrontierEntryId, HostId, NewLink, OpenTask,
    RunCounters, RunId, Seed, TaskSpec, TaskState,
};
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, Transaction, TransactionBehavior};
use std::collections::{HashMap, HashSet};

/// Items moved from inboxes to queues per transaction, approximately.
const SETTLED_AT_ONCE: u32 = 5_000;

/// The writing connection.
pub(super) struct StoreWriter {
    conn: Connection,
    options: StoreOptions,
    keys: LinkHasher,
    seen: HashMap<RunId, KnownUrlSet>,
    hosts: HostIdCache,
    /// Hosts that have been given work: new links to them go straight to the queue.
    active: HashMap<RunId, HashSet<HostId>>,
    next_item: FrontierEntryId,
}

impl StoreWriter {
    /// Wraps a connection to a file of the current version.
    pub fn new(conn: Connection, options: StoreOptions) -> DatabaseResult<Self> {
        let secret: Vec<u8> = read_setting(&conn, "seen_key")?;
        let secret: [u8; 16] = secret.try_into().map_err(|_bytes: Vec<u8>| lost_setting("seen_key"))?;
        let next_item = read_setting(&conn, "next_item")?;
        Ok(Self {
            keys: LinkHasher::new(&secret),
            seen: HashMap::new(),
            hosts: HostIdCache::with_limit(options.host_names),
            active: HashMap::new(),
            next_item,
            conn,
            options,
        })
    }

    /// Opens a task and loads the known URLs of its run.
    pub fn open_task(&mut self, spec: &TaskSpec, now: Timestamp) -> DatabaseResult<OpenTask> {
        let task = self.in_transaction(|tx| tasks::open_task(Conn::from(tx), spec, now))?;
        for old in tasks::superseded_runs(Conn::from(&self.conn))? {
            clear::clear_pending(&self.conn, old)?;
        }
        for old in seen::runs_to_forget(&self.conn)? {
            seen::forget_run(&self.conn, old)?;
        }
        self.load_seen(task.run)?;
        Ok(task)
    }

    /// Sets the state of a run. A finished run drops its known URLs.
    pub fn set_task_state(&mut self, run: RunId, state: TaskState, now: Timestamp) -> DatabaseResult<()> {
        self.in_transaction(|tx| tasks::write_state(Conn::from(tx), run, state, now))?;
        if state == TaskState::Finished {
            self.seen.remove(&run);
            self.active.remove(&run);
            seen::forget_run(&self.conn, run)?;
        }
        Ok(())
    }

    /// Runs `work` in one transaction. It must not change the frontier of an open run.
    pub fn in_transaction<T>(
        &mut self,
        work: impl FnOnce(&Connection) -> DatabaseResult<T>,
    ) -> DatabaseResult<T> {
        let tx = Transaction::new_unchecked(&self.conn, TransactionBehavior::Immediate)?;
        let value = work(&tx)?;
        tx.commit()?;
        Ok(value)
    }

    /// Drops the known URLs of finished runs.
    pub fn forget_runs(&mut self, runs: &[RunId]) -> DatabaseResult<()> {
        for run in runs {
            self.seen.remove(run);
            self.active.remove(run);
            seen::forget_run(&self.conn, *run)?;
        }
        Ok(())
    }

    /// Removes the frontier of runs that are over.
    pub fn clear_runs(&mut self, runs: &[RunId]) -> DatabaseResult<()> {
        self.forget_runs(runs)?;
        runs.iter().try_for_each(|run| clear::clear_pending(&self.conn, *run))
    }

    /// Adds links in one transaction.
    pub fn add_links(&mut self, run: RunId, links: &[NewLink]) -> DatabaseResult<AddedLinks> {
        self.transact(run, |batch, tools| {
            let added = batch.add_links(links.iter(), tools.keys, tools.seen, tools.hosts, tools.active)?;
            let counted = RunCounters { known: added.new, hosts: batch.new_hosts, ..RunCounters::default() };
            tasks::add_counters(Conn::from(tools.tx), run, &counted, batch.pending)?;
            Ok(added)
        })
    }

    /// Commits a batch in one transaction.
    pub fn commit(&mut self, batch: &CrawlBatch) -> DatabaseResult<CommitSummary> {
        let penalty = self.options.retry_penalty;
        self.transact(batch.run, |frontier, tools| {
            let mut committed = CommitSummary::default();
            let mut counted = RunCounters::default();
            let mut taken: Vec<&FinishedItem> = Vec::with_capacity(batch.done.len());
            for done in &batch.done {
                if close_item(frontier, batch, done, penalty, &mut counted)? {
                    taken.push(done);
                } else {
                    committed.ignored += 1;
                    committed.left_out.push(done.item.id);
                }
            }
            let links = taken.iter().flat_map(|done| &done.links);
            committed.added = frontier.add_links(links, tools.keys, tools.seen, tools.hosts, tools.active)?;
            let tx = Conn::from(tools.tx);
            for record in &batch.robots {
                let host = tools.hosts.id_of(tools.tx, &record.host)?;
                robots::save_robots(tx, host, record)?;
            }
            committed.resources = catalogue::record_results(tx, batch, &taken)?;
            counted.known = committed.added.new;
            counted.hosts = frontier.new_hosts;
            catalogue::count_batch(tx, batch, &taken, &committed.resources, counted, frontier.pending)?;
            Ok(committed)
        })
    }

    /// Moves the inboxes of these hosts to their queues, where items can be read in order. Stops
    /// early if there are many, so that a commit never waits long.
    pub fn move_inboxes_to_queues(&mut self, run: RunId, hosts: &[HostId]) -> DatabaseResult<()> {
        let settled = self.transact(run, |batch, _| {
            let (mut settled, mut items) = (Vec::new(), 0);
            for host in hosts {
                if items >= SETTLED_AT_ONCE {
                    break;
                }
                items += batch.move_inbox_to_queue(*host)?;
                settled.push(*host);
            }
            Ok(settled)
        })?;
        let active = self.active.entry(run).or_default();
        // Forgetting active hosts is harmless: new links just go through their inboxes again.
        if active.len() >= self.options.host_names {
            active.clear();
        }
        active.extend(settled);
        Ok(())
    }

    /// Adds seeds to a list.
    pub fn import_seeds(
        &mut self,
        list: &str,
        source: &str,
        seeds: &[Seed],
        now: Timestamp,
    ) -> DatabaseResult<u64> {
        self.in_transaction(|tx| seeds::import_seeds(Conn::from(tx), list, source, seeds, now))
    }

    /// Limits the size of the file.
    pub fn limit_size(&mut self, bytes: Option<u64>) -> DatabaseResult<()> {
        super::open::limit_size(&self.conn, bytes)
    }

    /// Returns the approximate memory used by the known-URL sets.
    pub fn known_url_bytes(&self) -> usize {
        self.seen.values().map(KnownUrlSet::memory_bytes).sum()
    }

    /// Runs `work` on the frontier of a run in one transaction, then applies its effects to memory.
    fn transact<T>(
        &mut self,
        run: RunId,
        work: impl FnOnce(&mut FrontierBatch<'_>, &mut BatchContext<'_>) -> DatabaseResult<T>,
    ) -> DatabaseResult<T> {
        self.load_seen(run)?;
        let Some(seen) = self.seen.get_mut(&run) else {
            return Err(DatabaseError::Inconsistent(format!("run {run} is not open")));
        };
        let result = (|| {
            let tx = Transaction::new_unchecked(&self.conn, TransactionBehavior::Immediate)?;
            let mut batch = FrontierBatch::new(run, &tx, self.next_item);
            let active = self.active.entry(run).or_default();
            let mut tools = BatchContext { tx: &tx, keys: &self.keys, seen, hosts: &mut self.hosts, active };
            let value = work(&mut batch, &mut tools)?;
            batch.write_hosts()?;
            let (next_item, new_keys) = (batch.next_item, batch.new_keys);
            if next_item != self.next_item {
                tx.prepare_cached("UPDATE meta SET value = ?1 WHERE key = 'next_item'")?
                    .execute([next_item])?;
            }
            seen.append_log(&tx, &new_keys)?;
            tx.commit()?;
            Ok((value, next_item, new_keys))
        })();
        match result {
            Ok((value, next_item, new_keys)) => {
                self.next_item = next_item;
                seen.add_committed_keys(&new_keys);
                // The batch is committed; failed maintenance is retried with the next batch.
                if !new_keys.is_empty()
                    && let Err(fault) = seen.maintain(&self.conn, new_keys.len())
                {
                    tracing::warn!(
                        run,
                        cause = fault.cause(),
                        "cannot maintain the known-URL set, will retry"
                    );
                }
                Ok(value)
            }
            Err(fault) => {
                // Some cached ids may belong to the failed transaction.
                self.hosts.clear();
                Err(fault)
            }
        }
    }

    fn load_seen(&mut self, run: RunId) -> DatabaseResult<()> {
        if !self.seen.contains_key(&run) {
            tasks::read_counters(Conn::from(&self.conn), run)?;
            self.seen.insert(run, KnownUrlSet::load(&self.conn, run, self.options.seen)?);
        }
        Ok(())
    }
}

/// Reads a setting that every store has from the start.
fn read_setting<T: rusqlite::types::FromSql>(conn: &Connection, key: &str) -> DatabaseResult<T> {
    let value =
        conn.query_row("SELECT value FROM meta WHERE key = ?1", [key], |row| row.get(0)).optional()?;
    value.ok_or_else(|| lost_setting(key))
}

fn lost_setting(key: &str) -> DatabaseError {
    DatabaseError::Inconsistent(format!("the file is damaged: setting {key} is missing; restore a backup"))
}

/// State that a batch works with.
struct BatchContext<'a> {
    tx: &'a Connection,
    keys: &'a LinkHasher,
    seen: &'a mut KnownUrlSet,
    hosts: &'a mut HostIdCache,
    active: &'a HashSet<HostId>,
}

/// Closes an item or puts it back. Returns `false` if it was not pending.
fn close_item(
    frontier: &mut FrontierBatch<'_>,
    batch: &CrawlBatch,
    done: &FinishedItem,
    penalty: u32,
    counted: &mut RunCounters,
) -> DatabaseResult<bool> {
    let (item, outcome) = (&done.item, &done.outcome);
    if !frontier.take_item(item)? {
        tracing::warn!(item = item.id, url = item.url, "ignored a finished item that is not pending");
        return Ok(false);
    }
    catalogue::count_item(done, counted);
    if outcome.retry {
        frontier.put_back(item, penalty)?;
        return Ok(true);
    }
    frontier.write_page(done, to_micros(batch.now))?;
    Ok(true)
}
