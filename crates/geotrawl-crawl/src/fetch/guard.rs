//! The address policy: only the public internet and what the operator allowed may be contacted.
//!
//! A crawler follows untrusted links. Without this policy, any page could make it request the
//! cloud's metadata service, a printer or a database in the operator's network. The policy is a
//! pure function of the address. The client applies it to every address before it connects, and
//! connects to exactly the address that was checked.

use super::config::FetchConfig;
use super::failure::{FailureClass, FetchError};
use super::pin::AddressPin;
use ipnet::IpNet;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use url::Url;

/// The address policy of one client.
#[derive(Debug, Clone, Default)]
pub struct AddressGuard {
    pins: Vec<AddressPin>,
    allow_nets: Vec<IpNet>,
    allow_ports: Vec<u16>,
    url_bytes: usize,
}

impl AddressGuard {
    /// Creates the policy from the settings.
    pub fn new(config: &FetchConfig) -> Self {
        Self {
            pins: config.resolve.clone(),
            allow_nets: config.allow_nets.clone(),
            allow_ports: config.allow_ports.clone(),
            url_bytes: config.limits.url_bytes,
        }
    }

    /// Checks what is known before the name is resolved: scheme, host, port and length.
    pub fn check_url(&self, url: &Url) -> Result<(), FetchError> {
        if !matches!(url.scheme(), "http" | "https") {
            let message = format!("Only http and https are fetched, not {}:", url.scheme());
            return Err(FetchError::lasting(FailureClass::BadUrl, message));
        }
        let Some(host) = url.host_str().filter(|host| !host.is_empty()) else {
            return Err(FetchError::lasting(FailureClass::BadUrl, "The URL has no host"));
        };
        if url.as_str().len() > self.url_bytes {
            let message = format!("The URL is longer than {} bytes", self.url_bytes);
            return Err(FetchError::lasting(FailureClass::BadUrl, message));
        }
        let port = url.port_or_known_default().unwrap_or(0);
        if is_foreign_port(port)
            && !self.allow_ports.contains(&port)
            && self.pinned_address(host, port).is_none()
        {
            let message = format!("Port {port} belongs to a protocol other than HTTP and is blocked");
            return Err(FetchError::lasting(FailureClass::BlockedPort, message));
        }
        Ok(())
    }

    /// Returns the address that the operator set for this host, if any. The first match wins.
    pub fn pinned_address(&self, host: &str, port: u16) -> Option<SocketAddr> {
        let pin = self.pins.iter().find(|pin| pin.pattern.matches_host(host))?;
        Some(SocketAddr::new(pin.ip, pin.port.unwrap_or(port)))
    }

    /// Checks whether `ip` may be contacted; the error says why not.
    pub fn check_ip(&self, ip: IpAddr) -> Result<(), &'static str> {
        let ip = ip.to_canonical();
        if self.allow_nets.iter().any(|net| net.contains(&ip)) {
            return Ok(());
        }
        match ip {
            IpAddr::V4(ip) => not_public_v4(ip).map_or(Ok(()), Err),
            IpAddr::V6(ip) => match embedded_v4(ip) {
                // The real destination is the embedded address. For a tunnel, check both ends.
                Some(inner) => inner.into_iter().try_for_each(|ip| self.check_ip(IpAddr::V4(ip))),
                None => not_public_v6(ip).map_or(Ok(()), Err),
            },
        }
    }

    /// Creates the failure for a host none of whose addresses may be contacted.
    pub fn blocked_error(host: &str, ip: IpAddr, reason: &str) -> FetchError {
        let at = if host == ip.to_string() { String::new() } else { format!(" is at {ip}, which") };
        let message = format!(
            "{host}{at} is not on the public internet ({reason}); if you may crawl it, allow it with --allow-net {ip}"
        );
        FetchError::lasting(FailureClass::BlockedAddress, message)
    }
}

/// Returns why an IPv4 address is not public unicast (IANA special-purpose registry), or `None`.
fn not_public_v4(ip: Ipv4Addr) -> Option<&'static str> {
    let [a, b, c, d] = ip.octets();
    Some(match (a, b, c, d) {
        (0, ..) => "this network, 0.0.0.0/8",
        (10, ..) | (172, 16..=31, ..) | (192, 168, ..) => "a private network",
        (100, 64..=127, ..) => "a provider's internal network, 100.64.0.0/10",
        (127, ..) => "this machine",
        (169, 254, ..) => "link-local, where cloud metadata lives",
        // A public address, but inside one large cloud it is the virtual machine's own agent.
        (168, 63, 129, 16) => "a cloud's metadata service",
        (192, 0, 0, _) => "reserved for protocols, 192.0.0.0/24",
        (192, 0, 2, _) | (198, 51, 100, _) | (203, 0, 113, _) => "reserved for documentation",
        (192, 88, 99, _) => "reserved, formerly 6to4 relays",
        (198, 18..=19, ..) => "reserved for benchmarks, 198.18.0.0/15",
        (224..=239, ..) => "multicast",
        (240.., ..) => "reserved, 240.0.0.0/4",
        _ => return None,
    })
}

/// Returns why an IPv6 address without an embedded IPv4 one is not public unicast, or `None`.
fn not_public_v6(ip: Ipv6Addr) -> Option<&'static str> {
    let s = ip.segments();
    Some(match s {
        [0, 0, 0, 0, 0, 0, 0, 0] => "the unspecified address",
        [0, 0, 0, 0, 0, 0, 0, 1] => "this machine",
        [0xfc00..=0xfdff, ..] => "a private network, fc00::/7",
        [0xfe80..=0xfebf, ..] => "link-local, fe80::/10",
        [0xfec0..=0xfeff, ..] => "site-local, fec0::/10",
        [0xff00..=0xffff, ..] => "multicast",
        [0x0064, 0xff9b, 1, ..] => "a local translator, 64:ff9b:1::/48",
        [0x0100, 0, 0, 0..=1, ..] => "discard-only, 100::/64",
        [0x2001, 0x0db8, ..] | [0x3fff, 0..=0x0fff, ..] => "reserved for documentation",
        [0x2001, 0..=0x01ff, ..] => "reserved for protocols, 2001::/23",
        // All public unicast addresses assigned today are in 2000::/3.
        [0x2000..=0x3fff, ..] => return None,
        _ => "not assigned to the public internet",
    })
}

/// Returns the IPv4 addresses embedded in an IPv6 address, to
/// which a translator or tunnel delivers.
fn embedded_v4(ip: Ipv6Addr) -> Option<[Ipv4Addr; 2]> {
    let v4 = |high: u16, low: u16| Ipv4Addr::from((u32::from(high) << 16) | u32::from(low));
    let one = |ip: Ipv4Addr| Some([ip, ip]);
    match ip.segments() {
        // `::` and `::1` embed no IPv4 address.
        [0, 0, 0, 0, 0, 0, 0, 0 | 1] => None,
        // IPv4-compatible and translated (SIIT) addresses;
        // `to_canonical` has unmapped IPv4-mapped ones.
        [0, 0, 0, 0, 0 | 0xffff, 0, high, low] => one(v4(high, low)),
        // NAT64
        [0x0064, 0xff9b, 0, 0, 0, 0, high, low] => one(v4(high, low)),
        // 6to4
        [0x2002, high, low, ..] => one(v4(high, low)),
        // Teredo: the server's address, and the client's with inverted bits.
        [0x2001, 0, high, low, _, _, client_high, client_low] => {
            Some([v4(high, low), v4(!client_high, !client_low)])
        }
        // ISATAP
        [0x2000..=0x3fff, _, _, _, 0 | 0x0200, 0x5efe, high, low] => one(v4(high, low)),
        _ => None,
    }
}

/// Ports of other protocols, where an HTTP request could do harm (mail, shells, databases): those
/// that browsers block, and common services without authentication. Sorted.
const FOREIGN_PORTS: &[u16] = &[
    0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103,
    104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 138, 139, 143, 161, 179, 389, 427, 445, 465, 512,
    513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 873, 989, 990, 993, 995, 1433,
    1521, 1719, 1720, 1723, 2049, 2375, 2376, 2379, 2380, 3306, 3389, 3659, 4045, 4190, 5060, 5061, 5432,
    5672, 5900, 6000, 6379, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080, 11211, 27017,
];

fn is_foreign_port(port: u16) -> bool {
    FOREIGN_PORTS.binary_search(&port).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guard(allow: &[&str]) -> AddressGuard {
        AddressGuard {
            allow_nets: allow.iter().map(|net| net.parse().unwrap()).collect(),
            url_bytes: 16 << 10,
            ..AddressGuard::default()
        }
    }

    fn allowed(ip: &str) -> bool {
        guard(&[]).check_ip(ip.parse().unwrap()).is_ok()
    }

    /// Tests the first and the last address of every special range, and the addresses next to it.
    #[test]
    fn every_special_range_is_refused_from_its_first_to_its_last_address() {
        let ranges: &[(&str, &str)] = &[
            ("0.0.0.0", "0.255.255.255"),
            ("10.0.0.0", "10.255.255.255"),
            ("100.64.0.0", "100.127.255.255"),
            ("127.0.0.0", "127.255.255.255"),
            ("169.254.0.0", "169.254.255.255"),
            ("168.63.129.16", "168.63.129.16"),
            ("172.16.0.0", "172.31.255.255"),
            ("192.0.0.0", "192.0.0.255"),
            ("192.0.2.0", "192.0.2.255"),
            ("192.88.99.0", "192.88.99.255"),
            ("192.168.0.0", "192.168.255.255"),
            ("198.18.0.0", "198.19.255.255"),
            ("198.51.100.0", "198.51.100.255"),
            ("203.0.113.0", "203.0.113.255"),
            ("224.0.0.0", "255.255.255.255"),
            ("::", "::1"),
            ("100::", "100::ffff:ffff:ffff:ffff"),
            ("64:ff9b:1::", "64:ff9b:1:ffff:ffff:ffff:ffff:ffff"),
            ("2001:db8::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff"),
            ("2001:2::", "2001:2::ffff"),
            ("2001:10::", "2001:1f:ffff:ffff:ffff:ffff:ffff:ffff"),
            ("3fff::", "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff"),
            ("fc00::", "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
            ("fe80::", "febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
            ("fec0::", "feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
            ("ff00::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
            ("4000::", "5fff::"),
            ("5f00::", "5f00:ffff::"),
        ];
        for (first, last) in ranges {
            assert!(!allowed(first), "{first}");
            assert!(!allowed(last), "{last}");
            if let (Ok(first), Ok(last)) = (first.parse::<Ipv4Addr>(), last.parse::<Ipv4Addr>()) {
                let (first, last) = (u32::from(first), u32::from(last));
                assert!(!allowed(&Ipv4Addr::from(first + (last - first) / 2).to_string()));
                for form in [first, last] {
                    let [a, b, c, d] = Ipv4Addr::from(form).octets();
                    let (high, low) = (u16::from_be_bytes([a, b]), u16::from_be_bytes([c, d]));
                    for wrapped in [
                        format!("::ffff:{high:x}:{low:x}"),
                        format!("::{high:x}:{low:x}"),
                        format!("::ffff:0:{high:x}:{low:x}"),
                        format!("64:ff9b::{high:x}:{low:x}"),
                        format!("2002:{high:x}:{low:x}::1"),
                        format!("2001:0:{high:x}:{low:x}:0:0:f7f7:f7f7"),
                        format!("2001:0:808:808:0:0:{:x}:{:x}", !high, !low),
                        format!("2a00:1450:4001:800:0:5efe:{high:x}:{low:x}"),
                        format!("2a00:1450:4001:800:200:5efe:{high:x}:{low:x}"),
                    ] {
                        assert!(!allowed(&wrapped), "{wrapped}");
                    }
                }
            }
        }
    }

    #[test]
    fn the_public_internet_is_allowed_up_to_the_edges() {
        for ip in [
            "1.0.0.0",
            "1.1.1.1",
            "8.8.8.8",
            "9.255.255.255",
            "11.0.0.0",
            "100.63.255.255",
            "100.128.0.0",
            "126.255.255.255",
            "128.0.0.0",
            "168.63.129.15",
            "168.63.129.17",
            "169.253.255.255",
            "169.255.0.0",
            "172.15.255.255",
            "172.32.0.0",
            "191.255.255.255",
            "192.0.1.0",
            "192.0.3.0",
            "192.88.98.255",
            "192.167.255.255",
            "192.169.0.0",
            "198.17.255.255",
            "198.20.0.0",
            "203.0.112.255",
            "203.0.114.0",
            "223.255.255.255",
            "2000::",
            "2001:200::",
            "2001:4860:4860::8888",
            "2a00:1450::1",
            "2606:4700::1",
            "3ffe::",
            "::ffff:8.8.8.8",
            "64:ff9b::8.8.8.8",
            "2002:808:808::1",
        ] {
            assert!(allowed(ip), "{ip}");
        }
    }

    #[test]
    fn an_operator_may_allow_networks_and_only_those() {
        let guard = guard(&["10.0.0.0/8", "fd00:1::/32"]);
        for (ip, expected) in [
            ("10.1.2.3", true),
            ("::ffff:10.1.2.3", true),
            ("64:ff9b::10.1.2.3", true),
            ("fd00:1::5", true),
            ("127.0.0.1", false),
            ("192.168.0.1", false),
            ("fd00:2::5", false),
            ("169.254.169.254", false),
        ] {
            assert_eq!(guard.check_ip(ip.parse().unwrap()).is_ok(), expected, "{ip}");
        }
    }

    #[test]
    fn every_spelling_of_a_local_address_is_seen_through() {
        // The URL parser normalises decimal, octal, hexadecimal and
        // short forms to the address they mean.
        for text in [
            "http://2130706433/",
            "http://0177.0.0.1/",
            "http://0x7f.1/",
            "http://0x7f000001/",
            "http://127.1/",
            "http://127.0.0.1./",
            "http://①②⑦.⓪.⓪.①/",
            "http://0/",
            "http://[::1]/",
            "http://[::]/",
            "http://[::ffff:127.0.0.1]/",
            "http://[::ffff:7f00:1]/",
            "http://[0:0:0:0:0:ffff:a9fe:a9fe]/",
            "http://2852039166/",
            "http://0xa9fea9fe/",
        ] {
            let url = Url::parse(text).unwrap();
            let ip = match url.host().unwrap() {
                url::Host::Ipv4(ip) => IpAddr::V4(ip),
                url::Host::Ipv6(ip) => IpAddr::V6(ip),
                url::Host::Domain(name) => panic!("{text} is a name: {name}"),
            };
            assert!(guard(&[]).check_ip(ip).is_err(), "{text}");
        }
        // A URL cannot contain a zone id.
        assert!(Url::parse("http://[fe80::1%25eth0]/").is_err());
    }

    #[test]
    fn urls_are_checked_before_any_lookup() {
        let guard = guard(&[]);
        let class =
            |text: &str| guard.check_url(&Url::parse(text).unwrap()).err().map(|failure| failure.class);
        assert_eq!(class("http://example.org/"), None);
        assert_eq!(class("https://example.org:8443/geoserver"), None);
        assert_eq!(class("file:///etc/passwd"), Some(FailureClass::BadUrl));
        assert_eq!(class("data:text/html,x"), Some(FailureClass::BadUrl));
        assert_eq!(class("ftp://example.org/"), Some(FailureClass::BadUrl));
        assert_eq!(class("http://example.org:25/"), Some(FailureClass::BlockedPort));
        assert_eq!(class("http://example.org:6379/"), Some(FailureClass::BlockedPort));
        assert_eq!(class(&format!("http://example.org/{}", "x".repeat(20_000))), Some(FailureClass::BadUrl));
        let open = AddressGuard { allow_ports: vec![6379], ..guard.clone() };
        assert!(open.check_url(&Url::parse("http://example.org:6379/").unwrap()).is_ok());
    }

    #[test]
    fn the_port_table_is_sorted() {
        assert!(FOREIGN_PORTS.is_sorted());
    }
}
