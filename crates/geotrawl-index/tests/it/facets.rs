//! Facets, statuses, orders, pages, places.

use crate::catalogue::{IndexFixture, hit_ids, index_records, service_record, word_query};
use geotrawl_index::{FACETS, RankingSignal, SearchQuery, SearchTarget, SortOrder};
use geotrawl_model::Status;

fn many() -> IndexFixture {
    index_records([
        service_record("a", "wms", "Noise delta")
            .with_score(90)
            .with_provider("Town")
            .with_theme("noise")
            .with_language("de")
            .with_place("DE", 50.0, 8.0),
        service_record("b", "wms", "Noise alpha")
            .with_score(60)
            .with_provider("Town")
            .with_theme("noise")
            .with_place("DE", 50.0, 8.0),
        service_record("c", "wfs", "Noise charlie")
            .with_provider("State")
            .with_place("FR", 48.0, 2.0)
            .with_status(Status::Degraded),
        service_record("d", "wfs", "Noise bravo")
            .with_score(10)
            .with_status(Status::Dead)
            .with_place("FR", 48.0, 2.0),
        service_record("e", "kml", "Noise echo").with_status(Status::Inconclusive),
    ])
}

fn count(hits: &geotrawl_index::SearchResults, facet: &str, value: &str) -> u64 {
    hits.facets[facet].iter().find(|(name, _)| name == value).map_or(0, |(_, count)| *count)
}

#[test]
fn facets_count_and_leave_their_own_filter_out() {
    let index = many();
    let mut query = word_query("noise");
    query.count_facets = true;
    let hits = index.search(&query);
    assert_eq!(hits.total, 3);
    assert_eq!(hits.facets.len(), FACETS.len());
    assert_eq!((count(&hits, "kind", "wms"), count(&hits, "kind", "wfs")), (2, 1));
    assert_eq!((count(&hits, "status", "alive"), count(&hits, "status", "dead")), (2, 1));
    assert_eq!(count(&hits, "quality", "76-100"), 1);
    assert_eq!(count(&hits, "quality", "unscored"), 1);
    assert_eq!(count(&hits, "language", "de"), 1);
    query.facets.insert("kind".into(), vec!["wms".into()]);
    let hits = index.search(&query);
    assert_eq!(hits.total, 2);
    assert_eq!((count(&hits, "kind", "wms"), count(&hits, "kind", "wfs")), (2, 1));
    assert_eq!((count(&hits, "country", "DE"), count(&hits, "country", "FR")), (2, 0));
    query.facets.insert("provider".into(), vec!["town".into()]);
    query.facets.insert("quality".into(), vec!["76-100".into(), "51-75".into()]);
    assert_eq!(index.search(&query).total, 2);
    query.facets.insert("country".into(), vec!["FR".into()]);
    assert_eq!(index.search(&query).total, 0);
    query.facets.insert("colour".into(), vec!["red".into()]);
    assert!(index.index.search(&query).unwrap_err().to_string().contains("colour"));
}

#[test]
fn what_is_dead_is_hidden_unless_asked_for() {
    let index = many();
    assert_eq!(index.find_sorted_ids("noise"), ["a", "b", "c"]);
    let query = SearchQuery { status: vec![Status::Dead], ..word_query("noise") };
    assert_eq!(hit_ids(&index.search(&query)), ["d"]);
    let query = SearchQuery { any_status: true, ..word_query("noise") };
    assert_eq!(index.search(&query).total, 5);
}

#[test]
fn orders() {
    let index = many();
    let order = |sort| {
        let query = SearchQuery { sort, any_status: true, ..word_query("noise") };
        hit_ids(&index.search(&query)).join("")
    };
    assert_eq!(order(SortOrder::Title), "bdcae");
    assert_eq!(order(SortOrder::Quality), "abdce");
    let newest = index_records([
        service_record("old", "wms", "x")
            .with_record(|record| record.first_seen = "2020-01-01T00:00:00Z".parse().unwrap()),
        service_record("new", "wms", "x")
            .with_record(|record| record.first_seen = "2026-01-01T00:00:00Z".parse().unwrap()),
    ]);
    assert_eq!(
        hit_ids(&newest.search(&SearchQuery { sort: SortOrder::Newest, ..word_query("x") })),
        ["new", "old"]
    );
    let layers = index_records([service_record("s", "wms", "x")
        .with_layer("1", "Zulu", None)
        .with_layer("2", "Alpha", None)]);
    let hits =
        layers.search(&SearchQuery { sort: SortOrder::Title, by: SearchTarget::Layers, ..word_query("") });
    assert_eq!(hits.hits[0].title, "Alpha");
}

#[test]
fn pages_are_stable_and_whole() {
    let index = index_records(
        (0..95)
            .map(|n| service_record(&format!("r{n:03}"), "wms", "Same title").with_layer("l", "Same", None)),
    );
    for by in [SearchTarget::Services, SearchTarget::Layers] {
        let mut seen = Vec::new();
        for offset in (0..110).step_by(10) {
            let hits = index.search(&SearchQuery { offset, limit: 10, by, ..word_query("same") });
            assert_eq!(hits.total, 95);
            seen.extend(hits.hits.into_iter().map(|hit| hit.id));
        }
        let wanted: Vec<String> = (0..95).map(|n| format!("r{n:03}")).collect();
        assert_eq!(seen, wanted);
    }
    assert_eq!(index.index.find_ids(&word_query("same")).unwrap().len(), 95);
}

#[test]
fn signals_move_hits_and_are_explained() {
    let index = index_records([
        service_record("poor", "wms", "Noise").with_score(5),
        service_record("good", "wms", "Noise").with_score(95),
        service_record("slow", "wms", "Noise").with_score(95).with_status(Status::Degraded),
        service_record("stale", "wms", "Noise").with_score(95).with_record(|record| {
            record.last_seen = "2021-01-01T00:00:00Z".parse().unwrap();
        }),
    ]);
    let found = index.find_ids("noise");
    assert_eq!(found[0], "good");
    let mut query = word_query("noise");
    query.explain = true;
    let hits = index.search(&query);
    for hit in &hits.hits {
        let explanation = &hit.explanation;
        let factors = [
            RankingSignal::Text,
            RankingSignal::Overlap,
            RankingSignal::Quality,
            RankingSignal::Liveness,
            RankingSignal::Freshness,
        ];
        let product: f32 = factors.iter().map(|signal| explanation[signal]).product();
        assert!((product - hit.score).abs() < 1e-4 * hit.score.max(1.0), "{explanation:?}");
        assert!(explanation.contains_key(&RankingSignal::Stemming));
    }
    query.without = vec![
        RankingSignal::Quality,
        RankingSignal::Liveness,
        RankingSignal::Freshness,
        RankingSignal::Text,
        RankingSignal::Overlap,
    ];
    let hits = index.search(&query);
    assert_eq!(hit_ids(&hits), ["good", "poor", "slow", "stale"]);
    assert!(hits.hits.iter().all(|hit| (hit.score - 1.0).abs() < 1e-6));
}

#[test]
fn hosts_are_placed() {
    let index = many();
    let places =
        index.index.host_places(&SearchQuery { any_status: true, ..word_query("noise") }, 10).unwrap();
    assert_eq!(places.iter().map(|place| place.count).sum::<u64>(), 4);
    assert_eq!(places[0].kinds.values().sum::<u64>(), 1);
    let (places, rest) = index
        .index
        .host_places_with_unlocated_count(&SearchQuery { any_status: true, ..word_query("") }, 2)
        .unwrap();
    assert_eq!((places.len(), rest), (2, 1));
    let german = places.iter().find(|place| place.country.as_deref() == Some("DE")).unwrap();
    assert_eq!((german.lat, german.lon), (50.0, 8.0));
}
