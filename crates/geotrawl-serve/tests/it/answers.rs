//! Compares one real response of every endpoint with the OpenAPI document in `snapshots/`.
//!
//! A response must have a status and a media type that the document lists, must validate against
//! the schema, and must not have a member that the schema does not describe. The first success of
//! each endpoint is also a snapshot. An endpoint that is neither called here nor listed in
//! [`NOT_CALLED`] fails the test.

use crate::collections::add_archive;
use crate::common::{BrowserSession, Engine, PASSWORD, TestRequest, TestServer, send, test_server_reaching};
use crate::focus::add_running_task;
use crate::trust::{StockedServer, add_service, service_resource, stock_server};
use axum::http::header::CONTENT_TYPE;
use axum::http::{Method, StatusCode};
use geotrawl_model::account::{User, UserRole};
use geotrawl_model::alert::Alert;
use geotrawl_model::live::{Fetch, LiveFigures, Tallies};
use geotrawl_model::{Contact, Issue, Resource, RunCounters};
use geotrawl_serve::outbound::{
    OutboundClient, OutboundFuture, OutboundRequest, OutboundResponse, TestAlertFuture,
};
use geotrawl_serve::{App, EngineInfo, ServeConfig, server};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use tower::ServiceExt;

/// Endpoints that cannot succeed in this test, each with the reason.
const NOT_CALLED: &[(&str, &str)] = &[
    ("GET /api/v1/oidc/start", "redirects to an identity provider; see oidc.rs"),
    ("GET /api/v1/oidc/callback", "needs an identity provider; see oidc.rs"),
];

const METHODS: [&str; 5] = ["get", "put", "post", "patch", "delete"];

/// Returns an image for every request, and delivers every message.
struct PictureClient;

impl OutboundClient for PictureClient {
    fn send(&self, request: OutboundRequest) -> OutboundFuture<'_> {
        let answer = OutboundResponse {
            status: 200,
            content_type: Some("image/png".into()),
            body: bytes::Bytes::from_static(b"\x89PNG"),
            cut: false,
            served_from: None,
            total_length: None,
            url: request.url,
        };
        Box::pin(async { Ok(answer) })
    }

    fn check_url(&self, _: &url::Url) -> Result<(), String> {
        Ok(())
    }

    fn send_test_alert<'a>(&'a self, _: &'a Alert) -> TestAlertFuture<'a> {
        Box::pin(async { Ok(()) })
    }
}

/// Returns the OpenAPI document of the snapshot.
fn kept_document() -> Value {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/snapshots/it__answers__openapi.snap");
    let text = std::fs::read_to_string(path).unwrap();
    let (_, document) = text.trim_start_matches("---\n").split_once("\n---\n").unwrap();
    serde_json::from_str(document).unwrap()
}

/// Sends requests and compares every response with the document.
struct AnswerExaminer {
    world: TestServer,
    admin: BrowserSession,
    user: User,
    document: Value,
    called: BTreeSet<String>,
    /// The first successful response of each operation, normalised for its snapshot.
    answers: BTreeMap<String, String>,
    faults: Vec<String>,
}

impl AnswerExaminer {
    /// Returns the operations of the document as `GET /api/v1/search`.
    fn operations(&self) -> BTreeSet<String> {
        let paths = self.document["paths"].as_object().unwrap();
        let of_path = |(path, item): (&String, &Value)| {
            let there = METHODS.iter().filter(|method| item[**method].is_object());
            there.map(|method| format!("{} {path}", method.to_uppercase())).collect::<Vec<_>>()
        };
        paths.iter().flat_map(of_path).collect()
    }

    /// Returns the template of a path: the one with the fewest placeholders that fits.
    fn template(&self, path: &str) -> String {
        let fits = |template: &&String| {
            template.split('/').count() == path.split('/').count()
                && template
                    .split('/')
                    .zip(path.split('/'))
                    .all(|(part, real)| part.starts_with('{') || part == real)
        };
        let paths = self.document["paths"].as_object().unwrap();
        let template = paths.keys().filter(fits).min_by_key(|template| template.matches('{').count());
        template.unwrap_or_else(|| panic!("{path} is not in the document")).clone()
    }

    async fn get(&mut self, path: &str) -> Value {
        self.call(Method::GET, path, Value::Null).await
    }

    async fn post(&mut self, path: &str, body: Value) -> Value {
        self.call(Method::POST, path, body).await
    }

    /// Sends a request as an admin and expects success.
    async fn call(&mut self, method: Method, path: &str, body: Value) -> Value {
        let ask = TestRequest::new(method.clone(), &format!("/api/v1{path}")).with_session(&self.admin);
        let ask = if body.is_null() { ask } else { ask.json(body) };
        self.examine(method, path, ask, true).await
    }

    async fn examine(&mut self, method: Method, path: &str, ask: TestRequest, succeeds: bool) -> Value {
        let bare = format!("/api/v1{}", path.split('?').next().unwrap());
        let template = self.template(&bare);
        let operation = format!("{method} {template}");
        let responses = &self.document["paths"][&template][method.as_str().to_lowercase()]["responses"];
        let answer = self.world.router.clone().oneshot(ask.0).await.unwrap();
        let status = answer.status();
        let media = answer.headers().get(CONTENT_TYPE).map_or("", |value| value.to_str().unwrap());
        let media = media.split(';').next().unwrap().to_owned();
        let endless = media == "text/event-stream";
        let body = if endless {
            vec![]
        } else {
            axum::body::to_bytes(answer.into_body(), 10 << 20).await.unwrap().to_vec()
        };
        let mut fault = |what: String| self.faults.push(format!("{operation}: {what}"));
        if status.is_success() != succeeds {
            fault(format!("status {status}: {}", String::from_utf8_lossy(&body)));
        }
        let described =
            responses.get(status.as_str()).or_else(|| responses.get("default").filter(|_| !succeeds));
        let Some(described) = described else {
            fault(format!("status {status} is not described"));
            return Value::Null;
        };
        if succeeds {
            self.called.insert(operation.clone());
            let shown = || shown(status, &media, &body);
            self.answers.entry(operation.clone()).or_insert_with(shown);
        }
        let contents = described["content"].as_object().cloned().unwrap_or_default();
        let content = contents.get(&media).or_else(|| contents.get("*/*").filter(|_| !media.is_empty()));
        let content = content.or_else(|| contents.get("application/octet-stream"));
        let Some(schema) = content.map(|content| &content["schema"]) else {
            if !(contents.is_empty() && body.is_empty()) {
                fault(format!("media type '{media}' is not described"));
            }
            return Value::Null;
        };
        // Files are described as bytes, whatever their format.
        if !media.ends_with("json") || !contents.contains_key(&media) {
            return Value::Null;
        }
        let value: Value = serde_json::from_slice(&body).unwrap();
        for what in wrongs(&self.document, schema, &value) {
            fault(what);
        }
        value
    }
}

/// Members whose values differ from run to run.
const CHANGING: &[&str] = &["csrf", "secret", "store_bytes", "took_ms"];
/// Maximum number of list items in a snapshot, so that a new kind or theme does not change the
/// snapshots.
const SHOWN_ITEMS: usize = 3;

/// Normalises a response for its snapshot.
fn shown(status: StatusCode, media: &str, body: &[u8]) -> String {
    let text = match serde_json::from_slice::<Value>(body) {
        Ok(mut json) if media.ends_with("json") => {
            abridge(&mut json);
            serde_json::to_string_pretty(&json).unwrap()
        }
        _ => String::from_utf8_lossy(body).replace("><", ">\n<"),
    };
    format!("{} {media}\n\n{text}", status.as_u16()).replace(env!("CARGO_PKG_VERSION"), "[version]")
}

/// Shortens lists and replaces values that differ from run to run.
fn abridge(value: &mut Value) {
    match value {
        Value::Array(items) => {
            let is_longer = items.len() > SHOWN_ITEMS;
            items.truncate(SHOWN_ITEMS);
            items.iter_mut().for_each(abridge);
            if is_longer {
                items.push(json!("[more]"));
            }
        }
        Value::Object(members) => {
            for (name, member) in members {
                if CHANGING.contains(&name.as_str()) {
                    *member = json!("[changing]");
                }
                abridge(member);
            }
        }
        _ => {}
    }
}

/// Returns the violations of a schema: what it does not allow or does not describe.
fn wrongs(document: &Value, schema: &Value, value: &Value) -> Vec<String> {
    let whole = json!({ "components": document["components"], "allOf": [schema] });
    let validator = jsonschema::options().should_validate_formats(true).build(&whole).unwrap();
    let errors = validator.iter_errors(value).map(|error| format!("{}: {error}", error.instance_path()));
    let mut wrongs: Vec<String> = errors.collect();
    undescribed(document, &[schema], value, "", &mut wrongs);
    wrongs
}

/// Adds the members of a value that none of these schemas describes.
fn undescribed(document: &Value, schemas: &[&Value], value: &Value, path: &str, wrongs: &mut Vec<String>) {
    let mut parts = Vec::new();
    for schema in schemas {
        flatten(document, schema, &mut parts);
    }
    match value {
        Value::Array(items) => {
            for (at, item) in items.iter().enumerate() {
                let inner: Vec<&Value> = parts.iter().filter_map(|part| item_schema(part, at)).collect();
                undescribed(document, &inner, item, &format!("{path}/{at}"), wrongs);
            }
        }
        Value::Object(members) => {
            // A plain object schema allows any member.
            let is_open = |part: &&Value| {
                part.get("properties").is_none() && part.get("additionalProperties").is_none()
            };
            if parts.iter().all(is_open) {
                return;
            }
            for (name, member) in members {
                let inner: Vec<&Value> = parts.iter().filter_map(|part| member_schema(part, name)).collect();
                if inner.is_empty() {
                    wrongs.push(format!("{path}/{name} is sent but not described"));
                }
                undescribed(document, &inner, member, &format!("{path}/{name}"), wrongs);
            }
        }
        _ => {}
    }
}

fn item_schema(part: &Value, at: usize) -> Option<&Value> {
    part["prefixItems"].get(at).or_else(|| part.get("items"))
}

fn member_schema<'v>(part: &'v Value, name: &str) -> Option<&'v Value> {
    let further = || part.get("additionalProperties").filter(|further| further.is_object());
    part["properties"].get(name).or_else(further)
}

/// Adds the schemas of which a schema is composed.
fn flatten<'d>(document: &'d Value, schema: &'d Value, parts: &mut Vec<&'d Value>) {
    if let Some(name) = schema["$ref"].as_str() {
        let at = name.trim_start_matches('#');
        return flatten(document, document.pointer(at).unwrap(), parts);
    }
    let lists = ["allOf", "oneOf", "anyOf"].iter().filter_map(|list| schema[*list].as_array());
    let mut is_list = false;
    for part in lists.flatten() {
        is_list = true;
        flatten(document, part, parts);
    }
    if !is_list || schema.get("properties").is_some() {
        parts.push(schema);
    }
}

/// A service with all possible metadata.
fn known_service() -> Resource {
    let text = |text: &str| Some(text.to_owned());
    let contact = Contact {
        person: text("Ann"),
        organisation: text("Office"),
        email: text("ann@office.example"),
        phone: text("+49 30 1"),
        url: text("http://office.example/"),
    };
    let mut known = Resource {
        versions: vec!["1.3.0".into()],
        abstract_: text("Rivers and lakes of the country"),
        keywords: vec!["rivers".into()],
        provider: text("Office"),
        contact,
        licence: text("CC BY 4.0"),
        crs: vec!["EPSG:4326".into()],
        languages: vec!["en".into()],
        software: text("GeoServer"),
        formats: vec!["image/png".into()],
        issues: vec![Issue::new("bbox-inverted", "The box is inverted.")],
        ..service_resource("http://rivers.office.example/wms", "Rivers of the country", &["rivers"])
    };
    known.bbox = known.datasets[0].bbox;
    known.datasets[0].abstract_ = text("All rivers");
    known.datasets[0].keywords = vec!["river".into()];
    known.datasets[0].crs = vec!["EPSG:4326".into()].into();
    known.datasets[0].time = vec!["2026-01-01".into()];
    known.datasets[0].formats = vec!["image/png".into()];
    known
}

/// Live figures of a run.
fn live(run: i64, now: jiff::Timestamp) -> LiveFigures {
    let fetch = Fetch { url: "http://a.example/".into(), millis: Some(12), class: Some("ok".into()) };
    let once = BTreeMap::from([(0, 1)]);
    let words = BTreeMap::from([("ok".to_owned(), 1)]);
    LiveFigures {
        run,
        at: now,
        counters: RunCounters::default(),
        fetches: vec![fetch],
        tallies: Tallies {
            pages_by_depth: once.clone(),
            finds_by_depth: once,
            kinds: words.clone(),
            outcomes: words,
        },
        ..LiveFigures::default()
    }
}

/// A server with one object of every type.
fn examiner() -> (AnswerExaminer, SampleIds, tempfile::TempDir) {
    let config =
        ServeConfig { guest_rate: 1_000_000, user_rate: 1_000_000, proxy: true, ..ServeConfig::default() };
    let StockedServer { mut world, maps, gone, new } =
        stock_server(test_server_reaching(Engine::Embedded, config, Arc::new(PictureClient)));
    let known = add_service(&world, known_service());
    let engines = vec![EngineInfo { name: "house".into(), kind: "searxng".into(), left_today: Some(7) }];
    world.app = App { engines: Arc::new(engines), ..world.app.clone() };
    let data = add_archive(&mut world, true);
    world.router = server::build_router(world.app.clone()).0;
    world.app.index.apply_changes(world.app.store.as_ref()).unwrap();
    // Subscriptions are only accepted while the follower runs.
    tokio::spawn(world.app.live.clone().follow_store(Arc::clone(&world.app.store)));
    let admin = world.add_user("admin", UserRole::Admin);
    let (task, run) = add_running_task(&world, admin.id, true);
    world.app.store.write_live(&live(run, world.app.now())).unwrap();
    let (browser, user) = (world.open_session(&admin), admin);
    let stock = SampleIds { maps, gone, new, known, task };
    let examiner = AnswerExaminer {
        world,
        admin: browser,
        user,
        document: kept_document(),
        called: BTreeSet::new(),
        answers: BTreeMap::new(),
        faults: Vec::new(),
    };
    (examiner, stock, data)
}

/// Ids of the objects.
struct SampleIds {
    maps: String,
    gone: String,
    new: String,
    known: String,
    task: i64,
}

async fn examine_catalogue(at: &mut AnswerExaminer, stock: &SampleIds) {
    for path in [
        "/openapi.json",
        "/meta",
        "/kinds",
        "/themes",
        "/scoring",
        "/statistics",
        "/statistics/density",
        "/search?explain=true&q=rivers",
        "/search?status=any&by=layers",
        "/suggest?q=riv",
        "/places?status=any",
        "/gazetteer?q=berlin",
        "/monitoring",
        "/notices",
        "/feeds/notices.atom",
        "/feeds/notices.json",
        "/providers",
        "/providers/old.office.example",
        "/providers/maps.office.example",
        "/downloads/geojson",
        "/events",
    ] {
        at.get(path).await;
    }
    let SampleIds { maps, gone, new, known, .. } = stock;
    for id in [maps, gone, known] {
        for part in [
            "",
            "/layers",
            "/provenance",
            "/curl",
            "/quality",
            "/uptime",
            "/changes",
            "/checks",
            "/health",
            "/badge.svg",
            "/successors",
            "/qgis",
        ] {
            at.get(&format!("/records/{id}{part}")).await;
        }
    }
    at.get(&format!("/records/{maps}/datasets/flurstuecke/health")).await;
    at.get(&format!("/records/{maps}/datasets/flurstuecke/badge.svg")).await;
    let check = at.get(&format!("/records/{maps}/quality")).await["number"].clone();
    at.get(&format!("/checks/{check}")).await;
    at.post(&format!("/records/{maps}/check"), json!({})).await;
    at.get(&format!("/proxy/{known}?url=http://rivers.office.example/wms?REQUEST=GetMap")).await;

    // The responses about records must contain score, check and successor, and the document must
    // describe them.
    let moved = at.get(&format!("/records/{gone}")).await;
    assert!(moved["moved_to"]["confidence"].is_number() && moved["checked"].is_string(), "{moved:#}");
    let scored = at.get(&format!("/records/{maps}")).await;
    assert!(scored["score_points"].is_object() && scored["provisional"] == true, "{scored:#}");
    at.post(&format!("/records/{gone}/successors/{new}"), json!({ "action": "accept" })).await;
    let merged = at.get(&format!("/records/{new}")).await;
    assert!(merged["moved_from"].is_array(), "{merged:#}");
}

async fn examine_people(at: &mut AnswerExaminer, stock: &SampleIds) {
    let note = at.post(&format!("/records/{}/report", stock.maps), json!({ "text": "It is slow." })).await;
    at.get("/reports").await;
    at.post(&format!("/reports/{}/close", note["id"]), json!({})).await;
    let person = json!({ "name": "ben", "role": "user", "password": PASSWORD, "email": "ben@a.example" });
    let person = at.post("/users", person).await["id"].clone();
    at.get("/users").await;
    at.call(Method::PATCH, &format!("/users/{person}"), json!({ "max_running": 3 })).await;
    at.call(Method::DELETE, &format!("/users/{person}"), Value::Null).await;
    at.get("/settings").await;
    at.call(Method::PATCH, "/settings", json!({ "welcome": "Hello" })).await;
    at.get("/audit").await;
    at.get("/system").await;
    let made = at.post("/account/tokens", json!({ "name": "mine", "scopes": ["read"], "days": 3 })).await;
    at.get("/account/tokens").await;
    at.call(Method::DELETE, &format!("/account/tokens/{}", made["token"]["id"]), Value::Null).await;
    let alert = json!({ "name": "Deaths", "channel": "webhook", "target": "https://hook.example/in" });
    let alert = at.post("/alerts", alert).await["number"].clone();
    at.get("/alerts").await;
    at.call(Method::PATCH, &format!("/alerts/{alert}"), json!({ "active": false })).await;
    at.post(&format!("/alerts/{alert}/test"), json!({})).await;
    at.call(Method::DELETE, &format!("/alerts/{alert}"), Value::Null).await;
}

async fn examine_tasks(at: &mut AnswerExaminer, stock: &SampleIds) {
    at.get("/seeds").await;
    at.post("/schedule", json!({ "text": "0 3 * * *" })).await;
    let task =
        at.post("/tasks", json!({ "title": "Rivers", "seeds": ["http://a.example/"] })).await["id"].clone();
    at.get("/tasks").await;
    at.get(&format!("/tasks/{task}")).await;
    at.call(Method::PATCH, &format!("/tasks/{task}"), json!({ "depth": 2 })).await;
    for wish in ["start", "pause", "resume", "stop", "clone"] {
        at.post(&format!("/tasks/{task}/{wish}"), json!({})).await;
    }
    at.call(Method::DELETE, &format!("/tasks/{task}"), Value::Null).await;
    for part in ["finds", "live", "history", "focus", "events", "events/poll?wait=0&after=0"] {
        at.get(&format!("/tasks/{}/{part}", stock.task)).await;
    }
}

async fn examine_collections(at: &mut AnswerExaminer) {
    at.get("/collections").await;
    at.post("/collections", json!({ "acronym": "NEW", "title": "New", "pages": ["http://a.example/"] }))
        .await;
    at.call(Method::PATCH, "/collections/NEW", json!({ "depth": 1 })).await;
    at.post("/collections/NEW/run", json!({})).await;
    at.call(Method::DELETE, "/collections/NEW", Value::Null).await;
    for part in ["", "/runs", "/results", "/ranked", "/items", "/didl", "/notes"] {
        at.get(&format!("/collections/TEST{part}")).await;
    }
    let item = at.get("/collections/TEST/items").await["results"][0]["url"].as_str().unwrap().to_owned();
    let encoded: String = url::form_urlencoded::byte_serialize(item.as_bytes()).collect();
    at.get(&format!("/collections/TEST/history?url={encoded}")).await;
    at.post("/collections/TEST/rollback", json!({ "url": item, "version": 1, "note": "Better" })).await;
    at.post("/collections/TEST/notes", json!({ "text": "Kept for the flood", "url": item })).await;
}

async fn examine_sessions(at: &mut AnswerExaminer) {
    at.get("/session").await;
    let guest = TestRequest::get("/api/v1/session");
    at.examine(Method::GET, "/session", guest, true).await;
    let refused = TestRequest::get("/api/v1/records/nonsense");
    at.examine(Method::GET, "/records/nonsense", refused, false).await;
    at.call(Method::PUT, "/account/password", json!({ "old": PASSWORD, "new": "another long password" }))
        .await;
    at.post("/session", json!({ "name": "admin", "password": "another long password" })).await;
    // The new password ended the previous session.
    at.admin = at.world.open_session(&at.user);
    at.call(Method::DELETE, "/session", Value::Null).await;
}

#[tokio::test]
async fn every_answer_is_as_the_document_says() {
    let (mut at, stock, _data) = examiner();
    examine_catalogue(&mut at, &stock).await;
    examine_people(&mut at, &stock).await;
    examine_tasks(&mut at, &stock).await;
    examine_collections(&mut at).await;
    examine_sessions(&mut at).await;
    assert!(at.faults.is_empty(), "{}", at.faults.join("\n"));
    // The document has its own snapshot.
    at.answers.remove("GET /api/v1/openapi.json");
    for (operation, answer) in &at.answers {
        let name = operation.replace("/api/v1", "").replace(['{', '}'], "").replace(['/', ' '], "-");
        insta::assert_snapshot!(name.replace("--", "-"), answer, operation);
    }
    let mut covered = at.called.clone();
    covered.extend(NOT_CALLED.iter().map(|(operation, _)| (*operation).to_owned()));
    assert_eq!(
        covered,
        at.operations(),
        "call a new endpoint here, or list it in NOT_CALLED with the reason"
    );
}

#[tokio::test]
async fn the_document_is_as_it_is_kept() {
    let world = crate::common::test_server(Engine::Embedded);
    let document = send(world.router.clone(), TestRequest::get("/api/v1/openapi.json")).await.json();
    insta::assert_snapshot!("openapi", serde_json::to_string_pretty(&document).unwrap());
}

#[test]
fn a_member_that_is_not_described_is_found() {
    let document = json!({ "components": { "schemas": {
        "Base": { "type": "object", "required": ["id"], "properties": { "id": { "type": "string" } } },
    } } });
    let schema = json!({ "allOf": [
        { "$ref": "#/components/schemas/Base" },
        { "type": "object", "properties": { "places": { "type": "array", "items": { "$ref": "#/components/schemas/Base" } } } },
    ] });
    let found = |value: Value| wrongs(&document, &schema, &value);
    assert_eq!(found(json!({ "id": "a", "places": [{ "id": "b" }] })), [] as [&str; 0]);
    assert_eq!(found(json!({ "id": "a", "new": 1 })), ["/new is sent but not described"]);
    assert_eq!(
        found(json!({ "id": "a", "places": [{ "id": "b", "c": 1 }] })),
        ["/places/0/c is sent but not described"]
    );
    assert_eq!(found(json!({ "id": 7 })).len(), 1);
}
