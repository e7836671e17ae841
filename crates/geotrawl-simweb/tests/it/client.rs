//! A tiny HTTP client for the tests: one request a connection, strict about nothing.

use geotrawl_simweb::{LogEntry, LogSink, ServerHandle, SimWeb, SimWebConfig};
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

/// A web served on a separate thread.
pub struct ServedWeb {
    pub web: SimWeb,
    pub address: SocketAddr,
    runtime: tokio::runtime::Runtime,
    server: ServerHandle,
}

impl ServedWeb {
    /// Stops the server and returns its log.
    pub fn stop(self) -> Vec<LogEntry> {
        self.runtime.block_on(self.server.stop())
    }
}

/// Generates and serves a web.
pub fn serve_web(config: SimWebConfig) -> ServedWeb {
    let web = SimWeb::generate(config);
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let server = {
        let _guard = runtime.enter();
        let listener = geotrawl_simweb::listen(([127, 0, 0, 1], 0).into()).unwrap();
        web.serve(listener, Some(LogSink::memory())).unwrap()
    };
    ServedWeb { address: server.address(), web, runtime, server }
}

/// A response with header names in lower case.
#[derive(Debug, Clone, Default)]
pub struct ClientResponse {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl ClientResponse {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(n, _)| n == name).map(|(_, v)| v.as_str())
    }
}

/// Requests `url` from the server at `address`, with extra header lines.
pub fn get(address: SocketAddr, url: &str, extra: &str) -> Option<ClientResponse> {
    send(address, "GET", url, extra, "")
}

/// Sends any request.
pub fn send(address: SocketAddr, method: &str, url: &str, extra: &str, body: &str) -> Option<ClientResponse> {
    let rest = url.strip_prefix("http://")?;
    let at = rest.find('/').unwrap_or(rest.len());
    let (host, target) = rest.split_at(at);
    let target = target.split('#').next().unwrap_or("/");
    let target = if target.is_empty() { "/" } else { target };
    let mut stream = TcpStream::connect(address).ok()?;
    stream.set_read_timeout(Some(Duration::from_secs(5))).ok()?;
    // In one write: small writes would wait for acknowledgements.
    let length = if body.is_empty() { String::new() } else { format!("Content-Length: {}\r\n", body.len()) };
    let request = format!(
        "{method} {target} HTTP/1.1\r\nHost: {host}\r\nUser-Agent: geotrawl/test\r\nConnection: close\r\n{length}{extra}\r\n{body}"
    );
    stream.write_all(request.as_bytes()).ok()?;
    let mut bytes = Vec::new();
    let _ = stream.read_to_end(&mut bytes);
    let end = bytes.windows(4).position(|w| w == b"\r\n\r\n")?;
    let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
    let mut lines = head.lines();
    let status = lines.next()?.split(' ').nth(1)?.parse().ok()?;
    let headers = lines
        .filter_map(|line| line.split_once(": "))
        .map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned()))
        .collect();
    Some(ClientResponse { status, headers, body: bytes[end + 4..].to_vec() })
}
