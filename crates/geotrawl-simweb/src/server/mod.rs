//! The HTTP/1.1 server under the simulated web.
//!
//! A small loop of our own over `httparse`: a web that must also send broken chunks, floods of headers and
//! half answers cannot be built on a library that guarantees correct HTTP.

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

/// Something that answers requests.
pub(crate) trait RequestHandler: Send + Sync + 'static {
    fn answer(&self, request: &SiteRequest<'_>) -> SiteReply;
}

/// What all connections share.
struct ServerState {
    site: Arc<dyn RequestHandler>,
    log: Option<RequestLog>,
    served: AtomicU64,
}

/// A running server; dropping it stops it at once, [`ServerHandle::stop`] lets answers under way finish.
pub struct ServerHandle {
    address: SocketAddr,
    shared: Arc<ServerState>,
    stop: watch::Sender<bool>,
    accept: JoinHandle<()>,
}

/// How long answers under way may take once the server was told to stop.
const GRACE: Duration = Duration::from_millis(250);

/// How often a log file is flushed.
const FLUSH: Duration = Duration::from_millis(200);

/// Listens with room for many connections at once: the standard library's queue of waiting clients is short, and
/// a crawler that meets a full one sees a slow web. Must be called within a tokio runtime.
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
                // Out of descriptors: let some connections end before trying again.
                tokio::time::sleep(Duration::from_millis(5)).await;
            },
            Some(_) = connections.join_next(), if !connections.is_empty() => {}
            _ = flush.tick() => shared.flush(),
            _ = stopped.changed() => break,
        }
    }
    drop(listener);
    let all_ended = async { while connections.join_next().await.is_some() {} };
    // Each connection keeps the grace by itself; the longer wait is for a machine too busy to let them.
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
    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Every request so far, in the order of arrival; empty unless the sink keeps them in memory.
    pub fn log(&self) -> Vec<LogEntry> {
        self.shared.log.as_ref().map(RequestLog::entries).unwrap_or_default()
    }

    /// Number of requests answered so far.
    pub fn served_count(&self) -> u64 {
        self.shared.served.load(Ordering::Relaxed)
    }

    /// Stops accepting, lets answers under way finish for a moment, and gives the whole log.
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
