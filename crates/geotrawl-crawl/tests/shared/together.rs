//! Tests two crawlers on one run.

use crate::lab::{SharedLab, wait_until};
use geotrawl_model::store::CrawlStore;
use geotrawl_simweb::report;
use std::collections::{BTreeSet, HashMap};
use std::sync::OnceLock;
use std::sync::atomic::Ordering;
use std::time::Duration;

pub const DELAY: Duration = Duration::from_millis(40);

/// Size of the simulated web.
pub const HOSTS: usize = 12;
pub const PAGES: usize = 180;

/// Returns what a single crawler finds and requests.
pub fn single_crawl() -> &'static (BTreeSet<String>, HashMap<String, u64>) {
    static ALONE: OnceLock<(BTreeSet<String>, HashMap<String, u64>)> = OnceLock::new();
    ALONE.get_or_init(|| {
        let lab = SharedLab::new(HOSTS, PAGES, Duration::ZERO, Duration::ZERO);
        let desk = lab.pool.connect_process();
        let (summary, _) = lab.start_crawler(&desk, &SharedLab::crawl_options(), None).finish();
        assert!(summary.ended && !summary.interrupted);
        assert_eq!(lab.pool.leased_hosts(), 0, "everything is given back");
        (lab.record_urls(), lab.request_counts())
    })
}

pub fn assert_polite(lab: &SharedLab) {
    let judged = report::measure_politeness(&lab.log(), DELAY.as_secs_f64());
    assert!(judged.overlapping.is_empty(), "{:#?}", judged.overlapping.first());
    assert!(judged.too_close.is_empty(), "{:#?}", judged.too_close.first());
}

/// Returns the URLs requested more often than by a single crawler, with the number of requests.
pub fn repeated_requests(lab: &SharedLab, usual: &HashMap<String, u64>) -> Vec<(String, u64)> {
    let beyond = |target: &str, times: u64| times > usual.get(target).copied().unwrap_or(1);
    lab.request_counts().into_iter().filter(|(target, times)| beyond(target, *times)).collect()
}

/// Like [`repeated_requests`], for runs that a crawler leaves. A crawler that leaves does not wait
/// for the URLs that respond late or never, so the next one may request them once more.
pub fn repeated_after_leaving(lab: &SharedLab, usual: &HashMap<String, u64>) -> Vec<(String, u64)> {
    let late = |target: &str| target.contains("/wms/haengt-") || target.contains("/wms/traege-");
    let excused =
        |target: &str, times: u64| late(target) && times <= usual.get(target).copied().unwrap_or(1) + 1;
    repeated_requests(lab, usual).into_iter().filter(|(target, times)| !excused(target, *times)).collect()
}

#[test]
fn two_crawlers_share_a_run_and_no_host_is_asked_by_both_at_once() {
    let (found, usual) = single_crawl();
    let lab = SharedLab::new(HOSTS, PAGES, Duration::from_millis(10), DELAY);
    let (one, two) = (lab.pool.connect_process(), lab.pool.connect_process());
    let first = lab.start_crawler(&one, &SharedLab::crawl_options(), None);
    let second = lab.join_crawler(&two, &SharedLab::crawl_options());
    let ((first, _), (second, figures)) = (first.finish(), second.finish());
    assert_eq!(first.run, second.run);
    assert!(!first.interrupted && !second.interrupted);
    assert_eq!(u8::from(first.ended) + u8::from(second.ended), 1, "one of them ends it");
    assert_eq!(lab.pool.end_count(first.run), 1);
    assert_eq!(lab.record_urls(), *found);
    for desk in [&one, &two] {
        assert!(desk.commits.load(Ordering::SeqCst) > 20, "{:?}", desk.commits);
        assert_eq!(desk.left_out.load(Ordering::SeqCst), 0);
    }
    assert!(figures.commits > 0 && figures.lost_loans == 0, "{figures:?}");
    assert_polite(&lab);
    assert_eq!(repeated_requests(&lab, usual), [], "nothing is asked for twice");
    assert_eq!(lab.pool.leased_hosts(), 0);
}

#[test]
fn what_a_crawler_does_with_lost_loans_is_left_out_and_done_again() {
    let (found, _) = single_crawl();
    let lab = SharedLab::new(HOSTS, PAGES, Duration::from_millis(10), DELAY);
    let (one, two) = (lab.pool.connect_process(), lab.pool.connect_process());
    let first = lab.start_crawler(&one, &SharedLab::crawl_options(), None);
    wait_until("some pages", || one.commits.load(Ordering::SeqCst) > 20);
    assert!(lab.pool.revoke_leases(&one) > 0, "it held hosts");
    let second = lab.join_crawler(&two, &SharedLab::crawl_options());
    let ((first, figures), (second, _)) = (first.finish(), second.finish());
    assert!(figures.lost_loans > 0, "{figures:?}");
    assert_eq!(lab.record_urls(), *found);
    assert_eq!(lab.pool.end_count(first.run), 1);
    assert_eq!(second.counters.pending, 0);
    assert_eq!(figures.left_out, one.left_out.load(Ordering::SeqCst));
}

#[test]
fn a_database_that_goes_away_and_comes_back_costs_time_and_nothing_else() {
    let (found, usual) = single_crawl();
    let lab = SharedLab::new(HOSTS, PAGES, Duration::from_millis(10), DELAY);
    let desk = lab.pool.connect_process();
    let crawler = lab.start_crawler(&desk, &SharedLab::crawl_options(), None);
    wait_until("some pages", || desk.commits.load(Ordering::SeqCst) > 20);
    lab.pool.set_unreachable(true);
    // Wait longer than the leases last: a crawler that cannot
    // renew them must stop sending requests.
    let quiet = || {
        let before = lab.log().len();
        std::thread::park_timeout(Duration::from_millis(700));
        lab.log().len() == before
    };
    wait_until("silence", quiet);
    assert!(!crawler.crawl.is_over());
    lab.pool.set_unreachable(false);
    let (summary, figures) = crawler.finish();
    assert!(summary.ended);
    assert!(figures.store_away_seconds > 0.5 && !figures.store_is_away, "{figures:?}");
    assert_eq!(lab.record_urls(), *found);
    assert_eq!(repeated_requests(&lab, usual), [], "what was finished was kept");
    assert_polite(&lab);
}

#[test]
fn one_who_leaves_gives_everything_back_and_the_other_goes_on() {
    let (found, usual) = single_crawl();
    let lab = SharedLab::new(HOSTS, PAGES, Duration::from_millis(10), DELAY);
    let (one, two) = (lab.pool.connect_process(), lab.pool.connect_process());
    let first = lab.start_crawler(&one, &SharedLab::crawl_options(), None);
    let second = lab.join_crawler(&two, &SharedLab::crawl_options());
    wait_until("some pages", || one.commits.load(Ordering::SeqCst) > 10);
    first.crawl.stopper().leave_run();
    let (first, _) = first.finish();
    assert!(first.interrupted && !first.ended, "the run goes on elsewhere");
    assert!(one.run_is_open(first.run).unwrap());
    let (second, _) = second.finish();
    assert!(second.ended);
    assert_eq!(lab.record_urls(), *found);
    assert_eq!(repeated_after_leaving(&lab, usual), []);
    assert_polite(&lab);
}

#[test]
fn a_budget_of_pages_is_one_for_all_of_them() {
    let lab = SharedLab::new(HOSTS, PAGES, Duration::from_millis(5), Duration::ZERO);
    let options = geotrawl_crawl::options::CrawlOptions { max_pages: Some(40), ..SharedLab::crawl_options() };
    let (one, two) = (lab.pool.connect_process(), lab.pool.connect_process());
    let first = lab.start_crawler(&one, &options, None);
    let second = lab.join_crawler(&two, &options);
    let ((first, _), (second, _)) = (first.finish(), second.finish());
    assert_eq!(u8::from(first.ended) + u8::from(second.ended), 1);
    let counters = lab.pool.store.run_counters(first.run).unwrap();
    // Pages that one crawler claims at the end may come too late for the other.
    assert!((33..=40).contains(&lab.pool.claimed_pages(first.run)), "{}", lab.pool.claimed_pages(first.run));
    assert!(counters.pending > 0, "{counters:?}");
}

#[test]
fn hosts_with_a_used_up_budget_do_not_keep_a_run_open() {
    let lab = SharedLab::new(6, 120, Duration::from_millis(5), Duration::ZERO);
    let options = geotrawl_crawl::options::CrawlOptions { max_per_host: 4, ..SharedLab::crawl_options() };
    let (one, two) = (lab.pool.connect_process(), lab.pool.connect_process());
    let first = lab.start_crawler(&one, &options, None);
    let second = lab.join_crawler(&two, &options);
    let ((first, _), (second, _)) = (first.finish(), second.finish());
    assert_eq!(u8::from(first.ended) + u8::from(second.ended), 1);
    assert!(lab.pool.store.run_counters(second.run).unwrap().pending > 0);
}
