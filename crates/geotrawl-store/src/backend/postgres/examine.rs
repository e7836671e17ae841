//! Diagnoses a PostgreSQL server without changing anything on it.

use super::super::shared::database_error::{DatabaseError, DatabaseResult, ErrorContext};
use super::location::{self, DatabaseLocation};
use super::pool::ConnectionPool;
use super::{PostgresStore, schema};
use crate::diagnosis::{Diagnosis, FACTS, PostgresFacts, diagnose};
use crate::sql::{Conn, PgClient};
use geotrawl_model::StoreError;
use geotrawl_model::store::Result;
use jiff::Timestamp;

impl PostgresStore {
    /// Diagnoses the database at this URL: what works, what does not, and how to fix it. Creates
    /// nothing there, not even tables.
    pub fn diagnose_database(url: &str) -> Result<Vec<Diagnosis>> {
        let place = DatabaseLocation::parse(url)
            .map_err(|cause| StoreError::Open { path: location::redact_url(url), cause })?;
        let pool = ConnectionPool::new(place, 2)?;
        let doing = "examining the database";
        let place = pool.get().map_err(DatabaseError::from).with_operation(doing)?;
        let client = place.client().map_err(DatabaseError::from).with_operation(doing)?;
        Ok(diagnose(&read_facts(client).with_operation(doing)?))
    }
}

fn read_facts(client: &PgClient) -> DatabaseResult<PostgresFacts> {
    let asked = Timestamp::now();
    let mut facts = Conn::from(client).query_row(FACTS, [], |row| {
        Ok(PostgresFacts {
            version_number: row.get(0)?,
            version: row.get(1)?,
            postgis: row.get(2)?,
            postgis_available: row.get(3)?,
            citus: row.get(4)?,
            max_connections: row.get(5)?,
            connections: row.get(6)?,
            may_create: row.get(7)?,
            clock: row.get(8)?,
            synchronous_commit: row.get(9)?,
            encoding: row.get(10)?,
            is_replica: row.get(11)?,
            is_superuser: row.get(12)?,
            ..PostgresFacts::default()
        })
    })?;
    // Take the midpoint of request and answer, because the round trip takes time.
    facts.own_clock = asked.as_microsecond().midpoint(Timestamp::now().as_microsecond());
    facts.schema = schema::read_version(client)?.map(|version| version as u32);
    if facts.schema.is_some() {
        facts.spread = crate::store_copy::count_distributed_tables(client)?;
    }
    facts.known_schema = schema::CURRENT as u32;
    Ok(facts)
}
