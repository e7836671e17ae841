//! Keywords and classifier on titles and abstracts of the shared corpus.
//!
//! `corpus/labels.tsv` holds a hash of each text and its ISO topics, never the text. The texts were chosen by their
//! hashes (at most five of a file, then the 320 lowest) and labelled by reading, before the training texts were
//! written: a topic is given when the text says so to a person who knows the field; names of columns, styles, places
//! and software have none.

use geotrawl_themes::{Texts, Themes, classifier};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

fn labels() -> BTreeMap<u64, BTreeSet<String>> {
    let lines = include_str!("corpus/labels.tsv").lines().filter(|line| !line.starts_with('#'));
    let label = |line: &str| {
        let (hash, topics) = line.split_once('\t').unwrap();
        let topics = topics.split(',').filter(|topic| *topic != "-").map(str::to_owned).collect();
        (u64::from_str_radix(hash, 16).unwrap(), topics)
    };
    lines.map(label).collect()
}

/// FNV-1a.
fn hash(text: &str) -> u64 {
    text.bytes().fold(0xCBF2_9CE4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3)
    })
}

fn corpus() -> Option<PathBuf> {
    let shared = std::env::var_os("GEOTRAWL_SHARED").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"),
        PathBuf::from,
    );
    Some(shared.join("corpus")).filter(|folder| folder.is_dir())
}

/// All runs of text between tags, and all strings.
fn texts_of(bytes: &[u8], take: &mut dyn FnMut(String)) {
    let text = String::from_utf8_lossy(bytes);
    let xml = text.trim_start_matches(['\u{feff}', ' ', '\r', '\n']).starts_with('<');
    let spaced = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    if xml {
        for run in text.split('>').filter_map(|part| part.split_once('<')).map(|(run, _)| run) {
            if (4..4000).contains(&run.len()) {
                let plain = run.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"");
                let plain = plain.replace("&#39;", "'").replace("&apos;", "'").replace("&#13;", " ").replace("&amp;", "&");
                take(spaced(&plain));
            }
        }
    } else {
        let escaped = text.replace("\\\"", "\u{1}");
        for string in escaped.split('"').filter(|string| (4..4000).contains(&string.len())) {
            take(spaced(&string.replace('\u{1}', "\\\"").replace("\\n", " ")));
        }
    }
}

#[derive(Default)]
struct Count {
    right: usize,
    given: usize,
    wanted: usize,
    silent: usize,
}

impl Count {
    fn add(&mut self, given: &BTreeSet<String>, wanted: &BTreeSet<String>) {
        self.right += given.intersection(wanted).count();
        self.given += given.len();
        self.wanted += wanted.len();
        self.silent += usize::from(given.is_empty() && !wanted.is_empty());
    }

    fn tell(&self, what: &str) -> (f64, f64) {
        let precision = self.right as f64 / self.given.max(1) as f64;
        let recall = self.right as f64 / self.wanted.max(1) as f64;
        println!("  {what:<34} {precision:>9.3} {recall:>7.3}   {} given, {} silent", self.given, self.silent);
        (precision, recall)
    }
}

#[test]
fn the_classifier_adds_to_the_keywords() {
    let wanted = labels();
    assert!(wanted.len() >= 300);
    let Some(corpus) = corpus() else {
        println!("the shared corpus is not here (GEOTRAWL_SHARED): nothing was measured");
        return;
    };
    let mut found: BTreeMap<u64, String> = BTreeMap::new();
    let mut folders = vec![corpus];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if entry.metadata().is_ok_and(|data| data.len() <= 4_000_000) {
                let bytes = std::fs::read(&path).unwrap();
                if bytes.iter().take(512).all(|byte| *byte != 0) {
                    texts_of(&bytes, &mut |text| {
                        let hash = hash(&text);
                        if wanted.contains_key(&hash) {
                            found.entry(hash).or_insert(text);
                        }
                    });
                }
            }
        }
    }
    let themes = Themes::builtin();
    let (mut keywords, mut alone, mut both) = (Count::default(), Count::default(), Count::default());
    let mut added = Count::default();
    let show = std::env::var_os("GEOTRAWL_SHOW").is_some();
    for (hash, text) in &found {
        let wanted = &wanted[hash];
        // What is longer than a title is an abstract.
        let (title, abstract_) = if text.len() > 120 { (None, Some(text.as_str())) } else { (Some(text.as_str()), None) };
        let texts = Texts { title, abstract_, ..Texts::default() };
        let of = |labels: Vec<geotrawl_themes::Label>| {
            let topics = labels.into_iter().filter(|label| label.scheme == classifier::SCHEME);
            topics.map(|label| label.term).collect::<BTreeSet<String>>()
        };
        let by_words = of(themes.keyword_labels(&texts));
        let by_model = of(classifier::labels(&texts));
        let by_both = of(themes.labels(&texts));
        keywords.add(&by_words, wanted);
        alone.add(&by_model, wanted);
        both.add(&by_both, wanted);
        if by_words.is_empty() {
            added.add(&by_both, wanted);
        }
        if show && by_both != *wanted {
            println!("{text:.100}\n    wanted {wanted:?}\n    words {by_words:?}\n    model {by_model:?}");
        }
    }
    println!("\n{} of {} labelled texts are in the corpus; {} have a topic", found.len(), wanted.len(), found.keys().filter(|hash| !wanted[hash].is_empty()).count());
    println!("  ISO topics                         precision  recall");
    keywords.tell("keywords");
    alone.tell("classifier alone");
    let (_, recall) = both.tell("keywords, then classifier");
    added.tell("classifier where keywords are silent");
    for least in [0.5, 0.6, 0.7, 0.8, 0.9] {
        let mut count = Count::default();
        for (hash, text) in &found {
            let texts = Texts { title: Some(text), ..Texts::default() };
            if !themes.keyword_labels(&texts).iter().any(|label| label.scheme == classifier::SCHEME) {
                let given = classifier::guesses(&texts, least).into_iter().take(2).map(|guess| guess.term).collect();
                count.add(&given, &wanted[hash]);
            }
        }
        count.tell(&format!("  the same from {least}"));
    }
    assert!(found.len() >= 280, "the texts of the corpus changed");
    assert!(recall >= 0.5);
}
