//! The rubric as data that can be published, versioned and exchanged.

use geotrawl_kinds::kinds::{KINDS, RubricRow};
use geotrawl_model::Cap;
use serde::{Deserialize, Serialize};

/// Rules that turn a check into a score.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Rubric {
    /// Version of the rubric.
    pub rubric: String,
    /// Weights, one row per family of kinds; every kind is in exactly one row.
    pub weights: Vec<Weights>,
    pub caps: Vec<CapRule>,
    /// Bands of score values, worst first.
    pub bands: Vec<String>,
    /// Number of checks below which a score is provisional.
    pub provisional_below: u32,
}

/// Weights of the components for some kinds; they add up to 100.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Weights {
    pub kinds: Vec<String>,
    pub availability: f64,
    pub latency: f64,
    pub capabilities: f64,
    pub operation: f64,
    pub metadata: f64,
    pub standards: f64,
    /// Time limit for the scored operation; up to a tenth of it earns full points.
    pub seconds: f64,
    /// The scored operation in words.
    pub operation_name: String,
}

/// Condition under which the score cannot exceed a value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CapRule {
    /// `down`, `failed`, `operation`, `empty`, `tls`.
    pub id: String,
    pub at: u8,
    pub why: String,
}

impl Rubric {
    /// Returns the weights of a kind.
    pub fn row(&self, kind: &str) -> Option<&Weights> {
        self.weights.iter().find(|row| row.kinds.iter().any(|k| k == kind))
    }

    /// Returns a cap by its id, as listed with a score.
    pub(super) fn cap(&self, id: &str) -> Option<Cap> {
        let rule = self.caps.iter().find(|rule| rule.id == id)?;
        Some(Cap { at: rule.at, why: rule.why.clone() })
    }
}

/// Returns the weights of a row (availability, latency, capabilities, operation, metadata,
/// standards) and its scored operation in words.
fn weights_of(row: RubricRow) -> ([u8; 6], &'static str) {
    match row {
        RubricRow::Maps => ([20, 15, 10, 30, 15, 10], "a map of 64 by 64 pixels"),
        RubricRow::Tiles => ([20, 20, 10, 30, 12, 8], "one tile"),
        RubricRow::Features => ([20, 12, 10, 33, 15, 10], "one feature"),
        RubricRow::Coverages => {
            ([20, 10, 12, 33, 15, 10], "a description of a coverage, or a tiny part of one")
        }
        RubricRow::ArcgisMaps => ([20, 15, 10, 30, 17, 8], "an exported map of 64 by 64 pixels"),
        RubricRow::Catalogues => ([25, 15, 10, 25, 15, 10], "the number of records, and one record"),
        RubricRow::Observations => {
            ([22, 10, 12, 28, 18, 10], "a sensor, an observation, or the structure of one dataset")
        }
        RubricRow::Processes => {
            ([30, 15, 15, 15, 15, 10], "the description of a process (it is never executed)")
        }
        RubricRow::Files => (
            [30, 10, 25, 15, 15, 5],
            "the header by a range request, a stable size, a known reference system",
        ),
    }
}

const CAPS: &[(&str, u8, &str)] = &[
    ("down", 0, "the last three checks failed"),
    ("empty", 30, "it offers no layers"),
    ("failed", 40, "the last check failed"),
    ("operation", 50, "its description works, but the scored operation failed on every tested layer"),
    ("tls", 70, "its TLS connection is not trusted"),
];

/// Bands with their highest value, worst first.
pub(super) const BANDS: &[(u8, &str)] = &[(25, "0-25"), (50, "26-50"), (75, "51-75"), (100, "76-100")];

/// Returns the current rubric.
pub fn current_rubric() -> Rubric {
    let weights = RubricRow::ALL.into_iter().map(|row| {
        let (weights, operation_name) = weights_of(row);
        let [availability, latency, capabilities, operation, metadata, standards] = weights.map(f64::from);
        let kinds = KINDS.iter().map(|kind| kind.profile()).filter(|profile| profile.rubric_row == row);
        Weights {
            kinds: kinds.map(|profile| profile.id.to_owned()).collect(),
            availability,
            latency,
            capabilities,
            operation,
            metadata,
            standards,
            seconds: row.time_limit().as_secs_f64(),
            operation_name: operation_name.to_owned(),
        }
    });
    let caps = CAPS.iter().map(|&(id, at, why)| CapRule { id: id.to_owned(), at, why: why.to_owned() });
    Rubric {
        rubric: super::RUBRIC.to_owned(),
        weights: weights.collect(),
        caps: caps.collect(),
        bands: BANDS.iter().map(|&(_, name)| name.to_owned()).collect(),
        provisional_below: 5,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checks_and_the_rubric_have_the_same_time_limits() {
        for row in current_rubric().weights {
            for kind in &row.kinds {
                let limit = crate::check::time_limit(kind) as f64 / 1000.0;
                assert!(
                    (row.seconds - limit).abs() < 1e-9,
                    "{kind}: {limit} s, but scored with {} s",
                    row.seconds
                );
            }
        }
    }

    #[test]
    fn weights_add_up_to_100() {
        for row in current_rubric().weights {
            let sum = row.availability
                + row.latency
                + row.capabilities
                + row.operation
                + row.metadata
                + row.standards;
            assert!((sum - 100.0).abs() < 1e-9, "{:?}", row.kinds);
            assert!(row.seconds > 0.0);
        }
    }

    #[test]
    fn the_rubric_survives_being_published() {
        let text = serde_json::to_string(&current_rubric()).unwrap();
        assert_eq!(serde_json::from_str::<Rubric>(&text).unwrap(), current_rubric());
    }
}
