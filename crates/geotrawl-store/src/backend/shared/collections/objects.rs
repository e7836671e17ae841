//! Archive objects, created by runs and modified by users' choices.

use super::super::database_error::DatabaseResult;
use super::super::moment::to_micros;
use crate::sql::{self, Conn, OptionalExtension, Row, params};
use geotrawl_model::collection::{ArchiveObject, CollectionId, ObjectFilter};
use jiff::Timestamp;

/// Truncates to whole seconds, in which harvesting clients query: a client that asks from a second
/// on gets everything stamped within it.
fn stamp_of(now: Timestamp) -> i64 {
    to_micros(Timestamp::from_second(now.as_second()).unwrap_or(now))
}

/// Creates the object of a run.
pub(super) fn create_object(
    tx: Conn<'_>,
    collection: CollectionId,
    run: i64,
    now: Timestamp,
) -> DatabaseResult<()> {
    tx.prepare_cached(
        "INSERT INTO archive_object (collection, run, stamp, as_of) VALUES (?1, ?2, ?3, ?4) \
         ON CONFLICT (collection, run) DO UPDATE SET stamp = ?3, as_of = ?4",
    )?
    .execute(params![collection, run, stamp_of(now), to_micros(now)])?;
    Ok(())
}

/// Updates the latest object to the current state of the collection.
pub(super) fn update_latest_object(
    tx: Conn<'_>,
    collection: CollectionId,
    now: Timestamp,
) -> DatabaseResult<()> {
    tx.prepare_cached(
        "UPDATE archive_object SET stamp = ?2, as_of = ?3 WHERE collection = ?1 AND run = \
         (SELECT max(run) FROM archive_object WHERE collection = ?1)",
    )?
    .execute(params![collection, stamp_of(now), to_micros(now)])?;
    Ok(())
}

fn read_object(row: Row<'_>) -> sql::Result<ArchiveObject> {
    Ok(ArchiveObject { acronym: row.get(0)?, run: row.get(1)?, stamp: row.get(2)?, as_of: row.get(3)? })
}

pub(super) fn list_objects(conn: Conn<'_>, filter: &ObjectFilter) -> DatabaseResult<Vec<ArchiveObject>> {
    let (stamp, acronym, run) = match &filter.after {
        Some((stamp, acronym, run)) => (to_micros(*stamp), acronym.as_str(), to_micros(*run)),
        None => (i64::MIN, "", i64::MIN),
    };
    let binary = conn.binary_collation();
    let objects = conn
        .prepare_cached(&format!(
            "SELECT c.acronym, o.run, o.stamp, o.as_of FROM archive_object o JOIN collection c ON c.id = o.collection \
             WHERE (?1 IS NULL OR lower(c.acronym) = lower(?1)) AND (?2 IS NULL OR o.stamp >= ?2) AND (?3 IS NULL OR o.stamp <= ?3) \
             AND (o.stamp, c.acronym{binary}, o.run) > (?4, ?5, ?6) AND (?7 = 0 OR c.public = 1) \
             ORDER BY o.stamp, c.acronym{binary}, o.run LIMIT ?8"
        ))?
        .query_map(
            params![
                filter.acronym,
                filter.from.map(to_micros),
                filter.until.map(to_micros),
                stamp,
                acronym,
                run,
                filter.only_public,
                filter.limit as i64
            ],
            read_object,
        )?
        .collect::<sql::Result<_>>()?;
    Ok(objects)
}

pub(super) fn find_object(
    conn: Conn<'_>,
    acronym: &str,
    run: Timestamp,
) -> DatabaseResult<Option<ArchiveObject>> {
    Ok(conn
        .prepare_cached(
            "SELECT c.acronym, o.run, o.stamp, o.as_of FROM archive_object o JOIN collection c ON c.id = o.collection \
             WHERE lower(c.acronym) = lower(?1) AND o.run = ?2",
        )?
        .query_row(params![acronym, to_micros(run)], read_object)
        .optional()?)
}
