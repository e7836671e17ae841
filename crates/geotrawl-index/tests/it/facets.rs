//! Facets, statuses, orders, pages, places.

use crate::catalogue::{Fixture, ids, indexed, service, words};
use geotrawl_index::{By, FACETS, Query, Signal, Sort};
use geotrawl_model::Status;

fn many() -> Fixture {
    indexed([
        service("a", "wms", "Noise delta")
            .score(90)
            .provider("Town")
            .theme("noise")
            .language("de")
            .place("DE", 50.0, 8.0),
        service("b", "wms", "Noise alpha").score(60).provider("Town").theme("noise").place("DE", 50.0, 8.0),
        service("c", "wfs", "Noise charlie")
            .provider("State")
            .place("FR", 48.0, 2.0)
            .status(Status::Degraded),
        service("d", "wfs", "Noise bravo").score(10).status(Status::Dead).place("FR", 48.0, 2.0),
        service("e", "kml", "Noise echo").status(Status::Inconclusive),
    ])
}

fn count(hits: &geotrawl_index::Hits, facet: &str, value: &str) -> u64 {
    hits.facets[facet].iter().find(|(name, _)| name == value).map_or(0, |(_, count)| *count)
}

#[test]
fn facets_count_and_leave_their_own_filter_out() {
    let index = many();
    let mut query = words("noise");
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
    assert_eq!(index.set("noise"), ["a", "b", "c"]);
    let query = Query { status: vec![Status::Dead], ..words("noise") };
    assert_eq!(ids(&index.search(&query)), ["d"]);
    let query = Query { any_status: true, ..words("noise") };
    assert_eq!(index.search(&query).total, 5);
}

#[test]
fn orders() {
    let index = many();
    let order = |sort| {
        let query = Query { sort, any_status: true, ..words("noise") };
        ids(&index.search(&query)).join("")
    };
    assert_eq!(order(Sort::Title), "bdcae");
    assert_eq!(order(Sort::Quality), "abdce");
    let newest = indexed([
        service("old", "wms", "x").with(|record| record.first_seen = "2020-01-01T00:00:00Z".parse().unwrap()),
        service("new", "wms", "x").with(|record| record.first_seen = "2026-01-01T00:00:00Z".parse().unwrap()),
    ]);
    assert_eq!(ids(&newest.search(&Query { sort: Sort::Newest, ..words("x") })), ["new", "old"]);
    let layers = indexed([service("s", "wms", "x").layer("1", "Zulu", None).layer("2", "Alpha", None)]);
    let hits = layers.search(&Query { sort: Sort::Title, by: By::Layers, ..words("") });
    assert_eq!(hits.hits[0].title, "Alpha");
}

#[test]
fn pages_are_stable_and_whole() {
    let index =
        indexed((0..95).map(|n| service(&format!("r{n:03}"), "wms", "Same title").layer("l", "Same", None)));
    for by in [By::Services, By::Layers] {
        let mut seen = Vec::new();
        for offset in (0..110).step_by(10) {
            let hits = index.search(&Query { offset, limit: 10, by, ..words("same") });
            assert_eq!(hits.total, 95);
            seen.extend(hits.hits.into_iter().map(|hit| hit.id));
        }
        let wanted: Vec<String> = (0..95).map(|n| format!("r{n:03}")).collect();
        assert_eq!(seen, wanted);
    }
    assert_eq!(index.index.ids(&words("same")).unwrap().len(), 95);
}

#[test]
fn signals_move_hits_and_are_explained() {
    let index = indexed([
        service("poor", "wms", "Noise").score(5),
        service("good", "wms", "Noise").score(95),
        service("slow", "wms", "Noise").score(95).status(Status::Degraded),
        service("stale", "wms", "Noise").score(95).with(|record| {
            record.last_seen = "2021-01-01T00:00:00Z".parse().unwrap();
        }),
    ]);
    let found = index.find("noise");
    assert_eq!(found[0], "good");
    let mut query = words("noise");
    query.explain = true;
    let hits = index.search(&query);
    for hit in &hits.hits {
        let explanation = &hit.explanation;
        let factors = [Signal::Text, Signal::Overlap, Signal::Quality, Signal::Liveness, Signal::Freshness];
        let product: f32 = factors.iter().map(|signal| explanation[signal]).product();
        assert!((product - hit.score).abs() < 1e-4 * hit.score.max(1.0), "{explanation:?}");
        assert!(explanation.contains_key(&Signal::Stemming));
    }
    query.without = vec![Signal::Quality, Signal::Liveness, Signal::Freshness, Signal::Text, Signal::Overlap];
    let hits = index.search(&query);
    assert_eq!(ids(&hits), ["good", "poor", "slow", "stale"]);
    assert!(hits.hits.iter().all(|hit| (hit.score - 1.0).abs() < 1e-6));
}

#[test]
fn hosts_are_placed() {
    let index = many();
    let places = index.index.places(&Query { any_status: true, ..words("noise") }, 10).unwrap();
    assert_eq!(places.iter().map(|place| place.count).sum::<u64>(), 4);
    assert_eq!(places[0].kinds.values().sum::<u64>(), 1);
    let (places, rest) = index.index.places_and_rest(&Query { any_status: true, ..words("") }, 2).unwrap();
    assert_eq!((places.len(), rest), (2, 1));
    let german = places.iter().find(|place| place.country.as_deref() == Some("DE")).unwrap();
    assert_eq!((german.lat, german.lon), (50.0, 8.0));
}
