//! Checks, scores and standings described for the OpenAPI document: their types know none.

#![expect(dead_code, reason = "describes types of geotrawl-trust and geotrawl-store, which know no OpenAPI")]

use super::record_view::HostShape;
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// One visit to a resource.
#[derive(ToSchema)]
#[schema(as = Check)]
pub struct CheckShape {
    kind: String,
    url: String,
    at: String,
    observations: Vec<ObservationShape>,
    facts: Option<FactsShape>,
    /// `alive`, `degraded`, `dead`, `restricted`, `blocked` or `inconclusive`.
    verdict: String,
    /// Stable class of the reason.
    cause: String,
    reason: String,
}

/// One request of a check, and what came of it.
#[derive(ToSchema)]
#[schema(as = Observation)]
pub struct ObservationShape {
    /// `description`, `operation` or `refusal`.
    purpose: String,
    dataset: Option<String>,
    request: AskedShape,
    answer: Option<AnsweredShape>,
    failure: Option<FailedShape>,
    phases: PhasesShape,
    outcome: String,
    /// What was seen, in words.
    seen: String,
}

/// A request, exactly.
#[derive(ToSchema)]
#[schema(as = Asked)]
pub struct AskedShape {
    method: String,
    url: String,
    accept: Option<String>,
    range: Option<String>,
    content_type: Option<String>,
    body: Option<String>,
    /// Most bytes that were read of the answer.
    limit: u64,
}

/// An answer, as far as it is kept.
#[derive(ToSchema)]
#[schema(as = Answered)]
pub struct AnsweredShape {
    url: String,
    ip: Option<String>,
    status: u16,
    headers: Option<BTreeMap<String, String>>,
    /// Status and target of each redirect on the way.
    #[schema(value_type = Option<Vec<Vec<serde_json::Value>>>)]
    redirects: Option<Vec<(u16, String)>>,
    bytes: u64,
    truncated: Option<bool>,
    /// SHA-256 of the bytes as read.
    hash: String,
}

/// Why there is no answer.
#[derive(ToSchema)]
#[schema(as = Failed)]
pub struct FailedShape {
    class: String,
    message: String,
}

/// Where the time went, in milliseconds.
#[derive(ToSchema)]
#[schema(as = Phases)]
pub struct PhasesShape {
    dns: u32,
    connect: u32,
    tls: u32,
    first_byte: u32,
    transfer: u32,
    total: u32,
}

/// What a description holds, as far as the score asks.
#[derive(ToSchema)]
#[schema(as = Facts)]
pub struct FactsShape {
    well_formed: bool,
    right_root: bool,
    datasets: u64,
    unique_names: bool,
    bytes: u64,
    title: Option<String>,
    abstract_length: u32,
    keywords: u32,
    organisation: bool,
    email: bool,
    licence: bool,
    placed: f64,
    titled: f64,
    metadata_or_date: bool,
    media_type: bool,
    encoding: bool,
    axis_order: Option<bool>,
    advertised: Option<bool>,
    version: Option<bool>,
    ranges: Option<bool>,
    crs_known: Option<bool>,
}

/// Quality from 0 to 100 with everything that it is made of.
#[derive(ToSchema)]
#[schema(as = Score)]
pub struct ScoreShape {
    /// Version of the rubric; GET /scoring publishes it.
    rubric: String,
    /// Absent when it was never reached or is restricted.
    value: Option<u8>,
    /// There is too little history to be sure.
    provisional: bool,
    cap: Option<CapShape>,
    components: Vec<ComponentShape>,
}

/// Why no more can be reached.
#[derive(ToSchema)]
#[schema(as = Cap)]
pub struct CapShape {
    at: u8,
    why: String,
}

/// One part of the score.
#[derive(ToSchema)]
#[schema(as = Component)]
pub struct ComponentShape {
    /// `availability`, `latency`, `capabilities`, `operation`, `metadata` or `standards`.
    id: String,
    /// Points that can be had.
    weight: f64,
    /// Share of them, 0 to 1.
    share: f64,
    points: Vec<PointShape>,
}

/// One point that can be disputed.
#[derive(ToSchema)]
#[schema(as = Point)]
pub struct PointShape {
    id: String,
    what: String,
    got: f64,
    of: f64,
    why: String,
    /// Number of the observation that shows it, from 0.
    observation: Option<u64>,
    /// How to mend it.
    advice: Option<String>,
}

/// What went before a check, as far as its score asks.
#[derive(ToSchema)]
#[schema(as = CheckHistory)]
pub struct HistoryShape {
    checks: u32,
    available: u32,
    latest: Vec<bool>,
    millis: Vec<u32>,
}

/// Where a record stands after many checks.
#[derive(ToSchema)]
#[schema(as = Standing)]
pub struct StandingShape {
    status: String,
    cause: String,
    reason: String,
    since: String,
    checked: String,
    last_ok: Option<String>,
    failures: u32,
    failing_since: Option<String>,
    successes: u32,
    turns: Vec<String>,
}

/// Availability, speed and outages.
#[derive(ToSchema)]
#[schema(as = Uptime)]
pub struct UptimeShape {
    /// `24h`, `30d`, `1y`.
    windows: BTreeMap<String, WindowShape>,
    /// Oldest first.
    days: Vec<DayShape>,
    /// Newest first.
    outages: Vec<OutageShape>,
}

/// Availability and speed over a time.
#[derive(ToSchema)]
#[schema(as = Window)]
pub struct WindowShape {
    checks: u64,
    available: u64,
    share: Option<f64>,
    p50: Option<u32>,
    p95: Option<u32>,
    p99: Option<u32>,
}

/// One day.
#[derive(ToSchema)]
#[schema(as = Day)]
pub struct DayShape {
    day: String,
    checks: u64,
    available: u64,
    p50: Option<u32>,
}

/// A time in which it did not answer.
#[derive(ToSchema)]
#[schema(as = Outage)]
pub struct OutageShape {
    began: String,
    ended: Option<String>,
    cause: String,
    reason: String,
}

/// A change of the description.
#[derive(ToSchema)]
#[schema(as = MetadataChange)]
pub struct MetadataChangeShape {
    at: String,
    changes: Vec<FieldChangeShape>,
}

/// One thing that changed.
#[derive(ToSchema)]
#[schema(as = FieldChange)]
pub struct FieldChangeShape {
    path: String,
    was: Option<String>,
    now: Option<String>,
}

/// One line of the list of checks.
#[derive(ToSchema)]
#[schema(as = CheckSummary)]
pub struct CheckSummaryShape {
    number: i64,
    at: String,
    verdict: String,
    cause: String,
    reason: String,
    score: Option<u8>,
    millis: Option<u32>,
    /// Its evidence is still there: GET /checks/{number}.
    kept: bool,
}

/// Another record that may have taken its place.
#[derive(ToSchema)]
#[schema(as = Successor)]
pub struct SuccessorShape {
    id: String,
    title: Option<String>,
    url: String,
    kind: String,
    status: String,
    /// 0 to 1.
    confidence: f64,
    evidence: Vec<String>,
    /// `proposed`, `accepted` or `rejected`.
    state: String,
}

/// A piece of news.
#[derive(ToSchema)]
#[schema(as = Notice)]
pub struct NoticeShape {
    seq: i64,
    at: String,
    /// `born`, `died`, `reborn`, `degraded`, `recovered`, `restricted`, `blocked`, `changed` or `moved`.
    kind: String,
    id: String,
    title: Option<String>,
    url: String,
    host: String,
    record_kind: String,
    reason: String,
    body: Option<serde_json::Value>,
}

/// A host and what is there.
#[derive(ToSchema)]
#[schema(as = HostSummary)]
pub struct HostSummaryShape {
    host: String,
    records: u64,
    dead: u64,
    degraded: u64,
    statuses: BTreeMap<String, u64>,
    score: Option<f64>,
    country: Option<String>,
}

/// What is broken and missing on a host.
#[derive(ToSchema)]
#[schema(as = HostReport)]
pub struct HostReportShape {
    host: String,
    organisations: Vec<String>,
    place: Option<HostShape>,
    records: u64,
    datasets: u64,
    statuses: BTreeMap<String, u64>,
    score: Option<f64>,
    uptime_30d: Option<f64>,
    /// Worst first.
    services: Vec<HostServiceShape>,
    /// Most costly first.
    problems: Vec<CostlyPointShape>,
    outages: Vec<HostOutageShape>,
}

/// A record on a host.
#[derive(ToSchema)]
#[schema(as = HostService)]
pub struct HostServiceShape {
    id: String,
    title: Option<String>,
    kind: String,
    url: String,
    status: String,
    reason: String,
    score: Option<u8>,
}

/// A point of the score that records miss.
#[derive(ToSchema)]
#[schema(as = CostlyPoint)]
pub struct CostlyPointShape {
    id: String,
    what: String,
    advice: Option<String>,
    count: u64,
    cost: f64,
    records: Vec<String>,
}

/// An outage of a record on a host.
#[derive(ToSchema)]
#[schema(as = HostOutage)]
pub struct HostOutageShape {
    id: String,
    title: Option<String>,
    began: String,
    ended: Option<String>,
    reason: String,
}

/// How long answers took, in milliseconds.
#[derive(ToSchema)]
#[schema(as = Latency)]
pub struct LatencyShape {
    p50: u32,
    p95: u32,
}
