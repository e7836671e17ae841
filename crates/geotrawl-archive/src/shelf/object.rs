//! Complex objects from what is kept.

use super::{Shelf, ShelfError, reference};
use crate::didl::{DidlWriter, ItemHead, ObjectHead};
use crate::metadata::{Metadata, Origin};
use geotrawl_model::archived_page::CurrentPage;
use geotrawl_model::collection::{ArchiveObject, Collection, RankedResult};
use geotrawl_model::store::CollectionStore;
use jiff::Timestamp;
use std::io::Write;

/// Items read at a time.
const SLICE: u64 = 500;

/// The object that holds a moment of a collection: the one of the run at that moment, or the latest before it.
pub fn object_at(
    store: &dyn CollectionStore,
    collection: &Collection,
    at: Option<Timestamp>,
) -> Result<Option<ArchiveObject>, ShelfError> {
    use geotrawl_model::collection::ObjectFilter;
    if let Some(at) = at
        && let Some(object) = store.find_object(&collection.acronym, at)?
    {
        return Ok(Some(object));
    }
    let filter = ObjectFilter {
        acronym: Some(collection.acronym.clone()),
        limit: usize::MAX >> 1,
        ..Default::default()
    };
    let objects = store.list_objects(&filter)?;
    Ok(objects
        .into_iter()
        .filter(|object| at.is_none_or(|at| object.run <= at))
        .max_by_key(|object| object.run))
}

/// Writes an object as DIDL. `base` is the address under which this archive answers, without a slash at its end.
pub fn write_object<W: Write>(
    store: &dyn CollectionStore,
    shelf: &Shelf,
    collection: &Collection,
    object: &ArchiveObject,
    base: &str,
    out: W,
) -> Result<W, ShelfError> {
    let results = ranked(store, collection, object)?;
    let results = serde_json::to_string(&results).unwrap_or_default();
    let head = ObjectHead {
        acronym: &collection.acronym,
        run: object.run,
        title: &collection.spec.title,
        results: Some(&results),
    };
    let mut writer = DidlWriter::begin(out, &head)?;
    let mut offset = 0;
    loop {
        let (items, total) = store.pages_as_of(collection.id, object.as_of, offset, SLICE)?;
        for item in &items {
            let metadata = described(item);
            let at = reference(base, &collection.acronym, object.as_of, &item.url);
            let stored = shelf.read(&collection.acronym, &item.version.payload)?;
            let head = ItemHead {
                url: &item.url,
                created: item.created,
                modified: item.modified,
                media_type: &item.version.media_type,
                reference: &at,
                metadata: &metadata,
            };
            writer.item(&head, &stored.payload[..])?;
        }
        offset += SLICE;
        if offset >= total {
            break;
        }
    }
    Ok(writer.finish()?)
}

fn ranked(
    store: &dyn CollectionStore,
    collection: &Collection,
    object: &ArchiveObject,
) -> Result<Vec<RankedResult>, ShelfError> {
    let runs = store.archive_runs(collection.id, usize::MAX >> 1)?;
    let run = runs.iter().find(|run| run.at <= object.as_of && run.at >= object.run);
    Ok(match run {
        Some(run) => store.ranked_results(run.id)?,
        None => Vec::new(),
    })
}

/// What an item says, with what was learnt by fetching it.
pub(super) fn described(item: &CurrentPage) -> Metadata {
    let mut metadata: Metadata = serde_json::from_value(item.version.metadata.clone()).unwrap_or_default();
    metadata.add(Origin::Crawl, "url", &item.url);
    if let Some(url) = &item.version.final_url {
        metadata.add(Origin::Crawl, "final-url", url);
    }
    metadata.add(Origin::Crawl, "fetched", &crate::didl::stamp(item.version.at));
    metadata.add(Origin::Crawl, "role", item.role.as_str());
    metadata.add(Origin::Crawl, "sha256", &item.version.digest);
    metadata.add(Origin::Crawl, "weight", &item.weight.to_string());
    if let Some(about) = item.version.about {
        metadata.add(Origin::Crawl, "aboutness", &format!("{about:.3}"));
    }
    metadata
}

/// An object in Dublin Core: elements and values, made of what its results say about themselves.
pub fn dublin_core(
    store: &dyn CollectionStore,
    collection: &Collection,
    object: &ArchiveObject,
    base: &str,
) -> Result<Vec<(&'static str, String)>, ShelfError> {
    /// Results that are described one by one.
    const MOST: u64 = 100;
    let spec = &collection.spec;
    let mut elements = vec![("title", spec.title.clone())];
    if !spec.description.is_empty() {
        elements.push(("description", spec.description.clone()));
    }
    elements.push(("identifier", crate::didl::identifier(&object.acronym, object.run)));
    elements.push(("identifier", format!("{base}/api/v1/collections/{}", object.acronym)));
    elements.push(("date", crate::didl::stamp(object.stamp)));
    elements.push(("type", "Collection".to_owned()));
    elements.push(("format", "application/didl+xml".to_owned()));
    let (items, _) = store.pages_as_of(collection.id, object.as_of, 0, MOST)?;
    for item in &items {
        if item.role != geotrawl_model::archived_page::ItemRole::Result {
            break;
        }
        let metadata: Metadata = serde_json::from_value(item.version.metadata.clone()).unwrap_or_default();
        elements.push(("relation", item.url.clone()));
        elements.extend(metadata.creator.map(|creator| ("creator", creator)));
        elements.extend(metadata.keywords.into_iter().map(|word| ("subject", word)));
        elements.extend(metadata.dois.into_iter().map(|doi| ("relation", format!("https://doi.org/{doi}"))));
    }
    let mut seen = std::collections::HashSet::new();
    elements.retain(|element| seen.insert(element.clone()));
    Ok(elements)
}
