//! Summary of how well the corpus is recognised, by document kind.

use super::FileComparison;
use std::collections::BTreeMap;
use std::fmt;

/// Number of correct results out of all.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct FieldTally {
    pub right: u64,
    pub all: u64,
}

impl FieldTally {
    fn add(&mut self, right: bool) {
        self.right += u64::from(right);
        self.all += 1;
    }

    /// Returns the share of correct results, or 1 if there are no results.
    pub fn correct_share(self) -> f64 {
        if self.all == 0 { 1.0 } else { self.right as f64 / self.all as f64 }
    }
}

/// Fields to show, in this order.
const FIELDS: [&str; 9] =
    ["document", "kind", "version", "count", "features", "title", "bbox", "endpoints", "wellformed"];

/// Results of all files.
#[derive(Debug, Clone, Default)]
pub struct CorpusReport {
    files: u64,
    documents: BTreeMap<String, (u64, BTreeMap<&'static str, FieldTally>)>,
    fields: BTreeMap<&'static str, FieldTally>,
    /// Files recognised with the right kind and version, out of those that should be a resource.
    recognised: FieldTally,
    excused: u64,
    failures: Vec<String>,
}

impl CorpusReport {
    /// Adds the results of a file.
    pub fn add_file(&mut self, row: &FileComparison) {
        self.files += 1;
        let (files, tallies) = self.documents.entry(row.document.clone()).or_default();
        *files += 1;
        for check in &row.checks {
            tallies.entry(check.field).or_default().add(check.is_right());
            self.fields.entry(check.field).or_default().add(check.is_right());
            self.excused += u64::from(check.excuse.is_some());
            if let Some(difference) = check.difference.as_ref().filter(|_| check.excuse.is_none()) {
                self.failures.push(format!("{}: {}: {difference}", row.id, check.field));
            }
        }
        let of = |field: &str| row.checks.iter().find(|check| check.field == field);
        if let Some(kind) = of("kind") {
            self.recognised.add(kind.is_right() && of("version").is_none_or(super::FieldCheck::is_right));
        }
    }

    /// Returns how many files have the right kind and version, out of those that should be a
    /// resource.
    pub fn recognised(&self) -> FieldTally {
        self.recognised
    }

    /// Returns the result of one field over all files (`claim`, `count`, `title`, `bbox`, ...).
    pub fn field_tally(&self, name: &str) -> FieldTally {
        self.fields.get(name).copied().unwrap_or_default()
    }

    /// Returns every difference that is not excused.
    pub fn failures(&self) -> &[String] {
        &self.failures
    }

    /// Describes the thresholds that are not met.
    pub fn missed_thresholds(&self) -> Vec<String> {
        let mut missed = Vec::new();
        let mut bar = |name: &str, tally: FieldTally, least: f64| {
            if tally.correct_share() < least {
                missed.push(format!(
                    "{name}: {} of {} ({:.2} %)",
                    tally.right,
                    tally.all,
                    100.0 * tally.correct_share()
                ));
            }
        };
        bar("kind and version", self.recognised, 0.995);
        bar("no false claim", self.field_tally("claim"), 1.0);
        for name in ["document", "count", "features", "names", "title", "bbox", "wcps", "endpoints"] {
            bar(name, self.field_tally(name), 0.99);
        }
        bar("wellformed", self.field_tally("wellformed"), 1.0);
        missed
    }
}

impl fmt::Display for CorpusReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:<38}{:>6}", "document", "files")?;
        for field in FIELDS {
            write!(f, "{field:>12}")?;
        }
        writeln!(f)?;
        for (document, (files, tallies)) in &self.documents {
            write!(f, "{document:<38}{files:>6}")?;
            for field in FIELDS {
                match tallies.get(field) {
                    Some(tally) => write!(f, "{:>12}", format!("{}/{}", tally.right, tally.all))?,
                    None => write!(f, "{:>12}", "-")?,
                }
            }
            writeln!(f)?;
        }
        let show = |tally: FieldTally| {
            format!("{}/{} ({:.2} %)", tally.right, tally.all, 100.0 * tally.correct_share())
        };
        writeln!(f, "files: {}", self.files)?;
        writeln!(
            f,
            "kind and version: {}; no false claim: {}",
            show(self.recognised),
            show(self.field_tally("claim"))
        )?;
        for field in
            ["document", "count", "features", "names", "title", "bbox", "wcps", "endpoints", "wellformed"]
        {
            writeln!(f, "{field}: {}", show(self.field_tally(field)))?;
        }
        writeln!(f, "differences excused: {}; not excused: {}", self.excused, self.failures.len())
    }
}
