//! The committed figures, and the comparison with new ones.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// Content of the file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CountsBaseline {
    #[serde(flatten)]
    pub made: BuildEnvironment,
    pub works: BTreeMap<String, WorkFigures>,
}

/// Tools that produced the figures; figures of different tools are not compared.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BuildEnvironment {
    pub rustc: String,
    pub machine: String,
}

impl BuildEnvironment {
    /// Describes the difference, if there is one.
    pub fn describe_difference(&self, now: &Self) -> Option<String> {
        let pairs = [(&self.rustc, &now.rustc), (&self.machine, &now.machine)];
        let (was, is) = pairs.into_iter().find(|(was, is)| was != is)?;
        Some(format!("the figures were produced with {was}, but this is {is}"))
    }
}

/// Figures of one piece of work.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkFigures {
    #[serde(default)]
    pub instructions: u64,
    /// Number of allocations, and their total size in bytes.
    pub allocations: u64,
    pub bytes: u64,
    /// Peak of allocated bytes in the whole process.
    pub peak: u64,
    /// Result of the work. If it differs, the work itself has changed, and the figures may
    /// legitimately differ.
    pub result: u64,
}

impl fmt::Display for WorkFigures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{:>8.2} million instructions, {:>7} allocations of {:>8.1} kB, peak {:>8.1} kB",
            self.instructions as f64 / 1e6,
            self.allocations,
            self.bytes as f64 / 1e3,
            self.peak as f64 / 1e3
        )
    }
}

/// Name of a figure, its value, and the share by which it may grow. Hash tables are seeded randomly
/// per process, so the same work varies slightly: instructions by at most 0.3 % in measurements,
/// allocations not at all.
type FigureLimit = (&'static str, fn(&WorkFigures) -> u64, f64);
const PARTS: [FigureLimit; 4] = [
    ("instructions", |figures| figures.instructions, 0.03),
    ("allocations", |figures| figures.allocations, 0.01),
    ("bytes", |figures| figures.bytes, 0.01),
    ("peak", |figures| figures.peak, 0.03),
];

/// Result of a comparison.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct BaselineComparison {
    pub faults: Vec<String>,
    pub remarks: Vec<String>,
}

/// Compares new figures with the committed ones.
pub fn compare_counts(
    old: &BTreeMap<String, WorkFigures>,
    counted: &BTreeMap<String, WorkFigures>,
) -> BaselineComparison {
    let mut verdict = BaselineComparison::default();
    for (name, now) in counted {
        let Some(was) = old.get(name) else {
            verdict.faults.push(format!("{name} is not in the file yet"));
            continue;
        };
        if was.result != now.result {
            verdict.remarks.push(format!("{name} returned {}, before {}", now.result, was.result));
        }
        for (part, figure, tolerance) in PARTS {
            let (was, now) = (figure(was), figure(now));
            let ratio = now as f64 / was.max(1) as f64;
            let text = format!("{name}: {now} {part}, {:+.1} % ({was} before)", (ratio - 1.0) * 100.0);
            if ratio > 1.0 + tolerance {
                verdict.faults.push(text);
            } else if ratio < 1.0 - tolerance {
                verdict.remarks.push(format!("less: {text}; commit it with `--bless`"));
            }
        }
    }
    verdict
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(instructions: u64, allocations: u64) -> BTreeMap<String, WorkFigures> {
        let figures = WorkFigures { instructions, allocations, bytes: 1_000, peak: 1_000, result: 7 };
        BTreeMap::from([("urls".to_owned(), figures)])
    }

    #[test]
    fn what_grows_beyond_its_share_is_a_fault_and_what_shrinks_a_remark() {
        assert_eq!(compare_counts(&of(1_000, 100), &of(1_030, 100)), BaselineComparison::default());
        let verdict = compare_counts(&of(1_000, 100), &of(1_031, 104));
        assert_eq!(
            verdict.faults,
            ["urls: 1031 instructions, +3.1 % (1000 before)", "urls: 104 allocations, +4.0 % (100 before)"]
        );
        let verdict = compare_counts(&of(1_000, 100), &of(900, 100));
        assert_eq!((verdict.faults.len(), verdict.remarks.len()), (0, 1), "{verdict:?}");
        let mut other = of(1_000, 100);
        other.insert("new".to_owned(), WorkFigures::default());
        assert_eq!(compare_counts(&of(1_000, 100), &other).faults, ["new is not in the file yet"]);
    }

    #[test]
    fn figures_of_another_compiler_are_not_compared() {
        let made = |rustc: &str| BuildEnvironment { rustc: rustc.into(), machine: "x86_64 linux".into() };
        assert_eq!(made("rustc 1.95.0").describe_difference(&made("rustc 1.95.0")), None);
        let said = made("rustc 1.95.0").describe_difference(&made("rustc 1.96.0")).unwrap();
        assert_eq!(said, "the figures were produced with rustc 1.95.0, but this is rustc 1.96.0");
    }
}
