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

use std::time::Duration;

/// Pauses after the first, second, ... failed attempt; then a delivery is given up.
pub const RETRIES: [Duration; 6] = [
    Duration::from_mins(1),
    Duration::from_mins(5),
    Duration::from_mins(30),
    Duration::from_hours(2),
    Duration::from_hours(6),
    Duration::from_hours(24),
];

/// How long to wait after so many failed attempts (the last one counted); `None`: give up.
pub fn retry_after(failures: u32) -> Option<Duration> {
    RETRIES.get(usize::try_from(failures).unwrap_or(usize::MAX).saturating_sub(1)).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_and_end() {
        let pauses: Vec<_> = (1..=7).map(retry_after).collect();
        let minutes = |pause: &Option<Duration>| pause.map(|pause| pause.as_secs() / 60);
        let minutes: Vec<_> = pauses.iter().map(minutes).collect();
        assert_eq!(minutes, [Some(1), Some(5), Some(30), Some(120), Some(360), Some(1440), None]);
        assert_eq!(retry_after(u32::MAX), None);
    }
}
