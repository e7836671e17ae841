//! Runs of collections and their ranked results.

use super::super::database_error::{DatabaseError, DatabaseResult};
use super::super::moment::{from_micros, to_micros};
use super::{
    COLUMNS, CollectionRow, find_collection, from_text, next_start, objects, read_collection_row, to_text,
};
use crate::sql::{self, Conn, OptionalExtension, Row, params, read_row};
use geotrawl_model::collection::{
    ArchiveRun, ArchiveRunCounts, ArchiveRunId, Collection, CollectionId, CollectionSpec, RankedResult,
    RunState,
};
use jiff::Timestamp;

type ArchiveRunRow = (ArchiveRunId, CollectionId, i64, String, Option<i64>, Option<String>, String);

fn read_run_row(row: Row<'_>) -> sql::Result<ArchiveRunRow> {
    Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?, row.get(5)?, row.get(6)?))
}

fn to_archive_run(raw: ArchiveRunRow) -> DatabaseResult<ArchiveRun> {
    let (id, collection, at, state, ended, error, counts) = raw;
    Ok(ArchiveRun {
        id,
        collection,
        at: from_micros(at),
        state: RunState::from_word(&state),
        ended: ended.map(from_micros),
        error,
        counts: from_text(&counts)?,
    })
}

pub(super) fn list_runs(
    conn: Conn<'_>,
    collection: CollectionId,
    limit: usize,
) -> DatabaseResult<Vec<ArchiveRun>> {
    let runs: Vec<ArchiveRunRow> = conn
        .prepare_cached(
            "SELECT id, collection, at, state, ended, error, counts FROM archive_run WHERE collection = ?1 \
             ORDER BY id DESC LIMIT ?2",
        )?
        .query_map(params![collection, limit as i64], read_run_row)?
        .collect::<sql::Result<_>>()?;
    runs.into_iter().map(to_archive_run).collect()
}

/// Returns the next collection to run; those requested by users come first.
pub(super) fn take_next_collection(
    tx: Conn<'_>,
    busy: &[CollectionId],
    now: Timestamp,
) -> DatabaseResult<Option<Collection>> {
    let waiting: Vec<CollectionRow> = tx
        .prepare_cached(&format!(
            "SELECT {COLUMNS} FROM collection WHERE queued = 1 OR next_run <= ?1 \
             OR EXISTS (SELECT 1 FROM archive_run WHERE collection = collection.id AND state = 'running') \
             ORDER BY queued DESC, next_run NULLS FIRST, id"
        ))?
        .query_map([to_micros(now)], read_collection_row)?
        .collect::<sql::Result<_>>()?;
    let Some(found) = waiting.into_iter().find(|found| !busy.contains(&found.id)) else { return Ok(None) };
    let spec: CollectionSpec = from_text(&found.spec)?;
    tx.prepare_cached("UPDATE collection SET queued = 0, next_run = ?2 WHERE id = ?1")?
        .execute(params![found.id, next_start(&spec, now)])?;
    find_collection(tx, found.id)
}

pub(super) fn begin_run(
    tx: Conn<'_>,
    id: CollectionId,
    now: Timestamp,
) -> DatabaseResult<(ArchiveRun, bool)> {
    // Continue a run that was interrupted.
    if let Some(last) = list_runs(tx, id, 1)?.into_iter().next()
        && last.state == RunState::Running
    {
        return Ok((last, true));
    }
    // Whole seconds are more readable in identifiers; a second run within the same second gets the
    // exact time.
    let second = Timestamp::from_second(now.as_second()).unwrap_or(now);
    let taken = tx
        .prepare_cached("SELECT 1 FROM archive_run WHERE collection = ?1 AND at = ?2")?
        .exists(params![id, to_micros(second)])?;
    let at = if taken { now } else { second };
    tx.prepare_cached(
        "INSERT INTO archive_run (collection, at, state, counts) VALUES (?1, ?2, 'running', ?3)",
    )?
    .execute(params![id, to_micros(at), to_text(&ArchiveRunCounts::default())?])?;
    let begun = list_runs(tx, id, 1)?.into_iter().next();
    let begun = begun.ok_or_else(|| DatabaseError::Inconsistent("the new run is missing".to_owned()))?;
    Ok((begun, false))
}

pub(super) fn end_run(
    tx: Conn<'_>,
    run: ArchiveRunId,
    state: RunState,
    error: Option<&str>,
    now: Timestamp,
) -> DatabaseResult<()> {
    let ended = Some(to_micros(now)).filter(|_| state != RunState::Running);
    tx.prepare_cached("UPDATE archive_run SET state = ?2, ended = ?3, error = ?4 WHERE id = ?1")?
        .execute(params![run, state.as_str(), ended, error])?;
    if state == RunState::Running {
        return Ok(());
    }
    let of_run: Option<(CollectionId, i64)> =
        tx.query_row("SELECT collection, at FROM archive_run WHERE id = ?1", [run], read_row).optional()?;
    let Some((collection, at)) = of_run else { return Ok(()) };
    let (new, modified): (i64, i64) = tx
        .prepare_cached(
            "SELECT count(*) FILTER (WHERE kind IN ('new', 'deleted')), count(*) FILTER (WHERE kind = 'modified') \
             FROM archive_version WHERE run = ?1",
        )?
        .query_row([run], read_row)?;
    if new > 0 {
        objects::create_object(tx, collection, at, now)
    } else if modified > 0 {
        objects::update_latest_object(tx, collection, now)
    } else {
        Ok(())
    }
}

pub(super) fn put_result(tx: Conn<'_>, run: ArchiveRunId, result: &RankedResult) -> DatabaseResult<()> {
    tx.prepare_cached(&format!(
        "INSERT INTO archive_result (run, url, weight, state, body) VALUES (?1, ?2, ?3, ?4, ?5) \
         ON CONFLICT (run, {}) DO UPDATE SET weight = ?3, state = ?4, body = ?5",
        tx.index_key_expression("url")
    ))?
    .execute(params![run, result.url, result.weight, result.state, to_text(result)?])?;
    Ok(())
}

pub(super) fn read_results(conn: Conn<'_>, run: ArchiveRunId) -> DatabaseResult<Vec<RankedResult>> {
    let bodies: Vec<String> = conn
        .prepare_cached("SELECT body FROM archive_result WHERE run = ?1 ORDER BY weight DESC, url")?
        .query_map([run], read_row)?
        .collect::<sql::Result<_>>()?;
    bodies.iter().map(|body| from_text(body)).collect()
}

pub(super) fn visited_urls(conn: Conn<'_>, run: ArchiveRunId) -> DatabaseResult<Vec<String>> {
    let urls = conn
        .prepare_cached(
            "SELECT i.url FROM archive_version v JOIN archive_item i ON i.id = v.item WHERE v.run = ?1 \
             UNION SELECT url FROM archive_result WHERE run = ?1 AND state <> 'waiting'",
        )?
        .query_map([run], read_row)?
        .collect::<sql::Result<_>>()?;
    Ok(urls)
}
