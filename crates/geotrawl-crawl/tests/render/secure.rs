use crate::site::{self, fake_browser, quick_config};
use geotrawl_crawl::fetch::dns::{LookupFuture, NameResolver};
use geotrawl_crawl::fetch::{FailureClass, FetchConfig, FetchError, GuardedClient};
use geotrawl_crawl::render::{PageRenderer, RenderConfig, RenderErrorKind, StopReason};
use rcgen::{CertifiedKey, generate_simple_self_signed};
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};

/// Starts a TLS server whose page loads 100 kB over and over.
async fn secure_server() -> SocketAddr {
    let CertifiedKey { cert, signing_key } =
        generate_simple_self_signed(vec!["secure.test".to_owned()]).unwrap();
    let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(signing_key.serialize_der()));
    let provider = Arc::new(tokio_rustls::rustls::crypto::ring::default_provider());
    let tls = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![cert.der().clone()], key)
        .unwrap();
    let acceptor = TlsAcceptor::from(Arc::new(tls));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let acceptor = acceptor.clone();
            tokio::spawn(async move {
                let Ok(mut stream) = acceptor.accept(stream).await else { return };
                let mut buffer = [0; 8192];
                while let Ok(count @ 1..) = stream.read(&mut buffer).await {
                    let big = buffer[..count].starts_with(b"GET /big");
                    let page = "<title>Safe</title><script>(async () => { for (;;) await (await fetch('/big' + location.search)).text() })()</script>";
                    let body = if big { "x".repeat(100_000) } else { page.to_owned() };
                    let answer = format!(
                        "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncache-control: no-store\r\ncontent-length: {}\r\n\r\n{body}",
                        body.len()
                    );
                    if stream.write_all(answer.as_bytes()).await.is_err() {
                        return;
                    }
                }
            });
        }
    });
    address
}

/// Records the names that are looked up, and resolves none.
#[derive(Default)]
struct RecordingResolver(Mutex<Vec<String>>);

impl NameResolver for RecordingResolver {
    fn lookup<'a>(&'a self, host: &'a str) -> LookupFuture<'a> {
        self.0.lock().unwrap().push(host.to_owned());
        Box::pin(async { Err(FetchError::lasting(FailureClass::Dns, "there are no names")) })
    }
}

#[tokio::test]
async fn secure_pages_come_through_the_guard_and_are_counted() {
    let Some(real) = site::require_browser() else { return };
    let Some(config) = quick_config() else { return };
    let fetching = FetchConfig {
        resolve: vec![format!("secure.test={}", secure_server().await).parse().unwrap()],
        ..FetchConfig::default()
    };
    let client = GuardedClient::new(fetching).unwrap();
    let url = "https://secure.test/".parse().unwrap();
    let names = Arc::new(RecordingResolver::default());
    let renderer = PageRenderer::with_resolver(config.clone(), &client, names.clone()).unwrap();
    let failure = renderer.render(&url).await.unwrap_err();
    // After such an error, browsers tend to contact their vendor to check connectivity.
    assert_eq!(*names.0.lock().unwrap(), Vec::<String>::new());
    assert_eq!(failure.kind, RenderErrorKind::Unreachable);
    assert!(failure.message.contains("ERR_CERT"), "certificates are checked: {failure}");
    // The test certificate is not trusted, so this browser skips the check.
    let directory = tempfile::tempdir().unwrap();
    let script = format!("exec '{}' --ignore-certificate-errors \"$@\"", real.display());
    let browser = Some(fake_browser(directory.path(), &script));
    let config =
        RenderConfig { browser, bytes: 1_000_000, requests: 10_000, requests_per_host: 10_000, ..config };
    let rendered = PageRenderer::new(config, &client).unwrap().render(&url).await.unwrap();
    assert_eq!((rendered.title.as_str(), rendered.stopped), ("Safe", StopReason::Bytes));
    assert!((1_000_000..1_200_000).contains(&rendered.bytes), "{}", rendered.bytes);
}
