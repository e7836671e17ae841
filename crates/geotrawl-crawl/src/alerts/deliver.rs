//! One attempt to deliver one message. The queue, its leases and its clock are the store's business.

use super::mail::{MailConfig, MailSetupError, SmtpMailer};
use super::model::{AlertMessage, AlertSubscription, DeliveryChannel};
use super::webhook;
use crate::fetch::GuardedClient;
use jiff::Timestamp;
use std::sync::Arc;
use std::time::Duration;
use url::Url;

/// What came of an attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DeliveryOutcome {
    Delivered,
    /// To be tried again after this.
    Retry {
        after: Duration,
        why: String,
    },
    /// Not to be tried again.
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
    /// Webhooks go through `client`, whose address policy holds for them; e-mails through the operator's server,
    /// when there is one. `base_url` is the application's address, for links.
    pub fn new(
        client: GuardedClient,
        mail: Option<&MailConfig>,
        base_url: Option<Url>,
    ) -> Result<Self, MailSetupError> {
        let mailer = mail.map(|mail| SmtpMailer::new(mail, &client.config().extra_roots)).transpose()?;
        Ok(Self { client, mailer, base_url, clock: Arc::new(Timestamp::now) })
    }

    /// Tells the time in another way.
    #[must_use]
    pub fn with_clock(mut self, clock: Arc<dyn Fn() -> Timestamp + Send + Sync>) -> Self {
        self.clock = clock;
        self
    }

    /// Address of the application, for [`Message::base_url`].
    pub fn base_url(&self) -> Option<&Url> {
        self.base_url.as_ref()
    }

    /// Tries once. Whatever happens is in the answer, and it comes within a minute or the mail server's timeout.
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
