//! The catalogue's part of a batch, written in the batch's transaction after the frontier's part.

use super::catalogue::observe::{Observation, ObservationResult};
use super::catalogue::redirects::RedirectKind;
use super::catalogue::{assemble, group, observe, records, redirects};
use super::database_error::DatabaseResult;
use super::monitoring::alerts::AlertSubscribers;
use super::monitoring::notices::{self, NewNotice};
use super::monitoring::successors;
use super::{changes, events, focus, tasks};
use crate::sql::Conn;
use geotrawl_model::notice::NoticeKind;
use geotrawl_model::{
    CrawlBatch, FinishedItem, FrontierEntryId, OutcomeTally, Record, RunCounters, ShortRecord, StoredResource,
};
use jiff::Timestamp;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Counts a finished item.
pub(crate) fn count_item(done: &FinishedItem, counted: &mut RunCounters) {
    counted.bytes += done.outcome.bytes;
    if done.outcome.retry {
        return;
    }
    let tally = done.outcome.tally();
    match tally {
        OutcomeTally::Skipped => counted.skipped += 1,
        _ if done.item.intent.is_probe() => counted.probes += 1,
        _ => counted.pages += 1,
    }
    if tally == OutcomeTally::Failed {
        counted.failures += 1;
    }
}

/// Returns whether [`record_results`] will write records, events or changes for these items. If
/// not, [`note_redirects`] is enough.
pub(crate) fn has_results(taken: &[&FinishedItem]) -> bool {
    taken.iter().any(|done| !done.found.is_empty() || done.harvest.is_some() && !done.outcome.retry)
}

/// Records redirects, harvested records and finds of a batch. Returns the records to report.
pub(crate) fn record_results(
    tx: Conn<'_>,
    batch: &CrawlBatch,
    taken: &[&FinishedItem],
) -> DatabaseResult<Vec<StoredResource>> {
    note_redirects(tx, taken)?;
    for done in taken {
        if let Some(page) = done.harvest.as_deref().filter(|_| !done.outcome.retry) {
            records::store_harvested_page(tx, batch.run, page, batch.now)?;
        }
    }
    let stored = record_finds(tx, batch, taken)?;
    for done in taken {
        if let Some(page) = done.harvest.as_deref().filter(|_| !done.outcome.retry) {
            let count_again = page.first || page.next == 0;
            changes::note_catalogue_change(tx, &page.catalogue, count_again, batch.now)?;
        }
    }
    Ok(stored)
}

/// Adds a batch to the counters of its run and of the catalogue. `counted` holds the results of
/// [`count_item`] and of the frontier.
pub(crate) fn count_batch(
    tx: Conn<'_>,
    batch: &CrawlBatch,
    taken: &[&FinishedItem],
    stored: &[StoredResource],
    mut counted: RunCounters,
    pending: i64,
) -> DatabaseResult<()> {
    count_levels(tx, taken)?;
    focus::count_by_width_and_depth(tx, batch.run, taken, stored)?;
    counted.resources = stored.iter().filter(|stored| stored.first_in_run).count() as u64;
    tasks::add_counters(tx, batch.run, &counted, pending)
}

/// Records where redirects led: to their target, and to all links that follow them, known or new,
/// so that aliases do not depend on the order of discovery. May run concurrently.
pub(crate) fn note_redirects(tx: Conn<'_>, taken: &[&FinishedItem]) -> DatabaseResult<()> {
    let mut edges = BTreeSet::new();
    for done in taken {
        let Some(target) = &done.outcome.redirect_to else { continue };
        let followed = done.links.iter().filter(|link| link.hops == done.item.hops + 1);
        edges.insert((target.as_str(), done.item.url.as_str()));
        edges.extend(followed.map(|link| (link.url.as_str(), done.item.url.as_str())));
    }
    redirects::add_redirects(tx, edges, RedirectKind::Redirect)
}

/// Counts the fetched pages at each depth.
fn count_levels(tx: Conn<'_>, taken: &[&FinishedItem]) -> DatabaseResult<()> {
    let mut levels: BTreeMap<u32, i64> = BTreeMap::new();
    for done in
        taken.iter().filter(|done| !done.outcome.retry && done.outcome.tally() != OutcomeTally::Skipped)
    {
        if !done.item.intent.is_probe() {
            *levels.entry(done.item.depth).or_default() += 1;
        }
    }
    if levels.is_empty() {
        return Ok(());
    }
    let mut add = tx.prepare_cached(
        "INSERT INTO level (depth, pages) VALUES (?1, ?2) ON CONFLICT (depth) DO UPDATE SET pages = level.pages + ?2",
    )?;
    let mut many = add.start_batch();
    for (depth, pages) in levels {
        many.add_values([i64::from(depth), pages])?;
    }
    many.finish()?;
    Ok(())
}

/// Notifies subscribers about a new record, and checks whether it may be the successor of a dead
/// one.
fn notify_birth(
    tx: Conn<'_>,
    at: Timestamp,
    row: i64,
    record: &Record,
    told: &mut AlertSubscribers,
) -> DatabaseResult<()> {
    let news = NewNotice {
        at,
        kind: NoticeKind::Born,
        id: &record.id,
        title: record.resource.title.as_deref(),
        url: &record.resource.url,
        host: &record.host.name,
        record_kind: &record.resource.kind,
        reason: "Found for the first time".to_owned(),
        body: None,
    };
    notices::append_notice(tx, &news, told)?;
    successors::match_new_record(tx, row, at, told)
}

/// Adds the finds of a batch to the catalogue and returns the records to report.
fn record_finds(
    tx: Conn<'_>,
    batch: &CrawlBatch,
    taken: &[&FinishedItem],
) -> DatabaseResult<Vec<StoredResource>> {
    let mut observed: Vec<(ObservationResult, FrontierEntryId)> = Vec::new();
    // Rows whose group may have changed.
    let mut moved: BTreeSet<i64> = BTreeSet::new();
    for done in taken {
        for found in &done.found {
            let find = Observation { run: batch.run, item: &done.item, found, now: batch.now };
            let one = observe::store_observation(tx, find, &mut moved)?;
            if one.born || one.changed {
                moved.insert(one.resource);
            }
            observed.push((one, done.item.id));
        }
    }
    if observed.is_empty() {
        return Ok(Vec::new());
    }
    let task = tasks::task_of_run(tx, batch.run)?;
    // One entry per record, even if several of its aliases were found.
    let mut news: Vec<(Vec<i64>, ObservationResult, FrontierEntryId)> = Vec::new();
    let mut places: HashMap<i64, usize> = HashMap::new();
    for (one, item) in observed {
        let members = group::members_of(tx, one.resource)?;
        let head = members.first().copied().unwrap_or(one.resource);
        if let Some((_, all, _)) = places.get(&head).and_then(|place| news.get_mut(*place)) {
            all.born |= one.born;
            all.first_in_run |= one.first_in_run;
            all.changed |= one.changed;
        } else {
            places.insert(head, news.len());
            news.push((members, one, item));
        }
    }
    let mut stored = Vec::new();
    let mut noted: BTreeSet<i64> = BTreeSet::new();
    let mut told = AlertSubscribers::default();
    for (members, one, item) in news {
        if !(one.born || one.changed || one.first_in_run) {
            continue;
        }
        let Some(assembled) = assemble::assemble_record(tx, &members)? else { continue };
        let record = assembled.record;
        if one.born || one.changed {
            let kind = if one.born { "resource-born" } else { "resource-changed" };
            let body = serde_json::json!({
                "id": record.id, "kind": record.resource.kind, "url": record.resource.url,
                "title": record.resource.title, "status": record.status,
            });
            events::append_event(tx, batch.now, Some(batch.run), kind, &body)?;
        }
        if one.born {
            notify_birth(tx, batch.now, one.resource, &record, &mut told)?;
        }
        if one.first_in_run {
            let short = serde_json::to_string(&ShortRecord::from_record(&record, &task.1))?;
            events::append_task_event(tx, batch.now, Some(task.0), Some(batch.run), "find", &short)?;
        }
        changes::note_change(tx, &record, batch.now)?;
        noted.extend(members.first());
        stored.push(StoredResource { record, born: one.born, first_in_run: one.first_in_run, item });
    }
    changes::note_group_changes(tx, &moved, &mut noted, batch.now)?;
    Ok(stored)
}
