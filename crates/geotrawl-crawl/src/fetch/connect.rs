//! Opens connections, and only to addresses that were checked.
//!
//! The client resolves a host name, checks the addresses and acquires a slot before it calls the
//! HTTP library. The library calls this connector within that request and finds the checked
//! [`ConnectionRoute`] in a task-local, so no second lookup can return another address. The guard
//! checks each address once more here, so that no code path can connect around it.

use super::failure::{FailureClass, FetchError, RequestPhase};
use super::guard::AddressGuard;
use super::tls;
use http::Uri;
use hyper_util::client::legacy::connect::{Connected, Connection};
use hyper_util::rt::TokioIo;
use std::future::Future;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::Instant;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_rustls::rustls::{ClientConfig, pki_types::ServerName};

tokio::task_local! {
    /// Addresses that the request being polled may connect to.
    pub(super) static ROUTE: Arc<ConnectionRoute>;
}

/// Addresses of one request: resolved, checked, in the order to try.
#[derive(Debug)]
pub(super) struct ConnectionRoute {
    pub addresses: Vec<SocketAddr>,
    /// Set by the operator, hence exempt from the guard.
    pub pinned: bool,
    progress: AtomicU8,
}

/// How far the connection of a request has got.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ConnectProgress {
    /// No new connection has been needed so far.
    Waiting,
    Connecting,
    Connected,
}

impl ConnectionRoute {
    pub fn new(addresses: Vec<SocketAddr>, pinned: bool) -> Self {
        Self { addresses, pinned, progress: AtomicU8::new(0) }
    }

    pub fn progress(&self) -> ConnectProgress {
        match self.progress.load(Ordering::Relaxed) {
            0 => ConnectProgress::Waiting,
            1 => ConnectProgress::Connecting,
            _ => ConnectProgress::Connected,
        }
    }

    fn advance(&self, progress: ConnectProgress) {
        self.progress.store(progress as u8, Ordering::Relaxed);
    }
}

/// Attaches the details of a connection to each response that arrives over it.
#[derive(Debug, Clone)]
pub(super) struct ConnectionExtension(pub Arc<ConnectionDetails>);

#[derive(Debug)]
pub(super) struct ConnectionDetails {
    pub ip: IpAddr,
    pub connect: Duration,
    pub tls: Option<Duration>,
    /// Connection times are reported with the first response only.
    used: AtomicBool,
}

impl ConnectionDetails {
    /// Returns the times of connecting and of the TLS handshake on the first call, zero after it.
    pub fn take_times(&self) -> (Duration, Option<Duration>) {
        if self.used.swap(true, Ordering::Relaxed) {
            (Duration::ZERO, None)
        } else {
            (self.connect, self.tls)
        }
    }
}

/// The connector that the HTTP library calls.
#[derive(Clone)]
pub(super) struct GuardedConnector {
    guard: Arc<AddressGuard>,
    tls: Arc<ClientConfig>,
    connect_timeout: Duration,
    tls_timeout: Duration,
}

impl GuardedConnector {
    pub fn new(
        guard: Arc<AddressGuard>,
        tls: Arc<ClientConfig>,
        connect: Duration,
        handshake: Duration,
    ) -> Self {
        Self { guard, tls, connect_timeout: connect, tls_timeout: handshake }
    }

    async fn open(
        self,
        uri: Uri,
        route: Option<Arc<ConnectionRoute>>,
    ) -> Result<TokioIo<ServerConnection>, FetchError> {
        let Some(route) = route else {
            return Err(FetchError::lasting(
                FailureClass::Local,
                "A connection was requested without a route",
            ));
        };
        route.advance(ConnectProgress::Connecting);
        let opened = self.open_route(&uri, &route).await;
        route.advance(ConnectProgress::Connected);
        opened
    }

    async fn open_route(
        self,
        uri: &Uri,
        route: &ConnectionRoute,
    ) -> Result<TokioIo<ServerConnection>, FetchError> {
        let start = Instant::now();
        let stream = self.tcp(route).await?;
        let ip = stream.peer_addr().map_err(|error| connect_failure(&error, "the server"))?.ip();
        // Requests are small and complete, so waiting to fill a packet only adds latency.
        let _ = stream.set_nodelay(true);
        let connect = start.elapsed();
        if uri.scheme_str() != Some("https") {
            let facts = ConnectionDetails { ip, connect, tls: None, used: AtomicBool::new(false) };
            return Ok(TokioIo::new(ServerConnection {
                stream: ConnectionStream::Plain(stream),
                facts: Arc::new(facts),
            }));
        }
        let start = Instant::now();
        let host = uri.host().unwrap_or_default();
        let name = ServerName::try_from(host.trim_start_matches('[').trim_end_matches(']').to_owned())
            .map_err(|_error| {
                let message = format!("{host} is not a valid name for a certificate");
                FetchError::lasting(FailureClass::Tls, message)
            })?;
        let handshake = TlsConnector::from(self.tls).connect(name, stream);
        let stream = match tokio::time::timeout(self.tls_timeout, handshake).await {
            Ok(Ok(stream)) => stream,
            Ok(Err(error)) => return Err(tls::handshake_error(&error)),
            Err(_elapsed) => return Err(FetchError::timeout(RequestPhase::Tls, self.tls_timeout)),
        };
        let facts =
            ConnectionDetails { ip, connect, tls: Some(start.elapsed()), used: AtomicBool::new(false) };
        Ok(TokioIo::new(ServerConnection {
            stream: ConnectionStream::Tls(Box::new(stream)),
            facts: Arc::new(facts),
        }))
    }

    /// Tries the addresses in order, sharing the remaining time among them.
    #[expect(clippy::disallowed_methods, reason = "this is the guarded client")]
    async fn tcp(&self, route: &ConnectionRoute) -> Result<TcpStream, FetchError> {
        let deadline = Instant::now() + self.connect_timeout;
        let mut last = None;
        for (index, address) in route.addresses.iter().enumerate() {
            if !route.pinned
                && let Err(reason) = self.guard.check_ip(address.ip())
            {
                last = Some(AddressGuard::blocked_error("The server", address.ip(), reason));
                continue;
            }
            let left = deadline.saturating_duration_since(Instant::now());
            let others = u32::try_from(route.addresses.len() - index).unwrap_or(u32::MAX);
            // Leave time for the other addresses, but give each one at least two seconds.
            let share = (left / others).max(left.min(Duration::from_secs(2)));
            match tokio::time::timeout(share, TcpStream::connect(address)).await {
                Ok(Ok(stream)) => return Ok(stream),
                Ok(Err(error)) => last = Some(connect_failure(&error, &address.to_string())),
                Err(_elapsed) => last = Some(FetchError::timeout(RequestPhase::Connect, share)),
            }
        }
        Err(last.unwrap_or_else(|| {
            FetchError::lasting(FailureClass::Connect, "The host has no address to connect to")
        }))
    }
}

fn connect_failure(error: &io::Error, address: &str) -> FetchError {
    use io::ErrorKind as Kind;
    let words = match error.kind() {
        Kind::ConnectionRefused => "refused the connection".to_owned(),
        Kind::HostUnreachable | Kind::NetworkUnreachable => "cannot be reached from here".to_owned(),
        Kind::TimedOut => "did not accept a connection".to_owned(),
        Kind::ConnectionReset | Kind::ConnectionAborted => "closed the connection".to_owned(),
        _ if is_local(error) => {
            let message = format!("This machine cannot open another connection ({error})");
            return FetchError::passing(FailureClass::Local, message);
        }
        _ => format!("could not be reached ({error})"),
    };
    FetchError::passing(FailureClass::Connect, format!("{address} {words}"))
}

/// Whether this machine is out of file descriptors, ports or memory, so the server is not at fault.
fn is_local(error: &io::Error) -> bool {
    const EMFILE: i32 = 24;
    const ENFILE: i32 = 23;
    const ENOBUFS: i32 = 105;
    matches!(error.raw_os_error(), Some(EMFILE | ENFILE | ENOBUFS))
        || matches!(error.kind(), io::ErrorKind::OutOfMemory | io::ErrorKind::AddrNotAvailable)
}

impl tower_service::Service<Uri> for GuardedConnector {
    type Response = TokioIo<ServerConnection>;
    type Error = FetchError;
    type Future = Pin<Box<dyn Future<Output = Result<TokioIo<ServerConnection>, FetchError>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), FetchError>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, uri: Uri) -> Self::Future {
        let route = ROUTE.try_with(Arc::clone).ok();
        Box::pin(self.clone().open(uri, route))
    }
}

/// An open connection.
pub(super) struct ServerConnection {
    stream: ConnectionStream,
    facts: Arc<ConnectionDetails>,
}

enum ConnectionStream {
    Plain(TcpStream),
    Tls(Box<TlsStream<TcpStream>>),
}

impl Connection for ServerConnection {
    fn connected(&self) -> Connected {
        let connected = Connected::new().extra(ConnectionExtension(self.facts.clone()));
        match &self.stream {
            ConnectionStream::Tls(stream) if stream.get_ref().1.alpn_protocol() == Some(b"h2") => {
                connected.negotiated_h2()
            }
            _ => connected,
        }
    }
}

impl AsyncRead for ServerConnection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        match &mut self.stream {
            ConnectionStream::Plain(stream) => Pin::new(stream).poll_read(context, buffer),
            ConnectionStream::Tls(stream) => Pin::new(stream).poll_read(context, buffer),
        }
    }
}

impl AsyncWrite for ServerConnection {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        match &mut self.stream {
            ConnectionStream::Plain(stream) => Pin::new(stream).poll_write(context, bytes),
            ConnectionStream::Tls(stream) => Pin::new(stream).poll_write(context, bytes),
        }
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match &mut self.stream {
            ConnectionStream::Plain(stream) => Pin::new(stream).poll_flush(context),
            ConnectionStream::Tls(stream) => Pin::new(stream).poll_flush(context),
        }
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match &mut self.stream {
            ConnectionStream::Plain(stream) => Pin::new(stream).poll_shutdown(context),
            ConnectionStream::Tls(stream) => Pin::new(stream).poll_shutdown(context),
        }
    }
}
