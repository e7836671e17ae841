//! Settings of the client, their defaults and the reasons for them.

use super::pin::AddressPin;
use ipnet::IpNet;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::time::Duration;

/// All settings of the client. Durations are in milliseconds, sizes in bytes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FetchConfig {
    /// Sent with every request. The first word up to `/` is the crawler's name in robots.txt. Must
    /// tell server owners where to complain.
    pub user_agent: String,
    pub timeouts: FetchTimeouts,
    pub limits: FetchLimits,
    pub politeness: PolitenessConfig,
    pub robots: RobotsConfig,
    /// Retries within one fetch if the connection breaks before a response (a stale keep-alive
    /// connection does not count). All other failures are retried by the frontier, which can wait
    /// longer.
    pub retries: u32,
    /// Most redirects followed by requests that follow redirects.
    pub max_redirects: usize,
    /// Concurrent requests over all hosts.
    pub concurrency: usize,
    /// How long idle connections are kept; longer than the usual
    /// crawl delay, so that they are reused.
    #[serde(with = "millis")]
    pub keep_alive: Duration,
    /// Host names (or `*`, `*.name`) with a fixed address; always allowed (`--resolve`).
    pub resolve: Vec<AddressPin>,
    /// Networks beyond the public internet that may be contacted (`--allow-net`).
    pub allow_nets: Vec<IpNet>,
    /// Ports of other protocols that may be contacted.
    pub allow_ports: Vec<u16>,
    /// PEM files with additional trusted certificate authorities (intranets).
    pub extra_roots: Vec<PathBuf>,
}

/// Time limits of the parts of a request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FetchTimeouts {
    #[serde(with = "millis")]
    pub dns: Duration,
    /// For all addresses of a host together.
    #[serde(with = "millis")]
    pub connect: Duration,
    #[serde(with = "millis")]
    pub tls: Duration,
    /// From the request to the first byte of the response;
    /// capabilities are often generated on the fly.
    #[serde(with = "millis")]
    pub first_byte: Duration,
    /// Between two pieces of the body.
    #[serde(with = "millis")]
    pub idle: Duration,
    /// The whole request with its redirects, without the wait for a slot.
    #[serde(with = "millis")]
    pub total: Duration,
    /// The longest time a request may ask for instead of `total`, for documents known to be long.
    #[serde(with = "millis")]
    pub longest: Duration,
}

/// Size limits of a response.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FetchLimits {
    /// All headers of one response together.
    pub header_bytes: usize,
    pub headers: usize,
    /// Bytes of a body on the wire, whatever the request allows.
    pub raw_bytes: u64,
    /// Bytes of a body after decompression, whatever the request allows.
    pub decoded_bytes: u64,
    /// A body that reaches `bomb_floor` and is this many times its compressed size is a
    /// decompression bomb. Real documents stay below 100.
    pub bomb_ratio: u64,
    pub bomb_floor: u64,
    pub url_bytes: usize,
}

/// Limits on the load put on other servers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PolitenessConfig {
    /// Crawl delay: from the end of a request to the start of the next one to the same host. Zero
    /// also disables the adaptive delay; `Crawl-delay` and `Retry-After` are still obeyed.
    #[serde(with = "millis")]
    pub delay: Duration,
    /// Concurrent requests per host. With more than one, `delay` is measured from start to start.
    pub per_host: usize,
    /// Crawl delay per IP address, which may serve many hosts. `per_ip` 0 means no limit.
    #[serde(with = "millis")]
    pub ip_delay: Duration,
    pub per_ip: usize,
    /// The crawl delay is at least this multiple of the server's recent response time ...
    pub adaptive_factor: f64,
    /// ... but not longer than this.
    #[serde(with = "millis")]
    pub adaptive_cap: Duration,
    /// The longest `Crawl-delay` that is obeyed.
    #[serde(with = "millis")]
    pub crawl_delay_cap: Duration,
    /// Wait after 429 or 503 without `Retry-After`, doubled each time ...
    #[serde(with = "millis")]
    pub backoff: Duration,
    /// ... up to this; also the longest `Retry-After` that is obeyed.
    #[serde(with = "millis")]
    pub backoff_cap: Duration,
    /// Requests to a host that is backing off for longer than this
    /// fail instead of waiting (class `resting`).
    #[serde(with = "millis")]
    pub patience: Duration,
}

/// How robots.txt is read and cached.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RobotsConfig {
    /// Bytes that are parsed; the rest is ignored (RFC 9309: at least 500 KiB).
    pub max_bytes: usize,
    /// Redirects followed (RFC 9309: at least five). After more redirects, no rules apply.
    pub max_redirects: usize,
    /// How long rules are cached (RFC 9309: at most 24 hours).
    #[serde(with = "millis")]
    pub ttl: Duration,
    /// Wait before an unreadable robots.txt is requested again, doubled each time up to `ttl`.
    #[serde(with = "millis")]
    pub retry: Duration,
    /// A robots.txt that has been unreadable for this long counts as absent (RFC 9309: 30 days).
    #[serde(with = "millis")]
    pub give_up: Duration,
    /// Number of hosts whose rules are kept in memory ...
    pub cache_size: usize,
    /// ... and the memory for all rules together.
    pub cache_bytes: usize,
}

impl Default for FetchConfig {
    fn default() -> Self {
        Self {
            user_agent: Self::user_agent_with_contact("https://geotrawl.example/bot"),
            timeouts: FetchTimeouts::default(),
            limits: FetchLimits::default(),
            politeness: PolitenessConfig::default(),
            robots: RobotsConfig::default(),
            retries: 1,
            max_redirects: 10,
            concurrency: 512,
            keep_alive: Duration::from_secs(15),
            resolve: Vec::new(),
            allow_nets: Vec::new(),
            allow_ports: Vec::new(),
            extra_roots: Vec::new(),
        }
    }
}

impl FetchConfig {
    /// Returns the default User-Agent with this contact URL.
    pub fn user_agent_with_contact(contact: &str) -> String {
        format!(
            "Geotrawl/{}.{} (+{contact})",
            env!("CARGO_PKG_VERSION_MAJOR"),
            env!("CARGO_PKG_VERSION_MINOR")
        )
    }

    /// Sets the crawl delay per host and per IP address (`--delay`).
    pub fn set_delay(&mut self, delay: Duration) {
        self.politeness.delay = delay;
        self.politeness.ip_delay = delay;
    }

    /// Returns the crawler's name in robots.txt: the User-Agent up to the first character that is
    /// not allowed in one.
    pub fn robots_token(&self) -> &str {
        let end = self.user_agent.find(|c: char| !(c.is_ascii_alphabetic() || c == '-' || c == '_'));
        &self.user_agent[..end.unwrap_or(self.user_agent.len())]
    }
}

impl Default for FetchTimeouts {
    fn default() -> Self {
        Self {
            dns: Duration::from_secs(5),
            connect: Duration::from_secs(10),
            tls: Duration::from_secs(10),
            first_byte: Duration::from_secs(30),
            idle: Duration::from_secs(20),
            total: Duration::from_mins(1),
            longest: Duration::from_mins(3),
        }
    }
}

impl Default for FetchLimits {
    fn default() -> Self {
        Self {
            header_bytes: 64 * 1024,
            headers: 100,
            raw_bytes: 256 << 20,
            decoded_bytes: 512 << 20,
            bomb_ratio: 200,
            bomb_floor: 4 << 20,
            url_bytes: 16 * 1024,
        }
    }
}

impl Default for PolitenessConfig {
    fn default() -> Self {
        Self {
            delay: Duration::from_secs(1),
            per_host: 1,
            ip_delay: Duration::from_secs(1),
            per_ip: 1,
            adaptive_factor: 2.0,
            adaptive_cap: Duration::from_secs(30),
            crawl_delay_cap: Duration::from_mins(1),
            backoff: Duration::from_mins(1),
            backoff_cap: Duration::from_hours(1),
            patience: Duration::from_mins(2),
        }
    }
}

impl Default for RobotsConfig {
    fn default() -> Self {
        Self {
            max_bytes: 500 * 1024,
            max_redirects: 5,
            ttl: Duration::from_hours(24),
            retry: Duration::from_mins(5),
            give_up: Duration::from_hours(30 * 24),
            cache_size: 100_000,
            cache_bytes: 64 << 20,
        }
    }
}

/// Durations as whole milliseconds, the unit of `--delay`.
mod millis {
    use serde::{Deserialize, Deserializer, Serializer};
    use std::time::Duration;

    pub fn serialize<S: Serializer>(value: &Duration, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_u64(u64::try_from(value.as_millis()).unwrap_or(u64::MAX))
    }

    /// Larger values mean "forever" and would overflow clocks.
    const LONGEST: Duration = Duration::from_hours(24 * 3650);

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Duration, D::Error> {
        u64::deserialize(from).map(|millis| Duration::from_millis(millis).min(LONGEST))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_configuration_survives_json_and_refuses_typos() {
        let config = FetchConfig {
            resolve: vec!["*.test=127.0.0.1:80".parse().unwrap()],
            allow_nets: vec!["10.0.0.0/8".parse().unwrap()],
            ..FetchConfig::default()
        };
        let text = serde_json::to_string(&config).unwrap();
        assert_eq!(serde_json::from_str::<FetchConfig>(&text).unwrap(), config);
        assert!(serde_json::from_str::<FetchConfig>(r#"{"retrys": 3}"#).is_err());
        let partial: FetchConfig = serde_json::from_str(r#"{"politeness":{"delay":250}}"#).unwrap();
        assert_eq!(partial.politeness.delay, Duration::from_millis(250));
        assert_eq!(partial.politeness.per_host, 1);
    }

    #[test]
    fn the_user_agent_names_product_version_and_contact() {
        let config = FetchConfig::default();
        assert!(config.user_agent.starts_with("Geotrawl/0.1 (+https://"));
        assert_eq!(config.robots_token(), "Geotrawl");
    }
}
