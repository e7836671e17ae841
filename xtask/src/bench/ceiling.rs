//! The ceiling: what the server gives to a client that does nothing with the answers.

use super::child::{self, Usage};
use super::peers::Setting;
use super::server::Server;
use anyhow::{Context, Result, bail};
use serde::Serialize;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;
use url::Url;

/// Connections at once, tried in turn.
const CONNECTIONS: &[usize] = &[16, 64];

/// One run of the load generator.
#[derive(Debug, Clone, Serialize)]
pub struct Ceiling {
    /// `wrk`, or our own.
    pub generator: &'static str,
    pub connections: usize,
    pub requests_per_second: f64,
    pub usage: Usage,
}

/// Loads the first host of the site for `seconds`, once for each number of connections.
pub fn measure(setting: &Setting, server: &Server, scratch: &Path, seconds: u64) -> Result<Vec<Ceiling>> {
    let generator = if wrk(setting.install) { "wrk" } else { "own" };
    let seed: Url = server.site.seed.parse()?;
    CONNECTIONS
        .iter()
        .map(|&connections| {
            let command = match generator {
                "wrk" => wrk_command(setting, server, &seed, connections, seconds),
                _ => own_command(setting, server, &seed, connections, seconds)?,
            };
            let (usage, out) = child::run(command, scratch, Duration::from_secs(seconds + 30))?;
            Ok(Ceiling { generator, connections, requests_per_second: rate(&out)?, usage })
        })
        .collect()
}

fn wrk_command(setting: &Setting, server: &Server, seed: &Url, connections: usize, seconds: u64) -> Command {
    let mut command = setting.cores.measured("wrk");
    command.args(["-t1", &format!("-c{connections}"), &format!("-d{seconds}s"), "-s"]);
    command.arg(setting.root.join("bench/wrk/pages.lua")).arg(seed.as_str()).arg("--").arg(&server.paths);
    command
}

fn own_command(
    setting: &Setting,
    server: &Server,
    seed: &Url,
    connections: usize,
    seconds: u64,
) -> Result<Command> {
    let address = seed.socket_addrs(|| None)?.first().copied().context("the site has no address")?;
    let mut command = setting.cores.measured(std::env::current_exe()?);
    command.args(["bench", "load", &address.to_string(), "--paths"]).arg(&server.paths);
    command.args(["--connections", &connections.to_string(), "--seconds", &seconds.to_string()]);
    Ok(command)
}

/// Whether wrk is here, or can be brought here from the distribution without asking anybody.
fn wrk(install: bool) -> bool {
    // Without arguments it prints its usage and fails; only that it starts matters.
    let starts = || Command::new("wrk").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok();
    if starts() || !install || !superuser() {
        return starts();
    }
    println!("bench: installing wrk with apt-get ...");
    let mut apt = Command::new("apt-get");
    apt.args(["install", "--yes", "-qq", "--no-install-recommends", "wrk"]);
    apt.env("DEBIAN_FRONTEND", "noninteractive")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    apt.status().is_ok_and(|status| status.success()) && starts()
}

fn superuser() -> bool {
    Command::new("id").arg("-u").output().is_ok_and(|out| out.stdout.trim_ascii() == b"0")
}

fn rate(out: &str) -> Result<f64> {
    let Some(rate) = out.lines().find_map(|line| line.strip_prefix("Requests/sec:")) else {
        bail!("the load generator gave no rate: {out}");
    };
    rate.trim().parse().with_context(|| format!("no rate: {rate}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_is_read() {
        let out = "  2 threads\nRequests/sec:  79486.12\nTransfer/sec:      2.97GB\n";
        assert!((rate(out).unwrap() - 79486.12).abs() < 1e-6);
        assert!(rate("nothing").is_err());
    }
}
