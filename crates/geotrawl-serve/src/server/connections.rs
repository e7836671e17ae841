//! Accepts, times out and closes connections. Not `axum::serve`, because that sets no limit on the
//! time to send a request head, so a few thousand silent connections would lock out everybody else.

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tower::ServiceExt as _;

/// Time to send a request head, from the first byte or the end of the previous response.
const HEAD: Duration = Duration::from_secs(15);
/// Pause before accepting again after a machine-wide error (too many open files).
const RECOVER: Duration = Duration::from_secs(1);

/// Serves `router` until `shutdown`, then waits for open requests.
pub async fn serve_connections(listener: TcpListener, router: Router, shutdown: impl Future<Output = ()>) {
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(HEAD);
    let graceful = GracefulShutdown::new();
    let mut shutdown = pin!(shutdown);
    loop {
        let (stream, peer) = tokio::select! {
            biased;
            () = &mut shutdown => break,
            taken = accept_connection(&listener) => taken,
        };
        let router = router.clone();
        let answer = service_fn(move |mut request: hyper::Request<Incoming>| {
            request.extensions_mut().insert(ConnectInfo(peer));
            router.clone().oneshot(request.map(Body::new))
        });
        let connection = graceful.watch(http.serve_connection(TokioIo::new(stream), answer));
        tokio::spawn(async move {
            // Errors here mean that the client disconnected or never sent a complete request.
            let _ = connection.await;
        });
    }
    drop(listener);
    graceful.shutdown().await;
}

/// Accepts the next connection, skipping errors of single connections.
async fn accept_connection(listener: &TcpListener) -> (TcpStream, SocketAddr) {
    loop {
        match listener.accept().await {
            Ok((stream, peer)) => {
                // Events are small and should arrive immediately.
                let _ = stream.set_nodelay(true);
                return (stream, peer);
            }
            Err(error) if is_client_error(&error) => {}
            Err(error) => {
                tracing::error!("cannot accept connections: {error}");
                tokio::time::sleep(RECOVER).await;
            }
        }
    }
}

fn is_client_error(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::routing::get;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::sync::oneshot;

    async fn peer(ConnectInfo(peer): ConnectInfo<SocketAddr>) -> String {
        peer.ip().to_string()
    }

    async fn started() -> (SocketAddr, oneshot::Sender<()>, tokio::task::JoinHandle<()>) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (stop, stopped) = oneshot::channel::<()>();
        let router = Router::new().route("/", get(peer));
        let shutdown = async {
            let _ = stopped.await;
        };
        (address, stop, tokio::spawn(serve_connections(listener, router, shutdown)))
    }

    #[tokio::test]
    async fn answers_know_who_asks_and_the_end_is_clean() {
        let (address, stop, serving) = started().await;
        let mut client = TcpStream::connect(address).await.unwrap();
        client.write_all(b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").await.unwrap();
        let mut answer = String::new();
        client.read_to_string(&mut answer).await.unwrap();
        assert!(answer.starts_with("HTTP/1.1 200") && answer.ends_with("127.0.0.1"), "{answer}");
        stop.send(()).unwrap();
        serving.await.unwrap();
    }

    #[tokio::test(start_paused = true)]
    async fn who_never_says_what_is_wanted_is_let_go() {
        let (address, _stop, _serving) = started().await;
        let mut client = TcpStream::connect(address).await.unwrap();
        client.write_all(b"GET / HTTP/1.1\r\nHost: x\r\n").await.unwrap();
        let mut answer = Vec::new();
        // The clock is paused: it jumps to the timeout as soon as all tasks are idle.
        let closed = client.read_to_end(&mut answer).await;
        assert!(closed.is_err() || !answer.starts_with(b"HTTP/1.1 200"), "{answer:?}");
    }
}
