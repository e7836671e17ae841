//! Traces to the operator's collector, by OpenTelemetry's protocol over HTTP with JSON; off unless the standard variables name one.
//!
//! They go through the guarded client like everything else. Its policy on addresses does not hold here: the collector's address stands in
//! the operator's environment, never in anything that a user or a stranger wrote, and collectors mostly live on private networks.

use crate::exit::UsageError;
use crate::outbound::interactive_config;
use anyhow::{Context as _, Result};
use async_trait::async_trait;
use geotrawl_crawl::fetch::{FetchConfig, FetchRequest, GuardedClient, parse_net};
use geotrawl_kinds::probe::PostBody;
use opentelemetry::KeyValue;
use opentelemetry::propagation::TextMapPropagator as _;
use opentelemetry::trace::TracerProvider as _;
use opentelemetry_http::{Bytes, HeaderExtractor, HttpClient, HttpError};
use opentelemetry_otlp::{Protocol, SpanExporter, WithExportConfig as _, WithHttpConfig as _};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use opentelemetry_sdk::trace::{SdkTracer, SdkTracerProvider};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tracing::Subscriber;
use tracing_opentelemetry::{OpenTelemetryLayer, OpenTelemetrySpanExt as _};
use tracing_subscriber::registry::LookupSpan;
use url::Url;

/// Answers of a collector are short.
const LONGEST_ANSWER: u64 = 64 << 10;
/// Time for the last spans to be sent when the program ends.
const LAST: Duration = Duration::from_secs(3);

/// Sends spans.
pub struct OtlpExporter {
    provider: SdkTracerProvider,
    /// Outlives whoever sends through it.
    _runtime: tokio::runtime::Runtime,
}

/// A variable that says something.
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().map(|value| value.trim().to_owned()).filter(|value| !value.is_empty())
}

impl OtlpExporter {
    /// Starts it where a collector is named.
    pub fn start() -> Result<Option<Self>> {
        let named = variable("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
            .or_else(|| variable("OTEL_EXPORTER_OTLP_ENDPOINT"));
        let off = variable("OTEL_SDK_DISABLED").is_some_and(|value| value.eq_ignore_ascii_case("true"))
            || variable("OTEL_TRACES_EXPORTER").is_some_and(|value| value == "none");
        let Some(named) = named.filter(|_| !off) else { return Ok(None) };
        let url = Url::parse(&named).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
        let url = url.ok_or_else(|| {
            UsageError(format!("'{named}' is no address of a collector, such as http://localhost:4318"))
        })?;
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("traces")
            .enable_all()
            .build()?;
        let client = {
            let _inside = runtime.enter();
            GuardedClient::new(reaching(&url)?)?
        };
        let collector = CollectorClient {
            client,
            runtime: runtime.handle().clone(),
            shown: named,
            fails: AtomicBool::new(false),
        };
        let exporter = SpanExporter::builder()
            .with_http()
            .with_http_client(collector)
            .with_protocol(Protocol::HttpJson)
            .build()
            .context("traces cannot be sent")?;
        let resource = Resource::builder()
            .with_attribute(KeyValue::new("service.version", env!("CARGO_PKG_VERSION")))
            .with_attribute(KeyValue::new("service.instance.id", instance_id()));
        let resource = match variable("OTEL_SERVICE_NAME") {
            Some(_) => resource,
            None => resource.with_service_name("geotrawl"),
        };
        let provider = SdkTracerProvider::builder()
            .with_resource(resource.build())
            .with_batch_exporter(exporter)
            .build();
        Ok(Some(Self { provider, _runtime: runtime }))
    }

    /// Makes traces of spans.
    pub fn layer<S>(&self) -> OpenTelemetryLayer<S, SdkTracer>
    where
        S: Subscriber + for<'a> LookupSpan<'a>,
    {
        tracing_opentelemetry::layer()
            .with_tracer(self.provider.tracer("geotrawl"))
            .with_location(false)
            .with_threads(false)
            .with_target(false)
    }
}

impl Drop for OtlpExporter {
    fn drop(&mut self) {
        // What could not be sent was told by whoever tried.
        let _ = self.provider.shutdown_with_timeout(LAST);
    }
}

/// Which process of which machine this is.
pub fn instance_id() -> String {
    let machine = std::fs::read_to_string("/proc/sys/kernel/hostname").ok().or_else(|| variable("HOSTNAME"));
    format!("{}:{}", machine.as_deref().map_or("here", str::trim), std::process::id())
}

/// Makes a span a part of the trace that the headers of its request name.
pub fn adopt_trace(span: &tracing::Span, headers: &http::HeaderMap) {
    let context = TraceContextPropagator::new().extract(&HeaderExtractor(headers));
    // There is nobody to tell where no span is made.
    let _ = span.set_parent(context);
}

/// A client for this one address. What the command line says about the addresses of others does not hold for it.
fn reaching(url: &Url) -> Result<FetchConfig> {
    let mut fetch = interactive_config(&FetchConfig::default());
    for net in ["0.0.0.0/0", "::/0"] {
        fetch.allow_nets.push(parse_net(net)?);
    }
    fetch.allow_ports.extend(url.port_or_known_default());
    if let Some(file) = variable("OTEL_EXPORTER_OTLP_TRACES_CERTIFICATE")
        .or_else(|| variable("OTEL_EXPORTER_OTLP_CERTIFICATE"))
    {
        fetch.extra_roots.push(PathBuf::from(file));
    }
    Ok(fetch)
}

/// Brings what is exported to the collector.
struct CollectorClient {
    client: GuardedClient,
    runtime: tokio::runtime::Handle,
    shown: String,
    /// The last time failed: it is told once.
    fails: AtomicBool,
}

impl std::fmt::Debug for CollectorClient {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Collector").finish_non_exhaustive()
    }
}

impl CollectorClient {
    async fn bring(&self, request: http::Request<Bytes>) -> Result<http::Response<Bytes>, HttpError> {
        let (parts, body) = request.into_parts();
        let url = Url::parse(&parts.uri.to_string())?;
        let body = String::from_utf8(body.into())?;
        let mut wanted = FetchRequest {
            post: Some(PostBody { content_type: "application/json", body }),
            check_robots: false,
            ..FetchRequest::new(url, LONGEST_ANSWER)
        };
        for (name, value) in &parts.headers {
            if *name == http::header::AUTHORIZATION {
                wanted.authorization = value.to_str().ok().map(str::to_owned);
            } else if *name != http::header::CONTENT_TYPE && *name != http::header::USER_AGENT {
                wanted.extra_headers.push((name.clone(), value.clone()));
            }
        }
        let client = self.client.clone();
        let asking = self.runtime.spawn(async move {
            let fetched = client.fetch(wanted).await;
            let body = fetched.outcome.map_err(|failure| failure.message)?;
            Ok::<_, String>((fetched.head.status, body.collect(LONGEST_ANSWER).await.bytes))
        });
        let (status, body) = asking.await??;
        let mut answer = http::Response::new(body);
        *answer.status_mut() = http::StatusCode::from_u16(status)?;
        Ok(answer)
    }
}

#[async_trait]
impl HttpClient for CollectorClient {
    async fn send_bytes(&self, request: http::Request<Bytes>) -> Result<http::Response<Bytes>, HttpError> {
        let answer = self.bring(request).await;
        let trouble = match &answer {
            Ok(answer) if answer.status().is_success() => None,
            Ok(answer) => Some(format!("it answers {}", answer.status())),
            Err(error) => Some(error.to_string()),
        };
        let failed = self.fails.swap(trouble.is_some(), Ordering::AcqRel);
        match trouble {
            Some(why) if !failed => {
                tracing::warn!(
                    collector = self.shown,
                    "traces are lost, the collector cannot be reached: {why}"
                );
            }
            None if failed => tracing::info!(collector = self.shown, "traces are sent again"),
            _ => {}
        }
        answer
    }
}
