//! Telling people what happened to the services they watch: by webhook or by e-mail.
//!
//! News come in ([`model`]), what belongs together becomes one item ([`group`]: a host that died is one alert,
//! however many services it has), and the message goes out ([`deliver`]) as a signed POST ([`webhook`]) or as an
//! e-mail ([`mail`], written by [`letter`]). What has not arrived is tried again by [`retry_after`]; whoever keeps
//! the queue asks [`deliver::Outcome`] when.

pub mod deliver;
pub mod group;
pub mod letter;
pub mod mail;
pub mod model;
pub mod outbox;
pub mod webhook;

pub use deliver::{AlertDeliverer, DeliveryOutcome};
pub use group::{AlertItem, AlertTopic, GroupedNotices, GroupingRules, group_notices};
pub use mail::{MailConfig, MailSecurity, MailSetupError};
pub use model::{AlertMessage, AlertNotice, AlertSubscription, DeliveryChannel, NewsKind, NoticeCount};

pub use geotrawl_trust::alerts::retry_after;
