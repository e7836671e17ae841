use crate::site::{self, program, quick};
use geotrawl_crawl::fetch::dns::{Lookup, Resolve};
use geotrawl_crawl::fetch::{Client, Failure, FailureClass, FetchConfig};
use geotrawl_crawl::render::{FailureKind, RenderConfig, Renderer, Stop};
use rcgen::{CertifiedKey, generate_simple_self_signed};
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};

/// A page over TLS that loads 100 kB again and again.
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

/// Writes down which names are asked for, and knows none.
#[derive(Default)]
struct Asked(Mutex<Vec<String>>);

impl Resolve for Asked {
    fn lookup<'a>(&'a self, host: &'a str) -> Lookup<'a> {
        self.0.lock().unwrap().push(host.to_owned());
        Box::pin(async { Err(Failure::lasting(FailureClass::Dns, "there are no names")) })
    }
}

#[tokio::test]
async fn secure_pages_come_through_the_guard_and_are_counted() {
    let Some(real) = site::browser() else { return };
    let Some(config) = quick() else { return };
    let fetching = FetchConfig {
        resolve: vec![format!("secure.test={}", secure_server().await).parse().unwrap()],
        ..FetchConfig::default()
    };
    let client = Client::new(fetching).unwrap();
    let url = "https://secure.test/".parse().unwrap();
    let names = Arc::new(Asked::default());
    let renderer = Renderer::with_resolver(config.clone(), &client, names.clone()).unwrap();
    let failure = renderer.render(&url).await.unwrap_err();
    // After such an error browsers like to ask their maker whether there is a network.
    assert_eq!(*names.0.lock().unwrap(), Vec::<String>::new());
    assert_eq!(failure.kind, FailureKind::Unreachable);
    assert!(failure.message.contains("ERR_CERT"), "certificates are checked: {failure}");
    // Nobody vouches for the certificate of a test; this browser does not ask.
    let directory = tempfile::tempdir().unwrap();
    let script = format!("exec '{}' --ignore-certificate-errors \"$@\"", real.display());
    let browser = Some(program(directory.path(), &script));
    let config =
        RenderConfig { browser, bytes: 1_000_000, requests: 10_000, requests_per_host: 10_000, ..config };
    let rendered = Renderer::new(config, &client).unwrap().render(&url).await.unwrap();
    assert_eq!((rendered.title.as_str(), rendered.stopped), ("Safe", Stop::Bytes));
    assert!((1_000_000..1_200_000).contains(&rendered.bytes), "{}", rendered.bytes);
}
