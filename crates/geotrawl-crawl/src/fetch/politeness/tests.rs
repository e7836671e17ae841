use super::*;
use std::sync::atomic::{AtomicUsize, Ordering};

const SECOND: Duration = Duration::from_secs(1);

fn gate(change: impl FnOnce(&mut PolitenessConfig)) -> PolitenessGate {
    let mut config = PolitenessConfig {
        per_ip: 0,
        adaptive_factor: 0.0,
        patience: Duration::from_hours(9),
        ..PolitenessConfig::default()
    };
    change(&mut config);
    PolitenessGate::new(&config, 1000)
}

async fn turn(gate: &PolitenessGate, host: &str) -> RequestSlot {
    gate.acquire(host, None, Duration::ZERO).await.unwrap()
}

#[tokio::test(start_paused = true)]
async fn the_pause_runs_from_the_end_of_one_request_to_the_start_of_the_next() {
    let gate = gate(|_| ());
    let start = Instant::now();
    let first = turn(&gate, "a.test").await;
    assert_eq!(start.elapsed(), Duration::ZERO);
    assert_eq!(gate.ready_at("a.test"), None, "taken");
    tokio::time::advance(3 * SECOND).await;
    drop(first);
    assert_eq!(gate.ready_at("a.test"), Some(Instant::now() + SECOND));
    let _second = turn(&gate, "a.test").await;
    assert_eq!(start.elapsed().as_secs(), 4);
}

#[tokio::test(start_paused = true)]
async fn hosts_do_not_wait_for_each_other() {
    let gate = gate(|_| ());
    let start = Instant::now();
    let slots = [turn(&gate, "a.test").await, turn(&gate, "b.test").await, turn(&gate, "c.test").await];
    assert_eq!(start.elapsed(), Duration::ZERO);
    drop(slots);
    assert!(gate.ready_at("never.seen").unwrap() <= Instant::now());
}

#[tokio::test(start_paused = true)]
async fn one_address_with_many_hosts_is_one_server() {
    let gate = Arc::new(gate(|config| config.per_ip = 1));
    let address: IpAddr = [192, 0, 2, 1].into();
    let mapped: IpAddr = "::ffff:192.0.2.1".parse().unwrap();
    let busy = Arc::new(AtomicUsize::new(0));
    let start = Instant::now();
    let mut tasks = Vec::new();
    for n in 0..5 {
        let (gate, busy) = (gate.clone(), busy.clone());
        tasks.push(tokio::spawn(async move {
            let ip = if n % 2 == 0 { address } else { mapped };
            let _slot = gate.acquire(&format!("h{n}.test"), Some(ip), Duration::ZERO).await.unwrap();
            assert_eq!(busy.fetch_add(1, Ordering::SeqCst), 0, "two at once at one address");
            tokio::time::sleep(SECOND / 2).await;
            busy.fetch_sub(1, Ordering::SeqCst);
        }));
    }
    for task in tasks {
        task.await.unwrap();
    }
    assert_eq!(start.elapsed().as_millis(), 5 * 500 + 4 * 1000);
    // Addresses shared by many machines are not throttled.
    let start = Instant::now();
    let _slots = [turn(&gate, "x.test").await, turn(&gate, "y.test").await];
    assert_eq!(start.elapsed(), Duration::ZERO);
}

/// A long delay of one host must not block the other hosts at its address.
#[tokio::test(start_paused = true)]
async fn a_waiting_host_does_not_block_its_neighbours() {
    let gate = Arc::new(gate(|config| config.per_ip = 1));
    let ip = Some(IpAddr::from([192, 0, 2, 1]));
    let minute = Duration::from_mins(1);
    drop(gate.acquire("slow.test", ip, minute).await.unwrap());
    let waiting = tokio::spawn({
        let gate = gate.clone();
        async move { drop(gate.acquire("slow.test", ip, minute).await.unwrap()) }
    });
    tokio::task::yield_now().await;
    let start = Instant::now();
    drop(gate.acquire("other.test", ip, Duration::ZERO).await.unwrap());
    assert_eq!(start.elapsed(), SECOND, "only the pause of the address");
    waiting.await.unwrap();
    assert!(start.elapsed() >= minute);
}

#[tokio::test(start_paused = true)]
async fn many_waiters_go_one_by_one() {
    let gate = Arc::new(gate(|_| ()));
    let starts = Arc::new(Mutex::new(Vec::new()));
    let tasks: Vec<_> = (0..20)
        .map(|_| {
            let (gate, starts) = (gate.clone(), starts.clone());
            tokio::spawn(async move {
                let _slot = turn(&gate, "a.test").await;
                starts.lock().unwrap().push(Instant::now());
                tokio::time::sleep(SECOND / 10).await;
            })
        })
        .collect();
    for task in tasks {
        task.await.unwrap();
    }
    let starts = starts.lock().unwrap();
    assert!(starts.windows(2).all(|two| two[1] - two[0] >= SECOND + SECOND / 10));
}

#[tokio::test(start_paused = true)]
async fn with_more_turns_the_starts_are_apart() {
    let gate = Arc::new(gate(|config| config.per_host = 3));
    let starts = Arc::new(Mutex::new(Vec::new()));
    let busy = Arc::new(AtomicUsize::new(0));
    let tasks: Vec<_> = (0..12)
        .map(|_| {
            let (gate, starts, busy) = (gate.clone(), starts.clone(), busy.clone());
            tokio::spawn(async move {
                let _slot = turn(&gate, "a.test").await;
                starts.lock().unwrap().push(Instant::now());
                assert!(busy.fetch_add(1, Ordering::SeqCst) < 3);
                tokio::time::sleep(5 * SECOND).await;
                busy.fetch_sub(1, Ordering::SeqCst);
            })
        })
        .collect();
    for task in tasks {
        task.await.unwrap();
    }
    let starts = starts.lock().unwrap();
    assert!(starts.windows(2).all(|two| two[1] - two[0] >= SECOND));
}

#[tokio::test(start_paused = true)]
async fn crawl_delay_holds_even_between_robots_txt_and_the_first_page() {
    let gate = gate(|_| ());
    drop(turn(&gate, "a.test").await);
    let start = Instant::now();
    drop(gate.acquire("a.test", None, 7 * SECOND).await.unwrap());
    assert_eq!(start.elapsed(), 7 * SECOND);
    let start = Instant::now();
    drop(gate.acquire("a.test", None, 10_000 * SECOND).await.unwrap());
    assert_eq!(start.elapsed(), Duration::from_mins(1), "capped");
}

#[tokio::test(start_paused = true)]
async fn a_slow_server_is_asked_less_often() {
    let gate = gate(|config| config.adaptive_factor = 2.0);
    let slot = turn(&gate, "a.test").await;
    slot.record_latency(4 * SECOND);
    drop(slot);
    let start = Instant::now();
    let slot = turn(&gate, "a.test").await;
    assert_eq!(start.elapsed(), 8 * SECOND);
    slot.record_latency(Duration::from_secs(1000));
    drop(slot);
    let start = Instant::now();
    drop(turn(&gate, "a.test").await);
    assert_eq!(start.elapsed(), 30 * SECOND, "capped");
}

#[tokio::test(start_paused = true)]
async fn no_delay_means_no_delay_but_for_those_who_ask() {
    let gate = gate(|config| {
        config.delay = Duration::ZERO;
        config.adaptive_factor = 2.0;
    });
    let start = Instant::now();
    for _ in 0..100 {
        turn(&gate, "a.test").await.record_latency(5 * SECOND);
    }
    assert_eq!(start.elapsed(), Duration::ZERO);
    drop(gate.acquire("a.test", None, SECOND).await.unwrap());
    assert_eq!(start.elapsed(), SECOND);
    turn(&gate, "b.test").await.back_off(Some(9 * SECOND));
    let start = Instant::now();
    drop(turn(&gate, "b.test").await);
    assert_eq!(start.elapsed(), 9 * SECOND);
}

#[tokio::test(start_paused = true)]
async fn an_overloaded_server_rests_longer_each_time() {
    let gate = gate(|_| ());
    let mut rests = Vec::new();
    for _ in 0..8 {
        turn(&gate, "a.test").await.back_off(None);
        rests.push((gate.ready_at("a.test").unwrap() - Instant::now()).as_secs());
    }
    assert_eq!(rests, [60, 120, 240, 480, 960, 1920, 3600, 3600]);
    let slot = turn(&gate, "a.test").await;
    slot.reset_backoff();
    slot.back_off(None);
    drop(slot);
    assert_eq!((gate.ready_at("a.test").unwrap() - Instant::now()).as_secs(), 60, "forgiven");
    turn(&gate, "b.test").await.back_off(Some(Duration::from_hours(100)));
    assert_eq!((gate.ready_at("b.test").unwrap() - Instant::now()).as_secs(), 3600, "capped");
}

#[tokio::test(start_paused = true)]
async fn nobody_waits_for_a_host_that_rests_long() {
    let gate = gate(|config| config.patience = Duration::from_mins(2));
    turn(&gate, "a.test").await.back_off(Some(Duration::from_mins(10)));
    let start = Instant::now();
    let failure = gate.acquire("a.test", None, Duration::ZERO).await.err().unwrap();
    assert_eq!((failure.class.as_str(), failure.retry), ("resting", true));
    assert_eq!(start.elapsed(), Duration::ZERO);
    tokio::time::advance(Duration::from_mins(9)).await;
    drop(turn(&gate, "a.test").await);
    assert_eq!(start.elapsed(), Duration::from_mins(10), "a minute is waited for");
}

#[tokio::test(start_paused = true)]
async fn those_who_owe_nothing_are_forgotten() {
    let gate = gate(|config| config.per_ip = 1);
    for n in 0..3 * SWEEP_FROM {
        let octets = u32::try_from(n).unwrap().to_be_bytes();
        drop(gate.acquire(&format!("h{n}.test"), Some(octets.into()), Duration::ZERO).await);
        tokio::time::advance(Duration::from_millis(1)).await;
    }
    let (hosts, addresses) = gate.tracked_counts();
    assert!(hosts <= SWEEP_FROM && addresses <= SWEEP_FROM, "{hosts} {addresses}");
    // Hosts that are still backing off are kept.
    turn(&gate, "rests.test").await.back_off(Some(Duration::from_mins(30)));
    for n in 0..3 * SWEEP_FROM {
        drop(turn(&gate, &format!("g{n}.test")).await);
        tokio::time::advance(Duration::from_millis(1)).await;
    }
    assert!(gate.ready_at("rests.test").unwrap() > Instant::now() + Duration::from_mins(20));
}

#[tokio::test(start_paused = true)]
async fn the_total_is_bounded() {
    let gate =
        Arc::new(PolitenessGate::new(&PolitenessConfig { per_ip: 0, ..PolitenessConfig::default() }, 2));
    let held = (turn(&gate, "a.test").await, turn(&gate, "b.test").await);
    let third = tokio::spawn({
        let gate = gate.clone();
        async move { drop(turn(&gate, "c.test").await) }
    });
    tokio::time::sleep(SECOND).await;
    assert!(!third.is_finished());
    drop(held);
    third.await.unwrap();
}

#[test]
fn retry_after_is_seconds_or_a_date() {
    let now = httpdate::parse_http_date("Sun, 06 Nov 1994 08:49:37 GMT").unwrap();
    for (value, seconds) in [
        ("120", Some(120)),
        (" 5 ", Some(5)),
        ("Sun, 06 Nov 1994 08:50:07 GMT", Some(30)),
        ("Sun, 06 Nov 1994 08:00:00 GMT", Some(0)),
        ("Sunday, 06-Nov-94 08:50:37 GMT", Some(60)),
        ("-5", None),
        ("soon", None),
        ("99999999999999999999999999", None),
    ] {
        assert_eq!(parse_retry_after(value, now).map(|wait| wait.as_secs()), seconds, "{value}");
    }
}
