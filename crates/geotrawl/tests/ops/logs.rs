use crate::world::{
    AdminSession, ProgramProcess, add_admin, geotrawl, geotrawl_on, send_request, small_web, watch_finds,
};
use serde_json::Value;

/// Parses all lines of the log; other messages on stderr are not JSON.
fn lines(said: &[String]) -> Vec<Value> {
    let lines = said.iter().filter(|line| line.starts_with('{'));
    lines.map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))).collect()
}

fn with<'l>(lines: &'l [Value], message: &str) -> Vec<&'l Value> {
    lines.iter().filter(|line| line["message"] == message).collect()
}

#[test]
fn lines_of_a_crawl_are_json_with_task_run_host_and_address() {
    let (web, data) = (small_web(12, 3, 24), tempfile::tempdir().unwrap());
    let mut command = geotrawl_on(&web, data.path());
    command.env("GEOTRAWL_LOG", "geotrawl_crawl=debug").args(["--quiet", "--log-format", "json"]);
    let said = ProgramProcess::start({
        command.args(["crawl", "--depth", "2", "--task", "named"]).args(web.sim.seeds());
        command
    });
    let said = said.wait_for_exit();
    let lines = lines(&said);
    assert_eq!(lines.len(), said.len(), "only lines of the log: {said:#?}");
    for line in &lines {
        for name in ["time", "level", "target", "worker", "message"] {
            assert!(line[name].is_string(), "{name} in {line}");
        }
    }
    let visited = with(&lines, "visited");
    assert!(visited.len() > 5, "{}", visited.len());
    for line in visited {
        assert_eq!((&line["task"], &line["run"]), (&"named".into(), &1.into()), "{line}");
        let (host, url) = (line["host"].as_str().unwrap(), line["url"].as_str().unwrap());
        assert!(url.contains(host) && url.starts_with("http"), "{line}");
        assert!(line["outcome"].is_string() && line["item"].is_i64(), "{line}");
    }
    let committed = with(&lines, "committed");
    assert!(!committed.is_empty());
    assert!(committed.iter().all(|line| line["run"] == 1 && line["pages"].is_u64()), "{committed:#?}");
}

#[test]
fn lines_of_a_server_name_request_task_and_check() {
    let (web, data) = (small_web(13, 3, 24), tempfile::tempdir().unwrap());
    add_admin(geotrawl(data.path()));
    let config = data.path().join("config.toml");
    std::fs::write(&config, "[monitor]\nfirst_minutes = 0\n").unwrap();
    let mut command = geotrawl_on(&web, data.path());
    command
        .env("GEOTRAWL_LOG_FORMAT", "json")
        .env("GEOTRAWL_LOG", "info,geotrawl_crawl=debug")
        .arg("--config");
    command.arg(config).args(["serve", "--listen", "127.0.0.1:0"]);
    let server = ProgramProcess::start(command);
    let address = server.wait_for_address("answers on http://");
    let task = AdminSession::log_in(address).start_task("Logged", &web.sim.seeds(), 2);
    assert!(!watch_finds(address, task).is_empty());

    let given =
        send_request(address, "GET /api/v1/records/nothing?q=hidden", &[("x-request-id", "proxy-42")], "");
    assert_eq!((given.status, given.header("x-request-id")), (404, "proxy-42"));
    let trace = "4bf92f3577b34da6a3ce929d0e0e4736";
    let parent = format!("00-{trace}-00f067aa0ba902b7-01");
    let traced = send_request(address, "GET /healthz", &[("traceparent", &parent)], "");
    assert_eq!(traced.header("x-request-id"), trace);
    let own = send_request(address, "GET /healthz", &[("x-request-id", "no\tid")], "");
    assert_eq!(own.header("x-request-id").len(), 16);
    server.wait_for_line(|line| line.contains("\"checked\""));

    let lines = lines(&server.stop());
    let answered = with(&lines, "answered");
    let of = |id: &str| answered.iter().find(|line| line["request"] == id).unwrap_or_else(|| panic!("{id}"));
    let line = of("proxy-42");
    assert_eq!((&line["status"], &line["method"]), (&404.into(), &"GET".into()), "{line}");
    assert_eq!(line["path"], "/api/v1/records/nothing", "without what was asked behind it");
    assert_eq!(of(trace)["status"], 200);
    let visited = with(&lines, "visited");
    assert!(!visited.is_empty());
    assert!(
        visited
            .iter()
            .all(|line| line["task"].as_str() == Some(&task.to_string()) && line["host"].is_string()),
        "{visited:#?}"
    );
    for line in with(&lines, "checked") {
        assert!(line["record"].is_string() && line["verdict"].is_string(), "{line}");
        assert!(line["url"].as_str().unwrap().contains(line["host"].as_str().unwrap()), "{line}");
    }
}
