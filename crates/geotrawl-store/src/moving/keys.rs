//! Known links. Each engine keeps keyed hashes of its own making, from which nothing can be told; but every link that
//! became known became an item, and an item has all that its key was made of. So keys are made anew for the target.

use super::read;
use super::sum::Sum;
use crate::backend::embedded::seen::{self, Filling, KeyMaker};
use crate::backend::postgres::frontier::{known_key, shard};
use crate::backend::shared::fault::{Fault, Step};
use crate::backend::shared::hosts::full_url;
use crate::sql::{Conn, Value};
use geotrawl_model::{Intent, NewLink, RunId};
use std::collections::{BTreeMap, BTreeSet};
use tokio_postgres::binary_copy::BinaryCopyInWriter;
use tokio_postgres::types::Type;
use uuid::Uuid;

/// Makes keys as one store has them.
struct Keys {
    maker: KeyMaker,
    /// As in PostgreSQL, where the first bits are of the host.
    by_host: bool,
}

impl Keys {
    fn of_store(conn: Conn<'_>) -> Step<Self> {
        Ok(Self { maker: KeyMaker::new(&read::secret(conn)?), by_host: matches!(conn, Conn::Pg(_)) })
    }

    fn key(&self, host: &str, path: &str, intent: &Intent) -> u128 {
        let link = NewLink::key_of(intent, &full_url(host, path));
        if self.by_host { known_key(&self.maker, host, &link) } else { self.maker.key(&link) }
    }
}

/// Keys of every run, summed; and the runs in which there are imported items, whose keys cannot be told.
struct Told {
    runs: BTreeMap<RunId, Sum>,
    imports: BTreeSet<RunId>,
}

/// Shows run, host and key of every item of runs that go on, with the keys that this store makes.
fn each(
    items: Conn<'_>,
    keys: &Keys,
    runs: &BTreeSet<RunId>,
    visit: &mut dyn FnMut(RunId, &str, u128) -> Step<()>,
) -> Step<BTreeSet<RunId>> {
    let mut imports = BTreeSet::new();
    read::items(items, runs, &mut |row| match row {
        [Value::Integer(run), Value::Text(host), Value::Text(path), Value::Text(intent)] => {
            match intent.parse() {
                // The keys of imported items are made up for one time.
                Ok(Intent::Import) => {
                    imports.insert(*run);
                    Ok(())
                }
                Ok(intent) => visit(*run, host, keys.key(host, path, &intent)),
                Err(error) => Err(Fault::Inconsistent(format!("the item {host}{path}: {error}"))),
            }
        }
        _ => Err(Fault::Inconsistent("an item is not what it should be".to_owned())),
    })?;
    Ok(imports)
}

fn told(conn: Conn<'_>, runs: &BTreeSet<RunId>) -> Step<Told> {
    let mut sums: BTreeMap<RunId, Sum> = BTreeMap::new();
    let imports = each(conn, &Keys::of_store(conn)?, runs, &mut |run, _, key| {
        sums.entry(run).or_default().add_key(key);
        Ok(())
    })?;
    Ok(Told { runs: sums, imports })
}

/// Compares the known links of a store with its items: how many links are known, and whether they are the same ones.
pub(super) fn checked(conn: Conn<'_>, runs: &BTreeSet<RunId>) -> Step<(u64, bool)> {
    let told = told(conn, runs)?;
    let mut kept: BTreeMap<RunId, Sum> = BTreeMap::new();
    read::known(conn, runs, &mut |run, key| {
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

/// Writes the known links of the items of `from` into `to`.
pub(super) fn fill(
    from: Conn<'_>,
    to: Conn<'_>,
    runs: &BTreeSet<RunId>,
    seen: &mut dyn FnMut(u64),
) -> Step<()> {
    let keys = Keys::of_store(to)?;
    let mut rows = 0;
    let mut count = || {
        rows += 1;
        seen(rows);
    };
    match to {
        Conn::Lite(file) => {
            let mut filling = Filling::new(file);
            each(from, &keys, runs, &mut |run, _, key| {
                count();
                filling.add(run, key)
            })?;
            filling.finish()
        }
        Conn::Pg(client) => {
            let sink = client
                .wait(client.raw().copy_in("COPY seen (shard, run, key) FROM STDIN (FORMAT binary)"))?;
            let mut writer =
                std::pin::pin!(BinaryCopyInWriter::new(sink, &[Type::INT4, Type::INT8, Type::UUID]));
            each(from, &keys, runs, &mut |run, host, key| {
                count();
                let key = Uuid::from_u128(key);
                Ok(client.wait(writer.as_mut().write(&[&shard::of_name(host), &run, &key]))?)
            })?;
            client.wait(writer.finish())?;
            Ok(())
        }
    }
}

/// Shows the keys that a file has of a run.
pub(super) fn in_file(
    file: &rusqlite::Connection,
    run: RunId,
    visit: &mut dyn FnMut(RunId, u128) -> Step<()>,
) -> Step<()> {
    seen::each(file, run, &mut |key| visit(run, key))
}
