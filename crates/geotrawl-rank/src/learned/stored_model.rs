//! Serialises a model. An unreadable one is discarded completely, since relearning is cheap.

use super::yields::SectionYield;

const MAGIC: &[u8; 8] = b"geolrn\x00\x01";

/// A word with the number of pages it was seen with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TermPageCount {
    pub term: String,
    pub seen: u64,
}

/// The stored parts of a model.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct StoredModel {
    pub weights: Vec<(u32, i16)>,
    pub yields: Vec<(u64, SectionYield)>,
    pub terms: Vec<TermPageCount>,
}

impl StoredModel {
    pub(super) fn encode(&self) -> Vec<u8> {
        let mut out = MAGIC.to_vec();
        count(&mut out, self.weights.len());
        let mut last = 0;
        for (at, steps) in &self.weights {
            // Indices ascend, so their differences are small.
            number(&mut out, u64::from(at.wrapping_sub(last)));
            out.extend_from_slice(&steps.to_le_bytes());
            last = *at;
        }
        count(&mut out, self.yields.len());
        for (place, known) in &self.yields {
            out.extend_from_slice(&place.to_le_bytes());
            for value in [known.pages, known.paid, known.gained, known.since] {
                number(&mut out, u64::from(value));
            }
        }
        count(&mut out, self.terms.len());
        for term in &self.terms {
            count(&mut out, term.term.len());
            out.extend_from_slice(term.term.as_bytes());
            number(&mut out, term.seen);
        }
        out
    }

    pub(super) fn decode(bytes: &[u8]) -> Option<Self> {
        let mut rest = bytes.strip_prefix(MAGIC)?;
        let rest = &mut rest;
        let mut saved = Self::default();
        let mut last = 0_u32;
        for _ in 0..length(rest)? {
            last = last.wrapping_add(u32::try_from(take_number(rest)?).ok()?);
            saved.weights.push((last, i16::from_le_bytes(take(rest)?)));
        }
        for _ in 0..length(rest)? {
            let place = u64::from_le_bytes(take(rest)?);
            let mut value = || u32::try_from(take_number(rest)?).ok();
            let known = SectionYield { pages: value()?, paid: value()?, gained: value()?, since: value()? };
            saved.yields.push((place, known));
        }
        for _ in 0..length(rest)? {
            let size = length(rest)?;
            let (text, after) = rest.split_at_checked(size)?;
            *rest = after;
            let term = std::str::from_utf8(text).ok()?.to_owned();
            saved.terms.push(TermPageCount { term, seen: take_number(rest)? });
        }
        Some(saved)
    }
}

fn count(out: &mut Vec<u8>, length: usize) {
    number(out, length as u64);
}

/// Appends a number with seven bits per byte, lowest first.
fn number(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

fn take_number(rest: &mut &[u8]) -> Option<u64> {
    let mut value = 0_u64;
    for shift in (0..64).step_by(7) {
        let (byte, after) = rest.split_first()?;
        *rest = after;
        value |= u64::from(byte & 0x7F) << shift;
        if byte & 0x80 == 0 {
            return Some(value);
        }
    }
    None
}

/// Reads a count. It is limited by the remaining bytes, since each item takes at least one; a wrong
/// count therefore cannot cause a large allocation.
fn length(rest: &mut &[u8]) -> Option<usize> {
    usize::try_from(take_number(rest)?).ok().filter(|length| *length <= rest.len())
}

fn take<const N: usize>(rest: &mut &[u8]) -> Option<[u8; N]> {
    let (first, after) = rest.split_first_chunk()?;
    *rest = after;
    Some(*first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_is_read_again() {
        let saved = StoredModel {
            weights: vec![(3, -7), (70_000, 32_000)],
            yields: vec![(u64::MAX, SectionYield { pages: 300, paid: 2, gained: 9, since: 4 })],
            terms: vec![TermPageCount { term: "地図".into(), seen: 12 }],
        };
        let bytes = saved.encode();
        assert_eq!(StoredModel::decode(&bytes), Some(saved));
        for end in 0..bytes.len() {
            assert_eq!(StoredModel::decode(&bytes[..end]), None);
        }
    }

    proptest::proptest! {
        #[test]
        fn any_bytes_are_read_or_left_aside(bytes in proptest::collection::vec(0..=255_u8, 0..200)) {
            let mut all = MAGIC.to_vec();
            all.extend(bytes);
            let _ = StoredModel::decode(&all);
        }
    }
}
