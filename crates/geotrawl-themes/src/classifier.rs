//! A linear text model that supplements the keywords: one logistic regression per topic over hashed
//! words and word parts.
//!
//! Trained by `cargo run --release -p geotrawl-themes --example train` from the vocabularies and
//! our own texts in `training/`. Used only for texts without keyword labels, and only if the
//! confidence is high.

use crate::{ResourceTexts, ThemeLabel};
use geotrawl_text::hash::hash_bytes;
use geotrawl_text::{LABEL_STOP_WORDS, LONGEST_WORD, fold_into, split_words};
use std::collections::HashSet;
use std::sync::LazyLock;

/// The vocabulary of the predicted terms.
pub const SCHEME: &str = "iso-topic";
/// Minimum confidence for a label. Above it, the model is more
/// precise on the tuning texts than the keywords.
pub const SURE: f32 = 0.8;
/// Number of feature buckets; a power of two.
pub const BUCKETS: usize = 1 << 14;
/// Most bytes of text that are used.
const MOST_BYTES: usize = 2_000;
/// Most words listed as evidence.
const MOST_TELLING: usize = 3;
/// Minimum weight (of 127) of a word that supports a topic.
const SPEAKS: i8 = 12;
/// File signature of a model.
const MAGIC: &[u8; 8] = b"gtthm001";

static MODEL: LazyLock<Option<TopicModel>> =
    LazyLock::new(|| TopicModel::from_bytes(include_bytes!("../training/iso-topic.model")));

/// A trained model.
#[derive(Debug, Clone, PartialEq)]
pub struct TopicModel {
    /// One linear model per topic.
    topics: Vec<TopicWeights>,
}

#[derive(Debug, Clone, PartialEq)]
struct TopicWeights {
    term: String,
    bias: f32,
    scale: f32,
    weights: Vec<i8>,
}

/// A topic predicted for a text.
#[derive(Debug, Clone, PartialEq)]
pub struct TopicGuess {
    /// Id of the term.
    pub term: String,
    /// 0 to 1.
    pub confidence: f32,
    /// The words with the largest contribution.
    pub telling: Vec<String>,
}

/// The features of a text, word by word.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TextFeatures {
    /// Words as written, with their buckets.
    pub words: Vec<(String, Vec<u32>)>,
    /// Value of one feature; normalises the length of the text.
    pub unit: f32,
}

impl TextFeatures {
    /// Extracts the features of several texts.
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

/// Returns two buckets for the word itself, and one for each of its parts of four letters.
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
    /// Quantises learnt weights: term, bias, and one weight per bucket.
    pub fn new(learnt: Vec<(String, f32, Vec<f32>)>) -> Self {
        let topic = |(term, bias, weights): (String, f32, Vec<f32>)| {
            let most = weights.iter().fold(0.0_f32, |most, weight| most.max(weight.abs()));
            // Weights are stored as bytes, because the model is embedded in the binary.
            let scale = if most > 0.0 { most / 127.0 } else { 1.0 };
            let weights = weights.iter().map(|weight| (weight / scale).round() as i8).collect();
            TopicWeights { term, bias, scale, weights }
        };
        Self { topics: learnt.into_iter().map(topic).collect() }
    }

    /// Parses a stored model; returns `None` if it is invalid.
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

    /// Serialises the model for storage.
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

    /// Returns the topics with at least `least` confidence, highest first.
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
    /// Whether a word supports the topic by itself or by nearly all its parts. Single parts are not
    /// enough, because they would match names.
    fn knows(&self, buckets: &[u32]) -> bool {
        let speaks =
            |bucket: &u32| self.weights.get(*bucket as usize).is_some_and(|weight| *weight >= SPEAKS);
        let (word, parts) = buckets.split_at(buckets.len().min(2));
        let spoken = parts.iter().filter(|bucket| speaks(bucket)).count();
        word.iter().all(speaks) || parts.len() >= 6 && spoken * 4 >= parts.len() * 3
    }
}

/// Returns the built-in model's topics for these texts with at least `least` confidence.
pub fn guess_topics(texts: &ResourceTexts<'_>, least: f32) -> Vec<TopicGuess> {
    let Some(model) = MODEL.as_ref() else { return Vec::new() };
    let all = texts.title.into_iter().chain(texts.keywords.iter().take(20).copied());
    let all = all.chain(texts.abstract_).chain(texts.datasets.iter().take(20).copied());
    model.guess_topics(&TextFeatures::from_texts(all), least)
}

/// Returns up to two labels for which the confidence is high.
pub fn classify_texts(texts: &ResourceTexts<'_>) -> Vec<ThemeLabel> {
    let label = |guess: TopicGuess| {
        let telling = guess.telling.join(", ");
        let evidence = format!("classifier: {:.2} by {telling}", guess.confidence);
        // A prediction counts less than a word that occurs in the text.
        ThemeLabel { scheme: SCHEME.to_owned(), term: guess.term, evidence, weight: 0.7 * guess.confidence }
    };
    guess_topics(texts, SURE).into_iter().take(2).map(label).collect()
}
