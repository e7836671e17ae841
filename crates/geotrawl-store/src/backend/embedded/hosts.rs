//! Names and ids of hosts, and how URLs are kept relative to them.

use super::fault::Step;
use crate::HostId;
use rusqlite::{Connection, OptionalExtension};
use std::collections::HashMap;

/// Ids of host names, with a bounded memory of them.
pub(super) struct HostIds {
    known: HashMap<Box<str>, HostId>,
    limit: usize,
}

impl HostIds {
    /// Remembers at most this many.
    pub fn with_limit(limit: usize) -> Self {
        Self { known: HashMap::new(), limit: limit.max(1) }
    }

    /// Id of the host, created when it is new. When the transaction fails, [`Self::forget`] must follow.
    pub fn id(&mut self, tx: &Connection, name: &str) -> Step<HostId> {
        if let Some(id) = self.known.get(name) {
            return Ok(*id);
        }
        let id = if let Some(id) = find(tx, name)? {
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
    pub fn forget(&mut self) {
        self.known.clear();
    }
}

/// Id of a host, if it is known.
pub(super) fn find(conn: &Connection, name: &str) -> Step<Option<HostId>> {
    let mut select = conn.prepare_cached("SELECT id FROM host WHERE name = ?1")?;
    Ok(select.query_row([name], |row| row.get(0)).optional()?)
}

/// Name of a host; empty when there is no such host.
pub(super) fn name(conn: &Connection, id: HostId) -> Step<String> {
    let mut select = conn.prepare_cached("SELECT name FROM host WHERE id = ?1")?;
    Ok(select.query_row([id], |row| row.get(0)).optional()?.unwrap_or_default())
}

/// What is stored of a URL of this host: its path, or all of it when it does not fit the host.
pub(in crate::backend) fn stored_path<'a>(host: &str, url: &'a str) -> &'a str {
    match url.strip_prefix(host) {
        Some(path) if path.starts_with('/') => path,
        _ => url,
    }
}

/// The URL again.
pub(in crate::backend) fn full_url(host: &str, stored: &str) -> String {
    if stored.starts_with('/') { format!("{host}{stored}") } else { stored.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_survives_being_stored_relative_to_its_host() {
        for (host, url) in [
            ("https://example.org", "https://example.org/a?b=c"),
            ("https://example.org", "https://example.org/"),
            ("https://example.org", "https://example.org:8443/a"),
            ("https://example.org", "https://example.organisation/a"),
            ("https://example.org", "ftp://elsewhere/a"),
            ("https://example.org", "https://example.org"),
        ] {
            assert_eq!(full_url(host, stored_path(host, url)), url);
        }
    }
}
