//! The chain of pages from a seed to an item.

use super::super::database_error::DatabaseResult;
use super::super::hosts;
use crate::sql::{Conn, OptionalExtension};
use geotrawl_model::web_archive::split_archived_page;
use geotrawl_model::{ChainLink, FrontierEntryId};

/// Maximum length of a chain. Parents are stored before their children, so there are no cycles, but
/// a parent's id may be larger when several processes assign ids.
const CHAIN_LIMIT: usize = 1000;

/// One page of a chain.
pub(crate) struct ChainStep {
    pub link: ChainLink,
    pub hops: u32,
}

/// Returns the pages from an item up to its seed, the item first.
pub(crate) fn chain_to_seed(conn: Conn<'_>, from: Option<FrontierEntryId>) -> DatabaseResult<Vec<ChainStep>> {
    let mut select = conn.prepare_cached(&format!(
        "SELECT h.name, p.path, p.way, p.words, p.hops, p.parent FROM page p LEFT JOIN host h ON {} WHERE {}",
        conn.host_condition("h", "p"),
        conn.id_condition("p", "?1")
    ))?;
    let mut steps = Vec::new();
    let mut next = from;
    while let Some(id) = next
        && steps.len() < CHAIN_LIMIT
    {
        let step = select
            .query_row([id], |row| {
                let host: Option<String> = row.get(0)?;
                let url = hosts::full_url(host.as_deref().unwrap_or_default(), row.get_ref(1)?.as_str()?);
                let link = ChainLink { url, way: row.get(2)?, words: row.get(3)? };
                let step = ChainStep { link, hops: row.get(4)? };
                Ok((step, row.get::<Option<FrontierEntryId>>(5)?))
            })
            .optional()?;
        let Some((mut step, parent)) = step else { break };
        let shown_in = if parent.is_none() { archive_step(&mut step.link) } else { None };
        steps.push(step);
        steps.extend(shown_in);
        next = parent.filter(|parent| *parent != id);
    }
    Ok(steps)
}

/// Returns the archived page that a seed was found on, if it comes from an archive.
fn archive_step(seed: &mut ChainLink) -> Option<ChainStep> {
    let (words, page) = split_archived_page(&seed.words)?;
    let (words, page) = (words.to_owned(), page.to_owned());
    seed.words = words;
    let link = ChainLink { url: page, way: "archive".into(), words: String::new() };
    (link.url != seed.url).then_some(ChainStep { link, hops: 0 })
}

/// Returns the links of a chain, seed first.
pub(crate) fn to_links_from_seed(steps: Vec<ChainStep>) -> Vec<ChainLink> {
    steps.into_iter().rev().map(|step| step.link).collect()
}
