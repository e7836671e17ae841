use crate::{connect, database};
use geotrawl_store::EmbeddedStore;
use geotrawl_store::store_copy::copied_tables;
use geotrawl_testkit::postgres;
use std::collections::{BTreeMap, BTreeSet};

/// Tables that exist only in a file: known links, which are rebuilt from the items, and the inbox,
/// whose items become part of the queue.
const ONLY_IN_A_FILE: &[&str] = &["inbox", "seen_block", "seen_log", "seen_segment"];
/// Tables that exist only in a database: known links again, and data of running processes.
const ONLY_IN_A_DATABASE: &[&str] = &["claim", "process", "seen"];
/// Columns of copied tables that exist only in a file: chains of the inbox.
const OWN_OF_A_FILE: &[(&str, &str)] = &[("host_run", "inbox"), ("host_run", "inbox_length")];
/// Columns that exist only in a database: shards, leases, generated geometries, bytes of the
/// secret, a derived flag.
const OWN_OF_A_DATABASE: &[(&str, &str)] = &[
    ("host", "shard"),
    ("host", "owner"),
    ("host", "token"),
    ("host", "expires"),
    ("host", "rest_until"),
    ("host_run", "shard"),
    ("queue", "shard"),
    ("page", "shard"),
    ("meta", "bytes"),
    ("run", "knows"),
    ("resource", "geom"),
    ("dataset", "geom"),
];

type TableColumns = BTreeMap<String, BTreeSet<String>>;

/// Returns the copied tables, plus those that only this engine has.
fn expected(only: &[&str], own: &[(&str, &str)], real: &TableColumns) -> TableColumns {
    let mut expected = TableColumns::new();
    for table in copied_tables() {
        let own = own.iter().filter(|(name, _)| *name == table.name).map(|(_, column)| *column);
        let columns = table.columns.into_iter().chain(own).map(str::to_owned).collect();
        assert!(expected.insert(table.name.to_owned(), columns).is_none(), "{} is listed twice", table.name);
    }
    for name in only {
        expected.insert((*name).to_owned(), real.get(*name).cloned().unwrap_or_default());
    }
    expected
}

fn columns_of(rows: impl Iterator<Item = (String, String)>) -> TableColumns {
    let mut columns = TableColumns::new();
    for (table, column) in rows {
        columns.entry(table).or_default().insert(column);
    }
    columns
}

#[test]
fn every_table_of_a_file_is_copied_or_left_out_on_purpose() {
    let place = tempfile::tempdir().unwrap();
    drop(EmbeddedStore::open(place.path()).unwrap());
    let conn = rusqlite::Connection::open(place.path().join("geotrawl.db")).unwrap();
    let mut select = conn
        .prepare(
            "SELECT t.name, c.name FROM sqlite_schema t, pragma_table_xinfo(t.name) c \
             WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%'",
        )
        .unwrap();
    let rows = select.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
    let real = columns_of(rows.map(Result::unwrap));
    assert_eq!(real, expected(ONLY_IN_A_FILE, OWN_OF_A_FILE, &real));
}

#[test]
fn every_table_of_a_database_is_copied_or_left_out_on_purpose() {
    let Some(database) = database() else { return };
    drop(connect(&database.url));
    let ask =
        |sql: &str| -> BTreeSet<String> { postgres::query_column(&database.url, sql).into_iter().collect() };
    let rows = ask("SELECT c.table_name || ' ' || c.column_name FROM information_schema.columns c \
         JOIN information_schema.tables t USING (table_schema, table_name) \
         WHERE c.table_schema = 'geotrawl' AND t.table_type = 'BASE TABLE'");
    let pair =
        |row: &String| row.split_once(' ').map(|(table, column)| (table.to_owned(), column.to_owned()));
    let real = columns_of(rows.iter().filter_map(pair));
    assert_eq!(real, expected(ONLY_IN_A_DATABASE, OWN_OF_A_DATABASE, &real));

    // Every sequence is carried over.
    let counted = ask("SELECT table_name || ' ' || column_name FROM information_schema.columns \
         WHERE table_schema = 'geotrawl' AND is_identity = 'YES'");
    let told = copied_tables().into_iter().filter(|table| table.counted);
    assert_eq!(counted, told.map(|table| format!("{} {}", table.name, table.columns[0])).collect());

    let sharded = ask("SELECT table_name FROM information_schema.columns WHERE table_schema = 'geotrawl' \
         AND column_name = 'shard' AND table_name <> 'seen'");
    let told = copied_tables().into_iter().filter(|table| table.sharded);
    assert_eq!(sharded, told.map(|table| table.name.to_owned()).collect());
}
