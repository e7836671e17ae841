//! In-memory tables of a segment: the record and the box of every document.
//!
//! A segment never changes, so its table is built once and shared by all snapshots that contain the
//! segment. Layers of one record are adjacent: testing the box around a run of layers first skips
//! most of a catalogue without reading its layers. A layer takes 32 bytes. The engine's columns
//! would have to be decoded value by value, behind two virtual calls.

use crate::bits::BitSet;
use crate::boxes::{DocumentBox, FixedPointBox};
use crate::plan::QueryTerm;
use crate::schema::column;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use tantivy::fieldnorm::FieldNormReader;
use tantivy::index::SegmentId;
use tantivy::postings::TermInfo;
use tantivy::schema::Field;
use tantivy::{InvertedIndexReader, Searcher, SegmentReader, Term};

/// BM25 parameters: saturation of term frequency, and influence of text length. The values are
/// those of the engine.
const K1: f32 = 1.2;
const B: f32 = 0.75;
/// Maximum bytes of cached bit sets per document of the segment; the cache is cleared when it
/// exceeds them.
const KEPT_FOR_EACH: usize = 32;
/// A term is common if it occurs in more than one of this many documents.
const COMMON: u32 = 48;

/// One of the two indexes, ready for searching.
pub struct SearchIndex {
    pub searcher: Searcher,
    /// By segment.
    pub tables: Vec<Arc<SegmentTable>>,
    /// Fields searched for plain words.
    pub fields: Vec<SearchedField>,
}

/// A field searched for plain words.
pub struct SearchedField {
    pub field: Field,
    /// By segment.
    pub segments: Vec<(Arc<InvertedIndexReader>, FieldNormReader)>,
    /// Length normalization of BM25, by the field norm id of a document.
    pub norms: [f32; 256],
    documents: u64,
}

impl SearchedField {
    fn of(searcher: &Searcher, field: Field, documents: u64) -> tantivy::Result<Self> {
        let segments = searcher.segment_readers().iter();
        let segments: Vec<(Arc<InvertedIndexReader>, FieldNormReader)> = segments
            .map(|reader| Ok((reader.inverted_index(field)?, reader.get_fieldnorms_reader(field)?)))
            .collect::<tantivy::Result<_>>()?;
        let words: u64 = segments.iter().map(|(index, _)| index.total_num_tokens()).sum();
        let average = (words as f32 / documents.max(1) as f32).max(f32::MIN_POSITIVE);
        let mut norms = [0.0; 256];
        for (number, norm) in (0_u8..=255).zip(&mut norms) {
            let length = FieldNormReader::id_to_fieldnorm(number) as f32;
            *norm = K1 * (1.0 - B + B * length / average);
        }
        Ok(Self { field, segments, norms, documents })
    }

    /// Returns the BM25 weight of a term that occurs in `frequency` documents.
    pub fn term_weight(&self, frequency: u64) -> f32 {
        let (frequency, documents) = (frequency as f32, self.documents as f32);
        (1.0 + (documents - frequency + 0.5).max(0.0) / (frequency + 0.5)).ln() * (1.0 + K1)
    }
}

impl SearchIndex {
    /// Builds the tables, reusing those of segments in `before`.
    pub fn new(searcher: Searcher, fields: &[Field], before: Option<&Self>) -> tantivy::Result<Self> {
        let known: HashMap<SegmentId, &Arc<SegmentTable>> = before
            .into_iter()
            .flat_map(|half| half.searcher.segment_readers().iter().zip(&half.tables))
            .map(|(reader, table)| (reader.segment_id(), table))
            .collect();
        let tables = searcher.segment_readers().iter().map(|reader| {
            known.get(&reader.segment_id()).map_or_else(
                || SegmentTable::of(reader).map(Arc::new),
                |table| tantivy::Result::Ok(Arc::clone(table)),
            )
        });
        let tables = tables.collect::<tantivy::Result<_>>()?;
        let documents = searcher.segment_readers().iter().map(|reader| u64::from(reader.max_doc())).sum();
        let fields = fields.iter().map(|field| SearchedField::of(&searcher, *field, documents));
        Ok(Self { tables, fields: fields.collect::<tantivy::Result<_>>()?, searcher })
    }

    /// Looks up a term in one of the fields; returns `None` if it does not occur.
    pub fn look_up_term(&self, field: usize, term: &str, boost: f32) -> tantivy::Result<Option<QueryTerm>> {
        let searched = &self.fields[field];
        let term = Term::from_field_text(searched.field, term);
        let infos = searched.segments.iter().map(|(index, _)| index.get_term_info(&term));
        let infos: Vec<Option<TermInfo>> = infos.collect::<std::io::Result<_>>()?;
        Ok(infos.iter().any(Option::is_some).then_some(QueryTerm { field, term, boost, infos }))
    }
}

/// Consecutive documents of one record.
#[derive(Debug, Clone, Copy)]
pub struct RecordDocumentRange {
    pub slot: u32,
    pub from: u32,
    pub to: u32,
    /// Box around all documents of the run, or [`DocumentBox::NOWHERE`].
    pub around: DocumentBox,
}

/// Table of a segment.
pub struct SegmentTable {
    pub runs: Vec<RecordDocumentRange>,
    /// Index of the run, by document.
    pub run_of: Vec<u32>,
    /// Box, by document.
    pub spots: Vec<DocumentBox>,
    /// Position of the layer in its record, by document.
    pub places: Vec<u32>,
    /// South and north of each run, stored contiguously for fast scans.
    pub latitudes: Vec<(i32, i32)>,
    /// Indexes of the runs, sorted by slot.
    by_slot: Vec<u32>,
    common: Mutex<CommonTerms>,
    parts: OnceLock<String>,
}

#[derive(Default)]
struct CommonTerms {
    sets: HashMap<(Field, Vec<u8>), Arc<BitSet>>,
    bytes: usize,
}

impl SegmentTable {
    fn of(reader: &SegmentReader) -> tantivy::Result<Self> {
        let fast = reader.fast_fields();
        let full = |name: &str| tantivy::Result::Ok(fast.u64(name)?.first_or_default_col(u64::MAX));
        let (slots, places) = (full(column::SLOT)?, full(column::PLACE)?);
        let (west_south, east_north) = (full(column::WEST_SOUTH)?, full(column::EAST_NORTH)?);
        let documents = reader.max_doc();
        let mut table = Self {
            runs: Vec::new(),
            run_of: Vec::with_capacity(documents as usize),
            spots: Vec::with_capacity(documents as usize),
            places: Vec::with_capacity(documents as usize),
            latitudes: Vec::new(),
            by_slot: Vec::new(),
            common: Mutex::default(),
            parts: OnceLock::new(),
        };
        for document in 0..documents {
            let slot = u32::try_from(slots.get_val(document)).unwrap_or(u32::MAX);
            let packed = (west_south.get_val(document), east_north.get_val(document));
            let spot = FixedPointBox::unpack(packed).map_or(DocumentBox::NOWHERE, DocumentBox::from_box);
            match table.runs.last_mut() {
                Some(run) if run.slot == slot => {
                    run.to = document + 1;
                    run.around = run.around.enclosing_box(spot);
                }
                _ => table.runs.push(RecordDocumentRange {
                    slot,
                    from: document,
                    to: document + 1,
                    around: spot,
                }),
            }
            table.run_of.push(table.runs.len() as u32 - 1);
            table.spots.push(spot);
            table.places.push(u32::try_from(places.get_val(document)).unwrap_or(u32::MAX));
        }
        table.latitudes = table.runs.iter().map(|run| run.around.latitude_range()).collect();
        table.by_slot = (0..table.runs.len() as u32).collect();
        table.by_slot.sort_by_key(|run| table.runs[*run as usize].slot);
        Ok(table)
    }

    /// Returns the runs of a record: usually one, but more if its layers were written in several
    /// pieces.
    pub fn document_ranges_of(&self, slot: u64) -> impl Iterator<Item = &RecordDocumentRange> {
        let slot_of = |run: &u32| u64::from(self.runs[*run as usize].slot);
        let from = self.by_slot.partition_point(|run| slot_of(run) < slot);
        self.by_slot[from..]
            .iter()
            .map(|run| &self.runs[*run as usize])
            .take_while(move |run| u64::from(run.slot) == slot)
    }

    /// Returns the number of documents, including deleted ones.
    pub fn document_count(&self) -> u32 {
        self.spots.len() as u32
    }

    /// Returns whether every document is a separate record, as for services; then run `n` is
    /// document `n`.
    pub fn has_one_document_per_record(&self) -> bool {
        self.runs.len() == self.spots.len()
    }

    /// Returns all terms of a field, one per line, for substring searches: scanning this text is
    /// much faster than decompressing every term of the dictionary. The text is built on first use,
    /// so callers must always pass the same field.
    pub fn term_lines(&self, index: &InvertedIndexReader) -> std::io::Result<&str> {
        if let Some(lines) = self.parts.get() {
            return Ok(lines);
        }
        let mut lines = String::from("\n");
        let mut terms = index.terms().stream()?;
        while terms.advance() {
            if let Ok(term) = std::str::from_utf8(terms.key()) {
                lines.push_str(term);
                lines.push('\n');
            }
        }
        Ok(self.parts.get_or_init(|| lines))
    }

    /// Returns the documents of a common term from a cache, because queries repeat common words.
    /// Returns `None` for rare terms.
    pub fn common_term_documents(
        &self,
        field: Field,
        term: &[u8],
        frequency: u32,
        make: impl FnOnce() -> std::io::Result<BitSet>,
    ) -> std::io::Result<Option<Arc<BitSet>>> {
        if frequency < self.document_count() / COMMON || frequency < 512 {
            return Ok(None);
        }
        let key = (field, term.to_vec());
        let common = || self.common.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = common().sets.get(&key) {
            return Ok(Some(Arc::clone(known)));
        }
        let made = Arc::new(make()?);
        // Clearing the whole cache is simpler than tracking use, and the common sets return with
        // the next queries.
        let mut common = common();
        if common.bytes + made.size_bytes() > KEPT_FOR_EACH * self.spots.len() {
            *common = CommonTerms::default();
        }
        common.bytes += made.size_bytes();
        common.sets.insert(key, Arc::clone(&made));
        Ok(Some(made))
    }
}
