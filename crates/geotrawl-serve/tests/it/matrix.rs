use crate::common::{Engine, TestRequest, TestServer, test_server_with};
use axum::http::Method;
use geotrawl_model::account::{User, UserChange, UserRole};
use geotrawl_serve::ServeConfig;
use geotrawl_serve::auth::needs::{
    AccessRequirement, RequiredRole, RouteRequirements, parse_requirement, path_operations,
};
use std::time::Duration;
use tower::ServiceExt;
use utoipa::openapi::{OpenApiBuilder, PathItem, PathsBuilder, path::OperationBuilder};

/// How a request ends with respect to access control.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum AccessOutcome {
    /// Authentication required.
    Unknown,
    /// Authenticated, but not allowed.
    Refused,
    Allowed,
}
use AccessOutcome::{Allowed, Refused, Unknown};

#[derive(Debug, Clone, Copy)]
enum CallerKind {
    Guest,
    User,
    OtherUser,
    Admin,
    ReadToken,
    ScopedToken,
    WrongToken,
    Disabled,
    DisabledToken,
    NoCsrf,
}

const EVERYBODY: &[CallerKind] = &[
    CallerKind::Guest,
    CallerKind::User,
    CallerKind::OtherUser,
    CallerKind::Admin,
    CallerKind::ReadToken,
    CallerKind::ScopedToken,
    CallerKind::WrongToken,
    CallerKind::Disabled,
    CallerKind::DisabledToken,
    CallerKind::NoCsrf,
];

fn expected(caller: CallerKind, needs: &AccessRequirement, method: &Method) -> AccessOutcome {
    let for_role = |role: RequiredRole| if needs.who <= role { Allowed } else { Refused };
    let for_guest = if needs.who == RequiredRole::Guest { Allowed } else { Unknown };
    match caller {
        CallerKind::Guest | CallerKind::Disabled => for_guest,
        CallerKind::User | CallerKind::OtherUser => for_role(RequiredRole::User),
        CallerKind::Admin => Allowed,
        CallerKind::WrongToken | CallerKind::DisabledToken => Unknown,
        CallerKind::ReadToken if needs.scope.as_deref() == Some("read") => for_role(RequiredRole::User),
        CallerKind::ReadToken => Refused,
        CallerKind::ScopedToken => {
            if needs.scope.is_some() {
                Allowed
            } else {
                Refused
            }
        }
        CallerKind::NoCsrf if *method == Method::GET => for_role(RequiredRole::User),
        CallerKind::NoCsrf => Refused,
    }
}

struct TestUsers {
    user: User,
    other: User,
    admin: User,
    disabled: User,
}

fn ask_as(
    world: &TestServer,
    cast: &TestUsers,
    caller: CallerKind,
    needs: &AccessRequirement,
    method: &Method,
    path: &str,
) -> TestRequest {
    let ask = TestRequest::new(method.clone(), path);
    let ask = if *method == Method::GET { ask } else { ask.json(serde_json::json!({})) };
    // A new browser session for each request, because logging out is one of them.
    match caller {
        CallerKind::Guest => ask,
        CallerKind::User => ask.with_session(&world.open_session(&cast.user)),
        CallerKind::OtherUser => ask.with_session(&world.open_session(&cast.other)),
        CallerKind::Admin => ask.with_session(&world.open_session(&cast.admin)),
        CallerKind::Disabled => ask.with_session(&world.open_session(&cast.disabled)),
        CallerKind::NoCsrf => ask.with_cookie(&world.open_session(&cast.user)),
        CallerKind::ReadToken => ask.with_token(&world.add_token(&cast.user, &["read"])),
        CallerKind::DisabledToken => {
            ask.with_token(&world.add_token(&cast.disabled, &["read", "download", "tasks", "admin"]))
        }
        CallerKind::WrongToken => ask.with_token("gt_nobody-has-this"),
        CallerKind::ScopedToken => {
            let scope = needs.scope.as_deref().unwrap_or("admin");
            ask.with_token(&world.add_token(&cast.admin, &[scope]))
        }
    }
}

/// Values for placeholders that are valid as numbers and as names.
fn filled(path: &str) -> String {
    let parts = path.split('/').map(|part| if part.starts_with('{') { "987654" } else { part });
    parts.collect::<Vec<_>>().join("/")
}

async fn every_operation_is_for_those_it_declares(engine: Engine) {
    let config = ServeConfig { guest_rate: 1_000_000, user_rate: 1_000_000, ..ServeConfig::default() };
    let world = test_server_with(engine, config);
    let cast = TestUsers {
        user: world.add_user("user", UserRole::User),
        other: world.add_user("other", UserRole::User),
        admin: world.add_user("admin", UserRole::Admin),
        disabled: world.add_user("disabled", UserRole::Admin),
    };
    let disable = UserChange { disabled: Some(true), ..UserChange::default() };
    world.app.store.change_user(cast.disabled.id, &disable).unwrap();
    let (mut cells, mut wrong) = (0, Vec::new());
    for (path, item) in &world.document.paths.paths {
        for (method, operation) in path_operations(item) {
            let needs = parse_requirement(operation).unwrap();
            for caller in EVERYBODY {
                let ask = ask_as(&world, &cast, *caller, &needs, &method, &filled(path));
                let asking = world.router.clone().oneshot(ask.0);
                // A request that waits for events has passed the gate.
                let status = match tokio::time::timeout(Duration::from_secs(3), asking).await {
                    Ok(answer) => answer.unwrap().status().as_u16(),
                    Err(_waits) => 200,
                };
                let access = match status {
                    401 => Unknown,
                    403 => Refused,
                    _ => Allowed,
                };
                // Logging in without a body has its own error.
                let is_login = path.ends_with("/session") && method == Method::POST;
                let expected = expected(*caller, &needs, &method);
                if access != expected && !(is_login && expected == Allowed && status < 500) {
                    wrong.push(format!("{method} {path} as {caller:?}: {status}, expected {expected:?}"));
                }
                if status >= 500 && status != 502 {
                    wrong.push(format!("{method} {path} as {caller:?}: {status}"));
                }
                cells += 1;
            }
        }
    }
    assert!(wrong.is_empty(), "of {cells} cells:\n{}", wrong.join("\n"));
    assert!(cells >= 190, "{cells} cells: where are the routes?");
}

#[test]
fn an_operation_that_declares_nothing_is_named() {
    let item = PathItem::new(utoipa::openapi::HttpMethod::Get, OperationBuilder::new());
    let document = OpenApiBuilder::new().paths(PathsBuilder::new().path("/api/v1/secret", item)).build();
    let faults = RouteRequirements::from_document(&document).unwrap_err();
    assert_eq!(faults, ["GET /api/v1/secret: x-needs is not declared"]);
}

async fn the_document_is_served_and_says_what_it_is(engine: Engine) {
    let world = test_server_with(engine, ServeConfig::default());
    let answer = world.send(TestRequest::get("/api/v1/openapi.json")).await;
    let document = answer.json();
    assert_eq!(document["openapi"], "3.1.0");
    assert_eq!(document["paths"]["/api/v1/users"]["get"]["x-needs"], "admin");
    assert!(document["components"]["schemas"]["Problem"].is_object());
    let refusal = &document["paths"]["/api/v1/users"]["get"]["responses"]["default"]["content"];
    assert_eq!(refusal["application/problem+json"]["schema"]["$ref"], "#/components/schemas/Problem");
    let names: Vec<&str> = document["paths"]
        .as_object()
        .unwrap()
        .values()
        .flat_map(|item| item.as_object().unwrap().values())
        .filter_map(|operation| operation["operationId"].as_str())
        .collect();
    let unique: std::collections::HashSet<&&str> = names.iter().collect();
    assert_eq!(unique.len(), names.len(), "operation ids are unique");
    // A request that combines its own members with those of another model is one object with all of
    // them.
    for (name, own) in [("NewCollection", "acronym"), ("NewTask", "start")] {
        let schema = &document["components"]["schemas"][name];
        assert_eq!(schema["additionalProperties"], false, "{name}");
        assert!(schema["properties"][own].is_object() && schema["properties"]["title"].is_object(), "{name}");
    }
}

/// If two models had the same name, the document would silently contain only one.
#[test]
fn every_model_has_a_name_of_its_own() {
    let mut names = std::collections::BTreeMap::new();
    let crates = std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    let of_crate = |name: &str| crates.join(format!("geotrawl-{name}/src"));
    let mut folders = ["serve", "model", "kinds", "trust", "index"].map(of_crate).to_vec();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = std::fs::read_to_string(&path).unwrap();
            let mut lines = text.lines();
            while let Some(line) = lines.next() {
                let derives = ["#[derive(", "#[cfg_attr(feature = \"openapi\", derive("];
                let derives = derives.iter().any(|start| line.trim_start().starts_with(start));
                if !(derives && line.contains("ToSchema")) {
                    continue;
                }
                let renamed = |line: &str| {
                    let rest = line.split_once("schema(as = ")?.1;
                    rest.split([',', ')']).next().map(str::to_owned)
                };
                let mut given = renamed(line);
                let own = lines.by_ref().find_map(|line| {
                    given = given.take().or_else(|| renamed(line));
                    let name = line.split("struct ").nth(1).or_else(|| line.split("enum ").nth(1))?;
                    name.split(|letter: char| !letter.is_alphanumeric()).next()
                });
                let name = given.or(own.map(str::to_owned)).unwrap();
                if let Some(other) = names.insert(name.clone(), path.clone()) {
                    panic!("{name} stands in {} and in {}", other.display(), path.display());
                }
            }
        }
    }
    assert!(names.len() > 100, "{}", names.len());
}

geotrawl_testkit::on_both_engines! {
    #[tokio::test]
    every_operation_is_for_those_it_declares
    the_document_is_served_and_says_what_it_is
}
