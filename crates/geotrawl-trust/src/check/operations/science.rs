//! Servers of scientific data.

use super::ScoredOperation;
use crate::check::plan::{
    ACCEPT_JSON, ACCEPT_TEXT, ACCEPT_XML, DOCUMENT_BYTES, ExpectedAnswer, FallbackRequests, PlanContext,
};
use crate::check::plan::{KeptDescription, NO_SUCH, PIECE_BYTES, PlannedRequest, start_reader, url_below};
use geotrawl_kinds::formats::thredds::ThreddsCatalog;
use geotrawl_kinds::probe::{ByteRange, ProbeRequest};
use geotrawl_model::Dataset;
use url::Url;

/// Maximum size of a text answer with one value.
const VALUE_BYTES: u64 = 64 << 10;
/// Up to this many values, a whole variable may be requested.
const FEW_VALUES: u64 = 1000;

/// Requests a value of an OPeNDAP dataset.
pub struct OpendapValue;

impl ScoredOperation for OpendapValue {
    fn kind(&self) -> &'static str {
        "opendap"
    }

    fn plan_requests(&self, context: &PlanContext<'_>) -> Vec<PlannedRequest> {
        value(context).into_iter().collect()
    }

    fn plan_refusal(&self, context: &PlanContext<'_>) -> Option<PlannedRequest> {
        Some(no_such_variable(context))
    }

    fn keeps_description(&self, kept: &KeptDescription) -> bool {
        // The structure of a dataset is requested before its attributes, and is needed to request a
        // value.
        kept.bytes.starts_with(b"Dataset")
    }
}

/// Requests the information of an ERDDAP about its datasets.
pub struct ErddapInfo;

impl ScoredOperation for ErddapInfo {
    fn kind(&self) -> &'static str {
        "erddap"
    }

    fn plan_dataset(&self, context: &PlanContext<'_>, dataset: &Dataset) -> Option<PlannedRequest> {
        Some(info(context, dataset))
    }
}

/// Requests the leaves of a THREDDS catalogue.
pub struct ThreddsLeaves;

impl ScoredOperation for ThreddsLeaves {
    fn kind(&self) -> &'static str {
        "thredds"
    }

    fn plan_requests(&self, context: &PlanContext<'_>) -> Vec<PlannedRequest> {
        leaves(context)
    }
}

/// A variable of a dataset.
#[derive(Debug, Clone, PartialEq, Eq)]
struct OpendapVariable {
    name: String,
    dimensions: usize,
    /// Number of its values, if the sizes of all dimensions are known.
    values: Option<u64>,
}

fn face(at: &Url, suffix: &str, constraint: &str) -> Url {
    let mut url = at.clone();
    url.set_path(&format!("{}{suffix}", at.path()));
    // The brackets are not encoded, because some servers do not decode them.
    url.set_query((!constraint.is_empty()).then_some(constraint));
    url
}

/// Plans a request for the first value of the first variable of an OPeNDAP dataset, with an index
/// per dimension.
fn value(context: &PlanContext<'_>) -> Option<PlannedRequest> {
    let text = String::from_utf8_lossy(&context.document?.bytes);
    let OpendapVariable { name, dimensions, values } = variable(&text)?;
    let one = format!("{name}{}", "[0:1:0]".repeat(dimensions));
    let url = face(&context.at, ".ascii", &one);
    let dataset = context.chosen.first().map(|dataset| dataset.name.as_str());
    // Fallback to binary, because some servers cannot write text. Small variables are requested as
    // a whole, because some servers do not accept an index.
    let some = if values.is_some_and(|values| values <= FEW_VALUES) { &name } else { &one };
    let packed = face(&context.at, ".dods", some);
    let packed = || PlannedRequest::new(dataset, packed.clone(), "*/*", VALUE_BYTES, ExpectedAnswer::Packed);
    let (empty, refused) = (packed(), packed());
    let planned = PlannedRequest::new(dataset, url, ACCEPT_TEXT, VALUE_BYTES, ExpectedAnswer::Value(name));
    Some(planned.fallback_if_empty(Some(empty)).fallback_if_refused(Some(refused)))
}

/// Plans a request for a variable that does not exist.
fn no_such_variable(context: &PlanContext<'_>) -> PlannedRequest {
    let url = face(&context.at, ".dds", NO_SUCH);
    PlannedRequest::new(None, url, ACCEPT_TEXT, VALUE_BYTES, ExpectedAnswer::Structure)
}

/// Returns the first plain variable of a structure, the simplest one available.
fn variable(structure: &str) -> Option<OpendapVariable> {
    const TYPES: &[&str] = &[
        "byte", "int8", "uint8", "char", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float32",
        "float64", "int", "string", "url",
    ];
    let mut depth = 0_i32;
    let mut inside_grid = false;
    let mut best: Option<OpendapVariable> = None;
    let mut grid: Option<OpendapVariable> = None;
    for line in structure.lines().take(10_000) {
        let line = line.trim();
        if line.ends_with('{') {
            depth += 1;
            inside_grid = depth == 2 && line.to_ascii_lowercase().starts_with("grid");
            continue;
        }
        if line.starts_with('}') {
            depth -= 1;
            continue;
        }
        let Some((type_, declared)) = line.split_once(char::is_whitespace) else { continue };
        if !(depth == 1 || depth == 2 && inside_grid) || !TYPES.contains(&type_.to_ascii_lowercase().as_str())
        {
            continue;
        }
        let declared = declared.trim().trim_end_matches(';');
        let name = declared.split('[').next().unwrap_or_default().trim();
        let plain = !name.is_empty()
            && name.len() <= 200
            && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"_.%-/".contains(&b));
        let dimensions = declared.matches('[').count();
        if !plain || dimensions > 8 {
            continue;
        }
        let found = OpendapVariable { name: name.to_owned(), dimensions, values: values(declared) };
        // The array of a grid comes first in it, and has the name of the grid.
        if depth == 2 {
            inside_grid = false;
            grid.get_or_insert(found);
        } else if best.as_ref().is_none_or(|least| dimensions < least.dimensions) {
            best = Some(found);
        }
    }
    best.or(grid)
}

/// Multiplies the dimensions of a declaration: `[time = 12][lat = 89]`.
fn values(declared: &str) -> Option<u64> {
    declared.split('[').skip(1).try_fold(1_u64, |product, dimension| {
        let length = dimension.split(']').next()?.rsplit('=').next()?.trim();
        product.checked_mul(length.parse().ok()?)
    })
}

/// Plans a request for the information of an ERDDAP about a dataset.
fn info(context: &PlanContext<'_>, dataset: &Dataset) -> PlannedRequest {
    let url = url_below(&context.at, &["info", &dataset.name, "index.json"], &[]);
    PlannedRequest::new(
        Some(&dataset.name),
        url,
        ACCEPT_JSON,
        DOCUMENT_BYTES,
        ExpectedAnswer::List(&["/table/rows"]),
    )
}

/// Plans requests for the leaves of a THREDDS catalogue: the structure of a dataset, the first
/// bytes of its file, or the catalogue below.
fn leaves(context: &PlanContext<'_>) -> Vec<PlannedRequest> {
    let Some(document) = context.document else { return Vec::new() };
    let mut bytes = document.bytes.as_slice();
    let Some(mut reader) = start_reader(&mut bytes) else { return Vec::new() };
    let catalog = ThreddsCatalog::from_xml(&mut reader);
    let records = catalog.to_records(&document.url);
    let mut planned: Vec<PlannedRequest> = context
        .chosen
        .iter()
        .filter_map(|dataset| {
            let record = records.iter().find(|record| record.id == dataset.name)?;
            let by = |protocol: &str| {
                let link = record.links.iter().find(|link| link.protocol.as_deref() == Some(protocol))?;
                Url::parse(&link.url).ok().filter(|url| matches!(url.scheme(), "http" | "https"))
            };
            if let Some(url) = by("OPENDAP") {
                let url = face(&url, ".dds", "");
                return Some(PlannedRequest::new(
                    Some(&dataset.name),
                    url,
                    ACCEPT_TEXT,
                    DOCUMENT_BYTES,
                    ExpectedAnswer::Structure,
                ));
            }
            let ask = ProbeRequest {
                range: Some(ByteRange::Span { from: 0, to: PIECE_BYTES - 1 }),
                ..ProbeRequest::get(by("HTTPServer")?, "*/*", PIECE_BYTES)
            };
            let expect = ExpectedAnswer::Piece { total: None };
            Some(PlannedRequest {
                dataset: Some(dataset.name.clone()),
                ask,
                expect,
                again: FallbackRequests::default(),
            })
        })
        .collect();
    if planned.is_empty()
        && let Some(url) =
            catalog.references.iter().find_map(|reference| document.url.join(&reference.href).ok())
        && matches!(url.scheme(), "http" | "https")
    {
        planned.push(PlannedRequest::new(
            None,
            url,
            ACCEPT_XML,
            DOCUMENT_BYTES,
            ExpectedAnswer::Xml(&["catalog"]),
        ));
    }
    planned
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_simplest_variable_is_found() {
        let dds = "Dataset {\n  Grid {\n   ARRAY:\n    Int16 sst[time = 12][lat = 89][lon = 180];\n   MAPS:\n    Float64 time[time = 12];\n  } sst;\n  Float32 lat[lat = 89];\n  Float32 box[a = 1][b = 2];\n} sst.nc;";
        let found = |text: &str| variable(text).map(|v| (v.name, v.dimensions, v.values));
        assert_eq!(found(dds), Some(("lat".to_owned(), 1, Some(89))));
        let grid_alone = dds.replace("Float32 lat[lat = 89];", "").replace("Float32 box[a = 1][b = 2];", "");
        assert_eq!(found(&grid_alone), Some(("sst".to_owned(), 3, Some(12 * 89 * 180))));
        assert_eq!(found("Dataset {\n Sequence {\n Float32 a;\n } s;\n} x;"), None);
        assert_eq!(found("Dataset {\n Int32 n;\n} x;"), Some(("n".to_owned(), 0, Some(1))));
        assert_eq!(found("Dataset {\n Int32 n[a = x];\n} x;"), Some(("n".to_owned(), 1, None)));
    }
}
