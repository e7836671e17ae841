//! Trains the classifier: `cargo run --release -p geotrawl-themes --example train`.
//!
//! Trains on the words of the vocabulary in typical titles, and on the texts of
//! `training/texts.tsv`. The result is reproducible: order and choices come from a fixed seed.
#![expect(clippy::print_stdout, reason = "a command-line tool prints its result")]

use geotrawl_themes::Themes;
use geotrawl_themes::classifier::{BUCKETS, SCHEME, TextFeatures, TopicModel};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

const ROUNDS: usize = 30;
const RATE: f32 = 0.5;
const SHRINK: f32 = 2e-6;
/// Repetitions of a written text; a word of the vocabulary appears once per title.
const WRITTEN: usize = 12;

const SHAPES: &[&str] = &[
    "{}",
    "{} {place}",
    "{place}: {}",
    "{} 2015",
    "WMS {}",
    "Map of {} in {place}",
    "Karte {} {place}",
    "Carte {}",
    "Mapa {}",
    "layer {}",
    "{} dataset",
    "INSPIRE {} {place}",
    "{} ({place})",
    "Access the features in the collection {}",
    "Dienst {}",
    "{} view service",
    "Service {}",
    "{} raster",
    "{} polygons",
    "web map service {}",
];
const PLACES: &[&str] = &[
    "Köln", "Bayern", "Finland", "Oregon", "Bretagne", "Aragón", "Torino", "Utrecht", "Lisboa", "Kraków",
    "Victoria", "Ontario", "Wales", "Tirol", "Zürich", "Texas", "Nairobi", "Lima", "Sachsen", "Montana",
];

struct TrainingExample {
    buckets: Vec<u32>,
    unit: f32,
    topics: Vec<bool>,
}

/// A deterministic random number generator.
struct FixedRandom(u64);

impl FixedRandom {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % end.max(1)
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("training");
    let themes = Themes::builtin();
    let vocabulary =
        themes.vocabularies().iter().find(|vocabulary| vocabulary.id == SCHEME).ok_or("no vocabulary")?;
    let terms: Vec<&str> = vocabulary.terms.iter().map(|term| term.id.as_str()).collect();
    let mut words: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
    for (number, term) in vocabulary.terms.iter().enumerate() {
        for (_, word) in term.words() {
            words.entry(word).or_default().insert(number);
        }
    }
    let mut chance = FixedRandom(0x5EED_2026_1116_0001);
    let mut examples: Vec<TrainingExample> = Vec::new();
    let mut add = |text: &str, topics: &BTreeSet<usize>| {
        let features = TextFeatures::from_texts(std::iter::once(text));
        let buckets = features.words.iter().flat_map(|(_, buckets)| buckets.iter().copied()).collect();
        let topics = (0..terms.len()).map(|number| topics.contains(&number)).collect();
        examples.push(TrainingExample { buckets, unit: features.unit, topics });
    };
    for (word, topics) in &words {
        for _ in 0..3 {
            let shape = SHAPES[chance.below(SHAPES.len())].replace("{}", word);
            add(&shape.replace("{place}", PLACES[chance.below(PLACES.len())]), topics);
        }
    }
    for shape in SHAPES.iter().chain(PLACES) {
        for _ in 0..WRITTEN {
            add(
                &shape.replace("{}", "").replace("{place}", PLACES[chance.below(PLACES.len())]),
                &BTreeSet::new(),
            );
        }
    }
    for line in
        std::fs::read_to_string(folder.join("texts.tsv"))?.lines().filter(|line| !line.starts_with('#'))
    {
        let (names, text) = line.split_once('\t').ok_or(line)?;
        let number = |name: &str| terms.iter().position(|term| *term == name);
        let topics: BTreeSet<usize> = names.split(',').filter_map(number).collect();
        for _ in 0..WRITTEN {
            add(text, &topics);
        }
    }
    for at in (1..examples.len()).rev() {
        examples.swap(at, chance.below(at + 1));
    }
    let mut learnt = Vec::new();
    for (number, term) in terms.iter().enumerate() {
        let (mut weights, mut bias) = (vec![0.0_f32; BUCKETS], -2.0_f32);
        for round in 0..ROUNDS {
            let rate = RATE / (1.0 + round as f32 / 8.0);
            for example in &examples {
                let sum: f32 = example.buckets.iter().map(|bucket| weights[*bucket as usize]).sum();
                let given = 1.0 / (1.0 + (-(bias + sum * example.unit)).exp());
                let wrong = f32::from(u8::from(example.topics[number])) - given;
                bias += rate * 0.1 * wrong;
                for bucket in &example.buckets {
                    let weight = &mut weights[*bucket as usize];
                    *weight += rate * wrong * example.unit - SHRINK * *weight;
                }
            }
        }
        learnt.push(((*term).to_owned(), bias, weights));
    }
    let bytes = TopicModel::new(learnt).to_bytes();
    println!("{} examples, {} topics, {} bytes", examples.len(), terms.len(), bytes.len());
    std::fs::write(folder.join("iso-topic.model"), bytes)?;
    Ok(())
}
