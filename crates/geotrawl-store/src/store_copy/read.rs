//! Reads a whole store row by row, from either engine.

use super::tables::{IdTarget, OWN_SETTINGS, TableSpec};
use super::{SHARD_BITS, keys};
use crate::backend::postgres::frontier::shard;
use crate::backend::shared::database_error::{DatabaseError, DatabaseResult};
use crate::sql::{Conn, OptionalExtension, PgClient, Value};
use futures_util::TryStreamExt;
use geotrawl_model::RunId;
use std::collections::BTreeSet;
use std::fmt::Write;
use tokio_postgres::types::ToSql;

/// Receives a row; ids of hosts and items are in PostgreSQL's form.
pub(super) type RowVisitor<'v> = dyn FnMut(&[Value<'_>]) -> DatabaseResult<()> + 'v;

/// Calls `visit` with every row of a table.
pub(super) fn visit_rows(
    conn: Conn<'_>,
    table: &TableSpec,
    visit: &mut RowVisitor<'_>,
) -> DatabaseResult<()> {
    match conn {
        Conn::Lite(file) => {
            // In a file, pending items are in two tables.
            let mut names = std::iter::once(table.name).chain((table.name == "queue").then_some("inbox"));
            names.try_for_each(|name| visit_file_rows(file, table, name, visit))
        }
        Conn::Pg(client) => {
            let order: Vec<String> =
                table.columns().take(table.key).map(|name| format!("t.{}", quote_name(name))).collect();
            let sql = format!(
                "SELECT {} FROM {} t{} ORDER BY {}",
                select_list(table, table.name),
                quote_name(table.name),
                settings_condition(table),
                order.join(", ")
            );
            visit_query_rows(client, &sql, &[], table.columns().count(), visit)
        }
    }
}

/// Returns the columns to select. Inbox items have never been tried, so their attempts are 0.
fn select_list(table: &TableSpec, from: &str) -> String {
    let column = |name| match (from, name) {
        ("inbox", "attempts") => "0".to_owned(),
        _ => format!("t.{}", quote_name(name)),
    };
    table.columns().map(column).collect::<Vec<_>>().join(", ")
}

fn settings_condition(table: &TableSpec) -> String {
    if table.name != "meta" {
        return String::new();
    }
    let own: Vec<String> = OWN_SETTINGS.iter().map(|key| format!("'{key}'")).collect();
    format!(" WHERE t.key NOT IN ({})", own.join(", "))
}

/// Quotes a name that may be an SQL keyword.
pub(super) fn quote_name(name: &str) -> String {
    format!("\"{name}\"")
}

fn visit_file_rows(
    file: &rusqlite::Connection,
    table: &TableSpec,
    name: &str,
    visit: &mut RowVisitor<'_>,
) -> DatabaseResult<()> {
    let mut sql = format!("SELECT {}", select_list(table, name));
    let mut from = format!(" FROM {} t", quote_name(name));
    // Host names, from which the shards are computed.
    if let Some(host) = table.host_column() {
        let _ = if table.name == "host" {
            write!(sql, ", t.name")
        } else {
            write!(from, " LEFT JOIN host h ON h.id = t.{host}").and_then(|()| write!(sql, ", h.name"))
        };
    }
    if let Some(page) = table.page_column() {
        let _ = write!(from, " LEFT JOIN page p ON p.id = t.{page} LEFT JOIN host ph ON ph.id = p.host");
        sql.push_str(", ph.name");
    }
    let mut statement = file.prepare(&format!("{sql}{from}{}", settings_condition(table)))?;
    let (width, ids) = (table.columns().count(), table.id_positions());
    let mut shards = ShardCache::default();
    let mut found = statement.query([])?;
    while let Some(row) = found.next()? {
        let mut values = Vec::with_capacity(width + 2);
        for at in
            0..width + usize::from(table.host_column().is_some()) + usize::from(table.page_column().is_some())
        {
            values.push(crate::sql::lite_column(row, at)?);
        }
        let own = if table.host_column().is_some() { shards.of(values.get(width)) } else { 0 };
        let other = if table.page_column().is_some() { shards.of(values.last()) } else { 0 };
        values.truncate(width);
        for (at, id) in &ids {
            if let Some(Value::Integer(number)) = values.get_mut(*at) {
                *number = shared_id(*number, if *id == IdTarget::Page { other } else { own })?;
            }
        }
        visit(&values)?;
    }
    Ok(())
}

/// Converts an embedded id to the form it has in PostgreSQL.
fn shared_id(number: i64, shard: i32) -> DatabaseResult<i64> {
    match number.checked_mul(1 << SHARD_BITS) {
        Some(high) => Ok(high | i64::from(shard)),
        None => Err(DatabaseError::Inconsistent(format!("item number {number} is too large to be copied"))),
    }
}

/// Computes shards of host names. Caches the last one, because rows of a host are usually adjacent.
#[derive(Default)]
struct ShardCache {
    last: String,
    shard: i32,
}

impl ShardCache {
    fn of(&mut self, name: Option<&Value<'_>>) -> i32 {
        match name {
            Some(Value::Text(name)) => {
                if *name != self.last {
                    (*name).clone_into(&mut self.last);
                    self.shard = shard::of_name(name);
                }
                self.shard
            }
            // The host or page no longer exists.
            _ => 0,
        }
    }
}

/// Streams the rows of a statement in PostgreSQL's own syntax.
fn visit_query_rows(
    client: &PgClient,
    sql: &str,
    values: &[&(dyn ToSql + Sync)],
    width: usize,
    visit: &mut RowVisitor<'_>,
) -> DatabaseResult<()> {
    let rows = client.wait_for(client.raw().query_raw(sql, values.iter().copied()))?;
    let mut rows = std::pin::pin!(rows);
    while let Some(row) = client.wait_for(rows.try_next())? {
        let values: Vec<Value<'_>> =
            (0..width).map(|at| row.try_get(at)).collect::<std::result::Result<_, _>>()?;
        visit(&values)?;
    }
    Ok(())
}

/// Returns the unfinished runs, whose known links are still needed.
pub(super) fn unfinished_runs(conn: Conn<'_>) -> DatabaseResult<BTreeSet<RunId>> {
    Ok(conn
        .prepare_cached("SELECT id FROM run WHERE state <> 'finished'")?
        .query_map([], |row| row.get(0))?
        .collect::<crate::sql::Result<_>>()?)
}

/// Calls `visit` with run, host, path and intent of every item of these runs, pending or closed.
pub(super) fn visit_items(
    conn: Conn<'_>,
    runs: &BTreeSet<RunId>,
    visit: &mut RowVisitor<'_>,
) -> DatabaseResult<()> {
    if runs.is_empty() {
        return Ok(());
    }
    let columns = "SELECT t.run, h.name, t.path, t.intent FROM";
    match conn {
        Conn::Lite(file) => {
            for table in ["queue", "inbox", "page"] {
                let sql = format!("{columns} {table} t JOIN host h ON h.id = t.host");
                let mut statement = file.prepare(&sql)?;
                let mut found = statement.query([])?;
                while let Some(row) = found.next()? {
                    if runs.contains(&row.get(0)?) {
                        let column = |at| crate::sql::lite_column(row, at);
                        visit(&[column(0)?, column(1)?, column(2)?, column(3)?])?;
                    }
                }
            }
        }
        Conn::Pg(client) => {
            let runs: Vec<RunId> = runs.iter().copied().collect();
            for table in ["queue", "page"] {
                let sql = format!(
                    "{columns} {table} t JOIN host h ON h.shard = t.shard AND h.id = t.host WHERE t.run = ANY ($1)"
                );
                visit_query_rows(client, &sql, &[&runs], 4, visit)?;
            }
        }
    }
    Ok(())
}

/// Calls `visit` with the stored keys of the known links of these runs.
pub(super) fn visit_known_links(
    conn: Conn<'_>,
    runs: &BTreeSet<RunId>,
    visit: &mut dyn FnMut(RunId, u128) -> DatabaseResult<()>,
) -> DatabaseResult<()> {
    match conn {
        Conn::Lite(file) => {
            runs.iter().try_for_each(|run| keys::visit_embedded_known_links(file, *run, visit))
        }
        Conn::Pg(client) => {
            let runs: Vec<RunId> = runs.iter().copied().collect();
            let sql = "SELECT run, key FROM seen WHERE run = ANY ($1)";
            visit_query_rows(client, sql, &[&runs], 2, &mut |row| match row {
                [Value::Integer(run), Value::Blob(key)] => {
                    let key: [u8; 16] = (*key).try_into().unwrap_or_default();
                    visit(*run, u128::from_be_bytes(key))
                }
                _ => {
                    Err(DatabaseError::Inconsistent("a known link has columns of the wrong type".to_owned()))
                }
            })
        }
    }
}

/// Reads the secret that keys of known links are hashed with.
pub(super) fn read_secret(conn: Conn<'_>) -> DatabaseResult<[u8; 16]> {
    let column = if matches!(conn, Conn::Lite(_)) { "value" } else { "bytes" };
    let secret: Option<Vec<u8>> = conn
        .query_row(&format!("SELECT {column} FROM meta WHERE key = 'seen_key'"), [], |row| row.get(0))
        .optional()?;
    secret.and_then(|bytes| bytes.try_into().ok()).ok_or_else(|| {
        DatabaseError::Inconsistent("the setting seen_key is missing; restore a backup".to_owned())
    })
}

/// Returns the last number assigned in a table, or 0.
pub(super) fn read_last_id(conn: Conn<'_>, table: &TableSpec) -> DatabaseResult<i64> {
    let column = table.columns().next().unwrap_or_default();
    let most = conn.query_row(
        &format!("SELECT coalesce(max({column}), 0) FROM {}", quote_name(table.name)),
        [],
        |row| row.get::<i64>(0),
    )?;
    let given = match conn {
        Conn::Lite(_) => conn
            .query_row("SELECT seq FROM sqlite_sequence WHERE name = ?1", [table.name], |row| row.get(0))
            .optional()?
            .unwrap_or(0),
        Conn::Pg(_) => read_sequence(conn, &format!("{}_{column}_seq", table.name))?,
    };
    Ok(most.max(given))
}

fn read_sequence(conn: Conn<'_>, sequence: &str) -> DatabaseResult<i64> {
    let sql = format!("SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM {}", quote_name(sequence));
    Ok(conn.query_row(&sql, [], |row| row.get(0))?)
}

/// Returns the last assigned numbers of hosts and items; lower ones must never be assigned again.
pub(super) fn read_last_ids(conn: Conn<'_>) -> DatabaseResult<(i64, i64)> {
    match conn {
        Conn::Lite(_) => {
            let host = conn.query_row("SELECT coalesce(max(id), 0) FROM host", [], |row| row.get(0))?;
            let next: i64 =
                conn.query_row("SELECT value FROM meta WHERE key = 'next_item'", [], |row| row.get(0))?;
            Ok((host, next - 1))
        }
        Conn::Pg(_) => {
            // Even before the first block is assigned, numbers below it may belong to a store
            // copied here.
            let last = (read_sequence(conn, "item_block")? + 1) * super::ITEM_BLOCK - 1;
            Ok((read_sequence(conn, "host_number")?, last))
        }
    }
}

/// Returns the name of the first copied table that has rows.
pub(super) fn find_occupied_table(conn: Conn<'_>) -> DatabaseResult<Option<&'static str>> {
    for table in super::tables::TABLES.iter().filter(|table| table.name != "meta") {
        let sql = format!("SELECT 1 FROM {} LIMIT 1", quote_name(table.name));
        if conn.prepare_cached(&sql)?.exists([])? {
            return Ok(Some(table.name));
        }
    }
    Ok(None)
}
