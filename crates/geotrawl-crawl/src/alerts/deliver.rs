//! One attempt to deliver one message. Queue, leases and retries belong to the store.

use super::mail::{MailConfig, MailSetupError, SmtpMailer};
use super::model::{AlertMessage, AlertSubscription, DeliveryChannel};
use super::webhook;
use crate::fetch::GuardedClient;
use jiff::Timestamp;
use std::sync::Arc;
use std::time::Duration;
use url::Url;

/// Result of a delivery attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DeliveryOutcome {
    Delivered,
    /// Retry after this time.
    Retry {
        after: Duration,
        why: String,
    },
    /// Do not retry.
    GivenUp {
        why: String,
    },
}

/// Delivers messages; cheap to clone.
#[derive(Clone)]
pub struct AlertDeliverer {
    client: GuardedClient,
    mailer: Option<SmtpMailer>,
    base_url: Option<Url>,
    clock: Arc<dyn Fn() -> Timestamp + Send + Sync>,
}

impl AlertDeliverer {
    /// Creates a deliverer. Webhooks are sent through `client` and obey its address policy; e-mails
    /// are sent through the operator's mail server, if one is configured. `base_url` is the
    /// application's URL, for links.
    pub fn new(
        client: GuardedClient,
        mail: Option<&MailConfig>,
        base_url: Option<Url>,
    ) -> Result<Self, MailSetupError> {
        let mailer = mail.map(|mail| SmtpMailer::new(mail, &client.config().extra_roots)).transpose()?;
        Ok(Self { client, mailer, base_url, clock: Arc::new(Timestamp::now) })
    }

    /// Replaces the clock.
    #[must_use]
    pub fn with_clock(mut self, clock: Arc<dyn Fn() -> Timestamp + Send + Sync>) -> Self {
        self.clock = clock;
        self
    }

    /// Returns the URL of the application, for [`AlertMessage::base_url`].
    pub fn base_url(&self) -> Option<&Url> {
        self.base_url.as_ref()
    }

    /// Makes one attempt. Returns within a minute or the mail server's timeout; failures are part
    /// of the outcome.
    pub async fn deliver(&self, subscription: &AlertSubscription, message: &AlertMessage) -> DeliveryOutcome {
        let now = (self.clock)();
        let outcome = match &subscription.channel {
            DeliveryChannel::Webhook { url, secret } => {
                webhook::send_webhook(&self.client, url, secret.as_deref(), message, now).await
            }
            DeliveryChannel::Email { address } => match &self.mailer {
                Some(mailer) => mailer.send_message(address, message, now).await,
                None => DeliveryOutcome::GivenUp { why: "This server is not set up to send e-mails".into() },
            },
        };
        if let DeliveryOutcome::Retry { why, .. } | DeliveryOutcome::GivenUp { why } = &outcome {
            tracing::warn!(alert = subscription.number, delivery = %message.delivery, "not delivered: {why}");
        }
        outcome
    }
}

#[cfg(test)]
mod tests;
