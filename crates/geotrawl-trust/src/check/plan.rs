//! The scored operation of every kind: the cheapest request that shows whether a dataset can be had.
//!
//! Only questions: nothing is executed, inserted or changed, no observation is asked for without a bound,
//! and every answer has a limit in bytes.

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

/// A picture of 64 by 64 pixels, or a tile.
pub const PICTURE_BYTES: u64 = 1 << 20;
/// One feature may be the coast of a country.
pub const FEATURE_BYTES: u64 = 2 << 20;
/// Descriptions of one dataset.
pub const DOCUMENT_BYTES: u64 = 2 << 20;
/// A piece of a file.
pub const PIECE_BYTES: u64 = 1024;

pub const ACCEPT_XML: &str = "application/xml, text/xml, */*;q=0.5";
pub const ACCEPT_JSON: &str = "application/json, */*;q=0.5";
pub const ACCEPT_FEATURES: &str = "application/geo+json, application/json, */*;q=0.5";
pub const ACCEPT_PICTURE: &str = "image/png, image/*;q=0.9, */*;q=0.5";
pub const ACCEPT_TILE: &str = "image/*, application/vnd.mapbox-vector-tile, */*;q=0.5";
pub const ACCEPT_TEXT: &str = "text/plain, */*;q=0.5";

/// The name of a dataset that nobody has.
pub const NO_SUCH: &str = "geotrawl_no_such_dataset";

/// A request of the scored operation, and what should come.
#[derive(Debug, Clone)]
pub struct PlannedRequest {
    pub dataset: Option<String>,
    pub ask: ProbeRequest,
    pub expect: ExpectedAnswer,
    pub again: FallbackRequests,
}

/// What to ask about the same dataset when the first answer does not settle it.
#[derive(Debug, Clone, Default)]
pub struct FallbackRequests {
    /// There was nothing in the answer: where else to look before it counts as empty.
    pub if_empty: Option<Box<PlannedRequest>>,
    /// It was refused: how else to ask.
    pub if_refused: Option<Box<PlannedRequest>>,
}

/// What an answer should be.
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
    /// A JSON document whose array at one of these pointers has something in it.
    List(&'static [&'static str]),
    /// A JSON object with one of these members.
    Object(&'static [&'static str]),
    /// The structure of an OPeNDAP dataset.
    Structure,
    /// A value of this variable of an OPeNDAP dataset.
    Value(String),
    /// Values of an OPeNDAP dataset as bytes, behind their structure.
    Packed,
    /// A piece of a file of this size.
    Piece { total: Option<u64> },
    /// The description of a tile map (TMS), which leads to a tile.
    TileMap,
    /// Tile sets of an OGC API, which lead to a tile in so many steps at most.
    TileSets { steps: u8, bbox: Option<Bbox> },
}

/// A description as it was read, as far as it is kept.
#[derive(Debug, Clone)]
pub struct KeptDescription {
    /// The address that answered.
    pub url: Url,
    pub bytes: Vec<u8>,
}

/// All that a plan is made of.
pub struct PlanContext<'c> {
    /// What the resource says about itself.
    pub resource: &'c Resource,
    /// Its address.
    pub at: Url,
    pub document: Option<&'c KeptDescription>,
    /// Datasets to try.
    pub chosen: Vec<&'c Dataset>,
    /// The request that its description answered.
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

    /// How many requests it may take until this is settled, if nobody refuses.
    pub fn most_requests(&self) -> usize {
        match self.expect {
            ExpectedAnswer::TileMap => 3,
            ExpectedAnswer::TileSets { steps, .. } => 3 + usize::from(steps),
            _ => 1 + usize::from(self.again.if_empty.is_some()),
        }
    }

    /// Where else to look when nothing is in the answer.
    pub fn fallback_if_empty(mut self, second: Option<Self>) -> Self {
        self.again.if_empty = second.map(Box::new);
        self
    }

    /// How else to ask when it is refused.
    pub fn fallback_if_refused(mut self, second: Option<Self>) -> Self {
        self.again.if_refused = second.map(Box::new);
        self
    }
}

/// Returns the scored operation on the chosen datasets; empty where there is none.
pub fn plan_operations(context: &PlanContext<'_>) -> Vec<PlannedRequest> {
    operations::operation_of(&context.resource.kind)
        .map(|operation| operation.plan_requests(context))
        .unwrap_or_default()
}

/// Returns a question about a dataset that does not exist, which must be refused in the way of the protocol;
/// `None` for kinds that have no such way.
pub fn plan_refusal(context: &PlanContext<'_>) -> Option<PlannedRequest> {
    let planned = operations::operation_of(&context.resource.kind)?.plan_refusal(context)?;
    // What is to be refused is asked once.
    Some(PlannedRequest { dataset: Some(NO_SUCH.to_owned()), again: FallbackRequests::default(), ..planned })
}

/// Returns a dataset that nobody has, where the resource has its own.
pub fn no_such_dataset(context: &PlanContext<'_>) -> Dataset {
    Dataset { name: NO_SUCH.to_owned(), bbox: context.resource.bbox, ..Dataset::default() }
}

/// The description is an answer of the scored operation: it is asked for once more, and judged by what it holds.
pub fn repeat_description(context: &PlanContext<'_>, expect: ExpectedAnswer) -> Vec<PlannedRequest> {
    let Some(ask) = context.described_by else { return Vec::new() };
    let ask = ProbeRequest { max_bytes: ask.max_bytes.min(DOCUMENT_BYTES), range: None, ..ask.clone() };
    vec![PlannedRequest { dataset: None, ask, expect, again: FallbackRequests::default() }]
}

/// The first bytes of a file: ranges are honoured, and its size is what it was.
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

/// A path below an address, whose own parameters stay.
pub fn url_below(at: &Url, path: &[&str], params: &[(&str, &str)]) -> Url {
    let mut url = at.clone();
    if let Ok(mut segments) = url.path_segments_mut() {
        segments.pop_if_empty().extend(path);
    }
    urls::with_params(&url, params)
}

/// A reader of a document whose root has just begun.
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
