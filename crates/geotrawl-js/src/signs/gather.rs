//! Gathers what was found: each address once, what is sure before what is not.

use super::address::{
    arcgis_service, contains_ignore_case, ends_with_ignore_case, is_absolute, requested_ogc_service,
};
use super::hosts::{are_mirrors, mirror_key};
use crate::model::{AnalysisLevel, HOLE, ScriptPosition, Sighting, says};
use std::collections::{HashMap, HashSet};

/// How an address was found; the later, the surer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum FindingRank {
    /// It stands in the code.
    Text,
    /// It is loaded, or the name of a member says what it is.
    Named,
    /// The object around it has the shape of a layer.
    Shape,
    /// A library is called with it.
    Call,
}

/// Something found.
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

/// Findings of one application beyond this are dropped.
const MOST: usize = 20_000;

/// Texts that are compared with all addresses in use; a flood of them is not.
const MOST_COMPARED: usize = 500;

/// All that was found.
#[derive(Debug, Default)]
pub struct FindingCollection {
    findings: Vec<AddressFinding>,
    at: HashMap<String, Vec<usize>>,
    /// Other hosts of sources that were found.
    covered: HashSet<String>,
}

/// Two ways to write one address.
fn key(url: &str) -> &str {
    url.trim_end_matches(['?', '&'])
}

/// Whether these words only say how to look.
fn is_general(says: &str) -> bool {
    matches!(says, says::ARCGIS | says::FILE | says::DOCUMENT)
}

impl FindingCollection {
    /// Adds a finding, or what it says more to one of the same address.
    pub fn add_finding(&mut self, finding: AddressFinding) {
        let known = self.at.get(key(&finding.url)).map_or(&[][..], Vec::as_slice);
        for &at in known {
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

    /// This address is another host of something that was found.
    pub fn mark_covered(&mut self, url: &str) {
        if self.covered.len() < MOST {
            self.covered.insert(key(url).to_owned());
        }
    }

    /// Whether something was found at an address.
    pub fn contains_url(&self, url: &str) -> bool {
        self.at.contains_key(key(url)) || self.covered.contains(key(url))
    }

    /// What the findings of these scripts are, when nothing else says: the script reads such capabilities.
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

    /// The sightings: what says something first, then what only stands there.
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
            // Hosts that calls name one by one may well be several services.
            if finding.rank <= FindingRank::Named
                && let Some(key) = mirror_key(&finding.url)
            {
                let others = mirrored.entry(format!("{} {key}", finding.says)).or_default();
                if others.iter().any(|other| *other != finding.url && are_mirrors(other, &finding.url)) {
                    continue;
                }
                // Different hosts of one domain with the same path are few; a flood of them is not compared.
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

/// Whether a text without a host is a piece of an address that is used: the path that the code adds to a base.
fn is_piece(text: &str, used: &[&str]) -> bool {
    if is_absolute(text) {
        return false;
    }
    let piece = text.split([HOLE, '?']).next().unwrap_or(text);
    piece.len() > 3
        && used.iter().any(|url| url.len() > text.len() && is_absolute(url) && url.contains(piece))
}

/// Whether a text is only the beginning of another address: the base that the code adds paths to.
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
