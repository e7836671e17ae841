use super::*;
use geotrawl_model::Bbox;
use geotrawl_model::successor::ServiceLikeness;

fn service(url: &str, title: &str, datasets: &[(&str, [f64; 4])]) -> Resource {
    Resource {
        kind: "wms".into(),
        url: url.into(),
        title: Some(title.into()),
        datasets: datasets
            .iter()
            .map(|(name, bbox)| Dataset {
                name: (*name).into(),
                bbox: Some(Bbox::from(*bbox)),
                ..Dataset::default()
            })
            .collect(),
        ..Resource::default()
    }
}

const TOWN: [f64; 4] = [7.4, 46.9, 7.5, 47.0];
const NEXT_TOWN: [f64; 4] = [7.5, 46.9, 7.6, 47.0];

#[test]
fn the_same_layers_elsewhere_are_recognised() {
    let gone = service(
        "http://old.example/geoserver/ows",
        "Stadtplan Bern",
        &[("bern:Tramlinien_2019", TOWN), ("bern:Quartiere", TOWN), ("bern:Brunnen", TOWN)],
    );
    let moved = service(
        "https://new.example/arcgis/WMSServer",
        "Bern Stadtplan WMS",
        &[("tramlinien", TOWN), ("QUARTIERE", TOWN), ("brunnen", TOWN), ("velowege", TOWN)],
    );
    let next = service(
        "https://next.example/ows",
        "Ortsplan Worb",
        &[("worb:Tramlinien", NEXT_TOWN), ("worb:Quartiere", NEXT_TOWN), ("worb:Brunnen", NEXT_TOWN)],
    );
    let (gone, moved, next) = (
        Fingerprint::from_resource(&gone),
        Fingerprint::from_resource(&moved),
        Fingerprint::from_resource(&next),
    );
    let likeness = compare_fingerprints(&gone, &moved);
    assert!(likeness.confidence > 0.95, "{likeness:?}");
    assert!(likeness.evidence[0].contains("3 of 3 layers"), "{likeness:?}");
    assert!(compare_fingerprints(&gone, &next).confidence < 0.3, "{:?}", compare_fingerprints(&gone, &next));
    assert!(gone.lookup_bands().iter().any(|band| moved.lookup_bands().contains(band)));
}

#[test]
fn demonstration_data_tell_nothing() {
    let demo = |url| {
        Fingerprint::from_resource(&service(
            url,
            "GeoServer Web Map Service",
            &[("topp:states", TOWN), ("ne:countries", TOWN), ("tiger-ny", TOWN), ("0", TOWN)],
        ))
    };
    let (a, b) = (demo("http://a.example/wms"), demo("http://b.example/wms"));
    assert!(a.is_blank() && a.lookup_bands().is_empty());
    assert_eq!(compare_fingerprints(&a, &b), ServiceLikeness::default());
}

#[test]
fn another_year_is_another_thing() {
    let of = |url, year| {
        let names = [format!("parzellenplan_{year}"), format!("brunnenkataster_{year}")];
        Fingerprint::from_resource(&service(url, "Kataster Bern", &[(&names[0], TOWN), (&names[1], TOWN)]))
    };
    let (old, same, next) =
        (of("http://a.example/x", 2018), of("http://b.example/x", 2018), of("http://b.example/y", 2019));
    assert!(compare_fingerprints(&old, &same).confidence > PROPOSE);
    assert!(compare_fingerprints(&old, &next).confidence < 0.5, "{:?}", compare_fingerprints(&old, &next));
}

#[test]
fn large_services_are_recognised_by_a_sample() {
    let named = |url: &str, names: Vec<String>| {
        let datasets: Vec<(&str, [f64; 4])> = names.iter().map(|name| (name.as_str(), TOWN)).collect();
        Fingerprint::from_resource(&service(url, "Large", &datasets))
    };
    let old = named("http://a.example/x", (0..5000).map(|n| format!("ws:thing_{}", word(n))).collect());
    let new = named("http://b.example/x", (500..6000).map(|n| format!("THING_{}", word(n))).collect());
    assert!(old.items.len() <= KEPT * 2 && serde_json::to_string(&old).unwrap().len() < 10_000);
    let likeness = compare_fingerprints(&old, &new);
    assert!(likeness.confidence > 0.9, "{likeness:?}");
    assert!(old.lookup_bands().iter().any(|band| new.lookup_bands().contains(band)));
}

/// Spells a number with letters.
fn word(mut number: u32) -> String {
    let mut word = String::new();
    for _ in 0..5 {
        word.push((b'a' + (number % 26) as u8) as char);
        number /= 26;
    }
    word
}

#[test]
fn a_stored_fingerprint_is_the_same() {
    let print =
        Fingerprint::from_resource(&service("http://a.example:81/x/2019", "Stadt Bern", &[("tram", TOWN)]));
    let text = serde_json::to_string(&print).unwrap();
    assert_eq!(serde_json::from_str::<Fingerprint>(&text).unwrap(), print);
    assert_eq!(print.host, "a.example:81");
    assert_eq!(print.years, [2019]);
}

mod proposals {
    use super::*;
    use jiff::Timestamp;

    fn at(day: &str) -> Timestamp {
        format!("{day}T00:00:00Z").parse().unwrap()
    }

    const LAYERS: [(&str, [f64; 4]); 3] =
        [("ws:Tramlinien", TOWN), ("ws:Quartiere", TOWN), ("ws:Brunnenkataster", TOWN)];

    fn gone() -> GoneService {
        let resource = service("http://old.example/ows", "Stadt Bern", &LAYERS);
        let last_ok = Some(at("2026-06-01"));
        GoneService { url: resource.url.clone(), fingerprint: Fingerprint::from_resource(&resource), last_ok }
    }

    fn candidate(id: u32, url: &str, first_seen: &str) -> SuccessorCandidate<u32> {
        let fingerprint = Fingerprint::from_resource(&service(url, "Stadt Bern", &LAYERS));
        SuccessorCandidate { id, url: url.into(), fingerprint, first_seen: at(first_seen), alive: true }
    }

    fn ids(candidates: &[SuccessorCandidate<u32>]) -> Vec<u32> {
        propose_successors(&gone(), candidates).into_iter().map(|proposal| proposal.id).collect()
    }

    #[test]
    fn only_what_came_later_elsewhere_and_works_is_proposed() {
        assert_eq!(ids(&[candidate(1, "https://new.example/ows", "2026-05-20")]), [1]);
        assert!(ids(&[candidate(1, "https://new.example/ows", "2025-06-01")]).is_empty(), "a mirror");
        assert!(ids(&[candidate(1, "http://old.example/ows", "2026-05-20")]).is_empty(), "itself");
        let dead =
            SuccessorCandidate { alive: false, ..candidate(1, "https://new.example/ows", "2026-05-20") };
        assert!(ids(&[dead]).is_empty());
    }

    #[test]
    fn a_sibling_on_the_same_server_must_come_at_the_end() {
        assert!(ids(&[candidate(1, "http://old.example/other", "2026-05-01")]).is_empty());
        assert_eq!(ids(&[candidate(1, "http://old.example/other", "2026-06-10")]), [1]);
    }

    #[test]
    fn two_doors_of_one_successor_are_both_proposed() {
        let doors = [
            candidate(1, "https://new.example/ows", "2026-05-20"),
            candidate(2, "https://www.new.example/ows", "2026-05-20"),
        ];
        assert_eq!(ids(&doors), [1, 2]);
    }

    #[test]
    fn nothing_is_proposed_when_two_that_differ_are_as_good() {
        // Each has two of the three layers, but not the same two.
        let of = |id, url: &str, layers: &[(&str, [f64; 4])]| SuccessorCandidate {
            id,
            url: url.into(),
            fingerprint: Fingerprint::from_resource(&service(url, "", layers)),
            first_seen: at("2026-06-10"),
            alive: true,
        };
        let one = of(1, "https://a.example/x", &LAYERS[..2]);
        let two = of(2, "https://b.example/x", &LAYERS[1..]);
        assert_eq!(ids(std::slice::from_ref(&one)), [1]);
        assert!(ids(&[one, two]).is_empty());
    }

    #[test]
    fn nothing_is_proposed_of_nothing() {
        assert!(ids(&[]).is_empty());
        let blank = SuccessorCandidate {
            fingerprint: Fingerprint::default(),
            ..candidate(1, "https://n.example/", "2026-06-10")
        };
        assert!(ids(&[blank]).is_empty());
    }
}

mod properties {
    use super::*;
    use proptest::prelude::*;

    fn any_resource() -> impl Strategy<Value = Resource> {
        let name = || prop_oneof![".{0,20}", "[a-c]{1,4}(:|_)[a-c]{0,4}(19|20)?[0-9]{0,3}"];
        let number = || prop_oneof![any::<f64>(), -200.0..200.0f64];
        let dataset = (
            name(),
            proptest::option::of(name()),
            proptest::option::of((number(), number(), number(), number())),
        );
        let datasets = proptest::collection::vec(dataset, 0..120);
        (datasets, proptest::option::of(name()), ".{0,30}", proptest::collection::vec(name(), 0..5)).prop_map(
            |(datasets, title, url, keywords)| Resource {
                kind: "wms".into(),
                url,
                title,
                keywords,
                datasets: datasets
                    .into_iter()
                    .map(|(name, title, bbox)| Dataset {
                        name,
                        title,
                        bbox: bbox.map(|(w, s, e, n)| Bbox::from([w, s, e, n])),
                        ..Dataset::default()
                    })
                    .collect(),
                ..Resource::default()
            },
        )
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(128))]

        #[test]
        fn whatever_a_service_says_it_can_be_compared(a in any_resource(), b in any_resource()) {
            let (a, b) = (Fingerprint::from_resource(&a), Fingerprint::from_resource(&b));
            for (one, other) in [(&a, &b), (&b, &a), (&a, &a)] {
                let likeness = compare_fingerprints(one, other);
                prop_assert!((0.0..=1.0).contains(&likeness.confidence));
            }
            prop_assert!(a.lookup_bands().len() <= 80 && a.items.len() <= KEPT * 4);
            let text = serde_json::to_string(&a).unwrap();
            prop_assert_eq!(serde_json::from_str::<Fingerprint>(&text).unwrap(), a);
        }
    }
}
