//! What a batch does to the frontier.

use super::rows::{FrontierStatements, HostChange, PageRow};
use super::seen::{LinkCandidates, LocatedLink};
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

/// What a batch did to the frontier; of use to the rest of its transaction, and to the memory of the process
/// once that is committed ([`Frontier::committed`]).
#[derive(Debug, Default)]
pub(crate) struct FrontierCommit {
    /// Places in the batch of the items that were taken.
    pub taken: Vec<usize>,
    /// Items that were not pending, or whose host is another's.
    pub ignored: u64,
    pub added: AddedLinks,
    /// What is to be added to the counters of the run; resources are not known here.
    pub counted: RunCounters,
    /// Change of the number of pending items.
    pub pending: i64,
    keys: Vec<u128>,
}

/// Links of a batch with their places; made before its transaction begins.
pub(super) struct PreparedLinks<'l>(LinkCandidates<'l>);

/// Names of hosts and their latest pages in a run.
type HostPages = HashMap<HostId, (String, Option<FrontierEntryId>)>;

/// What is to be written of hosts, in the order of writing.
type HostChanges = BTreeMap<(i32, HostId), HostChange>;

impl SharedFrontier {
    /// Places the links of a batch. Outside of a transaction: hosts that are new are made here.
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
        Ok(PreparedLinks(self.seen.locate_links(session, &self.hosts, batch.run, links).await?))
    }

    /// Places links that no item shows. Outside of a transaction.
    pub(super) async fn prepare_links<'l>(
        &self,
        session: &Session,
        run: RunId,
        links: &'l [NewLink],
    ) -> DatabaseResult<PreparedLinks<'l>> {
        let links = links.iter().map(|link| (0, link));
        Ok(PreparedLinks(self.seen.locate_links(session, &self.hosts, run, links).await?))
    }

    /// Adds links, within a transaction.
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

    /// The frontier's part of a commit, within its transaction and at its beginning: closes items whose host is
    /// ours, puts back those that are tried again, writes pages, adds links.
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
        // Sent in this order, in one go.
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

    /// Takes what a batch did into memory, once its transaction is committed.
    pub(super) fn note_committed(&self, run: RunId, part: &FrontierCommit) {
        self.seen.absorb_keys(run, &part.keys);
    }

    /// Takes the items of a batch out of the queue and gives the places of those that were there, in order, with
    /// names and latest pages of their hosts.
    async fn take_items(
        &self,
        session: &Session,
        batch: &CrawlBatch,
        part: &mut FrontierCommit,
    ) -> DatabaseResult<(Vec<usize>, HostPages)> {
        if batch.done.is_empty() {
            return Ok((Vec::new(), HostPages::new()));
        }
        let ours =
            leases::lock_hosts(session, &self.loans, batch.done.iter().map(|done| done.item.host)).await?;
        let items: Vec<&FinishedItem> =
            batch.done.iter().filter(|done| ours.contains(&done.item.host)).collect();
        let column = |value: &dyn Fn(&FinishedItem) -> i64| -> Vec<i64> {
            items.iter().map(|done| value(done)).collect()
        };
        let shards: Vec<i32> = items.iter().map(|done| shard::of_host(done.item.host)).collect();
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
            // The second of two reports of one item finds nothing.
            if pending.remove(&done.item.id) {
                taken.push(at);
            } else {
                part.ignored += 1;
                tracing::warn!(
                    item = done.item.id,
                    url = done.item.url,
                    "an item was reported done that is not pending, or whose host another process has"
                );
            }
        }
        Ok((taken, hosts))
    }

    /// Finds out which links are new, of those that these items show, and prepares their rows.
    #[expect(clippy::too_many_arguments, reason = "three of them are what is being gathered")]
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
        // Of two links with one key the first counts: they are sorted by key, then by place.
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

/// How many of these are neither pages nor sitemaps, by the item that showed them.
fn count_probes(fresh: &[LocatedLink<'_>]) -> Vec<(FrontierEntryId, u32)> {
    let mut probes: Vec<(FrontierEntryId, u32)> = Vec::new();
    // Links of one item stand together.
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
