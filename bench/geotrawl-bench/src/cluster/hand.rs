//! One `geotrawl worker`, a process of its own that the simulated web knows by its name.

use anyhow::{Context, Result, bail};
use std::fs::File;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// How long a worker may take to start, and to end.
const PATIENCE: Duration = Duration::from_mins(1);
/// What it says when it is at work.
const READY: &str = "Waiting for tasks";

/// What a worker is started with.
#[derive(Debug, Clone)]
pub struct WorkerSettings {
    pub program: PathBuf,
    /// Address of the store.
    pub store: String,
    /// Where the simulated web is.
    pub web: String,
    /// Requests under way at once, and so hosts that it holds.
    pub concurrency: usize,
    /// Pause after an answer, in milliseconds.
    pub delay: u64,
    /// Where its files go.
    pub folder: PathBuf,
}

/// A running worker. Ends, as by `kill -9`, when dropped.
pub struct WorkerProcess {
    /// Its place among all that were started.
    pub number: usize,
    pub agent: String,
    child: Child,
    log: PathBuf,
}

impl WorkerProcess {
    /// Starts the worker of this number.
    pub fn start(settings: &WorkerSettings, number: usize) -> Result<Self> {
        // The first word is our name in robots.txt, the rest is anybody's.
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
        let child = command.spawn().with_context(|| format!("{command:?} did not start"))?;
        Ok(Self { number, agent, child, log })
    }

    /// Waits until it takes tasks.
    pub fn wait_until_ready(&mut self) -> Result<()> {
        let since = Instant::now();
        while !self.is_ready() {
            if let Some(ended) = self.child.try_wait()? {
                bail!("a worker ended ({ended}): {}", self.last_output());
            }
            if since.elapsed() > PATIENCE {
                bail!("a worker was not ready within a minute: {}", self.last_output());
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        Ok(())
    }

    /// Whether it takes tasks.
    pub fn is_ready(&self) -> bool {
        self.says(READY)
    }

    /// Whether it has ended by itself.
    pub fn has_exited(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(Some(_)))
    }

    /// Processor seconds that it has used.
    pub fn cpu_seconds(&self) -> f64 {
        crate::usage::cpu_of(self.child.id()).0
    }

    /// `kill -9`.
    pub fn kill(mut self) -> Result<()> {
        self.child.kill()?;
        self.child.wait()?;
        Ok(())
    }

    /// Asks it to end, and waits for it.
    pub fn stop(mut self) -> Result<()> {
        let told = Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status()?;
        let since = Instant::now();
        while told.success() && since.elapsed() < PATIENCE {
            if let Some(ended) = self.child.try_wait()? {
                // Interrupted is how a worker ends.
                if matches!(ended.code(), Some(0 | 130)) {
                    return Ok(());
                }
                bail!("worker {} ended badly ({ended}): {}", self.number, self.last_output());
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        bail!("worker {} did not end when it was told to: {}", self.number, self.last_output())
    }

    fn says(&self, words: &str) -> bool {
        std::fs::read_to_string(&self.log).is_ok_and(|text| text.contains(words))
    }

    /// Its last words.
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
