//! The gate before every handler: authentication, rate limit, authorisation and CSRF protection.

use super::needs::{AccessRequirement, RequiredRole};
use super::peer::RequestPeer;
use super::{Caller, OpenSession, cookies, secrets};
use crate::{App, Problem};
use axum::extract::{ConnectInfo, MatchedPath, Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use geotrawl_model::account::{UserRole, UserSession};
use jiff::{SignedDuration, Timestamp};
use std::net::SocketAddr;
use std::time::Duration;

/// Time until a response must start; streams may then continue without limit.
const ANSWER_TIME: Duration = Duration::from_mins(1);
/// The same for downloads, which are prepared before they are sent.
const FILE_TIME: Duration = Duration::from_mins(10);
/// Minimum interval between extensions of a session.
const EXTEND_EVERY: SignedDuration = SignedDuration::from_secs(60);

/// Middleware that lets a request pass or refuses it.
pub(crate) async fn authorize_request(State(app): State<App>, mut request: Request, next: Next) -> Response {
    let connected = request.extensions().get::<ConnectInfo<SocketAddr>>().map(|info| info.0.ip());
    let peer = RequestPeer::from_headers(&app.config, connected, request.headers());
    request.extensions_mut().insert(peer);
    let path = request.extensions().get::<MatchedPath>().map(|path| path.as_str().to_owned());
    let Some(path) = path.filter(|path| path.starts_with(crate::server::API)) else {
        // The web application and its files, health endpoints, and unknown paths need no
        // authorisation.
        return next.run(request).await;
    };
    let needs = match app.auth.routes.get().map(|routes| routes.requirement_for(&path, request.method())) {
        Some(Ok(needs)) => needs.clone(),
        Some(Err(methods)) => return no_such_method(&methods),
        None => {
            return Problem::internal("the gate has no access requirements of the routes").into_response();
        }
    };
    match admit(&app, peer, &needs, request.method(), request.headers()).await {
        Ok((caller, session)) => {
            request.extensions_mut().insert(caller);
            request.extensions_mut().insert(session);
        }
        Err(refusal) => return refusal,
    }
    let time = if needs.scope.as_deref() == Some("download") { FILE_TIME } else { ANSWER_TIME };
    match tokio::time::timeout(time, next.run(request)).await {
        Ok(response) => response,
        Err(_elapsed) => {
            let mut problem = Problem::from_status(
                StatusCode::SERVICE_UNAVAILABLE,
                "The request took too long. Request less, or try again later.",
            );
            problem.retry_after = Some(10);
            problem.into_response()
        }
    }
}

fn no_such_method(methods: &[&Method]) -> Response {
    if methods.is_empty() {
        return Problem::not_found("There is no such API endpoint.").into_response();
    }
    let mut allowed: Vec<&str> = methods.iter().map(|method| method.as_str()).collect();
    if allowed.contains(&"GET") {
        allowed.push("HEAD");
    }
    let allowed = allowed.join(", ");
    let detail = format!("This endpoint supports {allowed}.");
    let mut response = Problem::from_status(StatusCode::METHOD_NOT_ALLOWED, detail).into_response();
    if let Ok(value) = HeaderValue::from_str(&allowed) {
        response.headers_mut().insert(header::ALLOW, value);
    }
    response
}

/// Runs all checks that can refuse a request, in order.
async fn admit(
    app: &App,
    peer: RequestPeer,
    needs: &AccessRequirement,
    method: &Method,
    headers: &HeaderMap,
) -> Result<(Caller, OpenSession), Response> {
    let credential = RequestCredential::of(headers);
    let known = identify(app, peer, &credential).await.map_err(IntoResponse::into_response)?;
    let is_known = known.is_some();
    let (caller, session) = known.unwrap_or((
        Caller { user: None, session: None, scopes: None, address: peer.address },
        OpenSession(None),
    ));
    let settings = app.settings().await;
    // Counted before unknown tokens are refused, so that guessing tokens is rate-limited, too.
    app.auth.limits.count_request(&caller, &settings, app.now()).map_err(IntoResponse::into_response)?;
    if !is_known {
        return Err(unauthenticated("This token is unknown or has expired.", true));
    }
    authorise(&caller, needs)?;
    if caller.scopes.is_none() && !is_safe(method) {
        let csrf = session.0.as_ref().map(|session| session.csrf.as_str());
        check_csrf(app, headers, csrf).map_err(IntoResponse::into_response)?;
    }
    if let Some(session) = &session.0 {
        extend_session(app, session).await.map_err(IntoResponse::into_response)?;
    }
    Ok((caller, session))
}

enum RequestCredential {
    None,
    Cookie([u8; 32]),
    Token([u8; 32]),
    /// An `Authorization` header that is not one of our tokens.
    Unknown,
}

impl RequestCredential {
    fn of(headers: &HeaderMap) -> Self {
        if let Some(value) = headers.get(header::AUTHORIZATION) {
            let secret = value.to_str().ok().and_then(|text| {
                let (scheme, secret) = text.split_once(' ')?;
                scheme.eq_ignore_ascii_case("bearer").then(|| secret.trim())
            });
            return match secret {
                Some(secret)
                    if secret.starts_with(secrets::TOKEN_PREFIX)
                        && secret.len() <= secrets::LONGEST_SECRET =>
                {
                    Self::Token(secrets::hash_secret(secret))
                }
                _ => Self::Unknown,
            };
        }
        match cookies::read_cookie(headers, cookies::SESSION) {
            Some(secret) if !secret.is_empty() && secret.len() <= secrets::LONGEST_SECRET => {
                Self::Cookie(secrets::hash_secret(&secret))
            }
            _ => Self::None,
        }
    }
}

/// Returns the caller; `None` for invalid credentials. An expired session counts as a guest.
async fn identify(
    app: &App,
    peer: RequestPeer,
    credential: &RequestCredential,
) -> Result<Option<(Caller, OpenSession)>, Problem> {
    let guest = Caller { user: None, session: None, scopes: None, address: peer.address };
    match *credential {
        RequestCredential::None => Ok(Some((guest, OpenSession(None)))),
        RequestCredential::Unknown => Ok(None),
        RequestCredential::Cookie(key) => {
            let found = app.blocking(move |app| Ok(app.store.find_session(&key, app.now())?)).await?;
            Ok(Some(match found {
                Some((session, user)) => {
                    let caller = Caller { user: Some(user), session: Some(key), ..guest };
                    (caller, OpenSession(Some(session)))
                }
                None => (guest, OpenSession(None)),
            }))
        }
        RequestCredential::Token(key) => {
            let found = app.blocking(move |app| Ok(app.store.find_token(&key, app.now())?)).await?;
            Ok(found.map(|(token, user)| {
                let caller = Caller { user: Some(user), scopes: Some(token.scopes), ..guest };
                (caller, OpenSession(None))
            }))
        }
    }
}

/// Checks whether the caller may use the route.
#[expect(clippy::result_large_err, reason = "refusals are rare and carry headers")]
fn authorise(caller: &Caller, needs: &AccessRequirement) -> Result<(), Response> {
    let role = caller.user.as_ref().map(|user| user.role);
    match (needs.who, role) {
        (RequiredRole::Guest, _)
        | (RequiredRole::User, Some(_))
        | (RequiredRole::Admin, Some(UserRole::Admin)) => {}
        (_, None) => return Err(unauthenticated("You need to log in first.", false)),
        (RequiredRole::Admin, Some(UserRole::User)) => {
            return Err(Problem::forbidden("Only admins can do this.").into_response());
        }
    }
    let Some(scopes) = &caller.scopes else { return Ok(()) };
    match &needs.scope {
        Some(scope) if scopes.contains(scope) => Ok(()),
        Some(scope) => {
            Err(Problem::forbidden(format!("This token lacks the scope “{scope}”.")).into_response())
        }
        None => Err(Problem::forbidden("Tokens cannot be used for this; log in instead.").into_response()),
    }
}

fn unauthenticated(detail: &str, wrong_token: bool) -> Response {
    let mut response = Problem::unauthenticated(detail).into_response();
    let challenge = if wrong_token {
        "Bearer realm=\"geotrawl\", error=\"invalid_token\""
    } else {
        "Bearer realm=\"geotrawl\""
    };
    response.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static(challenge));
    response
}

fn is_safe(method: &Method) -> bool {
    *method == Method::GET || *method == Method::HEAD
}

/// Checks that our own page requested a change: browsers say so, and only our page knows the CSRF
/// token of the session.
fn check_csrf(app: &App, headers: &HeaderMap, csrf: Option<&str>) -> Result<(), Problem> {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let elsewhere = || Problem::forbidden("Cross-site requests cannot make changes.");
    match text("sec-fetch-site") {
        Some("same-origin" | "none") => {}
        Some(_) => return Err(elsewhere()),
        None => {
            if headers.contains_key(header::ORIGIN)
                && !text("origin").is_some_and(|it| is_own_origin(app, headers, it))
            {
                return Err(elsewhere());
            }
        }
    }
    // Guests have no session and therefore no CSRF token.
    let Some(expected) = csrf else { return Ok(()) };
    match text("x-csrf-token") {
        Some(given) if secrets::constant_time_eq(given, expected) => Ok(()),
        Some(_) => {
            Err(Problem::forbidden("The X-CSRF-Token header does not match this session; reload the page."))
        }
        None => Err(Problem::forbidden(
            "Changes require the X-CSRF-Token header with the value of `csrf` from GET /session.",
        )),
    }
}

/// Whether an origin is this server, by its public address or by the request's host.
fn is_own_origin(app: &App, headers: &HeaderMap, origin: &str) -> bool {
    let Ok(origin) = url::Url::parse(origin) else { return false };
    let public = url::Url::parse(&app.config.public_url).ok();
    if public.is_some_and(|public| public.origin() == origin.origin()) {
        return true;
    }
    let Some(host) = headers.get(header::HOST).and_then(|value| value.to_str().ok()) else { return false };
    url::Url::parse(&format!("{}://{host}", origin.scheme()))
        .is_ok_and(|ours| ours.origin() == origin.origin() && ours.origin().is_tuple())
}

/// Returns the expiry time of a session that is used now.
pub(crate) fn session_expiry(app: &App, now: Timestamp) -> Timestamp {
    let hours = SignedDuration::from_hours(i64::from(app.config.session_hours.max(1)));
    now.checked_add(hours).unwrap_or(Timestamp::MAX)
}

/// Extends a session that is used, at most once per minute.
async fn extend_session(app: &App, session: &UserSession) -> Result<(), Problem> {
    let end = session_expiry(app, app.now());
    if end.duration_since(session.expires) < EXTEND_EVERY {
        return Ok(());
    }
    let key = session.key;
    app.blocking(move |app| Ok(app.store.extend_session(&key, end)?)).await
}
