//! The HTTP/1.1 server of the simulated web.
//!
//! A small loop over `httparse`: a web that also sends broken chunks, header floods and truncated
//! responses cannot be built on a library that guarantees correct HTTP.

mod connection;
mod log;
mod wire;

pub use log::{LogEntry, LogSink};

use crate::reply::SiteReply;
use crate::request::SiteRequest;
use connection::ClientConnection;
use log::RequestLog;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tokio::net::TcpSocket;
use tokio::sync::watch;
use tokio::task::{JoinHandle, JoinSet};

/// Answers requests.
pub(crate) trait RequestHandler: Send + Sync + 'static {
    fn answer(&self, request: &SiteRequest<'_>) -> SiteReply;
}

/// State shared by all connections.
struct ServerState {
    site: Arc<dyn RequestHandler>,
    log: Option<RequestLog>,
    served: AtomicU64,
}

/// A running server. Dropping it stops it at once; [`ServerHandle::stop`] lets open responses
/// finish.
pub struct ServerHandle {
    address: SocketAddr,
    shared: Arc<ServerState>,
    stop: watch::Sender<bool>,
    accept: JoinHandle<()>,
}

/// Time for open responses to finish after the stop signal.
const GRACE: Duration = Duration::from_millis(250);

/// How often a log file is flushed.
const FLUSH: Duration = Duration::from_millis(200);

/// Opens a listener with a long backlog: the standard library's backlog is short, and a crawler
/// that finds it full would see a slow web. Must be called within a tokio runtime.
pub fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(4096)?.into_std()
}

/// Starts serving `site` on `listener`, on the current tokio runtime.
pub(crate) fn start_server(
    site: Arc<dyn RequestHandler>,
    listener: TcpListener,
    log: Option<LogSink>,
) -> io::Result<ServerHandle> {
    listener.set_nonblocking(true)?;
    let address = listener.local_addr()?;
    let listener = tokio::net::TcpListener::from_std(listener)?;
    let shared = Arc::new(ServerState { site, log: log.map(RequestLog::new), served: AtomicU64::new(0) });
    let (stop, stopped) = watch::channel(false);
    let accept = tokio::spawn(accept_loop(listener, Arc::clone(&shared), stopped));
    Ok(ServerHandle { address, shared, stop, accept })
}

async fn accept_loop(
    listener: tokio::net::TcpListener,
    shared: Arc<ServerState>,
    mut stopped: watch::Receiver<bool>,
) {
    let mut connections = JoinSet::new();
    let mut flush = tokio::time::interval(FLUSH);
    loop {
        tokio::select! {
            accepted = listener.accept() => if let Ok((stream, _)) = accepted {
                let _ = stream.set_nodelay(true);
                connections.spawn(ClientConnection::new(stream, Arc::clone(&shared), stopped.clone()).run());
            } else {
                // Out of file descriptors: wait for some connections to end before trying again.
                tokio::time::sleep(Duration::from_millis(5)).await;
            },
            Some(_) = connections.join_next(), if !connections.is_empty() => {}
            _ = flush.tick() => shared.flush(),
            _ = stopped.changed() => break,
        }
    }
    drop(listener);
    let all_ended = async { while connections.join_next().await.is_some() {} };
    // Each connection observes the grace period itself; the longer timeout is for overloaded
    // machines.
    let _ = tokio::time::timeout(GRACE * 20, all_ended).await;
    connections.shutdown().await;
    shared.flush();
}

impl ServerState {
    fn flush(&self) {
        if let Some(log) = &self.log {
            log.flush();
        }
    }
}

impl ServerHandle {
    /// Returns the address of the listener.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns all requests so far, in order of arrival; empty unless the log is kept in memory.
    pub fn log(&self) -> Vec<LogEntry> {
        self.shared.log.as_ref().map(RequestLog::entries).unwrap_or_default()
    }

    /// Returns the number of requests answered so far.
    pub fn served_count(&self) -> u64 {
        self.shared.served.load(Ordering::Relaxed)
    }

    /// Stops accepting connections, gives open responses a short time to finish, and returns the
    /// complete log.
    pub async fn stop(mut self) -> Vec<LogEntry> {
        let _ = self.stop.send(true);
        let _ = (&mut self.accept).await;
        self.log()
    }
}

impl Drop for ServerHandle {
    fn drop(&mut self) {
        let _ = self.stop.send(true);
    }
}
