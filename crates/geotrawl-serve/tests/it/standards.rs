use crate::common::{Engine, TestRequest, TestResponse, TestServer, test_server, test_server_with};
use crate::trust::{add_service, service_resource};
use axum::http::{Method, StatusCode};
use geotrawl_serve::ServeConfig;
use geotrawl_serve::config::StandardsAudience;
use quick_xml::Reader;
use quick_xml::events::Event;
use serde_json::{Value, json};

const ROADS: &str = "http://maps.office.example/wms";
const ITEMS: &str = "/records/collections/catalogue/items";

/// A catalogue with three services.
fn stocked(engine: Engine) -> (TestServer, Vec<String>) {
    let world = test_server(engine);
    let ids = [
        (ROADS, "Roads of the office", &["roads", "paths"][..]),
        ("http://water.example/wms", "Rivers & lakes <b>", &["rivers"]),
        ("http://soil.example/wms?map=a|b", "Soils", &["soil"]),
    ]
    .map(|(url, title, layers)| {
        let mut resource = service_resource(url, title, layers);
        resource.bbox = Some([5.0, 47.0, 15.0, 55.0].into());
        add_service(&world, resource)
    });
    world.app.index.apply_changes(world.app.store.as_ref()).unwrap();
    (world, ids.to_vec())
}

async fn get(world: &TestServer, path: &str) -> TestResponse {
    world.send(TestRequest::get(path)).await
}

async fn ok(world: &TestServer, path: &str) -> Value {
    let answer = get(world, path).await;
    assert_eq!(answer.status, StatusCode::OK, "{path}: {}", answer.text());
    answer.json()
}

fn well_formed(text: &str) {
    let mut reader = Reader::from_str(text);
    while reader.read_event().unwrap() != Event::Eof {}
}

async fn records_are_found_and_paged(engine: Engine) {
    let (world, ids) = stocked(engine);
    let landing = ok(&world, "/records").await;
    for rel in ["self", "service-desc", "conformance", "data", "search"] {
        let link = landing["links"].as_array().unwrap().iter().find(|link| link["rel"] == rel).unwrap();
        let href = link["href"].as_str().unwrap().strip_prefix("http://maps.example").unwrap().to_owned();
        assert_eq!(get(&world, &href).await.status, StatusCode::OK, "{href}");
    }
    let all = ok(&world, ITEMS).await;
    assert_eq!((&all["numberMatched"], &all["numberReturned"]), (&json!(3), &json!(3)));
    let first = ok(&world, &format!("{ITEMS}?limit=2&q=office,rivers,soils")).await;
    assert_eq!(first["features"].as_array().unwrap().len(), 2);
    let next = first["links"].as_array().unwrap().iter().find(|link| link["rel"] == "next").unwrap();
    let next = next["href"].as_str().unwrap().strip_prefix("http://maps.example").unwrap().to_owned();
    let second = ok(&world, &next).await;
    assert_eq!(second["features"].as_array().unwrap().len(), 1);
    assert!(second["links"].as_array().unwrap().iter().all(|link| link["rel"] != "next"));
    let item = ok(&world, &format!("{ITEMS}/{}", ids[0])).await;
    assert_eq!(item["properties"]["title"], "Roads of the office");
    assert_eq!(item["properties"]["type"], "service");
    assert_eq!(item["geometry"]["coordinates"][0][2], json!([15.0, 55.0]), "the north-east is third");
    let links = item["links"].as_array().unwrap();
    assert!(links.iter().any(|link| link["type"] == "OGC:WMS" && link["href"] == ROADS));
    assert_eq!(get(&world, &format!("{ITEMS}/none")).await.expect_problem().0, 404);
    assert_eq!(get(&world, "/records/collections/other").await.expect_problem().0, 404);
    assert_eq!(ok(&world, &format!("{ITEMS}?bbox=100,0,110,10")).await["numberMatched"], 0);
}

async fn records_are_pages_for_people(engine: Engine) {
    let (world, ids) = stocked(engine);
    for path in ["/records".to_owned(), ITEMS.to_owned(), format!("{ITEMS}/{}", ids[1])] {
        let answer = world.send(TestRequest::get(&path).header("accept", "text/html,*/*;q=0.5")).await;
        assert_eq!(answer.header("content-type"), "text/html; charset=utf-8");
        assert!(!answer.text().contains("<b>"), "strangers' words are text");
        assert!(answer.header("vary").contains("accept"));
    }
}

async fn what_is_not_understood_is_a_problem(engine: Engine) {
    let (world, _) = stocked(engine);
    for (query, parameter) in [
        ("nonsense=1", "nonsense"),
        ("limit=0", "limit"),
        ("limit=x", "limit"),
        ("limit=1&limit=2", "limit"),
        ("bbox=1,2,3", "bbox"),
        ("datetime=soon", "datetime"),
        ("filter=title%20=", "filter"),
        ("filter=%7B%7D&filter-lang=cql2-json", "filter"),
        ("filter-lang=sql", "filter-lang"),
        ("sortby=colour", "sortby"),
        ("bbox-crs=EPSG:4326", "bbox-crs"),
        ("f=xml", "f"),
    ] {
        let (status, problem) = get(&world, &format!("{ITEMS}?{query}")).await.expect_problem();
        assert_eq!((status, problem["parameter"].as_str()), (400, Some(parameter)), "{query}");
    }
    let answer = world.send(TestRequest::new(Method::DELETE, ITEMS)).await;
    assert_eq!(answer.expect_problem().0, 405);
}

async fn answers_are_kept_and_other_sites_may_read_them(engine: Engine) {
    let (world, _) = stocked(engine);
    let ask = || TestRequest::get(ITEMS).header("origin", "https://browser.example");
    let answer = world.send(ask()).await;
    assert_eq!(answer.header("access-control-allow-origin"), "https://browser.example");
    assert!(answer.header("access-control-allow-credentials").is_empty());
    assert_eq!(answer.header("cache-control"), "public, max-age=60");
    let tag = answer.header("etag").to_owned();
    let again = world.send(ask().header("if-none-match", &tag)).await;
    assert_eq!(again.status, StatusCode::NOT_MODIFIED);
    let preflight = TestRequest::new(Method::OPTIONS, "/stac/search")
        .header("origin", "https://browser.example")
        .header("access-control-request-method", "POST")
        .header("access-control-request-headers", "content-type");
    let preflight = world.send(preflight).await;
    assert_eq!(preflight.header("access-control-allow-origin"), "https://browser.example");
    assert!(preflight.header("access-control-allow-headers").contains("content-type"));
}

async fn guests_have_a_rate_and_the_operator_a_switch(engine: Engine) {
    let world = test_server_with(engine, ServeConfig { guest_rate: 2, ..ServeConfig::default() });
    for _ in 0..2 {
        assert_eq!(get(&world, "/records").await.status, StatusCode::OK);
    }
    let refused = get(&world, "/opensearch").await;
    assert_eq!(refused.expect_problem().0, 429);
    assert!(!refused.header("retry-after").is_empty());
    let silent = test_server_with(
        engine,
        ServeConfig { standards: StandardsAudience::Nobody, ..ServeConfig::default() },
    );
    for path in ["/records", "/stac", "/opensearch", "/dcat", "/sitemap.xml", "/feeds/status.atom"] {
        assert_eq!(get(&silent, path).await.expect_problem().0, 404, "{path}");
    }
}

async fn opensearch_describes_itself_and_answers_in_every_form(engine: Engine) {
    let (world, ids) = stocked(engine);
    let description = get(&world, "/opensearch").await;
    assert!(description.header("content-type").starts_with("application/opensearchdescription+xml"));
    well_formed(&description.text());
    let atom = get(&world, "/opensearch/search?q=rivers").await.text();
    well_formed(&atom);
    for part in
        ["<os:totalResults>1</os:totalResults>", "<georss:box>47 5 55 15</georss:box>", "owc:offering"]
    {
        assert!(atom.contains(part), "{part} is missing in {atom}");
    }
    let second = get(&world, "/opensearch/search?count=2&startPage=2").await.text();
    assert!(second.contains("<os:startIndex>3</os:startIndex>") && second.contains("rel=\"previous\""));
    let json = ok(&world, "/opensearch/search?f=json&lat=50&lon=10&radius=1000").await;
    assert_eq!(json["totalResults"], 3);
    let one = ok(&world, &format!("/opensearch/search?f=json&uid={}", ids[2])).await;
    assert_eq!(one["features"][0]["id"], ids[2].as_str());
    let page = get(&world, "/opensearch/search?f=html&q=rivers").await;
    assert!(page.text().contains("Rivers &amp; lakes &lt;b&gt;"));
    let suggestions = ok(&world, "/opensearch/suggest?q=riv").await;
    assert_eq!(suggestions[0], "riv");
    let named = ok(&world, "/opensearch/search?f=json&name=Germany").await;
    let boxed = ok(&world, "/opensearch/search?f=json&bbox=5.859,47.279,15.018,55.058").await;
    assert!(named["totalResults"].as_u64().is_some_and(|found| found > 0));
    assert_eq!(named["features"], boxed["features"]);
    assert_eq!(get(&world, "/opensearch/search?name=Nowhere").await.expect_problem().0, 400);
    assert_eq!(get(&world, "/opensearch/search?relation=near&bbox=1,2,3,4").await.expect_problem().0, 400);
}

async fn stac_has_collections_and_items(engine: Engine) {
    let (world, ids) = stocked(engine);
    let landing = ok(&world, "/stac").await;
    assert_eq!(landing["type"], "Catalog");
    let collections = ok(&world, "/stac/collections").await;
    assert!(collections["collections"].as_array().unwrap().iter().any(|one| one["id"] == "maps"));
    let item = ok(&world, &format!("/stac/collections/maps/items/{}", ids[0])).await;
    assert_eq!((&item["collection"], &item["stac_version"]), (&json!("maps"), &json!("1.1.0")));
    assert_eq!(item["assets"]["endpoint"]["href"], ROADS);
    assert_eq!(
        get(&world, &format!("/stac/collections/files/items/{}", ids[0])).await.expect_problem().0,
        404
    );
    assert_eq!(get(&world, "/stac/collections/none").await.expect_problem().0, 404);
    for (body, parameter) in [
        (json!({ "bbox": [1, 2] }), "bbox"),
        (json!({ "bbox": [1, 2, 3, 4], "intersects": { "type": "Point", "coordinates": [1, 2] } }), "bbox"),
        (json!({ "intersects": { "type": "Point", "coordinates": [1000, 2] } }), "intersects"),
        (json!({ "limit": 0 }), "limit"),
        (json!({ "token": "x" }), "token"),
        (json!({ "ids": "a" }), "ids"),
        (json!({ "sortby": [] }), "sortby"),
        (json!({ "filter": { "op": "no" } }), "filter"),
    ] {
        let (status, problem) =
            world.send(TestRequest::post("/stac/search").json(body)).await.expect_problem();
        assert_eq!((status, problem["parameter"].as_str()), (400, Some(parameter)));
    }
}

async fn dcat_comes_in_every_form(engine: Engine) {
    let (world, ids) = stocked(engine);
    for (path, accept, media) in [
        ("/dcat", "*/*", "application/ld+json"),
        ("/dcat", "text/turtle", "text/turtle"),
        ("/dcat?f=rdf", "*/*", "application/rdf+xml"),
        ("/dcat.ttl", "*/*", "text/turtle"),
        ("/dcat.rdf", "*/*", "application/rdf+xml"),
        ("/dcat.jsonld", "text/turtle", "application/ld+json"),
    ] {
        let answer = world.send(TestRequest::get(path).header("accept", accept)).await;
        assert!(answer.header("content-type").starts_with(media), "{path}");
        assert!(answer.text().contains("http://soil.example/wms?map=a%7Cb"), "{}", answer.text());
    }
    well_formed(&get(&world, "/dcat.rdf").await.text());
    let one = world
        .send(TestRequest::get(&format!("/dcat/record/{}", ids[0])).header("accept", "text/turtle"))
        .await;
    assert!(one.text().contains("#layer-roads"));
    assert_eq!(get(&world, "/dcat/record/none").await.expect_problem().0, 404);
    assert_eq!(get(&world, "/dcat?page=0").await.expect_problem().0, 400);
}

async fn search_engines_find_the_pages_of_records(engine: Engine) {
    let (world, ids) = stocked(engine);
    assert!(get(&world, "/robots.txt").await.text().contains("Sitemap: http://maps.example/sitemap.xml"));
    let index = get(&world, "/sitemap.xml").await.text();
    assert!(index.contains("<loc>http://maps.example/sitemap/1.xml</loc>"));
    let page = get(&world, "/sitemap/1.xml").await.text();
    well_formed(&page);
    for id in &ids {
        assert!(page.contains(&format!("<loc>http://maps.example/service/{id}</loc>")));
    }
    assert_eq!(get(&world, "/sitemap/2.xml").await.expect_problem().0, 404);
    assert_eq!(get(&world, "/sitemap/x").await.expect_problem().0, 404);
    // With the application built in, the page contains structured data; without it, it is like
    // every other page.
    let answer = get(&world, &format!("/service/{}", ids[1])).await;
    assert_eq!(answer.status, StatusCode::OK);
    if answer.text().contains("<html") {
        assert!(answer.text().contains("application/ld+json"));
        assert!(answer.text().contains("<title>Rivers &amp; lakes &lt;b&gt; – Geotrawl</title>"));
        assert_eq!(get(&world, "/service/none").await.status, StatusCode::OK);
    }
}

async fn forwarded_names_stay_in_their_place(engine: Engine) {
    let (world, _) = stocked(engine);
    let answer = world.send(TestRequest::get("/records").header("host", "evil.example/\"><x")).await;
    assert!(!answer.text().contains("<x"), "{}", answer.text());
    let config = ServeConfig { public_url: "https://maps.example.org/".into(), ..ServeConfig::default() };
    let landing = ok(&test_server_with(engine, config), "/stac").await;
    assert_eq!(landing["links"][0]["href"], "https://maps.example.org/stac");
}

geotrawl_testkit::on_both_engines! {
    #[tokio::test]
    records_are_found_and_paged
    records_are_pages_for_people
    what_is_not_understood_is_a_problem
    answers_are_kept_and_other_sites_may_read_them
    guests_have_a_rate_and_the_operator_a_switch
    opensearch_describes_itself_and_answers_in_every_form
    stac_has_collections_and_items
    dcat_comes_in_every_form
    search_engines_find_the_pages_of_records
    forwarded_names_stay_in_their_place
}
