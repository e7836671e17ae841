//! Archived pages of collections, their versions, and which version is current at a given time.

use super::super::database_error::{DatabaseError, DatabaseResult};
use super::super::moment::{from_micros, to_micros};
use super::{from_text, runs, to_text};
use crate::sql::{self, Conn, OptionalExtension, insert, params, read_row};
use geotrawl_model::archived_page::{
    ArchivedPageId, CurrentPage, ItemRole, KnownPage, NewPageVersion, PageHistory, PageVersion,
    StoredPayload, VersionChoice, VersionKind, WarcLocation,
};
use geotrawl_model::collection::CollectionId;
use jiff::Timestamp;

/// Order of items: results, pages, requisites; highest weights first.
const ORDER: &str = "CASE role WHEN 'result' THEN 0 WHEN 'page' THEN 1 ELSE 2 END, weight DESC, id";

fn id_of(conn: Conn<'_>, collection: CollectionId, url: &str) -> DatabaseResult<Option<ArchivedPageId>> {
    Ok(conn
        .prepare_cached("SELECT id FROM archive_item WHERE collection = ?1 AND url = ?2")?
        .query_row(params![collection, url], read_row)
        .optional()?)
}

/// Records a visit.
pub(super) fn store_page_version(
    tx: Conn<'_>,
    collection: CollectionId,
    new: &NewPageVersion,
) -> DatabaseResult<()> {
    let weight = new.result.as_ref().map_or(0.0, |result| result.weight);
    // A URL keeps the most important role it ever had.
    let item: ArchivedPageId = tx
        .prepare_cached(&format!(
            "INSERT INTO archive_item (collection, url, role, weight) VALUES (?1, ?2, ?3, ?4) \
             ON CONFLICT (collection, {}) DO UPDATE SET weight = CASE WHEN archive_item.weight > ?4 \
             THEN archive_item.weight ELSE ?4 END, role = CASE WHEN archive_item.role = 'result' OR ?3 = 'result' \
             THEN 'result' WHEN archive_item.role = 'page' OR ?3 = 'page' THEN 'page' ELSE 'requisite' END \
             RETURNING id",
            tx.index_key_expression("url")
        ))?
        .query_row(params![collection, new.url, new.role.as_str(), weight], read_row)?;
    let number: u32 = tx
        .prepare_cached("SELECT coalesce(max(number), 0) + 1 FROM archive_version WHERE item = ?1")?
        .query_row([item], read_row)?;
    let version = PageVersion { number, ..new.version.clone() };
    insert!(
        tx,
        archive_version {
            item: item,
            number: number,
            run: version.run,
            at: version.at,
            kind: version.kind.as_str(),
            changes: version.kind != VersionKind::Unchanged,
            digest: version.digest,
            sketch: new.sketch,
            body: to_text(&version)?,
        }
    )?;
    // Only response records hold the payload; revisit records refer to an earlier one.
    if !version.digest.is_empty() && version.record == version.payload {
        let place = &version.payload;
        tx.prepare_cached(
            "INSERT INTO archive_payload (collection, digest, url, at, file, \"offset\", length) \
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT (collection, digest) DO NOTHING",
        )?
        .execute(params![
            collection,
            version.digest,
            version.final_url.as_ref().unwrap_or(&new.url),
            to_micros(version.at),
            place.file,
            place.offset as i64,
            place.length as i64
        ])?;
    }
    if !version.record.file.is_empty() {
        tx.prepare_cached(
            "INSERT INTO archive_file (collection, file, ends) VALUES (?1, ?2, ?3) \
             ON CONFLICT (collection, file) DO UPDATE SET ends = CASE WHEN archive_file.ends > ?3 \
             THEN archive_file.ends ELSE ?3 END",
        )?
        .execute(params![
            collection,
            version.record.file,
            (version.record.offset + version.record.length) as i64
        ])?;
    }
    match &new.result {
        Some(result) => runs::put_result(tx, version.run, result),
        None => Ok(()),
    }
}

pub(super) fn find_known_page(
    conn: Conn<'_>,
    collection: CollectionId,
    url: &str,
) -> DatabaseResult<Option<KnownPage>> {
    let item: Option<(ArchivedPageId, String)> = conn
        .prepare_cached("SELECT id, role FROM archive_item WHERE collection = ?1 AND url = ?2")?
        .query_row(params![collection, url], read_row)
        .optional()?;
    let Some((id, role)) = item else { return Ok(None) };
    let latest: Option<String> = conn
        .prepare_cached("SELECT kind FROM archive_version WHERE item = ?1 ORDER BY number DESC LIMIT 1")?
        .query_row([id], read_row)
        .optional()?;
    let content: Option<(String, Vec<u8>)> = conn
        .prepare_cached(
            "SELECT body, sketch FROM archive_version WHERE item = ?1 AND digest <> '' ORDER BY number DESC LIMIT 1",
        )?
        .query_row([id], read_row)
        .optional()?;
    let Some((body, sketch)) = content else { return Ok(None) };
    let version: PageVersion = from_text(&body)?;
    Ok(Some(KnownPage {
        id,
        url: url.to_owned(),
        role: ItemRole::from_word(&role),
        digest: version.digest,
        payload: version.payload,
        sketch,
        gone: latest.as_deref() == Some(VersionKind::Deleted.as_str()),
        at: version.at,
    }))
}

pub(super) fn list_known_pages(
    conn: Conn<'_>,
    collection: CollectionId,
) -> DatabaseResult<Vec<(String, ItemRole)>> {
    let items = conn
        .prepare_cached(
            "SELECT url, role FROM archive_item i WHERE collection = ?1 AND (SELECT kind FROM archive_version \
             WHERE item = i.id ORDER BY number DESC LIMIT 1) <> 'deleted' ORDER BY id",
        )?
        .query_map([collection], |row| Ok((row.get(0)?, ItemRole::from_word(&row.get::<String>(1)?))))?
        .collect::<sql::Result<_>>()?;
    Ok(items)
}

/// Counts the items that existed at their last visit.
pub(super) fn count_items(conn: Conn<'_>, collection: CollectionId) -> DatabaseResult<u64> {
    let count: i64 = conn
        .prepare_cached(
            "SELECT count(*) FROM archive_item i WHERE collection = ?1 AND (SELECT kind FROM archive_version \
             WHERE item = i.id AND changes = 1 ORDER BY number DESC LIMIT 1) <> 'deleted'",
        )?
        .query_row([collection], read_row)?;
    Ok(count as u64)
}

pub(super) fn find_payload(
    conn: Conn<'_>,
    collection: CollectionId,
    digest: &str,
) -> DatabaseResult<Option<StoredPayload>> {
    Ok(conn
        .prepare_cached(
            "SELECT url, at, file, \"offset\", length FROM archive_payload WHERE collection = ?1 AND digest = ?2",
        )?
        .query_row(params![collection, digest], |row| {
            Ok(StoredPayload {
                url: row.get(0)?,
                at: row.get(1)?,
                place: WarcLocation {
                    file: row.get(2)?,
                    offset: row.get(3)?,
                    length: row.get(4)?,
                },
            })
        })
        .optional()?)
}

/// Returns the version of an item that is current at a given time, and when a user chose it, if one
/// did.
fn current_version(
    conn: Conn<'_>,
    item: ArchivedPageId,
    at: i64,
) -> DatabaseResult<Option<(u32, Option<i64>)>> {
    let latest: Option<(u32, i64, String)> = conn
        .prepare_cached(
            "SELECT number, at, kind FROM archive_version WHERE item = ?1 AND changes = 1 AND at <= ?2 \
             ORDER BY number DESC LIMIT 1",
        )?
        .query_row([item, at], read_row)
        .optional()?;
    let Some((number, seen, kind)) = latest else { return Ok(None) };
    let chosen: Option<(i64, u32)> = conn
        .prepare_cached(
            "SELECT at, version FROM archive_choice WHERE item = ?1 AND at <= ?2 ORDER BY at DESC LIMIT 1",
        )?
        .query_row([item, at], read_row)
        .optional()?;
    Ok(match chosen {
        Some((when, version)) if when >= seen => Some((version, Some(when))),
        _ if kind == VersionKind::Deleted.as_str() => None,
        _ => Some((number, None)),
    })
}

type ArchiveItemRow = (ArchivedPageId, String, String, f64);

fn assemble_item(
    conn: Conn<'_>,
    item: ArchiveItemRow,
    number: u32,
    chosen: Option<i64>,
) -> DatabaseResult<CurrentPage> {
    let (id, url, role, weight) = item;
    let body: Option<String> = conn
        .prepare_cached("SELECT body FROM archive_version WHERE item = ?1 AND number = ?2")?
        .query_row(params![id, number], read_row)
        .optional()?;
    let body =
        body.ok_or_else(|| DatabaseError::Inconsistent(format!("version {number} of {url} is missing")))?;
    let version: PageVersion = from_text(&body)?;
    let created: Option<i64> = conn
        .prepare_cached(
            "SELECT at FROM archive_version WHERE item = ?1 AND kind = 'new' AND number <= ?2 \
             ORDER BY number DESC LIMIT 1",
        )?
        .query_row(params![id, number], read_row)
        .optional()?;
    let modified = match (chosen, version.kind) {
        (Some(when), _) => Some(from_micros(when)),
        (None, VersionKind::Modified) => Some(version.at),
        _ => None,
    };
    Ok(CurrentPage {
        id,
        url,
        role: ItemRole::from_word(&role),
        weight,
        created: created.map_or(version.at, from_micros),
        modified,
        version,
        chosen: chosen.is_some(),
    })
}

pub(super) fn items_as_of(
    conn: Conn<'_>,
    collection: CollectionId,
    at: Timestamp,
    offset: u64,
    limit: u64,
) -> DatabaseResult<(Vec<CurrentPage>, u64)> {
    let mut select = conn.prepare_cached(&format!(
        "SELECT id, url, role, weight FROM archive_item WHERE collection = ?1 ORDER BY {ORDER}"
    ))?;
    let mut rows = select.query([collection])?;
    let (mut items, mut total) = (Vec::new(), 0);
    while let Some(row) = rows.next()? {
        let id: ArchivedPageId = row.get(0)?;
        let Some((number, chosen)) = current_version(conn, id, to_micros(at))? else { continue };
        if total >= offset && (items.len() as u64) < limit {
            items.push(assemble_item(conn, (id, row.get(1)?, row.get(2)?, row.get(3)?), number, chosen)?);
        }
        total += 1;
    }
    Ok((items, total))
}

pub(super) fn item_as_of(
    conn: Conn<'_>,
    collection: CollectionId,
    url: &str,
    at: Timestamp,
) -> DatabaseResult<Option<CurrentPage>> {
    let item: Option<ArchiveItemRow> = conn
        .prepare_cached("SELECT id, url, role, weight FROM archive_item WHERE collection = ?1 AND url = ?2")?
        .query_row(params![collection, url], read_row)
        .optional()?;
    let Some(item) = item else { return Ok(None) };
    match current_version(conn, item.0, to_micros(at))? {
        Some((number, chosen)) => assemble_item(conn, item, number, chosen).map(Some),
        None => Ok(None),
    }
}

pub(super) fn read_history(
    conn: Conn<'_>,
    collection: CollectionId,
    url: &str,
) -> DatabaseResult<Option<PageHistory>> {
    let item: Option<(ArchivedPageId, String)> = conn
        .prepare_cached("SELECT id, role FROM archive_item WHERE collection = ?1 AND url = ?2")?
        .query_row(params![collection, url], read_row)
        .optional()?;
    let Some((id, role)) = item else { return Ok(None) };
    let bodies: Vec<String> =
        conn.query_all("SELECT body FROM archive_version WHERE item = ?1 ORDER BY number", [id], read_row)?;
    let choices = conn
        .prepare_cached("SELECT at, version, who, note FROM archive_choice WHERE item = ?1 ORDER BY at")?
        .query_map([id], |row| {
            Ok(VersionChoice { at: row.get(0)?, version: row.get(1)?, who: row.get(2)?, note: row.get(3)? })
        })?
        .collect::<sql::Result<_>>()?;
    Ok(Some(PageHistory {
        url: url.to_owned(),
        role: ItemRole::from_word(&role),
        versions: bodies.iter().map(|body| from_text(body)).collect::<DatabaseResult<_>>()?,
        choices,
        current: current_version(conn, id, i64::MAX)?.map(|(number, _)| number),
    }))
}

pub(super) fn choose_version(
    tx: Conn<'_>,
    collection: CollectionId,
    url: &str,
    version: u32,
    who: &str,
    note: &str,
    now: Timestamp,
) -> DatabaseResult<bool> {
    let Some(item) = id_of(tx, collection, url)? else { return Ok(false) };
    let has_content = tx
        .prepare_cached("SELECT 1 FROM archive_version WHERE item = ?1 AND number = ?2 AND digest <> ''")?
        .exists(params![item, version])?;
    if !has_content {
        return Ok(false);
    }
    tx.prepare_cached(
        "INSERT INTO archive_choice (item, at, version, who, note) VALUES (?1, ?2, ?3, ?4, ?5) \
         ON CONFLICT (item, at) DO UPDATE SET version = ?3, who = ?4, note = ?5",
    )?
    .execute(params![item, to_micros(now), version, who, note])?;
    Ok(true)
}
