//! Users, sessions, API tokens, the audit log and settings.
//!
//! The store holds only hashes, which the caller computes: Argon2 for passwords, SHA-256 for the
//! secrets of sessions and tokens.

use super::Result;
use crate::account::{ApiToken, AuditEntry, NewAuditEntry, NewUser, User, UserChange, UserId, UserSession};
use crate::report::{NewRecordReport, RecordReport};
use jiff::Timestamp;

/// Accounts. One contract suite runs against every backend.
pub trait AccountStore: Send + Sync {
    /// Adds a user; returns `None` if the name or identity is taken.
    fn add_user(&self, user: &NewUser, now: Timestamp) -> Result<Option<User>>;
    /// Returns a user by number.
    fn find_user(&self, id: UserId) -> Result<Option<User>>;
    /// Returns a user by name, without regard to case, with the password hash.
    fn find_user_by_name(&self, name: &str) -> Result<Option<(User, Option<String>)>>;
    /// Returns the user with this OpenID Connect identity.
    fn find_user_by_identity(&self, issuer: &str, subject: &str) -> Result<Option<User>>;
    /// Returns at most `limit` users after `offset`, sorted by name, and their total number.
    fn list_users(&self, offset: u64, limit: u64) -> Result<(Vec<User>, u64)>;
    /// Changes a user; returns `None` if there is no such user. Disabling a user or setting a new
    /// password ends all sessions. Callers protect the last administrator with
    /// [`AccountStore::count_admins`].
    fn change_user(&self, id: UserId, change: &UserChange) -> Result<Option<User>>;
    /// Removes a user with all sessions and tokens. Tasks are kept without an owner.
    fn remove_user(&self, id: UserId) -> Result<bool>;
    /// Returns the number of enabled administrators, so that the last one is never removed.
    fn count_admins(&self) -> Result<u64>;

    /// Opens a session and records the login.
    fn open_session(&self, session: &UserSession) -> Result<()>;
    /// Returns a session that has not expired, with its enabled user.
    fn find_session(&self, key: &[u8; 32], now: Timestamp) -> Result<Option<(UserSession, User)>>;
    /// Ends a session.
    fn close_session(&self, key: &[u8; 32]) -> Result<()>;
    /// Changes when a session expires.
    fn extend_session(&self, key: &[u8; 32], expires: Timestamp) -> Result<()>;
    /// Removes expired sessions; returns how many were removed.
    fn remove_expired_sessions(&self, now: Timestamp) -> Result<u64>;

    /// Adds a token; `key` is the SHA-256 of its secret.
    fn add_token(&self, token: &ApiToken, key: &[u8; 32]) -> Result<ApiToken>;
    /// Returns the token whose secret has this SHA-256, with its enabled user, and records the use
    /// at most once a minute.
    fn find_token(&self, key: &[u8; 32], now: Timestamp) -> Result<Option<(ApiToken, User)>>;
    /// Returns the tokens of a user.
    fn list_tokens(&self, user: UserId) -> Result<Vec<ApiToken>>;
    /// Removes a token of a user.
    fn remove_token(&self, user: UserId, id: i64) -> Result<bool>;

    /// Adds an entry to the audit log.
    fn add_audit_entry(&self, entry: &NewAuditEntry, now: Timestamp) -> Result<()>;
    /// Returns entries before number `before` (0 for the newest), newest first.
    fn audit_log(&self, before: i64, limit: u64) -> Result<Vec<AuditEntry>>;

    /// Returns a setting that administrators can change while the program runs.
    fn find_setting(&self, key: &str) -> Result<Option<serde_json::Value>>;
    /// Returns all settings.
    fn list_settings(&self) -> Result<Vec<(String, serde_json::Value)>>;
    /// Sets a setting, or removes it if `value` is `None`.
    fn set_setting(&self, key: &str, value: Option<&serde_json::Value>) -> Result<()>;

    /// Adds a user's report about a record. Returns `None` if too many reports are open, about this
    /// record ([`crate::report::OPEN_REPORTS_OF_RECORD`]) or in total
    /// ([`crate::report::OPEN_REPORTS`]).
    fn add_report(&self, report: &NewRecordReport, now: Timestamp) -> Result<Option<i64>>;
    /// Returns reports, newest first; closed ones only if `all` is set.
    fn list_reports(&self, all: bool, limit: u64) -> Result<Vec<RecordReport>>;
    /// Marks a report as closed.
    fn close_report(&self, id: i64) -> Result<bool>;

    /// Returns the size of the whole store in bytes.
    fn store_size(&self) -> Result<u64>;
}
