//! The server process: reports the address of the site, answers, and counts requests.
//!
//! It prints one JSON line when ready, then one with the counts since the last for each line on
//! stdin. It exits when stdin ends, so that it never outlives the benchmark.

use anyhow::{Context, Result, ensure};
use geotrawl_simweb::{BenchConfig, BenchSite, HostStyle, LogEntry, LogSink, ServerHandle};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::io::{BufRead, Write};
use std::net::{Ipv4Addr, TcpListener};
use tokio::sync::mpsc;

/// Options of the server.
#[derive(Debug, clap::Args)]
pub struct ServeSiteOptions {
    #[arg(long)]
    pub pages: usize,
    #[arg(long)]
    pub hosts: u8,
}

/// Address of the site.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SiteInfo {
    /// Page from which all others are reachable.
    pub seed: String,
    pub pages: u64,
    pub hosts: usize,
    pub mean_bytes: usize,
}

/// Requests since the last report.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RequestTally {
    /// Different pages.
    pub pages: u64,
    /// Requests for pages.
    pub page_requests: u64,
    /// Requests for anything else (robots.txt, icons).
    pub other_requests: u64,
}

/// Serves until stdin ends.
pub fn run(options: &ServeSiteOptions) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let listeners = listen(options.hosts)?;
        let hosts = listeners.len();
        let port = listeners.first().context("at least one host is needed")?.local_addr()?.port();
        let style = HostStyle::Loopback { port };
        let config = BenchConfig { pages: options.pages, hosts, style, ..BenchConfig::default() };
        let site = BenchSite::generate(config);
        let mut servers = Vec::new();
        for (host, listener) in listeners.into_iter().enumerate() {
            let (bound, linked) = (listener.local_addr()?, site.page_url(host));
            ensure!(linked.starts_with(&format!("http://{bound}/")), "{linked} is not served by {bound}");
            servers.push(site.serve(listener, Some(LogSink::memory()))?);
        }
        let ready = SiteInfo {
            seed: site.page_url(0),
            pages: site.page_count() as u64,
            hosts,
            mean_bytes: site.mean_bytes(),
        };
        converse(&ready, &servers).await
    })
}

/// Listens on one address per host, all with the same port: 127.0.0.1, 127.0.0.2, ...
fn listen(hosts: u8) -> Result<Vec<TcpListener>> {
    let mut port = 0;
    let mut listeners = Vec::new();
    for host in 1..=hosts {
        let address = Ipv4Addr::new(127, 0, 0, host);
        let listener = TcpListener::bind((address, port));
        let listener = listener.with_context(|| format!("cannot listen on {address}:{port}"))?;
        port = listener.local_addr()?.port();
        listeners.push(listener);
    }
    Ok(listeners)
}

/// Counts on the answering thread, between two answers, so that the log contains everything a
/// client has read.
async fn converse(ready: &SiteInfo, servers: &[ServerHandle]) -> Result<()> {
    say(ready)?;
    let (ask, mut asked) = mpsc::channel(1);
    std::thread::spawn(move || {
        let lines = std::io::stdin().lock().lines();
        lines.map_while(Result::ok).try_for_each(|_| ask.blocking_send(()))
    });
    let mut told = vec![0; servers.len()];
    while asked.recv().await.is_some() {
        tokio::task::yield_now().await;
        let mut new = Vec::new();
        for (server, told) in servers.iter().zip(&mut told) {
            let log = server.log();
            new.extend_from_slice(log.get(*told..).unwrap_or_default());
            *told = log.len();
        }
        say(&tally(&new))?;
    }
    Ok(())
}

fn say(what: &impl Serialize) -> Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{}", serde_json::to_string(what)?)?;
    Ok(out.flush()?)
}

fn tally(log: &[LogEntry]) -> RequestTally {
    let is_page = |entry: &&LogEntry| entry.status == 200 && entry.target.starts_with("/p/");
    let page_requests = log.iter().filter(is_page).count() as u64;
    let pages: HashSet<&str> = log.iter().filter(is_page).map(|entry| &entry.target[..]).collect();
    RequestTally {
        pages: pages.len() as u64,
        page_requests,
        other_requests: log.len() as u64 - page_requests,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(target: &str, status: u16) -> LogEntry {
        LogEntry {
            t: 0.0,
            end: 0.0,
            host: "127.0.0.1".into(),
            method: "GET".into(),
            target: target.into(),
            agent: String::new(),
            status,
            bytes: 0,
            given_up: false,
        }
    }

    #[test]
    fn a_page_counts_once_and_what_is_no_page_counts_apart() {
        let log = [entry("/p/1", 200), entry("/p/2", 200), entry("/p/1", 200), entry("/robots.txt", 404)];
        assert_eq!(tally(&log), RequestTally { pages: 2, page_requests: 3, other_requests: 1 });
        assert_eq!(tally(&[entry("/p/999999", 404)]).pages, 0);
    }
}
