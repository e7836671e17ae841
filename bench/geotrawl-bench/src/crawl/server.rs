//! The benchmark's side of the server process.

use super::serve::{RequestTally, SiteInfo};
use crate::cores::PinnedCores;
use anyhow::{Context, Result};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

/// A running server with its site. Stops when dropped.
pub struct SiteServer {
    pub site: SiteInfo,
    child: Child,
    ask: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

impl SiteServer {
    /// Starts a site with this number of pages and hosts on the server's core.
    ///
    /// In a separate process, because its pages would otherwise count as memory of the processes it
    /// starts.
    pub fn start(cores: &PinnedCores, pages: u64, hosts: u8) -> Result<Self> {
        let mut command = cores.server_command(std::env::current_exe()?);
        command.args(["serve-site", "--pages", &pages.to_string(), "--hosts", &hosts.to_string()]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().context("cannot start the server")?;
        let ask = child.stdin.take();
        let mut answers = BufReader::new(child.stdout.take().context("the server has no stdout")?);
        let site = read(&mut answers).context("the server did not report its address")?;
        Ok(Self { site, child, ask, answers })
    }

    /// Returns the requests since the last call.
    pub fn read_tally(&mut self) -> Result<RequestTally> {
        let ask = self.ask.as_mut().context("the server was stopped")?;
        ask.write_all(b"tally\n")?;
        ask.flush()?;
        read(&mut self.answers)
    }
}

impl Drop for SiteServer {
    fn drop(&mut self) {
        self.ask = None;
        let _ = self.child.wait();
    }
}

fn read<T: serde::de::DeserializeOwned>(answers: &mut impl BufRead) -> Result<T> {
    let mut line = String::new();
    answers.read_line(&mut line)?;
    serde_json::from_str(&line).with_context(|| format!("unexpected output of the server: {line:?}"))
}
