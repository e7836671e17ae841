//! Measures a child process: wall time, CPU seconds and peak memory of that process alone.

use anyhow::{Context, Result, bail};
use serde::Serialize;
use std::fs::File;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use wait4::Wait4;

/// Resources used by a process, as reported by `wait4`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct ProcessUsage {
    pub wall_s: f64,
    pub user_s: f64,
    pub system_s: f64,
    pub peak_rss_bytes: u64,
}

impl ProcessUsage {
    /// Returns the CPU seconds, user and system.
    pub fn cpu_s(&self) -> f64 {
        self.user_s + self.system_s
    }
}

/// Polling interval for a running child, and so the precision of wall times.
const LOOK: Duration = Duration::from_millis(4);

/// Maximum number of stderr lines shown for a failed child.
const SHOWN: usize = 12;

/// Runs `command` to its end, with stdout and stderr in files of `scratch`. Fails if it takes
/// longer than `limit`.
///
/// The caller must be a small process, because the kernel counts its memory as the child's until
/// `exec`.
pub fn run_measured(mut command: Command, scratch: &Path, limit: Duration) -> Result<(ProcessUsage, String)> {
    let (out, err) = (scratch.join("stdout"), scratch.join("stderr"));
    command.stdin(Stdio::null()).stdout(File::create(&out)?).stderr(File::create(&err)?);
    let started = Instant::now();
    let mut child = command.spawn().with_context(|| format!("cannot start {command:?}"))?;
    let ended = loop {
        if let Some(ended) = child.try_wait4()? {
            break ended;
        }
        if started.elapsed() > limit {
            child.kill()?;
            child.wait()?;
            bail!("did not end within {} s; last output: {}", limit.as_secs(), last_words(&err));
        }
        std::thread::sleep(LOOK);
    };
    let wall_s = started.elapsed().as_secs_f64();
    if !ended.status.success() {
        bail!("failed ({}): {}", ended.status, last_words(&err));
    }
    let used = ended.rusage;
    let usage = ProcessUsage {
        wall_s,
        user_s: used.utime.as_secs_f64(),
        system_s: used.stime.as_secs_f64(),
        peak_rss_bytes: used.maxrss,
    };
    Ok((usage, std::fs::read_to_string(&out).unwrap_or_default()))
}

fn last_words(path: &Path) -> String {
    let text = std::fs::read(path).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let lines: Vec<_> = text.lines().collect();
    lines[lines.len().saturating_sub(SHOWN)..].join("\n  ")
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: Duration = Duration::from_mins(1);

    #[test]
    fn the_work_of_a_child_is_its_own() {
        let scratch = tempfile::tempdir().unwrap();
        let mut busy = Command::new("sh");
        busy.args(["-c", "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done; echo done"]);
        let (usage, out) = run_measured(busy, scratch.path(), LONG).unwrap();
        assert_eq!(out, "done\n");
        assert!(usage.cpu_s() > 0.0 && usage.wall_s > 0.0, "{usage:?}");
        assert!(usage.peak_rss_bytes > 100_000, "{usage:?}");
        let mut idle = Command::new("sh");
        idle.args(["-c", "true"]);
        let (other, _) = run_measured(idle, scratch.path(), LONG).unwrap();
        assert!(other.cpu_s() < usage.cpu_s(), "{other:?} after {usage:?}");
    }

    #[test]
    fn a_failure_says_what_the_child_said() {
        let scratch = tempfile::tempdir().unwrap();
        let mut broken = Command::new("sh");
        broken.args(["-c", "echo no such thing >&2; exit 3"]);
        let error = run_measured(broken, scratch.path(), LONG).unwrap_err().to_string();
        assert!(error.contains("no such thing") && error.contains('3'), "{error}");
    }

    #[test]
    fn a_child_that_hangs_is_ended() {
        let scratch = tempfile::tempdir().unwrap();
        let mut hung = Command::new("sleep");
        hung.arg("1000");
        let error = run_measured(hung, scratch.path(), Duration::from_millis(30)).unwrap_err().to_string();
        assert!(error.contains("did not end"), "{error}");
    }
}
