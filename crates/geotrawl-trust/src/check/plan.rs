//! The scored operation of every kind: the cheapest request that shows whether a dataset can be had.
//!
//! Only questions: nothing is executed, inserted or changed, no observation is asked for without a bound,
//! and every answer has a limit in bytes.

mod arcgis;
mod area;
mod catalogues;
mod ogcapi;
mod ows;
mod sample;
mod science;
#[cfg(test)]
mod tests;
mod tiles;
mod wmts;

use geotrawl_kinds::formats::xml::{Event, Reader};
use geotrawl_kinds::kinds::family::{Family, family};
use geotrawl_kinds::model::{Bbox, Dataset, Resource};
use geotrawl_kinds::probe::{Ask, Range};
use geotrawl_kinds::urls;
use url::Url;

pub use sample::choose;
pub use tiles::{follow_tile_map, follow_tile_sets};

/// A picture of 64 by 64 pixels, or a tile.
pub const PICTURE_BYTES: u64 = 1 << 20;
/// One feature may be the coast of a country.
pub const FEATURE_BYTES: u64 = 2 << 20;
/// Descriptions of one dataset.
pub const DOCUMENT_BYTES: u64 = 2 << 20;
/// A piece of a file.
pub const PIECE_BYTES: u64 = 1024;

const ACCEPT_XML: &str = "application/xml, text/xml, */*;q=0.5";
const ACCEPT_JSON: &str = "application/json, */*;q=0.5";
const ACCEPT_FEATURES: &str = "application/geo+json, application/json, */*;q=0.5";
const ACCEPT_PICTURE: &str = "image/png, image/*;q=0.9, */*;q=0.5";
const ACCEPT_TILE: &str = "image/*, application/vnd.mapbox-vector-tile, */*;q=0.5";
const ACCEPT_TEXT: &str = "text/plain, */*;q=0.5";

/// The name of a dataset that nobody has.
const NO_SUCH: &str = "geotrawl_no_such_dataset";

/// A request of the scored operation, and what should come.
#[derive(Debug, Clone)]
pub struct Planned {
    pub dataset: Option<String>,
    pub ask: Ask,
    pub expect: Expect,
    pub again: Again,
}

/// What to ask about the same dataset when the first answer does not settle it.
#[derive(Debug, Clone, Default)]
pub struct Again {
    /// There was nothing in the answer: where else to look before it counts as empty.
    pub if_empty: Option<Box<Planned>>,
    /// It was refused: how else to ask.
    pub if_refused: Option<Box<Planned>>,
}

/// What an answer should be.
#[derive(Debug, Clone, PartialEq)]
pub enum Expect {
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
pub struct Kept {
    /// The address that answered.
    pub url: Url,
    pub bytes: Vec<u8>,
}

/// All that a plan is made of.
pub struct Context<'c> {
    /// What the resource says about itself.
    pub resource: &'c Resource,
    /// Its address.
    pub at: Url,
    pub document: Option<&'c Kept>,
    /// Datasets to try.
    pub chosen: Vec<&'c Dataset>,
    /// The request that its description answered.
    pub described_by: Option<&'c Ask>,
    /// Size of the file.
    pub total: Option<u64>,
}

impl Planned {
    fn new(dataset: Option<&str>, url: Url, accept: &'static str, limit: u64, expect: Expect) -> Self {
        Self {
            dataset: dataset.map(str::to_owned),
            ask: Ask::get(url, accept, limit),
            expect,
            again: Again::default(),
        }
    }

    /// How many requests it may take until this is settled, if nobody refuses.
    pub fn most_requests(&self) -> usize {
        match self.expect {
            Expect::TileMap => 3,
            Expect::TileSets { steps, .. } => 3 + usize::from(steps),
            _ => 1 + usize::from(self.again.if_empty.is_some()),
        }
    }

    /// Where else to look when nothing is in the answer.
    fn if_empty(mut self, second: Option<Self>) -> Self {
        self.again.if_empty = second.map(Box::new);
        self
    }

    /// How else to ask when it is refused.
    fn if_refused(mut self, second: Option<Self>) -> Self {
        self.again.if_refused = second.map(Box::new);
        self
    }
}

/// The scored operation on the chosen datasets; empty where there is none.
pub fn operations(context: &Context<'_>) -> Vec<Planned> {
    let kind = context.resource.kind.as_str();
    match kind {
        "wms" | "ncwms" => each(context, ows::map),
        "wfs" => each(context, ows::feature),
        "wcs" | "wcps" => each(context, ows::coverage),
        "wps" => each(context, ows::process),
        "csw" => ows::records(&context.at, context.resource),
        "sos" => ows::sensors(context),
        "wmts" => wmts::tiles(context),
        "wms-c" => tiles::cached_maps(context),
        "tms" => tiles::tile_maps(context),
        "tilejson" => tiles::of_tilejson(context).into_iter().collect(),
        "xyz" | "mvt" => tiles::of_address(context, again(context, Expect::Tile)),
        "socrata" | "opendatasoft" => again(context, Expect::List(&["/results"])),
        "arcgis-vectortileserver" => vec![tiles::of_vector_tile_server(context)],
        "stac-api" => ogcapi::stac(context),
        "sensorthings" => each(context, ogcapi::observation),
        "ckan" | "oai-pmh" | "opensearch" | "geonetwork" => catalogues::search(context),
        "opendap" => science::value(context).into_iter().collect(),
        "erddap" => each(context, science::info),
        "thredds" => science::leaves(context),
        _ if kind.starts_with("ogcapi-") => {
            context.chosen.iter().filter_map(|dataset| ogcapi::operation(context, dataset)).collect()
        }
        _ if kind.starts_with("arcgis-") => arcgis::operations(context),
        "zarr" => Vec::new(),
        "pmtiles" | "mbtiles" => vec![piece(context)],
        _ if family(kind) == Family::File => vec![piece(context)],
        _ => Vec::new(),
    }
}

/// A question about a dataset that does not exist, which must be refused in the way of the protocol; `None`
/// for kinds that have no such way.
pub fn refusal(context: &Context<'_>) -> Option<Planned> {
    let kind = context.resource.kind.as_str();
    let bogus = Dataset { name: NO_SUCH.to_owned(), bbox: context.resource.bbox, ..Dataset::default() };
    let planned = match kind {
        "wms" | "ncwms" => Some(ows::map(context, &bogus)),
        "wfs" => Some(ows::feature(context, &bogus)),
        "wcs" | "wcps" => Some(ows::coverage(context, &bogus)),
        "wps" => Some(ows::process(context, &bogus)),
        "csw" => Some(ows::no_such_record_type(context)),
        "sos" => Some(ows::sensor(context, None, NO_SUCH, &ows::sensor_formats(context))),
        "wmts" => wmts::no_such_tile(context),
        "stac-api" => Some(ogcapi::collection(context, NO_SUCH)),
        "ckan" | "oai-pmh" => catalogues::no_such_record(context),
        "erddap" => Some(science::info(context, &bogus)),
        "opendap" => Some(science::no_such_variable(context)),
        "sensorthings" => Some(ogcapi::no_such_thing(context)),
        _ if kind.starts_with("ogcapi-") => ogcapi::operation(context, &bogus),
        _ if kind.starts_with("arcgis-") => arcgis::no_such_layer(context),
        _ => None,
    };
    // What is to be refused is asked once.
    planned.map(|planned| Planned { dataset: Some(NO_SUCH.to_owned()), again: Again::default(), ..planned })
}

/// The same for every chosen dataset.
fn each(context: &Context<'_>, plan: fn(&Context<'_>, &Dataset) -> Planned) -> Vec<Planned> {
    context.chosen.iter().map(|dataset| plan(context, dataset)).collect()
}

/// The description is an answer of the scored operation: it is asked for once more, and judged by what it holds.
fn again(context: &Context<'_>, expect: Expect) -> Vec<Planned> {
    let Some(ask) = context.described_by else { return Vec::new() };
    let ask = Ask { max_bytes: ask.max_bytes.min(DOCUMENT_BYTES), range: None, ..ask.clone() };
    vec![Planned { dataset: None, ask, expect, again: Again::default() }]
}

/// The first bytes of a file: ranges are honoured, and its size is what it was.
fn piece(context: &Context<'_>) -> Planned {
    let ask = Ask {
        range: Some(Range::Span { from: 0, to: PIECE_BYTES - 1 }),
        ..Ask::get(context.at.clone(), "*/*", PIECE_BYTES)
    };
    Planned { dataset: None, ask, expect: Expect::Piece { total: context.total }, again: Again::default() }
}

/// A path below an address, whose own parameters stay.
fn below(at: &Url, path: &[&str], params: &[(&str, &str)]) -> Url {
    let mut url = at.clone();
    if let Ok(mut segments) = url.path_segments_mut() {
        segments.pop_if_empty().extend(path);
    }
    urls::with_params(&url, params)
}

/// A reader of a document whose root has just begun.
fn begun<'r>(bytes: &'r mut &[u8]) -> Option<Reader<'r>> {
    let mut reader = Reader::new(bytes, None);
    loop {
        match reader.next() {
            Event::Start => return Some(reader),
            Event::Eof => return None,
            _ => {}
        }
    }
}
