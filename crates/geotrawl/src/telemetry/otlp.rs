//! Traces for the operator's collector, sent with OTLP over HTTP as JSON; off unless the standard
//! variables name a collector.
//!
//! They use the guarded client, but without its address policy: the collector's address comes from
//! the operator's environment, never from a user or a web page, and collectors usually run on
//! private networks.

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

/// Maximum size of a collector's response.
const LONGEST_ANSWER: u64 = 64 << 10;
/// Time for sending the last spans when the program exits.
const LAST: Duration = Duration::from_secs(3);

/// Exports spans to a collector.
pub struct OtlpExporter {
    provider: SdkTracerProvider,
    /// Kept alive for the exporter, which sends through it.
    _runtime: tokio::runtime::Runtime,
}

/// Returns the value of an environment variable unless it is empty.
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().map(|value| value.trim().to_owned()).filter(|value| !value.is_empty())
}

impl OtlpExporter {
    /// Starts the exporter if a collector is configured.
    pub fn start() -> Result<Option<Self>> {
        let named = variable("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
            .or_else(|| variable("OTEL_EXPORTER_OTLP_ENDPOINT"));
        let off = variable("OTEL_SDK_DISABLED").is_some_and(|value| value.eq_ignore_ascii_case("true"))
            || variable("OTEL_TRACES_EXPORTER").is_some_and(|value| value == "none");
        let Some(named) = named.filter(|_| !off) else { return Ok(None) };
        let url = Url::parse(&named).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
        let url = url.ok_or_else(|| {
            UsageError(format!(
                "invalid collector address '{named}'; expected a URL such as http://localhost:4318"
            ))
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
            .context("cannot start the trace exporter")?;
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

    /// Returns the layer that turns spans into traces.
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
        // Failures to send are logged where they occur.
        let _ = self.provider.shutdown_with_timeout(LAST);
    }
}

/// Returns the host name and process id.
pub fn instance_id() -> String {
    let machine = std::fs::read_to_string("/proc/sys/kernel/hostname").ok().or_else(|| variable("HOSTNAME"));
    format!("{}:{}", machine.as_deref().map_or("here", str::trim), std::process::id())
}

/// Attaches a span to the trace named in the headers of its request.
pub fn adopt_trace(span: &tracing::Span, headers: &http::HeaderMap) {
    let context = TraceContextPropagator::new().extract(&HeaderExtractor(headers));
    // Fails if the span is disabled, which is not an error.
    let _ = span.set_parent(context);
}

/// Configures a client for this one address. Address rules of the command line do not apply to it.
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

/// Sends exported spans to the collector.
struct CollectorClient {
    client: GuardedClient,
    runtime: tokio::runtime::Handle,
    shown: String,
    /// Whether the last attempt failed; the failure is logged only once.
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
            Ok(answer) => Some(format!("it responded {}", answer.status())),
            Err(error) => Some(error.to_string()),
        };
        let failed = self.fails.swap(trouble.is_some(), Ordering::AcqRel);
        match trouble {
            Some(why) if !failed => {
                tracing::warn!(
                    collector = self.shown,
                    "cannot send traces to the collector, they are lost: {why}"
                );
            }
            None if failed => tracing::info!(collector = self.shown, "sending traces works again"),
            _ => {}
        }
        answer
    }
}
