//! What every end-to-end test needs: a simulated web, and the binary.

pub use crate::place::{Engine, Place};
use geotrawl_simweb::{LogEntry, LogSink, ServerHandle, SimWeb, SimWebConfig};
use serde_json::Value;
use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use std::time::{Duration, Instant};

/// Tests that must have the machine to themselves take this for writing, the busy ones for reading.
static MACHINE: RwLock<()> = RwLock::new(());

/// Waits until no busy test runs and keeps others from starting.
pub fn alone() -> RwLockWriteGuard<'static, ()> {
    MACHINE.write().unwrap_or_else(PoisonError::into_inner)
}

/// Waits until no test wants the machine for itself.
pub fn busy() -> RwLockReadGuard<'static, ()> {
    MACHINE.read().unwrap_or_else(PoisonError::into_inner)
}

/// A simulated web that is being served.
pub struct Web {
    pub sim: SimWeb,
    pub address: SocketAddr,
    handle: ServerHandle,
    _runtime: tokio::runtime::Runtime,
}

impl Web {
    /// Generates and serves a web on an ephemeral port.
    pub fn start(config: SimWebConfig) -> Self {
        let sim = SimWeb::generate(config);
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let handle = runtime.block_on(async { sim.serve(listener, Some(LogSink::memory())).unwrap() });
        Self { sim, address, handle, _runtime: runtime }
    }

    /// Requests so far.
    pub fn log(&self) -> Vec<LogEntry> {
        self.handle.log()
    }

    /// Number of requests so far, cheaply.
    pub fn served(&self) -> u64 {
        self.handle.served()
    }

    /// A command that reaches this web and keeps its catalogue at this place.
    pub fn geotrawl(&self, place: &Place) -> Command {
        let mut command = place.geotrawl();
        command.arg("--resolve").arg(format!("*={}", self.address));
        command
    }
}

/// The binary with a data directory.
pub fn geotrawl(data: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_geotrawl"));
    command.arg("--data").arg(data).stdin(Stdio::null());
    for name in ["GEOTRAWL_DATA", "GEOTRAWL_STORE", "GEOTRAWL_CONFIG", "GEOTRAWL_LOG"] {
        command.env_remove(name);
    }
    command
}

impl Place {
    /// The binary with its catalogue here.
    pub fn geotrawl(&self) -> Command {
        let mut command = geotrawl(self.path());
        command.envs(self.url().map(|url| ("GEOTRAWL_STORE", url)));
        command
    }
}

/// Output as text, with the exit code.
pub struct Said {
    pub code: i32,
    pub out: String,
    pub err: String,
}

/// Runs to the end.
pub fn run(command: &mut Command) -> Said {
    said(command.output().expect("the binary starts"))
}

fn said(output: Output) -> Said {
    Said {
        code: output.status.code().unwrap_or(-1),
        out: String::from_utf8_lossy(&output.stdout).into_owned(),
        err: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

impl Said {
    /// Every line of stdout as JSON.
    pub fn json(&self) -> Vec<Value> {
        self.out
            .lines()
            .map(|line| {
                serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}\n{}", self.err))
            })
            .collect()
    }
}

/// Peak memory of a process so far, in bytes.
pub fn peak_memory(pid: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse::<u64>().ok().map(|kib| kib * 1024)
}

/// Waits for a process while watching its memory; panics after `deadline`.
pub fn watch(mut child: Child, deadline: Duration) -> (Said, u64) {
    let started = Instant::now();
    let mut peak = 0;
    // Both pipes are drained by threads, so that a talkative child never blocks.
    let out = child.stdout.take().map(drain);
    let err = child.stderr.take().map(drain);
    let status = loop {
        peak = peak.max(peak_memory(child.id()).unwrap_or(0));
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if started.elapsed() > deadline {
            child.kill().unwrap();
            panic!("not finished after {deadline:?}");
        }
        std::thread::park_timeout(Duration::from_millis(20));
    };
    let text =
        |pipe: Option<std::thread::JoinHandle<String>>| pipe.map(|p| p.join().unwrap()).unwrap_or_default();
    (Said { code: status.code().unwrap_or(-1), out: text(out), err: text(err) }, peak)
}

fn drain(mut pipe: impl std::io::Read + Send + 'static) -> std::thread::JoinHandle<String> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = pipe.read_to_end(&mut bytes);
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

/// What of a record does not depend on when and by which page it was found.
pub fn essence(record: &Value) -> Value {
    let mut record = record.clone();
    if let Some(members) = record.as_object_mut() {
        for name in ["id", "first_seen", "last_seen", "last_ok", "provenance", "reason", "host"] {
            members.remove(name);
        }
    }
    record
}

/// The catalogue in comparable form, sorted.
pub fn catalogue(place: &Place) -> Vec<Value> {
    let said = run(place.geotrawl().args(["export", "--format", "jsonl"]));
    assert_eq!(said.code, 0, "{}", said.err);
    let mut records: Vec<Value> = said.json().iter().map(essence).collect();
    records.sort_by_key(|record| (record["kind"].to_string(), record["url"].to_string()));
    records
}
