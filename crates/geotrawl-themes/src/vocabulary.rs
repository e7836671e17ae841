//! A vocabulary: terms with their labels, and the words that indicate them in texts.

use serde::Serialize;
use std::collections::BTreeMap;

/// Words and phrases by two-letter language code; `any` applies to all languages.
pub type WordsByLanguage = BTreeMap<String, Vec<String>>;

/// A vocabulary of one scheme.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct ThemeVocabulary {
    /// Id of the scheme in labels: `inspire`.
    pub id: String,
    /// Title by language.
    pub title: BTreeMap<String, String>,
    /// Where the vocabulary is published.
    pub source: Option<String>,
    /// In file order, which is also the order of precedence.
    pub terms: Vec<VocabularyTerm>,
    /// Phrases whose words are ignored: `web map service`.
    pub stops: WordsByLanguage,
    /// Words that turn the capitalised word before them into a name: `Rice County`.
    pub name_ends: WordsByLanguage,
}

/// A term of a vocabulary.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct VocabularyTerm {
    /// Id of the term in labels: `hy`.
    pub id: String,
    /// Name by language.
    pub labels: BTreeMap<String, String>,
    /// English words given by the author of the vocabulary; they indicate the term.
    pub keywords: Vec<String>,
    /// Other words that indicate the term.
    pub synonyms: WordsByLanguage,
    /// Id of the broader term.
    pub parent: Option<String>,
    /// URL of the term.
    pub source: Option<String>,
    /// URLs or `scheme:term` of equivalent terms elsewhere.
    pub exact: Vec<String>,
    /// URLs or `scheme:term` of similar terms elsewhere.
    pub close: Vec<String>,
    /// Phrases whose words do not indicate this term.
    pub stops: WordsByLanguage,
    /// Labels that do not occur in texts or are too general: they are displayed but not searched.
    pub silent_labels: bool,
}

impl VocabularyTerm {
    /// Returns the name in a language, otherwise in English,
    /// otherwise in any language, otherwise the id.
    pub fn label(&self, language: &str) -> &str {
        let found = self.labels.get(language).or_else(|| self.labels.get("en"));
        found.or_else(|| self.labels.values().next()).map_or(&self.id, String::as_str)
    }

    /// Returns all words that indicate the term, with their language.
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
    /// Returns a term by its id.
    pub fn term(&self, id: &str) -> Option<&VocabularyTerm> {
        self.terms.iter().find(|term| term.id == id)
    }
}
