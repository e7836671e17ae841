//! Collects everything that is known about one URL or id.

use super::catalogue::chain::{self, to_links_from_seed};
use super::catalogue::{assemble, group, redirects};
use super::database_error::DatabaseResult;
use super::frontier;
use super::hosts;
use crate::sql::{Conn, read_row};
use geotrawl_kinds::urls::identity_key;
use geotrawl_model::{ChainLink, ExplainedResource, Explanation, HostId, RunId, UrlVisit};
use std::collections::BTreeSet;
use url::Url;

/// Maximum number of URLs reached through redirects.
const FOLLOWED: usize = 50;

/// Explains a URL, as given or canonical, or a public id.
pub(crate) fn explain_url(conn: Conn<'_>, what: &str) -> DatabaseResult<Explanation> {
    let snapshot = conn.snapshot()?;
    let tx = snapshot.conn();
    let spellings = spellings(what.trim());
    let mut heads: BTreeSet<Vec<i64>> = BTreeSet::new();
    for row in rows_of(tx, &spellings)? {
        heads.insert(group::members_of(tx, row)?);
    }
    let mut explanation = Explanation::default();
    for members in heads {
        if let Some(assembled) = assemble::assemble_record(tx, &members)? {
            explanation.resources.push(ExplainedResource {
                record: assembled.record,
                evidence: assemble::read_evidence(tx, &members)?,
                chains: assembled.chains,
            });
        }
    }
    explanation.resources.sort_by(|a, b| {
        let key =
            |one: &ExplainedResource| (one.record.resource.kind.clone(), one.record.resource.url.clone());
        key(a).cmp(&key(b))
    });
    explanation.visits = read_visits(tx, &spellings)?;
    Ok(explanation)
}

/// Returns the text as given, as normalised by the URL parser, and without its fragment.
fn spellings(what: &str) -> Vec<String> {
    let mut all = vec![what.to_owned()];
    let parsed = Url::parse(what).or_else(|_| Url::parse(&format!("https://{what}")));
    if let Ok(mut url) = parsed {
        all.push(url.to_string());
        url.set_fragment(None);
        all.push(url.to_string());
    }
    all.dedup();
    all
}

/// Returns catalogue rows for the text: by id, alias, identity, or redirect target.
fn rows_of(conn: Conn<'_>, spellings: &[String]) -> DatabaseResult<BTreeSet<i64>> {
    let mut by_id = conn.prepare_cached("SELECT id FROM resource WHERE public_id = ?1")?;
    let mut by_door = conn.prepare_cached("SELECT resource FROM door WHERE url = ?1")?;
    let mut by_identity = conn.prepare_cached("SELECT id FROM resource WHERE identity = ?1")?;
    let mut rows = BTreeSet::new();
    let mut urls: Vec<String> = spellings.to_vec();
    let mut at = 0;
    while let Some(url) = urls.get(at).cloned() {
        at += 1;
        for (select, text) in
            [(&mut by_id, url.clone()), (&mut by_door, url.clone()), (&mut by_identity, identity_key(&url))]
        {
            for row in select.query_map([text], read_row)? {
                rows.insert(row?);
            }
        }
        for target in redirects::find_targets(conn, &url)? {
            if urls.len() < FOLLOWED && !urls.contains(&target) {
                urls.push(target);
            }
        }
    }
    Ok(rows)
}

/// Returns what happened to the URL in each run.
fn read_visits(conn: Conn<'_>, spellings: &[String]) -> DatabaseResult<Vec<UrlVisit>> {
    let origins: BTreeSet<String> = spellings
        .iter()
        .filter_map(|text| Url::parse(text).ok())
        .map(|url| url.origin().ascii_serialization())
        .collect();
    let mut visits = Vec::new();
    for origin in origins {
        let Some(host) = hosts::find_host(conn, &origin)? else { continue };
        let paths: Vec<&str> = spellings.iter().map(|url| hosts::stored_path(&origin, url)).collect();
        let runs: Vec<RunId> = conn.query_all("SELECT id FROM run ORDER BY id", [], read_row)?;
        for run in runs {
            let before = visits.len();
            add_closed(conn, run, host, &origin, &paths, &mut visits)?;
            add_waiting(conn, run, host, &origin, &paths, &mut visits)?;
            if visits.len() > before {
                name_task(conn, run, visits.get_mut(before..).unwrap_or_default())?;
            }
        }
    }
    Ok(visits)
}

/// Fills in the task's name, ordering and keywords.
fn name_task(conn: Conn<'_>, run: RunId, visits: &mut [UrlVisit]) -> DatabaseResult<()> {
    let (name, spec): (String, String) = conn
        .prepare_cached("SELECT t.name, r.spec FROM run r JOIN task t ON t.id = r.task WHERE r.id = ?1")?
        .query_row([run], read_row)?;
    // The options belong to the crawler. Tasks without these members have nothing to show.
    let spec: serde_json::Value = serde_json::from_str(&spec).unwrap_or_default();
    let options = &spec["options"];
    let ordering = options["ordering"].as_str().map(str::to_owned);
    let keywords: Vec<String> = serde_json::from_value(options["keywords"].clone()).unwrap_or_default();
    for visit in visits {
        visit.task.clone_from(&name);
        visit.ordering.clone_from(&ordering);
        visit.keywords.clone_from(&keywords);
    }
    Ok(())
}

/// Adds pages of the host with one of these paths.
fn add_closed(
    conn: Conn<'_>,
    run: RunId,
    host: HostId,
    origin: &str,
    paths: &[&str],
    visits: &mut Vec<UrlVisit>,
) -> DatabaseResult<()> {
    for page in frontier::read_closed_pages(conn, run, host, paths)? {
        visits.push(UrlVisit {
            url: hosts::full_url(origin, &page.path),
            intent: page.intent.to_string(),
            depth: page.depth,
            state: page.class,
            reason: page.reason,
            at: Some(page.at),
            chain: to_links_from_seed(chain::chain_to_seed(conn, Some(page.id))?),
            bearing: page.bearing,
            ..UrlVisit::default()
        });
    }
    Ok(())
}

/// Adds pending items of the host with one of these paths.
fn add_waiting(
    conn: Conn<'_>,
    run: RunId,
    host: HostId,
    origin: &str,
    paths: &[&str],
    visits: &mut Vec<UrlVisit>,
) -> DatabaseResult<()> {
    for item in frontier::read_waiting_items(conn, run, host, origin, paths)? {
        let mut chain = to_links_from_seed(chain::chain_to_seed(conn, item.parent)?);
        chain.push(ChainLink { url: item.url.clone(), way: item.way.into_owned(), words: item.words });
        let reason = match item.attempts {
            0 => "waiting in the queue".to_owned(),
            n => format!("waiting for a retry; failed attempts: {n}"),
        };
        visits.push(UrlVisit {
            url: item.url,
            intent: item.intent.to_string(),
            depth: item.depth,
            state: "pending".to_owned(),
            reason,
            chain,
            bearing: item.bearing,
            ..UrlVisit::default()
        });
    }
    Ok(())
}
