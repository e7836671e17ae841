//! Builds the index documents of a record: one for the service and one for each layer.

use crate::boxes::{FixedPointBox, NOWHERE};
use crate::moments;
use crate::rows::StoredRow;
use crate::schema::{COUNTRY, KIND, STEM, SchemaFields, column};
use crate::words::synonyms::{detect_language_of_short_text, record_language};
use crate::words::{areas, compounds, lands};
use geotrawl_kinds::kinds;
use geotrawl_model::Dataset;
use geotrawl_model::change::RecordDocument;
use geotrawl_text::{LONGEST_WORD, Language, detect_language, fold, split_words};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use tantivy::TantivyDocument;
use tantivy::schema::{Field, Schema};

/// Maximum bytes of layer words in a service's document: more layers add few new words.
const LAYER_WORDS: usize = 96 * 1024;
/// Maximum bytes of a layer's abstract that are read for the service's document.
const LAYER_TEXT: usize = 600;
/// Maximum bytes that are read of an abstract, a title or a list of keywords.
const LONGEST_TEXT: usize = 8 * 1024;
/// Bytes of text that suffice to detect the language.
const ENOUGH_TO_TELL: usize = 300;
/// Maximum bytes of an abstract that are stored for snippets, of services and of layers.
const KEPT: [usize; 2] = [1_500, 300];
/// Maximum bytes that are stored of a layer's title and name.
const KEPT_TITLE: usize = 300;
/// Maximum bytes of a folded title that are stored for sorting and comparing.
pub const LONGEST_SORTED: usize = 500;
/// Maximum bytes of a value that is stored as a tag, and maximum number of keyword tags.
pub const LONGEST_TAG: usize = 1_000;
const MOST_SUBJECTS: usize = 500;
/// Maximum bytes of a suggestion.
const LONGEST_SUGGESTION: usize = 90;

/// Weight of a word by where it occurs: how often it is repeated in the indexed text.
mod weight {
    pub const TITLE: usize = 4;
    pub const KEYWORD: usize = 3;
    pub const NAME: usize = 3;
    pub const TEXT: usize = 1;
    pub const PROVIDER: usize = 2;
    /// A country that contains the record; a country derived from its host or language has 1.
    pub const COUNTRY: usize = 2;
}

/// Data stored with a service's document. Hits only need the texts and skip the row.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct StoredService<R = StoredRow> {
    pub row: R,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub title: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub keywords: Vec<String>,
}

/// Data stored with a layer's document.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct StoredLayer {
    #[serde(rename = "n")]
    pub name: String,
    #[serde(rename = "t", default, skip_serializing_if = "String::is_empty")]
    pub title: String,
    #[serde(rename = "a", default, skip_serializing_if = "String::is_empty")]
    pub text: String,
}

/// Indexed words of one document.
#[derive(Default)]
struct DocumentWords {
    /// Words and stems, repeated by weight.
    text: String,
    /// Words prefixed with their part.
    part: String,
    /// Pairs of words written as one, as tags.
    joined: String,
}

impl DocumentWords {
    fn add(&mut self, text: &str, weight: usize, part: char, language: Language) {
        self.part.push('\n');
        let mut before: Option<String> = None;
        for piece in split_words(truncate_text(text, LONGEST_TEXT)) {
            if piece.text.len() > LONGEST_WORD {
                before = None;
                continue;
            }
            let lower = piece.text.to_lowercase();
            let folded = fold(&lower);
            self.part.push(part);
            self.part.push(':');
            self.part.push_str(&folded);
            self.part.push(' ');
            // `LandUse` also matches `landuse`, as many people write it.
            if let Some(before) =
                before.take().filter(|_| piece.joined && !folded.starts_with(|c: char| c.is_ascii_digit()))
            {
                let joined = before + &folded;
                if joined.len() <= LONGEST_WORD {
                    self.joined.extend(["joined:", &joined, " "]);
                    push(&mut self.text, &joined, None, 1);
                    push(&mut self.text, &language.stem(&joined), Some(STEM), 1);
                }
            }
            if !language.is_stop_word(&folded) {
                push(&mut self.text, &folded, None, weight);
                push(&mut self.text, &language.stem(&lower), Some(STEM), weight);
                for part in compounds::compound_stems(&folded) {
                    push(&mut self.text, part, Some(STEM), 1);
                }
                before = (!folded.starts_with(|c: char| c.is_ascii_digit())).then(|| folded.into_owned());
            }
        }
    }

    /// Adds words that belong to no language, such as those of URLs and software names.
    fn add_plain(&mut self, text: &str, part: char) {
        self.part.push('\n');
        for piece in
            split_words(truncate_text(text, LONGEST_TEXT)).filter(|piece| piece.text.len() <= LONGEST_WORD)
        {
            let folded = fold(piece.text);
            self.part.push(part);
            self.part.push(':');
            self.part.push_str(&folded);
            self.part.push(' ');
            push(&mut self.text, &folded, None, 1);
            push(&mut self.text, &folded, Some(STEM), 1);
        }
    }
}

fn push(to: &mut String, word: &str, mark: Option<char>, times: usize) {
    if word.is_empty() {
        return;
    }
    for _ in 0..times {
        to.extend(mark);
        to.push_str(word);
        to.push(' ');
    }
}

/// Truncates a text at a character boundary.
pub fn truncate_text(text: &str, most: usize) -> &str {
    &text[..text.floor_char_boundary(most)]
}

/// Returns the text by which layers are sorted by title.
pub fn title_sort_key(title: &str, name: &str) -> String {
    fold(if title.is_empty() { name } else { title }.trim()).into_owned()
}

/// Builds documents for the schema.
pub struct DocumentBuilder {
    pub fields: SchemaFields,
    place: Field,
    west_south: Field,
    east_north: Field,
    from: Field,
    to: Field,
    titles: [Field; 2],
}

/// Data that all layers of a record share.
pub struct SharedLayerData {
    slot: u64,
    language: Language,
    text: String,
    tags: String,
    area: Option<FixedPointBox>,
    countries: RecordCountries,
}

impl DocumentBuilder {
    /// Creates a builder for a schema.
    pub fn new(schema: &Schema, fields: SchemaFields) -> tantivy::Result<Self> {
        Ok(Self {
            fields,
            place: schema.get_field(column::PLACE)?,
            west_south: schema.get_field(column::WEST_SOUTH)?,
            east_north: schema.get_field(column::EAST_NORTH)?,
            from: schema.get_field(column::FROM)?,
            to: schema.get_field(column::TO)?,
            titles: [schema.get_field(column::TITLE[0])?, schema.get_field(column::TITLE[1])?],
        })
    }

    /// Builds the document of a service. Also returns its row and the data that its layers share.
    pub fn build_service(
        &self,
        slot: u64,
        document: &RecordDocument,
    ) -> (TantivyDocument, StoredRow, SharedLayerData) {
        let record = &document.record;
        let resource = &record.resource;
        let title = resource.title.as_deref().unwrap_or_default();
        let text = resource.abstract_.as_deref().unwrap_or_default();
        let keywords = truncate_text(&resource.keywords.join("\n"), LONGEST_TEXT).to_owned();
        let mut sample =
            format!("{title}. {}. {}", truncate_text(text, 2_000), truncate_text(&keywords, 500));
        // If the service itself has little text, its layers' titles help to detect the language.
        for layer in resource.datasets.iter().filter_map(|layer| layer.title.as_deref()) {
            if sample.len() >= ENOUGH_TO_TELL {
                break;
            }
            sample.push_str(". ");
            sample.push_str(truncate_text(layer, 100));
        }
        let language = record_language(&resource.languages, &sample);
        let provider = provider(document);

        let mut words = DocumentWords::default();
        words.add(title, weight::TITLE, 't', language);
        let mut about = DocumentWords::default();
        about.add(text, weight::TEXT, 'a', language);
        words.part.push_str(&about.part);
        words.add(&keywords, weight::KEYWORD, 'k', language);
        words.add(&provider, weight::PROVIDER, 'p', language);
        for theme in &record.themes {
            words.add(&theme.term, weight::KEYWORD, 'k', Language::ENGLISH);
        }
        let kind = kind_words(&resource.kind);
        words.add(&kind, 1, 's', Language::ENGLISH);
        kind_marks(&resource.kind, &mut words.text);
        let area =
            resource.bbox.as_ref().and_then(FixedPointBox::from_bbox).or_else(|| hull(&resource.datasets));
        let countries = countries(area, &record.host.name, language);
        countries.add(&mut words.text);
        words.add_plain(&address_words(&resource.url), 'u');
        for alias in record.aliases.iter().take(4) {
            words.add_plain(&address_words(alias), 'u');
        }
        words.add_plain(resource.software.as_deref().unwrap_or_default(), 's');

        let mut made = TantivyDocument::default();
        let times = resource.datasets.iter().take(100_000).flat_map(|dataset| dataset.time.iter());
        self.columns(
            &mut made,
            slot,
            area,
            times.take(100_000).filter_map(|time| moments::parse_time_extent(time)),
        );
        made.add_u64(self.place, 0);
        made.add_text(self.fields.text, &words.text);
        let [called, said] = Self::layer_words(&resource.datasets, language, &mut words.part);
        made.add_text(self.fields.about, about.text + &said);
        made.add_text(self.fields.layers, &called);
        made.add_text(self.fields.part, &words.part);
        let mut pages = DocumentWords::default();
        for page in document.pages.iter().take(8) {
            let spoken = format!("{} {}", truncate_text(&page.title, 500), truncate_text(&page.words, 500));
            pages.add(
                &spoken,
                1,
                'w',
                detect_language_of_short_text(&spoken)
                    .or_else(|| detect_language(&spoken))
                    .unwrap_or(language),
            );
        }
        made.add_text(self.fields.pages, &pages.text);
        let tags = tags(document);
        made.add_text(
            self.fields.tag,
            format!("{tags}{}{}{}", own_tags(document), words.joined, about.joined),
        );
        self.suggestions(&mut made, title, "title");
        self.suggestions(&mut made, &provider, "provider");
        for keyword in resource.keywords.iter().take(60) {
            self.suggestions(&mut made, keyword, "keyword");
        }

        let folded = fold(title.trim()).into_owned();
        let row = StoredRow::from_record(
            record,
            truncate_text(&folded, LONGEST_SORTED).to_owned(),
            language.number(),
        );
        let stored = StoredService {
            row: row.clone(),
            title: truncate_text(title, 500).to_owned(),
            text: truncate_text(text, KEPT[0]).to_owned(),
            keywords: resource
                .keywords
                .iter()
                .take(20)
                .map(|word| truncate_text(word, 80).to_owned())
                .collect(),
        };
        made.add_bytes(self.fields.document, &serde_json::to_vec(&stored).unwrap_or_default());
        // Layers also match the title of their service, with the lowest weight.
        let mut shared = DocumentWords::default();
        shared.add(title, 1, 'x', language);
        shared.add(&provider, 1, 'x', language);
        shared.add(&kind, 1, 's', Language::ENGLISH);
        kind_marks(&resource.kind, &mut shared.text);
        (made, row, SharedLayerData { slot, language, text: shared.text, tags, area, countries })
    }

    /// Builds the document of a layer.
    pub fn build_layer(&self, shared: &SharedLayerData, place: usize, dataset: &Dataset) -> TantivyDocument {
        let title = dataset.title.as_deref().unwrap_or_default();
        let text = dataset.abstract_.as_deref().unwrap_or_default();
        let mut words = DocumentWords { text: shared.text.clone(), ..DocumentWords::default() };
        words.add(title, weight::TITLE, 't', shared.language);
        // Many servers repeat the name as the title, which must not count twice.
        let weight = if dataset.name == title { 0 } else { weight::NAME };
        words.add(&dataset.name, weight, 'n', shared.language);
        words.add(text, weight::TEXT, 'a', shared.language);
        for keyword in dataset.keywords.iter().take(100) {
            words.add(keyword, weight::KEYWORD, 'k', shared.language);
        }
        let mut made = TantivyDocument::default();
        let area = dataset.bbox.as_ref().and_then(FixedPointBox::from_bbox).or(shared.area);
        if area == shared.area {
            shared.countries.add(&mut words.text);
        } else {
            area.map(named_areas).unwrap_or_default().add(&mut words.text);
        }
        let times = dataset.time.iter().take(10_000).filter_map(|time| moments::parse_time_extent(time));
        self.columns(&mut made, shared.slot, area, times);
        made.add_u64(self.place, place as u64);
        made.add_text(self.fields.text, &words.text);
        made.add_text(self.fields.part, &words.part);
        made.add_text(self.fields.tag, &shared.tags);
        let folded =
            title_sort_key(truncate_text(title, KEPT_TITLE), truncate_text(&dataset.name, KEPT_TITLE));
        // The first 16 bytes, in two columns, sort most titles without reading stored documents.
        for (field, half) in self.titles.iter().zip([0, 8]) {
            let mut bytes = [0; 8];
            for (to, from) in bytes.iter_mut().zip(folded.as_bytes().iter().skip(half)) {
                *to = *from;
            }
            made.add_u64(*field, u64::from_be_bytes(bytes));
        }
        let stored = StoredLayer {
            name: truncate_text(&dataset.name, KEPT_TITLE).to_owned(),
            title: truncate_text(title, KEPT_TITLE).to_owned(),
            text: truncate_text(text, KEPT[1]).to_owned(),
        };
        made.add_bytes(self.fields.document, &serde_json::to_vec(&stored).unwrap_or_default());
        made
    }

    fn columns(
        &self,
        made: &mut TantivyDocument,
        slot: u64,
        area: Option<FixedPointBox>,
        times: impl Iterator<Item = (i64, i64)>,
    ) {
        made.add_u64(self.fields.slot, slot);
        let (west_south, east_north) = area.map_or(NOWHERE, FixedPointBox::pack);
        made.add_u64(self.west_south, west_south);
        made.add_u64(self.east_north, east_north);
        if let Some((from, to)) = times.reduce(|(a, b), (from, to)| (a.min(from), b.max(to))) {
            made.add_i64(self.from, from);
            made.add_i64(self.to, to);
        }
    }

    /// Returns each word of the layers once, up to a limit: words of titles, names and keywords,
    /// then words of abstracts.
    fn layer_words(datasets: &[Dataset], language: Language, part: &mut String) -> [String; 2] {
        let mut seen: HashSet<String> = HashSet::new();
        let mut words = [String::new(), String::new()];
        let mut add = |text: &str, to: &mut String, mut each: Option<&mut String>| {
            for piece in split_words(text).filter(|piece| piece.text.len() <= LONGEST_WORD) {
                let lower = piece.text.to_lowercase();
                let folded = fold(&lower);
                if to.len() > LAYER_WORDS || language.is_stop_word(&folded) || seen.contains(&*folded) {
                    continue;
                }
                push(to, &folded, None, 1);
                push(to, &language.stem(&lower), Some(STEM), 1);
                for part in compounds::compound_stems(&folded) {
                    push(to, part, Some(STEM), 1);
                }
                if let Some(part) = &mut each {
                    part.extend(["l:", &folded, " "]);
                }
                seen.insert(folded.into_owned());
            }
        };
        let [called, said] = &mut words;
        part.push('\n');
        for dataset in datasets {
            if called.len() > LAYER_WORDS {
                break;
            }
            let texts = [dataset.title.as_deref().unwrap_or_default(), &dataset.name];
            let keywords = dataset.keywords.iter().take(20).map(|keyword| &**keyword);
            for text in texts.into_iter().chain(keywords) {
                add(truncate_text(text, 400), called, Some(part));
            }
        }
        for text in datasets.iter().filter_map(|dataset| dataset.abstract_.as_deref()) {
            if said.len() > LAYER_WORDS {
                break;
            }
            add(truncate_text(text, LAYER_TEXT), said, None);
        }
        words
    }

    fn suggestions(&self, made: &mut TantivyDocument, text: &str, kind: &str) {
        let text = text.trim();
        if text.len() < 2 || text.len() > LONGEST_SUGGESTION || text.contains(char::is_control) {
            return;
        }
        made.add_text(self.fields.suggest, format!("{}\u{1}{kind}\u{1}{text}", fold(text)));
    }
}

/// Countries and other areas that a record covers, with their weights.
#[derive(Default)]
struct RecordCountries {
    /// Areas that contain the record.
    codes: Vec<&'static str>,
    /// Country of its host or language, if it lies in no country.
    told: Option<&'static str>,
}

impl RecordCountries {
    fn add(&self, to: &mut String) {
        for code in &self.codes {
            push(to, code, Some(COUNTRY), weight::COUNTRY);
        }
        if let Some(code) = self.told {
            push(to, code, Some(COUNTRY), 1);
        }
    }
}

/// Returns the areas that contain a record. If there is no country among them, because the record
/// has no box or covers the whole world, adds the country of its host or language.
fn countries(area: Option<FixedPointBox>, host: &str, language: Language) -> RecordCountries {
    let mut countries = area.map(named_areas).unwrap_or_default();
    // Codes of countries have no hyphen.
    if countries.codes.iter().all(|code| code.contains('-')) {
        countries.told = lands::country_of_host(host).or_else(|| lands::country_of_language(language.code()));
    }
    countries
}

/// Returns the named areas that a box covers.
fn named_areas(area: FixedPointBox) -> RecordCountries {
    let bbox = area.to_bbox();
    let mut codes = lands::countries_of_box(&bbox);
    codes.extend(areas::areas_of_box(&bbox));
    RecordCountries { codes, told: None }
}

/// Returns the box around all layers of a service without a box. Returns `None` if a layer crosses
/// the antimeridian, because the box around both sides would span the whole globe.
fn hull(datasets: &[Dataset]) -> Option<FixedPointBox> {
    let mut whole: Option<geotrawl_model::Bbox> = None;
    for bbox in datasets.iter().take(100_000).filter_map(|dataset| dataset.bbox) {
        if FixedPointBox::from_bbox(&bbox).is_none() {
            continue;
        }
        if bbox.west > bbox.east {
            return None;
        }
        whole = Some(whole.map_or(bbox, |whole| geotrawl_model::Bbox {
            west: whole.west.min(bbox.west),
            south: whole.south.min(bbox.south),
            east: whole.east.max(bbox.east),
            north: whole.north.max(bbox.north),
        }));
    }
    whole.as_ref().and_then(FixedPointBox::from_bbox)
}

fn provider(document: &RecordDocument) -> String {
    let resource = &document.record.resource;
    let provider = resource.provider.as_ref().or(resource.contact.organisation.as_ref());
    provider.map(|provider| truncate_text(provider, 300).to_owned()).unwrap_or_default()
}

/// Returns the words for a kind: its id and its name.
fn kind_words(id: &str) -> String {
    let name = kinds::by_id(id).map_or("", |kind| kind.profile().name);
    format!("{id} {name}")
}

/// Adds the terms that users type for a kind: `wms`, `stac`, `geojson`. A kind that is two things
/// gets both terms. `inspire-atom` gets none because INSPIRE is more than its Atom feeds, `las`
/// because it is a word in many languages.
fn kind_marks(id: &str, to: &mut String) {
    let words = match id {
        "cog" => ["cog", "geotiff"],
        "kmz" => ["kmz", "kml"],
        "ncwms" => ["ncwms", "wms"],
        "inspire-atom" | "las" => return,
        _ => [id.split('-').next().unwrap_or(id), ""],
    };
    for word in words {
        push(to, word, Some(KIND), 1);
    }
}

/// Returns host and path of a URL, without `www.`.
fn address_words(address: &str) -> String {
    let Ok(url) = url::Url::parse(address) else { return String::new() };
    let host = url.host_str().unwrap_or_default();
    format!("{} {}", host.strip_prefix("www.").unwrap_or(host), truncate_text(url.path(), 400))
}

/// Converts a value to a tag: folded, without spaces, limited in length.
pub fn fold_tag_value(value: &str) -> String {
    let folded: String =
        fold(value.trim()).chars().map(|c| if c.is_whitespace() { '_' } else { c }).collect();
    truncate_text(&folded, LONGEST_TAG).to_owned()
}

/// Returns the exact values that filters compare, for services only.
fn own_tags(document: &RecordDocument) -> String {
    let resource = &document.record.resource;
    let mut tags = format!("address:{} ", fold_tag_value(&resource.url));
    for keyword in resource.keywords.iter().take(MOST_SUBJECTS) {
        let value = fold_tag_value(keyword);
        if !value.is_empty() {
            tags.extend(["subject:", &value, " "]);
        }
    }
    if resource.abstract_.as_deref().is_some_and(|text| !text.trim().is_empty()) {
        tags.push_str("has:abstract ");
    }
    tags
}

/// Returns the exact values for the fields of the query language, shared by services and layers.
fn tags(document: &RecordDocument) -> String {
    use std::fmt::Write as _;
    let record = &document.record;
    let mut tags = String::new();
    let mut tag = |name: &str, value: &str| {
        let value: String = fold(value).chars().map(|c| if c.is_whitespace() { '_' } else { c }).collect();
        if !value.is_empty() && value.len() <= 200 {
            // Writing to a string cannot fail.
            let _ = write!(tags, "{name}:{value} ");
        }
    };
    tag("kind", &record.resource.kind);
    tag("host", &record.host.name);
    tag("country", record.host.country.as_deref().unwrap_or_default());
    for theme in record.themes.iter().take(50) {
        tag("theme", &theme.term);
        for word in split_words(&theme.term).take(8) {
            tag("theme", word.text);
        }
    }
    for word in split_words(&provider(document)).take(30) {
        tag("provider", word.text);
    }
    for word in split_words(&address_words(&record.resource.url)).take(60) {
        tag("url", word.text);
    }
    for label in record.host.name.split('.').take(10) {
        tag("host", label);
    }
    tags
}
