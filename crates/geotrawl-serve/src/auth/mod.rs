//! Who is asking, and whether they may.

use geotrawl_store::accounts::{Role, User};
use std::net::IpAddr;

/// What is kept between requests: throttles of logins, the provider's keys.
#[derive(Default)]
pub struct Gate {}

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
        self.user.as_ref().is_some_and(|user| user.role == Role::Admin)
            && self.scopes.as_ref().is_none_or(|scopes| scopes.iter().any(|scope| scope == "admin"))
    }

    /// Name for the audit log.
    pub fn name(&self) -> &str {
        self.user.as_ref().map_or("guest", |user| user.name.as_str())
    }
}
