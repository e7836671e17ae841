//! Assembles public records from their rows.

use super::super::database_error::DatabaseResult;
use super::super::moment::from_micros;
use super::super::monitoring;
use super::{chain, content, group, records, redirects};
use crate::sql::{self, Conn, params, read_row};
use geotrawl_model::{
    ChainLink, Evidence, FrontierEntryId, Host, Provenance, Record, RecordFilter, RelatedService, Status,
};

/// Maximum provenance entries of a record, latest runs first.
const PROVENANCE_SHOWN: i64 = 64;
/// Maximum number of related services of a record.
const FACES_SHOWN: i64 = 32;
/// Maximum number of pieces of evidence in an explanation.
const EVIDENCE_SHOWN: i64 = 20;

/// A record, and the chain of pages for each entry of its provenance.
pub(crate) struct AssembledRecord {
    pub record: Record,
    pub chains: Vec<Vec<ChainLink>>,
}

/// Assembles the record of a group from its rows, of which the first represents the group.
pub(crate) fn assemble_record(conn: Conn<'_>, members: &[i64]) -> DatabaseResult<Option<AssembledRecord>> {
    assemble_parts(conn, members, true)
}

/// Assembles the record of a group without its datasets.
pub(crate) fn assemble_record_without_datasets(
    conn: Conn<'_>,
    members: &[i64],
) -> DatabaseResult<Option<AssembledRecord>> {
    assemble_parts(conn, members, false)
}

fn assemble_parts(
    conn: Conn<'_>,
    members: &[i64],
    with_datasets: bool,
) -> DatabaseResult<Option<AssembledRecord>> {
    let Some(&id) = members.first() else { return Ok(None) };
    let mut select = conn.prepare_cached(
        "SELECT public_id, url, status, reason, host, ip, first_seen, last_seen, last_ok, body \
         FROM resource WHERE id = ?1",
    )?;
    let mut rows = select.query([id])?;
    let Some(row) = rows.next()? else { return Ok(None) };
    let url: String = row.get(1)?;
    let body = row.get_ref(9)?.as_str()?;
    let public_id: String = row.get(0)?;
    let mut record = Record {
        status: row.parse(2, format_args!("record {public_id}"))?,
        id: public_id,
        resource: content::read_resource(conn, id, body, &url, with_datasets)?,
        aliases: Vec::new(),
        reason: row.get(3)?,
        host: Host { name: row.get(4)?, ip: row.get(5)?, ..Host::default() },
        first_seen: row.get(6)?,
        last_seen: row.get(7)?,
        last_ok: row.get(8)?,
        provenance: Vec::new(),
        faces: read_related_services(conn, id)?,
        ..Record::default()
    };
    let own =
        if with_datasets { record.resource.datasets.len() as u64 } else { record.resource.dataset_count };
    // The records of a harvested catalogue replace its own datasets if there are more of them.
    if let Some((datasets, count)) = records::read_datasets(conn, &record.resource.kind, &url, with_datasets)?
        && count > own
    {
        record.resource.dataset_count = count;
        record.resource.datasets = datasets;
    }
    let mut own = Vec::new();
    for member in members {
        if own.len() < redirects::DOORS_LIMIT {
            read_aliases(conn, *member, &mut own)?;
        }
        if *member != id {
            widen_times(conn, *member, &mut record)?;
        }
    }
    monitoring::fill_monitoring_results(conn, id, members, &mut record)?;
    record.aliases = redirects::find_aliases(conn, own)?.into_iter().filter(|door| *door != url).collect();
    let mut ways = read_provenance(conn, members)?;
    ways.sort_by(|(a, _), (b, _)| {
        (a.depth, &a.page, &a.way, &a.task).cmp(&(b.depth, &b.page, &b.way, &b.task))
    });
    ways.dedup_by(|(a, _), (b, _)| a == b);
    let (provenance, chains) = ways.into_iter().unzip();
    record.provenance = provenance;
    Ok(Some(AssembledRecord { record, chains }))
}

/// Kind and URL, the sort key of records.
pub(crate) type RecordSortKey = (String, String);

/// Reads a slice of the records in the order of kind and URL. Slices are small, so that a slow
/// visitor never holds an old snapshot, which would make the journal grow.
pub(crate) fn read_records_after(
    conn: Conn<'_>,
    after: &RecordSortKey,
    limit: usize,
    filter: &RecordFilter,
) -> DatabaseResult<(Vec<Record>, Option<RecordSortKey>)> {
    let snapshot = conn.snapshot()?;
    let tx = snapshot.conn();
    let heads: Vec<(i64, String, String, Status)> = tx
        .prepare_cached(&format!(
            "SELECT r.id, r.kind, r.url, r.status FROM resource r WHERE {} (r.kind, r.url) > (?1, ?2) \
             AND {} ORDER BY {} LIMIT ?3",
            conn.page_start_condition(),
            group::STANDS_FOR_GROUP,
            conn.records_order()
        ))?
        .query_map(params![after.0, after.1, limit as i64], |row| {
            let url: String = row.get(2)?;
            let status = row.parse(3, format_args!("record of {url}"))?;
            Ok((row.get(0)?, row.get(1)?, url, status))
        })?
        .collect::<sql::Result<_>>()?;
    let last = heads.last().map(|(_, kind, url, _)| (kind.clone(), url.clone()));
    let mut records = Vec::new();
    for (id, kind, _, status) in heads {
        let wanted = (filter.kinds.is_empty() || filter.kinds.contains(&kind))
            && (filter.status.is_empty() || filter.status.contains(&status));
        if !wanted {
            continue;
        }
        let members = group::members_of(tx, id)?;
        if let Some(task) = &filter.task
            && !is_found_by(tx, &members, task)?
        {
            continue;
        }
        records.extend(assemble_record(tx, &members)?.map(|assembled| assembled.record));
    }
    Ok((records, last))
}

/// Returns the latest evidence of a group, newest first.
pub(crate) fn read_evidence(conn: Conn<'_>, members: &[i64]) -> DatabaseResult<Vec<Evidence>> {
    let mut select = conn.prepare_cached(
        "SELECT id, body FROM evidence WHERE resource = ?1 ORDER BY run DESC, id DESC LIMIT ?2",
    )?;
    let mut all: Vec<(i64, Evidence)> = Vec::new();
    for member in members {
        let mut rows = select.query([*member, EVIDENCE_SHOWN])?;
        while let Some(row) = rows.next()? {
            let text = row.get_ref(1)?.as_str()?;
            all.push((row.get(0)?, serde_json::from_str(text)?));
        }
    }
    all.sort_by_key(|(id, _)| std::cmp::Reverse(*id));
    Ok(all.into_iter().map(|(_, evidence)| evidence).collect())
}

/// Returns the other services in the same cluster.
fn read_related_services(conn: Conn<'_>, resource: i64) -> DatabaseResult<Vec<RelatedService>> {
    let faces = conn
        .prepare_cached(&format!(
            "SELECT r.kind, r.url, r.public_id FROM resource own JOIN resource r ON r.cluster = own.cluster \
             AND r.kind <> own.kind WHERE own.id = ?1 AND {} ORDER BY r.kind, r.url LIMIT ?2",
            group::STANDS_FOR_GROUP
        ))?
        .query_map([resource, FACES_SHOWN], |row| {
            Ok(RelatedService { kind: row.get(0)?, url: row.get(1)?, id: row.get(2)? })
        })?
        .collect::<sql::Result<_>>()?;
    Ok(faces)
}

fn read_aliases(conn: Conn<'_>, resource: i64, into: &mut Vec<String>) -> DatabaseResult<()> {
    let mut select =
        conn.prepare_cached("SELECT url FROM door WHERE resource = ?1 ORDER BY url LIMIT 100")?;
    let mut rows = select.query([resource])?;
    while let Some(row) = rows.next()? {
        into.push(row.get(0)?);
    }
    Ok(())
}

/// Extends the times of a record: it was seen whenever one of its aliases was.
fn widen_times(conn: Conn<'_>, member: i64, record: &mut Record) -> DatabaseResult<()> {
    let (first, last, ok): (i64, i64, Option<i64>) = conn
        .prepare_cached("SELECT first_seen, last_seen, last_ok FROM resource WHERE id = ?1")?
        .query_row([member], read_row)?;
    record.first_seen = record.first_seen.min(from_micros(first));
    record.last_seen = record.last_seen.max(from_micros(last));
    record.last_ok = record.last_ok.max(ok.map(from_micros));
    Ok(())
}

fn read_provenance(conn: Conn<'_>, members: &[i64]) -> DatabaseResult<Vec<(Provenance, Vec<ChainLink>)>> {
    let mut select = conn.prepare_cached(
        "SELECT p.item, t.name, p.way, p.depth FROM provenance p JOIN run r ON r.id = p.run \
         JOIN task t ON t.id = r.task WHERE p.resource = ?1 ORDER BY p.run DESC, p.item LIMIT ?2",
    )?;
    let mut ways = Vec::new();
    for member in members {
        let mut rows = select.query([*member, PROVENANCE_SHOWN])?;
        while let Some(row) = rows.next()? {
            if ways.len() as i64 >= PROVENANCE_SHOWN {
                return Ok(ways);
            }
            let steps = chain::chain_to_seed(conn, row.get::<Option<FrontierEntryId>>(0)?)?;
            // Skip redirects on the way: the page with the link is the one before the first
            // redirect.
            let asked = steps.iter().position(|step| step.hops == 0).unwrap_or(0);
            let page = steps.get(asked + 1).or_else(|| steps.get(asked));
            ways.push((
                Provenance {
                    task: row.get(1)?,
                    page: page.map(|step| step.link.url.clone()).unwrap_or_default(),
                    way: match steps.get(asked) {
                        Some(step) => step.link.way.clone(),
                        None => row.get(2)?,
                    },
                    depth: row.get(3)?,
                },
                chain::to_links_from_seed(steps),
            ));
        }
    }
    Ok(ways)
}

fn is_found_by(conn: Conn<'_>, members: &[i64], task: &str) -> DatabaseResult<bool> {
    let mut select = conn.prepare_cached(
        "SELECT 1 FROM provenance p JOIN run r ON r.id = p.run JOIN task t ON t.id = r.task \
         WHERE p.resource = ?1 AND t.name = ?2 LIMIT 1",
    )?;
    for member in members {
        if select.exists(params![member, task])? {
            return Ok(true);
        }
    }
    Ok(false)
}
