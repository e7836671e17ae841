//! Distributes the frontier over the nodes of a Citus cluster.

use super::CopyError;
use super::{disable_timeouts, pool};
use crate::backend::postgres::schema;
use crate::backend::shared::database_error::{DatabaseError, DatabaseResult, ErrorContext};
use crate::sql::{Conn, LockDomain, OptionalExtension, PgClient};

const DOING: &str = "distributing the frontier";
/// Frontier tables, whose keys all begin with `shard`. The others are colocated with the first.
const FRONTIER: [&str; 5] = ["host", "host_run", "queue", "seen", "page"];
/// Citus shards per table. Each holds several of the 256 values of `shard`.
const PIECES: i64 = 32;

/// Result of distributing the frontier.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
pub struct DistributionReport {
    /// Version of Citus.
    pub citus: String,
    /// Number of nodes that hold shards.
    pub nodes: i64,
    /// Tables that this call distributed.
    pub made: Vec<&'static str>,
    /// Tables that were distributed before.
    pub already: Vec<&'static str>,
}

/// Returns the Citus version and the distributed frontier tables; `None` without Citus.
fn distributed_tables(client: &PgClient) -> DatabaseResult<Option<(String, Vec<&'static str>)>> {
    let conn = Conn::from(client);
    let version: Option<String> = conn
        .query_row("SELECT extversion::text FROM pg_extension WHERE extname = 'citus'", [], |row| row.get(0))
        .optional()?;
    let Some(version) = version else { return Ok(None) };
    let spread: Vec<String> = conn
        .prepare_cached(
            "SELECT c.relname::text FROM pg_dist_partition p JOIN pg_class c ON c.oid = p.logicalrelid \
             JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = current_schema() AND p.partmethod = 'h'",
        )?
        .query_map([], |row| row.get(0))?
        .collect::<crate::sql::Result<_>>()?;
    let spread = FRONTIER.into_iter().filter(|table| spread.iter().any(|one| one == table)).collect();
    Ok(Some((version, spread)))
}

/// Returns how many frontier tables are distributed, and how many there are.
pub(crate) fn count_distributed_tables(client: &PgClient) -> DatabaseResult<(usize, usize)> {
    let spread = distributed_tables(client)?.map_or(0, |(_, tables)| tables.len());
    Ok((spread, FRONTIER.len()))
}

/// Distributes the frontier tables of the store at this URL over the nodes, colocated by `shard`.
/// Moves existing rows along and leaves tables alone that are distributed already.
pub fn distribute_frontier(url: &str) -> Result<DistributionReport, CopyError> {
    let pool = pool(url)?;
    let place = pool.get().map_err(DatabaseError::from).with_operation(DOING)?;
    let client = place.client().map_err(DatabaseError::from).with_operation(DOING)?;
    schema::migrate(client, pool.location())?;
    super::check_complete(client, pool.location())?;
    let Some((citus, already)) = distributed_tables(client).with_operation(DOING)? else {
        return Err(CopyError::Refused(format!(
            "the database at {} has no Citus, so its tables cannot be distributed over nodes; on a server with Citus run CREATE \
             EXTENSION citus in it. Without Citus nothing needs to be done: a single PostgreSQL server works as it is",
            pool.location().shown
        )));
    };
    if super::is_used(client).with_operation(DOING)? {
        return Err(CopyError::Refused(format!(
            "other processes use {}, or were killed less than three minutes ago; stop them first",
            pool.location().shown
        )));
    }
    disable_timeouts(client).with_operation(DOING)?;
    let made = distribute_tables(client, &already).with_operation(DOING)?;
    let count = "SELECT count(DISTINCT n.nodeid) FROM pg_dist_node n JOIN pg_dist_placement p ON p.groupid = n.groupid \
                 WHERE n.noderole = 'primary'";
    let nodes = Conn::from(client)
        .query_row(count, [], |row| row.get(0))
        .map_err(DatabaseError::from)
        .with_operation(DOING)?;
    Ok(DistributionReport { citus, nodes, made, already })
}

fn distribute_tables(client: &PgClient, already: &[&'static str]) -> DatabaseResult<Vec<&'static str>> {
    let wanting: Vec<&'static str> = FRONTIER.into_iter().filter(|table| !already.contains(table)).collect();
    let conn = Conn::from(client);
    let tx = conn.transaction()?;
    client.lock_domain(LockDomain::Schema)?;
    for table in &wanting {
        // All tables must share one colocation group, whichever of them was distributed first.
        let beside = already.first().or_else(|| wanting.first().filter(|first| *first != table));
        let how = match beside {
            Some(other) => format!("colocate_with => '{other}'"),
            None => format!("colocate_with => 'none', shard_count => {PIECES}"),
        };
        client.execute_batch(&format!("SELECT create_distributed_table('{table}', 'shard', {how})"))?;
    }
    tx.commit()?;
    Ok(wanting)
}
