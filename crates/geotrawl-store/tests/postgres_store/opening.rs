use crate::{ask, open};
use geotrawl_model::StoreError;
use geotrawl_model::store::CrawlStore;
use geotrawl_store::{PostgresOptions, PostgresStore};
use geotrawl_testkit::builders::{TestCrawl, new_link};
use geotrawl_testkit::postgres;

/// Creates a database without our tables.
fn empty() -> Option<postgres::TestDatabase> {
    let database = crate::database()?;
    postgres::execute_sql(&database.url, "DROP SCHEMA geotrawl CASCADE");
    Some(database)
}

fn refusal(url: &str) -> StoreError {
    PostgresStore::connect(url, &PostgresOptions::default()).err().expect("it is refused")
}

#[test]
fn the_first_of_many_makes_the_tables() {
    let Some(database) = empty() else { return };
    std::thread::scope(|scope| {
        let all: Vec<_> = (0..6).map(|_| scope.spawn(|| open(&database.url))).collect();
        for one in all {
            let store = one.join().unwrap();
            assert_eq!(store.seed_lists().unwrap(), []);
        }
    });
    assert_eq!(ask(&database.url, "SELECT value FROM geotrawl.meta WHERE key = 'schema'"), ["2"]);
}

#[test]
fn schemas_of_one_database_are_stores_of_their_own() {
    let Some(database) = crate::database() else { return };
    let (one, other) = (open(&database.url), open(&format!("{}?schema=other", database.url)));
    let here = TestCrawl::open(&one, "a");
    here.add_links(&[new_link("http://a.example/")]);
    let there = TestCrawl::open(&other, "b");
    assert!(there.host_of("http://a.example/").is_none());
    assert_eq!(there.add_links(&[new_link("http://a.example/")]), 1);
    assert_eq!(ask(&database.url, "SELECT name FROM other.task"), ["b"]);
    assert_eq!(ask(&database.url, "SELECT name FROM geotrawl.task"), ["a"]);
}

#[test]
fn a_newer_store_refuses_an_older_program_only_when_it_says_so() {
    let Some(database) = crate::database() else { return };
    postgres::execute_sql(&database.url, "UPDATE geotrawl.meta SET value = 7 WHERE key = 'schema'");
    drop(open(&database.url));
    postgres::execute_sql(&database.url, "UPDATE geotrawl.meta SET value = 7 WHERE key = 'least_program'");
    assert!(matches!(refusal(&database.url), StoreError::TooNew { found: 7, known: 2, .. }));
}

#[test]
fn a_database_without_postgis_is_told_what_it_lacks() {
    let Some(database) = empty() else { return };
    let role = format!("plain_{}", std::process::id());
    postgres::execute_sql(&database.url, "DROP EXTENSION postgis CASCADE");
    postgres::execute_sql(
        &database.url,
        &format!(
            "DO $$ BEGIN CREATE ROLE {role} LOGIN PASSWORD 'plain'; EXCEPTION WHEN duplicate_object THEN NULL; END $$"
        ),
    );
    let mut url = url::Url::parse(&database.url).unwrap();
    url.set_username(&role).unwrap();
    url.set_password(Some("plain")).unwrap();
    let said = refusal(url.as_str()).to_string();
    assert!(said.contains("CREATE EXTENSION postgis") && said.contains("-postgis-3"), "{said}");
    assert!(!said.contains("plain@") && !said.contains(":plain"), "no password: {said}");
    postgres::execute_sql(&database.url, &format!("DROP ROLE {role}"));
}

#[test]
fn an_address_that_leads_nowhere_is_told_as_one() {
    assert!(matches!(refusal("postgres://h/d?sslmode=perhaps"), StoreError::Open { .. }));
    // After the listener is dropped, nothing listens on its port.
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let error = refusal(&format!("postgres://x@127.0.0.1:{port}/none"));
    assert!(error.is_unavailable(), "{error}");
    assert!(error.to_string().starts_with("the database cannot be reached"), "{error}");
}
