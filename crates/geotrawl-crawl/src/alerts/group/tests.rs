use super::*;
use proptest::prelude::*;

fn news(seq: i64, minute: i64, kind: NewsKind, host: &str, id: &str) -> AlertNotice {
    AlertNotice {
        seq,
        at: Timestamp::from_second(1_800_000_000 + minute * 60).unwrap(),
        kind,
        id: id.into(),
        title: Some(format!("Title of {id}")),
        host: host.into(),
        record_kind: "wms".into(),
        url: format!("https://{host}/{id}"),
        reason: "connection refused".into(),
    }
}

fn sentences(grouped: &GroupedNotices) -> Vec<&str> {
    grouped.items.iter().map(|item| item.sentence.as_str()).collect()
}

#[test]
fn one_dead_host_is_one_alert() {
    let mut all: Vec<_> =
        (0..12).map(|n| news(n, n, NewsKind::Died, "gis.example.org", &format!("r{n}"))).collect();
    all.push(news(20, 3, NewsKind::Died, "other.example", "o"));
    let grouped = group_notices(&all, &[], &GroupingRules::IMMEDIATE);
    assert_eq!(
        sentences(&grouped),
        [
            "12 services of gis.example.org stopped answering: connection refused",
            "'Title of o' (wms) of other.example stopped answering: connection refused"
        ]
    );
    assert_eq!((grouped.items[0].named.len(), grouped.items[0].more), (10, 2));
    assert_eq!(grouped.count_notices(), 13);
}

#[test]
fn what_is_far_apart_stays_apart() {
    let all = [
        news(1, 0, NewsKind::Died, "a.example", "x"),
        news(2, 15, NewsKind::Died, "a.example", "y"),
        news(3, 16, NewsKind::Died, "a.example", "z"),
    ];
    assert_eq!(group_notices(&all, &[], &GroupingRules::IMMEDIATE).items.len(), 2);
    assert_eq!(group_notices(&all, &[], &GroupingRules::DAILY).items.len(), 1);
}

#[test]
fn what_is_over_is_told_as_over() {
    let all = [
        news(1, 0, NewsKind::Died, "a.example", "x"),
        news(2, 180, NewsKind::Reborn, "a.example", "x"),
        news(3, 0, NewsKind::Degraded, "b.example", "y"),
        news(4, 40, NewsKind::Recovered, "b.example", "y"),
    ];
    let day = group_notices(&all, &[], &GroupingRules::DAILY);
    assert_eq!(
        sentences(&day),
        [
            "'Title of x' (wms) of a.example was down for 3 h: connection refused",
            "'Title of y' (wms) of b.example did not work as it should for 40 min: connection refused"
        ]
    );
    assert_eq!((day.count_notices(), day.items[0].services), (4, 1));
    assert_eq!(day.items[0].named[0].kind, NewsKind::Reborn);
    // An immediate message has already reported the death.
    let topics: Vec<_> =
        group_notices(&all, &[], &GroupingRules::IMMEDIATE).items.iter().map(|item| item.topic).collect();
    assert_eq!(topics, [AlertTopic::Died, AlertTopic::Degraded, AlertTopic::Reborn, AlertTopic::Recovered]);
}

#[test]
fn a_rebirth_before_a_death_does_not_hide_it() {
    let all = [
        news(1, 0, NewsKind::Reborn, "a.example", "x"),
        news(2, 10, NewsKind::Died, "a.example", "x"),
        news(3, 20, NewsKind::Reborn, "a.example", "x"),
        news(4, 30, NewsKind::Died, "a.example", "x"),
    ];
    let topics: Vec<_> =
        group_notices(&all, &[], &GroupingRules::DAILY).items.iter().map(|item| item.topic).collect();
    assert_eq!(topics, [AlertTopic::Died, AlertTopic::WasDown, AlertTopic::Reborn]);
}

#[test]
fn new_and_changed_services_of_a_host_are_one_item() {
    let all = [
        news(1, 0, NewsKind::Born, "a.example", "x"),
        news(2, 1, NewsKind::Changed, "a.example", "x"),
        news(3, 2, NewsKind::Born, "a.example", "y"),
        news(4, 3, NewsKind::Changed, "a.example", "z"),
    ];
    let grouped = group_notices(&all, &[], &GroupingRules::DAILY);
    assert_eq!(sentences(&grouped), ["2 services of a.example are new, 1 changed"]);
    assert_eq!(grouped.items[0].services, 3);
    let changed = group_notices(&all[3..], &[], &GroupingRules::DAILY);
    assert_eq!(changed.items[0].topic, AlertTopic::Changed);
    assert_eq!(changed.items[0].sentence, "'Title of z' (wms) of a.example changed: connection refused");
}

#[test]
fn what_is_not_carried_is_counted() {
    let all = [news(1, 0, NewsKind::Died, "a.example", "x")];
    let more = [
        NoticeCount { host: "a.example".into(), kind: NewsKind::Died, count: 99, at: all[0].at },
        NoticeCount { host: "b.example".into(), kind: NewsKind::Born, count: 1, at: all[0].at },
    ];
    let grouped = group_notices(&all, &more, &GroupingRules::DAILY);
    assert_eq!(
        sentences(&grouped),
        ["100 services of a.example stopped answering: connection refused", "1 service of b.example is new"]
    );
    assert_eq!((grouped.items[0].named.len(), grouped.items[0].more), (1, 99));
}

#[test]
fn the_gravest_comes_first_and_the_rest_is_counted() {
    let mut all: Vec<_> =
        (0..70).map(|n| news(n, 0, NewsKind::Born, &format!("h{n}.example"), &format!("r{n}"))).collect();
    all.push(news(99, 5, NewsKind::Died, "z.example", "dead"));
    let grouped = group_notices(&all, &[], &GroupingRules::DAILY);
    assert_eq!(grouped.items.len(), 50);
    assert_eq!(grouped.items[0].host, "z.example");
    assert_eq!((grouped.rest.items, grouped.count_notices()), (21, 71));
}

#[test]
fn spans_read_well() {
    let shown = |minutes| format_duration(SignedDuration::from_mins(minutes));
    assert_eq!(
        [0, 5, 60, 90, 200, 1440, 1500, -5].map(shown),
        ["less than a minute", "5 min", "1 h", "1 h 30 min", "3 h", "1 d", "1 d 1 h", "less than a minute"]
    );
}

fn any_news() -> impl Strategy<Value = Vec<AlertNotice>> {
    let one = (0_i64..400, 0..NewsKind::ALL.len(), 0..4_u8, 0..6_u8, ".{0,8}");
    proptest::collection::vec(one, 0..120).prop_map(|all| {
        let each =
            |(seq, (minute, kind, host, id, text)): (usize, (i64, usize, u8, u8, String))| AlertNotice {
                title: Some(text.clone()),
                reason: text,
                ..news(
                    seq as i64,
                    minute,
                    NewsKind::ALL[kind],
                    &format!("h{host}.example"),
                    &format!("r{id}"),
                )
            };
        all.into_iter().enumerate().map(each).collect()
    })
}

proptest! {
    #[test]
    fn nothing_is_lost_and_nothing_told_twice(
        all in any_news(), window in 0_i64..300, most_items in 0_usize..8, most_named in 0_usize..4, more in 0_u64..5,
    ) {
        let rules = GroupingRules { window: SignedDuration::from_mins(window), most_items, most_named };
        let unlisted: Vec<_> = all.iter().take(3)
            .map(|news| NoticeCount { host: news.host.clone(), kind: news.kind, count: more, at: news.at }).collect();
        let grouped = group_notices(&all, &unlisted, &rules);
        prop_assert!(grouped.items.len() <= most_items);
        for kind in NewsKind::ALL {
            let told = grouped.items.iter().map(|item| &item.counts).chain([&grouped.rest.counts])
                .filter_map(|counts| counts.get(&kind)).sum::<u64>();
            let given = all.iter().filter(|news| news.kind == kind).count() as u64
                + unlisted.iter().filter(|some| some.kind == kind).map(|some| some.count).sum::<u64>();
            prop_assert_eq!(told, given, "{}", kind.as_str());
        }
        let mut seen = HashSet::new();
        for item in &grouped.items {
            prop_assert!(item.from <= item.to);
            prop_assert!(item.named.len() <= most_named);
            prop_assert_eq!(item.named.len() as u64 + item.more, item.services);
            prop_assert!(item.named.iter().all(|news| news.host == item.host && seen.insert(news.seq)));
            prop_assert!(!item.sentence.chars().any(char::is_control));
        }
    }

    #[test]
    fn the_order_of_arrival_does_not_matter(mut all in any_news()) {
        let before = group_notices(&all, &[], &GroupingRules::DAILY);
        all.reverse();
        prop_assert_eq!(group_notices(&all, &[], &GroupingRules::DAILY), before);
    }
}
