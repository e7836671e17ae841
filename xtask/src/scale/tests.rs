use super::*;

/// Both models on the same web; the quotient of their times.
fn quotient(costs: &Costs, database: &Database, sizes: &[u32], workers: usize) -> f64 {
    let exact = events::run(costs, database, sizes, workers);
    fluid::run(costs, database, &fluid::plan(costs, sizes, workers), workers).all / exact
}

#[test]
fn flows_agree_with_events_at_the_small_end() {
    let (costs, sizes) = small_web(&Costs::default());
    for workers in [1, 2, 4, 8] {
        let quotient = quotient(&costs, &DATABASES[0], &sizes, workers);
        assert!((0.95..=1.05).contains(&quotient), "{workers} workers: {quotient}");
    }
}

#[test]
fn flows_agree_with_events_where_the_database_is_short() {
    let (_, sizes) = small_web(&Costs::default());
    // Small batches: two of them may wait with each worker, which flows do not know and small webs feel.
    let usual = Costs { worker_hosts: 50.0, batch_pages: 20.0, ..Costs::default() };
    // 400 hosts want 364 pages a second; a page takes 10 ms of the one core.
    let slow = Costs { commit_key: 10e-3 / 33.0 / 1.5, ..usual.clone() };
    let one = Database { cores: 1.0, ..DATABASES[0].clone() };
    // A page takes 5 ms at the end of a commit.
    let serial = Costs { finds: 1.0, find_trips: 23.0, ..usual.clone() };
    for (costs, database) in [(&slow, &one), (&serial, &DATABASES[0])] {
        for workers in [2, 8] {
            let quotient = quotient(costs, database, &sizes, workers);
            assert!(
                (0.9..=1.1).contains(&quotient),
                "{workers} workers on {} cores: {quotient}",
                database.cores
            );
        }
    }
}

#[test]
fn eight_workers_are_eight_times_as_fast_where_they_are_short() {
    // A host stays with its worker to its end: all are read in eight rounds, or in one.
    let costs = Costs { worker_hosts: 50.0, ..Costs::default() };
    let sizes = vec![50; 400];
    let one = events::run(&costs, &DATABASES[0], &sizes, 1);
    let eight = events::run(&costs, &DATABASES[0], &sizes, 8);
    assert!((7.5..=8.2).contains(&(one / eight)), "{one} {eight}");
}

#[test]
fn sizes_follow_the_law_and_the_budget() {
    let sizes = hosts::sizes(1000, 100_000.0, 0.8, 1000.0);
    let sum: u64 = sizes.iter().map(|size| u64::from(*size)).sum();
    assert!((99_000..=101_000).contains(&sum), "{sum}");
    assert_eq!(sizes.iter().max(), Some(&1000));
    assert_eq!(sizes, hosts::sizes(1000, 100_000.0, 0.8, 1000.0), "the same every time");
}

#[test]
fn no_number_of_workers_beats_politeness() {
    let costs = Costs::default();
    let sizes = hosts::sizes(2000, 100_000.0, 0.8, 5000.0);
    let largest = f64::from(sizes.iter().max().copied().unwrap());
    for workers in [4, 64, 1024] {
        let told = fluid::run(&costs, &DATABASES[0], &fluid::plan(&costs, &sizes, workers), workers);
        assert!(told.all >= largest * costs.cycle());
        assert!(told.half <= told.most && told.most <= told.nearly && told.nearly <= told.all);
        assert!(told.bottleneck.starts_with("politeness"), "{}", told.bottleneck);
    }
}

#[test]
fn more_workers_are_never_slower_until_something_is_short() {
    let costs = Costs::default();
    let sizes = hosts::sizes(20_000, 2_000_000.0, 0.8, 10_000.0);
    let mut last = 0.0;
    for workers in [1, 2, 4, 8, 16] {
        let told = fluid::run(&costs, &DATABASES[0], &fluid::plan(&costs, &sizes, workers), workers);
        assert!(told.rate > last, "{workers}: {} after {last}", told.rate);
        last = told.rate;
    }
}

#[test]
fn settings_are_checked() {
    let given = |text: &str| settings(text.split_whitespace().map(str::to_owned));
    assert!(given("--urls 1_000_000 --hosts 1000 --cost a_page=3").is_err());
    let costs = settings(["--cost", "a page=78"].map(str::to_owned).into_iter()).unwrap().1;
    assert!((costs.page_bytes - 78e3).abs() < 1.0);
    assert!(given("--urls 10 --hosts 1000").is_err());
    assert!(given("--hosts").is_err());
}
