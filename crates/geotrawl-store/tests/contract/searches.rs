use crate::Backend;
use geotrawl_model::search_engine::{EngineBackoff, EngineQuota, QuotaPeriod, SearchPermit};
use geotrawl_testkit::builders::test_time;
use jiff::{SignedDuration, Timestamp};

const HOUR: i64 = 3_600;

fn daily(per_day: u64) -> EngineQuota {
    EngineQuota { per_day: Some(per_day), ..EngineQuota::default() }
}

/// Returns a time some seconds after a full hour.
fn hour(hours: i64, seconds: i64) -> Timestamp {
    Timestamp::from_second(500_000 * HOUR + hours * HOUR + seconds).unwrap()
}

pub fn an_answer_is_kept_for_its_time<B: Backend>() {
    let place = B::new();
    let store = place.open();
    store.cache_response("a", "q=1", "one", test_time(100), test_time(0)).unwrap();
    store.cache_response("b", "q=1", "other", test_time(100), test_time(0)).unwrap();
    assert_eq!(store.find_cached_response("a", "q=1", test_time(100)).unwrap().as_deref(), Some("one"));
    assert_eq!(store.find_cached_response("a", "q=1", test_time(101)).unwrap(), None, "it is too old");
    assert_eq!(store.find_cached_response("a", "q=2", test_time(0)).unwrap(), None);
    store.cache_response("a", "q=1", "newer", test_time(200), test_time(0)).unwrap();
    assert_eq!(store.find_cached_response("a", "q=1", test_time(0)).unwrap().as_deref(), Some("newer"));
    store.cache_response("a", "q=3", "last", test_time(300), test_time(150)).unwrap();
    assert_eq!(store.find_cached_response("b", "q=1", test_time(0)).unwrap(), None, "it was forgotten");
    assert!(store.find_cached_response("a", "q=1", test_time(0)).unwrap().is_some());
}

pub fn a_quota_is_never_exceeded<B: Backend>() {
    let place = B::new();
    let store = place.open();
    assert_eq!(
        store.request_permit("off", &daily(0), hour(0, 0)).unwrap(),
        SearchPermit::Spent { period: QuotaPeriod::Day, quota: 0, free: None }
    );
    // No period of 24 hours may have more than three requests.
    let mut granted = Vec::new();
    for minute in 0..(3 * 24 * 60) {
        let now = hour(0, minute * 60);
        match store.request_permit("a", &daily(3), now).unwrap() {
            SearchPermit::Granted => granted.push(now),
            SearchPermit::Spent { period: QuotaPeriod::Day, quota: 3, free: Some(free) } => {
                assert!(free > now && free <= now + SignedDuration::from_hours(25), "{free}");
            }
            other => panic!("{other:?}"),
        }
    }
    assert!(granted.len() >= 8, "{granted:?}");
    for window in granted.windows(4) {
        assert!(window[3].duration_since(window[0]) >= SignedDuration::from_hours(24), "{window:?}");
    }
    // The monthly quota is checked before the daily one, and the other engine has separate quotas.
    let month = EngineQuota { per_day: Some(5), per_month: Some(6), pause: SignedDuration::ZERO };
    for day in 0..31 {
        for _ in 0..6 {
            let _ = store.request_permit("m", &month, hour(day * 24, 0)).unwrap();
        }
    }
    let use_ = store.engine_usage("m", hour(30 * 24, 0)).unwrap();
    assert_eq!((use_.month, use_.remaining_requests(&month)), (6, Some(0)));
    let free = hour(31 * 24 + 1, 0);
    assert_eq!(
        store.request_permit("m", &month, hour(31 * 24, 59 * 60)).unwrap(),
        SearchPermit::Spent { period: QuotaPeriod::Month, quota: 6, free: Some(free) }
    );
    assert_eq!(store.request_permit("m", &month, free).unwrap(), SearchPermit::Granted);
}

pub fn a_quota_holds_over_a_restart_and_from_many_threads<B: Backend>() {
    let place = B::new();
    for _ in 0..2 {
        let store = place.open();
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..20 {
                        store.request_permit("a", &daily(50), hour(0, 0)).unwrap();
                    }
                });
            }
        });
        assert_eq!(store.engine_usage("a", hour(0, 0)).unwrap().day, 50);
    }
    let store = place.open();
    // Setting the clock back frees nothing.
    assert!(matches!(
        store.request_permit("a", &daily(50), hour(-100, 0)).unwrap(),
        SearchPermit::Spent { .. }
    ));
}

pub fn requests_keep_their_pause<B: Backend>() {
    let place = B::new();
    let store = place.open();
    let slow = EngineQuota { pause: SignedDuration::from_secs(10), ..EngineQuota::default() };
    assert_eq!(store.request_permit("a", &slow, test_time(100)).unwrap(), SearchPermit::Granted);
    assert_eq!(
        store.request_permit("a", &slow, test_time(101)).unwrap(),
        SearchPermit::Later(test_time(110))
    );
    assert_eq!(store.request_permit("b", &slow, test_time(101)).unwrap(), SearchPermit::Granted);
    assert_eq!(store.request_permit("a", &slow, test_time(110)).unwrap(), SearchPermit::Granted);
    assert_eq!(
        store.request_permit("a", &slow, test_time(50)).unwrap(),
        SearchPermit::Later(test_time(60)),
        "the clock was set back"
    );
    assert_eq!(store.engine_usage("a", test_time(110)).unwrap().day, 2);
}

pub fn a_rest_grows_and_ends_with_an_answer<B: Backend>() {
    let place = B::new();
    let store = place.open();
    let free = EngineQuota::default();
    let growing =
        EngineBackoff::Growing { first: SignedDuration::from_secs(60), most: SignedDuration::from_secs(150) };
    for (now, until) in [(100, 160), (200, 320), (400, 550)] {
        store.record_engine_failure("a", "rate", "too many", growing, test_time(now)).unwrap();
        assert_eq!(
            store.request_permit("a", &free, test_time(now + 1)).unwrap(),
            SearchPermit::Resting { until: test_time(until), why: "too many".into() }
        );
    }
    assert_eq!(store.request_permit("a", &free, test_time(550)).unwrap(), SearchPermit::Granted);
    let state = store.engine_usage("a", test_time(500)).unwrap();
    assert_eq!(state.rests_until, Some(test_time(550)));
    assert_eq!(state.failure.unwrap().class, "rate");
    store.record_engine_success("a").unwrap();
    assert_eq!(store.engine_usage("a", test_time(500)).unwrap().failure, None);
    store.record_engine_failure("a", "key", "no", EngineBackoff::None, test_time(600)).unwrap();
    assert_eq!(
        store.request_permit("a", &free, test_time(600)).unwrap(),
        SearchPermit::Granted,
        "nothing to wait for"
    );
    store
        .record_engine_failure("a", "rate", "wait", EngineBackoff::Until(test_time(900)), test_time(700))
        .unwrap();
    assert!(matches!(
        store.request_permit("a", &free, test_time(899)).unwrap(),
        SearchPermit::Resting { .. }
    ));
}
