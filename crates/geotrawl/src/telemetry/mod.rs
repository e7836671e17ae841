//! Telemetry: log lines on stderr, and traces if a collector is configured.

mod json;
mod otlp;

use crate::cli::GlobalArgs;
use clap::ValueEnum;
use geotrawl_serve::TraceAdopter;
use std::io::{self, IsTerminal};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tracing::Metadata;
use tracing::level_filters::LevelFilter;
use tracing_subscriber::filter::{EnvFilter, FilterExt as _, FilterFn};
use tracing_subscriber::fmt::format::JsonFields;
use tracing_subscriber::prelude::*;

/// Format of log lines.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    /// Plain text
    #[default]
    Text,
    /// One JSON object per line, with the ids of task, run, host, address and request
    Json,
}

/// Sends the remaining spans when dropped.
#[must_use]
pub struct TelemetryGuard {
    _tracing: Option<otlp::OtlpExporter>,
}

/// Whether spans are exported.
static TRACES: AtomicBool = AtomicBool::new(false);

/// Starts logging and tracing according to the command line and the environment.
pub fn start(global: &GlobalArgs) -> anyhow::Result<TelemetryGuard> {
    let level = match (global.quiet, global.verbose) {
        (true, _) => "error",
        (_, 0) => "warn",
        (_, 1) => "info",
        (_, 2) => "debug",
        _ => "trace",
    };
    let filter = EnvFilter::try_from_env("GEOTRAWL_LOG").unwrap_or_else(|_| EnvFilter::new(level));
    let lines = tracing_subscriber::fmt::layer().with_writer(io::stderr);
    let lines = match global.log_format {
        LogFormat::Text => {
            let ansi = io::stderr().is_terminal();
            lines.with_ansi(ansi).with_target(false).with_filter(filter).boxed()
        }
        // Ids are fields of spans, so spans are created at every log level.
        LogFormat::Json => {
            let lines = lines.fmt_fields(JsonFields::new()).event_format(json::JsonLogFormat::new());
            lines.with_filter(filter.or(spans())).boxed()
        }
    };
    let tracing = otlp::OtlpExporter::start()?;
    let traces = tracing.as_ref().map(|tracing| tracing.layer().with_filter(spans()));
    tracing_subscriber::registry().with(lines).with(traces).init();
    TRACES.store(tracing.is_some(), Ordering::Release);
    Ok(TelemetryGuard { _tracing: tracing })
}

/// Returns the function that attaches requests to the traces named in their headers, if spans are
/// exported.
pub fn trace_adopter() -> Option<Arc<TraceAdopter>> {
    TRACES.load(Ordering::Acquire).then(|| Arc::new(otlp::adopt_trace) as Arc<TraceAdopter>)
}

/// Enables the spans of this program. They cost time on every page, so they are created only when
/// used.
fn spans() -> FilterFn<fn(&Metadata<'_>) -> bool> {
    fn ours(metadata: &Metadata<'_>) -> bool {
        metadata.is_span()
            && metadata.target().starts_with("geotrawl")
            && *metadata.level() <= LevelFilter::INFO
    }
    FilterFn::new(ours as fn(&Metadata<'_>) -> bool).with_max_level_hint(LevelFilter::INFO)
}
