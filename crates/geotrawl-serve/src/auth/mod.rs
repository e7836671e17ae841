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
pub use passwords::{PasswordError, check_password, hash_password, verify_password};

use crate::limits::CallerLimits;
use crate::settings::SettingsCache;
use crate::{App, Problem};
use geotrawl_model::account::{NewAuditEntry, User, UserRole, UserSession};
use std::net::IpAddr;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use tokio::sync::watch;

/// What is kept between requests: throttles of logins, the provider's keys, rates, settings in force.
#[derive(Default)]
pub struct AuthState {
    pub(crate) throttle: throttle::LoginThrottle,
    pub(crate) hashing: passwords::HashingQueue,
    pub(crate) limits: CallerLimits,
    pub(crate) settings: SettingsCache,
    pub(crate) oidc: oidc::OidcProvider,
    pub(crate) routes: OnceLock<needs::RouteRequirements>,
    pub(crate) document: OnceLock<bytes::Bytes>,
    pub(crate) started: OnceLock<jiff::Timestamp>,
    /// Held while admins are counted and changed, so that two who demote each other do not both succeed.
    people: Mutex<()>,
    stopping: ShutdownSender,
}

impl AuthState {
    /// Turns `true` when the server stops; streams of events end by themselves (see [`crate::server`]).
    pub fn subscribe_shutdown(&self) -> watch::Receiver<bool> {
        self.stopping.0.subscribe()
    }

    /// Says that the server stops.
    pub(crate) fn signal_shutdown(&self) {
        self.stopping.0.send_replace(true);
    }

    /// Only one change of people at a time.
    pub(crate) fn lock_accounts(&self) -> MutexGuard<'_, ()> {
        self.people.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

struct ShutdownSender(watch::Sender<bool>);

impl Default for ShutdownSender {
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
    pub fn audit_name(&self) -> &str {
        self.user.as_ref().map_or("guest", |user| user.name.as_str())
    }

    /// The person; for handlers of routes that need one.
    pub fn require_user(&self) -> Result<&User, Problem> {
        self.user.as_ref().ok_or_else(|| Problem::unauthenticated("This is for people who are logged in."))
    }
}

/// The session of a caller who came with a cookie; beside [`Caller`] in the request's extensions.
#[derive(Debug, Clone, Default)]
pub struct OpenSession(pub Option<UserSession>);

/// Writes a line of the audit log: this caller did that to this. For work inside [`App::blocking`].
pub fn write_audit_entry(
    app: &App,
    caller: &Caller,
    action: &str,
    subject: &str,
    detail: serde_json::Value,
) -> Result<(), Problem> {
    let entry = NewAuditEntry {
        user: caller.user.as_ref().map(|user| user.id),
        who: caller.audit_name().to_owned(),
        action: action.to_owned(),
        subject: subject.to_owned(),
        address: caller.address.map(|address| address.to_string()),
        detail,
    };
    Ok(app.store.add_audit_entry(&entry, app.now())?)
}
