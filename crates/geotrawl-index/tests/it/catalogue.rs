//! A catalogue in memory, and short ways to fill and to ask it.

use geotrawl_index::{Hits, Index, IndexOptions, Query};
use geotrawl_model::change::{CatalogueChange, PageWords, RecordDocument};
use geotrawl_model::statistics::CatalogueStatistics;
use geotrawl_model::store::{ChangeStore, Result};
use geotrawl_model::{Bbox, Dataset, Host, Record, Resource, Status, Theme};
use std::sync::Mutex;

/// Changes in memory.
#[derive(Default)]
pub struct Catalogue {
    changes: Mutex<Vec<CatalogueChange>>,
}

impl Catalogue {
    /// Puts a document in, or takes one out; an older state of the same record goes.
    pub fn put(&self, id: &str, document: Option<RecordDocument>) {
        let mut changes = self.changes.lock().unwrap();
        let seq = changes.iter().map(|change| change.seq).max().unwrap_or(0) + 1;
        changes.retain(|change| change.id != id);
        changes.push(CatalogueChange { seq, id: id.to_owned(), document: document.map(Box::new) });
    }
}

impl ChangeStore for Catalogue {
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

/// A record in the making.
#[derive(Clone)]
pub struct Make(pub RecordDocument);

pub fn service(id: &str, kind: &str, title: &str) -> Make {
    let seen = "2026-06-01T00:00:00Z".parse().unwrap();
    Make(RecordDocument {
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

impl Make {
    pub fn with(mut self, change: impl FnOnce(&mut Record)) -> Self {
        change(&mut self.0.record);
        self
    }
    pub fn text(self, text: &str) -> Self {
        self.with(|record| record.resource.abstract_ = Some(text.to_owned()))
    }
    pub fn keywords(self, words: &[&str]) -> Self {
        self.with(|record| record.resource.keywords = words.iter().map(|word| (*word).to_owned()).collect())
    }
    pub fn language(self, code: &str) -> Self {
        self.with(|record| record.resource.languages = vec![code.to_owned()])
    }
    pub fn provider(self, name: &str) -> Self {
        self.with(|record| record.resource.provider = Some(name.to_owned()))
    }
    pub fn status(self, status: Status) -> Self {
        self.with(|record| record.status = status)
    }
    pub fn score(self, score: u8) -> Self {
        self.with(|record| record.score = Some(score))
    }
    pub fn bbox(self, bbox: [f64; 4]) -> Self {
        self.with(|record| record.resource.bbox = Some(Bbox::from(bbox)))
    }
    pub fn theme(self, term: &str) -> Self {
        self.with(|record| record.themes.push(Theme { term: term.to_owned(), ..Theme::default() }))
    }
    pub fn place(self, country: &str, lat: f64, lon: f64) -> Self {
        self.with(|record| {
            record.host.country = Some(country.to_owned());
            record.host.lat = Some(lat);
            record.host.lon = Some(lon);
        })
    }
    pub fn page(mut self, title: &str, words: &str) -> Self {
        self.0.pages.push(PageWords { title: title.to_owned(), words: words.to_owned() });
        self
    }
    pub fn layer(self, name: &str, title: &str, bbox: Option<[f64; 4]>) -> Self {
        self.with(|record| {
            let title = (!title.is_empty()).then(|| title.to_owned());
            let dataset =
                Dataset { name: name.to_owned(), title, bbox: bbox.map(Bbox::from), ..Dataset::default() };
            record.resource.datasets.push(dataset);
        })
    }
}

/// An index of these records, in a directory that lives as long as it.
pub struct Fixture {
    pub index: Index,
    pub catalogue: Catalogue,
    pub directory: tempfile::TempDir,
}

pub fn indexed(records: impl IntoIterator<Item = Make>) -> Fixture {
    let directory = tempfile::tempdir().unwrap();
    let catalogue = Catalogue::default();
    for Make(document) in records {
        let id = document.record.id.clone();
        catalogue.put(&id, Some(document));
    }
    let index = Index::open(directory.path(), &small()).unwrap();
    index.follow(&catalogue).unwrap();
    Fixture { index, catalogue, directory }
}

/// Options with little memory.
pub fn small() -> IndexOptions {
    IndexOptions { write_memory: 80 << 20, ..IndexOptions::default() }
}

pub fn words(words: &str) -> Query {
    Query { words: words.to_owned(), limit: 20, ..Query::default() }
}

pub fn ids(hits: &Hits) -> Vec<&str> {
    hits.hits.iter().map(|hit| hit.id.as_str()).collect()
}

impl Fixture {
    pub fn search(&self, query: &Query) -> Hits {
        self.index.search(query).unwrap()
    }

    /// Ids of the hits of words, best first.
    pub fn find(&self, text: &str) -> Vec<String> {
        self.search(&words(text)).hits.into_iter().map(|hit| hit.id).collect()
    }

    /// Ids of the hits of words, in order of the id.
    pub fn set(&self, text: &str) -> Vec<String> {
        let mut found = self.find(text);
        found.sort();
        found
    }
}
