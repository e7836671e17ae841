//! Where runs look and why.

use super::EmbeddedStore;
use super::fault::Step;
use super::frontier_read;
use super::moment::{from_micros, to_micros};
use crate::focus::{Focus, Level, RankedSeed, SavedModel, Term, Width};
use crate::{Done, HostId, Item, Result, RunId, StoredResource, Tally};
use geotrawl_kinds::probe::Intent;
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, Row, params};
use std::collections::{BTreeMap, HashMap};

/// Items of one host among the next ones, where there are enough hosts.
const NEXT_OF_HOST: usize = 5;
/// Words kept of a run, about.
const MOST_TERMS: i64 = 20_000;

impl Focus for EmbeddedStore {
    fn widths(&self, run: RunId) -> Result<Vec<Width>> {
        self.read("reading groups of seeds", |conn| {
            let mut select = conn.prepare_cached(
                "SELECT w.width, w.opened, w.seeds, w.ended, w.why, w.given_up, coalesce(sum(l.pages), 0), \
                 coalesce(sum(l.finds), 0) FROM run_width w \
                 LEFT JOIN run_level l ON l.run = w.run AND l.width = w.width \
                 WHERE w.run = ?1 GROUP BY w.width ORDER BY w.width",
            )?;
            let widths = select.query_map([run], |row| {
                Ok(Width {
                    width: row.get(0)?,
                    opened: from_micros(row.get(1)?),
                    seeds: count(row, 2)?,
                    ended: row.get::<_, Option<i64>>(3)?.map(from_micros),
                    why: row.get(4)?,
                    given_up: row.get(5)?,
                    pages: count(row, 6)?,
                    finds: count(row, 7)?,
                })
            })?;
            Ok(widths.collect::<rusqlite::Result<_>>()?)
        })
    }

    fn open_width(&self, run: RunId, width: u32, seeds: u64, now: Timestamp) -> Result<()> {
        self.in_transaction("opening a group of seeds", |tx| {
            tx.execute(
                "INSERT INTO run_width (run, width, opened, seeds) VALUES (?1, ?2, ?3, ?4) \
                 ON CONFLICT (run, width) DO UPDATE SET seeds = excluded.seeds",
                params![run, width, to_micros(now), seeds as i64],
            )?;
            Ok(())
        })
    }

    fn end_width(&self, run: RunId, width: u32, why: &str, given_up: bool, now: Timestamp) -> Result<()> {
        self.in_transaction("ending a group of seeds", |tx| {
            tx.execute(
                "UPDATE run_width SET ended = ?3, why = ?4, given_up = ?5 \
                 WHERE run = ?1 AND width = ?2 AND ended IS NULL",
                params![run, width, to_micros(now), why, given_up],
            )?;
            Ok(())
        })
    }

    fn depths(&self, run: RunId) -> Result<Vec<Level>> {
        levels(
            self,
            run,
            "SELECT 0, depth, sum(pages), sum(finds) FROM run_level WHERE run = ?1 GROUP BY depth ORDER BY depth",
        )
    }

    fn levels(&self, run: RunId) -> Result<Vec<Level>> {
        levels(
            self,
            run,
            "SELECT width, depth, pages, finds FROM run_level WHERE run = ?1 ORDER BY width, depth",
        )
    }

    fn terms(&self, run: RunId, most: usize) -> Result<Vec<Term>> {
        self.read("reading words", |conn| {
            // Often there, and seldom elsewhere.
            let mut select = conn.prepare_cached(
                "SELECT term, gained, seen FROM run_term WHERE run = ?1 \
                 ORDER BY 1.0 * gained * gained / max(seen, gained, 1) DESC, gained DESC, term LIMIT ?2",
            )?;
            let terms = select.query_map(params![run, most as i64], |row| {
                Ok(Term { term: row.get(0)?, gained: count(row, 1)?, seen: count(row, 2)? })
            })?;
            Ok(terms.collect::<rusqlite::Result<_>>()?)
        })
    }

    fn add_terms(&self, run: RunId, terms: &[Term]) -> Result<()> {
        self.in_transaction("counting words", |tx| {
            let mut add = tx.prepare_cached(
                "INSERT INTO run_term (run, term, gained, seen) VALUES (?1, ?2, ?3, ?4) \
                 ON CONFLICT (run, term) DO UPDATE SET gained = gained + excluded.gained, seen = seen + excluded.seen",
            )?;
            for term in terms {
                add.execute(params![run, term.term, term.gained as i64, term.seen as i64])?;
            }
            let kept: i64 = tx
                .prepare_cached("SELECT count(*) FROM run_term WHERE run = ?1")?
                .query_row([run], |row| row.get(0))?;
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
            let bodies: Vec<String> =
                select.query_map([run], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
            Ok(bodies.iter().map(|body| serde_json::from_str(body)).collect::<std::result::Result<_, _>>()?)
        })
    }

    fn keep_ranked_seeds(&self, run: RunId, seeds: &[RankedSeed]) -> Result<()> {
        self.in_transaction("keeping ranked seeds", |tx| {
            let known = tx.prepare_cached("SELECT 1 FROM run_seed WHERE run = ?1 LIMIT 1")?.exists([run])?;
            if known {
                return Ok(());
            }
            let mut insert =
                tx.prepare_cached("INSERT INTO run_seed (run, place, body) VALUES (?1, ?2, ?3)")?;
            for (place, seed) in seeds.iter().enumerate() {
                insert.execute(params![run, place as i64 + 1, serde_json::to_string(seed)?])?;
            }
            Ok(())
        })
    }

    fn model(&self, ordering: &str) -> Result<Option<SavedModel>> {
        self.read("reading what an ordering has learned", |conn| {
            let mut select = conn.prepare_cached("SELECT body, at FROM model WHERE ordering = ?1")?;
            let model = select.query_row([ordering], |row| {
                Ok(SavedModel { bytes: row.get(0)?, at: from_micros(row.get(1)?) })
            });
            Ok(model.optional()?)
        })
    }

    fn model_saved(&self, ordering: &str) -> Result<Option<Timestamp>> {
        self.read("looking for what an ordering has learned", |conn| {
            let mut select = conn.prepare_cached("SELECT at FROM model WHERE ordering = ?1")?;
            let at: Option<i64> = select.query_row([ordering], |row| row.get(0)).optional()?;
            Ok(at.map(from_micros))
        })
    }

    fn save_model(&self, ordering: &str, bytes: &[u8], now: Timestamp) -> Result<()> {
        self.in_transaction("keeping what an ordering has learned", |tx| {
            tx.prepare_cached(
                "INSERT INTO model (ordering, at, body) VALUES (?1, ?2, ?3) \
                 ON CONFLICT (ordering) DO UPDATE SET at = excluded.at, body = excluded.body",
            )?
            .execute(params![ordering, to_micros(now), bytes])?;
            Ok(())
        })
    }

    fn next_items(&self, run: RunId, most: usize) -> Result<Vec<Item>> {
        self.read("reading what is next", |conn| next_items(conn, run, most))
    }

    fn time_taken(&self, run: RunId) -> Result<u64> {
        self.read("reading the time of a run", |conn| {
            let mut select = conn.prepare_cached("SELECT taken FROM run WHERE id = ?1")?;
            Ok(select.query_row([run], |row| count(row, 0)).optional()?.unwrap_or_default())
        })
    }

    fn add_time(&self, run: RunId, millis: u64) -> Result<()> {
        self.in_transaction("counting the time of a run", |tx| {
            tx.prepare_cached("UPDATE run SET taken = taken + ?2 WHERE id = ?1")?
                .execute([run, millis as i64])?;
            Ok(())
        })
    }
}

/// Counts the pages and first finds of a batch by group of seeds and depth.
pub(super) fn count_levels(
    tx: &Connection,
    run: RunId,
    taken: &[&Done],
    found: &[StoredResource],
) -> Step<()> {
    let mut levels: BTreeMap<(u32, u32), (i64, i64)> = BTreeMap::new();
    for done in taken.iter().filter(|done| !done.outcome.retry && done.outcome.tally() != Tally::Skipped) {
        if !Intent::parse(&done.item.intent).is_probe() {
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
    let mut add = tx.prepare_cached(
        "INSERT INTO run_level (run, width, depth, pages, finds) VALUES (?1, ?2, ?3, ?4, ?5) \
         ON CONFLICT (run, width, depth) DO UPDATE SET pages = pages + excluded.pages, finds = finds + excluded.finds",
    )?;
    for ((width, depth), (pages, finds)) in levels {
        add.execute(params![run, width, depth, pages, finds])?;
    }
    Ok(())
}

/// Forgets all about the focus of a run; what orderings have learned from it stays.
pub(super) fn forget(tx: &Connection, run: RunId) -> Step<()> {
    for table in ["run_width", "run_level", "run_term", "run_seed"] {
        tx.execute(&format!("DELETE FROM {table} WHERE run = ?1"), [run])?;
    }
    Ok(())
}

fn levels(store: &EmbeddedStore, run: RunId, select: &str) -> Result<Vec<Level>> {
    store.read("reading pages and finds by depth", |conn| {
        let mut select = conn.prepare_cached(select)?;
        let levels = select.query_map([run], |row| {
            Ok(Level { width: row.get(0)?, depth: row.get(1)?, pages: count(row, 2)?, finds: count(row, 3)? })
        })?;
        Ok(levels.collect::<rusqlite::Result<_>>()?)
    })
}

fn next_items(conn: &Connection, run: RunId, most: usize) -> Step<Vec<Item>> {
    let hosts: Vec<HostId> = conn
        .prepare_cached(
            "SELECT host FROM host_run WHERE run = ?1 AND best_priority IS NOT NULL \
             ORDER BY best_priority, host LIMIT ?2",
        )?
        .query_map(params![run, most as i64], |row| row.get(0))?
        .collect::<rusqlite::Result<_>>()?;
    let of_host = NEXT_OF_HOST.max(most.div_ceil(hosts.len().max(1)));
    let mut items = Vec::new();
    for host in hosts {
        let of_host = frontier_read::pending(conn, run, host, of_host, &|_| false, false)?;
        items.extend(of_host.unwrap_or_default());
    }
    items.sort_by_key(|item| (item.priority, item.id));
    items.truncate(most);
    Ok(items)
}

fn count(row: &Row<'_>, at: usize) -> rusqlite::Result<u64> {
    Ok(row.get::<_, i64>(at)?.max(0) as u64)
}
