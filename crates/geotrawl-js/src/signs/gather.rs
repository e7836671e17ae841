//! Gathers what was found: each address once, what is sure before what is not.

use super::address::{arcgis, ends, holds, is_absolute, requested};
use super::hosts::{mirror_key, mirrors};
use crate::model::{HOLE, Level, Place, Sighting, says};
use std::collections::{HashMap, HashSet};

/// How an address was found; the later, the surer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rank {
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
pub struct Finding {
    pub url: String,
    pub says: &'static str,
    pub layers: Vec<String>,
    pub title: String,
    pub rank: Rank,
    pub rule: String,
    pub reason: String,
    pub place: Place,
}

/// Findings of one application beyond this are dropped.
const MOST: usize = 20_000;

/// Texts that are compared with all addresses in use; a flood of them is not.
const MOST_COMPARED: usize = 500;

/// All that was found.
#[derive(Debug, Default)]
pub struct Gathered {
    findings: Vec<Finding>,
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

impl Gathered {
    /// Adds a finding, or what it says more to one of the same address.
    pub fn add(&mut self, finding: Finding) {
        let known = self.at.get(key(&finding.url)).map_or(&[][..], Vec::as_slice);
        for &at in known {
            let Some(other) = self.findings.get_mut(at) else { continue };
            let same = other.says == finding.says;
            let weaker = finding.says.is_empty()
                || is_general(finding.says) && !other.says.is_empty()
                || !other.says.is_empty() && finding.rank < other.rank && !is_general(other.says);
            let stronger = other.says.is_empty()
                || is_general(other.says) && !is_general(finding.says)
                || finding.rank > other.rank && finding.rank > Rank::Named && other.rank < Rank::Call;
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
    pub fn cover(&mut self, url: &str) {
        if self.covered.len() < MOST {
            self.covered.insert(key(url).to_owned());
        }
    }

    /// Whether something was found at an address.
    pub fn knows(&self, url: &str) -> bool {
        self.at.contains_key(key(url)) || self.covered.contains(key(url))
    }

    /// What the findings of these scripts are, when nothing else says: the script reads such capabilities.
    pub fn say_capabilities(&mut self, by_script: &HashMap<u32, &'static str>) {
        for finding in &mut self.findings {
            let asks = holds(&finding.url, "capabilities") || ends(&finding.url, ".xml");
            if finding.says.is_empty()
                && finding.rank > Rank::Text
                && asks
                && let Some(kind) = by_script.get(&finding.place.script)
            {
                finding.says = kind;
            }
        }
    }

    /// The sightings: what says something first, then what only stands there.
    pub fn into_sightings(self, level: Level) -> Vec<Sighting> {
        let Self { findings, covered, .. } = self;
        let mut used: Vec<&str> =
            findings.iter().filter(|f| f.rank > Rank::Text).map(|f| f.url.as_str()).collect();
        used.truncate(MOST_COMPARED);
        let pieces: HashSet<String> = findings
            .iter()
            .filter(|finding| finding.rank == Rank::Text && is_piece(&finding.url, &used))
            .take(MOST_COMPARED)
            .map(|finding| finding.url.clone())
            .collect();
        let (laden, plain): (Vec<Finding>, Vec<Finding>) = findings
            .into_iter()
            .filter(|finding| finding.rank > Rank::Text || !pieces.contains(&finding.url))
            .partition(|finding| !finding.says.is_empty());
        let mut urls: Vec<&str> = laden.iter().map(|finding| finding.url.as_str()).collect();
        urls.sort_unstable();
        let plain: Vec<Finding> = plain
            .into_iter()
            .filter(|finding| !covered.contains(key(&finding.url)) && !begins_another(&finding.url, &urls))
            .collect();
        let mut mirrored: HashMap<String, Vec<String>> = HashMap::new();
        let mut out = Vec::with_capacity(laden.len() + plain.len());
        for finding in laden.into_iter().chain(plain) {
            // Hosts that calls name one by one may well be several services.
            if finding.rank <= Rank::Named
                && let Some(key) = mirror_key(&finding.url)
            {
                let others = mirrored.entry(format!("{} {key}", finding.says)).or_default();
                if others.iter().any(|other| *other != finding.url && mirrors(other, &finding.url)) {
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

fn merge(kept: &mut Finding, other: &Finding) {
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
    if requested(url).is_some() || arcgis(url).is_some() {
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

    fn finding(url: &str, says: &'static str, rank: Rank) -> Finding {
        let rule = format!("{rank:?}");
        let (layers, title, reason) = (Vec::new(), String::new(), String::new());
        Finding { url: url.into(), says, layers, title, rank, rule, reason, place: Place::default() }
    }

    fn gathered(findings: Vec<Finding>) -> Vec<(String, String)> {
        let mut all = Gathered::default();
        for finding in findings {
            all.add(finding);
        }
        all.into_sightings(Level::Fold).into_iter().map(|s| (s.url, s.says)).collect()
    }

    #[test]
    fn an_address_is_given_once() {
        let out = gathered(vec![
            finding("https://a.example/x", "", Rank::Text),
            finding("https://a.example/x?", "wms", Rank::Call),
            finding("https://a.example/x", "file", Rank::Shape),
        ]);
        assert_eq!(out, [("https://a.example/x?".to_owned(), "wms".to_owned())]);
    }

    #[test]
    fn two_services_may_share_an_address() {
        let out = gathered(vec![
            finding("https://a.example/ows", "wms", Rank::Call),
            finding("https://a.example/ows", "wfs", Rank::Call),
        ]);
        assert_eq!(out.len(), 2);
    }

    #[test]
    fn bases_and_mirrors_go() {
        let out = gathered(vec![
            finding("https://a.example/geoserver", "", Rank::Text),
            finding("https://a.example/geoserver/wms", "wms", Rank::Call),
            finding("https://t1.maps.example/wms", "", Rank::Text),
            finding("https://t2.maps.example/wms", "", Rank::Text),
        ]);
        let urls: Vec<&str> = out.iter().map(|(url, _)| url.as_str()).collect();
        assert_eq!(urls, ["https://a.example/geoserver/wms", "https://t1.maps.example/wms"]);
    }
}
