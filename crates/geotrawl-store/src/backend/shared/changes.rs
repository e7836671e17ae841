//! What changed in the catalogue, in order: one row per record at its latest change, with the few things about
//! it that are counted.

use super::catalogue::assemble::{self, Assembled};
use super::catalogue::group;
use super::fault::Step;
use super::moment::to_micros;
use super::{SqlEngine, SqlStore, dated, placed, statistics};
use crate::sql::{self, Conn, OptionalExtension, insert, params, read_row};
use geotrawl_model::change::{CatalogueChange, PageWords, RecordDocument};
use geotrawl_model::statistics::{CatalogueStatistics, Totals};
use geotrawl_model::store::{ChangeStore, Result};
use geotrawl_model::{FrontierEntryId, Record};
use jiff::Timestamp;
use std::collections::BTreeSet;
use std::time::Duration;

/// Pages shown of those that revealed a record.
const PAGES_SHOWN: usize = 8;
/// Redirects between a page and what it shows.
const MOST_HOPS: usize = 12;
const MICROS_PER_DAY: i64 = 86_400_000_000;

/// Notes the change of a record that was just put together.
pub(crate) fn note(tx: Conn<'_>, record: &Record, now: Timestamp) -> Step<()> {
    let depth = record.provenance.iter().map(|way| way.depth).min().unwrap_or_default();
    // Before its row goes: the time of the last change is that of a row.
    let at = dated::moment(tx, now)?;
    let known: Option<(i64, bool)> = tx
        .query_row("DELETE FROM change WHERE id = ?1 RETURNING depth, gone", [&record.id], read_row)
        .optional()?;
    let resource = &record.resource;
    insert!(
        tx,
        change {
            id: record.id,
            gone: false,
            kind: resource.kind,
            status: record.status,
            host: record.host.name,
            ip: record.host.ip,
            software: resource.software,
            languages: (!resource.languages.is_empty())
                .then(|| serde_json::to_string(&resource.languages))
                .transpose()?,
            datasets: resource.dataset_count,
            // Where it was first found stays.
            depth: known.filter(|(_, gone)| !gone).map_or_else(|| i64::from(depth), |(depth, _)| depth),
            day: to_micros(record.first_seen).div_euclid(MICROS_PER_DAY),
            themes: (!record.themes.is_empty()).then(|| serde_json::to_string(&terms(record))).transpose()?,
            score: record.score,
            at: at,
        }
    )?;
    Ok(())
}

/// Notes that a row is a record no more; what it was stays known, for those who follow a part of the catalogue.
pub(crate) fn note_gone(tx: Conn<'_>, row: i64, now: Timestamp) -> Step<()> {
    let at = dated::moment(tx, now)?;
    type Was = (String, String, Option<String>, Option<String>);
    let was: Option<Was> = tx
        .prepare_cached(
            "DELETE FROM change WHERE id = (SELECT public_id FROM resource WHERE id = ?1) AND gone = 0 \
             RETURNING id, kind, ip, themes",
        )?
        .query_row([row], read_row)
        .optional()?;
    let Some((id, kind, ip, themes)) = was else { return Ok(()) };
    insert!(tx, change { id: id, gone: true, kind: kind, ip: ip, themes: themes, at: at })?;
    Ok(())
}

/// What a record is about, as it is counted: `scheme:term`, each once.
fn terms(record: &Record) -> BTreeSet<String> {
    record.themes.iter().map(|theme| format!("{}:{}", theme.scheme, theme.term)).collect()
}

/// Looks at rows that may have changed their group: who stands for it now is a change, who does no more is gone.
/// Records in `done` are noted already.
pub(crate) fn regroup(
    tx: Conn<'_>,
    rows: &BTreeSet<i64>,
    done: &mut BTreeSet<i64>,
    now: Timestamp,
) -> Step<()> {
    for row in rows {
        let members = group::of(tx, *row)?;
        let Some((&head, others)) = members.split_first() else { continue };
        if done.insert(head)
            && let Some(Assembled { record, .. }) = assemble::assemble(tx, &members)?
        {
            note(tx, &record, now)?;
        }
        for other in others {
            note_gone(tx, *other, now)?;
        }
    }
    Ok(())
}

/// Notes that the records of a catalogue changed, which its own record shows as datasets. While a harvest goes on
/// its record only moves to the end; all is counted again at its beginning and its end.
pub(crate) fn note_catalogue(tx: Conn<'_>, url: &str, count_again: bool, now: Timestamp) -> Step<()> {
    let rows: BTreeSet<i64> = tx.query_all("SELECT resource FROM door WHERE url = ?1", [url], read_row)?;
    if count_again {
        return regroup(tx, &rows, &mut BTreeSet::new(), now);
    }
    for row in rows {
        let head = group::of(tx, row)?.first().copied().unwrap_or(row);
        let at = dated::moment(tx, now)?;
        tx.execute(tx.move_change(), [head, at])?;
    }
    Ok(())
}

/// The last sequence number that was given.
pub(crate) fn last(conn: Conn<'_>) -> Step<i64> {
    Ok(conn.query_row(conn.last_change(), [], read_row)?)
}

fn after(conn: Conn<'_>, seq: i64, limit: usize) -> Step<Vec<CatalogueChange>> {
    let snapshot = conn.snapshot()?;
    let tx = snapshot.conn();
    let rows: Vec<(i64, String, bool)> = tx
        .prepare_cached("SELECT seq, id, gone FROM change WHERE seq > ?1 ORDER BY seq LIMIT ?2")?
        .query_map(params![seq, limit as i64], read_row)?
        .collect::<sql::Result<_>>()?;
    let mut changes = Vec::with_capacity(rows.len());
    for (seq, id, gone) in rows {
        let document = if gone { None } else { document(tx, &id)?.map(Box::new) };
        changes.push(CatalogueChange { seq, id, document });
    }
    Ok(changes)
}

/// Rows of the record with this id, if it stands for its group.
fn standing(conn: Conn<'_>, id: &str) -> Step<Option<Vec<i64>>> {
    let row: Option<i64> =
        conn.query_row("SELECT id FROM resource WHERE public_id = ?1", [id], read_row).optional()?;
    let Some(row) = row else { return Ok(None) };
    let members = group::of(conn, row)?;
    Ok((members.first() == Some(&row)).then_some(members))
}

fn document(conn: Conn<'_>, id: &str) -> Step<Option<RecordDocument>> {
    let Some(members) = standing(conn, id)? else { return Ok(None) };
    let Some(assembled) = assemble::assemble(conn, &members)? else { return Ok(None) };
    Ok(Some(RecordDocument { record: assembled.record, pages: pages(conn, &members)? }))
}

/// Titles of the pages that revealed a record, and the words of their links; those of the latest runs.
fn pages(conn: Conn<'_>, members: &[i64]) -> Step<Vec<PageWords>> {
    let mut ways = conn
        .prepare_cached("SELECT item FROM provenance WHERE resource = ?1 ORDER BY run DESC, item LIMIT 32")?;
    let page = format!("SELECT p.words, p.hops, p.parent FROM page p WHERE {}", conn.has_id("p", "?1"));
    let mut page = conn.prepare_cached(&page)?;
    let title = format!("SELECT p.title FROM page p WHERE {}", conn.has_id("p", "?1"));
    let mut title = conn.prepare_cached(&title)?;
    let mut pages: Vec<PageWords> = Vec::new();
    for member in members {
        let items: Vec<FrontierEntryId> = ways.query_map([member], read_row)?.collect::<sql::Result<_>>()?;
        for item in items {
            let mut next = Some(item);
            for _ in 0..MOST_HOPS {
                let Some(id) = next else { break };
                let shown: Option<(String, u32, Option<FrontierEntryId>)> =
                    page.query_row([id], read_row).optional()?;
                let Some((words, hops, parent)) = shown else { break };
                // A redirect on the way: the page is the one before the first of them.
                if hops > 0 && parent.is_some() {
                    next = parent;
                    continue;
                }
                let title: Option<Option<String>> = match parent {
                    Some(parent) => title.query_row([parent], read_row).optional()?,
                    None => None,
                };
                let one = PageWords { title: title.flatten().unwrap_or_default(), words };
                let says_something = !one.title.is_empty() || !one.words.is_empty();
                if says_something && !pages.contains(&one) {
                    pages.push(one);
                }
                break;
            }
            if pages.len() >= PAGES_SHOWN {
                return Ok(pages);
            }
        }
    }
    Ok(pages)
}

impl<E: SqlEngine> ChangeStore for SqlStore<E> {
    fn list_changes(&self, seq: i64, limit: usize) -> Result<Vec<CatalogueChange>> {
        let mut changes = self.read("reading changes", |conn| after(conn, seq, limit))?;
        for document in changes.iter_mut().filter_map(|change| change.document.as_deref_mut()) {
            self.place(&mut document.record.host);
        }
        Ok(changes)
    }

    fn is_notified(&self) -> bool {
        self.engine.hears()
    }

    fn wait_for_writes(&self, seen: u64, at_most: Duration) -> u64 {
        self.engine.news(seen, at_most)
    }

    fn last_change(&self) -> Result<i64> {
        self.read("reading changes", last)
    }

    fn find_record(&self, id: &str) -> Result<Option<Record>> {
        let record = self.read("reading a record", |conn| {
            let snapshot = conn.snapshot()?;
            let tx = snapshot.conn();
            let row: Option<i64> =
                tx.query_row("SELECT id FROM resource WHERE public_id = ?1", [id], read_row).optional()?;
            // The id of a door that another stands for still leads to the record.
            let Some(row) = row else { return Ok(None) };
            Ok(assemble::assemble(tx, &group::of(tx, row)?)?.map(|assembled| assembled.record))
        })?;
        Ok(record.map(|record| self.placed(record)))
    }

    fn statistics(&self) -> Result<CatalogueStatistics> {
        let doing = "counting the catalogue";
        let now = self.read(doing, statistics::moment)?;
        if let Some(known) = self.counted.get(now) {
            return Ok(known);
        }
        let mut fresh = self.read(doing, statistics::count)?;
        fresh.countries = placed::countries(self, &fresh.addresses);
        self.counted.put(now, &fresh);
        Ok(fresh)
    }

    fn totals(&self) -> Result<Totals> {
        self.read("counting the catalogue", statistics::totals)
    }
}
