//! Archives that were read.

use super::SqlStore;
use super::catalogue::{identity_key, public_id};
use super::fault::Step;
use super::moment::{from_micros, to_micros};
use crate::Result;
use crate::mining::{ArchiveId, ArchiveTotals, MinedArchive, MinedKey, Mining};
use crate::sql::{self, Conn, Domain, OptionalExtension, Row, params};
use jiff::Timestamp;

impl<S: SqlStore> Mining for S {
    fn is_mined(&self, task: &str, archive: &ArchiveId) -> Result<bool> {
        self.read("looking up an archive", |conn| {
            let known: Option<(Option<i64>, String)> = conn
                .prepare_cached(
                    "SELECT a.length, a.version FROM mined_archive a JOIN mining m ON m.id = a.mining \
                     WHERE m.name = ?1 AND a.name = ?2",
                )?
                .query_row([task, &archive.name], |row| Ok((row.get(0)?, row.get(1)?)))
                .optional()?;
            let length = archive.length.map(|length| length as i64);
            Ok(known.is_some_and(|known| known == (length, archive.version.clone())))
        })
    }

    fn set_mined(
        &self,
        task: &str,
        archive: &ArchiveId,
        totals: &ArchiveTotals,
        now: Timestamp,
    ) -> Result<()> {
        self.change(Domain::Mining, "noting an archive", |tx| {
            let mining = number_of(tx, task)?;
            tx.prepare_cached(
                "INSERT INTO mined_archive \
                 (mining, name, length, version, finished, records, bytes, shown, damaged) \
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) ON CONFLICT (mining, name) DO UPDATE SET length = ?3, \
                 version = ?4, finished = ?5, records = ?6, bytes = ?7, shown = ?8, damaged = ?9",
            )?
            .execute(params![
                mining,
                archive.name,
                archive.length.map(|length| length as i64),
                archive.version,
                to_micros(now),
                totals.records as i64,
                totals.bytes as i64,
                totals.shown as i64,
                totals.damaged as i64,
            ])?;
            Ok(())
        })
    }

    fn mined(&self, task: &str) -> Result<Vec<MinedArchive>> {
        self.read("reading archives", |conn| {
            let number = |row: Row<'_>, at: usize| row.get::<i64>(at).map(|number| number as u64);
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
                        finished: from_micros(row.get(3)?),
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

    fn list_mined(&self, task: &str, keys: &[MinedKey]) -> Result<Vec<bool>> {
        self.change(Domain::Mining, "listing what an archive shows", |tx| {
            let mining = number_of(tx, task)?;
            let mut insert = tx.prepare_cached(
                "INSERT INTO mined_key (mining, key) VALUES (?1, ?2) ON CONFLICT DO NOTHING",
            )?;
            let mut many = insert.many();
            for key in keys {
                many.add(params![mining, key.as_slice()])?;
            }
            Ok(many.end()?.into_iter().map(|new| new > 0).collect())
        })
    }

    fn forget_mined(&self, task: &str) -> Result<()> {
        self.change(Domain::Mining, "forgetting archives", |tx| {
            let mining = number_of(tx, task)?;
            tx.execute("DELETE FROM mined_archive WHERE mining = ?1", [mining])?;
            tx.execute("DELETE FROM mined_key WHERE mining = ?1", [mining])?;
            Ok(())
        })
    }
}

fn number_of(tx: Conn<'_>, task: &str) -> Step<i64> {
    tx.prepare_cached("INSERT INTO mining (name) VALUES (?1) ON CONFLICT DO NOTHING")?.execute([task])?;
    Ok(tx.prepare_cached("SELECT id FROM mining WHERE name = ?1")?.query_row([task], |row| row.get(0))?)
}

/// The id that a record of this kind and address has in the catalogue, or would have.
pub fn record_id(kind: &str, url: &str) -> String {
    public_id(kind, &identity_key(url))
}
