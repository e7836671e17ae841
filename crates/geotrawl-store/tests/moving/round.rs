use crate::{connect, database, directory, move_all, server};
use geotrawl_model::FinishedItem;
use geotrawl_model::store::CrawlStore;
use geotrawl_store::store_copy::copied_tables;
use geotrawl_store::{EmbeddedStore, KnownUrlLimits, StoreOptions};
use geotrawl_testkit::builders::{TestCrawl, finished_item, new_link, ok_outcome, service};
use geotrawl_testkit::postgres;
use rusqlite::types::Value;
use std::collections::BTreeMap;
use std::path::Path;

/// An unfinished crawl: pages, links to many hosts, some not yet crawled, and a find.
fn crawl(store: &dyn CrawlStore) {
    let mut crawl = TestCrawl::open(store, "halfway");
    crawl.add_links(&[new_link("http://a.example/")]);
    let first = crawl.pending_on_host("http://a.example/").remove(0);
    let links = (0..700).map(|n| new_link(&format!("http://h{}.example/page/{n}", n % 60))).collect();
    crawl.commit(vec![FinishedItem { links, ..finished_item(first, ok_outcome()) }]);
    for n in 0..20 {
        let item = crawl.pending_on_host(&format!("http://h{n}.example/")).remove(0);
        let mut page = finished_item(item, ok_outcome());
        page.links = vec![new_link(&format!("http://late{n}.example/")), new_link("http://a.example/")];
        if n % 5 == 0 {
            page.found = vec![service("wms", &format!("http://h{n}.example/wms"), &["roads", "rivers"])];
        }
        crawl.commit(vec![page]);
    }
}

/// Adds rows to every table that the crawl left empty, with all types of values in every column.
fn fill(path: &Path) {
    let conn = rusqlite::Connection::open(path.join("geotrawl.db")).unwrap();
    // The continued crawls parse these.
    let robots = r#"{"rules":"User-agent: *\nDisallow: /x\n"}"#;
    conn.execute("INSERT INTO robots VALUES (1, '2026-09-21T14:13:23Z', ?1)", [robots]).unwrap();
    for table in copied_tables() {
        let columns: Vec<(String, String, bool)> = conn
            .prepare("SELECT name, type, \"notnull\" OR pk FROM pragma_table_info(?1)")
            .unwrap()
            .query_map([table.name], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
            .unwrap()
            .map(Result::unwrap)
            .collect();
        let is_empty: bool = conn
            .query_row(&format!("SELECT NOT EXISTS (SELECT 1 FROM {})", table.name), [], |row| row.get(0))
            .unwrap();
        if !is_empty {
            continue;
        }
        for n in 0..3_i64 {
            let value = |(at, (_, kind, needed)): (usize, &(String, String, bool))| match (n, kind.as_str()) {
                (2, _) if !needed => Value::Null,
                (_, "INTEGER") => Value::Integer([7, i64::MAX >> 9, 3][n as usize] + at as i64),
                (_, "REAL") => Value::Real([-179.999_999_999_9, 0.1 + 0.2, 1e300][n as usize]),
                (_, "TEXT") => {
                    Value::Text(format!("{n} é\u{1F30D}\n\t\\N \"{{}}\" {}", "x".repeat(n as usize * 300)))
                }
                (_, "BLOB") => Value::Blob(vec![0, 255, n as u8, at as u8]),
                (_, other) => panic!("{other}"),
            };
            let values: Vec<Value> = columns.iter().enumerate().map(value).collect();
            let places = vec!["?"; values.len()].join(", ");
            let insert = format!("INSERT INTO {} VALUES ({places})", table.name);
            conn.execute(&insert, rusqlite::params_from_iter(values))
                .unwrap_or_else(|error| panic!("{insert}: {error}"));
        }
    }
    // Numbers of deleted rows must not be assigned again.
    conn.execute("UPDATE sqlite_sequence SET seq = 5000 WHERE name = 'user_account'", []).unwrap();
    conn.execute("DELETE FROM user_account WHERE id > 7", []).unwrap();
}

/// Returns everything in a file, table by table, in order.
fn contents(path: &Path) -> BTreeMap<String, Vec<String>> {
    let conn = rusqlite::Connection::open(path.join("geotrawl.db")).unwrap();
    let mut contents = BTreeMap::new();
    for table in copied_tables() {
        let columns: Vec<String> = table.columns.iter().map(|name| format!("quote(t.\"{name}\")")).collect();
        let from = if table.name == "queue" {
            let columns = table.columns.join(", ");
            let inbox = columns.replace("attempts", "0 AS attempts");
            format!("(SELECT {columns} FROM queue UNION ALL SELECT {inbox} FROM inbox)")
        } else {
            table.name.to_owned()
        };
        let skip = if table.name == "meta" { "WHERE key NOT IN ('seen_key', 'next_item')" } else { "" };
        let sql = format!("SELECT {} FROM {from} t {skip} ORDER BY 1", columns.join(" || ',' || "));
        let rows = conn
            .prepare(&sql)
            .unwrap()
            .query_map([], |row| row.get(0))
            .unwrap()
            .map(Result::unwrap)
            .collect();
        contents.insert(table.name.to_owned(), rows);
    }
    let counters = conn
        .prepare("SELECT name || seq FROM sqlite_sequence WHERE name <> 'seen_segment' ORDER BY 1")
        .unwrap()
        .query_map([], |row| row.get(0))
        .unwrap()
        .map(Result::unwrap)
        .collect();
    contents.insert("counters".to_owned(), counters);
    contents
}

/// Continues the crawl. Returns how many links are new, among known and unknown ones.
fn goes_on(store: &dyn CrawlStore) -> (u64, u64, u64, Vec<String>) {
    let mut crawl = TestCrawl::open(store, "halfway");
    let known: Vec<_> = (0..700)
        .map(|n| format!("http://h{}.example/page/{n}", n % 60))
        .chain((0..20).map(|n| format!("http://late{n}.example/")))
        .chain(["http://a.example/".to_owned()])
        .map(|url| new_link(&url))
        .collect();
    let again = crawl.add_links(&known);
    let new = crawl.add_links(&[new_link("http://a.example/new"), new_link("http://new.example/")]);
    // A new item must not get the number of a page.
    let item = crawl.pending_item("http://new.example/");
    assert_eq!(crawl.commit(vec![finished_item(item, ok_outcome())]).ignored, 0);
    let counters = store.run_counters(crawl.run).unwrap();
    let pending = crawl.pending_on_host("http://h7.example/").into_iter().map(|item| item.url).collect();
    (again, new, counters.pending, pending)
}

#[test]
fn everything_comes_through_a_database_and_back() {
    let Some(database) = database() else { return };
    let (start, end) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let seen = KnownUrlLimits { memtable_keys: 100, fan_out: 2, hot_keys: 8 };
    let options = StoreOptions { seen, ..StoreOptions::default() };
    crawl(&EmbeddedStore::open_with(start.path(), options).unwrap());
    fill(start.path());

    move_all(&directory(start.path()), &server(&database));
    move_all(&server(&database), &directory(end.path()));

    let (before, after) = (contents(start.path()), contents(end.path()));
    for (table, rows) in &before {
        assert!(!rows.is_empty(), "{table} was not tried");
        assert_eq!(rows, &after[table], "{table}");
    }

    // The first account created after a copy gets an unused number.
    let given = postgres::query_column(&database.url, "SELECT nextval('geotrawl.user_account_id_seq')");
    assert_eq!(given, ["5001"]);
    // The same crawl continues in all three stores, and no known link becomes new.
    let first = goes_on(&EmbeddedStore::open(start.path()).unwrap());
    assert_eq!((first.0, first.1), (0, 2));
    assert_eq!(goes_on(&connect(&database.url)), first);
    assert_eq!(goes_on(&EmbeddedStore::open(end.path()).unwrap()), first);
}

#[test]
fn a_store_is_copied_to_its_own_kind() {
    let Some(database) = database() else { return };
    let places: Vec<_> = (0..3).map(|_| tempfile::tempdir().unwrap()).collect();
    crawl(&EmbeddedStore::open(places[0].path()).unwrap());
    fill(places[0].path());
    move_all(&directory(places[0].path()), &directory(places[1].path()));
    let other = geotrawl_store::store_copy::CopyEndpoint::Database(format!("{}?schema=other", database.url));
    move_all(&directory(places[1].path()), &server(&database));
    move_all(&server(&database), &other);
    move_all(&other, &directory(places[2].path()));
    assert_eq!(contents(places[0].path()), contents(places[2].path()));
    assert_eq!(goes_on(&connect(&format!("{}?schema=other", database.url))).0, 0);
}

#[test]
fn a_text_that_postgresql_cannot_keep_is_told_and_no_obstacle() {
    let Some(database) = database() else { return };
    let place = tempfile::tempdir().unwrap();
    drop(EmbeddedStore::open(place.path()).unwrap());
    let conn = rusqlite::Connection::open(place.path().join("geotrawl.db")).unwrap();
    conn.execute("INSERT INTO setting (key, value) VALUES ('a', 'x' || char(0) || 'y')", []).unwrap();
    drop(conn);
    let copied = crate::moved(&directory(place.path()), &server(&database)).unwrap();
    assert!(copied.is_same());
    assert_eq!(copied.altered, 1);
    assert_eq!(postgres::query_column(&database.url, "SELECT value FROM geotrawl.setting"), ["x\u{fffd}y"]);
}
