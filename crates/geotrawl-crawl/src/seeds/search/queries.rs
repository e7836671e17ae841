//! Plans queries: keywords x service words x languages, the most productive first, and new queries
//! from the words of productive pages.

use super::words::{EVERYWHERE, LANGUAGES, OPERATORS, TELL_NOTHING, TELLING, service_words};
use geotrawl_kinds::kinds;
use std::collections::HashSet;

/// Longest query that every engine accepts (Brave: 400 characters and 50 words).
const LONGEST: usize = 360;
const MOST_WORDS: usize = 40;
/// Most keywords and languages that are combined.
const MOST_KEYWORDS: usize = 50;
const MOST_LANGUAGES: usize = 20;
/// Most new terms that become queries.
const MOST_TERMS: usize = 10;
/// New terms are combined only with service words of at least this weight.
const TERM_TELLING: u8 = 90;

/// A query for a search engine.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct EngineQuery {
    pub words: String,
    /// ISO 639-1; `None` means the default of the engine.
    pub language: Option<String>,
    /// Whether it uses `inurl:` or `intitle:`, which only some engines support.
    pub operators: bool,
    /// Whether it was made from a term of productive pages.
    pub learned: bool,
}

/// What queries are made from.
#[derive(Debug, Clone, Copy, Default)]
pub struct QueryBasis<'a> {
    /// Keywords of the user; if empty, the service words are used alone.
    pub keywords: &'a [String],
    /// ISO 639-1 codes; if empty, all languages that have service words.
    pub languages: &'a [String],
    /// Words of productive pages and how often they occurred.
    pub terms: &'a [(String, u64)],
    /// Use the keywords unchanged, without service words.
    pub as_is: bool,
}

/// Returns the first `most` queries. Queries from terms alternate with the others.
pub fn plan_queries(basis: &QueryBasis<'_>, most: usize) -> Vec<EngineQuery> {
    let keywords: Vec<&str> =
        basis.keywords.iter().take(MOST_KEYWORDS).map(|keyword| keyword.trim()).collect();
    let asked = if basis.as_is { as_is(basis, &keywords) } else { combined(basis, &keywords, 0, false) };
    let terms = distinctive_terms(basis.terms, basis.keywords);
    let terms: Vec<&str> = terms.iter().map(String::as_str).collect();
    let learned = if terms.is_empty() { Vec::new() } else { combined(basis, &terms, TERM_TELLING, true) };
    let mut seen = HashSet::new();
    let mut queries = Vec::new();
    let (mut asked, mut learned) = (asked.into_iter(), learned.into_iter());
    loop {
        let (one, other) = (asked.next(), learned.next());
        if one.is_none() && other.is_none() {
            break;
        }
        for query in [one, other].into_iter().flatten() {
            if queries.len() < most && seen.insert((query.words.to_lowercase(), query.language.clone())) {
                queries.push(query);
            }
        }
        if queries.len() >= most {
            break;
        }
    }
    queries
}

/// Returns queries of the keywords alone, for lists and the own catalogue.
pub fn keyword_queries(keywords: &[String]) -> Vec<EngineQuery> {
    let mut queries: Vec<EngineQuery> = Vec::new();
    for keyword in keywords.iter().take(MOST_KEYWORDS) {
        let words = clipped(keyword);
        if !words.is_empty() && queries.iter().all(|query| query.words != words) {
            queries.push(EngineQuery { words, language: None, operators: false, learned: false });
        }
    }
    queries
}

fn as_is(basis: &QueryBasis<'_>, keywords: &[&str]) -> Vec<EngineQuery> {
    let mut queries = Vec::new();
    for keyword in keywords {
        let words = clipped(keyword);
        if words.is_empty() {
            continue;
        }
        let query = EngineQuery { words, language: None, operators: false, learned: false };
        if basis.languages.is_empty() {
            queries.push(query.clone());
        }
        for language in basis.languages.iter().take(MOST_LANGUAGES) {
            queries.push(EngineQuery { language: Some(language.clone()), ..query.clone() });
        }
    }
    queries
}

/// Combines every keyword with the service words of at least
/// weight `least`, the highest weight first.
fn combined(basis: &QueryBasis<'_>, keywords: &[&str], least: u8, learned: bool) -> Vec<EngineQuery> {
    let languages: Vec<&str> = if basis.languages.is_empty() {
        LANGUAGES.to_vec()
    } else {
        basis.languages.iter().take(MOST_LANGUAGES).map(String::as_str).collect()
    };
    let mut words: Vec<(u8, Option<&str>, &str, bool)> = Vec::new();
    words.extend(EVERYWHERE.iter().map(|(telling, text)| (*telling, None, *text, false)));
    words.extend(OPERATORS.iter().map(|(telling, text)| (*telling, None, *text, true)));
    for language in languages {
        let Some(texts) = service_words(language) else { continue };
        words.extend(
            TELLING.iter().zip(texts).map(|(telling, text)| (*telling, Some(language), *text, false)),
        );
    }
    words.retain(|(telling, ..)| *telling >= least);
    // The sort is stable, so words of the same weight keep the order of the languages.
    words.sort_by_key(|(telling, ..)| std::cmp::Reverse(*telling));
    let nothing = [""];
    let keywords = if keywords.is_empty() { &nothing } else { keywords };
    let mut queries = Vec::with_capacity(words.len() * keywords.len());
    for (_, language, text, operators) in words {
        for keyword in keywords {
            let words = clipped(&format!("{text} {keyword}"));
            queries.push(EngineQuery { words, language: language.map(str::to_owned), operators, learned });
        }
    }
    queries
}

/// Returns the most frequent terms that are specific: not common to all sites or to all geospatial
/// pages, and not among the keywords. This is the daily update of the LCWMS paper, which makes new
/// queries from the most frequent words of fetched pages.
pub fn distinctive_terms(terms: &[(String, u64)], keywords: &[String]) -> Vec<String> {
    let known: HashSet<String> = keywords
        .iter()
        .flat_map(|keyword| keyword.split_whitespace().chain([keyword.as_str()]))
        .map(str::to_lowercase)
        .collect();
    let mut telling: Vec<(u64, String)> = Vec::new();
    for (term, count) in terms {
        let term = clipped(term).to_lowercase();
        if tells(&term) && !known.contains(&term) {
            telling.push((*count, term));
        }
    }
    telling.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    let mut chosen: Vec<String> = Vec::new();
    for (_, term) in telling {
        if chosen.len() >= MOST_TERMS {
            break;
        }
        if !chosen.contains(&term) {
            chosen.push(term);
        }
    }
    chosen
}

fn tells(term: &str) -> bool {
    let letters = term.chars().filter(|c| c.is_alphabetic()).count();
    // A Chinese or Japanese word may be two characters long.
    let least = if term.chars().any(|c| ('\u{3040}'..='\u{9fff}').contains(&c)) { 2 } else { 3 };
    letters >= least
        && letters * 2 > term.chars().count()
        && term.chars().count() <= 60
        && !term.contains(['/', '@', ':'])
        && !TELL_NOTHING.contains(&term)
        && !kinds::ows_kinds().contains(&term)
}

/// Normalises whitespace and truncates the text to what all engines accept.
fn clipped(text: &str) -> String {
    let mut clipped = String::new();
    for word in text
        .split(|c: char| c.is_whitespace() || c.is_control())
        .filter(|word| !word.is_empty())
        .take(MOST_WORDS)
    {
        if clipped.chars().count() + word.chars().count() + 1 > LONGEST {
            break;
        }
        if !clipped.is_empty() {
            clipped.push(' ');
        }
        clipped.push_str(word);
    }
    clipped
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(queries: &[EngineQuery]) -> Vec<&str> {
        queries.iter().map(|query| query.words.as_str()).collect()
    }

    #[test]
    fn the_most_telling_words_come_first_in_every_language() {
        let keywords = ["water".to_owned(), "land cover".to_owned()];
        let languages = ["de".to_owned(), "fr".to_owned()];
        let basis = QueryBasis { keywords: &keywords, languages: &languages, ..QueryBasis::default() };
        let queries = plan_queries(&basis, 1_000);
        assert_eq!(texts(&queries)[..2], ["WMS GetCapabilities water", "WMS GetCapabilities land cover"]);
        let german = queries.iter().position(|query| query.words == "WMS Kartendienst water").unwrap();
        let french =
            queries.iter().position(|query| query.words == "flux WMS service de carte water").unwrap();
        let portal = queries.iter().position(|query| query.words == "Geoportal Geodienste water").unwrap();
        assert!(german < french && french < portal);
        assert_eq!(queries[german].language.as_deref(), Some("de"));
        assert!(queries.iter().all(|query| query.language.as_deref() != Some("en")));
        // All combinations, each once.
        assert_eq!(queries.len(), 2 * (EVERYWHERE.len() + OPERATORS.len() + 2 * TELLING.len()));
        assert_eq!(plan_queries(&basis, 5).len(), 5);
    }

    #[test]
    fn without_anything_the_service_words_are_asked_in_ten_languages() {
        let queries = plan_queries(&QueryBasis::default(), 1_000);
        for language in LANGUAGES {
            let of_it = queries.iter().filter(|query| query.language.as_deref() == Some(language)).count();
            assert_eq!(of_it, TELLING.len(), "{language}");
        }
        let languages = ["pl".to_owned()];
        let queries = plan_queries(&QueryBasis { languages: &languages, ..QueryBasis::default() }, 1_000);
        assert_eq!(queries.len(), EVERYWHERE.len() + OPERATORS.len(), "names are the same everywhere");
    }

    #[test]
    fn frequent_terms_that_tell_something_become_questions() {
        let terms: Vec<(String, u64)> = [
            ("home", 900),
            ("WMS", 800),
            ("the", 700),
            ("groundwater", 60),
            ("Hydrogeologie", 50),
            ("water", 40),
            ("2019", 30),
            ("水文", 20),
            ("a/b", 10),
            ("ab", 9),
            ("groundwater", 3),
        ]
        .map(|(term, count)| (term.to_owned(), count))
        .to_vec();
        let keywords = ["water".to_owned()];
        assert_eq!(distinctive_terms(&terms, &keywords), ["groundwater", "hydrogeologie", "水文"]);
        let languages = ["de".to_owned()];
        let basis =
            QueryBasis { keywords: &keywords, terms: &terms, languages: &languages, ..QueryBasis::default() };
        let queries = plan_queries(&basis, 6);
        assert_eq!(
            texts(&queries)[..4],
            [
                "WMS GetCapabilities water",
                "WMS GetCapabilities groundwater",
                "inurl:wms inurl:getcapabilities water",
                "WMS GetCapabilities hydrogeologie"
            ]
        );
        assert!(queries[1].learned && !queries[0].learned);
    }

    #[test]
    fn questions_are_short_and_on_one_line() {
        let keywords = [format!("a\n\u{0}b {}", "long ".repeat(1_000)), "x".repeat(10_000)];
        for query in plan_queries(&QueryBasis { keywords: &keywords, ..QueryBasis::default() }, 1_000) {
            assert!(query.words.chars().count() <= LONGEST && query.words.split(' ').count() <= MOST_WORDS);
            assert!(!query.words.contains(char::is_control), "{}", query.words);
        }
        let as_is =
            plan_queries(&QueryBasis { keywords: &keywords[..1], as_is: true, ..QueryBasis::default() }, 10);
        assert!(as_is[0].words.starts_with("a b long"), "{}", as_is[0].words);
    }
}
