//! Users, sessions, API tokens and the audit log.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// Number of a user.
pub type UserId = i64;

/// What a user may do. Guests have no account.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum UserRole {
    /// May run their own tasks and download results.
    User,
    /// May do everything.
    Admin,
}

/// A user account.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct User {
    pub id: UserId,
    /// Unique; compared without regard to case.
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub email: Option<String>,
    pub role: UserRole,
    /// Whether logging in is disabled.
    pub disabled: bool,
    /// Number of tasks that may run at once; `None` for the general setting.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_running: Option<u32>,
    pub created: Timestamp,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_login: Option<Timestamp>,
    /// Issuer and subject of the user's OpenID Connect identity.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub identity: Option<(String, String)>,
}

/// A user to add.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewUser {
    pub name: String,
    pub email: Option<String>,
    pub role: UserRole,
    /// PHC string; `None` for users who log in only through OpenID Connect.
    pub password_hash: Option<String>,
    pub identity: Option<(String, String)>,
    pub max_running: Option<u32>,
}

/// Changes to a user; fields that are `None` stay unchanged.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UserChange {
    pub email: Option<Option<String>>,
    pub role: Option<UserRole>,
    pub disabled: Option<bool>,
    pub max_running: Option<Option<u32>>,
    pub password_hash: Option<String>,
}

/// A login session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserSession {
    /// SHA-256 of the secret in the cookie.
    pub key: [u8; 32],
    pub user: UserId,
    pub created: Timestamp,
    pub expires: Timestamp,
    /// Token that state-changing requests must repeat, as protection against cross-site requests.
    pub csrf: String,
}

/// An API token.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ApiToken {
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

/// An entry of the audit log: who did what, and to what.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AuditEntry {
    pub seq: i64,
    pub at: Timestamp,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user: Option<UserId>,
    /// Name at that time, kept for deleted users as well; `operator` for the command line.
    pub who: String,
    /// `login`, `login-failed`, `task-start`, `user-create`, ...
    pub action: String,
    pub subject: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub address: Option<String>,
    #[serde(default)]
    pub detail: serde_json::Value,
}

/// An entry to add to the audit log.
#[derive(Debug, Clone, PartialEq)]
pub struct NewAuditEntry {
    pub user: Option<UserId>,
    pub who: String,
    pub action: String,
    pub subject: String,
    pub address: Option<String>,
    pub detail: serde_json::Value,
}
