//! Chooses which answer about a dataset counts: the best, since a second request is sent only if
//! the first was inconclusive.

use geotrawl_model::{Observation, Outcome, Purpose};

/// Returns the best observation per tested dataset with its index, in the order in which the
/// datasets were tested. Observations without a dataset are all returned.
pub fn select_samples(observations: &[Observation]) -> Vec<(usize, &Observation)> {
    let mut best: Vec<(usize, &Observation)> = Vec::new();
    let operations = observations.iter().enumerate().filter(|(_, seen)| seen.purpose == Purpose::Operation);
    for (at, seen) in operations {
        let same = best.iter_mut().find(|(_, other)| seen.dataset.is_some() && other.dataset == seen.dataset);
        match same {
            // Of equal ones the last, whose request used what the earlier answers had shown.
            Some(known) if rank(seen.outcome) >= rank(known.1.outcome) => *known = (at, seen),
            Some(_) => {}
            None => best.push((at, seen)),
        }
    }
    best
}

fn rank(outcome: Outcome) -> u8 {
    match outcome {
        Outcome::Valid => 5,
        Outcome::Blank => 4,
        Outcome::Login | Outcome::Key => 3,
        Outcome::Exception => 2,
        Outcome::Robots | Outcome::Refused | Outcome::TooLarge => 0,
        _ => 1,
    }
}
