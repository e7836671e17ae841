//! Which of the answers about a dataset counts: the best, since a second question is asked only where the first
//! settles nothing.

use geotrawl_model::{Observation, Outcome, Purpose};

/// The telling observation of every dataset that the scored operation was tried on, with its place among all, in
/// the order in which the datasets were tried. Questions about no dataset stand each for itself.
pub fn select_samples(observations: &[Observation]) -> Vec<(usize, &Observation)> {
    let mut best: Vec<(usize, &Observation)> = Vec::new();
    let operations = observations.iter().enumerate().filter(|(_, seen)| seen.purpose == Purpose::Operation);
    for (at, seen) in operations {
        let same = best.iter_mut().find(|(_, other)| seen.dataset.is_some() && other.dataset == seen.dataset);
        match same {
            // Of equals the last: it was asked with what the first had taught.
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
