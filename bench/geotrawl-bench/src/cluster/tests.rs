use super::audit::PolitenessAudit;
use super::plan::{ChaosEvent, ChaosPlan, ChaosRng};
use super::relay::TcpRelay;
use super::repeats::{ItemSet, KilledWorker, RepeatedRequests};
use clap::Parser;
use geotrawl_simweb::{GroundTruth, LogEntry};
use std::collections::HashMap;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::time::Duration;

fn asked(t: f64, host: &str, target: &str, worker: usize) -> LogEntry {
    LogEntry {
        t,
        end: t + 0.1,
        host: host.into(),
        method: "GET".into(),
        target: target.into(),
        agent: format!("worker {worker}"),
        status: 200,
        bytes: 100,
        given_up: false,
    }
}

fn items(addresses: &[&str]) -> ItemSet {
    ItemSet::new(addresses.iter().map(|address| ((*address).to_owned(), "page".to_owned())).collect())
}

#[test]
fn a_pause_is_counted_from_the_end_of_an_answer() {
    let truth = GroundTruth::default();
    let log = [asked(0.0, "a", "/1", 1), asked(1.1, "a", "/2", 2), asked(0.5, "b", "/", 1)];
    let audit = PolitenessAudit::from_log(&log, &truth, 1.0, &[]);
    assert!(audit.impolite.is_empty() && (audit.shortest - 1.0).abs() < 1e-9, "{audit:?}");
    let log = [asked(0.0, "a", "/1", 1), asked(1.09, "a", "/2", 2), asked(1.1, "a", "/3", 1)];
    assert_eq!(PolitenessAudit::from_log(&log, &truth, 1.0, &[]).impolite.len(), 2);
}

#[test]
fn what_is_given_up_behind_a_cut_ends_when_the_server_hears_of_it() {
    let truth = GroundTruth::default();
    let given_up = LogEntry { end: 20.1, given_up: true, ..asked(0.0, "a", "/slow", 1) };
    let audit = |first: &LogEntry, worker, cuts: &[(f64, f64)]| {
        PolitenessAudit::from_log(&[first.clone(), asked(20.2, "a", "/2", worker)], &truth, 1.0, cuts)
    };
    let excused = audit(&given_up, 1, &[(5.0, 20.0)]);
    assert_eq!((excused.impolite.len(), excused.untold), (0, 1));
    // Neither another worker, nor a complete answer, nor a connection without a cut is an excuse.
    assert_eq!(audit(&given_up, 2, &[(5.0, 20.0)]).impolite.len(), 1);
    assert_eq!(audit(&LogEntry { given_up: false, ..given_up.clone() }, 1, &[(5.0, 20.0)]).impolite.len(), 1);
    assert_eq!(audit(&given_up, 1, &[(5.0, 15.0)]).impolite.len(), 1);
}

#[test]
fn only_what_was_in_flight_at_a_kill_may_be_asked_again() {
    let closed = items(&["a /1", "a /2", "a /3"]);
    let log = [
        asked(0.0, "a", "/1", 1),
        asked(1.0, "a", "/2", 1),
        asked(2.0, "a", "/3", 1),
        // /2 was in flight, /3 was not, /1 is requested again by a live worker.
        asked(140.0, "a", "/2", 2),
        asked(141.0, "a", "/3", 2),
        asked(142.0, "a", "/1", 2),
    ];
    let killed =
        [KilledWorker { agent: "worker 1".into(), at: 2.5, pending: Some(Arc::new(items(&["a /2"]))) }];
    let repeats = RepeatedRequests::from_log(&log, &HashMap::new(), &killed, &closed);
    assert_eq!(
        (repeats.by_kill, repeats.unexplained.len(), repeats.in_flight),
        (1, 2, (1, 1, 1)),
        "{repeats:?}"
    );
    // A kill justifies one repetition, not two, and none before it.
    let again = [asked(0.0, "a", "/2", 1), asked(3.0, "a", "/2", 2), asked(4.0, "a", "/2", 3)];
    assert_eq!(RepeatedRequests::from_log(&again, &HashMap::new(), &killed, &closed).unexplained.len(), 1);
    let early = [asked(0.0, "a", "/2", 1), asked(1.0, "a", "/2", 2)];
    assert_eq!(RepeatedRequests::from_log(&early, &HashMap::new(), &killed, &closed).unexplained.len(), 1);
}

#[test]
fn scripts_are_asked_for_once_by_each_process() {
    let log = [asked(0.0, "a", "/app.js", 1), asked(1.0, "a", "/app.js", 2), asked(2.0, "a", "/app.js", 2)];
    let repeats = RepeatedRequests::from_log(&log[..2], &HashMap::new(), &[], &items(&["a /"]));
    assert_eq!((repeats.by_process, repeats.unexplained.len()), (1, 0));
    let repeats = RepeatedRequests::from_log(&log, &HashMap::new(), &[], &items(&["a /"]));
    assert_eq!(repeats.unexplained.len(), 2, "{repeats:?}");
}

#[derive(Parser)]
struct CommandLine {
    #[command(flatten)]
    chaos: super::chaos::ChaosOptions,
}

#[test]
fn a_plan_has_everything_and_is_the_same_again() {
    let options = CommandLine::parse_from(["chaos"]).chaos;
    for seed in 0..50 {
        let events = ChaosPlan::draw_events(&options, &mut ChaosRng::new(seed)).events;
        assert_eq!(events, ChaosPlan::draw_events(&options, &mut ChaosRng::new(seed)).events);
        let count =
            |wanted: fn(&ChaosEvent) -> bool| events.iter().filter(|(_, event)| wanted(event)).count();
        assert_eq!(count(|event| *event == ChaosEvent::Fall), 3);
        assert_eq!(count(|event| matches!(event, ChaosEvent::Cut { .. })), 2);
        assert!(count(|event| *event == ChaosEvent::Kill) >= 10, "{seed}");
        // The database does not fail during a cut, and events do not overlap.
        let mut under_way = None;
        for (_, event) in &events {
            match event {
                ChaosEvent::Fall | ChaosEvent::Cut { .. } => {
                    assert!(under_way.replace(*event).is_none(), "{seed}: {events:?}");
                }
                ChaosEvent::Rise => assert_eq!(under_way.take(), Some(ChaosEvent::Fall)),
                ChaosEvent::Mend { .. } => assert!(matches!(under_way.take(), Some(ChaosEvent::Cut { .. }))),
                ChaosEvent::Kill | ChaosEvent::Start => {}
            }
        }
    }
}

#[test]
fn a_cut_wire_keeps_bytes_back_and_a_lossy_one_loses_them() {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let server = TcpListener::bind("127.0.0.1:0").unwrap();
    let relay = TcpRelay::start(runtime.handle(), server.local_addr().unwrap()).unwrap();
    let mut near = TcpStream::connect(relay.address).unwrap();
    let (mut far, _) = server.accept().unwrap();
    let mut byte = [0];
    near.write_all(b"a").unwrap();
    far.read_exact(&mut byte).unwrap();
    assert_eq!(&byte, b"a");
    relay.pause();
    near.write_all(b"b").unwrap();
    far.set_read_timeout(Some(Duration::from_millis(100))).unwrap();
    assert!(far.read_exact(&mut byte).is_err(), "nothing passes");
    relay.resume(false);
    far.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    far.read_exact(&mut byte).unwrap();
    assert_eq!(&byte, b"b", "it was only late");
    relay.pause();
    near.write_all(b"c").unwrap();
    relay.resume(true);
    assert_eq!(far.read(&mut byte).unwrap_or(0), 0, "it is gone, and so is the connection");
}
