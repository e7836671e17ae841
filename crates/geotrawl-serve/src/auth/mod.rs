//! Authentication and authorisation.
//!
//! [`gate`] runs before every handler: it identifies the caller, compares the caller with the
//! access requirements of the route ([`needs`]) and refuses cross-site changes.

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

/// State kept between requests: login throttle, provider keys, rate limits, cached settings.
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
    /// Held while admins are counted and changed, so that two admins cannot demote each other at
    /// the same time.
    people: Mutex<()>,
    stopping: ShutdownSender,
}

impl AuthState {
    /// Returns a receiver that turns `true` when the server stops; event streams end themselves
    /// (see [`crate::server`]).
    pub fn subscribe_shutdown(&self) -> watch::Receiver<bool> {
        self.stopping.0.subscribe()
    }

    /// Announces that the server stops.
    pub(crate) fn signal_shutdown(&self) {
        self.stopping.0.send_replace(true);
    }

    /// Locks the accounts, so that only one change runs at a time.
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

/// The authenticated caller of a request. Put into the request extensions before any handler runs,
/// so handlers take it as `Extension<Caller>`; the access requirements of the route (`x-needs`)
/// have already been checked.
#[derive(Debug, Clone)]
pub struct Caller {
    /// `None`: a guest.
    pub user: Option<User>,
    /// Key of the session, if the caller sent a cookie.
    pub session: Option<[u8; 32]>,
    /// Scopes of the token, if the caller sent one.
    pub scopes: Option<Vec<String>>,
    pub address: Option<IpAddr>,
}

impl Caller {
    /// Whether the caller is an admin; with a token, whether it also has the admin scope.
    pub fn is_admin(&self) -> bool {
        self.user.as_ref().is_some_and(|user| user.role == UserRole::Admin)
            && self.scopes.as_ref().is_none_or(|scopes| scopes.iter().any(|scope| scope == "admin"))
    }

    /// Returns the name for the audit log.
    pub fn audit_name(&self) -> &str {
        self.user.as_ref().map_or("guest", |user| user.name.as_str())
    }

    /// Returns the user, for handlers that require one.
    pub fn require_user(&self) -> Result<&User, Problem> {
        self.user.as_ref().ok_or_else(|| Problem::unauthenticated("You need to log in first."))
    }
}

/// The session of a caller with a cookie; next to [`Caller`] in the request extensions.
#[derive(Debug, Clone, Default)]
pub struct OpenSession(pub Option<UserSession>);

/// Writes an entry to the audit log. For use inside [`App::blocking`].
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
