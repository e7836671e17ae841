//! A record with its first layers: all that encoders need, however large the service is.

use crate::sanitize::single_line;
use geotrawl_index::moments;
use geotrawl_kinds::kinds;
use geotrawl_model::{Bbox, Dataset, Record};
use jiff::Timestamp;
use serde_json::{Value, json};

/// Maximum number of layers used.
pub const MOST_LAYERS: usize = 100;
/// Maximum number of keywords returned.
const MOST_KEYWORDS: usize = 100;
const LONGEST_TITLE: usize = 500;
const LONGEST_TEXT: usize = 10_000;

/// A record without its datasets, and the first [`MOST_LAYERS`] of them.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct DescribedRecord {
    pub record: Record,
    pub layers: Vec<Dataset>,
}

/// The time covered by the data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CoveredPeriod {
    pub from: Timestamp,
    /// End; `None` if the data are still being updated.
    pub until: Option<Timestamp>,
}

impl DescribedRecord {
    /// Returns the public id.
    pub fn id(&self) -> &str {
        &self.record.id
    }

    /// Returns the title or a substitute, on one line; never empty.
    pub fn title(&self) -> String {
        let title = single_line(self.record.resource.title.as_deref().unwrap_or_default(), LONGEST_TITLE);
        if !title.is_empty() {
            return title;
        }
        format!("{} of {}", self.kind_name(), single_line(&self.record.host.name, LONGEST_TITLE))
    }

    /// Returns the display name of the kind.
    pub fn kind_name(&self) -> String {
        let kind = &self.record.resource.kind;
        kinds::by_id(kind).map_or_else(|| single_line(kind, 60), |kind| kind.profile().name.to_owned())
    }

    /// Returns the abstract, if there is one.
    pub fn description(&self) -> Option<String> {
        let text = single_line(self.record.resource.abstract_.as_deref()?, LONGEST_TEXT);
        (!text.is_empty()).then_some(text)
    }

    /// Returns the keywords without duplicates.
    pub fn keywords(&self) -> Vec<String> {
        let mut keywords: Vec<String> = Vec::new();
        for word in self.record.resource.keywords.iter().take(10 * MOST_KEYWORDS) {
            let word = single_line(word, 200);
            if !word.is_empty() && !keywords.contains(&word) {
                keywords.push(word);
            }
            if keywords.len() == MOST_KEYWORDS {
                break;
            }
        }
        keywords
    }

    /// Returns the provider.
    pub fn provider(&self) -> Option<String> {
        let resource = &self.record.resource;
        let name = resource.provider.as_deref().or(resource.contact.organisation.as_deref())?;
        let name = single_line(name, LONGEST_TITLE);
        (!name.is_empty()).then_some(name)
    }

    /// Returns the licence as stated.
    pub fn licence(&self) -> Option<String> {
        let text = single_line(self.record.resource.licence.as_deref()?, 2_000);
        (!text.is_empty()).then_some(text)
    }

    /// Returns the time of the last known change.
    pub fn modified(&self) -> Timestamp {
        self.record.last_ok.map_or(self.record.last_seen, |ok| ok.max(self.record.last_seen))
    }

    /// Returns the box if it is valid.
    pub fn bbox(&self) -> Option<Bbox> {
        let bbox = self.record.resource.bbox?;
        let [west, south, east, north] = bbox.into();
        crate::shared_params::bbox_from_numbers(&[west, south, east, north]).ok()
    }

    /// Returns the time covered by the first layers.
    pub fn covered_period(&self) -> Option<CoveredPeriod> {
        let times = self.layers.iter().flat_map(|layer| layer.time.iter().take(100));
        let (first, last) = times
            .filter_map(|text| moments::parse_time_extent(text))
            .reduce(|(first, last), (from, until)| (first.min(from), last.max(until)))?;
        let from = Timestamp::from_second(first).ok()?;
        Some(CoveredPeriod { from, until: Timestamp::from_second(last).ok() })
    }
}

/// Converts a box into a GeoJSON geometry. Rings start in the south-west and have the north-east
/// corner third, as QGIS expects; a box across the antimeridian becomes two polygons.
pub fn bbox_geometry(bbox: Option<Bbox>) -> Value {
    let Some(Bbox { west, south, east, north }) = bbox else { return Value::Null };
    let ring = |west: f64, east: f64| {
        json!([[[west, south], [east, south], [east, north], [west, north], [west, south]]])
    };
    if west <= east {
        return json!({ "type": "Polygon", "coordinates": ring(west, east) });
    }
    json!({ "type": "MultiPolygon", "coordinates": [ring(west, 180.0), ring(-180.0, east)] })
}
