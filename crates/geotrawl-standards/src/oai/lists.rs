//! Lists over all sources, in parts.

use super::request::{List, Refusal, Selection};
use super::token::Token;
use super::{Fault, Item, ListAsk, Position, Repository, Source};

/// A part of a list, and how it goes on.
#[derive(Debug, Default)]
pub(super) struct Part {
    pub(super) items: Vec<Item>,
    /// The token of the next part; `None` at the end.
    pub(super) next: Option<String>,
    /// Whether this is a part of more than one.
    pub(super) resumed: bool,
    pub(super) cursor: u64,
    pub(super) size: Option<u64>,
}

/// A refusal, or a fault below.
pub(super) enum No {
    Refusal(Refusal),
    Fault(Fault),
}

impl From<Refusal> for No {
    fn from(refusal: Refusal) -> Self {
        Self::Refusal(refusal)
    }
}

impl From<Fault> for No {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

/// Reads a part of a list.
pub(super) fn part(repository: &Repository<'_>, list: List, chosen: &Selection) -> Result<Part, No> {
    let limit = match list {
        List::Records => repository.records_at_once,
        List::Identifiers => repository.heads_at_once,
    };
    let sources = sources(repository, chosen)?;
    let ask = |after: Position, limit: usize| ListAsk {
        set: chosen.set.clone(),
        from: chosen.from,
        before: chosen.before,
        format: chosen.prefix.clone(),
        after,
        limit,
        heads: list == List::Identifiers,
    };
    let resumed = chosen.resumed.as_ref();
    let begin = match resumed {
        None => 0,
        Some(token) => sources.iter().position(|source| source.name() == token.source).ok_or_else(|| {
            Refusal::new("badResumptionToken", "What this token continues is not here any more.")
        })?,
    };
    let mut part = Part {
        resumed: resumed.is_some(),
        cursor: resumed.map_or(0, |token| token.cursor),
        size: resumed.and_then(|token| token.size),
        ..Part::default()
    };
    // How many there are, of all sources that say so; told when the list begins.
    let mut size = resumed.is_none().then_some(0_u64);
    let mut next: Option<(&str, Position)> = None;
    let mut position = resumed.map(|token| token.position).unwrap_or_default();
    for source in sources.iter().skip(begin) {
        let wanted = limit.saturating_sub(part.items.len());
        if next.is_some() {
            // The part is full; this source counts all the same.
            size = add(size, source.list(&ask(Position::default(), 1))?.size);
            continue;
        }
        if wanted == 0 {
            let first = source.list(&ask(Position::default(), 1))?;
            size = add(size, first.size);
            if !first.items.is_empty() {
                next = Some((source.name(), Position::default()));
            }
            continue;
        }
        let page = source.list(&ask(position, wanted))?;
        position = Position::default();
        size = add(size, page.size);
        part.items.extend(page.items);
        next = page.next.map(|place| (source.name(), place));
    }
    // A record whose time left the span while its list was read is not in the list any more: only then may a part be
    // empty, and only one that goes on.
    if part.items.is_empty() && resumed.is_none() {
        return Err(Refusal::new("noRecordsMatch", "No record matches.").into());
    }
    if resumed.is_none() {
        part.size = size;
    }
    // Anybody can write a token, so the numbers in it may be the largest there are.
    let given = part.cursor.saturating_add(part.items.len() as u64);
    // What changed meanwhile is given again: there may be more than there were.
    part.size = part.size.map(|size| if next.is_some() { size.max(given.saturating_add(1)) } else { given });
    part.next = next.map(|(source, position)| {
        Token {
            list: list.word().to_owned(),
            source: source.to_owned(),
            format: chosen.prefix.clone(),
            set: chosen.set.clone(),
            from: chosen.from_text.clone(),
            until: chosen.until_text.clone(),
            position,
            cursor: given,
            size: part.size,
        }
        .encode()
    });
    Ok(part)
}

fn add(sum: Option<u64>, more: Option<u64>) -> Option<u64> {
    Some(sum?.saturating_add(more?))
}

/// The sources that a list is of.
fn sources<'a>(repository: &Repository<'a>, chosen: &Selection) -> Result<Vec<&'a dyn Source>, No> {
    let offers =
        |source: &&'a dyn Source| source.formats().iter().any(|format| format.prefix == chosen.prefix);
    let with_format: Vec<&dyn Source> = repository.sources.iter().copied().filter(offers).collect();
    if with_format.is_empty() {
        let message = "There is no such format; ListMetadataFormats lists those that there are.";
        return Err(Refusal::new("cannotDisseminateFormat", message).into());
    }
    let Some(set) = &chosen.set else { return Ok(with_format) };
    let mut chosen_ones = Vec::new();
    for source in with_format {
        if source.has_set(set)? {
            chosen_ones.push(source);
        }
    }
    if chosen_ones.is_empty() {
        let mut any = false;
        for source in &repository.sources {
            any |= !source.sets()?.is_empty();
        }
        return Err(if any {
            Refusal::new("noRecordsMatch", "There is no such set, or nothing of it in this format.").into()
        } else {
            Refusal::new("noSetHierarchy", "This repository has no sets.").into()
        });
    }
    Ok(chosen_ones)
}
