//! People and what they may do: users, sessions, tokens, the audit log, settings.
//!
//! The store keeps hashes only: of passwords (Argon2, made by the caller), of session and token secrets
//! (SHA-256, made by the caller).

use super::Result;
use crate::account::{ApiToken, AuditEntry, NewAuditEntry, NewUser, User, UserChange, UserId, UserSession};
use crate::report::{NewRecordReport, RecordReport};
use jiff::Timestamp;

/// Accounts of a store. One contract suite runs over every backend.
pub trait AccountStore: Send + Sync {
    /// Adds a person; `None` when the name (or identity) is taken.
    fn add_user(&self, user: &NewUser, now: Timestamp) -> Result<Option<User>>;
    /// A person by number.
    fn find_user(&self, id: UserId) -> Result<Option<User>>;
    /// A person by name (without case), with the hash of the password.
    fn find_user_by_name(&self, name: &str) -> Result<Option<(User, Option<String>)>>;
    /// A person by the identity somebody else vouches for.
    fn find_user_by_identity(&self, issuer: &str, subject: &str) -> Result<Option<User>>;
    /// All people by name, at most `limit` after `offset`, and how many there are.
    fn list_users(&self, offset: u64, limit: u64) -> Result<(Vec<User>, u64)>;
    /// Changes a person; disabling or a new password ends all sessions. `None` when there is no such person.
    /// Refuses (`Ok(Some(Err))` is not needed: see [`Accounts::admins`]) nothing by itself.
    fn change_user(&self, id: UserId, change: &UserChange) -> Result<Option<User>>;
    /// Removes a person with sessions and tokens; tasks stay, without owner.
    fn remove_user(&self, id: UserId) -> Result<bool>;
    /// How many enabled admins there are, so that the last one is never lost.
    fn count_admins(&self) -> Result<u64>;

    /// Opens a session and notes the login.
    fn open_session(&self, session: &UserSession) -> Result<()>;
    /// A session that has not ended, with its (enabled) person.
    fn find_session(&self, key: &[u8; 32], now: Timestamp) -> Result<Option<(UserSession, User)>>;
    /// Ends a session.
    fn close_session(&self, key: &[u8; 32]) -> Result<()>;
    /// Moves the end of a session.
    fn extend_session(&self, key: &[u8; 32], expires: Timestamp) -> Result<()>;
    /// Removes what has ended.
    fn remove_expired_sessions(&self, now: Timestamp) -> Result<u64>;

    /// Adds a token whose secret has this SHA-256.
    fn add_token(&self, token: &ApiToken, key: &[u8; 32]) -> Result<ApiToken>;
    /// The token of this secret with its (enabled) person; notes the use (at most once a minute).
    fn find_token(&self, key: &[u8; 32], now: Timestamp) -> Result<Option<(ApiToken, User)>>;
    /// Tokens of a person.
    fn list_tokens(&self, user: UserId) -> Result<Vec<ApiToken>>;
    /// Removes a token of a person.
    fn remove_token(&self, user: UserId, id: i64) -> Result<bool>;

    /// Adds a line to the audit log.
    fn add_audit_entry(&self, entry: &NewAuditEntry, now: Timestamp) -> Result<()>;
    /// Lines before `before` (0: the newest), newest first.
    fn audit_log(&self, before: i64, limit: u64) -> Result<Vec<AuditEntry>>;

    /// Settings that admins change while the program runs.
    fn find_setting(&self, key: &str) -> Result<Option<serde_json::Value>>;
    /// All settings.
    fn list_settings(&self) -> Result<Vec<(String, serde_json::Value)>>;
    /// Sets or (with `None`) removes a setting.
    fn set_setting(&self, key: &str, value: Option<&serde_json::Value>) -> Result<()>;

    /// Keeps a note that a person wrote about a record. `None` when so many notes are open, about the record
    /// ([`crate::report::OPEN_REPORTS_OF_RECORD`]) or in all ([`crate::report::OPEN_REPORTS`]), that it was not kept.
    fn add_report(&self, report: &NewRecordReport, now: Timestamp) -> Result<Option<i64>>;
    /// Notes about records, newest first; open ones only unless `all`.
    fn list_reports(&self, all: bool, limit: u64) -> Result<Vec<RecordReport>>;
    /// Marks a note as dealt with.
    fn close_report(&self, id: i64) -> Result<bool>;

    /// Bytes that the whole store takes, for those who administer it.
    fn store_size(&self) -> Result<u64>;
}
