use crate::world;
use crate::world::{
    AdminSession, ProgramProcess, ServedSimWeb, add_admin, count_search_results, geotrawl_on, small_web,
    wait_until, watch_finds,
};
use geotrawl_testkit::postgres;
use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::path::Path;
use std::process::Command;

/// Lists the connections that listen for events.
const LISTENING: &str =
    "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN %'";

struct SharedCatalogue {
    database: postgres::TestDatabase,
    web: ServedSimWeb,
    folders: tempfile::TempDir,
}

impl SharedCatalogue {
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

    fn node(&self, name: &str) -> (ProgramProcess, SocketAddr) {
        let mut command = self.command(name);
        command.args(["serve", "--role", "web", "--listen", "127.0.0.1:0"]);
        let node = ProgramProcess::start(command);
        let address = node.wait_for_address("answers on http://");
        (node, address)
    }

    fn listening(&self) -> usize {
        postgres::query_column(&self.database.url, LISTENING).len()
    }
}

/// Checks that both nodes report every find of a task once, and return it from search.
fn both_show(nodes: [SocketAddr; 2], task: i64, before: u64) -> BTreeSet<String> {
    let other = std::thread::spawn(move || watch_finds(nodes[1], task));
    let told = watch_finds(nodes[0], task);
    let once: BTreeSet<String> = told.iter().cloned().collect();
    assert_eq!(once.len(), told.len(), "each find is told once");
    assert_eq!(other.join().unwrap().into_iter().collect::<BTreeSet<_>>(), once);
    assert!(!once.is_empty());
    for node in nodes {
        let took =
            wait_until("the search to find it", || count_search_results(node) >= before + once.len() as u64);
        println!("{} finds were found by search {} ms after the task was over", once.len(), took.as_millis());
    }
    once
}

#[test]
fn what_a_worker_finds_is_on_every_node_also_while_nobody_listens() {
    if !postgres::is_available() {
        return;
    }
    let database = postgres::TestDatabase::new(|_| ()).unwrap();
    let shared =
        SharedCatalogue { database, web: small_web(11, 8, 120), folders: tempfile::tempdir().unwrap() };
    add_admin(shared.command("boss"));
    let (_one, first) = shared.node("one");
    let (_two, second) = shared.node("two");
    let mut worker = shared.command("worker");
    worker.arg("worker");
    let _worker = ProgramProcess::start(worker);
    wait_until("both nodes to listen", || shared.listening() == 2);

    // A small task, then the whole web: the finds of the second task that the first lacks are new
    // to the catalogue.
    let seeds = shared.web.sim.seeds();
    let boss = AdminSession::log_in(first);
    let task = boss.start_task("Near", &seeds[..1], 1);
    let near = both_show([first, second], task, 0);

    postgres::execute_sql(
        &shared.database.url,
        &format!("SELECT pg_terminate_backend(pid) FROM ({LISTENING}) AS listening"),
    );
    let task = AdminSession::log_in(second).start_task("Far", &seeds, 12);
    let far = both_show([first, second], task, 0);
    assert!(far.len() > near.len(), "{} of {}", near.len(), far.len());
    wait_until("both nodes to listen again", || shared.listening() == 2);
    let status = world::send_request(first, "GET /readyz", &[], "").status;
    assert_eq!(status, 200);
}
