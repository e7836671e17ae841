//! Shards: a fixed hash of a host's name assigns its rows to one of 256 shards.
//!
//! The function must never change, because its result is part of every key. Ids of hosts and items
//! end in the shard, so that an id alone is enough to find a row.

use geotrawl_model::{FrontierEntryId, HostId};

/// Number of shards.
pub const SHARDS: i32 = 256;
/// Low bits of an id that hold its shard.
pub(crate) const SHARD_BITS: u32 = 8;

/// Returns the shard of a host by name (scheme, name and port). Uses 64-bit FNV-1a with an extra
/// mixing step, because its high bits depend little on the last characters.
pub fn of_name(name: &str) -> i32 {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    for byte in name.bytes() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    }
    hash = (hash ^ (hash >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    i32::from((hash >> 56) as u8)
}

/// Returns the shard of a host.
pub fn of_host(id: HostId) -> i32 {
    of_id(id)
}

/// Returns the shard of an item or page, which is that of its host.
pub fn of_item(id: FrontierEntryId) -> i32 {
    of_id(id)
}

/// Returns the id with this number in this shard.
pub(super) fn make_id(number: i64, shard: i32) -> i64 {
    (number << SHARD_BITS) | i64::from(shard)
}

fn of_id(id: i64) -> i32 {
    (id & i64::from(SHARDS - 1)) as i32
}

/// Returns all shards, starting at `first` and wrapping around.
pub(super) fn shards_from(first: i32) -> impl Iterator<Item = i32> {
    (0..SHARDS).map(move |step| (first + step).rem_euclid(SHARDS))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn the_function_never_changes() {
        let shards: Vec<i32> =
            ["", "https://example.org", "http://example.org", "http://example.org:8080", "https://дом.рф"]
                .into_iter()
                .map(of_name)
                .collect();
        assert_eq!(shards, [236, 176, 248, 166, 161]);
    }

    #[test]
    fn names_that_differ_little_spread_over_all_shards() {
        let mut counts: BTreeMap<i32, u32> = BTreeMap::new();
        for n in 0..25_600 {
            *counts.entry(of_name(&format!("https://h{n}.example"))).or_default() += 1;
        }
        assert_eq!(counts.len(), 256);
        assert!(counts.values().all(|count| (50..160).contains(count)), "{counts:?}");
    }

    #[test]
    fn an_id_knows_its_shard() {
        for shard in 0..SHARDS {
            assert_eq!(of_host(make_id(77, shard)), shard);
            assert!(make_id(78, 0) > make_id(77, shard));
        }
    }
}
