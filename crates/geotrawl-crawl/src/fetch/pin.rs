//! Address settings of the operator: `--resolve PATTERN=IP[:PORT]` and `--allow-net CIDR`.

use ipnet::IpNet;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::net::{IpAddr, SocketAddr};
use std::str::FromStr;

/// Connects hosts that match `pattern` to `ip`; `port`, if set, replaces the port of the URL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AddressPin {
    pub pattern: HostPattern,
    pub ip: IpAddr,
    pub port: Option<u16>,
}

/// The hosts that a setting applies to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HostPattern {
    /// `*`
    Any,
    /// `*.name`: all names below `name`, but not `name` itself. Stored as `.name`.
    Below(String),
    /// Exactly this name.
    Exact(String),
}

/// An invalid setting.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct SettingError(String);

impl HostPattern {
    /// Whether `host` matches. Expects the form of the `url` crate: lower case, IPv6 in brackets.
    pub fn matches_host(&self, host: &str) -> bool {
        match self {
            Self::Any => true,
            Self::Below(suffix) => host.len() > suffix.len() && host.ends_with(suffix.as_str()),
            Self::Exact(name) => name == host,
        }
    }
}

impl FromStr for HostPattern {
    type Err = SettingError;

    fn from_str(text: &str) -> Result<Self, SettingError> {
        if text == "*" {
            return Ok(Self::Any);
        }
        let (below, name) = match text.strip_prefix("*.") {
            Some(name) => (true, name),
            None => (false, text),
        };
        // Parse as a host so that `Exämple.org` is normalised like the host of a URL.
        let host = url::Host::parse(name).map_err(|error| {
            SettingError(format!("`{text}` is neither `*`, nor `*.name`, nor a host name ({error})"))
        })?;
        if name.contains('*') {
            return Err(SettingError(format!("`{text}`: `*` is only allowed alone or as the first label")));
        }
        Ok(match (below, host) {
            (true, url::Host::Domain(name)) => Self::Below(format!(".{name}")),
            (true, _) => {
                return Err(SettingError(format!("`{text}`: an address has no names below it")));
            }
            (false, host) => Self::Exact(host.to_string()),
        })
    }
}

impl fmt::Display for HostPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Any => f.write_str("*"),
            Self::Below(suffix) => write!(f, "*{suffix}"),
            Self::Exact(name) => f.write_str(name),
        }
    }
}

impl FromStr for AddressPin {
    type Err = SettingError;

    fn from_str(text: &str) -> Result<Self, SettingError> {
        let Some((pattern, address)) = text.split_once('=') else {
            return Err(SettingError(format!(
                "`{text}` should be PATTERN=IP or PATTERN=IP:PORT, e.g. *.example.org=127.0.0.1:8080"
            )));
        };
        let (ip, port) = parse_address(address)?;
        Ok(Self { pattern: pattern.parse()?, ip, port })
    }
}

/// Parses `1.2.3.4`, `1.2.3.4:80`, `[::1]` or `[::1]:80`. Also accepts a bare `::1`.
fn parse_address(text: &str) -> Result<(IpAddr, Option<u16>), SettingError> {
    if let Ok(ip) = text.parse::<IpAddr>() {
        return Ok((ip, None));
    }
    if let Ok(address) = text.parse::<SocketAddr>() {
        if address.port() == 0 {
            return Err(SettingError(format!("`{text}`: port 0 is not a valid port")));
        }
        return Ok((address.ip(), Some(address.port())));
    }
    let inner = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    match inner.and_then(|inner| inner.parse::<IpAddr>().ok()) {
        Some(ip @ IpAddr::V6(_)) => Ok((ip, None)),
        _ => Err(SettingError(format!(
            "`{text}` is not an IP address with an optional port (IPv6 with a port goes in brackets: [::1]:80)"
        ))),
    }
}

impl fmt::Display for AddressPin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.ip, self.port) {
            (ip, Some(port)) => write!(f, "{}={}", self.pattern, SocketAddr::new(ip, port)),
            (IpAddr::V6(ip), None) => write!(f, "{}=[{ip}]", self.pattern),
            (ip, None) => write!(f, "{}={ip}", self.pattern),
        }
    }
}

impl Serialize for AddressPin {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for AddressPin {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        String::deserialize(from)?.parse().map_err(serde::de::Error::custom)
    }
}

/// Parses a `--allow-net` value: a network or one address.
pub fn parse_net(text: &str) -> Result<IpNet, SettingError> {
    if let Ok(ip) = text.parse::<IpAddr>() {
        return Ok(IpNet::from(ip));
    }
    let net: IpNet = text.parse().map_err(|_error| {
        SettingError(format!("`{text}` is neither a network such as 10.0.0.0/8 or fd00::/8 nor an address"))
    })?;
    if net.trunc() == net {
        Ok(net)
    } else {
        // Bits beyond the prefix are usually a typo, and this is a security setting.
        Err(SettingError(format!("`{text}` has bits beyond its prefix; did you mean {}?", net.trunc())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pins_are_read_and_written() {
        for (text, ip, port) in [
            ("*=127.0.0.1", "127.0.0.1", None),
            ("*=127.0.0.1:8080", "127.0.0.1", Some(8080)),
            ("*.example.org=[::1]:80", "::1", Some(80)),
            ("example.org=[fd00::1]", "fd00::1", None),
        ] {
            let pin: AddressPin = text.parse().unwrap();
            assert_eq!((pin.ip, pin.port), (ip.parse().unwrap(), port));
            assert_eq!(pin.to_string(), text);
        }
        assert_eq!("a.test=::1".parse::<AddressPin>().unwrap().ip, "::1".parse::<IpAddr>().unwrap());
    }

    #[test]
    fn patterns_match_as_documented() {
        let below: HostPattern = "*.Example.ORG".parse().unwrap();
        assert!(below.matches_host("a.example.org") && below.matches_host("a.b.example.org"));
        assert!(!below.matches_host("example.org") && !below.matches_host("badexample.org"));
        assert!("*".parse::<HostPattern>().unwrap().matches_host("[::1]"));
        let exact: HostPattern = "Bücher.example".parse().unwrap();
        assert!(exact.matches_host("xn--bcher-kva.example"));
    }

    #[test]
    fn wrong_settings_are_told_in_words() {
        for (text, part) in [
            ("example.org", "PATTERN=IP"),
            ("*=nowhere", "not an IP address"),
            ("*=::1:80:90:x", "brackets"),
            ("*=127.0.0.1:0", "port 0"),
            ("a.*.b=127.0.0.1", "a.*.b"),
            ("*.10.0.0.1=127.0.0.1", "names below it"),
            ("=127.0.0.1", "neither"),
        ] {
            let error = text.parse::<AddressPin>().unwrap_err().to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
        assert!(parse_net("10.1.2.3/8").unwrap_err().to_string().contains("10.0.0.0/8"));
        assert!(parse_net("localhost").is_err());
        assert_eq!(parse_net("10.0.0.7").unwrap().to_string(), "10.0.0.7/32");
        assert_eq!(parse_net("fd00::/8").unwrap().to_string(), "fd00::/8");
    }
}
