//! Focus of runs: groups of seeds, depths, telling words and saved models.

use super::database_error::DatabaseResult;
use super::frontier;
use super::moment::{from_micros, to_micros};
use super::{SqlEngine, SqlStore};
use crate::sql::{self, Conn, LockDomain, OptionalExtension, params, read_row};
use geotrawl_model::focus::{DepthYield, IndicativeTerm, SavedModel, SeedGroup};
use geotrawl_model::store::{FocusStore, Result};
use geotrawl_model::{FinishedItem, FrontierEntry, OutcomeTally, RankedSeed, RunId, StoredResource};
use jiff::Timestamp;
use std::collections::{BTreeMap, HashMap};

/// Maximum number of words kept per run, approximately.
const MOST_TERMS: i64 = 20_000;

impl<E: SqlEngine> FocusStore for SqlStore<E> {
    fn list_seed_groups(&self, run: RunId) -> Result<Vec<SeedGroup>> {
        self.read("reading groups of seeds", |conn| {
            let mut select = conn.prepare_cached(
                "SELECT w.width, w.opened, w.seeds, w.ended, w.why, w.given_up, coalesce(sum(l.pages), 0), \
                 coalesce(sum(l.finds), 0) FROM run_width w \
                 LEFT JOIN run_level l ON l.run = w.run AND l.width = w.width \
                 WHERE w.run = ?1 GROUP BY w.run, w.width ORDER BY w.width",
            )?;
            let widths = select.query_map([run], |row| {
                Ok(SeedGroup {
                    width: row.get(0)?,
                    opened: row.get(1)?,
                    seeds: row.get(2)?,
                    ended: row.get(3)?,
                    why: row.get(4)?,
                    given_up: row.get(5)?,
                    pages: row.get(6)?,
                    finds: row.get(7)?,
                })
            })?;
            Ok(widths.collect::<sql::Result<_>>()?)
        })
    }

    fn open_seed_group(&self, run: RunId, width: u32, seeds: u64, now: Timestamp) -> Result<()> {
        self.change(LockDomain::Catalogue, "opening a group of seeds", |tx| {
            tx.execute(
                "INSERT INTO run_width (run, width, opened, seeds) VALUES (?1, ?2, ?3, ?4) \
                 ON CONFLICT (run, width) DO UPDATE SET seeds = excluded.seeds",
                params![run, width, to_micros(now), seeds as i64],
            )?;
            Ok(())
        })
    }

    fn end_seed_group(
        &self,
        run: RunId,
        width: u32,
        why: &str,
        given_up: bool,
        now: Timestamp,
    ) -> Result<()> {
        self.change(LockDomain::Catalogue, "ending a group of seeds", |tx| {
            tx.execute(
                "UPDATE run_width SET ended = ?3, why = ?4, given_up = ?5 \
                 WHERE run = ?1 AND width = ?2 AND ended IS NULL",
                params![run, width, to_micros(now), why, given_up],
            )?;
            Ok(())
        })
    }

    fn yield_by_depth(&self, run: RunId) -> Result<Vec<DepthYield>> {
        read_levels(
            self,
            run,
            "SELECT 0, depth, sum(pages), sum(finds) FROM run_level WHERE run = ?1 GROUP BY depth ORDER BY depth",
        )
    }

    fn yield_by_seed_group(&self, run: RunId) -> Result<Vec<DepthYield>> {
        read_levels(
            self,
            run,
            "SELECT width, depth, pages, finds FROM run_level WHERE run = ?1 ORDER BY width, depth",
        )
    }

    fn indicative_terms(&self, run: RunId, most: usize) -> Result<Vec<IndicativeTerm>> {
        self.read("reading words", |conn| {
            // Rank words that are frequent on good pages and rare elsewhere.
            let mut select = conn.prepare_cached(
                "SELECT term, gained, seen FROM run_term WHERE run = ?1 \
                 ORDER BY CAST(gained AS DOUBLE PRECISION) * gained / CASE WHEN seen > gained THEN seen \
                 WHEN gained > 0 THEN gained ELSE 1 END DESC, gained DESC, term LIMIT ?2",
            )?;
            let terms = select.query_map(params![run, most as i64], |row| {
                Ok(IndicativeTerm { term: row.get(0)?, gained: row.get(1)?, seen: row.get(2)? })
            })?;
            Ok(terms.collect::<sql::Result<_>>()?)
        })
    }

    fn add_terms(&self, run: RunId, terms: &[IndicativeTerm]) -> Result<()> {
        self.change(LockDomain::Catalogue, "counting words", |tx| {
            let mut add = tx.prepare_cached(&format!(
                "INSERT INTO run_term (run, term, gained, seen) VALUES (?1, ?2, ?3, ?4) \
                 ON CONFLICT (run, {}) DO UPDATE SET gained = run_term.gained + excluded.gained, \
                 seen = run_term.seen + excluded.seen",
                tx.index_key_expression("term")
            ))?;
            let mut many = add.start_batch();
            for term in terms {
                many.add_values(params![run, term.term, term.gained as i64, term.seen as i64])?;
            }
            many.finish()?;
            let kept: i64 = tx.query_row("SELECT count(*) FROM run_term WHERE run = ?1", [run], read_row)?;
            // Removes half of the list, so that this does not happen on every call.
            if kept > MOST_TERMS {
                tx.execute(
                    "DELETE FROM run_term WHERE run = ?1 AND term IN (SELECT term FROM run_term WHERE run = ?1 \
                     ORDER BY gained, seen DESC LIMIT ?2)",
                    [run, kept - MOST_TERMS / 2],
                )?;
            }
            Ok(())
        })
    }

    fn ranked_seeds(&self, run: RunId) -> Result<Vec<RankedSeed>> {
        self.read("reading ranked seeds", |conn| {
            let mut select =
                conn.prepare_cached("SELECT body FROM run_seed WHERE run = ?1 ORDER BY place")?;
            let bodies: Vec<String> = select.query_map([run], read_row)?.collect::<sql::Result<_>>()?;
            Ok(bodies.iter().map(|body| serde_json::from_str(body)).collect::<std::result::Result<_, _>>()?)
        })
    }

    fn save_ranked_seeds(&self, run: RunId, seeds: &[RankedSeed]) -> Result<()> {
        self.change(LockDomain::Catalogue, "keeping ranked seeds", |tx| {
            let known = tx.exists("SELECT 1 FROM run_seed WHERE run = ?1 LIMIT 1", [run])?;
            if known {
                return Ok(());
            }
            let mut insert =
                tx.prepare_cached("INSERT INTO run_seed (run, place, body) VALUES (?1, ?2, ?3)")?;
            let mut many = insert.start_batch();
            for (place, seed) in seeds.iter().enumerate() {
                many.add_values(params![run, place as i64 + 1, serde_json::to_string(seed)?])?;
            }
            many.finish()?;
            Ok(())
        })
    }

    fn load_model(&self, ordering: &str) -> Result<Option<SavedModel>> {
        self.read("reading the model of an ordering", |conn| {
            let mut select = conn.prepare_cached("SELECT body, at FROM model WHERE ordering = ?1")?;
            let model =
                select.query_row([ordering], |row| Ok(SavedModel { bytes: row.get(0)?, at: row.get(1)? }));
            Ok(model.optional()?)
        })
    }

    fn model_saved_at(&self, ordering: &str) -> Result<Option<Timestamp>> {
        self.read("looking up the model of an ordering", |conn| {
            let mut select = conn.prepare_cached("SELECT at FROM model WHERE ordering = ?1")?;
            let at: Option<i64> = select.query_row([ordering], read_row).optional()?;
            Ok(at.map(from_micros))
        })
    }

    fn save_model(
        &self,
        ordering: &str,
        bytes: &[u8],
        now: Timestamp,
        over: Option<Timestamp>,
    ) -> Result<Option<Timestamp>> {
        // Each version needs a distinct timestamp, even if the clock stands still or goes back.
        let over = over.map(to_micros);
        let at = to_micros(now).max(over.map_or(i64::MIN, |over| over + 1));
        let kept = self.change(LockDomain::Catalogue, "saving the model of an ordering", |tx| {
            Ok(match over {
                None => tx
                    .prepare_cached(
                        "INSERT INTO model (ordering, at, body) VALUES (?1, ?2, ?3) ON CONFLICT (ordering) DO NOTHING",
                    )?
                    .execute(params![ordering, at, bytes])?,
                Some(over) => tx
                    .prepare_cached("UPDATE model SET at = ?2, body = ?3 WHERE ordering = ?1 AND at = ?4")?
                    .execute(params![ordering, at, bytes, over])?,
            })
        })?;
        Ok((kept > 0).then(|| from_micros(at)))
    }

    fn next_entries(&self, run: RunId, most: usize) -> Result<Vec<FrontierEntry>> {
        self.read("reading the next items", |conn| frontier::read_next_items(conn, run, most))
    }

    fn time_taken(&self, run: RunId) -> Result<u64> {
        self.read("reading the time of a run", |conn| {
            let mut select = conn.prepare_cached("SELECT taken FROM run WHERE id = ?1")?;
            Ok(select.query_row([run], read_row).optional()?.unwrap_or_default())
        })
    }

    fn add_time_taken(&self, run: RunId, millis: u64) -> Result<()> {
        self.change(LockDomain::Catalogue, "counting the time of a run", |tx| {
            tx.execute("UPDATE run SET taken = taken + ?2 WHERE id = ?1", [run, millis as i64])?;
            Ok(())
        })
    }
}

/// Counts the pages and first finds of a batch by group of seeds and depth.
pub(crate) fn count_by_width_and_depth(
    tx: Conn<'_>,
    run: RunId,
    taken: &[&FinishedItem],
    found: &[StoredResource],
) -> DatabaseResult<()> {
    let mut levels: BTreeMap<(u32, u32), (i64, i64)> = BTreeMap::new();
    for done in
        taken.iter().filter(|done| !done.outcome.retry && done.outcome.tally() != OutcomeTally::Skipped)
    {
        if !done.item.intent.is_probe() {
            levels.entry((done.item.bearing.width, done.item.depth)).or_default().0 += 1;
        }
    }
    if found.iter().any(|stored| stored.first_in_run) {
        let items: HashMap<_, _> = taken.iter().map(|done| (done.item.id, &done.item)).collect();
        for stored in found.iter().filter(|stored| stored.first_in_run) {
            if let Some(item) = items.get(&stored.item) {
                levels.entry((item.bearing.width, item.depth)).or_default().1 += 1;
            }
        }
    }
    if levels.is_empty() {
        return Ok(());
    }
    let mut add = tx.prepare_cached(
        "INSERT INTO run_level (run, width, depth, pages, finds) VALUES (?1, ?2, ?3, ?4, ?5) \
         ON CONFLICT (run, width, depth) DO UPDATE SET pages = run_level.pages + excluded.pages, \
         finds = run_level.finds + excluded.finds",
    )?;
    let mut many = add.start_batch();
    for ((width, depth), (pages, finds)) in levels {
        many.add_values(params![run, width, depth, pages, finds])?;
    }
    many.finish()?;
    Ok(())
}

/// Deletes the focus data of a run. Models learned from it stay.
pub(crate) fn forget_run(tx: Conn<'_>, run: RunId) -> DatabaseResult<()> {
    for table in ["run_width", "run_level", "run_term", "run_seed"] {
        tx.execute(&format!("DELETE FROM {table} WHERE run = ?1"), [run])?;
    }
    Ok(())
}

fn read_levels<E: SqlEngine>(store: &SqlStore<E>, run: RunId, select: &str) -> Result<Vec<DepthYield>> {
    store.read("reading pages and finds by depth", |conn| {
        let mut select = conn.prepare_cached(select)?;
        let levels = select.query_map([run], |row| {
            Ok(DepthYield { width: row.get(0)?, depth: row.get(1)?, pages: row.get(2)?, finds: row.get(3)? })
        })?;
        Ok(levels.collect::<sql::Result<_>>()?)
    })
}
