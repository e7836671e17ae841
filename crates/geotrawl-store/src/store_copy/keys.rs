//! Rebuilds the sets of known links. Each engine stores keyed hashes that cannot be converted, but
//! every known link became an item, and an item holds everything its key is made of.

use super::read;
use super::sum::TableChecksum;
use crate::backend::embedded::seen::{self, KnownUrlLoader, LinkHasher};
use crate::backend::postgres::frontier::{known_key, shard};
use crate::backend::shared::database_error::{DatabaseError, DatabaseResult};
use crate::backend::shared::hosts::full_url;
use crate::sql::{Conn, Value};
use geotrawl_model::{Intent, NewLink, RunId};
use std::collections::{BTreeMap, BTreeSet};
use tokio_postgres::binary_copy::BinaryCopyInWriter;
use tokio_postgres::types::Type;
use uuid::Uuid;

/// Computes link keys the way one store does.
struct LinkKeyBuilder {
    maker: LinkHasher,
    /// Use PostgreSQL's scheme, in which the first bits depend on the host.
    by_host: bool,
}

impl LinkKeyBuilder {
    fn of_store(conn: Conn<'_>) -> DatabaseResult<Self> {
        Ok(Self { maker: LinkHasher::new(&read::read_secret(conn)?), by_host: matches!(conn, Conn::Pg(_)) })
    }

    fn key(&self, host: &str, path: &str, intent: &Intent) -> u128 {
        let link = NewLink::key_of(intent, &full_url(host, path));
        if self.by_host { known_key(&self.maker, host, &link) } else { self.maker.hash_link(&link) }
    }
}

/// Checksums of the keys of each run, and the runs with imported items, whose keys cannot be
/// recomputed.
struct ItemKeySums {
    runs: BTreeMap<RunId, TableChecksum>,
    imports: BTreeSet<RunId>,
}

/// Calls `visit` with run, host and key of every item of the given runs. Returns the runs that
/// contain imported items.
fn visit_item_keys(
    items: Conn<'_>,
    keys: &LinkKeyBuilder,
    runs: &BTreeSet<RunId>,
    visit: &mut dyn FnMut(RunId, &str, u128) -> DatabaseResult<()>,
) -> DatabaseResult<BTreeSet<RunId>> {
    let mut imports = BTreeSet::new();
    read::visit_items(items, runs, &mut |row| match row {
        [Value::Integer(run), Value::Text(host), Value::Text(path), Value::Text(intent)] => {
            match intent.parse() {
                // Imported items have one-off keys.
                Ok(Intent::Import) => {
                    imports.insert(*run);
                    Ok(())
                }
                Ok(intent) => visit(*run, host, keys.key(host, path, &intent)),
                Err(error) => Err(DatabaseError::Inconsistent(format!("item {host}{path}: {error}"))),
            }
        }
        _ => Err(DatabaseError::Inconsistent("a frontier item has columns of the wrong type".to_owned())),
    })?;
    Ok(imports)
}

fn sum_item_keys(conn: Conn<'_>, runs: &BTreeSet<RunId>) -> DatabaseResult<ItemKeySums> {
    let mut sums: BTreeMap<RunId, TableChecksum> = BTreeMap::new();
    let imports = visit_item_keys(conn, &LinkKeyBuilder::of_store(conn)?, runs, &mut |run, _, key| {
        sums.entry(run).or_default().add_key(key);
        Ok(())
    })?;
    Ok(ItemKeySums { runs: sums, imports })
}

/// Compares the known links of a store with its items. Returns the number of known links and
/// whether both sets are equal.
pub(super) fn compare_known_links_with_items(
    conn: Conn<'_>,
    runs: &BTreeSet<RunId>,
) -> DatabaseResult<(u64, bool)> {
    let told = sum_item_keys(conn, runs)?;
    let mut kept: BTreeMap<RunId, TableChecksum> = BTreeMap::new();
    read::visit_known_links(conn, runs, &mut |run, key| {
        kept.entry(run).or_default().add_key(key);
        Ok(())
    })?;
    let counts = runs.iter().filter(|run| !told.imports.contains(run));
    let mut rows = 0;
    let mut same = true;
    for run in counts {
        let (kept, told) =
            (kept.get(run).copied().unwrap_or_default(), told.runs.get(run).copied().unwrap_or_default());
        rows += kept.rows;
        same &= kept == told;
    }
    Ok((rows, same))
}

/// Writes the known links of all items of `from` into `to`.
pub(super) fn write_known_links(
    from: Conn<'_>,
    to: Conn<'_>,
    runs: &BTreeSet<RunId>,
    seen: &mut dyn FnMut(u64),
) -> DatabaseResult<()> {
    let keys = LinkKeyBuilder::of_store(to)?;
    let mut rows = 0;
    let mut count = || {
        rows += 1;
        seen(rows);
    };
    match to {
        Conn::Lite(file) => {
            let mut filling = KnownUrlLoader::new(file);
            visit_item_keys(from, &keys, runs, &mut |run, _, key| {
                count();
                filling.add_key(run, key)
            })?;
            filling.finish()
        }
        Conn::Pg(client) => {
            let sink = client
                .wait_for(client.raw().copy_in("COPY seen (shard, run, key) FROM STDIN (FORMAT binary)"))?;
            let mut writer =
                std::pin::pin!(BinaryCopyInWriter::new(sink, &[Type::INT4, Type::INT8, Type::UUID]));
            visit_item_keys(from, &keys, runs, &mut |run, host, key| {
                count();
                let key = Uuid::from_u128(key);
                Ok(client.wait_for(writer.as_mut().write(&[&shard::of_name(host), &run, &key]))?)
            })?;
            client.wait_for(writer.finish())?;
            Ok(())
        }
    }
}

/// Calls `visit` with every key of a run in an embedded store.
pub(super) fn visit_embedded_known_links(
    file: &rusqlite::Connection,
    run: RunId,
    visit: &mut dyn FnMut(RunId, u128) -> DatabaseResult<()>,
) -> DatabaseResult<()> {
    seen::visit_keys(file, run, &mut |key| visit(run, key))
}
