//! Access requirements of the routes, read from the OpenAPI document. Routes without a declaration
//! are never served.

use axum::http::Method;
use std::collections::HashMap;
use utoipa::openapi::path::Operation;
use utoipa::openapi::{OpenApi, PathItem};

/// Scopes that tokens can have.
pub const SCOPES: &[&str] = &["read", "download", "tasks", "admin"];

/// Role required by a route.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum RequiredRole {
    Guest,
    User,
    Admin,
}

/// The access requirement of a route.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccessRequirement {
    pub who: RequiredRole,
    /// Token scope required; `None`: tokens cannot use this route (sessions, passwords, tokens
    /// themselves).
    pub scope: Option<String>,
}

/// Access requirements of all routes, by path and method.
#[derive(Debug, Clone, Default)]
pub struct RouteRequirements(HashMap<String, Vec<(Method, AccessRequirement)>>);

impl RouteRequirements {
    /// Reads a document; on error returns every operation without a valid declaration.
    pub fn from_document(document: &OpenApi) -> Result<Self, Vec<String>> {
        let (mut routes, mut faults) = (HashMap::new(), Vec::new());
        for (path, item) in &document.paths.paths {
            let mut methods = Vec::new();
            for (method, operation) in path_operations(item) {
                match parse_requirement(operation) {
                    Ok(needs) => methods.push((method, needs)),
                    Err(fault) => faults.push(format!("{method} {path}: {fault}")),
                }
            }
            routes.insert(path.clone(), methods);
        }
        if faults.is_empty() { Ok(Self(routes)) } else { Err(faults) }
    }

    /// Returns the requirement for a request, or the methods that the path supports if it does not
    /// support this one.
    pub fn requirement_for(&self, path: &str, method: &Method) -> Result<&AccessRequirement, Vec<&Method>> {
        // axum answers HEAD with the GET handler.
        let method = if *method == Method::HEAD { &Method::GET } else { method };
        let known = self.0.get(path).map(Vec::as_slice).unwrap_or_default();
        match known.iter().find(|(one, _)| one == method) {
            Some((_, needs)) => Ok(needs),
            None => Err(known.iter().map(|(method, _)| method).collect()),
        }
    }
}

/// Returns the operations of a path.
pub fn path_operations(item: &PathItem) -> impl Iterator<Item = (Method, &Operation)> {
    [
        (Method::GET, &item.get),
        (Method::PUT, &item.put),
        (Method::POST, &item.post),
        (Method::DELETE, &item.delete),
        (Method::OPTIONS, &item.options),
        (Method::HEAD, &item.head),
        (Method::PATCH, &item.patch),
        (Method::TRACE, &item.trace),
    ]
    .into_iter()
    .filter_map(|(method, operation)| Some((method, operation.as_ref()?)))
}

/// Parses the declaration of an operation.
pub fn parse_requirement(operation: &Operation) -> Result<AccessRequirement, String> {
    let declared = |key: &str| operation.extensions.as_ref().and_then(|extensions| extensions.get(key));
    let who = match declared("x-needs").and_then(serde_json::Value::as_str) {
        Some("guest") => RequiredRole::Guest,
        Some("user") => RequiredRole::User,
        Some("admin") => RequiredRole::Admin,
        Some(other) => return Err(format!("x-needs is {other:?}, not guest, user or admin")),
        None => return Err("x-needs is not declared".to_owned()),
    };
    let scope = match declared("x-scope").map(|scope| scope.as_str().unwrap_or_default()) {
        Some(scope) if SCOPES.contains(&scope) => Some(scope.to_owned()),
        Some(other) => return Err(format!("x-scope is {other:?}, not one of {}", SCOPES.join(", "))),
        None if who == RequiredRole::Guest => Some("read".to_owned()),
        None => None,
    };
    Ok(AccessRequirement { who, scope })
}
