//! What is measured: availability, latency, and the scored operation.

use super::points::{ComponentPoints, UnweightedPoint, clamp_share};
use super::{ObservedCheck, Weights, answers, is_ours};
use geotrawl_model::{CheckHistory, Observation, Outcome, Purpose};

/// Bytes whose transfer counts; of a longer answer the transfer counts in proportion.
const COUNTED_BYTES: f64 = 100_000.0;

/// What one sample of the scored operation is worth.
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
            "the last check {result}; {} of {enough} checks are there, and until then it counts for 70 %",
            history.checks
        );
        (if seen.last { 0.7 } else { 0.0 }, why)
    } else {
        let available = f64::from(history.available.min(history.checks)) / f64::from(history.checks);
        let why = format!(
            "{} of {} checks in the last 30 days gave a description ({} %); 99 % earns all, 80 % nothing",
            history.available,
            history.checks,
            to_percent(available)
        );
        (clamp_share((available - 0.80) / 0.19), why)
    };
    points.add(UnweightedPoint {
        id: "share",
        what: "It answers whenever it is asked",
        of: 1.0,
        share: Some(share),
        why,
        observation: seen.description,
        advice: "Keep it running: watch it from outside and mend outages soon. Short history counts for less \
                 until there is more.",
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
            let best = row.seconds * 100.0;
            let share = clamp_share(1.0 - (millis.max(1.0) / best).ln() / 100f64.ln());
            let why = format!(
                "median {} ms {source}; up to {} ms earns all, {} ms half, {} ms nothing",
                millis.round(),
                best,
                best * 10.0,
                best * 100.0
            );
            (share, why)
        }
        _ => (0.0, "no answer came whose time could count".to_owned()),
    };
    points.add(UnweightedPoint {
        id: "median",
        what: "The scored operation answers fast",
        of: 1.0,
        share: Some(share),
        why,
        observation,
        advice: "Index the data, build overviews or tile caches, and simplify what is drawn at small scales.",
    });
    points
}

/// First byte and transfer; what was not answered takes forever, so that a late answer is never worse than none.
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
                "left out: there is no operation that can be tried cheaply".to_owned()
            } else {
                "the description was not given, so nothing could be asked for".to_owned()
            },
            observation: seen.description,
            advice: "Mend what keeps the description from being given.",
        });
    }
    const IDS: [&str; 3] = ["sample-1", "sample-2", "sample-3"];
    for (place, (at, sample)) in samples.into_iter().enumerate() {
        let ours = is_ours(sample.outcome);
        let of = sample.dataset.as_deref().map_or_else(String::new, |name| format!("{name}: "));
        points.add(UnweightedPoint {
            id: IDS.get(place).copied().unwrap_or("sample-more"),
            what: "The scored operation works on a sampled dataset",
            of: 1.0,
            share: (!ours).then(|| outcome_worth(sample.outcome)),
            why: if ours {
                format!("{of}left out, it was not asked: {}", sample.seen)
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
            "The answer is valid but empty: check data source, style, scale limits and the stated box of the \
             dataset."
        }
        Outcome::Exception => {
            "The dataset is advertised, but asking for it ends in an exception: mend its data source, or take it \
             out of the description."
        }
        Outcome::Login | Outcome::Key => {
            "The description is open, but the data want credentials: say so in the access constraints, or open \
             them."
        }
        Outcome::Timeout => "The answer did not come in time: index the data or limit what is drawn.",
        _ => "Repeat the request that is shown and mend what it meets: it must give what was asked for.",
    }
}

/// Of a file: ranges, a stable size, a known reference system.
fn file_operation(seen: &ObservedCheck<'_>, points: &mut ComponentPoints) {
    let facts = seen.check.facts.as_ref();
    // Without facts nothing was read: that earns nothing when the file was not given.
    let unread = (facts.is_none() && !seen.given).then_some(0.0);
    let known = |fact: Option<bool>| fact.map(|yes| if yes { 1.0 } else { 0.0 });
    let ranges = facts.and_then(|facts| facts.ranges);
    points.add(UnweightedPoint {
        id: "ranges",
        what: "Parts of the file can be asked for",
        of: 1.0,
        share: known(ranges).or(unread),
        why: match ranges {
            Some(true) => "a range was answered with just that range",
            Some(false) => "a range was asked for and not honoured",
            None => "left out: no range was asked for",
        }
        .to_owned(),
        observation: seen.description,
        advice: "Let the server honour Range requests (Accept-Ranges: bytes), also behind proxies and \
                 compression.",
    });
    let sizes = sizes(seen);
    let stable = (sizes.len() >= 2).then(|| sizes.iter().all(|size| *size == sizes[0]));
    points.add(UnweightedPoint {
        id: "size",
        what: "Its size is the same in every answer",
        of: 1.0,
        share: known(stable),
        why: match stable {
            Some(true) => format!("{} answers told the same size, {} bytes", sizes.len(), sizes[0]),
            Some(false) => format!("{} answers told different sizes", sizes.len()),
            None => "left out: fewer than two answers told the size".to_owned(),
        },
        observation: seen.description,
        advice: "Replace files in one step, and do not compress them on the way.",
    });
    let crs = facts.and_then(|facts| facts.crs_known);
    points.add(UnweightedPoint {
        id: "crs",
        what: "Its reference system is known",
        of: 1.0,
        share: known(crs).or(unread),
        why: match crs {
            Some(true) => "the reference system is stated and known",
            Some(false) => "the reference system is not stated, or not one that is known",
            None => "left out: the header does not tell",
        }
        .to_owned(),
        observation: seen.description,
        advice: "Write the reference system into the file, best as an EPSG code.",
    });
}

/// The sizes that answers about the file itself told, whatever else was wrong with them.
fn sizes(seen: &ObservedCheck<'_>) -> Vec<u64> {
    let answers = seen.check.observations.iter().filter(|o| o.request.url == seen.check.url);
    let told = answers.filter_map(|o| o.answer.as_ref()?.headers.get("content-range"));
    told.filter_map(|range| range.rsplit_once('/')?.1.trim().parse().ok()).collect()
}

/// A percentage with one digit, for people.
pub(super) fn to_percent(share: f64) -> f64 {
    (share * 1000.0).round() / 10.0
}

fn counted(number: usize, what: &str) -> String {
    if number == 1 { format!("{number} {what}") } else { format!("{number} {what}s") }
}
