use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::time::{Duration, Instant};

/// Starts a server and stops it when the input closes; also used
/// by the journeys of the web application.
const KEEP_SERVER: &str = include_str!("keep-server.sh");

/// A temporary server; stopped and removed when dropped.
pub struct PostgresServer {
    /// The server stops when this is closed.
    input: Option<ChildStdin>,
    keeper: Child,
    /// Directory of the data and the socket.
    pub directory: PathBuf,
    pub port: u16,
    options: String,
}

impl PostgresServer {
    /// Starts a server. `durable` is for tests that crash it; the
    /// others run without flushing to disk.
    pub fn start(durable: bool) -> Result<Self, String> {
        let mut last = String::new();
        // Another process may take the free port before the server does.
        for _ in 0..3 {
            match Self::try_start(durable) {
                Ok(server) => return Ok(server),
                Err(error) => last = error,
            }
        }
        Err(last)
    }

    fn try_start(durable: bool) -> Result<Self, String> {
        let programs = find_programs().ok_or("PostgreSQL is not installed")?;
        let listener = std::net::TcpListener::bind("127.0.0.1:0").map_err(|error| error.to_string())?;
        let port = listener.local_addr().map_err(|error| error.to_string())?.port();
        drop(listener);
        let durability =
            if durable { "" } else { "-c fsync=off -c synchronous_commit=off -c full_page_writes=off" };
        let options = format!(
            "-p {port} -c listen_addresses=127.0.0.1 -c max_connections=300 -c shared_buffers=64MB \
             -c autovacuum_naptime=20s {durability}"
        );
        let mut keeper = command_as_postgres("sh")
            .args(["-c", KEEP_SERVER])
            .env("BIN", &programs)
            .env("OPTIONS", &options)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("the server cannot be started: {error}"))?;
        let mut line = String::new();
        if let Some(output) = keeper.stdout.take() {
            BufReader::new(output).read_line(&mut line).map_err(|error| error.to_string())?;
        }
        match line.trim_end().strip_prefix("ready ") {
            Some(directory) => {
                Ok(Self { input: keeper.stdin.take(), keeper, directory: directory.into(), port, options })
            }
            None => Err(format!("the server did not start: {line}")),
        }
    }

    /// Returns the URL of a database on this server.
    pub fn url(&self, database: &str) -> String {
        format!("postgres://postgres@127.0.0.1:{}/{database}", self.port)
    }

    /// Stops the server immediately, as in a crash of the machine. Returns whether it stopped.
    pub fn stop_immediately(&self) -> bool {
        self.control(&["-m", "immediate", "stop"])
    }

    /// Kills the postmaster (`kill -9`), like the kernel does when it is out of memory; its
    /// children exit by themselves.
    pub fn kill(&self) -> bool {
        let Ok(text) = std::fs::read_to_string(self.directory.join("data/postmaster.pid")) else {
            return false;
        };
        let postmaster = text.lines().next().unwrap_or_default();
        Command::new("kill").args(["-9", postmaster]).status().is_ok_and(|status| status.success())
    }

    /// Starts the server again after [`Self::stop_immediately`] or [`Self::kill`]. Retries for a
    /// minute, because the last child of a killed server must first release its shared memory.
    pub fn restart(&self) -> bool {
        let directory = self.directory.display();
        let options = format!("{} -k '{directory}'", self.options);
        let log = format!("{directory}/server.log");
        let deadline = Instant::now() + Duration::from_mins(1);
        while !self.control(&["-l", &log, "-o", &options, "start"]) {
            if Instant::now() > deadline {
                return false;
            }
            std::thread::park_timeout(Duration::from_millis(50));
        }
        true
    }

    fn control(&self, arguments: &[&str]) -> bool {
        let Some(programs) = find_programs() else { return false };
        let mut command = command_as_postgres(&programs.join("pg_ctl").display().to_string());
        command.arg("-D").arg(self.directory.join("data")).arg("-w").args(arguments);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    }
}

impl Drop for PostgresServer {
    fn drop(&mut self) {
        drop(self.input.take());
        let _ = self.keeper.wait();
    }
}

/// Returns a command that runs as the user `postgres` if this process is root, because the server
/// refuses to run as root.
fn command_as_postgres(program: &str) -> Command {
    let root = Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout.trim_ascii() == b"0");
    let mut command = Command::new(if root { "runuser" } else { program });
    if root {
        command.args(["-u", "postgres", "--", program]);
    }
    command.current_dir("/");
    command
}

/// Returns the directory of `initdb` and `pg_ctl`.
fn find_programs() -> Option<PathBuf> {
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
    let output = Command::new("pg_config").arg("--bindir").output().ok()?;
    let bin = PathBuf::from(String::from_utf8(output.stdout).ok()?.trim());
    bin.join("initdb").is_file().then_some(bin)
}
