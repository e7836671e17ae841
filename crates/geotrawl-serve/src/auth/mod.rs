//! Who is asking, and whether they may.
//!
//! [`gate`] runs before every handler: it finds out who asks, holds that against what the route declares
//! ([`needs`]) and refuses what other sites ask in a person's name.

pub mod cookies;
pub mod gate;
pub mod names;
pub mod needs;
pub mod oidc;
pub mod passwords;
pub mod peer;
pub mod secrets;
pub mod throttle;

pub use names::{check_email, check_name};
pub use passwords::{PasswordError, check_password, hash_password, verify};

use crate::limits::Limits;
use crate::settings::SettingsCache;
use crate::{App, Problem};
use geotrawl_model::account::{NewAuditEntry, User, UserRole, UserSession};
use std::net::IpAddr;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use tokio::sync::watch;

/// What is kept between requests: throttles of logins, the provider's keys, rates, settings in force.
#[derive(Default)]
pub struct Gate {
    pub(crate) throttle: throttle::Throttle,
    pub(crate) hashing: passwords::Hashing,
    pub(crate) limits: Limits,
    pub(crate) settings: SettingsCache,
    pub(crate) oidc: oidc::Provider,
    pub(crate) routes: OnceLock<needs::Routes>,
    pub(crate) document: OnceLock<bytes::Bytes>,
    pub(crate) started: OnceLock<jiff::Timestamp>,
    /// Held while admins are counted and changed, so that two who demote each other do not both succeed.
    people: Mutex<()>,
    stopping: Stopping,
}

impl Gate {
    /// Turns `true` when the server stops; streams of events end by themselves (see [`crate::server`]).
    pub fn stopping(&self) -> watch::Receiver<bool> {
        self.stopping.0.subscribe()
    }

    /// Says that the server stops.
    pub(crate) fn stop(&self) {
        self.stopping.0.send_replace(true);
    }

    /// Only one change of people at a time.
    pub(crate) fn people(&self) -> MutexGuard<'_, ()> {
        self.people.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

struct Stopping(watch::Sender<bool>);

impl Default for Stopping {
    fn default() -> Self {
        Self(watch::Sender::new(false))
    }
}

/// Who is asking. Put into the request's extensions before any handler runs, so handlers take it by
/// `Extension<Caller>`; routes have already been checked against what they declare (`x-needs`).
#[derive(Debug, Clone)]
pub struct Caller {
    /// `None`: a guest.
    pub user: Option<User>,
    /// Key of the session, when the caller came with a cookie.
    pub session: Option<[u8; 32]>,
    /// Scopes of the token, when the caller came with one.
    pub scopes: Option<Vec<String>>,
    pub address: Option<IpAddr>,
}

impl Caller {
    /// Whether it is an admin (with a token: one that may act as such).
    pub fn is_admin(&self) -> bool {
        self.user.as_ref().is_some_and(|user| user.role == UserRole::Admin)
            && self.scopes.as_ref().is_none_or(|scopes| scopes.iter().any(|scope| scope == "admin"))
    }

    /// Name for the audit log.
    pub fn name(&self) -> &str {
        self.user.as_ref().map_or("guest", |user| user.name.as_str())
    }

    /// The person; for handlers of routes that need one.
    pub fn person(&self) -> Result<&User, Problem> {
        self.user.as_ref().ok_or_else(|| Problem::unauthenticated("This is for people who are logged in."))
    }
}

/// The session of a caller who came with a cookie; beside [`Caller`] in the request's extensions.
#[derive(Debug, Clone, Default)]
pub struct OpenSession(pub Option<UserSession>);

/// Writes a line of the audit log: this caller did that to this. For work inside [`App::blocking`].
pub fn note(
    app: &App,
    caller: &Caller,
    action: &str,
    subject: &str,
    detail: serde_json::Value,
) -> Result<(), Problem> {
    let entry = NewAuditEntry {
        user: caller.user.as_ref().map(|user| user.id),
        who: caller.name().to_owned(),
        action: action.to_owned(),
        subject: subject.to_owned(),
        address: caller.address.map(|address| address.to_string()),
        detail,
    };
    Ok(app.store.add_audit_entry(&entry, app.now())?)
}
