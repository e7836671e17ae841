//! Parses vocabulary files (TOML), both built-in ones and those of the operator.

use crate::vocabulary::{ThemeVocabulary, VocabularyTerm, WordsByLanguage};
use geotrawl_text::Language;
use std::collections::{BTreeMap, HashSet};
use std::sync::LazyLock;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Most terms read per vocabulary.
const MOST_TERMS: usize = 20_000;
/// Most words read per term.
const MOST_WORDS: usize = 2_000;
/// Longest phrase, in bytes.
const LONGEST_PHRASE: usize = 200;
/// Most issues reported.
const MOST_ISSUES: usize = 100;

/// A parsed file with its issues.
#[derive(Debug, Clone, PartialEq)]
pub struct ParsedVocabulary {
    /// Everything that could be read.
    pub vocabulary: ThemeVocabulary,
    /// What was skipped or is questionable.
    pub issues: Vec<VocabularyIssue>,
}

/// An issue of a vocabulary file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VocabularyIssue {
    /// Starts at 1.
    pub line: usize,
    /// What is wrong.
    pub cause: String,
}

impl std::fmt::Display for VocabularyIssue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "line {}: {}", self.line, self.cause)
    }
}

const CONCEPTS: &str = include_str!("../vocabularies/concepts.toml");

/// Word lists shared by terms of several vocabularies, by name.
static SHARED: LazyLock<BTreeMap<String, WordsByLanguage>> = LazyLock::new(|| {
    let mut reader = VocabularyReader { text: CONCEPTS, issues: Vec::new() };
    let (table, _) = DeTable::parse_recoverable(CONCEPTS);
    let concepts = table.get_ref().iter();
    concepts.map(|(name, value)| (name.get_ref().to_string(), reader.words(value))).collect()
});

impl ThemeVocabulary {
    /// Parses a file. Invalid parts are skipped and reported.
    ///
    /// ```toml
    /// id = "soils"
    /// title.en = "Our soils"
    /// source = "https://example.org/soils"
    /// stop.en = "soil search"            # words of these phrases are ignored
    /// [[term]]
    /// id = "peat"
    /// label = { en = "Peat", de = "Torf" }
    /// synonyms.en = "peatland, fen"      # or ["peatland", "fen"]
    /// concepts = "wetland"               # built-in word lists
    /// parent = "organic"
    /// source = "https://example.org/soils/peat"
    /// exact = "inspire:so"
    /// ```
    pub fn parse(text: &str) -> ParsedVocabulary {
        let mut reader = VocabularyReader { text, issues: Vec::new() };
        let (table, errors) = DeTable::parse_recoverable(text);
        for error in errors {
            let at = error.span().map_or(0, |span| span.start);
            reader.issue(at, error.message().to_owned());
        }
        let vocabulary = reader.vocabulary(table.get_ref());
        reader.issues.sort_by_key(|issue| issue.line);
        ParsedVocabulary { vocabulary, issues: reader.issues }
    }
}

struct VocabularyReader<'t> {
    text: &'t str,
    issues: Vec<VocabularyIssue>,
}

type SpannedValue<'t> = Spanned<DeValue<'t>>;

impl VocabularyReader<'_> {
    fn issue(&mut self, at: usize, cause: String) {
        if self.issues.len() < MOST_ISSUES {
            let before = self.text.get(..at).unwrap_or(self.text);
            self.issues.push(VocabularyIssue { line: 1 + before.matches('\n').count(), cause });
        }
    }

    fn vocabulary(&mut self, table: &DeTable<'_>) -> ThemeVocabulary {
        let mut vocabulary = ThemeVocabulary::default();
        for (key, value) in table {
            match key.get_ref().as_ref() {
                "id" => vocabulary.id = self.id(value),
                "title" => vocabulary.title = self.labels(value),
                "source" => vocabulary.source = self.string(value),
                "stop" => vocabulary.stops = self.words(value),
                "name_ends" => vocabulary.name_ends = self.words(value),
                "term" => vocabulary.terms = self.terms(value),
                other => self.issue(key.span().start, format!("unknown key `{other}` in the vocabulary")),
            }
        }
        if vocabulary.id.is_empty() {
            self.issue(0, "the vocabulary has no `id`".to_owned());
        }
        if vocabulary.terms.is_empty() {
            self.issue(0, "the vocabulary has no `[[term]]`".to_owned());
        }
        vocabulary
    }

    fn terms(&mut self, value: &SpannedValue<'_>) -> Vec<VocabularyTerm> {
        let DeValue::Array(array) = value.get_ref() else {
            self.issue(value.span().start, "terms must be written as `[[term]]`".to_owned());
            return Vec::new();
        };
        let mut known: HashSet<String> = HashSet::new();
        let mut parents: Vec<(usize, String)> = Vec::new();
        let mut terms = Vec::new();
        for item in array.iter().take(MOST_TERMS) {
            let at = item.span().start;
            let Some(term) = item.get_ref().as_table().and_then(|table| self.term(table, at)) else {
                continue;
            };
            if !known.insert(term.id.clone()) {
                self.issue(at, format!("duplicate term `{}`", term.id));
                continue;
            }
            parents.extend(term.parent.clone().map(|parent| (at, parent)));
            terms.push(term);
        }
        if array.len() > MOST_TERMS {
            self.issue(value.span().start, format!("only the first {MOST_TERMS} terms are read"));
        }
        for (at, parent) in parents {
            if !known.contains(&parent) {
                self.issue(at, format!("the parent `{parent}` is not a term of this vocabulary"));
            }
        }
        terms
    }

    fn term(&mut self, table: &DeTable<'_>, at: usize) -> Option<VocabularyTerm> {
        let mut term = VocabularyTerm::default();
        for (key, value) in table {
            match key.get_ref().as_ref() {
                "id" => term.id = self.id(value),
                "label" => term.labels = self.labels(value),
                "keywords" => term.keywords = self.list(value),
                "synonyms" => merge(&mut term.synonyms, self.words(value)),
                "concepts" => self.concepts(value, &mut term.synonyms),
                "parent" => term.parent = self.string(value),
                "source" => term.source = self.string(value),
                "exact" => term.exact = self.list(value),
                "close" => term.close = self.list(value),
                "stop" => term.stops = self.words(value),
                "silent_labels" => term.silent_labels = matches!(value.get_ref(), DeValue::Boolean(true)),
                other => self.issue(key.span().start, format!("unknown key `{other}` in a term")),
            }
        }
        if term.id.is_empty() {
            self.issue(at, "a term has no `id`".to_owned());
            return None;
        }
        if term.words().next().is_none() {
            self.issue(at, format!("the term `{}` has no words to search for", term.id));
        }
        Some(term)
    }

    fn concepts(&mut self, value: &SpannedValue<'_>, synonyms: &mut WordsByLanguage) {
        for name in self.list(value) {
            match SHARED.get(&name) {
                Some(words) => merge(synonyms, words.clone()),
                None => self.issue(value.span().start, format!("unknown concept `{name}`")),
            }
        }
    }

    fn string(&mut self, value: &SpannedValue<'_>) -> Option<String> {
        let found = value.get_ref().as_str().map(str::trim).filter(|text| !text.is_empty());
        if found.is_none() {
            self.issue(
                value.span().start,
                format!("expected a string, found {}", value.get_ref().type_str()),
            );
        }
        found.map(str::to_owned)
    }

    fn id(&mut self, value: &SpannedValue<'_>) -> String {
        let id = self.string(value).unwrap_or_default();
        let fine = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '/' | ':' | '#');
        if id.len() > LONGEST_PHRASE || !id.chars().all(fine) {
            self.issue(
                value.span().start,
                "an id may contain only letters, digits and - _ . / : #".to_owned(),
            );
            return String::new();
        }
        id
    }

    fn labels(&mut self, value: &SpannedValue<'_>) -> BTreeMap<String, String> {
        let words = self.words(value);
        // A label may contain commas, so join it again if it was split into a list.
        words.into_iter().map(|(language, words)| (language, words.join(", "))).collect()
    }

    /// Parses words by language; a bare list applies to any language.
    fn words(&mut self, value: &SpannedValue<'_>) -> WordsByLanguage {
        let DeValue::Table(table) = value.get_ref() else {
            return BTreeMap::from([("any".to_owned(), self.list(value))]);
        };
        let mut words = WordsByLanguage::new();
        for (key, value) in table {
            let code = key.get_ref().as_ref();
            if code != "any" && Language::from_name(code).is_none() {
                let known: Vec<&str> = Language::all().map(Language::code).collect();
                let known = known.join(" ");
                self.issue(key.span().start, format!("unknown language `{code}`; use one of: any {known}"));
                continue;
            }
            words.insert(code.to_owned(), self.list(value));
        }
        words
    }

    /// Parses a list, or a string with commas.
    fn list(&mut self, value: &SpannedValue<'_>) -> Vec<String> {
        let mut list: Vec<String> = match value.get_ref() {
            DeValue::String(text) => text.split(',').map(|word| word.trim().to_owned()).collect(),
            DeValue::Array(array) => array.iter().filter_map(|value| self.string(value)).collect(),
            other => {
                self.issue(
                    value.span().start,
                    format!("expected a list of words, found {}", other.type_str()),
                );
                Vec::new()
            }
        };
        list.retain(|word| !word.is_empty());
        if list.iter().any(|word| word.len() > LONGEST_PHRASE) {
            self.issue(value.span().start, format!("a phrase is longer than {LONGEST_PHRASE} bytes"));
            list.retain(|word| word.len() <= LONGEST_PHRASE);
        }
        if list.len() > MOST_WORDS {
            self.issue(value.span().start, format!("only the first {MOST_WORDS} words are read"));
            list.truncate(MOST_WORDS);
        }
        list
    }
}

fn merge(into: &mut WordsByLanguage, words: WordsByLanguage) {
    for (language, words) in words {
        let list = into.entry(language).or_default();
        for word in words {
            if !list.contains(&word) {
                list.push(word);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_name_their_line() {
        let parsed = ThemeVocabulary::parse(
            "id = \"x\"\ncolour = 1\n[[term]]\nid = \"a\"\nsynonyms.xx = \"b\"\nparent = \"no\"\n\n[[term]]\nlabel.en = \"B\"\n[[term]]\nid = \"a\"\nlabel.en = \"again\"\n",
        );
        let told: Vec<String> = parsed.issues.iter().map(ToString::to_string).collect();
        assert_eq!(parsed.vocabulary.terms.len(), 1, "{told:?}");
        assert!(told[0].starts_with("line 2: unknown key `colour`"), "{told:?}");
        assert!(told.iter().any(|issue| issue.starts_with("line 3: the term `a` has no words")), "{told:?}");
        assert!(told.iter().any(|issue| issue.starts_with("line 5: unknown language `xx`")), "{told:?}");
        assert!(told.iter().any(|issue| issue.starts_with("line 8: a term has no `id`")), "{told:?}");
        assert!(told.iter().any(|issue| issue.starts_with("line 10: duplicate term `a`")), "{told:?}");
    }

    #[test]
    fn broken_files_give_what_can_be_read() {
        let parsed =
            ThemeVocabulary::parse("id = \"x\"\nsource = \n[[term]]\nid = \"a\"\nlabel.en = \"Aaa\"\n");
        assert_eq!(parsed.vocabulary.terms.len(), 1);
        assert_eq!(parsed.issues[0].line, 2);
        assert!(!ThemeVocabulary::parse("").issues.is_empty());
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_read(text in "[ -~\n]{0,200}", tail in "\\PC{0,60}") {
            let _ = ThemeVocabulary::parse(&text);
            let _ = ThemeVocabulary::parse(&format!("id = \"a\"\n[[term]]\nid = \"b\"\nlabel.en = {text}{tail}"));
        }
    }
}
