//! A load generator of our own, for machines without wrk: as many requests as the server answers.

use anyhow::{Context, Result, bail, ensure};
use std::io::Write;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::rc::Rc;
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::{JoinSet, LocalSet};

/// What to load.
#[derive(Debug, clap::Args)]
pub struct Load {
    /// The server
    pub address: SocketAddr,
    /// Paths to ask for in turn, one a line
    #[arg(long)]
    pub paths: PathBuf,
    #[arg(long, default_value_t = 16)]
    pub connections: usize,
    #[arg(long, default_value_t = 6)]
    pub seconds: u64,
}

/// Bytes taken from a socket at once.
const CHUNK: usize = 256 * 1024;

/// Loads the server and prints the rate the way wrk does.
pub fn run(options: &Load) -> Result<()> {
    let text = std::fs::read_to_string(&options.paths)?;
    let host = options.address;
    let requests: Vec<String> =
        text.lines().map(|path| format!("GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n")).collect();
    ensure!(!requests.is_empty(), "{} names no path", options.paths.display());
    let requests = Rc::new(requests);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let started = Instant::now();
    let end = started + Duration::from_secs(options.seconds);
    let (answers, bytes) = LocalSet::new().block_on(&runtime, async {
        let mut connections = JoinSet::new();
        for connection in 0..options.connections {
            // Each starts elsewhere, so that they do not all ask for the same page at once.
            let first = connection * requests.len() / options.connections;
            connections.spawn_local(ask(host, Rc::clone(&requests), first, end));
        }
        let (mut answers, mut bytes) = (0u64, 0u64);
        while let Some(done) = connections.join_next().await {
            let (some, more) = done??;
            answers += some;
            bytes += more;
        }
        anyhow::Ok((answers, bytes))
    })?;
    let seconds = started.elapsed().as_secs_f64();
    let mut out = std::io::stdout();
    writeln!(out, "Requests/sec: {:.2}", answers as f64 / seconds)?;
    writeln!(out, "Bytes/sec: {:.0}", bytes as f64 / seconds)?;
    Ok(())
}

async fn ask(host: SocketAddr, requests: Rc<Vec<String>>, first: usize, end: Instant) -> Result<(u64, u64)> {
    let mut stream = TcpStream::connect(host).await?;
    stream.set_nodelay(true)?;
    let mut buffer = vec![0; CHUNK];
    let (mut answers, mut bytes) = (0, 0);
    for request in requests.iter().cycle().skip(first) {
        if Instant::now() >= end {
            break;
        }
        stream.write_all(request.as_bytes()).await?;
        bytes += answer(&mut stream, &mut buffer).await?;
        answers += 1;
    }
    Ok((answers, bytes))
}

/// Reads one answer to its end and gives its length; the head must fit into `buffer`.
async fn answer(stream: &mut TcpStream, buffer: &mut [u8]) -> Result<u64> {
    let mut filled = 0;
    let whole = loop {
        let read = stream.read(&mut buffer[filled..]).await?;
        ensure!(read > 0, "the server closed the connection");
        filled += read;
        if let Some(whole) = answer_length(&buffer[..filled])? {
            break whole;
        }
    };
    let mut left = whole.saturating_sub(filled as u64);
    while left > 0 {
        let room = buffer.len().min(left as usize);
        let read = stream.read(&mut buffer[..room]).await?;
        ensure!(read > 0, "the server closed the connection");
        left -= read as u64;
    }
    Ok(whole)
}

/// Length of head and body together, once the head is whole.
fn answer_length(bytes: &[u8]) -> Result<Option<u64>> {
    let mut headers = [httparse::EMPTY_HEADER; 64];
    let mut response = httparse::Response::new(&mut headers);
    let httparse::Status::Complete(head) = response.parse(bytes)? else { return Ok(None) };
    if response.code != Some(200) {
        bail!("the server answered {:?}", response.code);
    }
    let length = response.headers.iter().find(|header| header.name.eq_ignore_ascii_case("content-length"));
    let length = length.context("an answer without Content-Length")?;
    let length: u64 = std::str::from_utf8(length.value)?.trim().parse()?;
    Ok(Some(head as u64 + length))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_length_of_an_answer_is_its_head_and_body() {
        let answer = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";
        assert_eq!(answer_length(answer).unwrap(), Some(answer.len() as u64));
        assert_eq!(answer_length(&answer[..20]).unwrap(), None);
        assert!(answer_length(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n").is_err());
    }
}
