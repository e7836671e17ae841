//! Files of the index: opens them, applies changes and publishes snapshots for searching.

use crate::ingest::{DocumentBuilder, StoredService};
use crate::rows::RowTable;
use crate::schema::{CUT, SchemaFields, WhitespaceTokenizer, build_schema};
use crate::tables;
use crate::{IndexError, IndexOptions, IndexProgress};
use geotrawl_model::change::CatalogueChange;
use geotrawl_model::store::ChangeStore;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use tantivy::directory::INDEX_WRITER_LOCK;
use tantivy::schema::Value as _;
use tantivy::{
    Directory as _, IndexReader, IndexSettings, IndexWriter, ReloadPolicy, Searcher, TantivyDocument, Term,
};

/// Version of everything stored in the files; files of another version are rebuilt.
const FORMAT: u32 = 6;
/// Number of changes read at a time: each may contain very many layers.
const PIECE: usize = 32;
/// Number of written layers after which a long update is committed midway.
const COMMIT_AFTER: u64 = 2_000_000;
/// Default memory for writing services and layers.
const MEMORY: [usize; 2] = [64 << 20, 320 << 20];
/// Block size of stored documents. A whole block is decompressed per document, and a page of hits
/// shows a hundred layers from as many blocks.
const STORED_BLOCK: usize = 2 << 10;
/// Minimum memory that the engine accepts.
const LEAST_MEMORY: usize = 16 << 20;

/// State that is committed with the files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct CommittedState {
    format: u32,
    seq: i64,
}

/// An immutable state of the index that is searched.
pub struct IndexSnapshot {
    pub services: tables::SearchIndex,
    pub layers: tables::SearchIndex,
    pub rows: RowTable,
    pub seq: i64,
    /// Results of recent filters.
    pub kept: crate::conditions::ConditionCache,
    /// Result orders of queries that are read page by page.
    pub walks: crate::page_cache::ResultOrderCache,
}

/// One of the two indexes on disk.
struct IndexFiles {
    index: tantivy::Index,
    reader: IndexReader,
}

struct IndexWriters {
    services: IndexWriter,
    layers: IndexWriter,
}

struct WriteState {
    writers: Option<IndexWriters>,
    slots: HashMap<String, u64>,
    next: u64,
}

/// The two indexes and the row table.
pub struct IndexEngine {
    directory: PathBuf,
    memory: [usize; 2],
    services: IndexFiles,
    layers: IndexFiles,
    maker: DocumentBuilder,
    pub fields: SchemaFields,
    writing: Mutex<WriteState>,
    snapshot: RwLock<Arc<IndexSnapshot>>,
}

impl IndexEngine {
    /// Opens the files, or creates them.
    pub fn open(directory: &Path, options: &IndexOptions) -> Result<Self, IndexError> {
        let fails = |doing: &str, cause: String| IndexError::Engine {
            place: directory.display().to_string(),
            doing: doing.to_owned(),
            cause,
        };
        let mut cause = String::new();
        // Another writing process may delete files between two of our reads.
        for _ in 0..3 {
            match Self::try_open(directory, options) {
                Ok(engine) => return Ok(engine),
                Err(error) => cause = error.to_string(),
            }
        }
        if directory.exists() {
            if in_use(directory) {
                return Err(fails("opening it", format!("{cause}, and another process is writing to it")));
            }
            tracing::warn!(place = %directory.display(), %cause, "search index is damaged or has another version; rebuilding it");
            for half in ["services", "layers"] {
                let place = directory.join(half);
                if place.exists() {
                    std::fs::remove_dir_all(&place)
                        .map_err(|error| fails("removing the old files", error.to_string()))?;
                }
            }
        }
        Self::try_open(directory, options).map_err(|error| fails("creating it", error.to_string()))
    }

    fn try_open(directory: &Path, options: &IndexOptions) -> tantivy::Result<Self> {
        let (schema, fields) = build_schema();
        let services = IndexFiles::open(&directory.join("services"), &schema)?;
        let layers = IndexFiles::open(&directory.join("layers"), &schema)?;
        let seq = services.state()?.seq.min(layers.state()?.seq);
        let memory = match options.write_memory {
            0 => MEMORY,
            all => [(all / 5).max(LEAST_MEMORY), (all / 5 * 4).max(LEAST_MEMORY)],
        };
        let rows = load(&services.reader.searcher(), fields)?;
        let writing = Mutex::new(WriteState::at(&rows));
        let snapshot = IndexSnapshot {
            services: tables::SearchIndex::new(services.reader.searcher(), &fields.service_fields(), None)?,
            layers: tables::SearchIndex::new(layers.reader.searcher(), &fields.layer_fields(), None)?,
            rows,
            seq,
            kept: crate::conditions::ConditionCache::default(),
            walks: crate::page_cache::ResultOrderCache::default(),
        };
        Ok(Self {
            directory: directory.to_path_buf(),
            memory,
            maker: DocumentBuilder::new(&schema, fields)?,
            fields,
            services,
            layers,
            writing,
            snapshot: RwLock::new(Arc::new(snapshot)),
        })
    }

    /// Returns the current snapshot.
    pub fn snapshot(&self) -> Arc<IndexSnapshot> {
        Arc::clone(&self.snapshot.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Returns a function that converts engine errors, adding the directory and what was being
    /// done.
    pub fn error_while(&self, doing: &str) -> impl Fn(tantivy::TantivyError) -> IndexError {
        let (place, doing) = (self.directory.display().to_string(), doing.to_owned());
        move |error| IndexError::Engine {
            place: place.clone(),
            doing: doing.clone(),
            cause: match error {
                tantivy::TantivyError::LockFailure(..) => "another process is writing to it".to_owned(),
                other => other.to_string(),
            },
        }
    }

    /// Applies new changes; with `anew`, rebuilds everything from the first change.
    pub fn apply_changes(&self, changes: &dyn ChangeStore, anew: bool) -> Result<IndexProgress, IndexError> {
        let mut writing = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        let before = self.snapshot();
        if !anew && changes.last_change()? <= before.seq {
            self.see_merges(&before).map_err(self.error_while("opening merged files"))?;
            return Ok(IndexProgress { seq: before.seq, records: 0 });
        }
        let followed = self.write(&mut writing, changes, anew);
        if followed.is_err() {
            // Uncommitted documents are dropped with the writers; the next call resumes at the
            // snapshot.
            *writing = WriteState::at(&self.snapshot().rows);
        }
        followed
    }

    /// Publishes a new snapshot if segments were merged in the background since the last one.
    fn see_merges(&self, before: &Arc<IndexSnapshot>) -> tantivy::Result<()> {
        let same = |half: &IndexFiles, searcher: &Searcher| {
            let ids = half.index.searchable_segment_ids()?;
            tantivy::Result::Ok(
                ids.len() == searcher.segment_readers().len()
                    && searcher.segment_readers().iter().all(|reader| ids.contains(&reader.segment_id())),
            )
        };
        if !(same(&self.services, &before.services.searcher)? && same(&self.layers, &before.layers.searcher)?)
        {
            self.publish(before.seq, before.rows.clone())?;
        }
        Ok(())
    }

    fn write(
        &self,
        writing: &mut WriteState,
        changes: &dyn ChangeStore,
        anew: bool,
    ) -> Result<IndexProgress, IndexError> {
        let WriteState { writers, slots, next } = writing;
        let before = self.snapshot();
        let (mut seq, mut rows) = (before.seq, before.rows.clone());
        let writers = match writers {
            Some(writers) => writers,
            None => writers.insert(self.writers().map_err(self.error_while("opening it for writing"))?),
        };
        if anew {
            for writer in [&writers.services, &writers.layers] {
                writer.delete_all_documents().map_err(self.error_while("deleting its documents"))?;
            }
            (seq, rows, *next) = (0, RowTable::default(), 0);
            slots.clear();
        }
        let (mut records, mut layers) = (0, 0);
        loop {
            let piece = changes.list_changes(seq, PIECE)?;
            let ended = piece.len() < PIECE;
            for change in piece {
                seq = seq.max(change.seq);
                records += 1;
                layers += self
                    .take_in(writers, slots, next, &mut rows, &change)
                    .map_err(self.error_while("writing"))?;
            }
            if ended || layers >= COMMIT_AFTER {
                self.commit(writers, seq, rows.clone()).map_err(self.error_while("committing"))?;
                layers = 0;
            }
            if ended {
                return Ok(IndexProgress { seq, records });
            }
        }
    }

    /// Replaces the documents of a record and returns the number of its layers.
    fn take_in(
        &self,
        writers: &IndexWriters,
        slots: &mut HashMap<String, u64>,
        next: &mut u64,
        rows: &mut RowTable,
        change: &CatalogueChange,
    ) -> tantivy::Result<u64> {
        let known = slots.get(&change.id).copied();
        if let Some(slot) = known {
            let term = Term::from_field_u64(self.fields.slot, slot);
            writers.services.delete_term(term.clone());
            writers.layers.delete_term(term);
        }
        let Some(document) = &change.document else {
            if let Some(slot) = known {
                rows.set_row(slot, None);
                slots.remove(&change.id);
            }
            return Ok(0);
        };
        let slot = known.unwrap_or_else(|| {
            *next += 1;
            slots.insert(change.id.clone(), *next - 1);
            *next - 1
        });
        let (made, mut row, shared) = self.maker.build_service(slot, document);
        // The id of the change is authoritative; the document may still contain another one.
        row.id.clone_from(&change.id);
        writers.services.add_document(made)?;
        rows.set_row(slot, Some(row));
        let datasets = &document.record.resource.datasets;
        for (place, dataset) in datasets.iter().enumerate() {
            writers.layers.add_document(self.maker.build_layer(&shared, place, dataset))?;
        }
        Ok(datasets.len() as u64)
    }

    /// Commits the layers first: if the process ends between the two commits, the services still
    /// have the older sequence number, and the changes after it are applied again.
    fn commit(&self, writers: &mut IndexWriters, seq: i64, rows: RowTable) -> tantivy::Result<()> {
        let state = CommittedState { format: FORMAT, seq };
        let payload = serde_json::to_string(&state).unwrap_or_default();
        for writer in [&mut writers.layers, &mut writers.services] {
            let mut commit = writer.prepare_commit()?;
            commit.set_payload(&payload);
            commit.commit()?;
        }
        self.publish(seq, rows)
    }

    fn publish(&self, seq: i64, rows: RowTable) -> tantivy::Result<()> {
        self.layers.reader.reload()?;
        self.services.reader.reload()?;
        let before = self.snapshot();
        let (services, layers) = (self.services.reader.searcher(), self.layers.reader.searcher());
        let snapshot = IndexSnapshot {
            services: tables::SearchIndex::new(
                services,
                &self.fields.service_fields(),
                Some(&before.services),
            )?,
            layers: tables::SearchIndex::new(layers, &self.fields.layer_fields(), Some(&before.layers))?,
            rows,
            seq,
            kept: crate::conditions::ConditionCache::default(),
            walks: crate::page_cache::ResultOrderCache::default(),
        };
        *self.snapshot.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(snapshot);
        Ok(())
    }

    /// Opens the writers with one thread each: this keeps the layers of a record together.
    fn writers(&self) -> tantivy::Result<IndexWriters> {
        Ok(IndexWriters {
            services: self.services.index.writer_with_num_threads(1, self.memory[0])?,
            layers: self.layers.index.writer_with_num_threads(1, self.memory[1])?,
        })
    }

    /// Merges all segments into one per index, which makes searching faster. Blocks until the merge
    /// is done.
    pub fn merge_segments(&self) -> Result<(), IndexError> {
        let mut writing = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(writers) = &mut writing.writers else { return Ok(()) };
        let before = self.snapshot();
        for (half, writer) in [(&self.services, &mut writers.services), (&self.layers, &mut writers.layers)] {
            let segments =
                half.index.searchable_segment_ids().map_err(self.error_while("listing its files"))?;
            if segments.len() > 1 {
                writer.merge(&segments).wait().map_err(self.error_while("merging its files"))?;
            }
        }
        self.commit(writers, before.seq, before.rows.clone()).map_err(self.error_while("committing"))
    }
}

impl WriteState {
    fn at(rows: &RowTable) -> Self {
        let slots: HashMap<String, u64> =
            rows.occupied_slots().map(|(slot, row)| (row.id.to_string(), slot)).collect();
        let next = slots.values().max().map_or(0, |slot| slot + 1);
        Self { writers: None, slots, next }
    }
}

impl IndexFiles {
    fn open(directory: &Path, schema: &tantivy::schema::Schema) -> tantivy::Result<Self> {
        std::fs::create_dir_all(directory)
            .map_err(|error| tantivy::TantivyError::IoError(Arc::new(error)))?;
        let place = tantivy::directory::MmapDirectory::open(directory)?;
        let fresh = !tantivy::Index::exists(&place)?;
        let index = tantivy::Index::builder()
            .schema(schema.clone())
            .settings(IndexSettings { docstore_blocksize: STORED_BLOCK, ..IndexSettings::default() })
            .open_or_create(place)?;
        index.tokenizers().register(CUT, WhitespaceTokenizer::build_analyzer());
        if !fresh {
            let damaged = index.validate_checksum()?;
            if !damaged.is_empty() {
                return Err(tantivy::TantivyError::InvalidArgument(format!(
                    "{} damaged files",
                    damaged.len()
                )));
            }
        }
        let reader = index.reader_builder().reload_policy(ReloadPolicy::Manual).try_into()?;
        Ok(Self { index, reader })
    }

    fn state(&self) -> tantivy::Result<CommittedState> {
        let Some(payload) = self.index.load_metas()?.payload else {
            // The index was created, but nothing has been committed yet.
            return if self.reader.searcher().num_docs() == 0 {
                Ok(CommittedState { format: FORMAT, seq: 0 })
            } else {
                Err(tantivy::TantivyError::InvalidArgument("the committed state is missing".to_owned()))
            };
        };
        match serde_json::from_str(&payload) {
            Ok(state @ CommittedState { format: FORMAT, .. }) => Ok(state),
            _ => Err(tantivy::TantivyError::InvalidArgument(format!("unknown committed state {payload}"))),
        }
    }
}

/// Returns whether another process is writing to the directory.
fn in_use(directory: &Path) -> bool {
    ["services", "layers"].iter().any(|half| {
        let Ok(place) = tantivy::directory::MmapDirectory::open(directory.join(half)) else { return false };
        matches!(place.acquire_lock(&INDEX_WRITER_LOCK), Err(tantivy::directory::error::LockError::LockBusy))
    })
}

/// Loads the row table from the stored documents.
fn load(searcher: &Searcher, fields: SchemaFields) -> tantivy::Result<RowTable> {
    let mut rows = RowTable::default();
    for reader in searcher.segment_readers() {
        let store = reader.get_store_reader(8)?;
        let slots = reader.fast_fields().u64(crate::schema::column::SLOT)?;
        for doc in reader.doc_ids_alive() {
            let document: TantivyDocument = store.get(doc)?;
            let stored: Option<StoredService> = document
                .get_first(fields.document)
                .and_then(|value| value.as_bytes())
                .and_then(|bytes| serde_json::from_slice(bytes).ok());
            let (Some(stored), Some(slot)) = (stored, slots.first(doc)) else {
                return Err(tantivy::TantivyError::InvalidArgument(
                    "a stored document cannot be read".to_owned(),
                ));
            };
            rows.set_row(slot, Some(stored.row));
        }
    }
    Ok(rows)
}
