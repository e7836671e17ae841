//! Tests of the SQL layer on both engines.

use super::{Conn, LockDomain, OptionalExtension, PgClient, SqlError};
use crate::backend::postgres::location::DatabaseLocation;
use crate::backend::postgres::pool::ConnectionPool;
use geotrawl_testkit::postgres;

/// Runs a test on a fresh database of each engine.
fn on_both(test: impl Fn(Conn<'_>)) {
    let lite = rusqlite::Connection::open_in_memory().unwrap();
    test(Conn::from(&lite));
    if let Some((_database, pool)) = pool() {
        let place = pool.get().unwrap();
        test(Conn::from(place.client().unwrap()));
    }
}

fn pool() -> Option<(postgres::TestDatabase, ConnectionPool)> {
    let database = postgres::TestDatabase::new(|_| {})?;
    let location = DatabaseLocation::parse(&database.url).unwrap();
    let pool = ConnectionPool::new(location, 3).unwrap();
    pool.get().unwrap().client().unwrap().execute_batch("CREATE SCHEMA geotrawl").unwrap();
    Some((database, pool))
}

const TABLE: &str =
    "CREATE TABLE thing (id bigint PRIMARY KEY, name text, size double precision, raw BYTEA, on_ bigint)";

#[test]
fn values_come_back_as_they_went_in() {
    on_both(|conn| {
        conn.execute(TABLE, []).unwrap();
        let insert = "INSERT INTO thing VALUES (?1, ?2, ?3, ?4, ?5)";
        let raw: &[u8] = &[0, 1, 255];
        let none: Option<&str> = None;
        let mut put = conn.prepare_cached(insert).unwrap();
        assert_eq!(put.execute(params![1, "é?1", 0.5, raw, true]).unwrap(), 1);
        assert_eq!(put.execute(params![2_u32, none, None::<f64>, None::<Vec<u8>>, None::<bool>]).unwrap(), 1);
        drop(put);
        let mut select =
            conn.prepare_cached("SELECT id, name, size, raw, on_ FROM thing ORDER BY id").unwrap();
        let mut rows = select.query([]).unwrap();
        let row = rows.next().unwrap().unwrap();
        assert_eq!(row.get::<i64>(0).unwrap(), 1);
        assert_eq!(row.get::<String>(1).unwrap(), "é?1");
        assert_eq!(row.get_ref(1).unwrap().as_str().unwrap(), "é?1");
        assert!((row.get::<f64>(2).unwrap() - 0.5).abs() < f64::EPSILON);
        assert_eq!(row.get::<[u8; 3]>(3).unwrap(), *raw);
        assert!(row.get::<bool>(4).unwrap());
        assert!(matches!(row.get::<i64>(1), Err(SqlError::Type { column: 1, .. })));
        let row = rows.next().unwrap().unwrap();
        assert_eq!(row.get::<u8>(0).unwrap(), 2);
        assert_eq!(row.get::<Option<String>>(1).unwrap(), None);
        assert!(row.get::<Option<bool>>(4).unwrap().is_none());
        assert!(rows.next().unwrap().is_none());
    });
}

#[test]
fn queries_have_their_shapes() {
    on_both(|conn| {
        conn.execute(TABLE, []).unwrap();
        for id in 0..10_i64 {
            conn.execute("INSERT INTO thing (id, name) VALUES (?, ?)", params![id, format!("n{id}")])
                .unwrap();
        }
        let mut some =
            conn.prepare_cached("SELECT name FROM thing WHERE id >= ?1 AND id < ?2 ORDER BY id").unwrap();
        let names: super::Result<Vec<String>> =
            some.query_map([3_i64, 6], |row| row.get(0)).unwrap().collect();
        assert_eq!(names.unwrap(), ["n3", "n4", "n5"]);
        assert!(some.exists([9_i64, 10]).unwrap());
        assert!(!some.exists([10_i64, 10]).unwrap());
        let none = some.query_row([10_i64, 10], |row| row.get::<String>(0)).optional().unwrap();
        assert_eq!(none, None);
        assert!(matches!(some.execute([1_i64]), Err(SqlError::Parameters { wanted: 2, given: 1 })));
        let sum: i64 = conn.query_row("SELECT sum(id) FROM thing", [], |row| row.get(0)).unwrap();
        assert_eq!(sum, 45);
        let like = format!("SELECT count(*) FROM thing WHERE name {} ?1", conn.like_operator());
        assert_eq!(conn.query_row(&like, ["N%"], |row| row.get::<i64>(0)).unwrap(), 10);
    });
}

#[test]
fn what_is_not_committed_is_not_there() {
    on_both(|conn| {
        conn.execute(TABLE, []).unwrap();
        let count = || conn.query_row("SELECT count(*) FROM thing", [], |row| row.get::<i64>(0)).unwrap();
        let tx = conn.transaction().unwrap();
        tx.conn().execute("INSERT INTO thing (id) VALUES (1)", []).unwrap();
        drop(tx);
        assert_eq!(count(), 0);
        let tx = conn.transaction().unwrap();
        tx.conn().execute("INSERT INTO thing (id) VALUES (1)", []).unwrap();
        tx.commit().unwrap();
        let snapshot = conn.snapshot().unwrap();
        assert_eq!(
            snapshot.conn().query_row("SELECT id FROM thing", [], |row| row.get::<i64>(0)).unwrap(),
            1
        );
        drop(snapshot);
        assert_eq!(count(), 1);
    });
}

#[test]
fn sums_are_read_as_what_they_are() {
    let Some((_database, pool)) = pool() else { return };
    let place = pool.get().unwrap();
    let conn = Conn::from(place.client().unwrap());
    for number in
        ["0", "-1", "10000", "123456789012", "-9223372036854775807", "1000000000000", "100000000000000000"]
    {
        let sql = format!("SELECT {number}::numeric");
        assert_eq!(conn.query_row(&sql, [], |row| row.get::<i64>(0)).unwrap().to_string(), number);
    }
    for (number, value) in [("1.5", 1.5), ("-0.0625", -0.0625), ("1e30", 1e30), ("12345.6789", 12345.6789)] {
        let sql = format!("SELECT {number}::numeric");
        let read = conn.query_row(&sql, [], |row| row.get::<f64>(0)).unwrap();
        assert!((read - value).abs() <= value.abs() * 1e-12, "{number}: {read}");
    }
    let text: String = conn.query_row("SELECT ?1::text", ["a\0b"], |row| row.get(0)).unwrap();
    assert_eq!(text, "a\u{fffd}b", "PostgreSQL cannot store NUL characters");
}

#[test]
fn a_pool_is_bounded_and_replaces_what_broke() {
    let Some((database, pool)) = pool() else { return };
    let pid = |client: &PgClient| -> i64 {
        Conn::from(client).query_row("SELECT pg_backend_pid()", [], |row| row.get(0)).unwrap()
    };
    let first = pool.get().unwrap();
    let number = pid(first.client().unwrap());
    drop(first);
    let again = pool.get().unwrap();
    assert_eq!(pid(again.client().unwrap()), number, "a connection is used again");
    postgres::execute_sql(&database.url, &format!("SELECT pg_terminate_backend({number})"));
    let error = Conn::from(again.client().unwrap()).query_row("SELECT 1", [], |_| Ok(())).unwrap_err();
    assert!(error.is_unavailable(), "{error}");
    drop(again);
    let (one, two, three) = (pool.get().unwrap(), pool.get().unwrap(), pool.get().unwrap());
    assert_ne!(pid(one.client().unwrap()), number);
    // The fourth waits for one of them.
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| pid(pool.get().unwrap().client().unwrap()));
        let freed = pid(two.client().unwrap());
        drop(two);
        assert_eq!(waiting.join().unwrap(), freed);
    });
    drop((one, three));
}

#[test]
fn a_domain_belongs_to_one_transaction_at_a_time() {
    let Some((_database, pool)) = pool() else { return };
    let try_lock = |client: &PgClient| -> bool {
        let conn = Conn::from(client);
        conn.query_row(
            "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND granted AND objid = 1",
            [],
            |row| row.get(0),
        )
        .unwrap()
    };
    let (one, two) = (pool.get().unwrap(), pool.get().unwrap());
    let (one, two) = (one.client().unwrap(), two.client().unwrap());
    let tx = Conn::from(one).transaction().unwrap();
    one.lock_domain(LockDomain::Catalogue).unwrap();
    assert!(try_lock(two));
    drop(tx);
    assert!(!try_lock(two), "the lock ends with the transaction");
}
