use crate::ground::{CommandOutput, CrawlLab, StoreArgs, run_command};
use geotrawl_testkit::postgres::{self, PostgresServer};
use geotrawl_testkit::require_tool;
use std::collections::BTreeMap;
use std::process::{Child, Stdio};

/// Starts three servers with Citus, the first as coordinator. Returns `None` unless
/// `GEOTRAWL_TEST_CITUS` is set: they take minutes, and most systems have no Citus package.
fn nodes() -> Option<Vec<PostgresServer>> {
    if std::env::var_os("GEOTRAWL_TEST_CITUS").is_none() {
        println!("left out: GEOTRAWL_TEST_CITUS is not set");
        return None;
    }
    if !postgres::is_available() {
        return None;
    }
    let nodes: Vec<PostgresServer> =
        (0..3).map(|_| PostgresServer::start(false).unwrap_or_else(|error| panic!("{error}"))).collect();
    let available = "SELECT 1 FROM pg_available_extensions WHERE name = 'citus'";
    let found = postgres::query_column(&nodes[0].url("postgres"), available);
    let found = found.first().ok_or("it is not installed beside this PostgreSQL");
    require_tool("Citus", found, "install it, or unset GEOTRAWL_TEST_CITUS")?;
    for node in &nodes {
        postgres::execute_sql(&node.url("postgres"), "ALTER SYSTEM SET shared_preload_libraries = 'citus'");
        assert!(node.stop_immediately() && node.restart(), "the server comes back with Citus");
        postgres::execute_sql(&node.url("postgres"), "CREATE EXTENSION citus");
    }
    let coordinator = nodes[0].url("postgres");
    postgres::execute_sql(&coordinator, "CREATE EXTENSION postgis");
    postgres::execute_sql(
        &coordinator,
        &format!("SELECT citus_set_coordinator_host('127.0.0.1', {})", nodes[0].port),
    );
    for node in &nodes[1..] {
        postgres::execute_sql(&coordinator, &format!("SELECT citus_add_node('127.0.0.1', {})", node.port));
    }
    Some(nodes)
}

fn distribute(at: &StoreArgs) -> CommandOutput {
    run_command(at.geotrawl().args(["store", "distribute"]))
}

#[test]
fn without_citus_there_is_nothing_to_spread() {
    let place = tempfile::tempdir().unwrap();
    let said = distribute(&StoreArgs::directory(place.path()));
    assert_eq!(said.code, 2);
    assert!(said.err.contains("--store"), "{}", said.err);
    let Some(database) = postgres::TestDatabase::new(|_| {}) else { return };
    let said = distribute(&StoreArgs::database(&database.url, place.path()));
    assert_eq!(said.code, 2, "{}", said.err);
    assert!(said.err.contains("has no Citus"), "{}", said.err);
}

/// Crawls with two processes that share the work.
fn crawl(web: &CrawlLab, at: &StoreArgs) {
    let mut command = web.crawl_command(at);
    let mut first: Child = command.stdout(Stdio::null()).stderr(Stdio::inherit()).spawn().unwrap();
    web.finish_crawl(at);
    assert!(first.wait().unwrap().code().is_some_and(|code| code <= 1));
}

#[test]
fn a_crawl_on_three_nodes_finds_what_a_crawl_on_one_finds() {
    let Some(database) = postgres::TestDatabase::new(|_| {}) else { return };
    let Some(nodes) = nodes() else { return };
    let places: Vec<_> = (0..3).map(|_| tempfile::tempdir().unwrap()).collect();
    let plain = StoreArgs::database(&database.url, places[0].path());
    // Citus creates certificates of a version that current TLS libraries reject.
    let spread =
        StoreArgs::database(&format!("{}?sslmode=disable", nodes[0].url("postgres")), places[1].path());

    let doctor = || run_command(spread.geotrawl().args(["doctor", "--listen", "127.0.0.1:0"])).out;
    assert!(doctor().contains("geotrawl store distribute"), "{}", doctor());
    let said = distribute(&spread);
    assert_eq!(said.code, 0, "{}", said.err);
    assert!(said.out.contains("host, host_run, queue, seen, page"), "{}", said.out);
    let said = distribute(&spread);
    assert_eq!(said.code, 0, "{}", said.err);
    assert!(said.out.contains("Nothing to do"), "{}", said.out);
    assert!(doctor().contains("distributed over"), "{}", doctor());
    let colocated =
        "SELECT count(DISTINCT colocation_id) FROM citus_tables WHERE citus_table_type = 'distributed'";
    assert_eq!(postgres::query_column(&nodes[0].url("postgres"), colocated), ["1"]);

    let web = CrawlLab::start(14, 1_200);
    crawl(&web, &plain);
    let (logged, on_one) = (web.log_len(), web.requests_since(0));
    crawl(&web, &spread);
    let on_three = web.requests_since(logged);
    let catalogue = plain.catalogue();
    assert!(catalogue.len() > 5);
    assert_eq!(spread.catalogue(), catalogue);
    let only = |here: &BTreeMap<String, u64>, there: &BTreeMap<String, u64>| -> Vec<String> {
        here.keys().filter(|page| !there.contains_key(*page)).cloned().collect()
    };
    assert_eq!(only(&on_one, &on_three), only(&on_three, &on_one), "pages that one of them did not ask for");
    assert_eq!(spread.faults(), Vec::<String>::new());
    let rows = postgres::query_column(&nodes[0].url("postgres"), "SELECT count(*) FROM geotrawl.page");
    let here = postgres::query_column(
        &nodes[0].url("postgres"),
        "SELECT count(*) FROM ONLY pg_class WHERE relname ~ '^page_1'",
    );
    println!("{} pages on the nodes, {} pieces on the coordinator", rows[0], here[0]);

    // Back to a directory: the copy reads and compares the rows of all nodes.
    let last = StoreArgs::directory(places[2].path());
    let said = run_command(spread.geotrawl().args(["store", "copy", "--to", &last.copy_arg()]));
    assert_eq!(said.code, 0, "{}\n{}", said.out, said.err);
    assert_eq!(last.export(), spread.export());
}
