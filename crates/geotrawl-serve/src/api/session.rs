//! Login and logout.

use crate::api::extract::{Json, Query};
use crate::auth::oidc::{self, OidcCallback};
use crate::auth::peer::RequestPeer;
use crate::auth::{Caller, OpenSession, cookies, gate, passwords, secrets, write_audit_entry};
use crate::{App, Problem};
use axum::Extension;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use geotrawl_model::account::{User, UserRole, UserSession};
use geotrawl_model::task::{JobFilter, JobState};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// Builds the router.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(session, log_in, log_out))
        .routes(routes!(oidc_start))
        .routes(routes!(oidc_callback))
}

/// Role of a user.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = Role)]
pub enum RoleName {
    User,
    Admin,
}

impl From<UserRole> for RoleName {
    fn from(role: UserRole) -> Self {
        match role {
            UserRole::User => Self::User,
            UserRole::Admin => Self::Admin,
        }
    }
}

impl From<RoleName> for UserRole {
    fn from(role: RoleName) -> Self {
        match role {
            RoleName::User => Self::User,
            RoleName::Admin => Self::Admin,
        }
    }
}

/// The user who is logged in.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Me {
    pub id: i64,
    pub name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub email: Option<String>,
    pub role: RoleName,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_running: Option<u32>,
}

/// The current session.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct SessionState {
    /// `null` for guests.
    pub user: Option<Me>,
    /// Value of the `X-CSRF-Token` header for changes; `null` for guests and tokens.
    pub csrf: Option<String>,
    /// Number of running tasks of the user, and the limit; a limit of `null` means none, as for
    /// admins.
    pub running: u64,
    pub max_running: Option<u32>,
}

/// Name and password.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Login {
    pub name: String,
    pub password: String,
}

fn state_of(app: &App, user: Option<&User>, csrf: Option<String>) -> Result<SessionState, Problem> {
    let general = Some(app.settings_blocking().max_running);
    let Some(user) = user else {
        return Ok(SessionState { user: None, csrf: None, running: 0, max_running: general });
    };
    let filter = JobFilter {
        owner: Some(user.id),
        states: vec![JobState::Queued, JobState::Running, JobState::Pausing, JobState::Stopping],
        limit: 1,
        ..JobFilter::default()
    };
    let (_, running) = app.store.list_jobs(&filter)?;
    let me = Me {
        id: user.id,
        name: user.name.clone(),
        email: user.email.clone(),
        role: user.role.into(),
        max_running: user.max_running,
    };
    // The same rule as in the store, which enforces the limit.
    let max_running = user.max_running.or(general.filter(|_| user.role != UserRole::Admin));
    Ok(SessionState { user: Some(me), csrf, running, max_running })
}

/// Builds a response that must not be cached, because it contains secrets.
fn unstored(state: SessionState) -> Response {
    let mut response = Json(state).into_response();
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

/// Current session
#[utoipa::path(
    get, path = "/session", tag = "session",
    responses((status = 200, body = SessionState)),
    extensions(("x-needs" = json!("guest")), ("x-scope" = json!("read")))
)]
async fn session(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Extension(open): Extension<OpenSession>,
) -> Result<Response, Problem> {
    let csrf = open.0.map(|session| session.csrf);
    let state = app.blocking(move |app| state_of(app, caller.user.as_ref(), csrf)).await?;
    Ok(unstored(state))
}

/// Log in
///
/// Sets the session cookie. Repeated failures lead to increasing waiting times.
#[utoipa::path(
    post, path = "/session", tag = "session", request_body = Login,
    responses(
        (status = 200, body = SessionState),
        (status = 401, body = Problem, content_type = "application/problem+json"),
        (status = 422, body = Problem, content_type = "application/problem+json"),
        (status = 429, body = Problem, content_type = "application/problem+json"),
    ),
    extensions(("x-needs" = json!("guest")), ("x-scope" = json!("read")))
)]
async fn log_in(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Extension(peer): Extension<RequestPeer>,
    Json(login): Json<Login>,
) -> Result<Response, Problem> {
    // The name goes into the audit log as typed, so limit its length.
    let name: String = login.name.chars().take(100).collect();
    let attempt = app.auth.throttle.begin_attempt(&name, caller.address, app.now()).map_err(|seconds| {
        Problem::too_many_requests(seconds, format!("Too many login attempts; wait {seconds} seconds."))
    })?;
    let asked = name.clone();
    let found = app.blocking(move |app| Ok(app.store.find_user_by_name(&asked)?)).await?;
    let hash = found.as_ref().and_then(|(_, hash)| hash.clone());
    let password = login.password;
    let right = app
        .auth
        .hashing
        .run_hashing(move || passwords::verify_or_pretend(&password, hash.as_deref()))
        .await?;
    let user = found.map(|(user, _)| user).filter(|user| right && !user.disabled);
    let Some(user) = user else {
        let guest = Caller { user: None, session: None, scopes: None, address: caller.address };
        app.blocking(move |app| write_audit_entry(app, &guest, "login-failed", &name, json!({}))).await?;
        return Err(Problem::unauthenticated("Wrong name or password."));
    };
    app.auth.throttle.record_success(attempt, app.now());
    let (secret, state) = open(&app, user, caller.session, caller.address, "password").await?;
    let mut response = unstored(state);
    cookies::append_cookie(
        response.headers_mut(),
        cookies::session_cookie(secret, peer, app.config.session_hours.max(1)),
    );
    Ok(response)
}

/// Opens a new session, always with a new secret, and closes the browser's previous one.
async fn open(
    app: &App,
    user: User,
    before: Option<[u8; 32]>,
    address: Option<std::net::IpAddr>,
    by: &'static str,
) -> Result<(String, SessionState), Problem> {
    let (secret, csrf) = (secrets::new_secret()?, secrets::new_secret()?);
    let now = app.now();
    let session = UserSession {
        key: secrets::hash_secret(&secret),
        user: user.id,
        created: now,
        expires: gate::session_expiry(app, now),
        csrf: csrf.clone(),
    };
    let state = app
        .blocking(move |app| {
            if let Some(before) = before {
                app.store.close_session(&before)?;
            }
            app.store.open_session(&session)?;
            let caller =
                Caller { user: Some(user.clone()), session: Some(session.key), scopes: None, address };
            write_audit_entry(app, &caller, "login", &user.name, json!({ "by": by }))?;
            state_of(app, Some(&user), Some(csrf))
        })
        .await?;
    Ok((secret, state))
}

/// Log out
#[utoipa::path(
    delete, path = "/session", tag = "session",
    responses((status = 204), (status = 401, body = Problem, content_type = "application/problem+json")),
    extensions(("x-needs" = json!("user")))
)]
async fn log_out(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Extension(peer): Extension<RequestPeer>,
) -> Result<Response, Problem> {
    app.blocking(move |app| {
        if let Some(key) = caller.session {
            app.store.close_session(&key)?;
        }
        write_audit_entry(app, &caller, "logout", caller.audit_name(), json!({}))
    })
    .await?;
    let mut response = StatusCode::NO_CONTENT.into_response();
    cookies::append_cookie(response.headers_mut(), cookies::expired_session_cookie(peer));
    Ok(response)
}

/// Where to go after logging in.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct ReturnQuery {
    /// Path in this application.
    #[serde(default)]
    back: Option<String>,
}

/// Log in with OpenID Connect
#[utoipa::path(
    get, path = "/oidc/start", tag = "session", params(ReturnQuery),
    responses(
        (status = 302, description = "Redirect to the provider"),
        (status = 404, body = Problem, content_type = "application/problem+json"),
        (status = 502, body = Problem, content_type = "application/problem+json"),
    ),
    extensions(("x-needs" = json!("guest")), ("x-scope" = json!("read")))
)]
async fn oidc_start(
    State(app): State<App>,
    Extension(peer): Extension<RequestPeer>,
    Query(back): Query<ReturnQuery>,
) -> Result<Response, Problem> {
    let (to, browser) = oidc::start_login(&app, back.back.as_deref().unwrap_or("/")).await?;
    let mut response = redirect(&to);
    cookies::append_cookie(response.headers_mut(), oidc::browser_cookie(browser, peer));
    Ok(response)
}

/// Callback of the OpenID Connect provider
#[utoipa::path(
    get, path = "/oidc/callback", tag = "session", params(OidcCallback),
    responses(
        (status = 302, description = "Logged in; redirect to the requested page"),
        (status = 401, body = Problem, content_type = "application/problem+json"),
        (status = 403, body = Problem, content_type = "application/problem+json"),
        (status = 404, body = Problem, content_type = "application/problem+json"),
        (status = 502, body = Problem, content_type = "application/problem+json"),
    ),
    extensions(("x-needs" = json!("guest")), ("x-scope" = json!("read")))
)]
async fn oidc_callback(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Extension(peer): Extension<RequestPeer>,
    headers: HeaderMap,
    Query(callback): Query<OidcCallback>,
) -> Result<Response, Problem> {
    let browser = cookies::read_cookie(&headers, oidc::BROWSER);
    let (user, back) = oidc::finish_login(&app, callback, browser.as_deref(), caller.address).await?;
    let (secret, _) = open(&app, user, caller.session, caller.address, "openid").await?;
    let mut response = redirect(&back);
    let headers = response.headers_mut();
    cookies::append_cookie(headers, cookies::session_cookie(secret, peer, app.config.session_hours.max(1)));
    cookies::append_cookie(headers, oidc::browser_cookie(String::new(), peer));
    Ok(response)
}

fn redirect(to: &str) -> Response {
    let mut response = StatusCode::FOUND.into_response();
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    match HeaderValue::from_str(to) {
        Ok(to) => {
            headers.insert(header::LOCATION, to);
            response
        }
        Err(error) => Problem::internal(&format!("cannot build a redirect: {error}")).into_response(),
    }
}
