//! NetCDF: self-describing arrays of scientific data.
//!
//! - **Specification**: NetCDF classic, 64-bit offset and 64-bit data formats; NetCDF-4, which is
//!   HDF5.
//! - **Recognised by**: `CDF` and 1, 2 or 5; or an HDF5 file with the attribute `_NCProperties` or
//!   the attributes that the library adds to its dimensions.
//! - **Dataset**: the file is one dataset.
//! - **Extent**: `geospatial_lat_min` and related attributes (ACDD), or else the values of the
//!   latitude and longitude variables.
//! - **False positives**: other HDF5 files.

use super::{CorpusLabel, DescriptionFormat, Kind, KindProfile, MetadataDepth};
use crate::files::{
    FileDescription, FileExamination, FileRequest, FileView, SparseFile, SparseReadError, request_missing,
};
use crate::formats::acdd::{self, CoordinateAxis, CoordinateRange};
use crate::formats::netcdf3::{self, NetcdfHeader, NetcdfVariable};
use geotrawl_model::Issue;

/// The `netcdf` kind.
pub struct NetCdfKind;

/// Kind id.
pub const ID: &str = "netcdf";
/// The most common media type.
pub const MEDIA_TYPE: &str = "application/x-netcdf";
/// Number of bytes fetched if the header is longer than what is available; then once more, eight
/// times as many.
const HEADER_STEP: u64 = 64 * 1024;
/// Maximum length of a coordinate variable.
const MAX_VARIABLE: u64 = 128 * 1024;
/// Maximum number of variables listed as keywords.
const MAX_NAMED: usize = 50;

static PROFILE: KindProfile = KindProfile {
    id: ID,
    name: "NetCDF",
    what: "Self-describing arrays of scientific data (classic, 64-bit, or NetCDF-4 in HDF5). The file is one dataset.",
    specification: "https://docs.unidata.ucar.edu/nug/current/file_structure_and_performance.html",
    evidence: "The bytes CDF and 1, 2 or 5; or an HDF5 file with _NCProperties or the attributes that the library adds to dimensions.",
    false_positives: "Other HDF5 files.",
    description: DescriptionFormat::Types(&[
        "application/netcdf",
        "application/x-netcdf",
        "application/x-netcdf4",
        "application/octet-stream",
    ]),
    media_types: &["application/x-netcdf"],
    extensions: &["cdf", "nc", "nc3", "nc4", "netcdf"],
    metadata: MetadataDepth::Full,
    corpus_labels: &[CorpusLabel::plain("netcdf")],
    ..KindProfile::FILE
};

impl Kind for NetCdfKind {
    fn profile(&self) -> &'static KindProfile {
        &PROFILE
    }

    fn examine_file(&self, view: &FileView<'_>) -> Option<FileExamination> {
        let header = netcdf3::parse_header(view.file.head())?;
        let form = match header.version {
            1 => "classic",
            2 => "64bit-offset",
            _ => "64bit-data",
        };
        let mut sheet = FileDescription::new(ID, MEDIA_TYPE, format!("magic bytes CDF, {form} format"));
        sheet.versions = vec![form.to_owned()];
        acdd::fill_metadata(&mut sheet, &header.attributes);
        name_variables(&mut sheet, header.variables.iter().map(|v| (v.name.as_str(), &v.attributes)));
        let mut wants = Vec::new();
        if header.cut {
            wants.extend(more_header(view.file));
            let issue =
                if wants.is_empty() { "the header is damaged" } else { "only part of the header was read" };
            sheet.issues.push(Issue::new("read-partly", issue));
        }
        let (mut lat, mut lon) = (None, None);
        if acdd::stated_bounds(&header.attributes).is_none() {
            let spans = coordinates(view.file, &header);
            (lat, lon) = (spans.latitude, spans.longitude);
            if wants.is_empty()
                && let Some((first, last)) = spans.lacking
            {
                wants.extend(request_missing(view.file, SparseReadError::Bytes(first, last), 0));
            }
        }
        acdd::set_extent(&mut sheet, &header.attributes, lat, lon);
        Some(FileExamination::proven_file(sheet.into_found(view.url), "netcdf").with_requests(wants))
    }
}

/// Adds the names of the measured variables to the keywords.
pub fn name_variables<'a>(
    sheet: &mut FileDescription,
    variables: impl Iterator<Item = (&'a str, &'a acdd::Attributes)>,
) {
    for (name, attributes) in variables {
        if sheet.keywords.len() >= MAX_NAMED {
            return;
        }
        let coordinate = CoordinateAxis::from_variable(name, attributes).is_some()
            || matches!(name, "time" | "crs" | "x" | "y");
        let words = attributes.text_value("long_name").or_else(|| attributes.text_value("standard_name"));
        if !coordinate && let Some(words) = words.filter(|w| w.len() < 100 && !sheet.keywords.contains(w)) {
            sheet.keywords.push(words);
        }
    }
}

/// Returns the request for more of an incomplete header.
fn more_header(file: &SparseFile) -> Option<FileRequest> {
    let at_hand = file.head().len() as u64;
    let step = if at_hand < HEADER_STEP { HEADER_STEP } else { 8 * HEADER_STEP };
    if at_hand >= 8 * HEADER_STEP {
        return None;
    }
    request_missing(file, SparseReadError::Bytes(at_hand, at_hand), step.saturating_sub(at_hand + 1))
}

/// Ranges of the coordinate variables, and the bytes missing to determine them.
#[derive(Default)]
struct CoordinateSpans {
    latitude: Option<CoordinateRange>,
    longitude: Option<CoordinateRange>,
    lacking: Option<(u64, u64)>,
}

fn coordinates(file: &SparseFile, header: &NetcdfHeader) -> CoordinateSpans {
    let mut found = CoordinateSpans::default();
    for variable in &header.variables {
        let Some(axis) = CoordinateAxis::from_variable(&variable.name, &variable.attributes) else {
            continue;
        };
        let slot = match axis {
            CoordinateAxis::Latitude => &mut found.latitude,
            CoordinateAxis::Longitude => &mut found.longitude,
        };
        if slot.is_some() {
            continue;
        }
        match values(file, variable) {
            Ok(values) => {
                let scale = variable.attributes.numeric_value("scale_factor").unwrap_or(1.0);
                let offset = variable.attributes.numeric_value("add_offset").unwrap_or(0.0);
                let fill =
                    ["_FillValue", "missing_value"].iter().find_map(|n| variable.attributes.numeric_value(n));
                let placed: Vec<f64> =
                    values.iter().filter(|v| fill != Some(**v)).map(|v| v * scale + offset).collect();
                *slot = CoordinateRange::from_values(&placed, axis.max_degrees(), None)
                    .or_else(|| axis.stated_range(&variable.attributes));
            }
            Err(lack) => {
                *slot = axis.stated_range(&variable.attributes);
                if slot.is_none()
                    && let SparseReadError::Bytes(first, last) = lack
                {
                    let (from, to) = found.lacking.unwrap_or((first, last));
                    let joined = (from.min(first), to.max(last));
                    // Two variables that are far apart are not fetched in one range.
                    found.lacking =
                        Some(if joined.1 - joined.0 < 2 * MAX_VARIABLE { joined } else { (from, to) });
                }
            }
        }
    }
    found
}

fn values(file: &SparseFile, variable: &NetcdfVariable) -> Result<Vec<f64>, SparseReadError> {
    let width = netcdf3::type_width(variable.kind).ok_or(SparseReadError::Damage)?;
    let length = variable.value_count().and_then(|n| n.checked_mul(width)).ok_or(SparseReadError::Damage)?;
    if length > MAX_VARIABLE {
        return Err(SparseReadError::Damage);
    }
    file.read_range(variable.begin, length).map(|bytes| netcdf3::decode_numbers(variable.kind, bytes))
}
