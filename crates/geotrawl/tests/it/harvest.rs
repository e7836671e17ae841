//! A large catalogue harvested by the built binary: every record exactly once, despite
//! interruptions.

use crate::harness::{Engine, TestStore, geotrawl_command, run_command, share_machine};
use geotrawl_simweb::{CatalogueConfig, CatalogueSite};
use geotrawl_testkit::ServedSite;
use std::collections::HashSet;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const RECORDS: usize = 6_000;
const PAGE: usize = 50;
const KILLS: u64 = 12;
const CSW: &str = "http://csw.bench.test/csw";

fn serve(records: usize) -> ServedSite {
    let site = CatalogueSite::new(CatalogueConfig { records, page: PAGE, ..CatalogueConfig::default() });
    ServedSite::start(|listener, log| site.serve(listener, log))
}

fn harvest(served: &ServedSite, data: &TestStore, further: &[&str]) -> Command {
    let mut command = data.geotrawl_command();
    command.args(["--delay", "0", "--resolve"]).arg(served.resolve_all());
    command.args(["harvest", "--records-only"]).args(further).arg(CSW);
    command
}

fn records(data: &TestStore) -> Vec<serde_json::Value> {
    let said = run_command(data.geotrawl_command().args(["export", "--records"]));
    assert_eq!(said.code, 0, "{}", said.err);
    said.json_lines()
}

fn kills_lose_and_repeat_no_record(engine: Engine) {
    let _busy = share_machine();
    let served = serve(RECORDS);
    let data = TestStore::new(engine).with_short_leases();
    let pages = (RECORDS / PAGE) as u64;
    for kill in 1..=KILLS {
        let at = served.request_count() + pages / (KILLS + 2) + kill % 3;
        let mut child =
            harvest(&served, &data, &[]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let deadline = Instant::now() + Duration::from_mins(1);
        while served.request_count() < at && child.try_wait().unwrap().is_none() {
            assert!(Instant::now() < deadline, "the harvest does not move");
            std::thread::park_timeout(Duration::from_millis(1));
        }
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let said = run_command(&mut harvest(&served, &data, &[]));
    assert_eq!(said.code, 0, "{}", said.err);
    let kept = records(&data);
    let ids: HashSet<&str> = kept.iter().map(|record| record["id"].as_str().unwrap()).collect();
    assert_eq!((kept.len(), ids.len()), (RECORDS, RECORDS));
    assert!(kept.iter().all(|record| record.get("gone").is_none()));
    let asked = served.log();
    let asked = asked.iter().filter(|entry| entry.target.contains("GetRecords")).count() as u64;
    assert!(asked <= pages + KILLS, "{asked} requests for {pages} pages");

    let catalogue = run_command(data.geotrawl_command().args(["export", "--kinds", "csw"])).json_lines();
    assert_eq!(catalogue[0]["dataset_count"], RECORDS);
}

#[test]
fn a_dry_run_shows_the_first_pages_and_keeps_nothing() {
    let served = serve(500);
    let data = tempfile::tempdir().unwrap();
    let said = run_command(&mut {
        let mut command = geotrawl_command(data.path());
        command.args(["--json", "--delay", "0", "--resolve"]).arg(served.resolve_all());
        command.args(["harvest", "--dry-run", "--pages", "3", CSW]);
        command
    });
    assert_eq!(said.code, 0, "{}", said.err);
    let shown = said.json_lines();
    assert_eq!(shown.len(), 3 * PAGE);
    assert!(shown.iter().all(|record| record["kind"] == "record" && record["links"].is_array()));
    assert!(said.err.contains("Nothing was stored"), "{}", said.err);
    assert!(!data.path().join("geotrawl.db").exists());
}

#[test]
fn what_is_no_catalogue_is_said_so() {
    let served = serve(10);
    let data = tempfile::tempdir().unwrap();
    let mut command = geotrawl_command(data.path());
    command.args(["--delay", "0", "--resolve"]).arg(served.resolve_all());
    let said = run_command(command.args(["harvest", "http://csw.bench.test/nothing.html"]));
    assert_eq!(said.code, 1, "{}", said.err);
}

geotrawl_testkit::on_both_engines! {
    kills_lose_and_repeat_no_record
}
