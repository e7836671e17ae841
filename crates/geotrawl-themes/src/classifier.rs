//! A linear text model beside the keywords: one logistic regression a topic over hashed words and parts of words.
//!
//! Trained by `cargo run --release -p geotrawl-themes --example train` from the vocabularies and the texts of
//! `training/`; nothing of strangers is in it. It speaks only where the keywords are silent and it is sure.

use crate::{ResourceTexts, ThemeLabel};
use geotrawl_text::hash::hash_bytes;
use geotrawl_text::{LABEL_STOP_WORDS, LONGEST_WORD, fold_into, pieces};
use std::collections::HashSet;
use std::sync::LazyLock;

/// The vocabulary whose terms it gives.
pub const SCHEME: &str = "iso-topic";
/// How sure it must be to speak: where, on the tuning texts, it is right more often than the keywords.
pub const SURE: f32 = 0.8;
/// Buckets of features; a power of two.
pub const BUCKETS: usize = 1 << 14;
/// Bytes of the texts that are read.
const MOST_BYTES: usize = 2_000;
/// Words that are told as evidence.
const MOST_TELLING: usize = 3;
/// Least weight of a word that speaks for a topic, of 127.
const SPEAKS: i8 = 12;
/// First bytes of a model.
const MAGIC: &[u8; 8] = b"gtthm001";

static MODEL: LazyLock<Option<TopicModel>> =
    LazyLock::new(|| TopicModel::from_bytes(include_bytes!("../training/iso-topic.model")));

/// A trained model.
#[derive(Debug, Clone, PartialEq)]
pub struct TopicModel {
    /// Term, offset, scale, a weight a bucket.
    topics: Vec<TopicWeights>,
}

#[derive(Debug, Clone, PartialEq)]
struct TopicWeights {
    term: String,
    bias: f32,
    scale: f32,
    weights: Vec<i8>,
}

/// What the model thinks of a text.
#[derive(Debug, Clone, PartialEq)]
pub struct TopicGuess {
    /// Id of the term.
    pub term: String,
    /// 0 to 1.
    pub confidence: f32,
    /// The words that spoke for it most.
    pub telling: Vec<String>,
}

/// The features of a text, word by word.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TextFeatures {
    /// As written, with its buckets.
    pub words: Vec<(String, Vec<u32>)>,
    /// What one feature counts, so that long texts count as much as short ones.
    pub unit: f32,
}

impl TextFeatures {
    /// Of several texts.
    pub fn from_texts<'a>(texts: impl Iterator<Item = &'a str>) -> Self {
        let mut words: Vec<(String, Vec<u32>)> = Vec::new();
        let mut known: HashSet<String> = HashSet::new();
        let mut left = MOST_BYTES;
        let mut folded = String::new();
        for piece in texts.flat_map(split_words) {
            left = left.saturating_sub(piece.text.len() + 1);
            if left == 0 {
                break;
            }
            folded.clear();
            fold_into(piece.text, &mut folded);
            let letters = folded.chars().filter(|c| c.is_alphabetic()).count();
            let stop = LABEL_STOP_WORDS.languages_of(&folded) != 0;
            if letters < 3 || stop || piece.text.len() > LONGEST_WORD || !known.insert(folded.clone()) {
                continue;
            }
            words.push((piece.text.to_owned(), buckets(&folded)));
        }
        let count: usize = words.iter().map(|(_, buckets)| buckets.len()).sum();
        let unit = if count == 0 { 0.0 } else { 1.0 / (count as f32).sqrt() };
        Self { words, unit }
    }
}

/// The word itself twice, and its parts of four letters.
fn buckets(folded: &str) -> Vec<u32> {
    let bucket =
        |seed: u64, text: &str| (hash_bytes(seed, text.as_bytes()) >> 20) as u32 & (BUCKETS as u32 - 1);
    let mut buckets = vec![bucket(1, folded), bucket(2, folded)];
    let marked: Vec<char> = format!("^{folded}$").chars().collect();
    if marked.len() >= 6 {
        buckets.extend(marked.windows(4).map(|part| bucket(3, &part.iter().collect::<String>())));
    }
    buckets
}

impl TopicModel {
    /// Of weights as they were learnt: term, offset, a weight a bucket.
    pub fn new(learnt: Vec<(String, f32, Vec<f32>)>) -> Self {
        let topic = |(term, bias, weights): (String, f32, Vec<f32>)| {
            let most = weights.iter().fold(0.0_f32, |most, weight| most.max(weight.abs()));
            let scale = if most > 0.0 { most / 127.0 } else { 1.0 };
            let weights = weights.iter().map(|weight| (weight / scale).round() as i8).collect();
            TopicWeights { term, bias, scale, weights }
        };
        Self { topics: learnt.into_iter().map(topic).collect() }
    }

    /// Reads a model; none when it is none.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let mut rest = bytes.strip_prefix(MAGIC)?;
        let mut topics = Vec::new();
        while !rest.is_empty() {
            let (length, after) = rest.split_first()?;
            let (term, after) = after.split_at_checked(usize::from(*length))?;
            let (bias, after) = after.split_first_chunk::<4>()?;
            let (scale, after) = after.split_first_chunk::<4>()?;
            let (weights, after) = after.split_at_checked(BUCKETS)?;
            topics.push(TopicWeights {
                term: String::from_utf8(term.to_vec()).ok()?,
                bias: f32::from_le_bytes(*bias),
                scale: f32::from_le_bytes(*scale),
                weights: weights.iter().map(|byte| i8::from_le_bytes([*byte])).collect(),
            });
            rest = after;
        }
        Some(Self { topics })
    }

    /// As it is stored.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        for topic in &self.topics {
            bytes.push(topic.term.len().min(255) as u8);
            bytes.extend(topic.term.bytes().take(255));
            bytes.extend(topic.bias.to_le_bytes());
            bytes.extend(topic.scale.to_le_bytes());
            bytes.extend(topic.weights.iter().map(|weight| weight.to_le_bytes()[0]));
        }
        bytes
    }

    /// What it thinks of each topic, surest first; those above `least`.
    pub fn guess_topics(&self, features: &TextFeatures, least: f32) -> Vec<TopicGuess> {
        let mut guesses: Vec<TopicGuess> = Vec::new();
        if features.words.is_empty() {
            return guesses;
        }
        for topic in &self.topics {
            let weigh = |buckets: &[u32]| {
                let sum: i32 = buckets
                    .iter()
                    .map(|bucket| topic.weights.get(*bucket as usize).map_or(0, |w| i32::from(*w)))
                    .sum();
                sum as f32 * topic.scale * features.unit
            };
            let shares: Vec<f32> = features.words.iter().map(|(_, buckets)| weigh(buckets)).collect();
            let confidence = 1.0 / (1.0 + (-(topic.bias + shares.iter().sum::<f32>())).exp());
            if confidence < least {
                continue;
            }
            let mut telling: Vec<(f32, &str)> =
                shares.iter().copied().zip(features.words.iter().map(|(word, _)| word.as_str())).collect();
            telling.retain(|(share, _)| *share > 0.0);
            if !features.words.iter().any(|(_, buckets)| topic.knows(buckets)) {
                continue;
            }
            telling.sort_by(|(a, _), (b, _)| b.total_cmp(a));
            let telling = telling.into_iter().take(MOST_TELLING).map(|(_, word)| word.to_owned()).collect();
            guesses.push(TopicGuess { term: topic.term.clone(), confidence, telling });
        }
        guesses.sort_by(|a, b| b.confidence.total_cmp(&a.confidence));
        guesses
    }
}

impl TopicWeights {
    /// Whether a word itself speaks for the topic, or nearly all its parts do. Parts alone make topics of names.
    fn knows(&self, buckets: &[u32]) -> bool {
        let speaks =
            |bucket: &u32| self.weights.get(*bucket as usize).is_some_and(|weight| *weight >= SPEAKS);
        let (word, parts) = buckets.split_at(buckets.len().min(2));
        let spoken = parts.iter().filter(|bucket| speaks(bucket)).count();
        word.iter().all(speaks) || parts.len() >= 6 && spoken * 4 >= parts.len() * 3
    }
}

/// What the built-in model thinks of these texts; those above `least`.
pub fn guess_topics(texts: &ResourceTexts<'_>, least: f32) -> Vec<TopicGuess> {
    let Some(model) = MODEL.as_ref() else { return Vec::new() };
    let all = texts.title.into_iter().chain(texts.keywords.iter().take(20).copied());
    let all = all.chain(texts.abstract_).chain(texts.datasets.iter().take(20).copied());
    model.guess_topics(&TextFeatures::from_texts(all), least)
}

/// Labels of what the model is sure of, at most two.
pub fn classify_texts(texts: &ResourceTexts<'_>) -> Vec<ThemeLabel> {
    let label = |guess: TopicGuess| {
        let telling = guess.telling.join(", ");
        let evidence = format!("classifier: {:.2} by {telling}", guess.confidence);
        // A guess weighs less than a word that stands there.
        ThemeLabel { scheme: SCHEME.to_owned(), term: guess.term, evidence, weight: 0.7 * guess.confidence }
    };
    guess_topics(texts, SURE).into_iter().take(2).map(label).collect()
}
