//! Finds where a service moved: a fingerprint of its content recognises it at another address.
//!
//! A fingerprint contains hashes of the names and titles of datasets (reduced to what survives a
//! change of software), their boxes, years, the words of the service's title, and its organisation.
//! Of a large service only the datasets with the smallest hashes are kept, so that two fingerprints
//! keep the same ones.
//!
//! The risk is look-alikes: neighbours with the same layers and other boxes, other years of the
//! same data, demonstration data of the software, and mirrors. [`propose_successors`] adds up
//! evidence in bits, subtracts what many candidates share, and proposes nothing if two candidates
//! are equally good.

mod boxes;
mod likeness;
mod names;
mod proposal;

pub use likeness::compare_fingerprints;
pub use proposal::{GoneService, SuccessorCandidate, SuccessorProposal, propose_successors};

use boxes::RoundedBbox;
use geotrawl_kinds::kinds::{Family, kind_family};
use geotrawl_model::{Dataset, Resource};
use names::NormalizedName;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use url::Url;

/// Minimum confidence of a proposal.
pub const PROPOSE: f64 = 0.8;

/// A band shared by more services than this has no significance and may be skipped in lookups.
pub const CROWDED: usize = 200;

/// Number of datasets kept by name and, separately, by title.
const KEPT: usize = 40;
/// Maximum number of words kept of a title and of keywords.
const WORDS: usize = 24;
/// Maximum number of characters of a name kept for display.
const LABEL: usize = 40;
/// Number of smallest hashes that make up bands.
const SLOTS: u64 = 8;

/// Compact description by which a service can be recognised (about 3 kB as JSON).
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Fingerprint {
    kind: String,
    /// Host and port.
    host: String,
    /// Hash of the title without insignificant words; 0 if there is none.
    #[serde(default)]
    title: u32,
    /// Hashes of the words of the title, sorted.
    #[serde(default)]
    words: Vec<u32>,
    /// Hashes of keywords, sorted.
    #[serde(default)]
    keywords: Vec<u32>,
    /// Hash of the organisation; 0 if there is none.
    #[serde(default)]
    organisation: u32,
    /// Years in title and address, sorted.
    #[serde(default)]
    years: Vec<u16>,
    /// Number of significant datasets, kept or not.
    count: u32,
    items: Vec<DatasetFingerprint>,
    /// Box around all significant datasets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    area: Option<RoundedBbox>,
    /// All datasets up to these ranks are kept.
    name_limit: u32,
    title_limit: u32,
}

/// A dataset of a fingerprint.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct DatasetFingerprint {
    /// Hash of the normalized name; 0 if it is not significant.
    #[serde(rename = "n")]
    name: u32,
    /// Hash of the normalized title; 0 if it is not significant.
    #[serde(rename = "t")]
    title: u32,
    /// Hash of the name without its first word, if there are too few names to recognise a prefix; 0
    /// if there is none.
    #[serde(rename = "x", default, skip_serializing_if = "is_zero")]
    tail: u32,
    /// 0 if there is none.
    #[serde(rename = "y")]
    year: u16,
    #[serde(rename = "b", default, skip_serializing_if = "Option::is_none")]
    bbox: Option<RoundedBbox>,
    /// Information content of the name in bits: few if the layer is common.
    #[serde(rename = "w")]
    telling: u8,
    /// The name, for display.
    #[serde(rename = "l")]
    label: String,
}

impl Fingerprint {
    /// Creates the fingerprint of a resource.
    pub fn from_resource(resource: &Resource) -> Self {
        let url = Url::parse(&resource.url).ok();
        let host = url.as_ref().and_then(|url| url.host_str()).unwrap_or_default();
        let port = url.as_ref().and_then(Url::port).map(|port| format!(":{port}")).unwrap_or_default();
        let title = names::normalize_text(resource.title.as_deref().unwrap_or_default());
        let organisation = resource.contact.organisation.as_deref().or(resource.provider.as_deref());
        let path = names::normalize_text(url.as_ref().map_or("", |url| url.path()));
        let years: BTreeSet<u16> = [title.year, path.year].into_iter().filter(|year| *year > 0).collect();
        let plain: Vec<NormalizedName> =
            resource.datasets.iter().map(|dataset| names::normalize_name(&dataset.name)).collect();
        let prefix = names::shared_prefix(&plain);
        let few = plain.len() < names::SHOW_PREFIX;
        let items: Vec<DatasetFingerprint> = resource
            .datasets
            .iter()
            .zip(plain)
            .filter_map(|(dataset, name)| DatasetFingerprint::of(dataset, name, prefix.as_deref(), few))
            .collect();
        let words = title.tokens.iter().map(String::as_str).chain(prefix.as_deref());
        let words: BTreeSet<u32> = words.filter(|word| word.len() > 2).map(hash).collect();
        let keywords: BTreeSet<u32> =
            resource.keywords.iter().map(|word| hash(&names::normalize_text(word).to_key())).collect();
        let area = items
            .iter()
            .filter_map(|item| item.bbox)
            .filter(|b| !boxes::is_vast(*b))
            .reduce(boxes::enclosing_bbox);
        let mut print = Self {
            kind: resource.kind.clone(),
            host: format!("{host}{port}"),
            title: hash(&title.to_key()),
            words: words.into_iter().filter(|word| *word != 0).take(WORDS).collect(),
            keywords: keywords.into_iter().filter(|word| *word != 0).take(WORDS).collect(),
            organisation: organisation.map_or(0, |name| hash(&names::normalize_text(name).to_key())),
            years: years.into_iter().collect(),
            count: u32::try_from(items.len()).unwrap_or(u32::MAX),
            items: Vec::new(),
            area,
            name_limit: u32::MAX,
            title_limit: u32::MAX,
        };
        print.keep(items);
        print
    }

    /// Keeps the datasets with the smallest ranks by name and by title.
    fn keep(&mut self, mut items: Vec<DatasetFingerprint>) {
        items.sort_by(|a, b| (a.name, a.title, a.year, &a.label).cmp(&(b.name, b.title, b.year, &b.label)));
        items.dedup();
        if items.len() > KEPT * 2 {
            let limit = |part: fn(&DatasetFingerprint) -> u32| {
                let mut ranks: Vec<u32> = items.iter().map(part).filter(|h| *h != 0).map(rank).collect();
                ranks.sort_unstable();
                ranks.dedup();
                ranks.get(KEPT - 1).copied().unwrap_or(u32::MAX)
            };
            self.name_limit = limit(|item| item.name);
            self.title_limit = limit(|item| item.title);
            let (names, titles) = (self.name_limit, self.title_limit);
            items.retain(|item| item.is_within(names, titles));
            // Many datasets may share a name; more of them add no information.
            items.truncate(KEPT * 4);
        }
        self.items = items;
    }

    /// Returns whether it has no significant datasets.
    pub fn is_blank(&self) -> bool {
        self.items.is_empty()
    }

    /// Returns the family of its kind.
    pub fn family(&self) -> Family {
        kind_family(&self.kind)
    }

    /// Returns numbers to look up candidates by: similar services nearly always share at least one.
    /// They stand for dataset names with their approximate location, pairs of names for services
    /// that lost their boxes, and the title. At most 63; bands shared by more than [`CROWDED`]
    /// services may be skipped.
    pub fn lookup_bands(&self) -> Vec<u64> {
        let mut bands = BTreeSet::new();
        let mut lowest = Vec::new();
        for slot in 0..SLOTS {
            for part in [
                |item: &DatasetFingerprint| item.name,
                |item: &DatasetFingerprint| item.title,
                |item: &DatasetFingerprint| item.tail,
            ] {
                let keyed = self.items.iter().filter(|item| part(item) != 0);
                let Some(item) = keyed.min_by_key(|item| mix(u64::from(part(item)) ^ (slot << 40))) else {
                    continue;
                };
                let key = u64::from(part(item));
                lowest.push(key);
                if let Some(bbox) = item.bbox.filter(|b| !boxes::is_vast(*b)) {
                    bands.extend(boxes::grid_cells(bbox).map(|cell| mix(key ^ mix(cell))));
                }
                // One or two names without a location are all the information there is.
                if self.items.len() <= 2 && item.telling > names::EVERYDAY {
                    bands.insert(mix(key ^ 0x6b65_7900_0000_0000));
                }
            }
        }
        for pair in lowest.windows(3) {
            if let [a, _, b] = pair
                && a != b
            {
                bands.insert(mix(a.min(b) ^ mix(*a.max(b))));
            }
        }
        if self.title != 0 && self.words.len() > 1 {
            bands.insert(mix(u64::from(self.title) ^ 0x7469_746c_6500_0000));
        }
        if self.is_blank() {
            bands.clear();
        }
        bands.into_iter().collect()
    }
}

impl DatasetFingerprint {
    /// Creates the fingerprint of a dataset, unless it has no significant part.
    fn of(dataset: &Dataset, mut name: NormalizedName, prefix: Option<&str>, few: bool) -> Option<Self> {
        if name.tokens.len() > 1 && name.tokens.first().map(String::as_str) == prefix {
            name.tokens.remove(0);
        }
        let title = names::normalize_text(dataset.title.as_deref().unwrap_or_default());
        let (name_key, title_key) = (name.to_key(), title.to_key());
        if names::is_demo(&dataset.name, &name_key) && names::is_demo(&dataset.name, &title_key) {
            return None;
        }
        let tail = name.tokens.get(1..).unwrap_or_default().concat();
        let few_tail = if few && names::information_bits(&tail) > names::EVERYDAY { hash(&tail) } else { 0 };
        let telling = |key: &str| if names::is_demo(&dataset.name, key) { 0 } else { hash(key) };
        Some(Self {
            name: telling(&name_key),
            title: telling(&title_key),
            tail: few_tail,
            year: if name.year > 0 { name.year } else { title.year },
            bbox: dataset.bbox.and_then(boxes::round_bbox),
            telling: names::information_bits(&name_key).max(names::information_bits(&title_key)),
            label: dataset.name.chars().take(LABEL).collect(),
        })
    }

    fn is_within(&self, name_limit: u32, title_limit: u32) -> bool {
        (self.name != 0 && rank(self.name) <= name_limit)
            || (self.title != 0 && rank(self.title) <= title_limit)
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// Returns the rank by which datasets are kept. It differs from the hash, which would favour the
/// same words everywhere.
fn rank(hash: u32) -> u32 {
    (mix(u64::from(hash)) >> 32) as u32
}

/// Hashes a text with FNV-1a and a final mix. Hashes are stored, so they must never change, unlike
/// those of the standard library. An empty text gives 0.
fn hash(text: &str) -> u32 {
    if text.is_empty() {
        return 0;
    }
    let fnv = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    ((mix(fnv) >> 32) as u32).max(1)
}

/// Finalizer of SplitMix64.
fn mix(value: u64) -> u64 {
    let mut z = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests;
