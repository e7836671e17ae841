//! How soon a crawl finds the services: share of services against share of pages.

/// Number of finds after each page.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct DiscoveryCurve {
    /// Services found after the n-th page.
    known: Vec<u32>,
}

impl DiscoveryCurve {
    /// Creates a curve from the gain of each page, in the order of reading.
    pub fn from_gains(gained: impl IntoIterator<Item = u32>) -> Self {
        let mut sum = 0;
        let known = gained.into_iter().map(|gain| {
            sum += gain;
            sum
        });
        Self { known: known.collect() }
    }

    /// Returns the number of services found in the end.
    pub fn total_found(&self) -> u32 {
        self.known.last().copied().unwrap_or_default()
    }

    /// Returns the number of pages read.
    pub fn page_count(&self) -> usize {
        self.known.len()
    }

    /// Returns the share of `services` found after this share of `pages`.
    pub fn share_found_at(&self, share: f64, pages: usize, services: u32) -> f64 {
        let read = (share * pages as f64).round() as usize;
        let known = match read.min(self.known.len()) {
            0 => 0,
            read => self.known[read - 1],
        };
        f64::from(known) / f64::from(services.max(1))
    }

    /// Returns the mean of [`DiscoveryCurve::share_found_at`] over all shares of pages; 1 means
    /// everything on the first page.
    pub fn mean_share(&self, pages: usize, services: u32) -> f64 {
        let sum: f64 = (1..=pages)
            .map(|read| {
                let known = self.known.get(read - 1).copied().unwrap_or_else(|| self.total_found());
                f64::from(known)
            })
            .sum();
        sum / (pages.max(1) as f64 * f64::from(services.max(1)))
    }

    /// Returns the share of `pages` needed to find this share of `services`; `None` if it was never
    /// reached.
    pub fn pages_needed(&self, share: f64, pages: usize, services: u32) -> Option<f64> {
        let wanted = (share * f64::from(services)).ceil() as u32;
        let read = self.known.iter().position(|&known| known >= wanted)? + 1;
        Some(read as f64 / pages.max(1) as f64)
    }

    /// Returns 101 points for a plot.
    pub fn plot_points(&self, pages: usize, services: u32) -> Vec<(f64, f64)> {
        (0..=100)
            .map(|percent| f64::from(percent) / 100.0)
            .map(|x| (x, self.share_found_at(x, pages, services)))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sooner_the_larger_the_area() {
        let soon = DiscoveryCurve::from_gains([4, 0, 0, 0]);
        let late = DiscoveryCurve::from_gains([0, 0, 0, 4]);
        assert_eq!((soon.mean_share(4, 4), late.mean_share(4, 4)), (1.0, 0.25));
        assert_eq!((soon.pages_needed(0.9, 4, 4), late.pages_needed(0.9, 4, 4)), (Some(0.25), Some(1.0)));
        assert_eq!(soon.pages_needed(0.9, 4, 10), None);
        assert_eq!((late.share_found_at(0.5, 4, 4), late.share_found_at(1.0, 4, 4)), (0.0, 1.0));
    }

    #[test]
    fn a_crawl_that_reads_fewer_pages_keeps_what_it_has() {
        let short = DiscoveryCurve::from_gains([1, 1]);
        assert_eq!((short.share_found_at(1.0, 8, 2), short.mean_share(8, 2)), (1.0, 15.0 / 16.0));
    }
}
