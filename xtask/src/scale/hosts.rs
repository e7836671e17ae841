//! How many pages the hosts of a web have: a law of Zipf's kind, the same every time.

/// Hosts whose sizes fall with their rank, cut at a budget, shuffled.
pub fn sizes(hosts: usize, pages: f64, exponent: f64, most: f64) -> Vec<u32> {
    let weights: Vec<f64> = (1..=hosts).map(|rank| (rank as f64).powf(-exponent)).collect();
    let of = |factor: f64, weight: &f64| (factor * weight).clamp(1.0, most);
    // The factor that gives so many pages in all; the sum grows with it.
    let (mut low, mut high) = (0.0, pages * 2.0);
    for _ in 0..48 {
        let middle = f64::midpoint(low, high);
        let sum: f64 = weights.iter().map(|weight| of(middle, weight)).sum();
        if sum < pages { low = middle } else { high = middle }
    }
    let mut sizes: Vec<u32> = weights.iter().map(|weight| of(low, weight).round() as u32).collect();
    shuffle(&mut sizes);
    sizes
}

fn shuffle(sizes: &mut [u32]) {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    for last in (1..sizes.len()).rev() {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let place = ((state >> 33) as usize) % (last + 1);
        sizes.swap(last, place);
    }
}
