//! Sends e-mail through the operator's mail server.
//!
//! This is the only connection that bypasses the guarded client. It may: host and port come from
//! the operator's configuration file, never from a user or a crawled page, and mail servers usually
//! run on the private networks that the guard refuses. A user's input becomes a recipient only, and
//! only if it is a single plain address.

use super::DeliveryOutcome;
use super::email_text;
use super::model::{AlertMessage, to_single_line};
use super::webhook::retry_or_give_up;
use jiff::Timestamp;
use lettre::message::header::{HeaderName, HeaderValue};
use lettre::message::{Mailbox, MultiPart};
use lettre::transport::smtp::authentication::Credentials;
use lettre::transport::smtp::client::{Certificate, CertificateStore, Tls, TlsParameters};
use lettre::transport::smtp::extension::ClientId;
use lettre::{Address, AsyncSmtpTransport, AsyncTransport as _, Tokio1Executor};
use serde::{Deserialize, Serialize};
use std::net::IpAddr;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

/// Environment variable with the password; takes precedence over the file.
pub const PASSWORD_VARIABLE: &str = "GEOTRAWL_SMTP_PASSWORD";

/// The operator's mail server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MailConfig {
    /// Host name or IP address of the server.
    pub host: String,
    /// Defaults to 587 for `starttls`, 465 for `tls` and 25 for `none`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub port: Option<u16>,
    #[serde(default)]
    pub security: MailSecurity,
    /// User name for logging in; the password comes from the environment or `password_file`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user: Option<String>,
    /// File that contains the password, unless the environment sets it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub password_file: Option<PathBuf>,
    /// Sender, e.g. `Geotrawl <geotrawl@example.org>`.
    pub from: String,
    /// Address for replies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reply_to: Option<String>,
    /// Timeout in seconds for one e-mail, from connecting to the server's final response.
    #[serde(default = "default_seconds")]
    pub timeout: u64,
}

const fn default_seconds() -> u64 {
    30
}

/// How the connection to the mail server is secured.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MailSecurity {
    /// Starts unencrypted and upgrades to TLS before anything is sent.
    #[default]
    Starttls,
    /// TLS from the start.
    Tls,
    /// No encryption: for a server on this machine or a trusted network. No password is sent.
    None,
}

/// Error in the mail settings.
#[derive(Debug, thiserror::Error)]
pub enum MailSetupError {
    #[error("'{0}' is not a valid sender address")]
    Sender(String),
    #[error("no password for the mail server: set {PASSWORD_VARIABLE} or password_file")]
    NoPassword,
    #[error("cannot read the password file {path}: {cause}")]
    PasswordFile { path: PathBuf, cause: std::io::Error },
    #[error("refusing to send a password unencrypted to {0}; use starttls or tls")]
    InTheClear(String),
    #[error("the host of the mail server is not set")]
    NoHost,
    #[error("cannot use the certificate file {path}: {cause}")]
    Certificates { path: PathBuf, cause: String },
    #[error("cannot set up TLS for the mail server: {0}")]
    Library(String),
}

/// Sends e-mails; cheap to clone.
#[derive(Clone)]
pub struct SmtpMailer {
    transport: AsyncSmtpTransport<Tokio1Executor>,
    from: Mailbox,
    reply_to: Option<Mailbox>,
    timeout: Duration,
}

impl SmtpMailer {
    /// Creates a mailer. `extra_roots` are trusted besides the public authorities, as by the
    /// client.
    pub fn new(config: &MailConfig, extra_roots: &[PathBuf]) -> Result<Self, MailSetupError> {
        Self::with_environment(config, extra_roots, |name| std::env::var(name).ok())
    }

    /// Like [`Self::new`], with an environment that tests can supply.
    pub fn with_environment(
        config: &MailConfig,
        extra_roots: &[PathBuf],
        environment: impl Fn(&str) -> Option<String>,
    ) -> Result<Self, MailSetupError> {
        let host = config.host.trim();
        if host.is_empty() {
            return Err(MailSetupError::NoHost);
        }
        let mailbox = |text: &String| {
            let parsed = text.parse::<Mailbox>().ok().filter(|_| !text.chars().any(char::is_control));
            parsed.ok_or_else(|| MailSetupError::Sender(text.clone()))
        };
        let from = mailbox(&config.from)?;
        let reply_to = config.reply_to.as_ref().map(mailbox).transpose()?;
        let timeout = Duration::from_secs(config.timeout.clamp(1, 600));
        let (tls, port) = match config.security {
            MailSecurity::Starttls => (Tls::Required(tls(host, extra_roots)?), 587),
            MailSecurity::Tls => (Tls::Wrapper(tls(host, extra_roots)?), 465),
            MailSecurity::None => (Tls::None, 25),
        };
        let mut builder = AsyncSmtpTransport::<Tokio1Executor>::builder_dangerous(host)
            .port(config.port.unwrap_or(port))
            .tls(tls)
            .timeout(Some(timeout))
            .hello_name(ClientId::Domain(from.email.domain().to_owned()));
        if let Some(user) = &config.user {
            if config.security == MailSecurity::None && !is_this_machine(host) {
                return Err(MailSetupError::InTheClear(host.to_owned()));
            }
            let password = password(config, environment)?;
            builder = builder.credentials(Credentials::new(user.clone(), password));
        }
        Ok(Self { transport: builder.build(), from, reply_to, timeout })
    }

    /// Makes one attempt to send a message.
    pub async fn send_message(
        &self,
        recipient: &str,
        message: &AlertMessage,
        now: Timestamp,
    ) -> DeliveryOutcome {
        let to = match parse_mail_address(recipient) {
            Ok(to) => to,
            Err(why) => return DeliveryOutcome::GivenUp { why },
        };
        let email = match self.write(to, message, now) {
            Ok(email) => email,
            Err(error) => {
                return DeliveryOutcome::GivenUp { why: format!("Cannot compose the e-mail ({error})") };
            }
        };
        // The library's own timeout applies to each step, so a server that dribbles could hold us
        // for hours.
        match tokio::time::timeout(self.timeout, self.transport.send(email)).await {
            Ok(Ok(_said)) => DeliveryOutcome::Delivered,
            Ok(Err(error)) => delivery_refused(message, &error),
            Err(_elapsed) => {
                let why = format!("The mail server did not finish within {} s", self.timeout.as_secs());
                retry_or_give_up(message, None, why)
            }
        }
    }

    /// Composes the e-mail with its headers.
    fn write(
        &self,
        to: Address,
        message: &AlertMessage,
        now: Timestamp,
    ) -> Result<lettre::Message, lettre::error::Error> {
        let id = format!("<{}@{}>", message_id_token(&message.delivery), self.from.email.domain());
        let mut builder = lettre::Message::builder()
            .from(self.from.clone())
            .to(Mailbox::new(None, to))
            .date(SystemTime::from(now))
            .subject(email_text::render_subject(message))
            .message_id(Some(id))
            .raw_header(ascii_header(HeaderName::new_from_ascii_str("Auto-Submitted"), "auto-generated"))
            .raw_header(ascii_header(
                HeaderName::new_from_ascii_str("X-Geotrawl-Delivery"),
                &message_id_token(&message.delivery),
            ));
        if let Some(reply_to) = &self.reply_to {
            builder = builder.reply_to(reply_to.clone());
        }
        if let Some(link) = message.settings_link() {
            let name = HeaderName::new_from_ascii_str("List-Unsubscribe");
            builder = builder.raw_header(ascii_header(name, &format!("<{link}>")));
        }
        builder.multipart(MultiPart::alternative_plain_html(
            email_text::render_text(message),
            email_text::render_html(message),
        ))
    }
}

/// Creates a header; values that are not printable ASCII are encoded.
fn ascii_header(name: HeaderName, value: &str) -> HeaderValue {
    HeaderValue::new(name, to_single_line(value, 900))
}

/// Replaces characters that are not allowed in a message id by `-`.
fn message_id_token(text: &str) -> String {
    let safe = |c: char| if c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.') { c } else { '-' };
    let token: String = text.chars().take(128).map(safe).collect();
    let token = token.trim_matches('.');
    if token.is_empty() { "-".into() } else { token.replace("..", ".-") }
}

/// Parses a single plain address such as `someone@example.org`.
pub fn parse_mail_address(text: &str) -> Result<Address, String> {
    let text = text.trim();
    let wrong = || "This is not an e-mail address".to_owned();
    if text.len() > 254 || text.chars().any(|c| c.is_control() || c.is_whitespace() || ",;<>\"".contains(c)) {
        return Err(wrong());
    }
    text.parse().map_err(|_error: lettre::address::AddressError| wrong())
}

/// Decides whether a rejection by the mail server is permanent.
fn delivery_refused(message: &AlertMessage, error: &lettre::transport::smtp::Error) -> DeliveryOutcome {
    let code = error.status().map(u16::from);
    let mut words = error.to_string();
    let mut cause = std::error::Error::source(error);
    while let Some(inner) = cause {
        // The library repeats nested causes.
        let inner_words = inner.to_string();
        if !words.contains(&inner_words) {
            words = format!("{words}: {inner_words}");
        }
        cause = inner.source();
    }
    let why = format!("The mail server rejected the message ({})", to_single_line(&words, 300));
    match code {
        // No such mailbox. Any other rejection may be a mistake in the settings that the operator
        // can fix.
        Some(550 | 551 | 553) => DeliveryOutcome::GivenUp { why },
        Some(_) => retry_or_give_up(message, None, why),
        None => retry_or_give_up(
            message,
            None,
            format!("Cannot send through the mail server ({})", to_single_line(&words, 300)),
        ),
    }
}

fn password(
    config: &MailConfig,
    environment: impl Fn(&str) -> Option<String>,
) -> Result<String, MailSetupError> {
    if let Some(password) = environment(PASSWORD_VARIABLE).filter(|password| !password.is_empty()) {
        return Ok(password);
    }
    let path = config.password_file.as_ref().ok_or(MailSetupError::NoPassword)?;
    let text = std::fs::read_to_string(path)
        .map_err(|cause| MailSetupError::PasswordFile { path: path.clone(), cause })?;
    let password = text.trim_end_matches(['\r', '\n']);
    if password.is_empty() { Err(MailSetupError::NoPassword) } else { Ok(password.to_owned()) }
}

fn is_this_machine(host: &str) -> bool {
    host == "localhost" || host.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

/// Builds TLS parameters that trust the same authorities as the client, and the operator's.
fn tls(host: &str, extra_roots: &[PathBuf]) -> Result<TlsParameters, MailSetupError> {
    let library = |error: lettre::transport::smtp::Error| MailSetupError::Library(error.to_string());
    let mut builder = TlsParameters::builder(host.to_owned()).certificate_store(CertificateStore::None);
    for root in webpki_root_certs::TLS_SERVER_ROOT_CERTS {
        builder = builder.add_root_certificate(Certificate::from_der(root.to_vec()).map_err(library)?);
    }
    for path in extra_roots {
        let unusable = |cause: String| MailSetupError::Certificates { path: path.clone(), cause };
        let pem = std::fs::read(path).map_err(|error| unusable(error.to_string()))?;
        let roots = Certificate::from_pem(&pem).map_err(|error| unusable(error.to_string()))?;
        builder = builder.add_root_certificate(roots);
    }
    builder.build().map_err(library)
}

#[cfg(test)]
mod tests;
