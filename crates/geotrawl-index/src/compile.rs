//! Compiles a parsed query for the engine.
//!
//! **Stemming.** A document is stemmed by its own language, which the query does not know. So a
//! word of the query is stemmed by every language that occurs in the index. This gives two or three
//! distinct stems, and any of them matches: the stem in the document's own language is always among
//! them. Reading one posting list per distinct stem is cheaper than indexing every text in every
//! language, and there is no need to guess the language of two words. The word as typed adds a
//! little to the score.

use crate::dictionary;
use crate::highlight::HighlightTerms;
use crate::parse::{FieldName, QueryNode, WordForm};
use crate::plan::{
    MatchRequirement, QueryPlan, QueryTerm, TermCombination, WordMeaning, best_match_query, boost_query,
};
use crate::query::{RankingSignal, SearchTarget};
use crate::schema::{COUNTRY, KIND, STEM, SchemaFields};
use crate::tables::SearchIndex;
use crate::words::synonyms::{LONGEST, SynonymPhrase};
use crate::words::{Synonyms, compounds};
use geotrawl_text::{LONGEST_WORD, Language, fold, split_words};
use tantivy::Term;
use tantivy::query::{AllQuery, BooleanQuery, EmptyQuery, Occur, PhraseQuery, Query, TermQuery};
use tantivy::schema::{Field, IndexRecordOption};

type QueryClauses = Vec<(Occur, Box<dyn Query>)>;

/// Weights of words in a service's abstract, in its layers and on the pages that revealed it.
const ABOUT: f32 = 0.3;
const LAYERS: f32 = 0.8;
const PAGES: f32 = 0.7;
/// Weight of the word for a kind where it is only mentioned.
const MENTIONED: f32 = 0.25;
/// Weight of a synonym.
const SYNONYM: f32 = 0.5;
/// Weight that the word as typed adds to its stem.
const AS_WRITTEN: f32 = 0.3;
/// Weight of the other matches of a word besides the best one.
pub const ALSO: f32 = 0.15;
/// Maximum number of index terms that a prefix or a fuzzy word expands to.
const MOST_EXPANSIONS: usize = 50;
/// Maximum number of dictionary terms that are read for a prefix.
const MOST_LOOKED_AT: usize = 20_000;

/// A compiled query.
pub enum CompiledQuery {
    /// Plain words, or nothing.
    Plan(QueryPlan),
    /// Any other query.
    Query(Box<dyn Query>),
}

/// Compiles queries for one index.
pub struct QueryCompiler<'a> {
    pub half: &'a SearchIndex,
    pub fields: SchemaFields,
    pub by: SearchTarget,
    pub languages: &'a [Language],
    pub synonyms: &'a Synonyms,
    pub without: &'a [RankingSignal],
    /// Minimum number of plain words that must match; `None` requires all.
    pub minimum: Option<usize>,
    /// Whether the kinds named in the query are optional.
    pub any_kind: bool,
    /// Terms to highlight in titles and snippets.
    pub marks: HighlightTerms,
    /// Number of plain words at the top level of the query.
    pub counted: usize,
}

impl QueryCompiler<'_> {
    /// Compiles the whole query.
    pub fn compile(&mut self, node: Option<&QueryNode>) -> tantivy::Result<CompiledQuery> {
        let nodes = match node {
            None => return Ok(CompiledQuery::Plan(QueryPlan::default())),
            Some(QueryNode::Together(nodes)) => &nodes[..],
            Some(one @ QueryNode::Word { .. }) => std::slice::from_ref(one),
            Some(node) => return Ok(CompiledQuery::Query(self.node(node)?)),
        };
        if let Some(words) = plain_words(nodes) {
            let plan = QueryPlan::new(self.run(&words)?);
            self.counted = plan.wanted_count();
            return Ok(CompiledQuery::Plan(plan));
        }
        Ok(CompiledQuery::Query(self.together(nodes, true)?))
    }

    fn node(&mut self, node: &QueryNode) -> tantivy::Result<Box<dyn Query>> {
        match node {
            QueryNode::Word { field: None, form: WordForm::Plain, .. } => {
                self.together(std::slice::from_ref(node), false)
            }
            QueryNode::Word { field, text, form } => self.word(*field, text, *form),
            QueryNode::Phrase { field, text } => self.phrase(*field, text),
            QueryNode::Together(nodes) => self.together(nodes, false),
            QueryNode::Must(node) => self.node(node),
            QueryNode::Not(node) => {
                let without = self.unmarked(node)?;
                Ok(boolean(vec![(Occur::Must, Box::new(AllQuery)), (Occur::MustNot, without)]))
            }
            QueryNode::All(nodes) => self.all_of(nodes),
            QueryNode::Any(nodes) => {
                let queries = nodes.iter().map(|node| self.node(node)).collect::<tantivy::Result<_>>()?;
                Ok(Box::new(BooleanQuery::union(queries)))
            }
        }
    }

    fn all_of(&mut self, nodes: &[QueryNode]) -> tantivy::Result<Box<dyn Query>> {
        let mut clauses = QueryClauses::new();
        for node in nodes {
            clauses.push(match node {
                QueryNode::Not(inside) => (Occur::MustNot, self.unmarked(inside)?),
                _ => (Occur::Must, self.node(node)?),
            });
        }
        Ok(with_something(clauses))
    }

    /// Compiles a node without highlighting its words, because they must not match.
    fn unmarked(&mut self, node: &QueryNode) -> tantivy::Result<Box<dyn Query>> {
        let marks = std::mem::take(&mut self.marks);
        let query = self.node(node);
        self.marks = marks;
        query
    }

    /// Compiles adjacent words. Neighbours that form one meaning (`land cover`) are compiled
    /// together.
    fn together(&mut self, nodes: &[QueryNode], top: bool) -> tantivy::Result<Box<dyn Query>> {
        let mut clauses = QueryClauses::new();
        let mut wanted: Vec<Box<dyn Query>> = Vec::new();
        let mut at = 0;
        while let Some(node) = nodes.get(at) {
            at += 1;
            match node {
                QueryNode::Not(inside) => clauses.push((Occur::MustNot, self.unmarked(inside)?)),
                QueryNode::Must(inside) => clauses.push((Occur::Must, self.node(inside)?)),
                QueryNode::Word { field: None, text, form: WordForm::Plain } => {
                    let mut words = lowercase_words(text);
                    while let Some(QueryNode::Word { field: None, text, form: WordForm::Plain }) =
                        nodes.get(at)
                    {
                        words.extend(lowercase_words(text));
                        at += 1;
                    }
                    for meaning in self.run(&words)? {
                        match meaning.need {
                            MatchRequirement::Optional => clauses.push((Occur::Should, meaning.to_query())),
                            MatchRequirement::Wanted => wanted.push(meaning.to_query()),
                            MatchRequirement::Must => clauses.push((Occur::Must, meaning.to_query())),
                        }
                    }
                }
                _ => wanted.push(self.node(node)?),
            }
        }
        if top {
            self.counted = wanted.len();
        }
        match self.minimum.filter(|minimum| top && *minimum < wanted.len()) {
            Some(minimum) => clauses.push((
                Occur::Must,
                Box::new(BooleanQuery::union_with_minimum_required_clauses(wanted, minimum)),
            )),
            None => clauses.extend(wanted.into_iter().map(|query| (Occur::Must, query))),
        }
        Ok(with_something(clauses))
    }

    /// Compiles consecutive plain words.
    fn run(&mut self, words: &[String]) -> tantivy::Result<Vec<WordMeaning>> {
        let stops: Vec<bool> = words.iter().map(|word| stop_somewhere(word, self.languages)).collect();
        let only_stops = stops.iter().all(|stop| *stop);
        let mut meanings = Vec::new();
        let mut at = 0;
        while at < words.len() {
            let synonyms = !self.without.contains(&RankingSignal::Synonyms);
            let taken = if synonyms { self.name(&words[at..])? } else { 1 };
            let (from, to) = (at, at + taken);
            at = to;
            // A stop word of one language may mean something in another, so it adds to the score
            // but need not match.
            let optional = taken == 1 && stops[from] && !only_stops;
            let mut meaning = WordMeaning { asked: words[from..to].join(" "), ..WordMeaning::default() };
            if optional {
                meaning.need = MatchRequirement::Optional;
                meaning.asked.clear();
            }
            if let [word] = &words[from..to] {
                let kind = self.half.look_up_term(0, &format!("{KIND}{}", fold(word)), 1.0)?;
                if let Some(kind) = kind {
                    // `geology WMS` requires the kind WMS, not documents that mention it.
                    meaning.need = MatchRequirement::Must;
                    meaning.add_terms([kind], 1.0);
                    if self.any_kind {
                        meaning.need = MatchRequirement::Wanted;
                        meaning.add_terms(self.plain(word)?, MENTIONED);
                    }
                    meanings.push(meaning);
                    continue;
                }
                meaning.add_terms(self.plain(word)?, 1.0);
                if !self.without.contains(&RankingSignal::Stemming) {
                    meaning.written = self.half.look_up_term(0, &fold(word), AS_WRITTEN)?;
                }
            } else {
                let mut parts = Vec::new();
                let all_stop = stops[from..to].iter().all(|stop| *stop);
                for (word, _) in
                    words[from..to].iter().zip(&stops[from..to]).filter(|(_, stop)| all_stop || !**stop)
                {
                    parts.push(self.plain(word)?);
                }
                if parts.iter().all(|part| !part.is_empty()) {
                    meaning.ways.push(TermCombination { boost: 1.0, parts });
                }
            }
            if !self.without.contains(&RankingSignal::Countries) {
                for code in self.synonyms.country_codes(&words[from..to]) {
                    meaning.is_place = true;
                    meaning.add_terms(self.half.look_up_term(0, &format!("{COUNTRY}{code}"), 1.0)?, 1.0);
                }
            }
            if synonyms {
                for alternative in self.synonyms.find_alternatives(&words[from..to]) {
                    self.alternative(alternative, &mut meaning)?;
                }
                if taken == 1 && !optional {
                    self.phrases(words, from, &mut meaning)?;
                }
            }
            if taken == 1 && !optional {
                self.as_one(&words[from.saturating_sub(1)..(to + 1).min(words.len())], &mut meaning)?;
            }
            meanings.push(meaning);
        }
        for meaning in &mut meanings {
            meaning.blend_frequencies(self.half);
        }
        Ok(meanings)
    }

    /// Returns how many leading words form a name that means nothing in parts: a country, a city, a
    /// kind.
    fn name(&self, words: &[String]) -> tantivy::Result<usize> {
        for length in (2..=LONGEST.min(words.len())).rev() {
            let words = &words[..length];
            if !self.synonyms.country_codes(words).is_empty() {
                return Ok(length);
            }
            for alternative in self.synonyms.find_alternatives(words) {
                let kind = match &*alternative.words {
                    [word] => self.half.look_up_term(0, &format!("{KIND}{}", fold(word)), 1.0)?.is_some(),
                    _ => false,
                };
                if kind || alternative.language.is_none() {
                    return Ok(length);
                }
            }
        }
        Ok(1)
    }

    /// Adds synonyms of phrases that contain this word: `Bodenbedeckung` for `land cover`. Each
    /// word remains a meaning by itself, so that a document with one of them is a near miss and the
    /// synonym counts for both.
    fn phrases(&mut self, words: &[String], at: usize, meaning: &mut WordMeaning) -> tantivy::Result<()> {
        for length in 2..=LONGEST {
            for from in (at + 1).saturating_sub(length)..=at {
                let Some(words) = words.get(from..from + length) else { break };
                for alternative in self.synonyms.find_alternatives(words) {
                    self.alternative(alternative, meaning)?;
                }
            }
        }
        Ok(())
    }

    /// Adds the word joined with its neighbours: `block groups` also matches `blockgroups`.
    fn as_one(&mut self, words: &[String], meaning: &mut WordMeaning) -> tantivy::Result<()> {
        for pair in words.windows(2) {
            let joined = pair.concat();
            if joined.len() <= LONGEST_WORD && self.half.look_up_term(0, &fold(&joined), 1.0)?.is_some() {
                meaning.add_terms(self.plain(&joined)?, 1.0);
            }
        }
        Ok(())
    }

    /// Returns all terms that match the word itself.
    fn plain(&mut self, word: &str) -> tantivy::Result<Vec<QueryTerm>> {
        let folded = fold(word).into_owned();
        self.marks.words.insert(folded.clone());
        let mut found = Vec::new();
        if self.without.contains(&RankingSignal::Stemming) {
            self.terms(&folded, &mut found)?;
            return Ok(found);
        }
        // `Zürich` is spelled `Zuerich` where umlauts are not available.
        let spelled_out = spelled_out(word);
        let mut stems: Vec<String> = Vec::new();
        for language in self.languages.iter().chain([&Language::ENGLISH]) {
            for form in [Some(word), Some(&*folded), spelled_out.as_deref()].into_iter().flatten() {
                let stem = language.stem(form);
                if !stems.iter().any(|known| *known == stem) {
                    stems.push(stem.into_owned());
                }
                if word == folded {
                    break;
                }
            }
        }
        for stem in stems {
            self.terms(&format!("{STEM}{stem}"), &mut found)?;
            self.marks.stems.insert(stem);
        }
        Ok(found)
    }

    /// Looks up a term in all searched fields.
    fn terms(&self, term: &str, found: &mut Vec<QueryTerm>) -> tantivy::Result<()> {
        for (number, (_, weight)) in self.searched().enumerate() {
            found.extend(self.half.look_up_term(number, term, weight)?);
        }
        Ok(())
    }

    fn searched(&self) -> impl Iterator<Item = (Field, f32)> + use<> {
        let pages = self.by == SearchTarget::Services && !self.without.contains(&RankingSignal::PageWords);
        let all = [
            Some((self.fields.text, 1.0)),
            (self.by == SearchTarget::Services).then_some((self.fields.about, ABOUT)),
            (self.by == SearchTarget::Services).then_some((self.fields.layers, LAYERS)),
            pages.then_some((self.fields.pages, PAGES)),
        ];
        all.into_iter().flatten()
    }

    /// Adds a synonym of one or more words, all of which must match. They need not be adjacent:
    /// that would require positions and hardly changes the result.
    fn alternative(&mut self, alternative: &SynonymPhrase, meaning: &mut WordMeaning) -> tantivy::Result<()> {
        let SynonymPhrase { words, language } = alternative;
        let language = *language;
        // Parts of compound words are indexed as stems in records of any language.
        if language.is_some_and(|language| {
            language != Language::ENGLISH
                && !self.languages.contains(&language)
                && !(words.len() == 1 && compounds::writes_compounds(language))
        }) {
            return Ok(());
        }
        let mut parts = Vec::new();
        let mut stems_seen = Vec::new();
        for word in words {
            let folded = fold(word);
            if language.is_some_and(|language| language.is_stop_word(&folded)) || folded.len() < 2 {
                continue;
            }
            let mut found = Vec::new();
            if self.without.contains(&RankingSignal::Stemming) {
                self.terms(&folded, &mut found)?;
            } else if let Some(language) = language {
                let stem = language.stem(word).into_owned();
                self.terms(&format!("{STEM}{stem}"), &mut found)?;
                // If the language of a record was detected wrongly, its stem differs but the word
                // is the same.
                if found.is_empty() {
                    self.terms(&folded, &mut found)?;
                    self.marks.words.insert(folded.clone().into_owned());
                }
                stems_seen.push(stem);
            } else {
                found = self.plain(word)?;
            }
            if found.is_empty() {
                return Ok(());
            }
            if words.len() == 1 {
                self.marks.stems.extend(stems_seen);
                meaning.add_terms(found, SYNONYM);
                return Ok(());
            }
            parts.push(found);
        }
        if parts.is_empty() {
            return Ok(());
        }
        self.marks.stems.extend(stems_seen);
        if parts.len() == 1 {
            meaning.add_terms(parts.into_iter().flatten(), SYNONYM);
        } else {
            let boost = SYNONYM / parts.len() as f32;
            meaning.ways.push(TermCombination { boost, parts });
        }
        Ok(())
    }

    /// Compiles a word with a field, a wildcard or a tilde.
    fn word(
        &mut self,
        field: Option<FieldName>,
        text: &str,
        form: WordForm,
    ) -> tantivy::Result<Box<dyn Query>> {
        let words: Vec<String> = lowercase_words(text).iter().map(|word| fold(word).into_owned()).collect();
        if let Some(tag) = field.and_then(tag_of) {
            return self.tag(tag, text, &words, form);
        }
        let Some((last, before)) = words.split_last() else { return Ok(Box::new(EmptyQuery)) };
        let mut clauses = QueryClauses::new();
        for (word, form) in before.iter().map(|word| (word, WordForm::Plain)).chain([(last, form)]) {
            let mut ways: Vec<Box<dyn Query>> = Vec::new();
            match self.parts_of(field) {
                Some(parts) => {
                    for part in parts {
                        for found in self.expand(self.fields.part, &format!("{part}:"), word, form, true)? {
                            ways.push(exact(self.fields.part, &found));
                        }
                    }
                }
                None => {
                    for (searched, weight) in self.searched() {
                        for found in self.expand(searched, "", word, form, false)? {
                            let near = if found == *word { 1.0 } else { 0.7 };
                            let query = TermQuery::new(
                                Term::from_field_text(searched, &found),
                                IndexRecordOption::WithFreqs,
                            );
                            ways.push(boost_query(Box::new(query), weight * near));
                        }
                    }
                }
            }
            clauses.push((Occur::Must, best_match_query(ways)));
        }
        Ok(boolean(clauses))
    }

    fn tag(
        &mut self,
        tag: &str,
        text: &str,
        words: &[String],
        form: WordForm,
    ) -> tantivy::Result<Box<dyn Query>> {
        let whole: String =
            fold(text.trim()).chars().map(|c| if c.is_whitespace() { '_' } else { c }).collect();
        let mut ways = Vec::new();
        for found in self.expand(self.fields.tag, &format!("{tag}:"), &whole, form, false)? {
            ways.push(exact(self.fields.tag, &found));
        }
        if form == WordForm::Plain
            && !words.is_empty()
            && matches!(tag, "provider" | "url" | "theme" | "host")
        {
            let all =
                words.iter().map(|word| (Occur::Must, exact(self.fields.tag, &format!("{tag}:{word}"))));
            ways.push(boolean(all.collect()));
        }
        Ok(best_match_query(ways))
    }

    /// Returns the index terms that a word expands to, including the mark of the part, most
    /// frequent first. With `alike`, a plain word also expands to words with the same stem, because
    /// parts are indexed without stems.
    fn expand(
        &mut self,
        field: Field,
        mark: &str,
        word: &str,
        form: WordForm,
        alike: bool,
    ) -> tantivy::Result<Vec<String>> {
        let wanted = format!("{mark}{word}");
        let mut found = dictionary::TermFrequencies::new();
        match form {
            WordForm::Plain if !alike => return Ok(vec![wanted]),
            WordForm::Plain => {
                self.marks.words.insert(word.to_owned());
                let mut stems: Vec<String> =
                    self.languages.iter().map(|language| language.stem(word).into_owned()).collect();
                stems.dedup();
                // A stem is usually a prefix of its words.
                let beginning: String =
                    stems.iter().min_by_key(|stem| stem.len()).cloned().unwrap_or_default();
                if beginning.chars().count() >= 3 {
                    let from = format!("{mark}{beginning}");
                    found = dictionary::terms_with_prefix(&self.half.searcher, field, &from, MOST_LOOKED_AT)?;
                    found.retain(|term, _| {
                        let other = &term[mark.len()..];
                        self.languages.iter().any(|language| language.stem(other) == language.stem(word))
                    });
                }
                found.insert(wanted, u64::MAX);
            }
            WordForm::Prefix => {
                self.marks.prefixes.push(word.to_owned());
                found = dictionary::terms_with_prefix(&self.half.searcher, field, &wanted, MOST_LOOKED_AT)?;
            }
            WordForm::Fuzzy(most) => {
                let distance = if word.chars().count() < 5 { most.min(1) } else { most };
                found = dictionary::similar_terms(&self.half.searcher, field, &wanted, distance)?;
                found.retain(|term, _| term.starts_with(mark) && !term.starts_with(STEM));
            }
        }
        let mut found: Vec<(String, u64)> = found.into_iter().collect();
        found.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        found.truncate(MOST_EXPANSIONS);
        let terms: Vec<String> = found.into_iter().map(|(term, _)| term).collect();
        if form != WordForm::Prefix {
            self.marks.words.extend(terms.iter().map(|term| term[mark.len()..].to_owned()));
        }
        Ok(terms)
    }

    /// Compiles a phrase, which matches consecutive words exactly.
    fn phrase(&mut self, field: Option<FieldName>, text: &str) -> tantivy::Result<Box<dyn Query>> {
        let words: Vec<String> = lowercase_words(text).iter().map(|word| fold(word).into_owned()).collect();
        if let Some(tag) = field.and_then(tag_of) {
            return self.tag(tag, text, &words, WordForm::Plain);
        }
        self.marks.words.extend(words.iter().cloned());
        let parts = self.parts_of(field).unwrap_or(match self.by {
            SearchTarget::Services => &['t', 'a', 'k', 'p', 'l', 's'],
            SearchTarget::Layers => &['t', 'a', 'k', 'n'],
        });
        let mut ways: Vec<Box<dyn Query>> = Vec::new();
        for part in parts {
            let terms: Vec<Term> = words
                .iter()
                .map(|word| Term::from_field_text(self.fields.part, &format!("{part}:{word}")))
                .collect();
            let mut everywhere = !terms.is_empty();
            for term in &terms {
                everywhere &= self.half.searcher.doc_freq(term)? > 0;
            }
            if !everywhere {
                // The engine scores phrases without field weights, so phrases in titles need a
                // boost here.
                continue;
            }
            let boost = if *part == 't' { 1.5 } else { 1.0 };
            ways.push(match &terms[..] {
                [term] => {
                    boost_query(Box::new(TermQuery::new(term.clone(), IndexRecordOption::WithFreqs)), boost)
                }
                _ => boost_query(Box::new(PhraseQuery::new(terms)), boost),
            });
        }
        Ok(best_match_query(ways))
    }

    fn parts_of(&self, field: Option<FieldName>) -> Option<&'static [char]> {
        let layers = self.by == SearchTarget::Layers;
        Some(match field? {
            FieldName::Title => &['t'],
            FieldName::Abstract => &['a'],
            FieldName::Keyword => &['k'],
            FieldName::Name if layers => &['n'],
            FieldName::Layer if layers => &['t', 'n', 'k'],
            FieldName::Name | FieldName::Layer => &['l'],
            _ => return None,
        })
    }
}

fn tag_of(field: FieldName) -> Option<&'static str> {
    Some(match field {
        FieldName::Provider => "provider",
        FieldName::Url => "url",
        FieldName::Host => "host",
        FieldName::Kind => "kind",
        FieldName::Theme => "theme",
        FieldName::Country => "country",
        _ => return None,
    })
}

/// Splits a text into lower-case words, with their accents.
pub fn lowercase_words(text: &str) -> Vec<String> {
    let most = LONGEST_WORD;
    split_words(text)
        .filter(|piece| piece.text.len() <= most)
        .map(|piece| piece.text.to_lowercase())
        .collect()
}

/// Returns the words if all nodes are plain words.
fn plain_words(nodes: &[QueryNode]) -> Option<Vec<String>> {
    let mut words = Vec::new();
    for node in nodes {
        let QueryNode::Word { field: None, text, form: WordForm::Plain } = node else { return None };
        words.extend(lowercase_words(text));
    }
    Some(words)
}

fn stop_somewhere(word: &str, languages: &[Language]) -> bool {
    let folded = fold(word);
    languages.iter().chain([&Language::ENGLISH]).any(|language| language.is_stop_word(&folded))
}

fn exact(field: Field, term: &str) -> Box<dyn Query> {
    Box::new(TermQuery::new(Term::from_field_text(field, term), IndexRecordOption::Basic))
}

fn boolean(mut clauses: QueryClauses) -> Box<dyn Query> {
    match &clauses[..] {
        [(Occur::Must, _)] => {
            clauses.pop().map_or_else(|| Box::new(EmptyQuery) as Box<dyn Query>, |(_, query)| query)
        }
        _ => Box::new(BooleanQuery::new(clauses)),
    }
}

/// Adds "match everything" to clauses that only exclude.
fn with_something(mut clauses: QueryClauses) -> Box<dyn Query> {
    if clauses.iter().all(|(occur, _)| *occur == Occur::MustNot) {
        clauses.push((Occur::Must, Box::new(AllQuery)));
    }
    boolean(clauses)
}

/// Spells umlauts and similar letters with two letters; `None` if there are none.
fn spelled_out(word: &str) -> Option<String> {
    let two = |c: char| match c {
        'ä' | 'æ' => Some("ae"),
        'ö' | 'ø' => Some("oe"),
        'ü' => Some("ue"),
        'å' => Some("aa"),
        _ => None,
    };
    word.contains(|c| two(c).is_some()).then(|| {
        let mut spelled = String::with_capacity(word.len() + 4);
        for c in word.chars() {
            match two(c) {
                Some(letters) => spelled.push_str(letters),
                None => spelled.push(c),
            }
        }
        spelled
    })
}
