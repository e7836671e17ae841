//! Alerts, and the deliveries that are on their way.

use crate::account::UserId;
use crate::notice::{Notice, NoticeKind};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// Maximum number of alerts per user.
pub const MOST_ALERTS: u32 = 50;

/// How an alert is delivered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum Channel {
    Webhook,
    Email,
}

/// How often an alert is delivered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum Frequency {
    /// Within minutes, so that related changes arrive in one message.
    Immediate,
    /// Once a day, after midnight (UTC).
    Daily,
    /// On Mondays, after midnight (UTC).
    Weekly,
}

/// An alert to add.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewAlert {
    pub name: String,
    pub channel: Channel,
    /// Address of the webhook or mailbox.
    pub target: String,
    /// Key that signs webhooks.
    pub secret: Option<String>,
    /// Kinds of changes to report; empty for all kinds.
    pub kinds: Vec<NoticeKind>,
    /// Host names. If `records` is empty as well, the alert covers everything.
    pub hosts: Vec<String>,
    /// Public ids of records.
    pub records: Vec<String>,
    pub frequency: Frequency,
    pub active: bool,
}

/// An alert.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Alert {
    pub number: i64,
    #[serde(skip)]
    pub user: UserId,
    pub name: String,
    pub channel: Channel,
    pub target: String,
    /// Never shown.
    #[serde(skip)]
    pub secret: Option<String>,
    pub kinds: Vec<NoticeKind>,
    pub hosts: Vec<String>,
    pub records: Vec<String>,
    pub frequency: Frequency,
    pub active: bool,
    pub created: Timestamp,
    pub last_delivery: Option<Timestamp>,
    pub last_error: Option<String>,
}

/// Changes to an alert; fields that are `None` stay unchanged.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AlertChange {
    pub name: Option<String>,
    pub channel: Option<Channel>,
    pub target: Option<String>,
    pub secret: Option<Option<String>>,
    pub kinds: Option<Vec<NoticeKind>>,
    pub hosts: Option<Vec<String>>,
    pub records: Option<Vec<String>>,
    pub frequency: Option<Frequency>,
    pub active: Option<bool>,
}

/// A message that waits to be delivered.
#[derive(Debug, Clone, PartialEq)]
pub struct AlertDelivery {
    pub number: i64,
    pub alert: Alert,
    /// Failed attempts so far.
    pub attempts: u32,
    pub created: Timestamp,
    /// Contents: one entry per host and kind of change.
    pub groups: Vec<NoticeGroup>,
}

/// Changes of one kind on one host.
#[derive(Debug, Clone, PartialEq)]
pub struct NoticeGroup {
    pub host: String,
    pub kind: NoticeKind,
    /// Total number of changes in the group.
    pub count: u64,
    /// The first few of them.
    pub notices: Vec<Notice>,
}
