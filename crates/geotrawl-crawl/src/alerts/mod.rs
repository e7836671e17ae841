//! Alerts: tells people by webhook or e-mail what happened to the services they watch.
//!
//! Notices come in ([`model`]) and are grouped ([`group`]: a dead host is one alert, however many
//! services it has). The message is sent ([`deliver`]) as a signed POST request ([`webhook`]) or as
//! an e-mail ([`mail`], rendered by [`email_text`]). Failed deliveries are retried after
//! [`retry_after`]; [`DeliveryOutcome`] tells the owner of the queue when.

pub mod deliver;
pub mod email_text;
pub mod group;
pub mod mail;
pub mod model;
pub mod outbox;
pub mod webhook;

pub use deliver::{AlertDeliverer, DeliveryOutcome};
pub use group::{AlertItem, AlertTopic, GroupedNotices, GroupingRules, group_notices};
pub use mail::{MailConfig, MailSecurity, MailSetupError};
pub use model::{AlertMessage, AlertNotice, AlertSubscription, DeliveryChannel, NewsKind, NoticeCount};

pub use geotrawl_trust::alerts::retry_after;
