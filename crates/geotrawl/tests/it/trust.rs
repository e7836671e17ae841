//! `check`, `monitor`, `themes`, `stats` and the served monitor against services that change.

use crate::harness::{CommandOutput, Engine, TestStore, geotrawl_command, run_command};
use crate::serve_client::{ApiSession, ServeProcess, add_user};
use geotrawl_simweb::{ServiceStage, TrustSite};
use geotrawl_testkit::ServedSite;
use serde_json::{Value, json};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// A site whose content can change while it is served.
struct ServedStage {
    stage: ServiceStage,
    server: ServedSite,
}

impl ServedStage {
    fn new() -> Self {
        let stage = ServiceStage::new();
        let server = ServedSite::start(|listener, log| stage.serve(listener, log));
        Self { stage, server }
    }

    /// Returns a command that resolves every name to this site.
    fn command(&self, data: &TestStore) -> Command {
        let mut command = data.geotrawl_command();
        command.args(["--delay", "0", "--timeout", "5", "--resolve"]).arg(self.server.resolve_all());
        command
    }

    /// Crawls these addresses into a catalogue.
    fn crawl(&self, data: &TestStore, urls: &[&str]) {
        let said = run_command(self.command(data).args(["crawl", "--depth", "0"]).args(urls));
        assert_eq!(said.code, 0, "{}", said.err);
    }
}

const WMS: &str = "http://maps.test/geo/wms";

fn one(said: &CommandOutput) -> Value {
    let [check] = &said.json_lines()[..] else { panic!("{}\n{}", said.out, said.err) };
    check.clone()
}

fn a_check_of_an_unknown_address_tells_everything(engine: Engine) {
    let (served, data) = (ServedStage::new(), TestStore::new(engine));
    served.stage.put_service("wms", WMS, &["roads", "rivers"], "Maps");
    let said = run_command(served.command(&data).args(["--json", "check", WMS]));
    assert_eq!(said.code, 0, "{}", said.err);
    let check = one(&said);
    for member in
        ["input", "id", "kind", "url", "status", "cause", "reason", "score", "check", "curl", "difference"]
    {
        assert!(check.get(member).is_some(), "no {member}: {check:#}");
    }
    assert_eq!((&check["input"], &check["kind"], &check["id"]), (&json!(WMS), &json!("wms"), &Value::Null));
    assert_eq!((&check["status"], &check["cause"]), (&json!("alive"), &json!("answers")));
    assert_eq!(check["difference"], json!([]));
    assert!(check["score"].as_u64().is_some_and(|score| score > 40 && score <= 100), "{}", check["score"]);
    let observations = check["check"]["observations"].as_array().unwrap();
    assert_eq!(observations.len(), check["curl"].as_array().unwrap().len());
    assert!(!data.path().join("geotrawl.db").exists(), "asking makes no catalogue");

    // Text output: the verdict, a curl command per request, the score.
    let said = run_command(served.command(&data).args(["check", WMS]));
    assert_eq!(said.code, 0, "{}", said.err);
    assert!(said.out.starts_with("alive  wms  http://maps.test/geo/wms\n"), "{}", said.out);
    assert!(said.out.contains("    curl -sS ") && said.out.contains("availability"), "{}", said.out);
}

/// The printed curl commands return the same bytes that the check received.
#[test]
fn the_shell_can_repeat_a_check() {
    if Command::new("curl").arg("--version").output().is_err() {
        println!("curl is not installed: its lines are not tried");
        return;
    }
    let (served, data) = (ServedStage::new(), tempfile::tempdir().unwrap());
    // A name that curl can resolve.
    let url = format!("http://localhost:{}/geo/wms", served.server.address.port());
    served.stage.put_service("wms", &url, &["roads", "rivers"], "Maps");
    let mut command = geotrawl_command(data.path());
    command.args(["--delay", "0", "--allow-net", "127.0.0.0/8", "--allow-net", "::1/128"]);
    let said = run_command(command.args(["--json", "check", &url]));
    assert_eq!(said.code, 0, "{}", said.err);
    let check = one(&said);
    let observations = check["check"]["observations"].as_array().unwrap();
    assert!(observations.len() >= 3, "{check:#}");
    for (seen, line) in observations.iter().zip(check["curl"].as_array().unwrap()) {
        let line = format!("{} --noproxy '*' --ipv4", line.as_str().unwrap());
        let output = Command::new("sh").args(["-c", &line]).output().unwrap();
        assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
        assert_eq!(output.stdout.len() as u64, seen["answer"]["bytes"].as_u64().unwrap(), "{line}");
        assert_eq!(sha256(&output.stdout), seen["answer"]["hash"].as_str().unwrap(), "{line}");
    }
}

fn sha256(bytes: &[u8]) -> String {
    use sha2::Digest;
    use std::fmt::Write;
    sha2::Sha256::digest(bytes).iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

fn a_second_check_says_what_is_different(engine: Engine) {
    let (served, data) = (ServedStage::new(), TestStore::new(engine));
    served.stage.put_service("wms", WMS, &["roads", "rivers"], "Maps");
    served.crawl(&data, &[&format!("{WMS}?service=WMS&request=GetCapabilities")]);
    let check = |args: &[&str]| run_command(served.command(&data).args(["--json", "check"]).args(args));
    let first = one(&check(&[WMS]));
    let id = first["id"].as_str().expect("it is known").to_owned();
    assert!(first["compared_with"].is_null() && first["standing"] == "alive", "{first:#}");
    let same = one(&check(&[&id]));
    assert_eq!((&same["difference"], &same["url"]), (&json!([]), &first["url"]));
    assert!(same["compared_with"].is_i64());

    served.stage.put_service("wms", WMS, &["roads", "rivers", "lakes"], "Maps of more");
    let changed = one(&check(&[WMS]));
    let difference = changed["difference"].to_string();
    assert!(difference.contains("The description: content changed"), "{difference}");
    served.stage.break_host("maps.test", Some(503));
    let said = check(&[WMS]);
    assert_eq!(said.code, 1, "it does not work: {}", said.err);
    assert!(said.err.contains("dead:"), "{}", said.err);
    let broken = one(&said);
    assert_eq!((&broken["status"], &broken["cause"]), (&json!("dead"), &json!("server-error")));
    assert_eq!(broken["standing"], "degraded", "one bad answer is no death");
    assert!(
        broken["difference"][0]
            .as_str()
            .unwrap()
            .contains("The verdict changed from alive (answers) to dead")
    );
    let said = run_command(served.command(&data).args(["check", WMS]));
    assert!(said.code == 1 && said.out.contains("no change since the check of"), "{}", said.out);
    served.stage.break_host("maps.test", None);
    let said = run_command(served.command(&data).args(["check", WMS]));
    assert!(said.code == 0 && said.out.contains("changes since the check of"), "{}", said.out);

    // Without arguments: the whole catalogue.
    let said = check(&[]);
    assert_eq!((said.code, &one(&said)["id"]), (0, &json!(id)), "{}", said.err);
}

#[test]
fn wrong_usage_of_check_is_told() {
    let (served, data) = (ServedStage::new(), TestStore::new(Engine::Embedded));
    let file = data.path().join("here.geojson");
    std::fs::write(&file, "{}").unwrap();
    let cases: &[(&[&str], &str)] = &[
        (&["check"], "the catalogue is empty"),
        (&["check", "--kind", "wsm", WMS], "unknown kind 'wsm'"),
        (&["check", file.to_str().unwrap()], "is a local file"),
        (&["check", "http://maps.test/about.html"], "--kind"),
    ];
    for (args, words) in cases {
        let said = run_command(served.command(&data).args(*args));
        assert_eq!(said.code, 2, "{args:?}: {}", said.err);
        assert!(said.err.contains(words), "{args:?}: {}", said.err);
    }
    // A missing service is dead, with the reason; a resource that may not be requested is not.
    let said = run_command(served.command(&data).args(["--json", "check", "--kind", "wms", WMS]));
    assert_eq!((said.code, &one(&said)["cause"]), (1, &json!("gone")), "{}", said.err);
    let said = run_command(geotrawl_command(data.path()).args([
        "--json",
        "check",
        "--kind",
        "wms",
        "http://127.0.0.1:8089/wms",
    ]));
    assert_eq!((said.code, &one(&said)["status"]), (1, &json!("inconclusive")), "{}", said.err);
}

#[test]
fn every_behaviour_has_its_exit_code() {
    let (site, data) = (TrustSite::new(), tempfile::tempdir().unwrap());
    let server = ServedSite::start(|listener, log| site.serve(listener, log));
    for case in site.cases().iter().filter(|case| case.kind == "wms" && case.name != "silent") {
        let mut command = geotrawl_command(data.path());
        command.args(["--delay", "0", "--resolve"]).arg(server.resolve_all());
        let said = run_command(command.args(["--json", "check", "--kind", case.kind, &case.url]));
        let (verdict, cause) = case.expected_at(0);
        let check = one(&said);
        assert_eq!((&check["status"], &check["cause"]), (&json!(verdict), &json!(cause)), "{}", case.name);
        assert_eq!(said.code, i32::from(!["alive", "degraded"].contains(&verdict)), "{}", case.name);
    }
}

fn the_monitor_checks_what_is_due_once(engine: Engine) {
    let (served, data) = (ServedStage::new(), TestStore::new(engine));
    let urls: Vec<String> = (0..5).map(|n| format!("http://host{n}.test/geo/wms")).collect();
    for (n, url) in urls.iter().enumerate() {
        served.stage.put_service(
            "wms",
            url,
            &[&format!("layer_{n}"), "roads"],
            &format!("Rivers and forest of {n}"),
        );
    }
    let seeds: Vec<String> =
        urls.iter().map(|url| format!("{url}?service=WMS&request=GetCapabilities")).collect();
    served.crawl(&data, &seeds.iter().map(String::as_str).collect::<Vec<_>>());
    served.stage.break_host("host0.test", Some(401));
    let once = || {
        let said = run_command(served.command(&data).args(["--json", "monitor", "--once"]));
        assert_eq!(said.code, 0, "{}", said.err);
        one(&said)
    };
    let first = once();
    assert_eq!((&first["counts"]["enrolled"], &first["counts"]["kept"]), (&json!(5), &json!(5)), "{first}");
    assert_eq!((&first["counts"]["broken"], &first["counts"]["troubles"]), (&json!(0), &json!(0)));
    assert_eq!(once()["counts"]["kept"], 0, "nothing is due again");
    let said = run_command(served.command(&data).args(["monitor", "--once"]));
    assert!(said.out.contains("0 checks run"), "{}", said.out);

    // The results are in the catalogue and its statistics.
    let said = run_command(data.geotrawl_command().args(["export", "--format", "jsonl"]));
    assert_eq!(
        said.json_lines().iter().filter(|record| record["score"].is_u64()).count(),
        4,
        "a login cannot be scored"
    );
    let said = run_command(data.geotrawl_command().args(["--json", "stats"]));
    let stats = one(&said);
    assert_eq!((&stats["kinds"]["wms"], &stats["records"]), (&json!(5), &json!(5)), "{stats:#}");
    assert_eq!((&stats["by_host"]["host1.test"], &stats["hosts"]), (&json!(1), &json!(5)));
    for member in ["statuses", "countries", "software", "themes", "levels"] {
        assert!(!stats[member].is_null(), "{member}: {stats:#}");
    }
    assert_eq!(stats["statuses"].as_object().unwrap().values().filter_map(Value::as_u64).sum::<u64>(), 5);
    assert!(
        stats["themes"].as_object().unwrap().keys().any(|theme| theme.starts_with("land-cover:")),
        "{stats:#}"
    );
    let said = run_command(data.geotrawl_command().args(["stats"]));
    for words in ["Kind ", "Status ", "Host ", "Theme ", "Level ", "host1.test"] {
        assert!(said.out.contains(words), "no {words}: {}", said.out);
    }
}

fn themes_of_texts_vocabularies_and_the_catalogue(engine: Engine) {
    let data = TestStore::new(engine);
    let said = run_command(data.geotrawl_command().args([
        "--json",
        "themes",
        "Waldflächen in Bayern",
        "A web map service",
    ]));
    assert_eq!(said.code, 0, "{}", said.err);
    let lines = said.json_lines();
    assert_eq!((lines.len(), &lines[0]["input"]), (2, &json!("Waldflächen in Bayern")));
    let has = |line: &Value, scheme: &str, term: &str| {
        line["themes"]
            .as_array()
            .unwrap()
            .iter()
            .any(|theme| theme["scheme"] == scheme && theme["term"] == term)
    };
    assert!(has(&lines[0], "land-cover", "forest"), "{}", said.out);
    let ice = lines[1]["themes"].as_array().unwrap().iter().any(|theme| theme["scheme"] == "land-cover");
    assert!(!ice, "there is no ice in a service: {}", said.out);
    let said = run_command(data.geotrawl_command().args(["themes", "Hydrography"]));
    assert!(said.code == 0 && said.out.contains("inspire"), "{}", said.out);

    let said = run_command(data.geotrawl_command().args(["--json", "themes", "--list"]));
    let schemes: Vec<String> =
        said.json_lines().iter().map(|line| line["scheme"].as_str().unwrap().to_owned()).collect();
    for scheme in ["land-cover", "inspire", "iso-topic", "geoss", "gcmd"] {
        assert!(schemes.iter().any(|one| one == scheme), "{schemes:?}");
    }
    let said = run_command(data.geotrawl_command().args(["--json", "themes", "--list", "inspire"]));
    assert_eq!(said.json_lines().len(), 34);
    let said = run_command(data.geotrawl_command().args(["themes", "--list", "nonsense"]));
    assert!(said.code == 2 && said.err.contains("land-cover"), "{}", said.err);

    // A custom vocabulary, added after the catalogue was created.
    let served = ServedStage::new();
    served.stage.put_service("wms", WMS, &["roads"], "Moorkataster");
    served.crawl(&data, &[&format!("{WMS}?service=WMS&request=GetCapabilities")]);
    let vocabulary = data.path().join("mine.toml");
    std::fs::write(
        &vocabulary,
        "id = \"mine\"\ntitle = { en = \"Mine\" }\n[[term]]\nid = \"bog\"\nlabel = { en = \"Bog\", de = \"Moor\" }\nsynonyms = { de = [\"Moorkataster\"] }\n",
    )
    .unwrap();
    let said =
        run_command(data.geotrawl_command().args(["--json", "--vocabulary"]).arg(&vocabulary).arg("themes"));
    assert_eq!(said.code, 0, "{}", said.err);
    assert_eq!(one(&said)["records"], 1);
    let said = run_command(data.geotrawl_command().args(["export", "--format", "jsonl"]));
    assert!(has(&one(&said), "mine", "bog"), "{}", said.out);
}

pub fn write_config(data: &Path, text: &str) -> std::path::PathBuf {
    let path = data.join("server.toml");
    std::fs::write(&path, format!("[serve]\nguest_rate = 100000\nuser_rate = 100000\n{text}")).unwrap();
    path
}

/// Waits until a condition holds for an answer.
fn until(person: &ApiSession, path: &str, what: &str, so: impl Fn(&Value) -> bool) -> Value {
    let patience = Instant::now() + Duration::from_mins(2);
    loop {
        let now = person.get_json(path);
        if so(&now) {
            return now;
        }
        assert!(Instant::now() < patience, "waited in vain for {what}: {now:#}");
        std::thread::park_timeout(Duration::from_millis(20));
    }
}

fn a_served_monitor_checks_and_answers_who_asks(engine: Engine) {
    let (served, data) = (ServedStage::new(), TestStore::new(engine));
    served.stage.put_service("wms", WMS, &["roads", "rivers"], "Maps");
    served.crawl(&data, &[&format!("{WMS}?service=WMS&request=GetCapabilities")]);
    assert_eq!(add_user(&data, &["ann"]).code, 0);
    let start = |role: &str| {
        let mut command = served.command(&data);
        command.arg("--config").arg(write_config(data.path(), "[monitor]\nfirst_minutes = 0\n"));
        if !role.is_empty() {
            return ServeProcess::start_with(command, &["--role", role]);
        }
        ServeProcess::start(command)
    };
    // A server without the monitor role runs no checks.
    let server = start("web");
    let ann = server.user_session("ann");
    let id = ann.get_json("/search?status=any")["results"][0]["id"].as_str().unwrap().to_owned();
    assert_eq!(
        (&ann.get_json("/monitoring")["running"], &ann.get_json("/monitoring")["enrolled"]),
        (&json!(false), &json!(0))
    );
    let asked = ann.send_request("POST", &format!("/records/{id}/check"), None);
    assert_eq!(asked.status, 202, "{}", asked.text());
    server.kill();

    // A server with the monitor role runs the requested check.
    let server = start("web,monitor");
    let ann = server.user_session("ann");
    let quality = format!("/records/{id}/quality");
    let first = until(&ann, &quality, "the first check", |now| now["number"].is_i64());
    assert_eq!((&first["standing"]["status"], &first["asked"]), (&json!("alive"), &Value::Null), "{first:#}");
    assert_eq!(ann.get_json("/monitoring")["running"], true);
    // The request wakes the monitor, which otherwise looks only twice per minute.
    served.stage.break_host("maps.test", Some(500));
    let asked_at = Instant::now();
    assert_eq!(ann.send_request("POST", &format!("/records/{id}/check"), None).status, 202);
    let newer =
        until(&ann, &quality, "another number", |now| now["number"].as_i64() > first["number"].as_i64());
    let took = asked_at.elapsed();
    assert_eq!(
        (&newer["check"]["cause"], &newer["standing"]["status"]),
        (&json!("server-error"), &json!("degraded"))
    );
    println!("a check that was asked for was there after {} ms", took.as_millis());
    assert!(took < Duration::from_secs(15), "{took:?}");
    let guest = server.guest_session();
    assert_eq!(guest.send_request("POST", &format!("/records/{id}/check"), None).status, 401);
    let difference = guest.get_json(&format!("/records/{id}/checks"));
    assert_eq!(difference["results"].as_array().unwrap().len(), 2);
    // The search index follows: status and score are facets.
    let found = until(&ann, "/search?status=degraded", "the index", |found| found["total"] == 1);
    assert_eq!(found["results"][0]["id"], id.as_str());
    let svg = guest.send_request("GET", &format!("/records/{id}/badge.svg"), None);
    assert!(svg.status == 200 && svg.text().contains("degraded"), "{}", svg.text());
    // The command can check while the server runs, but stores results only in a shared store.
    let said = run_command(served.command(&data).args(["--json", "check", WMS]));
    let kept = engine == Engine::Postgres;
    assert!(said.code == 1 && said.err.contains("not stored") != kept, "{}", said.err);
    let checks = guest.get_json(&format!("/records/{id}/checks"));
    assert_eq!(checks["results"].as_array().unwrap().len(), 2 + usize::from(kept));
    assert!(one(&said)["difference"].as_array().unwrap().is_empty(), "{}", said.out);
    let said = run_command(data.geotrawl_command().args(["serve", "--role", "cook"]));
    assert!(said.code == 2 && said.err.contains("web, worker, monitor"), "{}", said.err);
}

geotrawl_testkit::on_both_engines! {
    a_check_of_an_unknown_address_tells_everything
    a_second_check_says_what_is_different
    the_monitor_checks_what_is_due_once
    themes_of_texts_vocabularies_and_the_catalogue
    a_served_monitor_checks_and_answers_who_asks
}
