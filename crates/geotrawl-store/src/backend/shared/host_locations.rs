//! Adds host locations to query results.

use super::{SqlEngine, SqlStore};
use geotrawl_model::{Host, StreamEvent};
use std::collections::BTreeMap;

/// Counts per kind, grouped by address or country.
pub(super) type KindCounts = BTreeMap<String, BTreeMap<String, u64>>;

/// Fills in the locations of hosts in find events.
pub(super) fn fill_event_locations<E: SqlEngine>(
    store: &SqlStore<E>,
    mut events: Vec<StreamEvent>,
) -> Vec<StreamEvent> {
    for event in events.iter_mut().filter(|event| event.kind == "find") {
        let Some(shown) = event.body.get_mut("host") else { continue };
        let Ok(mut host) = serde_json::from_value::<Host>(shown.clone()) else { continue };
        store.locate_host(&mut host);
        if let Ok(placed) = serde_json::to_value(host) {
            *shown = placed;
        }
    }
    events
}

/// Sums counts per address by country.
pub(super) fn count_by_country<E: SqlEngine>(store: &SqlStore<E>, addresses: &KindCounts) -> KindCounts {
    let mut countries = KindCounts::new();
    let Ok(places) = store.places.read() else { return countries };
    for (address, kinds) in addresses {
        let place = address.parse().ok().and_then(|address| places.locate_address(address));
        let Some(country) = place.and_then(|place| place.country) else { continue };
        let sums = countries.entry(country).or_default();
        for (kind, count) in kinds {
            *sums.entry(kind.clone()).or_default() += count;
        }
    }
    countries
}
