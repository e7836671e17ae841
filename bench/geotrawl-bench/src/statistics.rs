//! Median and range of repeated measurements.

use serde::Serialize;

/// Median and range of a repeated figure.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct FigureSpread {
    pub median: f64,
    pub least: f64,
    pub most: f64,
}

impl FigureSpread {
    /// Returns the spread of the figures; `None` if there are none.
    pub fn from_figures(figures: impl IntoIterator<Item = f64>) -> Option<Self> {
        let mut sorted: Vec<f64> = figures.into_iter().collect();
        sorted.sort_by(f64::total_cmp);
        let (least, most) = (*sorted.first()?, *sorted.last()?);
        let half = sorted.len() / 2;
        let median =
            if sorted.len() % 2 == 1 { sorted[half] } else { f64::midpoint(sorted[half - 1], sorted[half]) };
        Some(Self { median, least, most })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_the_middle() {
        let spread = FigureSpread::from_figures([3.0, 1.0, 2.0]).unwrap();
        assert_eq!(spread, FigureSpread { median: 2.0, least: 1.0, most: 3.0 });
        assert!((FigureSpread::from_figures([4.0, 1.0]).unwrap().median - 2.5).abs() < 1e-9);
        assert_eq!(FigureSpread::from_figures([]), None);
    }
}
