//! Tests the frontier on a real server, with the few other tables it needs.

use super::*;
use crate::backend::postgres::location::DatabaseLocation;
use crate::backend::postgres::pool::ConnectionPool;
use crate::sql::params;
use geotrawl_model::{FinishedItem, FrontierEntry, PageOutcome};
use geotrawl_testkit::postgres;

const BESIDE: &str = "CREATE TABLE run (id bigint PRIMARY KEY, pages bigint NOT NULL DEFAULT 0, \
                      known bigint NOT NULL DEFAULT 0, pending bigint NOT NULL DEFAULT 0); \
                      CREATE TABLE robots (host bigint PRIMARY KEY, fetched_at text NOT NULL, verdict text NOT NULL); \
                      INSERT INTO run (id) VALUES (1), (2)";

pub(super) struct FrontierTestDatabase {
    _database: postgres::TestDatabase,
    pool: ConnectionPool,
}

impl FrontierTestDatabase {
    pub fn new() -> Option<Self> {
        let database = postgres::TestDatabase::new(|_| {})?;
        let pool = ConnectionPool::new(DatabaseLocation::parse(&database.url).unwrap(), 8).unwrap();
        let client = pool.get().unwrap();
        let session = client.client().unwrap();
        session.execute_batch("CREATE SCHEMA geotrawl").unwrap();
        session.execute_batch(include_str!("../schema/frontier.sql")).unwrap();
        session.execute_batch(BESIDE).unwrap();
        drop(client);
        Some(Self { _database: database, pool })
    }

    pub fn with_session<T>(&self, work: impl FnOnce(&Session) -> DatabaseResult<T>) -> T {
        let client = self.pool.get().unwrap();
        work(client.client().unwrap()).unwrap()
    }
}

pub(super) fn new_process(hot_keys: usize) -> SharedFrontier {
    SharedFrontier::new(&[7; 16], &FrontierOptions { hot_keys, ..FrontierOptions::default() })
}

fn count(conn: Conn<'_>, run: RunId, part: &FrontierCommit) -> DatabaseResult<()> {
    conn.execute(
        "UPDATE run SET pages = pages + ?2, known = known + ?3, pending = pending + ?4 WHERE id = ?1",
        params![run, part.counted.pages as i64, part.counted.known as i64, part.pending],
    )?;
    Ok(())
}

pub(super) fn make_link(host: &str, path: &str, priority: u32) -> NewLink {
    NewLink {
        key: format!("page {host}{path}"),
        url: format!("{host}{path}"),
        host: host.to_owned(),
        priority,
        way: "href".into(),
        ..NewLink::default()
    }
}

pub(super) fn finish_item(item: FrontierEntry) -> FinishedItem {
    let outcome = PageOutcome { class: "ok".to_owned(), ..PageOutcome::default() };
    FinishedItem::new(item, outcome)
}

fn batch(done: Vec<FinishedItem>) -> CrawlBatch {
    CrawlBatch { run: 1, done, ..CrawlBatch::default() }
}

#[test]
fn a_batch_goes_round() {
    let Some(place) = FrontierTestDatabase::new() else { return };
    let one = new_process(1024);
    let links = [
        make_link("http://a.example", "/1", 5),
        make_link("http://a.example", "/2", 3),
        make_link("http://b.example", "/\0", 9),
    ];
    let added = place.with_session(|s| one.add_links(s, 1, &links, |conn, part| count(conn, 1, part)));
    assert_eq!((added.new, added.known, added.hosts.len()), (3, 0, 2));
    let again = new_process(1024);
    let added = place.with_session(|s| again.add_links(s, 1, &links, |conn, part| count(conn, 1, part)));
    assert_eq!((added.new, added.known), (0, 3));
    let hosts = place.with_session(|s| one.hosts_with_work(s, 1, 10, &|_| false));
    assert_eq!(
        hosts.iter().map(|host| (host.best_priority, host.pending)).collect::<Vec<_>>(),
        [(3, 2), (9, 1)]
    );
    assert!(one.lease_covers_request(hosts[0].host));
    assert!(place.with_session(|s| again.hosts_with_work(s, 1, 10, &|_| false)).is_empty());
    let items = place.with_session(|s| block_on(read::read_pending(s, 1, hosts[0].host, 10, &|_| false)));
    assert_eq!(items[0].url, "http://a.example/2");
    let retry = FinishedItem {
        outcome: PageOutcome { retry: true, ..finish_item(items[0].clone()).outcome },
        ..finish_item(items[0].clone())
    };
    let first = FinishedItem {
        links: vec![make_link("http://c.example", "/", 1), links[0].clone()],
        ..finish_item(items[1].clone())
    };
    let (part, ()) = place.with_session(|s| {
        one.commit_batch(s, &batch(vec![retry, first.clone(), first]), |conn, part| count(conn, 1, part))
    });
    assert_eq!((part.taken.as_slice(), part.ignored, part.pending), ([0, 1].as_slice(), 1, 0));
    assert_eq!((part.added.new, part.added.known, part.counted.hosts), (1, 1, 1));
    let past = place.with_session(|s| block_on(read::read_history(s, 1, hosts[0].host, 5)));
    assert_eq!(past[0].url, "http://a.example/1");
    let hosts = place.with_session(|s| one.hosts_with_work(s, 1, 10, &|_| false));
    assert_eq!(hosts.iter().map(|host| host.best_priority).collect::<Vec<_>>(), [1, 9, 1003]);
    assert_eq!(
        place.with_session(|s| block_on(read::read_best_hosts(s, 1, 2))),
        [hosts[0].host, hosts[1].host]
    );
    assert!(!place.with_session(|s| block_on(read::is_exhausted(s, 1))));
    assert!(place.with_session(|s| block_on(read::is_exhausted(s, 2))));
}
