//! Schema of the two indexes, and their tokenizer.
//!
//! Text is analysed before it reaches the engine (see [`crate::ingest`]): a record may mix
//! languages, title words weigh more than words of an abstract, and words are indexed both stemmed
//! and as written. The engine receives words separated by spaces; a word with a higher weight is
//! repeated. So all text of a document is in one field and is scored as in BM25F, with weights
//! applied before saturation, and a query word is one posting list instead of one per field.

use tantivy::schema::{
    FAST, Field, INDEXED, IndexRecordOption, NumericOptions, STORED, Schema, TextFieldIndexing, TextOptions,
};
use tantivy::tokenizer::{TextAnalyzer, Token, TokenStream, Tokenizer};

/// Prefix of a stem in the term dictionary; terms without a prefix are folded words.
pub const STEM: char = '~';
/// Prefix of the kind of a record: `=wms`.
pub const KIND: char = '=';
/// Prefix of the code of a country that a record covers: `@nl`.
pub const COUNTRY: char = '@';

/// Fields of both indexes. Fields marked "Services" are only filled for services.
#[derive(Debug, Clone, Copy)]
pub struct SchemaFields {
    /// Slot of the record's row.
    pub slot: Field,
    /// Words and stems, repeated by weight.
    pub text: Field,
    /// Words prefixed with their part (`t:land`), with positions, for phrases and fields.
    pub part: Field,
    /// `kind:wms`, `country:de`, `host:example.org`, ...
    pub tag: Field,
    /// Services: words and stems of the abstract. It mentions many things in passing, and once BM25
    /// saturates, no repetition gives a title enough weight, so it has its own field. Layers index
    /// it in `text`.
    pub about: Field,
    /// Services: words and stems of the layers.
    pub layers: Field,
    /// Services: words and stems of the pages that revealed it.
    pub pages: Field,
    /// Services: suggestions.
    pub suggest: Field,
    /// Stored JSON.
    pub document: Field,
}

impl SchemaFields {
    /// Returns the fields searched for plain words of services.
    pub fn service_fields(&self) -> [Field; 4] {
        [self.text, self.about, self.layers, self.pages]
    }

    /// Returns the fields searched for plain words of layers.
    pub fn layer_fields(&self) -> [Field; 1] {
        [self.text]
    }
}

/// Names of the columns.
pub mod column {
    pub const SLOT: &str = "slot";
    /// Position of the layer in its record.
    pub const PLACE: &str = "place";
    pub const WEST_SOUTH: &str = "west_south";
    pub const EAST_NORTH: &str = "east_north";
    pub const FROM: &str = "from";
    pub const TO: &str = "to";
    /// First and second eight bytes of the folded title, for sorting.
    pub const TITLE: [&str; 2] = ["title_1", "title_2"];
}

/// Registered name of the tokenizer.
pub const CUT: &str = "cut";

/// Builds the schema of both indexes: fields that one index leaves empty cost nothing.
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

/// Splits at spaces; a line break leaves a gap that no phrase spans.
#[derive(Debug, Clone, Default)]
pub struct WhitespaceTokenizer {
    token: Token,
}

impl WhitespaceTokenizer {
    /// Returns an analyzer to register with the engine.
    pub fn build_analyzer() -> TextAnalyzer {
        TextAnalyzer::builder(Self::default()).build()
    }
}

/// Token stream of [`WhitespaceTokenizer`].
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
