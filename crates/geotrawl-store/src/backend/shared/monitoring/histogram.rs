//! Compact latency histograms: each bucket is a tenth wider than the one before, so percentiles are
//! accurate to 5 %.

/// Ratio of the widths of adjacent buckets.
const GROWTH: f64 = 1.1;

/// Counts by bucket, in order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct LatencyHistogram(Vec<(u8, u64)>);

impl LatencyHistogram {
    /// Adds one value.
    pub fn add_value(&mut self, millis: u32) {
        self.add_many(bucket_of(millis), 1);
    }

    /// Adds the counts of another histogram.
    pub fn merge(&mut self, other: &Self) {
        for (bucket, count) in &other.0 {
            self.add_many(*bucket, *count);
        }
    }

    fn add_many(&mut self, bucket: u8, more: u64) {
        match self.0.binary_search_by_key(&bucket, |(bucket, _)| *bucket) {
            Ok(at) => {
                if let Some((_, count)) = self.0.get_mut(at) {
                    *count = count.saturating_add(more);
                }
            }
            Err(at) => self.0.insert(at, (bucket, more)),
        }
    }

    /// Returns the value below which this share of values lies; `None` if there are none.
    pub fn percentile(&self, share: f64) -> Option<u32> {
        // Damaged bytes can hold any counts.
        let total = self.0.iter().fold(0_u64, |sum, (_, count)| sum.saturating_add(*count));
        let rank = ((total as f64 * share).ceil() as u64).clamp(1, total.max(1));
        let mut passed = 0_u64;
        let found = self.0.iter().find(|(_, count)| {
            passed = passed.saturating_add(*count);
            passed >= rank
        });
        found.map(|(bucket, _)| middle(*bucket))
    }

    /// Encodes the histogram: for each bucket its number and its count, as a varint with the low
    /// bits first.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.0.len() * 2);
        for (bucket, count) in &self.0 {
            bytes.push(*bucket);
            let mut rest = *count;
            while rest > 0x7f {
                bytes.push((rest & 0x7f) as u8 | 0x80);
                rest >>= 7;
            }
            bytes.push(rest as u8);
        }
        bytes
    }

    /// Decodes a histogram, skipping damaged parts.
    pub fn from_bytes(bytes: &[u8]) -> Self {
        let mut all = Self::default();
        let mut rest = bytes.iter();
        while let Some(bucket) = rest.next() {
            let (mut count, mut shift) = (0_u64, 0_u32);
            for byte in rest.by_ref() {
                count |= u64::from(byte & 0x7f).checked_shl(shift).unwrap_or_default();
                shift += 7;
                if byte & 0x80 == 0 {
                    break;
                }
            }
            all.add_many(*bucket, count);
        }
        all
    }
}

fn bucket_of(millis: u32) -> u8 {
    (f64::from(millis.max(1)).ln() / GROWTH.ln()) as u8
}

/// Returns the geometric middle of a bucket.
fn middle(bucket: u8) -> u32 {
    GROWTH.powf(f64::from(bucket) + 0.5).round() as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn percentiles_are_right_to_five_percent(mut all in proptest::collection::vec(20_u32..200_000, 1..300)) {
            let mut histogram = LatencyHistogram::default();
            for millis in &all {
                histogram.add_value(*millis);
            }
            let again = LatencyHistogram::from_bytes(&histogram.to_bytes());
            prop_assert_eq!(&again, &histogram);
            all.sort_unstable();
            for share in [0.5, 0.95, 0.99] {
                let rank = ((all.len() as f64 * share).ceil() as usize).max(1);
                let exact = f64::from(all[rank - 1]);
                let told = f64::from(histogram.percentile(share).unwrap());
                prop_assert!((told / exact - 1.0).abs() < 0.06, "{} for {}", told, exact);
            }
        }

        #[test]
        fn damaged_bytes_do_no_harm(bytes in proptest::collection::vec(any::<u8>(), 0..60)) {
            let _told = LatencyHistogram::from_bytes(&bytes).percentile(0.5);
        }
    }

    #[test]
    fn counts_beyond_measure_are_borne() {
        let full = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01];
        let bytes = [&[3_u8][..], &full, &[9], &full].concat();
        assert_eq!(LatencyHistogram::from_bytes(&bytes).percentile(0.5), Some(middle(3)));
    }

    #[test]
    fn nothing_has_no_percentile() {
        assert_eq!(LatencyHistogram::default().percentile(0.5), None);
        assert_eq!(LatencyHistogram::from_bytes(&[]), LatencyHistogram::default());
    }
}
