//! Tests labels, evidence, operator vocabularies, and the cost of hostile texts.

use geotrawl_themes::{
    LandCoverClass, ResourceTexts, ThemeLabel, ThemeVocabulary, Themes, classifier, naive_land_cover,
};
use proptest::prelude::*;
use std::collections::BTreeSet;

fn titled(title: &str) -> Vec<ThemeLabel> {
    Themes::builtin().keyword_labels(&ResourceTexts { title: Some(title), ..ResourceTexts::default() })
}

fn terms(labels: &[ThemeLabel], scheme: &str) -> BTreeSet<String> {
    labels.iter().filter(|label| label.scheme == scheme).map(|label| label.term.clone()).collect()
}

#[test]
fn built_in_vocabularies_are_whole() {
    let themes = Themes::builtin();
    let counts: Vec<(&str, usize)> = themes
        .vocabularies()
        .iter()
        .map(|vocabulary| (vocabulary.id.as_str(), vocabulary.terms.len()))
        .collect();
    assert_eq!(
        counts,
        [
            ("land-cover", 12),
            ("inspire", 34),
            ("iso-topic", 21),
            ("geoss", 9),
            ("geo", 8),
            ("gcmd", 14),
            ("eu-dcat", 13)
        ]
    );
    for vocabulary in themes.vocabularies() {
        for term in &vocabulary.terms {
            assert!(term.labels.contains_key("en"), "{} {}", vocabulary.id, term.id);
            let words = term.words().count();
            assert!(words >= 10, "{} {} has {words} words", vocabulary.id, term.id);
        }
    }
    let inspire = themes.vocabularies().iter().find(|vocabulary| vocabulary.id == "inspire").unwrap();
    for term in &inspire.terms {
        for language in ["en", "de", "fr", "es", "it", "nl", "pt", "pl"] {
            assert!(term.labels.contains_key(language), "{} {language}", term.id);
        }
        assert!(
            term.source.as_deref().is_some_and(|source| source.ends_with(&format!("/theme/{}", term.id)))
        );
    }
}

#[test]
fn built_in_files_have_no_faults() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("vocabularies");
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        let name = entry.file_name().into_string().unwrap();
        if name == "concepts.toml" {
            continue;
        }
        let parsed = ThemeVocabulary::parse(&std::fs::read_to_string(entry.path()).unwrap());
        let issues: Vec<String> = parsed.issues.iter().map(ToString::to_string).collect();
        let only_stops = name == "stop.toml" && issues == ["line 1: the vocabulary has no `[[term]]`"];
        assert!(issues.is_empty() || only_stops, "{name}: {issues:?}");
    }
}

/// Checks table 3 of the paper: the number of keywords per class, in order of precedence.
#[test]
fn land_cover_has_the_97_keywords() {
    let vocabulary = &Themes::builtin().vocabularies()[0];
    let counts: Vec<usize> = vocabulary.terms.iter().map(|term| term.keywords.len()).collect();
    assert_eq!(counts, [3, 14, 6, 9, 5, 9, 8, 5, 11, 18, 4, 5]);
    let unique: BTreeSet<&str> =
        vocabulary.terms.iter().flat_map(|term| term.keywords.iter().map(String::as_str)).collect();
    assert_eq!(unique.len(), 97);
    let order: Vec<&str> = vocabulary.terms.iter().map(|term| term.id.as_str()).collect();
    assert_eq!(order, LandCoverClass::ALL.map(LandCoverClass::id));
    for term in &vocabulary.terms {
        for keyword in &term.keywords {
            let title = keyword.as_str();
            let found = Themes::builtin()
                .land_cover_classes(&ResourceTexts { title: Some(title), ..ResourceTexts::default() });
            assert!(
                found.contains(&LandCoverClass::from_id(&term.id).unwrap()),
                "{keyword} is not found: {found:?}"
            );
        }
    }
}

#[test]
fn words_are_not_parts_of_words() {
    for title in [
        "Web Map Service",
        "Device notices",
        "Post office",
        "Research",
        "Sport report",
        "Transport",
        "Seal colonies",
        "Greenland",
        "Portland",
        "Icebreaker",
        "House prices",
        "Rock music",
        "Forestry office",
        "Search portal",
    ] {
        let texts = ResourceTexts { title: Some(title), ..ResourceTexts::default() };
        assert_eq!(Themes::builtin().land_cover_class(&texts), None, "{title}");
    }
    assert_eq!(naive_land_cover("Web Map Service"), Some(LandCoverClass::Snow));
    assert_eq!(naive_land_cover("Transport report"), Some(LandCoverClass::Impervious));
}

#[test]
fn evidence_names_field_word_and_language() {
    let labels = titled("Wälder und Gewässer");
    let forest = labels.iter().find(|label| label.term == "forest").unwrap();
    assert_eq!(forest.evidence, "title: \"Wälder\" (wald, de)");
    assert!(labels.iter().any(|label| label.term == "hy" && label.evidence.contains("Gewässer")));
    let keywords = ["Hydrographie"];
    let texts =
        ResourceTexts { keywords: &keywords, abstract_: Some("Les rivières."), ..ResourceTexts::default() };
    let labels = Themes::builtin().keyword_labels(&texts);
    let found = labels.iter().find(|label| label.scheme == "inspire" && label.term == "hy").unwrap();
    assert!(found.evidence.starts_with("keyword: \"Hydrographie\""), "{}", found.evidence);
}

#[test]
fn fields_weigh_differently() {
    let themes = Themes::builtin();
    let weight = |texts: &ResourceTexts<'_>| {
        let labels = themes.keyword_labels(texts);
        labels.iter().find(|label| label.term == "forest").map_or(0.0, |label| label.weight)
    };
    let title = weight(&ResourceTexts { title: Some("Forests"), ..ResourceTexts::default() });
    let datasets = weight(&ResourceTexts { datasets: &["Forests", "Parcels"], ..ResourceTexts::default() });
    let text = weight(&ResourceTexts { abstract_: Some("Shows the forests."), ..ResourceTexts::default() });
    assert!(title > datasets && datasets > text && text > 0.0, "{title} {datasets} {text}");
    let many: Vec<&str> = std::iter::once("Forests").chain(std::iter::repeat_n("Parcels", 99)).collect();
    assert!(weight(&ResourceTexts { datasets: &many, ..ResourceTexts::default() }) <= 0.0);
    // The title has precedence over the abstract.
    let both = ResourceTexts {
        title: Some("Forest map"),
        abstract_: Some("Derived from land cover."),
        ..ResourceTexts::default()
    };
    assert_eq!(themes.land_cover_class(&both), Some(LandCoverClass::Forest));
}

#[test]
fn titles_of_many_languages_have_themes() {
    for (title, scheme, term) in [
        ("Verwaltungsgrenzen Sachsen", "inspire", "au"),
        ("Straßennetz NRW", "inspire", "tn"),
        ("Gewaesser", "inspire", "hy"),
        ("Hausumringe", "inspire", "bu"),
        ("Bodenübersichtskarte 1:200.000", "inspire", "so"),
        ("Réseau routier départemental", "inspire", "tn"),
        ("Parcelles cadastrales", "inspire", "cp"),
        ("Zonas inundables", "inspire", "nz"),
        ("Mapa geológico nacional", "inspire", "ge"),
        ("Kadastrale kaart", "inspire", "cp"),
        ("Ortofoto 2018", "inspire", "oi"),
        ("Punkty adresowe", "inspire", "ad"),
        ("Bebauungspläne der Stadt", "iso-topic", "planningCadastre"),
        ("Air quality stations", "iso-topic", "climatologyMeteorologyAtmosphere"),
        ("Hospitals and clinics", "iso-topic", "health"),
        ("Sea surface temperature", "gcmd", "oceans"),
        ("Glacier inventory", "gcmd", "cryosphere"),
        ("Earthquakes of the last 30 days", "geoss", "disasters"),
        ("Wheat yield", "geo", "food-security"),
        ("Buslinien und Haltestellen", "eu-dcat", "TRAN"),
        ("Elecciones municipales", "eu-dcat", "GOVE"),
    ] {
        let labels = titled(title);
        assert!(terms(&labels, scheme).contains(term), "{title}: {:?}", terms(&labels, scheme));
    }
}

#[test]
fn operators_add_vocabularies() {
    let parsed = ThemeVocabulary::parse(
        "id = \"ours\"\ntitle.en = \"Ours\"\nstop.en = \"bee line\"\n[[term]]\nid = \"bees\"\nlabel = { en = \"Bees\", de = \"Bienen\" }\nsynonyms.en = \"apiary, bee\"\n",
    );
    assert_eq!(parsed.issues, []);
    let themes = Themes::with_vocabularies(vec![parsed.vocabulary]);
    let of = |title: &str| {
        terms(&themes.find_labels(&ResourceTexts { title: Some(title), ..ResourceTexts::default() }), "ours")
    };
    assert!(of("Apiaries of the county").contains("bees"));
    assert!(of("Bienenstandorte").contains("bees"));
    assert!(of("Bee line distances").is_empty());
    assert_eq!(themes.vocabularies().len(), 8);
}

#[test]
fn the_classifier_tells_why() {
    let texts =
        ResourceTexts { title: Some("Pedestrian crossings and sidewalks"), ..ResourceTexts::default() };
    let guess = classifier::guess_topics(&texts, 0.5).into_iter().next().unwrap();
    assert_eq!(guess.term, "transportation");
    assert!(!guess.telling.is_empty());
    let labels = classifier::classify_texts(&texts);
    assert!(labels.iter().all(|label| label.evidence.starts_with("classifier: ")), "{labels:?}");
    assert!(classifier::classify_texts(&ResourceTexts::default()).is_empty());
    // The classifier is not used if keywords match.
    let texts = ResourceTexts { title: Some("Roads"), ..ResourceTexts::default() };
    let labels = Themes::builtin().find_labels(&texts);
    assert!(labels.iter().all(|label| !label.evidence.starts_with("classifier")));
    assert!(include_bytes!("../training/iso-topic.model").len() < 1_000_000);
}

/// Would take hours if any step were quadratic.
#[test]
fn a_megabyte_is_read_to_its_end() {
    for piece in [
        "forest ",
        "sea ice extent ",
        "a",
        "Wald",
        "ä",
        "land use of the of the ",
        "x_y-Z1",
        "\u{301}",
        "cours d'eau ",
    ] {
        let text = piece.repeat(1_000_000 / piece.len());
        let datasets = [text.as_str()];
        let texts = ResourceTexts {
            title: Some(&text),
            abstract_: Some(&text),
            keywords: &datasets,
            datasets: &datasets,
            ..ResourceTexts::default()
        };
        let labels = Themes::builtin().find_labels(&texts);
        assert!(labels.iter().all(|label| label.evidence.len() < 1_000 && label.weight <= 1.0));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn any_text_is_labelled(title in "\\PC{0,80}", text in ".{0,300}", keyword in "[a-zäöüß ]{0,40}", language in "[a-zA-Z-]{0,8}") {
        let keywords = [keyword.as_str()];
        let texts = ResourceTexts {
            title: Some(&title), abstract_: Some(&text), keywords: &keywords, datasets: &keywords, language: Some(&language),
        };
        let labels = Themes::builtin().find_labels(&texts);
        for label in &labels {
            prop_assert!(label.weight > 0.0 && label.weight <= 1.0);
            prop_assert!(!label.evidence.is_empty());
        }
        // Again, now with a filled cache.
        prop_assert_eq!(labels, Themes::builtin().find_labels(&texts));
    }

    #[test]
    fn any_bytes_are_no_model(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let _ = classifier::TopicModel::from_bytes(&bytes);
        let mut marked = b"gtthm001".to_vec();
        marked.extend(bytes);
        let _ = classifier::TopicModel::from_bytes(&marked);
    }
}
