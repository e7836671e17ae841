//! Migrations: forward only, each in one transaction, one process at a time.
//!
//! Migrations only add, so that programs of the previous version keep working beside newer ones.
//! Where that is impossible, the version says so in `meta.least_program`.

use super::super::shared::database_error::{DatabaseError, DatabaseResult};
use super::location::DatabaseLocation;
use crate::sql::{Conn, LockDomain, OptionalExtension, PgClient};
use geotrawl_model::StoreError;
use geotrawl_model::store::Result;

/// One script per version. Released scripts are never edited; new ones are appended.
const MIGRATIONS: &[&str] = &[
    concat!(include_str!("schema/v1.sql"), include_str!("schema/frontier.sql")),
    include_str!("schema/v2.sql"),
];
/// Schema version that this program writes.
pub(crate) const CURRENT: i64 = MIGRATIONS.len() as i64;
/// Oldest supported server: SQL function bodies parsed at definition time need PostgreSQL 14.
const LEAST_SERVER: i64 = 140_000;

/// Upgrades the schema to [`CURRENT`], creating it if necessary.
pub(crate) fn migrate(client: &PgClient, location: &DatabaseLocation) -> Result<()> {
    let open = |cause: String| StoreError::Open { path: location.shown.clone(), cause };
    let explained = |fault: DatabaseError| match fault.to_store_error("opening the store") {
        StoreError::Unavailable { doing, cause } => StoreError::Unavailable { doing, cause },
        _ => open(fault.cause()),
    };
    if let Some(found) = read_version(client).map_err(explained)? {
        check_least_program(client, location, found)?;
        if found >= CURRENT {
            return Ok(());
        }
    }
    let server =
        read_number(client, "SELECT current_setting('server_version_num')::int8").map_err(explained)?;
    if server < LEAST_SERVER {
        return Err(open(format!(
            "the server is PostgreSQL {}; version 14 or newer is required",
            server / 10_000
        )));
    }
    let postgis = find_postgis(client).map_err(|fault| {
        open(format!(
            "the database has no PostGIS ({}); install it on the server (Debian: package \
             postgresql-{}-postgis-3) and run CREATE EXTENSION postgis in this database as a superuser",
            fault.cause(),
            server / 10_000
        ))
    })?;
    apply_migrations(client, location, &postgis).map_err(explained)?;
    match read_version(client).map_err(explained)? {
        Some(found) => check_least_program(client, location, found),
        None => Err(open("cannot create the tables".to_owned())),
    }
}

fn check_least_program(client: &PgClient, location: &DatabaseLocation, found: i64) -> Result<()> {
    let least = read_number(client, "SELECT value FROM meta WHERE key = 'least_program'").unwrap_or_default();
    if least > CURRENT {
        let path = location.shown.clone();
        return Err(StoreError::TooNew { path, found: found as u32, known: CURRENT as u32 });
    }
    Ok(())
}

fn read_number(client: &PgClient, sql: &str) -> DatabaseResult<i64> {
    Ok(Conn::from(client).query_row(sql, [], |row| row.get(0))?)
}

/// Returns the schema version, or `None` if there are no tables yet.
pub(crate) fn read_version(client: &PgClient) -> DatabaseResult<Option<i64>> {
    let conn = Conn::from(client);
    // Not by search path: `meta` may belong to another program.
    let made = conn
        .prepare_cached(
            "SELECT 1 FROM pg_class WHERE relname = 'meta' AND relnamespace = (SELECT oid FROM pg_namespace \
             WHERE nspname = (SELECT current_schemas(false))[1])",
        )?
        .exists([])?;
    if !made {
        return Ok(None);
    }
    let found: Option<Option<i64>> =
        conn.query_row("SELECT value FROM meta WHERE key = 'schema'", [], |row| row.get(0)).optional()?;
    Ok(found.flatten())
}

/// Returns the schema that contains PostGIS, installing it if permitted.
fn find_postgis(client: &PgClient) -> DatabaseResult<String> {
    let conn = Conn::from(client);
    let find = || {
        conn.query_row(
            "SELECT n.nspname::text FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace \
             WHERE e.extname = 'postgis'",
            [],
            |row| row.get::<String>(0),
        )
        .optional()
    };
    if let Some(found) = find()? {
        return Ok(found);
    }
    let made = client.execute_batch("CREATE EXTENSION IF NOT EXISTS postgis WITH SCHEMA public");
    // Another process may have created it at the same moment, which is fine.
    match (find()?, made) {
        (Some(found), _) => Ok(found),
        (None, Err(error)) => Err(error.into()),
        (None, Ok(())) => Err(DatabaseError::Inconsistent("not found after installing it".to_owned())),
    }
}

fn apply_migrations(client: &PgClient, location: &DatabaseLocation, postgis: &str) -> DatabaseResult<()> {
    let schema = &location.schema;
    for (before, script) in MIGRATIONS.iter().enumerate() {
        let tx = Conn::from(client).transaction()?;
        client.lock_domain(LockDomain::Schema)?;
        client.execute_batch(&format!(
            "CREATE SCHEMA IF NOT EXISTS \"{schema}\"; SET LOCAL search_path TO \"{schema}\", \"{postgis}\", public"
        ))?;
        // Another process may have applied it meanwhile.
        if read_version(client)?.unwrap_or_default() as usize == before {
            client.execute_batch(script)?;
            tx.conn().execute(
                "INSERT INTO meta (key, value) VALUES ('schema', ?1) ON CONFLICT (key) DO UPDATE SET value = ?1",
                [before as i64 + 1],
            )?;
        }
        tx.commit()?;
    }
    Ok(())
}
