//! What the program tells about itself while it runs: lines on stderr, and traces where a collector is named.

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

/// How lines of the log are written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    /// For people
    #[default]
    Text,
    /// One JSON object a line, with the ids of task, run, host, address and request
    Json,
}

/// Spans that have not been sent yet are sent when this goes.
#[must_use]
pub struct TelemetryGuard {
    _tracing: Option<otlp::OtlpExporter>,
}

/// Whether spans are sent somewhere.
static TRACES: AtomicBool = AtomicBool::new(false);

/// Starts it, as the command line and the environment say.
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
        // Ids stand in spans, so these are made whatever is logged.
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

/// What makes requests a part of the traces that they name, where spans are sent somewhere.
pub fn trace_adopter() -> Option<Arc<TraceAdopter>> {
    TRACES.load(Ordering::Acquire).then(|| Arc::new(otlp::adopt_trace) as Arc<TraceAdopter>)
}

/// Our own spans. They cost something for every page, so nothing asks for them unless they are wanted.
fn spans() -> FilterFn<fn(&Metadata<'_>) -> bool> {
    fn ours(metadata: &Metadata<'_>) -> bool {
        metadata.is_span()
            && metadata.target().starts_with("geotrawl")
            && *metadata.level() <= LevelFilter::INFO
    }
    FilterFn::new(ours as fn(&Metadata<'_>) -> bool).with_max_level_hint(LevelFilter::INFO)
}
