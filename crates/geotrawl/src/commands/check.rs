//! `check`: tests whether services and files work, showing every request.

use super::CommandInput;
use crate::cli::{CheckArgs, GlobalArgs};
use crate::config::Config;
use crate::exit::{ExitStatus, UsageError};
use crate::output::{self, sanitize_line};
use crate::stores::OpenStore;
use anyhow::Result;
use geotrawl_crawl::body::BodyPool;
use geotrawl_crawl::check::ResourceChecker;
use geotrawl_crawl::fetch::GuardedClient;
use geotrawl_crawl::inspect;
use geotrawl_crawl::registry::Registry;
use geotrawl_kinds::kinds;
use geotrawl_kinds::urls;
use geotrawl_model::monitoring::{CheckResult, StoredCheck};
use geotrawl_model::schedule::ScheduleLimits;
use geotrawl_model::store::Store;
use geotrawl_model::{
    Check, CheckHistory, Intent, Observation, Purpose, RecordFilter, Resource, Score, Status,
};
use geotrawl_trust::check::{self, CheckOptions, CheckOutcome};
use geotrawl_trust::score::score_check;
use geotrawl_trust::standing;
use serde_json::json;
use std::sync::Arc;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use url::Url;

/// Maximum number of concurrent checks; those of one host run one after another.
const AT_ONCE: usize = 32;

/// A resource to check.
struct CheckTarget {
    input: String,
    /// Public id of its record, if it is in the catalogue.
    id: Option<String>,
    resource: Resource,
    before: Option<StoredCheck>,
}

/// Checks the given resources, or the whole catalogue.
pub fn run(global: &GlobalArgs, args: &CheckArgs) -> Result<ExitStatus> {
    let config = Config::load(global)?;
    let mut failing = Vec::new();
    let catalogue = CheckCatalogue::open(global, config.monitor.limits(), config.registry()?);
    let store = catalogue.store.as_deref();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let client = runtime.block_on(async { GuardedClient::new(config.fetch) })?;
    let subjects = if args.targets.is_empty() {
        let Some(store) = store else {
            return Err(UsageError(
                "the catalogue is empty; name an address to check, or crawl first".into(),
            )
            .into());
        };
        everything(store)?
    } else {
        let mut subjects = Vec::new();
        for target in &args.targets {
            match runtime.block_on(named(store, &client, target, args.kind.as_deref())) {
                Ok(named) => subjects.extend(named),
                Err(error) if args.targets.len() == 1 => return Err(error),
                // A target that cannot be checked must not stop the others.
                Err(error) => failing.push(error.to_string()),
            }
        }
        subjects
    };
    let mut examiner = ResourceChecker::new(client, BodyPool::default());
    // A check requested by a person ignores robots.txt unless --robots is given.
    if !args.robots {
        examiner = examiner.without_robots();
    }
    let options = CheckOptions { sample: args.sample, ..CheckOptions::default() };
    runtime.block_on(async {
        let room = Arc::new(Semaphore::new(AT_ONCE));
        let mut checks = JoinSet::new();
        for subject in subjects {
            let (examiner, options, room) = (examiner.clone(), options.clone(), Arc::clone(&room));
            checks.spawn(async move {
                let _place = room.acquire_owned().await;
                let checked = examiner.check_resource(&subject.resource, &options).await;
                (subject, checked)
            });
        }
        while let Some(done) = checks.join_next().await {
            let (subject, checked) = done?;
            if !matches!(checked.check.verdict, Status::Alive | Status::Degraded) {
                let Check { verdict, reason, .. } = &checked.check;
                // The report on stdout gives the reason to people.
                let reason = if global.json { format!(": {reason}") } else { String::new() };
                failing.push(format!("{}: {}{reason}", subject.input, verdict.as_str()));
            }
            let kept = catalogue.keep(&subject, &checked)?;
            report(global, &subject, &checked.check, &kept);
        }
        anyhow::Ok(())
    })?;
    let exit = if failing.is_empty() { ExitStatus::Done } else { ExitStatus::Failures };
    for text in failing {
        output::print_message(&format!("geotrawl: {}", sanitize_line(&text, 300)));
    }
    Ok(exit)
}

/// Returns all records of the catalogue.
fn everything(store: &dyn Store) -> Result<Vec<CheckTarget>> {
    let mut subjects = Vec::new();
    store.visit_records(&RecordFilter::default(), &mut |record| {
        subjects.push(CheckTarget {
            input: record.resource.url.clone(),
            id: Some(record.id),
            resource: record.resource,
            before: None,
        });
        true
    })?;
    for subject in &mut subjects {
        if let Some(id) = &subject.id {
            subject.before = store.latest_check(id)?;
        }
    }
    Ok(subjects)
}

/// Returns the resources that an address or id stands for: records of the catalogue, else what the
/// address itself turns out to be.
async fn named(
    store: Option<&dyn Store>,
    client: &GuardedClient,
    target: &str,
    kind: Option<&str>,
) -> Result<Vec<CheckTarget>> {
    let mut subjects = Vec::new();
    if let Some(store) = store {
        for known in super::explain::look_up(store, target)?.resources {
            if kind.is_some_and(|kind| kind != known.record.resource.kind) {
                continue;
            }
            let before = store.latest_check(&known.record.id)?;
            subjects.push(CheckTarget {
                input: target.to_owned(),
                id: Some(known.record.id),
                resource: known.record.resource,
                before,
            });
        }
    }
    if !subjects.is_empty() {
        return Ok(subjects);
    }
    let CommandInput::Web(url) = super::input(target, None)? else {
        return Err(UsageError(format!(
            "'{target}' is a local file; only resources on a server can be checked"
        ))
        .into());
    };
    let subject = |resource| CheckTarget { input: target.to_owned(), id: None, resource, before: None };
    let of = |kind: &str, url: &Url| Resource {
        kind: kind.to_owned(),
        url: url.to_string(),
        ..Resource::default()
    };
    if let Some(kind) = kind {
        let url = if kinds::by_id(kind).is_some_and(|kind| kind.ows().is_some()) {
            urls::endpoint_url(&url)
        } else {
            url
        };
        return Ok(vec![subject(of(kind, &url))]);
    }
    let found = inspect::inspect_url(client, &url).await;
    let found = found.findings.into_iter().flat_map(|finding| finding.resources);
    let mut subjects: Vec<CheckTarget> = found.map(|found| subject(found.resource)).collect();
    if subjects.is_empty() {
        // The address does not identify itself now. Check what its URL suggests, so that the reason
        // is reported.
        subjects.extend(inspect::probe_targets(&url).into_iter().find_map(
            |question| match question.intent {
                Intent::Ows { kind, .. } | Intent::Ask { kind } => Some(subject(of(&kind, &question.url))),
                _ => None,
            },
        ));
    }
    if subjects.is_empty() {
        return Err(UsageError(format!(
            "no geospatial resource found at {target}, and its URL does not reveal the kind; set it with --kind"
        ))
        .into());
    }
    Ok(subjects)
}

/// Score and status that follow from a check.
struct ScoredCheck {
    score: Score,
    status: Option<String>,
}

/// The catalogue that checks are compared with and stored in, if there is one.
struct CheckCatalogue {
    store: Option<OpenStore>,
    /// Whether another process writes to the store, so that nothing can be stored.
    read_only: bool,
    limits: ScheduleLimits,
    registry: Registry,
}

impl CheckCatalogue {
    fn open(global: &GlobalArgs, limits: ScheduleLimits, registry: Registry) -> Self {
        // Without a catalogue there is nothing to compare with; `check` does not create one.
        let Ok(reader) = crate::stores::open_to_read(global) else {
            return Self { store: None, read_only: true, limits, registry };
        };
        match crate::stores::open(global) {
            Ok(store) => Self { store: Some(store), read_only: false, limits, registry },
            Err(error) => {
                // Another process writes to the store; it can still be read for the comparison.
                output::print_message(&format!("geotrawl: results are shown but not stored: {error}"));
                Self { store: Some(reader), read_only: true, limits, registry }
            }
        }
    }

    /// Stores a check of a known record; for other resources only computes the score.
    fn keep(&self, subject: &CheckTarget, checked: &CheckOutcome) -> Result<ScoredCheck> {
        if let (Some(store), Some(id), false) = (&self.store, &subject.id, self.read_only) {
            let result = CheckResult {
                id: id.clone(),
                check: checked.check.clone(),
                resource: checked.resource.clone(),
                themes: checked.resource.as_ref().map(|resource| self.registry.label_themes(resource)),
            };
            if let Some(recorded) = store.record_checks(&[result], &self.limits, checked.check.at)?.pop() {
                let status = recorded.standing.status.as_str().to_owned();
                return Ok(ScoredCheck { score: recorded.score, status: Some(status) });
            }
        }
        let given = standing::check_availability(&checked.check);
        let history = CheckHistory {
            checks: u32::from(given.is_some()),
            available: u32::from(given == Some(true)),
            latest: given.into_iter().collect(),
            millis: Vec::new(),
        };
        Ok(ScoredCheck { score: score_check(&checked.check, &history), status: None })
    }
}

fn report(global: &GlobalArgs, subject: &CheckTarget, made: &Check, kept: &ScoredCheck) {
    let difference = subject
        .before
        .as_ref()
        .map(|before| check::list_differences(&before.check, made))
        .unwrap_or_default();
    let curl: Vec<String> = made.observations.iter().map(|seen| check::format_curl(&seen.request)).collect();
    if global.json {
        output::print_json(&json!({
            "input": subject.input, "id": subject.id, "kind": made.kind, "url": made.url,
            "status": made.verdict, "cause": made.cause, "reason": made.reason, "standing": kept.status,
            "score": kept.score.value, "score_points": kept.score, "check": made, "curl": curl,
            "compared_with": subject.before.as_ref().map(|before| before.number), "difference": difference,
        }));
        return;
    }
    let value = kept.score.value.map_or("no score".to_owned(), |value| {
        format!("score {value}{}", if kept.score.provisional { " (provisional)" } else { "" })
    });
    output::print_line(&format!("{}  {}  {}", made.verdict.as_str(), made.kind, made.url));
    output::print_line(&format!("  {}: {}  [{value}]", made.cause, sanitize_line(&made.reason, 200)));
    for (seen, curl) in made.observations.iter().zip(&curl) {
        output::print_line(&format!("  {}", line(seen, &made.reason)));
        output::print_line(&format!("    {curl}"));
    }
    for component in &kept.score.components {
        let got = component.weight * component.share;
        output::print_line(&format!("  {:<13}{got:>5.1} of {:>4.1}", component.id, component.weight));
    }
    match &subject.before {
        None => {}
        Some(before) if difference.is_empty() => {
            output::print_line(&format!("  no change since the check of {}", before.check.at));
        }
        Some(before) => {
            output::print_line(&format!("  changes since the check of {}:", before.check.at));
            for text in &difference {
                output::print_line(&format!("    {}", sanitize_line(text, 200)));
            }
        }
    }
}

/// Formats one request as a line. Leaves out what `reason` has already said.
fn line(seen: &Observation, reason: &str) -> String {
    let what = match seen.purpose {
        Purpose::Description => "description",
        Purpose::Operation => "operation",
        Purpose::Refusal => "refusal",
    };
    let status = seen.answer.as_ref().map(|answer| format!("HTTP {}, {} bytes", answer.status, answer.bytes));
    let status =
        status.or_else(|| seen.failure.as_ref().map(|failed| failed.class.clone())).unwrap_or_default();
    let dataset =
        seen.dataset.as_ref().map(|name| format!(" of {}", sanitize_line(name, 40))).unwrap_or_default();
    let took = format!("{status} in {} ms", seen.phases.total);
    if reason.contains(seen.seen.trim_end_matches('.')) {
        return format!("{what}{dataset}: {took}");
    }
    format!("{what}{dataset}: {} ({took})", sanitize_line(&seen.seen, 160))
}
