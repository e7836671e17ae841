use crate::common::{
    BrowserSession, Engine, TestRequest, TestResponse, TestServer, test_server, test_server_reaching,
};
use axum::http::Method;
use geotrawl_model::account::UserRole;
use geotrawl_model::alert::Alert;
use geotrawl_model::monitoring::CheckResult;
use geotrawl_model::schedule::ScheduleLimits;
use geotrawl_model::{
    Bbox, Check, CheckFailure, CheckRequest, CheckResponse, Facts, Observation, Outcome, Phases, Purpose,
    Resource, Status,
};
use geotrawl_serve::ServeConfig;
use geotrawl_serve::outbound::{
    OutboundClient, OutboundError, OutboundFuture, OutboundRequest, TestAlertFuture,
};
use geotrawl_testkit::builders::{add_records, found};
use jiff::SignedDuration;
use quick_xml::events::Event;
use serde_json::{Value, json};
use std::sync::Arc;

const MAPS: &str = "http://maps.office.example/wms";
const GONE: &str = "http://old.office.example/cgi-bin/wms";
const NEW: &str = "http://geoportal.example/ows";
const TELLING: [&str; 5] = ["flurstuecke", "hangneigung", "baumkataster", "radwegenetz", "altlasten"];

pub fn service_resource(url: &str, title: &str, layers: &[&str]) -> Resource {
    let bbox = Some(Bbox { west: 5.0, south: 47.0, east: 15.0, north: 55.0 });
    let mut resource =
        found("wms").at(url).with_title(title).with_layer_names(layers.iter().copied()).build().resource;
    resource.datasets.iter_mut().for_each(|layer| layer.bbox = bbox);
    resource
}

pub fn add_service(world: &TestServer, resource: Resource) -> String {
    let (now, url) = (world.app.now(), resource.url.clone());
    let service = found("wms").with_resource(resource).proven_at(now).build();
    add_records(&*world.app.store, &url, [service], now).remove(0)
}

fn seen(purpose: Purpose, dataset: Option<&str>, url: &str, works: bool, outcome: Outcome) -> Observation {
    let request = format!("{url}?SERVICE=WMS&REQUEST=GetMap&LAYERS={}", dataset.unwrap_or_default());
    Observation {
        purpose,
        dataset: dataset.map(str::to_owned),
        request: CheckRequest {
            method: "GET".into(),
            url: request.clone(),
            limit: 1 << 20,
            ..CheckRequest::default()
        },
        answer: works.then(|| CheckResponse {
            url: request,
            ip: Some("192.0.2.1".into()),
            status: 200,
            bytes: 5_000,
            hash: "00".into(),
            ..CheckResponse::default()
        }),
        failure: (!works).then(|| CheckFailure { class: "connect".into(), message: "nobody answers".into() }),
        phases: Phases { first_byte: 120, transfer: 10, total: 140, ..Phases::default() },
        outcome,
        seen: format!("{outcome:?} seen"),
    }
}

/// Stores a check made now; the second layer is blank.
fn check(world: &TestServer, id: &str, url: &str, works: bool, resource: Option<Resource>) -> i64 {
    let observations = if works {
        vec![
            seen(Purpose::Description, None, url, true, Outcome::Valid),
            seen(Purpose::Operation, Some("flurstuecke"), url, true, Outcome::Valid),
            seen(Purpose::Operation, Some("hangneigung"), url, true, Outcome::Blank),
        ]
    } else {
        vec![seen(Purpose::Description, None, url, false, Outcome::Connect)]
    };
    let check = Check {
        kind: "wms".into(),
        url: url.into(),
        at: world.app.now(),
        observations,
        facts: works.then(|| Facts { well_formed: true, right_root: true, datasets: 5, ..Facts::default() }),
        verdict: if works { Status::Alive } else { Status::Dead },
        cause: if works { "answers" } else { "connect" }.into(),
        reason: if works { "It answers as it should" } else { "Nobody answers <there>" }.into(),
    };
    let result = CheckResult { id: id.into(), check, resource, themes: None };
    let store = &world.app.store;
    store.record_checks(&[result], &ScheduleLimits::default(), world.app.now()).unwrap()[0].number
}

pub struct StockedServer {
    pub world: TestServer,
    pub maps: String,
    pub gone: String,
    pub new: String,
}

/// A working service, one that died, and its likely successor.
fn stock(engine: Engine) -> StockedServer {
    stock_server(test_server(engine))
}

pub fn stock_server(world: TestServer) -> StockedServer {
    let maps = add_service(&world, service_resource(MAPS, "Maps & <more>", &TELLING[..3]));
    let gone = add_service(&world, service_resource(GONE, "Kreis Musterhausen", &TELLING));
    world.app.store.enrol_records(world.app.now(), SignedDuration::from_micros(1)).unwrap();
    for hours in [1, 6, 19] {
        check(&world, &gone, GONE, false, None);
        check(&world, &maps, MAPS, true, None);
        world.advance_clock(hours * 3600);
    }
    check(&world, &gone, GONE, false, None);
    let renamed = service_resource(MAPS, "New maps", &["flurstuecke", "hangneigung", "harbours"]);
    check(&world, &maps, MAPS, true, Some(renamed));
    let layers = TELLING.map(|layer| format!("kreis:{layer}"));
    let new = add_service(
        &world,
        service_resource(NEW, "Geoportal Kreis Musterhausen", &layers.each_ref().map(String::as_str)),
    );
    StockedServer { world, maps, gone, new }
}

impl StockedServer {
    async fn get(&self, path: &str) -> TestResponse {
        let answer = self.world.send(TestRequest::get(&format!("/api/v1{path}"))).await;
        assert_eq!(answer.status, 200, "{path}: {}", answer.text());
        answer
    }

    async fn json(&self, path: &str) -> Value {
        self.get(path).await.json()
    }

    async fn status(&self, path: &str) -> u16 {
        self.world.send(TestRequest::get(&format!("/api/v1{path}"))).await.status.as_u16()
    }
}

/// Parses a document, which must be well-formed, and returns the names of its elements.
fn elements(text: &str) -> Vec<String> {
    let mut reader = quick_xml::Reader::from_str(text);
    reader.config_mut().check_end_names = true;
    let mut names = Vec::new();
    loop {
        match reader.read_event().unwrap_or_else(|error| panic!("{error}: {text}")) {
            Event::Start(start) | Event::Empty(start) => {
                for attribute in start.attributes() {
                    attribute.unwrap();
                }
                names.push(start.name().as_ref().to_owned());
            }
            Event::Eof => return names,
            _ => {}
        }
    }
}

async fn quality_tells_every_point_with_its_evidence(engine: Engine) {
    let stock = stock(engine);
    let quality = stock.json(&format!("/records/{}/quality", stock.maps)).await;
    assert_eq!(quality["id"], stock.maps.as_str());
    assert_eq!(quality["check"]["verdict"], "alive");
    assert_eq!(quality["standing"]["status"], "alive");
    assert_eq!(quality["history"]["checks"], 4);
    assert!(quality["scheduled"] == true && quality["next"].is_string() && quality["asked"].is_null());
    let curl = quality["curl"].as_array().unwrap();
    assert_eq!(curl.len(), 3);
    assert!(curl.iter().all(|line| line.as_str().unwrap().starts_with("curl ")));
    let score = &quality["score"];
    assert!(score["value"].as_u64().unwrap() <= 100 && score["provisional"] == true);
    let components = score["components"].as_array().unwrap();
    let weights: f64 = components.iter().map(|part| part["weight"].as_f64().unwrap()).sum();
    assert!((weights - 100.0).abs() < 1e-6, "{weights}");
    for point in components.iter().flat_map(|part| part["points"].as_array().unwrap()) {
        assert!(point["id"].is_string() && point["what"].is_string() && point["why"].is_string(), "{point}");
    }

    let number = quality["number"].as_i64().unwrap();
    let one = stock.json(&format!("/checks/{number}")).await;
    assert_eq!((&one["check"], &one["score"], &one["id"]), (&quality["check"], score, &quality["id"]));
    assert_eq!(stock.status("/checks/999999").await, 404);
    assert_eq!(stock.status("/records/nonsense/quality").await, 404);

    let fresh = stock.json(&format!("/records/{}/quality", stock.new)).await;
    assert!(fresh["check"].is_null() && fresh["number"].is_null() && fresh["scheduled"] == false, "{fresh}");
}

async fn history_is_told_in_windows_days_outages_and_changes(engine: Engine) {
    let stock = stock(engine);
    let up = stock.json(&format!("/records/{}/uptime", stock.maps)).await;
    for window in ["24h", "30d", "1y"] {
        let window = &up["windows"][window];
        assert!(window["share"] == 1.0 && window["p50"].is_u64() && window["p99"].is_u64(), "{up:#}");
    }
    assert!(up["outages"].as_array().unwrap().is_empty());
    let days = up["days"].as_array().unwrap();
    assert!(days.len() == 2 && days[0]["day"].as_str() < days[1]["day"].as_str(), "{up:#}");
    let down = stock.json(&format!("/records/{}/uptime", stock.gone)).await;
    assert_eq!(down["windows"]["30d"]["share"], 0.0);
    assert_eq!(down["outages"].as_array().unwrap().len(), 1);
    assert!(down["outages"][0]["ended"].is_null() && down["outages"][0]["cause"] == "connect");

    let changes = stock.json(&format!("/records/{}/changes?limit=5", stock.maps)).await;
    let changes = changes["results"][0]["changes"].as_array().unwrap().clone();
    let title = changes.iter().find(|change| change["path"] == "title").unwrap();
    assert_eq!((&title["was"], &title["now"]), (&json!("Maps & <more>"), &json!("New maps")));
    assert!(changes.iter().any(|change| change["now"].to_string().contains("harbours")), "{changes:#?}");

    let checks = stock.json(&format!("/records/{}/checks?limit=2", stock.maps)).await;
    let numbers: Vec<i64> =
        checks["results"].as_array().unwrap().iter().map(|one| one["number"].as_i64().unwrap()).collect();
    assert!(numbers.len() == 2 && numbers[0] > numbers[1]);
    let older = stock.json(&format!("/records/{}/checks?before={}", stock.maps, numbers[1])).await;
    assert_eq!(older["results"].as_array().unwrap().len(), 2);
    for (path, status) in [("checks?limit=0", 400), ("changes?limit=501", 400), ("checks?before=x", 400)] {
        assert_eq!(stock.status(&format!("/records/{}/{path}", stock.maps)).await, status, "{path}");
    }
}

async fn health_and_badge_of_a_service_and_its_layers(engine: Engine) {
    let stock = stock(engine);
    let health = stock.json(&format!("/records/{}/health", stock.gone)).await;
    assert_eq!((&health["status"], &health["uptime_30d"]), (&json!("dead"), &json!(0.0)));
    assert!(health["reason"].as_str().unwrap().contains("Nobody answers"), "{health}");
    assert_eq!(health["url"], GONE);
    let layer = |name: &str| format!("/records/{}/datasets/{name}/health", stock.maps);
    assert_eq!(stock.json(&layer("flurstuecke")).await["status"], "alive");
    let blank = stock.json(&layer("hangneigung")).await;
    assert_eq!((&blank["status"], &blank["layer"]), (&json!("degraded"), &json!("hangneigung")));
    assert!(stock.json(&layer("harbours")).await["reason"].as_str().unwrap().contains("not been checked"));
    assert_eq!(stock.status(&layer("nosuch")).await, 404);
    let badges = [
        (format!("/records/{}/badge.svg", stock.maps), "alive"),
        (format!("/records/{}/badge.svg", stock.gone), "dead"),
        (format!("/records/{}/datasets/hangneigung/badge.svg", stock.maps), "degraded"),
    ];
    for (path, word) in badges {
        let answer = stock.get(&path).await;
        assert_eq!(answer.header("content-type"), "image/svg+xml");
        let names = elements(&answer.text());
        assert_eq!(names[0], "svg");
        assert!(
            !names.iter().any(|name| name == "script") && answer.text().contains(word),
            "{}",
            answer.text()
        );
    }
    assert_eq!(stock.status("/records/nonsense/badge.svg").await, 404);
}

async fn a_check_is_asked_for_by_people_only_and_not_too_often(engine: Engine) {
    let mut stock = stock(engine);
    let wake = Arc::new(tokio::sync::Notify::new());
    stock.world.app.monitor = Some(wake.clone());
    let (router, _) = geotrawl_serve::server::build_router(stock.world.app.clone());
    stock.world.router = router;
    let path = format!("/api/v1/records/{}/check", stock.maps);
    assert_eq!(stock.world.send(TestRequest::post(&path)).await.status, 401);
    let ann = stock.world.add_user("ann", UserRole::User);
    let ann = stock.world.open_session(&ann);
    let answer = stock.world.send(TestRequest::post(&path).with_session(&ann)).await;
    assert_eq!(answer.status, 202, "{}", answer.text());
    assert!(answer.json()["asked"].is_string());
    wake.notified().await;
    let quality = stock.json(&format!("/records/{}/quality", stock.maps)).await;
    assert_eq!(quality["asked"], answer.json()["asked"]);
    // The check has been made, so the request is settled.
    stock.world.advance_clock(1);
    let number = check(&stock.world, &stock.maps, MAPS, true, None);
    let quality = stock.json(&format!("/records/{}/quality", stock.maps)).await;
    assert_eq!((&quality["number"], &quality["asked"]), (&json!(number), &Value::Null));
    assert_eq!(
        stock.world.send(TestRequest::post("/api/v1/records/nonsense/check").with_session(&ann)).await.status,
        404
    );
    let mut refused = None;
    for _ in 0..200 {
        let answer = stock.world.send(TestRequest::post(&path).with_session(&ann)).await;
        if answer.status == 429 {
            refused = Some(answer);
            break;
        }
    }
    assert!(!refused.expect("somebody stops me").header("retry-after").is_empty());
}

async fn a_successor_is_shown_to_all_and_decided_by_an_admin(engine: Engine) {
    let stock = stock(engine);
    let path = format!("/records/{}/successors", stock.gone);
    let found = stock.json(&path).await;
    let [one] = &found["results"].as_array().unwrap()[..] else { panic!("{found:#}") };
    assert_eq!(
        (&one["id"], &one["url"], &one["state"]),
        (&json!(stock.new), &json!(NEW), &json!("proposed"))
    );
    assert!(one["confidence"].as_f64().unwrap() >= 0.8 && !one["evidence"].as_array().unwrap().is_empty());
    let record = stock.json(&format!("/records/{}", stock.gone)).await;
    assert_eq!(record["moved_to"]["id"], stock.new.as_str());
    let (ann, boss) =
        (stock.world.add_user("ann", UserRole::User), stock.world.add_user("boss", UserRole::Admin));
    let decide = |who: &BrowserSession, other: &str, body: Value| {
        TestRequest::post(&format!("/api/v1{path}/{other}")).with_session(who).json(body)
    };
    let (ann, boss) = (stock.world.open_session(&ann), stock.world.open_session(&boss));
    let accept = json!({ "action": "accept" });
    assert_eq!(stock.world.send(decide(&ann, &stock.new, accept.clone())).await.status, 403);
    assert_eq!(stock.world.send(decide(&boss, &stock.maps, accept.clone())).await.status, 404);
    assert_eq!(stock.world.send(decide(&boss, &stock.new, json!({"action": "maybe"}))).await.status, 422);
    assert_eq!(stock.world.send(decide(&boss, &stock.new, accept)).await.status, 204);
    assert_eq!(stock.world.audit_actions()[0], "successor");
    let merged = stock.json(&format!("/records/{}", stock.gone)).await;
    assert_eq!((&merged["id"], &merged["moved_from"]), (&json!(stock.new), &json!([GONE])));
    let checks = stock.json(&format!("/records/{}/checks", stock.new)).await;
    assert_eq!(checks["results"].as_array().unwrap().len(), 4, "its history is found there");
}

async fn the_catalogue_over_time(engine: Engine) {
    let stock = stock(engine);
    let monitoring = stock.json("/monitoring").await;
    assert_eq!((&monitoring["statuses"]["dead"], &monitoring["running"]), (&json!(1), &json!(false)));
    assert_eq!(
        (&monitoring["enrolled"], &monitoring["checks_24h"]),
        (&json!(2), &json!(4)),
        "{monitoring:#}"
    );
    assert_eq!(monitoring["hosts"][0]["host"], "old.office.example", "worst first");
    assert!(monitoring["latency"]["p95"].is_u64() && monitoring["next"].is_string());

    let hosts = stock.json("/providers?sort=dead&limit=2").await;
    assert_eq!((&hosts["total"], hosts["results"].as_array().unwrap().len()), (&json!(3), 2));
    assert_eq!(hosts["results"][0]["host"], "old.office.example");
    assert_eq!(stock.json("/providers?q=office").await["total"], 2);
    for bad in ["/providers?sort=name", "/providers?limit=0", "/providers?offset=99999999999"] {
        assert_eq!(stock.status(bad).await, 400, "{bad}");
    }
    let card = stock.json("/providers/maps.office.example").await;
    assert_eq!((&card["records"], &card["datasets"]), (&json!(1), &json!(3)));
    assert_eq!(card["services"][0]["id"], stock.maps.as_str());
    let problems = card["problems"].as_array().unwrap();
    assert!(problems.len() > 2, "{card:#}");
    assert!(problems.iter().all(|one| one["count"] == 1 && one["records"][0] == stock.maps.as_str()));
    assert!(problems.iter().any(|one| one["advice"].is_string()), "{problems:#?}");
    let card = stock.json("/providers/old.office.example").await;
    assert_eq!((&card["uptime_30d"], &card["outages"][0]["id"]), (&json!(0.0), &json!(stock.gone)));
    assert_eq!(stock.status("/providers/nobody.example").await, 404);

    let scoring = stock.json("/scoring").await;
    for weights in scoring["weights"].as_array().unwrap() {
        let parts = ["availability", "latency", "capabilities", "operation", "metadata", "standards"];
        let sum: f64 = parts.iter().map(|part| weights[*part].as_f64().unwrap()).sum();
        assert!((sum - 100.0).abs() < 1e-6 && !weights["kinds"].as_array().unwrap().is_empty(), "{weights}");
    }
    assert!(scoring["rubric"].is_string() && !scoring["caps"].as_array().unwrap().is_empty());
    assert_eq!(scoring["bands"].as_array().unwrap().len(), 4);
}

async fn news_is_listed_and_fed(engine: Engine) {
    let stock = stock(engine);
    let news = stock.json("/notices").await;
    let news = news["results"].as_array().unwrap();
    let kinds: Vec<&str> = news.iter().map(|one| one["kind"].as_str().unwrap()).collect();
    for kind in ["born", "died", "changed", "moved"] {
        assert!(kinds.contains(&kind), "{kinds:?}");
    }
    assert!(news.windows(2).all(|pair| pair[0]["seq"].as_i64() > pair[1]["seq"].as_i64()), "newest first");
    let died = stock.json("/notices?kind=died&kind=reborn&host=old.office.example").await;
    let died = &died["results"][0];
    assert_eq!((&died["id"], &died["record_kind"]), (&json!(stock.gone), &json!("wms")));
    let after = stock.json(&format!("/notices?after={}", news[1]["seq"])).await;
    assert_eq!(after["results"].as_array().unwrap().len(), 1);
    let of_one = stock.json(&format!("/notices?record={}", stock.maps)).await;
    assert!(of_one["results"].as_array().unwrap().iter().all(|one| one["id"] == stock.maps.as_str()));
    assert_eq!(stock.status("/notices?kind=nonsense").await, 400);

    let atom = stock.get("/feeds/notices.atom?limit=3").await;
    assert_eq!(atom.header("content-type"), "application/atom+xml; charset=utf-8");
    let names = elements(&atom.text());
    assert_eq!((names[0].as_str(), names.iter().filter(|name| *name == "entry").count()), ("feed", 3));
    for needed in ["id", "title", "updated", "link"] {
        assert!(names.iter().filter(|name| *name == needed).count() >= 4, "{needed}: {names:?}");
    }
    assert!(atom.text().contains("rel=\"next\""), "{}", atom.text());
    let feed = stock.json("/feeds/notices.json?kind=died").await;
    assert_eq!(feed["version"], "https://jsonfeed.org/version/1.1");
    let [item] = &feed["items"].as_array().unwrap()[..] else { panic!("{feed:#}") };
    assert!(item["id"].is_string() && item["date_published"].is_string());
    assert!(item["content_text"].as_str().unwrap().contains("Nobody answers <there>"), "{item:#}");
    for path in ["/feeds/notices.atom?kind=nonsense", "/feeds/notices.json?limit=0"] {
        assert_eq!(stock.status(path).await, 400, "{path}");
    }
}

async fn numbers_for_prometheus_parse(engine: Engine) {
    let stock = stock(engine);
    let answer = stock.world.send(TestRequest::get("/metrics")).await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.header("content-type"), "text/plain; version=0.0.4; charset=utf-8");
    let text = answer.text();
    let mut families = std::collections::HashMap::new();
    let mut series = std::collections::HashSet::new();
    for line in text.lines().filter(|line| !line.is_empty()) {
        if let Some(rest) = line.strip_prefix("# TYPE ") {
            let (name, kind) = rest.split_once(' ').unwrap();
            assert!(families.insert(name.to_owned(), kind.to_owned()).is_none(), "{name} twice");
            continue;
        }
        if line.starts_with('#') {
            continue;
        }
        let (name, value) = line.rsplit_once(' ').unwrap();
        assert!(value.parse::<f64>().is_ok(), "{line}");
        assert!(series.insert(name.to_owned()), "{line} twice");
        let family = name.split('{').next().unwrap();
        let base = ["_bucket", "_sum", "_count"].iter().find_map(|end| family.strip_suffix(end));
        assert!(
            families.contains_key(family) || base.is_some_and(|base| families.contains_key(base)),
            "{line}"
        );
    }
    for wanted in [
        "geotrawl_records{status=\"dead\",kind=\"wms\"} 1",
        "geotrawl_records{status=\"alive\",kind=\"wms\"} 2",
    ] {
        assert!(text.contains(wanted), "{text}");
    }
}

async fn vocabularies_are_listed_with_names_by_language(engine: Engine) {
    let stock = stock(engine);
    let answer = stock.json("/themes").await;
    let schemes = answer["schemes"].as_array().unwrap();
    let count = |id: &str| {
        let scheme = schemes.iter().find(|scheme| scheme["id"] == id).unwrap_or_else(|| panic!("no {id}"));
        assert!(!scheme["title"].as_str().unwrap().is_empty());
        let terms = scheme["terms"].as_array().unwrap();
        assert!(terms.iter().all(|term| !term["label"].as_object().unwrap().is_empty()), "{id}");
        terms.len()
    };
    assert_eq!((count("inspire"), count("land-cover")), (34, 12));
    assert!(count("iso-topic") >= 19 && count("geoss") >= 8 && count("gcmd") >= 10);
    let inspire = schemes.iter().find(|scheme| scheme["id"] == "inspire").unwrap();
    let hydrography = inspire["terms"].as_array().unwrap().iter().find(|term| term["id"] == "hy").unwrap();
    assert_eq!(hydrography["label"]["en"], "Hydrography");
    assert!(hydrography["label"].as_object().unwrap().len() >= 8, "{hydrography}");
}

/// Distinguishes private from public addresses, and reports whether a test message arrived.
struct PublicOnlyClient;

impl OutboundClient for PublicOnlyClient {
    fn send(&self, _: OutboundRequest) -> OutboundFuture<'_> {
        Box::pin(async { Err(OutboundError { refused: true, reason: "not here".into() }) })
    }

    fn check_url(&self, url: &url::Url) -> Result<(), String> {
        let private = matches!(url.host_str(), Some("127.0.0.1" | "localhost"));
        if private { Err("127.0.0.1 is not on the public internet".into()) } else { Ok(()) }
    }

    fn send_test_alert<'a>(&'a self, alert: &'a Alert) -> TestAlertFuture<'a> {
        let secret = alert.secret.as_deref() == Some("hush");
        Box::pin(async move { if secret { Ok(()) } else { Err("it answered with 500".into()) } })
    }
}

async fn alerts_belong_to_their_person(engine: Engine) {
    let mut stock =
        stock_server(test_server_reaching(engine, ServeConfig::default(), Arc::new(PublicOnlyClient)));
    let (ann, ben) =
        (stock.world.add_user("ann", UserRole::User), stock.world.add_user("ben", UserRole::Admin));
    let (ann, ben) = (stock.world.open_session(&ann), stock.world.open_session(&ben));
    let send = async |method: Method, path: &str, who: &BrowserSession, body: Option<Value>| {
        let ask = TestRequest::new(method, &format!("/api/v1{path}")).with_session(who);
        stock
            .world
            .send(match body {
                Some(body) => ask.json(body),
                None => ask,
            })
            .await
    };
    assert_eq!(stock.status("/alerts").await, 401);
    let spec = json!({ "name": "Deaths", "channel": "webhook", "target": "https://hook.example/in",
        "secret": "hush", "kinds": ["died"], "hosts": ["old.office.example"] });
    let made = send(Method::POST, "/alerts", &ann, Some(spec.clone())).await;
    assert_eq!(made.status, 201, "{}", made.text());
    assert!(!made.text().contains("hush"), "the secret is never shown");
    let made = made.json();
    assert_eq!(
        (&made["signed"], &made["frequency"], &made["active"]),
        (&json!(true), &json!("immediate"), &json!(true))
    );
    let path = format!("/alerts/{}", made["number"]);
    assert_eq!(send(Method::GET, "/alerts", &ann, None).await.json()["total"], 1);
    assert_eq!(send(Method::GET, "/alerts", &ben, None).await.json()["total"], 0);
    // Not even an admin may change the alerts of another user.
    let paused = json!({ "active": false });
    assert_eq!(send(Method::PATCH, &path, &ben, Some(paused.clone())).await.status, 404);
    assert_eq!(send(Method::DELETE, &path, &ben, None).await.status, 404);
    assert_eq!(send(Method::POST, &format!("{path}/test"), &ben, None).await.status, 404);
    let changed = send(Method::PATCH, &path, &ann, Some(paused)).await.json();
    assert_eq!((&changed["active"], &changed["name"]), (&json!(false), &json!("Deaths")));
    let tried = send(Method::POST, &format!("{path}/test"), &ann, None).await;
    assert_eq!(tried.json(), json!({ "delivered": true }));
    send(Method::PATCH, &path, &ann, Some(json!({ "secret": "" }))).await;
    let tried = send(Method::POST, &format!("{path}/test"), &ann, None).await;
    assert_eq!(tried.json(), json!({ "delivered": false, "error": "it answered with 500" }));

    let with = |member: &str, value: Value| {
        let mut spec = spec.clone();
        spec[member] = value;
        Some(spec)
    };
    for (body, parameter) in [
        (with("target", json!("http://127.0.0.1:8000/")), "target"),
        (with("target", json!("http://localhost/")), "target"),
        (with("target", json!("ftp://hook.example/")), "target"),
        (with("channel", json!("email")), "target"),
        (with("hosts", json!(vec!["x"; 201])), "hosts"),
        (with("name", json!(" ")), "name"),
    ] {
        let (status, problem) = send(Method::POST, "/alerts", &ann, body).await.expect_problem();
        assert_eq!((status, &problem["parameter"]), (422, &json!(parameter)), "{problem}");
    }
    let refused = send(Method::PATCH, &path, &ann, Some(json!({ "target": "http://127.0.0.1/" }))).await;
    assert_eq!(refused.status, 422);
    assert_eq!(send(Method::POST, "/alerts", &ann, with("kinds", json!(["wishes"]))).await.status, 422);
    assert_eq!(send(Method::DELETE, &path, &ann, None).await.status, 204);
    assert_eq!(send(Method::DELETE, &path, &ann, None).await.status, 404);

    // With a mail server configured, e-mail targets are allowed.
    stock.world.app.mail = true;
    stock.world.router = geotrawl_serve::server::build_router(stock.world.app.clone()).0;
    for (target, status) in [("ann@example.org", 201), ("no mailbox", 422), ("", 422)] {
        let body = json!({ "channel": "email", "target": target, "frequency": "weekly" });
        let ask = TestRequest::post("/api/v1/alerts").with_session(&ann).json(body);
        assert_eq!(stock.world.send(ask).await.status, status, "{target}");
    }
}

geotrawl_testkit::on_both_engines! {
    #[tokio::test]
    quality_tells_every_point_with_its_evidence
    history_is_told_in_windows_days_outages_and_changes
    health_and_badge_of_a_service_and_its_layers
    a_check_is_asked_for_by_people_only_and_not_too_often
    a_successor_is_shown_to_all_and_decided_by_an_admin
    the_catalogue_over_time
    news_is_listed_and_fed
    numbers_for_prometheus_parse
    vocabularies_are_listed_with_names_by_language
    alerts_belong_to_their_person
}
