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
    assert_eq!(index.find("noise graz wetlands"), ["a", "b"]);
    assert_eq!(index.set("trees graz"), ["a", "c"]);
    assert!(index.find("+wetlands graz").is_empty());
}

#[test]
fn what_lacks_a_word_comes_last_and_says_so() {
    let index = indexed([
        service("one", "wms", "Noise noise noise"),
        service("both", "wms", "Maps").text("Noise and vineyards of the canton"),
    ]);
    let hits = index.search(&words("noise vineyards"));
    assert_eq!((hits.total, hits.complete), (2, Some(1)));
    let found: Vec<_> = hits.hits.iter().map(|hit| (hit.id.as_str(), hit.missing.join(" "))).collect();
    assert_eq!(found, [("both", String::new()), ("one", "vineyards".to_owned())]);
    assert_eq!(index.search(&words("noise zzzz zzzz")).hits[0].missing, ["zzzz"]);
    let exact = index.search(&Query { exact: true, ..words("noise vineyards") });
    assert_eq!((exact.total, exact.complete), (1, None));
    // Who writes operators means them.
    assert_eq!(index.find("noise +vineyards"), ["both"]);
    assert_eq!(index.find("noise \"the canton\""), ["both"]);
    // A full page needs nothing else.
    let full = (0..10).map(|number| service(&format!("r{number}"), "wms", "Noise of vineyards"));
    let index = indexed(full.chain([service("one", "wms", "Noise")]));
    let hits = index.search(&words("noise vineyards"));
    assert_eq!((hits.total, hits.complete), (10, None));
}

#[test]
fn kinds_are_no_words_among_others() {
    let index = indexed([
        service("wms", "wms", "Noise"),
        service("wfs", "wfs", "Noise").text("There is a WMS too, and the WMS is a WMS."),
        service("other", "wms", "Trees"),
    ]);
    assert_eq!(index.find("noise wms"), ["wms"]);
    let index = indexed([
        service("cog", "cog", "Heights"),
        service("tiff", "geotiff", "Heights"),
        service("cloud", "las", "Carreteras"),
        service("roads", "wms", "Mapa de las carreteras"),
    ]);
    assert_eq!(index.set("heights geotiff"), ["cog", "tiff"]);
    assert_eq!(index.set("heights cog"), ["cog"]);
    // A word of many languages is no kind.
    assert_eq!(index.set("mapa de las carreteras")[..], ["cloud", "roads"]);
    let index = indexed([
        service("wms", "wms", "Noise"),
        service("wfs", "wfs", "Noise").text("There is a WMS too, and the WMS is a WMS."),
        service("other", "wms", "Trees"),
    ]);
    // Where there is none, others are better than nothing.
    let hits = index.search(&words("noise trees wfs"));
    assert_eq!(hits.hits[0].id, "wfs");
    let hits =
        indexed([service("a", "wms", "Noise"), service("b", "wfs", "Trees")]).search(&words("noise wfs"));
    assert_eq!((hits.hits[0].id.as_str(), hits.hits[0].missing.join(" ")), ("a", "wfs".to_owned()));
}

#[test]
fn countries_are_places() {
    let lies = |id: &str, bbox: [f64; 4]| {
        service(id, "wms", "Buildings").with(move |record| record.resource.bbox = Some(bbox.into()))
    };
    let index = indexed([
        lies("arnhem", [5.8, 51.9, 6.0, 52.1]),
        lies("graz", [15.3, 47.0, 15.6, 47.2]),
        lies("world", [-180.0, -90.0, 180.0, 90.0]),
        service("said", "wms", "Gebouwen van Nederland"),
        service("host", "wms", "Buildings")
            .with(|record| "kaart.example.nl".clone_into(&mut record.host.name)),
    ]);
    let all = |question: &str| {
        let hits = index.search(&words(question)).hits;
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
        service(id, "wms", "Depths").with(move |record| {
            record.resource.bbox = Some(bbox.into());
            host.clone_into(&mut record.host.name);
        })
    };
    let index = indexed([
        lies("open sea", [19.3, 55.9, 20.2, 56.5], "kartta.example.fi"),
        lies("denver", [-105.1, 39.6, -104.6, 39.9], "maps.example.org"),
    ]);
    let all = |question: &str| {
        let hits = index.search(&words(question)).hits;
        hits.into_iter().filter(|hit| hit.missing.is_empty()).map(|hit| hit.id).collect::<Vec<_>>()
    };
    for (question, found) in [
        ("depths Baltic Sea", "open sea"),
        ("depths Ostsee", "open sea"),
        ("depths Colorado", "denver"),
        // What lies in a sea and in no country is still of the country of its host.
        ("depths Finland", "open sea"),
    ] {
        assert_eq!(all(question), [found], "{question}");
    }
    assert!(all("depths North Sea").is_empty());
}

#[test]
fn words_are_taken_apart_and_put_together() {
    let index = indexed([
        service("compound", "wfs", "inspireadressen"),
        service("together", "wms", "blockgroups"),
        service("apart", "wms", "Widget halls and towers"),
    ]);
    assert_eq!(index.find("addresses"), ["compound"]);
    assert_eq!(index.find("block groups"), ["together"]);
    let hits = index.search(&words("widgettowers"));
    assert_eq!(hits.hits[0].id, "apart");
    assert_eq!((hits.did_you_mean.as_deref(), hits.corrected), (Some("widget towers"), true));
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
