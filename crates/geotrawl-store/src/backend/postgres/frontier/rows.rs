//! Turns the rows of a batch into column arrays, so that one statement writes a whole table.

use super::session::{BoundValue, Session};
use super::{DatabaseResult, shard};
use crate::backend::shared::frontier::QueueRow;
use crate::sql::{replace_nul, to_postgres};
use futures_util::future::try_join_all;
use futures_util::try_join;
use geotrawl_model::{FinishedItem, FrontierEntry, FrontierEntryId, HostId, Intent, PageOutcome, RunId};
use std::borrow::Cow;
use std::collections::BTreeMap;
use tokio_postgres::Statement;
use tokio_postgres::types::ToSql;

/// Maximum number of rows per statement.
const ROWS_AT_ONCE: usize = 16_384;

/// A closed item, written as a page.
pub(super) struct PageRow<'a> {
    pub done: &'a FinishedItem,
    pub path: &'a str,
    pub previous: Option<FrontierEntryId>,
}

/// Changes of a batch to a host in a run.
#[derive(Debug, Clone, Default)]
pub(super) struct HostChange {
    pub pending: i64,
    pub done: i64,
    pub last_page: Option<FrontierEntryId>,
    /// Best priority among the added items.
    pub best: Option<u32>,
    /// Items were removed, so the head may have changed.
    pub closed: bool,
}

/// Defines a statement that inserts many rows from one array per column, and the function that
/// builds the arrays.
macro_rules! bulk_insert {
    ($sql:ident, $columns:ident($($given:ident: $type:ty),+), $table:ident {
        $first:ident: $first_kind:literal = $first_values:expr,
        $($column:ident: $kind:literal = $values:expr),+ $(,)?
    }) => {
        const $sql: &str = concat!(
            "INSERT INTO ", stringify!($table), " (", stringify!($first), $(", ", stringify!($column),)+
            ") SELECT t.* FROM unnest(?::", $first_kind, "[]", $(", ?::", $kind, "[]",)+ ") AS t"
        );

        fn $columns<'r>($($given: $type),+) -> Vec<Column<'r>> {
            vec![
                Box::new($first_values.collect::<Vec<_>>()),
                $(Box::new($values.collect::<Vec<_>>())),+
            ]
        }
    };
}

type Column<'r> = Box<dyn ToSql + Sync + 'r>;

bulk_insert!(QUEUE, queue_columns(run: RunId, rows: &'r [QueueRow<'r>]), queue {
    shard: "int4" = rows.iter().map(|row| shard::of_host(row.host)),
    run: "int8" = rows.iter().map(|_| run),
    host: "int8" = rows.iter().map(|row| row.host),
    priority: "int8" = rows.iter().map(|row| i64::from(row.priority)),
    id: "int8" = rows.iter().map(|row| row.id),
    path: "text" = rows.iter().map(|row| replace_nul(row.path)),
    intent: "text" = rows.iter().map(|row| intent_text(row.intent)),
    depth: "int8" = rows.iter().map(|row| i64::from(row.depth)),
    parent: "int8" = rows.iter().map(|row| row.parent),
    way: "text" = rows.iter().map(|row| replace_nul(row.way)),
    words: "text" = rows.iter().map(|row| replace_nul(row.words)),
    hops: "int8" = rows.iter().map(|row| i64::from(row.hops)),
    attempts: "int8" = rows.iter().map(|row| i64::from(row.attempts)),
    width: "int8" = rows.iter().map(|row| i64::from(row.bearing.width)),
    origin: "int8" = rows.iter().map(|row| i64::from(row.bearing.origin)),
    distance: "int8" = rows.iter().map(|row| i64::from(row.bearing.distance)),
});

bulk_insert!(PAGES, page_columns(run: RunId, at: i64, rows: &'r [PageRow<'r>]), page {
    shard: "int4" = items(rows).map(|item| shard::of_item(item.id)),
    id: "int8" = items(rows).map(|item| item.id),
    run: "int8" = items(rows).map(|_| run),
    host: "int8" = items(rows).map(|item| item.host),
    previous: "int8" = rows.iter().map(|row| row.previous),
    path: "text" = rows.iter().map(|row| replace_nul(row.path)),
    intent: "text" = items(rows).map(|item| intent_text(&item.intent)),
    depth: "int8" = items(rows).map(|item| i64::from(item.depth)),
    parent: "int8" = items(rows).map(|item| item.parent),
    way: "text" = items(rows).map(|item| replace_nul(&item.way)),
    words: "text" = items(rows).map(|item| replace_nul(&item.words)),
    hops: "int8" = items(rows).map(|item| i64::from(item.hops)),
    attempts: "int8" = items(rows).map(|item| i64::from(item.attempts)),
    at: "int8" = items(rows).map(|_| at),
    class: "text" = outcomes(rows).map(|outcome| replace_nul(&outcome.class)),
    reason: "text" = outcomes(rows).map(|outcome| replace_nul(&outcome.reason)),
    status: "int8" = outcomes(rows).map(|outcome| outcome.status.map(i64::from)),
    ip: "text" = outcomes(rows).map(|outcome| outcome.ip.as_deref().map(replace_nul)),
    bytes: "int8" = outcomes(rows).map(|outcome| i64::try_from(outcome.bytes).unwrap_or(i64::MAX)),
    millis: "int8" = outcomes(rows).map(|outcome| i64::from(outcome.millis)),
    requests: "int8" = outcomes(rows).map(|outcome| i64::from(outcome.requests)),
    title: "text" = outcomes(rows).map(|outcome| outcome.title.as_deref().map(replace_nul)),
    language: "text" = outcomes(rows).map(|outcome| outcome.language.as_deref().map(replace_nul)),
    simhash: "int8" = outcomes(rows).map(|outcome| outcome.simhash.map(u64::cast_signed)),
    redirect_to: "text" = outcomes(rows).map(|outcome| outcome.redirect_to.as_deref().map(replace_nul)),
    found: "int8" = rows.iter().map(|row| row.done.found.len() as i64),
    width: "int8" = items(rows).map(|item| i64::from(item.bearing.width)),
    origin: "int8" = items(rows).map(|item| i64::from(item.bearing.origin)),
    distance: "int8" = items(rows).map(|item| i64::from(item.bearing.distance)),
});

fn items<'r>(rows: &'r [PageRow<'r>]) -> impl Iterator<Item = &'r FrontierEntry> {
    rows.iter().map(|row| &row.done.item)
}

fn outcomes<'r>(rows: &'r [PageRow<'r>]) -> impl Iterator<Item = &'r PageOutcome> {
    rows.iter().map(|row| &row.done.outcome)
}

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

/// Prepared statements that write a batch in one pipeline.
pub(super) struct FrontierStatements {
    queue: Statement,
    pages: Statement,
    hosts: Statement,
    heads: Statement,
}

impl FrontierStatements {
    /// Prepares all statements.
    pub fn prepare_all(session: &Session) -> DatabaseResult<Self> {
        Ok(Self {
            queue: session.prepare_statement(&to_postgres(QUEUE))?,
            pages: session.prepare_statement(&to_postgres(PAGES))?,
            hosts: session.prepare_statement(HOSTS)?,
            heads: session.prepare_statement(HEADS)?,
        })
    }

    /// Adds items to the queue, after sorting them.
    pub async fn insert_queue(
        &self,
        session: &Session,
        run: RunId,
        rows: &mut [QueueRow<'_>],
    ) -> DatabaseResult<()> {
        rows.sort_unstable_by_key(|row| (shard::of_host(row.host), row.host, row.priority, row.id));
        // Send all chunks at once, so that later statements are queued behind them.
        try_join_all(rows.chunks(ROWS_AT_ONCE).map(async |piece| {
            session.execute_prepared(&self.queue, &values(&queue_columns(run, piece))).await
        }))
        .await?;
        Ok(())
    }

    /// Inserts pages.
    pub async fn insert_pages(
        &self,
        session: &Session,
        run: RunId,
        at: i64,
        rows: &[PageRow<'_>],
    ) -> DatabaseResult<()> {
        try_join_all(rows.chunks(ROWS_AT_ONCE).map(async |piece| {
            session.execute_prepared(&self.pages, &values(&page_columns(run, at, piece))).await
        }))
        .await?;
        Ok(())
    }

    /// Writes the changes to hosts in the order of shard and host. Returns how many hosts are new
    /// to the run.
    pub async fn change_hosts(
        &self,
        session: &Session,
        run: RunId,
        changes: &BTreeMap<(i32, HostId), HostChange>,
    ) -> DatabaseResult<u64> {
        if changes.is_empty() {
            return Ok(0);
        }
        let shards: Vec<i32> = changes.keys().map(|(shard, _)| *shard).collect();
        let hosts: Vec<HostId> = changes.keys().map(|(_, host)| *host).collect();
        let pending: Vec<i64> = changes.values().map(|change| change.pending).collect();
        let done: Vec<i64> = changes.values().map(|change| change.done).collect();
        let last: Vec<Option<i64>> = changes.values().map(|change| change.last_page).collect();
        let best: Vec<Option<i64>> = changes.values().map(|change| change.best.map(i64::from)).collect();
        let values: &[BoundValue<'_>] = &[&shards, &run, &hosts, &pending, &done, &last, &best];
        let write = session.query_prepared(&self.hosts, values);
        // Runs after the rows are locked, so it sees earlier inserts; later ones update the head
        // themselves.
        let closed = changes.iter().filter(|(_, change)| change.closed).map(|(place, _)| *place);
        let (closed_shards, closed_hosts): (Vec<i32>, Vec<HostId>) = closed.unzip();
        let look = async {
            if closed_hosts.is_empty() {
                return Ok(0);
            }
            session.execute_prepared(&self.heads, &[&closed_shards, &run, &closed_hosts]).await
        };
        let (new, _) = try_join!(write, look)?;
        let new: i64 = new.first().map(|row| row.try_get(0)).transpose()?.unwrap_or(0);
        Ok(new.max(0) as u64)
    }
}

fn values<'c>(columns: &'c [Column<'_>]) -> Vec<BoundValue<'c>> {
    columns.iter().map(|column| &**column as BoundValue<'c>).collect()
}

fn intent_text(intent: &Intent) -> Cow<'static, str> {
    match intent.as_text() {
        Cow::Borrowed(word) => Cow::Borrowed(word),
        Cow::Owned(text) => Cow::Owned(replace_nul(&text).into_owned()),
    }
}
