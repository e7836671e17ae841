//! Measured components: availability, latency, and the scored operation.

use super::points::{ComponentPoints, UnweightedPoint, clamp_share};
use super::{ObservedCheck, Weights, answers, is_ours};
use geotrawl_model::{CheckHistory, Observation, Outcome, Purpose};

/// Bytes whose transfer time counts in full; for longer answers it counts in proportion.
const COUNTED_BYTES: f64 = 100_000.0;

/// Returns the share that a sample of the scored operation earns.
pub(super) fn outcome_worth(outcome: Outcome) -> f64 {
    match outcome {
        Outcome::Valid => 1.0,
        Outcome::Blank => 0.6,
        Outcome::Exception => 0.3,
        _ => 0.0,
    }
}

pub(super) fn score_availability(
    seen: &ObservedCheck<'_>,
    history: &CheckHistory,
    enough: u32,
) -> ComponentPoints {
    let mut points = ComponentPoints::new("availability");
    let (share, why) = if history.checks < enough {
        let result = if seen.last { "worked" } else { "failed" };
        let why = format!(
            "the last check {result}; with {} of {enough} checks so far, at most 70 % can be earned",
            history.checks
        );
        (if seen.last { 0.7 } else { 0.0 }, why)
    } else {
        let available = f64::from(history.available.min(history.checks)) / f64::from(history.checks);
        let why = format!(
            "{} of {} checks in the last 30 days returned a description ({} %); 99 % earns full points, 80 % none",
            history.available,
            history.checks,
            to_percent(available)
        );
        (clamp_share((available - 0.80) / 0.19), why)
    };
    points.add(UnweightedPoint {
        id: "share",
        what: "Availability",
        of: 1.0,
        share: Some(share),
        why,
        observation: seen.description,
        advice: "Monitor the service from outside and fix outages quickly. A short history earns less \
                 until more checks are available.",
    });
    points
}

pub(super) fn score_latency(
    seen: &ObservedCheck<'_>,
    history: &CheckHistory,
    row: &Weights,
) -> ComponentPoints {
    let mut points = ComponentPoints::new("latency");
    let (millis, source, observation) = if history.millis.is_empty() {
        let operations = seen.samples();
        let asked = !operations.is_empty();
        let counted_ones =
            if asked { operations } else { seen.of_purpose(Purpose::Description).collect::<Vec<_>>() };
        let times: Vec<f64> = counted_ones.iter().map(|(_, o)| time(o)).collect();
        let source = format!("of {} in this check", counted(times.len(), "request"));
        (median(times), source, counted_ones.first().map(|(at, _)| *at))
    } else {
        let times: Vec<f64> = history.millis.iter().take(5).map(|&millis| f64::from(millis)).collect();
        let source = format!("of the last {}", counted(times.len(), "check"));
        (median(times), source, seen.of_purpose(Purpose::Operation).next().map(|(at, _)| at))
    };
    let (share, why) = match millis {
        Some(millis) if millis.is_finite() => {
            // Logarithmic: full points up to a tenth of the limit, half at the limit, none at ten
            // times the limit.
            let best = row.seconds * 100.0;
            let share = clamp_share(1.0 - (millis.max(1.0) / best).ln() / 100f64.ln());
            let why = format!(
                "median {} ms {source}; up to {} ms earns full points, {} ms half, {} ms none",
                millis.round(),
                best,
                best * 10.0,
                best * 100.0
            );
            (share, why)
        }
        _ => (0.0, "no answer could be timed".to_owned()),
    };
    points.add(UnweightedPoint {
        id: "median",
        what: "Response time of the scored operation",
        of: 1.0,
        share: Some(share),
        why,
        observation,
        advice: "Index the data, build overviews or tile caches, and simplify what is drawn at small scales.",
    });
    points
}

/// Returns the time to the first byte plus the transfer. Missing answers count as infinite, so that
/// a late answer is never worse than none.
fn time(observation: &Observation) -> f64 {
    if !answers(observation.outcome) {
        return f64::INFINITY;
    }
    let bytes = observation.answer.as_ref().map_or(0, |answer| answer.bytes) as f64;
    let counted = if bytes > COUNTED_BYTES { COUNTED_BYTES / bytes } else { 1.0 };
    f64::from(observation.phases.first_byte) + f64::from(observation.phases.transfer) * counted
}

fn median(mut times: Vec<f64>) -> Option<f64> {
    times.sort_by(f64::total_cmp);
    let upper = *times.get(times.len() / 2)?;
    let lower = *times.get(times.len().saturating_sub(1) / 2)?;
    Some(f64::midpoint(lower, upper))
}

pub(super) fn score_operation(seen: &ObservedCheck<'_>) -> ComponentPoints {
    let mut points = ComponentPoints::new("operation");
    if seen.is_file() {
        file_operation(seen, &mut points);
        return points;
    }
    let samples = seen.samples();
    if samples.is_empty() {
        points.add(UnweightedPoint {
            id: "sample-1",
            what: "The scored operation works",
            of: 1.0,
            share: (!seen.given).then_some(0.0),
            why: if seen.given {
                "left out: this kind has no operation that is cheap enough to test".to_owned()
            } else {
                "the description was not returned, so nothing could be requested".to_owned()
            },
            observation: seen.description,
            advice: "Fix the request for the description.",
        });
    }
    const IDS: [&str; 3] = ["sample-1", "sample-2", "sample-3"];
    for (place, (at, sample)) in samples.into_iter().enumerate() {
        let ours = is_ours(sample.outcome);
        let of = sample.dataset.as_deref().map_or_else(String::new, |name| format!("{name}: "));
        points.add(UnweightedPoint {
            id: IDS.get(place).copied().unwrap_or("sample-more"),
            what: "The scored operation works on a tested layer",
            of: 1.0,
            share: (!ours).then(|| outcome_worth(sample.outcome)),
            why: if ours {
                format!("{of}left out, it was not requested: {}", sample.seen)
            } else {
                format!("{of}{} ({} of 1)", sample.seen, outcome_worth(sample.outcome))
            },
            observation: Some(at),
            advice: operation_advice(sample.outcome),
        });
    }
    points
}

fn operation_advice(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Blank => {
            "The answer is valid but empty: check the data source, style, scale limits and the advertised extent of the \
             layer."
        }
        Outcome::Exception => {
            "The layer is advertised, but requesting it returns an exception: fix its data source, or remove it \
             from the description."
        }
        Outcome::Login | Outcome::Key => {
            "The description is public, but the data require a login: say so in the access constraints, or make \
             the data public."
        }
        Outcome::Timeout => "The request timed out: index the data or limit what is drawn.",
        _ => "Repeat the request shown and fix its error: it must return what was requested.",
    }
}

/// Scores a file: ranges, a stable size, a known reference system.
fn file_operation(seen: &ObservedCheck<'_>, points: &mut ComponentPoints) {
    let facts = seen.check.facts.as_ref();
    // Without facts nothing was read, which earns nothing if the file was not returned.
    let unread = (facts.is_none() && !seen.given).then_some(0.0);
    let known = |fact: Option<bool>| fact.map(|yes| if yes { 1.0 } else { 0.0 });
    let ranges = facts.and_then(|facts| facts.ranges);
    points.add(UnweightedPoint {
        id: "ranges",
        what: "Range requests are supported",
        of: 1.0,
        share: known(ranges).or(unread),
        why: match ranges {
            Some(true) => "the requested range was returned",
            Some(false) => "the requested range was ignored",
            None => "left out: no range was requested",
        }
        .to_owned(),
        observation: seen.description,
        advice: "Enable range requests (Accept-Ranges: bytes) on the server, also behind proxies and \
                 compression.",
    });
    let sizes = sizes(seen);
    let stable = (sizes.len() >= 2).then(|| sizes.iter().all(|size| *size == sizes[0]));
    points.add(UnweightedPoint {
        id: "size",
        what: "The file size is stable",
        of: 1.0,
        share: known(stable),
        why: match stable {
            Some(true) => format!("{} answers reported the same size, {} bytes", sizes.len(), sizes[0]),
            Some(false) => format!("{} answers reported different sizes", sizes.len()),
            None => "left out: fewer than two answers reported the size".to_owned(),
        },
        observation: seen.description,
        advice: "Replace files atomically, and do not compress them in transit.",
    });
    let crs = facts.and_then(|facts| facts.crs_known);
    points.add(UnweightedPoint {
        id: "crs",
        what: "The coordinate reference system is known",
        of: 1.0,
        share: known(crs).or(unread),
        why: match crs {
            Some(true) => "the reference system is declared and known",
            Some(false) => "the reference system is missing or unknown",
            None => "left out: it does not follow from the header",
        }
        .to_owned(),
        observation: seen.description,
        advice: "Write the reference system into the file, preferably as an EPSG code.",
    });
}

/// Returns the sizes reported by answers about the file, even by faulty ones.
fn sizes(seen: &ObservedCheck<'_>) -> Vec<u64> {
    let answers = seen.check.observations.iter().filter(|o| o.request.url == seen.check.url);
    let told = answers.filter_map(|o| o.answer.as_ref()?.headers.get("content-range"));
    told.filter_map(|range| range.rsplit_once('/')?.1.trim().parse().ok()).collect()
}

/// Returns a percentage with one decimal.
pub(super) fn to_percent(share: f64) -> f64 {
    (share * 1000.0).round() / 10.0
}

fn counted(number: usize, what: &str) -> String {
    if number == 1 { format!("{number} {what}") } else { format!("{number} {what}s") }
}
