//! Users, their sessions and tokens. The rest of [`Accounts`] is in `accounts_log`.

use super::database_error::{DatabaseError, DatabaseResult};
use super::moment::to_micros;
use super::{SqlEngine, SqlStore, accounts_log};
use crate::sql::{self, Conn, LockDomain, OptionalExtension, Row, insert_returning, params, read_row};
use geotrawl_model::account::{
    ApiToken, AuditEntry, NewAuditEntry, NewUser, User, UserChange, UserId, UserRole, UserSession,
};
use geotrawl_model::report::{NewRecordReport, RecordReport};
use geotrawl_model::store::{AccountStore, Result};
use jiff::Timestamp;

/// Maximum number of sessions per user; the oldest are closed first.
const SESSIONS_PER_USER: i64 = 50;
/// Minimum interval between updates of a token's last use.
const USE_NOTED_EVERY_MICROS: i64 = 60_000_000;

const USER: &str =
    "u.id, u.name, u.email, u.role, u.disabled, u.max_running, u.created, u.last_login, u.issuer, u.subject";
/// Columns of [`USER`].
const USER_COLUMNS: usize = 10;

impl<E: SqlEngine> AccountStore for SqlStore<E> {
    fn add_user(&self, user: &NewUser, now: Timestamp) -> Result<Option<User>> {
        self.change(LockDomain::Accounts, "adding a user", |conn| add_user(conn, user, now))
    }

    fn find_user(&self, id: UserId) -> Result<Option<User>> {
        self.read("reading a user", |conn| find_user(conn, id))
    }

    fn find_user_by_name(&self, name: &str) -> Result<Option<(User, Option<String>)>> {
        self.read("reading a user by name", |conn| {
            let sql = format!("SELECT {USER}, u.password_hash FROM user_account u WHERE u.name_key = ?1");
            let mut select = conn.prepare_cached(&sql)?;
            let found = select.query_row([name_key(name)], |row| Ok((read_user(row, 0)?, row.get(10)?)));
            Ok(found.optional()?)
        })
    }

    fn find_user_by_identity(&self, issuer: &str, subject: &str) -> Result<Option<User>> {
        self.read("reading a user by identity", |conn| {
            let sql = format!("SELECT {USER} FROM user_account u WHERE u.issuer = ?1 AND u.subject = ?2");
            let mut select = conn.prepare_cached(&sql)?;
            Ok(select.query_row([issuer, subject], |row| read_user(row, 0)).optional()?)
        })
    }

    fn list_users(&self, offset: u64, limit: u64) -> Result<(Vec<User>, u64)> {
        self.read("reading users", |conn| {
            let sql = format!("SELECT {USER} FROM user_account u ORDER BY u.name_key LIMIT ?1 OFFSET ?2");
            let users =
                conn.query_all(&sql, params![sql_count(limit), sql_count(offset)], |row| read_user(row, 0))?;
            let total: i64 = conn.query_row("SELECT count(*) FROM user_account", [], read_row)?;
            Ok((users, total as u64))
        })
    }

    fn change_user(&self, id: UserId, change: &UserChange) -> Result<Option<User>> {
        self.change(LockDomain::Accounts, "changing a user", |conn| change_user(conn, id, change))
    }

    fn remove_user(&self, id: UserId) -> Result<bool> {
        // Takes the catalogue's lock, because alerts and tasks change as well.
        self.change(LockDomain::Catalogue, "removing a user", |conn| {
            conn.execute("DELETE FROM user_session WHERE \"user\" = ?1", [id])?;
            conn.execute("DELETE FROM user_token WHERE \"user\" = ?1", [id])?;
            super::monitoring::alerts::remove_alerts_of(conn, id)?;
            conn.execute("UPDATE task SET owner = NULL WHERE owner = ?1", [id])?;
            Ok(conn.execute("DELETE FROM user_account WHERE id = ?1", [id])? > 0)
        })
    }

    fn count_admins(&self) -> Result<u64> {
        self.read("counting administrators", |conn| {
            let sql = "SELECT count(*) FROM user_account WHERE role = 'admin' AND disabled = 0";
            Ok(conn.query_row(sql, [], |row| row.get::<i64>(0))? as u64)
        })
    }

    fn open_session(&self, session: &UserSession) -> Result<()> {
        self.change(LockDomain::Accounts, "opening a session", |conn| open_session(conn, session))
    }

    fn find_session(&self, key: &[u8; 32], now: Timestamp) -> Result<Option<(UserSession, User)>> {
        self.read("reading a session", |conn| {
            let sql = format!(
                "SELECT {USER}, s.created, s.expires, s.csrf FROM user_session s \
                 JOIN user_account u ON u.id = s.user \
                 WHERE s.key = ?1 AND s.expires > ?2 AND u.disabled = 0"
            );
            let mut select = conn.prepare_cached(&sql)?;
            let found = select.query_row(params![key, to_micros(now)], |row| {
                let user = read_user(row, 0)?;
                let session = UserSession {
                    key: *key,
                    user: user.id,
                    created: row.get(USER_COLUMNS)?,
                    expires: row.get(USER_COLUMNS + 1)?,
                    csrf: row.get(USER_COLUMNS + 2)?,
                };
                Ok((session, user))
            });
            Ok(found.optional()?)
        })
    }

    fn close_session(&self, key: &[u8; 32]) -> Result<()> {
        self.change(LockDomain::Accounts, "closing a session", |conn| {
            conn.execute("DELETE FROM user_session WHERE key = ?1", [key])?;
            Ok(())
        })
    }

    fn extend_session(&self, key: &[u8; 32], expires: Timestamp) -> Result<()> {
        self.change(LockDomain::Accounts, "extending a session", |conn| {
            conn.prepare_cached("UPDATE user_session SET expires = ?2 WHERE key = ?1")?
                .execute(params![key, to_micros(expires)])?;
            Ok(())
        })
    }

    fn remove_expired_sessions(&self, now: Timestamp) -> Result<u64> {
        self.change(LockDomain::Accounts, "removing expired sessions", |conn| {
            Ok(conn.execute("DELETE FROM user_session WHERE expires <= ?1", [to_micros(now)])? as u64)
        })
    }

    fn add_token(&self, token: &ApiToken, key: &[u8; 32]) -> Result<ApiToken> {
        self.change(LockDomain::Accounts, "adding a token", |conn| {
            let id = conn.query_row(
                "INSERT INTO user_token (key, \"user\", name, scopes, created, expires) \
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6) RETURNING id",
                params![
                    key,
                    token.user,
                    token.name,
                    serde_json::to_string(&token.scopes)?,
                    to_micros(token.created),
                    token.expires.map(to_micros)
                ],
                read_row,
            )?;
            Ok(ApiToken { id, last_used: None, ..token.clone() })
        })
    }

    fn find_token(&self, key: &[u8; 32], now: Timestamp) -> Result<Option<(ApiToken, User)>> {
        let doing = "reading a token";
        let found = self.read(doing, |conn| {
            let sql = format!(
                "SELECT {USER}, {TOKEN} FROM user_token t JOIN user_account u ON u.id = t.user \
                 WHERE t.key = ?1 AND (t.expires IS NULL OR t.expires > ?2) AND u.disabled = 0"
            );
            let mut select = conn.prepare_cached(&sql)?;
            let mut rows = select.query(params![key, to_micros(now)])?;
            let Some(row) = rows.next()? else { return Ok(None) };
            Ok(Some((read_token(row, USER_COLUMNS)?, read_user(row, 0)?)))
        })?;
        let Some((mut token, user)) = found else { return Ok(None) };
        let noted = token.last_used.map_or(i64::MIN, to_micros);
        if self.is_writable() && to_micros(now) >= noted.saturating_add(USE_NOTED_EVERY_MICROS) {
            self.change(LockDomain::Accounts, "updating the last use of a token", |conn| {
                conn.prepare_cached("UPDATE user_token SET last_used = ?2 WHERE id = ?1")?
                    .execute(params![token.id, to_micros(now)])?;
                Ok(())
            })?;
            token.last_used = Some(now);
        }
        Ok(Some((token, user)))
    }

    fn list_tokens(&self, user: UserId) -> Result<Vec<ApiToken>> {
        self.read("reading tokens", |conn| {
            let sql = format!("SELECT {TOKEN} FROM user_token t WHERE t.user = ?1 ORDER BY t.id");
            let mut select = conn.prepare_cached(&sql)?;
            let mut rows = select.query([user])?;
            let mut tokens = Vec::new();
            while let Some(row) = rows.next()? {
                tokens.push(read_token(row, 0)?);
            }
            Ok(tokens)
        })
    }

    fn remove_token(&self, user: UserId, id: i64) -> Result<bool> {
        self.change(LockDomain::Accounts, "removing a token", |conn| {
            Ok(conn.execute("DELETE FROM user_token WHERE \"user\" = ?1 AND id = ?2", [user, id])? > 0)
        })
    }

    fn add_audit_entry(&self, entry: &NewAuditEntry, now: Timestamp) -> Result<()> {
        self.change(LockDomain::Accounts, "writing the audit log", |conn| {
            accounts_log::append_audit(conn, entry, now)
        })
    }

    fn audit_log(&self, before: i64, limit: u64) -> Result<Vec<AuditEntry>> {
        self.read("reading the audit log", |conn| accounts_log::audit_before(conn, before, sql_count(limit)))
    }

    fn find_setting(&self, key: &str) -> Result<Option<serde_json::Value>> {
        self.read("reading a setting", |conn| accounts_log::read_setting(conn, key))
    }

    fn list_settings(&self) -> Result<Vec<(String, serde_json::Value)>> {
        self.read("reading settings", accounts_log::read_settings)
    }

    fn set_setting(&self, key: &str, value: Option<&serde_json::Value>) -> Result<()> {
        self.change(LockDomain::Accounts, "changing a setting", |conn| {
            accounts_log::set_setting(conn, key, value)
        })
    }

    fn add_report(&self, report: &NewRecordReport, now: Timestamp) -> Result<Option<i64>> {
        self.change(LockDomain::Accounts, "adding a report", |conn| {
            accounts_log::add_report(conn, report, now)
        })
    }

    fn list_reports(&self, all: bool, limit: u64) -> Result<Vec<RecordReport>> {
        self.read("reading reports", |conn| accounts_log::read_reports(conn, all, sql_count(limit)))
    }

    fn close_report(&self, id: i64) -> Result<bool> {
        self.change(LockDomain::Accounts, "closing a report", |conn| {
            Ok(conn.execute("UPDATE report SET closed = 1 WHERE id = ?1", [id])? > 0)
        })
    }

    fn store_size(&self) -> Result<u64> {
        self.read("measuring the store", |conn| {
            Ok(conn.query_row(conn.size_query(), [], |row| row.get::<i64>(0))?.max(0) as u64)
        })
    }
}

/// Returns the form in which names are compared.
fn name_key(name: &str) -> String {
    name.trim().to_lowercase()
}

/// Converts a count for LIMIT and OFFSET, which are signed; a negative limit would mean no limit.
fn sql_count(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

pub(crate) fn role_name(role: UserRole) -> &'static str {
    match role {
        UserRole::User => "user",
        UserRole::Admin => "admin",
    }
}

fn find_user(conn: Conn<'_>, id: UserId) -> DatabaseResult<Option<User>> {
    let sql = format!("SELECT {USER} FROM user_account u WHERE u.id = ?1");
    Ok(conn.query_row(&sql, [id], |row| read_user(row, 0)).optional()?)
}

/// Reads the columns of [`USER`], starting at column `at`. An unknown role gets the fewest rights.
fn read_user(row: Row<'_>, at: usize) -> sql::Result<User> {
    let role: String = row.get(at + 3)?;
    let (issuer, subject): (Option<String>, Option<String>) = (row.get(at + 8)?, row.get(at + 9)?);
    Ok(User {
        id: row.get(at)?,
        name: row.get(at + 1)?,
        email: row.get(at + 2)?,
        role: if role == role_name(UserRole::Admin) { UserRole::Admin } else { UserRole::User },
        disabled: row.get(at + 4)?,
        max_running: row.get(at + 5)?,
        created: row.get(at + 6)?,
        last_login: row.get(at + 7)?,
        identity: issuer.zip(subject),
    })
}

const TOKEN: &str = "t.id, t.user, t.name, t.scopes, t.created, t.expires, t.last_used";

fn read_token(row: Row<'_>, at: usize) -> DatabaseResult<ApiToken> {
    let scopes: String = row.get(at + 3)?;
    Ok(ApiToken {
        id: row.get(at)?,
        user: row.get(at + 1)?,
        name: row.get(at + 2)?,
        scopes: serde_json::from_str(&scopes)?,
        created: row.get(at + 4)?,
        expires: row.get(at + 5)?,
        last_used: row.get(at + 6)?,
    })
}

fn add_user(conn: Conn<'_>, new: &NewUser, now: Timestamp) -> DatabaseResult<Option<User>> {
    let (issuer, subject) = new.identity.clone().unzip();
    let id: Option<UserId> = insert_returning!(
        conn,
        user_account {
            name: new.name.trim(),
            name_key: name_key(&new.name),
            email: new.email,
            role: role_name(new.role),
            max_running: new.max_running,
            password_hash: new.password_hash,
            issuer: issuer,
            subject: subject,
            created: now,
        } "ON CONFLICT DO NOTHING RETURNING id"
    )
    .optional()?;
    let Some(id) = id else { return Ok(None) };
    find_user(conn, id)
}

fn change_user(conn: Conn<'_>, id: UserId, change: &UserChange) -> DatabaseResult<Option<User>> {
    if let Some(email) = &change.email {
        conn.execute("UPDATE user_account SET email = ?2 WHERE id = ?1", params![id, email])?;
    }
    if let Some(role) = change.role {
        conn.execute("UPDATE user_account SET role = ?2 WHERE id = ?1", params![id, role_name(role)])?;
    }
    if let Some(disabled) = change.disabled {
        conn.execute("UPDATE user_account SET disabled = ?2 WHERE id = ?1", params![id, disabled])?;
    }
    if let Some(max_running) = change.max_running {
        conn.execute("UPDATE user_account SET max_running = ?2 WHERE id = ?1", params![id, max_running])?;
    }
    if let Some(hash) = &change.password_hash {
        conn.execute("UPDATE user_account SET password_hash = ?2 WHERE id = ?1", params![id, hash])?;
    }
    // Neither a disabled user nor a changed password may leave sessions open.
    if change.disabled == Some(true) || change.password_hash.is_some() {
        conn.execute("DELETE FROM user_session WHERE \"user\" = ?1", [id])?;
    }
    find_user(conn, id)
}

fn open_session(conn: Conn<'_>, session: &UserSession) -> DatabaseResult<()> {
    let known = conn.execute(
        "UPDATE user_account SET last_login = ?2 WHERE id = ?1",
        params![session.user, to_micros(session.created)],
    )?;
    if known == 0 {
        return Err(DatabaseError::Inconsistent(format!("no user has the number {}", session.user)));
    }
    conn.execute(
        "INSERT INTO user_session (key, \"user\", created, expires, csrf) VALUES (?1, ?2, ?3, ?4, ?5) \
         ON CONFLICT (key) DO UPDATE SET \"user\" = ?2, created = ?3, expires = ?4, csrf = ?5",
        params![
            session.key,
            session.user,
            to_micros(session.created),
            to_micros(session.expires),
            session.csrf
        ],
    )?;
    // Keep the session just opened, even if others have the same timestamp.
    conn.execute(
        "DELETE FROM user_session WHERE key IN (SELECT key FROM user_session WHERE \"user\" = ?1 AND key <> ?3 \
         ORDER BY created DESC, key LIMIT 9223372036854775807 OFFSET ?2 - 1)",
        params![session.user, SESSIONS_PER_USER, session.key.as_slice()],
    )?;
    Ok(())
}
