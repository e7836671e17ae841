//! Questions and records that mean no good.

use crate::catalogue::{indexed, service, words};
use geotrawl_index::{By, IndexError, Query};
use geotrawl_kinds::model::Dataset;
use proptest::prelude::*;

#[test]
fn hostile_questions_are_answered_or_refused() {
    let index = indexed([service("a", "wms", "Roads").layer("l", "Roads", None)]);
    for question in [
        "(".repeat(10_000) + "a" + &")".repeat(10_000),
        "(".repeat(1_000) + "a" + &")".repeat(1_000),
        "x".repeat(1 << 20),
        "*oads".to_owned(),
        "\"roads".to_owned(),
        "a ".repeat(500),
    ] {
        match index.index.search(&words(&question)) {
            Err(IndexError::Query(said)) => assert!(said.len() < 300 && said.ends_with('.'), "{said}"),
            other => panic!("{:?}", other.map(|hits| hits.total)),
        }
    }
    for question in
        ["NOT roads", "-roads", "NOT NOT roads", "ro*", "~", "\"\"", "AND", "title:", "\u{0}", "()()"]
    {
        index.search(&words(question));
        index.search(&Query { by: By::Layers, count_facets: true, explain: true, ..words(question) });
    }
    let far = Query { offset: usize::MAX, limit: usize::MAX, ..words("roads") };
    assert!(index.search(&far).hits.is_empty());
}

#[test]
fn hostile_records_are_taken_in() {
    let long = "long ".repeat(200_000);
    let index = indexed([
        service("a", "wms", &long).text(&long).keywords(&[&long]).provider(&long),
        service("b", "wms", &"x".repeat(1_000_000)).page(&long, &long),
        service("c", "", "\u{0}\u{1}\n~mark :t").language("\u{1}"),
        service("d", "wms", "Kept").with(|record| record.resource.url = "not an address".into()),
        service("", "wms", ""),
    ]);
    assert_eq!(index.find("kept"), ["d"]);
    assert_eq!(index.find("mark"), ["c"]);
    assert_eq!(index.search(&words("")).total, 5);
}

#[test]
fn very_many_layers_are_one_after_the_other() {
    let index = indexed([service("a", "wms", "Huge").with(|record| {
        record.resource.datasets = (0..30_000)
            .map(|n| Dataset {
                name: format!("layer_{n}"),
                title: Some(format!("Word{n}x tile")),
                ..Dataset::default()
            })
            .collect();
    })]);
    assert_eq!(index.search(&Query { by: By::Layers, ..words("tile") }).total, 30_000);
    assert_eq!(index.search(&words("tile")).hits[0].layers_matching, 30_000);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]
    #[test]
    fn anything_typed_is_answered(question in r#"[ a-eé()"+\-~*:_|&0-9]{0,60}|.{0,40}"#) {
        thread_local! {
            static INDEX: crate::catalogue::Fixture = indexed([
                service("a", "wms", "abc dé").keywords(&["ab", "cd"]).layer("ab_cd", "e a b", None),
                service("b", "wfs", "bcd").language("de"),
            ]);
        }
        INDEX.with(|index| {
            for by in [By::Services, By::Layers] {
                match index.index.search(&Query { by, explain: true, count_facets: true, ..words(&question) }) {
                    Ok(_) | Err(IndexError::Query(_)) => {}
                    Err(other) => panic!("{question}: {other}"),
                }
            }
            index.index.suggest(&question, 5).unwrap();
        });
    }
}
