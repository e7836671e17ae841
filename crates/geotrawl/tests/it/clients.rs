//! Third-party clients against served and exported data: every `check_*.py` of `tools/clients`.

use crate::harness::{Engine, ServedSimWeb, TestStore, run_command, share_machine};
use crate::serve_client::{add_user, start_server};
use geotrawl_simweb::SimWebConfig;
use geotrawl_testkit::require_tool;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Returns the Python interpreter with the clients, which `make clients` installs.
pub fn find_python() -> Option<PathBuf> {
    let python = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/clients/bin/python");
    let found = if python.exists() { Ok(python) } else { Err("target/clients is not there") };
    require_tool("Python with the clients of others", found, "run `make clients`")
}

/// Runs on the embedded store only, because some checks create their own stores in directories next
/// to it.
#[test]
fn clients_of_others_understand_everything() {
    let Some(python) = find_python() else { return };
    let _busy = share_machine();
    let web = ServedSimWeb::start(SimWebConfig { seed: 8, hosts: 40, ..SimWebConfig::default() });
    let data = TestStore::new(Engine::Embedded);
    let mut crawl = web.geotrawl_command(&data);
    crawl.args(["crawl", "--delay", "0", "--concurrency", "32", "--depth", "4", "--task", "clients", "-q"]);
    crawl.args(web.sim.seeds().iter().take(8));
    assert!([0, 1].contains(&run_command(&mut crawl).code), "the crawl to ask about fails");
    assert_eq!(add_user(&data, &["keeper", "--admin"]).code, 0);
    let server = start_server(&web, &data);
    let scripts = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tools/clients");
    let mut checks: Vec<PathBuf> =
        std::fs::read_dir(&scripts).unwrap().map(|entry| entry.unwrap().path()).collect();
    checks.retain(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("check_")));
    checks.sort();
    let mut failed = Vec::new();
    for check in checks {
        let said = run_command(
            Command::new(&python)
                .arg(&check)
                .arg(format!("http://{}", server.address))
                .arg(data.path())
                .arg(env!("CARGO_BIN_EXE_geotrawl")),
        );
        println!("{}: {}", check.file_name().unwrap().display(), said.out.trim());
        if said.code != 0 {
            failed.push(format!("{}: {}", check.display(), said.err));
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}
