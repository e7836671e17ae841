//! Hostile queries and records.

use crate::catalogue::{index_records, service_record, word_query};
use geotrawl_index::{IndexError, SearchQuery, SearchTarget};
use geotrawl_model::Dataset;
use proptest::prelude::*;

#[test]
fn hostile_questions_are_answered_or_refused() {
    let index = index_records([service_record("a", "wms", "Roads").with_layer("l", "Roads", None)]);
    for question in [
        "(".repeat(10_000) + "a" + &")".repeat(10_000),
        "(".repeat(1_000) + "a" + &")".repeat(1_000),
        "x".repeat(1 << 20),
        "*oads".to_owned(),
        "\"roads".to_owned(),
        "a ".repeat(500),
    ] {
        match index.index.search(&word_query(&question)) {
            Err(IndexError::Query(said)) => assert!(said.len() < 300 && said.ends_with('.'), "{said}"),
            other => panic!("{:?}", other.map(|hits| hits.total)),
        }
    }
    for question in
        ["NOT roads", "-roads", "NOT NOT roads", "ro*", "~", "\"\"", "AND", "title:", "\u{0}", "()()"]
    {
        index.search(&word_query(question));
        index.search(&SearchQuery {
            by: SearchTarget::Layers,
            count_facets: true,
            explain: true,
            ..word_query(question)
        });
    }
    let far = SearchQuery { offset: usize::MAX, limit: usize::MAX, ..word_query("roads") };
    assert!(index.search(&far).hits.is_empty());
}

#[test]
fn hostile_records_are_taken_in() {
    let long = "long ".repeat(200_000);
    let index = index_records([
        service_record("a", "wms", &long).with_abstract(&long).with_keywords(&[&long]).with_provider(&long),
        service_record("b", "wms", &"x".repeat(1_000_000)).with_page(&long, &long),
        service_record("c", "", "\u{0}\u{1}\n~mark :t").with_language("\u{1}"),
        service_record("d", "wms", "Kept")
            .with_record(|record| record.resource.url = "not an address".into()),
        service_record("", "wms", ""),
    ]);
    assert_eq!(index.find_ids("kept"), ["d"]);
    assert_eq!(index.find_ids("mark"), ["c"]);
    assert_eq!(index.search(&word_query("")).total, 5);
}

#[test]
fn very_many_layers_are_one_after_the_other() {
    let index = index_records([service_record("a", "wms", "Huge").with_record(|record| {
        record.resource.datasets = (0..30_000)
            .map(|n| Dataset {
                name: format!("layer_{n}"),
                title: Some(format!("Word{n}x tile")),
                ..Dataset::default()
            })
            .collect();
    })]);
    assert_eq!(index.search(&SearchQuery { by: SearchTarget::Layers, ..word_query("tile") }).total, 30_000);
    assert_eq!(index.search(&word_query("tile")).hits[0].layers_matching, 30_000);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]
    #[test]
    fn anything_typed_is_answered(question in r#"[ a-eé()"+\-~*:_|&0-9]{0,60}|.{0,40}"#) {
        thread_local! {
            static INDEX: crate::catalogue::IndexFixture = index_records([
                service_record("a", "wms", "abc dé").with_keywords(&["ab", "cd"]).with_layer("ab_cd", "e a b", None),
                service_record("b", "wfs", "bcd").with_language("de"),
            ]);
        }
        INDEX.with(|index| {
            for by in [SearchTarget::Services, SearchTarget::Layers] {
                match index.index.search(&SearchQuery { by, explain: true, count_facets: true, ..word_query(&question) }) {
                    Ok(_) | Err(IndexError::Query(_)) => {}
                    Err(other) => panic!("{question}: {other}"),
                }
            }
            index.index.suggest(&question, 5).unwrap();
        });
    }
}

/// Shows why the query language has its own parser: many parentheses crash a process that uses the
/// engine's grammar. Runs in a child process because no test survives the crash. If it passes one
/// day, the reason in `parse.rs` is gone.
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
    let index = index_records([service_record("a", "wms", "Roads")]);
    assert!(index.index.search(&SearchQuery { words: nested, limit: 10, ..SearchQuery::default() }).is_err());
}
