//! Archive collections.

mod items;
mod objects;
mod runs;

use super::database_error::{DatabaseError, DatabaseResult};
use super::moment::{from_micros, to_micros};
use super::{SqlEngine, SqlStore};
use crate::sql::{self, Conn, LockDomain, OptionalExtension, Row, params, read_row};
use crate::task_rules::next_schedule_time;
use geotrawl_model::account::UserId;
use geotrawl_model::archived_page::{
    ArchiveNote, CurrentPage, ItemRole, KnownPage, NewPageVersion, PageHistory, StoredPayload,
};
use geotrawl_model::collection::{
    ArchiveObject, ArchiveRun, ArchiveRunCounts, ArchiveRunId, Collection, CollectionId, CollectionSpec,
    ObjectFilter, RankedResult, RunState,
};
use geotrawl_model::store::{CollectionStore, Result};
use jiff::Timestamp;
use serde::Serialize;
use serde::de::DeserializeOwned;

fn to_text<T: Serialize>(value: &T) -> DatabaseResult<String> {
    serde_json::to_string(value)
        .map_err(|error| DatabaseError::Inconsistent(format!("cannot serialise a value: {error}")))
}

fn from_text<T: DeserializeOwned>(text: &str) -> DatabaseResult<T> {
    serde_json::from_str(text)
        .map_err(|error| DatabaseError::Inconsistent(format!("cannot parse a stored value: {error}")))
}

fn next_start(spec: &CollectionSpec, now: Timestamp) -> Option<i64> {
    spec.schedule.as_deref().and_then(|text| next_schedule_time(text, now).ok()).map(to_micros)
}

const COLUMNS: &str = "id, acronym, owner, spec, created, queued, next_run";

struct CollectionRow {
    id: CollectionId,
    acronym: String,
    owner: Option<UserId>,
    spec: String,
    created: i64,
    queued: bool,
    next_run: Option<i64>,
}

fn read_collection_row(row: Row<'_>) -> sql::Result<CollectionRow> {
    Ok(CollectionRow {
        id: row.get(0)?,
        acronym: row.get(1)?,
        owner: row.get(2)?,
        spec: row.get(3)?,
        created: row.get(4)?,
        queued: row.get(5)?,
        next_run: row.get(6)?,
    })
}

fn to_collection(conn: Conn<'_>, raw: CollectionRow) -> DatabaseResult<Collection> {
    Ok(Collection {
        last_run: runs::list_runs(conn, raw.id, 1)?.into_iter().next(),
        items: items::count_items(conn, raw.id)?,
        id: raw.id,
        acronym: raw.acronym,
        owner: raw.owner,
        spec: from_text(&raw.spec)?,
        created: from_micros(raw.created),
        queued: raw.queued,
        next_run: raw.next_run.map(from_micros),
    })
}

fn find_collection(conn: Conn<'_>, id: CollectionId) -> DatabaseResult<Option<Collection>> {
    let found = conn
        .query_row(&format!("SELECT {COLUMNS} FROM collection WHERE id = ?1"), [id], read_collection_row)
        .optional()?;
    found.map(|found| to_collection(conn, found)).transpose()
}

fn insert_collection(
    tx: Conn<'_>,
    acronym: &str,
    owner: Option<UserId>,
    spec: &CollectionSpec,
    now: Timestamp,
) -> DatabaseResult<Option<Collection>> {
    let added: Option<CollectionId> = tx
        .prepare_cached(
            "INSERT INTO collection (acronym, owner, spec, public, created, next_run) \
             VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT DO NOTHING RETURNING id",
        )?
        .query_row(
            params![acronym, owner, to_text(spec)?, spec.public, to_micros(now), next_start(spec, now)],
            read_row,
        )
        .optional()?;
    added.map_or(Ok(None), |id| find_collection(tx, id))
}

/// Removes a collection and everything that belongs to it.
fn remove_collection_rows(tx: Conn<'_>, id: CollectionId) -> DatabaseResult<bool> {
    for sql in [
        "DELETE FROM archive_version WHERE item IN (SELECT id FROM archive_item WHERE collection = ?1)",
        "DELETE FROM archive_choice WHERE item IN (SELECT id FROM archive_item WHERE collection = ?1)",
        "DELETE FROM archive_result WHERE run IN (SELECT id FROM archive_run WHERE collection = ?1)",
        "DELETE FROM archive_item WHERE collection = ?1",
        "DELETE FROM archive_run WHERE collection = ?1",
        "DELETE FROM archive_payload WHERE collection = ?1",
        "DELETE FROM archive_file WHERE collection = ?1",
        "DELETE FROM archive_note WHERE collection = ?1",
        "DELETE FROM archive_object WHERE collection = ?1",
    ] {
        tx.execute(sql, [id])?;
    }
    Ok(tx.execute("DELETE FROM collection WHERE id = ?1", [id])? > 0)
}

impl<E: SqlEngine> CollectionStore for SqlStore<E> {
    fn add_collection(
        &self,
        acronym: &str,
        owner: Option<UserId>,
        spec: &CollectionSpec,
        now: Timestamp,
    ) -> Result<Option<Collection>> {
        self.change(LockDomain::Collections, "adding a collection", |tx| {
            insert_collection(tx, acronym, owner, spec, now)
        })
    }

    fn change_collection(&self, id: CollectionId, spec: &CollectionSpec, now: Timestamp) -> Result<()> {
        self.change(LockDomain::Collections, "changing a collection", |tx| {
            tx.prepare_cached("UPDATE collection SET spec = ?2, public = ?3, next_run = ?4 WHERE id = ?1")?
                .execute(params![id, to_text(spec)?, spec.public, next_start(spec, now)])?;
            Ok(())
        })
    }

    fn remove_collection(&self, id: CollectionId) -> Result<bool> {
        self.change(LockDomain::Collections, "removing a collection", |tx| remove_collection_rows(tx, id))
    }

    fn find_collection(&self, acronym: &str) -> Result<Option<Collection>> {
        self.read("reading a collection", |conn| {
            let found = conn
                .prepare_cached(&format!(
                    "SELECT {COLUMNS} FROM collection WHERE lower(acronym) = lower(?1)"
                ))?
                .query_row([acronym], read_collection_row)
                .optional()?;
            found.map(|found| to_collection(conn, found)).transpose()
        })
    }

    fn list_collections(&self) -> Result<Vec<Collection>> {
        self.read("reading collections", |conn| {
            let found: Vec<CollectionRow> = conn.query_all(
                &format!("SELECT {COLUMNS} FROM collection ORDER BY lower(acronym)"),
                [],
                read_collection_row,
            )?;
            found.into_iter().map(|found| to_collection(conn, found)).collect()
        })
    }

    fn request_archive_run(&self, id: CollectionId) -> Result<bool> {
        self.change(LockDomain::Collections, "requesting a run", |tx| {
            let changed =
                tx.execute("UPDATE collection SET queued = 1 WHERE id = ?1 AND queued = 0", [id])?;
            Ok(changed > 0)
        })
    }

    fn take_next_collection(&self, busy: &[CollectionId], now: Timestamp) -> Result<Option<Collection>> {
        self.change(LockDomain::Collections, "selecting the next collection", |tx| {
            runs::take_next_collection(tx, busy, now)
        })
    }

    fn begin_archive_run(&self, id: CollectionId, now: Timestamp) -> Result<(ArchiveRun, bool)> {
        self.change(LockDomain::Collections, "beginning a run", |tx| runs::begin_run(tx, id, now))
    }

    fn save_run_counts(&self, run: ArchiveRunId, counts: &ArchiveRunCounts) -> Result<()> {
        self.change(LockDomain::Collections, "counting a run", |tx| {
            tx.prepare_cached("UPDATE archive_run SET counts = ?2 WHERE id = ?1")?
                .execute(params![run, to_text(counts)?])?;
            Ok(())
        })
    }

    fn end_archive_run(
        &self,
        run: ArchiveRunId,
        state: RunState,
        error: Option<&str>,
        now: Timestamp,
    ) -> Result<()> {
        self.change(LockDomain::Collections, "ending a run", |tx| runs::end_run(tx, run, state, error, now))
    }

    fn archive_runs(&self, id: CollectionId, limit: usize) -> Result<Vec<ArchiveRun>> {
        self.read("reading runs", |conn| runs::list_runs(conn, id, limit))
    }

    fn save_results(&self, run: ArchiveRunId, results: &[RankedResult]) -> Result<()> {
        self.change(LockDomain::Collections, "saving results", |tx| {
            results.iter().try_for_each(|result| runs::put_result(tx, run, result))
        })
    }

    fn ranked_results(&self, run: ArchiveRunId) -> Result<Vec<RankedResult>> {
        self.read("reading results", |conn| runs::read_results(conn, run))
    }

    fn find_known_page(&self, id: CollectionId, url: &str) -> Result<Option<KnownPage>> {
        self.read("looking up an item", |conn| items::find_known_page(conn, id, url))
    }

    fn list_known_pages(&self, id: CollectionId) -> Result<Vec<(String, ItemRole)>> {
        self.read("reading items", |conn| items::list_known_pages(conn, id))
    }

    fn visited_urls(&self, run: ArchiveRunId) -> Result<Vec<String>> {
        self.read("reading visits", |conn| runs::visited_urls(conn, run))
    }

    fn find_payload(&self, id: CollectionId, digest: &str) -> Result<Option<StoredPayload>> {
        self.read("looking up a payload", |conn| items::find_payload(conn, id, digest))
    }

    fn add_versions(&self, id: CollectionId, versions: &[NewPageVersion]) -> Result<()> {
        self.change(LockDomain::Collections, "recording visits", |tx| {
            versions.iter().try_for_each(|version| items::store_page_version(tx, id, version))
        })
    }

    fn archive_file_end(&self, id: CollectionId, file: &str) -> Result<u64> {
        self.read("looking up a file", |conn| {
            let ends: Option<i64> = conn
                .prepare_cached("SELECT ends FROM archive_file WHERE collection = ?1 AND file = ?2")?
                .query_row(params![id, file], read_row)
                .optional()?;
            Ok(ends.unwrap_or_default() as u64)
        })
    }

    fn pages_as_of(
        &self,
        id: CollectionId,
        at: Timestamp,
        offset: u64,
        limit: u64,
    ) -> Result<(Vec<CurrentPage>, u64)> {
        self.read("reading items", |conn| items::items_as_of(conn, id, at, offset, limit))
    }

    fn page_as_of(&self, id: CollectionId, url: &str, at: Timestamp) -> Result<Option<CurrentPage>> {
        self.read("reading an item", |conn| items::item_as_of(conn, id, url, at))
    }

    fn page_history(&self, id: CollectionId, url: &str) -> Result<Option<PageHistory>> {
        self.read("reading a history", |conn| items::read_history(conn, id, url))
    }

    fn choose_version(
        &self,
        id: CollectionId,
        url: &str,
        version: u32,
        who: &str,
        note: &str,
        now: Timestamp,
    ) -> Result<bool> {
        self.change(LockDomain::Collections, "choosing a version", |tx| {
            let chosen = items::choose_version(tx, id, url, version, who, note, now)?;
            if chosen {
                objects::update_latest_object(tx, id, now)?;
            }
            Ok(chosen)
        })
    }

    fn add_archive_note(&self, id: CollectionId, note: &ArchiveNote) -> Result<()> {
        self.change(LockDomain::Collections, "adding a note", |tx| {
            tx.prepare_cached(
                "INSERT INTO archive_note (collection, at, who, url, text) VALUES (?1, ?2, ?3, ?4, ?5)",
            )?
            .execute(params![id, to_micros(note.at), note.who, note.url, note.text])?;
            Ok(())
        })
    }

    fn archive_notes(&self, id: CollectionId) -> Result<Vec<ArchiveNote>> {
        self.read("reading notes", |conn| {
            let notes = conn
                .prepare_cached(
                    "SELECT at, who, url, text FROM archive_note WHERE collection = ?1 ORDER BY id",
                )?
                .query_map([id], |row| {
                    Ok(ArchiveNote { at: row.get(0)?, who: row.get(1)?, url: row.get(2)?, text: row.get(3)? })
                })?
                .collect::<sql::Result<_>>()?;
            Ok(notes)
        })
    }

    fn list_objects(&self, filter: &ObjectFilter) -> Result<Vec<ArchiveObject>> {
        self.read("reading objects", |conn| objects::list_objects(conn, filter))
    }

    fn find_object(&self, acronym: &str, run: Timestamp) -> Result<Option<ArchiveObject>> {
        self.read("reading an object", |conn| objects::find_object(conn, acronym, run))
    }
}
