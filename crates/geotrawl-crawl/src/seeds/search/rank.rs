//! Merges result lists into one, weighted as in the ASDC paper.

use super::engine::EngineHit;
use geotrawl_kinds::urls;
use geotrawl_model::Seed;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::HashMap;
use url::Url;

/// Number of seeds per width, as defined by PolarHub.
pub const SEEDS_PER_WIDTH: usize = 10;

/// The rank of a seed in one result list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResultRank {
    /// Name of the engine in the configuration.
    pub engine: String,
    /// The query.
    pub query: String,
    /// Starts at 1.
    pub rank: u32,
}

/// A seed with its weight and the result lists that contain it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MergedSeed {
    /// Canonical URL.
    pub url: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub title: String,
    /// Sum of `B - rank + 1` over the result lists.
    pub weight: u64,
    /// Number of its group of ten, starting at 1.
    pub width: u32,
    /// Best rank first.
    pub engines: Vec<ResultRank>,
}

impl From<&MergedSeed> for geotrawl_model::RankedSeed {
    fn from(ranked: &MergedSeed) -> Self {
        let named = ranked.engines.iter().map(|placing| geotrawl_model::EngineMention {
            engine: placing.engine.clone(),
            query: placing.query.clone(),
            rank: placing.rank,
        });
        Self {
            url: ranked.url.clone(),
            weight: ranked.weight as f64,
            named: named.collect(),
            title: Some(ranked.title.clone()).filter(|title| !title.is_empty()),
        }
    }
}

impl From<&MergedSeed> for Seed {
    fn from(ranked: &MergedSeed) -> Self {
        let title = Some(ranked.title.clone()).filter(|title| !title.is_empty());
        Self { url: ranked.url.clone(), title, ..Self::default() }
    }
}

/// All results of one engine for one query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResultSet {
    pub engine: String,
    pub query: String,
    /// In the engine's order; `None` marks a result without a web address, which keeps its rank.
    pub hits: Vec<Option<EngineHit>>,
}

/// Merges the first `top` results of each set into one ranked
/// list of at most `most` distinct seeds.
///
/// With one query, a set is an engine, as in the paper. With several, each pair of engine and query
/// is a set, so an address found by many queries weighs more. If two results of a set have the same
/// address, only the better one counts. Ties are broken by number of sets, best rank and address.
pub fn merge_results(sets: &[ResultSet], top: u32, most: usize) -> Vec<MergedSeed> {
    let mut at: HashMap<String, usize> = HashMap::new();
    let mut seeds: Vec<MergedSeed> = Vec::new();
    for set in sets {
        for (hit, rank) in set.hits.iter().zip(1..=top) {
            let Some(hit) = hit else { continue };
            let Ok(url) = Url::parse(&hit.url) else { continue };
            let url = urls::canonical_url(&url);
            // The http and https addresses of a page are the same seed.
            let door = url.as_str().split_once("://").map_or(url.as_str(), |(_, rest)| rest);
            let index = *at.entry(door.to_owned()).or_insert_with(|| {
                let (title, engines) = (String::new(), Vec::new());
                seeds.push(MergedSeed { url: url.to_string(), title, weight: 0, width: 0, engines });
                seeds.len() - 1
            });
            let Some(seed) = seeds.get_mut(index) else { continue };
            if seed.engines.last().is_some_and(|last| last.engine == set.engine && last.query == set.query) {
                continue;
            }
            seed.weight += u64::from(top - rank) + 1;
            if seed.title.is_empty() {
                seed.title.clone_from(&hit.title);
            }
            if url.scheme() == "https" && !seed.url.starts_with("https:") {
                seed.url = url.into();
            }
            seed.engines.push(ResultRank { engine: set.engine.clone(), query: set.query.clone(), rank });
        }
    }
    for seed in &mut seeds {
        seed.engines.sort_by_key(|placing| placing.rank);
    }
    seeds.sort_by(|a, b| {
        let key = |seed: &MergedSeed| {
            (Reverse(seed.weight), Reverse(seed.engines.len()), seed.engines.first().map(|first| first.rank))
        };
        key(a).cmp(&key(b)).then_with(|| a.url.cmp(&b.url))
    });
    seeds.truncate(most);
    for (index, seed) in seeds.iter_mut().enumerate() {
        seed.width = (index / SEEDS_PER_WIDTH) as u32 + 1;
    }
    seeds
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(engine: &str, urls: &[&str]) -> ResultSet {
        let hit = |url: &&str| {
            (!url.is_empty()).then(|| EngineHit { url: (*url).to_owned(), title: format!("{engine} {url}") })
        };
        ResultSet { engine: engine.into(), query: "q".into(), hits: urls.iter().map(hit).collect() }
    }

    #[test]
    fn weights_are_those_of_the_paper() {
        // "ranked second in the Google result set, third in the Yahoo result set and fifth in the MSN result set would
        // get scores of 9, 8 and 6 and end up with an overall weight of 23"
        let u = "https://isccp.example/";
        let sets = [
            set("google", &["https://a.example/", u]),
            set("yahoo", &["https://b.example/", "", u]),
            set("msn", &["https://c.example/", "", "", "", u]),
        ];
        let ranked = merge_results(&sets, 10, 100);
        assert_eq!((ranked[0].url.as_str(), ranked[0].weight), (u, 23));
        let ranks: Vec<u32> = ranked[0].engines.iter().map(|placing| placing.rank).collect();
        assert_eq!(ranks, [2, 3, 5]);
        assert_eq!(ranked[1].weight, 10);
        let all = [set("x", &[u]), set("y", &[u]), set("z", &[u])];
        assert_eq!(merge_results(&all, 10, 1)[0].weight, 30, "the maximum of three engines");
    }

    #[test]
    fn one_address_in_many_spellings_is_one_seed() {
        let sets = [
            set(
                "a",
                &["http://x.example/map?utm_source=a#top", "https://x.example/map", "https://y.example/"],
            ),
            set("b", &["https://x.example/map"]),
        ];
        let ranked = merge_results(&sets, 10, 100);
        assert_eq!(ranked.len(), 2);
        assert_eq!((ranked[0].url.as_str(), ranked[0].weight), ("https://x.example/map", 20));
        assert_eq!(ranked[1].weight, 8, "a duplicate keeps its rank");
    }

    #[test]
    fn ten_seeds_are_a_width_and_what_is_beyond_b_counts_nothing() {
        let urls: Vec<String> = (0..40).map(|n| format!("https://h{n:02}.example/")).collect();
        let urls: Vec<&str> = urls.iter().map(String::as_str).collect();
        let ranked = merge_results(&[set("a", &urls)], 25, 100);
        assert_eq!(ranked.len(), 25);
        assert_eq!((ranked[0].width, ranked[9].width, ranked[10].width, ranked[24].width), (1, 1, 2, 3));
        assert_eq!((ranked[0].weight, ranked[24].weight), (25, 1));
        assert_eq!(merge_results(&[set("a", &urls)], 25, 7).len(), 7);
        assert!(merge_results(&[set("a", &urls)], 0, 7).is_empty());
    }

    #[test]
    fn the_order_does_not_depend_on_who_answered_first() {
        let one = set("a", &["https://x.example/", "https://y.example/"]);
        let two = set("b", &["https://y.example/", "https://x.example/"]);
        let order = |sets: &[ResultSet]| -> Vec<String> {
            merge_results(sets, 10, 10).into_iter().map(|seed| seed.url).collect()
        };
        assert_eq!(order(&[one.clone(), two.clone()]), order(&[two, one]));
    }
}
