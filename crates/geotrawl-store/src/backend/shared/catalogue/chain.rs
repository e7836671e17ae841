//! The way from a seed to an item, along its parents.

use super::super::fault::DatabaseResult;
use super::super::hosts;
use crate::sql::{Conn, OptionalExtension};
use geotrawl_model::web_archive::split_archived_page;
use geotrawl_model::{ChainLink, FrontierEntryId};

/// Steps of a chain at most. A parent is there before its child, so there is no cycle; its id may be the larger one
/// where several processes give ids.
const CHAIN_LIMIT: usize = 1000;

/// One page on the way.
pub(crate) struct ChainStep {
    pub link: ChainLink,
    pub hops: u32,
}

/// Pages from this one up to the seed, this one first.
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

/// The archived page that shows a seed, when it comes from an archive.
fn archive_step(seed: &mut ChainLink) -> Option<ChainStep> {
    let (words, page) = split_archived_page(&seed.words)?;
    let (words, page) = (words.to_owned(), page.to_owned());
    seed.words = words;
    let link = ChainLink { url: page, way: "archive".into(), words: String::new() };
    (link.url != seed.url).then_some(ChainStep { link, hops: 0 })
}

/// The links of a chain, seed first.
pub(crate) fn seed_first(steps: Vec<ChainStep>) -> Vec<ChainLink> {
    steps.into_iter().rev().map(|step| step.link).collect()
}
