//! The browser's only network access: a loopback proxy that resolves host names, checks the
//! addresses with the crawl's guard, and connects to exactly the address that was checked.
//!
//! The browser resolves no names and has no other route, so a page cannot bypass the guard by DNS
//! rebinding, redirects, workers or unusual address formats. Each page has its own proxy; dropping
//! it closes all its connections.

use crate::fetch::dialer::GuardedDialer;
use crate::fetch::{FailureClass, FetchError, RequestPhase};
use bytes::Bytes;
use http::{HeaderMap, Method, Request, Response, StatusCode, header};
use http_body_util::{Either, Full};
use hyper::body::{Body, Frame, Incoming, SizeHint};
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use std::collections::HashSet;
use std::convert::Infallible;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::task::{JoinHandle, JoinSet};
use url::Url;

/// Most concurrent connections of one page; the browser itself opens fewer.
const CONNECTIONS: usize = 128;
/// Most failures kept for the report.
const REMEMBERED: usize = 50;
/// A proxy for one page, or one that rejects everything.
pub(super) struct BrowserProxy {
    address: SocketAddr,
    shared: Arc<ProxyState>,
    accepting: JoinHandle<()>,
}

struct ProxyState {
    /// `None` rejects every request.
    gatekeeper: Option<GuardedDialer>,
    bytes: AtomicU64,
    most_bytes: u64,
    /// Hosts with ports that approved requests of the page go to.
    approved: Mutex<HashSet<String>>,
    failures: Mutex<Vec<(String, FetchError)>>,
    connections: Mutex<JoinSet<()>>,
}

impl BrowserProxy {
    /// Opens a proxy for a page that may load `most_bytes`.
    pub async fn open(gatekeeper: GuardedDialer, most_bytes: u64) -> std::io::Result<Self> {
        Self::listen(Some(gatekeeper), most_bytes).await
    }

    /// Opens a proxy that rejects everything, for background requests of the browser itself.
    pub async fn open_denying() -> std::io::Result<Self> {
        Self::listen(None, 0).await
    }

    async fn listen(gatekeeper: Option<GuardedDialer>, most_bytes: u64) -> std::io::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let address = listener.local_addr()?;
        let shared = Arc::new(ProxyState {
            gatekeeper,
            bytes: AtomicU64::new(0),
            most_bytes,
            approved: Mutex::default(),
            failures: Mutex::default(),
            connections: Mutex::default(),
        });
        let accepting = tokio::spawn(accept(listener, Arc::clone(&shared)));
        Ok(Self { address, shared, accepting })
    }

    /// Returns the proxy's address for the browser.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Allows connections to this URL's host. All others are rejected: requests of the page are
    /// judged first, and requests that the browser makes by itself (connectivity checks) are not
    /// needed.
    pub fn approve_host(&self, url: &Url) {
        lock(&self.shared.approved).insert(authority(url));
    }

    /// Returns the number of bytes received so far.
    pub fn received_bytes(&self) -> u64 {
        self.shared.bytes.load(Ordering::Relaxed)
    }

    /// Whether the byte limit is exceeded; the proxy then passes nothing more.
    pub fn is_full(&self) -> bool {
        self.received_bytes() > self.shared.most_bytes
    }

    /// Returns why the last request to this host failed, if it did.
    pub fn last_failure(&self, host: &str) -> Option<FetchError> {
        let failures = lock(&self.shared.failures);
        failures.iter().rev().find(|(failed, _)| failed == host).map(|(_, failure)| failure.clone())
    }
}

impl Drop for BrowserProxy {
    fn drop(&mut self) {
        self.accepting.abort();
        lock(&self.shared.connections).abort_all();
    }
}

impl ProxyState {
    /// Counts received bytes; returns `false` if the limit is exceeded.
    fn count(&self, bytes: usize) -> bool {
        let before = self.bytes.fetch_add(bytes as u64, Ordering::Relaxed);
        before + bytes as u64 <= self.most_bytes
    }

    fn check(&self, url: &Url) -> Result<&GuardedDialer, StatusCode> {
        let approved = lock(&self.approved).contains(&authority(url));
        if !approved {
            tracing::debug!(%url, "rejected a request of the browser itself");
        }
        self.gatekeeper.as_ref().filter(|_| approved).ok_or(StatusCode::FORBIDDEN)
    }

    fn note(&self, url: &Url, failure: FetchError) {
        tracing::debug!(%url, %failure, "a request of the browser was not sent");
        let mut failures = lock(&self.failures);
        if failures.len() < REMEMBERED {
            failures.push((url.host_str().unwrap_or_default().to_owned(), failure));
        }
    }

    fn spawn(&self, task: impl Future<Output = ()> + Send + 'static) {
        let mut connections = lock(&self.connections);
        // Remove finished tasks, which would count as open connections otherwise.
        while connections.try_join_next().is_some() {}
        if connections.len() < CONNECTIONS {
            connections.spawn(task);
        }
    }
}

fn authority(url: &Url) -> String {
    format!("{}:{}", url.host_str().unwrap_or_default(), url.port_or_known_default().unwrap_or(0))
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

async fn accept(listener: TcpListener, shared: Arc<ProxyState>) {
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            // Out of descriptors; wait until connections close.
            tokio::time::sleep(Duration::from_millis(20)).await;
            continue;
        };
        if shared.gatekeeper.is_none() {
            continue;
        }
        let for_requests = Arc::clone(&shared);
        shared.spawn(async move {
            let service = service_fn(move |request| answer(Arc::clone(&for_requests), request));
            let server = hyper::server::conn::http1::Builder::new()
                .serve_connection(TokioIo::new(stream), service)
                .with_upgrades();
            if let Err(error) = server.await {
                tracing::trace!(%error, "a connection of the browser ended");
            }
        });
    }
}

type ProxyResponse = Response<Either<CountedBody, Full<Bytes>>>;

async fn answer(shared: Arc<ProxyState>, request: Request<Incoming>) -> Result<ProxyResponse, Infallible> {
    let asked = if request.method() == Method::CONNECT {
        tunnel(&shared, request)
    } else {
        relay(&shared, request).await
    };
    Ok(asked.unwrap_or_else(|status| {
        let mut answer = Response::new(Either::Right(Full::new(Bytes::new())));
        *answer.status_mut() = status;
        answer
    }))
}

/// Forwards a plain HTTP request and its response.
async fn relay(shared: &Arc<ProxyState>, request: Request<Incoming>) -> Result<ProxyResponse, StatusCode> {
    // A request to the proxy itself, rather than through it, has no host.
    let url = Url::parse(&request.uri().to_string()).map_err(|_error| StatusCode::BAD_REQUEST)?;
    if url.scheme() != "http"
        || !matches!(*request.method(), Method::GET | Method::HEAD | Method::POST | Method::OPTIONS)
    {
        return Err(StatusCode::FORBIDDEN);
    }
    let gatekeeper = shared.check(&url)?;
    let exchanged = async {
        let stream = gatekeeper.connect_host(&url).await?;
        let protocol = |error: hyper::Error| {
            FetchError::passing(
                FailureClass::Protocol,
                format!("The server's response is not valid HTTP ({error})"),
            )
        };
        let (mut sender, connection) =
            hyper::client::conn::http1::handshake(TokioIo::new(stream)).await.map_err(protocol)?;
        shared.spawn(async move {
            let _ = connection.await;
        });
        let (mut parts, body) = request.into_parts();
        without_hops(&mut parts.headers);
        let authority = &url[url::Position::BeforeHost..url::Position::AfterPort];
        if let Ok(host) = authority.parse() {
            parts.headers.insert(header::HOST, host);
        }
        // Requests to a proxy have an absolute URI, but origin servers expect a path.
        let path = parts.uri.path_and_query().map_or("/", |path| path.as_str());
        parts.uri = path.parse().map_err(|error| {
            FetchError::lasting(FailureClass::BadUrl, format!("The path cannot be requested ({error})"))
        })?;
        parts.version = http::Version::HTTP_11;
        let limit = gatekeeper.timeouts.first_byte;
        let answer = tokio::time::timeout(limit, sender.send_request(Request::from_parts(parts, body))).await;
        answer.map_err(|_elapsed| FetchError::timeout(RequestPhase::FirstByte, limit))?.map_err(protocol)
    };
    match exchanged.await {
        Ok(answer) => {
            let (mut parts, body) = answer.into_parts();
            without_hops(&mut parts.headers);
            parts.version = http::Version::HTTP_11;
            Ok(Response::from_parts(parts, Either::Left(CountedBody { body, shared: Arc::clone(shared) })))
        }
        Err(failure) => {
            let blocked = matches!(failure.class, FailureClass::BlockedAddress | FailureClass::BlockedPort);
            shared.note(&url, failure);
            Err(if blocked { StatusCode::FORBIDDEN } else { StatusCode::BAD_GATEWAY })
        }
    }
}

/// Tunnels a TLS connection. Connects to the server only after the browser has sent the start of a
/// TLS handshake, because plain WebSockets use tunnels as well and must not reach the server.
fn tunnel(shared: &Arc<ProxyState>, request: Request<Incoming>) -> Result<ProxyResponse, StatusCode> {
    let authority = request.uri().authority().ok_or(StatusCode::BAD_REQUEST)?;
    let url = Url::parse(&format!("https://{authority}/")).map_err(|_error| StatusCode::BAD_REQUEST)?;
    shared.check(&url)?;
    let for_tunnel = Arc::clone(shared);
    shared.spawn(async move {
        let Ok(upgraded) = hyper::upgrade::on(request).await else { return };
        let Some(gatekeeper) = &for_tunnel.gatekeeper else { return };
        let mut browser = TokioIo::new(upgraded);
        let mut first = [0; 3];
        // A TLS handshake record starts with 0x16 0x03.
        if browser.read_exact(&mut first).await.is_err() || first[..2] != [0x16, 0x03] {
            let message = "Only TLS may use a tunnel";
            return for_tunnel.note(&url, FetchError::lasting(FailureClass::Protocol, message));
        }
        let mut server = match gatekeeper.connect_host(&url).await {
            Ok(server) => server,
            Err(failure) => return for_tunnel.note(&url, failure),
        };
        if server.write_all(&first).await.is_err() {
            return;
        }
        let (from_browser, to_browser) = tokio::io::split(browser);
        let (from_server, to_server) = server.split();
        tokio::join!(
            pump(from_browser, to_server, |_| true),
            pump(from_server, to_browser, |n| for_tunnel.count(n))
        );
    });
    Ok(Response::new(Either::Right(Full::new(Bytes::new()))))
}

/// Copies bytes in one direction until the end or the limit.
async fn pump(
    mut from: impl AsyncRead + Unpin,
    mut to: impl AsyncWrite + Unpin,
    may: impl Fn(usize) -> bool,
) {
    let mut buffer = vec![0; 16 * 1024];
    while let Ok(count @ 1..) = from.read(&mut buffer).await {
        if !may(count) || to.write_all(&buffer[..count]).await.is_err() || to.flush().await.is_err() {
            break;
        }
    }
    let _ = to.shutdown().await;
}

/// Removes headers that apply to a single connection.
fn without_hops(headers: &mut HeaderMap) {
    let named: Vec<String> = headers
        .get_all(header::CONNECTION)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .map(|name| name.trim().to_ascii_lowercase())
        .collect();
    let usual = [
        "connection",
        "keep-alive",
        "proxy-connection",
        "proxy-authorization",
        "proxy-authenticate",
        "te",
        "trailer",
        "transfer-encoding",
        "upgrade",
        "alt-svc",
    ];
    for name in usual.into_iter().chain(named.iter().map(String::as_str)) {
        headers.remove(name);
    }
}

/// A body that counts its bytes and fails at the limit.
struct CountedBody {
    body: Incoming,
    shared: Arc<ProxyState>,
}

impl Body for CountedBody {
    type Data = Bytes;
    type Error = Box<dyn std::error::Error + Send + Sync>;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        let frame = std::task::ready!(Pin::new(&mut self.body).poll_frame(cx));
        Poll::Ready(frame.map(|frame| {
            let frame = frame?;
            match frame.data_ref() {
                Some(data) if !self.shared.count(data.len()) => Err("the page exceeds its byte limit".into()),
                _ => Ok(frame),
            }
        }))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
