//! Downloads of the catalogue or a part of it.

use super::extract::{Path, Query};
use super::filters::SearchFilters;
use crate::{App, Problem};
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::Response;
use geotrawl_export::{ExportError, FileFormat};
use std::io::{self, Write};
use tokio::sync::mpsc;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// Results requested per query.
const SLICE: usize = 200;
/// Bytes per chunk.
const PIECE: usize = 64 * 1024;

/// Builds the router.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(download))
}

/// Download all records of a search
#[utoipa::path(
    get, path = "/downloads/{format}", tag = "downloads",
    params(("format" = String, Path, description = "csv, geojson, gpkg, geoparquet, jsonl, qgis, terria or xlsx"), SearchFilters),
    responses(
        (status = 200, body = String, content_type = "application/octet-stream"),
        (status = 400, body = Problem), (status = 404, body = Problem)
    ),
    extensions(("x-needs" = json!("user")), ("x-scope" = json!("download")))
)]
async fn download(
    State(app): State<App>,
    Path(format): Path<String>,
    Query(filters): Query<SearchFilters>,
) -> Result<Response, Problem> {
    let format = FileFormat::parse(&format).ok_or_else(|| {
        let known: Vec<&str> = FileFormat::ALL.iter().map(|format| format.id()).collect();
        Problem::not_found(format!("'{format}' is not a format; the formats are {}.", known.join(", ")))
    })?;
    let query = filters.to_query()?;
    // Errors of the query must be reported before the file starts.
    let ids = app.blocking(move |app| Ok(app.index.find_ids(&query)?)).await?;
    let (pieces, mut arriving) = mpsc::channel::<io::Result<Bytes>>(8);
    let writing = app.clone();
    tokio::task::spawn_blocking(move || {
        let mut out = ChunkWriter::new(pieces.clone());
        let outcome = geotrawl_export::write_records(
            format,
            &mut |take| {
                for slice in ids.chunks(SLICE) {
                    for id in slice {
                        if let Some(record) = writing.store.find_record(id)? {
                            take(&record)?;
                        }
                    }
                }
                Ok(())
            },
            &mut out,
        );
        let outcome = outcome.and_then(|_| Ok(out.flush()?));
        if let Err(error) = outcome {
            // A client that disconnected is not an error. Anything else aborts the transfer, so
            // that nobody mistakes a partial file for a complete one.
            if !matches!(&error, ExportError::Io(error) if error.kind() == io::ErrorKind::BrokenPipe) {
                tracing::error!("a download failed: {error}");
            }
            let _ = pieces.blocking_send(Err(io::Error::other(error.to_string())));
        }
    });
    let body = Body::from_stream(async_stream::stream! {
        while let Some(piece) = arriving.recv().await {
            yield piece;
        }
    });
    let mut answer = Response::new(body);
    let headers = answer.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(format.media_type()));
    headers.insert(header::CONTENT_DISPOSITION, super::attachment("geotrawl", format.extension()));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    Ok(answer)
}

/// Sends a stream in chunks; blocks while the client is slow.
pub(super) struct ChunkWriter {
    to: mpsc::Sender<io::Result<Bytes>>,
    held: Vec<u8>,
}

impl ChunkWriter {
    /// Creates a writer that sends to `to`.
    pub fn new(to: mpsc::Sender<io::Result<Bytes>>) -> Self {
        Self { to, held: Vec::with_capacity(PIECE) }
    }
}

impl Write for ChunkWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.held.extend_from_slice(bytes);
        if self.held.len() >= PIECE {
            self.flush()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.held.is_empty() {
            return Ok(());
        }
        let piece = Bytes::from(std::mem::take(&mut self.held));
        self.to.blocking_send(Ok(piece)).map_err(|_gone| io::Error::from(io::ErrorKind::BrokenPipe))
    }
}
