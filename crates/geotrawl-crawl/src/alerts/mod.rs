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

pub use deliver::{Deliverer, Outcome};
pub use group::{Grouped, Item, Rules, Topic, group};
pub use mail::{MailConfig, MailSetupError, Security};
pub use model::{Channel, Message, News, NewsKind, Subscription, Unlisted};

pub use geotrawl_trust::alerts::retry_after;
