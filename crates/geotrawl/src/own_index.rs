//! The catalogue as a search engine for seeds: pages where services about the same words were found
//! before.

use crate::commands::search::index_dir;
use crate::config::Config;
use geotrawl_crawl::seeds::search::CatalogueLookup;
use geotrawl_index::{CatalogueIndex, IndexOptions, SearchQuery};
use geotrawl_model::store::Store;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// Maximum number of pages per record that become seeds.
const PAGES_OF_RECORD: usize = 2;

/// Finds seeds in the catalogue. The search index is opened on the first query.
pub struct CatalogueSearchEngine {
    directory: PathBuf,
    options: IndexOptions,
    store: Arc<dyn Store>,
    index: Mutex<Option<Arc<CatalogueIndex>>>,
}

impl CatalogueSearchEngine {
    /// Creates an engine over the index in this data directory.
    pub fn new(data: &Path, config: &Config, store: Arc<dyn Store>) -> Self {
        let options = IndexOptions { synonyms: config.serve.synonyms.clone(), ..IndexOptions::default() };
        Self { directory: index_dir(data), options, store, index: Mutex::new(None) }
    }

    /// Creates an engine over an index that another component keeps up to date.
    pub fn with_index(index: Arc<CatalogueIndex>, store: Arc<dyn Store>) -> Self {
        let (directory, options) = (PathBuf::new(), IndexOptions::default());
        Self { directory, options, store, index: Mutex::new(Some(index)) }
    }

    fn index(&self) -> Result<Arc<CatalogueIndex>, String> {
        let mut index = self.index.lock().map_err(|_poisoned| "an earlier search failed".to_owned())?;
        if let Some(index) = &*index {
            return Ok(index.clone());
        }
        let opened = Arc::new(
            CatalogueIndex::open(&self.directory, &self.options).map_err(|error| error.to_string())?,
        );
        let last = self.store.last_change().map_err(|error| error.to_string())?;
        // The catalogue may have changed since the index was last used, also by other processes.
        if opened.progress().seq < last {
            opened.apply_changes(&*self.store).map_err(|error| error.to_string())?;
        }
        *index = Some(opened.clone());
        Ok(opened)
    }
}

impl CatalogueLookup for CatalogueSearchEngine {
    /// Returns the pages that linked to matching records, since they may link to more; a record
    /// without known pages is returned itself.
    fn find_addresses(
        &self,
        words: &str,
        _language: Option<&str>,
        most: usize,
    ) -> Result<Vec<(String, String)>, String> {
        let query = SearchQuery { words: words.to_owned(), limit: most, ..SearchQuery::default() };
        let found = self.index()?.search(&query).map_err(|error| error.to_string())?;
        let (mut seen, mut seeds) = (HashSet::new(), Vec::new());
        for hit in &found.hits {
            let record = self.store.find_record(&hit.id).map_err(|error| error.to_string())?;
            // The index may still contain records that were removed.
            let Some(record) = record else { continue };
            let pages: Vec<&str> = record
                .provenance
                .iter()
                .map(|way| way.page.as_str())
                .filter(|page| page.starts_with("http"))
                .take(PAGES_OF_RECORD)
                .collect();
            let pages = if pages.is_empty() { vec![record.resource.url.as_str()] } else { pages };
            let title = record.resource.title.as_deref().unwrap_or_default();
            for page in pages {
                if seen.insert(page.to_owned()) && seeds.len() < most {
                    seeds.push((page.to_owned(), title.to_owned()));
                }
            }
        }
        Ok(seeds)
    }
}
