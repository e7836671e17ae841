use crate::world::{LeaseTestDatabase, finish_item};
use geotrawl_model::store::{CrawlStore, LeaseStore};
use geotrawl_model::{FinishedItem, HostId};
use std::collections::{BTreeSet, HashSet};
use std::sync::Mutex;
use std::time::Duration;

#[test]
fn two_stores_never_hold_one_host() {
    let Some(world) = LeaseTestDatabase::new() else { return };
    let run = world.run();
    let links: Vec<_> =
        (0..40).flat_map(|n| LeaseTestDatabase::links(&format!("http://h{n}.example"), 2)).collect();
    world.open().add_links(run, &links).unwrap();
    let taken: Mutex<HashSet<HostId>> = Mutex::default();
    let lent: Mutex<BTreeSet<HostId>> = Mutex::default();
    std::thread::scope(|scope| {
        for number in 0..6_usize {
            let (world, taken, lent) = (&world, &taken, &lent);
            scope.spawn(move || {
                let store = world.open();
                for round in 0..12 {
                    let works = store.hosts_with_work(run, 5 + (number + round) % 7, &|_| false).unwrap();
                    let hosts: Vec<HostId> = works.iter().map(|work| work.host).collect();
                    for host in &hosts {
                        assert!(store.may_send_request(run, *host));
                        assert!(taken.lock().unwrap().insert(*host), "{host} is held twice");
                    }
                    lent.lock().unwrap().extend(&hosts);
                    for host in &hosts {
                        taken.lock().unwrap().remove(host);
                    }
                    let back: Vec<_> = hosts.iter().map(|host| (*host, Duration::ZERO)).collect();
                    store.release_leases(run, &back).unwrap();
                    assert!(hosts.iter().all(|host| !store.may_send_request(run, *host)));
                }
            });
        }
    });
    assert!(lent.into_inner().unwrap().len() > 11, "several had some at once");
}

#[test]
fn an_ended_loan_is_taken_over_after_its_grace_and_the_old_holder_changes_nothing() {
    let Some(world) = LeaseTestDatabase::new() else { return };
    let run = world.run();
    let (old, new) = (world.open(), world.open());
    old.add_links(run, &LeaseTestDatabase::links("http://a.example", 3)).unwrap();
    let host = old.hosts_with_work(run, 9, &|_| false).unwrap()[0].host;
    let items = old.pending_entries(run, host, 9, &|_| false).unwrap();
    world.expire_leases(5);
    assert!(new.hosts_with_work(run, 9, &|_| false).unwrap().is_empty(), "the grace period was ignored");
    assert_eq!(
        LeaseTestDatabase::commit(&old, run, vec![finish_item(items[0].clone(), "ok")]).ignored,
        0,
        "nobody took it"
    );
    world.expire_leases(11);
    assert_eq!(new.hosts_with_work(run, 9, &|_| false).unwrap()[0].host, host);

    let before = world.frontier_state();
    let late = FinishedItem {
        links: LeaseTestDatabase::links("http://new.example", 4),
        ..finish_item(items[1].clone(), "ok")
    };
    let committed = LeaseTestDatabase::commit(&old, run, vec![late]);
    assert_eq!((committed.ignored, committed.added.new), (1, 0));
    assert_eq!(world.frontier_state(), before, "part of the rejected batch was stored");
    assert_eq!(old.renew_leases().unwrap(), [host]);
    assert!(!old.may_send_request(run, host));
    assert!(old.renew_leases().unwrap().is_empty(), "a lost lease was reported twice");
    assert_eq!(
        LeaseTestDatabase::commit(&old, run, vec![finish_item(items[1].clone(), "ok")]).ignored,
        1,
        "also when it knows"
    );
    assert_eq!(LeaseTestDatabase::commit(&new, run, vec![finish_item(items[1].clone(), "ok")]).ignored, 0);

    // Released by the new owner it is free, but the old token stays invalid forever.
    new.release_leases(run, &[(host, Duration::ZERO)]).unwrap();
    assert_eq!(LeaseTestDatabase::commit(&old, run, vec![finish_item(items[2].clone(), "ok")]).ignored, 1);
    assert_eq!(old.hosts_with_work(run, 9, &|_| false).unwrap()[0].host, host);
    assert!(old.may_send_request(run, host));
    assert_eq!(
        LeaseTestDatabase::commit(&old, run, vec![finish_item(items[2].clone(), "ok")]).ignored,
        0,
        "the host was leased again"
    );
}

#[test]
fn renewed_loans_last() {
    let Some(world) = LeaseTestDatabase::new() else { return };
    let run = world.run();
    let (one, other) = (world.open(), world.open());
    let links: Vec<_> =
        (0..30).flat_map(|n| LeaseTestDatabase::links(&format!("http://h{n}.example"), 1)).collect();
    one.add_links(run, &links).unwrap();
    assert_eq!(one.hosts_with_work(run, 100, &|_| false).unwrap().len(), 30);
    world.expire_leases(11);
    assert!(one.renew_leases().unwrap().is_empty());
    assert!(other.hosts_with_work(run, 100, &|_| false).unwrap().is_empty());
    assert_eq!(
        one.hosts_with_work(run, 100, &|_| false).unwrap().len(),
        30,
        "own hosts must be returned again"
    );
    drop(one);
    assert_eq!(
        other.hosts_with_work(run, 100, &|_| false).unwrap().len(),
        30,
        "a closed store must release its hosts"
    );
}

#[test]
fn a_rest_is_kept_when_hosts_change_hands() {
    let Some(world) = LeaseTestDatabase::new() else { return };
    let run = world.run();
    let (one, other) = (world.open(), world.open());
    one.add_links(run, &LeaseTestDatabase::links("http://a.example", 2)).unwrap();
    let first = one.hosts_with_work(run, 1, &|_| false).unwrap().remove(0);
    assert_eq!(first.rest, Duration::ZERO);
    one.release_leases(run, &[(first.host, Duration::from_secs(500))]).unwrap();
    let rest = |rest: Duration| (400..=500).contains(&rest.as_secs());
    assert!(rest(other.hosts_with_work(run, 1, &|_| false).unwrap()[0].rest));
    assert!(rest(other.hosts_with_work(run, 1, &|_| false).unwrap()[0].rest), "asked again");
    other.release_leases(run, &[(first.host, Duration::from_secs(1))]).unwrap();
    assert!(rest(one.hosts_with_work(run, 1, &|_| false).unwrap()[0].rest), "the longer delay must apply");
    world.expire_leases(11);
    assert!(
        rest(other.hosts_with_work(run, 1, &|_| false).unwrap()[0].rest),
        "the delay must survive an expired lease"
    );
}

#[test]
fn a_host_of_two_runs_goes_back_with_the_last() {
    let Some(world) = LeaseTestDatabase::new() else { return };
    let (run, second) = (world.run(), world.another_run());
    let (one, other) = (world.open(), world.open());
    let links = LeaseTestDatabase::links("http://a.example", 1);
    one.add_links(run, &links).unwrap();
    one.add_links(second, &links).unwrap();
    let host = one.hosts_with_work(run, 1, &|_| false).unwrap()[0].host;
    assert!(
        other.hosts_with_work(second, 1, &|_| false).unwrap().is_empty(),
        "a lease must cover all runs on the host"
    );
    assert_eq!(one.hosts_with_work(second, 1, &|_| false).unwrap()[0].host, host);
    one.release_leases(run, &[(host, Duration::ZERO)]).unwrap();
    assert!(one.may_send_request(second, host));
    assert!(other.hosts_with_work(run, 1, &|_| false).unwrap().is_empty());
    one.release_leases(second, &[(host, Duration::ZERO)]).unwrap();
    assert_eq!(other.hosts_with_work(run, 1, &|_| false).unwrap().len(), 1);
}

#[test]
fn a_host_is_not_asked_when_its_loan_may_end_before_the_answer() {
    let Some(world) = LeaseTestDatabase::new() else { return };
    let run = world.run();
    let store = world.open_with(|leases| {
        leases.duration = Duration::from_secs(20);
        leases.request = Duration::from_secs(21);
    });
    store.add_links(run, &LeaseTestDatabase::links("http://a.example", 1)).unwrap();
    let host = store.hosts_with_work(run, 1, &|_| false).unwrap()[0].host;
    assert!(!store.may_send_request(run, host));
    assert!(!store.may_send_request(run, 77), "a host that was never leased must not be requested");
    assert!(store.is_shared());
}

#[test]
fn only_the_clock_of_the_database_counts() {
    let Some(world) = LeaseTestDatabase::new() else { return };
    let run = world.run();
    let store = world.open();
    store.add_links(run, &LeaseTestDatabase::links("http://a.example", 2)).unwrap();
    let host = store.hosts_with_work(run, 1, &|_| false).unwrap()[0].host;
    let item = store.pending_entries(run, host, 1, &|_| false).unwrap().remove(0);
    let left = "SELECT extract(epoch FROM expires - now())::bigint FROM geotrawl.host";
    assert!((100..=120).contains(&world.query_number(left)));
    // A process whose clock is in another century.
    for second in [-3_000_000_000, 9_000_000_000] {
        LeaseTestDatabase::commit_at(&store, run, vec![], second);
        store.renew_leases().unwrap();
        assert!((100..=120).contains(&world.query_number(left)));
    }
    assert_eq!(
        LeaseTestDatabase::commit_at(&store, run, vec![finish_item(item, "ok")], 9_000_000_000).ignored,
        0
    );
    store.release_leases(run, &[(host, Duration::from_secs(50))]).unwrap();
    let rest = "SELECT extract(epoch FROM rest_until - now())::bigint FROM geotrawl.host";
    assert!((40..=50).contains(&world.query_number(rest)));
}
