//! Who wants to be told what, and what is on its way to them.

use crate::account::UserId;
use crate::notice::{Notice, NoticeKind};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// Alerts of one person at most.
pub const MOST_ALERTS: u32 = 50;

/// How a person is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum Channel {
    Webhook,
    Email,
}

/// How often.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum Frequency {
    /// Within minutes, so that what belongs together comes together.
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
    /// Signs webhooks.
    pub secret: Option<String>,
    /// Empty for all kinds.
    pub kinds: Vec<NoticeKind>,
    /// Names of hosts; with `records` empty too: everything.
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

/// Changes to an alert; `None` leaves a thing as it is.
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

/// One message on its way.
#[derive(Debug, Clone, PartialEq)]
pub struct AlertDelivery {
    pub number: i64,
    pub alert: Alert,
    /// Attempts that failed.
    pub attempts: u32,
    pub created: Timestamp,
    /// What it tells: one entry per host and kind of news.
    pub groups: Vec<NoticeGroup>,
}

/// News of one kind from one host.
#[derive(Debug, Clone, PartialEq)]
pub struct NoticeGroup {
    pub host: String,
    pub kind: NoticeKind,
    /// How many there are.
    pub count: u64,
    /// The first of them.
    pub notices: Vec<Notice>,
}
