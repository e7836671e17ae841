//! OAI-PMH over HTTP: the protocol together with the store.

use crate::common::{Engine, TestServer, test_server};
use axum::body::{Body, to_bytes};
use axum::extract::ConnectInfo;
use axum::http::Request;
use geotrawl_testkit::builders::{add_records, found, test_time};
use std::net::SocketAddr;
use tower::ServiceExt;

/// Adds services with these addresses in one batch.
fn prove(world: &TestServer, urls: &[String], title: &str, second: i64) {
    let service = |url: &String| {
        let title = format!("{title} \u{1}<{url}>");
        found("wms").at(url).with_title(&title).with_theme("iso", "inland waters").build()
    };
    let task = format!("t{second}");
    add_records(&*world.app.store, &task, urls.iter().map(service), test_time(second));
}

async fn ask(world: &TestServer, request: Request<Body>) -> String {
    let (mut head, body) = request.into_parts();
    head.headers.insert("host", "geo.example".parse().unwrap());
    head.extensions.insert(ConnectInfo(SocketAddr::from(([192, 0, 2, 7], 4000))));
    let answer = world.router.clone().oneshot(Request::from_parts(head, body)).await.unwrap();
    assert_eq!(answer.status(), 200);
    assert_eq!(answer.headers()["content-type"], "text/xml; charset=utf-8");
    let body = to_bytes(answer.into_body(), 64 << 20).await.unwrap();
    String::from_utf8(body.to_vec()).unwrap()
}

async fn get(world: &TestServer, query: &str) -> String {
    ask(world, Request::get(format!("/oai?{query}")).body(Body::empty()).unwrap()).await
}

fn identifiers(document: &str) -> Vec<String> {
    let parts = document.split("<identifier>").skip(1);
    parts.filter_map(|rest| rest.split('<').next().map(str::to_owned)).collect()
}

fn token(document: &str) -> Option<String> {
    let rest = document.split("<resumptionToken").nth(1)?.split_once('>')?.1;
    rest.split('<').next().filter(|token| !token.is_empty()).map(str::to_owned)
}

fn urls(count: usize) -> Vec<String> {
    (0..count).map(|n| format!("http://h{n:04}.example/wms")).collect()
}

async fn an_empty_catalogue_answers(engine: Engine) {
    let world = test_server(engine);
    assert!(get(&world, "verb=Identify").await.contains("<baseURL>http://geo.example/oai</baseURL>"));
    assert!(get(&world, "verb=ListSets").await.contains("noSetHierarchy"));
    assert!(get(&world, "verb=ListRecords&metadataPrefix=oai_dc").await.contains("noRecordsMatch"));
    let form = Request::post("/oai").header("content-type", "application/x-www-form-urlencoded");
    assert!(ask(&world, form.body("verb=Nonsense".into()).unwrap()).await.contains("badVerb"));
}

async fn what_changes_during_a_harvest_comes_again_and_none_is_lost(engine: Engine) {
    let world = test_server(engine);
    let all = urls(450);
    prove(&world, &all, "Map", 1);
    let mut document = get(&world, "verb=ListRecords&metadataPrefix=oai_dc").await;
    assert!(document.contains("completeListSize=\"450\" cursor=\"0\""));
    assert!(document.contains("<dc:title>Map &lt;http://h"), "control characters are left out");
    assert!(document.contains("<setSpec>theme.iso.inland~20waters</setSpec>"));
    let mut ids = identifiers(&document);
    // Change one record that was already returned, one that was not, and add a new one.
    prove(&world, &[all[0].clone(), all[449].clone(), "http://new.example/wms".into()], "Changed", 5);
    while let Some(next) = token(&document) {
        document = get(&world, &format!("verb=ListRecords&resumptionToken={next}")).await;
        ids.extend(identifiers(&document));
    }
    let given = ids.iter().filter(|id| id.starts_with("urn:geotrawl:")).count();
    let mut once = ids.clone();
    once.sort();
    once.dedup();
    // dc:identifier holds URLs, not OAI identifiers.
    assert_eq!((given, once.len()), (452, 451));
    let later = get(&world, "verb=ListIdentifiers&metadataPrefix=oai_dc&from=2026-09-21T14:13:25Z").await;
    assert_eq!(identifiers(&later).len(), 3, "{later}");
    let set = get(&world, "verb=ListIdentifiers&metadataPrefix=oai_dc&set=theme.iso.inland~20waters").await;
    assert_eq!(identifiers(&set).len(), 451);
    assert!(
        get(&world, "verb=ListRecords&metadataPrefix=oai_dc&set=kind.wfs").await.contains("noRecordsMatch")
    );
}

geotrawl_testkit::on_both_engines! {
    #[tokio::test]
    an_empty_catalogue_answers
    what_changes_during_a_harvest_comes_again_and_none_is_lost
}
