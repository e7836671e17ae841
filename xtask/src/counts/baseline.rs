//! The figures that hold, and what is more than they allow.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// The file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CountsBaseline {
    #[serde(flatten)]
    pub made: BuildEnvironment,
    pub works: BTreeMap<String, WorkFigures>,
}

/// With what the figures were made: others are not to be compared with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BuildEnvironment {
    pub rustc: String,
    pub machine: String,
}

impl BuildEnvironment {
    /// What is different, in words.
    pub fn describe_difference(&self, now: &Self) -> Option<String> {
        let pairs = [(&self.rustc, &now.rustc), (&self.machine, &now.machine)];
        let (was, is) = pairs.into_iter().find(|(was, is)| was != is)?;
        Some(format!("the figures were made with {was}, this is {is}"))
    }
}

/// Of one piece of work.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkFigures {
    #[serde(default)]
    pub instructions: u64,
    /// How often memory was asked for, and how many bytes together.
    pub allocations: u64,
    pub bytes: u64,
    /// Bytes held at once at most, by the whole process.
    pub peak: u64,
    /// What came out. Where it differs the work is another, and the figures may be so rightly.
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

/// How the figures are named, what they are, and by which share they may grow. Hash tables have another seed in every process, so that
/// the same work is never quite the same: measured, its instructions differ by 0.3 % at most, its allocations not at all.
type FigureLimit = (&'static str, fn(&WorkFigures) -> u64, f64);
const PARTS: [FigureLimit; 4] = [
    ("instructions", |figures| figures.instructions, 0.03),
    ("allocations", |figures| figures.allocations, 0.01),
    ("bytes", |figures| figures.bytes, 0.01),
    ("peak", |figures| figures.peak, 0.03),
];

/// What is to be said of a comparison.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct BaselineComparison {
    pub faults: Vec<String>,
    pub remarks: Vec<String>,
}

/// Compares what was counted with what holds.
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
            verdict.remarks.push(format!("{name} gives {} where it gave {}", now.result, was.result));
        }
        for (part, figure, tolerance) in PARTS {
            let (was, now) = (figure(was), figure(now));
            let ratio = now as f64 / was.max(1) as f64;
            let text = format!("{name}: {now} {part}, {:+.1} % ({was} before)", (ratio - 1.0) * 100.0);
            if ratio > 1.0 + tolerance {
                verdict.faults.push(text);
            } else if ratio < 1.0 - tolerance {
                verdict.remarks.push(format!("less: {text}; `--bless` keeps it"));
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
        assert_eq!(said, "the figures were made with rustc 1.95.0, this is rustc 1.96.0");
    }
}
