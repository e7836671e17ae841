//! What differs from an earlier dump. Its ids lie in a file of SQLite meanwhile: there may be millions.

use super::parts::Parts;
use super::{Diff, Opened};
use crate::ExportError;
use rusqlite::{Connection, OptionalExtension, params};
use std::path::Path;

/// What differs, as far as the records of the new dump were taken.
pub(super) struct Difference {
    old: Connection,
    /// Where it lies.
    _scratch: tempfile::TempDir,
    diff: Diff,
    added: Parts,
    changed: Parts,
    removed: Parts,
}

impl Difference {
    /// Reads the ids of the earlier dump.
    pub(super) fn begin(previous: &Opened, folder: &Path) -> Result<Self, ExportError> {
        let manifest = previous
            .manifest
            .as_ref()
            .ok_or_else(|| ExportError::Dump("the dump to compare with has no manifest".to_owned()))?;
        let scratch = tempfile::tempdir()?;
        let old = Connection::open(scratch.path().join("ids"))?;
        old.pragma_update(None, "journal_mode", "OFF")?;
        old.pragma_update(None, "synchronous", "OFF")?;
        old.execute_batch("CREATE TABLE old (id TEXT PRIMARY KEY, hash TEXT NOT NULL) WITHOUT ROWID; BEGIN")?;
        previous.ids(&mut |id, hash| {
            old.prepare_cached("INSERT OR REPLACE INTO old VALUES (?1, ?2)")?.execute([id, hash])?;
            Ok(())
        })?;
        Ok(Self {
            old,
            _scratch: scratch,
            diff: Diff {
                previous: previous.manifest_sha256.clone(),
                previous_sequence: manifest.sequence,
                ..Diff::default()
            },
            added: Parts::one(folder, "added.jsonl.gz"),
            changed: Parts::one(folder, "changed.jsonl.gz"),
            removed: Parts::one(folder, "removed.tsv.gz"),
        })
    }

    /// Compares a record with the earlier dump.
    pub(super) fn take(&mut self, id: &str, hash: &str, line: &[u8]) -> Result<(), ExportError> {
        let before: Option<String> = self
            .old
            .prepare_cached("DELETE FROM old WHERE id = ?1 RETURNING hash")?
            .query_row([id], |row| row.get(0))
            .optional()?;
        match before {
            None => self.added.line(line),
            Some(before) if before != hash => self.changed.line(line),
            Some(_same) => Ok(()),
        }
    }

    /// Everything else is gone.
    pub(super) fn end(mut self) -> Result<Diff, ExportError> {
        let mut select = self.old.prepare("SELECT id FROM old ORDER BY id")?;
        let mut rows = select.query(params![])?;
        while let Some(row) = rows.next()? {
            let id: String = row.get(0)?;
            self.removed.line(format!("{id}\n").as_bytes())?;
        }
        drop(rows);
        drop(select);
        self.diff.added = self.added.only()?;
        self.diff.changed = self.changed.only()?;
        self.diff.removed = self.removed.only()?;
        Ok(self.diff)
    }
}
