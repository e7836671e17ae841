//! Seed lists.

use super::database_error::DatabaseResult;
use super::moment::to_micros;
use crate::sql::{self, Conn, params, read_row};
use geotrawl_model::{Seed, SeedList};
use jiff::Timestamp;

/// Adds seeds to a list and returns the number of new ones.
pub(crate) fn import_seeds(
    tx: Conn<'_>,
    list: &str,
    source: &str,
    seeds: &[Seed],
    now: Timestamp,
) -> DatabaseResult<u64> {
    let id: i64 = tx.query_row(
        "INSERT INTO seed_list (name, source, imported) VALUES (?1, ?2, ?3) \
         ON CONFLICT (name) DO UPDATE SET source = ?2, imported = ?3 RETURNING id",
        params![list, source, to_micros(now)],
        read_row,
    )?;
    // Upserts count updated rows as well, so compare row counts instead.
    let count = || -> DatabaseResult<i64> {
        Ok(tx.query_row("SELECT count(*) FROM seed WHERE list = ?1", [id], read_row)?)
    };
    let before = count()?;
    let mut put = tx.prepare_cached(&format!(
        "INSERT INTO seed (list, url, kind, title, country) VALUES (?1, ?2, ?3, ?4, ?5) \
         ON CONFLICT (list, {}, kind) DO UPDATE SET title = excluded.title, country = excluded.country",
        tx.index_key_expression("url")
    ))?;
    let mut many = put.start_batch();
    for seed in seeds {
        let kind = seed.kind.as_deref().unwrap_or_default();
        many.add_values(params![id, seed.url, kind, seed.title, seed.country])?;
    }
    many.finish()?;
    Ok((count()? - before) as u64)
}

/// Returns all lists, by name.
pub(crate) fn read_lists(conn: Conn<'_>) -> DatabaseResult<Vec<SeedList>> {
    let rows = conn
        .prepare_cached(
            "SELECT l.name, l.source, l.imported, (SELECT count(*) FROM seed s WHERE s.list = l.id) \
             FROM seed_list l ORDER BY l.name",
        )?
        .query_map([], |row| {
            Ok(SeedList { name: row.get(0)?, source: row.get(1)?, imported: row.get(2)?, seeds: row.get(3)? })
        })?
        .collect::<sql::Result<_>>()?;
    Ok(rows)
}

/// Returns up to `limit` seeds of a list after an id, and the id of the last one.
pub(crate) fn read_slice(
    conn: Conn<'_>,
    list: &str,
    after: i64,
    limit: usize,
) -> DatabaseResult<(Vec<Seed>, Option<i64>)> {
    let mut select = conn.prepare_cached(
        "SELECT s.id, s.url, s.kind, s.title, s.country FROM seed s JOIN seed_list l ON l.id = s.list \
         WHERE l.name = ?1 AND s.id > ?2 ORDER BY s.id LIMIT ?3",
    )?;
    let mut rows = select.query(params![list, after, limit as i64])?;
    let (mut seeds, mut last) = (Vec::new(), None);
    while let Some(row) = rows.next()? {
        last = Some(row.get(0)?);
        let kind: String = row.get(2)?;
        seeds.push(Seed {
            url: row.get(1)?,
            kind: Some(kind).filter(|kind| !kind.is_empty()),
            title: row.get(3)?,
            country: row.get(4)?,
        });
    }
    Ok((seeds, last))
}
