//! Lists across all sources, in parts.

use super::request::{ListKind, ListSelection, ProtocolError};
use super::token::ResumptionToken;
use super::{ListPosition, ListRequest, OaiRecord, OaiRepository, OaiSource, SourceError};

/// Part of a list, and how to continue.
#[derive(Debug, Default)]
pub(super) struct ListPart {
    pub(super) items: Vec<OaiRecord>,
    /// Token of the next part; `None` at the end.
    pub(super) next: Option<String>,
    /// Whether this is one of several parts.
    pub(super) resumed: bool,
    pub(super) cursor: u64,
    pub(super) size: Option<u64>,
}

/// A protocol error, or a failed source.
pub(super) enum OaiError {
    Refusal(ProtocolError),
    Fault(SourceError),
}

impl From<ProtocolError> for OaiError {
    fn from(refusal: ProtocolError) -> Self {
        Self::Refusal(refusal)
    }
}

impl From<SourceError> for OaiError {
    fn from(fault: SourceError) -> Self {
        Self::Fault(fault)
    }
}

/// Reads part of a list.
pub(super) fn read_part(
    repository: &OaiRepository<'_>,
    list: ListKind,
    chosen: &ListSelection,
) -> Result<ListPart, OaiError> {
    let limit = match list {
        ListKind::Records => repository.records_at_once,
        ListKind::Identifiers => repository.heads_at_once,
    };
    let sources = sources(repository, chosen)?;
    let ask = |after: ListPosition, limit: usize| ListRequest {
        set: chosen.set.clone(),
        from: chosen.from,
        before: chosen.before,
        format: chosen.prefix.clone(),
        after,
        limit,
        heads: list == ListKind::Identifiers,
    };
    let resumed = chosen.resumed.as_ref();
    let begin = match resumed {
        None => 0,
        Some(token) => sources.iter().position(|source| source.name() == token.source).ok_or_else(|| {
            ProtocolError::new("badResumptionToken", "The list of this token is no longer available.")
        })?,
    };
    let mut part = ListPart {
        resumed: resumed.is_some(),
        cursor: resumed.map_or(0, |token| token.cursor),
        size: resumed.and_then(|token| token.size),
        ..ListPart::default()
    };
    // Total size over all sources that report one; only computed when the list begins.
    let mut size = resumed.is_none().then_some(0_u64);
    let mut next: Option<(&str, ListPosition)> = None;
    let mut position = resumed.map(|token| token.position).unwrap_or_default();
    for source in sources.iter().skip(begin) {
        let wanted = limit.saturating_sub(part.items.len());
        if next.is_some() {
            // The part is full; ask this source only for its size.
            size = add(size, source.list_records(&ask(ListPosition::default(), 1))?.size);
            continue;
        }
        // The previous source filled the part exactly, so the next part starts with this source,
        // unless it is empty.
        if wanted == 0 {
            let first = source.list_records(&ask(ListPosition::default(), 1))?;
            size = add(size, first.size);
            if !first.items.is_empty() {
                next = Some((source.name(), ListPosition::default()));
            }
            continue;
        }
        let page = source.list_records(&ask(position, wanted))?;
        // Only the first source continues from the token; all others start at their beginning.
        position = ListPosition::default();
        size = add(size, page.size);
        part.items.extend(page.items);
        next = page.next.map(|place| (source.name(), place));
    }
    // A record may leave the requested time span while its list is being harvested. Only then may a
    // part be empty, and only after the first one.
    if part.items.is_empty() && resumed.is_none() {
        return Err(ProtocolError::new("noRecordsMatch", "No record matches.").into());
    }
    if resumed.is_none() {
        part.size = size;
    }
    // Tokens can be forged, so the numbers may be as large as their type allows.
    let given = part.cursor.saturating_add(part.items.len() as u64);
    // Records that changed meanwhile are listed again, so the total may grow.
    // An unfinished list must announce more than it has returned so far, or harvesters stop early.
    part.size = part.size.map(|size| if next.is_some() { size.max(given.saturating_add(1)) } else { given });
    part.next = next.map(|(source, position)| {
        ResumptionToken {
            list: list.token_word().to_owned(),
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

/// Returns the sources of a list.
fn sources<'a>(
    repository: &OaiRepository<'a>,
    chosen: &ListSelection,
) -> Result<Vec<&'a dyn OaiSource>, OaiError> {
    let offers = |source: &&'a dyn OaiSource| {
        source.list_formats().iter().any(|format| format.prefix == chosen.prefix)
    };
    let with_format: Vec<&dyn OaiSource> = repository.sources.iter().copied().filter(offers).collect();
    if with_format.is_empty() {
        let message = "Unknown format; ListMetadataFormats lists the available ones.";
        return Err(ProtocolError::new("cannotDisseminateFormat", message).into());
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
            any |= !source.list_sets()?.is_empty();
        }
        return Err(if any {
            ProtocolError::new("noRecordsMatch", "Unknown set, or the set has no records in this format.")
                .into()
        } else {
            ProtocolError::new("noSetHierarchy", "This repository has no sets.").into()
        });
    }
    Ok(chosen_ones)
}
