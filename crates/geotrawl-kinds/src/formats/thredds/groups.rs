//! Groups granules: datasets of one level that differ only in digits.

use super::ThreddsDataset;
use std::collections::HashMap;

/// Maximum number of groups to keep. Further datasets are only counted.
const MOST: usize = 20_000;

/// Datasets that differ only in digits.
#[derive(Debug, Clone, Default)]
pub struct GranuleGroup {
    /// Common name, with digits replaced.
    pub pattern: String,
    pub count: u64,
    /// Dataset with the last name.
    pub sample: ThreddsDataset,
    /// Name of the level.
    pub level: String,
    /// Whether this is the only group on its level.
    pub alone: bool,
}

impl GranuleGroup {
    /// Returns a common title: the name of the level if the level contains nothing else.
    pub fn title(&self) -> String {
        if self.alone && !self.level.is_empty() {
            self.level.clone()
        } else {
            digit_pattern(&self.sample.name)
        }
    }
}

/// Collects groups of granules.
#[derive(Debug, Default)]
pub struct GranuleGroups {
    groups: Vec<GranuleGroup>,
    by_pattern: HashMap<(u64, String), usize>,
    per_level: HashMap<u64, u32>,
    levels: Vec<u64>,
    /// Number of datasets that were not kept because there are too many groups.
    pub dropped: u64,
}

impl GranuleGroups {
    /// Adds a dataset of a level.
    pub fn add(&mut self, level: u64, level_name: &str, entry: ThreddsDataset) {
        let path = entry.access.first().map_or(entry.name.as_str(), |access| access.path.as_str());
        let key = (level, digit_pattern(path));
        if let Some(&at) = self.by_pattern.get(&key) {
            let group = &mut self.groups[at];
            group.count += 1;
            // Names sort by time, and the newest granule is the most likely to be still available.
            if entry.name >= group.sample.name {
                group.sample = entry;
            }
            return;
        }
        if self.groups.len() >= MOST {
            self.dropped += 1;
            return;
        }
        *self.per_level.entry(level).or_default() += 1;
        let pattern = key.1.clone();
        self.by_pattern.insert(key, self.groups.len());
        self.levels.push(level);
        self.groups.push(GranuleGroup {
            pattern,
            count: 1,
            sample: entry,
            level: level_name.to_owned(),
            alone: false,
        });
    }

    /// Returns the groups.
    pub fn finish(mut self) -> Vec<GranuleGroup> {
        for (group, level) in self.groups.iter_mut().zip(&self.levels) {
            group.alone = self.per_level.get(level) == Some(&1);
        }
        self.groups
    }
}

/// Replaces every run of digits in a name by `#`, treating dates with separators as one run.
pub fn digit_pattern(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for c in name.chars().take(1024) {
        if c.is_ascii_digit() {
            if !out.ends_with('#') {
                out.push('#');
            }
        } else {
            out.push(c);
        }
    }
    for between in ["#-#", "#_#", "#:#", "#.#", "#T#", "#/#"] {
        while out.contains(between) {
            out = out.replace(between, "#");
        }
    }
    out
}
