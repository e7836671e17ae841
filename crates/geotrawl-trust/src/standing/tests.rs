use super::*;
use proptest::prelude::*;

fn at(hours: i64) -> Timestamp {
    Timestamp::from_second(1_790_000_000 + hours * 3600).unwrap()
}

fn check(verdict: Status, hours: i64) -> Check {
    let (cause, reason) = match verdict {
        Status::Alive => ("answers", "It answers."),
        Status::Degraded => ("slow", "It took 12 s"),
        Status::Dead => ("connect", "The server does not respond"),
        Status::Restricted => ("login", "It requires a login"),
        Status::Blocked => ("firewall", "A firewall blocked the request"),
        Status::Inconclusive => ("timeout", "No answer within 60 s"),
        Status::Unchecked => ("unchecked", ""),
    };
    Check {
        kind: "wms".into(),
        url: "http://a.example/wms".into(),
        at: at(hours),
        observations: vec![],
        facts: None,
        verdict,
        cause: cause.into(),
        reason: reason.into(),
    }
}

/// Applies verdicts given as letters, one per interval; returns the changes reported, by hour.
fn tell(script: &str, every: i64) -> (ResourceStatus, Vec<(i64, StatusTransition)>) {
    let mut standing = ResourceStatus::from_finding(Status::Alive, "", at(-1));
    let mut told = Vec::new();
    for (n, letter) in script.chars().enumerate() {
        let verdict = match letter {
            'a' => Status::Alive,
            'g' => Status::Degraded,
            'd' => Status::Dead,
            'r' => Status::Restricted,
            'b' => Status::Blocked,
            'i' => Status::Inconclusive,
            _ => Status::Unchecked,
        };
        let hour = n as i64 * every;
        let (next, turn) = update_standing(Some(&standing), &check(verdict, hour));
        told.extend(turn.map(|turn| (hour, turn)));
        standing = next;
    }
    (standing, told)
}

fn turns(script: &str, every: i64) -> (Status, Vec<StatusTransition>) {
    let (standing, told) = tell(script, every);
    (standing.status, told.into_iter().map(|(_, turn)| turn).collect())
}

#[test]
fn what_was_never_seen_working_follows_its_verdict() {
    for verdict in [Status::Dead, Status::Inconclusive, Status::Restricted, Status::Blocked, Status::Alive] {
        let (standing, turn) = update_standing(None, &check(verdict, 0));
        assert_eq!((standing.status, turn), (verdict, None));
        let (standing, _) = update_standing(Some(&standing), &check(Status::Restricted, 1));
        assert_eq!(standing.status == Status::Restricted, verdict != Status::Alive);
    }
    let (dead, _) = update_standing(None, &check(Status::Dead, 0));
    let (alive, turn) = update_standing(Some(&dead), &check(Status::Alive, 1));
    assert_eq!((alive.status, turn), (Status::Alive, Some(StatusTransition::Reborn)));
}

#[test]
fn one_bad_check_is_no_death() {
    use StatusTransition::{Degraded, Died, Recovered};
    assert_eq!(turns("d", 1), (Status::Degraded, vec![]));
    assert_eq!(turns("da", 1), (Status::Alive, vec![]));
    assert_eq!(turns("dd", 1), (Status::Degraded, vec![Degraded]));
    assert_eq!(turns("dda", 1), (Status::Alive, vec![Degraded, Recovered]));
    assert_eq!(turns("ddd", 11).0, Status::Degraded, "three, but within 22 h");
    assert_eq!(turns("ddd", 12), (Status::Dead, vec![Degraded, Died]));
    assert_eq!(turns("dd", 100).0, Status::Degraded, "long, but only two");
    assert_eq!(turns("ddddddddddd", 2).0, Status::Degraded, "many, but within 20 h");
    let (standing, _) = tell("dd", 6);
    assert!(standing.reason.contains("2 checks in a row since"), "{}", standing.reason);
    assert_eq!(standing.since, at(0));
}

#[test]
fn mixed_failures_take_longer() {
    assert_eq!(turns("didid", 17).0, Status::Degraded, "68 h");
    assert_eq!(turns("didid", 18).0, Status::Dead);
    assert_eq!(turns("diid", 100).0, Status::Degraded, "four");
    assert_eq!(turns("iiiiiiii", 100).0, Status::Inconclusive, "nothing says that it is dead");
    assert_eq!(turns("ddbdd", 24).0, Status::Degraded, "a server that keeps us away is there");
}

#[test]
fn what_keeps_us_away_is_confirmed() {
    assert_eq!(turns("r", 1), (Status::Alive, vec![]));
    assert_eq!(turns("rr", 1), (Status::Restricted, vec![StatusTransition::Restricted]));
    assert_eq!(turns("bb", 1), (Status::Blocked, vec![StatusTransition::Blocked]));
    assert_eq!(turns("ii", 1), (Status::Inconclusive, vec![StatusTransition::Degraded]));
    assert_eq!(
        turns("rra", 1),
        (Status::Alive, vec![StatusTransition::Restricted, StatusTransition::Recovered])
    );
    assert_eq!(turns("rb", 1), (Status::Alive, vec![]));
}

#[test]
fn the_dead_answer_twice_before_they_live() {
    use StatusTransition::{Degraded, Died, Reborn};
    assert_eq!(turns("ddda", 12), (Status::Dead, vec![Degraded, Died]));
    assert_eq!(turns("dddaa", 12), (Status::Alive, vec![Degraded, Died, Reborn]));
    assert_eq!(turns("dddag", 12), (Status::Degraded, vec![Degraded, Died, Reborn]));
    assert_eq!(turns("dddadad", 12).0, Status::Dead);
    assert_eq!(turns("dddiiii", 12), (Status::Dead, vec![Degraded, Died]));
    assert_eq!(turns("dddrr", 12).0, Status::Restricted);
    assert_eq!(turns("dddau", 12).0, Status::Dead, "no check, no change");
}

#[test]
fn bad_service_is_told_when_it_stays_bad() {
    assert_eq!(turns("g", 24), (Status::Degraded, vec![]));
    assert_eq!(turns("ggg", 24), (Status::Degraded, vec![StatusTransition::Degraded]));
    assert_eq!(turns("gaga", 24), (Status::Alive, vec![]), "it answers all the time: no turn");
    assert_eq!(
        turns("ggadd", 24).1,
        [StatusTransition::Degraded, StatusTransition::Recovered, StatusTransition::Degraded]
    );
}

#[test]
fn a_late_check_changes_nothing() {
    let (standing, _) = tell("aaa", 24);
    assert_eq!(update_standing(Some(&standing), &check(Status::Dead, 1)), (standing.clone(), None));
}

#[test]
fn flapping_for_a_month_is_told_once() {
    for (pattern, every) in
        [("ad", 1), ("ad", 6), ("ad", 23), ("aadd", 1), ("aadd", 6), ("ar", 3), ("aaddi", 4)]
    {
        let checks = 30 * 24 / every as usize;
        let script: String = pattern.chars().cycle().take(checks).collect();
        let (standing, told) = tell(&script, every);
        assert!(told.len() <= FLAPS + 1, "{pattern} every {every} h: {told:?}");
        assert_eq!(
            (standing.status, standing.cause.as_str()),
            (Status::Degraded, "flapping"),
            "{pattern} {every}"
        );
        assert!(standing.reason.contains("Unstable"));
        assert!(
            !told.iter().any(|(_, turn)| matches!(turn, StatusTransition::Died | StatusTransition::Reborn)),
            "{pattern}: {told:?}"
        );
        assert!(told.iter().skip(FLAPS).all(|(_, turn)| *turn == StatusTransition::Degraded));
    }
    // A day without a turn ends the flapping, which is reported.
    let (standing, told) = tell(&("ad".repeat(10) + &"a".repeat(30)), 1);
    assert_eq!(
        (standing.status, told.last().map(|(_, turn)| *turn)),
        (Status::Alive, Some(StatusTransition::Recovered))
    );
    let (standing, told) = tell(&("ad".repeat(10) + &"d".repeat(40)), 1);
    assert_eq!(
        (standing.status, told.last().map(|(_, turn)| *turn)),
        (Status::Dead, Some(StatusTransition::Died))
    );
}

/// Generates checks as hours since the last one and a verdict, mostly alternating.
fn life() -> impl Strategy<Value = Vec<(i64, char)>> {
    let verdict = prop_oneof![
        4 => Just('a'), 1 => Just('g'), 4 => Just('d'), 1 => Just('i'), 1 => Just('r'), 1 => Just('b'),
    ];
    proptest::collection::vec((1_i64..30, verdict), 1..200)
}

fn verdict_of(letter: char) -> Status {
    match letter {
        'a' => Status::Alive,
        'g' => Status::Degraded,
        'd' => Status::Dead,
        'r' => Status::Restricted,
        'b' => Status::Blocked,
        _ => Status::Inconclusive,
    }
}

proptest! {
    /// The rules hold for every sequence of checks.
    #[test]
    fn no_life_breaks_the_rules(life in life()) {
        let mut standing = ResourceStatus::from_finding(Status::Alive, "", at(0));
        let (mut hour, mut seen, mut told) = (0, Vec::new(), Vec::new());
        for (hours, letter) in life {
            hour += hours;
            let verdict = verdict_of(letter);
            seen.push((hour, verdict));
            let (now, turn) = update_standing(Some(&standing), &check(verdict, hour));
            // No death with fewer than three dead verdicts, within less than a day, or with an
            // answer in between.
            if now.status == Status::Dead && standing.status != Status::Dead {
                let failing: Vec<_> = seen.iter().rev().take_while(|(_, verdict)| !answers(*verdict)).collect();
                prop_assert!(failing.len() >= 3);
                prop_assert!(hour - failing.last().unwrap().0 >= 24);
            }
            // Revival requires two answers in a row, or a verdict of restricted or blocked.
            if standing.status == Status::Dead && answers(now.status) {
                prop_assert!(seen.iter().rev().take(2).all(|(_, verdict)| answers(*verdict)));
            }
            if let Some(turn) = turn {
                prop_assert!(now.told == now.status);
                told.push((hour, turn));
            }
            prop_assert!(now.turns.len() <= TURNS);
            prop_assert_eq!(now.since == now.checked, now.status != standing.status || now.since == at(hour));
            standing = now;
        }
        // While many turns are less than a day apart, at most one change is reported.
        let mut turned: Vec<i64> = Vec::new();
        let mut up = true;
        for (hour, verdict) in &seen {
            if answers(*verdict) != up {
                turned.push(*hour);
                up = !up;
            }
        }
        for pair in told.windows(2) {
            let ((before, _), (after, turn)) = (pair[0], pair[1]);
            let flaps = |hour: i64| {
                let recent = turned.iter().filter(|at| **at <= hour && hour - **at < 7 * 24).count();
                let latest = turned.iter().rev().find(|at| **at <= hour);
                recent > FLAPS && latest.is_some_and(|at| hour - at < 24)
            };
            let throughout = seen.iter().map(|(hour, _)| *hour).filter(|hour| (before..=after).contains(hour));
            prop_assert!(!throughout.clone().all(flaps), "{before} {after} {turn:?}");
        }
    }
}
