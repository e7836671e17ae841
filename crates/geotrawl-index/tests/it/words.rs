//! Words: stemming, folding, synonyms, operators, fields, relaxing.

use crate::catalogue::{indexed, service, small, words};
use geotrawl_index::{By, Index, IndexOptions, Query, Signal};

#[test]
fn words_are_stemmed_by_the_language_of_the_record() {
    let index = indexed([
        service("en", "wms", "Road network of the county").language("eng"),
        service("de", "wms", "Gewässer und Häfen im Landkreis").language("ger"),
        service("fr", "wfs", "Forêts communales de la région").language("fre"),
    ]);
    assert_eq!(index.set("networks"), ["en"]);
    assert_eq!(index.set("hafen"), ["de"]);
    assert_eq!(index.set("communale"), ["fr"]);
    assert_eq!(index.set("FORETS"), ["fr"]);
    let mut unstemmed = words("networks");
    unstemmed.without = vec![Signal::Stemming];
    assert_eq!(index.search(&unstemmed).total, 0);
}

#[test]
fn names_of_machines_are_found_by_their_words() {
    let index = indexed([
        service("a", "wms", "roads_2020_Utrecht"),
        service("b", "wms", "LandUse"),
        service("c", "wms", "Something").layer("ns:FloodZones_v2", "", None),
    ]);
    assert_eq!(index.find("utrecht roads"), ["a"]);
    assert_eq!(index.find("land use"), ["b"]);
    assert_eq!(index.find("landuse"), ["b"]);
    assert_eq!(index.find("flood"), ["c"]);
    assert_eq!(index.find("roads_2020"), ["a"]);
}

#[test]
fn synonyms_cross_languages_and_count_less() {
    let index = indexed([
        service("en", "wms", "Roads of the town").language("en"),
        service("de", "wms", "Straßen der Stadt").language("de"),
        service("fr", "wms", "Réseau routier de la ville").language("fr"),
        service("dem", "wcs", "Höhenmodell 10 m").language("de"),
        service("lc", "wms", "Landbedeckung 2018").language("de"),
    ]);
    assert_eq!(index.find("roads")[0], "en");
    assert_eq!(index.set("roads"), ["de", "en", "fr"]);
    assert_eq!(index.find("strassen")[0], "de");
    assert_eq!(index.find("elevation"), ["dem"]);
    assert_eq!(index.find("dtm"), ["dem"]);
    assert_eq!(index.find("land cover"), ["lc"]);
    let mut without = words("elevation");
    without.without = vec![Signal::Synonyms];
    assert_eq!(index.search(&without).total, 0);
}

#[test]
fn the_operator_adds_synonyms() {
    let fixture = indexed([service("a", "wms", "Widget overview")]);
    let file = fixture.directory.path().join("synonyms.txt");
    std::fs::write(&file, "widget, gizmo\n").unwrap();
    let directory = tempfile::tempdir().unwrap();
    let index = Index::open(directory.path(), &IndexOptions { synonyms: Some(file), ..small() }).unwrap();
    index.follow(&fixture.catalogue).unwrap();
    assert_eq!(index.search(&words("gizmos")).unwrap().total, 1);
    let missing = IndexOptions { synonyms: Some("no-such-file".into()), ..small() };
    let said = Index::open(directory.path(), &missing).err().unwrap().to_string();
    assert!(said.contains("no-such-file"), "{said}");
}

#[test]
fn service_words_are_words() {
    let index = indexed([service("a", "wms", "Noise"), service("b", "wfs", "Noise")]);
    assert_eq!(index.find("noise wms"), ["a"]);
    assert_eq!(index.find("noise \"web map service\""), ["a"]);
    assert_eq!(index.find("noise web feature service")[0], "b");
}

#[test]
fn operators_phrases_prefixes_and_fuzziness() {
    let index = indexed([
        service("a", "wms", "Water quality of lakes"),
        service("b", "wms", "Watersheds"),
        service("c", "wms", "Quality of drinking water"),
        service("d", "wms", "Parcels"),
    ]);
    assert_eq!(index.set("\"water quality\""), ["a"]);
    assert_eq!(index.set("water quality"), ["a", "c"]);
    assert_eq!(index.set("wat*"), ["a", "b", "c"]);
    assert_eq!(index.set("watre~"), ["a", "c"]);
    assert_eq!(index.set("water -lakes"), ["c"]);
    assert_eq!(index.set("watersheds OR parcels"), ["b", "d"]);
    assert_eq!(index.set("(watersheds OR quality) NOT drinking"), ["a", "b"]);
    assert_eq!(index.set("quality AND NOT lakes"), ["c"]);
    assert_eq!(index.set("NOT water"), ["b", "d"]);
    assert_eq!(index.set("-water -watersheds"), ["d"]);
    assert_eq!(index.set(""), ["a", "b", "c", "d"]);
}

#[test]
fn fields_are_asked() {
    let index = indexed([
        service("a", "wms", "Alpha roads")
            .text("of beta")
            .keywords(&["Gamma ray"])
            .provider("Delta Survey")
            .theme("land use")
            .place("NL", 52.0, 5.0)
            .layer("epsilon_1", "Zeta", None),
        service("b", "wfs", "Beta").text("alpha delta").place("DE", 50.0, 8.0),
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
        assert_eq!(index.set(question), found, "{question}");
    }
    let by_layers = Query { by: By::Layers, ..words("kind:wms layer:zeta") };
    assert_eq!(index.search(&by_layers).total, 1);
}

#[test]
fn where_nothing_has_all_words_most_will_do() {
    let index = indexed([
        service("a", "wms", "Noise map of Graz"),
        service("b", "wms", "Noise map of Linz"),
        service("c", "wms", "Trees"),
    ]);
    assert_eq!(index.find("noise graz wetlands"), ["a"]);
    assert_eq!(index.set("trees graz"), ["a", "c"]);
    assert!(index.find("+wetlands graz").is_empty());
}

#[test]
fn stop_words_are_not_needed() {
    let index = indexed([service("a", "wms", "Map of rivers").language("en")]);
    assert_eq!(index.find("the rivers of the map"), ["a"]);
    assert_eq!(index.find("rivière de la carte"), ["a"]);
    assert_eq!(index.find("\"map of rivers\""), ["a"]);
}

#[test]
fn pages_that_revealed_it_help() {
    let index = indexed([
        service("a", "wms", "service1").page("Geoportal of Ticino", "avalanche cadastre"),
        service("b", "wms", "avalanche"),
    ]);
    assert_eq!(index.find("avalanche"), ["b", "a"]);
    let mut without = words("avalanche");
    without.without = vec![Signal::PageWords];
    assert_eq!(index.search(&without).total, 1);
}
