//! Queries about other processes.

use super::held_leases::HeldLeases;
use super::session::Session;
use super::{DatabaseResult, shard};
use geotrawl_model::RunId;

/// Returns whether another process has leased a host of the run with pending items.
pub(super) async fn other_process_holds_hosts(
    session: &Session,
    loans: &HeldLeases,
    run: RunId,
) -> DatabaseResult<bool> {
    let shards: Vec<i32> = shard::shards_from(0).collect();
    let row = session
        .query_one(
            "SELECT EXISTS (SELECT 1 FROM unnest($1::int4[]) AS t (shard) JOIN host h ON h.shard = t.shard \
             JOIN host_run r ON r.shard = h.shard AND r.host = h.id WHERE h.owner <> $3 \
             AND h.expires > now() - $4::float8 * interval '1 second' AND r.run = $2 \
             AND r.best_priority IS NOT NULL)",
            &[&shards, &run, &loans.owner, &loans.options.grace.as_secs_f64()],
        )
        .await?;
    Ok(row.try_get(0)?)
}
