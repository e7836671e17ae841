//! An in-memory catalogue, and helpers to fill and search it.

use geotrawl_index::{CatalogueIndex, IndexOptions, SearchQuery, SearchResults};
use geotrawl_model::change::{CatalogueChange, PageWords, RecordDocument};
use geotrawl_model::statistics::CatalogueStatistics;
use geotrawl_model::store::{ChangeStore, Result};
use geotrawl_model::{Bbox, Dataset, Host, Record, Resource, Status, Theme};
use std::sync::Mutex;

/// A change log in memory.
#[derive(Default)]
pub struct MemoryCatalogue {
    changes: Mutex<Vec<CatalogueChange>>,
}

impl MemoryCatalogue {
    /// Adds or removes a document, replacing older changes of the same record.
    pub fn put_document(&self, id: &str, document: Option<RecordDocument>) {
        let mut changes = self.changes.lock().unwrap();
        let seq = changes.iter().map(|change| change.seq).max().unwrap_or(0) + 1;
        changes.retain(|change| change.id != id);
        changes.push(CatalogueChange { seq, id: id.to_owned(), document: document.map(Box::new) });
    }
}

impl ChangeStore for MemoryCatalogue {
    fn list_changes(&self, after: i64, limit: usize) -> Result<Vec<CatalogueChange>> {
        let changes = self.changes.lock().unwrap();
        Ok(changes.iter().filter(|change| change.seq > after).take(limit).cloned().collect())
    }

    fn last_change(&self) -> Result<i64> {
        Ok(self.changes.lock().unwrap().iter().map(|change| change.seq).max().unwrap_or(0))
    }

    fn find_record(&self, _id: &str) -> Result<Option<Record>> {
        Ok(None)
    }

    fn statistics(&self) -> Result<CatalogueStatistics> {
        Ok(CatalogueStatistics::default())
    }
}

/// Builds a record with its document.
#[derive(Clone)]
pub struct RecordBuilder(pub RecordDocument);

pub fn service_record(id: &str, kind: &str, title: &str) -> RecordBuilder {
    let seen = "2026-06-01T00:00:00Z".parse().unwrap();
    RecordBuilder(RecordDocument {
        record: Record {
            id: id.to_owned(),
            resource: Resource {
                kind: kind.to_owned(),
                url: format!("https://{id}.example.org/geo/{kind}"),
                title: Some(title.to_owned()),
                ..Resource::default()
            },
            status: Status::Alive,
            host: Host { name: format!("{id}.example.org"), ..Host::default() },
            first_seen: seen,
            last_seen: seen,
            ..Record::default()
        },
        pages: Vec::new(),
    })
}

impl RecordBuilder {
    pub fn with_record(mut self, change: impl FnOnce(&mut Record)) -> Self {
        change(&mut self.0.record);
        self
    }
    pub fn with_abstract(self, text: &str) -> Self {
        self.with_record(|record| record.resource.abstract_ = Some(text.to_owned()))
    }
    pub fn with_keywords(self, words: &[&str]) -> Self {
        self.with_record(|record| {
            record.resource.keywords = words.iter().map(|word| (*word).to_owned()).collect();
        })
    }
    pub fn with_language(self, code: &str) -> Self {
        self.with_record(|record| record.resource.languages = vec![code.to_owned()])
    }
    pub fn with_provider(self, name: &str) -> Self {
        self.with_record(|record| record.resource.provider = Some(name.to_owned()))
    }
    pub fn with_status(self, status: Status) -> Self {
        self.with_record(|record| record.status = status)
    }
    pub fn with_score(self, score: u8) -> Self {
        self.with_record(|record| record.score = Some(score))
    }
    pub fn with_bbox(self, bbox: [f64; 4]) -> Self {
        self.with_record(|record| record.resource.bbox = Some(Bbox::from(bbox)))
    }
    pub fn with_theme(self, term: &str) -> Self {
        self.with_record(|record| record.themes.push(Theme { term: term.to_owned(), ..Theme::default() }))
    }
    pub fn with_place(self, country: &str, lat: f64, lon: f64) -> Self {
        self.with_record(|record| {
            record.host.country = Some(country.to_owned());
            record.host.lat = Some(lat);
            record.host.lon = Some(lon);
        })
    }
    pub fn with_page(mut self, title: &str, words: &str) -> Self {
        self.0.pages.push(PageWords { title: title.to_owned(), words: words.to_owned() });
        self
    }
    pub fn with_layer(self, name: &str, title: &str, bbox: Option<[f64; 4]>) -> Self {
        self.with_record(|record| {
            let title = (!title.is_empty()).then(|| title.to_owned());
            let dataset =
                Dataset { name: name.to_owned(), title, bbox: bbox.map(Bbox::from), ..Dataset::default() };
            record.resource.datasets.push(dataset);
        })
    }
}

/// An index over test records, in a temporary directory that is deleted with it.
pub struct IndexFixture {
    pub index: CatalogueIndex,
    pub catalogue: MemoryCatalogue,
    pub directory: tempfile::TempDir,
}

pub fn index_records(records: impl IntoIterator<Item = RecordBuilder>) -> IndexFixture {
    let directory = tempfile::tempdir().unwrap();
    let catalogue = MemoryCatalogue::default();
    for RecordBuilder(document) in records {
        let id = document.record.id.clone();
        catalogue.put_document(&id, Some(document));
    }
    let index = CatalogueIndex::open(directory.path(), &low_memory_options()).unwrap();
    index.apply_changes(&catalogue).unwrap();
    IndexFixture { index, catalogue, directory }
}

/// Returns options with little write memory.
pub fn low_memory_options() -> IndexOptions {
    IndexOptions { write_memory: 80 << 20, ..IndexOptions::default() }
}

pub fn word_query(words: &str) -> SearchQuery {
    SearchQuery { words: words.to_owned(), limit: 20, ..SearchQuery::default() }
}

pub fn hit_ids(hits: &SearchResults) -> Vec<&str> {
    hits.hits.iter().map(|hit| hit.id.as_str()).collect()
}

impl IndexFixture {
    pub fn search(&self, query: &SearchQuery) -> SearchResults {
        self.index.search(query).unwrap()
    }

    /// Returns the ids of the hits, best first.
    pub fn find_ids(&self, text: &str) -> Vec<String> {
        self.search(&word_query(text)).hits.into_iter().map(|hit| hit.id).collect()
    }

    /// Returns the ids of the hits, sorted.
    pub fn find_sorted_ids(&self, text: &str) -> Vec<String> {
        let mut found = self.find_ids(text);
        found.sort();
        found
    }
}
