//! How well a labelled set is recognised, by kind of document.

use super::FileComparison;
use std::collections::BTreeMap;
use std::fmt;

/// Right and all.
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

    /// Share of what is right; 1 when there was nothing.
    pub fn correct_share(self) -> f64 {
        if self.all == 0 { 1.0 } else { self.right as f64 / self.all as f64 }
    }
}

/// Fields that are shown, in this order.
const FIELDS: [&str; 9] =
    ["document", "kind", "version", "count", "features", "title", "bbox", "endpoints", "wellformed"];

/// The results of all files.
#[derive(Debug, Clone, Default)]
pub struct CorpusReport {
    files: u64,
    documents: BTreeMap<String, (u64, BTreeMap<&'static str, FieldTally>)>,
    fields: BTreeMap<&'static str, FieldTally>,
    /// Kind and version together, of files that should be something.
    recognised: FieldTally,
    excused: u64,
    failures: Vec<String>,
}

impl CorpusReport {
    /// Adds a file.
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

    /// Kind and version right, of all files that should be something and whose kinds are there.
    pub fn recognised(&self) -> FieldTally {
        self.recognised
    }

    /// One field of all files (`claim`, `count`, `title`, `bbox`, ...).
    pub fn field_tally(&self, name: &str) -> FieldTally {
        self.fields.get(name).copied().unwrap_or_default()
    }

    /// Every difference that is not excused.
    pub fn failures(&self) -> &[String] {
        &self.failures
    }

    /// Bars that are not met, in words.
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
