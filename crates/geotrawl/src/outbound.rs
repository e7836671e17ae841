//! The guarded client, for the few requests that the serving side makes: the proxy and OpenID Connect.

use anyhow::Result;
use geotrawl_crawl::fetch::guard::Guard;
use geotrawl_crawl::fetch::{Client, FailureClass, FetchConfig, Redirects, Request};
use geotrawl_kinds::probe::Post;
use geotrawl_serve::outbound::{Answering, Outbound, OutboundAnswer, OutboundFailure, OutboundRequest};
use std::time::Duration;
use url::{Host, Url};

/// Redirects that are followed.
const MOST_REDIRECTS: usize = 5;

/// The one content type that is asked for by name.
const JSON: &str = "application/json";

/// Asks on behalf of a person who waits: as guarded as a crawl, but at a browser's pace.
pub struct GuardedOutbound {
    client: Client,
    guard: Guard,
}

impl GuardedOutbound {
    /// With the operator's address policy.
    pub fn new(fetch: &FetchConfig) -> Result<Self> {
        let mut fetch = fetch.clone();
        fetch.set_delay(Duration::ZERO);
        fetch.politeness.per_host = 4;
        fetch.politeness.per_ip = 4;
        let guard = Guard::new(&fetch);
        Ok(Self { client: Client::new(fetch)?, guard })
    }

    async fn perform(&self, request: OutboundRequest) -> Result<OutboundAnswer, OutboundFailure> {
        // What is secret goes where it was meant to go and nowhere else: such an answer is not followed.
        let secret = request.form.is_some() || request.authorization.is_some();
        let wanted = Request {
            post: request.form.map(|body| Post { content_type: "application/x-www-form-urlencoded", body }),
            authorization: request.authorization,
            accept: if request.accept.as_deref() == Some(JSON) { JSON } else { "*/*" },
            redirects: if secret { Redirects::Manual } else { Redirects::Follow(MOST_REDIRECTS) },
            // A person asks here, not the crawler.
            check_robots: false,
            ..Request::new(request.url, request.limit)
        };
        let fetched = self.client.fetch(wanted).await;
        let failed = |failure: geotrawl_crawl::fetch::Failure| OutboundFailure {
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
        Ok(OutboundAnswer {
            status: fetched.head.status,
            content_type: fetched.head.content_type,
            body: body.bytes,
            cut,
            url: fetched.url,
        })
    }
}

impl Outbound for GuardedOutbound {
    fn ask(&self, request: OutboundRequest) -> Answering<'_> {
        Box::pin(self.perform(request))
    }

    fn check(&self, url: &Url) -> Result<(), String> {
        self.guard.check_url(url).map_err(|failure| failure.message)?;
        let port = url.port_or_known_default().unwrap_or(0);
        let ip = match url.host() {
            Some(Host::Ipv4(ip)) => ip.into(),
            Some(Host::Ipv6(ip)) => ip.into(),
            // A name is judged by its addresses, when it is asked. These can only mean this machine.
            Some(Host::Domain(name)) => {
                let name = name.trim_end_matches('.');
                let local = name == "localhost" || name.ends_with(".localhost");
                if !local || self.guard.pin(name, port).is_some() {
                    return Ok(());
                }
                std::net::IpAddr::from([127, 0, 0, 1])
            }
            None => return Err("The address names no host".into()),
        };
        if self.guard.pin(url.host_str().unwrap_or_default(), port).is_some() {
            return Ok(());
        }
        self.guard.check_ip(ip).map_err(|reason| format!("{ip} is not on the public internet ({reason})"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
            assert!(outbound.check(&url).is_err(), "{text} would be asked");
            let request =
                OutboundRequest { url, form: None, accept: None, authorization: None, limit: 1_000 };
            assert!(outbound.ask(request).await.unwrap_err().refused, "{text} was asked");
        }
        assert!(outbound.check(&Url::parse("https://example.org/wms").unwrap()).is_ok());
    }
}
