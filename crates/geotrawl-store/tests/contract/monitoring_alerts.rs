use crate::Backend;
use crate::checks::{check_dead, hour, record_check, result_for};
use geotrawl_model::alert::{AlertChange, Channel, Frequency, MOST_ALERTS, NewAlert};
use geotrawl_model::notice::NoticeKind;
use geotrawl_model::store::Store;
use geotrawl_model::{Record, Status};
use geotrawl_testkit::builders::{TestCrawl, all_records, service};
use jiff::SignedDuration;
use std::sync::Arc;

fn wanted(kinds: &[NoticeKind]) -> NewAlert {
    NewAlert {
        name: "mine".into(),
        channel: Channel::Webhook,
        target: "https://hook.example/x".into(),
        secret: Some("s3cret".into()),
        kinds: kinds.to_vec(),
        hosts: vec![],
        records: vec![],
        frequency: Frequency::Immediate,
        active: true,
    }
}

/// Creates five services on each of two hosts.
fn two_hosts<B: Backend>(place: &B) -> (Arc<dyn Store>, Vec<Record>) {
    let store = place.open();
    let urls: Vec<String> =
        (0..10).map(|n| format!("http://{}.example/{n}/wms", if n < 5 { "one" } else { "two" })).collect();
    let found = urls.iter().map(|url| service("wms", url, &[&url[7..]])).collect();
    TestCrawl::open(&*store, "a").add_resources("http://a.example/", found);
    store.enrol_records(hour(0), SignedDuration::from_secs(1)).unwrap();
    let all = all_records(&*store);
    (store, all)
}

fn on<'a>(all: &'a [Record], host: &str) -> Vec<&'a Record> {
    all.iter().filter(|record| record.host.name == host).collect()
}

pub fn alerts_belong_to_their_person<B: Backend>() {
    let place = B::new();
    let store = place.open();
    let alert = store.add_alert(1, &wanted(&[NoticeKind::Died]), hour(0)).unwrap().unwrap();
    assert_eq!((alert.kinds.as_slice(), alert.secret.as_deref()), (&[NoticeKind::Died][..], Some("s3cret")));
    assert!(!serde_json::to_string(&alert).unwrap().contains("s3cret"), "never shown");
    assert_eq!(store.list_alerts(1).unwrap(), std::slice::from_ref(&alert));
    assert!(store.list_alerts(2).unwrap().is_empty() && store.find_alert(2, alert.number).unwrap().is_none());
    let change =
        AlertChange { frequency: Some(Frequency::Weekly), secret: Some(None), ..AlertChange::default() };
    assert!(store.change_alert(2, alert.number, &change).unwrap().is_none());
    let changed = store.change_alert(1, alert.number, &change).unwrap().unwrap();
    assert_eq!(
        (changed.frequency, changed.secret.as_ref(), changed.name.as_str()),
        (Frequency::Weekly, None, "mine")
    );
    assert_eq!(store.find_alert(1, alert.number).unwrap(), Some(changed));
    assert!(!store.remove_alert(2, alert.number).unwrap() && store.remove_alert(1, alert.number).unwrap());
    for _ in 0..MOST_ALERTS {
        assert!(store.add_alert(1, &wanted(&[]), hour(0)).unwrap().is_some());
    }
    assert!(store.add_alert(1, &wanted(&[]), hour(0)).unwrap().is_none());
    drop(store);
    let accounts = place.open();
    assert!(!accounts.remove_user(1).unwrap());
    drop(accounts);
    assert!(place.open().list_alerts(1).unwrap().is_empty(), "alerts must be removed with their user");
}

pub fn one_dead_host_is_one_alert<B: Backend>() {
    let place = B::new();
    let (store, all) = two_hosts(&place);
    store.add_alert(1, &wanted(&[NoticeKind::Died]), hour(0)).unwrap().unwrap();
    for (n, record) in on(&all, "one.example").into_iter().enumerate() {
        // The first three fail at once, the others hours later, as the schedule has it.
        check_dead(&*store, &record.id, &record.resource.url, if n < 3 { 1 } else { n as i64 * 3 });
    }
    assert!(
        store.due_deliveries(hour(26), hour(27), 10).unwrap().is_empty(),
        "notices must be collected for some minutes"
    );
    let soon = hour(26) + SignedDuration::from_mins(6);
    let sent = store.due_deliveries(soon, hour(27), 10).unwrap();
    assert_eq!((sent.len(), sent[0].groups.len()), (1, 1));
    let group = &sent[0].groups[0];
    assert_eq!((group.host.as_str(), group.kind), ("one.example", NoticeKind::Died));
    assert!(group.count >= 3 && group.notices.len() as u64 == group.count);
    store.mark_delivered(sent[0].number, soon).unwrap();
    assert!(
        store.due_deliveries(hour(60), hour(61), 10).unwrap().is_empty(),
        "the rest of the host is no news"
    );
    assert_eq!(store.list_alerts(1).unwrap()[0].last_delivery, Some(soon));

    // Another host causes another alert, and so does the same host when it dies again later.
    let other = on(&all, "two.example")[0];
    check_dead(&*store, &other.id, &other.resource.url, 60);
    let sent = store.due_deliveries(hour(90), hour(91), 10).unwrap();
    assert_eq!((sent.len(), sent[0].groups[0].host.as_str()), (1, "two.example"));
    store.mark_delivered(sent[0].number, hour(90)).unwrap();
    let again = on(&all, "one.example")[0];
    for hours in [200, 201] {
        record_check(&*store, result_for(&again.id, &again.resource.url, Status::Alive, hour(hours)));
    }
    check_dead(&*store, &again.id, &again.resource.url, 240);
    assert_eq!(store.due_deliveries(hour(270), hour(271), 10).unwrap().len(), 1);
}

pub fn what_fails_is_tried_again_and_given_up<B: Backend>() {
    let place = B::new();
    let (store, all) = two_hosts(&place);
    let alert = store.add_alert(1, &wanted(&[]), hour(0)).unwrap().unwrap();
    check_dead(&*store, &all[0].id, &all[0].resource.url, 1);
    let mut now = hour(40);
    let mut attempts = 0;
    loop {
        let sent = store.due_deliveries(now, now + SignedDuration::from_mins(1), 10).unwrap();
        assert_eq!((sent.len(), sent[0].attempts), (1, attempts));
        let leased = store.due_deliveries(now, now + SignedDuration::from_mins(1), 10).unwrap();
        assert!(leased.is_empty(), "nobody else sends it");
        attempts += 1;
        let again = store.record_delivery_failure(sent[0].number, &"x".repeat(9000), None, now).unwrap();
        assert_eq!(store.find_alert(1, alert.number).unwrap().unwrap().last_error.unwrap().len(), 500);
        if !again {
            break;
        }
        assert!(store.due_deliveries(now, now, 10).unwrap().is_empty(), "not at once");
        now += SignedDuration::from_hours(25);
    }
    assert_eq!(attempts, 9);
    assert!(store.due_deliveries(now + SignedDuration::from_hours(9999), now, 10).unwrap().is_empty());
    assert!(!store.record_delivery_failure(12345, "x", None, now).unwrap());
}

pub fn digests_gather_everything<B: Backend>() {
    let place = B::new();
    let (store, all) = two_hosts(&place);
    for frequency in [Frequency::Daily, Frequency::Weekly] {
        store.add_alert(1, &NewAlert { frequency, ..wanted(&[]) }, hour(0)).unwrap().unwrap();
    }
    for record in &all {
        check_dead(&*store, &record.id, &record.resource.url, 1);
    }
    let until = hour(9999);
    assert!(store.due_deliveries(hour(2), until, 10).unwrap().is_empty());
    let mut hours = Vec::new();
    for hours_later in 2..400 {
        for sent in store.due_deliveries(hour(hours_later), until, 10).unwrap() {
            let moment = hour(hours_later);
            hours.push((sent.alert.frequency, moment.to_string()));
            let counts: Vec<(&str, NoticeKind, u64)> =
                sent.groups.iter().map(|group| (group.host.as_str(), group.kind, group.count)).collect();
            if sent.alert.frequency == Frequency::Weekly {
                assert!(counts.contains(&("one.example", NoticeKind::Died, 5)), "{counts:?}");
                assert!(counts.contains(&("two.example", NoticeKind::Degraded, 5)), "{counts:?}");
            }
            store.mark_delivered(sent.number, moment).unwrap();
        }
    }
    assert!(hours.iter().all(|(_, moment)| moment.contains("T00:")), "{hours:?}");
    let weekly: Vec<_> = hours.iter().filter(|(frequency, _)| *frequency == Frequency::Weekly).collect();
    assert_eq!(weekly.len(), 1);
    let day: jiff::Timestamp = weekly[0].1.parse().unwrap();
    assert_eq!((day.as_second() / 86_400 + 3) % 7, 0, "a Monday");
}

pub fn alerts_may_be_narrow<B: Backend>() {
    let place = B::new();
    let (store, all) = two_hosts(&place);
    let by_host = NewAlert { hosts: vec!["TWO.example".into()], ..wanted(&[NoticeKind::Died]) };
    let two = on(&all, "two.example");
    let named = vec![two[0].id.clone(), two[1].id.clone()];
    let by_record = NewAlert { records: named, ..wanted(&[NoticeKind::Died]) };
    let idle = NewAlert { active: false, ..wanted(&[]) };
    for alert in [by_host, by_record, idle] {
        store.add_alert(1, &alert, hour(0)).unwrap().unwrap();
    }
    check_dead(&*store, &all[0].id, &all[0].resource.url, 1);
    assert!(store.due_deliveries(hour(40), hour(41), 10).unwrap().is_empty(), "no host or record of theirs");
    check_dead(&*store, &two[0].id, &two[0].resource.url, 41);
    let sent = store.due_deliveries(hour(68), hour(69), 10).unwrap();
    assert_eq!(sent.len(), 2);
    for one in &sent {
        store.mark_delivered(one.number, hour(68)).unwrap();
    }
    check_dead(&*store, &two[1].id, &two[1].resource.url, 50);
    let sent = store.due_deliveries(hour(80), hour(81), 10).unwrap();
    assert_eq!(sent.len(), 1, "a named record must be reported whatever its host did");
    assert_eq!(sent[0].groups[0].notices[0].id, two[1].id);
}
