//! The web application, built into the binary.

use crate::Problem;
use axum::extract::Request;
use axum::response::{IntoResponse, Response};

/// Everything that is no route: the page and its files.
pub fn fallback(_request: Request) -> Response {
    Problem::not_found("There is no page at this address.").into_response()
}
