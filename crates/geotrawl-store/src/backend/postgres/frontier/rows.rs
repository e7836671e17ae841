//! Rows of a batch as columns, so that a table is written by one statement.

use super::seen::Placed;
use super::session::{Session, Value};
use super::{Step, shard};
use crate::backend::shared::hosts::stored_path;
use crate::sql::storable;
use crate::{Bearing, Done, HostId, Item, ItemId, RunId};
use futures_util::future::try_join_all;
use futures_util::try_join;
use std::borrow::Cow;
use std::collections::BTreeMap;
use tokio_postgres::Statement;

/// Rows of one statement.
const ROWS_AT_ONCE: usize = 16_384;

/// A row of the queue.
pub(super) struct QueueRow<'a> {
    pub host: HostId,
    pub priority: u32,
    pub id: ItemId,
    pub path: &'a str,
    pub intent: &'a str,
    pub depth: u32,
    pub parent: Option<ItemId>,
    pub way: &'a str,
    pub words: &'a str,
    pub hops: u32,
    pub attempts: u32,
    pub bearing: Bearing,
}

impl<'a> QueueRow<'a> {
    /// Of a new link.
    pub fn of_link(placed: &Placed<'a>, id: ItemId) -> Self {
        let link = placed.link;
        Self {
            host: placed.host,
            priority: link.priority,
            id,
            path: stored_path(&link.host, &link.url),
            intent: &link.intent,
            depth: link.depth,
            parent: link.parent,
            way: &link.way,
            words: &link.words,
            hops: link.hops,
            attempts: 0,
            bearing: link.bearing,
        }
    }

    /// Of an item that is tried again.
    pub fn of_retry(item: &'a Item, host_name: &str, penalty: u32) -> Self {
        Self {
            host: item.host,
            priority: item.priority.saturating_add(penalty),
            id: item.id,
            path: stored_path(host_name, &item.url),
            intent: &item.intent,
            depth: item.depth,
            parent: item.parent,
            way: &item.way,
            words: &item.words,
            hops: item.hops,
            attempts: item.attempts.saturating_add(1),
            bearing: item.bearing,
        }
    }
}

/// A closed item, as a page.
pub(super) struct PageRow<'a> {
    pub done: &'a Done,
    pub path: &'a str,
    pub previous: Option<ItemId>,
}

/// What a batch does to a host in a run.
#[derive(Debug, Clone, Default)]
pub(super) struct HostChange {
    pub pending: i64,
    pub done: i64,
    pub last_page: Option<ItemId>,
    /// Best place among what it gained.
    pub best: Option<u32>,
    /// Something of it was taken away: its head may be another.
    pub closed: bool,
}

const QUEUE: &str = "INSERT INTO queue (shard, run, host, priority, id, path, intent, depth, parent, way, words, hops, \
                 attempts, width, origin, distance) \
                 SELECT t.shard, $2, t.host, t.priority, t.id, t.path, t.intent, t.depth, t.parent, t.way, t.words, \
                 t.hops, t.attempts, t.width, t.origin, t.distance FROM unnest($1::int4[], $3::int8[], $4::int8[], \
                 $5::int8[], $6::text[], $7::text[], $8::int8[], $9::int8[], $10::text[], $11::text[], \
                 $12::int8[], $13::int8[], $14::int8[], $15::int8[], $16::int8[]) AS t (shard, host, priority, id, \
                 path, intent, depth, parent, way, words, hops, attempts, width, origin, distance)";

const PAGES: &str = "INSERT INTO page (shard, id, run, host, previous, path, intent, depth, parent, way, words, hops, \
                 attempts, at, class, reason, status, ip, bytes, millis, requests, title, language, simhash, \
                 redirect_to, found, width, origin, distance) \
                 SELECT t.shard, t.id, $2, t.host, t.previous, t.path, t.intent, t.depth, t.parent, t.way, t.words, \
                 t.hops, t.attempts, $14, t.class, t.reason, t.status, t.ip, t.bytes, t.millis, t.requests, t.title, \
                 t.language, t.simhash, t.redirect_to, t.found, t.width, t.origin, t.distance \
                 FROM unnest($1::int4[], $3::int8[], $4::int8[], $5::int8[], $6::text[], $7::text[], $8::int8[], \
                 $9::int8[], $10::text[], $11::text[], $12::int8[], $13::int8[], $15::text[], $16::text[], \
                 $17::int8[], $18::text[], $19::int8[], $20::int8[], $21::int8[], $22::text[], $23::text[], \
                 $24::int8[], $25::text[], $26::int8[], $27::int8[], $28::int8[], $29::int8[]) AS t (shard, id, \
                 host, previous, path, intent, depth, parent, way, words, hops, attempts, class, reason, status, \
                 ip, bytes, millis, requests, title, language, simhash, redirect_to, found, width, origin, distance)";

const HOSTS: &str = "WITH changed AS (INSERT INTO host_run AS r (shard, run, host, pending, done, last_page, best_priority) \
             SELECT t.shard, $2, t.host, t.pending, t.done, t.last_page, t.best \
             FROM unnest($1::int4[], $3::int8[], $4::int8[], $5::int8[], $6::int8[], $7::int8[]) \
             AS t (shard, host, pending, done, last_page, best) \
             ON CONFLICT (shard, run, host) DO UPDATE SET pending = r.pending + excluded.pending, \
             done = r.done + excluded.done, last_page = coalesce(excluded.last_page, r.last_page), \
             best_priority = least(r.best_priority, excluded.best_priority) RETURNING r.xmax = 0 AS new) \
             SELECT count(*) FROM changed WHERE new";

const HEADS: &str = "UPDATE host_run r SET best_priority = (SELECT min(q.priority) FROM queue q WHERE q.shard = r.shard \
                 AND q.run = r.run AND q.host = r.host) FROM unnest($1::int4[], $3::int8[]) AS t (shard, host) \
                 WHERE r.shard = t.shard AND r.run = $2 AND r.host = t.host AND r.best_priority IS DISTINCT FROM \
                 (SELECT min(q.priority) FROM queue q WHERE q.shard = r.shard AND q.run = r.run \
                 AND q.host = r.host)";

/// Statements that write a batch, ready to travel together.
pub(super) struct Writes {
    queue: Statement,
    pages: Statement,
    hosts: Statement,
    heads: Statement,
}

impl Writes {
    /// Prepares them.
    pub fn ready(session: &Session) -> Step<Self> {
        Ok(Self {
            queue: session.ready(QUEUE)?,
            pages: session.ready(PAGES)?,
            hosts: session.ready(HOSTS)?,
            heads: session.ready(HEADS)?,
        })
    }

    /// Adds items to the queue; sorted here.
    pub async fn insert_queue(&self, session: &Session, run: RunId, rows: &mut [QueueRow<'_>]) -> Step<()> {
        rows.sort_unstable_by_key(|row| (shard::of_host(row.host), row.host, row.priority, row.id));
        // All of them on their way at once, so that whatever is sent after them comes after them.
        try_join_all(rows.chunks(ROWS_AT_ONCE).map(async |piece| {
            let column =
                |value: &dyn Fn(&QueueRow<'_>) -> i64| -> Vec<i64> { piece.iter().map(value).collect() };
            let shards: Vec<i32> = piece.iter().map(|row| shard::of_host(row.host)).collect();
            let parents: Vec<Option<i64>> = piece.iter().map(|row| row.parent).collect();
            let values: [Value<'_>; 16] = [
                &shards,
                &run,
                &column(&|row| row.host),
                &column(&|row| row.priority.into()),
                &column(&|row| row.id),
                &texts(piece.iter().map(|row| row.path)),
                &texts(piece.iter().map(|row| row.intent)),
                &column(&|row| row.depth.into()),
                &parents,
                &texts(piece.iter().map(|row| row.way)),
                &texts(piece.iter().map(|row| row.words)),
                &column(&|row| row.hops.into()),
                &column(&|row| row.attempts.into()),
                &column(&|row| row.bearing.width.into()),
                &column(&|row| row.bearing.origin.into()),
                &column(&|row| row.bearing.distance.into()),
            ];
            session.changed(&self.queue, &values).await
        }))
        .await?;
        Ok(())
    }

    /// Writes pages.
    pub async fn insert_pages(
        &self,
        session: &Session,
        run: RunId,
        at: i64,
        rows: &[PageRow<'_>],
    ) -> Step<()> {
        try_join_all(rows.chunks(ROWS_AT_ONCE).map(async |piece| {
            let column = |value: &dyn Fn(&Done) -> i64| -> Vec<i64> {
                piece.iter().map(|row| value(row.done)).collect()
            };
            let maybe = |value: &dyn Fn(&PageRow<'_>) -> Option<i64>| -> Vec<Option<i64>> {
                piece.iter().map(value).collect()
            };
            let shards: Vec<i32> = piece.iter().map(|row| shard::of_item(row.done.item.id)).collect();
            let outcomes = || piece.iter().map(|row| &row.done.outcome);
            let items = || piece.iter().map(|row| &row.done.item);
            let values: [Value<'_>; 29] = [
                &shards,
                &run,
                &column(&|done| done.item.id),
                &column(&|done| done.item.host),
                &maybe(&|row| row.previous),
                &texts(piece.iter().map(|row| row.path)),
                &texts(items().map(|item| item.intent.as_str())),
                &column(&|done| done.item.depth.into()),
                &maybe(&|row| row.done.item.parent),
                &texts(items().map(|item| item.way.as_str())),
                &texts(items().map(|item| item.words.as_str())),
                &column(&|done| done.item.hops.into()),
                &column(&|done| done.item.attempts.into()),
                &at,
                &texts(outcomes().map(|outcome| outcome.class.as_str())),
                &texts(outcomes().map(|outcome| outcome.reason.as_str())),
                &maybe(&|row| row.done.outcome.status.map(i64::from)),
                &optional_texts(outcomes().map(|outcome| outcome.ip.as_deref())),
                &column(&|done| i64::try_from(done.outcome.bytes).unwrap_or(i64::MAX)),
                &column(&|done| done.outcome.millis.into()),
                &column(&|done| done.outcome.requests.into()),
                &optional_texts(outcomes().map(|outcome| outcome.title.as_deref())),
                &optional_texts(outcomes().map(|outcome| outcome.language.as_deref())),
                &maybe(&|row| row.done.outcome.simhash.map(|hash| hash as i64)),
                &optional_texts(outcomes().map(|outcome| outcome.redirect_to.as_deref())),
                &column(&|done| done.found.len() as i64),
                &column(&|done| done.item.bearing.width.into()),
                &column(&|done| done.item.bearing.origin.into()),
                &column(&|done| done.item.bearing.distance.into()),
            ];
            session.changed(&self.pages, &values).await
        }))
        .await?;
        Ok(())
    }

    /// Writes what a batch does to its hosts, in the order of shard and host, and says how many are new to the run.
    pub async fn change_hosts(
        &self,
        session: &Session,
        run: RunId,
        changes: &BTreeMap<(i32, HostId), HostChange>,
    ) -> Step<u64> {
        if changes.is_empty() {
            return Ok(0);
        }
        let shards: Vec<i32> = changes.keys().map(|(shard, _)| *shard).collect();
        let hosts: Vec<HostId> = changes.keys().map(|(_, host)| *host).collect();
        let pending: Vec<i64> = changes.values().map(|change| change.pending).collect();
        let done: Vec<i64> = changes.values().map(|change| change.done).collect();
        let last: Vec<Option<i64>> = changes.values().map(|change| change.last_page).collect();
        let best: Vec<Option<i64>> = changes.values().map(|change| change.best.map(i64::from)).collect();
        let values: &[Value<'_>] = &[&shards, &run, &hosts, &pending, &done, &last, &best];
        let write = session.rows(&self.hosts, values);
        // After the rows are locked: what others added before is seen, and what they add later comes on top.
        let closed = changes.iter().filter(|(_, change)| change.closed).map(|(place, _)| *place);
        let (closed_shards, closed_hosts): (Vec<i32>, Vec<HostId>) = closed.unzip();
        let look = async {
            if closed_hosts.is_empty() {
                return Ok(0);
            }
            session.changed(&self.heads, &[&closed_shards, &run, &closed_hosts]).await
        };
        let (new, _) = try_join!(write, look)?;
        let new: i64 = new.first().map(|row| row.try_get(0)).transpose()?.unwrap_or(0);
        Ok(new.max(0) as u64)
    }
}

fn texts<'a>(texts: impl Iterator<Item = &'a str>) -> Vec<Cow<'a, str>> {
    texts.map(storable).collect()
}

fn optional_texts<'a>(texts: impl Iterator<Item = Option<&'a str>>) -> Vec<Option<Cow<'a, str>>> {
    texts.map(|text| text.map(storable)).collect()
}
