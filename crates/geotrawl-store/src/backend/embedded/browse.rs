//! Records in parts.

use super::catalogue::{assemble, content, group, records};
use super::fault::Step;
use crate::record::Record;
use geotrawl_kinds::model::Dataset;
use rusqlite::{Connection, OptionalExtension, ToSql};

/// Words of a filter that count.
const MOST_WORDS: usize = 8;

/// A record without its datasets.
pub(super) fn head(conn: &Connection, id: &str) -> Step<Option<Record>> {
    let tx = conn.unchecked_transaction()?;
    let Some((row, ..)) = row(&tx, id)? else { return Ok(None) };
    let members = group::of(&tx, row)?;
    Ok(assemble::assemble_head(&tx, &members)?.map(|assembled| assembled.record))
}

/// A page of the datasets of a record.
pub(super) fn datasets(
    conn: &Connection,
    id: &str,
    words: &str,
    offset: u64,
    limit: u64,
) -> Step<Option<(Vec<Dataset>, u64)>> {
    let tx = conn.unchecked_transaction()?;
    let Some((row, kind, url, body)) = row(&tx, id)? else { return Ok(None) };
    let patterns: Vec<String> = words.split_whitespace().take(MOST_WORDS).map(pattern).collect();
    let (own, total) = of_rows(&tx, row, &body, &patterns, offset, limit)?;
    // A harvested catalogue offers its records.
    if let Some(of_records) = records::page(&tx, &kind, &url, &patterns, offset, limit)?
        && of_records.1 >= total
    {
        return Ok(Some(of_records));
    }
    Ok(Some((own, total)))
}

fn row(conn: &Connection, id: &str) -> Step<Option<(i64, String, String, String)>> {
    Ok(conn
        .prepare_cached("SELECT id, kind, url, body FROM resource WHERE public_id = ?1")?
        .query_row([id], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)))
        .optional()?)
}

fn of_rows(
    conn: &Connection,
    resource: i64,
    body: &str,
    patterns: &[String],
    offset: u64,
    limit: u64,
) -> Step<(Vec<Dataset>, u64)> {
    let filter = " AND (name LIKE ? ESCAPE '\\' OR title LIKE ? ESCAPE '\\')".repeat(patterns.len());
    let mut values: Vec<&dyn ToSql> = vec![&resource];
    for pattern in patterns {
        values.extend([pattern as &dyn ToSql, pattern as &dyn ToSql]);
    }
    let total: i64 = conn
        .prepare_cached(&format!("SELECT count(*) FROM dataset WHERE resource = ?{filter}"))?
        .query_row(&values[..], |row| row.get(0))?;
    let (limit, offset) = (limit as i64, offset as i64);
    values.extend([&limit as &dyn ToSql, &offset as &dyn ToSql]);
    let sql =
        format!("SELECT crs, body FROM dataset WHERE resource = ?{filter} ORDER BY ordinal LIMIT ? OFFSET ?");
    let mut select = conn.prepare_cached(&sql)?;
    let datasets = content::datasets(resource, body, select.query(&values[..])?)?;
    Ok((datasets, total.max(0) as u64))
}

/// A pattern that finds a word anywhere, whatever signs it holds.
fn pattern(word: &str) -> String {
    let mut pattern = String::from("%");
    for c in word.chars() {
        if matches!(c, '%' | '_' | '\\') {
            pattern.push('\\');
        }
        pattern.push(c);
    }
    pattern + "%"
}
