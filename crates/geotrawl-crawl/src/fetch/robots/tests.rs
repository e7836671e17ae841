use super::*;
use proptest::prelude::*;

const A: &str = "https://a.test";

fn cache() -> RobotsCache {
    RobotsCache::new(&RobotsConfig::default(), "Geotrawl")
}

fn now() -> Timestamp {
    "2026-01-01T00:00:00Z".parse().unwrap()
}

fn answer(status: u16, body: &str) -> RobotsReply {
    RobotsReply::Answer { status, body: body.into() }
}

fn conclude(cache: &RobotsCache, reply: RobotsReply, at: Timestamp) -> (Arc<RobotsPolicy>, RobotsRecord) {
    let host = cache.authority_entry(A);
    cache.record_reply(A, &host, reply, at)
}

/// The outcomes of RFC 9309, section 2.3.1.
#[tokio::test(start_paused = true)]
async fn every_outcome_means_what_the_standard_says() {
    let forbids_all = "User-agent: *\nDisallow: /";
    for status in [200, 203, 204, 206, 299] {
        let (robots, record) = conclude(&cache(), answer(status, forbids_all), now());
        assert!(robots.check_path("/x").is_err() && robots.check_path("/robots.txt").is_ok(), "{status}");
        assert!(matches!(record.verdict, RobotsVerdict::Rules(_)));
    }
    for status in [300, 304, 400, 401, 403, 404, 410, 418, 451, 499] {
        let (robots, record) = conclude(&cache(), answer(status, forbids_all), now());
        assert!(robots.check_path("/x").is_ok(), "{status}");
        assert_eq!(record.verdict, RobotsVerdict::AllowAll);
    }
    for status in [429, 500, 502, 503, 504, 599, 600, 999, 100] {
        let (robots, record) = conclude(&cache(), answer(status, ""), now());
        let failure = robots.check_path("/x").unwrap_err();
        assert_eq!((failure.class, failure.retry), (FailureClass::Robots, true), "{status}");
        assert!(failure.message.contains(&status.to_string()));
        assert!(matches!(record.verdict, RobotsVerdict::DenyAll(_)));
    }
    assert!(conclude(&cache(), RobotsReply::LostRedirect, now()).0.check_path("/x").is_ok());
    for class in [FailureClass::Reset, FailureClass::Truncated, FailureClass::Protocol, FailureClass::Decode]
    {
        let reply = RobotsReply::Failed(FetchError::passing(class, "it broke"));
        let failure = conclude(&cache(), reply, now()).0.check_path("/x").unwrap_err();
        assert_eq!(failure.class, FailureClass::Robots);
        assert!(failure.message.contains("it broke"));
    }
    // If a server cannot be reached at all, its own failure is reported.
    for class in [FailureClass::Dns, FailureClass::Connect, FailureClass::Tls, FailureClass::BlockedAddress] {
        let reply = RobotsReply::Failed(FetchError::lasting(class, "no way"));
        let failure = conclude(&cache(), reply, now()).0.check_path("/x").unwrap_err();
        assert_eq!((failure.class, failure.retry), (class, false));
    }
}

#[tokio::test(start_paused = true)]
async fn rules_are_kept_for_a_day_and_denials_for_growing_times() {
    let cache = cache();
    conclude(&cache, answer(200, ""), now());
    let host = cache.authority_entry(A);
    tokio::time::advance(Duration::from_hours(24) - Duration::from_secs(1)).await;
    assert!(host.fresh_policy().is_some());
    tokio::time::advance(Duration::from_secs(1)).await;
    assert!(host.fresh_policy().is_none());

    let mut waits = Vec::new();
    for _ in 0..12 {
        conclude(&cache, answer(500, ""), now());
        let start = Instant::now();
        while host.fresh_policy().is_some() {
            tokio::time::advance(Duration::from_mins(5)).await;
        }
        waits.push(start.elapsed().as_secs() / 300);
    }
    assert_eq!(waits, [1, 2, 4, 8, 16, 32, 64, 128, 256, 288, 288, 288]);
    conclude(&cache, answer(404, ""), now());
    conclude(&cache, answer(500, ""), now());
    tokio::time::advance(Duration::from_mins(5)).await;
    assert!(host.fresh_policy().is_none(), "recovered in between: the count begins anew");
}

#[tokio::test(start_paused = true)]
async fn a_fault_of_our_own_is_not_held_against_the_server() {
    let cache = cache();
    for class in [FailureClass::Local, FailureClass::Resting, FailureClass::Dns] {
        let (robots, _) =
            conclude(&cache, RobotsReply::Failed(FetchError::passing(class, "our fault")), now());
        assert_eq!(robots.check_path("/x").unwrap_err().class, class);
        tokio::time::advance(OWN_FAULT_TTL).await;
        assert!(cache.authority_entry(A).fresh_policy().is_none());
    }
    let later = now() + jiff::SignedDuration::from_hours(24 * 40);
    assert!(conclude(&cache, answer(503, ""), later).0.check_path("/x").is_err(), "the dark days begin now");
}

#[tokio::test(start_paused = true)]
async fn after_thirty_dark_days_it_counts_as_absent() {
    let cache = cache();
    let day = jiff::SignedDuration::from_hours(24);
    let (_, record) = conclude(&cache, answer(500, ""), now());
    assert_eq!(record.fetched_at, now());
    let (robots, record) = conclude(&cache, answer(503, ""), now() + day * 29);
    assert!(robots.check_path("/x").is_err());
    assert_eq!(record.fetched_at, now(), "since when");
    assert!(conclude(&cache, answer(503, ""), now() + day * 30).0.check_path("/x").is_ok());

    // A restart does not reset the start of the failures.
    let fresh = super::tests::cache();
    fresh.preload(&record, now() + day * 29);
    assert!(fresh.authority_entry(A).fresh_policy().is_none(), "asked again after a restart");
    assert!(fresh.cached_policy(A).unwrap().check_path("/x").is_err());
    assert!(conclude(&fresh, answer(503, ""), now() + day * 31).0.check_path("/x").is_ok());
}

#[tokio::test(start_paused = true)]
async fn what_an_earlier_run_learnt_is_taken_over_for_the_rest_of_its_day() {
    let cache = cache();
    let text = "User-agent: *\nDisallow: /no\nCrawl-delay: 3\nSitemap: https://a.test/map";
    let record = RobotsRecord {
        host: A.to_owned(),
        fetched_at: now(),
        verdict: RobotsVerdict::Rules(text.to_owned()),
    };
    cache.preload(&record, now() + jiff::SignedDuration::from_hours(20));
    let host = cache.authority_entry(A);
    let robots = host.fresh_policy().unwrap();
    assert!(robots.check_path("/no").is_err() && robots.check_path("/yes").is_ok());
    assert_eq!(robots.crawl_delay(), Duration::from_secs(3));
    assert_eq!(robots.sitemaps(), ["https://a.test/map"]);
    // Cached results are not replaced by stored ones.
    let older = RobotsRecord { verdict: RobotsVerdict::AllowAll, ..record.clone() };
    cache.preload(&older, now());
    assert!(host.fresh_policy().unwrap().check_path("/no").is_err());
    tokio::time::advance(Duration::from_hours(4)).await;
    assert!(host.fresh_policy().is_none());

    let stale = super::tests::cache();
    stale.preload(&record, now() + jiff::SignedDuration::from_hours(25));
    assert!(stale.authority_entry(A).fresh_policy().is_none());
    let odd = super::tests::cache();
    odd.preload(&record, now() - jiff::SignedDuration::from_hours(1000));
    assert!(odd.authority_entry(A).fresh_policy().is_some(), "a clock that was set back does no harm");
}

#[tokio::test(start_paused = true)]
async fn long_and_strange_files_are_cut_and_read() {
    let mut body = b"\xef\xbb\xbfUser-agent: *\nDisallow: /a\xff\n".to_vec();
    body.resize(500 * 1024, b'\n');
    body.extend_from_slice(b"Disallow: /late\n");
    let (robots, record) = conclude(&cache(), RobotsReply::Answer { status: 200, body }, now());
    assert!(robots.check_path("/a%EF%BF%BD").is_err());
    assert!(robots.check_path("/late").is_ok(), "beyond the limit");
    let RobotsVerdict::Rules(text) = record.verdict else { panic!() };
    assert!(text.len() <= 500 * 1024 + 8);
}

#[tokio::test(start_paused = true)]
async fn the_cache_is_bounded_in_entries_and_bytes() {
    let config = RobotsConfig { cache_size: 100, cache_bytes: 100_000, ..RobotsConfig::default() };
    let cache = RobotsCache::new(&config, "Geotrawl");
    for n in 0..1000 {
        let name = format!("http://h{n}.test");
        let host = cache.authority_entry(&name);
        cache.record_reply(&name, &host, answer(200, "User-agent: *\nDisallow: /some/path\n"), now());
    }
    assert!(cache.lock().len() <= 100);
    let lines: Vec<_> = (0..500).map(|n| format!("Disallow: /long/path/{n}")).collect();
    let long = lines.join("\n");
    for n in 0..100 {
        let name = format!("http://g{n}.test");
        let host = cache.authority_entry(&name);
        cache.record_reply(&name, &host, answer(200, &format!("User-agent: *\n{long}")), now());
    }
    assert!(cache.bytes() <= 150_000, "{}", cache.bytes());
    let last = cache.authority_entry("http://g99.test");
    assert!(last.fresh_policy().is_some(), "the newest is there");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_are_read(body in proptest::collection::vec(any::<u8>(), 0..2000), status in 0_u16..1000) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        let _context = runtime.enter();
        let (robots, _) = conclude(&cache(), RobotsReply::Answer { status, body }, now());
        let _ = robots.check_path("/some/path?with=query");
    }
}
