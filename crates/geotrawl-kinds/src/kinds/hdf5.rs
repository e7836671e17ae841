//! HDF5: groups of arrays with attributes, the container of much Earth observation data.
//!
//! - **Specification**: HDF5 File Format Specification 3.0; HDF-EOS5 on top of it.
//! - **Recognised by**: its eight-byte signature, at the start or after a user block of 512, 1024,
//!   ... bytes.
//! - **Dataset**: the file is one dataset.
//! - **Extent**: global ACDD attributes, values of the latitude and longitude variables, or the
//!   structure of an HDF-EOS5 grid, if they can be read with a few ranges.
//! - **False positives**: NetCDF-4 files are also HDF5 and reported as NetCDF; HDF4 is a different
//!   format.

use super::{CorpusLabel, DescriptionFormat, Kind, KindProfile, MetadataDepth, netcdf};
use crate::files::{
    FileDescription, FileExamination, FileRequest, FileView, SparseReadError, request_missing,
};
use crate::formats::acdd::{self, Attributes, CoordinateAxis, CoordinateRange};
use crate::formats::hdf5::{Hdf5File as File, Hdf5Object, find_superblock};
use geotrawl_model::Issue;

/// The `hdf5` kind.
pub struct Hdf5Kind;

/// Kind id.
pub const ID: &str = "hdf5";
const MEDIA_TYPE: &str = "application/x-hdf5";
/// Files up to this size are fetched with one more request rather than in pieces.
const SMALL: u64 = 192 * 1024;
/// Number of bytes read along with every missing piece.
const AHEAD: u64 = 64 * 1024;
/// Maximum number of bytes fetched per file.
const MAX_FETCHED: u64 = 1024 * 1024;
/// Maximum length of a coordinate variable.
const MAX_VARIABLE: u64 = 64 * 1024;
/// Maximum number of root members examined for signs of NetCDF.
const MAX_MEMBERS: usize = 200;

static PROFILE: KindProfile = KindProfile {
    id: ID,
    name: "HDF5",
    what: "Groups of arrays with attributes, including HDF-EOS5. The file is one dataset.",
    specification: "https://support.hdfgroup.org/documentation/hdf5/latest/_f_m_t4.html",
    evidence: "The eight-byte HDF5 signature, at the start or after a user block; attributes of the root group within a few ranges.",
    false_positives: "NetCDF-4 files are also HDF5 and reported as NetCDF; HDF4 is a different format.",
    description: DescriptionFormat::Types(&[
        "application/x-hdf5",
        "application/x-hdf",
        "application/hdf5",
        "application/octet-stream",
    ]),
    media_types: &["application/x-hdf"],
    extensions: &["h5", "hdf", "hdf5", "he5"],
    metadata: MetadataDepth::Terse,
    corpus_labels: &[CorpusLabel::plain("hdf5")],
    ..KindProfile::FILE
};

impl Kind for Hdf5Kind {
    fn profile(&self) -> &'static KindProfile {
        &PROFILE
    }

    fn examine_file(&self, view: &FileView<'_>) -> Option<FileExamination> {
        find_superblock(view.file.head())?;
        let Some(file) = File::open(view.file) else {
            let mut sheet = FileDescription::new(ID, MEDIA_TYPE, "magic bytes of HDF5");
            sheet.issues.push(Issue::new("header-damaged", "the superblock is invalid"));
            return Some(FileExamination::proven_file(sheet.into_found(view.url), "hdf5"));
        };
        let root = file.root_group().unwrap_or_default();
        let mut wants = wants(view, &file);
        file.clear_missing_ranges();
        let members = members(&file, &root);
        let is_netcdf = is_netcdf(&root, &members);
        let mut sheet = if is_netcdf {
            FileDescription::new(netcdf::ID, netcdf::MEDIA_TYPE, "HDF5 with the attributes of NetCDF-4")
        } else {
            let rule = format!("magic bytes of HDF5, superblock version {}", file.version);
            FileDescription::new(ID, MEDIA_TYPE, rule)
        };
        sheet.versions = is_netcdf.then(|| "netcdf4-hdf5".to_owned()).into_iter().collect();
        acdd::fill_metadata(&mut sheet, &root.attributes);
        netcdf::name_variables(&mut sheet, members.iter().map(|(name, o)| (*name, &o.attributes)));
        file.clear_missing_ranges();
        let (lat, lon) = coordinates(&file, &members);
        acdd::set_extent(&mut sheet, &root.attributes, lat, lon);
        if sheet.bbox.is_none() {
            note_coordinates(&file, &root, &members);
            if let Some(extent) = eos_grid(&file, &root) {
                sheet.issues.retain(|issue| issue.code != "bbox-missing");
                sheet.bbox = crate::files::bbox_from_degrees(extent).0;
            } else if wants.is_empty() {
                wants = self::wants(view, &file);
            }
        }
        let document = if is_netcdf { "netcdf" } else { "hdf5" };
        Some(FileExamination::proven_file(sheet.into_found(view.url), document).with_requests(wants))
    }
}

/// Returns a request for the first missing piece and the bytes after it.
fn wants(view: &FileView<'_>, file: &File<'_>) -> Vec<FileRequest> {
    let lacking = file.missing_ranges();
    let Some(&(first, last)) = lacking.first() else { return Vec::new() };
    if view.file.held_bytes() > MAX_FETCHED {
        return Vec::new();
    }
    if let Some(total) = view.file.total().filter(|total| *total <= SMALL) {
        return request_missing(view.file, SparseReadError::Bytes(0, total.saturating_sub(1)), 0)
            .into_iter()
            .collect();
    }
    request_missing(view.file, SparseReadError::Bytes(first, last), AHEAD - 1).into_iter().collect()
}

/// Returns the members of the root whose headers are available.
fn members<'a>(file: &File<'_>, root: &'a Hdf5Object) -> Vec<(&'a str, Hdf5Object)> {
    let links = root.links.iter().take(MAX_MEMBERS);
    links.filter_map(|(name, at)| Some((name.as_str(), file.read_object(*at)?))).collect()
}

/// Marks the headers of the latitude and longitude variables as missing if they are not available.
fn note_coordinates(file: &File<'_>, root: &Hdf5Object, members: &[(&str, Hdf5Object)]) {
    for (name, at) in root.links.iter().take(MAX_MEMBERS) {
        let here = members.iter().any(|(member, _)| member == name);
        if !here && CoordinateAxis::from_variable(name, &Attributes::default()).is_some() {
            // Missing bytes are recorded by the file.
            let _ = file.read_object(*at);
        }
    }
}

/// Returns whether the file was written by the NetCDF library, which signs the root and adds
/// attributes to dimensions.
fn is_netcdf(root: &Hdf5Object, members: &[(&str, Hdf5Object)]) -> bool {
    let marked = |attributes: &Attributes| {
        ["_NCProperties", "_Netcdf4Dimid", "_Netcdf4Coordinates", "_nc3_strict"]
            .iter()
            .any(|name| attributes.has_attribute(name))
    };
    let word = |attributes: &Attributes, name: &str| attributes.text_value(name).unwrap_or_default();
    // Before 2016 the library did not sign: look for dimensions without values, or for scales in
    // files that declare the CF conventions.
    let by_convention = word(&root.attributes, "Conventions").starts_with("CF");
    let dimension = |attributes: &Attributes| {
        word(attributes, "CLASS") == "DIMENSION_SCALE"
            && (by_convention || word(attributes, "NAME").starts_with("This is a netCDF dimension"))
    };
    marked(&root.attributes)
        || members.iter().any(|(_, member)| marked(&member.attributes) || dimension(&member.attributes))
}

fn coordinates(
    file: &File<'_>,
    members: &[(&str, Hdf5Object)],
) -> (Option<CoordinateRange>, Option<CoordinateRange>) {
    let (mut latitude, mut longitude) = (None, None);
    for (name, object) in members {
        let Some(axis) = CoordinateAxis::from_variable(name, &object.attributes) else { continue };
        let slot = match axis {
            CoordinateAxis::Latitude => &mut latitude,
            CoordinateAxis::Longitude => &mut longitude,
        };
        if slot.is_some() {
            continue;
        }
        let fill = ["_FillValue", "missing_value"].iter().find_map(|n| object.attributes.numeric_value(n));
        let by_values = object.array.as_ref().and_then(|array| {
            let values = array.decode_numbers(file.array_bytes(array, MAX_VARIABLE)?);
            CoordinateRange::from_values(&values, axis.max_degrees(), fill)
        });
        *slot = by_values.or_else(|| axis.stated_range(&object.attributes));
    }
    (latitude, longitude)
}

/// Returns the extent of the first grid in degrees described in the structure of an HDF-EOS5 file.
fn eos_grid(file: &File<'_>, root: &Hdf5Object) -> Option<[f64; 4]> {
    let information = file.read_object(File::member_address(root, "HDFEOS INFORMATION")?)?;
    let structure = file.read_object(File::member_address(&information, "StructMetadata.0")?)?;
    let text = String::from_utf8_lossy(file.array_bytes(structure.array.as_ref()?, 2 * MAX_VARIABLE)?);
    if !text.contains("HE5_GCTP_GEO") {
        return None;
    }
    let corner = |name: &str| {
        let (_, rest) = text.split_once(name)?;
        let (inside, _) = rest.split_once('(')?.1.split_once(')')?;
        let (x, y) = inside.split_once(',')?;
        Some((packed_degrees(x.trim().parse().ok()?), packed_degrees(y.trim().parse().ok()?)))
    };
    let (west, north) = corner("UpperLeftPointMtrs=")?;
    let (east, south) = corner("LowerRightMtrs=")?;
    Some([west, south, east, north])
}

/// Decodes `DDDMMMSSS.SS`, the projection library's notation of angles.
fn packed_degrees(packed: f64) -> f64 {
    let size = packed.abs();
    let degrees = (size / 1e6).floor();
    let minutes = ((size - degrees * 1e6) / 1e3).floor();
    let seconds = size - degrees * 1e6 - minutes * 1e3;
    (degrees + minutes / 60.0 + seconds / 3600.0).copysign(packed)
}
