//! Opens connections for the browser under the same address policy as the client, at connect time.

use super::config::FetchTimeouts;
use super::dns::CachedResolver;
use super::guard::AddressGuard;
use super::{FailureClass, FetchError, RequestPhase};
use std::net::SocketAddr;
use std::sync::Arc;
use tokio::net::TcpStream;
use url::{Host, Url};

/// Most addresses tried per host.
const TRIED: usize = 3;

/// Opens connections to hosts that the address guard allows.
#[derive(Clone)]
pub(crate) struct GuardedDialer {
    pub guard: Arc<AddressGuard>,
    pub resolver: Arc<CachedResolver>,
    pub timeouts: FetchTimeouts,
}

impl GuardedDialer {
    /// Returns the addresses of this URL's host that may be contacted, or why there is none.
    pub async fn resolve_addresses(&self, url: &Url) -> Result<Vec<SocketAddr>, FetchError> {
        self.guard.check_url(url)?;
        let host = url.host_str().unwrap_or_default();
        let port = url.port_or_known_default().unwrap_or(0);
        if let Some(address) = self.guard.pinned_address(host, port) {
            return Ok(vec![address]);
        }
        let found = match url.host() {
            Some(Host::Ipv4(ip)) => vec![ip.into()],
            Some(Host::Ipv6(ip)) => vec![ip.into()],
            Some(Host::Domain(name)) => {
                let limit = self.timeouts.dns;
                let lookup = tokio::time::timeout(limit, self.resolver.lookup(name)).await;
                lookup.map_err(|_elapsed| FetchError::timeout(RequestPhase::Dns, limit))??.to_vec()
            }
            None => Vec::new(),
        };
        let mut refusal = FetchError::lasting(FailureClass::BadUrl, "The URL has no host");
        let mut allowed = Vec::new();
        for ip in found {
            match self.guard.check_ip(ip) {
                Ok(()) => allowed.push(SocketAddr::new(ip, port)),
                Err(reason) => refusal = AddressGuard::blocked_error(host, ip, reason),
            }
        }
        if allowed.is_empty() { Err(refusal) } else { Ok(allowed) }
    }

    /// Connects to the first address that accepts.
    #[expect(clippy::disallowed_methods, reason = "this is the guarded client")]
    pub async fn connect_host(&self, url: &Url) -> Result<TcpStream, FetchError> {
        let addresses = self.resolve_addresses(url).await?;
        let limit = self.timeouts.connect;
        let trying = async {
            let mut last = None;
            for address in addresses.into_iter().take(TRIED) {
                match TcpStream::connect(address).await {
                    Ok(stream) => {
                        let _ = stream.set_nodelay(true);
                        return Ok(stream);
                    }
                    Err(error) => last = Some(error),
                }
            }
            let error = last.map_or_else(String::new, |error| format!(" ({error})"));
            let host = url.host_str().unwrap_or_default();
            Err(FetchError::passing(FailureClass::Connect, format!("Could not connect to {host}{error}")))
        };
        let connected = tokio::time::timeout(limit, trying).await;
        connected.unwrap_or_else(|_elapsed| Err(FetchError::timeout(RequestPhase::Connect, limit)))
    }
}
