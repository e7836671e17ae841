//! JSON log lines: one flat object each, in which fields of the event override those of the
//! enclosing spans.
//!
//! Written by hand: the formatter of `tracing-subscriber` nests spans in a list, so that finding a
//! task requires knowing its depth, and `json-subscriber` repeats a key that occurs in both an
//! event and a span, which many JSON parsers reject.

use serde_json::{Map, Value};
use std::fmt;
use tracing::{Event, Subscriber};
use tracing_subscriber::fmt::format::{JsonFields, Writer};
use tracing_subscriber::fmt::{FmtContext, FormatEvent, FormatFields, FormattedFields};
use tracing_subscriber::registry::LookupSpan;

/// Formats log events as JSON lines.
pub struct JsonLogFormat {
    /// Host name and process id.
    worker: String,
}

impl JsonLogFormat {
    pub fn new() -> Self {
        Self { worker: super::otlp::instance_id() }
    }
}

/// Adds fields that are already formatted as JSON.
fn add(line: &mut Map<String, Value>, fields: &str) {
    if let Ok(Value::Object(fields)) = serde_json::from_str(fields) {
        line.extend(fields);
    }
}

impl<S> FormatEvent<S, JsonFields> for JsonLogFormat
where
    S: Subscriber + for<'a> LookupSpan<'a>,
{
    fn format_event(
        &self,
        context: &FmtContext<'_, S, JsonFields>,
        mut writer: Writer<'_>,
        event: &Event<'_>,
    ) -> fmt::Result {
        let mut line = Map::new();
        for span in context.event_scope().into_iter().flat_map(tracing_subscriber::registry::Scope::from_root)
        {
            if let Some(fields) = span.extensions().get::<FormattedFields<JsonFields>>() {
                add(&mut line, &fields.fields);
            }
        }
        let mut own = String::new();
        JsonFields::new().format_fields(Writer::new(&mut own), event)?;
        add(&mut line, &own);
        let metadata = event.metadata();
        line.insert("time".into(), jiff::Timestamp::now().to_string().into());
        line.insert("level".into(), metadata.level().as_str().to_ascii_lowercase().into());
        line.insert("target".into(), metadata.target().into());
        line.insert("worker".into(), self.worker.as_str().into());
        writeln!(writer, "{}", Value::Object(line))
    }
}
