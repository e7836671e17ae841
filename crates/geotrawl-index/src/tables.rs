//! What the search needs of every document of a segment, in memory: whose it is, and where it lies.
//!
//! A segment never changes, so that its table is made once and shared by all snapshots that hold the segment. Layers
//! of one record follow each other: of a run of them the box around is tested first, so that most of a catalogue is
//! passed over without a look at its layers. Thirty-two bytes a layer; columns of the engine's would be unpacked one
//! value at a time, behind two virtual calls.

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

/// Of BM25: how soon repetitions stop counting, and how much the length of a text counts. As the engine has them.
const K1: f32 = 1.2;
const B: f32 = 0.75;
/// Most bytes of sets of common terms kept for each document of the segment; beyond, they are made anew.
const KEPT_FOR_EACH: usize = 32;
/// A term in a larger share of the documents than one in so many is common.
const COMMON: u32 = 48;

/// One of the two indexes, to search in.
pub struct SearchIndex {
    pub searcher: Searcher,
    /// By segment.
    pub tables: Vec<Arc<SegmentTable>>,
    /// Fields in which plain words are looked for.
    pub fields: Vec<SearchedField>,
}

/// A field in which plain words are looked for.
pub struct SearchedField {
    pub field: Field,
    /// By segment.
    pub segments: Vec<(Arc<InvertedIndexReader>, FieldNormReader)>,
    /// What the length of a document puts below the frequency, by its number.
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

    /// What a term in so many documents weighs.
    pub fn term_weight(&self, frequency: u64) -> f32 {
        let (frequency, documents) = (frequency as f32, self.documents as f32);
        (1.0 + (documents - frequency + 0.5).max(0.0) / (frequency + 0.5)).ln() * (1.0 + K1)
    }
}

impl SearchIndex {
    /// With the tables of segments that were there before.
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

    /// A term in one of the fields, where it occurs.
    pub fn look_up_term(&self, field: usize, term: &str, boost: f32) -> tantivy::Result<Option<QueryTerm>> {
        let searched = &self.fields[field];
        let term = Term::from_field_text(searched.field, term);
        let infos = searched.segments.iter().map(|(index, _)| index.get_term_info(&term));
        let infos: Vec<Option<TermInfo>> = infos.collect::<std::io::Result<_>>()?;
        Ok(infos.iter().any(Option::is_some).then_some(QueryTerm { field, term, boost, infos }))
    }
}

/// Documents after each other of one record.
#[derive(Debug, Clone, Copy)]
pub struct RecordRun {
    pub slot: u32,
    pub from: u32,
    pub to: u32,
    /// Around all of them; nowhere where none has a place.
    pub around: DocumentBox,
}

/// The table of a segment.
pub struct SegmentTable {
    pub runs: Vec<RecordRun>,
    /// By document: number of its run.
    pub run_of: Vec<u32>,
    /// By document.
    pub spots: Vec<DocumentBox>,
    /// By document: place of the layer in its record.
    pub places: Vec<u32>,
    /// By run: its southernmost and northernmost place, which are read one after the other.
    pub latitudes: Vec<(i32, i32)>,
    /// Numbers of runs, by slot.
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
                _ => table.runs.push(RecordRun { slot, from: document, to: document + 1, around: spot }),
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

    /// Runs of a record: mostly one; more where a record's layers were written in two pieces.
    pub fn runs_of(&self, slot: u64) -> impl Iterator<Item = &RecordRun> {
        let slot_of = |run: &u32| u64::from(self.runs[*run as usize].slot);
        let from = self.by_slot.partition_point(|run| slot_of(run) < slot);
        self.by_slot[from..]
            .iter()
            .map(|run| &self.runs[*run as usize])
            .take_while(move |run| u64::from(run.slot) == slot)
    }

    /// How many documents there are, those that are gone included.
    pub fn document_count(&self) -> u32 {
        self.spots.len() as u32
    }

    /// Whether every document is a record of its own, as services are: the number of a run is then its document's.
    pub fn has_one_document_per_record(&self) -> bool {
        self.runs.len() == self.spots.len()
    }

    /// All terms of a field, a line each, for what is looked for within words: a way through the dictionary unpacks
    /// every term, a way through this text reads many bytes at once. Made when it is first asked for, always of the
    /// same field.
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

    /// Documents of a term: kept where it is common, as questions ask for common words again and again.
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
        let mut common = common();
        if common.bytes + made.size_bytes() > KEPT_FOR_EACH * self.spots.len() {
            *common = CommonTerms::default();
        }
        common.bytes += made.size_bytes();
        common.sets.insert(key, Arc::clone(&made));
        Ok(Some(made))
    }
}
