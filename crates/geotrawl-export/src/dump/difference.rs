//! Compares a dump with an earlier one. The earlier ids are kept in a temporary SQLite file,
//! because there may be millions.

use super::parts::LineFiles;
use super::{DumpDiff, OpenDump};
use crate::ExportError;
use rusqlite::{Connection, OptionalExtension, params};
use std::path::Path;

/// Collects the differences while the new dump is written.
pub(super) struct DiffBuilder {
    old: Connection,
    /// Folder of the temporary file.
    _scratch: tempfile::TempDir,
    diff: DumpDiff,
    added: LineFiles,
    changed: LineFiles,
    removed: LineFiles,
}

impl DiffBuilder {
    /// Reads the ids of the earlier dump.
    pub(super) fn open_previous(previous: &OpenDump, folder: &Path) -> Result<Self, ExportError> {
        let manifest = previous
            .manifest
            .as_ref()
            .ok_or_else(|| ExportError::Dump("the dump to compare with has no manifest".to_owned()))?;
        let scratch = tempfile::tempdir()?;
        let old = Connection::open(scratch.path().join("ids"))?;
        // Temporary data needs no journal.
        old.pragma_update(None, "journal_mode", "OFF")?;
        old.pragma_update(None, "synchronous", "OFF")?;
        old.execute_batch("CREATE TABLE old (id TEXT PRIMARY KEY, hash TEXT NOT NULL) WITHOUT ROWID; BEGIN")?;
        previous.read_ids(&mut |id, hash| {
            old.prepare_cached("INSERT OR REPLACE INTO old VALUES (?1, ?2)")?.execute([id, hash])?;
            Ok(())
        })?;
        Ok(Self {
            old,
            _scratch: scratch,
            diff: DumpDiff {
                previous: previous.manifest_sha256.clone(),
                previous_sequence: manifest.sequence,
                ..DumpDiff::default()
            },
            added: LineFiles::single_file(folder, "added.jsonl.gz"),
            changed: LineFiles::single_file(folder, "changed.jsonl.gz"),
            removed: LineFiles::single_file(folder, "removed.tsv.gz"),
        })
    }

    /// Compares a record with the earlier dump.
    pub(super) fn compare_record(&mut self, id: &str, hash: &str, line: &[u8]) -> Result<(), ExportError> {
        let before: Option<String> = self
            .old
            .prepare_cached("DELETE FROM old WHERE id = ?1 RETURNING hash")?
            .query_row([id], |row| row.get(0))
            .optional()?;
        match before {
            None => self.added.add_line(line),
            Some(before) if before != hash => self.changed.add_line(line),
            Some(_same) => Ok(()),
        }
    }

    /// Writes the remaining ids as removed, and returns the differences.
    pub(super) fn finish(mut self) -> Result<DumpDiff, ExportError> {
        let mut select = self.old.prepare("SELECT id FROM old ORDER BY id")?;
        let mut rows = select.query(params![])?;
        while let Some(row) = rows.next()? {
            let id: String = row.get(0)?;
            self.removed.add_line(format!("{id}\n").as_bytes())?;
        }
        drop(rows);
        drop(select);
        self.diff.added = self.added.finish_single()?;
        self.diff.changed = self.changed.finish_single()?;
        self.diff.removed = self.removed.finish_single()?;
        Ok(self.diff)
    }
}
