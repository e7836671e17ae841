//! Differences between two checks of the same resource.

use geotrawl_model::{Check, Observation, Outcome, Purpose};

/// Lists the differences in words, most important first; empty if both checks agree. Times are
/// listed only if they differ considerably.
pub fn list_differences(before: &Check, after: &Check) -> Vec<String> {
    let mut told = Vec::new();
    if (before.verdict, &before.cause) != (after.verdict, &after.cause) {
        told.push(format!(
            "The verdict changed from {} ({}) to {} ({}).",
            before.verdict.as_str(),
            before.cause,
            after.verdict.as_str(),
            after.cause
        ));
    }
    let mut rest: Vec<&Observation> = after.observations.iter().collect();
    let mut gone = Vec::new();
    for was in &before.observations {
        // The same request, else a request for the same purpose and dataset.
        let same = rest.iter().position(|now| now.request == was.request && now.purpose == was.purpose);
        let same = same.or_else(|| {
            rest.iter().position(|now| {
                now.purpose == was.purpose && now.dataset == was.dataset && was.dataset.is_some()
            })
        });
        match same {
            Some(at) => between(was, rest.remove(at), &mut told),
            None => gone.push(was),
        }
    }
    told.extend(
        gone.iter()
            .map(|was| format!("{} was requested ({}), but is not any more.", name(was), was.request.url)),
    );
    told.extend(
        rest.iter()
            .map(|now| format!("{} is now requested ({}), but was not before.", name(now), now.request.url)),
    );
    told
}

/// Names a request by its purpose and dataset.
fn name(seen: &Observation) -> String {
    let what = match seen.purpose {
        Purpose::Description => "The description",
        Purpose::Operation => "The operation",
        Purpose::Refusal => "The request that should be rejected",
    };
    match &seen.dataset {
        Some(dataset) => format!("{what} on {dataset}"),
        None => what.to_owned(),
    }
}

fn between(was: &Observation, now: &Observation, told: &mut Vec<String>) {
    let name = name(was);
    if was.request.url != now.request.url {
        told.push(format!("{name} is now requested at {}, before at {}.", now.request.url, was.request.url));
    }
    if was.outcome != now.outcome {
        told.push(format!(
            "{name}: {}; now: {}.",
            was.seen.trim_end_matches('.'),
            now.seen.trim_end_matches('.')
        ));
    }
    let (Some(first), Some(second)) = (&was.answer, &now.answer) else {
        match (&was.failure, &now.failure) {
            (Some(failed), Some(fails)) if failed.class != fails.class => {
                told.push(format!("{name} failed with {}, now with {}.", failed.class, fails.class));
            }
            (None, Some(fails)) => told.push(format!("{name} now fails: {}", fails.message)),
            (Some(_), None) => told.push(format!("{name} is now answered.")),
            _ => {}
        }
        return;
    };
    if first.status != second.status {
        told.push(format!("{name}: status {}, now {}.", first.status, second.status));
    }
    let target = |answer: &geotrawl_model::CheckResponse| answer.redirects.last().map(|(_, to)| to.clone());
    if target(first) != target(second) {
        let words = |to: Option<String>| to.map_or_else(|| "nowhere".to_owned(), |to| format!("to {to}"));
        told.push(format!("{name} was redirected {}, now {}.", words(target(first)), words(target(second))));
    }
    let media = |answer: &geotrawl_model::CheckResponse| {
        answer.headers.get("content-type").cloned().unwrap_or_default()
    };
    if media(first) != media(second) {
        told.push(format!("{name}: content type {:?}, now {:?}.", media(first), media(second)));
    }
    if first.hash != second.hash && was.outcome == now.outcome && was.outcome != Outcome::Exception {
        told.push(format!("{name}: content changed ({} bytes, now {}).", first.bytes, second.bytes));
    }
    if first.ip != second.ip
        && let (Some(ip), Some(other)) = (&first.ip, &second.ip)
    {
        told.push(format!("{name} was answered by {ip}, now by {other}."));
    }
    let (slow, quick) = (was.phases.total.max(now.phases.total), was.phases.total.min(now.phases.total));
    if slow > quick.saturating_mul(2) && slow - quick > 500 {
        told.push(format!("{name} took {} ms, now {} ms.", was.phases.total, now.phases.total));
    }
}
