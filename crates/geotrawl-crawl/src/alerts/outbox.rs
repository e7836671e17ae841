//! Delivers queued messages and records the results in the store.

use super::deliver::{AlertDeliverer, DeliveryOutcome};
use super::group::{GroupedNotices, GroupingRules, group_notices};
use super::model::{AlertMessage, AlertNotice, AlertSubscription, DeliveryChannel, NoticeCount};
use geotrawl_model::alert::{self, Alert, AlertDelivery, Frequency};
use geotrawl_model::notice::Notice;
use geotrawl_model::store::MonitoringStore;
use jiff::{SignedDuration, Timestamp};
use std::sync::Arc;
use url::Url;

/// Maximum number of concurrent deliveries.
const AT_ONCE: usize = 16;
/// Lease of a delivery. When it expires, the process is considered dead and the delivery is
/// retried.
const LEASE: SignedDuration = SignedDuration::from_mins(5);

/// Delivers queued messages.
#[derive(Clone)]
pub struct AlertOutbox {
    store: Arc<dyn MonitoringStore>,
    deliverer: AlertDeliverer,
}

impl AlertOutbox {
    /// Creates an outbox over this store.
    pub fn new(store: Arc<dyn MonitoringStore>, deliverer: AlertDeliverer) -> Self {
        Self { store, deliverer }
    }

    /// Delivers all due messages; returns how many arrived.
    pub async fn deliver_due(&self, now: Timestamp) -> geotrawl_model::store::Result<u64> {
        let mut arrived = 0;
        loop {
            let due = self.store.due_deliveries(now, now + LEASE, AT_ONCE)?;
            if due.is_empty() {
                return Ok(arrived);
            }
            let mut attempts = tokio::task::JoinSet::new();
            for delivery in due {
                let deliverer = self.deliverer.clone();
                attempts.spawn(async move {
                    let message = message(&delivery, deliverer.base_url().cloned());
                    let outcome = deliverer.deliver(&subscription(&delivery.alert), &message).await;
                    (delivery.number, outcome)
                });
            }
            while let Some(done) = attempts.join_next().await {
                // A task that panicked keeps its lease, and the delivery is retried once that
                // expires.
                let Ok((number, outcome)) = done else { continue };
                match outcome {
                    DeliveryOutcome::Delivered => {
                        self.store.mark_delivered(number, now)?;
                        arrived += 1;
                    }
                    DeliveryOutcome::Retry { why, after } => {
                        let not_before = SignedDuration::try_from(after).ok().map(|after| now + after);
                        self.store.record_delivery_failure(number, &why, not_before, now)?;
                    }
                    DeliveryOutcome::GivenUp { why } => self.store.abandon_delivery(number, &why)?,
                }
            }
        }
    }
}

/// Sends a test message of an alert; the error is the reason why it did not arrive.
pub async fn send_test_message(
    deliverer: &AlertDeliverer,
    alert: &Alert,
    now: Timestamp,
) -> Result<(), String> {
    let message = AlertMessage {
        delivery: format!("test-{}-{}", alert.number, now.as_microsecond()),
        number: alert.number,
        subscription: alert.name.clone(),
        at: now,
        base_url: deliverer.base_url().cloned(),
        failures: 0,
        test: true,
        grouped: GroupedNotices::default(),
    };
    match deliverer.deliver(&subscription(alert), &message).await {
        DeliveryOutcome::Delivered => Ok(()),
        DeliveryOutcome::Retry { why, .. } | DeliveryOutcome::GivenUp { why } => Err(why),
    }
}

fn subscription(alert: &Alert) -> AlertSubscription {
    let channel = match alert.channel {
        alert::Channel::Webhook => {
            DeliveryChannel::Webhook { url: alert.target.clone(), secret: alert.secret.clone() }
        }
        alert::Channel::Email => DeliveryChannel::Email { address: alert.target.clone() },
    };
    AlertSubscription { number: alert.number, name: alert.name.clone(), channel }
}

fn message(delivery: &AlertDelivery, base_url: Option<Url>) -> AlertMessage {
    let rules = match delivery.alert.frequency {
        Frequency::Immediate => GroupingRules::IMMEDIATE,
        Frequency::Daily => GroupingRules::DAILY,
        Frequency::Weekly => GroupingRules::WEEKLY,
    };
    let news: Vec<AlertNotice> =
        delivery.groups.iter().flat_map(|group| &group.notices).map(to_alert_notice).collect();
    // The queue carries the first notices of each group; the rest is only counted.
    let unlisted: Vec<NoticeCount> = delivery
        .groups
        .iter()
        .filter_map(|group| {
            let count = group.count.checked_sub(group.notices.len() as u64).filter(|count| *count > 0)?;
            let at = group.notices.first().map_or(delivery.created, |notice| notice.at);
            Some(NoticeCount { host: group.host.clone(), kind: group.kind, count, at })
        })
        .collect();
    AlertMessage {
        // Unique across installations, and the same at every attempt.
        delivery: format!("{}-{}", delivery.created.as_microsecond(), delivery.number),
        number: delivery.alert.number,
        subscription: delivery.alert.name.clone(),
        at: delivery.created,
        base_url,
        failures: delivery.attempts,
        test: false,
        grouped: group_notices(&news, &unlisted, &rules),
    }
}

fn to_alert_notice(notice: &Notice) -> AlertNotice {
    AlertNotice {
        seq: notice.seq,
        at: notice.at,
        kind: notice.kind,
        id: notice.id.clone(),
        title: notice.title.clone(),
        host: notice.host.clone(),
        record_kind: notice.record_kind.clone(),
        url: notice.url.clone(),
        reason: notice.reason.clone(),
    }
}
