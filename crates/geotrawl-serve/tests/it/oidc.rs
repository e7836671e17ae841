use crate::common::{Engine, TestRequest, TestResponse, TestServer, test_server, test_server_reaching};
use axum::http::StatusCode;
use geotrawl_model::account::{NewUser, UserChange, UserRole};
use geotrawl_model::alert::Alert;
use geotrawl_serve::ServeConfig;
use geotrawl_serve::config::OidcConfig;
use geotrawl_serve::outbound::{
    OutboundClient, OutboundFuture, OutboundRequest, OutboundResponse, TestAlertFuture,
};
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use url::Url;

const ISSUER: &str = "https://id.example/realm";
const CLIENT: &str = "geotrawl";
const ES256: &[u8] = include_bytes!("keys/es256.pem");
const RS256: &[u8] = include_bytes!("keys/rs256.pem");

/// A provider that signs whatever a test asks for.
struct FakeProvider {
    state: Mutex<ProviderState>,
}

struct ProviderState {
    claims: Value,
    algorithm: Algorithm,
    issuer: String,
    asked: Vec<OutboundRequest>,
}

impl FakeProvider {
    fn token(state: &ProviderState) -> String {
        let mut header = Header::new(state.algorithm);
        let key = match state.algorithm {
            Algorithm::ES256 => {
                header.kid = Some("es".into());
                EncodingKey::from_ec_pem(ES256).unwrap()
            }
            Algorithm::RS256 => {
                header.kid = Some("rs".into());
                EncodingKey::from_rsa_pem(RS256).unwrap()
            }
            // The attack that uses the public key as an HMAC secret.
            _ => EncodingKey::from_secret(CLIENT.as_bytes()),
        };
        encode(&header, &state.claims, &key).unwrap()
    }

    fn answer(&self, request: &OutboundRequest) -> Value {
        let mut state = self.state.lock().unwrap();
        state.asked.push(request.clone());
        match request.url.path() {
            "/realm/.well-known/openid-configuration" => json!({
                "issuer": state.issuer,
                "authorization_endpoint": "https://id.example/authorize?tenant=1",
                "token_endpoint": "https://id.example/token",
                "jwks_uri": "https://id.example/keys",
            }),
            "/keys" => json!({ "keys": [
                { "kty": "weird", "kid": "unknown kind" },
                { "kty": "EC", "kid": "es", "crv": "P-256", "use": "sig",
                  "x": "FtoePYCn4YsrgUeWkXaIvp_xRuV-RmfIVGB3UFeWAUg",
                  "y": "xW7J6obdtMi9iEQwi6fLAJJhsWCCXkilL1CqvsrGxGY" },
                { "kty": "RSA", "kid": "rs", "e": "AQAB", "n": RSA_MODULUS },
            ] }),
            "/token" => json!({ "access_token": "x", "id_token": Self::token(&state) }),
            _ => Value::Null,
        }
    }
}

const RSA_MODULUS: &str = "xaVykc987FhFAS-bZefyjL8YgJB-3nK36eXV6i4UBgw6Ajzksd8xMRnanzEtUQFM0oTYyMJevPkbHwv-\
    GHF2PwIwDdrVE6DQgHb4szPdInUMTdxhMf-vOpaOixAB1h3flRU0E-blghcFd1z_glHwUylfzg45IZbpZTivKpXQKnGLugwI9vSZ7tKw\
    hX-EpYnLPTOSx3oAHWOzATnP3fT1aXedRDVIyKIeNpb7Ezg6imtzVa9HAO2ed6UkZfCCE7YTP3jGoFLzWXJJ4tLrngz9D5NGWmhgLwKv\
    JyPcJoHpj57VSWIk5MO50qSQ8gjHdWDK4YGTl9skJMngnYY5PA7o6Q";

impl OutboundClient for FakeProvider {
    fn send(&self, request: OutboundRequest) -> OutboundFuture<'_> {
        let body = self.answer(&request).to_string().into();
        let content_type = Some("application/json".to_owned());
        let answer = OutboundResponse {
            status: 200,
            content_type,
            body,
            cut: false,
            served_from: None,
            total_length: None,
            url: request.url,
        };
        Box::pin(async move { Ok(answer) })
    }

    fn check_url(&self, _: &Url) -> Result<(), String> {
        Ok(())
    }

    fn send_test_alert<'a>(&'a self, _: &'a Alert) -> TestAlertFuture<'a> {
        Box::pin(async { Err("nobody brings messages here".to_owned()) })
    }
}

struct LoginSetup {
    world: TestServer,
    provider: Arc<FakeProvider>,
    _secret: tempfile::NamedTempFile,
}

/// A login that was redirected to the provider.
struct StartedLogin {
    cookie: String,
    query: HashMap<String, String>,
}

fn scene(engine: Engine, create_users: bool) -> LoginSetup {
    let secret = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(secret.path(), "s3cret:\n").unwrap();
    let oidc = OidcConfig {
        issuer: ISSUER.into(),
        client_id: CLIENT.into(),
        client_secret_file: secret.path().to_owned(),
        label: "Log in".into(),
        create_users,
    };
    let config = ServeConfig {
        public_url: "https://maps.example/".into(),
        oidc: Some(oidc),
        ..ServeConfig::default()
    };
    let state = ProviderState {
        claims: json!({}),
        algorithm: Algorithm::ES256,
        issuer: ISSUER.into(),
        asked: vec![],
    };
    let provider = Arc::new(FakeProvider { state: Mutex::new(state) });
    let world = test_server_reaching(engine, config, Arc::<FakeProvider>::clone(&provider));
    LoginSetup { world, provider, _secret: secret }
}

impl LoginSetup {
    async fn begin(&self, back: &str) -> StartedLogin {
        let answer = self.world.send(TestRequest::get(&format!("/api/v1/oidc/start?back={back}"))).await;
        assert_eq!(answer.status, StatusCode::FOUND, "{}", answer.text());
        let to = Url::parse(answer.header("location")).unwrap();
        assert_eq!((to.host_str(), to.path()), (Some("id.example"), "/authorize"));
        let query: HashMap<String, String> = to.query_pairs().into_owned().collect();
        let cookie = answer.header("set-cookie");
        assert!(cookie.contains("HttpOnly") && cookie.contains("Secure") && cookie.contains("Max-Age=600"));
        let cookie = cookie.split(';').next().unwrap().to_owned();
        let claims = json!({
            "iss": ISSUER, "aud": CLIENT, "sub": "user-7", "nonce": query["nonce"],
            "exp": self.world.app.now().as_second() + 300,
            "preferred_username": "Otto", "email": "otto@example.org",
        });
        self.provider.state.lock().unwrap().claims = claims;
        StartedLogin { cookie, query }
    }

    fn lie(&self, member: &str, value: Value) {
        self.provider.state.lock().unwrap().claims[member] = value;
    }

    async fn come_back(&self, begun: &StartedLogin) -> TestResponse {
        let path = format!("/api/v1/oidc/callback?code=abc&state={}", begun.query["state"]);
        self.world.send(TestRequest::get(&path).header("cookie", &begun.cookie)).await
    }
}

async fn a_person_comes_by_the_provider_and_comes_again(engine: Engine) {
    let scene = scene(engine, true);
    let begun = scene.begin("/tasks%3Fmine=true").await;
    assert_eq!(begun.query["redirect_uri"], "https://maps.example/api/v1/oidc/callback");
    assert_eq!(
        (begun.query["tenant"].as_str(), begun.query["code_challenge_method"].as_str()),
        ("1", "S256")
    );
    let answer = scene.come_back(&begun).await;
    assert_eq!(answer.status, StatusCode::FOUND, "{}", answer.text());
    assert_eq!(answer.header("location"), "/tasks?mine=true");
    let cookie = answer.header("set-cookie").split(';').next().unwrap().to_owned();
    let session =
        scene.world.send(TestRequest::get("/api/v1/session").header("cookie", &cookie)).await.json();
    assert_eq!((&session["user"]["name"], &session["user"]["role"]), (&json!("Otto"), &json!("user")));
    assert_eq!(scene.come_back(&begun).await.expect_problem().0, 401, "a state works once");

    scene.provider.state.lock().unwrap().algorithm = Algorithm::RS256;
    let begun = scene.begin("/").await;
    scene.lie("preferred_username", json!("renamed"));
    assert_eq!(scene.come_back(&begun).await.status, StatusCode::FOUND);
    assert_eq!(scene.world.app.store.list_users(0, 9).unwrap().1, 1, "the same person");
    assert_eq!(scene.world.audit_actions(), ["login", "login", "user-create"]);

    let asked = std::mem::take(&mut scene.provider.state.lock().unwrap().asked);
    let paths: Vec<&str> = asked.iter().map(|request| request.url.path()).collect();
    assert_eq!(paths, ["/realm/.well-known/openid-configuration", "/token", "/keys", "/token"]);
    let form = asked[1].form.as_deref().unwrap();
    let form: HashMap<_, _> = url::form_urlencoded::parse(form.as_bytes()).into_owned().collect();
    assert_eq!((form["code"].as_str(), form["grant_type"].as_str()), ("abc", "authorization_code"));
    assert_eq!(form["code_verifier"].len(), 43);
    // "geotrawl:s3cret%3A"
    assert_eq!(asked[1].authorization.as_deref(), Some("Basic Z2VvdHJhd2w6czNjcmV0JTNB"));
}

async fn tokens_that_are_not_for_us_are_refused(engine: Engine) {
    let scene = scene(engine, true);
    for (member, value) in [
        ("iss", json!("https://evil.example")),
        ("aud", json!("another")),
        ("nonce", json!("of another login")),
        ("nonce", Value::Null),
        ("exp", json!(scene.world.app.now().as_second() - 61)),
        ("nbf", json!(scene.world.app.now().as_second() + 120)),
        ("azp", json!("another")),
        ("sub", json!("")),
    ] {
        let begun = scene.begin("/").await;
        scene.lie(member, value.clone());
        assert_eq!(scene.come_back(&begun).await.expect_problem().0, 401, "{member}: {value}");
    }
    scene.provider.state.lock().unwrap().algorithm = Algorithm::HS256;
    let begun = scene.begin("/").await;
    assert_eq!(scene.come_back(&begun).await.expect_problem().0, 401, "a shared secret signs nothing");
    assert_eq!(scene.world.app.store.list_users(0, 9).unwrap().1, 0);
}

async fn a_login_stays_in_its_browser_and_ends_in_time(engine: Engine) {
    let scene = scene(engine, true);
    let (mine, theirs) = (scene.begin("/").await, scene.begin("/").await);
    let mixed = StartedLogin { cookie: theirs.cookie.clone(), query: mine.query.clone() };
    assert_eq!(scene.come_back(&mixed).await.expect_problem().0, 401);
    let late = scene.begin("/").await;
    scene.world.advance_clock(600);
    assert_eq!(scene.come_back(&late).await.expect_problem().0, 401);
    let refused = scene.begin("/").await;
    let path = format!("/api/v1/oidc/callback?error=access_denied&state={}", refused.query["state"]);
    let answer = scene.world.send(TestRequest::get(&path).header("cookie", &refused.cookie)).await;
    assert_eq!(answer.expect_problem().0, 401);
}

async fn nobody_is_sent_to_another_site(engine: Engine) {
    let scene = scene(engine, true);
    for back in ["https://evil.example/", "//evil.example", "/%5Cevil.example", "/%09/evil.example"] {
        let begun = scene.begin(back).await;
        assert_eq!(scene.come_back(&begun).await.header("location"), "/", "{back}");
    }
}

async fn without_leave_only_known_identities_come_in(engine: Engine) {
    let scene = scene(engine, false);
    let begun = scene.begin("/").await;
    scene.world.add_user("Otto", UserRole::Admin);
    assert_eq!(scene.come_back(&begun).await.expect_problem().0, 403, "a name is no identity");
    let known = NewUser {
        name: "known".into(),
        email: None,
        role: UserRole::User,
        password_hash: None,
        identity: Some((ISSUER.into(), "user-7".into())),
        max_running: None,
    };
    let known = scene.world.app.store.add_user(&known, scene.world.app.now()).unwrap().unwrap();
    let begun = scene.begin("/").await;
    assert_eq!(scene.come_back(&begun).await.status, StatusCode::FOUND);
    let off = UserChange { disabled: Some(true), ..UserChange::default() };
    scene.world.app.store.change_user(known.id, &off).unwrap();
    let begun = scene.begin("/").await;
    assert_eq!(scene.come_back(&begun).await.expect_problem().0, 403);
}

async fn a_name_that_is_taken_is_not_taken_over(engine: Engine) {
    let scene = scene(engine, true);
    let admin = scene.world.add_user("otto", UserRole::Admin);
    let begun = scene.begin("/").await;
    assert_eq!(scene.come_back(&begun).await.status, StatusCode::FOUND);
    let new = scene.world.app.store.find_user_by_identity(ISSUER, "user-7").unwrap().unwrap();
    assert_ne!(new.id, admin.id);
    assert_eq!((new.name.as_str(), new.role), ("Otto-2", UserRole::User));
}

async fn a_provider_that_is_not_itself_or_not_there_is_told(engine: Engine) {
    let scene = scene(engine, true);
    scene.provider.state.lock().unwrap().issuer = "https://evil.example".into();
    assert_eq!(scene.world.send(TestRequest::get("/api/v1/oidc/start")).await.expect_problem().0, 502);
    assert_eq!(
        test_server(engine).send(TestRequest::get("/api/v1/oidc/start")).await.expect_problem().0,
        404,
        "not configured"
    );
}

geotrawl_testkit::on_both_engines! {
    #[tokio::test]
    a_person_comes_by_the_provider_and_comes_again
    tokens_that_are_not_for_us_are_refused
    a_login_stays_in_its_browser_and_ends_in_time
    nobody_is_sent_to_another_site
    without_leave_only_known_identities_come_in
    a_name_that_is_taken_is_not_taken_over
    a_provider_that_is_not_itself_or_not_there_is_told
}
