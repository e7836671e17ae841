//! Before every handler: who asks, how often, whether they may, and whether it is they who ask.

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

/// Time for an answer to begin; streams may go on as long as they like.
const ANSWER_TIME: Duration = Duration::from_mins(1);
/// The same for files, which are made before they are sent.
const FILE_TIME: Duration = Duration::from_mins(10);
/// A session is moved on at most this often.
const EXTEND_EVERY: SignedDuration = SignedDuration::from_secs(60);

/// The layer.
pub(crate) async fn authorize_request(State(app): State<App>, mut request: Request, next: Next) -> Response {
    let connected = request.extensions().get::<ConnectInfo<SocketAddr>>().map(|info| info.0.ip());
    let peer = RequestPeer::from_headers(&app.config, connected, request.headers());
    request.extensions_mut().insert(peer);
    let path = request.extensions().get::<MatchedPath>().map(|path| path.as_str().to_owned());
    let Some(path) = path.filter(|path| path.starts_with(crate::server::API)) else {
        // The page and its files, the health of the server, what does not exist.
        return next.run(request).await;
    };
    let needs = match app.auth.routes.get().map(|routes| routes.requirement_for(&path, request.method())) {
        Some(Ok(needs)) => needs.clone(),
        Some(Err(methods)) => return no_such_method(&methods),
        None => return Problem::internal("the routes are not known to the gate").into_response(),
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
                "The answer took too long. Ask for less, or try again later.",
            );
            problem.retry_after = Some(10);
            problem.into_response()
        }
    }
}

fn no_such_method(methods: &[&Method]) -> Response {
    if methods.is_empty() {
        return Problem::not_found("There is nothing at this address.").into_response();
    }
    let mut allowed: Vec<&str> = methods.iter().map(|method| method.as_str()).collect();
    if allowed.contains(&"GET") {
        allowed.push("HEAD");
    }
    let allowed = allowed.join(", ");
    let detail = format!("This address understands {allowed}.");
    let mut response = Problem::from_status(StatusCode::METHOD_NOT_ALLOWED, detail).into_response();
    if let Ok(value) = HeaderValue::from_str(&allowed) {
        response.headers_mut().insert(header::ALLOW, value);
    }
    response
}

/// Everything that can refuse a request, in order.
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
    app.auth.limits.count_request(&caller, &settings, app.now()).map_err(IntoResponse::into_response)?;
    if !is_known {
        return Err(unauthenticated("This token is not known, or it has expired.", true));
    }
    authorise(&caller, needs)?;
    if caller.scopes.is_none() && !is_safe(method) {
        let csrf = session.0.as_ref().map(|session| session.csrf.as_str());
        same_site(app, headers, csrf).map_err(IntoResponse::into_response)?;
    }
    if let Some(session) = &session.0 {
        extend(app, session).await.map_err(IntoResponse::into_response)?;
    }
    Ok((caller, session))
}

enum RequestCredential {
    None,
    Cookie([u8; 32]),
    Token([u8; 32]),
    /// An `Authorization` that is no token of ours.
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

/// Who asks; `None` when they say who they are and it is not true. A session that has ended makes a guest.
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

/// Whether the caller may use the route.
#[expect(clippy::result_large_err, reason = "refusals are rare and carry headers")]
fn authorise(caller: &Caller, needs: &AccessRequirement) -> Result<(), Response> {
    let role = caller.user.as_ref().map(|user| user.role);
    match (needs.who, role) {
        (RequiredRole::Guest, _)
        | (RequiredRole::User, Some(_))
        | (RequiredRole::Admin, Some(UserRole::Admin)) => {}
        (_, None) => return Err(unauthenticated("This is for people who are logged in.", false)),
        (RequiredRole::Admin, Some(UserRole::User)) => {
            return Err(Problem::forbidden("This is for admins only.").into_response());
        }
    }
    let Some(scopes) = &caller.scopes else { return Ok(()) };
    match &needs.scope {
        Some(scope) if scopes.contains(scope) => Ok(()),
        Some(scope) => {
            Err(Problem::forbidden(format!("This token lacks the scope “{scope}”.")).into_response())
        }
        None => Err(Problem::forbidden("This cannot be done with a token; log in.").into_response()),
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

/// Whether a change is asked by our own page: browsers say so, and only our page knows the session's CSRF text.
fn same_site(app: &App, headers: &HeaderMap, csrf: Option<&str>) -> Result<(), Problem> {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let elsewhere = || Problem::forbidden("Another site asked for this change; it is refused.");
    match text("sec-fetch-site") {
        Some("same-origin" | "none") => {}
        Some(_) => return Err(elsewhere()),
        None => {
            if headers.contains_key(header::ORIGIN)
                && !text("origin").is_some_and(|it| is_ours(app, headers, it))
            {
                return Err(elsewhere());
            }
        }
    }
    let Some(expected) = csrf else { return Ok(()) };
    match text("x-csrf-token") {
        Some(given) if secrets::constant_time_eq(given, expected) => Ok(()),
        Some(_) => Err(Problem::forbidden("The header X-CSRF-Token is not that of this session; reload.")),
        None => Err(Problem::forbidden("Changes need the header X-CSRF-Token with `csrf` of GET /session.")),
    }
}

/// Whether an origin is this server, as it is called publicly or as the request calls it.
fn is_ours(app: &App, headers: &HeaderMap, origin: &str) -> bool {
    let Ok(origin) = url::Url::parse(origin) else { return false };
    let public = url::Url::parse(&app.config.public_url).ok();
    if public.is_some_and(|public| public.origin() == origin.origin()) {
        return true;
    }
    let Some(host) = headers.get(header::HOST).and_then(|value| value.to_str().ok()) else { return false };
    url::Url::parse(&format!("{}://{host}", origin.scheme()))
        .is_ok_and(|ours| ours.origin() == origin.origin() && ours.origin().is_tuple())
}

/// End of a session that is used now.
pub(crate) fn session_expiry(app: &App, now: Timestamp) -> Timestamp {
    let hours = SignedDuration::from_hours(i64::from(app.config.session_hours.max(1)));
    now.checked_add(hours).unwrap_or(Timestamp::MAX)
}

/// Moves the end of a session that is used, at most once a minute.
async fn extend(app: &App, session: &UserSession) -> Result<(), Problem> {
    let end = session_expiry(app, app.now());
    if end.duration_since(session.expires) < EXTEND_EVERY {
        return Ok(());
    }
    let key = session.key;
    app.blocking(move |app| Ok(app.store.extend_session(&key, end)?)).await
}
