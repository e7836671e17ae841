//! Both ways to search give the same answers: plain words by bit sets, and everything else by the
//! engine. Also tests how layers affect the rank of services.

use crate::catalogue::{IndexFixture, RecordBuilder, index_records, service_record, word_query};
use geotrawl_index::{RankingSignal, SearchQuery, SearchResults, SearchTarget, SortOrder};
use geotrawl_model::Bbox;

const WORDS: [&str; 9] =
    ["roads", "straßen", "land cover", "water", "rivers", "utrecht", "forêts", "the", "noise"];

/// Returns records with different words, boxes, qualities and layers, without randomness.
fn record(number: usize) -> RecordBuilder {
    let word = |step: usize| WORDS[(number * step + number / 7) % WORDS.len()];
    let (lon, lat) = ((number * 7 % 60) as f64, (number * 3 % 40) as f64);
    let size = 1.0 + (number % 11) as f64;
    let bbox = [lon, lat, lon + size, lat + size];
    let mut made = service_record(&format!("r{number:04}"), "wms", &format!("{} {}", word(1), word(3)))
        .with_abstract(&format!("{} and {} of {}", word(5), word(2), word(4)))
        .with_keywords(&[word(7)])
        .with_score((number * 13 % 101) as u8)
        .with_bbox(bbox);
    for layer in 0..number % 4 {
        let title = format!("{} {layer}", word(layer + 2));
        made = made.with_layer(&format!("{}_{layer}", word(layer + 1)), &title, Some(bbox));
    }
    if number.is_multiple_of(5) { made.with_page(word(6), word(8)) } else { made }
}

fn many(records: usize) -> IndexFixture {
    // Index in two steps, so that there are several segments and replaced records.
    let fixture = index_records((0..records).map(record));
    for RecordBuilder(document) in (records - 50..records + 50).map(record) {
        let id = document.record.id.clone();
        fixture.catalogue.put_document(&id, Some(document));
    }
    fixture.index.apply_changes(&fixture.catalogue).unwrap();
    fixture
}

fn scores(hits: &SearchResults) -> Vec<(String, String, f32)> {
    let layer = |hit: &geotrawl_index::Hit| hit.layers.first().map(|layer| layer.name.clone());
    hits.hits.iter().map(|hit| (hit.id.clone(), layer(hit).unwrap_or_default(), hit.score)).collect()
}

#[test]
fn sets_of_bits_rank_as_the_engine_does() {
    let fixture = many(150);
    for words in ["roads", "roads utrecht", "land cover rivers", "the water", "noise forêts straßen"] {
        for by in [SearchTarget::Services, SearchTarget::Layers] {
            for bbox in [None, Some(Bbox::from([10.0, 5.0, 25.0, 20.0]))] {
                let ask = |words: String| {
                    fixture.search(&SearchQuery {
                        words,
                        by,
                        bbox,
                        limit: 2_000,
                        count_facets: true,
                        ..SearchQuery::default()
                    })
                };
                let (ours, engines) = (ask(words.to_owned()), ask(format!("{words} -nowhereatall")));
                // With operators, hits that lack a word are returned only if no hit has all words.
                if ours.hits.iter().any(|hit| !hit.missing.is_empty()) && engines.total < ours.total {
                    continue;
                }
                assert_eq!(ours.total, engines.total, "{words} {by:?}");
                assert_eq!(ours.facets, engines.facets);
                let loose = ours.hits.iter().any(|hit| !hit.missing.is_empty());
                let (mut ours, mut engines) = (scores(&ours), scores(&engines));
                // Sums in another order differ in the last digit, which changes the order of ties.
                let by_name = |a: &(String, String, f32), b: &(String, String, f32)| {
                    a.0.cmp(&b.0).then_with(|| a.1.cmp(&b.1))
                };
                ours.sort_by(by_name);
                engines.sort_by(by_name);
                for (ours, engines) in ours.iter().zip(&engines) {
                    assert_eq!((&ours.0, &ours.1), (&engines.0, &engines.1), "{words} {by:?}");
                    // Only bit sets rank hits with missing words lower: the engine does not report
                    // how many words match.
                    if loose {
                        continue;
                    }
                    assert!((ours.2 - engines.2).abs() <= engines.2.abs() * 1e-4, "{ours:?} {engines:?}");
                }
            }
        }
    }
}

#[test]
fn the_best_few_are_the_best_of_all() {
    let fixture = many(1_100);
    let mut most = 0;
    for words in ["roads", "water rivers"] {
        for by in [SearchTarget::Services, SearchTarget::Layers] {
            let bbox = Some(Bbox::from([0.0, 0.0, 70.0, 60.0]));
            let ask = |limit, offset| {
                scores(&fixture.search(&SearchQuery {
                    words: words.to_owned(),
                    by,
                    bbox,
                    limit,
                    offset,
                    ..SearchQuery::default()
                }))
            };
            let all = ask(5_000, 0);
            assert!(all.len() > 40);
            most = most.max(all.len());
            assert_eq!(ask(7, 0), all[..7]);
            assert_eq!(ask(10, 30), all[30..40]);
        }
    }
    assert!(most > 600, "{most} are scored at once, without a bound");
}

#[test]
fn titles_of_layers_are_compared_as_a_whole() {
    let titles = ["Administrative units C", "Administrative units a", "Administrative unit", "Zones"];
    let records = titles.iter().enumerate().map(|(number, title)| {
        service_record(&format!("s{number}"), "wms", "Units").with_layer(&format!("l{number}"), title, None)
    });
    let fixture = index_records(records.chain((0..400).map(|number| {
        let title = format!("Administrative units b {:03}", 400 - number);
        service_record(&format!("t{number:03}"), "wms", "Units").with_layer("l", &title, None)
    })));
    let query =
        SearchQuery { by: SearchTarget::Layers, sort: SortOrder::Title, limit: 5, ..SearchQuery::default() };
    let title =
        |hits: &SearchResults| -> Vec<String> { hits.hits.iter().map(|hit| hit.title.clone()).collect() };
    assert_eq!(
        title(&fixture.search(&query)),
        [
            "Administrative unit",
            "Administrative units a",
            "Administrative units b 001",
            "Administrative units b 002",
            "Administrative units b 003"
        ]
    );
    let last = SearchQuery { offset: 401, ..query };
    assert_eq!(
        title(&fixture.search(&last)),
        ["Administrative units b 400", "Administrative units C", "Zones"]
    );
}

#[test]
fn layers_are_found_by_the_id_of_their_service() {
    let fixture = many(100);
    let (layers, total) =
        fixture.index.matching_layers("r0103", &SearchQuery { limit: 10, ..SearchQuery::default() }).unwrap();
    assert_eq!((layers.len(), total), (3, 3));
    fixture.catalogue.put_document("r0103", None);
    fixture.index.apply_changes(&fixture.catalogue).unwrap();
    let gone =
        fixture.index.matching_layers("r0103", &SearchQuery { limit: 10, ..SearchQuery::default() }).unwrap();
    assert_eq!(gone, (Vec::new(), 0));
}

#[test]
fn words_in_one_layer_say_more_than_words_all_over() {
    let scattered = (0..60).fold(service_record("scattered", "wms", "Everything"), |made, number| {
        let title = ["Cloud types", "Sentinel towers", "Mosaic floors", "Roads"][number % 4];
        made.with_layer(&format!("l{number}"), title, None)
    });
    let together = (0..60).fold(service_record("together", "wms", "All things"), |made, number| {
        made.with_layer(
            &format!("l{number}"),
            if number == 41 { "Sentinel cloud mosaic" } else { "Roads" },
            None,
        )
    });
    let index = index_records([scattered, together]);
    let ask = |without: Vec<RankingSignal>| {
        let query = SearchQuery { without, explain: true, ..word_query("sentinel cloud mosaic") };
        index.search(&query).hits
    };
    let hits = ask(Vec::new());
    assert_eq!(hits[0].id, "together");
    assert!(hits[0].explanation[&RankingSignal::Layers] > 0.0, "{:?}", hits[0].explanation);
    assert_eq!(ask(vec![RankingSignal::Layers])[0].id, "scattered");
}

#[test]
fn pages_do_not_overlap_where_layers_weigh() {
    let index = index_records((0..120).map(|number| {
        let made = service_record(
            &format!("r{number:03}"),
            "wms",
            &format!("Roads {}", "of towns ".repeat(number % 7)),
        );
        (0..number % 5).fold(made, |made, layer| made.with_layer(&format!("roads_{layer}"), "Roads", None))
    }));
    let whole: Vec<String> = index
        .search(&SearchQuery { limit: 120, ..word_query("roads") })
        .hits
        .into_iter()
        .map(|hit| hit.id)
        .collect();
    let mut pages = Vec::new();
    for offset in (0..120).step_by(7) {
        let page = index.search(&SearchQuery { limit: 7, offset, ..word_query("roads") });
        pages.extend(page.hits.into_iter().map(|hit| hit.id));
    }
    assert_eq!(pages, whole);
    assert_eq!(index.index.find_ids(&word_query("roads")).unwrap(), whole);
}
