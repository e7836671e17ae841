//! Writes and reads whole known-URL sets, for copies of a store.

use super::super::options::KnownUrlLimits;
use super::{DatabaseResult, KnownUrlSet, segment};
use geotrawl_model::RunId;
use rusqlite::Connection;
use std::collections::BTreeMap;

/// Keys added per batch.
const AT_ONCE: usize = 8_192;

/// Writes the sets of several runs into a file that no other process uses.
pub(crate) struct KnownUrlLoader<'c> {
    conn: &'c Connection,
    sets: BTreeMap<RunId, (KnownUrlSet, Vec<u128>)>,
}

impl<'c> KnownUrlLoader<'c> {
    /// Wraps a file without known links.
    pub fn new(conn: &'c Connection) -> Self {
        Self { conn, sets: BTreeMap::new() }
    }

    /// Adds a key.
    pub fn add_key(&mut self, run: RunId, key: u128) -> DatabaseResult<()> {
        use std::collections::btree_map::Entry;
        let (set, waiting) = match self.sets.entry(run) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => {
                entry.insert((KnownUrlSet::load(self.conn, run, KnownUrlLimits::default())?, Vec::new()))
            }
        };
        waiting.push(key);
        if waiting.len() >= AT_ONCE { write_keys(self.conn, set, waiting) } else { Ok(()) }
    }

    /// Writes the remaining keys.
    pub fn finish(self) -> DatabaseResult<()> {
        self.sets
            .into_values()
            .try_for_each(|(mut set, mut waiting)| write_keys(self.conn, &mut set, &mut waiting))
    }
}

fn write_keys(conn: &Connection, set: &mut KnownUrlSet, waiting: &mut Vec<u128>) -> DatabaseResult<()> {
    let fresh = set.find_new(conn, waiting)?;
    let keys: Vec<u128> = waiting.drain(..).zip(fresh).filter_map(|(key, new)| new.then_some(key)).collect();
    set.append_log(conn, &keys)?;
    set.add_committed_keys(&keys);
    set.maintain(conn, keys.len())
}

/// Calls `visit` with every key of a run.
pub(crate) fn visit_keys(
    conn: &Connection,
    run: RunId,
    visit: &mut dyn FnMut(u128) -> DatabaseResult<()>,
) -> DatabaseResult<()> {
    let mut log = conn.prepare("SELECT keys FROM seen_log WHERE run = ?1")?;
    let mut blocks = conn.prepare(
        "SELECT b.keys FROM seen_segment s JOIN seen_block b ON b.id >= s.id << 24 AND b.id < (s.id + 1) << 24 \
         WHERE s.run = ?1 AND s.live = 1",
    )?;
    for statement in [&mut log, &mut blocks] {
        let mut rows = statement.query([run])?;
        while let Some(row) = rows.next()? {
            let keys = row.get_ref(0)?.as_blob().map_err(rusqlite::Error::from)?;
            segment::decode_keys(keys).try_for_each(&mut *visit)?;
        }
    }
    Ok(())
}
