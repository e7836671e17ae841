use crate::world::{LeaseTestDatabase, finish_item};
use geotrawl_model::store::{CrawlStore, LeaseStore};
use geotrawl_model::{FinishedItem, NewLink};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};

#[test]
fn the_same_links_from_many_sides_are_added_once() {
    let Some(world) = LeaseTestDatabase::new() else { return };
    let run = world.run();
    let links: Vec<NewLink> =
        (0..60).flat_map(|n| LeaseTestDatabase::links(&format!("http://h{n}.example"), 20)).collect();
    let new = AtomicU64::new(0);
    std::thread::scope(|scope| {
        for side in 0..4_usize {
            let (world, links, new) = (&world, &links, &new);
            scope.spawn(move || {
                let store = world.open();
                std::thread::scope(|scope| {
                    for thread in 0..2_usize {
                        let store = &store;
                        scope.spawn(move || {
                            let mut own = links.clone();
                            // Every process has them in a different order and in different chunks.
                            own.rotate_left((side * 2 + thread) * 137 % links.len());
                            if thread == 1 {
                                own.reverse();
                            }
                            for piece in own.chunks(170 + side * 31) {
                                let added = store.add_links(run, piece).unwrap();
                                assert_eq!(added.new + added.known, piece.len() as u64);
                                new.fetch_add(added.new, Ordering::SeqCst);
                            }
                        });
                    }
                });
            });
        }
    });
    assert_eq!(new.load(Ordering::SeqCst), 1_200);
    assert_eq!(world.query_number("SELECT count(*) FROM geotrawl.queue"), 1_200);
    assert_eq!(world.query_number("SELECT count(DISTINCT (host, path)) FROM geotrawl.queue"), 1_200);
    assert_eq!(world.query_number("SELECT sum(pending)::bigint FROM geotrawl.host_run"), 1_200);
    let counters = world.open().run_counters(run).unwrap();
    assert_eq!((counters.known, counters.pending, counters.hosts), (1_200, 1_200, 60));
}

#[test]
fn crawlers_that_link_to_each_other_never_lock_each_other_out() {
    let Some(world) = LeaseTestDatabase::new() else { return };
    let run = world.run();
    let name = |n: usize| format!("http://h{n}.example");
    let seeds: Vec<NewLink> = (0..24).flat_map(|n| LeaseTestDatabase::links(&name(n), 1)).collect();
    world.open().add_links(run, &seeds).unwrap();
    std::thread::scope(|scope| {
        for side in 0..4_usize {
            let world = &world;
            scope.spawn(move || {
                let store = world.open();
                let mut idle = 0;
                while idle < 3 {
                    let hosts = store.hosts_with_work(run, 4, &|_| false).unwrap();
                    idle = if hosts.is_empty() { idle + 1 } else { 0 };
                    let mut done = Vec::new();
                    for work in &hosts {
                        for item in store.pending_entries(run, work.host, 3, &|_| false).unwrap() {
                            // Every page links to a page on every host, until each has ten.
                            let links = (0..24).map(|n| {
                                let page = (item.id as usize + n + side) % 10;
                                LeaseTestDatabase::link(&name(n), &format!("/{page}"))
                            });
                            done.push(FinishedItem { links: links.collect(), ..finish_item(item, "ok") });
                        }
                    }
                    let committed = LeaseTestDatabase::commit(&store, run, done);
                    assert_eq!(committed.ignored, 0, "another process had these hosts");
                    let back: Vec<_> =
                        hosts.iter().map(|work| (work.host, std::time::Duration::ZERO)).collect();
                    store.release_leases(run, &back).unwrap();
                }
            });
        }
    });
    let store = world.open();
    // One process may have held the last items when the others gave up.
    assert_eq!(
        store.is_exhausted(run).unwrap(),
        world.query_number("SELECT count(*) FROM geotrawl.queue") == 0
    );
    let counters = store.run_counters(run).unwrap();
    assert_eq!(counters.pending as i64, world.query_number("SELECT count(*) FROM geotrawl.queue"));
    assert_eq!(counters.pages as i64, world.query_number("SELECT count(*) FROM geotrawl.page"));
    assert_eq!(counters.known, counters.pages + counters.pending);
    assert_eq!(
        world.query_number(
            "SELECT count(*) FROM geotrawl.host_run r WHERE r.pending <> (SELECT count(*) FROM geotrawl.queue q \
             WHERE q.host = r.host) OR r.best_priority IS DISTINCT FROM (SELECT min(priority) FROM geotrawl.queue q \
             WHERE q.host = r.host) OR r.done <> (SELECT count(*) FROM geotrawl.page p WHERE p.host = r.host)"
        ),
        0,
        "what is said of hosts is true"
    );
}

#[test]
fn a_connection_that_breaks_in_a_commit_leaves_nothing_and_the_repetition_is_right() {
    let Some(world) = LeaseTestDatabase::new() else { return };
    let run = world.run();
    let store = world.open();
    store.add_links(run, &LeaseTestDatabase::links("http://a.example", 3)).unwrap();
    let host = store.hosts_with_work(run, 1, &|_| false).unwrap()[0].host;
    let items = store.pending_entries(run, host, 2, &|_| false).unwrap();
    let done: Vec<FinishedItem> = items
        .into_iter()
        .map(|item| FinishedItem {
            links: LeaseTestDatabase::links("http://b.example", 5),
            ..finish_item(item, "ok")
        })
        .collect();
    let before = world.frontier_state();
    // The row of the run is changed last, so while it is locked the commit waits there.
    let failed =
        world.while_locked(&format!("SELECT 1 FROM geotrawl.run WHERE id = {run} FOR UPDATE"), |broken| {
            std::thread::scope(|scope| {
                let commit = scope.spawn(|| LeaseTestDatabase::try_commit(&store, run, done.clone()));
                broken();
                commit.join().unwrap()
            })
        });
    assert!(failed.is_err());
    assert_eq!(world.frontier_state(), before);
    let committed = LeaseTestDatabase::commit(&store, run, done.clone());
    assert_eq!((committed.ignored, committed.added.new, committed.added.known), (0, 5, 5));
    // Like a commit whose answer was lost: all of it is stored, and repeating it adds nothing.
    let after = world.frontier_state();
    let again = LeaseTestDatabase::commit(&store, run, done);
    assert_eq!((again.ignored, again.added.new), (2, 0));
    assert_eq!(world.frontier_state(), after);
}

#[test]
fn all_shards_can_be_reached() {
    let Some(world) = LeaseTestDatabase::new() else { return };
    let run = world.run();
    let store = world.open();
    let links: Vec<NewLink> =
        (0..2_500).flat_map(|n| LeaseTestDatabase::links(&format!("http://h{n}.example"), 1)).collect();
    assert_eq!(store.add_links(run, &links).unwrap().hosts.len(), 2_500);
    assert_eq!(world.query_number("SELECT count(DISTINCT shard) FROM geotrawl.queue"), 256);
    for table in ["host", "host_run", "queue", "seen"] {
        let outside = format!("SELECT count(*) FROM geotrawl.{table} WHERE shard NOT BETWEEN 0 AND 255");
        assert_eq!(world.query_number(&outside), 0);
    }
    let hosts = store.hosts_with_work(run, 10_000, &|_| false).unwrap();
    let names: BTreeSet<&str> = hosts.iter().map(|work| work.name.as_str()).collect();
    assert_eq!(names.len(), 2_500);
    let mut seen = 0;
    for work in hosts.iter().step_by(10) {
        let items = store.pending_entries(run, work.host, 5, &|_| false).unwrap();
        assert_eq!(items[0].id & 255, work.host & 255);
        let committed = LeaseTestDatabase::commit(
            &store,
            run,
            items.into_iter().map(|item| finish_item(item, "ok")).collect(),
        );
        seen += 1;
        assert_eq!(committed.ignored, 0);
    }
    assert_eq!(world.query_number("SELECT count(*) FROM geotrawl.page"), seen);
}

#[test]
fn few_are_given_best_first_wherever_they_are() {
    let Some(world) = LeaseTestDatabase::new() else { return };
    let run = world.run();
    let store = world.open();
    let links: Vec<NewLink> = (0..600)
        .map(|n| NewLink {
            priority: 10_000 - n,
            ..LeaseTestDatabase::link(&format!("http://h{n}.example"), "/")
        })
        .collect();
    store.add_links(run, &links).unwrap();
    let best = |limit| -> Vec<u32> {
        let hosts = store.hosts_with_work(run, limit, &|_| false).unwrap();
        hosts.into_iter().map(|work| work.best_priority).collect()
    };
    assert_eq!(best(3), [9_401, 9_402, 9_403]);
    let first: Vec<_> =
        store.hosts_with_work(run, 3, &|_| false).unwrap().into_iter().map(|work| work.host).collect();
    let next = store.hosts_with_work(run, 2, &|host| first.contains(&host)).unwrap();
    assert_eq!(next.iter().map(|work| work.best_priority).collect::<Vec<_>>(), [9_404, 9_405]);
    assert_eq!(best(600).len(), 600);
    assert!(best(0).is_empty());
}
