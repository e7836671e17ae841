//! Deletes data of finished runs, one shard at a time, so that nobody waits long.

use super::session::Session;
use super::{DatabaseResult, in_transaction, shard};
use geotrawl_model::{FrontierEntryId, RunId};
use pollster::block_on;
use std::collections::{BTreeMap, HashSet};

/// Deletes the known links of a run.
pub(super) fn forget_seen(session: &Session, run: RunId) -> DatabaseResult<()> {
    for shard in shard::shards_from(0) {
        block_on(session.execute_once("DELETE FROM seen WHERE shard = $1 AND run = $2", &[&shard, &run]))?;
    }
    Ok(())
}

/// Deletes the pending items of a run.
pub(crate) fn clear_pending(session: &Session, run: RunId) -> DatabaseResult<()> {
    for shard in shard::shards_from(0) {
        in_transaction(session, || {
            block_on(async {
                let gone = session
                    .execute_once("DELETE FROM queue WHERE shard = $1 AND run = $2", &[&shard, &run])
                    .await?;
                session
                    .execute_once(
                        "UPDATE host_run SET pending = 0, best_priority = NULL \
                         WHERE shard = $1 AND run = $2 AND best_priority IS NOT NULL",
                        &[&shard, &run],
                    )
                    .await?;
                if gone > 0 {
                    session
                        .execute_once(
                            "UPDATE run SET pending = greatest(pending - $2, 0) WHERE id = $1",
                            &[&run, &(gone as i64)],
                        )
                        .await?;
                }
                Ok(())
            })
        })?;
    }
    Ok(())
}

/// Deletes the pages of a run except those in `needed`, and the hosts of the run.
pub(crate) fn clear_pages(
    session: &Session,
    run: RunId,
    needed: &HashSet<FrontierEntryId>,
) -> DatabaseResult<()> {
    let mut kept: BTreeMap<i32, Vec<FrontierEntryId>> = BTreeMap::new();
    for id in needed {
        kept.entry(shard::of_item(*id)).or_default().push(*id);
    }
    for shard in shard::shards_from(0) {
        let kept = kept.remove(&shard).unwrap_or_default();
        in_transaction(session, || {
            block_on(async {
                session
                    .execute_once(
                        "DELETE FROM page WHERE shard = $1 AND id IN (WITH RECURSIVE past AS \
                         (SELECT p.id, p.previous FROM host_run r JOIN page p ON p.shard = r.shard \
                         AND p.id = r.last_page WHERE r.shard = $1 AND r.run = $2 \
                         UNION ALL SELECT p.id, p.previous FROM past JOIN page p ON p.shard = $1 \
                         AND p.id = past.previous) SELECT id FROM past) AND id <> ALL ($3::int8[])",
                        &[&shard, &run, &kept],
                    )
                    .await?;
                session
                    .execute_once("DELETE FROM host_run WHERE shard = $1 AND run = $2", &[&shard, &run])
                    .await?;
                Ok(())
            })
        })?;
    }
    Ok(())
}
