//! Ids of hosts, made as they are met.

use super::super::shared::hosts;
use super::fault::DatabaseResult;
use crate::sql::Conn;
use geotrawl_model::HostId;
use rusqlite::Connection;
use std::collections::HashMap;

/// Ids of host names, with a bounded memory of them.
pub(super) struct HostIdCache {
    known: HashMap<Box<str>, HostId>,
    limit: usize,
}

impl HostIdCache {
    /// Remembers at most this many.
    pub fn with_limit(limit: usize) -> Self {
        Self { known: HashMap::new(), limit: limit.max(1) }
    }

    /// Id of the host, created when it is new. When the transaction fails, [`Self::forget`] must follow.
    pub fn id_of(&mut self, tx: &Connection, name: &str) -> DatabaseResult<HostId> {
        if let Some(id) = self.known.get(name) {
            return Ok(*id);
        }
        let id = if let Some(id) = hosts::find_host(Conn::from(tx), name)? {
            id
        } else {
            tx.prepare_cached("INSERT INTO host (name) VALUES (?1)")?.execute([name])?;
            tx.last_insert_rowid()
        };
        if self.known.len() >= self.limit {
            // Half of them, whichever: a host that is still active comes back with one lookup.
            let mut keep = false;
            self.known.retain(|_, _| {
                keep = !keep;
                keep
            });
        }
        self.known.insert(name.into(), id);
        Ok(id)
    }

    /// Forgets all: some ids may belong to a transaction that was rolled back.
    pub fn clear(&mut self) {
        self.known.clear();
    }
}
