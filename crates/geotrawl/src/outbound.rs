//! The guarded client for requests of the serving side: the proxy, OpenID Connect, tests of alerts.

use anyhow::Result;
use geotrawl_crawl::alerts::deliver::AlertDeliverer;
use geotrawl_crawl::alerts::outbox;
use geotrawl_crawl::fetch::guard::AddressGuard;
use geotrawl_crawl::fetch::{
    ClientBuilder, FailureClass, FetchConfig, FetchRequest, GuardedClient, RedirectPolicy,
};
use geotrawl_kinds::probe::PostBody;
use geotrawl_model::alert::Alert;
use geotrawl_serve::outbound::{
    OutboundClient, OutboundError, OutboundFuture, OutboundRequest, OutboundResponse, TestAlertFuture,
};
use std::time::Duration;
use url::{Host, Url};

/// Maximum number of redirects to follow.
const MOST_REDIRECTS: usize = 5;

/// The only media type that callers request explicitly.
const JSON: &str = "application/json";

/// Sends requests on behalf of a waiting user: with the guards of a crawl, but without its delays.
pub struct GuardedOutbound {
    client: GuardedClient,
    guard: AddressGuard,
    deliverer: Option<AlertDeliverer>,
}

/// Returns the operator's settings with the delays of a browser instead of a crawler.
pub fn interactive_config(fetch: &FetchConfig) -> FetchConfig {
    let mut fetch = fetch.clone();
    fetch.set_delay(Duration::ZERO);
    fetch.politeness.per_host = 4;
    fetch.politeness.per_ip = 4;
    fetch
}

impl GuardedOutbound {
    /// Creates a client with the operator's address policy.
    pub fn new(fetch: &FetchConfig) -> Result<Self> {
        let fetch = interactive_config(fetch);
        Self::of(AddressGuard::new(&fetch), GuardedClient::builder(fetch))
    }

    /// Adds the component that sends notifications.
    #[must_use]
    pub fn with_deliverer(mut self, deliverer: AlertDeliverer) -> Self {
        self.deliverer = Some(deliverer);
        self
    }

    fn of(guard: AddressGuard, client: ClientBuilder) -> Result<Self> {
        Ok(Self { client: client.build()?, guard, deliverer: None })
    }

    async fn perform(&self, request: OutboundRequest) -> Result<OutboundResponse, OutboundError> {
        // Credentials must only reach the server they were meant for, so redirects are not
        // followed.
        let secret = request.form.is_some() || request.authorization.is_some();
        let wanted = FetchRequest {
            post: request
                .form
                .map(|body| PostBody { content_type: "application/x-www-form-urlencoded", body }),
            authorization: request.authorization,
            range: request.range,
            accept: if request.accept.as_deref() == Some(JSON) { JSON } else { "*/*" },
            redirects: if secret { RedirectPolicy::Manual } else { RedirectPolicy::Follow(MOST_REDIRECTS) },
            // A user asks here, not the crawler.
            check_robots: false,
            ..FetchRequest::new(request.url, request.limit)
        };
        let fetched = self.client.fetch(wanted).await;
        let failed = |failure: geotrawl_crawl::fetch::FetchError| OutboundError {
            refused: matches!(
                failure.class,
                FailureClass::BlockedAddress | FailureClass::BlockedPort | FailureClass::BadUrl
            ),
            reason: failure.message,
        };
        let body = fetched.outcome.map_err(failed)?.collect(request.limit).await;
        let cut = match body.truncated {
            None => false,
            Some(failure) if failure.class == FailureClass::TooLarge => true,
            Some(failure) => return Err(failed(failure)),
        };
        Ok(OutboundResponse {
            status: fetched.head.status,
            content_type: fetched.head.content_type,
            body: body.bytes,
            cut,
            served_from: fetched.head.served_from,
            total_length: fetched.head.total_length,
            url: fetched.url,
        })
    }
}

impl OutboundClient for GuardedOutbound {
    fn send(&self, request: OutboundRequest) -> OutboundFuture<'_> {
        Box::pin(self.perform(request))
    }

    fn send_test_alert<'a>(&'a self, alert: &'a Alert) -> TestAlertFuture<'a> {
        Box::pin(async move {
            let Some(deliverer) = &self.deliverer else {
                return Err("this server cannot send notifications: none are configured".to_owned());
            };
            outbox::send_test_message(deliverer, alert, jiff::Timestamp::now()).await
        })
    }

    fn check_url(&self, url: &Url) -> Result<(), String> {
        self.guard.check_url(url).map_err(|failure| failure.message)?;
        let port = url.port_or_known_default().unwrap_or(0);
        let ip = match url.host() {
            Some(Host::Ipv4(ip)) => ip.into(),
            Some(Host::Ipv6(ip)) => ip.into(),
            // Other names are judged by their addresses when they are resolved. These can only mean
            // this machine.
            Some(Host::Domain(name)) => {
                let name = name.trim_end_matches('.');
                if self.guard.pinned_address(name, port).is_some() {
                    return Ok(());
                }
                let local = name == "localhost" || name.ends_with(".localhost");
                if !local && !name.contains('.') {
                    return Err(format!("'{name}' is not a host name on the public internet"));
                }
                if !local {
                    return Ok(());
                }
                std::net::IpAddr::from([127, 0, 0, 1])
            }
            None => return Err("The address has no host".into()),
        };
        if self.guard.pinned_address(url.host_str().unwrap_or_default(), port).is_some() {
            return Ok(());
        }
        self.guard.check_ip(ip).map_err(|reason| format!("{ip} is not on the public internet ({reason})"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use geotrawl_crawl::fetch::dns::{DnsAnswer, LookupFuture, NameResolver};
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    #[tokio::test]
    async fn private_addresses_are_refused_in_every_spelling() {
        let outbound = GuardedOutbound::new(&FetchConfig::default()).unwrap();
        for text in [
            "http://127.0.0.1/",
            "http://2130706433/",
            "http://0x7f.1/",
            "http://0177.0.0.1/",
            "http://127.1/",
            "http://[::1]/",
            "http://[::ffff:10.0.0.1]/",
            "http://[64:ff9b::a00:1]/",
            "http://169.254.169.254/latest/meta-data/",
            "http://100.100.100.200/",
            "http://10.1.2.3/",
            "http://192.168.0.1/",
            "http://172.16.0.1/",
            "http://0.0.0.0/",
            "http://localhost/",
            "http://a.localhost/",
            "http://localhost./",
            "http://１２７.0.0.1/",
            "http://user:pass@127.0.0.1/",
            "file:///etc/passwd",
            "gopher://example.org/",
            "http://example.org:25/",
        ] {
            let url = Url::parse(text).unwrap();
            assert!(outbound.check_url(&url).is_err(), "{text} would be asked");
            assert!(
                outbound.send(OutboundRequest::get(url, 1_000)).await.unwrap_err().refused,
                "{text} was asked"
            );
        }
        assert!(outbound.check_url(&Url::parse("https://example.org/wms").unwrap()).is_ok());
        assert!(outbound.check_url(&Url::parse("http://intranet./").unwrap()).is_err());
    }

    /// Resolves every name to the next address of a fixed list.
    struct RotatingResolver(Vec<[u8; 4]>, AtomicUsize);

    impl NameResolver for RotatingResolver {
        fn lookup<'a>(&'a self, _: &'a str) -> LookupFuture<'a> {
            let turn = self.1.fetch_add(1, Ordering::SeqCst);
            let addresses = vec![self.0[turn % self.0.len()].into()];
            Box::pin(async move { Ok(DnsAnswer { addresses, ttl: Duration::ZERO }) })
        }
    }

    fn plain(url: &str) -> OutboundRequest {
        OutboundRequest::get(Url::parse(url).unwrap(), 1_000)
    }

    #[tokio::test]
    async fn a_name_that_changes_its_address_reaches_nothing_private() {
        let canary = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = canary.local_addr().unwrap().port();
        let mut fetch = FetchConfig { retries: 0, ..FetchConfig::default() };
        fetch.timeouts.connect = Duration::from_millis(100);
        for turns in [[[192, 0, 9, 1], [127, 0, 0, 1]], [[127, 0, 0, 1], [192, 0, 9, 1]]] {
            let names = Arc::new(RotatingResolver(turns.to_vec(), AtomicUsize::new(0)));
            for n in 0..4 {
                // A new client each time: nothing is cached, and each lookup returns the next
                // address.
                let client = GuardedClient::builder(fetch.clone()).with_resolver(names.clone());
                let outbound = GuardedOutbound::of(AddressGuard::new(&fetch), client).unwrap();
                let url = format!("http://rebind.example:{port}/{n}");
                assert!(
                    outbound.check_url(&Url::parse(&url).unwrap()).is_ok(),
                    "of a name nothing is known yet"
                );
                assert!(outbound.send(plain(&url)).await.is_err());
            }
        }
        let knocked = tokio::time::timeout(Duration::from_millis(50), canary.accept()).await;
        assert!(knocked.is_err(), "somebody knocked");
    }

    /// Starts a server that sends the same answer to everything and reports the requests.
    async fn server(answer: String) -> (std::net::SocketAddr, tokio::sync::mpsc::UnboundedReceiver<String>) {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (tell, told) = tokio::sync::mpsc::unbounded_channel();
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                let mut seen = vec![0; 4_096];
                let read = stream.read(&mut seen).await.unwrap_or(0);
                let _ = tell.send(String::from_utf8_lossy(&seen[..read]).into_owned());
                let _ = stream.write_all(answer.as_bytes()).await;
            }
        });
        (address, told)
    }

    #[tokio::test]
    async fn what_is_secret_goes_to_its_server_only() {
        let moved = "HTTP/1.1 307 Temporary Redirect\r\nlocation: http://other.example/\r\ncontent-length: 0\r\n\
                     connection: close\r\n\r\n";
        let (first, mut seen) = server(moved.to_owned()).await;
        let (other, mut canary) =
            server("HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n".into()).await;
        let pins = [format!("login.example={first}"), format!("other.example={other}")];
        let resolve = pins.iter().map(|pin| pin.parse().unwrap()).collect();
        let outbound = GuardedOutbound::new(&FetchConfig { resolve, ..FetchConfig::default() }).unwrap();
        let request = OutboundRequest {
            form: Some("code=abc".into()),
            authorization: Some("Basic dXM6c2VjcmV0".into()),
            accept: Some("application/json".into()),
            ..plain("http://login.example/token")
        };
        assert_eq!(outbound.send(request).await.unwrap().status, 307, "it is given back, not followed");
        let asked = seen.recv().await.unwrap().to_ascii_lowercase();
        assert!(asked.starts_with("post /token"), "{asked}");
        assert!(asked.contains("authorization: basic dxm6c2vjcmv0"), "{asked}");
        assert!(asked.contains("accept: application/json"), "{asked}");
        assert!(canary.try_recv().is_err());
        assert_eq!(outbound.send(plain("http://login.example/")).await.unwrap().status, 200);
        let led = canary.recv().await.unwrap().to_ascii_lowercase();
        assert!(led.starts_with("get /") && !led.contains("authorization"), "{led}");
    }
}
