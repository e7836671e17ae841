//! A whole server over an empty catalogue, with a clock that tests drive.

pub use geotrawl_testkit::{Engine, TestStore};

use argon2::{Algorithm, Argon2, Params, PasswordHasher, Version};
use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::{HeaderMap, Method, Request, StatusCode};
use geotrawl_index::{CatalogueIndex, IndexOptions};
use geotrawl_model::account::{ApiToken, NewUser, User, UserRole, UserSession};
use geotrawl_serve::auth::secrets;
use geotrawl_serve::outbound::{DisabledClient, OutboundClient};
use geotrawl_serve::{App, ServeConfig, server};
use geotrawl_testkit::TestClock;
use jiff::SignedDuration;
use serde_json::Value;
use std::net::SocketAddr;
use std::sync::Arc;
use tower::ServiceExt;
use utoipa::openapi::OpenApi;

pub const PASSWORD: &str = "correct horse battery";
/// Start time of every test.
const START: i64 = 1_790_000_000;

pub struct TestServer {
    pub app: App,
    pub router: Router,
    pub document: OpenApi,
    clock: TestClock,
    _place: TestStore,
}

/// A browser with a logged-in user.
#[derive(Clone)]
pub struct BrowserSession {
    pub cookie: String,
    pub csrf: String,
}

pub fn test_server(engine: Engine) -> TestServer {
    test_server_with(engine, ServeConfig::default())
}

pub fn test_server_with(engine: Engine, config: ServeConfig) -> TestServer {
    test_server_reaching(engine, config, Arc::new(DisabledClient))
}

pub fn test_server_reaching(
    engine: Engine,
    config: ServeConfig,
    outbound: Arc<dyn OutboundClient>,
) -> TestServer {
    let place = TestStore::new(engine);
    let store = place.open();
    let index = CatalogueIndex::open(&place.path().join("index"), &IndexOptions::default()).unwrap();
    let clock = TestClock::starting_at(START);
    let app =
        App { clock: clock.as_function(), ..App::new(store, Arc::new(index), Arc::new(config), outbound) };
    let (router, document) = server::build_router(app.clone());
    TestServer { app, router, document, clock, _place: place }
}

/// Returns a password hash of the usual format that is cheap to compute.
fn cheap_hash(password: &str) -> String {
    let params = Params::new(8, 1, 1, None).unwrap();
    let engine = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
    engine.hash_password(password.as_bytes()).unwrap().to_string()
}

impl TestServer {
    pub fn advance_clock(&self, seconds: i64) {
        self.clock.advance(SignedDuration::from_secs(seconds));
    }

    pub fn add_user(&self, name: &str, role: UserRole) -> User {
        let new = NewUser {
            name: name.into(),
            email: None,
            role,
            password_hash: Some(cheap_hash(PASSWORD)),
            identity: None,
            max_running: None,
        };
        self.app.store.add_user(&new, self.app.now()).unwrap().unwrap()
    }

    /// Logs a user in without a password.
    pub fn open_session(&self, user: &User) -> BrowserSession {
        let (secret, csrf) = (secrets::new_secret().unwrap(), secrets::new_secret().unwrap());
        let (key, created) = (secrets::hash_secret(&secret), self.app.now());
        let expires = created + SignedDuration::from_hours(72);
        let session = UserSession { key, user: user.id, created, expires, csrf: csrf.clone() };
        self.app.store.open_session(&session).unwrap();
        BrowserSession { cookie: format!("geotrawl_session={secret}"), csrf }
    }

    pub fn add_token(&self, user: &User, scopes: &[&str]) -> String {
        let secret = format!("gt_{}", secrets::new_secret().unwrap());
        let token = ApiToken {
            id: 0,
            user: user.id,
            name: "test".into(),
            scopes: scopes.iter().map(|scope| (*scope).to_owned()).collect(),
            created: self.app.now(),
            expires: None,
            last_used: None,
        };
        self.app.store.add_token(&token, &secrets::hash_secret(&secret)).unwrap();
        secret
    }

    pub async fn send(&self, ask: TestRequest) -> TestResponse {
        send(self.router.clone(), ask).await
    }

    /// Logs in with a password, as a user does.
    pub async fn log_in(&self, name: &str, password: &str) -> TestResponse {
        let body = serde_json::json!({ "name": name, "password": password });
        self.send(TestRequest::post("/api/v1/session").json(body)).await
    }

    /// Returns the actions in the audit log, newest first.
    pub fn audit_actions(&self) -> Vec<String> {
        self.app.store.audit_log(0, 100).unwrap().into_iter().map(|entry| entry.action).collect()
    }
}

pub async fn send(router: Router, ask: TestRequest) -> TestResponse {
    let response = router.oneshot(ask.0).await.unwrap();
    let (parts, body) = response.into_parts();
    let body = axum::body::to_bytes(body, 10 << 20).await.unwrap();
    TestResponse { status: parts.status, headers: parts.headers, body: body.to_vec() }
}

/// A request under construction.
pub struct TestRequest(pub Request<Body>);

impl TestRequest {
    pub fn new(method: Method, path: &str) -> Self {
        let mut request = Request::new(Body::empty());
        *request.method_mut() = method;
        *request.uri_mut() = path.parse().unwrap();
        Self(request).header("host", "maps.example").with_address("192.0.2.1")
    }

    pub fn get(path: &str) -> Self {
        Self::new(Method::GET, path)
    }

    pub fn post(path: &str) -> Self {
        Self::new(Method::POST, path)
    }

    pub fn with_address(mut self, address: &str) -> Self {
        let address = SocketAddr::new(address.parse().unwrap(), 40_000);
        self.0.extensions_mut().insert(ConnectInfo(address));
        self
    }

    pub fn header(mut self, name: &'static str, value: &str) -> Self {
        self.0.headers_mut().insert(name, value.parse().unwrap());
        self
    }

    pub fn json(self, body: Value) -> Self {
        self.body("application/json", body.to_string())
    }

    pub fn body(self, media: &str, body: String) -> Self {
        let mut ask = self.header("content-type", media);
        *ask.0.body_mut() = Body::from(body);
        ask
    }

    /// Sends the request from our own page in a logged-in browser.
    pub fn with_session(self, browser: &BrowserSession) -> Self {
        self.with_cookie(browser).header("x-csrf-token", &browser.csrf)
    }

    pub fn with_cookie(self, browser: &BrowserSession) -> Self {
        self.header("cookie", &browser.cookie)
    }

    pub fn with_token(self, secret: &str) -> Self {
        self.header("authorization", &format!("Bearer {secret}"))
    }
}

pub struct TestResponse {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: Vec<u8>,
}

impl TestResponse {
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).expect("JSON")
    }

    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    /// Expects a problem document and returns its status and content.
    pub fn expect_problem(&self) -> (u16, Value) {
        assert_eq!(self.header("content-type"), "application/problem+json", "{}", self.text());
        let problem = self.json();
        assert_eq!(problem["status"], self.status.as_u16());
        assert!(problem["type"].as_str().unwrap().starts_with("urn:geotrawl:problem:"));
        assert!(!problem["title"].as_str().unwrap().is_empty());
        assert!(!problem["detail"].as_str().unwrap().is_empty());
        (self.status.as_u16(), problem)
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// Returns the browser session that this response opened.
    pub fn new_session(&self) -> BrowserSession {
        let cookie = self.header("set-cookie").split(';').next().unwrap().to_owned();
        BrowserSession { cookie, csrf: self.json()["csrf"].as_str().unwrap().to_owned() }
    }
}
