//! Login with the operator's OpenID Connect provider: code flow with PKCE, state and nonce.
//!
//! Pending logins are kept in memory, bound by a cookie to the browser that started them. All
//! requests to the provider go through the guarded client.

mod claims;
mod provider;

use super::peer::RequestPeer;
use super::{Caller, check_email, check_name, cookies, secrets, write_audit_entry};
use crate::config::OidcConfig;
use crate::{App, Problem};
use axum::http::HeaderValue;
use geotrawl_model::account::{NewUser, User, UserRole};
use jiff::{SignedDuration, Timestamp};
use serde::Deserialize;
use serde_json::json;
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, MutexGuard, PoisonError};
use url::Url;
use utoipa::IntoParams;

pub(crate) use provider::OidcProvider;

/// Cookie that binds a login to the browser that started it.
pub(crate) const BROWSER: &str = "geotrawl_login";
/// Time to complete a login at the provider.
const PENDING_FOR: SignedDuration = SignedDuration::from_mins(10);
/// Maximum number of pending logins; the oldest are dropped.
const PENDING: usize = 5_000;

/// The query parameters with which the provider redirects back.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct OidcCallback {
    #[serde(default)]
    state: Option<String>,
    #[serde(default)]
    code: Option<String>,
    #[serde(default)]
    error: Option<String>,
    #[serde(default)]
    iss: Option<String>,
}

/// A login that has been started but not completed.
struct PendingLogin {
    browser: [u8; 32],
    nonce: String,
    verifier: String,
    back: String,
    since: Timestamp,
}

/// Pending logins, by the digest of their state.
#[derive(Default)]
pub(crate) struct PendingLogins(Mutex<HashMap<[u8; 32], PendingLogin>>);

impl PendingLogins {
    fn table(&self) -> MutexGuard<'_, HashMap<[u8; 32], PendingLogin>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn put(&self, state: &str, pending: PendingLogin) {
        let mut table = self.table();
        let now = pending.since;
        if table.len() >= PENDING {
            table.retain(|_, pending| now.duration_since(pending.since) < PENDING_FOR);
        }
        while table.len() >= PENDING {
            let oldest = table.iter().min_by_key(|(_, pending)| pending.since).map(|(key, _)| *key);
            let Some(oldest) = oldest else { break };
            table.remove(&oldest);
        }
        table.insert(secrets::hash_secret(state), pending);
    }

    /// Removes and returns a pending login: a state works only once.
    fn take(&self, state: &str, now: Timestamp) -> Option<PendingLogin> {
        let pending = self.table().remove(&secrets::hash_secret(state))?;
        (now.duration_since(pending.since) < PENDING_FOR).then_some(pending)
    }
}

/// Builds the cookie that binds a login to its browser; an empty value removes it.
pub(crate) fn browser_cookie(value: String, peer: RequestPeer) -> Option<HeaderValue> {
    let seconds = if value.is_empty() { 0 } else { PENDING_FOR.as_secs() };
    cookies::build_cookie(BROWSER, value, "/api/v1/oidc", peer, seconds)
}

fn require_config(app: &App) -> Result<&OidcConfig, Problem> {
    app.config.oidc.as_ref().ok_or_else(|| Problem::not_found("This server has no OpenID Connect provider."))
}

/// Returns the redirect address for the provider; never derived from the request.
fn callback_url(app: &App) -> Result<String, Problem> {
    let base = app.config.public_url.trim_end_matches('/');
    if base.is_empty() {
        return Err(Problem::internal("OpenID Connect requires `public_url` in the configuration"));
    }
    Ok(format!("{base}{}/oidc/callback", crate::server::API))
}

/// Returns `back` if it is a path of this application, else `/`.
fn own_path(back: &str) -> &str {
    let plain = back.starts_with('/')
        && !back.starts_with("//")
        && back.len() <= 2_000
        && back.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\');
    // Browsers normalise more than `//`, so resolve the path as they do and check that it stays on
    // this origin.
    let base = Url::parse("https://here.invalid/").ok();
    let stays = base
        .as_ref()
        .is_some_and(|base| base.join(back).is_ok_and(|joined| joined.origin() == base.origin()));
    if plain && stays { back } else { "/" }
}

/// Starts a login; returns the provider's URL and the secret for the cookie.
pub(crate) async fn start_login(app: &App, back: &str) -> Result<(String, String), Problem> {
    let config = require_config(app)?;
    let return_to = callback_url(app)?;
    let discovered = app.auth.oidc.fetch_metadata(app, config).await?;
    let (state, browser) = (secrets::new_secret()?, secrets::new_secret()?);
    let (nonce, verifier) = (secrets::new_secret()?, secrets::new_secret()?);
    let mut to = discovered.authorization_endpoint.clone();
    to.query_pairs_mut()
        .append_pair("response_type", "code")
        .append_pair("scope", "openid profile email")
        .append_pair("client_id", &config.client_id)
        .append_pair("redirect_uri", &return_to)
        .append_pair("state", &state)
        .append_pair("nonce", &nonce)
        .append_pair("code_challenge", &secrets::hash_to_base64url(&verifier))
        .append_pair("code_challenge_method", "S256");
    let pending = PendingLogin {
        browser: secrets::hash_secret(&browser),
        nonce,
        verifier,
        back: own_path(back).to_owned(),
        since: app.now(),
    };
    app.auth.oidc.logins.put(&state, pending);
    Ok((to.into(), browser))
}

/// Completes a login; returns the user and the page to go back to.
pub(crate) async fn finish_login(
    app: &App,
    callback: OidcCallback,
    browser: Option<&str>,
    address: Option<IpAddr>,
) -> Result<(User, String), Problem> {
    let config = require_config(app)?;
    let again = || Problem::unauthenticated("This login is unknown or has expired; log in again.");
    let state = callback.state.as_deref().ok_or_else(again)?;
    let pending = app.auth.oidc.logins.take(state, app.now()).ok_or_else(again)?;
    // The callback must come from the browser that started the login; otherwise an attacker could
    // log a victim in to the attacker's account.
    if browser.is_none_or(|browser| secrets::hash_secret(browser) != pending.browser) {
        return Err(again());
    }
    if let Some(error) = callback.error {
        // The error comes from the query string, so only plain characters are copied into the
        // message.
        let error: String =
            error.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '_').take(60).collect();
        return Err(Problem::unauthenticated(format!("The provider refused the login: {error}")));
    }
    if callback.iss.is_some_and(|iss| iss != config.issuer) {
        return Err(Problem::unauthenticated("The response comes from a different provider."));
    }
    let code = callback.code.as_deref().ok_or_else(again)?;
    let return_to = callback_url(app)?;
    let token = app.auth.oidc.redeem_code(app, config, code, &pending.verifier, &return_to).await?;
    let person = app.auth.oidc.verified_claims(app, config, &token, &pending.nonce).await?;
    let create = config.create_users;
    let issuer = config.issuer.clone();
    let user = app.blocking(move |app| find_or_create_user(app, &issuer, &person, create, address)).await?;
    Ok((user, pending.back))
}

/// Returns the account for a verified identity. Only the subject counts: users can choose names and
/// e-mail addresses.
fn find_or_create_user(
    app: &App,
    issuer: &str,
    person: &claims::IdTokenClaims,
    create: bool,
    address: Option<IpAddr>,
) -> Result<User, Problem> {
    let nobody = Caller { user: None, session: None, scopes: None, address };
    let known = app.store.find_user_by_identity(issuer, &person.sub)?;
    if let Some(user) = known {
        if user.disabled {
            write_audit_entry(app, &nobody, "login-failed", &user.name, json!({ "by": "openid" }))?;
            return Err(Problem::forbidden("This account is disabled; contact an admin."));
        }
        return Ok(user);
    }
    if !create {
        write_audit_entry(app, &nobody, "login-failed", &person.sub, json!({ "by": "openid" }))?;
        return Err(Problem::forbidden("You have no account here; ask an admin for one."));
    }
    let wanted = person.suggested_name();
    for number in 1..=50 {
        let name = if number == 1 { wanted.clone() } else { format!("{wanted}-{number}") };
        let Ok(name) = check_name(&name) else { break };
        let new = NewUser {
            name,
            email: person.email.as_deref().and_then(|email| check_email(email).ok().flatten()),
            role: UserRole::User,
            password_hash: None,
            identity: Some((issuer.to_owned(), person.sub.clone())),
            max_running: None,
        };
        if let Some(user) = app.store.add_user(&new, app.now())? {
            write_audit_entry(
                app,
                &nobody,
                "user-create",
                &user.name,
                json!({ "id": user.id, "by": "openid" }),
            )?;
            return Ok(user);
        }
        // A concurrent login of the same user may have created the account.
        if let Some(user) = app.store.find_user_by_identity(issuer, &person.sub)? {
            return Ok(user);
        }
    }
    Err(Problem::conflict("All names for your account are taken; ask an admin to create it."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_paths_of_our_own_are_gone_back_to() {
        for good in ["/", "/tasks/3", "/search?q=a&bbox=1,2,3,4#map"] {
            assert_eq!(own_path(good), good);
        }
        for bad in [
            "",
            "tasks",
            "//evil.example",
            "/\\evil.example",
            "https://evil.example/",
            "/\t/evil.example",
            "javascript:alert(1)",
            "/a\r\nSet-Cookie: x",
            "\\\\evil.example",
            "/%0a b",
        ] {
            assert_eq!(own_path(bad), "/", "{bad:?}");
        }
    }

    #[test]
    fn a_state_works_once_and_not_for_long_and_few_wait() {
        let logins = PendingLogins::default();
        let since = Timestamp::UNIX_EPOCH;
        let later = |seconds| since + SignedDuration::from_secs(seconds);
        let pending = |since| PendingLogin {
            browser: [0; 32],
            nonce: String::new(),
            verifier: String::new(),
            back: "/".into(),
            since,
        };
        logins.put("a", pending(since));
        logins.put("b", pending(since));
        assert!(logins.take("a", later(599)).is_some());
        assert!(logins.take("a", later(599)).is_none());
        assert!(logins.take("b", later(600)).is_none());
        for n in 0..PENDING + 10 {
            logins.put(&n.to_string(), pending(later(n as i64 / 100)));
        }
        assert!(logins.table().len() <= PENDING);
    }
}
