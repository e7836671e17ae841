//! Builds archive objects from stored files.

use super::{CollectionFiles, CollectionFilesError, raw_replay_url};
use crate::didl::{DidlWriter, ItemHead, ObjectHead};
use crate::metadata::{Metadata, MetadataOrigin};
use geotrawl_model::archived_page::CurrentPage;
use geotrawl_model::collection::{ArchiveObject, Collection, RankedResult};
use geotrawl_model::store::CollectionStore;
use jiff::Timestamp;
use std::io::Write;

/// Number of items read at a time.
const SLICE: u64 = 500;

/// Returns the object of a collection at a given time: that of the run at this time, or the latest
/// before it.
pub fn object_at(
    store: &dyn CollectionStore,
    collection: &Collection,
    at: Option<Timestamp>,
) -> Result<Option<ArchiveObject>, CollectionFilesError> {
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

/// Writes an object as DIDL. `base` is the public URL of this archive without a trailing slash.
pub fn write_object<W: Write>(
    store: &dyn CollectionStore,
    shelf: &CollectionFiles,
    collection: &Collection,
    object: &ArchiveObject,
    base: &str,
    out: W,
) -> Result<W, CollectionFilesError> {
    let results = read_ranked_results(store, collection, object)?;
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
            let metadata = describe_item(item);
            let at = raw_replay_url(base, &collection.acronym, object.as_of, &item.url);
            let stored = shelf.read_record(&collection.acronym, &item.version.payload)?;
            let head = ItemHead {
                url: &item.url,
                created: item.created,
                modified: item.modified,
                media_type: &item.version.media_type,
                reference: &at,
                metadata: &metadata,
            };
            writer.write_item(&head, &stored.payload[..])?;
        }
        offset += SLICE;
        if offset >= total {
            break;
        }
    }
    Ok(writer.finish()?)
}

fn read_ranked_results(
    store: &dyn CollectionStore,
    collection: &Collection,
    object: &ArchiveObject,
) -> Result<Vec<RankedResult>, CollectionFilesError> {
    let runs = store.archive_runs(collection.id, usize::MAX >> 1)?;
    let run = runs.iter().find(|run| run.at <= object.as_of && run.at >= object.run);
    Ok(match run {
        Some(run) => store.ranked_results(run.id)?,
        None => Vec::new(),
    })
}

/// Returns the metadata of an item, including what was learnt by fetching it.
pub(super) fn describe_item(item: &CurrentPage) -> Metadata {
    let mut metadata: Metadata = serde_json::from_value(item.version.metadata.clone()).unwrap_or_default();
    metadata.add_field(MetadataOrigin::Crawl, "url", &item.url);
    if let Some(url) = &item.version.final_url {
        metadata.add_field(MetadataOrigin::Crawl, "final-url", url);
    }
    metadata.add_field(MetadataOrigin::Crawl, "fetched", &crate::didl::format_timestamp(item.version.at));
    metadata.add_field(MetadataOrigin::Crawl, "role", item.role.as_str());
    metadata.add_field(MetadataOrigin::Crawl, "sha256", &item.version.digest);
    metadata.add_field(MetadataOrigin::Crawl, "weight", &item.weight.to_string());
    if let Some(about) = item.version.about {
        metadata.add_field(MetadataOrigin::Crawl, "aboutness", &format!("{about:.3}"));
    }
    metadata
}

/// Returns an object as Dublin Core elements, derived from the metadata of its results.
pub fn dublin_core(
    store: &dyn CollectionStore,
    collection: &Collection,
    object: &ArchiveObject,
    base: &str,
) -> Result<Vec<(&'static str, String)>, CollectionFilesError> {
    /// Maximum number of results described individually.
    const MOST: u64 = 100;
    let spec = &collection.spec;
    let mut elements = vec![("title", spec.title.clone())];
    if !spec.description.is_empty() {
        elements.push(("description", spec.description.clone()));
    }
    elements.push(("identifier", crate::didl::object_identifier(&object.acronym, object.run)));
    elements.push(("identifier", format!("{base}/api/v1/collections/{}", object.acronym)));
    elements.push(("date", crate::didl::format_timestamp(object.stamp)));
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
