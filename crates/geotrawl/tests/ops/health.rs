use crate::world::{ProgramProcess, geotrawl_on, send_request, small_web, wait_until};

#[test]
fn a_monitor_tells_how_it_is() {
    let (web, data) = (small_web(16, 3, 24), tempfile::tempdir().unwrap());
    let mut crawl = geotrawl_on(&web, data.path());
    crawl.args(["--quiet", "crawl", "--depth", "3"]).args(web.sim.seeds());
    ProgramProcess::start(crawl).wait_for_exit();
    let config = data.path().join("config.toml");
    std::fs::write(&config, "[monitor]\nfirst_minutes = 0\n").unwrap();
    let mut command = geotrawl_on(&web, data.path());
    command.arg("--config").arg(config).args(["monitor", "--listen", "127.0.0.1:0"]);
    let monitor = ProgramProcess::start(command);
    let address = monitor.wait_for_address("Health and metrics on http://");
    for path in ["GET /healthz", "GET /readyz"] {
        assert_eq!(send_request(address, path, &[], "").status, 200, "{path}");
    }
    let figure = |name: &str| {
        let text = send_request(address, "GET /metrics", &[], "").body;
        let values = text.lines().filter(|line| line.starts_with(name) && !line.starts_with('#'));
        values.map(|line| line.rsplit(' ').next().unwrap().parse::<f64>().unwrap()).sum::<f64>()
    };
    wait_until("checks to be counted", || figure("geotrawl_checks_total") > 0.0);
    assert!(figure("geotrawl_checks_enrolled") > 0.0);
    assert!(figure("geotrawl_check_duration_seconds_count") > 0.0);
    assert!(figure("process_resident_memory_bytes") > 1e6);
    monitor.stop();
}
