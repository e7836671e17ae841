//! Records finds in the catalogue.
//!
//! The result of a run does not depend on the order of its finds: within a run, the better of two
//! observations of a resource wins by a total order; a later run wins over an earlier one.

use super::super::database_error::DatabaseResult;
use super::super::moment::to_micros;
use super::super::monitoring;
use super::content::ResourceContent;
use super::identity;
use crate::sql::{Conn, OptionalExtension, insert, insert_returning, params, read_row, update};
use geotrawl_kinds::urls::{identity_key, record_id};
use geotrawl_model::{Evidence, FoundResource, FrontierEntry, Resource, RunId, Status};
use jiff::Timestamp;
use std::collections::BTreeSet;

/// Maximum provenance entries per resource and run.
const PROVENANCE_PER_RUN: i64 = 32;
/// Number of latest pieces of evidence kept per resource and run.
const EVIDENCE_PER_RUN: i64 = 3;

/// Effect of a find on its row.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ObservationResult {
    /// Id of the row.
    pub resource: i64,
    /// The catalogue did not have this resource under any of its aliases.
    pub born: bool,
    /// The run had not found it before under any of its aliases.
    pub first_in_run: bool,
    /// Something visible changed.
    pub changed: bool,
}

/// The stored row, as far as comparing needs it.
struct StoredResourceRow {
    id: i64,
    preference: String,
    fingerprint: Option<Vec<u8>>,
    status: Status,
    reason: String,
    dataset_count: i64,
    run: RunId,
    content_from: String,
    content_hash: Vec<u8>,
    datasets_hash: Vec<u8>,
}

/// A find of an item in a run.
#[derive(Clone, Copy)]
pub(crate) struct Observation<'o> {
    pub run: RunId,
    pub item: &'o FrontierEntry,
    pub found: &'o FoundResource,
    pub now: Timestamp,
}

/// Records one find. If the row may leave its group by this, adds the members of that group to
/// `left`.
pub(crate) fn store_observation(
    tx: Conn<'_>,
    observation: Observation<'_>,
    left: &mut BTreeSet<i64>,
) -> DatabaseResult<ObservationResult> {
    let Observation { run, item, found, .. } = observation;
    let resource = &found.resource;
    let identity = identity_key(&resource.url);
    let content = ResourceContent::from_resource(resource)?;
    let fingerprint = identity::content_fingerprint(resource, &found.evidence);
    let described =
        PreparedObservation { observation, content: &content, fingerprint: fingerprint.as_deref() };
    let stored = find(tx, &resource.kind, &identity)?;
    if let Some(stored) = &stored
        && stored.fingerprint.is_some()
        && stored.fingerprint != fingerprint
    {
        left.extend(super::group::members_of(tx, stored.id)?);
    }
    if let Some(stored) = &stored
        && found.status.is_usable()
        && monitoring::successors::unmerge_record(tx, stored.id)?
    {
        left.insert(stored.id);
    }
    let (id, mut changed) = match &stored {
        None => (add_row(tx, &identity, described)?, true),
        Some(stored) => (stored.id, update_row(tx, stored, described)?),
    };
    let door = insert!(
        tx,
        door { url: resource.url, kind: resource.kind, resource: id } "ON CONFLICT DO NOTHING"
    )?;
    changed |= door > 0;
    let group = super::group::members_of(tx, id)?;
    // A new row that joins an existing group is only another alias.
    let born = stored.is_none() && group.len() == 1;
    let mut first_in_run = true;
    for member in &group {
        first_in_run &=
            !tx.exists("SELECT 1 FROM provenance WHERE resource = ?1 AND run = ?2 LIMIT 1", [*member, run])?;
    }
    add_provenance(tx, id, run, item)?;
    add_evidence(tx, id, observation)?;
    // URLs that redirect to the item become aliases of the resource.
    if item.url != resource.url {
        let edge = (resource.url.as_str(), item.url.as_str());
        super::redirects::add_redirects(tx, [edge], super::redirects::RedirectKind::Proof)?;
    }
    Ok(ObservationResult { resource: id, born, first_in_run, changed })
}

fn find(tx: Conn<'_>, kind: &str, identity: &str) -> DatabaseResult<Option<StoredResourceRow>> {
    Ok(tx
        .prepare_cached(
            "SELECT id, preference, fingerprint, status, reason, dataset_count, run, content_from, \
             content_hash, datasets_hash FROM resource WHERE kind = ?1 AND identity = ?2",
        )?
        .query_row([kind, identity], |row| {
            Ok(StoredResourceRow {
                id: row.get(0)?,
                preference: row.get(1)?,
                fingerprint: row.get(2)?,
                status: row.parse(3, format_args!("{kind} at {identity}"))?,
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

/// An observation with its prepared content and fingerprint.
#[derive(Clone, Copy)]
struct PreparedObservation<'o> {
    observation: Observation<'o>,
    content: &'o ResourceContent<'o>,
    fingerprint: Option<&'o [u8]>,
}

fn add_row(tx: Conn<'_>, identity: &str, described: PreparedObservation<'_>) -> DatabaseResult<i64> {
    let PreparedObservation { observation: Observation { run, found, now, .. }, content, fingerprint } =
        described;
    let resource = &found.resource;
    let host = identity::host_name(&resource.url);
    let at = to_micros(now);
    let id = insert_returning!(
        tx,
        resource {
            public_id: record_id(&resource.kind, &resource.url),
            kind: resource.kind,
            identity: identity,
            url: resource.url,
            preference: identity::url_preference(&resource.url),
            domain: identity::registrable_domain(&host),
            fingerprint: fingerprint,
            title: resource.title,
            status: found.status,
            reason: found.reason,
            host: host,
            ip: found.ip,
            west: resource.bbox.map(|b| b.west),
            south: resource.bbox.map(|b| b.south),
            east: resource.bbox.map(|b| b.east),
            north: resource.bbox.map(|b| b.north),
            dataset_count: resource.dataset_count,
            first_seen: at,
            last_seen: at,
            last_ok: found.status.is_usable().then_some(at),
            run: run,
            content_from: resource.url,
            content_hash: content.hash,
            datasets_hash: content.datasets_hash,
            body: content.body,
            cluster: identity::service_cluster(&resource.url),
        } "RETURNING id"
    )?;
    content.write_datasets(tx, id)?;
    monitoring::set_themes(tx, id, &found.themes)?;
    monitoring::successors::store_fingerprint(tx, id, Some(resource))?;
    Ok(id)
}

/// Updates a stored row from a new observation. Returns whether anything visible changed.
fn update_row(
    tx: Conn<'_>,
    stored: &StoredResourceRow,
    described: PreparedObservation<'_>,
) -> DatabaseResult<bool> {
    let PreparedObservation { observation: Observation { run, found, now, .. }, content, fingerprint } =
        described;
    let resource = &found.resource;
    let at = to_micros(now);
    tx.prepare_cached(
        "UPDATE resource SET last_seen = CASE WHEN last_seen > ?2 THEN last_seen ELSE ?2 END, \
         last_ok = CASE WHEN ?3 = 0 OR last_ok > ?2 THEN last_ok ELSE ?2 END, cluster = coalesce(cluster, ?4) WHERE id = ?1",
    )?
    .execute(params![stored.id, at, found.status.is_usable(), identity::service_cluster(&resource.url)])?;
    let mut changed = false;
    let preference = identity::url_preference(&resource.url);
    if preference < stored.preference {
        let host = identity::host_name(&resource.url);
        update!(
            tx,
            resource { url: resource.url, preference: preference, host: host } where id = stored.id
        )?;
        changed = true;
    }
    // Checks decide the status of a watched record. If a crawl disagrees, an early check is
    // scheduled.
    let watched = monitoring::is_watched(tx, stored.id)?;
    let (mut status, mut reason) = (found.status, found.reason.as_str());
    if watched {
        if found.status.is_usable() != stored.status.is_usable() {
            monitoring::schedule::check_soon(tx, stored.id, now)?;
        }
        (status, reason) = (stored.status, &stored.reason);
    }
    match compare_observations(stored, described) {
        ReplacedPart::Nothing => {}
        ReplacedPart::Status => {
            changed |= stored.status != status || stored.reason != reason;
            update!(tx, resource { status: status, reason: reason, run: run } where id = stored.id)?;
        }
        ReplacedPart::All => {
            changed |= monitoring::set_themes(tx, stored.id, &found.themes)?;
            let new_content =
                stored.content_hash != content.hash || stored.datasets_hash != content.datasets_hash;
            if new_content {
                monitoring::successors::store_fingerprint(tx, stored.id, Some(resource))?;
            }
            changed |= new_content
                || stored.status != status
                || stored.reason != reason
                || stored.fingerprint.as_deref() != fingerprint;
            update!(
                tx,
                resource {
                    fingerprint: fingerprint,
                    status: status,
                    reason: reason,
                    ip: found.ip,
                    run: run,
                } where id = stored.id
            )?;
            content.replace_stored(tx, stored.id, &stored.datasets_hash)?;
        }
    }
    Ok(changed)
}

/// Returns whether a description differs from the stored one.
pub(crate) fn has_changed(tx: Conn<'_>, row: i64, resource: &Resource) -> DatabaseResult<bool> {
    let content = ResourceContent::from_resource(resource)?;
    let (hash, datasets): (Vec<u8>, Vec<u8>) =
        tx.query_row("SELECT content_hash, datasets_hash FROM resource WHERE id = ?1", [row], read_row)?;
    Ok(hash != content.hash || datasets != content.datasets_hash)
}

/// Replaces the description of a row with the one that a check read. Its aliases keep belonging to
/// it until they are read themselves. Adds members of groups that may have changed to `left`.
pub(crate) fn replace_description(
    tx: Conn<'_>,
    row: i64,
    resource: &Resource,
    evidence: &Evidence,
    left: &mut BTreeSet<i64>,
) -> DatabaseResult<()> {
    let content = ResourceContent::from_resource(resource)?;
    let fingerprint = identity::content_fingerprint(resource, evidence);
    let members = super::group::members_of(tx, row)?;
    let old_datasets: Vec<u8> =
        tx.query_row("SELECT datasets_hash FROM resource WHERE id = ?1", [row], read_row)?;
    content.replace_stored(tx, row, &old_datasets)?;
    let mut set = tx.prepare_cached(
        "UPDATE resource SET fingerprint = ?2 WHERE id = ?1 AND fingerprint IS DISTINCT FROM ?2",
    )?;
    for member in &members {
        // Without a fingerprint nothing shows that the aliases still belong together.
        if *member == row || fingerprint.is_some() && super::group::successor_of(tx, *member)?.is_none() {
            set.execute(params![member, fingerprint])?;
        }
    }
    // Includes rows of the domain that already had the new content.
    left.extend(members);
    left.extend(super::group::members_of(tx, row)?);
    Ok(())
}

/// Which stored parts an observation replaces.
enum ReplacedPart {
    Nothing,
    /// The observation failed but an earlier run had read the content: keep the content.
    Status,
    All,
}

fn compare_observations(stored: &StoredResourceRow, described: PreparedObservation<'_>) -> ReplacedPart {
    let PreparedObservation { observation: Observation { run, found, .. }, content, .. } = described;
    let resource = &found.resource;
    if run > stored.run {
        return if has_description(found.status) || stored.dataset_count == 0 {
            ReplacedPart::All
        } else {
            ReplacedPart::Status
        };
    }
    if run < stored.run {
        return ReplacedPart::Nothing;
    }
    // Within a run: the better status, then having content at all, then the preferred URL, then
    // more datasets, then any fixed order.
    let new = (
        found.status.rank(),
        resource.dataset_count > 0,
        std::cmp::Reverse(identity::url_preference(&resource.url)),
        resource.dataset_count as i64,
        &content.hash,
        &content.datasets_hash,
    );
    let old = (
        stored.status.rank(),
        stored.dataset_count > 0,
        std::cmp::Reverse(identity::url_preference(&stored.content_from)),
        stored.dataset_count,
        &stored.content_hash,
        &stored.datasets_hash,
    );
    if new > old { ReplacedPart::All } else { ReplacedPart::Nothing }
}

/// Returns whether an observation with this status read the resource's own description.
fn has_description(status: Status) -> bool {
    status.is_usable() || status == Status::Unchecked
}

fn add_provenance(tx: Conn<'_>, resource: i64, run: RunId, item: &FrontierEntry) -> DatabaseResult<()> {
    tx.prepare_cached(
        "INSERT INTO provenance (resource, run, item, way, depth) SELECT ?1, ?2, ?3, ?4, ?5 \
         WHERE (SELECT count(*) FROM provenance WHERE resource = ?1 AND run = ?2) < ?6 ON CONFLICT DO NOTHING",
    )?
    .execute(params![resource, run, item.id, item.way, item.depth, PROVENANCE_PER_RUN])?;
    Ok(())
}

fn add_evidence(tx: Conn<'_>, resource: i64, observation: Observation<'_>) -> DatabaseResult<()> {
    let Observation { run, item, found, .. } = observation;
    let body = serde_json::to_string(&found.evidence)?;
    insert!(tx, evidence { resource: resource, run: run, item: item.id, body: body })?;
    tx.prepare_cached(
        "DELETE FROM evidence WHERE id IN (SELECT id FROM evidence WHERE resource = ?1 AND run = ?2 \
         ORDER BY id DESC LIMIT 9223372036854775807 OFFSET ?3)",
    )?
    .execute(params![resource, run, EVIDENCE_PER_RUN])?;
    Ok(())
}
