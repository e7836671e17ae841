use crate::world;
use crate::world::{Boss, Process, Web, add_boss, geotrawl_on, searched, small_web, until, watch};
use geotrawl_testkit::postgres;
use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::path::Path;
use std::process::Command;

/// Connections that listen for news.
const LISTENING: &str =
    "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN %'";

struct Shared {
    database: postgres::Database,
    web: Web,
    folders: tempfile::TempDir,
}

impl Shared {
    fn command(&self, name: &str) -> Command {
        let data = self.folders.path().join(name);
        std::fs::create_dir_all(&data).unwrap();
        let mut command = geotrawl_on(&self.web, &data);
        command.env("GEOTRAWL_STORE", &self.database.url).arg("--config").arg(self.config());
        command
    }

    fn config(&self) -> std::path::PathBuf {
        let path: &Path = self.folders.path();
        let config = path.join("config.toml");
        std::fs::write(&config, "[serve]\nguest_rate = 100000\nuser_rate = 100000\n").unwrap();
        config
    }

    fn node(&self, name: &str) -> (Process, SocketAddr) {
        let mut command = self.command(name);
        command.args(["serve", "--role", "web", "--listen", "127.0.0.1:0"]);
        let node = Process::start(command);
        let address = node.address("answers on http://");
        (node, address)
    }

    fn listening(&self) -> usize {
        postgres::query(&self.database.url, LISTENING).len()
    }
}

/// Both nodes are told of all that a task finds, and find it.
fn both_show(nodes: [SocketAddr; 2], task: i64, before: u64) -> BTreeSet<String> {
    let other = std::thread::spawn(move || watch(nodes[1], task));
    let told = watch(nodes[0], task);
    let once: BTreeSet<String> = told.iter().cloned().collect();
    assert_eq!(once.len(), told.len(), "each find is told once");
    assert_eq!(other.join().unwrap().into_iter().collect::<BTreeSet<_>>(), once);
    assert!(!once.is_empty());
    for node in nodes {
        let took = until("the search to find it", || searched(node) >= before + once.len() as u64);
        println!("{} finds were found by search {} ms after the task was over", once.len(), took.as_millis());
    }
    once
}

#[test]
fn what_a_worker_finds_is_on_every_node_also_while_nobody_listens() {
    if !postgres::is_available() {
        return;
    }
    let database = postgres::Database::new(|_| ()).unwrap();
    let shared = Shared { database, web: small_web(11, 8, 120), folders: tempfile::tempdir().unwrap() };
    add_boss(shared.command("boss"));
    let (_one, first) = shared.node("one");
    let (_two, second) = shared.node("two");
    let mut worker = shared.command("worker");
    worker.arg("worker");
    let _worker = Process::start(worker);
    until("both nodes to listen", || shared.listening() == 2);

    // A task with few pages, then one with all: what the second finds besides was not there before.
    let seeds = shared.web.sim.seeds();
    let boss = Boss::of(first);
    let task = boss.start_task("Near", &seeds[..1], 1);
    let near = both_show([first, second], task, 0);

    postgres::execute(
        &shared.database.url,
        &format!("SELECT pg_terminate_backend(pid) FROM ({LISTENING}) AS listening"),
    );
    let task = Boss::of(second).start_task("Far", &seeds, 12);
    let far = both_show([first, second], task, 0);
    assert!(far.len() > near.len(), "{} of {}", near.len(), far.len());
    until("both nodes to listen again", || shared.listening() == 2);
    let status = world::ask(first, "GET /readyz", &[], "").status;
    assert_eq!(status, 200);
}
