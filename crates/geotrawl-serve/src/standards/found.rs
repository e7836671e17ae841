//! Loads records for the encoders: found by the index, read from the store without all of their
//! layers.

use crate::{App, Problem};
use geotrawl_index::SearchQuery;
use geotrawl_standards::described::{DescribedRecord, MOST_LAYERS};

/// Up to this offset the index sorts only what a page needs.
const SHALLOW: usize = 20_000;

/// A page of records.
#[derive(Debug, Default)]
pub(super) struct FoundPage {
    /// Number of matching records.
    pub(super) total: u64,
    pub(super) records: Vec<DescribedRecord>,
}

/// Runs a search. Records that are gone since the index was updated are left out.
pub(super) fn find_records(app: &App, query: &SearchQuery) -> Result<FoundPage, Problem> {
    let (total, ids) = if query.offset.saturating_add(query.limit) <= SHALLOW {
        let hits = app.index.search(query)?;
        (hits.total, hits.hits.into_iter().map(|hit| hit.id).collect())
    } else {
        let all = app.index.find_ids(query)?;
        let total = all.len() as u64;
        (total, all.into_iter().skip(query.offset).take(query.limit).collect::<Vec<_>>())
    };
    let mut records = Vec::with_capacity(ids.len());
    for id in ids {
        records.extend(find_record(app, &id)?);
    }
    Ok(FoundPage { total, records })
}

/// Loads a record; `None` if it does not exist.
pub(super) fn find_record(app: &App, id: &str) -> Result<Option<DescribedRecord>, Problem> {
    let Some(record) = app.store.find_record_head(id)? else { return Ok(None) };
    let layers = match record.resource.dataset_count {
        0 => Vec::new(),
        _ => app
            .store
            .list_datasets(id, "", 0, MOST_LAYERS as u64)?
            .map(|(layers, _)| layers)
            .unwrap_or_default(),
    };
    Ok(Some(DescribedRecord { record, layers }))
}

/// Loads a record, or returns a 404 problem.
pub(super) fn require_record(app: &App, id: &str) -> Result<DescribedRecord, Problem> {
    let missing = || {
        let id: String = id.chars().take(100).collect();
        Problem::not_found(format!("There is no record '{id}'."))
    };
    find_record(app, id)?.ok_or_else(missing)
}

/// Returns the number of searchable records, and when the newest of them changed.
pub(super) fn catalogue_extent(app: &App) -> Result<(u64, jiff::Timestamp), Problem> {
    let query = SearchQuery { limit: 1, sort: geotrawl_index::SortOrder::Changed, ..SearchQuery::default() };
    let found = find_records(app, &query)?;
    let newest = found.records.first().map_or_else(|| jiff::Timestamp::UNIX_EPOCH, DescribedRecord::modified);
    Ok((found.total, newest))
}
