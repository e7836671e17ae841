//! The caller's own account: password and API tokens.

use crate::api::extract::{Json, Path};
use crate::auth::needs::SCOPES;
use crate::auth::{Caller, OpenSession, passwords, secrets, write_audit_entry};
use crate::{App, Problem};
use axum::Extension;
use axum::extract::State;
use axum::http::StatusCode;
use geotrawl_model::account::{ApiToken, UserChange, UserRole};
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// Maximum number of tokens per user.
const TOKENS: usize = 100;
/// Longest lifetime of a token that expires.
const LONGEST_DAYS: u32 = 3_650;

/// Builds the router.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(change_password))
        .routes(routes!(tokens, add_token))
        .routes(routes!(remove_token))
}

/// A new password, and the old one as confirmation.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PasswordChange {
    pub old: String,
    pub new: String,
}

/// Change your password
///
/// Ends all your other sessions.
#[utoipa::path(
    put, path = "/account/password", tag = "account", request_body = PasswordChange,
    responses(
        (status = 204),
        (status = 403, description = "The old password is wrong", body = Problem, content_type = "application/problem+json"),
        (status = 409, body = Problem, content_type = "application/problem+json"),
        (status = 422, body = Problem, content_type = "application/problem+json"),
        (status = 429, body = Problem, content_type = "application/problem+json"),
    ),
    extensions(("x-needs" = json!("user")))
)]
async fn change_password(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Extension(open): Extension<OpenSession>,
    Json(change): Json<PasswordChange>,
) -> Result<StatusCode, Problem> {
    let user = caller.require_user()?.clone();
    // Validated before the old password is tried, so that mistyping the new one does not count as
    // an attempt.
    passwords::check_password(&user.name, &change.new)
        .map_err(|error| Problem::unprocessable("new", error.to_string()))?;
    let attempt =
        app.auth.throttle.begin_attempt(&user.name, caller.address, app.now()).map_err(|seconds| {
            Problem::too_many_requests(seconds, format!("Too many attempts; wait {seconds} seconds."))
        })?;
    let name = user.name.clone();
    let hash =
        app.blocking(move |app| Ok(app.store.find_user_by_name(&name)?)).await?.and_then(|(_, hash)| hash);
    let Some(hash) = hash else {
        return Err(Problem::conflict("You log in with OpenID Connect and have no password here."));
    };
    let old = change.old;
    if !app.auth.hashing.run_hashing(move || passwords::verify_password(&old, &hash)).await? {
        return Err(Problem::forbidden("The old password is wrong."));
    }
    app.auth.throttle.record_success(attempt, app.now());
    let hash = app.auth.hashing.hash_new_password("new", &user.name, &change.new).await?;
    app.blocking(move |app| {
        let change = UserChange { password_hash: Some(hash), ..UserChange::default() };
        app.store.change_user(user.id, &change)?;
        // The change ended all sessions, so reopen the current one.
        if let Some(session) = &open.0 {
            app.store.open_session(session)?;
        }
        write_audit_entry(app, &caller, "password", &user.name, json!({}))
    })
    .await?;
    Ok(StatusCode::NO_CONTENT)
}

/// An API token, without its secret.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct TokenInfo {
    pub id: i64,
    pub name: String,
    /// `read`, `download`, `tasks`, `admin`.
    pub scopes: Vec<String>,
    pub created: Timestamp,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_used: Option<Timestamp>,
}

impl From<ApiToken> for TokenInfo {
    fn from(token: ApiToken) -> Self {
        let ApiToken { id, user: _, name, scopes, created, expires, last_used } = token;
        Self { id, name, scopes, created, expires, last_used }
    }
}

/// The tokens of a user.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Tokens {
    pub total: u64,
    pub results: Vec<TokenInfo>,
}

/// Your tokens
#[utoipa::path(
    get, path = "/account/tokens", tag = "account",
    responses((status = 200, body = Tokens)),
    extensions(("x-needs" = json!("user")))
)]
async fn tokens(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
) -> Result<Json<Tokens>, Problem> {
    let user = caller.require_user()?.id;
    let tokens = app.blocking(move |app| Ok(app.store.list_tokens(user)?)).await?;
    let results: Vec<TokenInfo> = tokens.into_iter().map(TokenInfo::from).collect();
    Ok(Json(Tokens { total: results.len() as u64, results }))
}

/// A token to create.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewToken {
    /// What the token is for; only shown to you.
    pub name: String,
    /// `read`, `download`, `tasks`, `admin` (admins only).
    pub scopes: Vec<String>,
    /// Days until the token expires; `null`: never.
    #[serde(default)]
    pub days: Option<u32>,
}

/// A new token.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct CreatedToken {
    pub token: TokenInfo,
    /// Only shown once.
    pub secret: String,
}

/// Create a token
#[utoipa::path(
    post, path = "/account/tokens", tag = "account", request_body = NewToken,
    responses(
        (status = 201, body = CreatedToken),
        (status = 409, body = Problem, content_type = "application/problem+json"),
        (status = 422, body = Problem, content_type = "application/problem+json"),
    ),
    extensions(("x-needs" = json!("user")))
)]
async fn add_token(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Json(new): Json<NewToken>,
) -> Result<(StatusCode, Json<CreatedToken>), Problem> {
    let user = caller.require_user()?;
    let now = app.now();
    let token = ApiToken {
        id: 0,
        user: user.id,
        name: token_name(&new.name)?,
        scopes: scopes(&new.scopes, user.role)?,
        created: now,
        expires: new.days.map(|days| end(now, days)).transpose()?,
        last_used: None,
    };
    let secret = format!("{}{}", secrets::TOKEN_PREFIX, secrets::new_secret()?);
    let key = secrets::hash_secret(&secret);
    let token = app
        .blocking(move |app| {
            if app.store.list_tokens(token.user)?.len() >= TOKENS {
                return Err(Problem::conflict(format!(
                    "You already have {TOKENS} tokens; remove one first."
                )));
            }
            let token = app.store.add_token(&token, &key)?;
            let detail = json!({ "id": token.id, "scopes": token.scopes });
            write_audit_entry(app, &caller, "token-create", &token.name, detail)?;
            Ok(token)
        })
        .await?;
    Ok((StatusCode::CREATED, Json(CreatedToken { token: token.into(), secret })))
}

fn token_name(name: &str) -> Result<String, Problem> {
    let name = name.trim();
    if name.is_empty() || name.chars().count() > 100 || name.chars().any(char::is_control) {
        return Err(Problem::unprocessable("name", "Token names need 1 to 100 characters."));
    }
    Ok(name.to_owned())
}

fn scopes(asked: &[String], role: UserRole) -> Result<Vec<String>, Problem> {
    let wrong = |what: String| Err(Problem::unprocessable("scopes", what));
    if let Some(unknown) = asked.iter().find(|scope| !SCOPES.contains(&scope.as_str())) {
        let unknown: String = unknown.chars().take(50).collect();
        return wrong(format!("“{unknown}” is not a scope; the scopes are {}.", SCOPES.join(", ")));
    }
    if role != UserRole::Admin && asked.iter().any(|scope| scope == "admin") {
        return wrong("Only admins can create tokens with the scope “admin”.".to_owned());
    }
    let known = SCOPES.iter().filter(|scope| asked.iter().any(|one| one == *scope));
    let scopes: Vec<String> = known.map(|scope| (*scope).to_owned()).collect();
    if scopes.is_empty() { wrong("A token needs at least one scope.".to_owned()) } else { Ok(scopes) }
}

fn end(now: Timestamp, days: u32) -> Result<Timestamp, Problem> {
    let wrong = || Problem::unprocessable("days", format!("A token can last 1 to {LONGEST_DAYS} days."));
    if !(1..=LONGEST_DAYS).contains(&days) {
        return Err(wrong());
    }
    now.checked_add(SignedDuration::from_hours(24 * i64::from(days))).map_err(|_beyond_the_calendar| wrong())
}

/// Remove a token
#[utoipa::path(
    delete, path = "/account/tokens/{id}", tag = "account", params(("id" = i64, Path)),
    responses((status = 204), (status = 404, body = Problem, content_type = "application/problem+json")),
    extensions(("x-needs" = json!("user")))
)]
async fn remove_token(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<i64>,
) -> Result<StatusCode, Problem> {
    let user = caller.require_user()?.id;
    app.blocking(move |app| {
        if !app.store.remove_token(user, id)? {
            return Err(Problem::not_found("You have no token with this id."));
        }
        write_audit_entry(app, &caller, "token-revoke", &id.to_string(), json!({}))
    })
    .await?;
    Ok(StatusCode::NO_CONTENT)
}
