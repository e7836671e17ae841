//! The server's own process: it says where the site is, answers, and tells who asked for what.
//!
//! One JSON line on stdout when it is ready; then, for each line on stdin, one with the tally since the last.
//! It ends when stdin does, so that it never outlives the bench.

use super::site::{Site, host_address, url_of};
use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use std::io::{BufRead, Write};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// What to serve.
#[derive(Debug, clap::Args)]
pub struct Serve {
    #[arg(long)]
    pub pages: usize,
    #[arg(long)]
    pub hosts: usize,
    /// Write the paths of the first host here, one a line.
    #[arg(long)]
    pub paths: PathBuf,
}

/// Where the site is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Ready {
    /// The page from which all others are reached.
    pub seed: String,
    pub pages: u64,
    pub hosts: usize,
    pub mean_bytes: f64,
}

/// What was asked for since the last time.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// Different pages.
    pub pages: u64,
    /// Requests for pages.
    pub page_requests: u64,
    /// Requests for anything else (robots.txt, icons).
    pub other_requests: u64,
}

#[derive(Default)]
struct Asked {
    pages: Vec<bool>,
    tally: Tally,
}

/// Serves until stdin ends.
pub fn run(options: &Serve) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let listeners = listen(options.hosts).await?;
        let port = listeners.first().context("at least one host is needed")?.local_addr()?.port();
        let site = Arc::new(Site::render(options.pages, options.hosts, port));
        let asked = Arc::new(Mutex::new(Asked { pages: vec![false; site.len()], ..Asked::default() }));
        let paths: Vec<_> = site.paths_of_first_host().collect();
        std::fs::write(&options.paths, paths.join("\n"))?;
        for listener in listeners {
            tokio::spawn(accept(listener, Arc::clone(&site), Arc::clone(&asked)));
        }
        let ready = Ready {
            seed: url_of(0, options.hosts, port),
            pages: site.len() as u64,
            hosts: options.hosts,
            mean_bytes: site.mean_bytes(),
        };
        tokio::task::spawn_blocking(move || report(&ready, &asked)).await?
    })
}

/// One listener an address, all on the same port.
async fn listen(hosts: usize) -> Result<Vec<TcpListener>> {
    let first = TcpListener::bind((host_address(0), 0)).await?;
    let port = first.local_addr()?.port();
    let mut listeners = vec![first];
    for host in 1..hosts {
        let address = host_address(host);
        let listener = TcpListener::bind((address, port)).await;
        listeners.push(listener.with_context(|| format!("cannot listen on {address}:{port}"))?);
    }
    Ok(listeners)
}

fn report(ready: &Ready, asked: &Mutex<Asked>) -> Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{}", serde_json::to_string(ready)?)?;
    out.flush()?;
    for line in std::io::stdin().lock().lines() {
        line?;
        let tally = {
            let mut asked = asked.lock().unwrap_or_else(PoisonError::into_inner);
            asked.pages.fill(false);
            std::mem::take(&mut asked.tally)
        };
        writeln!(out, "{}", serde_json::to_string(&tally)?)?;
        out.flush()?;
    }
    Ok(())
}

async fn accept(listener: TcpListener, site: Arc<Site>, asked: Arc<Mutex<Asked>>) {
    while let Ok((stream, _)) = listener.accept().await {
        let (site, asked) = (Arc::clone(&site), Arc::clone(&asked));
        tokio::spawn(async move {
            // A client that goes away in the middle is no concern of the others.
            let _ = converse(stream, &site, &asked).await;
        });
    }
}

async fn converse(mut stream: TcpStream, site: &Site, asked: &Mutex<Asked>) -> Result<()> {
    stream.set_nodelay(true)?;
    let mut buffer = Vec::with_capacity(4_096);
    loop {
        let Some((head, path)) = parse(&buffer)? else {
            anyhow::ensure!(buffer.len() < 64 * 1024, "a head without end");
            if stream.read_buf(&mut buffer).await? == 0 {
                return Ok(());
            }
            continue;
        };
        buffer.drain(..head);
        let found = site.page(&path);
        asked.lock().unwrap_or_else(PoisonError::into_inner).note(found.map(|(number, _)| number));
        match found {
            Some((_, page)) => stream.write_all(page).await?,
            None => stream.write_all(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n").await?,
        }
    }
}

/// Length of the head and the path, once the head is whole.
fn parse(buffer: &[u8]) -> Result<Option<(usize, String)>> {
    let mut headers = [httparse::EMPTY_HEADER; 64];
    let mut request = httparse::Request::new(&mut headers);
    match request.parse(buffer)? {
        httparse::Status::Partial => Ok(None),
        httparse::Status::Complete(head) => Ok(Some((head, request.path.unwrap_or("/").to_owned()))),
    }
}

impl Asked {
    fn note(&mut self, page: Option<usize>) {
        let Some(seen) = page.and_then(|page| self.pages.get_mut(page)) else {
            self.tally.other_requests += 1;
            return;
        };
        self.tally.page_requests += 1;
        self.tally.pages += u64::from(!*seen);
        *seen = true;
    }
}
