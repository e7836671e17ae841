//! What users see: highlights, layers, suggestions, corrections.

use crate::catalogue::{index_records, service_record, word_query};
use geotrawl_index::{SearchQuery, SearchTarget};
use proptest::prelude::*;

#[test]
fn hits_are_marked_and_markup_is_not_believed() {
    let index = index_records([service_record("a", "wms", "<script>alert(1)</script> Roads")
        .with_abstract("A long text about \"roads\" & <b>rivers</b>.")
        .with_layer("<img src=x>", "<i>Road</i> layer", None)]);
    let hits = index.search(&word_query("roads"));
    let hit = &hits.hits[0];
    assert_eq!(hit.title, "&lt;script&gt;alert(1)&lt;/script&gt; <mark>Roads</mark>");
    assert!(hit.snippet.contains("&quot;<mark>roads</mark>&quot; &amp; &lt;b&gt;"), "{}", hit.snippet);
    assert_eq!(hit.layers[0].title, "&lt;i&gt;<mark>Road</mark>&lt;/i&gt; layer");
    // Names are passed to services unchanged; the caller escapes them for display.
    assert_eq!(hit.layers[0].name, "<img src=x>");
}

#[test]
fn synonyms_and_prefixes_are_marked() {
    let index = index_records([service_record("a", "wms", "Straßen in Wien").with_language("de")]);
    assert_eq!(index.search(&word_query("roads")).hits[0].title, "<mark>Straßen</mark> in Wien");
    assert_eq!(index.search(&word_query("wie*")).hits[0].title, "Straßen in <mark>Wien</mark>");
}

#[test]
fn services_show_their_best_layers() {
    let mut one = service_record("a", "wms", "Town");
    for n in 0..8 {
        one = one.with_layer(&format!("t{n}"), &format!("Trees {n}"), None);
    }
    let index = index_records([one.with_layer("x", "Noise", None)]);
    let hits = index.search(&word_query("trees"));
    assert_eq!((hits.hits[0].layers.len(), hits.hits[0].layers_matching), (5, 8));
    let (layers, total) = index.index.matching_layers("a", &word_query("noise")).unwrap();
    assert_eq!((layers[0].name.as_str(), total), ("x", 1));
    let (layers, total) = index.index.matching_layers("a", &word_query("")).unwrap();
    assert_eq!((layers.len(), total, layers[0].name.as_str()), (9, 9, "t0"));
    assert_eq!(index.index.matching_layers("nobody", &word_query("")).unwrap().1, 0);
    let by_layers = index.search(&SearchQuery { by: SearchTarget::Layers, ..word_query("trees") });
    assert_eq!(by_layers.total, 8);
    assert!(by_layers.hits.iter().all(|hit| hit.id == "a" && hit.layers.len() == 1));
}

#[test]
fn suggestions_come_with_counts() {
    let index = index_records([
        service_record("a", "wms", "Noise map of Graz")
            .with_keywords(&["Noise", "Night noise"])
            .with_provider("Nordic Survey"),
        service_record("b", "wms", "Noise map of Linz").with_keywords(&["noise"]),
    ]);
    let found = index.index.suggest("no", 8).unwrap();
    assert_eq!((found[0].text.to_lowercase().as_str(), found[0].count), ("noise", 2));
    assert!(found.iter().any(|one| one.kind == "provider" && one.text == "Nordic Survey"));
    assert!(found.iter().any(|one| one.kind == "title" && one.text == "Noise map of Graz"));
    let found = index.index.suggest("graz noi", 8).unwrap();
    assert_eq!(found[0].text, "graz noise");
    for nothing in ["", "n", "   ", "zzz", "=w", "~no", "noise =w", &"x".repeat(10_000)] {
        assert!(index.index.suggest(nothing, 8).unwrap().is_empty(), "{nothing}");
    }
}

#[test]
fn other_spellings_are_offered() {
    let index = index_records([service_record("a", "wms", "Earthquakes of Anatolia")]);
    let hits = index.search(&word_query("earthqakes anatolia"));
    assert_eq!(hits.did_you_mean.as_deref(), Some("earthquakes anatolia"));
    // The word matches nothing and its correction is a domain word, so the correction is applied
    // without asking.
    assert!(hits.corrected);
    assert_eq!(hits.hits[0].id, "a");
    // A word that only one record has may itself be misspelled.
    let hits = index.search(&word_query("anatolya earthquakes"));
    assert_eq!((hits.did_you_mean.as_deref(), hits.corrected), (Some("anatolia earthquakes"), false));
    // A related word in another language, which is in no list.
    let hits = index.search(&word_query("anatolische"));
    assert_eq!((hits.did_you_mean.as_deref(), hits.corrected), (Some("anatolia"), false));
    assert_eq!(index.search(&word_query("anatomisch")).did_you_mean, None);
    assert_eq!(index.search(&word_query("anatolia")).did_you_mean, None);
    assert_eq!(index.search(&word_query("zzzzzzzz")).did_you_mean, None);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]
    #[test]
    fn no_title_gets_out_unescaped(title in r#"[<>&"'a-c/ ]{0,60}|.{0,60}"#) {
        let index = index_records([service_record("a", "wms", &title).with_abstract(&title).with_layer(&title, &title, None)]);
        for question in ["", "a", "a b"] {
            for hit in index.search(&word_query(question)).hits {
                let layers = hit.layers.iter().map(|layer| &layer.title);
                for shown in layers.chain([&hit.title, &hit.snippet]) {
                    let rest = shown.replace("<mark>", "").replace("</mark>", "");
                    prop_assert!(!rest.contains(['<', '>', '"', '\'']), "{shown}");
                }
            }
        }
    }
}
