//! The client of a request: the peer itself or, behind a trusted proxy, the address that the proxy
//! names.

use crate::ServeConfig;
use axum::http::HeaderMap;
use ipnet::IpNet;
use std::net::{IpAddr, Ipv6Addr};

/// Maximum number of addresses read from `X-Forwarded-For`.
const LONGEST_CHAIN: usize = 32;

/// Client address and scheme of a request; in the request extensions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RequestPeer {
    pub address: Option<IpAddr>,
    /// The browser uses https (to this server or to the proxy in front of it).
    pub https: bool,
}

impl RequestPeer {
    /// Derives the client from the address of the connection and the headers.
    pub fn from_headers(config: &ServeConfig, peer: Option<IpAddr>, headers: &HeaderMap) -> Self {
        let peer = peer.map(|address| address.to_canonical());
        let public_https = config.public_url.to_ascii_lowercase().starts_with("https://");
        let networks = trusted(config);
        let is_trusted = |address: IpAddr| networks.iter().any(|network| network.contains(&address));
        let Some(proxy) = peer.filter(|address| is_trusted(*address)) else {
            return Self { address: peer, https: public_https };
        };
        // From right to left: each trusted proxy vouches for the entry before it. Entries left of
        // the first untrusted address may be forged.
        let mut address = proxy;
        for named in forwarded_for(headers) {
            let Some(named) = named else { break };
            address = named;
            if !is_trusted(named) {
                break;
            }
        }
        let proto = headers.get("x-forwarded-proto").and_then(|value| value.to_str().ok());
        let https = proto.is_some_and(|proto| {
            proto.rsplit(',').next().is_some_and(|last| last.trim().eq_ignore_ascii_case("https"))
        });
        Self { address: Some(address), https: public_https || https }
    }
}

/// Returns the network that counts as one caller: a /64 for IPv6, because one customer has that
/// many addresses.
pub fn client_network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(address) => IpAddr::V4(address),
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
        }
    }
}

/// Parses the networks of the trusted proxies; invalid entries are skipped, so they add no trust.
fn trusted(config: &ServeConfig) -> Vec<IpNet> {
    let parse = |text: &String| {
        let text = text.trim();
        text.parse::<IpNet>().ok().or_else(|| text.parse::<IpAddr>().ok().map(IpNet::from))
    };
    config.trusted_proxies.iter().filter_map(parse).collect()
}

/// Returns the addresses of `X-Forwarded-For`, nearest first; `None` for invalid ones.
fn forwarded_for(headers: &HeaderMap) -> impl Iterator<Item = Option<IpAddr>> {
    let mut values: Vec<&str> =
        headers.get_all("x-forwarded-for").iter().filter_map(|value| value.to_str().ok()).collect();
    values.reverse();
    values.into_iter().flat_map(|value| value.rsplit(',')).take(LONGEST_CHAIN).map(|text| {
        let text = text.trim();
        let bare = text.strip_prefix('[').and_then(|rest| rest.split(']').next()).unwrap_or(text);
        let with_port = || text.parse::<std::net::SocketAddr>().ok().map(|socket| socket.ip());
        bare.parse::<IpAddr>().ok().or_else(with_port).map(|address| address.to_canonical())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(trusted: &[&str], peer: &str, forwarded: &[&str]) -> String {
        let config = ServeConfig {
            trusted_proxies: trusted.iter().map(|text| (*text).to_owned()).collect(),
            ..ServeConfig::default()
        };
        let mut headers = HeaderMap::new();
        for value in forwarded {
            headers.append("x-forwarded-for", value.parse().unwrap());
        }
        headers.insert("x-forwarded-proto", "https".parse().unwrap());
        let peer = RequestPeer::from_headers(&config, Some(peer.parse().unwrap()), &headers);
        format!("{} {}", peer.address.unwrap(), peer.https)
    }

    #[test]
    fn only_trusted_proxies_name_somebody_else() {
        assert_eq!(seen(&[], "192.0.2.9", &["198.51.100.1"]), "192.0.2.9 false");
        assert_eq!(seen(&["10.0.0.0/8"], "10.1.2.3", &["198.51.100.1"]), "198.51.100.1 true");
        assert_eq!(seen(&["10.1.2.3"], "::ffff:10.1.2.3", &["[2001:db8::1]"]), "2001:db8::1 true");
    }

    #[test]
    fn what_a_stranger_adds_on_the_left_counts_nothing() {
        let forged = seen(&["10.0.0.0/8"], "10.1.2.3", &["127.0.0.1, 198.51.100.1, 10.9.9.9"]);
        assert_eq!(forged, "198.51.100.1 true");
        let two_lines = seen(&["10.0.0.0/8"], "10.1.2.3", &["127.0.0.1", "198.51.100.7:5000"]);
        assert_eq!(two_lines, "198.51.100.7 true");
        assert_eq!(seen(&["10.0.0.0/8"], "10.1.2.3", &["127.0.0.1, rubbish"]), "10.1.2.3 true");
    }

    #[test]
    fn a_customer_of_ipv6_is_one_caller() {
        let network_of = |text: &str| client_network(text.parse().unwrap());
        assert_eq!(network_of("2001:db8:1:2:3::4"), network_of("2001:db8:1:2::9"));
        assert_ne!(network_of("2001:db8:1:2::"), network_of("2001:db8:1:3::"));
    }
}
