//! Taking a find into the catalogue.
//!
//! The outcome of a run does not depend on the order of its finds: within a run the better of two
//! observations of one thing wins by a total order, a later run wins over an earlier one.

use super::super::fault::Step;
use super::super::moment::to_micros;
use super::super::monitoring;
use super::content::Content;
use super::identity;
use crate::sql::{Conn, OptionalExtension, params};
use crate::{Evidence, FoundResource, Item, RunId};
use geotrawl_kinds::model::{Resource, Status};
use jiff::Timestamp;
use std::collections::BTreeSet;

/// Ways to one resource kept per run; more say nothing new.
const PROVENANCE_PER_RUN: i64 = 32;
/// Latest pieces of evidence kept per resource and run.
const EVIDENCE_PER_RUN: i64 = 3;

/// What taking in a find did to its row.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Observed {
    /// The row.
    pub resource: i64,
    /// A thing the catalogue did not have, under any of its doors.
    pub born: bool,
    /// The run had not proven it before, under any of its doors.
    pub first_in_run: bool,
    /// Something to be seen changed.
    pub changed: bool,
}

/// The stored row, as far as it decides.
struct Stored {
    id: i64,
    preference: String,
    fingerprint: Option<Vec<u8>>,
    status: String,
    reason: String,
    dataset_count: i64,
    run: RunId,
    content_from: String,
    content_hash: Vec<u8>,
    datasets_hash: Vec<u8>,
}

/// Takes in one find of an item. When the row may leave its group by it, those it leaves are added to `left`.
pub(crate) fn observe(
    tx: Conn<'_>,
    run: RunId,
    item: &Item,
    found: &FoundResource,
    now: Timestamp,
    left: &mut BTreeSet<i64>,
) -> Step<Observed> {
    let resource = &found.resource;
    let identity = identity::identity_key(&resource.url);
    let content = Content::of(resource)?;
    let fingerprint = identity::fingerprint(resource, &found.evidence);
    let stored = find(tx, &resource.kind, &identity)?;
    if let Some(stored) = &stored
        && stored.fingerprint.is_some()
        && stored.fingerprint != fingerprint
    {
        left.extend(super::group::of(tx, stored.id)?);
    }
    if let Some(stored) = &stored
        && works(found.status)
        && monitoring::successors::unmerge(tx, stored.id)?
    {
        left.insert(stored.id);
    }
    let (id, mut changed) = match &stored {
        None => (insert(tx, run, &identity, found, &content, fingerprint.as_deref(), now)?, true),
        Some(stored) => (stored.id, update(tx, run, stored, found, &content, fingerprint.as_deref(), now)?),
    };
    changed |= tx
        .prepare_cached("INSERT INTO door (url, kind, resource) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING")?
        .execute(params![resource.url, resource.kind, id])?
        > 0;
    let group = super::group::of(tx, id)?;
    let born = stored.is_none() && group.len() == 1;
    let mut first_in_run = true;
    for member in &group {
        first_in_run &= !tx
            .prepare_cached("SELECT 1 FROM provenance WHERE resource = ?1 AND run = ?2 LIMIT 1")?
            .exists([*member, run])?;
    }
    add_provenance(tx, id, run, item)?;
    add_evidence(tx, id, run, item, found)?;
    if item.url != resource.url {
        let edge = (resource.url.as_str(), item.url.as_str());
        super::redirects::add(tx, [edge], super::redirects::Edge::Proof)?;
    }
    Ok(Observed { resource: id, born, first_in_run, changed })
}

fn find(tx: Conn<'_>, kind: &str, identity: &str) -> Step<Option<Stored>> {
    Ok(tx
        .prepare_cached(
            "SELECT id, preference, fingerprint, status, reason, dataset_count, run, content_from, \
             content_hash, datasets_hash FROM resource WHERE kind = ?1 AND identity = ?2",
        )?
        .query_row([kind, identity], |row| {
            Ok(Stored {
                id: row.get(0)?,
                preference: row.get(1)?,
                fingerprint: row.get(2)?,
                status: row.get(3)?,
                reason: row.get(4)?,
                dataset_count: row.get(5)?,
                run: row.get(6)?,
                content_from: row.get(7)?,
                content_hash: row.get(8)?,
                datasets_hash: row.get(9)?,
            })
        })
        .optional()?)
}

fn insert(
    tx: Conn<'_>,
    run: RunId,
    identity: &str,
    found: &FoundResource,
    content: &Content<'_>,
    fingerprint: Option<&[u8]>,
    now: Timestamp,
) -> Step<i64> {
    let resource = &found.resource;
    let host = identity::host_name(&resource.url);
    let at = to_micros(now);
    let id = tx
        .prepare_cached(
        "INSERT INTO resource (public_id, kind, identity, url, preference, domain, fingerprint, title, status, \
         reason, host, ip, west, south, east, north, dataset_count, first_seen, last_seen, last_ok, run, \
         content_from, content_hash, datasets_hash, body, cluster) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, \
         ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?18, ?19, ?20, ?4, ?21, ?22, ?23, ?24) RETURNING id",
    )?
    .query_row(params![
        identity::public_id(&resource.kind, identity),
        resource.kind,
        identity,
        resource.url,
        identity::preference(&resource.url),
        identity::registrable_domain(&host),
        fingerprint,
        resource.title,
        found.status.as_str(),
        found.reason,
        host,
        found.ip,
        resource.bbox.map(|b| b.west),
        resource.bbox.map(|b| b.south),
        resource.bbox.map(|b| b.east),
        resource.bbox.map(|b| b.north),
        resource.dataset_count as i64,
        at,
        works(found.status).then_some(at),
        run,
        content.hash,
        content.datasets_hash,
        content.body,
        identity::cluster(&resource.url),
    ], |row| row.get(0))?;
    content.write_datasets(tx, id)?;
    monitoring::set_themes(tx, id, &found.themes)?;
    monitoring::successors::fingerprint(tx, id, Some(resource))?;
    Ok(id)
}

/// Takes a new observation of a stored row in; says whether anything to be seen changed.
fn update(
    tx: Conn<'_>,
    run: RunId,
    stored: &Stored,
    found: &FoundResource,
    content: &Content<'_>,
    fingerprint: Option<&[u8]>,
    now: Timestamp,
) -> Step<bool> {
    let resource = &found.resource;
    let at = to_micros(now);
    tx.prepare_cached(
        "UPDATE resource SET last_seen = CASE WHEN last_seen > ?2 THEN last_seen ELSE ?2 END, \
         last_ok = CASE WHEN ?3 = 0 OR last_ok > ?2 THEN last_ok ELSE ?2 END, cluster = coalesce(cluster, ?4) WHERE id = ?1",
    )?
    .execute(params![stored.id, at, works(found.status), identity::cluster(&resource.url)])?;
    let mut changed = false;
    let preference = identity::preference(&resource.url);
    if preference < stored.preference {
        tx.prepare_cached("UPDATE resource SET url = ?2, preference = ?3, host = ?4 WHERE id = ?1")?
            .execute(params![stored.id, resource.url, preference, identity::host_name(&resource.url)])?;
        changed = true;
    }
    // Where a record that is checked stands its checks say; a crawl that sees otherwise has it checked soon.
    let watched = monitoring::is_watched(tx, stored.id)?;
    let (mut status, mut reason) = (found.status.as_str(), found.reason.as_str());
    if watched {
        if works(found.status) != works(monitoring::status_of(&stored.status)) {
            monitoring::schedule::hasten(tx, stored.id, now)?;
        }
        (status, reason) = (&stored.status, &stored.reason);
    }
    match verdict(run, stored, found, content) {
        Wins::Nothing => {}
        Wins::Status => {
            changed |= stored.status != status || stored.reason != reason;
            tx.prepare_cached("UPDATE resource SET status = ?2, reason = ?3, run = ?4 WHERE id = ?1")?
                .execute(params![stored.id, status, reason, run])?;
        }
        Wins::All => {
            changed |= monitoring::set_themes(tx, stored.id, &found.themes)?;
            if stored.content_hash != content.hash || stored.datasets_hash != content.datasets_hash {
                monitoring::successors::fingerprint(tx, stored.id, Some(resource))?;
            }
            changed |= stored.status != status
                || stored.reason != reason
                || stored.content_hash != content.hash
                || stored.datasets_hash != content.datasets_hash
                || stored.fingerprint.as_deref() != fingerprint;
            tx.prepare_cached(
                "UPDATE resource SET fingerprint = ?2, title = ?3, status = ?4, reason = ?5, ip = ?6, west = ?7, \
                 south = ?8, east = ?9, north = ?10, dataset_count = ?11, run = ?12, content_from = ?13, \
                 content_hash = ?14, datasets_hash = ?15, body = ?16 WHERE id = ?1",
            )?
            .execute(params![
                stored.id,
                fingerprint,
                resource.title,
                status,
                reason,
                found.ip,
                resource.bbox.map(|b| b.west),
                resource.bbox.map(|b| b.south),
                resource.bbox.map(|b| b.east),
                resource.bbox.map(|b| b.north),
                resource.dataset_count as i64,
                run,
                resource.url,
                content.hash,
                content.datasets_hash,
                content.body,
            ])?;
            if stored.datasets_hash != content.datasets_hash {
                content.write_datasets(tx, stored.id)?;
            }
        }
    }
    Ok(changed)
}

/// Whether a description differs from the stored one.
pub(crate) fn differs(tx: Conn<'_>, row: i64, resource: &Resource) -> Step<bool> {
    let content = Content::of(resource)?;
    let (hash, datasets): (Vec<u8>, Vec<u8>) = tx
        .prepare_cached("SELECT content_hash, datasets_hash FROM resource WHERE id = ?1")?
        .query_row([row], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(hash != content.hash || datasets != content.datasets_hash)
}

/// Replaces the description of a row by what a check read. Its other doors stay with it: they lead to the same thing
/// until they are read themselves. Those it leaves are added to `left`.
pub(crate) fn replace(
    tx: Conn<'_>,
    row: i64,
    resource: &Resource,
    evidence: &Evidence,
    left: &mut BTreeSet<i64>,
) -> Step<()> {
    let content = Content::of(resource)?;
    let fingerprint = identity::fingerprint(resource, evidence);
    let members = super::group::of(tx, row)?;
    let old_datasets: Vec<u8> = tx
        .prepare_cached("SELECT datasets_hash FROM resource WHERE id = ?1")?
        .query_row([row], |row| row.get(0))?;
    tx.prepare_cached(
        "UPDATE resource SET title = ?2, west = ?3, south = ?4, east = ?5, north = ?6, dataset_count = ?7, \
         content_from = url, content_hash = ?8, datasets_hash = ?9, body = ?10 WHERE id = ?1",
    )?
    .execute(params![
        row,
        resource.title,
        resource.bbox.map(|b| b.west),
        resource.bbox.map(|b| b.south),
        resource.bbox.map(|b| b.east),
        resource.bbox.map(|b| b.north),
        resource.dataset_count as i64,
        content.hash,
        content.datasets_hash,
        content.body,
    ])?;
    if old_datasets != content.datasets_hash {
        content.write_datasets(tx, row)?;
    }
    let mut set = tx.prepare_cached(
        "UPDATE resource SET fingerprint = ?2 WHERE id = ?1 AND fingerprint IS DISTINCT FROM ?2",
    )?;
    for member in &members {
        // Without a fingerprint nothing says that the doors are still one.
        if *member == row || fingerprint.is_some() && super::group::successor(tx, *member)?.is_none() {
            set.execute(params![member, fingerprint])?;
        }
    }
    // Rows of its domain that offered the same already.
    left.extend(members);
    left.extend(super::group::of(tx, row)?);
    Ok(())
}

/// How much of an observation replaces what is stored.
enum Wins {
    Nothing,
    /// It failed where an earlier run had read the content: the content stays.
    Status,
    All,
}

fn verdict(run: RunId, stored: &Stored, found: &FoundResource, content: &Content<'_>) -> Wins {
    let resource = &found.resource;
    if run > stored.run {
        return if describes(found.status) || stored.dataset_count == 0 { Wins::All } else { Wins::Status };
    }
    if run < stored.run {
        return Wins::Nothing;
    }
    // Within a run: the better state, then content at all, then the preferred door, then more, then any
    // fixed order.
    let new = (
        rank(found.status.as_str()),
        resource.dataset_count > 0,
        std::cmp::Reverse(identity::preference(&resource.url)),
        resource.dataset_count as i64,
        &content.hash,
        &content.datasets_hash,
    );
    let old = (
        rank(&stored.status),
        stored.dataset_count > 0,
        std::cmp::Reverse(identity::preference(&stored.content_from)),
        stored.dataset_count,
        &stored.content_hash,
        &stored.datasets_hash,
    );
    if new > old { Wins::All } else { Wins::Nothing }
}

/// Whether it answered as it should.
fn works(status: Status) -> bool {
    matches!(status, Status::Alive | Status::Degraded)
}

/// Whether an observation of this status read the thing's own description.
fn describes(status: Status) -> bool {
    works(status) || status == Status::Unchecked
}

/// Best first, of two observations in one run.
fn rank(status: &str) -> u8 {
    match status {
        "alive" => 6,
        "degraded" => 5,
        "unchecked" => 4,
        "restricted" => 3,
        "blocked" => 2,
        "inconclusive" => 1,
        _ => 0,
    }
}

fn add_provenance(tx: Conn<'_>, resource: i64, run: RunId, item: &Item) -> Step<()> {
    tx.prepare_cached(
        "INSERT INTO provenance (resource, run, item, way, depth) SELECT ?1, ?2, ?3, ?4, ?5 \
         WHERE (SELECT count(*) FROM provenance WHERE resource = ?1 AND run = ?2) < ?6 ON CONFLICT DO NOTHING",
    )?
    .execute(params![resource, run, item.id, item.way, item.depth, PROVENANCE_PER_RUN])?;
    Ok(())
}

fn add_evidence(tx: Conn<'_>, resource: i64, run: RunId, item: &Item, found: &FoundResource) -> Step<()> {
    tx.prepare_cached("INSERT INTO evidence (resource, run, item, body) VALUES (?1, ?2, ?3, ?4)")?
        .execute(params![resource, run, item.id, serde_json::to_string(&found.evidence)?])?;
    tx.prepare_cached(
        "DELETE FROM evidence WHERE id IN (SELECT id FROM evidence WHERE resource = ?1 AND run = ?2 \
         ORDER BY id DESC LIMIT 9223372036854775807 OFFSET ?3)",
    )?
    .execute(params![resource, run, EVIDENCE_PER_RUN])?;
    Ok(())
}
