//! Assignment of processes to cores: the server to one, the measured program to another, always the
//! same two.

use anyhow::{Context, Result};
use std::ffi::OsStr;
use std::process::Command;

/// The two cores, or none if processes cannot be pinned.
#[derive(Debug, Clone, Copy)]
pub struct PinnedCores {
    pair: Option<(usize, usize)>,
}

impl PinnedCores {
    /// Chooses the first two cores this process may use; returns a remark if this affects the
    /// figures.
    pub fn choose_cores() -> (Self, Option<String>) {
        let tool = Command::new("taskset").arg("--version").output();
        if !tool.is_ok_and(|out| out.status.success()) {
            let remark = "taskset is not installed: nothing is pinned, figures are not per core";
            return (Self { pair: None }, Some(remark.to_owned()));
        }
        let allowed = std::fs::read_to_string("/proc/self/status").ok().as_deref().and_then(allowed_cores);
        match allowed.as_deref() {
            Some([first, second, ..]) => (Self { pair: Some((*first, *second)) }, None),
            Some([only]) => {
                let remark = "only one core: server and crawlers share it, pages/s are not meaningful";
                (Self { pair: Some((*only, *only)) }, Some(remark.to_owned()))
            }
            _ => (Self { pair: None }, Some("the allowed cores are unknown: nothing is pinned".to_owned())),
        }
    }

    /// Returns a command on the server's core.
    pub fn server_command(&self, program: impl AsRef<OsStr>) -> Command {
        pinned(self.pair.map(|pair| pair.0), program.as_ref())
    }

    /// Returns a command on the core of the measured program.
    pub fn measured_command(&self, program: impl AsRef<OsStr>) -> Command {
        pinned(self.pair.map(|pair| pair.1), program.as_ref())
    }

    /// Describes the assignment for the report.
    pub fn describe_cores(&self) -> String {
        match self.pair {
            Some((server, measured)) => format!("server on core {server}, each crawler on core {measured}"),
            None => "not pinned".to_owned(),
        }
    }
}

/// taskset replaces itself by the program, so the process that is waited for is the program itself.
fn pinned(core: Option<usize>, program: &OsStr) -> Command {
    match core {
        Some(core) => {
            let mut command = Command::new("taskset");
            command.args(["-c", &core.to_string()]).arg(program);
            command
        }
        None => Command::new(program),
    }
}

fn allowed_cores(status: &str) -> Option<Vec<usize>> {
    let list = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:"))?;
    parse_list(list.trim()).ok()
}

/// Parses `0-2,5` as 0, 1, 2, 5.
fn parse_list(list: &str) -> Result<Vec<usize>> {
    let mut cores = Vec::new();
    for part in list.split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let first: usize = first.parse().with_context(|| format!("invalid range of cores '{part}'"))?;
        let last: usize = last.parse().with_context(|| format!("invalid range of cores '{part}'"))?;
        cores.extend(first..=last);
    }
    Ok(cores)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kernels_list_of_cores_is_read() {
        assert_eq!(allowed_cores("Name:\tx\nCpus_allowed_list:\t0-2,5\n"), Some(vec![0, 1, 2, 5]));
        assert_eq!(allowed_cores("Cpus_allowed_list:\t3\n"), Some(vec![3]));
        assert_eq!(allowed_cores("Name: x"), None);
        assert!(parse_list("a-b").is_err());
    }
}
