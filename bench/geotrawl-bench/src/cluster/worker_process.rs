//! A `geotrawl worker` process that the simulated web identifies by its user agent.

use anyhow::{Context, Result, bail};
use std::fs::File;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Timeout for starting and stopping a worker.
const PATIENCE: Duration = Duration::from_mins(1);
/// Output of a worker that is ready.
const READY: &str = "Waiting for tasks";

/// Settings of a worker.
#[derive(Debug, Clone)]
pub struct WorkerSettings {
    pub program: PathBuf,
    /// Address of the store.
    pub store: String,
    /// Address of the simulated web.
    pub web: String,
    /// Maximum number of concurrent requests, and so of leased hosts.
    pub concurrency: usize,
    /// Crawl delay in milliseconds.
    pub delay: u64,
    /// Folder for its files.
    pub folder: PathBuf,
}

/// A running worker. Killed when dropped.
pub struct WorkerProcess {
    /// Number of the worker in order of their start.
    pub number: usize,
    pub agent: String,
    child: Child,
    log: PathBuf,
}

impl WorkerProcess {
    /// Starts the worker with this number.
    pub fn start(settings: &WorkerSettings, number: usize) -> Result<Self> {
        // Only the first word is matched in robots.txt, so the rest may differ.
        let agent = format!("Geotrawl/0.1 (worker {number})");
        let config = settings.folder.join(format!("worker-{number}.toml"));
        let WorkerSettings { web, concurrency, delay, .. } = settings;
        let text = format!(
            "[fetch]\nuser_agent = \"{agent}\"\nconcurrency = {concurrency}\nresolve = [\"*={web}\"]\n\
             [fetch.politeness]\ndelay = {delay}\n"
        );
        std::fs::write(&config, text)?;
        let log = settings.folder.join(format!("worker-{number}.log"));
        let mut command = Command::new(&settings.program);
        command
            .arg("--config")
            .arg(&config)
            .arg("--data")
            .arg(settings.folder.join(format!("data-{number}")));
        command.args(["worker", "--tasks", "1"]).env("GEOTRAWL_STORE", &settings.store);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(File::create(&log)?);
        let child = command.spawn().with_context(|| format!("cannot start {command:?}"))?;
        Ok(Self { number, agent, child, log })
    }

    /// Waits until it is ready for tasks.
    pub fn wait_until_ready(&mut self) -> Result<()> {
        let since = Instant::now();
        while !self.is_ready() {
            if let Some(ended) = self.child.try_wait()? {
                bail!("a worker exited ({ended}): {}", self.last_output());
            }
            if since.elapsed() > PATIENCE {
                bail!("a worker was not ready within a minute: {}", self.last_output());
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        Ok(())
    }

    /// Returns whether it is ready for tasks.
    pub fn is_ready(&self) -> bool {
        self.says(READY)
    }

    /// Returns whether it has exited by itself.
    pub fn has_exited(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(Some(_)))
    }

    /// Returns the CPU seconds it has used.
    pub fn cpu_seconds(&self) -> f64 {
        crate::usage::cpu_of(self.child.id()).0
    }

    /// Kills it with `kill -9`.
    pub fn kill(mut self) -> Result<()> {
        self.child.kill()?;
        self.child.wait()?;
        Ok(())
    }

    /// Stops it and waits until it has exited.
    pub fn stop(mut self) -> Result<()> {
        let told = Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status()?;
        let since = Instant::now();
        while told.success() && since.elapsed() < PATIENCE {
            if let Some(ended) = self.child.try_wait()? {
                // Interrupted is the normal exit status of a worker.
                if matches!(ended.code(), Some(0 | 130)) {
                    return Ok(());
                }
                bail!("worker {} failed ({ended}): {}", self.number, self.last_output());
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        bail!("worker {} did not stop: {}", self.number, self.last_output())
    }

    fn says(&self, words: &str) -> bool {
        std::fs::read_to_string(&self.log).is_ok_and(|text| text.contains(words))
    }

    /// Returns the end of its output.
    pub fn last_output(&self) -> String {
        let text = std::fs::read_to_string(&self.log).unwrap_or_default();
        let lines: Vec<&str> = text.lines().rev().take(8).collect();
        lines.into_iter().rev().collect::<Vec<_>>().join("\n  ")
    }
}

impl Drop for WorkerProcess {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
