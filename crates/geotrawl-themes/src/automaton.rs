//! Finds the phrases of all vocabularies in a text in one pass.

use crate::lexicon::{TextLanguages, ThemeLexicon};
use crate::vocabulary::ThemeVocabulary;
use crate::word_cache::{self, CachedWord};
use geotrawl_text::hash::NumberMap;
use geotrawl_text::{LABEL_STOP_WORDS, LONGEST_WORD, Language, LanguageSet, fold, split_words};
use std::collections::HashSet;
use std::rc::Rc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Longest phrase, in words.
const LONGEST_PHRASE: usize = 8;
/// Most function words allowed between two words of a phrase.
const MOST_SKIPPED: u8 = 2;
/// Most partial matches tracked at one position.
const MOST_ACTIVE: usize = 96;

static NUMBERS: AtomicU64 = AtomicU64::new(1);

/// The meaning of a phrase.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PhraseMeaning {
    /// A term: index of the vocabulary and of the term.
    Term(u16, u32),
    /// A stop phrase of a vocabulary.
    Nothing(u16),
    /// A stop phrase of one term.
    NotTerm(u16, u32),
}

impl PhraseMeaning {
    fn vocabulary(self) -> u16 {
        match self {
            Self::Term(vocabulary, _) | Self::Nothing(vocabulary) | Self::NotTerm(vocabulary, _) => {
                vocabulary
            }
        }
    }
}

#[derive(Debug)]
struct PhraseEnd {
    means: PhraseMeaning,
    phrase: u32,
}

/// A phrase as written in the vocabulary.
#[derive(Debug)]
pub struct VocabularyPhrase {
    pub text: Box<str>,
    pub language: Language,
}

/// A term found in a text.
#[derive(Debug, Clone, Copy)]
pub struct TermMatch {
    pub vocabulary: u16,
    pub term: u32,
    pub phrase: u32,
    /// Byte range in the text.
    pub from: usize,
    pub to: usize,
}

/// An automaton over all phrases of all vocabularies.
#[derive(Debug, Default)]
pub struct PhraseAutomaton {
    /// Unique number, by which the word cache recognises its automaton.
    number: u64,
    lexicon: ThemeLexicon,
    steps: NumberMap<u32>,
    ends: Vec<Vec<PhraseEnd>>,
    phrases: Vec<VocabularyPhrase>,
    /// Folded words, per vocabulary, that turn the word before them into a name.
    name_ends: Vec<HashSet<String>>,
}

#[derive(Debug, Clone, Copy)]
struct PartialMatch {
    node: u32,
    language: Language,
    first: u32,
    from: usize,
    skipped: u8,
}

#[derive(Debug, Clone, Copy)]
struct RawMatch {
    first: u32,
    last: u32,
    from: usize,
    to: usize,
    means: PhraseMeaning,
    phrase: u32,
    /// Whether it matches only a part of a word.
    part: bool,
}

/// The last range of words covered by a match within a vocabulary. Words count from 1.
#[derive(Debug, Clone, Copy, Default)]
struct CoveredSpan {
    first: u32,
    last: u32,
    stop: bool,
    part: bool,
}

impl PhraseAutomaton {
    /// Builds the automaton. The stop phrases of `stops_of_all` apply to all vocabularies.
    pub fn new(vocabularies: &[ThemeVocabulary], stops_of_all: &ThemeVocabulary) -> Self {
        let number = NUMBERS.fetch_add(1, Ordering::Relaxed);
        let mut automaton = Self { number, ends: vec![Vec::new()], ..Self::default() };
        for (number, vocabulary) in vocabularies.iter().enumerate() {
            let number = number as u16;
            for (at, term) in vocabulary.terms.iter().enumerate() {
                for (language, word) in term.words() {
                    automaton.add(language, word, PhraseMeaning::Term(number, at as u32));
                }
                for (language, phrases) in &term.stops {
                    for phrase in phrases {
                        automaton.add(language, phrase, PhraseMeaning::NotTerm(number, at as u32));
                    }
                }
            }
            for (language, phrases) in vocabulary.stops.iter().chain(&stops_of_all.stops) {
                for phrase in phrases {
                    automaton.add(language, phrase, PhraseMeaning::Nothing(number));
                }
            }
            let name_ends = vocabulary.name_ends.values().chain(stops_of_all.name_ends.values()).flatten();
            automaton.name_ends.push(name_ends.map(|word| fold(word).into_owned()).collect());
        }
        automaton
    }

    /// Returns a phrase by its number.
    pub fn phrase(&self, number: u32) -> Option<&VocabularyPhrase> {
        self.phrases.get(number as usize)
    }

    /// Looks up a word in a text of these languages.
    fn word(&self, written: &str, told: LanguageSet) -> Rc<CachedWord> {
        word_cache::cached_word(self.number, written, told, || {
            let mut found = Vec::new();
            if written.len() > LONGEST_WORD {
                return (0, found);
            }
            let folded = fold(written);
            let stops = LABEL_STOP_WORDS.languages_of(&folded);
            if !folded.is_empty() {
                self.lexicon.look_up(written, &folded, stops, TextLanguages { told }, &mut found);
            }
            (stops, found)
        })
    }

    fn add(&mut self, language: &str, phrase: &str, means: PhraseMeaning) {
        let language = Language::from_name(language).unwrap_or(Language::ENGLISH);
        let lower: Vec<String> = split_words(phrase).map(|piece| piece.text.to_lowercase()).collect();
        let meaning = |word: &&String| {
            lower.len() == 1 || LABEL_STOP_WORDS.languages_of(&fold(word)) & language.bit() == 0
        };
        let words: Vec<&String> = lower.iter().filter(meaning).collect();
        if words.is_empty() || words.len() > LONGEST_PHRASE {
            return;
        }
        let mut node = 0;
        let alone = words.len() == 1;
        for word in words {
            let id = self.lexicon.add_word(
                language,
                word,
                alone,
                alone && !matches!(means, PhraseMeaning::Term(..)),
            );
            let next = self.ends.len() as u32;
            let step = *self.steps.entry(step(node, id)).or_insert(next);
            if step == next {
                self.ends.push(Vec::new());
            }
            node = step;
        }
        let number = self.phrases.len() as u32;
        if let Some(ends) = self.ends.get_mut(node as usize)
            && ends.iter().all(|end| end.means != means)
        {
            ends.push(PhraseEnd { means, phrase: number });
            self.phrases.push(VocabularyPhrase { text: phrase.into(), language });
        }
    }

    /// Guesses the language of short texts: the one or those with the most known words.
    pub fn guess_languages(&self, texts: &[&str]) -> LanguageSet {
        let mut votes: Vec<(Language, u32)> = Language::all().map(|language| (language, 0)).collect();
        for piece in texts.iter().flat_map(|text| split_words(text)).take(40) {
            let known = self.word(piece.text, 0);
            for (language, votes) in &mut votes {
                *votes += u32::from(known.found.iter().any(|found| found.language == *language));
            }
        }
        let most = votes.iter().map(|(_, votes)| *votes).max().filter(|most| *most > 0);
        votes.iter().filter(|(_, votes)| Some(*votes) == most).map(|(language, _)| language.bit()).sum()
    }

    /// Finds all terms in a text.
    pub fn find_terms(&self, text: &str, told: LanguageSet) -> Vec<TermMatch> {
        let mut raw: Vec<RawMatch> = Vec::new();
        let mut active: Vec<PartialMatch> = Vec::new();
        let mut next: Vec<PartialMatch> = Vec::new();
        for (number, piece) in split_words(text).enumerate() {
            let number = number as u32;
            if piece.apart {
                active.clear();
            }
            let known = self.word(piece.text, told);
            let (found, stops) = (&known.found, known.stops);
            let to = piece.from + piece.text.len();
            next.clear();
            for way in &active {
                let ids = found.iter().filter(|found| !found.part && found.language == way.language);
                for id in ids {
                    if let Some(node) = self.steps.get(&step(way.node, id.id)) {
                        next.push(PartialMatch { node: *node, skipped: 0, ..*way });
                    }
                }
                // A function word may stand inside of a phrase, so keep the partial match.
                if way.skipped < MOST_SKIPPED && stops & way.language.bit() != 0 {
                    next.push(PartialMatch { skipped: way.skipped + 1, ..*way });
                }
            }
            for id in found {
                if let Some(node) = self.steps.get(&step(0, id.id)) {
                    let way = PartialMatch {
                        node: *node,
                        language: id.language,
                        first: number,
                        from: piece.from,
                        skipped: 0,
                    };
                    if id.part {
                        self.ended(way, number, to, true, &mut raw);
                    } else {
                        next.push(way);
                    }
                }
            }
            // Limits the work on hostile texts.
            next.truncate(MOST_ACTIVE);
            for way in next.iter().filter(|way| way.skipped == 0) {
                self.ended(*way, number, to, false, &mut raw);
            }
            std::mem::swap(&mut active, &mut next);
        }
        self.resolve(text, raw)
    }

    fn ended(&self, way: PartialMatch, number: u32, to: usize, part: bool, raw: &mut Vec<RawMatch>) {
        for end in self.ends.get(way.node as usize).into_iter().flatten() {
            let (means, phrase) = (end.means, end.phrase);
            raw.push(RawMatch { first: way.first, last: number, from: way.from, to, means, phrase, part });
        }
    }

    /// Resolves overlaps within a vocabulary: longer phrases win over phrases inside them (`sea
    /// ice` is not a sea), and whole words over their parts.
    fn resolve(&self, text: &str, mut raw: Vec<RawMatch>) -> Vec<TermMatch> {
        // At the same start, longer matches come first; at the same range, whole words before
        // parts, and stop phrases before terms.
        let rank = |raw: &RawMatch| (raw.part, matches!(raw.means, PhraseMeaning::Term(..)));
        raw.sort_by_key(|raw| (raw.first, std::cmp::Reverse(raw.last), rank(raw)));
        let mut covers: Vec<CoveredSpan> = vec![CoveredSpan::default(); self.name_ends.len()];
        let mut denied: Vec<(u16, u32, u32)> = Vec::new();
        let mut hits: Vec<TermMatch> = Vec::new();
        for raw in raw {
            let Some(cover) = covers.get_mut(usize::from(raw.means.vocabulary())) else { continue };
            let (first, last, part) = (raw.first + 1, raw.last + 1, raw.part);
            let same = cover.first == first && cover.last == last;
            let inside = last <= cover.last && (!same || cover.stop || part && !cover.part);
            match raw.means {
                PhraseMeaning::NotTerm(vocabulary, term) => {
                    denied.retain(|(_, _, end)| *end >= first);
                    denied.push((vocabulary, term, last));
                }
                _ if inside => {}
                PhraseMeaning::Nothing(_) => *cover = CoveredSpan { first, last, stop: true, part },
                PhraseMeaning::Term(vocabulary, term) => {
                    let no = |(v, t, end): &(u16, u32, u32)| *v == vocabulary && *t == term && last <= *end;
                    if denied.iter().any(no) || self.is_name(vocabulary, text, raw) {
                        continue;
                    }
                    *cover = CoveredSpan { first, last, stop: false, part };
                    hits.push(TermMatch { vocabulary, term, phrase: raw.phrase, from: raw.from, to: raw.to });
                }
            }
        }
        hits
    }

    /// Whether a match is part of a name: `Rice County` is not about rice.
    fn is_name(&self, vocabulary: u16, text: &str, raw: RawMatch) -> bool {
        let Some(ends) = self.name_ends.get(usize::from(vocabulary)).filter(|ends| !ends.is_empty()) else {
            return false;
        };
        let capital = text[raw.from..].chars().next().is_some_and(char::is_uppercase);
        capital
            && split_words(&text[raw.to..]).next().is_some_and(|next| {
                !next.apart && next.text.len() <= LONGEST_WORD && ends.contains(&*fold(next.text))
            })
    }
}

fn step(node: u32, word: u32) -> u64 {
    u64::from(node) << 32 | u64::from(word)
}
