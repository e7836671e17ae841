//! Records which web archives have been mined.

use super::database_error::DatabaseResult;
use super::{SqlEngine, SqlStore};
use crate::sql::{self, Conn, LockDomain, OptionalExtension, Row, insert, params, read_row};
use geotrawl_model::store::{MiningStore, Result};
use geotrawl_model::web_archive::{ArchiveId, ArchiveTotals, MinedArchive, MinedKey};
use jiff::Timestamp;

impl<E: SqlEngine> MiningStore for SqlStore<E> {
    fn is_mined(&self, task: &str, archive: &ArchiveId) -> Result<bool> {
        self.read("looking up an archive", |conn| {
            let known: Option<(Option<i64>, String)> = conn
                .prepare_cached(
                    "SELECT a.length, a.version FROM mined_archive a JOIN mining m ON m.id = a.mining \
                     WHERE m.name = ?1 AND a.name = ?2",
                )?
                .query_row([task, &archive.name], read_row)
                .optional()?;
            let length = archive.length.map(|length| length as i64);
            Ok(known.is_some_and(|known| known == (length, archive.version.clone())))
        })
    }

    fn mark_mined(
        &self,
        task: &str,
        archive: &ArchiveId,
        totals: &ArchiveTotals,
        now: Timestamp,
    ) -> Result<()> {
        self.change(LockDomain::Mining, "recording an archive", |tx| {
            let mining = number_of(tx, task)?;
            insert!(
                tx,
                mined_archive {
                    mining: mining,
                    name: archive.name,
                    length: archive.length,
                    version: archive.version,
                    finished: now,
                    records: totals.records,
                    bytes: totals.bytes,
                    shown: totals.shown,
                    damaged: totals.damaged,
                } "ON CONFLICT (mining, name) DO UPDATE SET length = excluded.length, version = excluded.version, \
                   finished = excluded.finished, records = excluded.records, bytes = excluded.bytes, \
                   shown = excluded.shown, damaged = excluded.damaged"
            )?;
            Ok(())
        })
    }

    fn list_mined_archives(&self, task: &str) -> Result<Vec<MinedArchive>> {
        self.read("reading archives", |conn| {
            let number = |row: Row<'_>, at: usize| row.get::<u64>(at);
            let rows = conn
                .prepare_cached(
                    "SELECT a.name, a.length, a.version, a.finished, a.records, a.bytes, a.shown, a.damaged \
                     FROM mined_archive a JOIN mining m ON m.id = a.mining WHERE m.name = ?1 ORDER BY a.name",
                )?
                .query_map([task], |row| {
                    Ok(MinedArchive {
                        id: ArchiveId {
                            name: row.get(0)?,
                            length: row.get::<Option<i64>>(1)?.map(|length| length as u64),
                            version: row.get(2)?,
                        },
                        finished: row.get(3)?,
                        totals: ArchiveTotals {
                            records: number(row, 4)?,
                            bytes: number(row, 5)?,
                            shown: number(row, 6)?,
                            damaged: number(row, 7)?,
                        },
                    })
                })?
                .collect::<sql::Result<_>>()?;
            Ok(rows)
        })
    }

    fn mark_listed(&self, task: &str, keys: &[MinedKey]) -> Result<Vec<bool>> {
        self.change(LockDomain::Mining, "recording the findings of an archive", |tx| {
            let mining = number_of(tx, task)?;
            let mut insert = tx.prepare_cached(
                "INSERT INTO mined_key (mining, key) VALUES (?1, ?2) ON CONFLICT DO NOTHING",
            )?;
            let mut many = insert.start_batch();
            for key in keys {
                many.add_values(params![mining, key.as_slice()])?;
            }
            Ok(many.finish()?.into_iter().map(|new| new > 0).collect())
        })
    }

    fn forget_mined(&self, task: &str) -> Result<()> {
        self.change(LockDomain::Mining, "forgetting archives", |tx| {
            let mining = number_of(tx, task)?;
            tx.execute("DELETE FROM mined_archive WHERE mining = ?1", [mining])?;
            tx.execute("DELETE FROM mined_key WHERE mining = ?1", [mining])?;
            Ok(())
        })
    }
}

fn number_of(tx: Conn<'_>, task: &str) -> DatabaseResult<i64> {
    tx.execute("INSERT INTO mining (name) VALUES (?1) ON CONFLICT DO NOTHING", [task])?;
    Ok(tx.query_row("SELECT id FROM mining WHERE name = ?1", [task], read_row)?)
}
