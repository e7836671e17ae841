//! A resource under construction: datasets are added one by one, within a memory budget.
//!
//! A document of 100 MB must fit into 64 MB of memory together with everything else. So repeated
//! texts are shared, and over the budget, datasets first lose their descriptions and are then only
//! counted.

use crate::formats::bbox::{BboxUnion, BoxClass, classify_bbox};
use crate::formats::xml::tidy_text;
use geotrawl_model::{Bbox, Dataset, Issue, Resource, SharedText};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// Bytes of datasets after which descriptions are dropped.
const LEAN_AFTER: usize = 16 << 20;
/// Bytes of datasets after which they are only counted.
const COUNT_AFTER: usize = 28 << 20;
/// Maximum number of distinct shared strings.
const INTERN_LIMIT: usize = 50_000;
/// Maximum number of CRS codes per dataset.
pub const CRS_LIMIT: usize = 200;
const TITLE: usize = 1024;
const ABSTRACT: usize = 4096;
const NAME: usize = 1024;
const KEYWORD: usize = 256;
const KEYWORDS: usize = 100;
const TIMES: usize = 24;
const FORMATS: usize = 50;

/// A list of CRS codes, shared by all datasets that have it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CrsList(u32);

/// One dataset under construction.
#[derive(Debug, Default)]
pub struct DatasetDraft {
    /// Name used in requests.
    pub name: Option<String>,
    /// Display name.
    pub title: Option<String>,
    /// Description.
    pub abstract_: Option<String>,
    /// Keywords.
    pub keywords: Vec<SharedText>,
    /// Extent, if usable.
    pub bbox: Option<Bbox>,
    /// Ids of CRS codes, in document order.
    pub crs: Vec<u32>,
    /// Instants and intervals.
    pub time: Vec<String>,
    /// Output formats.
    pub formats: Vec<SharedText>,
}

impl DatasetDraft {
    /// Sets the title if there is none yet.
    pub fn set_title(&mut self, text: &str) {
        if self.title.is_none() {
            self.title = tidy_text(text, TITLE);
        }
    }

    /// Sets the abstract if there is none yet.
    pub fn set_abstract(&mut self, text: &str) {
        if self.abstract_.is_none() {
            self.abstract_ = tidy_text(text, ABSTRACT);
        }
    }

    /// Sets the name if there is none yet.
    pub fn set_name(&mut self, text: &str) {
        if self.name.is_none() {
            self.name = tidy_text(text, NAME);
        }
    }

    /// Adds times: instants and intervals, separated by commas.
    pub fn add_times(&mut self, text: &str) {
        for time in text.split(',') {
            let Some(time) = tidy_text(time, 128) else { continue };
            if self.time.len() < TIMES {
                self.time.push(time);
            } else if let Some(last) = self.time.last_mut() {
                // Of long lists, keep the beginning and the last entry.
                *last = time;
            }
        }
    }
}

/// A list of CRS codes: the inherited list, the added codes, and the names of both together.
#[derive(Debug)]
struct CrsListEntry {
    inherited: CrsList,
    own: Box<[u32]>,
    names: Arc<[SharedText]>,
}

/// A service under construction, with its datasets.
#[derive(Debug, Default)]
pub struct CapabilitiesDraft {
    /// The service; datasets come last.
    pub resource: Resource,
    /// The first geographic box in document order, as written: `[west, south, east, north]`.
    pub first_box: Option<[f64; 4]>,
    /// Box of the service as a whole.
    pub own_box: Option<Bbox>,
    union: BboxUnion,
    issues: Vec<(Issue, u64)>,
    strings: HashSet<SharedText>,
    crs_ids: HashMap<SharedText, u32>,
    crs_names: Vec<SharedText>,
    /// Which code last followed which: layers repeat each other's lists, so guessing the next code
    /// saves most lookups.
    crs_after: Vec<u32>,
    crs_last: u32,
    crs_seen: Vec<u32>,
    crs_epoch: u32,
    lists: Vec<CrsListEntry>,
    list_ids: HashMap<u64, u32>,
    spent: usize,
}

impl CapabilitiesDraft {
    /// Creates an empty draft of a kind.
    pub fn new(kind: &str) -> Self {
        let mut draft = Self::default();
        kind.clone_into(&mut draft.resource.kind);
        draft.lists.push(CrsListEntry {
            inherited: CrsList(0),
            own: Box::default(),
            names: Arc::from(Vec::new()),
        });
        draft
    }

    /// Adds an issue; repetitions of a code are only counted.
    pub fn add_issue(&mut self, code: &str, message: impl Into<String>) {
        if let Some((_, count)) = self.issues.iter_mut().find(|(i, _)| i.code == code) {
            *count += 1;
        } else if self.issues.len() < 50 {
            self.issues.push((Issue::new(code, message), 1));
        }
    }

    /// Returns a shared copy of a text that may repeat.
    pub fn intern_text(&mut self, text: &str, cap: usize) -> Option<SharedText> {
        if let Some(known) = self.strings.get(text) {
            return Some(known.clone());
        }
        let tidied = tidy_text(text, cap)?;
        if let Some(known) = self.strings.get(tidied.as_str()) {
            return Some(known.clone());
        }
        let shared: SharedText = tidied.into();
        self.spent += shared.len() + 48;
        if self.strings.len() < INTERN_LIMIT {
            self.strings.insert(shared.clone());
        }
        Some(shared)
    }

    /// Adds a keyword to a dataset.
    pub fn add_keyword(&mut self, item: &mut DatasetDraft, text: &str) {
        if item.keywords.len() < KEYWORDS
            && let Some(word) = self.intern_text(text, KEYWORD)
            && !item.keywords.contains(&word)
        {
            item.keywords.push(word);
        }
    }

    /// Adds a format to a dataset.
    pub fn add_format(&mut self, item: &mut DatasetDraft, text: &str) {
        if item.formats.len() < FORMATS
            && let Some(format) = self.intern_text(text, KEYWORD)
            && !item.formats.contains(&format)
        {
            item.formats.push(format);
        }
    }

    /// Adds a format to the service.
    pub fn add_service_format(&mut self, text: &str) {
        if self.resource.formats.len() < FORMATS
            && let Some(format) = self.intern_text(text, KEYWORD)
            && !self.resource.formats.contains(&format)
        {
            self.resource.formats.push(format);
        }
    }

    /// Adds CRS codes, separated by white space or commas.
    pub fn add_crs(&mut self, crs: &mut Vec<u32>, text: &str) {
        for code in text.split(|c: char| c.is_whitespace() || c == ',') {
            if code.is_empty() || code.len() > 256 || crs.len() >= CRS_LIMIT * 2 {
                continue;
            }
            if let Some(id) = self.crs_id(code) {
                crs.push(id);
            }
        }
    }

    fn crs_id(&mut self, code: &str) -> Option<u32> {
        let guess = self.crs_after.get(self.crs_last as usize).copied().unwrap_or_default();
        let id = match self.crs_names.get(guess as usize) {
            Some(name) if **name == *code => guess,
            _ => self.look_up_crs(code)?,
        };
        if let Some(after) = self.crs_after.get_mut(self.crs_last as usize) {
            *after = id;
        }
        self.crs_last = id;
        Some(id)
    }

    fn look_up_crs(&mut self, code: &str) -> Option<u32> {
        if let Some(id) = self.crs_ids.get(code) {
            return Some(*id);
        }
        if self.crs_names.len() >= INTERN_LIMIT {
            return None;
        }
        let id = self.crs_names.len() as u32;
        let shared: SharedText = code.into();
        self.spent += code.len() + 80;
        self.crs_names.push(shared.clone());
        self.crs_seen.push(0);
        self.crs_after.push(0);
        self.crs_ids.insert(shared, id);
        Some(id)
    }

    /// Returns the list `inherited` extended by `own`; equal lists are stored once.
    pub fn crs_list(&mut self, inherited: CrsList, own: &[u32]) -> CrsList {
        if own.is_empty() || self.spent >= COUNT_AFTER {
            return inherited;
        }
        // FNV-1a over the ids; a collision only costs a duplicate list.
        let mut hash = 0xcbf2_9ce4_8422_2325u64 ^ u64::from(inherited.0);
        for id in own {
            hash = (hash ^ u64::from(*id)).wrapping_mul(0x0100_0000_01b3);
        }
        if let Some(&index) = self.list_ids.get(&hash) {
            let list = &self.lists[index as usize];
            if list.inherited == inherited && *list.own == *own {
                return CrsList(index);
            }
        }
        // A new epoch marks which codes are already in this list, without clearing the table.
        self.crs_epoch += 1;
        let mut names: Vec<SharedText> = self.lists[inherited.0 as usize].names.to_vec();
        for name in &names {
            if let Some(id) = self.crs_ids.get(name) {
                self.crs_seen[*id as usize] = self.crs_epoch;
            }
        }
        for id in own {
            if self.crs_seen[*id as usize] != self.crs_epoch && names.len() < CRS_LIMIT {
                self.crs_seen[*id as usize] = self.crs_epoch;
                names.push(self.crs_names[*id as usize].clone());
            }
        }
        self.spent += names.len() * 16 + own.len() * 4 + 100;
        let index = self.lists.len() as u32;
        self.lists.push(CrsListEntry { inherited, own: own.into(), names: names.into() });
        self.list_ids.insert(hash, index);
        CrsList(index)
    }

    /// Returns the codes of a list.
    pub fn crs_names(&self, list: CrsList) -> Arc<[SharedText]> {
        self.lists[list.0 as usize].names.clone()
    }

    /// Checks a geographic box, `[west, south, east, north]`.
    pub fn take_box(&mut self, written: [f64; 4]) -> Option<Bbox> {
        if self.first_box.is_none() {
            self.first_box = Some(written);
        }
        let class = classify_bbox(written);
        if let Some((code, message)) = class.issue() {
            self.add_issue(
                code,
                format!("{message}: {} {} {} {}", written[0], written[1], written[2], written[3]),
            );
        }
        if matches!(class, BoxClass::Good(_) | BoxClass::Swapped(_)) { class.bbox() } else { None }
    }

    /// Adds a dataset and returns its index, or `None` if it was only counted.
    pub fn add_dataset(&mut self, item: DatasetDraft, crs: CrsList) -> Option<usize> {
        self.resource.dataset_count += 1;
        if let Some(b) = item.bbox {
            self.union.add(b);
        }
        if self.spent >= COUNT_AFTER {
            self.add_issue("datasets-not-kept", "too many datasets: the remaining ones are only counted");
            return None;
        }
        let mut dataset = Dataset {
            name: item.name.unwrap_or_default(),
            title: item.title,
            abstract_: item.abstract_,
            keywords: item.keywords,
            bbox: item.bbox,
            crs: self.lists[crs.0 as usize].names.clone(),
            time: item.time,
            formats: item.formats,
        };
        if self.spent >= LEAN_AFTER {
            self.add_issue(
                "datasets-abridged",
                "too many datasets: the remaining ones are kept without descriptions",
            );
            dataset.abstract_ = None;
            dataset.keywords = Vec::new();
            dataset.time.truncate(1);
            dataset.formats = Vec::new();
        }
        dataset.keywords.shrink_to_fit();
        dataset.formats.shrink_to_fit();
        dataset.time.shrink_to_fit();
        self.spent += weight(&dataset);
        self.resource.datasets.push(dataset);
        Some(self.resource.datasets.len() - 1)
    }

    /// Returns a dataset that was added before.
    pub fn dataset_mut(&mut self, index: usize) -> Option<&mut Dataset> {
        self.resource.datasets.get_mut(index)
    }

    /// Returns the finished resource and the first box.
    pub fn finish(mut self) -> (Resource, Option<[f64; 4]>) {
        self.resource.bbox = self.own_box.or(self.union.bbox());
        self.resource.crs = self.crs_names.into_iter().take(CRS_LIMIT).collect();
        self.resource.datasets.shrink_to_fit();
        self.resource.issues = self
            .issues
            .into_iter()
            .map(|(mut issue, count)| {
                if count > 1 {
                    issue.message = format!("{} (and {} more)", issue.message, count - 1);
                }
                issue
            })
            .collect();
        (self.resource, self.first_box)
    }
}

/// Returns the approximate memory use of a dataset: the struct, its texts, and the allocator's
/// overhead.
fn weight(d: &Dataset) -> usize {
    let text = |t: &Option<String>| t.as_ref().map_or(0, |t| t.capacity() + 16);
    size_of::<Dataset>()
        + d.name.capacity()
        + 16
        + text(&d.title)
        + text(&d.abstract_)
        + (d.keywords.len() + d.formats.len()) * size_of::<SharedText>()
        + d.time.iter().map(|t| t.capacity() + size_of::<String>() + 16).sum::<usize>()
}
