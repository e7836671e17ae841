use crate::server::{build_response, read_outcome, request_without_robots, test_client, test_config};
use geotrawl_crawl::fetch::{FetchConfig, GuardedClient};
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use url::Url;

/// A server for `secure.test` with a certificate of its own authority.
struct SecureServer {
    address: SocketAddr,
    authority: tempfile::NamedTempFile,
    connections: Arc<AtomicUsize>,
}

impl SecureServer {
    async fn start(protocol: &str, expired: bool) -> Self {
        let mut ca = CertificateParams::new(Vec::new()).unwrap();
        ca.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let ca = CertifiedIssuer::self_signed(ca, KeyPair::generate().unwrap()).unwrap();
        let mut params = CertificateParams::new(vec!["secure.test".to_owned()]).unwrap();
        if expired {
            params.not_before = rcgen::date_time_ymd(2001, 1, 1);
            params.not_after = rcgen::date_time_ymd(2002, 1, 1);
        }
        let key = KeyPair::generate().unwrap();
        let certificate = params.signed_by(&key, &ca).unwrap();
        let mut authority = tempfile::NamedTempFile::new().unwrap();
        std::io::Write::write_all(&mut authority, ca.pem().as_bytes()).unwrap();

        let provider = Arc::new(tokio_rustls::rustls::crypto::ring::default_provider());
        let mut tls = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(
                vec![certificate.der().clone()],
                PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(key.serialize_der())),
            )
            .unwrap();
        tls.alpn_protocols = vec![protocol.as_bytes().to_vec()];
        let acceptor = TlsAcceptor::from(Arc::new(tls));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let connections = Arc::new(AtomicUsize::new(0));
        let counter = connections.clone();
        let two = protocol == "h2";
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                counter.fetch_add(1, Ordering::SeqCst);
                let acceptor = acceptor.clone();
                tokio::spawn(async move {
                    let Ok(mut stream) = acceptor.accept(stream).await else { return };
                    if two {
                        let service = hyper::service::service_fn(async |request: http::Request<_>| {
                            let _: &hyper::body::Incoming = request.body();
                            let text = format!("{:?} {}", request.version(), request.uri());
                            let mut response =
                                http::Response::new(http_body_util::Full::new(bytes::Bytes::from(text)));
                            if request.uri().path() == "/flood" {
                                for n in 0..200 {
                                    let name = http::HeaderName::try_from(format!("x-{n}")).unwrap();
                                    let value = http::HeaderValue::try_from("y".repeat(1000)).unwrap();
                                    response.headers_mut().insert(name, value);
                                }
                            }
                            Ok::<_, std::convert::Infallible>(response)
                        });
                        let io = hyper_util::rt::TokioIo::new(stream);
                        let builder =
                            hyper::server::conn::http2::Builder::new(hyper_util::rt::TokioExecutor::new());
                        let _ = builder.serve_connection(io, service).await;
                    } else {
                        let mut buffer = [0; 4096];
                        while matches!(stream.read(&mut buffer).await, Ok(count) if count > 0) {
                            let _ = stream.write_all(&build_response("200 OK", &[], b"one")).await;
                            let _ = stream.flush().await;
                        }
                    }
                });
            }
        });
        Self { address, authority, connections }
    }

    fn config(&self) -> FetchConfig {
        let mut config = test_config();
        config.resolve = vec![format!("*.test={}", self.address).parse().unwrap()];
        config.extra_roots = vec![self.authority.path().to_owned()];
        config
    }
}

fn url(text: &str) -> Url {
    Url::parse(text).unwrap()
}

#[tokio::test]
async fn http_2_is_spoken_where_it_is_offered_over_one_connection() {
    let server = SecureServer::start("h2", false).await;
    let client = GuardedClient::new(server.config()).unwrap();
    for n in 0..5 {
        let fetched = client.fetch(request_without_robots(url(&format!("https://secure.test/{n}")))).await;
        assert_eq!(fetched.timing.tls.is_some(), n == 0, "only the first pays for the handshake");
        assert_eq!(fetched.ip, Some(server.address.ip()));
        let (class, body) = read_outcome(fetched).await;
        assert_eq!(class, None);
        assert_eq!(String::from_utf8(body).unwrap(), format!("HTTP/2.0 https://secure.test/{n}"));
    }
    assert_eq!(server.connections.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn a_flood_of_headers_ends_over_http_2_as_well() {
    let server = SecureServer::start("h2", false).await;
    let client = GuardedClient::new(server.config()).unwrap();
    let failure =
        client.fetch(request_without_robots(url("https://secure.test/flood"))).await.outcome.err().unwrap();
    assert_eq!((failure.class.as_str(), failure.retry), ("protocol", false), "{}", failure.message);
}

#[tokio::test]
async fn http_1_is_spoken_else() {
    let server = SecureServer::start("http/1.1", false).await;
    let client = GuardedClient::new(server.config()).unwrap();
    for _ in 0..3 {
        let fetched = client.fetch(request_without_robots(url("https://secure.test/"))).await;
        assert_eq!(read_outcome(fetched).await, (None, b"one".to_vec()));
    }
    assert_eq!(server.connections.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn certificates_that_do_not_hold_are_refused_with_the_reason() {
    let server = SecureServer::start("http/1.1", false).await;
    let expired = SecureServer::start("http/1.1", true).await;
    let mut stranger = server.config();
    stranger.extra_roots.clear();
    for (config, name, words) in [
        (stranger, "secure.test", "not trusted"),
        (server.config(), "other.test", "another host name"),
        (expired.config(), "secure.test", "expired"),
    ] {
        let fetched = GuardedClient::new(config)
            .unwrap()
            .fetch(request_without_robots(url(&format!("https://{name}/"))))
            .await;
        let failure = fetched.outcome.err().unwrap();
        assert_eq!((failure.class.as_str(), failure.retry), ("tls", false));
        assert!(failure.message.contains(words), "{}", failure.message);
    }
}

#[tokio::test]
async fn a_server_that_does_not_speak_tls_is_told() {
    let plain_server = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let secure = url(&format!("https://{}/", plain_server.local_addr().unwrap()));
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = plain_server.accept().await {
            let _ = stream.write_all(&build_response("400 Bad Request", &[], b"plain")).await;
            let _ = stream.read(&mut [0; 4096]).await;
        }
    });
    let failure = test_client().fetch(request_without_robots(secure)).await.outcome.err().unwrap();
    assert_eq!(failure.class.as_str(), "tls", "{}", failure.message);

    // This server accepts connections and stays silent; the TLS timeout ends the attempt.
    let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let mut config = test_config();
    config.timeouts.tls = Duration::from_millis(100);
    let secure = url(&format!("https://{}/", silent.local_addr().unwrap()));
    let failure = GuardedClient::new(config)
        .unwrap()
        .fetch(request_without_robots(secure))
        .await
        .outcome
        .err()
        .unwrap();
    assert_eq!(failure.class.as_str(), "timeout");
    assert!(failure.message.contains("secure connection"), "{}", failure.message);
}
