//! Words: stemming, folding, synonyms, operators, fields, relaxed matching.

use crate::catalogue::{index_records, low_memory_options, service_record, word_query};
use geotrawl_index::{CatalogueIndex, IndexOptions, RankingSignal, SearchQuery, SearchTarget};

#[test]
fn words_are_stemmed_by_the_language_of_the_record() {
    let index = index_records([
        service_record("en", "wms", "Road network of the county").with_language("eng"),
        service_record("de", "wms", "Gewässer und Häfen im Landkreis").with_language("ger"),
        service_record("fr", "wfs", "Forêts communales de la région").with_language("fre"),
    ]);
    assert_eq!(index.find_sorted_ids("networks"), ["en"]);
    assert_eq!(index.find_sorted_ids("hafen"), ["de"]);
    assert_eq!(index.find_sorted_ids("communale"), ["fr"]);
    assert_eq!(index.find_sorted_ids("FORETS"), ["fr"]);
    let mut unstemmed = word_query("networks");
    unstemmed.without = vec![RankingSignal::Stemming];
    assert_eq!(index.search(&unstemmed).total, 0);
}

#[test]
fn names_of_machines_are_found_by_their_words() {
    let index = index_records([
        service_record("a", "wms", "roads_2020_Utrecht"),
        service_record("b", "wms", "LandUse"),
        service_record("c", "wms", "Something").with_layer("ns:FloodZones_v2", "", None),
    ]);
    assert_eq!(index.find_ids("utrecht roads"), ["a"]);
    assert_eq!(index.find_ids("land use"), ["b"]);
    assert_eq!(index.find_ids("landuse"), ["b"]);
    assert_eq!(index.find_ids("flood"), ["c"]);
    assert_eq!(index.find_ids("roads_2020"), ["a"]);
}

#[test]
fn synonyms_cross_languages_and_count_less() {
    let index = index_records([
        service_record("en", "wms", "Roads of the town").with_language("en"),
        service_record("de", "wms", "Straßen der Stadt").with_language("de"),
        service_record("fr", "wms", "Réseau routier de la ville").with_language("fr"),
        service_record("dem", "wcs", "Höhenmodell 10 m").with_language("de"),
        service_record("lc", "wms", "Landbedeckung 2018").with_language("de"),
    ]);
    assert_eq!(index.find_ids("roads")[0], "en");
    assert_eq!(index.find_sorted_ids("roads"), ["de", "en", "fr"]);
    assert_eq!(index.find_ids("strassen")[0], "de");
    assert_eq!(index.find_ids("elevation"), ["dem"]);
    assert_eq!(index.find_ids("dtm"), ["dem"]);
    assert_eq!(index.find_ids("land cover"), ["lc"]);
    let mut without = word_query("elevation");
    without.without = vec![RankingSignal::Synonyms];
    assert_eq!(index.search(&without).total, 0);
}

#[test]
fn the_operator_adds_synonyms() {
    let fixture = index_records([service_record("a", "wms", "Widget overview")]);
    let file = fixture.directory.path().join("synonyms.txt");
    std::fs::write(&file, "widget, gizmo\n").unwrap();
    let directory = tempfile::tempdir().unwrap();
    let index = CatalogueIndex::open(
        directory.path(),
        &IndexOptions { synonyms: Some(file), ..low_memory_options() },
    )
    .unwrap();
    index.apply_changes(&fixture.catalogue).unwrap();
    assert_eq!(index.search(&word_query("gizmos")).unwrap().total, 1);
    let missing = IndexOptions { synonyms: Some("no-such-file".into()), ..low_memory_options() };
    let said = CatalogueIndex::open(directory.path(), &missing).err().unwrap().to_string();
    assert!(said.contains("no-such-file"), "{said}");
}

#[test]
fn service_words_are_words() {
    let index = index_records([service_record("a", "wms", "Noise"), service_record("b", "wfs", "Noise")]);
    assert_eq!(index.find_ids("noise wms"), ["a"]);
    assert_eq!(index.find_ids("noise \"web map service\""), ["a"]);
    assert_eq!(index.find_ids("noise web feature service")[0], "b");
}

#[test]
fn operators_phrases_prefixes_and_fuzziness() {
    let index = index_records([
        service_record("a", "wms", "Water quality of lakes"),
        service_record("b", "wms", "Watersheds"),
        service_record("c", "wms", "Quality of drinking water"),
        service_record("d", "wms", "Parcels"),
    ]);
    assert_eq!(index.find_sorted_ids("\"water quality\""), ["a"]);
    assert_eq!(index.find_sorted_ids("water quality"), ["a", "c"]);
    assert_eq!(index.find_sorted_ids("wat*"), ["a", "b", "c"]);
    assert_eq!(index.find_sorted_ids("watre~"), ["a", "c"]);
    assert_eq!(index.find_sorted_ids("water -lakes"), ["c"]);
    assert_eq!(index.find_sorted_ids("watersheds OR parcels"), ["b", "d"]);
    assert_eq!(index.find_sorted_ids("(watersheds OR quality) NOT drinking"), ["a", "b"]);
    assert_eq!(index.find_sorted_ids("quality AND NOT lakes"), ["c"]);
    assert_eq!(index.find_sorted_ids("NOT water"), ["b", "d"]);
    assert_eq!(index.find_sorted_ids("-water -watersheds"), ["d"]);
    assert_eq!(index.find_sorted_ids(""), ["a", "b", "c", "d"]);
}

#[test]
fn fields_are_asked() {
    let index = index_records([
        service_record("a", "wms", "Alpha roads")
            .with_abstract("of beta")
            .with_keywords(&["Gamma ray"])
            .with_provider("Delta Survey")
            .with_theme("land use")
            .with_place("NL", 52.0, 5.0)
            .with_layer("epsilon_1", "Zeta", None),
        service_record("b", "wfs", "Beta").with_abstract("alpha delta").with_place("DE", 50.0, 8.0),
    ]);
    for (question, found) in [
        ("title:alpha", vec!["a"]),
        ("title:road", vec!["a"]),
        ("abstract:alpha", vec!["b"]),
        ("keyword:\"gamma ray\"", vec!["a"]),
        ("provider:delta", vec!["a"]),
        ("provider:\"Delta Survey\"", vec!["a"]),
        ("kind:wfs", vec!["b"]),
        ("kind:(wms OR wfs)", vec!["a", "b"]),
        ("country:nl", vec!["a"]),
        ("theme:\"land use\"", vec!["a"]),
        ("host:b.example.org", vec!["b"]),
        ("host:example", vec!["a", "b"]),
        ("url:wfs", vec!["b"]),
        ("layer:zeta", vec!["a"]),
        ("name:epsilon", vec!["a"]),
        ("title:alp*", vec!["a"]),
        ("title:alpah~", vec!["a"]),
        ("title:delta", vec![]),
    ] {
        assert_eq!(index.find_sorted_ids(question), found, "{question}");
    }
    let by_layers = SearchQuery { by: SearchTarget::Layers, ..word_query("kind:wms layer:zeta") };
    assert_eq!(index.search(&by_layers).total, 1);
}

#[test]
fn where_nothing_has_all_words_most_will_do() {
    let index = index_records([
        service_record("a", "wms", "Noise map of Graz"),
        service_record("b", "wms", "Noise map of Linz"),
        service_record("c", "wms", "Trees"),
    ]);
    assert_eq!(index.find_ids("noise graz wetlands"), ["a", "b"]);
    assert_eq!(index.find_sorted_ids("trees graz"), ["a", "c"]);
    assert!(index.find_ids("+wetlands graz").is_empty());
}

#[test]
fn what_lacks_a_word_comes_last_and_says_so() {
    let index = index_records([
        service_record("one", "wms", "Noise noise noise"),
        service_record("both", "wms", "Maps").with_abstract("Noise and vineyards of the canton"),
    ]);
    let hits = index.search(&word_query("noise vineyards"));
    assert_eq!((hits.total, hits.complete), (2, Some(1)));
    let found: Vec<_> = hits.hits.iter().map(|hit| (hit.id.as_str(), hit.missing.join(" "))).collect();
    assert_eq!(found, [("both", String::new()), ("one", "vineyards".to_owned())]);
    assert_eq!(index.search(&word_query("noise zzzz zzzz")).hits[0].missing, ["zzzz"]);
    let exact = index.search(&SearchQuery { exact: true, ..word_query("noise vineyards") });
    assert_eq!((exact.total, exact.complete), (1, None));
    // Operators are taken literally.
    assert_eq!(index.find_ids("noise +vineyards"), ["both"]);
    assert_eq!(index.find_ids("noise \"the canton\""), ["both"]);
    // A full page is not relaxed.
    let full = (0..10).map(|number| service_record(&format!("r{number}"), "wms", "Noise of vineyards"));
    let index = index_records(full.chain([service_record("one", "wms", "Noise")]));
    let hits = index.search(&word_query("noise vineyards"));
    assert_eq!((hits.total, hits.complete), (10, None));
}

#[test]
fn kinds_are_no_words_among_others() {
    let index = index_records([
        service_record("wms", "wms", "Noise"),
        service_record("wfs", "wfs", "Noise").with_abstract("There is a WMS too, and the WMS is a WMS."),
        service_record("other", "wms", "Trees"),
    ]);
    assert_eq!(index.find_ids("noise wms"), ["wms"]);
    let index = index_records([
        service_record("cog", "cog", "Heights"),
        service_record("tiff", "geotiff", "Heights"),
        service_record("cloud", "las", "Carreteras"),
        service_record("roads", "wms", "Mapa de las carreteras"),
    ]);
    assert_eq!(index.find_sorted_ids("heights geotiff"), ["cog", "tiff"]);
    assert_eq!(index.find_sorted_ids("heights cog"), ["cog"]);
    // A word of many languages is not a kind.
    assert_eq!(index.find_sorted_ids("mapa de las carreteras")[..], ["cloud", "roads"]);
    let index = index_records([
        service_record("wms", "wms", "Noise"),
        service_record("wfs", "wfs", "Noise").with_abstract("There is a WMS too, and the WMS is a WMS."),
        service_record("other", "wms", "Trees"),
    ]);
    // If no record has the kind, other kinds are better than no hits.
    let hits = index.search(&word_query("noise trees wfs"));
    assert_eq!(hits.hits[0].id, "wfs");
    let hits = index_records([service_record("a", "wms", "Noise"), service_record("b", "wfs", "Trees")])
        .search(&word_query("noise wfs"));
    assert_eq!((hits.hits[0].id.as_str(), hits.hits[0].missing.join(" ")), ("a", "wfs".to_owned()));
}

#[test]
fn countries_are_places() {
    let lies = |id: &str, bbox: [f64; 4]| {
        service_record(id, "wms", "Buildings")
            .with_record(move |record| record.resource.bbox = Some(bbox.into()))
    };
    let index = index_records([
        lies("arnhem", [5.8, 51.9, 6.0, 52.1]),
        lies("graz", [15.3, 47.0, 15.6, 47.2]),
        lies("world", [-180.0, -90.0, 180.0, 90.0]),
        service_record("said", "wms", "Gebouwen van Nederland"),
        service_record("host", "wms", "Buildings")
            .with_record(|record| "kaart.example.nl".clone_into(&mut record.host.name)),
    ]);
    let all = |question: &str| {
        let hits = index.search(&word_query(question)).hits;
        let mut found: Vec<String> =
            hits.into_iter().filter(|hit| hit.missing.is_empty()).map(|hit| hit.id).collect();
        found.sort();
        found
    };
    assert_eq!(all("buildings netherlands"), ["arnhem", "host", "said"]);
    assert_eq!(all("gebäude österreich"), ["graz"]);
    assert!(all("buildings france").is_empty());
}

#[test]
fn seas_and_states_are_places_too() {
    let lies = |id: &str, bbox: [f64; 4], host: &'static str| {
        service_record(id, "wms", "Depths").with_record(move |record| {
            record.resource.bbox = Some(bbox.into());
            host.clone_into(&mut record.host.name);
        })
    };
    let index = index_records([
        lies("open sea", [19.3, 55.9, 20.2, 56.5], "kartta.example.fi"),
        lies("denver", [-105.1, 39.6, -104.6, 39.9], "maps.example.org"),
    ]);
    let all = |question: &str| {
        let hits = index.search(&word_query(question)).hits;
        hits.into_iter().filter(|hit| hit.missing.is_empty()).map(|hit| hit.id).collect::<Vec<_>>()
    };
    for (question, found) in [
        ("depths Baltic Sea", "open sea"),
        ("depths Ostsee", "open sea"),
        ("depths Colorado", "denver"),
        // A record in a sea and in no country still belongs to the country of its host.
        ("depths Finland", "open sea"),
    ] {
        assert_eq!(all(question), [found], "{question}");
    }
    assert!(all("depths North Sea").is_empty());
}

#[test]
fn words_are_taken_apart_and_put_together() {
    let index = index_records([
        service_record("compound", "wfs", "inspireadressen"),
        service_record("together", "wms", "blockgroups"),
        service_record("apart", "wms", "Widget halls and towers"),
    ]);
    assert_eq!(index.find_ids("addresses"), ["compound"]);
    assert_eq!(index.find_ids("block groups"), ["together"]);
    let hits = index.search(&word_query("widgettowers"));
    assert_eq!(hits.hits[0].id, "apart");
    assert_eq!((hits.did_you_mean.as_deref(), hits.corrected), (Some("widget towers"), true));
}

#[test]
fn stop_words_are_not_needed() {
    let index = index_records([service_record("a", "wms", "Map of rivers").with_language("en")]);
    assert_eq!(index.find_ids("the rivers of the map"), ["a"]);
    assert_eq!(index.find_ids("rivière de la carte"), ["a"]);
    assert_eq!(index.find_ids("\"map of rivers\""), ["a"]);
}

#[test]
fn pages_that_revealed_it_help() {
    let index = index_records([
        service_record("a", "wms", "service1").with_page("Geoportal of Ticino", "avalanche cadastre"),
        service_record("b", "wms", "avalanche"),
    ]);
    assert_eq!(index.find_ids("avalanche"), ["b", "a"]);
    let mut without = word_query("avalanche");
    without.without = vec![RankingSignal::PageWords];
    assert_eq!(index.search(&without).total, 1);
}
