//! A PostgreSQL for tests: a throw-away cluster per test process, and a database per test.
//!
//! `GEOTRAWL_TEST_POSTGRES` may name a server in place of it (`postgres://user@host/postgres`, of one who may make
//! databases), or say `none`: then the tests that need one say so and end. Shared by path between test targets.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// What to do when there is no server to be found.
const MISSING: &str = "these tests need PostgreSQL with PostGIS: install it (Debian: apt-get install postgresql \
                       postgresql-15-postgis-3), name a server with GEOTRAWL_TEST_POSTGRES=postgres://…, or leave \
                       them out with GEOTRAWL_TEST_POSTGRES=none";

/// Starts a cluster and stops it with its input; the journeys of the web application use it too.
const KEEPER: &str = include_str!("keeper.sh");

/// A running cluster of our own.
pub struct Cluster {
    /// Its end is the end of the cluster.
    input: Option<ChildStdin>,
    keeper: Child,
    /// Where its files are.
    pub directory: PathBuf,
    pub port: u16,
    options: String,
}

impl Cluster {
    /// Starts one. `durable` is for tests of crashes of the server: all others do without the disk.
    pub fn start(durable: bool) -> Result<Self, String> {
        let mut last = String::new();
        // Between asking for a free port and using it another process may take it.
        for _ in 0..3 {
            match Self::try_start(durable) {
                Ok(cluster) => return Ok(cluster),
                Err(error) => last = error,
            }
        }
        Err(last)
    }

    fn try_start(durable: bool) -> Result<Self, String> {
        let bin = programs().ok_or_else(|| MISSING.to_owned())?;
        let listener = std::net::TcpListener::bind("127.0.0.1:0").map_err(|error| error.to_string())?;
        let port = listener.local_addr().map_err(|error| error.to_string())?.port();
        drop(listener);
        let habits =
            if durable { "" } else { "-c fsync=off -c synchronous_commit=off -c full_page_writes=off" };
        let options = format!(
            "-p {port} -c listen_addresses=127.0.0.1 -c max_connections=300 -c shared_buffers=64MB \
             -c autovacuum_naptime=20s {habits}"
        );
        // The server refuses to be root.
        let mut command = if is_root() {
            let mut command = Command::new("runuser");
            command.args(["-u", "postgres", "--", "sh", "-c", KEEPER]);
            command
        } else {
            let mut command = Command::new("sh");
            command.args(["-c", KEEPER]);
            command
        };
        let mut keeper = command
            .env("BIN", &bin)
            .env("OPTIONS", &options)
            .current_dir("/")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("the server cannot be started: {error}"))?;
        let mut said = String::new();
        if let Some(output) = keeper.stdout.take() {
            BufReader::new(output).read_line(&mut said).map_err(|error| error.to_string())?;
        }
        match said.trim_end().strip_prefix("ready ") {
            Some(directory) => {
                Ok(Self { input: keeper.stdin.take(), keeper, directory: directory.into(), port, options })
            }
            None => Err(format!("the server did not start: {said}")),
        }
    }

    /// The address of a database in it.
    pub fn url(&self, database: &str) -> String {
        format!("postgres://postgres@127.0.0.1:{}/{database}", self.port)
    }

    /// Stops it at once, as a fallen machine would.
    pub fn fall(&self) -> bool {
        self.control(&["-m", "immediate", "stop"])
    }

    /// Kills its first process (`kill -9`), as the system does when memory is short; the others end by themselves.
    pub fn kill(&self) -> bool {
        let Ok(text) = std::fs::read_to_string(self.directory.join("data/postmaster.pid")) else {
            return false;
        };
        let first = text.lines().next().unwrap_or_default();
        Command::new("kill").args(["-9", first]).status().is_ok_and(|status| status.success())
    }

    /// Starts it again. What a killed one left in memory must be let go by its last process first.
    pub fn rise(&self) -> bool {
        let directory = self.directory.display();
        let options = format!("{} -k '{directory}'", self.options);
        let log = format!("{directory}/server.log");
        let patience = Instant::now() + Duration::from_mins(1);
        while !self.control(&["-l", &log, "-o", &options, "start"]) {
            if Instant::now() > patience {
                return false;
            }
            std::thread::park_timeout(Duration::from_millis(50));
        }
        true
    }

    fn control(&self, how: &[&str]) -> bool {
        let Some(bin) = programs() else { return false };
        let program = bin.join("pg_ctl");
        let data = self.directory.join("data");
        let mut command = if is_root() {
            let mut command = Command::new("runuser");
            command.args(["-u", "postgres", "--"]).arg(program);
            command
        } else {
            Command::new(program)
        };
        command.arg("-D").arg(data).arg("-w").args(how).current_dir("/");
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        drop(self.input.take());
        let _ = self.keeper.wait();
    }
}

fn is_root() -> bool {
    Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}

/// Where the programs of the server are.
fn programs() -> Option<PathBuf> {
    if let Some(named) = std::env::var_os("GEOTRAWL_PG_BIN") {
        return Some(named.into());
    }
    let mut found: Vec<(u32, PathBuf)> = std::fs::read_dir("/usr/lib/postgresql")
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| Some((entry.file_name().to_str()?.parse().ok()?, entry.path().join("bin"))))
        .filter(|(_, bin)| bin.join("initdb").is_file())
        .collect();
    found.sort();
    if let Some((_, newest)) = found.pop() {
        return Some(newest);
    }
    let asked = Command::new("pg_config").arg("--bindir").output().ok()?;
    let bin = PathBuf::from(String::from_utf8(asked.stdout).ok()?.trim());
    bin.join("initdb").is_file().then_some(bin)
}

/// The server of this process.
enum Server {
    None,
    Given(String),
    Own(Cluster),
}

static SERVER: OnceLock<Server> = OnceLock::new();
/// One at a time makes databases: the server refuses to copy a template that is being copied.
static MAKING: Mutex<Option<String>> = Mutex::new(None);
static NUMBER: AtomicU64 = AtomicU64::new(0);

fn server() -> &'static Server {
    SERVER.get_or_init(|| match std::env::var("GEOTRAWL_TEST_POSTGRES") {
        Ok(said) if said == "none" => Server::None,
        Ok(url) => Server::Given(url),
        // Nobody drops a static: its input ends with this process, and the keeper sees to the rest.
        Err(_) => Server::Own(Cluster::start(false).unwrap_or_else(|error| panic!("{error}"))),
    })
}

fn url_of(database: &str) -> Option<String> {
    match server() {
        Server::None => None,
        Server::Own(cluster) => Some(cluster.url(database)),
        Server::Given(url) => {
            let mut url =
                url::Url::parse(url).unwrap_or_else(|error| panic!("GEOTRAWL_TEST_POSTGRES: {error}"));
            url.set_path(database);
            Some(url.into())
        }
    }
}

/// Whether there is a server for these tests; says so when there is none, by wish.
pub fn is_there() -> bool {
    let there = !matches!(server(), Server::None);
    if !there {
        println!("left out: GEOTRAWL_TEST_POSTGRES is none");
    }
    there
}

/// A database of its own, gone with this value.
pub struct Database {
    name: String,
    pub url: String,
}

impl Database {
    /// A copy of the template, which `prepare` fills when it is first needed (it gets the address). `None` when there
    /// is no server, by wish.
    pub fn new(prepare: impl FnOnce(&str)) -> Option<Self> {
        let mut template = MAKING.lock().unwrap_or_else(PoisonError::into_inner);
        if template.is_none() {
            let name = format!("geotrawl_template_{}", std::process::id());
            run(&url_of("postgres")?, &format!("CREATE DATABASE {name}"));
            let url = url_of(&name)?;
            // Of PostGIS's thousands of reference systems ours needs one; a small template is copied quickly.
            run(
                &url,
                "CREATE EXTENSION IF NOT EXISTS postgis; DELETE FROM spatial_ref_sys WHERE srid <> 4326",
            );
            prepare(&url);
            run(&url, "VACUUM FULL");
            *template = Some(name);
        }
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("geotrawl_test_{}_{number}", std::process::id());
        let copy = format!("CREATE DATABASE {name} TEMPLATE {}", template.as_deref().unwrap_or("template1"));
        let server = url_of("postgres")?;
        // Servers before 15 know one way only, and it is this.
        if try_run(&server, &format!("{copy} STRATEGY file_copy")).is_err() {
            run(&server, &copy);
        }
        Some(Self { url: url_of(&name)?, name })
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        let Some(url) = url_of("postgres") else { return };
        let gone = try_run(&url, &format!("DROP DATABASE IF EXISTS {} WITH (FORCE)", self.name));
        // A second panic would end the whole process, and hide the first.
        if !std::thread::panicking() {
            gone.unwrap_or_else(|error| panic!("{} cannot be removed: {error}", self.name));
        }
    }
}

/// Runs statements on a connection of their own.
pub fn run(url: &str, sql: &str) {
    if let Err(error) = try_run(url, sql) {
        panic!("{sql}: {error}: {:?}", error.as_db_error());
    }
}

fn try_run(url: &str, sql: &str) -> Result<(), tokio_postgres::Error> {
    talk(url, async |client| client.batch_execute(sql).await)
}

/// What a query says: the first column of each row, as text; empty for NULL.
pub fn ask(url: &str, sql: &str) -> Vec<String> {
    use tokio_postgres::SimpleQueryMessage::Row;
    let answer = talk(url, async |client| client.simple_query(sql).await);
    let rows = answer.unwrap_or_else(|error| panic!("{sql}: {error}: {:?}", error.as_db_error()));
    rows.iter()
        .filter_map(|message| match message {
            Row(row) => Some(row.get(0).unwrap_or_default().to_owned()),
            _ => None,
        })
        .collect()
}

/// Uses a connection of its own, on a thread of its own: callers may be in a runtime.
fn talk<T: Send>(
    url: &str,
    what: impl AsyncFnOnce(&tokio_postgres::Client) -> Result<T, tokio_postgres::Error> + Send,
) -> Result<T, tokio_postgres::Error> {
    std::thread::scope(|scope| {
        let talking = scope.spawn(move || {
            let runtime =
                tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
            runtime.block_on(async {
                let (client, connection) = tokio_postgres::connect(url, tokio_postgres::NoTls).await?;
                let connection = tokio::spawn(connection);
                let result = what(&client).await;
                drop(client);
                // The server has let go of the session when this ends.
                let _ = connection.await;
                result
            })
        });
        talking.join().expect("the thread ends")
    })
}
