//! Labels of a resource from its texts.

use crate::automaton::{Automaton, Hit};
use crate::land_cover::Class;
use crate::vocabulary::Vocabulary;
use crate::{Label, Texts, classifier};
use geotrawl_text::{Language, Languages, detect_languages};
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// The vocabularies that are built in, in the order in which they are listed.
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

/// Most datasets, keywords that are looked at.
const MOST_TEXTS: usize = 500;
/// Most bytes of one text that are looked at: an abstract says on its first pages what it is about.
const LONGEST_TEXT: usize = 64 * 1024;
/// Longest word of a text in the evidence, in letters.
const LONGEST_EVIDENCE: usize = 60;
/// An abstract of so many bytes says what it says once.
const BRIEF: usize = 200;
/// Labels below are not told: what a long abstract mentions once.
const LEAST_WEIGHT: f32 = 0.42;

/// All vocabularies, ready to label.
#[derive(Debug)]
pub struct Themes {
    vocabularies: Vec<Vocabulary>,
    automaton: Automaton,
    land_cover: Option<u16>,
}

/// Where a word stands. The order is that of trust.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Field {
    Abstract,
    Dataset,
    Keyword,
    Title,
}

impl Field {
    fn name(self) -> &'static str {
        match self {
            Self::Abstract => "abstract",
            Self::Dataset => "dataset",
            Self::Keyword => "keyword",
            Self::Title => "title",
        }
    }

    /// What one word in it weighs.
    fn weight(self) -> f32 {
        match self {
            Self::Abstract => 0.4,
            Self::Dataset => 0.6,
            Self::Keyword => 0.85,
            Self::Title => 0.9,
        }
    }
}

/// What is known of a term after all texts are read.
#[derive(Debug)]
struct Seen {
    best: Field,
    evidence: String,
    /// Words that stand for it.
    hits: u32,
    /// Datasets that name it.
    datasets: u32,
}

static BUILTIN: LazyLock<Themes> = LazyLock::new(|| Themes::with(Vec::new()));

impl Themes {
    /// The built-in vocabularies.
    pub fn builtin() -> &'static Self {
        &BUILTIN
    }

    /// The built-in vocabularies and the operator's. One with the id of a built-in one takes its place.
    pub fn with(extra: Vec<Vocabulary>) -> Self {
        let mut vocabularies: Vec<Vocabulary> =
            BUILT_IN.iter().map(|text| Vocabulary::parse(text).vocabulary).collect();
        for vocabulary in extra.into_iter().filter(|vocabulary| !vocabulary.id.is_empty()) {
            match vocabularies.iter_mut().find(|known| known.id == vocabulary.id) {
                Some(known) => *known = vocabulary,
                None => vocabularies.push(vocabulary),
            }
        }
        let automaton = Automaton::new(&vocabularies, &Vocabulary::parse(STOPS).vocabulary);
        let land_cover = vocabularies.iter().position(|vocabulary| vocabulary.id == "land-cover");
        Self { vocabularies, automaton, land_cover: land_cover.map(|at| at as u16) }
    }

    /// All vocabularies with their terms, for listing.
    pub fn vocabularies(&self) -> &[Vocabulary] {
        &self.vocabularies
    }

    /// All labels: by the words of the vocabularies, and by the classifier where these are silent. Ordered by
    /// vocabulary, then by weight.
    pub fn labels(&self, texts: &Texts<'_>) -> Vec<Label> {
        let mut labels = self.keyword_labels(texts);
        if !labels.iter().any(|label| label.scheme == classifier::SCHEME) {
            labels.extend(classifier::labels(texts));
        }
        labels
    }

    /// The labels of the vocabularies' words alone.
    pub fn keyword_labels(&self, texts: &Texts<'_>) -> Vec<Label> {
        let all = texts.datasets.len().min(MOST_TEXTS) as f32;
        let brief = texts.abstract_.is_some_and(|text| text.len() <= BRIEF);
        let mut labels: Vec<(u16, Label)> = Vec::new();
        for ((vocabulary, term), seen) in self.seen(texts) {
            let more = (seen.hits.saturating_sub(1) as f32 * 0.05).min(0.1);
            let mut weight = seen.best.weight() + more;
            if seen.best == Field::Abstract && brief {
                // A sentence or two name what they are about once.
                weight += 0.05;
            }
            if seen.best == Field::Dataset && all > 0.0 {
                // One layer of a hundred is not what a service is about.
                weight = 0.3 + 0.4 * (seen.datasets as f32 / all).sqrt() + more;
            }
            let Some(of) = self.vocabularies.get(usize::from(vocabulary)) else { continue };
            let Some(term) = of.terms.get(term as usize) else { continue };
            if weight >= LEAST_WEIGHT {
                let (scheme, term) = (of.id.clone(), term.id.clone());
                labels.push((
                    vocabulary,
                    Label { scheme, term, evidence: seen.evidence, weight: weight.min(1.0) },
                ));
            }
        }
        labels.sort_by(|(one, a), (other, b)| one.cmp(other).then(b.weight.total_cmp(&a.weight)));
        labels.into_iter().map(|(_, label)| label).collect()
    }

    /// The land-cover class: of the field that is trusted most, the first by the order of precedence.
    pub fn land_cover(&self, texts: &Texts<'_>) -> Option<Class> {
        self.land_cover_classes(texts).first().copied()
    }

    /// All land-cover classes of the field that is trusted most, in the order of precedence. What only an abstract
    /// mentions beside a title that says something else does not count.
    pub fn land_cover_classes(&self, texts: &Texts<'_>) -> Vec<Class> {
        let vocabulary = self.land_cover.and_then(|at| self.vocabularies.get(usize::from(at)));
        let seen = self.seen(texts);
        // Title and keywords are written by one hand at one time.
        let rank = |field: Field| if field == Field::Keyword { Field::Title } else { field };
        let of = |(key, seen): (&(u16, u32), &Seen)| {
            let term = vocabulary?.terms.get(key.1 as usize)?;
            let class = Class::by_id(&term.id)?;
            (Some(key.0) == self.land_cover).then(|| (class, rank(seen.best)))
        };
        let mut classes: Vec<(Class, Field)> = seen.iter().filter_map(of).collect();
        let best = classes.iter().map(|(_, field)| *field).max();
        classes.retain(|(_, field)| Some(*field) == best);
        classes.sort_unstable();
        classes.into_iter().map(|(class, _)| class).collect()
    }

    fn seen(&self, texts: &Texts<'_>) -> BTreeMap<(u16, u32), Seen> {
        let spoken = self.spoken(texts);
        let mut seen = BTreeMap::new();
        if let Some(title) = texts.title {
            self.read(title, Field::Title, spoken, &mut seen);
        }
        for keyword in texts.keywords.iter().take(MOST_TEXTS) {
            self.read(keyword, Field::Keyword, spoken, &mut seen);
        }
        for dataset in texts.datasets.iter().take(MOST_TEXTS) {
            self.read(dataset, Field::Dataset, spoken, &mut seen);
        }
        if let Some(text) = texts.abstract_ {
            self.read(text, Field::Abstract, spoken, &mut seen);
        }
        seen
    }

    fn read(&self, text: &str, field: Field, spoken: Languages, seen: &mut BTreeMap<(u16, u32), Seen>) {
        let text = first_bytes(text, LONGEST_TEXT);
        let mut before: Vec<(u16, u32)> = Vec::new();
        for hit in self.automaton.scan(text, spoken) {
            let key = (hit.vocabulary, hit.term);
            let known = seen.entry(key).or_insert_with(|| Seen {
                best: field,
                evidence: self.evidence(text, field, hit),
                hits: 0,
                datasets: 0,
            });
            known.hits = known.hits.saturating_add(1);
            if field == Field::Dataset && !before.contains(&key) {
                known.datasets = known.datasets.saturating_add(1);
                before.push(key);
            }
        }
    }

    fn evidence(&self, text: &str, field: Field, hit: Hit) -> String {
        let written = text.get(hit.from..hit.to).unwrap_or_default();
        let written: String = written.chars().take(LONGEST_EVIDENCE).collect();
        let (keyword, language) = self
            .automaton
            .phrase(hit.phrase)
            .map_or(("", "en"), |phrase| (&*phrase.text, phrase.language.code()));
        format!("{}: \"{written}\" ({}, {language})", field.name(), keyword.to_lowercase())
    }

    /// In which languages the texts may be read: what is stated and what they look like.
    fn spoken(&self, texts: &Texts<'_>) -> Languages {
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
            spoken = self.automaton.votes(&samples);
        }
        // What is stated is believed beside what is seen; `eng` is often only the default of a software.
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
