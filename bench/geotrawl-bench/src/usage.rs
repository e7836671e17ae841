//! Resource usage of processes and files, as reported by the kernel.

use anyhow::{Context, Result};
use std::path::Path;

/// Ticks per second in `/proc/*/stat`.
const TICKS: f64 = 100.0;

/// Returns the CPU seconds of a process, and those of its children that have ended.
pub fn cpu_of(process: u32) -> (f64, f64) {
    let text = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    // The name may contain anything, but ends with the last bracket.
    let rest = text.rsplit_once(')').map_or("", |(_, rest)| rest);
    let fields: Vec<f64> = rest.split_whitespace().map(|field| field.parse().unwrap_or(0.0)).collect();
    let sum = |from: usize| fields.iter().skip(from).take(2).sum::<f64>() / TICKS;
    (sum(11), sum(13))
}

/// Returns the CPU seconds of this process.
pub fn own_cpu() -> f64 {
    cpu_of(std::process::id()).0
}

/// Returns the peak memory of a process in bytes.
pub fn peak_memory(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or_default();
    line.split_whitespace().next().and_then(|text| text.parse::<u64>().ok()).unwrap_or(0) * 1_024
}

/// Returns the bytes of a file, or of all files below a folder.
pub fn disk_bytes(path: &Path) -> Result<u64> {
    if path.is_file() {
        return Ok(path.metadata()?.len());
    }
    let mut bytes = 0;
    for entry in std::fs::read_dir(path).with_context(|| path.display().to_string())? {
        bytes += disk_bytes(&entry?.path())?;
    }
    Ok(bytes)
}

/// Returns the load of the machine over the last minute.
pub fn load_average() -> String {
    let text = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split(' ').next().unwrap_or_default().to_owned()
}
