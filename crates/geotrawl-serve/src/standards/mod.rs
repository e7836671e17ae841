//! The standards of catalogues, each a thin layer between HTTP and `geotrawl-standards`: all are answered from the same
//! search and the same store.

pub mod base;
mod csw;
mod dcat;
mod oai;
mod opensearch;
mod records;
mod stac;

use crate::App;
use axum::Router;

/// Their routes.
pub fn router() -> Router<App> {
    Router::new()
        .merge(csw::router())
        .merge(records::router())
        .merge(opensearch::router())
        .merge(stac::router())
        .merge(dcat::router())
        .merge(oai::router())
}
