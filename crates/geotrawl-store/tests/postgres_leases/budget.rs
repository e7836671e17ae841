use crate::world::{LeaseTestDatabase, finish_item};
use geotrawl_model::FinishedItem;
use geotrawl_model::store::{CrawlStore, LeaseStore};
use std::sync::atomic::{AtomicU64, Ordering};

#[test]
fn claims_never_exceed_the_budget() {
    let Some(world) = LeaseTestDatabase::new() else { return };
    let run = world.run();
    let granted = AtomicU64::new(0);
    std::thread::scope(|scope| {
        for number in 0..6_i64 {
            let (world, granted) = (&world, &granted);
            scope.spawn(move || {
                let store = world.open();
                loop {
                    let got = store.claim_pages(run, 500, 7 + number).unwrap();
                    assert!(got <= 7 + number as u64);
                    if got == 0 {
                        break;
                    }
                    // Some claimed pages are not fetched after all.
                    let returned = (got / 3).min(2);
                    if granted.fetch_add(got - returned, Ordering::SeqCst) < 400 {
                        store.claim_pages(run, 500, -(returned as i64)).unwrap();
                    } else {
                        granted.fetch_add(returned, Ordering::SeqCst);
                    }
                }
                // Dropping a store releases its unused claims, so keep all stores until the sum is
                // known.
                std::mem::forget(store);
            });
        }
    });
    assert_eq!(granted.load(Ordering::SeqCst), 500);
    assert_eq!(world.query_number("SELECT sum(pages) FROM geotrawl.claim"), 500);
}

#[test]
fn pages_read_stay_counted_and_those_of_the_dead_are_free_again() {
    let Some(world) = LeaseTestDatabase::new() else { return };
    let run = world.run();
    let (one, other) = (world.open(), world.open());
    one.add_links(run, &LeaseTestDatabase::links("http://a.example", 3)).unwrap();
    assert_eq!(one.claim_pages(run, 10, 8).unwrap(), 8);
    assert_eq!(other.claim_pages(run, 10, 8).unwrap(), 2);
    let host = one.hosts_with_work(run, 1, &|_| false).unwrap()[0].host;
    let items = one.pending_entries(run, host, 2, &|_| false).unwrap();
    let done: Vec<FinishedItem> = items.into_iter().map(|item| finish_item(item, "ok")).collect();
    assert_eq!(LeaseTestDatabase::commit(&one, run, done).ignored, 0);
    assert_eq!(other.claim_pages(run, 10, 8).unwrap(), 0, "two are read and eight are claimed");
    // The first process dies: pages it claimed but did not fetch become free, fetched ones do not.
    world.run_sql("UPDATE geotrawl.process SET expires = now() - interval '1 second'");
    assert_eq!(other.claim_pages(run, 10, 100).unwrap(), 6);
    assert_eq!(other.claim_pages(run, 10, 100).unwrap(), 0);
    assert_eq!(other.claim_pages(run, 10, -4).unwrap(), 0);
    assert_eq!(other.claim_pages(run, 10, 3).unwrap(), 3);
    assert_eq!(other.claim_pages(run, 2, 3).unwrap(), 0, "a smaller budget is used up");
}
