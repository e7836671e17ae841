//! Parses store URLs:
//! `postgres://user@host:5432/database?schema=NAME&sslmode=verify-full&loan=120`.

use std::path::PathBuf;
use std::time::Duration;
use tokio_postgres::Config;
use tokio_postgres::config::SslMode;
use url::Url;

/// Default schema.
const SCHEMA: &str = "geotrawl";
/// Maximum length of a PostgreSQL name.
const LONGEST_NAME: usize = 63;
/// Timeout for connecting.
const CONNECT: Duration = Duration::from_secs(10);
/// Idle time before TCP keepalive probes start, their interval and number.
const PROBE_AFTER: Duration = Duration::from_secs(10);
const PROBE_EVERY: Duration = Duration::from_secs(3);
const PROBES: u32 = 3;
/// A connection is dropped when sent data is not acknowledged for this long.
const UNHEARD: Duration = Duration::from_secs(15);
/// Longest host lease, in seconds.
const LONGEST_LOAN: u64 = 3_600;

/// How strictly the server's certificate is checked, following libpq's `sslmode`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CertificateCheck {
    /// No check: unencrypted with `disable` (or with `prefer` if the server has no TLS), otherwise
    /// encrypted.
    Anyone,
    /// `verify-ca`: the certificate must come from a trusted authority, for any name.
    Authority,
    /// `verify-full`: the certificate must come from a trusted authority and match the host.
    Name,
}

/// A parsed store URL.
#[derive(Debug, Clone)]
pub(crate) struct DatabaseLocation {
    pub config: Config,
    pub schema: String,
    pub trust: CertificateCheck,
    /// File with certificates of authorities that replaces the built-in ones.
    pub authorities: Option<PathBuf>,
    /// Duration of host leases; `None` for the default.
    pub loan: Option<Duration>,
    /// The URL without its password, for messages.
    pub shown: String,
}

impl DatabaseLocation {
    /// Parses a URL. The error is a sentence.
    pub fn parse(address: &str) -> std::result::Result<Self, String> {
        let mut url = Url::parse(address).map_err(|error| format!("not a valid URL: {error}"))?;
        if !matches!(url.scheme(), "postgres" | "postgresql") {
            return Err("the URL must begin with postgres://".to_owned());
        }
        let mut schema = SCHEMA.to_owned();
        let (mut trust, mut mode) = (CertificateCheck::Anyone, None);
        let (mut authorities, mut loan) = (None, None);
        let mut rest: Vec<(String, String)> = Vec::new();
        for (key, value) in url.query_pairs() {
            match key.as_ref() {
                "schema" => schema = value.into_owned(),
                "loan" => {
                    let seconds = value.parse().ok().filter(|seconds| (1..=LONGEST_LOAN).contains(seconds));
                    let seconds = seconds.ok_or_else(|| {
                        format!("invalid loan={value}: expected a number of seconds, at most {LONGEST_LOAN}")
                    })?;
                    loan = Some(Duration::from_secs(seconds));
                }
                "sslrootcert" => authorities = Some(PathBuf::from(value.into_owned())),
                "sslmode" => {
                    (mode, trust) = match value.as_ref() {
                        "disable" => (Some(SslMode::Disable), CertificateCheck::Anyone),
                        "allow" | "prefer" => (Some(SslMode::Prefer), CertificateCheck::Anyone),
                        "require" => (Some(SslMode::Require), CertificateCheck::Anyone),
                        "verify-ca" => (Some(SslMode::Require), CertificateCheck::Authority),
                        "verify-full" => (Some(SslMode::Require), CertificateCheck::Name),
                        other => {
                            return Err(format!(
                                "invalid sslmode={other}: expected disable, prefer, require, verify-ca or verify-full"
                            ));
                        }
                    }
                }
                _ => rest.push((key.into_owned(), value.into_owned())),
            }
        }
        let named = schema.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && schema.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        if !named || schema.len() > LONGEST_NAME || schema.starts_with("pg_") {
            return Err(format!("schema {schema:?} is not a plain name (letters, digits, _)"));
        }
        url.set_query(None);
        if !rest.is_empty() {
            url.query_pairs_mut().extend_pairs(&rest);
        }
        // The driver's parser decodes percent-encoding but does not read "+" as a space.
        let plain = url.as_str().replace('+', "%20");
        let mut config: Config = plain.parse().map_err(|error| explained(&error))?;
        if let Some(mode) = mode {
            config.ssl_mode(mode);
        }
        if config.get_application_name().is_none() {
            config.application_name("geotrawl");
        }
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(CONNECT);
        }
        config.keepalives(true).keepalives_idle(PROBE_AFTER).keepalives_interval(PROBE_EVERY);
        config.keepalives_retries(PROBES).tcp_user_timeout(UNHEARD);
        Ok(Self { config, schema, trust, authorities, loan, shown: redact_url(address) })
    }
}

fn explained(error: &tokio_postgres::Error) -> String {
    match std::error::Error::source(error) {
        Some(cause) => format!("{error}: {cause}"),
        None => error.to_string(),
    }
}

/// Returns a URL without its secrets.
pub(crate) fn redact_url(address: &str) -> String {
    let Ok(mut url) = Url::parse(address) else { return "postgres://…".to_owned() };
    if url.password().is_some() && url.set_password(Some("***")).is_err() {
        return "postgres://…".to_owned();
    }
    let kept: Vec<(String, String)> =
        url.query_pairs().into_owned().filter(|(key, _)| key != "password").collect();
    url.set_query(None);
    if !kept.is_empty() {
        url.query_pairs_mut().extend_pairs(&kept);
    }
    url.into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio_postgres::config::Host;

    #[test]
    fn an_address_is_taken_apart() {
        let here = DatabaseLocation::parse(
            "postgres://me:secret@db.example:5433/maps?schema=mine&sslmode=verify-full&loan=9",
        )
        .unwrap();
        assert_eq!((here.schema.as_str(), here.trust), ("mine", CertificateCheck::Name));
        assert_eq!(here.loan, Some(Duration::from_secs(9)));
        assert_eq!(here.config.get_hosts(), [Host::Tcp("db.example".to_owned())]);
        assert_eq!(here.config.get_ports(), [5433]);
        assert_eq!(here.config.get_dbname(), Some("maps"));
        assert_eq!(here.config.get_ssl_mode(), SslMode::Require);
        assert_eq!(here.config.get_password(), Some(b"secret".as_slice()));
        assert!(!here.shown.contains("secret"));
        assert!(here.shown.contains("schema=mine"));
    }

    #[test]
    fn what_is_not_said_is_usual() {
        let here = DatabaseLocation::parse("postgresql://localhost/geo").unwrap();
        assert_eq!((here.schema.as_str(), here.trust), ("geotrawl", CertificateCheck::Anyone));
        assert_eq!((here.config.get_ssl_mode(), here.loan), (SslMode::Prefer, None));
        assert_eq!(here.config.get_application_name(), Some("geotrawl"));
    }

    #[test]
    fn a_socket_can_be_named() {
        let here = DatabaseLocation::parse("postgres:///geo?host=/run/postgresql&user=a&port=5499").unwrap();
        assert_eq!(here.config.get_hosts(), [Host::Unix("/run/postgresql".into())]);
        assert_eq!(here.config.get_ports(), [5499]);
    }

    #[test]
    fn what_is_wrong_is_told_without_secrets() {
        for (address, about) in [
            ("http://x/", "postgres://"),
            ("nothing", "URL"),
            ("postgres://h/d?schema=a%20b", "plain name"),
            ("postgres://h/d?schema=pg_x", "plain name"),
            ("postgres://h/d?schema=", "plain name"),
            ("postgres://h/d?sslmode=maybe", "sslmode"),
            ("postgres://h/d?loan=0", "seconds"),
            ("postgres://h/d?loan=long", "seconds"),
            ("postgres://h/d?nonsense=1", "nonsense"),
        ] {
            let said = DatabaseLocation::parse(address).unwrap_err();
            assert!(said.contains(about), "{address}: {said}");
        }
        assert_eq!(redact_url("postgres://a:b@h/d?password=c"), "postgres://a:***@h/d");
    }
}
