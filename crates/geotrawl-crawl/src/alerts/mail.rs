//! E-mail, through the operator's own mail server.
//!
//! This is the one connection that does not pass the guarded client, and may not have to: the server's name and
//! port stand in the operator's configuration file, never in anything that a user or a stranger wrote, and mail
//! servers mostly live on the private networks which the guard refuses. A user's word becomes a recipient only, and
//! only if it is one plain address.

use super::DeliveryOutcome;
use super::letter;
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

/// Environment variable with the password; it goes before the file.
pub const PASSWORD_VARIABLE: &str = "GEOTRAWL_SMTP_PASSWORD";

/// The operator's mail server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MailConfig {
    /// Name or address of the server.
    pub host: String,
    /// Without: 587 for `starttls`, 465 for `tls`, 25 for `none`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub port: Option<u16>,
    #[serde(default)]
    pub security: MailSecurity,
    /// Logs in with this name; the password comes from the environment or `password_file`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user: Option<String>,
    /// File that holds the password, unless the environment has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub password_file: Option<PathBuf>,
    /// Sender, e.g. `Geotrawl <geotrawl@example.org>`.
    pub from: String,
    /// Whom people reach when they answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reply_to: Option<String>,
    /// Seconds for one e-mail, from connecting to the server's last word.
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
    /// Begins in the clear and must be secured before anything is said.
    #[default]
    Starttls,
    /// Secured from the beginning.
    Tls,
    /// Not at all: for a server on this machine or a trusted network. No password is sent.
    None,
}

/// Settings with which no e-mail can be sent.
#[derive(Debug, thiserror::Error)]
pub enum MailSetupError {
    #[error("'{0}' cannot be the sender of e-mails")]
    Sender(String),
    #[error("no password for the mail server: set {PASSWORD_VARIABLE} or password_file")]
    NoPassword,
    #[error("the password file {path} cannot be read: {cause}")]
    PasswordFile { path: PathBuf, cause: std::io::Error },
    #[error("a password is not sent in the clear to {0}: use starttls or tls")]
    InTheClear(String),
    #[error("the mail server has no name")]
    NoHost,
    #[error("the certificate file {path} cannot be used: {cause}")]
    Certificates { path: PathBuf, cause: String },
    #[error("the TLS library refused its settings: {0}")]
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
    /// With the operator's settings; `extra_roots` are trusted besides the public authorities, as for the client.
    pub fn new(config: &MailConfig, extra_roots: &[PathBuf]) -> Result<Self, MailSetupError> {
        Self::with_environment(config, extra_roots, |name| std::env::var(name).ok())
    }

    /// The same, with an environment that tests can make up.
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

    /// Sends a message once.
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
                return DeliveryOutcome::GivenUp { why: format!("The e-mail cannot be written ({error})") };
            }
        };
        // The library's own limit is for each step; a server that dribbles would hold us for hours.
        match tokio::time::timeout(self.timeout, self.transport.send(email)).await {
            Ok(Ok(_said)) => DeliveryOutcome::Delivered,
            Ok(Err(error)) => delivery_refused(message, &error),
            Err(_elapsed) => {
                let why = format!("The mail server did not finish within {} s", self.timeout.as_secs());
                retry_or_give_up(message, None, why)
            }
        }
    }

    /// The e-mail with its headers.
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
            .subject(letter::render_subject(message))
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
            letter::render_text(message),
            letter::render_html(message),
        ))
    }
}

/// A header whose value is printable ASCII, as it is; whatever else is encoded.
fn ascii_header(name: HeaderName, value: &str) -> HeaderValue {
    HeaderValue::new(name, to_single_line(value, 900))
}

/// What may stand in a message id: the rest becomes `-`.
fn message_id_token(text: &str) -> String {
    let safe = |c: char| if c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.') { c } else { '-' };
    let token: String = text.chars().take(128).map(safe).collect();
    let token = token.trim_matches('.');
    if token.is_empty() { "-".into() } else { token.replace("..", ".-") }
}

/// One plain address, as `someone@example.org`.
pub fn parse_mail_address(text: &str) -> Result<Address, String> {
    let text = text.trim();
    let wrong = || "This is no e-mail address".to_owned();
    if text.len() > 254 || text.chars().any(|c| c.is_control() || c.is_whitespace() || ",;<>\"".contains(c)) {
        return Err(wrong());
    }
    text.parse().map_err(|_error: lettre::address::AddressError| wrong())
}

/// What a refusal of the mail server means.
fn delivery_refused(message: &AlertMessage, error: &lettre::transport::smtp::Error) -> DeliveryOutcome {
    let code = error.status().map(u16::from);
    let mut words = error.to_string();
    let mut cause = std::error::Error::source(error);
    while let Some(inner) = cause {
        // The library repeats its causes.
        let inner_words = inner.to_string();
        if !words.contains(&inner_words) {
            words = format!("{words}: {inner_words}");
        }
        cause = inner.source();
    }
    let why = format!("The mail server refused it ({})", to_single_line(&words, 300));
    match code {
        // There is no such mailbox. All else may be the operator's mistake, and be mended.
        Some(550 | 551 | 553) => DeliveryOutcome::GivenUp { why },
        Some(_) => retry_or_give_up(message, None, why),
        None => retry_or_give_up(
            message,
            None,
            format!("The mail server cannot be used ({})", to_single_line(&words, 300)),
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

/// The same authorities as the client trusts, and the operator's.
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
