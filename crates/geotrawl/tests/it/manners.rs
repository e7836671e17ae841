//! How commands treat people: terminals, misspellings, dates, empty results.

use crate::harness::{Engine, ServedSimWeb, TestStore, geotrawl_command, run_command, share_machine};
use crate::serve_client::{add_user, start_server};
use crate::terminal::{COLUMNS, TerminalCommand};
use geotrawl_simweb::SimWebConfig;
use std::time::Duration;

fn small_web() -> ServedSimWeb {
    ServedSimWeb::start(SimWebConfig { seed: 4, hosts: 10, pages: Some(150), ..SimWebConfig::default() })
}

fn crawl(web: &ServedSimWeb, data: &TestStore, further: &[&str]) -> std::process::Command {
    let mut command = web.geotrawl_command(data);
    command.args(["--delay", "0", "--timeout", "3", "crawl", "--depth", "20"]);
    command.args(further).args(web.sim.seeds());
    command
}

/// Splits the output for a terminal into what is drawn between two movements of the cursor.
fn drawings(printed: &str) -> Vec<String> {
    let mut drawings = vec![String::new()];
    let mut characters = printed.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '\u{1b}' => {
                while characters.next().is_some_and(|c| !c.is_ascii_alphabetic()) {}
                drawings.push(String::new());
            }
            '\r' | '\n' => drawings.push(String::new()),
            c => drawings.last_mut().unwrap().push(c),
        }
    }
    drawings
}

#[test]
fn live_counters_fit_the_terminal_and_agree_with_the_summary() {
    let _busy = share_machine();
    let (web, data) = (small_web(), TestStore::new(Engine::Embedded));
    let (code, printed) = TerminalCommand::start(crawl(&web, &data, &[])).finish();
    assert!(code <= 1, "{printed}");
    let drawn = drawings(&printed);
    let counters: Vec<&String> = drawn.iter().filter(|text| text.contains(" in flight")).collect();
    assert!(!counters.is_empty(), "{printed}");
    for text in &counters {
        // Counters and the current address are one row each, filled with spaces.
        assert!(text.chars().count() <= 2 * usize::from(COLUMNS), "{text}");
    }
    let pages = |text: &str| {
        let before = text.split(" page").next().unwrap();
        before.rsplit(' ').next().unwrap().to_owned()
    };
    let summary = drawn.iter().find(|text| text.starts_with("Found ")).unwrap();
    assert_eq!(pages(summary), pages(counters.last().unwrap()), "{summary}");
}

#[test]
fn ctrl_c_reports_at_once_what_happens_next() {
    let _busy = share_machine();
    let config =
        SimWebConfig { seed: 4, hosts: 10, latency: Duration::from_millis(50), ..SimWebConfig::default() };
    let (web, data) = (ServedSimWeb::start(config), TestStore::new(Engine::Embedded));
    let mut command = TerminalCommand::start(crawl(&web, &data, &["--task", "mine"]));
    assert!(command.read_until(" in flight"), "{}", command.printed);
    command.interrupt();
    assert!(command.read_until("Stopping: "), "{}", command.printed);
    let (code, printed) = command.finish();
    assert_eq!(code, 130, "{printed}");
    let place = |text: &str| printed.find(text).unwrap_or_else(|| panic!("{text} is missing: {printed}"));
    assert!(place("Stopping: ") < place("Press Ctrl-C again to stop immediately."));
    assert!(place("Press Ctrl-C again") < place("Stopped with "));
}

#[test]
fn binary_formats_are_not_written_to_a_terminal() {
    let data = TestStore::new(Engine::Embedded);
    drop(data.open());
    for format in ["gpkg", "geoparquet", "xlsx", "qgis"] {
        let mut command = data.geotrawl_command();
        command.args(["export", "--format", format]);
        let (code, printed) = TerminalCommand::start(command).finish();
        assert_eq!(code, 2, "{printed}");
        assert!(printed.contains("is not written to a terminal; use -o FILE"), "{printed}");
        let said = run_command(data.geotrawl_command().args(["export", "--format", format]));
        assert_eq!(said.code, 0, "{format}: {}", said.err);
    }
    let mut command = data.geotrawl_command();
    command.args(["export", "--format", "csv"]);
    assert_eq!(TerminalCommand::start(command).finish().0, 0);
}

#[test]
fn kinds_have_one_flag_that_is_checked_everywhere() {
    let data = tempfile::tempdir().unwrap();
    for command in [
        &["crawl", "http://x.example/"][..],
        &["mine", "x.warc"],
        &["seeds", "import", "x.csv"],
        &["export"],
        &["search"],
        &["check", "http://x.example/"],
    ] {
        let said = run_command(geotrawl_command(data.path()).args(command).args(["--kind", "wmss"]));
        assert_eq!(said.code, 2, "{command:?}: {}", said.err);
        assert!(said.err.contains("unknown kind 'wmss'; did you mean 'wms'?"), "{command:?}: {}", said.err);
    }
    drop(geotrawl_store::EmbeddedStore::open(data.path()).unwrap());
    for flags in [&["--kind", "wms,wfs"][..], &["--kinds", "wms"], &["--kind", "wms", "--kind", "WFS"]] {
        for command in ["export", "search"] {
            let said = run_command(geotrawl_command(data.path()).arg(command).args(flags));
            assert_eq!(said.code, 0, "{command} {flags:?}: {}", said.err);
        }
    }
}

#[test]
fn empty_results_say_what_to_do() {
    let data = tempfile::tempdir().unwrap();
    drop(geotrawl_store::EmbeddedStore::open(data.path()).unwrap());
    let command = |args: &[&str]| run_command(geotrawl_command(data.path()).args(args));
    let said = command(&["seeds", "list"]);
    assert!(said.code == 0 && said.err.contains("geotrawl seeds import"), "{}", said.err);
    let said = command(&["archive", "list"]);
    assert!(said.code == 0 && said.err.contains("geotrawl archive new"), "{}", said.err);
    let said = command(&["search", "flood", "austria", "--kind", "wms"]);
    assert!(said.code == 0 && said.err.contains("geotrawl search flood --bbox 'Austria'"), "{}", said.err);
    assert!(said.err.contains("leave out --kind"), "{}", said.err);
    let said = command(&["search", "--theme", "forrest"]);
    assert!(said.code == 2 && said.err.contains("did you mean 'forest'?"), "{}", said.err);
    assert_eq!(command(&["search", "--theme", "forest"]).code, 0);
}

#[test]
fn a_failed_check_gives_its_reason_once() {
    let data = tempfile::tempdir().unwrap();
    let address = "http://127.0.0.1:1/wms?service=WMS";
    let mut command = geotrawl_command(data.path());
    let said = run_command(command.args(["--allow-net", "127.0.0.1/32", "check", "--kind", "wms", address]));
    assert_eq!(said.code, 1, "{}", said.err);
    assert_eq!(said.out.matches("belongs to a protocol").count(), 1, "{}", said.out);
    assert_eq!(said.err.trim_end(), format!("geotrawl: {address}: inconclusive"));
}

#[test]
fn days_are_accepted_as_times() {
    let data = TestStore::new(Engine::Embedded);
    let command = |args: &[&str]| run_command(data.geotrawl_command().args(args));
    let made = command(&["archive", "new", "news", "--title", "News", "--page", "http://x.example/"]);
    assert_eq!(made.code, 0, "{}", made.err);
    for time in ["2020-01-01", "2020-01-01T12:00:00Z"] {
        let said = command(&["archive", "show", "news", "--as-of", time]);
        assert!(said.code == 0 && said.err.contains("news had no pages at 2020-01-01T"), "{}", said.err);
        for args in
            [&["archive", "results", "news", "--run", time][..], &["archive", "didl", "news", "--run", time]]
        {
            let said = command(args);
            assert!(said.code == 2 && said.err.contains("no "), "{args:?}: {}", said.err);
        }
    }
    let said = command(&["archive", "show", "news", "--as-of", "yesterday"]);
    assert!(said.code == 2 && said.err.contains("use a date (2026-01-31)"), "{}", said.err);
}

#[test]
fn the_environment_does_not_change_the_usage() {
    let data = tempfile::tempdir().unwrap();
    let mut command = geotrawl_command(data.path());
    let said = run_command(command.env("GEOTRAWL_DATA", data.path()).arg("crawl"));
    assert_eq!(said.code, 2);
    assert!(said.err.contains("Usage: geotrawl crawl [OPTIONS] [SEED]...\n"), "{}", said.err);
    let said = run_command(geotrawl_command(data.path()).arg("serach"));
    assert!(said.err.contains("a similar subcommand exists: 'search'"), "{}", said.err);
}

fn users_can_be_added_while_the_server_runs(engine: Engine) {
    let _busy = share_machine();
    let (web, data) = (small_web(), TestStore::new(engine));
    let server = start_server(&web, &data);
    let said = add_user(&data, &["ann", "--admin"]);
    assert_eq!(said.code, 0, "{}", said.err);
    server.user_session("ann");
    let said = run_command(data.geotrawl_command().args(["user", "list"]));
    assert!(said.out.contains("ann  an admin"), "{}", said.out);
}

geotrawl_testkit::on_both_engines! {
    users_can_be_added_while_the_server_runs
}
