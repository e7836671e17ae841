//! The commands as people and scripts use them.

use crate::harness::{Engine, ServedSimWeb, TestStore, geotrawl_command, run_command};
use geotrawl_simweb::SimWebConfig;
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

fn small_web() -> ServedSimWeb {
    ServedSimWeb::start(SimWebConfig { seed: 2, hosts: 20, pages: Some(300), ..SimWebConfig::default() })
}

const WMS: &str = r#"<?xml version="1.0"?>
<WMS_Capabilities version="1.3.0" xmlns="http://www.opengis.net/wms">
  <Service><Name>WMS</Name><Title>Rivers of Nowhere</Title></Service>
  <Capability><Layer><Title>Root</Title>
    <Layer><Name>rivers</Name><Title>Rivers</Title>
      <EX_GeographicBoundingBox><westBoundLongitude>5</westBoundLongitude><eastBoundLongitude>11</eastBoundLongitude>
      <southBoundLatitude>45</southBoundLatitude><northBoundLatitude>48</northBoundLatitude></EX_GeographicBoundingBox>
    </Layer></Layer></Capability>
</WMS_Capabilities>"#;

#[test]
fn probe_tells_what_a_file_is_whatever_its_name() {
    let data = tempfile::tempdir().unwrap();
    let file = data.path().join("answer.txt");
    std::fs::write(&file, WMS).unwrap();
    let said = run_command(
        geotrawl_command(data.path())
            .args([
                "--json",
                "probe",
                "--as-url",
                "http://maps.example/ows?map=x&SERVICE=WMS&REQUEST=GetCapabilities",
            ])
            .arg(&file),
    );
    assert_eq!(said.code, 0, "{}", said.err);
    let [record] = &said.json_lines()[..] else { panic!("{}", said.out) };
    assert_eq!(record["kind"], "wms");
    assert_eq!(record["input"], file.to_str().unwrap());
    assert_eq!(record["url"], "http://maps.example/ows?map=x");
    assert_eq!(record["datasets"][0]["bbox"], serde_json::json!([5.0, 45.0, 11.0, 48.0]));
}

#[test]
fn probe_says_null_for_what_is_nothing() {
    let data = tempfile::tempdir().unwrap();
    let file = data.path().join("page.html");
    std::fs::write(&file, "<html><body>WMS_Capabilities are a fine thing</body></html>").unwrap();
    let said = run_command(geotrawl_command(data.path()).args(["--json", "probe"]).arg(&file));
    assert_eq!(said.code, 0, "{}", said.err);
    assert_eq!(said.json_lines()[0]["kind"], Value::Null);
    assert_eq!(said.json_lines()[0]["input"], file.to_str().unwrap());
}

#[test]
fn probe_of_something_absent_names_the_cause_and_fails() {
    let data = tempfile::tempdir().unwrap();
    let said = run_command(geotrawl_command(data.path()).args(["--json", "probe", "nosuchfile"]));
    assert_eq!(said.code, 1);
    assert!(said.err.contains("neither an existing file nor a web address"), "{}", said.err);
}

#[test]
fn extract_lists_what_a_page_reveals() {
    let data = tempfile::tempdir().unwrap();
    let file = data.path().join("page.html");
    let html = "<html><body>\n<a href='/geoserver/wms?service=WMS&amp;request=GetMap&amp;layers=a,b'>map</a>\n\
                <p>data: http://files.example/rivers.kmz</p><a href='news.html'>news</a></body></html>";
    std::fs::write(&file, html).unwrap();
    let said = run_command(
        geotrawl_command(data.path())
            .args(["--json", "extract", "--base-url", "http://a.example/dir/"])
            .arg(&file),
    );
    assert_eq!(said.code, 0, "{}", said.err);
    let lines = said.json_lines();
    let find =
        |url: &str| lines.iter().find(|line| line["url"] == url).unwrap_or_else(|| panic!("{}", said.out));
    let wms = find("http://a.example/geoserver/wms");
    assert_eq!((wms["service"].as_bool(), wms["way"].as_str()), (Some(true), Some("href")));
    assert_eq!(wms["layers"], serde_json::json!(["a", "b"]));
    assert_eq!(wms["line"], 2);
    assert_eq!(find("http://files.example/rivers.kmz")["way"], "text");
    assert_eq!(find("http://a.example/dir/news.html")["service"], false);
}

fn a_crawl_can_be_exported_and_explained_and_repeated_without_duplicates(engine: Engine) {
    let web = small_web();
    let data = TestStore::new(engine);
    let crawl = || {
        run_command(
            web.geotrawl_command(&data)
                .args(["--json", "--delay", "0", "--timeout", "3", "crawl", "--depth", "20"])
                .args(web.sim.seeds()),
        )
    };
    let first = crawl();
    let found = first.json_lines();
    assert!(!found.is_empty(), "{}", first.err);
    let second = crawl();
    assert_eq!(second.json_lines().len(), found.len(), "a second run proves the same again");

    let export = |format: &str| run_command(data.geotrawl_command().args(["export", "--format", format]));
    let jsonl = export("jsonl").json_lines();
    assert_eq!(jsonl.len(), found.len());
    let geojson: Value = serde_json::from_str(&export("geojson").out).unwrap();
    assert_eq!(geojson["features"].as_array().unwrap().len(), found.len());
    assert_eq!(export("csv").out.matches("\r\n").count(), found.len() + 1);

    let record = &jsonl[0];
    assert!(record["first_seen"].as_str() < record["last_seen"].as_str());
    for what in [record["url"].as_str().unwrap(), record["id"].as_str().unwrap()] {
        let told = run_command(data.geotrawl_command().args(["explain", what]));
        assert_eq!(told.code, 0, "{}", told.err);
        assert!(told.out.contains("proof:") && told.out.contains("found by:"), "{}", told.out);
    }
}

fn an_interrupted_crawl_exits_130_and_says_how_to_go_on(engine: Engine) {
    let web = small_web();
    let data = TestStore::new(engine);
    let mut child = web
        .geotrawl_command(&data)
        .args(["--json", "--delay", "50", "--timeout", "3", "crawl", "--depth", "20", "--task", "mine"])
        .args(web.sim.seeds())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(lines.next().is_some(), "something is found before we interrupt");
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    let rest = std::thread::spawn(move || lines.count());
    let output = child.wait_with_output().unwrap();
    rest.join().unwrap();
    let err = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(130), "{err}");
    assert!(err.contains("Nothing is lost") && err.contains("mine"), "{err}");
    let resumed = run_command(
        web.geotrawl_command(&data)
            .args(["--delay", "0", "--timeout", "3", "crawl", "--depth", "20", "--task", "mine"])
            .args(web.sim.seeds()),
    );
    // This run and the whole task are told apart: only the task has a number of hosts.
    let line = |start: &str| resumed.err.lines().find(|line| line.starts_with(start)).unwrap_or_default();
    assert!(line("Found ").contains(" in ") && !line("Found ").contains("host"), "{}", resumed.err);
    assert!(line("Resumed task 'mine': ").ends_with(" hosts in total."), "{}", resumed.err);
}

#[test]
fn wrong_usage_is_told_with_exit_code_2() {
    let data = tempfile::tempdir().unwrap();
    let cases: &[(&[&str], &str)] = &[
        (&["crawl"], "SEED"),
        (&["crawl", "ftp://x.example/"], "only http and https"),
        (&["crawl", "http://"], "not a web address"),
        (&["crawl", "http://x.example/", "--kinds", "wsm"], "unknown kind 'wsm'"),
        (&["crawl", "http://x.example/", "--scope", "planet"], "host, domain, any"),
        (&["--allow-net", "10.0.0.0/99", "probe", "x"], "10.0.0.0/99"),
        (&["--resolve", "nonsense", "probe", "x"], "PATTERN"),
        (&["--concurrency", "0", "crawl", "http://x.example/"], "at least 1"),
        (&["--config", "absent.toml", "crawl", "http://x.example/"], "absent.toml"),
        (&["simweb", "--listen", "0.0.0.0:0"], "loopback"),
    ];
    for (args, words) in cases {
        let said = run_command(geotrawl_command(data.path()).args(*args));
        assert_eq!(said.code, 2, "{args:?}: {}", said.err);
        assert!(said.err.contains(words), "{args:?}: {}", said.err);
    }
}

#[test]
fn an_unreadable_seed_is_named_with_exit_code_1() {
    let data = tempfile::tempdir().unwrap();
    let said = run_command(geotrawl_command(data.path()).args(["crawl", "http://127.0.0.1:8089/"]));
    assert_eq!(said.code, 1, "{}", said.err);
    assert!(said.err.contains("cannot read http://127.0.0.1:8089/"), "{}", said.err);
    assert!(said.err.contains("--allow-net"), "the message says what to do: {}", said.err);
}

#[test]
fn a_store_that_is_none_exits_3() {
    let data = tempfile::tempdir().unwrap();
    let said = run_command(geotrawl_command(&data.path().join("absent")).args(["export"]));
    assert_eq!(said.code, 3, "{}", said.err);
    std::fs::write(
        data.path().join("geotrawl.db"),
        "this is no database, only some words to fill the header",
    )
    .unwrap();
    let said = run_command(geotrawl_command(data.path()).args(["export"]));
    assert_eq!(said.code, 3, "{}", said.err);
}

#[test]
fn completions_and_manual_are_there() {
    let data = tempfile::tempdir().unwrap();
    for shell in ["bash", "zsh", "fish"] {
        let said = run_command(geotrawl_command(data.path()).args(["completions", shell]));
        assert!(said.code == 0 && said.out.contains("geotrawl"), "{shell}");
    }
    let said = run_command(geotrawl_command(data.path()).args(["man"]));
    assert!(said.out.contains(".TH geotrawl") && said.out.contains("allow\\-net"), "{}", said.out);
}

geotrawl_testkit::on_both_engines! {
    a_crawl_can_be_exported_and_explained_and_repeated_without_duplicates
    an_interrupted_crawl_exits_130_and_says_how_to_go_on
}
