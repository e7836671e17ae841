//! People, their sessions, tokens and the audit log.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// A person's number.
pub type UserId = i64;

/// What a person may do. Guests have no account.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum UserRole {
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
    pub role: UserRole,
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
    pub role: UserRole,
    /// PHC string; `None` for people who come by OpenID Connect only.
    pub password_hash: Option<String>,
    pub identity: Option<(String, String)>,
    pub max_running: Option<u32>,
}

/// Changes to a person; `None` leaves a thing as it is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UserChange {
    pub email: Option<Option<String>>,
    pub role: Option<UserRole>,
    pub disabled: Option<bool>,
    pub max_running: Option<Option<u32>>,
    pub password_hash: Option<String>,
}

/// A person who is logged in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserSession {
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
pub struct NewAuditEntry {
    pub user: Option<UserId>,
    pub who: String,
    pub action: String,
    pub subject: String,
    pub address: Option<String>,
    pub detail: serde_json::Value,
}
