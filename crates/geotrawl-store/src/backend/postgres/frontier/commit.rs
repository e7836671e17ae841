//! Applies batches to the frontier.

use super::rows::{FrontierStatements, HostChange, PageRow};
use super::seen::{LinkCandidates, ResolvedLink};
use super::session::{BoundValue, Session};
use super::{DatabaseResult, SharedFrontier, leases, read, seen, shard};
use crate::backend::shared::batch::count_item;
use crate::backend::shared::frontier::QueueRow;
use crate::backend::shared::hosts::stored_path;
use futures_util::try_join;
use geotrawl_model::{
    AddedLinks, CrawlBatch, FinishedItem, FrontierEntryId, HostId, NewLink, RunCounters, RunId,
};
use std::collections::{BTreeMap, HashMap, HashSet};

/// Changes that a batch made to the frontier. Needed by the rest of its transaction, and by the
/// process's caches once it is committed ([`SharedFrontier::note_committed`]).
#[derive(Debug, Default)]
pub(crate) struct FrontierCommit {
    /// Positions in the batch of the items that were taken.
    pub taken: Vec<usize>,
    /// Items that were not pending, or whose host another process has leased.
    pub ignored: u64,
    pub added: AddedLinks,
    /// Increments for the counters of the run, without resources.
    pub counted: RunCounters,
    /// Change of the number of pending items.
    pub pending: i64,
    keys: Vec<u128>,
}

/// Links of a batch with hosts and keys, prepared before its transaction begins.
pub(super) struct PreparedLinks<'l>(LinkCandidates<'l>);

/// Host names and their latest pages in a run.
type HostPages = HashMap<HostId, (String, Option<FrontierEntryId>)>;

/// Changes to write per host, in writing order.
type HostChanges = BTreeMap<(i32, HostId), HostChange>;

impl SharedFrontier {
    /// Prepares the links of a batch. Must run outside a transaction because it creates new hosts.
    pub(super) async fn prepare_batch_links<'b>(
        &self,
        session: &Session,
        batch: &'b CrawlBatch,
    ) -> DatabaseResult<PreparedLinks<'b>> {
        let links = batch
            .done
            .iter()
            .enumerate()
            .flat_map(|(at, done)| done.links.iter().map(move |link| (at, link)));
        Ok(PreparedLinks(self.seen.resolve_links(session, &self.hosts, batch.run, links).await?))
    }

    /// Prepares links that do not come from an item. Must run outside a transaction.
    pub(super) async fn prepare_links<'l>(
        &self,
        session: &Session,
        run: RunId,
        links: &'l [NewLink],
    ) -> DatabaseResult<PreparedLinks<'l>> {
        let links = links.iter().map(|link| (0, link));
        Ok(PreparedLinks(self.seen.resolve_links(session, &self.hosts, run, links).await?))
    }

    /// Inserts links, within a transaction.
    pub(super) async fn insert_links(
        &self,
        session: &Session,
        run: RunId,
        links: PreparedLinks<'_>,
    ) -> DatabaseResult<FrontierCommit> {
        let mut part = FrontierCommit::default();
        let mut changes = HostChanges::new();
        let mut rows = Vec::new();
        self.collect_new_links(session, run, links, None, &mut part, &mut changes, &mut rows).await?;
        let writes = FrontierStatements::prepare_all(session)?;
        let ((), new_hosts) = try_join!(
            writes.insert_queue(session, run, &mut rows),
            writes.change_hosts(session, run, &changes)
        )?;
        part.counted.hosts += new_hosts;
        Ok(part)
    }

    /// Writes the frontier's part of a commit at the start of its transaction: closes items on
    /// hosts leased by this process, queues retries, writes pages and adds links.
    pub(super) async fn write_batch(
        &self,
        session: &Session,
        batch: &CrawlBatch,
        links: PreparedLinks<'_>,
    ) -> DatabaseResult<FrontierCommit> {
        let mut part = FrontierCommit::default();
        let mut changes = HostChanges::new();
        let (taken, mut known) = self.take_items(session, batch, &mut part).await?;
        let mut rows: Vec<QueueRow<'_>> = Vec::new();
        let mut pages: Vec<PageRow<'_>> = Vec::new();
        for done in taken.iter().filter_map(|at| batch.done.get(*at)) {
            let (name, last_page) = known.entry(done.item.host).or_default();
            let change = changes.entry((shard::of_host(done.item.host), done.item.host)).or_default();
            change.closed = true;
            if done.outcome.retry {
                let path = stored_path(name, &done.item.url);
                let row = QueueRow::from_retry(&done.item, path, self.retry_penalty);
                change.best = Some(min_priority(change.best, row.priority));
                rows.push(row);
            } else {
                change.pending -= 1;
                part.pending -= 1;
                change.done += 1;
                let previous = last_page.replace(done.item.id);
                change.last_page = *last_page;
                pages.push(PageRow { done, path: stored_path(name, &done.item.url), previous });
            }
            count_item(done, &mut part.counted);
        }
        self.collect_new_links(session, batch.run, links, Some(&taken), &mut part, &mut changes, &mut rows)
            .await?;
        part.taken = taken;
        // Sent in this order as one pipeline.
        let (writes, claim) =
            (FrontierStatements::prepare_all(session)?, session.prepare_statement(leases::USE_CLAIM)?);
        let (.., new_hosts) = try_join!(
            writes.insert_queue(session, batch.run, &mut rows),
            writes.insert_pages(session, batch.run, batch.now.as_microsecond(), &pages),
            leases::use_claim(session, &claim, &self.loans, batch.run, part.counted.pages as i64),
            writes.change_hosts(session, batch.run, &changes),
        )?;
        part.counted.hosts += new_hosts;
        Ok(part)
    }

    /// Caches the keys of a batch after its transaction was committed.
    pub(super) fn note_committed(&self, run: RunId, part: &FrontierCommit) {
        self.seen.add_committed_keys(run, &part.keys);
    }

    /// Takes the items of a batch out of the queue. Returns the positions of those that were there,
    /// in order, with the names and latest pages of their hosts.
    async fn take_items(
        &self,
        session: &Session,
        batch: &CrawlBatch,
        part: &mut FrontierCommit,
    ) -> DatabaseResult<(Vec<usize>, HostPages)> {
        if batch.done.is_empty() {
            return Ok((Vec::new(), HostPages::new()));
        }
        // Lock the hosts first, so that no other process can lease them before this transaction
        // ends.
        let ours =
            leases::lock_hosts(session, &self.loans, batch.done.iter().map(|done| done.item.host)).await?;
        let items: Vec<&FinishedItem> =
            batch.done.iter().filter(|done| ours.contains(&done.item.host)).collect();
        let column = |value: &dyn Fn(&FinishedItem) -> i64| -> Vec<i64> {
            items.iter().map(|done| value(done)).collect()
        };
        let shards: Vec<i32> = items.iter().map(|done| shard::of_host(done.item.host)).collect();
        // Also compares `attempts`, so that an item that was already put back is not closed.
        let statement = session.prepare_statement(
            "DELETE FROM queue q USING unnest($1::int4[], $3::int8[], $4::int8[], $5::int8[], $6::int8[]) \
                 AS t (shard, host, priority, id, attempts) WHERE q.shard = t.shard AND q.run = $2 \
                 AND q.host = t.host AND q.priority = t.priority AND q.id = t.id AND q.attempts = t.attempts \
                 RETURNING q.id",
        )?;
        let asking = session.prepare_statement(read::LAST_PAGES)?;
        let values: [BoundValue<'_>; 6] = [
            &shards,
            &batch.run,
            &column(&|done| done.item.host),
            &column(&|done| done.item.priority.into()),
            &column(&|done| done.item.id),
            &column(&|done| done.item.attempts.into()),
        ];
        let (rows, hosts) = try_join!(
            session.query_prepared(&statement, &values),
            read::read_last_pages(session, &asking, batch.run, &ours)
        )?;
        let mut pending: HashSet<FrontierEntryId> = HashSet::new();
        for row in rows {
            pending.insert(row.try_get(0)?);
        }
        let mut taken = Vec::with_capacity(batch.done.len());
        for (at, done) in batch.done.iter().enumerate() {
            // If an item is reported twice, the second report is ignored.
            if pending.remove(&done.item.id) {
                taken.push(at);
            } else {
                part.ignored += 1;
                tracing::warn!(
                    item = done.item.id,
                    url = done.item.url,
                    "ignored a finished item that is not pending or whose host another process has leased"
                );
            }
        }
        Ok((taken, hosts))
    }

    /// Finds out which links of these items are new and prepares their rows.
    #[expect(clippy::too_many_arguments, reason = "three of them collect the results")]
    async fn collect_new_links<'l>(
        &self,
        session: &Session,
        run: RunId,
        PreparedLinks(placement): PreparedLinks<'l>,
        shown_by: Option<&[usize]>,
        part: &mut FrontierCommit,
        changes: &mut HostChanges,
        rows: &mut Vec<QueueRow<'l>>,
    ) -> DatabaseResult<()> {
        let mut maybe = placement.maybe;
        let mut known: u64 = 0;
        if let Some(shown_by) = shown_by {
            let shown_by: HashSet<usize> = shown_by.iter().copied().collect();
            maybe.retain(|placed| shown_by.contains(&placed.shown_by));
            known += shown_by.iter().filter_map(|at| placement.known.get(at)).sum::<u64>();
        } else {
            known += placement.known.values().sum::<u64>();
        }
        let shown = maybe.len() as u64;
        // Of links with equal keys the first counts: they are sorted by key, then by position.
        maybe.dedup_by_key(|placed| (placed.shard, placed.key));
        let new = seen::insert_keys(session, run, &maybe).await?;
        part.keys = maybe.iter().map(|placed| placed.key).collect();
        maybe.retain(|placed| new.contains(&placed.key));
        maybe.sort_unstable_by_key(|placed| placed.at);
        let numbers = self.numbers.take_numbers(session, maybe.len()).await?;
        part.added.new = maybe.len() as u64;
        part.added.known = known + shown - part.added.new;
        part.added.probes = count_probes(&maybe);
        let mut heads: BTreeMap<HostId, u32> = BTreeMap::new();
        for (placed, number) in maybe.iter().zip(numbers) {
            rows.push(QueueRow::from_link(placed.link, placed.host, shard::make_id(number, placed.shard)));
            let change = changes.entry((placed.shard, placed.host)).or_default();
            change.pending += 1;
            change.best = Some(min_priority(change.best, placed.link.priority));
            let head = heads.entry(placed.host).or_insert(placed.link.priority);
            *head = (*head).min(placed.link.priority);
        }
        part.pending += maybe.len() as i64;
        part.counted.known += part.added.new;
        part.added.hosts = heads.keys().copied().collect();
        part.added.heads = heads.into_iter().collect();
        Ok(())
    }
}

/// Counts the links that are neither pages nor sitemaps, by the item they were found on.
fn count_probes(fresh: &[ResolvedLink<'_>]) -> Vec<(FrontierEntryId, u32)> {
    let mut probes: Vec<(FrontierEntryId, u32)> = Vec::new();
    // Links of one item are adjacent.
    for placed in fresh.iter().filter(|placed| placed.link.intent.is_probe()) {
        let Some(parent) = placed.link.parent else { continue };
        match probes.last_mut() {
            Some((last, count)) if *last == parent => *count += 1,
            _ => probes.push((parent, 1)),
        }
    }
    probes
}

fn min_priority(one: Option<u32>, other: u32) -> u32 {
    one.map_or(other, |one| one.min(other))
}
