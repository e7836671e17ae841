//! Changes of the catalogue in order: one row per record, for its latest change, with the
//! properties that statistics count.

use super::catalogue::assemble::{self, AssembledRecord};
use super::catalogue::group;
use super::database_error::DatabaseResult;
use super::moment::to_micros;
use super::{SqlEngine, SqlStore, dated, host_locations, statistics};
use crate::sql::{self, Conn, OptionalExtension, insert, params, read_row};
use geotrawl_model::change::{CatalogueChange, PageWords, RecordDocument};
use geotrawl_model::statistics::{CatalogueStatistics, Totals};
use geotrawl_model::store::{ChangeStore, Result};
use geotrawl_model::{FrontierEntryId, Record};
use jiff::Timestamp;
use std::collections::BTreeSet;
use std::time::Duration;

/// Maximum number of listed pages on which a record was found.
const PAGES_SHOWN: usize = 8;
/// Maximum number of redirects between a page and its link's target.
const MOST_HOPS: usize = 12;
const MICROS_PER_DAY: i64 = 86_400_000_000;

/// Records the change of a record that was just assembled.
pub(crate) fn note_change(tx: Conn<'_>, record: &Record, now: Timestamp) -> DatabaseResult<()> {
    let depth = record.provenance.iter().map(|way| way.depth).min().unwrap_or_default();
    // Must run before the old row is deleted, because it reads the latest time from these rows.
    let at = dated::next_change_time(tx, now)?;
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
            // The depth of the first find stays.
            depth: known.filter(|(_, gone)| !gone).map_or_else(|| i64::from(depth), |(depth, _)| depth),
            day: to_micros(record.first_seen).div_euclid(MICROS_PER_DAY),
            themes: (!record.themes.is_empty()).then(|| serde_json::to_string(&terms(record))).transpose()?,
            score: record.score,
            at: at,
        }
    )?;
    Ok(())
}

/// Records that a row is no longer a record. Keeps its kind and themes for followers of a part of
/// the catalogue.
pub(crate) fn note_gone(tx: Conn<'_>, row: i64, now: Timestamp) -> DatabaseResult<()> {
    let at = dated::next_change_time(tx, now)?;
    type RemovedChange = (String, String, Option<String>, Option<String>);
    let was: Option<RemovedChange> = tx
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

/// Returns the themes of a record as they are counted: `scheme:term`, without duplicates.
fn terms(record: &Record) -> BTreeSet<String> {
    record.themes.iter().map(|theme| format!("{}:{}", theme.scheme, theme.term)).collect()
}

/// Records changes of rows that may have changed their group: the new head has changed, and rows
/// that are no longer heads are gone. Skips records in `done`, which are recorded already.
pub(crate) fn note_group_changes(
    tx: Conn<'_>,
    rows: &BTreeSet<i64>,
    done: &mut BTreeSet<i64>,
    now: Timestamp,
) -> DatabaseResult<()> {
    for row in rows {
        let members = group::members_of(tx, *row)?;
        let Some((&head, others)) = members.split_first() else { continue };
        if done.insert(head)
            && let Some(AssembledRecord { record, .. }) = assemble::assemble_record(tx, &members)?
        {
            note_change(tx, &record, now)?;
        }
        for other in others {
            note_gone(tx, *other, now)?;
        }
    }
    Ok(())
}

/// Records that the entries of a catalogue changed, which its own record lists as datasets. During
/// a harvest the record only moves to the end of the sequence; entries are counted again when a
/// harvest starts and ends.
pub(crate) fn note_catalogue_change(
    tx: Conn<'_>,
    url: &str,
    count_again: bool,
    now: Timestamp,
) -> DatabaseResult<()> {
    let rows: BTreeSet<i64> = tx.query_all("SELECT resource FROM door WHERE url = ?1", [url], read_row)?;
    if count_again {
        return note_group_changes(tx, &rows, &mut BTreeSet::new(), now);
    }
    for row in rows {
        let head = group::members_of(tx, row)?.first().copied().unwrap_or(row);
        let at = dated::next_change_time(tx, now)?;
        tx.execute(tx.move_change_statement(), [head, at])?;
    }
    Ok(())
}

/// Returns the last sequence number assigned.
pub(crate) fn last_sequence_number(conn: Conn<'_>) -> DatabaseResult<i64> {
    Ok(conn.query_row(conn.last_change_query(), [], read_row)?)
}

fn changes_after(conn: Conn<'_>, seq: i64, limit: usize) -> DatabaseResult<Vec<CatalogueChange>> {
    let snapshot = conn.snapshot()?;
    let tx = snapshot.conn();
    let rows: Vec<(i64, String, bool)> = tx
        .prepare_cached("SELECT seq, id, gone FROM change WHERE seq > ?1 ORDER BY seq LIMIT ?2")?
        .query_map(params![seq, limit as i64], read_row)?
        .collect::<sql::Result<_>>()?;
    let mut changes = Vec::with_capacity(rows.len());
    for (seq, id, gone) in rows {
        let document = if gone { None } else { read_document(tx, &id)?.map(Box::new) };
        changes.push(CatalogueChange { seq, id, document });
    }
    Ok(changes)
}

/// Returns the rows of the record with this id, if the id is the head of its group.
fn head_members(conn: Conn<'_>, id: &str) -> DatabaseResult<Option<Vec<i64>>> {
    let row: Option<i64> =
        conn.query_row("SELECT id FROM resource WHERE public_id = ?1", [id], read_row).optional()?;
    let Some(row) = row else { return Ok(None) };
    let members = group::members_of(conn, row)?;
    Ok((members.first() == Some(&row)).then_some(members))
}

fn read_document(conn: Conn<'_>, id: &str) -> DatabaseResult<Option<RecordDocument>> {
    let Some(members) = head_members(conn, id)? else { return Ok(None) };
    let Some(assembled) = assemble::assemble_record(conn, &members)? else { return Ok(None) };
    Ok(Some(RecordDocument { record: assembled.record, pages: read_pages(conn, &members)? }))
}

/// Returns the titles of the pages on which a record was found and the words of their links, latest
/// runs first.
fn read_pages(conn: Conn<'_>, members: &[i64]) -> DatabaseResult<Vec<PageWords>> {
    let mut ways = conn
        .prepare_cached("SELECT item FROM provenance WHERE resource = ?1 ORDER BY run DESC, item LIMIT 32")?;
    let page = format!("SELECT p.words, p.hops, p.parent FROM page p WHERE {}", conn.id_condition("p", "?1"));
    let mut page = conn.prepare_cached(&page)?;
    let title = format!("SELECT p.title FROM page p WHERE {}", conn.id_condition("p", "?1"));
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
                // A redirect on the way: continue with the page before it.
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
        let mut changes = self.read("reading changes", |conn| changes_after(conn, seq, limit))?;
        for document in changes.iter_mut().filter_map(|change| change.document.as_deref_mut()) {
            self.locate_host(&mut document.record.host);
        }
        Ok(changes)
    }

    fn is_notified(&self) -> bool {
        self.engine.is_listening()
    }

    fn wait_for_writes(&self, seen: u64, at_most: Duration) -> u64 {
        self.engine.wait_for_change(seen, at_most)
    }

    fn last_change(&self) -> Result<i64> {
        self.read("reading changes", last_sequence_number)
    }

    fn find_record(&self, id: &str) -> Result<Option<Record>> {
        let record = self.read("reading a record", |conn| {
            let snapshot = conn.snapshot()?;
            let tx = snapshot.conn();
            let row: Option<i64> =
                tx.query_row("SELECT id FROM resource WHERE public_id = ?1", [id], read_row).optional()?;
            // The id of an alias leads to the record that represents it.
            let Some(row) = row else { return Ok(None) };
            Ok(assemble::assemble_record(tx, &group::members_of(tx, row)?)?.map(|assembled| assembled.record))
        })?;
        Ok(record.map(|record| self.with_location(record)))
    }

    fn statistics(&self) -> Result<CatalogueStatistics> {
        let doing = "counting the catalogue";
        let now = self.read(doing, statistics::catalogue_version)?;
        if let Some(known) = self.counted.get(now) {
            return Ok(known);
        }
        let mut fresh = self.read(doing, statistics::compute_statistics)?;
        fresh.countries = host_locations::count_by_country(self, &fresh.addresses);
        self.counted.put(now, &fresh);
        Ok(fresh)
    }

    fn totals(&self) -> Result<Totals> {
        self.read("counting the catalogue", statistics::count_totals)
    }
}
