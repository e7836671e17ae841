//! Similarity of two services: evidence for and against in bits.

use super::{DatasetFingerprint, Fingerprint, PROPOSE, boxes};
use geotrawl_model::successor::ServiceLikeness;
use std::collections::{HashMap, HashSet};

/// Bits at which a proposal is as likely right as wrong.
const EVEN: f64 = 8.5;
/// Bits that increase the odds tenfold.
const TENFOLD: f64 = 6.6;

/// Counts how many candidates share a property: the more, the less significant it is.
pub(super) trait CandidateFrequency {
    /// Returns the number of candidates with a dataset of this name or title, at least 1; only in
    /// the same area if `placed`.
    fn count_with_key(&self, key: u32, placed: bool) -> u32;
    /// Returns the number of candidates with this word in their title, at least 1.
    fn count_with_word(&self, word: u32) -> u32;
    /// Returns the number of candidates of this organisation, at least 1.
    fn count_with_organisation(&self, organisation: u32) -> u32;
}

/// Frequencies for a comparison without other candidates.
struct SingleCandidate;

impl CandidateFrequency for SingleCandidate {
    fn count_with_key(&self, _: u32, _: bool) -> u32 {
        1
    }

    fn count_with_word(&self, _: u32) -> u32 {
        1
    }

    fn count_with_organisation(&self, _: u32) -> u32 {
        1
    }
}

/// Returns how likely the second service replaced the first, judged by their content alone.
pub fn compare_fingerprints(gone: &Fingerprint, candidate: &Fingerprint) -> ServiceLikeness {
    weigh_evidence(gone, candidate, &SingleCandidate).into_likeness()
}

/// Evidence collected so far.
#[derive(Debug, Default)]
pub(super) struct WeighedEvidence {
    pub bits: f64,
    /// Bits and explanation.
    notes: Vec<(f64, String)>,
}

impl WeighedEvidence {
    pub fn add_evidence(&mut self, bits: f64, words: String) {
        self.bits += bits;
        self.notes.push((bits, words));
    }

    pub fn into_likeness(mut self) -> ServiceLikeness {
        if self.notes.is_empty() {
            return ServiceLikeness::default();
        }
        self.notes.sort_by(|a, b| b.0.abs().total_cmp(&a.0.abs()));
        let odds = 10f64.powf((self.bits - EVEN) / TENFOLD);
        let confidence = if odds.is_finite() { odds / (1.0 + odds) } else { 1.0 };
        ServiceLikeness {
            confidence: (confidence.clamp(0.0, 1.0) * 1000.0).round() / 1000.0,
            evidence: self.notes.into_iter().map(|(_, words)| words).collect(),
        }
    }

    /// Lowers the evidence so far that this candidate is not proposed as the new address.
    pub fn rule_out(&mut self, words: String) {
        let enough = EVEN + TENFOLD * (PROPOSE / (1.0 - PROPOSE)).log10() - 6.0;
        let bits = (enough - self.bits).min(-1.0);
        self.add_evidence(bits, words);
    }
}

struct DatasetPair<'a> {
    gone: &'a DatasetFingerprint,
    found: &'a DatasetFingerprint,
}

/// Collects the evidence from two fingerprints.
pub(super) fn weigh_evidence(
    gone: &Fingerprint,
    candidate: &Fingerprint,
    rivals: &dyn CandidateFrequency,
) -> WeighedEvidence {
    let mut weighed = WeighedEvidence::default();
    if gone.is_blank() || candidate.is_blank() {
        return weighed;
    }
    let names = gone.name_limit.min(candidate.name_limit);
    let titles = gone.title_limit.min(candidate.title_limit);
    let mine: Vec<&DatasetFingerprint> =
        gone.items.iter().filter(|item| item.is_within(names, titles)).collect();
    let theirs: Vec<&DatasetFingerprint> =
        candidate.items.iter().filter(|item| item.is_within(names, titles)).collect();
    let pairs = pair(&mine, &theirs);
    if pairs.is_empty() {
        return weighed;
    }
    let share = f64::from(gone.count) / f64::from(candidate.count.max(1));
    let placed = places(&mut weighed, gone, candidate, &pairs);
    // Without boxes, candidates in other areas count as well.
    let told = |key: u32| rivals.count_with_key(key, placed);
    let too_large = datasets(&mut weighed, &mine, share, &pairs, &told);
    let other_edition = editions(&mut weighed, gone, candidate, &pairs);
    words(&mut weighed, gone, candidate, rivals);
    if gone.kind != candidate.kind {
        let far = gone.family() != candidate.family();
        weighed
            .add_evidence(if far { -4.0 } else { -2.0 }, format!("{} became {}", gone.kind, candidate.kind));
    }
    for why in [too_large, other_edition].into_iter().flatten() {
        weighed.rule_out(why);
    }
    weighed
}

/// Pairs datasets with the same name or title, each used once. Of several, prefers the one of the
/// same year, then the one with the most similar box.
fn pair<'a>(mine: &[&'a DatasetFingerprint], theirs: &[&'a DatasetFingerprint]) -> Vec<DatasetPair<'a>> {
    let mut by_key: HashMap<u32, Vec<usize>> = HashMap::new();
    for (at, item) in theirs.iter().enumerate() {
        for key in [item.name, item.title, item.tail] {
            if key != 0 {
                let places = by_key.entry(key).or_default();
                // Limit the comparisons for names that occur everywhere.
                if places.last() != Some(&at) && places.len() < 16 {
                    places.push(at);
                }
            }
        }
    }
    let mut used = HashSet::new();
    let mut pairs = Vec::new();
    for gone in mine {
        let keys = [gone.name, gone.title].into_iter().filter(|key| *key != 0);
        // A name without its first word may match a complete name, but not another shortened one.
        let tails = by_key.get(&gone.tail).into_iter().flatten().filter(|at| theirs[**at].name == gone.tail);
        let namesakes = keys.filter_map(|key| by_key.get(&key)).flatten().chain(tails);
        let namesakes = namesakes.filter(|at| !used.contains(*at));
        let best = namesakes.max_by(|a, b| {
            let fit = |at: usize| {
                let found = theirs[at];
                let year = if gone.year == found.year { 1.0 } else { 0.0 };
                let place = gone.bbox.zip(found.bbox).map_or(0.5, |(a, b)| boxes::overlap_ratio(a, b));
                let both = if gone.name == found.name { 0.1 } else { 0.0 };
                2.0 * year + place + both
            };
            fit(**a).total_cmp(&fit(**b)).then(b.cmp(a))
        });
        if let Some(&at) = best {
            used.insert(at);
            pairs.push(DatasetPair { gone, found: theirs[at] });
        }
    }
    pairs
}

/// Returns the information content of a dataset's name, not counting other candidates.
fn worth(item: &DatasetFingerprint) -> f64 {
    f64::from(item.telling)
}

/// Adds evidence from names that were found again. `size` is the size of the old service relative
/// to the candidate. Returns the reason if the candidate is too large to be its successor.
fn datasets(
    weighed: &mut WeighedEvidence,
    mine: &[&DatasetFingerprint],
    size: f64,
    pairs: &[DatasetPair<'_>],
    rivals: &dyn Fn(u32) -> u32,
) -> Option<String> {
    let sum = mine.iter().map(|item| worth(item)).sum::<f64>().max(1.0);
    let kept: f64 = pairs.iter().map(|pair| worth(pair.gone)).sum::<f64>() / sum;
    let told = |pair: &DatasetPair<'_>| {
        let found = [pair.found.name, pair.found.title, pair.found.tail];
        let keys = [pair.gone.name, pair.gone.title, pair.gone.tail];
        let keys = keys.into_iter().filter(|key| *key != 0 && found.contains(key));
        let rivals = keys.map(rivals).min().unwrap_or(1);
        (worth(pair.gone) - f64::from(rivals).log2()).max(0.25)
    };
    // Names follow common schemas, so the tenth is less significant than the first.
    let bits = pairs.iter().map(told).sum::<f64>();
    let bits = if bits > 10.0 { 10.0 + (bits - 10.0).sqrt() } else { bits };
    let examples: Vec<&str> = pairs.iter().take(3).map(|pair| pair.gone.label.as_str()).collect();
    weighed.add_evidence(
        bits,
        format!(
            "{} of {} layers found again by name or title ({})",
            pairs.len(),
            mine.len(),
            examples.join(", ")
        ),
    );
    if kept < 0.6 {
        weighed.add_evidence(
            (kept - 0.6) * 80.0,
            format!("{} layers not found again", mine.len() - pairs.len()),
        );
    }
    let known = pairs.len() as f64 / mine.len().max(1) as f64 * size;
    if known < 0.25 {
        return Some("it offers far more than the old service".to_owned());
    }
    if known < 0.4 {
        weighed.add_evidence((known - 0.4) * 25.0, "most of its layers are new".to_owned());
    }
    None
}

/// Adds evidence from the boxes of the pairs; returns whether there were any to compare.
fn places(
    weighed: &mut WeighedEvidence,
    gone: &Fingerprint,
    candidate: &Fingerprint,
    pairs: &[DatasetPair<'_>],
) -> bool {
    let mut alike = Vec::new();
    let mut seen = HashSet::new();
    for (a, b) in pairs.iter().filter_map(|pair| pair.gone.bbox.zip(pair.found.bbox)) {
        // Software writes the whole world if it does not know the extent. A box shared by all
        // layers counts once.
        if !boxes::is_vast(a) && !boxes::is_vast(b) && seen.insert(a.map(|side| side / 10)) {
            alike.push(boxes::overlap_ratio(a, b));
        }
    }
    alike.sort_by(f64::total_cmp);
    if alike.is_empty() {
        match gone.area.zip(candidate.area) {
            Some((a, b)) if boxes::overlap_ratio(a, b) < 0.3 => {
                weighed.add_evidence(-8.0, "they cover different areas".to_owned());
            }
            _ => weighed.add_evidence(-1.0, "no boxes can be compared".to_owned()),
        }
        return false;
    }
    // Use the median, so that a single wrong pair is not decisive.
    let middle = alike[alike.len() / 2];
    let more = (alike.len().min(5) - 1) as f64;
    let bits = if pairs.len() == 1 && middle >= 0.6 {
        // With a single name and box, similar data of another provider differ only slightly.
        ((middle - 0.85) / 0.1).clamp(0.0, 1.0) * 9.0
    } else if middle >= 0.6 {
        // From 0 bits at a similarity of 0.6 to 9 bits for nearly equal boxes; more boxes add more.
        ((middle - 0.6) / 0.34).min(1.0) * (9.0 + more)
    } else if middle >= 0.4 {
        (middle - 0.6) * 25.0
    } else {
        -10.0 - (0.4 - middle) * 20.0
    };
    let percent = (middle * 100.0).round();
    weighed.add_evidence(
        bits,
        format!(
            "{} compared; they agree to {percent} %",
            if alike.len() == 1 { "one box".to_owned() } else { format!("{} boxes", alike.len()) }
        ),
    );
    true
}

/// Adds evidence from years; returns the reason if the candidate is another edition of the same
/// data.
fn editions(
    weighed: &mut WeighedEvidence,
    gone: &Fingerprint,
    candidate: &Fingerprint,
    pairs: &[DatasetPair<'_>],
) -> Option<String> {
    let dated: Vec<_> = pairs.iter().filter(|pair| pair.gone.year > 0 && pair.found.year > 0).collect();
    let other = dated.iter().filter(|pair| pair.gone.year != pair.found.year).count();
    if other * 2 > dated.len() {
        return Some(format!("{other} layers are of another year"));
    }
    if dated.len() > other {
        weighed.add_evidence(1.0, format!("{} layers are of the same year", dated.len() - other));
    }
    let (a, b) = (&gone.years, &candidate.years);
    if !a.is_empty() && !b.is_empty() {
        if !a.iter().any(|year| b.contains(year)) {
            return Some("title or address contains another year".to_owned());
        }
        weighed.add_evidence(1.0, "title or address contains the same year".to_owned());
    }
    None
}

fn words(
    weighed: &mut WeighedEvidence,
    gone: &Fingerprint,
    candidate: &Fingerprint,
    rivals: &dyn CandidateFrequency,
) {
    let shared: Vec<u32> =
        gone.words.iter().filter(|word| candidate.words.binary_search(word).is_ok()).copied().collect();
    let told: f64 =
        shared.iter().map(|word| (6.0 - f64::from(rivals.count_with_word(*word)).log2()).max(0.0)).sum();
    if gone.title != 0 && gone.title == candidate.title {
        // A complete title with a rare word is more significant than its words.
        let whole = if told >= 3.0 { 5.0 } else { 1.0 };
        weighed.add_evidence(told.min(9.0) + whole, "the title is the same".to_owned());
    } else if !shared.is_empty() {
        weighed.add_evidence(
            told.min(6.0),
            format!("{} of {} title words are the same", shared.len(), gone.words.len()),
        );
    } else if !gone.words.is_empty() && !candidate.words.is_empty() {
        weighed.add_evidence(-1.0, "the titles have no words in common".to_owned());
    }
    if gone.organisation != 0 && candidate.organisation != 0 {
        if gone.organisation == candidate.organisation {
            let rivals = rivals.count_with_organisation(gone.organisation);
            let bits = (7.0 - f64::from(rivals).log2()).max(1.0);
            weighed.add_evidence(bits, "the organisation is the same".to_owned());
        } else {
            weighed.add_evidence(-2.0, "the organisation is different".to_owned());
        }
    }
    let keywords = gone.keywords.iter().filter(|word| candidate.keywords.binary_search(word).is_ok()).count();
    if keywords > 0 {
        weighed.add_evidence((keywords as f64 * 0.5).min(2.0), format!("{keywords} keywords are the same"));
    }
}
