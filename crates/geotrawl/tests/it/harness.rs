//! Harness of the end-to-end tests: a simulated web and the binary.

pub use geotrawl_testkit::{CommandOutput, Engine, ServedSimWeb, TestStore, geotrawl_command, run_command};
use serde_json::Value;
use std::process::Child;
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use std::time::{Duration, Instant};

/// Tests that need the whole machine lock this for writing, all others for reading.
static MACHINE: RwLock<()> = RwLock::new(());

/// Waits until no other test is running and keeps others from starting.
pub fn lock_machine() -> RwLockWriteGuard<'static, ()> {
    MACHINE.write().unwrap_or_else(PoisonError::into_inner)
}

/// Waits until no test needs the machine for itself.
pub fn share_machine() -> RwLockReadGuard<'static, ()> {
    MACHINE.read().unwrap_or_else(PoisonError::into_inner)
}

/// Peak memory of a process so far, in bytes.
pub fn peak_memory(pid: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse::<u64>().ok().map(|kib| kib * 1024)
}

/// Waits for a process while watching its memory; panics after `deadline`.
pub fn wait_with_memory(mut child: Child, deadline: Duration) -> (CommandOutput, u64) {
    let started = Instant::now();
    let mut peak = 0;
    // Threads drain both pipes, so that a child with much output never blocks.
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
    (CommandOutput { code: status.code().unwrap_or(-1), out: text(out), err: text(err) }, peak)
}

fn drain(mut pipe: impl std::io::Read + Send + 'static) -> std::thread::JoinHandle<String> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = pipe.read_to_end(&mut bytes);
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

/// Removes the members of a record that depend on when and how it was found.
pub fn without_run_details(record: &Value) -> Value {
    let mut record = record.clone();
    if let Some(members) = record.as_object_mut() {
        for name in ["id", "first_seen", "last_seen", "last_ok", "provenance", "reason", "host"] {
            members.remove(name);
        }
    }
    record
}

/// Exports the catalogue in comparable form, sorted.
pub fn export_catalogue(place: &TestStore) -> Vec<Value> {
    let said = run_command(place.geotrawl_command().args(["export", "--format", "jsonl"]));
    assert_eq!(said.code, 0, "{}", said.err);
    let mut records: Vec<Value> = said.json_lines().iter().map(without_run_details).collect();
    records.sort_by_key(|record| (record["kind"].to_string(), record["url"].to_string()));
    records
}
