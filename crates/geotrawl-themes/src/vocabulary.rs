//! A vocabulary: terms with their labels, and the words by which they are found in texts.

use serde::Serialize;
use std::collections::BTreeMap;

/// Words and phrases by language (two letters; `any` stands for all).
pub type WordsByLanguage = BTreeMap<String, Vec<String>>;

/// A list of terms of one scheme.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct ThemeVocabulary {
    /// What labels name it by: `inspire`.
    pub id: String,
    /// Its name by language.
    pub title: BTreeMap<String, String>,
    /// Where it is kept.
    pub source: Option<String>,
    /// In the order of the file, which is the order of precedence where one term must be chosen.
    pub terms: Vec<VocabularyTerm>,
    /// Phrases in which no word counts: `web map service`.
    pub stops: WordsByLanguage,
    /// Words that make a name of the capitalised word before them: `Rice County`.
    pub name_ends: WordsByLanguage,
}

/// A term.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct VocabularyTerm {
    /// What labels name it by: `hy`.
    pub id: String,
    /// Its name by language.
    pub labels: BTreeMap<String, String>,
    /// English words that the vocabulary's author gives; they count as words of it.
    pub keywords: Vec<String>,
    /// Other words of the same meaning.
    pub synonyms: WordsByLanguage,
    /// The term above it.
    pub parent: Option<String>,
    /// Its address.
    pub source: Option<String>,
    /// Addresses or `scheme:term` of the same meaning elsewhere.
    pub exact: Vec<String>,
    /// Addresses or `scheme:term` of nearly the same meaning elsewhere.
    pub close: Vec<String>,
    /// Phrases in which no word counts for this term.
    pub stops: WordsByLanguage,
    /// Its labels are no words of titles, or mean more than it: they are shown and not looked for.
    pub silent_labels: bool,
}

impl VocabularyTerm {
    /// Its name in a language, else in English, else any, else its id.
    pub fn label(&self, language: &str) -> &str {
        let found = self.labels.get(language).or_else(|| self.labels.get("en"));
        found.or_else(|| self.labels.values().next()).map_or(&self.id, String::as_str)
    }

    /// All words by which it is found: language, word.
    pub fn words(&self) -> impl Iterator<Item = (&str, &str)> {
        let labels = self.labels.iter().filter(|_| !self.silent_labels);
        let labels = labels.map(|(language, label)| (language.as_str(), label.as_str()));
        let keywords = self.keywords.iter().map(|word| ("en", word.as_str()));
        let synonyms = self.synonyms.iter();
        let synonyms = synonyms
            .flat_map(|(language, words)| words.iter().map(move |word| (language.as_str(), word.as_str())));
        keywords.chain(labels).chain(synonyms)
    }
}

impl ThemeVocabulary {
    /// A term by its id.
    pub fn term(&self, id: &str) -> Option<&VocabularyTerm> {
        self.terms.iter().find(|term| term.id == id)
    }
}
