//! Reads records in parts.

use super::catalogue::{assemble, content, group, records};
use super::database_error::DatabaseResult;
use super::{SqlEngine, SqlStore};
use crate::sql::{Bind, Conn, OptionalExtension, read_row};
use geotrawl_model::store::{RecordReader, Result};
use geotrawl_model::{Dataset, Record};

/// Maximum number of filter words.
const MOST_WORDS: usize = 8;

/// Returns a record without its datasets.
pub(crate) fn read_record_without_datasets(conn: Conn<'_>, id: &str) -> DatabaseResult<Option<Record>> {
    let snapshot = conn.snapshot()?;
    let tx = snapshot.conn();
    let Some((row, ..)) = find_row(tx, id)? else { return Ok(None) };
    let members = group::members_of(tx, row)?;
    Ok(assemble::assemble_record_without_datasets(tx, &members)?.map(|assembled| assembled.record))
}

/// Returns a page of a record's datasets and their total number.
pub(crate) fn read_datasets(
    conn: Conn<'_>,
    id: &str,
    words: &str,
    offset: u64,
    limit: u64,
) -> DatabaseResult<Option<(Vec<Dataset>, u64)>> {
    let snapshot = conn.snapshot()?;
    let tx = snapshot.conn();
    let Some((row, kind, url, body)) = find_row(tx, id)? else { return Ok(None) };
    let patterns: Vec<String> = words.split_whitespace().take(MOST_WORDS).map(pattern).collect();
    let (own, total) = read_dataset_rows(tx, row, &body, &patterns, offset, limit)?;
    // A harvested catalogue lists its records as datasets.
    if let Some(of_records) = records::read_dataset_page(tx, &kind, &url, &patterns, offset, limit)?
        && of_records.1 >= total
    {
        return Ok(Some(of_records));
    }
    Ok(Some((own, total)))
}

fn find_row(conn: Conn<'_>, id: &str) -> DatabaseResult<Option<(i64, String, String, String)>> {
    Ok(conn
        .query_row("SELECT id, kind, url, body FROM resource WHERE public_id = ?1", [id], read_row)
        .optional()?)
}

fn read_dataset_rows(
    conn: Conn<'_>,
    resource: i64,
    body: &str,
    patterns: &[String],
    offset: u64,
    limit: u64,
) -> DatabaseResult<(Vec<Dataset>, u64)> {
    let like = conn.like_operator();
    let filter =
        format!(" AND (name {like} ? ESCAPE '\\' OR title {like} ? ESCAPE '\\')").repeat(patterns.len());
    let mut values: Vec<&dyn Bind> = vec![&resource];
    for pattern in patterns {
        values.extend([pattern as &dyn Bind, pattern as &dyn Bind]);
    }
    let total: i64 = conn
        .prepare_cached(&format!("SELECT count(*) FROM dataset WHERE resource = ?{filter}"))?
        .query_row(&values[..], read_row)?;
    let (limit, offset) = (limit as i64, offset as i64);
    values.extend([&limit as &dyn Bind, &offset as &dyn Bind]);
    let sql =
        format!("SELECT crs, body FROM dataset WHERE resource = ?{filter} ORDER BY ordinal LIMIT ? OFFSET ?");
    let mut select = conn.prepare_cached(&sql)?;
    let datasets = content::read_datasets(resource, body, select.query(&values[..])?)?;
    Ok((datasets, total.max(0) as u64))
}

/// Returns a LIKE pattern that matches a word anywhere, with special characters escaped.
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

impl<E: SqlEngine> RecordReader for SqlStore<E> {
    fn find_record_head(&self, id: &str) -> Result<Option<Record>> {
        let record = self.read("reading a record", |conn| read_record_without_datasets(conn, id))?;
        Ok(record.map(|record| self.with_location(record)))
    }

    fn list_datasets(
        &self,
        id: &str,
        words: &str,
        offset: u64,
        limit: u64,
    ) -> Result<Option<(Vec<Dataset>, u64)>> {
        self.read("reading datasets", |conn| read_datasets(conn, id, words, offset, limit))
    }
}
