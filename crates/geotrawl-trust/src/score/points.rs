//! Combines points: those that cannot be determined are left out, and their weight goes to the
//! others.

use geotrawl_model::{Component, Point};

/// Points of one component before weighting.
pub(super) struct ComponentPoints {
    id: &'static str,
    parts: Vec<UnweightedPoint>,
}

/// A point before weighting.
pub(super) struct UnweightedPoint {
    /// Last part of the id.
    pub id: &'static str,
    pub what: &'static str,
    /// Weight relative to the other points of the component.
    pub of: f64,
    /// Share that was earned, or `None` if it cannot be determined.
    pub share: Option<f64>,
    pub why: String,
    pub observation: Option<usize>,
    pub advice: &'static str,
}

impl ComponentPoints {
    pub fn new(id: &'static str) -> Self {
        Self { id, parts: Vec::new() }
    }

    pub fn add(&mut self, part: UnweightedPoint) {
        self.parts.push(part);
    }

    /// Weights the points so that those that are determined make up the whole; a component without
    /// any has weight 0.
    pub fn weigh(self, weight: f64) -> Component {
        let known: f64 = self.parts.iter().filter(|part| part.share.is_some()).map(|part| part.of).sum();
        let points: Vec<Point> = self.parts.into_iter().map(|part| part.weigh(self.id, known)).collect();
        let share = points.iter().map(|point| point.got).sum::<f64>().clamp(0.0, 1.0);
        Component { id: self.id.to_owned(), weight: if known > 0.0 { weight } else { 0.0 }, share, points }
    }
}

impl UnweightedPoint {
    fn weigh(self, component: &str, known: f64) -> Point {
        let of = if self.share.is_some() && known > 0.0 { self.of / known } else { 0.0 };
        let got = of * clamp_share(self.share.unwrap_or_default());
        Point {
            id: format!("{component}.{}", self.id),
            what: self.what.to_owned(),
            got,
            of,
            why: self.why,
            observation: self.observation,
            advice: (got < of).then(|| self.advice.to_owned()),
        }
    }
}

/// Limits a share to 0 to 1; NaN becomes 0.
pub(super) fn clamp_share(share: f64) -> f64 {
    if share.is_nan() { 0.0 } else { share.clamp(0.0, 1.0) }
}
