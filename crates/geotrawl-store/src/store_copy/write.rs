//! Fills an empty store.

use super::read::{RowVisitor, quote_name};
use super::tables::{IdTarget, OWN_SETTINGS, TABLES, TableSpec};
use super::{ITEM_BLOCK, SHARD_BITS};
use crate::backend::shared::database_error::DatabaseResult;
use crate::sql::{Conn, PgClient, Value};
use tokio_postgres::binary_copy::BinaryCopyInWriter;
use tokio_postgres::types::Type;

/// Columns that exist only in the embedded store and get a constant: table, column, value.
pub(super) const CONSTANTS: &[(&str, &str, i64)] = &[("host_run", "inbox_length", 0)];

/// Writes the rows that `read` passes on into a table.
pub(super) fn write_rows(
    conn: Conn<'_>,
    table: &TableSpec,
    read: impl FnOnce(&mut RowVisitor<'_>) -> DatabaseResult<()>,
) -> DatabaseResult<()> {
    if table.name == "meta" {
        // The copied settings replace those of the new store, except the engine's own.
        let own: Vec<String> = OWN_SETTINGS.iter().map(|key| format!("'{key}'")).collect();
        conn.execute(&format!("DELETE FROM meta WHERE key NOT IN ({})", own.join(", ")), [])?;
    }
    match conn {
        Conn::Lite(file) => into_file(file, table, read),
        Conn::Pg(client) => into_database(client, table, read),
    }
}

fn into_file(
    file: &rusqlite::Connection,
    table: &TableSpec,
    read: impl FnOnce(&mut RowVisitor<'_>) -> DatabaseResult<()>,
) -> DatabaseResult<()> {
    let constants: Vec<_> = CONSTANTS.iter().filter(|(name, ..)| *name == table.name).collect();
    let names: Vec<String> =
        table.columns().chain(constants.iter().map(|(_, column, _)| *column)).map(quote_name).collect();
    let places = table.columns().enumerate().map(|(at, _)| format!("?{}", at + 1));
    let places: Vec<String> = places.chain(constants.iter().map(|(_, _, value)| value.to_string())).collect();
    let ids = table.id_positions();
    let tx = file.unchecked_transaction()?;
    let mut insert = tx.prepare(&format!(
        "INSERT INTO {} ({}) VALUES ({})",
        quote_name(table.name),
        names.join(", "),
        places.join(", ")
    ))?;
    read(&mut |row| {
        for (at, value) in row.iter().enumerate() {
            let value = match *value {
                Value::Integer(id) if ids.iter().any(|(place, _)| *place == at) => {
                    Value::Integer(id >> SHARD_BITS)
                }
                value => value,
            };
            insert.raw_bind_parameter(at + 1, value)?;
        }
        insert.raw_execute()?;
        Ok(())
    })?;
    drop(insert);
    tx.commit()?;
    Ok(())
}

fn into_database(
    client: &PgClient,
    table: &TableSpec,
    read: impl FnOnce(&mut RowVisitor<'_>) -> DatabaseResult<()>,
) -> DatabaseResult<()> {
    let shard = table.is_sharded().then_some("shard");
    let names: Vec<String> = shard.into_iter().chain(table.columns()).map(quote_name).collect();
    let (name, names) = (quote_name(table.name), names.join(", "));
    let shape = client.wait_for(client.raw().prepare(&format!("SELECT {names} FROM {name} LIMIT 0")))?;
    let types: Vec<Type> = shape.columns().iter().map(|column| column.type_().clone()).collect();
    let host = table.id_positions().into_iter().find(|(_, id)| *id == IdTarget::Host).map(|(at, _)| at);
    let host = host.filter(|_| table.is_sharded());
    let sink = client
        .wait_for(client.raw().copy_in(&format!("COPY {name} ({names}) FROM STDIN (FORMAT binary)")))?;
    let mut writer = std::pin::pin!(BinaryCopyInWriter::new(sink, &types));
    read(&mut |row| {
        let mut values: Vec<Value<'_>> = Vec::with_capacity(types.len());
        if let Some(Value::Integer(id)) = host.and_then(|at| row.get(at)) {
            values.push(Value::Integer(id & ((1 << SHARD_BITS) - 1)));
        }
        values.extend_from_slice(row);
        Ok(client.wait_for(writer.as_mut().write_raw(&values))?)
    })?;
    client.wait_for(writer.finish())?;
    Ok(())
}

/// Sets all sequences past the numbers of the source, so that no number is ever assigned twice.
pub(super) fn advance_id_sequences(
    conn: Conn<'_>,
    given: &[(&TableSpec, i64)],
    (host, item): (i64, i64),
) -> DatabaseResult<()> {
    for (table, last) in given.iter().filter(|(_, last)| *last > 0) {
        match conn {
            Conn::Lite(_) => {
                let counts = "SELECT 1 FROM sqlite_schema WHERE name = ?1 AND sql LIKE '%AUTOINCREMENT%'";
                if conn.prepare_cached(counts)?.exists([table.name])? {
                    conn.execute("DELETE FROM sqlite_sequence WHERE name = ?1", [table.name])?;
                    conn.execute(
                        "INSERT INTO sqlite_sequence (name, seq) VALUES (?1, ?2)",
                        crate::sql::params![table.name, *last],
                    )?;
                }
            }
            Conn::Pg(_) => {
                let column = table.columns().next().unwrap_or_default();
                set_sequence(conn, &format!("{}_{column}_seq", table.name), *last)?;
            }
        }
    }
    match conn {
        Conn::Lite(_) => {
            conn.execute("UPDATE meta SET value = ?1 WHERE key = 'next_item'", [item + 1])?;
        }
        Conn::Pg(_) => {
            set_sequence(conn, "host_number", host)?;
            // Skip the rest of the block that contains the last number.
            set_sequence(conn, "item_block", item / ITEM_BLOCK)?;
            conn.execute("UPDATE run SET knows = 0 WHERE state = 'finished'", [])?;
        }
    }
    Ok(())
}

fn set_sequence(conn: Conn<'_>, sequence: &str, last: i64) -> DatabaseResult<()> {
    if last > 0 {
        let sql = format!("SELECT setval('{}', ?1)", quote_name(sequence));
        conn.query_row(&sql, [last], |row| row.get::<i64>(0))?;
    }
    Ok(())
}

/// Updates the planner's statistics.
pub(super) fn analyze_tables(client: &PgClient) -> DatabaseResult<()> {
    for name in TABLES.iter().map(|table| table.name).chain(["seen"]) {
        client.execute_batch(&format!("ANALYZE {}", quote_name(name)))?;
    }
    Ok(())
}
