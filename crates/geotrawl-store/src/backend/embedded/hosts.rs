//! Assigns ids to hosts when they are first seen.

use super::super::shared::hosts;
use super::database_error::DatabaseResult;
use crate::sql::Conn;
use geotrawl_model::HostId;
use rusqlite::Connection;
use std::collections::HashMap;

/// Ids of host names, with a bounded cache.
pub(super) struct HostIdCache {
    known: HashMap<Box<str>, HostId>,
    limit: usize,
}

impl HostIdCache {
    /// Creates a cache of at most `limit` names.
    pub fn with_limit(limit: usize) -> Self {
        Self { known: HashMap::new(), limit: limit.max(1) }
    }

    /// Returns the id of a host, creating the host if it is new. Call [`Self::clear`] if the
    /// transaction fails.
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
            // Evict an arbitrary half: a host that is still active costs one lookup to come back.
            let mut keep = false;
            self.known.retain(|_, _| {
                keep = !keep;
                keep
            });
        }
        self.known.insert(name.into(), id);
        Ok(id)
    }

    /// Empties the cache, because some ids may belong to a transaction that was rolled back.
    pub fn clear(&mut self) {
        self.known.clear();
    }
}
