use crate::open;
use geotrawl_model::store::CrawlStore;
use geotrawl_testkit::builders::{TestCrawl, all_records, new_link, service};
use geotrawl_testkit::postgres::{self, PostgresServer};

#[test]
fn a_connection_that_was_cut_is_replaced() {
    let Some(database) = crate::database() else { return };
    let store = open(&database.url);
    let mut crawl = TestCrawl::open(&store, "a");
    crawl.add_resource("http://a.example/wms", service("wms", "http://a.example/wms", &["x"]));
    postgres::execute_sql(
        &database.url,
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() \
         AND pid <> pg_backend_pid()",
    );
    // Callers holding a connection when it breaks get an error; all others get a new connection.
    let mut refused = 0;
    let all = loop {
        let mut all = Vec::new();
        let read = store.visit_records(&geotrawl_model::RecordFilter::default(), &mut |record| {
            all.push(record);
            true
        });
        match read {
            Ok(()) => break all,
            Err(error) => assert!(error.is_unavailable(), "{error}"),
        }
        refused += 1;
        assert!(refused < 10);
    };
    assert_eq!(all.len(), 1);
    crawl.add_links(&[new_link("http://b.example/")]);
}

#[test]
fn a_server_that_falls_is_told_and_loses_nothing_that_was_acknowledged() {
    if !postgres::is_available() {
        return;
    }
    let cluster = PostgresServer::start(true).unwrap_or_else(|error| panic!("{error}"));
    postgres::execute_sql(&cluster.url("postgres"), "CREATE DATABASE falling");
    let store = open(&cluster.url("falling"));
    let mut crawl = TestCrawl::open(&store, "a");
    crawl.add_resource("http://a.example/wms", service("wms", "http://a.example/wms", &["x"]));
    assert!(cluster.stop_immediately());
    let error = store.run_counters(crawl.run).unwrap_err();
    assert!(error.is_unavailable(), "{error}");
    let error = store.add_links(crawl.run, &[new_link("http://b.example/")]).unwrap_err();
    assert!(error.is_unavailable(), "{error}");
    assert!(cluster.restart());
    assert_eq!(all_records(&store).len(), 1);
    crawl.add_resource("http://b.example/wms", service("wms", "http://b.example/wms", &["y"]));
    assert_eq!(all_records(&store).len(), 2);
    // The server's busy backend processes end a moment after the first one.
    assert!(cluster.kill() && cluster.restart());
    let kept = loop {
        match store.run_counters(crawl.run) {
            Ok(_) => break all_records(&store).len(),
            Err(error) => assert!(error.is_unavailable(), "{error}"),
        }
    };
    assert_eq!(kept, 2);
}
