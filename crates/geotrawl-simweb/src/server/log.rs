//! The request log.

use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// One request. Times are seconds since the server started.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LogEntry {
    /// Arrival time.
    pub t: f64,
    /// Time when the last byte was sent, or the response was aborted.
    pub end: f64,
    /// Requested host name, without port.
    pub host: String,
    pub method: String,
    /// Path and query as sent.
    pub target: String,
    /// `User-Agent`.
    pub agent: String,
    /// Status sent; 0 if no status line was sent.
    pub status: u16,
    /// Bytes sent, including the head.
    pub bytes: u64,
    /// The client disconnected before the response was complete.
    #[serde(default)]
    pub given_up: bool,
}

/// Destination of the log.
#[derive(Debug, Default)]
pub struct LogSink {
    memory: bool,
    file: Option<BufWriter<File>>,
}

impl LogSink {
    /// Keeps the log in memory, for [`super::ServerHandle::log`].
    pub fn memory() -> Self {
        Self { memory: true, file: None }
    }

    /// Writes the log to a file, one JSON object per line.
    pub fn file(path: &Path) -> io::Result<Self> {
        Ok(Self { memory: false, file: Some(BufWriter::new(File::create(path)?)) })
    }

    /// Also keeps the log in memory.
    #[must_use]
    pub fn and_memory(mut self) -> Self {
        self.memory = true;
        self
    }
}

/// The log of a running server.
pub(super) struct RequestLog {
    start: Instant,
    memory: bool,
    entries: Mutex<Vec<LogEntry>>,
    file: Mutex<Option<BufWriter<File>>>,
}

impl RequestLog {
    pub(super) fn new(sink: LogSink) -> Self {
        Self {
            start: Instant::now(),
            memory: sink.memory,
            entries: Mutex::new(Vec::new()),
            file: Mutex::new(sink.file),
        }
    }

    pub(super) fn seconds(&self, at: Instant) -> f64 {
        (at.saturating_duration_since(self.start).as_secs_f64() * 1e6).round() / 1e6
    }

    pub(super) fn push(&self, entry: LogEntry) {
        if let Some(file) = lock(&self.file).as_mut()
            && let Ok(mut line) = serde_json::to_vec(&entry)
        {
            line.push(b'\n');
            // A full disk must not stop the web; the log is then incomplete.
            let _ = file.write_all(&line);
        }
        if self.memory {
            lock(&self.entries).push(entry);
        }
    }

    pub(super) fn entries(&self) -> Vec<LogEntry> {
        let mut entries = lock(&self.entries).clone();
        entries.sort_by(|a, b| a.t.total_cmp(&b.t));
        entries
    }

    pub(super) fn flush(&self) {
        if let Some(file) = lock(&self.file).as_mut() {
            let _ = file.flush();
        }
    }
}

/// Locks a mutex; a panic elsewhere must not hide the log.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
