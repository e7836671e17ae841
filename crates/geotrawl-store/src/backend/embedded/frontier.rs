//! Queues of hosts. Collects the changes of a batch and writes them once per host.

use super::super::shared::frontier::QueueRow;
use super::super::shared::hosts;
use super::database_error::DatabaseResult;
use super::hosts::HostIdCache;
use super::inbox;
use super::seen::{KnownUrlSet, LinkHasher};
use crate::sql::{Conn, insert};
use geotrawl_model::{AddedLinks, FinishedItem, FrontierEntry, FrontierEntryId, HostId, NewLink, RunId};
use rusqlite::{Connection, OptionalExtension, params};
use std::collections::{BTreeMap, HashMap, HashSet};

/// Changes of a batch to the frontier of a run, held in memory until its transaction ends.
pub(super) struct FrontierBatch<'a> {
    run: RunId,
    tx: &'a Connection,
    hosts: BTreeMap<HostId, HostRunRow>,
    names: HashMap<HostId, String>,
    /// Next id to assign.
    pub next_item: FrontierEntryId,
    /// Keys that were not known before.
    pub new_keys: Vec<u128>,
    /// Number of hosts that are new in this run.
    pub new_hosts: u64,
    /// Change of the number of pending items.
    pub pending: i64,
}

/// A row of `host_run` with pending changes.
#[derive(Default)]
struct HostRunRow {
    stored: bool,
    stored_best: Option<u32>,
    pending: i64,
    done: i64,
    last_page: Option<FrontierEntryId>,
    inbox: Option<FrontierEntryId>,
    inbox_length: u32,
    best: Option<u32>,
    /// The head of the queue may have been closed, so the new head must be looked up.
    head_closed: bool,
}

/// A new link with its host and id.
struct NewQueueItem<'l> {
    host: HostId,
    id: FrontierEntryId,
    link: &'l NewLink,
}

impl<'a> FrontierBatch<'a> {
    /// Creates an empty batch.
    pub fn new(run: RunId, tx: &'a Connection, next_item: FrontierEntryId) -> Self {
        Self {
            run,
            tx,
            hosts: BTreeMap::new(),
            names: HashMap::new(),
            next_item,
            new_keys: Vec::new(),
            new_hosts: 0,
            pending: 0,
        }
    }

    /// Takes an item out of its queue. Returns `false` if it is not there because it was closed
    /// before.
    pub fn take_item(&mut self, item: &FrontierEntry) -> DatabaseResult<bool> {
        let taken = self
            .tx
            .prepare_cached("DELETE FROM queue WHERE run = ?1 AND host = ?2 AND priority = ?3 AND id = ?4")?
            .execute(params![self.run, item.host, item.priority, item.id])?;
        if taken == 0 {
            // Callers only hold items that were read from the queue, so it cannot be in the inbox.
            return Ok(false);
        }
        let host = self.host(item.host)?;
        host.pending -= 1;
        host.head_closed |= host.best.is_none_or(|best| item.priority <= best);
        self.pending -= 1;
        Ok(true)
    }

    /// Puts an item back for another attempt, behind items of its own priority.
    pub fn put_back(&mut self, item: &FrontierEntry, penalty: u32) -> DatabaseResult<()> {
        let row = QueueRow::from_retry(item, self.path(item)?, penalty);
        insert_item(self.tx, self.run, &row)?;
        self.note_gained(item.host, row.priority, 1)
    }

    /// Writes a finished item as the latest page of its host.
    pub fn write_page(&mut self, done: &FinishedItem, at: i64) -> DatabaseResult<()> {
        let host = self.host(done.item.host)?;
        host.done += 1;
        let previous = host.last_page.replace(done.item.id);
        let (run, tx) = (self.run, self.tx);
        insert_page(tx, run, done, previous, self.path(&done.item)?, at)
    }

    /// Returns the part of an item's URL that is stored.
    fn path<'i>(&mut self, item: &'i FrontierEntry) -> DatabaseResult<&'i str> {
        use std::collections::hash_map::Entry;
        let name = match self.names.entry(item.host) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => entry.insert(hosts::read_name(Conn::from(self.tx), item.host)?),
        };
        Ok(hosts::stored_path(name, &item.url))
    }

    /// Adds new links to the frontier and counts known ones.
    pub fn add_links<'l>(
        &mut self,
        links: impl Iterator<Item = &'l NewLink> + Clone,
        keys: &LinkHasher,
        seen: &mut KnownUrlSet,
        host_ids: &mut HostIdCache,
        active: &HashSet<HostId>,
    ) -> DatabaseResult<AddedLinks> {
        let hashes: Vec<u128> = links.clone().map(|link| keys.hash_link(&link.key)).collect();
        let flags = seen.find_new(self.tx, &hashes)?;
        let mut fresh: Vec<NewQueueItem<'l>> = Vec::new();
        let mut last: Option<(&str, HostId)> = None;
        for ((link, key), _) in links.zip(&hashes).zip(&flags).filter(|(_, new)| **new) {
            let host = match last {
                Some((name, id)) if name == link.host => id,
                _ => host_ids.id_of(self.tx, &link.host)?,
            };
            last = Some((&link.host, host));
            fresh.push(NewQueueItem { host, id: self.next_item, link });
            self.next_item += 1;
            self.new_keys.push(*key);
        }
        let added = fresh.len() as u64;
        let probes = count_probes(&fresh);
        // Table order, so that adjacent rows are written together.
        fresh.sort_unstable_by_key(|new| (new.host, new.link.priority, new.id));
        let mut heads: Vec<(HostId, u32)> = Vec::new();
        let mut strewn: Vec<&NewQueueItem<'l>> = Vec::new();
        for of_host in fresh.chunk_by(|a, b| a.host == b.host) {
            let Some(first) = of_host.first() else { continue };
            heads.push((first.host, first.link.priority));
            // Sorted by priority, so the first link is the best.
            self.note_gained(first.host, first.link.priority, of_host.len())?;
            if active.contains(&first.host) {
                for new in of_host {
                    insert_item(self.tx, self.run, &QueueRow::from_link(new.link, new.host, new.id))?;
                }
            } else {
                strewn.extend(of_host);
            }
        }
        // By id, because the chains of inboxes must lead from newer to older items.
        strewn.sort_unstable_by_key(|new| new.id);
        for new in strewn {
            let (run, tx) = (self.run, self.tx);
            let host = self.host(new.host)?;
            let row = QueueRow::from_link(new.link, new.host, new.id);
            inbox::append_item(tx, run, host.inbox.replace(new.id), &row)?;
            host.inbox_length += 1;
        }
        let hosts = heads.iter().map(|(host, _)| *host).collect();
        Ok(AddedLinks { new: added, known: hashes.len() as u64 - added, hosts, heads, probes })
    }

    /// Writes the changed hosts.
    pub fn write_hosts(&mut self) -> DatabaseResult<()> {
        // The head of a queue can only be looked up after its inbox was moved into it.
        let unsettled = |host: &HostRunRow| {
            host.inbox_length > inbox::CHAIN_LIMIT || host.head_closed && host.inbox.is_some()
        };
        let due: Vec<HostId> =
            self.hosts.iter().filter(|(_, host)| unsettled(host)).map(|(id, _)| *id).collect();
        for id in due {
            self.move_inbox_to_queue(id)?;
        }
        let mut head = self.tx.prepare_cached(
            "SELECT priority FROM queue WHERE run = ?1 AND host = ?2 ORDER BY priority, id LIMIT 1",
        )?;
        let mut insert = self.tx.prepare_cached(
            "INSERT INTO host_run (run, host, pending, done, last_page, inbox, inbox_length, best_priority) \
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
        )?;
        // Two updates, because setting the indexed column rewrites its index entry even if the
        // value is unchanged.
        let mut update = self.tx.prepare_cached(
            "UPDATE host_run SET pending = ?3, done = ?4, last_page = ?5, inbox = ?6, inbox_length = ?7 \
             WHERE run = ?1 AND host = ?2",
        )?;
        let mut update_head = self.tx.prepare_cached(
            "UPDATE host_run SET pending = ?3, done = ?4, last_page = ?5, inbox = ?6, inbox_length = ?7, \
             best_priority = ?8 WHERE run = ?1 AND host = ?2",
        )?;
        for (id, host) in std::mem::take(&mut self.hosts) {
            let best = if host.head_closed {
                head.query_row([self.run, id], |row| row.get(0)).optional()?
            } else {
                host.best
            };
            let HostRunRow { pending, done, last_page, inbox, inbox_length, .. } = host;
            if host.stored && best == host.stored_best {
                update.execute(params![self.run, id, pending, done, last_page, inbox, inbox_length])?;
            } else {
                let write = if host.stored { &mut update_head } else { &mut insert };
                write.execute(params![self.run, id, pending, done, last_page, inbox, inbox_length, best])?;
            }
        }
        Ok(())
    }

    /// Moves the inbox of a host to its queue and returns the number of items moved.
    pub fn move_inbox_to_queue(&mut self, host: HostId) -> DatabaseResult<u32> {
        let tx = self.tx;
        let host = self.host(host)?;
        if let Some(head) = host.inbox.take() {
            inbox::move_to_queue(tx, head)?;
        }
        Ok(std::mem::take(&mut host.inbox_length))
    }

    fn note_gained(&mut self, host: HostId, best: u32, items: usize) -> DatabaseResult<()> {
        let host = self.host(host)?;
        host.pending += items as i64;
        host.best = Some(host.best.map_or(best, |old| old.min(best)));
        self.pending += items as i64;
        Ok(())
    }

    fn host(&mut self, id: HostId) -> DatabaseResult<&mut HostRunRow> {
        use std::collections::btree_map::Entry;
        match self.hosts.entry(id) {
            Entry::Occupied(entry) => Ok(entry.into_mut()),
            Entry::Vacant(entry) => {
                let stored = self
                    .tx
                    .prepare_cached(
                        "SELECT pending, done, last_page, best_priority, inbox, inbox_length FROM host_run \
                         WHERE run = ?1 AND host = ?2",
                    )?
                    .query_row([self.run, id], |row| {
                        let best = row.get(3)?;
                        Ok(HostRunRow {
                            stored: true,
                            stored_best: best,
                            pending: row.get(0)?,
                            done: row.get(1)?,
                            last_page: row.get(2)?,
                            inbox: row.get(4)?,
                            inbox_length: row.get(5)?,
                            best,
                            head_closed: false,
                        })
                    })
                    .optional()?;
                let state = stored.unwrap_or_else(|| {
                    self.new_hosts += 1;
                    HostRunRow::default()
                });
                Ok(entry.insert(state))
            }
        }
    }
}

/// Counts the links that are neither pages nor sitemaps, by the item they were found on.
fn count_probes(fresh: &[NewQueueItem<'_>]) -> Vec<(FrontierEntryId, u32)> {
    let mut probes: Vec<(FrontierEntryId, u32)> = Vec::new();
    // Links of one item are adjacent.
    for new in fresh.iter().filter(|new| new.link.intent.is_probe()) {
        let Some(parent) = new.link.parent else { continue };
        match probes.last_mut() {
            Some((last, count)) if *last == parent => *count += 1,
            _ => probes.push((parent, 1)),
        }
    }
    probes
}

fn insert_item(tx: &Connection, run: RunId, row: &QueueRow<'_>) -> DatabaseResult<()> {
    insert!(
        tx,
        queue {
            run: run,
            host: row.host,
            priority: row.priority,
            id: row.id,
            path: row.path,
            intent: row.intent.as_text(),
            depth: row.depth,
            parent: row.parent,
            way: row.way,
            words: row.words,
            hops: row.hops,
            attempts: row.attempts,
            width: row.bearing.width,
            origin: row.bearing.origin,
            distance: row.bearing.distance,
        }
    )?;
    Ok(())
}

fn insert_page(
    tx: &Connection,
    run: RunId,
    done: &FinishedItem,
    previous: Option<FrontierEntryId>,
    path: &str,
    at: i64,
) -> DatabaseResult<()> {
    let (item, outcome) = (&done.item, &done.outcome);
    insert!(
        tx,
        page {
            id: item.id,
            run: run,
            host: item.host,
            previous: previous,
            path: path,
            intent: item.intent.as_text(),
            depth: item.depth,
            parent: item.parent,
            way: item.way,
            words: item.words,
            hops: item.hops,
            attempts: item.attempts,
            at: at,
            class: outcome.class,
            reason: outcome.reason,
            status: outcome.status,
            ip: outcome.ip,
            bytes: outcome.bytes as i64,
            millis: outcome.millis,
            requests: outcome.requests,
            title: outcome.title,
            language: outcome.language,
            simhash: outcome.simhash.map(|hash| hash as i64),
            redirect_to: outcome.redirect_to,
            found: done.found.len() as i64,
            width: item.bearing.width,
            origin: item.bearing.origin,
            distance: item.bearing.distance,
        }
    )?;
    Ok(())
}
