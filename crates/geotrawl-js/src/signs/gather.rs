//! Collects findings: each URL once, certain ones first.

use super::address::{
    arcgis_service, contains_ignore_case, ends_with_ignore_case, is_absolute, requested_ogc_service,
};
use super::hosts::{are_mirrors, mirror_key};
use crate::model::{AnalysisLevel, HOLE, ScriptPosition, Sighting, says};
use std::collections::{HashMap, HashSet};

/// How an address was found, in ascending order of certainty.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum FindingRank {
    /// It occurs in the code.
    Text,
    /// It is loaded, or the name of a member indicates its use.
    Named,
    /// The object around it has the shape of a layer.
    Shape,
    /// A library function is called with it.
    Call,
}

/// A found address.
#[derive(Debug)]
pub struct AddressFinding {
    pub url: String,
    pub says: &'static str,
    pub layers: Vec<String>,
    pub title: String,
    pub rank: FindingRank,
    pub rule: String,
    pub reason: String,
    pub place: ScriptPosition,
}

/// Maximum number of findings per application.
const MOST: usize = 20_000;

/// Maximum number of texts that are compared with all used addresses, because the comparison is
/// quadratic.
const MOST_COMPARED: usize = 500;

/// Findings of an application, by URL.
#[derive(Debug, Default)]
pub struct FindingCollection {
    findings: Vec<AddressFinding>,
    at: HashMap<String, Vec<usize>>,
    /// URLs of other hosts of known sources.
    covered: HashSet<String>,
}

/// Returns the same key for spellings of the same URL.
fn key(url: &str) -> &str {
    url.trim_end_matches(['?', '&'])
}

/// Returns whether a use only tells how to read the URL, not which service it is.
fn is_general(says: &str) -> bool {
    matches!(says, says::ARCGIS | says::FILE | says::DOCUMENT)
}

impl FindingCollection {
    /// Adds a finding, or merges it with one of the same URL.
    pub fn add_finding(&mut self, finding: AddressFinding) {
        let known = self.at.get(key(&finding.url)).map_or(&[][..], Vec::as_slice);
        for &at in known {
            // General uses (`file`, `document`, `arcgis`) give way to specific kinds, but two
            // specific kinds may share a URL.
            let Some(other) = self.findings.get_mut(at) else { continue };
            let same = other.says == finding.says;
            let weaker = finding.says.is_empty()
                || is_general(finding.says) && !other.says.is_empty()
                || !other.says.is_empty() && finding.rank < other.rank && !is_general(other.says);
            let stronger = other.says.is_empty()
                || is_general(other.says) && !is_general(finding.says)
                || finding.rank > other.rank
                    && finding.rank > FindingRank::Named
                    && other.rank < FindingRank::Call;
            if same || weaker {
                merge(other, &finding);
                return;
            }
            if stronger {
                let before = std::mem::replace(other, finding);
                merge(other, &before);
                return;
            }
        }
        if self.findings.len() < MOST {
            self.at.entry(key(&finding.url).to_owned()).or_default().push(self.findings.len());
            self.findings.push(finding);
        }
    }

    /// Marks a URL as another host of a known source.
    pub fn mark_covered(&mut self, url: &str) {
        if self.covered.len() < MOST {
            self.covered.insert(key(url).to_owned());
        }
    }

    /// Returns whether something was found at a URL.
    pub fn contains_url(&self, url: &str) -> bool {
        self.at.contains_key(key(url)) || self.covered.contains(key(url))
    }

    /// Sets the kind of findings without one to that of the capabilities parser used in the same
    /// script.
    pub fn assign_capabilities_kinds(&mut self, by_script: &HashMap<u32, &'static str>) {
        for finding in &mut self.findings {
            let asks = contains_ignore_case(&finding.url, "capabilities")
                || ends_with_ignore_case(&finding.url, ".xml");
            if finding.says.is_empty()
                && finding.rank > FindingRank::Text
                && asks
                && let Some(kind) = by_script.get(&finding.place.script)
            {
                finding.says = kind;
            }
        }
    }

    /// Converts the findings to sightings: those with a use first, then the others.
    pub fn into_sightings(self, level: AnalysisLevel) -> Vec<Sighting> {
        let Self { findings, covered, .. } = self;
        let mut used: Vec<&str> =
            findings.iter().filter(|f| f.rank > FindingRank::Text).map(|f| f.url.as_str()).collect();
        used.truncate(MOST_COMPARED);
        let pieces: HashSet<String> = findings
            .iter()
            .filter(|finding| finding.rank == FindingRank::Text && is_piece(&finding.url, &used))
            .take(MOST_COMPARED)
            .map(|finding| finding.url.clone())
            .collect();
        let (laden, plain): (Vec<AddressFinding>, Vec<AddressFinding>) = findings
            .into_iter()
            .filter(|finding| finding.rank > FindingRank::Text || !pieces.contains(&finding.url))
            .partition(|finding| !finding.says.is_empty());
        let mut urls: Vec<&str> = laden.iter().map(|finding| finding.url.as_str()).collect();
        urls.sort_unstable();
        let plain: Vec<AddressFinding> = plain
            .into_iter()
            .filter(|finding| !covered.contains(key(&finding.url)) && !begins_another(&finding.url, &urls))
            .collect();
        let mut mirrored: HashMap<String, Vec<String>> = HashMap::new();
        let mut out = Vec::with_capacity(laden.len() + plain.len());
        for finding in laden.into_iter().chain(plain) {
            // Hosts in separate calls may well be different services.
            if finding.rank <= FindingRank::Named
                && let Some(key) = mirror_key(&finding.url)
            {
                let others = mirrored.entry(format!("{} {key}", finding.says)).or_default();
                if others.iter().any(|other| *other != finding.url && are_mirrors(other, &finding.url)) {
                    continue;
                }
                // Usually few hosts of a domain share a path; comparing many of them would be slow.
                if others.len() < 8 {
                    others.push(finding.url.clone());
                }
            }
            out.push(Sighting {
                url: finding.url,
                says: finding.says.to_owned(),
                layers: finding.layers,
                title: finding.title,
                level,
                rule: finding.rule,
                reason: finding.reason,
                place: finding.place,
                line: 0,
                column: 0,
                original: None,
            });
        }
        out
    }
}

fn merge(kept: &mut AddressFinding, other: &AddressFinding) {
    for layer in &other.layers {
        if kept.layers.len() < 200 && !kept.layers.contains(layer) {
            kept.layers.push(layer.clone());
        }
    }
    if kept.title.is_empty() {
        kept.title.clone_from(&other.title);
    }
}

/// Returns whether a text without a host is part of a used URL: a path that the code appends to a
/// base.
fn is_piece(text: &str, used: &[&str]) -> bool {
    if is_absolute(text) {
        return false;
    }
    let piece = text.split([HOLE, '?']).next().unwrap_or(text);
    piece.len() > 3
        && used.iter().any(|url| url.len() > text.len() && is_absolute(url) && url.contains(piece))
}

/// Returns whether a URL is a prefix of another one: a base to which the code appends paths.
fn begins_another(url: &str, sorted: &[&str]) -> bool {
    if requested_ogc_service(url).is_some() || arcgis_service(url).is_some() {
        return false;
    }
    let base = url.trim_end_matches(['/', '?', '&']);
    let from = sorted.partition_point(|other| *other < base);
    sorted.get(from..).unwrap_or_default().iter().take_while(|other| other.starts_with(base)).take(64).any(
        |other| {
            other.len() > url.len()
                && other.get(base.len()..).is_some_and(|rest| rest.starts_with(['/', '?', '&']))
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(url: &str, says: &'static str, rank: FindingRank) -> AddressFinding {
        let rule = format!("{rank:?}");
        let (layers, title, reason) = (Vec::new(), String::new(), String::new());
        AddressFinding {
            url: url.into(),
            says,
            layers,
            title,
            rank,
            rule,
            reason,
            place: ScriptPosition::default(),
        }
    }

    fn gathered(findings: Vec<AddressFinding>) -> Vec<(String, String)> {
        let mut all = FindingCollection::default();
        for finding in findings {
            all.add_finding(finding);
        }
        all.into_sightings(AnalysisLevel::Fold).into_iter().map(|s| (s.url, s.says)).collect()
    }

    #[test]
    fn an_address_is_given_once() {
        let out = gathered(vec![
            finding("https://a.example/x", "", FindingRank::Text),
            finding("https://a.example/x?", "wms", FindingRank::Call),
            finding("https://a.example/x", "file", FindingRank::Shape),
        ]);
        assert_eq!(out, [("https://a.example/x?".to_owned(), "wms".to_owned())]);
    }

    #[test]
    fn two_services_may_share_an_address() {
        let out = gathered(vec![
            finding("https://a.example/ows", "wms", FindingRank::Call),
            finding("https://a.example/ows", "wfs", FindingRank::Call),
        ]);
        assert_eq!(out.len(), 2);
    }

    #[test]
    fn bases_and_mirrors_go() {
        let out = gathered(vec![
            finding("https://a.example/geoserver", "", FindingRank::Text),
            finding("https://a.example/geoserver/wms", "wms", FindingRank::Call),
            finding("https://t1.maps.example/wms", "", FindingRank::Text),
            finding("https://t2.maps.example/wms", "", FindingRank::Text),
        ]);
        let urls: Vec<&str> = out.iter().map(|(url, _)| url.as_str()).collect();
        assert_eq!(urls, ["https://a.example/geoserver/wms", "https://t1.maps.example/wms"]);
    }
}
