//! Compares the set with a plain model, with limits so small that every layer is used.

use super::*;
use std::collections::HashSet;

const RUN: RunId = 1;
const LIMITS: KnownUrlLimits = KnownUrlLimits { memtable_keys: 700, fan_out: 3, hot_keys: 64 };

fn database() -> Connection {
    let mut conn = Connection::open_in_memory().unwrap();
    super::super::schema::migrate(&mut conn).unwrap();
    conn.execute("INSERT INTO run (task, spec, state, started, changed) VALUES (1, '', 'running', 0, 0)", [])
        .unwrap();
    conn
}

/// Deterministic sequence of pseudo-random numbers.
struct KeySequence(u64);

impl KeySequence {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }

    fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }
}

fn key(number: u64) -> u128 {
    let mut numbers = KeySequence(number);
    (u128::from(numbers.next()) << 64) | u128::from(numbers.next())
}

/// Adds keys the way a batch does and returns how many were new.
fn add(conn: &Connection, set: &mut KnownUrlSet, keys: &[u128]) -> usize {
    let tx = begin(conn).unwrap();
    let fresh = set.find_new(&tx, keys).unwrap();
    let new: Vec<u128> = keys.iter().zip(fresh).filter(|(_, fresh)| *fresh).map(|(key, _)| *key).collect();
    set.append_log(&tx, &new).unwrap();
    tx.commit().unwrap();
    set.add_committed_keys(&new);
    set.maintain(conn, new.len()).unwrap();
    new.len()
}

#[test]
fn it_agrees_with_a_plain_set_through_flushes_merges_and_restarts() {
    let conn = database();
    let mut set = KnownUrlSet::load(&conn, RUN, LIMITS).unwrap();
    let mut model: HashSet<u128> = HashSet::new();
    let mut numbers = KeySequence(1);
    for round in 0..400 {
        let mut keys: Vec<u128> = (0..numbers.below(200)).map(|_| key(numbers.below(40_000))).collect();
        if round % 50 == 0 {
            keys.extend([0, 1, u128::MAX, u128::MAX - 1, u128::from(u64::MAX), u128::MAX << 64]);
        }
        let expected = keys.iter().filter(|key| model.insert(**key)).count();
        assert_eq!(add(&conn, &mut set, &keys), expected, "round {round}");
        // A restart during a merge: its output was not live and is discarded.
        if numbers.below(25) == 0 {
            set = KnownUrlSet::load(&conn, RUN, LIMITS).unwrap();
        }
    }
    assert!(set.segments.iter().any(|segment| segment.level >= 2), "no merge of merged segments happened");
    let all: Vec<u128> = model.iter().copied().collect();
    assert_eq!(add(&conn, &mut set, &all), 0);
    let absent: Vec<u128> = (100_000..130_000).map(key).collect();
    let fresh = set.find_new(&conn, &absent).unwrap();
    assert!(fresh.iter().all(|fresh| *fresh), "a false positive of a filter was taken for a known key");
}

#[test]
fn a_rolled_back_batch_leaves_no_trace() {
    let conn = database();
    let mut set = KnownUrlSet::load(&conn, RUN, LIMITS).unwrap();
    let keys: Vec<u128> = (0..500).map(key).collect();
    {
        let tx = begin(&conn).unwrap();
        assert!(set.find_new(&tx, &keys).unwrap().iter().all(|fresh| *fresh));
        set.append_log(&tx, &keys).unwrap();
    }
    assert_eq!(add(&conn, &mut set, &keys), 500);
    assert_eq!(KnownUrlSet::load(&conn, RUN, LIMITS).unwrap().memtable.len(), 500);
}

#[test]
fn a_failed_merge_is_begun_anew() {
    let conn = database();
    let mut set = KnownUrlSet::load(&conn, RUN, LIMITS).unwrap();
    let all: Vec<u128> = (0..6_000).map(key).collect();
    for keys in all.chunks(700).take(2) {
        add(&conn, &mut set, keys);
    }
    set.append_log(&conn, &all[1_400..2_100]).unwrap();
    set.add_committed_keys(&all[1_400..2_100]);
    set.flush(&conn).unwrap();
    set.start_merges(&conn).unwrap();
    set.advance_merge(&conn, 600).unwrap();
    assert_eq!(set.merges.len(), 1, "no merge is in progress");
    conn.pragma_update(None, "query_only", true).unwrap();
    assert!(set.maintain(&conn, 10_000).is_err());
    assert_eq!((set.merges.len(), set.garbage.len()), (0, 1), "the failed merge was kept");
    conn.pragma_update(None, "query_only", false).unwrap();
    assert_eq!(add(&conn, &mut set, &all), all.len() - 2_100);
    assert_eq!(add(&conn, &mut set, &all), 0);
}

#[test]
fn dead_segments_are_deleted_and_forgetting_leaves_nothing() {
    let conn = database();
    let mut set = KnownUrlSet::load(&conn, RUN, LIMITS).unwrap();
    for n in 0..60_u64 {
        let keys: Vec<u128> = (n * 500..(n + 1) * 500).map(key).collect();
        add(&conn, &mut set, &keys);
    }
    while !set.garbage.is_empty() || !set.merges.is_empty() {
        set.maintain(&conn, 10_000).unwrap();
    }
    let blocks = |conn: &Connection| -> i64 {
        conn.query_row("SELECT count(*) FROM seen_block", [], |row| row.get(0)).unwrap()
    };
    assert_eq!(blocks(&conn), set.segments.iter().map(KeySegment::block_count).sum::<i64>());
    forget_run(&conn, RUN).unwrap();
    assert_eq!(blocks(&conn), 0);
    assert_eq!(add(&conn, &mut KnownUrlSet::load(&conn, RUN, LIMITS).unwrap(), &[key(1)]), 1);
}

#[test]
fn a_segment_that_lost_a_block_is_noticed() {
    let conn = database();
    let mut set = KnownUrlSet::load(&conn, RUN, LIMITS).unwrap();
    add(&conn, &mut set, &(0..900).map(key).collect::<Vec<_>>());
    conn.execute("DELETE FROM seen_block WHERE id = (SELECT max(id) FROM seen_block)", []).unwrap();
    let Err(fault) = KnownUrlSet::load(&conn, RUN, LIMITS) else { panic!("the lost block was not noticed") };
    assert!(fault.cause().contains("damaged"), "{}", fault.cause());
}
