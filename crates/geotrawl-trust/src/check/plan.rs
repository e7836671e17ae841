//! The scored operation of every kind: the cheapest request that shows whether a dataset can be
//! used.
//!
//! The requests only read: nothing is executed, inserted or changed, observations are never
//! requested without a limit, and every answer has a maximum size.

pub mod area;
mod sample;
#[cfg(test)]
mod tests;

use super::operations;
use geotrawl_kinds::formats::xml::{XmlEvent, XmlReader};
use geotrawl_kinds::probe::{ByteRange, ProbeRequest};
use geotrawl_kinds::urls;
use geotrawl_model::{Bbox, Dataset, Resource};
use url::Url;

pub use sample::choose_datasets;

/// Maximum size of a picture of 64 by 64 pixels, or of a tile.
pub const PICTURE_BYTES: u64 = 1 << 20;
/// Maximum size of an answer with features: a single feature may be the coast of a country.
pub const FEATURE_BYTES: u64 = 2 << 20;
/// Maximum size of the description of a dataset.
pub const DOCUMENT_BYTES: u64 = 2 << 20;
/// Size of the requested piece of a file.
pub const PIECE_BYTES: u64 = 1024;

pub const ACCEPT_XML: &str = "application/xml, text/xml, */*;q=0.5";
pub const ACCEPT_JSON: &str = "application/json, */*;q=0.5";
pub const ACCEPT_FEATURES: &str = "application/geo+json, application/json, */*;q=0.5";
pub const ACCEPT_PICTURE: &str = "image/png, image/*;q=0.9, */*;q=0.5";
pub const ACCEPT_TILE: &str = "image/*, application/vnd.mapbox-vector-tile, */*;q=0.5";
pub const ACCEPT_TEXT: &str = "text/plain, */*;q=0.5";

/// Name of a dataset that does not exist.
pub const NO_SUCH: &str = "geotrawl_no_such_dataset";

/// A request of the scored operation and the expected answer.
#[derive(Debug, Clone)]
pub struct PlannedRequest {
    pub dataset: Option<String>,
    pub ask: ProbeRequest,
    pub expect: ExpectedAnswer,
    pub again: FallbackRequests,
}

/// Further requests for the same dataset if the first answer is inconclusive.
#[derive(Debug, Clone, Default)]
pub struct FallbackRequests {
    /// Where else to look if the answer was empty, before the dataset counts as empty.
    pub if_empty: Option<Box<PlannedRequest>>,
    /// Another form of the request if it was rejected.
    pub if_refused: Option<Box<PlannedRequest>>,
}

/// The expected answer.
#[derive(Debug, Clone, PartialEq)]
pub enum ExpectedAnswer {
    /// A map as a picture.
    Picture,
    /// A tile: a picture, or vector tiles.
    Tile,
    /// An XML document with one of these roots.
    Xml(&'static [&'static str]),
    /// At least one feature, as GML or GeoJSON.
    Features,
    /// A `GetRecordsResponse`.
    Records,
    /// Headers of an OAI-PMH repository.
    Headers,
    /// The results of a search: Atom, RSS or JSON.
    Results,
    /// A JSON document with a non-empty array at one of these pointers.
    List(&'static [&'static str]),
    /// A JSON object with one of these members.
    Object(&'static [&'static str]),
    /// The structure of an OPeNDAP dataset.
    Structure,
    /// A value of this variable of an OPeNDAP dataset.
    Value(String),
    /// Values of an OPeNDAP dataset in binary form, after their structure.
    Packed,
    /// A piece of a file with this size.
    Piece { total: Option<u64> },
    /// The description of a tile map (TMS), which refers to a tile.
    TileMap,
    /// Tile sets of an OGC API, which refer to a tile in at most this many steps.
    TileSets { steps: u8, bbox: Option<Bbox> },
}

/// The kept part of a description.
#[derive(Debug, Clone)]
pub struct KeptDescription {
    /// Address that answered.
    pub url: Url,
    pub bytes: Vec<u8>,
}

/// Input for a plan.
pub struct PlanContext<'c> {
    /// The resource as it describes itself.
    pub resource: &'c Resource,
    /// Address of the resource.
    pub at: Url,
    pub document: Option<&'c KeptDescription>,
    /// Datasets to test.
    pub chosen: Vec<&'c Dataset>,
    /// The request that returned the description.
    pub described_by: Option<&'c ProbeRequest>,
    /// Size of the file.
    pub total: Option<u64>,
}

impl PlannedRequest {
    pub fn new(
        dataset: Option<&str>,
        url: Url,
        accept: &'static str,
        limit: u64,
        expect: ExpectedAnswer,
    ) -> Self {
        Self {
            dataset: dataset.map(str::to_owned),
            ask: ProbeRequest::get(url, accept, limit),
            expect,
            again: FallbackRequests::default(),
        }
    }

    /// Returns the maximum number of requests until the dataset is settled, if none is rejected.
    pub fn most_requests(&self) -> usize {
        match self.expect {
            ExpectedAnswer::TileMap => 3,
            ExpectedAnswer::TileSets { steps, .. } => 3 + usize::from(steps),
            _ => 1 + usize::from(self.again.if_empty.is_some()),
        }
    }

    /// Adds the request to send if the answer is empty.
    pub fn fallback_if_empty(mut self, second: Option<Self>) -> Self {
        self.again.if_empty = second.map(Box::new);
        self
    }

    /// Adds the request to send if this one is rejected.
    pub fn fallback_if_refused(mut self, second: Option<Self>) -> Self {
        self.again.if_refused = second.map(Box::new);
        self
    }
}

/// Returns the scored operation on the chosen datasets; empty if the kind has none.
pub fn plan_operations(context: &PlanContext<'_>) -> Vec<PlannedRequest> {
    operations::operation_of(&context.resource.kind)
        .map(|operation| operation.plan_requests(context))
        .unwrap_or_default()
}

/// Returns a request for a dataset that does not exist, which must be rejected as the protocol
/// requires; `None` for kinds without a defined error response.
pub fn plan_refusal(context: &PlanContext<'_>) -> Option<PlannedRequest> {
    let planned = operations::operation_of(&context.resource.kind)?.plan_refusal(context)?;
    // A request that should be rejected is sent only once.
    Some(PlannedRequest { dataset: Some(NO_SUCH.to_owned()), again: FallbackRequests::default(), ..planned })
}

/// Returns a dataset that does not exist, for requests that need a name.
pub fn no_such_dataset(context: &PlanContext<'_>) -> Dataset {
    Dataset { name: NO_SUCH.to_owned(), bbox: context.resource.bbox, ..Dataset::default() }
}

/// Repeats the request for the description, which is itself the scored operation, and judges its
/// content.
pub fn repeat_description(context: &PlanContext<'_>, expect: ExpectedAnswer) -> Vec<PlannedRequest> {
    let Some(ask) = context.described_by else { return Vec::new() };
    let ask = ProbeRequest { max_bytes: ask.max_bytes.min(DOCUMENT_BYTES), range: None, ..ask.clone() };
    vec![PlannedRequest { dataset: None, ask, expect, again: FallbackRequests::default() }]
}

/// Requests the first bytes of a file, to test ranges and compare its size.
pub fn plan_file_piece(context: &PlanContext<'_>) -> PlannedRequest {
    let ask = ProbeRequest {
        range: Some(ByteRange::Span { from: 0, to: PIECE_BYTES - 1 }),
        ..ProbeRequest::get(context.at.clone(), "*/*", PIECE_BYTES)
    };
    PlannedRequest {
        dataset: None,
        ask,
        expect: ExpectedAnswer::Piece { total: context.total },
        again: FallbackRequests::default(),
    }
}

/// Returns the address of a path below another; parameters of the original are kept.
pub fn url_below(at: &Url, path: &[&str], params: &[(&str, &str)]) -> Url {
    let mut url = at.clone();
    if let Ok(mut segments) = url.path_segments_mut() {
        segments.pop_if_empty().extend(path);
    }
    urls::with_params(&url, params)
}

/// Returns a reader positioned after the start of the root element.
pub fn start_reader<'r>(bytes: &'r mut &[u8]) -> Option<XmlReader<'r>> {
    let mut reader = XmlReader::new(bytes, None);
    loop {
        match reader.next() {
            XmlEvent::Start => return Some(reader),
            XmlEvent::Eof => return None,
            _ => {}
        }
    }
}
