//! Records of harvested catalogues.

use super::super::database_error::DatabaseResult;
use super::super::moment::{from_micros, to_micros};
use crate::sql::{Bind, Conn, OptionalExtension, params, read_row};
use geotrawl_kinds::connectors::{self};
use geotrawl_model::{CatalogueRecord, Dataset, HarvestedPage, HarvestedRecord, RunId};
use jiff::Timestamp;
use sha2::{Digest, Sha256};

/// Bytes kept of an identifier's hash; enough to rule out collisions within a catalogue.
const KEY_LEN: usize = 16;
/// Maximum number of records shown as datasets of their catalogue; all are counted.
const DATASETS_SHOWN: i64 = 10_000;

/// Records one page of a catalogue.
pub(crate) fn store_harvested_page(
    tx: Conn<'_>,
    run: RunId,
    page: &HarvestedPage,
    now: Timestamp,
) -> DatabaseResult<()> {
    let catalogue = begin_page(tx, run, page, now)?;
    let mut put = tx.prepare_cached(
        "INSERT INTO record (catalogue, key, run, gone, body) VALUES (?1, ?2, ?3, ?4, ?5) \
         ON CONFLICT (catalogue, key) DO UPDATE SET run = excluded.run, gone = excluded.gone, \
         body = CASE WHEN excluded.gone <> 0 THEN record.body ELSE excluded.body END",
    )?;
    let mut many = put.start_batch();
    for record in &page.records {
        let key = &Sha256::digest(record.id.as_bytes())[..KEY_LEN];
        many.add_values(params![catalogue, key, run, record.deleted, serde_json::to_string(record)?])?;
    }
    many.finish()?;
    // Every page adds its follow-up pages and removes itself; at 0 the harvest is complete.
    let pending: i64 = tx
        .prepare_cached("UPDATE catalogue SET pending = pending + ?2 - 1 WHERE id = ?1 RETURNING pending")?
        .query_row(params![catalogue, page.next], read_row)?;
    if pending == 0 {
        end_harvest(tx, catalogue)?;
    }
    Ok(())
}

fn begin_page(tx: Conn<'_>, run: RunId, page: &HarvestedPage, now: Timestamp) -> DatabaseResult<i64> {
    if page.first {
        let id = tx
            .prepare_cached(&format!(
                "INSERT INTO catalogue (url, connector, run, started, pending, partial, total) \
                 VALUES (?1, ?2, ?3, ?4, 1, ?5, ?6) ON CONFLICT ({}, connector) DO UPDATE SET run = ?3, \
                 started = ?4, pending = 1, partial = ?5, total = CASE WHEN ?5 <> 0 THEN catalogue.total \
                 ELSE coalesce(?6, catalogue.total) END RETURNING id",
                tx.index_key_expression("url")
            ))?
            .query_row(
                params![
                    page.catalogue,
                    page.connector,
                    run,
                    to_micros(now),
                    page.partial,
                    page.total.map(|total| total as i64)
                ],
                read_row,
            )?;
        return Ok(id);
    }
    let known = tx
        .prepare_cached("SELECT id FROM catalogue WHERE url = ?1 AND connector = ?2")?
        .query_row([&page.catalogue, &page.connector], read_row)
        .optional()?;
    if let Some(id) = known {
        return Ok(id);
    }
    // A page of an unknown harvest: keep its records, but never count this harvest as complete.
    Ok(tx
        .prepare_cached(
            "INSERT INTO catalogue (url, connector, run, started, pending, partial) VALUES (?1, ?2, ?3, ?4, 2, 1) \
             RETURNING id",
        )?
        .query_row(params![page.catalogue, page.connector, run, to_micros(now)], read_row)?)
}

/// Completes a harvest after its last page: records that a full harvest did not contain are gone.
fn end_harvest(tx: Conn<'_>, catalogue: i64) -> DatabaseResult<()> {
    tx.execute("UPDATE catalogue SET complete = started WHERE id = ?1", [catalogue])?;
    tx.prepare_cached(
        "UPDATE record SET gone = 1 WHERE catalogue = ?1 AND gone = 0 AND run < (SELECT run FROM catalogue \
         WHERE id = ?1 AND partial = 0)",
    )?
    .execute([catalogue])?;
    Ok(())
}

/// Returns when the last complete harvest began.
pub(crate) fn last_complete_harvest(
    conn: Conn<'_>,
    url: &str,
    connector: &str,
) -> DatabaseResult<Option<Timestamp>> {
    let at: Option<Option<i64>> = conn
        .prepare_cached("SELECT complete FROM catalogue WHERE url = ?1 AND connector = ?2")?
        .query_row([url, connector], read_row)
        .optional()?;
    Ok(at.flatten().map(from_micros))
}

/// Returns up to `limit` records after a sequence number, and the number of the last.
pub(crate) fn read_slice(
    conn: Conn<'_>,
    after: i64,
    catalogue: Option<&str>,
    limit: usize,
) -> DatabaseResult<(Vec<HarvestedRecord>, Option<i64>)> {
    let mut select = conn.prepare_cached(
        "SELECT r.seq, c.url, c.connector, r.gone, r.body FROM record r JOIN catalogue c ON c.id = r.catalogue \
         WHERE r.seq > ?1 AND (?2 IS NULL OR c.url = ?2) ORDER BY r.seq LIMIT ?3",
    )?;
    let mut rows = select.query(params![after, catalogue, limit as i64])?;
    let (mut records, mut last) = (Vec::new(), None);
    while let Some(row) = rows.next()? {
        last = Some(row.get(0)?);
        let body = row.get_ref(4)?.as_str()?;
        records.push(HarvestedRecord {
            catalogue: row.get(1)?,
            connector: row.get(2)?,
            gone: row.get(3)?,
            record: serde_json::from_str(body)?,
        });
    }
    Ok((records, last))
}

/// Returns the first records of a catalogue as datasets (none unless `wanted`), and the number of
/// all; `None` if it was never harvested.
pub(crate) fn read_datasets(
    conn: Conn<'_>,
    kind: &str,
    url: &str,
    wanted: bool,
) -> DatabaseResult<Option<(Vec<Dataset>, u64)>> {
    read_dataset_page(conn, kind, url, &[], 0, if wanted { DATASETS_SHOWN as u64 } else { 0 })
}

/// Returns a page of a catalogue's records as datasets, limited to those whose text matches every
/// pattern.
pub(crate) fn read_dataset_page(
    conn: Conn<'_>,
    kind: &str,
    url: &str,
    patterns: &[String],
    offset: u64,
    limit: u64,
) -> DatabaseResult<Option<(Vec<Dataset>, u64)>> {
    let mut ids: Vec<(i64, String)> =
        conn.query_all("SELECT id, connector FROM catalogue WHERE url = ?1", [url], read_row)?;
    // One address may have records of several kinds, and only one of them is the catalogue.
    // Catalogues declared by an operator have no record.
    ids.retain(|(_, connector)| {
        connectors::by_id(connector).is_some_and(|connector| connector.doc().kinds.contains(&kind))
    });
    if ids.is_empty() {
        return Ok(None);
    }
    let filter = format!(" AND body {} ? ESCAPE '\\'", conn.like_operator()).repeat(patterns.len());
    let (mut shown, mut count, mut skip) = (Vec::new(), 0_u64, offset as i64);
    for (id, _) in ids {
        let mut values: Vec<&dyn Bind> = vec![&id];
        values.extend(patterns.iter().map(|pattern| pattern as &dyn Bind));
        let of_one: i64 = conn
            .prepare_cached(&format!("SELECT count(*) FROM record WHERE catalogue = ? AND gone = 0{filter}"))?
            .query_row(&values[..], read_row)?;
        count += of_one as u64;
        let left = limit as i64 - shown.len() as i64;
        if left > 0 && skip < of_one {
            values.extend([&left as &dyn Bind, &skip as &dyn Bind]);
            let sql = format!(
                "SELECT body FROM record WHERE catalogue = ? AND gone = 0{filter} ORDER BY seq LIMIT ? OFFSET ?"
            );
            let mut select = conn.prepare_cached(&sql)?;
            let mut rows = select.query(&values[..])?;
            while let Some(row) = rows.next()? {
                let body = row.get_ref(0)?.as_str()?;
                shown.push(to_dataset(serde_json::from_str(body)?));
            }
        }
        skip = (skip - of_one).max(0);
    }
    Ok(Some((shown, count)))
}

fn to_dataset(record: CatalogueRecord) -> Dataset {
    let mut formats: Vec<String> =
        record.links.into_iter().filter_map(|link| link.format.or(link.protocol)).collect();
    formats.sort();
    formats.dedup();
    Dataset {
        name: record.id,
        title: record.title,
        abstract_: record.abstract_,
        keywords: record.keywords.into_iter().map(Into::into).collect(),
        bbox: record.bbox,
        crs: record.crs.into_iter().map(Into::into).collect(),
        time: record.time,
        formats: formats.into_iter().map(Into::into).collect(),
    }
}
