//! Chooses the datasets to test, always the same ones for the same seed.

use super::area::is_sane;
use crate::check::operations;
use geotrawl_model::{Dataset, Resource};

/// Chooses at most `count` datasets, those with a box first; skips those that cannot be requested.
pub fn choose_datasets(resource: &Resource, count: usize, seed: u64) -> Vec<&Dataset> {
    let operation = operations::operation_of(&resource.kind);
    let can_ask = |dataset: &Dataset| {
        is_named(dataset) && operation.is_none_or(|operation| operation.can_request(dataset))
    };
    let mut usable: Vec<(bool, u64, usize)> = resource
        .datasets
        .iter()
        .enumerate()
        .filter(|(_, dataset)| can_ask(dataset))
        .map(|(at, dataset)| {
            let placed = dataset.bbox.as_ref().is_some_and(is_sane);
            (!placed, place_of(&dataset.name, at, seed), at)
        })
        .collect();
    let count = count.min(usable.len());
    if count == 0 {
        return Vec::new();
    }
    usable.select_nth_unstable(count - 1);
    usable.truncate(count);
    usable.sort_unstable();
    usable.into_iter().map(|(_, _, at)| &resource.datasets[at]).collect()
}

/// Returns whether a dataset has a name to request it by.
fn is_named(dataset: &Dataset) -> bool {
    !dataset.name.trim().is_empty() && dataset.name.trim().len() <= 1024
}

/// Returns a pseudo-random number (FNV-1a, finished with splitmix64) that is the same in all
/// versions and on all machines, which the hashers of the standard library do not guarantee.
fn place_of(name: &str, at: usize, seed: u64) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64 ^ seed;
    for byte in name.bytes().chain((at as u64).to_le_bytes()) {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    hash = (hash ^ (hash >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    hash = (hash ^ (hash >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    hash ^ (hash >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;
    use geotrawl_model::Bbox;

    fn resource(count: usize) -> Resource {
        let dataset = |n: usize| Dataset {
            name: if n == 0 { String::new() } else { format!("layer {n}") },
            bbox: (n.is_multiple_of(2)).then_some(Bbox { west: 1.0, south: 2.0, east: 3.0, north: 4.0 }),
            ..Dataset::default()
        };
        Resource { kind: "wms".into(), datasets: (0..count).map(dataset).collect(), ..Resource::default() }
    }

    #[test]
    fn the_same_number_gives_the_same_datasets() {
        let many = resource(1000);
        let names = |seed| choose_datasets(&many, 3, seed).iter().map(|d| d.name.clone()).collect::<Vec<_>>();
        assert_eq!(names(7), names(7));
        assert_ne!(names(7), names(8));
        assert!(choose_datasets(&many, 3, 7).iter().all(|dataset| dataset.bbox.is_some()));
    }

    #[test]
    fn what_cannot_be_asked_for_is_left_out() {
        assert!(choose_datasets(&resource(1), 3, 0).is_empty());
        assert_eq!(choose_datasets(&resource(3), 3, 0).len(), 2);
        assert_eq!(choose_datasets(&resource(3), 3, 0)[0].name, "layer 2");
        assert!(choose_datasets(&resource(9), 0, 0).is_empty());
    }
}
