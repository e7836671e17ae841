//! A simulated web, the binary, and catalogues to compare.

use geotrawl_simweb::{LogEntry, SimWebConfig};
pub use geotrawl_testkit::{CommandOutput, run_command};
use geotrawl_testkit::{ServedSimWeb, geotrawl_command};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// Concurrent requests, which is also the number of requests that may be repeated after an
/// interruption.
pub const CONCURRENCY: u64 = 8;

/// A simulated web, and the crawl of it that all these tests run.
pub struct CrawlLab {
    web: ServedSimWeb,
}

impl CrawlLab {
    pub fn start(seed: u64, pages: usize) -> Self {
        let config = SimWebConfig { seed, hosts: 30, pages: Some(pages), ..SimWebConfig::default() };
        Self { web: ServedSimWeb::start(config) }
    }

    /// Returns the number of requests per page since then. Pages of traps and hostile hosts are
    /// excluded: which of their endless pages are read before they are detected depends on the
    /// order of answers.
    pub fn requests_since(&self, first: usize) -> BTreeMap<String, u64> {
        let mut counts = BTreeMap::new();
        let traps = &self.web.sim.truth().traps;
        let endless = |entry: &&LogEntry| {
            entry.host.ends_with(".hostile.test")
                || traps.iter().any(|trap| trap.host == entry.host && entry.target.starts_with(&trap.prefix))
        };
        let log = self.web.log();
        let pages = log.iter().skip(first).filter(|entry| entry.target != "/robots.txt" && !endless(entry));
        for entry in pages {
            *counts.entry(format!("{}{}", entry.host, entry.target)).or_insert(0) += 1;
        }
        counts
    }

    /// Returns the number of log entries so far.
    pub fn log_len(&self) -> usize {
        self.web.log().len()
    }

    /// Returns the crawl command; running it again resumes an interrupted crawl.
    pub fn crawl_command(&self, at: &StoreArgs) -> Command {
        let mut command = at.geotrawl();
        command.arg("--resolve").arg(self.web.resolve_all());
        command.args([
            "--quiet",
            "--delay",
            "0",
            "--concurrency",
            &CONCURRENCY.to_string(),
            "--timeout",
            "8",
        ]);
        command.args(["crawl", "--depth", "40", "--task", "all"]).args(self.web.sim.seeds());
        command
    }

    /// Starts the crawl and lets it run for this many requests.
    pub fn start_crawl(&self, at: &StoreArgs, requests: u64) -> Child {
        let until = self.web.request_count() + requests;
        let mut command = self.crawl_command(at);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        while self.web.request_count() < until {
            assert!(child.try_wait().unwrap().is_none(), "the crawl was over before {requests} requests");
            std::thread::park_timeout(Duration::from_millis(1));
        }
        child
    }

    /// Crawls for this many requests and interrupts the crawl.
    pub fn interrupt_crawl(&self, at: &StoreArgs, requests: u64) {
        let mut child = self.start_crawl(at, requests);
        let told = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
        assert!(told.success());
        assert_eq!(child.wait().unwrap().code(), Some(130), "it says that it was interrupted");
    }

    /// Crawls to the end.
    pub fn finish_crawl(&self, at: &StoreArgs) {
        let said = run_command(&mut self.crawl_command(at));
        assert!(said.code <= 1, "{}", said.err);
    }
}

/// Location of a catalogue.
pub struct StoreArgs {
    pub data: PathBuf,
    pub url: Option<String>,
}

impl StoreArgs {
    pub fn directory(data: &Path) -> Self {
        Self { data: data.to_owned(), url: None }
    }

    pub fn database(url: &str, data: &Path) -> Self {
        Self { data: data.to_owned(), url: Some(url.to_owned()) }
    }

    /// Returns the location as an argument of `--from` and `--to`.
    pub fn copy_arg(&self) -> String {
        self.url.clone().unwrap_or_else(|| self.data.to_str().unwrap().to_owned())
    }

    pub fn geotrawl(&self) -> Command {
        let mut command = geotrawl_command(&self.data);
        if let Some(url) = &self.url {
            command.arg("--store").arg(url);
        }
        command
    }

    /// Exports everything, as text.
    pub fn export(&self) -> String {
        let said = run_command(self.geotrawl().args(["export", "--format", "jsonl"]));
        assert_eq!(said.code, 0, "{}", said.err);
        said.out
    }

    /// Returns the statistics of the catalogue, except its size on disk.
    pub fn stats(&self) -> Value {
        let said = run_command(self.geotrawl().args(["--json", "stats"]));
        assert_eq!(said.code, 0, "{}", said.err);
        let mut stats: Value =
            serde_json::from_str(&said.out).unwrap_or_else(|error| panic!("{error}: {}", said.out));
        if let Some(members) = stats.as_object_mut() {
            members.retain(|name, _| !name.contains("bytes") && !name.contains("size"));
        }
        stats
    }

    /// Returns the records without details of when and how they were found, sorted.
    pub fn catalogue(&self) -> Vec<String> {
        let mut records: Vec<String> = self.export().lines().map(essence).collect();
        records.sort();
        records
    }

    /// Returns the faults reported by `doctor`.
    pub fn faults(&self) -> Vec<String> {
        let said = run_command(self.geotrawl().args(["--json", "doctor", "--listen", "127.0.0.1:0"]));
        said.out.lines().filter(|line| line.contains("\"fault\"")).map(str::to_owned).collect()
    }
}

fn essence(line: &str) -> String {
    let mut record: Value = serde_json::from_str(line).unwrap();
    if let Some(members) = record.as_object_mut() {
        for name in ["id", "first_seen", "last_seen", "last_ok", "provenance", "reason", "host"] {
            members.remove(name);
        }
    }
    record.to_string()
}
