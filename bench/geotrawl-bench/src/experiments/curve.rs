//! How soon a crawl finds what there is: the share of services against the share of pages.

/// Finds in the order of pages: how many were known after each page.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Curve {
    /// Services known after the n-th page.
    known: Vec<u32>,
}

impl Curve {
    /// From what each page gained, in the order of reading.
    pub fn of(gained: impl IntoIterator<Item = u32>) -> Self {
        let mut sum = 0;
        let known = gained.into_iter().map(|gain| {
            sum += gain;
            sum
        });
        Self { known: known.collect() }
    }

    /// Services found in the end.
    pub fn found(&self) -> u32 {
        self.known.last().copied().unwrap_or_default()
    }

    /// Pages read.
    pub fn pages(&self) -> usize {
        self.known.len()
    }

    /// Share of `services` known when this share of `pages` was read.
    pub fn at(&self, share: f64, pages: usize, services: u32) -> f64 {
        let read = (share * pages as f64).round() as usize;
        let known = match read.min(self.known.len()) {
            0 => 0,
            read => self.known[read - 1],
        };
        f64::from(known) / f64::from(services.max(1))
    }

    /// Mean of [`Curve::at`] over all shares of pages: 1 would be to find everything with the first page.
    pub fn area(&self, pages: usize, services: u32) -> f64 {
        let sum: f64 = (1..=pages)
            .map(|read| {
                let known = self.known.get(read - 1).copied().unwrap_or_else(|| self.found());
                f64::from(known)
            })
            .sum();
        sum / (pages.max(1) as f64 * f64::from(services.max(1)))
    }

    /// Share of `pages` that had to be read to know this share of `services`; `None` when it was never reached.
    pub fn needed(&self, share: f64, pages: usize, services: u32) -> Option<f64> {
        let wanted = (share * f64::from(services)).ceil() as u32;
        let read = self.known.iter().position(|&known| known >= wanted)? + 1;
        Some(read as f64 / pages.max(1) as f64)
    }

    /// Points for a plot, a hundred and one of them.
    pub fn points(&self, pages: usize, services: u32) -> Vec<(f64, f64)> {
        (0..=100)
            .map(|percent| f64::from(percent) / 100.0)
            .map(|x| (x, self.at(x, pages, services)))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sooner_the_larger_the_area() {
        let soon = Curve::of([4, 0, 0, 0]);
        let late = Curve::of([0, 0, 0, 4]);
        assert_eq!((soon.area(4, 4), late.area(4, 4)), (1.0, 0.25));
        assert_eq!((soon.needed(0.9, 4, 4), late.needed(0.9, 4, 4)), (Some(0.25), Some(1.0)));
        assert_eq!(soon.needed(0.9, 4, 10), None);
        assert_eq!((late.at(0.5, 4, 4), late.at(1.0, 4, 4)), (0.0, 1.0));
    }

    #[test]
    fn a_crawl_that_reads_fewer_pages_keeps_what_it_has() {
        let short = Curve::of([1, 1]);
        assert_eq!((short.at(1.0, 8, 2), short.area(8, 2)), (1.0, 15.0 / 16.0));
    }
}
