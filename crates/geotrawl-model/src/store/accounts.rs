//! People and what they may do: users, sessions, tokens, the audit log, settings.
//!
//! The store keeps hashes only: of passwords (Argon2, made by the caller), of session and token secrets
//! (SHA-256, made by the caller).

use super::Result;
use crate::account::{AuditEntry, NewAudit, NewUser, Session, Token, User, UserChange, UserId};
use crate::report::{NewReport, Report};
use jiff::Timestamp;

/// Accounts of a store. One contract suite runs over every backend.
pub trait Accounts: Send + Sync {
    /// Adds a person; `None` when the name (or identity) is taken.
    fn add_user(&self, user: &NewUser, now: Timestamp) -> Result<Option<User>>;
    /// A person by number.
    fn user(&self, id: UserId) -> Result<Option<User>>;
    /// A person by name (without case), with the hash of the password.
    fn user_named(&self, name: &str) -> Result<Option<(User, Option<String>)>>;
    /// A person by the identity somebody else vouches for.
    fn user_identified(&self, issuer: &str, subject: &str) -> Result<Option<User>>;
    /// All people by name, at most `limit` after `offset`, and how many there are.
    fn users(&self, offset: u64, limit: u64) -> Result<(Vec<User>, u64)>;
    /// Changes a person; disabling or a new password ends all sessions. `None` when there is no such person.
    /// Refuses (`Ok(Some(Err))` is not needed: see [`Accounts::admins`]) nothing by itself.
    fn change_user(&self, id: UserId, change: &UserChange) -> Result<Option<User>>;
    /// Removes a person with sessions and tokens; tasks stay, without owner.
    fn remove_user(&self, id: UserId) -> Result<bool>;
    /// How many enabled admins there are, so that the last one is never lost.
    fn admins(&self) -> Result<u64>;

    /// Opens a session and notes the login.
    fn open_session(&self, session: &Session) -> Result<()>;
    /// A session that has not ended, with its (enabled) person.
    fn session(&self, key: &[u8; 32], now: Timestamp) -> Result<Option<(Session, User)>>;
    /// Ends a session.
    fn close_session(&self, key: &[u8; 32]) -> Result<()>;
    /// Moves the end of a session.
    fn extend_session(&self, key: &[u8; 32], expires: Timestamp) -> Result<()>;
    /// Removes what has ended.
    fn sweep_sessions(&self, now: Timestamp) -> Result<u64>;

    /// Adds a token whose secret has this SHA-256.
    fn add_token(&self, token: &Token, key: &[u8; 32]) -> Result<Token>;
    /// The token of this secret with its (enabled) person; notes the use (at most once a minute).
    fn token(&self, key: &[u8; 32], now: Timestamp) -> Result<Option<(Token, User)>>;
    /// Tokens of a person.
    fn tokens(&self, user: UserId) -> Result<Vec<Token>>;
    /// Removes a token of a person.
    fn remove_token(&self, user: UserId, id: i64) -> Result<bool>;

    /// Adds a line to the audit log.
    fn audit(&self, entry: &NewAudit, now: Timestamp) -> Result<()>;
    /// Lines before `before` (0: the newest), newest first.
    fn audit_log(&self, before: i64, limit: u64) -> Result<Vec<AuditEntry>>;

    /// Settings that admins change while the program runs.
    fn setting(&self, key: &str) -> Result<Option<serde_json::Value>>;
    /// All settings.
    fn settings(&self) -> Result<Vec<(String, serde_json::Value)>>;
    /// Sets or (with `None`) removes a setting.
    fn set_setting(&self, key: &str, value: Option<&serde_json::Value>) -> Result<()>;

    /// Keeps a note that a person wrote about a record. `None` when so many notes are open, about the record
    /// ([`crate::report::OPEN_REPORTS_OF_RECORD`]) or in all ([`crate::report::OPEN_REPORTS`]), that it was not kept.
    fn add_report(&self, report: &NewReport, now: Timestamp) -> Result<Option<i64>>;
    /// Notes about records, newest first; open ones only unless `all`.
    fn reports(&self, all: bool, limit: u64) -> Result<Vec<Report>>;
    /// Marks a note as dealt with.
    fn close_report(&self, id: i64) -> Result<bool>;

    /// Bytes that the whole store takes, for those who administer it.
    fn size(&self) -> Result<u64>;
}
