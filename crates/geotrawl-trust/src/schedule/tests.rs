use super::*;
use crate::standing;
use geotrawl_model::Check;
use proptest::prelude::*;

fn at(seconds: i64) -> Timestamp {
    Timestamp::from_second(1_790_000_000 + seconds).unwrap()
}

fn check(verdict: Status, at: Timestamp) -> Check {
    Check {
        kind: "wms".into(),
        url: "http://a.example/wms".into(),
        at,
        observations: vec![],
        facts: None,
        verdict,
        cause: "x".into(),
        reason: "y".into(),
    }
}

fn pace(kind: &str, checks: u32) -> CheckPace {
    CheckPace { kind: kind.into(), checks, changes: 0, seed: 7 }
}

/// Returns the approximate number of days until the next check.
fn days(pace: &CheckPace, standing: &ResourceStatus) -> f64 {
    next_check(pace, standing, &ScheduleLimits::default()).duration_since(standing.checked).as_secs_f64()
        / 86_400.0
}

fn near(days: f64, wanted: f64) -> bool {
    (days / wanted - 1.0).abs() <= 0.1001
}

#[test]
fn young_ones_are_looked_at_daily_then_calm_ones_less_often() {
    let mut standing = ResourceStatus::from_finding(Status::Alive, "", at(0));
    standing.successes = 3;
    assert!(near(days(&pace("wms", 3), &standing), 1.0));
    assert!(near(days(&pace("geotiff", 3), &standing), 1.0));
    for (kind, successes, wanted) in [
        ("wms", 7, 4.0),
        ("wms", 14, 5.0),
        ("wms", 100, 7.0),
        ("geotiff", 7, 7.0),
        ("geotiff", 8, 14.0),
        ("geotiff", 9, 27.3),
        ("geotiff", 99, 27.3),
    ] {
        standing.successes = successes;
        let got = days(&pace(kind, successes), &standing);
        assert!(near(got, wanted), "{kind} after {successes}: {got} days");
    }
    let changing = CheckPace { changes: 2, ..pace("geotiff", 99) };
    assert!(near(days(&changing, &standing), 10.0));
    let restless = CheckPace { changes: 90, ..pace("geotiff", 99) };
    assert!(near(days(&restless, &standing), 1.0));
    standing.status = Status::Blocked;
    assert!(near(days(&pace("wms", 9), &standing), 3.0));
    standing.repeated = 5;
    assert!(near(days(&pace("wms", 9), &standing), 7.0));
}

#[test]
fn death_is_known_within_about_a_day_and_then_asked_for_ever_less() {
    for seed in 0..200 {
        let mut pace = CheckPace { seed, ..pace("wms", 20) };
        let mut standing = ResourceStatus::from_finding(Status::Alive, "", at(0));
        let mut now = at(1000);
        let (mut hours, mut known) = (Vec::new(), None);
        for _ in 0..12 {
            let (next_standing, _) = standing::update_standing(Some(&standing), &check(Status::Dead, now));
            standing = next_standing;
            pace.checks += 1;
            hours.push(now.duration_since(at(1000)).as_secs_f64() / 3600.0);
            if standing.status == Status::Dead {
                known.get_or_insert(now.duration_since(at(1000)));
            }
            now = next_check(&pace, &standing, &ScheduleLimits::default());
        }
        let known = known.unwrap().as_hours();
        assert!((24..=27).contains(&known), "seed {seed}: known after {known} h");
        let gaps: Vec<f64> = hours.windows(2).map(|pair| (pair[1] - pair[0]) / 24.0).collect();
        for (nth, wanted) in [(3, 1.0), (4, 2.0), (5, 4.0), (6, 8.0), (7, 16.0), (8, 30.0), (9, 30.0)] {
            assert!(near(gaps[nth], wanted), "seed {seed}, gap {nth}: {} days", gaps[nth]);
        }
    }
}

#[test]
fn the_dead_that_answer_are_asked_again_soon() {
    let mut standing = ResourceStatus::from_finding(Status::Alive, "", at(0));
    for n in 0..5 {
        standing = standing::update_standing(Some(&standing), &check(Status::Dead, at(n * 86_400))).0;
    }
    assert_eq!(standing.status, Status::Dead);
    standing = standing::update_standing(Some(&standing), &check(Status::Alive, at(10 * 86_400))).0;
    assert_eq!(standing.status, Status::Dead);
    assert!(days(&pace("wms", 30), &standing) < 0.06);
}

#[test]
fn what_was_asked_together_comes_apart() {
    let mut standing = ResourceStatus::from_finding(Status::Alive, "", at(0));
    standing.successes = 40;
    let day = ScheduleLimits { longest: SignedDuration::from_hours(24), ..ScheduleLimits::default() };
    for limits in [ScheduleLimits::default(), day] {
        let mut minutes: Vec<i64> = (0..10_000)
            .map(|seed| next_check(&CheckPace { seed, ..pace("wms", 40) }, &standing, &limits))
            .map(|at| at.as_second() / 60)
            .collect();
        minutes.sort_unstable();
        let busiest = minutes.chunk_by(|a, b| a == b).map(<[i64]>::len).max().unwrap();
        let spanned = minutes[9_999] - minutes[0];
        assert!(busiest < 120, "{busiest} of 10,000 in one minute over {spanned} minutes");
    }
}

proptest! {
    /// The next check is within the limits, after the last check, and reproducible.
    #[test]
    fn limits_hold(
        seed: u64, checks in 0_u32..1000, changes in 0_u32..1000, successes in 0_u32..1000, failures in 0_u32..1000,
        ago in 0_i64..400 * 86_400, shortest in 0_i64..40 * 86_400, longest in 0_i64..40 * 86_400,
        status in prop_oneof![
            Just(Status::Alive), Just(Status::Degraded), Just(Status::Dead), Just(Status::Blocked),
            Just(Status::Inconclusive), Just(Status::Restricted), Just(Status::Unchecked)
        ],
        kind in prop_oneof![Just("wms"), Just("geotiff"), Just("")],
    ) {
        let standing = ResourceStatus {
            successes, failures, failing_since: (failures > 0).then(|| at(-ago)),
            ..ResourceStatus::from_finding(status, "", at(0))
        };
        let limits = ScheduleLimits {
            shortest: SignedDuration::from_secs(shortest), longest: SignedDuration::from_secs(longest),
        };
        let pace = CheckPace { kind: kind.into(), checks, changes, seed };
        let waits = next_check(&pace, &standing, &limits).duration_since(standing.checked).as_secs();
        prop_assert!(waits >= 1 && waits <= longest.max(1));
        prop_assert!(waits >= shortest.min(longest));
        prop_assert_eq!(next_check(&pace, &standing, &limits), next_check(&pace, &standing, &limits));
    }
}
