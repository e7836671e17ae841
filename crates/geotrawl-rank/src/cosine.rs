//! LCWMS: pages and the topic are word vectors, and their similarity is the cosine of the angle
//! between them.
//!
//! Title and text of a page are compared with the topic; links of pages below the threshold come
//! last. The score of the others combines the similarity of the page, of the link text and of the
//! URL.

use crate::words::{AddressParts, text_words};
use crate::{
    FIRST, FrontierRanking, LAST, LearnedTerm, LinkToRank, LinkingPage, PageContext, RankExplanation,
    RankReason, TaskTopic, vocabulary,
};
use std::collections::HashMap;

/// Links of pages below this similarity come last. The paper gives no figure; this is the
/// similarity of a page on which about one word in fifty belongs to the topic.
const THRESHOLD: f64 = 0.02;
/// Weights of page, link text and URL in the score.
const SHARES: [f64; 3] = [0.4, 0.35, 0.25];

/// The default topic: service vocabulary in several languages.
const GEOSPATIAL: &str = "map maps wms wfs wcs wmts csw ogc gis geo geodata geospatial spatial layer layers service services data download catalogue catalog metadata geoportal portal karten karte geodienste dienste geodaten daten cartes carte services données couche mapas mapa servicios datos capas mappe servizi dati kaarten diensten gegevens mapy usługi dane карты сервисы данные kartat palvelut aineistot 地図 地理 地图 服务 数据";

pub(crate) struct CosineRanking {
    topic: HashMap<String, f64>,
    /// Weights of the topic's words by their number in the vocabulary.
    numbered: Vec<f64>,
    length: f64,
}

impl CosineRanking {
    pub(crate) fn new(topic: &TaskTopic) -> Self {
        let text = if topic.keywords.is_empty() { GEOSPATIAL.to_owned() } else { topic.keywords.join(" ") };
        let mut vector: HashMap<String, f64> = HashMap::new();
        for word in text_words(&text) {
            *vector.entry(word.into_owned()).or_default() = 1.0;
        }
        let numbered = vocabulary().iter().map(|word| vector.get(*word).copied().unwrap_or(0.0)).collect();
        let length = vector.values().map(|weight| weight * weight).sum::<f64>().sqrt();
        Self { topic: vector, numbered, length }
    }

    /// Returns the similarity of a short text.
    fn likeness(&self, text: &str) -> f64 {
        let mut counts: HashMap<std::borrow::Cow<'_, str>, f64> = HashMap::new();
        for word in text_words(text).take(64) {
            *counts.entry(word).or_default() += 1.0;
        }
        let dot: f64 =
            counts.iter().map(|(word, count)| self.topic.get(&**word).unwrap_or(&0.0) * count).sum();
        let square: f64 = counts.values().map(|count| count * count).sum();
        self.cosine(dot, square)
    }

    fn cosine(&self, dot: f64, square: f64) -> f64 {
        let length = square.sqrt() * self.length;
        if length > 0.0 { (dot / length).clamp(0.0, 1.0) } else { 0.0 }
    }

    /// Returns the similarity of a page. Words outside of the
    /// vocabulary count as if each occurred once.
    fn page(&self, page: &LinkingPage<'_>) -> f64 {
        let of = |number: u16| self.numbered.get(usize::from(number)).copied().unwrap_or(0.0);
        let mut dot: f64 = page.terms.iter().map(|(number, count)| of(*number) * f64::from(*count)).sum();
        let mut square: f64 = page.terms.iter().map(|(_, count)| f64::from(*count).powi(2)).sum();
        let known: u32 = page.terms.iter().map(|(_, count)| u32::from(*count)).sum();
        square += f64::from(page.words.saturating_sub(known));
        for word in text_words(page.title).take(64) {
            dot += self.topic.get(&*word).unwrap_or(&0.0);
            square += 1.0;
        }
        self.cosine(dot, square)
    }

    fn score(&self, link: &LinkToRank<'_>) -> (f64, [f64; 3]) {
        let address = AddressParts::split(link.url);
        // Seeds and links from sitemaps have no linking page, so they get exactly the threshold.
        let page = if link.origin == PageContext::default() {
            THRESHOLD
        } else {
            f64::from(link.origin.0 - 1) / 1e6
        };
        let parts = [page, self.likeness(link.words), self.likeness(address.path)];
        (parts.iter().zip(SHARES).map(|(part, share)| part * share).sum(), parts)
    }
}

impl FrontierRanking for CosineRanking {
    fn name(&self) -> &'static str {
        "cosine"
    }

    fn page_context(&self, page: &LinkingPage<'_>) -> PageContext {
        PageContext(1 + (self.page(page) * 1e6) as u32)
    }

    fn rank_link(&self, link: &LinkToRank<'_>) -> u32 {
        let (score, [page, ..]) = self.score(link);
        if page < THRESHOLD {
            return LAST;
        }
        FIRST + ((1.0 - score.clamp(0.0, 1.0)) * f64::from(LAST - FIRST - 1)) as u32
    }

    fn explain_rank(&self, link: &LinkToRank<'_>) -> RankExplanation {
        let (_, parts) = self.score(link);
        let below = if parts[0] < THRESHOLD { ", below the threshold" } else { "" };
        let texts = [
            format!("similarity of the linking page to the topic: {:.3}{below}", parts[0]),
            format!("similarity of the link text to the topic: {:.3}", parts[1]),
            format!("similarity of the URL to the topic: {:.3}", parts[2]),
        ];
        let named = ["page", "words", "url"].into_iter().zip(parts).zip(SHARES).zip(texts);
        let mut reasons: Vec<RankReason> = named
            .map(|(((name, part), share), text)| RankReason { name: name.into(), adds: part * share, text })
            .collect();
        reasons.sort_by(|a, b| b.adds.total_cmp(&a.adds));
        RankExplanation { ordering: self.name().into(), place: self.rank_link(link), expects: None, reasons }
    }

    fn learned_terms(&self, most: usize) -> Vec<LearnedTerm> {
        let mut words: Vec<&String> = self.topic.keys().collect();
        words.sort_unstable();
        let given = |word: &String| LearnedTerm { term: word.clone(), weight: 1.0, seen: 0 };
        words.into_iter().take(most).map(given).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn link<'a>(url: &'a str, words: &'a str, origin: PageContext) -> LinkToRank<'a> {
        LinkToRank { url, words, way: "href", depth: 1, width: 1, origin }
    }

    #[test]
    fn likeness_orders_links_and_the_threshold_sets_others_last() {
        let cosine = CosineRanking::new(&TaskTopic { keywords: vec!["land cover".into(), "forest".into()] });
        let near = cosine.page_context(&LinkingPage {
            title: "Forest and land cover",
            words: 20,
            ..LinkingPage::default()
        });
        let far =
            cosine.page_context(&LinkingPage { title: "Football", words: 900, ..LinkingPage::default() });
        let place = |url, words, origin| cosine.rank_link(&link(url, words, origin));
        assert!(place("http://a/forest/", "Land cover", near) < place("http://a/x/", "News", near));
        assert_eq!(place("http://a/forest/", "Land cover", far), LAST);
        assert!(place("http://a/", "", PageContext::default()) < LAST);
        let why = cosine.explain_rank(&link("http://a/forest/", "", far));
        assert!(why.reasons.iter().any(|reason| reason.text.contains("below the threshold")), "{why:?}");
    }

    #[test]
    fn without_keywords_the_topic_is_all_that_is_geospatial() {
        let cosine = CosineRanking::new(&TaskTopic::default());
        let terms: Vec<(u16, u16)> = crate::vocabulary()
            .iter()
            .enumerate()
            .filter(|(_, word)| ["wms", "map"].contains(word))
            .map(|(number, _)| (number as u16, 5))
            .collect();
        let maps = cosine.page(&LinkingPage { terms: &terms, words: 200, ..LinkingPage::default() });
        let other = cosine.page(&LinkingPage { words: 200, ..LinkingPage::default() });
        assert!(maps > THRESHOLD && other < THRESHOLD, "{maps} {other}");
    }
}
