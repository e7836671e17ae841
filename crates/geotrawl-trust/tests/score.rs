//! Tests of the score: worked examples, and properties of every check and history.
#![expect(clippy::unwrap_used, reason = "a test may stop")]

use geotrawl_kinds::kinds::KINDS;
use geotrawl_model::{
    Check, CheckFailure, CheckHistory, CheckRequest, CheckResponse, Facts, Observation, Outcome, Phases,
    Point, Purpose, Score, Status,
};
use geotrawl_trust::score::{self, current_rubric, score_band, score_check, weighted_total};
use proptest::prelude::*;
use std::collections::BTreeMap;

fn observation(purpose: Purpose, outcome: Outcome) -> Observation {
    Observation {
        purpose,
        dataset: (purpose == Purpose::Operation).then(|| "roads".to_owned()),
        request: CheckRequest {
            method: "GET".into(),
            url: "https://maps.example.org/wms".into(),
            limit: 1 << 20,
            ..CheckRequest::default()
        },
        answer: Some(CheckResponse {
            url: "https://maps.example.org/wms".into(),
            status: 200,
            bytes: 1000,
            ..CheckResponse::default()
        }),
        failure: None,
        phases: Phases { first_byte: 400, transfer: 100, total: 520, ..Phases::default() },
        outcome,
        seen: format!("{outcome:?}"),
    }
}

fn good_facts() -> Facts {
    Facts {
        well_formed: true,
        right_root: true,
        datasets: 12,
        unique_names: true,
        bytes: 90_000,
        title: Some("Roads of the county".into()),
        abstract_length: 200,
        keywords: 5,
        organisation: true,
        email: true,
        licence: true,
        placed: 1.0,
        titled: 1.0,
        metadata_or_date: true,
        media_type: true,
        encoding: true,
        axis_order: Some(true),
        advertised: Some(true),
        version: Some(true),
        ranges: None,
        crs_known: None,
        unknown: Vec::new(),
    }
}

fn good(kind: &str) -> Check {
    Check {
        kind: kind.into(),
        url: "https://maps.example.org/wms".into(),
        at: "2026-11-16T10:00:00Z".parse().unwrap(),
        observations: vec![
            observation(Purpose::Description, Outcome::Valid),
            Observation { dataset: Some("a".into()), ..observation(Purpose::Operation, Outcome::Valid) },
            Observation { dataset: Some("b".into()), ..observation(Purpose::Operation, Outcome::Valid) },
            observation(Purpose::Refusal, Outcome::Exception),
        ],
        facts: Some(good_facts()),
        verdict: Status::Alive,
        cause: "answers".into(),
        reason: "it answers".into(),
    }
}

fn long_good() -> CheckHistory {
    CheckHistory { checks: 30, available: 30, latest: vec![true; 5], millis: vec![80, 90, 70, 100, 60] }
}

fn point<'a>(score: &'a Score, id: &str) -> &'a Point {
    score.components.iter().flat_map(|c| &c.points).find(|p| p.id == id).unwrap()
}

fn share(score: &Score, id: &str) -> f64 {
    score.components.iter().find(|c| c.id == id).unwrap().share
}

#[test]
fn a_good_service_earns_all() {
    let score = score_check(&good("wms"), &long_good());
    assert_eq!(score.value, Some(100));
    assert!(!score.provisional && score.cap.is_none());
    assert!(score.components.iter().flat_map(|c| &c.points).all(|p| p.advice.is_none() && !p.why.is_empty()));
}

#[test]
fn of_two_answers_about_a_dataset_the_better_counts() {
    let mut check = good("wms");
    let first = Observation { outcome: Outcome::Blank, ..check.observations[1].clone() };
    check.observations.insert(1, first.clone());
    let one = score_check(&check, &long_good());
    assert_eq!(one.value, Some(100));
    assert_eq!(point(&one, "operation.sample-1").observation, Some(2));
    assert_eq!(one.components.iter().find(|c| c.id == "operation").unwrap().points.len(), 2);
    // The order of the answers does not matter.
    check.observations.remove(1);
    check.observations.insert(2, first);
    assert_eq!(score_check(&check, &long_good()).value, Some(100));
    // Two empty answers about a dataset count as one.
    for seen in check.observations.iter_mut().filter(|seen| seen.dataset.as_deref() == Some("a")) {
        seen.outcome = Outcome::Blank;
    }
    let blank = score_check(&check, &long_good());
    assert!((share(&blank, "operation") - 0.8).abs() < 1e-9);
    assert_eq!(point(&blank, "operation.sample-1").observation, Some(2));
}

#[test]
fn the_worked_example_adds_up() {
    // WMS, 95 of 100 checks, median 5 s (half of latency), one blank and one exception, no licence, no abstract.
    let mut check = good("wms");
    check.observations[1].outcome = Outcome::Blank;
    check.observations[2].outcome = Outcome::Exception;
    let facts = check.facts.as_mut().unwrap();
    facts.licence = false;
    facts.abstract_length = 12;
    let history = CheckHistory {
        checks: 100,
        available: 95,
        latest: vec![true; 5],
        millis: vec![5000, 1000, 9000, 5000, 4000],
    };
    let score = score_check(&check, &history);
    let expected = 20.0 * (0.15 / 0.19) + 15.0 * 0.5 + 10.0 + 30.0 * 0.45 + 15.0 * 8.0 / 12.0 + 10.0;
    assert!(
        (weighted_total(&score.components) - expected).abs() < 1e-9,
        "{} {expected}",
        weighted_total(&score.components)
    );
    assert_eq!(score.value, Some(expected.round() as u8));
    let licence = point(&score, "metadata.licence");
    assert!(licence.got.abs() < 1e-9 && (licence.of - 2.0 / 12.0).abs() < 1e-9 && licence.advice.is_some());
    assert_eq!(licence.observation, Some(0));
    assert_eq!(point(&score, "operation.sample-2").observation, Some(2));
}

#[test]
fn little_history_is_provisional() {
    let history = CheckHistory { checks: 4, available: 4, latest: vec![true; 4], millis: vec![100] };
    let score = score_check(&good("wms"), &history);
    assert!(score.provisional);
    assert!((share(&score, "availability") - 0.7).abs() < 1e-9);
    assert_eq!(score.value, Some(94));
}

#[test]
fn latency_follows_the_class() {
    for (kind, millis, expected) in [
        ("wms", 500, 1.0),
        ("wms", 5000, 0.5),
        ("wms", 50_000, 0.0),
        ("xyz", 1000, 0.5),
        ("csw", 3000, 0.5),
        ("wfs", 1000, 1.0),
    ] {
        let history = CheckHistory { millis: vec![millis], ..long_good() };
        let got = share(&score_check(&good(kind), &history), "latency");
        assert!((got - expected).abs() < 1e-9, "{kind} {millis} {got}");
    }
}

#[test]
fn without_measured_history_this_check_tells_the_time() {
    let history = CheckHistory { millis: Vec::new(), ..long_good() };
    let mut check = good("wms");
    check.observations[1].phases = Phases { first_byte: 4000, transfer: 10_000, ..Phases::default() };
    check.observations[1].answer.as_mut().unwrap().bytes = 1_000_000;
    check.observations.remove(2);
    // A tenth of the transfer counts: 5 s, half of the points.
    assert!((share(&score_check(&check, &history), "latency") - 0.5).abs() < 1e-9);
}

#[test]
fn caps_name_their_reason() {
    let value = |check: &Check, history: &CheckHistory| {
        let score = score_check(check, history);
        (score.value, score.cap.map(|cap| cap.at))
    };
    let mut history = long_good();
    history.latest = vec![false, false, false, true, true];
    assert_eq!(value(&good("wms"), &history), (Some(0), Some(0)));
    history.latest = vec![false, true];
    assert_eq!(value(&good("wms"), &history), (Some(40), Some(40)));
    let mut check = good("wms");
    for at in [1, 2] {
        check.observations[at].outcome = Outcome::ServerError;
    }
    assert_eq!(value(&check, &long_good()), (Some(50), Some(50)));
    let mut check = good("wms");
    check.facts.as_mut().unwrap().datasets = 0;
    assert_eq!(value(&check, &long_good()), (Some(30), Some(30)));
    let mut check = good("wms");
    check.observations.push(observation(Purpose::Operation, Outcome::Tls));
    assert_eq!(value(&check, &long_good()).1, Some(70));
    // A catalogue does not list datasets, which is not a fault.
    let mut check = good("csw");
    check.facts.as_mut().unwrap().datasets = 0;
    assert_eq!(value(&check, &long_good()), (Some(100), None));
}

#[test]
fn there_is_no_score_for_what_was_never_seen() {
    let mut check = good("wms");
    check.verdict = Status::Restricted;
    assert_eq!(score_check(&check, &long_good()).value, None);
    let mut check = good("wms");
    check.facts = None;
    check.verdict = Status::Dead;
    check.observations = vec![observation(Purpose::Description, Outcome::Dns)];
    let never = CheckHistory { checks: 1, available: 0, latest: vec![false], millis: vec![] };
    assert_eq!(score_check(&check, &never).value, None);
    let down = CheckHistory { checks: 3, available: 0, latest: vec![false; 3], millis: vec![] };
    assert_eq!(score_check(&check, &down).value, Some(0));
    let once = CheckHistory { checks: 2, available: 1, latest: vec![false, true], millis: vec![300] };
    let failed = score_check(&check, &once);
    assert_eq!(failed.cap.as_ref().map(|cap| cap.at), Some(40));
    assert_eq!(failed.value, Some(15), "{failed:#?}");
    assert_eq!(point(&failed, "capabilities.description").observation, Some(0));
    check.verdict = Status::Blocked;
    assert_eq!(score_check(&check, &once).value, None);
    assert_eq!(score_check(&good("no-such-kind"), &long_good()).value, None);
}

#[test]
fn what_cannot_be_known_is_left_out_and_said() {
    let mut check = good("csw");
    let facts = check.facts.as_mut().unwrap();
    facts.axis_order = None;
    facts.version = None;
    facts.placed = 0.0;
    facts.metadata_or_date = false;
    facts.unknown = vec!["metadata.link".into()];
    check.observations.retain(|o| o.purpose != Purpose::Refusal);
    let score = score_check(&check, &long_good());
    assert_eq!(score.value, Some(100));
    for id in
        ["standards.axis-order", "standards.version", "standards.refusal", "metadata.boxes", "metadata.link"]
    {
        let point = point(&score, id);
        assert!(
            point.of.abs() < 1e-9 && point.why.starts_with("left out") && point.advice.is_none(),
            "{point:?}"
        );
    }
    for component in &score.components {
        let of: f64 = component.points.iter().map(|p| p.of).sum();
        assert!((of - 1.0).abs() < 1e-9, "{component:?}");
    }
}

#[test]
fn a_file_is_scored_by_what_files_have() {
    let mut check = good("cog");
    check.observations = vec![observation(Purpose::Description, Outcome::Valid); 2];
    for o in &mut check.observations {
        let headers = &mut o.answer.as_mut().unwrap().headers;
        headers.insert("content-range".into(), "bytes 0-16383/123456".into());
    }
    let facts = check.facts.as_mut().unwrap();
    (facts.ranges, facts.crs_known, facts.bytes) = (Some(true), Some(false), 40_000_000_000);
    facts.abstract_length = 0;
    let result = score_check(&check, &long_good());
    assert!((share(&result, "operation") - 2.0 / 3.0).abs() < 1e-9);
    assert!((share(&result, "capabilities") - 1.0).abs() < 1e-9);
    assert!((share(&result, "metadata") - 1.0).abs() < 1e-9);
    assert_eq!(result.value, Some(95));
    // Without samples the component has no weight, and the others share it.
    let facts = check.facts.as_mut().unwrap();
    (facts.ranges, facts.crs_known) = (None, None);
    check.observations.truncate(1);
    let result = score_check(&check, &long_good());
    assert!(result.components.iter().find(|c| c.id == "operation").unwrap().weight.abs() < 1e-9);
    assert_eq!(result.value, Some(100));
}

#[test]
fn a_wrong_question_is_refused_in_the_way_of_the_kind() {
    for (kind, outcome, of, got) in [
        ("wms", Outcome::Exception, true, true),
        ("wms", Outcome::WrongContent, true, false),
        ("wms", Outcome::Gone, true, false),
        ("ogcapi-features", Outcome::Gone, true, true),
        ("wms", Outcome::Timeout, false, false),
        ("wms", Outcome::RateLimited, false, false),
    ] {
        let mut check = good(kind);
        check.observations[3].outcome = outcome;
        let score = score_check(&check, &long_good());
        let point = point(&score, "standards.refusal");
        assert_eq!((point.of > 0.0, point.got > 0.0), (of, got), "{kind} {outcome:?}");
    }
}

#[test]
fn another_rubric_weighs_the_same_check_anew() {
    let mut other = current_rubric();
    other.rubric = "test".into();
    for row in &mut other.weights {
        (row.availability, row.latency, row.capabilities) = (0.0, 0.0, 0.0);
        (row.operation, row.metadata, row.standards) = (0.0, 100.0, 0.0);
    }
    let mut check = good("wms");
    check.facts.as_mut().unwrap().licence = false;
    let score = score::score_with_rubric(&other, &check, &long_good());
    assert_eq!((score.rubric.as_str(), score.value), ("test", Some(83)));
}

#[test]
fn bands_meet_without_gap() {
    let bands: Vec<&str> = [0, 25, 26, 50, 51, 75, 76, 100].map(score_band).to_vec();
    assert_eq!(bands, ["0-25", "0-25", "26-50", "26-50", "51-75", "51-75", "76-100", "76-100"]);
}

const OUTCOMES: [Outcome; 22] = [
    Outcome::Valid,
    Outcome::Blank,
    Outcome::Exception,
    Outcome::WrongContent,
    Outcome::Malformed,
    Outcome::Login,
    Outcome::Key,
    Outcome::Firewall,
    Outcome::Forbidden,
    Outcome::RateLimited,
    Outcome::Robots,
    Outcome::Gone,
    Outcome::ClientError,
    Outcome::ServerError,
    Outcome::Dns,
    Outcome::Connect,
    Outcome::Tls,
    Outcome::Timeout,
    Outcome::Reset,
    Outcome::TooLarge,
    Outcome::Refused,
    Outcome::Valid,
];

fn any_observation() -> impl Strategy<Value = Observation> {
    let purpose = prop_oneof![Just(Purpose::Description), Just(Purpose::Operation), Just(Purpose::Refusal)];
    let range = proptest::option::of(prop_oneof![
        (0u64..3).prop_map(|size| format!("bytes 0-1/{size}")),
        "[ -~]{0,12}"
    ]);
    let url = prop_oneof![Just("https://a.example/x"), Just("http://a.example/x"), Just("::")];
    (
        purpose,
        proptest::sample::select(&OUTCOMES[..]),
        any::<(u32, u32, u32, u64)>(),
        any::<bool>(),
        range,
        url,
        proptest::option::of(".{0,8}"),
    )
        .prop_map(
            |(purpose, outcome, (first_byte, transfer, total, bytes), answered, range, url, dataset)| {
                let headers: BTreeMap<String, String> =
                    range.into_iter().map(|range| ("content-range".to_owned(), range)).collect();
                Observation {
                    purpose,
                    dataset,
                    request: CheckRequest { url: url.into(), ..CheckRequest::default() },
                    answer: answered.then(|| CheckResponse {
                        url: url.into(),
                        bytes,
                        headers,
                        ..CheckResponse::default()
                    }),
                    failure: (!answered)
                        .then(|| CheckFailure { class: "reset".into(), message: "it broke".into() }),
                    phases: Phases { first_byte, transfer, total, ..Phases::default() },
                    outcome,
                    seen: "something".into(),
                }
            },
        )
}

fn any_facts() -> impl Strategy<Value = Facts> {
    let maybe = || any::<Option<bool>>();
    (
        any::<[bool; 9]>(),
        any::<(u64, u64, u32, u32)>(),
        (0u64..3).prop_flat_map(|few| prop_oneof![Just(few), any::<u64>()]),
        (-0.5f64..1.5, -0.5f64..1.5),
        (maybe(), maybe(), maybe(), maybe(), maybe()),
        proptest::sample::subsequence(vec!["metadata.link", "metadata.boxes", "capabilities.names"], 0..=3),
    )
        .prop_map(|(flags, (bytes, _, abstract_length, keywords), datasets, shares, maybe, unknown)| {
            Facts {
                well_formed: flags[0],
                right_root: flags[1],
                datasets,
                unique_names: flags[2],
                bytes,
                title: flags[3].then(|| "A title".to_owned()),
                abstract_length,
                keywords: keywords % 5,
                organisation: flags[4],
                email: flags[5],
                licence: flags[6],
                placed: shares.0,
                titled: shares.1,
                metadata_or_date: flags[7],
                media_type: flags[8],
                encoding: flags[0],
                axis_order: maybe.0,
                advertised: maybe.1,
                version: maybe.2,
                ranges: maybe.3,
                crs_known: maybe.4,
                unknown: unknown.into_iter().map(str::to_owned).collect(),
            }
        })
}

fn any_check() -> impl Strategy<Value = Check> {
    let kinds: Vec<&str> = KINDS.iter().map(|kind| kind.profile().id).collect();
    let verdicts = vec![
        Status::Alive,
        Status::Degraded,
        Status::Dead,
        Status::Inconclusive,
        Status::Blocked,
        Status::Restricted,
    ];
    (
        prop_oneof![9 => proptest::sample::select(kinds).prop_map(str::to_owned), 1 => "[a-z]{0,5}"],
        proptest::collection::vec(any_observation(), 0..7),
        proptest::option::weighted(0.8, any_facts()),
        proptest::sample::select(verdicts),
    )
        .prop_map(|(kind, observations, facts, verdict)| Check {
            kind,
            url: "https://a.example/x".into(),
            at: "2026-11-16T10:00:00Z".parse().unwrap(),
            observations,
            facts,
            verdict,
            cause: "answers".into(),
            reason: "so".into(),
        })
}

fn any_history() -> impl Strategy<Value = CheckHistory> {
    let count = || prop_oneof![0u32..40, any::<u32>()];
    (
        count(),
        count(),
        proptest::collection::vec(any::<bool>(), 0..7),
        proptest::collection::vec(any::<u32>(), 0..7),
    )
        .prop_map(|(checks, available, latest, millis)| CheckHistory {
            checks,
            available,
            latest,
            millis,
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn every_score_is_the_sum_of_its_points(check in any_check(), history in any_history()) {
        let score = score_check(&check, &history);
        if let Some(value) = score.value {
            prop_assert!(value <= 100);
            prop_assert_eq!(score.components.len(), 6);
            let mut sum = 0.0;
            for component in &score.components {
                let of: f64 = component.points.iter().map(|p| p.of).sum();
                prop_assert!(component.weight == 0.0 || (of - 1.0).abs() < 1e-9);
                for point in &component.points {
                    prop_assert!(point.got >= 0.0 && point.got <= point.of && !point.why.is_empty());
                    prop_assert_eq!(point.advice.is_some(), point.got < point.of);
                    prop_assert!(point.observation.is_none_or(|at| at < check.observations.len()));
                    sum += component.weight * point.got;
                }
            }
            let weights: f64 = score.components.iter().map(|c| c.weight).sum();
            prop_assert!((weights - 100.0).abs() < 1e-9);
            let capped = score.cap.as_ref().map_or(sum, |cap| sum.min(f64::from(cap.at)));
            prop_assert!((f64::from(value) - capped).abs() <= 0.5 + 1e-6);
        }
    }

    #[test]
    fn a_stored_check_gives_the_same_score_again(check in any_check(), history in any_history()) {
        let first = score_check(&check, &history);
        let check_text = serde_json::to_string(&check).unwrap();
        let history_text = serde_json::to_string(&history).unwrap();
        let check: Check = serde_json::from_str(&check_text).unwrap();
        let history: CheckHistory = serde_json::from_str(&history_text).unwrap();
        let again = score_check(&check, &history);
        prop_assert_eq!(&first, &again);
        let text = serde_json::to_string(&first).unwrap();
        prop_assert_eq!(serde_json::from_str::<Score>(&text).unwrap(), again);
    }

    #[test]
    fn mending_something_never_costs_points(
        check in any_check(), history in any_history(), which in any::<prop::sample::Index>()
    ) {
        if check.observations.is_empty() {
            return Ok(());
        }
        let before = score_check(&check, &history);
        let mut mended = check.clone();
        let at = which.index(mended.observations.len());
        // A request that must be rejected is fixed by rejecting it.
        let refusal = mended.observations[at].purpose == Purpose::Refusal;
        mended.observations[at].outcome = if refusal { Outcome::Exception } else { Outcome::Valid };
        let after = score_check(&mended, &history);
        prop_assert!(after.value >= before.value, "{:?} {:?} {:#?}", before.value, after.value, check);
    }
}
