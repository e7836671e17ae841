//! The two indexes: their fields, and the tokenizer that only cuts.
//!
//! Text is analysed before it reaches the engine (see [`crate::ingest`]): one record may mix languages, words of a
//! title weigh more than words of an abstract, and the same words are wanted stemmed and as written. The engine is
//! given words separated by blanks; a word that weighs more is given more often. So all text of a document stands in
//! one field and is scored as BM25F does, weights before saturation, and a word of a question is one list to read
//! instead of one for each field.

use tantivy::schema::{
    FAST, Field, INDEXED, IndexRecordOption, NumericOptions, STORED, Schema, TextFieldIndexing, TextOptions,
};
use tantivy::tokenizer::{TextAnalyzer, Token, TokenStream, Tokenizer};

/// Marks a stem in the term dictionary; what has no mark is a word as it is written (folded).
pub const STEM: char = '~';
/// Before what a record is: `=wms`.
pub const KIND: char = '=';
/// Before the code of a country that a record is about: `@nl`.
pub const COUNTRY: char = '@';

/// Fields of the index of services and of the index of layers. The ones marked stand only in that of services.
#[derive(Debug, Clone, Copy)]
pub struct SchemaFields {
    /// Number of the record's row.
    pub slot: Field,
    /// Words and stems by weight.
    pub text: Field,
    /// Words with their part (`t:land`), with positions: for phrases and fields.
    pub part: Field,
    /// `kind:wms`, `country:de`, `host:example.org`, ...
    pub tag: Field,
    /// Services: words and stems of the abstract, which mentions much in passing: no number of repetitions makes a
    /// title weigh enough against it once BM25 saturates, so that it stands apart. Layers have it in `text`.
    pub about: Field,
    /// Services: words and stems of its layers.
    pub layers: Field,
    /// Services: words and stems of pages that revealed it.
    pub pages: Field,
    /// Services: what may be suggested.
    pub suggest: Field,
    /// Stored JSON.
    pub document: Field,
}

impl SchemaFields {
    /// Where plain words of services are looked for.
    pub fn service_fields(&self) -> [Field; 4] {
        [self.text, self.about, self.layers, self.pages]
    }

    /// Where plain words of layers are looked for.
    pub fn layer_fields(&self) -> [Field; 1] {
        [self.text]
    }
}

/// Columns, by name.
pub mod column {
    pub const SLOT: &str = "slot";
    /// Place of the layer in its record.
    pub const PLACE: &str = "place";
    pub const WEST_SOUTH: &str = "west_south";
    pub const EAST_NORTH: &str = "east_north";
    pub const FROM: &str = "from";
    pub const TO: &str = "to";
    /// First and second eight bytes of the folded title, for sorting.
    pub const TITLE: [&str; 2] = ["title_1", "title_2"];
}

/// Name of the tokenizer that cuts at blanks.
pub const CUT: &str = "cut";

/// Both indexes share a schema: fields of one that the other leaves empty cost nothing.
pub fn build_schema() -> (Schema, SchemaFields) {
    let mut builder = Schema::builder();
    let text = |option, norms| {
        let indexing =
            TextFieldIndexing::default().set_tokenizer(CUT).set_index_option(option).set_fieldnorms(norms);
        TextOptions::default().set_indexing_options(indexing)
    };
    let slot = builder.add_u64_field(column::SLOT, INDEXED | FAST);
    for name in [column::PLACE, column::WEST_SOUTH, column::EAST_NORTH, column::TITLE[0], column::TITLE[1]] {
        builder.add_u64_field(name, NumericOptions::default() | FAST);
    }
    for name in [column::FROM, column::TO] {
        builder.add_i64_field(name, NumericOptions::default() | FAST);
    }
    let fields = SchemaFields {
        slot,
        text: builder.add_text_field("text", text(IndexRecordOption::WithFreqs, true)),
        part: builder.add_text_field("part", text(IndexRecordOption::WithFreqsAndPositions, false)),
        tag: builder.add_text_field("tag", text(IndexRecordOption::Basic, false)),
        about: builder.add_text_field("about", text(IndexRecordOption::WithFreqs, true)),
        layers: builder.add_text_field("layers", text(IndexRecordOption::WithFreqs, true)),
        pages: builder.add_text_field("pages", text(IndexRecordOption::WithFreqs, true)),
        suggest: builder.add_text_field(
            "suggest",
            TextOptions::default().set_indexing_options(
                TextFieldIndexing::default()
                    .set_tokenizer("raw")
                    .set_index_option(IndexRecordOption::Basic)
                    .set_fieldnorms(false),
            ),
        ),
        document: builder.add_bytes_field("document", STORED),
    };
    (builder.build(), fields)
}

/// Cuts at blanks; a line end leaves a gap that no phrase bridges.
#[derive(Debug, Clone, Default)]
pub struct WhitespaceTokenizer {
    token: Token,
}

impl WhitespaceTokenizer {
    /// For the engine's register.
    pub fn build_analyzer() -> TextAnalyzer {
        TextAnalyzer::builder(Self::default()).build()
    }
}

/// See [`Cut`].
pub struct WhitespaceTokenStream<'a> {
    text: &'a str,
    at: usize,
    next_position: usize,
    token: &'a mut Token,
}

impl Tokenizer for WhitespaceTokenizer {
    type TokenStream<'a> = WhitespaceTokenStream<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> WhitespaceTokenStream<'a> {
        self.token.reset();
        WhitespaceTokenStream { text, at: 0, next_position: 0, token: &mut self.token }
    }
}

impl TokenStream for WhitespaceTokenStream<'_> {
    fn advance(&mut self) -> bool {
        let bytes = self.text.as_bytes();
        while let Some(byte @ (b' ' | b'\n')) = bytes.get(self.at) {
            if *byte == b'\n' {
                self.next_position += 16;
            }
            self.at += 1;
        }
        if self.at >= bytes.len() {
            return false;
        }
        let length = bytes[self.at..].iter().position(|byte| matches!(byte, b' ' | b'\n'));
        let end = length.map_or(bytes.len(), |length| self.at + length);
        self.token.text.clear();
        self.token.text.push_str(&self.text[self.at..end]);
        self.token.offset_from = self.at;
        self.token.offset_to = end;
        self.token.position = self.next_position;
        self.next_position += 1;
        self.at = end;
        true
    }

    fn token(&self) -> &Token {
        self.token
    }

    fn token_mut(&mut self) -> &mut Token {
        self.token
    }
}
