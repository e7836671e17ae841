use crate::world::MonitorWorld;
use geotrawl_model::Status;
use geotrawl_model::notice::NoticeKind;
use geotrawl_model::store::MonitoringStore;
use geotrawl_simweb::{ServiceStage, TrustSite};
use geotrawl_trust::standing::FLAPS;
use std::collections::BTreeMap;

fn listen() -> std::net::TcpListener {
    geotrawl_simweb::listen(([127, 0, 0, 1], 0).into()).unwrap()
}

/// Notices about the status of a record.
const STANDING: [NoticeKind; 6] = [
    NoticeKind::Died,
    NoticeKind::Reborn,
    NoticeKind::Degraded,
    NoticeKind::Recovered,
    NoticeKind::Restricted,
    NoticeKind::Blocked,
];

/// Returns the phase of the site after some hours: all services work for two days, some are dead
/// for two days, some flap for a week, and the last days are stable.
fn step(hour: u32) -> u32 {
    match hour {
        0..48 => 0,
        48..96 => 1 + (hour - 48) / 12,
        96..264 => 5 + (hour / 6) % 2,
        _ => 6,
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn two_weeks_of_all_behaviours() {
    let site = TrustSite::new();
    let server = site.serve(listen(), None).unwrap();
    let world = MonitorWorld::new(server.address());
    // One kind is enough for services that never change; test all kinds of the others.
    let wanted = |name: &str, kind: &str, steps: usize| match name {
        "slow" | "silent" => false,
        "up" | "moved" => true,
        _ => steps > 1 || kind == "wms",
    };
    let mut cases = Vec::new();
    for case in site.cases().iter().filter(|case| wanted(case.name, case.kind, case.expected.len())) {
        cases.push((case.clone(), world.add_live_resource(case.kind, &case.url).await));
    }
    let mut healthy_seen_dead = 0_u32;
    let mut looked = 0_u32;
    let mut statuses: BTreeMap<&str, Vec<Status>> = BTreeMap::new();
    for hour in 0..336 {
        site.set_step(step(hour));
        world.run_hour().await;
        for (case, id) in &cases {
            let status = world.record(id).status;
            if matches!(case.name, "up" | "moved") {
                looked += 1;
                healthy_seen_dead += u32::from(status != Status::Alive);
            }
            if case.kind == "wms" {
                let seen = statuses.entry(case.name).or_default();
                if seen.last() != Some(&status) {
                    seen.push(status);
                }
            }
        }
    }
    assert_eq!(healthy_seen_dead, 0, "of {looked} looks at healthy services");
    for (case, id) in &cases {
        let (record, told) = (world.record(id), |kind| world.notice_count(id, kind));
        assert_eq!(record.id, *id, "{} keeps its id", case.url);
        let news: Vec<String> = world
            .notices(id)
            .iter()
            .map(|one| format!("{} {} {}", one.at, one.kind.as_str(), one.reason))
            .collect();
        let standing_news = STANDING.iter().map(|kind| told(*kind)).sum::<usize>();
        let uptime = world.store.uptime(id, world.now()).unwrap();
        match case.name {
            "up" | "moved" => {
                assert_eq!(standing_news, 0, "{}: {news:#?}", case.url);
                assert!(uptime.outages.is_empty());
                assert_eq!(uptime.windows["30d"].share, Some(1.0));
                assert!(uptime.windows["30d"].checks >= 7, "{uptime:?}");
                assert!(uptime.windows["1y"].p95 >= uptime.windows["1y"].p50);
                let moved = usize::from(case.name == "moved");
                assert_eq!(told(NoticeKind::Moved), moved, "{}: {news:#?}", case.url);
                if moved == 1 {
                    let to = record.moved_to.unwrap();
                    assert!(to.url.starts_with("http://new-moved-"), "{to:?}");
                    assert!(record.reason.contains("new-moved-"), "{}", record.reason);
                }
            }
            "dies" => {
                assert_eq!(
                    (record.status, told(NoticeKind::Died), told(NoticeKind::Reborn)),
                    (Status::Dead, 1, 0)
                );
                assert!(
                    record.reason.contains("410") && record.reason.contains("since"),
                    "{}",
                    record.reason
                );
                assert_eq!((uptime.outages.len(), uptime.outages[0].ended), (1, None));
                assert_eq!(uptime.windows["24h"].available, 0);
            }
            "reborn" => {
                assert_eq!(
                    (record.status, told(NoticeKind::Died), told(NoticeKind::Reborn)),
                    (Status::Alive, 1, 1),
                    "{news:#?}"
                );
                assert_eq!(uptime.outages.len(), 1, "{:?}", uptime.outages);
                assert!(uptime.outages[0].ended.is_some() && uptime.outages[0].cause == "gone");
                let share = uptime.windows["30d"].share.unwrap();
                assert!(share > 0.3 && share < 1.0, "{share}");
            }
            "flapping" => {
                // The limit before it counts as flapping, plus one notice for the start and one for
                // the end of flapping.
                assert!(standing_news <= FLAPS + 2, "{news:#?}");
                assert!(told(NoticeKind::Died) <= 1 && told(NoticeKind::Reborn) <= 1, "{news:#?}");
                assert_eq!(record.status, Status::Alive, "the last days were quiet: {}", record.reason);
                assert!(!uptime.outages.is_empty());
            }
            _ => {
                let (verdict, cause) = case.expected_at(0);
                let latest = world.store.latest_check(id).unwrap().unwrap();
                assert_eq!(
                    (latest.check.verdict.as_str(), latest.check.cause.as_str()),
                    (verdict, cause),
                    "{}: {:#?}",
                    case.url,
                    latest.check.observations
                );
                assert_eq!(record.status.as_str(), verdict, "{}: {}", case.name, record.reason);
            }
        }
    }
    assert_eq!(statuses["dies"], [Status::Alive, Status::Degraded, Status::Dead]);
    assert_eq!(statuses["reborn"], [Status::Alive, Status::Degraded, Status::Dead, Status::Alive]);
    assert!(statuses["flapping"].contains(&Status::Degraded), "{:?}", statuses["flapping"]);
    println!(
        "{} services over 14 days; {looked} looks at healthy ones, none was ever anything but alive",
        cases.len()
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_host_fails_and_comes_back() {
    let stage = ServiceStage::new();
    let server = stage.serve(listen(), None).unwrap();
    let world = MonitorWorld::new(server.address());
    let mut ids = Vec::new();
    for n in 0..12 {
        let url = format!("http://office.test/maps/{n}/wms");
        stage.put_service(
            "wms",
            &url,
            &[&format!("parcels_{n}"), &format!("streets_{n}")],
            &format!("Parcels {n}"),
        );
        ids.push(world.add_live_resource("wms", &url).await);
    }
    stage.put_service("wms", "http://other.test/wms", &["harbours"], "Harbours");
    let other = world.add_live_resource("wms", "http://other.test/wms").await;
    world.run_hours(26).await;
    // One hour of failures does not make a service dead.
    stage.break_host("office.test", Some(502));
    world.run_hours(1).await;
    stage.break_host("office.test", None);
    world.run_hours(24).await;
    for id in &ids {
        assert_eq!(world.record(id).status, Status::Alive, "{}", world.record(id).reason);
        assert_eq!(world.notice_count(id, NoticeKind::Died), 0);
    }
    stage.break_host("office.test", Some(502));
    world.run_hours(72).await;
    for id in &ids {
        let record = world.record(id);
        assert_eq!(record.status, Status::Dead, "{}", record.reason);
        assert!(
            record.reason.contains("502") && record.reason.contains("checks in a row"),
            "{}",
            record.reason
        );
    }
    let report = world.store.host_report("office.test", world.now()).unwrap().unwrap();
    assert_eq!((report.records, report.statuses["dead"]), (12, 12));
    assert!(report.outages.len() >= 12, "{}", report.outages.len());
    let overview = world.store.overview(world.now()).unwrap();
    assert_eq!((overview.statuses["dead"], overview.statuses["alive"]), (12, 1));
    assert_eq!(overview.hosts[0].host, "office.test");
    stage.break_host("office.test", None);
    world.run_hours(72).await;
    for id in &ids {
        assert_eq!(world.record(id).status, Status::Alive, "{}", world.record(id).reason);
        assert_eq!(
            (world.notice_count(id, NoticeKind::Died), world.notice_count(id, NoticeKind::Reborn)),
            (1, 1)
        );
        let outages = world.store.uptime(id, world.now()).unwrap().outages;
        assert!(outages.iter().all(|outage| outage.ended.is_some()), "{outages:?}");
    }
    assert_eq!(world.record(&other).status, Status::Alive);
    assert_eq!(STANDING.iter().map(|kind| world.notice_count(&other, *kind)).sum::<usize>(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_changed_description_is_a_readable_difference() {
    let stage = ServiceStage::new();
    let server = stage.serve(listen(), None).unwrap();
    let world = MonitorWorld::new(server.address());
    let url = "http://change.test/wms";
    stage.put_service("wms", url, &["roads", "rivers"], "Old office");
    let id = world.add_live_resource("wms", url).await;
    world.run_hours(30).await;
    assert_eq!(
        world.notice_count(&id, NoticeKind::Changed),
        0,
        "{:?}",
        world.store.metadata_changes(&id, 9).unwrap()
    );
    stage.put_service("wms", url, &["roads", "railways"], "New office");
    world.run_hours(30).await;
    let changes = world.store.metadata_changes(&id, 9).unwrap();
    assert_eq!(changes.len(), 1, "{changes:#?}");
    let of = |path: &str| changes[0].changes.iter().find(|one| one.path == path);
    let title = of("title").unwrap();
    assert_eq!(
        (title.was.as_deref(), title.now.as_deref()),
        (Some("Old office WMS"), Some("New office WMS"))
    );
    let gone =
        changes[0].changes.iter().any(|one| one.was.as_deref().is_some_and(|was| was.contains("rivers")));
    let new =
        changes[0].changes.iter().any(|one| one.now.as_deref().is_some_and(|now| now.contains("railways")));
    assert!(gone && new, "{:#?}", changes[0]);
    assert_eq!(world.notice_count(&id, NoticeKind::Changed), 1);
    let record = world.record(&id);
    assert_eq!(record.resource.title.as_deref(), Some("New office WMS"));
    assert!(record.resource.datasets.iter().any(|layer| layer.name == "railways"));
    assert!(record.score.is_some() && record.checked.is_some());
}

/// A service that changes at every check, which is the worst case of flapping.
#[tokio::test(flavor = "multi_thread")]
async fn what_flaps_is_told_no_more_than_the_rule_says() {
    let stage = ServiceStage::new();
    let server = stage.serve(listen(), None).unwrap();
    let world = MonitorWorld::new(server.address());
    let url = "http://flaps.test/wms";
    stage.put_service("wms", url, &["roads"], "Now and then");
    let id = world.add_live_resource("wms", url).await;
    let (mut up, mut last, mut flapped) = (true, 0, 0_u32);
    for _ in 0..14 * 24 {
        world.run_hour().await;
        let latest = world.store.list_checks(&id, None, 1).unwrap().first().map_or(0, |check| check.number);
        if latest > last {
            (last, up) = (latest, !up);
            stage.break_host("flaps.test", (!up).then_some(500));
        }
        let standing = world.store.monitoring_state(&id).unwrap().unwrap().standing.unwrap();
        if geotrawl_trust::standing::is_flapping(&standing) {
            flapped += 1;
            assert_eq!((standing.status, standing.cause.as_str()), (Status::Degraded, "flapping"));
            assert!(standing.reason.contains("Unstable"), "{}", standing.reason);
        }
    }
    let before = STANDING.map(|kind| world.notice_count(&id, kind));
    let checks = world.store.uptime(&id, world.now()).unwrap().windows["30d"].checks;
    assert!(flapped > 7 * 24, "it flapped for {flapped} hours");
    assert_eq!((before[0], before[1]), (0, 0), "never dead, never reborn");
    assert!(before.iter().sum::<usize>() <= FLAPS + 1, "{:#?}", world.notices(&id));
    stage.break_host("flaps.test", None);
    world.run_hours(5 * 24).await;
    assert_eq!(world.record(&id).status, Status::Alive, "{}", world.record(&id).reason);
    let after = STANDING.map(|kind| world.notice_count(&id, kind));
    assert!(after.iter().sum::<usize>() <= FLAPS + 2, "{:#?}", world.notices(&id));
    println!("{checks} checks, each another answer: {} pieces of news", before.iter().sum::<usize>());
}
