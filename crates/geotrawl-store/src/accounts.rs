//! People and what they may do: users, sessions, tokens, the audit log, settings.
//!
//! The store keeps hashes only: of passwords (Argon2, made by the caller), of session and token secrets
//! (SHA-256, made by the caller).

use crate::Result;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// A person's number.
pub type UserId = i64;

/// What a person may do. Guests have no account.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Own tasks, downloads.
    User,
    /// Everything.
    Admin,
}

/// A person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct User {
    pub id: UserId,
    /// Unique, compared without case.
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub email: Option<String>,
    pub role: Role,
    /// May not log in.
    pub disabled: bool,
    /// Tasks that may run at once; `None`: the general setting.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_running: Option<u32>,
    pub created: Timestamp,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_login: Option<Timestamp>,
    /// Who vouches for the person elsewhere: issuer and subject of OpenID Connect.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub identity: Option<(String, String)>,
}

/// A person to add.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewUser {
    pub name: String,
    pub email: Option<String>,
    pub role: Role,
    /// PHC string; `None` for people who come by OpenID Connect only.
    pub password_hash: Option<String>,
    pub identity: Option<(String, String)>,
    pub max_running: Option<u32>,
}

/// Changes to a person; `None` leaves a thing as it is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UserChange {
    pub email: Option<Option<String>>,
    pub role: Option<Role>,
    pub disabled: Option<bool>,
    pub max_running: Option<Option<u32>>,
    pub password_hash: Option<String>,
}

/// A person who is logged in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// SHA-256 of the secret in the cookie.
    pub key: [u8; 32],
    pub user: UserId,
    pub created: Timestamp,
    pub expires: Timestamp,
    /// Repeated by every change the page asks for, so that no other site can ask in its name.
    pub csrf: String,
}

/// A key for programs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Token {
    pub id: i64,
    pub user: UserId,
    pub name: String,
    /// `read`, `download`, `tasks`, `admin`.
    pub scopes: Vec<String>,
    pub created: Timestamp,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires: Option<Timestamp>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_used: Option<Timestamp>,
}

/// A line of the audit log: who did what to what.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AuditEntry {
    pub seq: i64,
    pub at: Timestamp,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user: Option<UserId>,
    /// Name at that time, also of people who are gone; `operator` for the command line.
    pub who: String,
    /// `login`, `login-failed`, `task-start`, `user-create`, ...
    pub action: String,
    pub subject: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub address: Option<String>,
    #[serde(default)]
    pub detail: serde_json::Value,
}

/// A line to add to the audit log.
#[derive(Debug, Clone, PartialEq)]
pub struct NewAudit {
    pub user: Option<UserId>,
    pub who: String,
    pub action: String,
    pub subject: String,
    pub address: Option<String>,
    pub detail: serde_json::Value,
}

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
    /// ([`OPEN_REPORTS_OF_RECORD`]) or in all ([`OPEN_REPORTS`]), that it was not kept.
    fn add_report(&self, report: &NewReport, now: Timestamp) -> Result<Option<i64>>;
    /// Notes about records, newest first; open ones only unless `all`.
    fn reports(&self, all: bool, limit: u64) -> Result<Vec<Report>>;
    /// Marks a note as dealt with.
    fn close_report(&self, id: i64) -> Result<bool>;

    /// Bytes that the whole store takes, for those who administer it.
    fn size(&self) -> Result<u64>;
}

/// Open notes about one record at most.
pub const OPEN_REPORTS_OF_RECORD: u32 = 20;
/// Open notes at most.
pub const OPEN_REPORTS: u32 = 10_000;

/// A note about a record: a wrong guess, a dead link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewReport {
    pub record: String,
    pub user: Option<UserId>,
    pub text: String,
}

/// A kept note.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    pub id: i64,
    pub at: Timestamp,
    pub record: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user: Option<UserId>,
    pub text: String,
    pub closed: bool,
}
