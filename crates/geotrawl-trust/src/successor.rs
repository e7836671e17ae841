//! Where a service went: a fingerprint of what it holds finds it again at another address.
//!
//! A fingerprint keeps hashes of the names and titles of datasets (brought to what survives a change of
//! software), their boxes, years, the words of the service's title and its organisation. Of a large service only
//! those with the smallest hashes are kept, so that two fingerprints keep the same ones.
//!
//! Look-alikes are the danger: neighbours with the same layers and other boxes, other years of the same data,
//! demonstration data of the software, mirrors that stood beside. [`propose`] weighs evidence in bits, takes off
//! what many candidates share, and proposes nothing when two candidates are as good as each other.

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

/// Below this nothing is proposed.
pub const PROPOSE: f64 = 0.8;

/// A band that more services share tells nothing: whoever looks candidates up may pass it over.
pub const CROWDED: usize = 200;

/// Datasets kept by their name and, again, by their title.
const KEPT: usize = 40;
/// Words kept of a title and of keywords.
const WORDS: usize = 24;
/// Characters of a name kept to show it.
const LABEL: usize = 40;
/// Smallest hashes that make bands.
const SLOTS: u64 = 8;

/// What makes a service recognisable, small enough to keep for every one (about 3 kB as JSON).
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Fingerprint {
    kind: String,
    /// Host and port.
    host: String,
    /// Hash of the title without words that say nothing; 0 for none.
    #[serde(default)]
    title: u32,
    /// Hashes of its words, sorted.
    #[serde(default)]
    words: Vec<u32>,
    /// Hashes of keywords, sorted.
    #[serde(default)]
    keywords: Vec<u32>,
    /// Hash of the organisation; 0 for none.
    #[serde(default)]
    organisation: u32,
    /// Years in title and address, sorted.
    #[serde(default)]
    years: Vec<u16>,
    /// Telling datasets, kept or not.
    count: u32,
    items: Vec<DatasetFingerprint>,
    /// Around all telling datasets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    area: Option<RoundedBbox>,
    /// All items up to these ranks are kept.
    name_limit: u32,
    title_limit: u32,
}

/// A dataset of a fingerprint.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct DatasetFingerprint {
    /// Hash of the plain name; 0 when it tells nothing.
    #[serde(rename = "n")]
    name: u32,
    /// Hash of the plain title; 0 when it tells nothing.
    #[serde(rename = "t")]
    title: u32,
    /// Hash of the name without its first word, where too few names show whether that is a prefix; 0 for none.
    #[serde(rename = "x", default, skip_serializing_if = "is_zero")]
    tail: u32,
    /// 0 for none.
    #[serde(rename = "y")]
    year: u16,
    #[serde(rename = "b", default, skip_serializing_if = "Option::is_none")]
    bbox: Option<RoundedBbox>,
    /// Bits that its name tells: few when everyone has such a layer.
    #[serde(rename = "w")]
    telling: u8,
    /// The name, to show it.
    #[serde(rename = "l")]
    label: String,
}

impl Fingerprint {
    /// Of a resource with its datasets.
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

    /// Keeps the items with the smallest ranks by name and by title.
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
            // Many datasets of one name: more of them tell no more.
            items.truncate(KEPT * 4);
        }
        self.items = items;
    }

    /// Whether there is nothing to recognise it by: no dataset of its own.
    pub fn is_blank(&self) -> bool {
        self.items.is_empty()
    }

    /// The family of its kind.
    pub fn family(&self) -> Family {
        kind_family(&self.kind)
    }

    /// Numbers of which two like services share at least one, nearly always: candidates are looked up by them.
    /// Dataset names with their rough place, pairs of names for services that lost their boxes, and the title.
    /// At most 63; bands that more than [`CROWDED`] services share may be passed over.
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
                // One or two names without a place are all there is.
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
    /// A dataset, unless nothing of it tells anything.
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

/// Order in which datasets are kept: not that of the hash itself, which would favour some words everywhere.
fn rank(hash: u32) -> u32 {
    (mix(u64::from(hash)) >> 32) as u32
}

/// A hash that stays the same for ever, since it is stored (those of the standard library may change): FNV-1a
/// with a final mix; nothing gives 0.
fn hash(text: &str) -> u32 {
    if text.is_empty() {
        return 0;
    }
    let fnv = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    ((mix(fnv) >> 32) as u32).max(1)
}

/// The finaliser of SplitMix64.
fn mix(value: u64) -> u64 {
    let mut z = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests;
