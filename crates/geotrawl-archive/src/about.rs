//! Measures whether a page is about the subject of a collection.
//!
//! A user picks relevant pages (the paper's "hand-selected set of relevant resources"). Other pages
//! are compared with their sum by the cosine of term weights, `(1 + ln count) * ln(1 + pages /
//! pages with the term)`. Short words, numbers and the most frequent words of common languages are
//! ignored. Pages on the same subject score 0.2 to 0.7, unrelated ones below 0.05; [`THRESHOLD`]
//! lies between.

use crate::words;
use std::collections::HashMap;

/// Results with a lower score are off topic.
pub const THRESHOLD: f64 = 0.1;
/// Maximum number of distinct terms counted per text.
const MOST_TERMS: usize = 20_000;
/// Maximum number of words read per text.
const MOST_WORDS: usize = 200_000;

/// Words that say nothing about a subject, in the most common languages of the web.
const EMPTY_WORDS: &str = "about after all also and any are because been before but can could did does for from had has \
have her his how into its just like more most new not now one only other our out over page same see she should some \
such than that the their them then there these they this those through too under use very was were what when where \
which while who will with would you your home site click here search contact menu login \
aber als am an auch auf aus bei bis das dass dem den der des die durch ein eine einem einen einer es fur für hat ihr im in \
ist kann mit nach nicht noch nur oder sich sie sind und unter von vor war wenn werden wie wird zu zum zur uber über \
aux avec cette ces dans des du elle est et ils la le les leur mais ne nous ou par pas plus pour que qui sa se ses son sont \
sur un une vous como con de del el ella en entre es esta este la las lo los mas más no o para pero por que se sin sobre su \
sus un una y al da do dos e em mais na nas no nos os pela pelo seu sua um uma che chi del della di e gli il le lo nel non \
per piu più sono una een het met niet van voor zijn";

/// Term weights of the picked pages.
#[derive(Debug, Clone, Default)]
pub struct TopicProfile {
    /// Weight of each term in the sum of the picked pages.
    weights: HashMap<String, f64>,
    /// Rarity of each term among the picked pages.
    rarity: HashMap<String, f64>,
    /// Rarity of terms that occur on none of them.
    unknown: f64,
    length: f64,
}

impl TopicProfile {
    /// Builds a profile from the texts of the picked pages.
    pub fn from_texts<'a>(texts: impl IntoIterator<Item = &'a str>) -> Self {
        let counted: Vec<HashMap<String, u32>> =
            texts.into_iter().map(count_terms).filter(|terms| !terms.is_empty()).collect();
        let pages = counted.len() as f64;
        let mut with: HashMap<String, u32> = HashMap::new();
        for term in counted.iter().flat_map(HashMap::keys) {
            *with.entry(term.clone()).or_default() += 1;
        }
        let rarity: HashMap<String, f64> =
            with.into_iter().map(|(term, with)| (term, (1.0 + pages / f64::from(with)).ln())).collect();
        let mut weights: HashMap<String, f64> = HashMap::new();
        for page in &counted {
            let weighted: Vec<(&String, f64)> = page
                .iter()
                .map(|(term, count)| (term, weight(*count) * rarity.get(term).copied().unwrap_or_default()))
                .collect();
            // Normalise, so that a long page does not count more than a short one.
            let length = weighted.iter().map(|(_, weight)| weight * weight).sum::<f64>().sqrt();
            for (term, weight) in weighted {
                *weights.entry(term.clone()).or_default() += weight / length;
            }
        }
        let length = weights.values().map(|weight| weight * weight).sum::<f64>().sqrt();
        Self { weights, rarity, unknown: (1.0 + pages).ln(), length }
    }

    /// Returns whether there are no picked pages with words, so that nothing is off topic.
    pub fn is_empty(&self) -> bool {
        self.weights.is_empty()
    }

    /// Returns how much a text is about the subject, from 0 to 1; `None` if the profile is empty.
    pub fn score(&self, text: &str) -> Option<f64> {
        if self.is_empty() {
            return None;
        }
        let (mut product, mut length) = (0.0, 0.0);
        for (term, count) in count_terms(text) {
            let weight = weight(count) * self.rarity.get(&term).copied().unwrap_or(self.unknown);
            length += weight * weight;
            product += weight * self.weights.get(&term).copied().unwrap_or_default();
        }
        Some(if length > 0.0 { (product / (length.sqrt() * self.length)).clamp(0.0, 1.0) } else { 0.0 })
    }
}

fn weight(count: u32) -> f64 {
    1.0 + f64::from(count).ln()
}

fn count_terms(text: &str) -> HashMap<String, u32> {
    let mut counts: HashMap<String, u32> = HashMap::new();
    let mut seen = 0;
    words::for_each_word(text, |word| {
        seen += 1;
        let short = word.is_ascii() && word.len() < 3;
        if seen > MOST_WORDS || short || word.bytes().all(|byte| byte.is_ascii_digit()) || is_empty_word(word)
        {
            return;
        }
        if let Some(count) = counts.get_mut(word) {
            *count += 1;
        } else if counts.len() < MOST_TERMS {
            counts.insert(word.to_owned(), 1);
        }
    });
    counts
}

fn is_empty_word(word: &str) -> bool {
    use std::collections::HashSet;
    use std::sync::LazyLock;
    static WORDS: LazyLock<HashSet<&str>> = LazyLock::new(|| EMPTY_WORDS.split_whitespace().collect());
    WORDS.contains(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLOUDS: &str = "The International Satellite Cloud Climatology Project collects cloud data from weather \
        satellites. Its cloud products describe optical thickness, cloud top temperature and cloud cover of the earth.";
    const RADIATION: &str = "Surface radiation budget: fluxes at the surface of the earth are computed from satellite \
        cloud products and temperature profiles of the atmosphere.";

    #[test]
    fn pages_of_the_subject_score_higher_than_others() {
        let topic = TopicProfile::from_texts([CLOUDS, RADIATION]);
        let on = topic
            .score("A data set of cloud cover and cloud optical thickness from weather satellites over the poles")
            .unwrap();
        let off = topic
            .score("Cheap shoes and handbags: buy now, free delivery, all sizes from the best brands in our shop")
            .unwrap();
        assert!(on > 3.0 * THRESHOLD, "{on}");
        assert!(off < THRESHOLD / 2.0, "{off}");
        assert!(topic.score(CLOUDS).unwrap() > 0.6);
        assert_eq!(topic.score(""), Some(0.0));
    }

    #[test]
    fn without_pages_nothing_is_off_topic() {
        assert_eq!(TopicProfile::from_texts([]).score("anything"), None);
        assert!(TopicProfile::from_texts(["", " 12 the "]).is_empty());
    }
}
