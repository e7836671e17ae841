//! A raw TCP server that sends exactly the bytes a test specifies, and logs the requests.

use geotrawl_crawl::fetch::{ClientBuilder, FetchConfig, FetchRequest, FetchResponse, GuardedClient};
use std::future::Future;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use url::Url;

/// The future of a request handler; `false` closes the connection.
pub type HandlerFuture<'a> = Pin<Box<dyn Future<Output = bool> + Send + 'a>>;
pub type RawHandler =
    Arc<dyn for<'a> Fn(LoggedRequest, &'a mut TcpStream) -> HandlerFuture<'a> + Send + Sync>;

/// A request as received.
#[derive(Debug, Clone)]
pub struct LoggedRequest {
    pub path: String,
    pub head: String,
    pub at: Instant,
}

impl LoggedRequest {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| {
            let (key, value) = line.split_once(':')?;
            key.eq_ignore_ascii_case(name).then(|| value.trim())
        })
    }
}

/// A request with the time when its handler ended.
#[derive(Debug, Clone)]
pub struct RequestSpan {
    pub seen: LoggedRequest,
    pub end: Instant,
}

pub struct RawServer {
    pub address: SocketAddr,
    pub log: Arc<Mutex<Vec<RequestSpan>>>,
    pub connections: Arc<AtomicUsize>,
    task: tokio::task::JoinHandle<()>,
}

impl Drop for RawServer {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl RawServer {
    pub async fn start(
        handler: impl for<'a> Fn(LoggedRequest, &'a mut TcpStream) -> HandlerFuture<'a> + Send + Sync + 'static,
    ) -> Self {
        let handler: RawHandler = Arc::new(handler);
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let log = Arc::new(Mutex::new(Vec::new()));
        let connections = Arc::new(AtomicUsize::new(0));
        let task = tokio::spawn({
            let (log, connections) = (log.clone(), connections.clone());
            async move {
                while let Ok((stream, _)) = listener.accept().await {
                    connections.fetch_add(1, Ordering::SeqCst);
                    tokio::spawn(serve(stream, handler.clone(), log.clone()));
                }
            }
        });
        Self { address, log, connections, task }
    }

    /// Starts a server that sends the same bytes for every path, then closes the connection.
    pub async fn start_fixed(answer: impl Into<Vec<u8>>) -> Self {
        let answer: Arc<[u8]> = answer.into().into();
        Self::start(move |_, stream| {
            let answer = answer.clone();
            Box::pin(async move {
                let _ = stream.write_all(&answer).await;
                false
            })
        })
        .await
    }

    pub fn url(&self, path: &str) -> Url {
        Url::parse(&format!("http://{}{path}", self.address)).unwrap()
    }

    /// Returns the paths requested so far.
    pub fn request_paths(&self) -> Vec<String> {
        self.log.lock().unwrap().iter().map(|span| span.seen.path.clone()).collect()
    }

    pub fn request_spans(&self) -> Vec<RequestSpan> {
        self.log.lock().unwrap().clone()
    }

    pub fn connection_count(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }
}

async fn serve(mut stream: TcpStream, handler: RawHandler, log: Arc<Mutex<Vec<RequestSpan>>>) {
    let mut pending = Vec::new();
    loop {
        let end = loop {
            if let Some(at) = pending.windows(4).position(|four| four == b"\r\n\r\n") {
                break at + 4;
            }
            let mut buffer = [0; 4096];
            match stream.read(&mut buffer).await {
                Ok(0) | Err(_) => return,
                Ok(count) => pending.extend_from_slice(&buffer[..count]),
            }
        };
        let head = String::from_utf8_lossy(&pending[..end]).into_owned();
        pending.drain(..end);
        let path = head.split(' ').nth(1).unwrap_or_default().to_owned();
        let seen = LoggedRequest { path, head, at: Instant::now() };
        let position = {
            let mut log = log.lock().unwrap();
            log.push(RequestSpan { seen: seen.clone(), end: seen.at });
            log.len() - 1
        };
        let go_on = handler(seen, &mut stream).await;
        log.lock().unwrap()[position].end = Instant::now();
        if !go_on {
            return;
        }
    }
}

/// Returns an address without a listener.
pub fn closed_port() -> SocketAddr {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap()
}

/// Builds a 200 response with its length.
pub fn ok_response(content_type: &str, body: &[u8]) -> Vec<u8> {
    build_response("200 OK", &[("content-type", content_type)], body)
}

pub fn build_response(status: &str, headers: &[(&str, &str)], body: &[u8]) -> Vec<u8> {
    let mut out = format!("HTTP/1.1 {status}\r\ncontent-length: {}\r\n", body.len()).into_bytes();
    for (name, value) in headers {
        out.extend_from_slice(format!("{name}: {value}\r\n").as_bytes());
    }
    out.extend_from_slice(b"\r\n");
    out.extend_from_slice(body);
    out
}

/// Returns settings that allow loopback, without delays, with timeouts that suit a busy machine.
pub fn test_config() -> FetchConfig {
    let mut config =
        FetchConfig { allow_nets: vec!["127.0.0.0/8".parse().unwrap()], ..FetchConfig::default() };
    config.politeness.delay = Duration::ZERO;
    config.politeness.ip_delay = Duration::ZERO;
    config.politeness.per_host = 8;
    config.politeness.per_ip = 0;
    config.timeouts.first_byte = Duration::from_secs(20);
    config.timeouts.idle = Duration::from_secs(20);
    config.timeouts.tls = Duration::from_secs(20);
    config.timeouts.total = Duration::from_secs(40);
    config.retries = 0;
    config
}

pub fn test_client() -> GuardedClient {
    GuardedClient::new(test_config()).unwrap()
}

pub fn client_builder() -> ClientBuilder {
    GuardedClient::builder(test_config())
}

/// Builds a request that skips robots.txt.
pub fn request_without_robots(url: Url) -> FetchRequest {
    FetchRequest { check_robots: false, ..FetchRequest::new(url, 1 << 20) }
}

/// Returns the class of the failure, before or in the body, and the bytes received.
pub async fn read_outcome(fetched: FetchResponse) -> (Option<&'static str>, Vec<u8>) {
    match fetched.outcome {
        Err(failure) => (Some(failure.class.as_str()), Vec::new()),
        Ok(reader) => {
            let body = reader.collect(u64::MAX).await;
            (body.truncated.map(|failure| failure.class.as_str()), body.bytes.to_vec())
        }
    }
}
