//! Questions and records that mean no good.

use crate::catalogue::{indexed, service, words};
use geotrawl_index::{By, IndexError, Query};
use geotrawl_model::Dataset;
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

/// Why the language of questions is our own: many parentheses end a process that gives them to the engine's grammar.
/// In a process of its own, as no test survives that. Should it pass one day, the reason in `parse.rs` is gone.
#[test]
fn the_grammar_of_the_engine_does_not_survive_parentheses() {
    const NAME: &str = "hostile::the_grammar_of_the_engine_does_not_survive_parentheses";
    let nested = format!("{}roads{}", "(".repeat(10_000), ")".repeat(10_000));
    if std::env::var_os("GEOTRAWL_PARSE_NESTED").is_some() {
        let index = tantivy::Index::create_in_ram(tantivy::schema::Schema::builder().build());
        let _ = tantivy::query::QueryParser::for_index(&index, Vec::new()).parse_query(&nested);
        return;
    }
    let status = std::process::Command::new(std::env::current_exe().unwrap())
        .args([NAME, "--exact"])
        .env("GEOTRAWL_PARSE_NESTED", "yes")
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .status()
        .unwrap();
    assert_eq!(status.code(), None, "ended by a signal, not by an answer: {status}");
    let index = indexed([service("a", "wms", "Roads")]);
    assert!(index.index.search(&Query { words: nested, limit: 10, ..Query::default() }).is_err());
}
