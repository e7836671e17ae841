//! Measures keywords and classifier on titles and abstracts of the shared corpus.
//!
//! `corpus/labels.tsv` contains a hash of each text and its ISO topics, never the text. The texts
//! were chosen by hash (at most five per file, then the lowest) and labelled by reading: a topic is
//! given if the text conveys it to a person who knows the field; names of columns, styles, places
//! and software have none. Errors on the first 320 texts (tuning) were inspected while words and
//! training texts were written. The next 150 (held-out) were labelled before any rule was run on
//! them, and only their figures were inspected. However, the list of general words that the
//! classifier learns as meaningless was written after reading them.
#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test that cannot read its texts has failed, and it tells its figures"
)]

use geotrawl_themes::{ResourceTexts, Themes, classifier};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

struct LabelledText {
    topics: BTreeSet<String>,
    held_out: bool,
}

fn labels() -> BTreeMap<u64, LabelledText> {
    let lines = include_str!("corpus/labels.tsv").lines().filter(|line| !line.starts_with('#'));
    let label = |line: &str| {
        let mut columns = line.split('\t');
        let hash = u64::from_str_radix(columns.next().unwrap(), 16).unwrap();
        let topics =
            columns.next().unwrap().split(',').filter(|topic| *topic != "-").map(str::to_owned).collect();
        (hash, LabelledText { topics, held_out: columns.next() == Some("held-out") })
    };
    lines.map(label).collect()
}

/// Returns the FNV-1a hash.
fn hash(text: &str) -> u64 {
    text.bytes().fold(0xCBF2_9CE4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3)
    })
}

fn corpus() -> Option<PathBuf> {
    let shared = std::env::var_os("GEOTRAWL_SHARED")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"), PathBuf::from);
    Some(shared.join("corpus")).filter(|folder| folder.is_dir())
}

/// Extracts all text between tags, and all strings.
fn texts_of(bytes: &[u8], take: &mut dyn FnMut(String)) {
    let text = String::from_utf8_lossy(bytes);
    let xml = text.trim_start_matches(['\u{feff}', ' ', '\r', '\n']).starts_with('<');
    let spaced = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    if xml {
        for run in text.split('>').filter_map(|part| part.split_once('<')).map(|(run, _)| run) {
            if (4..4000).contains(&run.len()) {
                let plain = run.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"");
                let plain = plain
                    .replace("&#39;", "'")
                    .replace("&apos;", "'")
                    .replace("&#13;", " ")
                    .replace("&amp;", "&");
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
struct CorpusCounts {
    right: usize,
    given: usize,
    wanted: usize,
    silent: usize,
}

impl CorpusCounts {
    fn add(&mut self, given: &BTreeSet<String>, wanted: &BTreeSet<String>) {
        self.right += given.intersection(wanted).count();
        self.given += given.len();
        self.wanted += wanted.len();
        self.silent += usize::from(given.is_empty() && !wanted.is_empty());
    }

    fn tell(&self, what: &str) -> (f64, f64) {
        let precision = self.right as f64 / self.given.max(1) as f64;
        let recall = self.right as f64 / self.wanted.max(1) as f64;
        println!(
            "  {what:<38} {precision:>9.3} {recall:>7.3}   {} given, {} silent",
            self.given, self.silent
        );
        (precision, recall)
    }
}

#[test]
fn the_classifier_adds_to_the_keywords() {
    let wanted = labels();
    assert!(wanted.len() >= 450);
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
                let name = entry.file_name().into_string().unwrap_or_default();
                // Binary data, from which no text was chosen.
                let data =
                    ["geo", "gml", "gpx", "grib", "hdf", "kml", "netcdf", "robots", "sitemap", "topojson"];
                if !data.iter().any(|begin| name.starts_with(begin)) {
                    folders.push(path);
                }
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
    assert!(found.len() >= 420, "the texts of the corpus changed");
    for held_out in [false, true] {
        let texts = found.iter().filter(|(hash, _)| wanted[hash].held_out == held_out);
        let texts: Vec<(&str, &BTreeSet<String>)> =
            texts.map(|(hash, text)| (text.as_str(), &wanted[hash].topics)).collect();
        let topics = texts.iter().filter(|(_, topics)| !topics.is_empty()).count();
        println!(
            "\n{}: {} texts, {topics} with a topic",
            if held_out { "held-out" } else { "tuning" },
            texts.len()
        );
        println!("  ISO topics                            precision  recall");
        measure(&texts);
    }
}

fn topics(labels: Vec<geotrawl_themes::ThemeLabel>) -> BTreeSet<String> {
    let topics = labels.into_iter().filter(|label| label.scheme == classifier::SCHEME);
    topics.map(|label| label.term).collect()
}

fn measure(cases: &[(&str, &BTreeSet<String>)]) {
    let themes = Themes::builtin();
    let (mut keywords, mut alone, mut both) =
        (CorpusCounts::default(), CorpusCounts::default(), CorpusCounts::default());
    let mut added: BTreeMap<u32, CorpusCounts> = BTreeMap::new();
    for (text, wanted) in cases {
        // Treat texts that are too long for a title as abstracts.
        let (title, abstract_) = if text.len() > 120 { (None, Some(*text)) } else { (Some(*text), None) };
        let texts = ResourceTexts { title, abstract_, ..ResourceTexts::default() };
        let by_words = topics(themes.keyword_labels(&texts));
        keywords.add(&by_words, wanted);
        alone.add(&topics(classifier::classify_texts(&texts)), wanted);
        both.add(&topics(themes.find_labels(&texts)), wanted);
        for percent in [50, 60, 70, 80, 90] {
            if by_words.is_empty() {
                let guesses = classifier::guess_topics(&texts, percent as f32 / 100.0);
                added
                    .entry(percent)
                    .or_default()
                    .add(&guesses.into_iter().take(2).map(|guess| guess.term).collect(), wanted);
            }
        }
    }
    let (precision, recall) = keywords.tell("keywords");
    alone.tell("classifier alone");
    both.tell("keywords, then classifier");
    for (percent, count) in added {
        count.tell(&format!("classifier, keywords silent, from {percent} %"));
    }
    assert!(precision >= 0.5 && recall >= 0.5);
}
