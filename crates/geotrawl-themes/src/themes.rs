//! Labels the texts of a resource.

use crate::automaton::{PhraseAutomaton, TermMatch};
use crate::land_cover::LandCoverClass;
use crate::vocabulary::ThemeVocabulary;
use crate::{ResourceTexts, ThemeLabel, classifier};
use geotrawl_text::{Language, LanguageSet, detect_languages};
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// The built-in vocabularies in display order.
const BUILT_IN: &[&str] = &[
    include_str!("../vocabularies/land-cover.toml"),
    include_str!("../vocabularies/inspire.toml"),
    include_str!("../vocabularies/iso-topic.toml"),
    include_str!("../vocabularies/geoss.toml"),
    include_str!("../vocabularies/geo.toml"),
    include_str!("../vocabularies/gcmd.toml"),
    include_str!("../vocabularies/eu-dcat.toml"),
];
const STOPS: &str = include_str!("../vocabularies/stop.toml");

/// Most datasets and most keywords that are read.
const MOST_TEXTS: usize = 500;
/// Most bytes of a text that are read: the topic of an abstract is clear after its first pages.
const LONGEST_TEXT: usize = 64 * 1024;
/// Longest quoted word in the evidence, in characters.
const LONGEST_EVIDENCE: usize = 60;
/// An abstract up to this size in bytes mentions each topic only once.
const BRIEF: usize = 200;
/// Labels with a lower weight are dropped: what a long abstract mentions once.
const LEAST_WEIGHT: f32 = 0.42;

/// All vocabularies, prepared for labelling.
#[derive(Debug)]
pub struct Themes {
    vocabularies: Vec<ThemeVocabulary>,
    automaton: PhraseAutomaton,
    land_cover: Option<u16>,
}

/// Text field of a match, least reliable first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum TextField {
    Abstract,
    Dataset,
    Keyword,
    Title,
}

impl TextField {
    fn name(self) -> &'static str {
        match self {
            Self::Abstract => "abstract",
            Self::Dataset => "dataset",
            Self::Keyword => "keyword",
            Self::Title => "title",
        }
    }

    /// Returns the weight of a single match in this field.
    fn weight(self) -> f32 {
        match self {
            Self::Abstract => 0.4,
            Self::Dataset => 0.6,
            Self::Keyword => 0.85,
            Self::Title => 0.9,
        }
    }
}

/// The matches of a term in all texts.
#[derive(Debug)]
struct TermEvidence {
    best: TextField,
    evidence: String,
    /// Number of matches.
    hits: u32,
    /// Number of datasets with a match.
    datasets: u32,
}

static BUILTIN: LazyLock<Themes> = LazyLock::new(|| Themes::with_vocabularies(Vec::new()));

impl Themes {
    /// Returns the built-in vocabularies.
    pub fn builtin() -> &'static Self {
        &BUILTIN
    }

    /// Adds the operator's vocabularies to the built-in ones. A
    /// vocabulary with a built-in id replaces it.
    pub fn with_vocabularies(extra: Vec<ThemeVocabulary>) -> Self {
        let mut vocabularies: Vec<ThemeVocabulary> =
            BUILT_IN.iter().map(|text| ThemeVocabulary::parse(text).vocabulary).collect();
        for vocabulary in extra.into_iter().filter(|vocabulary| !vocabulary.id.is_empty()) {
            match vocabularies.iter_mut().find(|known| known.id == vocabulary.id) {
                Some(known) => *known = vocabulary,
                None => vocabularies.push(vocabulary),
            }
        }
        let automaton = PhraseAutomaton::new(&vocabularies, &ThemeVocabulary::parse(STOPS).vocabulary);
        let land_cover = vocabularies.iter().position(|vocabulary| vocabulary.id == "land-cover");
        Self { vocabularies, automaton, land_cover: land_cover.map(|at| at as u16) }
    }

    /// Returns all vocabularies with their terms.
    pub fn vocabularies(&self) -> &[ThemeVocabulary] {
        &self.vocabularies
    }

    /// Labels texts by the words of the vocabularies, and by the classifier if these give no topic.
    /// Sorted by vocabulary, then by weight.
    pub fn find_labels(&self, texts: &ResourceTexts<'_>) -> Vec<ThemeLabel> {
        let mut labels = self.keyword_labels(texts);
        if !labels.iter().any(|label| label.scheme == classifier::SCHEME) {
            labels.extend(classifier::classify_texts(texts));
        }
        labels
    }

    /// Labels texts by the words of the vocabularies only.
    pub fn keyword_labels(&self, texts: &ResourceTexts<'_>) -> Vec<ThemeLabel> {
        let all = texts.datasets.len().min(MOST_TEXTS) as f32;
        let brief = texts.abstract_.is_some_and(|text| text.len() <= BRIEF);
        let mut labels: Vec<(u16, ThemeLabel)> = Vec::new();
        for ((vocabulary, term), seen) in self.seen(texts) {
            let more = (seen.hits.saturating_sub(1) as f32 * 0.05).min(0.1);
            let mut weight = seen.best.weight() + more;
            if seen.best == TextField::Abstract && brief {
                // Short abstracts mention each topic only once.
                weight += 0.05;
            }
            if seen.best == TextField::Dataset && all > 0.0 {
                // One dataset of a hundred is not the topic of the service.
                weight = 0.3 + 0.4 * (seen.datasets as f32 / all).sqrt() + more;
            }
            let Some(of) = self.vocabularies.get(usize::from(vocabulary)) else { continue };
            let Some(term) = of.terms.get(term as usize) else { continue };
            if weight >= LEAST_WEIGHT {
                let (scheme, term) = (of.id.clone(), term.id.clone());
                labels.push((
                    vocabulary,
                    ThemeLabel { scheme, term, evidence: seen.evidence, weight: weight.min(1.0) },
                ));
            }
        }
        labels.sort_by(|(one, a), (other, b)| one.cmp(other).then(b.weight.total_cmp(&a.weight)));
        labels.into_iter().map(|(_, label)| label).collect()
    }

    /// Returns the land-cover class of the most reliable field; of
    /// several, the first in order of precedence.
    pub fn land_cover_class(&self, texts: &ResourceTexts<'_>) -> Option<LandCoverClass> {
        self.land_cover_classes(texts).first().copied()
    }

    /// Returns all land-cover classes of the most reliable field in order of precedence. Classes
    /// mentioned only in the abstract do not count if the title names others.
    pub fn land_cover_classes(&self, texts: &ResourceTexts<'_>) -> Vec<LandCoverClass> {
        let vocabulary = self.land_cover.and_then(|at| self.vocabularies.get(usize::from(at)));
        let seen = self.seen(texts);
        // Title and keywords have the same author, so treat them as one field.
        let rank = |field: TextField| if field == TextField::Keyword { TextField::Title } else { field };
        let of = |(key, seen): (&(u16, u32), &TermEvidence)| {
            let term = vocabulary?.terms.get(key.1 as usize)?;
            let class = LandCoverClass::from_id(&term.id)?;
            (Some(key.0) == self.land_cover).then(|| (class, rank(seen.best)))
        };
        let mut classes: Vec<(LandCoverClass, TextField)> = seen.iter().filter_map(of).collect();
        let best = classes.iter().map(|(_, field)| *field).max();
        classes.retain(|(_, field)| Some(*field) == best);
        classes.sort_unstable();
        classes.into_iter().map(|(class, _)| class).collect()
    }

    fn seen(&self, texts: &ResourceTexts<'_>) -> BTreeMap<(u16, u32), TermEvidence> {
        let spoken = self.spoken(texts);
        let mut seen = BTreeMap::new();
        if let Some(title) = texts.title {
            self.read(title, TextField::Title, spoken, &mut seen);
        }
        for keyword in texts.keywords.iter().take(MOST_TEXTS) {
            self.read(keyword, TextField::Keyword, spoken, &mut seen);
        }
        for dataset in texts.datasets.iter().take(MOST_TEXTS) {
            self.read(dataset, TextField::Dataset, spoken, &mut seen);
        }
        if let Some(text) = texts.abstract_ {
            self.read(text, TextField::Abstract, spoken, &mut seen);
        }
        seen
    }

    fn read(
        &self,
        text: &str,
        field: TextField,
        spoken: LanguageSet,
        seen: &mut BTreeMap<(u16, u32), TermEvidence>,
    ) {
        let text = first_bytes(text, LONGEST_TEXT);
        let mut before: Vec<(u16, u32)> = Vec::new();
        for hit in self.automaton.find_terms(text, spoken) {
            let key = (hit.vocabulary, hit.term);
            let known = seen.entry(key).or_insert_with(|| TermEvidence {
                best: field,
                evidence: self.evidence(text, field, hit),
                hits: 0,
                datasets: 0,
            });
            known.hits = known.hits.saturating_add(1);
            if field == TextField::Dataset && !before.contains(&key) {
                known.datasets = known.datasets.saturating_add(1);
                before.push(key);
            }
        }
    }

    fn evidence(&self, text: &str, field: TextField, hit: TermMatch) -> String {
        let written = text.get(hit.from..hit.to).unwrap_or_default();
        let written: String = written.chars().take(LONGEST_EVIDENCE).collect();
        let (keyword, language) = self
            .automaton
            .phrase(hit.phrase)
            .map_or(("", "en"), |phrase| (&*phrase.text, phrase.language.code()));
        format!("{}: \"{written}\" ({}, {language})", field.name(), keyword.to_lowercase())
    }

    /// Returns the languages in which the texts may be read: the stated one and those detected.
    fn spoken(&self, texts: &ResourceTexts<'_>) -> LanguageSet {
        let stated = texts.language.and_then(Language::from_name);
        let mut samples: Vec<&str> =
            texts.title.into_iter().chain(texts.abstract_).map(|text| first_bytes(text, 4096)).collect();
        if samples.iter().map(|text| text.len()).sum::<usize>() < 200 {
            samples.extend(
                texts.keywords.iter().chain(texts.datasets).take(20).map(|text| first_bytes(text, 200)),
            );
        }
        let mut spoken = detect_languages(&samples);
        if spoken == 0 {
            spoken = self.automaton.guess_languages(&samples);
        }
        // Metadata often state `eng` only because it is the default of the software, so use the
        // detected languages as well.
        match stated {
            Some(language) if spoken != 0 => spoken | language.bit(),
            Some(language) if language != Language::ENGLISH => language.bit() | Language::ENGLISH.bit(),
            _ => spoken,
        }
    }
}

/// Returns the beginning of a text, at most `most` bytes.
fn first_bytes(text: &str, most: usize) -> &str {
    &text[..text.floor_char_boundary(most)]
}
