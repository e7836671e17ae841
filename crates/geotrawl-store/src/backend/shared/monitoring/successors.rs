//! Successors of dead records: fingerprint lookup by bands, proposals, merging.

use super::super::catalogue::{assemble, content, group};
use super::super::changes;
use super::super::database_error::DatabaseResult;
use super::super::moment::{from_micros, to_micros};
use super::alerts::AlertSubscribers;
use super::notices::{self, NewNotice};
use super::{evidence, row_of, schedule};
use crate::sql::{self, Conn, OptionalExtension, PgClient, params, read_row};
use geotrawl_model::notice::NoticeKind;
use geotrawl_model::successor::{ServiceLikeness, Successor, SuccessorState};
use geotrawl_model::{Resource, Status};
use geotrawl_trust::successor::{
    CROWDED, Fingerprint, GoneService, SuccessorCandidate, SuccessorProposal, compare_fingerprints,
    propose_successors as propose_among,
};
use jiff::Timestamp;
use std::collections::{BTreeMap, BTreeSet};

/// Maximum number of bands used per fingerprint.
const MOST_BANDS: usize = 64;
/// Bands shared by more rows than this, whatever their kind and status, say nothing about any of
/// them.
const THRONGED: usize = 4 * CROWDED;
/// Maximum number of candidates compared, those with the most shared bands first.
const MOST_CANDIDATES: usize = 100;
/// Minimum confidence for comparing a new record with the rivals of a dead one.
const WORTH_A_LOOK: f64 = 0.5;
/// Maximum number of proposals kept per record.
const MOST_PROPOSALS: i64 = 5;

/// Stores the fingerprint of a row. Without `resource`, computes it from the stored content, unless
/// there is one already.
pub(crate) fn store_fingerprint(tx: Conn<'_>, row: i64, resource: Option<&Resource>) -> DatabaseResult<()> {
    let known: Option<Vec<u8>> =
        tx.query_row("SELECT body FROM likeness WHERE resource = ?1", [row], read_row).optional()?;
    let print = match resource {
        Some(resource) => Fingerprint::from_resource(resource),
        None if known.is_some() => return Ok(()),
        None => {
            let (url, body): (String, String) =
                tx.query_row("SELECT url, body FROM resource WHERE id = ?1", [row], read_row)?;
            Fingerprint::from_resource(&content::read_resource(tx, row, &body, &url, true)?)
        }
    };
    let packed = evidence::pack(&print)?;
    if known.as_ref() == Some(&packed) {
        return Ok(());
    }
    if let Some(known) = known {
        let old: Fingerprint = evidence::unpack(&known)?;
        let mut remove =
            tx.prepare_cached("DELETE FROM fingerprint_band WHERE band = ?1 AND resource = ?2")?;
        let mut many = remove.start_batch();
        for band in band_keys(&old) {
            many.add_values([band, row])?;
        }
        many.finish()?;
    }
    tx.prepare_cached("INSERT INTO likeness (resource, body) VALUES (?1, ?2) ON CONFLICT (resource) DO UPDATE SET body = ?2")?
        .execute(params![row, packed])?;
    let mut insert = tx.prepare_cached(
        "INSERT INTO fingerprint_band (band, resource) VALUES (?1, ?2) ON CONFLICT DO NOTHING",
    )?;
    let mut many = insert.start_batch();
    for band in band_keys(&print) {
        many.add_values([band, row])?;
    }
    many.finish()?;
    Ok(())
}

fn band_keys(print: &Fingerprint) -> Vec<i64> {
    print.lookup_bands().into_iter().take(MOST_BANDS).map(u64::cast_signed).collect()
}

fn read_fingerprint(conn: Conn<'_>, row: i64) -> DatabaseResult<Option<Fingerprint>> {
    let packed: Option<Vec<u8>> =
        conn.query_row("SELECT body FROM likeness WHERE resource = ?1", [row], read_row).optional()?;
    packed.map(|packed| evidence::unpack(&packed)).transpose()
}

/// Returns rows that share bands with a fingerprint, either dead ones or others, those with the
/// most shared bands first.
fn find_candidates(conn: Conn<'_>, row: i64, print: &Fingerprint, dead: bool) -> DatabaseResult<Vec<i64>> {
    let sharing = match conn {
        Conn::Lite(_) => find_sharing(conn, row, print, dead)?,
        Conn::Pg(client) => find_sharing_postgres(client, row, print, dead)?,
    };
    let mut shared: BTreeMap<i64, u32> = BTreeMap::new();
    // Bands that many rows share say nothing.
    for rows in sharing.iter().filter(|rows| rows.len() <= CROWDED) {
        for row in rows {
            *shared.entry(*row).or_default() += 1;
        }
    }
    let mut ranked: Vec<(i64, u32)> = shared.into_iter().collect();
    ranked.sort_by_key(|(row, bands)| (std::cmp::Reverse(*bands), *row));
    Ok(ranked.into_iter().take(MOST_CANDIDATES).map(|(row, _)| row).collect())
}

/// Returns the rows of each band of a fingerprint, skipping crowded bands.
fn find_sharing(conn: Conn<'_>, row: i64, print: &Fingerprint, dead: bool) -> DatabaseResult<Vec<Vec<i64>>> {
    let mut all = Vec::new();
    // Called for every new record, although most kinds have no dead records at all.
    let any = "SELECT 1 FROM resource own JOIN resource r ON r.kind = own.kind AND r.status = 'dead' WHERE own.id = ?1 LIMIT 1";
    if dead && !conn.exists(any, [row])? {
        return Ok(all);
    }
    let mut select = conn.prepare_cached(
        "SELECT b.resource FROM fingerprint_band b JOIN resource r ON r.id = b.resource JOIN resource own \
         ON own.id = ?2 WHERE b.band = ?1 AND r.id <> own.id AND r.kind = own.kind AND \
         CASE WHEN r.status = 'dead' THEN 1 ELSE 0 END = ?3 LIMIT ?4",
    )?;
    let mut among = conn.prepare_cached(
        "SELECT count(*) FROM (SELECT 1 FROM fingerprint_band WHERE band = ?1 LIMIT ?2) AS counted",
    )?;
    for band in band_keys(print) {
        // Count before reading: a band shared by all records would make every new record read all
        // of them.
        let having: i64 = among.query_row(params![band, THRONGED as i64 + 1], read_row)?;
        if having > THRONGED as i64 {
            continue;
        }
        let found = select
            .query_map(params![band, row, dead, CROWDED as i64 + 1], read_row)?
            .collect::<sql::Result<_>>()?;
        all.push(found);
    }
    Ok(all)
}

/// Does the same in a single query, because every round trip costs time on PostgreSQL.
fn find_sharing_postgres(
    client: &PgClient,
    row: i64,
    print: &Fingerprint,
    dead: bool,
) -> DatabaseResult<Vec<Vec<i64>>> {
    let statement = client.prepare_native(
        "SELECT t.band, f.resource FROM unnest($1::int8[]) AS t (band) CROSS JOIN LATERAL (SELECT b.resource \
         FROM fingerprint_band b JOIN resource r ON r.id = b.resource JOIN resource own ON own.id = $2 \
         WHERE b.band = t.band AND r.id <> own.id AND r.kind = own.kind AND (r.status = 'dead') = $3 LIMIT $4) AS f \
         WHERE (SELECT count(*) FROM (SELECT 1 FROM fingerprint_band WHERE band = t.band LIMIT $5::int8 + 1) AS c) <= $5::int8 \
         AND (NOT $3 OR EXISTS (SELECT 1 FROM resource o JOIN resource d ON d.kind = o.kind AND d.status = 'dead' WHERE o.id = $2))",
        &[],
    )?;
    let (most, thronged) = (CROWDED as i64 + 1, THRONGED as i64);
    let rows = client
        .wait_for(client.raw().query(&statement, &[&band_keys(print), &row, &dead, &most, &thronged]))?;
    let mut all: BTreeMap<i64, Vec<i64>> = BTreeMap::new();
    for row in rows {
        all.entry(row.try_get(0)?).or_default().push(row.try_get(1)?);
    }
    Ok(all.into_values().collect())
}

/// Reads a dead row and when it last worked.
fn read_gone(conn: Conn<'_>, row: i64, fingerprint: Fingerprint) -> DatabaseResult<GoneService> {
    let (url, last_ok): (String, Option<i64>) = conn
        .prepare_cached(
            "SELECT r.url, CASE WHEN r.last_ok > w.last_ok THEN r.last_ok ELSE coalesce(w.last_ok, r.last_ok) END FROM resource r \
             LEFT JOIN watch w ON w.resource = r.id WHERE r.id = ?1",
        )?
        .query_row([row], read_row)?;
    Ok(GoneService { url, fingerprint, last_ok: last_ok.map(from_micros) })
}

fn read_candidate(
    conn: Conn<'_>,
    row: i64,
    fingerprint: Fingerprint,
) -> DatabaseResult<SuccessorCandidate<i64>> {
    let (url, first_seen, status): (String, i64, Status) = conn
        .prepare_cached("SELECT url, first_seen, status FROM resource WHERE id = ?1")?
        .query_row([row], |at| {
            Ok((at.get(0)?, at.get(1)?, at.parse(2, format_args!("record in row {row}"))?))
        })?;
    let alive = status.is_usable();
    Ok(SuccessorCandidate { id: row, url, fingerprint, first_seen: from_micros(first_seen), alive })
}

/// Looks for successors of a row that just died. Returns whether there is a new proposal.
pub(super) fn find_successors(
    tx: Conn<'_>,
    gone: i64,
    at: Timestamp,
    told: &mut AlertSubscribers,
) -> DatabaseResult<bool> {
    store_fingerprint(tx, gone, None)?;
    let Some(print) = read_fingerprint(tx, gone)? else { return Ok(false) };
    let mut rivals = Vec::new();
    for other in find_candidates(tx, gone, &print, false)? {
        if let Some(candidate) = read_fingerprint(tx, other)? {
            rivals.push(read_candidate(tx, other, candidate)?);
        }
    }
    let gone_one = read_gone(tx, gone, print)?;
    let mut new = false;
    let found = propose_among(&gone_one, &rivals);
    for SuccessorProposal { id, likeness } in found.iter().take(MOST_PROPOSALS as usize) {
        // One notice is enough, even for several proposals.
        let teller = (!new).then_some(&mut *told);
        new |= propose_rows(tx, gone, *id, likeness, at, teller)?;
    }
    if new {
        drop_other_proposals(tx, gone, &found)?;
    }
    Ok(new)
}

/// Removes earlier proposals that were not found again, after better ones were.
fn drop_other_proposals(tx: Conn<'_>, gone: i64, found: &[SuccessorProposal<i64>]) -> DatabaseResult<()> {
    let mut kept = BTreeSet::new();
    for proposal in found {
        kept.extend(group::members_of(tx, proposal.id)?.first().copied());
    }
    let Some(&gone) = group::members_of(tx, gone)?.first() else { return Ok(()) };
    let before: Vec<i64> = tx
        .prepare_cached("SELECT other FROM successor WHERE gone = ?1 AND state = 'proposed'")?
        .query_map([gone], read_row)?
        .collect::<sql::Result<_>>()?;
    for other in before.into_iter().filter(|other| !kept.contains(other)) {
        tx.execute("DELETE FROM successor WHERE gone = ?1 AND other = ?2", [gone, other])?;
    }
    Ok(())
}

/// Checks whether a new row may be the successor of dead ones. Each of those chooses among all
/// similar rows.
pub(crate) fn match_new_record(
    tx: Conn<'_>,
    row: i64,
    at: Timestamp,
    told: &mut AlertSubscribers,
) -> DatabaseResult<()> {
    let Some(print) = read_fingerprint(tx, row)? else { return Ok(()) };
    for gone in find_candidates(tx, row, &print, true)? {
        let Some(old) = read_fingerprint(tx, gone)? else { continue };
        if compare_fingerprints(&old, &print).confidence >= WORTH_A_LOOK
            && find_successors(tx, gone, at, told)?
        {
            let members = group::members_of(tx, gone)?;
            if let Some(head) = assemble::assemble_record_without_datasets(tx, &members)? {
                changes::note_change(tx, &head.record, at)?;
            }
        }
    }
    Ok(())
}

/// Stores a proposal and notifies subscribers. Returns `true` if it is new. A user's decision is
/// never overwritten.
fn propose_rows(
    tx: Conn<'_>,
    gone: i64,
    other: i64,
    likeness: &ServiceLikeness,
    at: Timestamp,
    told: Option<&mut AlertSubscribers>,
) -> DatabaseResult<bool> {
    // Use the heads of groups. Aliases of one service never succeed each other.
    let (gone_group, other_group) = (group::members_of(tx, gone)?, group::members_of(tx, other)?);
    let (Some(&gone), Some(&other)) = (gone_group.first(), other_group.first()) else { return Ok(false) };
    if gone == other {
        return Ok(false);
    }
    let known = tx.exists("SELECT 1 FROM successor WHERE gone = ?1 AND other = ?2", [gone, other])?;
    tx.prepare_cached(
        "INSERT INTO successor (gone, other, confidence, evidence, state, at) VALUES (?1, ?2, ?3, ?4, 'proposed', ?5) \
         ON CONFLICT (gone, other) DO UPDATE SET confidence = excluded.confidence, evidence = excluded.evidence",
    )?
    .execute(params![gone, other, likeness.confidence, serde_json::to_string(&likeness.evidence)?, to_micros(at)])?;
    tx.prepare_cached(
        "DELETE FROM successor WHERE gone = ?1 AND state = 'proposed' AND other IN (SELECT other FROM successor \
         WHERE gone = ?1 AND state = 'proposed' ORDER BY confidence DESC, other LIMIT 9223372036854775807 OFFSET ?2)",
    )?
    .execute([gone, MOST_PROPOSALS])?;
    if known {
        return Ok(false);
    }
    let Some(told) = told else { return Ok(true) };
    type NoticeSubject = (String, String, String, String, Option<String>);
    let shown = |row: i64| -> DatabaseResult<NoticeSubject> {
        Ok(tx
            .prepare_cached("SELECT public_id, url, host, kind, title FROM resource WHERE id = ?1")?
            .query_row([row], read_row)?)
    };
    let (id, url, host, kind, title) = shown(gone)?;
    let (to_id, to_url, ..) = shown(other)?;
    let news = NewNotice {
        at,
        kind: NoticeKind::Moved,
        id: &id,
        title: title.as_deref(),
        url: &url,
        host: &host,
        record_kind: &kind,
        reason: format!("Probably moved to {to_url} ({:.0} % confidence)", likeness.confidence * 100.0),
        body: Some(serde_json::json!({ "id": to_id, "url": to_url, "confidence": likeness.confidence })),
    };
    notices::append_notice(tx, &news, told)?;
    Ok(true)
}

/// Stores a proposal given by public ids.
pub(super) fn propose_successor(
    tx: Conn<'_>,
    gone: &str,
    other: &str,
    likeness: &ServiceLikeness,
    now: Timestamp,
) -> DatabaseResult<bool> {
    let (Some(gone), Some(other)) = (row_of(tx, gone)?, row_of(tx, other)?) else { return Ok(false) };
    let new = propose_rows(tx, gone, other, likeness, now, Some(&mut AlertSubscribers::default()))?;
    if new && let Some(head) = assemble::assemble_record_without_datasets(tx, &group::members_of(tx, gone)?)?
    {
        changes::note_change(tx, &head.record, now)?;
    }
    Ok(new)
}

/// Returns possible successors of a record.
pub(super) fn list_successors(conn: Conn<'_>, id: &str) -> DatabaseResult<Vec<Successor>> {
    // Includes records merged since, so use the row itself and not the head of its group.
    let row: Option<i64> =
        conn.query_row("SELECT id FROM resource WHERE public_id = ?1", [id], read_row).optional()?;
    let Some(row) = row else { return Ok(Vec::new()) };
    let mut select = conn.prepare_cached(
        "SELECT r.public_id, r.title, r.url, r.kind, r.status, s.confidence, s.evidence, s.state FROM successor s \
         JOIN resource r ON r.id = s.other WHERE s.gone = ?1 ORDER BY s.state = 'rejected', s.confidence DESC, s.other",
    )?;
    let mut rows = select.query([row])?;
    let mut all = Vec::new();
    while let Some(row) = rows.next()? {
        let evidence: String = row.get(6)?;
        let public_id: String = row.get(0)?;
        all.push(Successor {
            title: row.get(1)?,
            url: row.get(2)?,
            kind: row.get(3)?,
            status: row.parse(4, format_args!("record {public_id}"))?,
            id: public_id,
            confidence: row.get(5)?,
            evidence: serde_json::from_str(&evidence)?,
            state: match row.get_ref(7)?.as_str()? {
                "accepted" => SuccessorState::Accepted,
                "rejected" => SuccessorState::Rejected,
                _ => SuccessorState::Proposed,
            },
        });
    }
    Ok(all)
}

/// Applies a user's decision on a proposal.
pub(super) fn apply_successor_decision(
    tx: Conn<'_>,
    gone: &str,
    other: &str,
    accept: bool,
    now: Timestamp,
) -> DatabaseResult<bool> {
    let (Some(from), Some(to)) = (row_of(tx, gone)?, row_of(tx, other)?) else { return Ok(false) };
    let state = if accept { "accepted" } else { "rejected" };
    let changed = tx
        .prepare_cached("UPDATE successor SET state = ?3, at = ?4 WHERE gone = ?1 AND other = ?2")?
        .execute(params![from, to, state, to_micros(now)])?;
    if changed == 0 {
        return Ok(false);
    }
    if accept {
        return merge_rows(tx, from, to, now);
    }
    if let Some(head) = assemble::assemble_record_without_datasets(tx, &group::members_of(tx, from)?)? {
        changes::note_change(tx, &head.record, now)?;
    }
    Ok(true)
}

/// Merges records given by public ids.
pub(super) fn merge_records(
    tx: Conn<'_>,
    gone: &str,
    successor: &str,
    now: Timestamp,
) -> DatabaseResult<bool> {
    let (Some(from), Some(to)) = (row_of(tx, gone)?, row_of(tx, successor)?) else { return Ok(false) };
    merge_rows(tx, from, to, now)
}

fn merge_rows(tx: Conn<'_>, gone: i64, successor: i64, now: Timestamp) -> DatabaseResult<bool> {
    let (from, to) = (group::members_of(tx, gone)?, group::members_of(tx, successor)?);
    let Some(&head) = to.first() else { return Ok(false) };
    if from.first() == Some(&head) {
        return Ok(false);
    }
    let mut hosts = BTreeSet::new();
    for row in &from {
        tx.prepare_cached("INSERT INTO merged (resource, successor, at) VALUES (?1, ?2, ?3) ON CONFLICT (resource) DO UPDATE \
             SET successor = ?2, at = ?3")?
            .execute([*row, head, to_micros(now)])?;
        // The merged row must not represent aliases that are found later.
        tx.execute("UPDATE resource SET fingerprint = NULL WHERE id = ?1", [*row])?;
        let host: Option<i64> = tx
            .query_row("DELETE FROM watch WHERE resource = ?1 RETURNING host", [*row], read_row)
            .optional()?;
        hosts.extend(host);
        changes::note_gone(tx, *row, now)?;
    }
    hosts.into_iter().try_for_each(|host| schedule::update_next_check(tx, host))?;
    if let Some(assembled) = assemble::assemble_record_without_datasets(tx, &group::members_of(tx, head)?)? {
        changes::note_change(tx, &assembled.record, now)?;
    }
    Ok(true)
}

/// Undoes a merge after the row was seen working at its own address again.
pub(crate) fn unmerge_record(tx: Conn<'_>, row: i64) -> DatabaseResult<bool> {
    Ok(tx.execute("DELETE FROM merged WHERE resource = ?1", [row])? > 0)
}
