//! The catalogue, or a part of it, as a file.

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

/// Hits asked for at a time.
const SLICE: usize = 200;
/// Bytes handed on at a time.
const PIECE: usize = 64 * 1024;

/// Its routes.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(download))
}

/// All records that a search finds, as a file
#[utoipa::path(
    get, path = "/downloads/{format}", tag = "downloads",
    params(("format" = String, Path, description = "csv, geojson, gpkg, geoparquet, jsonl, qgis, terria or xlsx"), Filters),
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
        Problem::not_found(format!("'{format}' is not a format; there are {}.", known.join(", ")))
    })?;
    let query = filters.to_query()?;
    // A wrong question is told before the file begins.
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
            // A reader who went away is no fault; anything else breaks the transfer off, so that nobody takes
            // half a file for a whole one.
            if !matches!(&error, ExportError::Io(error) if error.kind() == io::ErrorKind::BrokenPipe) {
                tracing::error!("a download broke off: {error}");
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

/// Hands a stream on in pieces; waits while the reader is slow.
pub(super) struct ChunkWriter {
    to: mpsc::Sender<io::Result<Bytes>>,
    held: Vec<u8>,
}

impl ChunkWriter {
    /// Hands on to whoever receives there.
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
