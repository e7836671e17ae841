//! GeoParquet: a columnar table with a geometry column.
//!
//! - **Specification**: OGC GeoParquet 1.1; Parquet's own types GEOMETRY and GEOGRAPHY (2025).
//! - **Recognised by**: `PAR1` at both ends and, in the footer, the key `geo` with its JSON or a
//!   column of one of the two types.
//! - **Dataset**: the file is one dataset.
//! - **Extent**: the `bbox` of the primary column, or the statistics of its row groups.
//! - **False positives**: all other Parquet files, even those with columns called latitude and
//!   longitude.

use super::{CorpusLabel, DescriptionFormat, Kind, KindProfile};
use crate::files::{
    FileDescription, FileExamination, FileRequest, FileView, SparseReadError, bbox_from_degrees,
    locate_extent,
};
use crate::formats::crs::CrsRef;
use crate::formats::parquet::{GeometryColumn, MAX_FOOTER, ParquetFooter, read_footer};
use geotrawl_model::{Issue, SharedText};
use serde_json::Value;

/// The `geoparquet` kind.
pub struct GeoParquetKind;

/// Kind id.
pub const ID: &str = "geoparquet";
const MEDIA_TYPE: &str = "application/vnd.apache.parquet";
/// Length of the first request, from the end of the file.
const TAIL: u64 = 64 * 1024;

static PROFILE: KindProfile = KindProfile {
    id: ID,
    name: "GeoParquet",
    what: "A columnar table (Apache Parquet) with a geometry column. The file is one dataset.",
    specification: "https://geoparquet.org/releases/v1.1.0/",
    evidence: "PAR1 at both ends and, in the footer, the key geo or a column of the type GEOMETRY or GEOGRAPHY.",
    false_positives: "All other Parquet files, even those with columns called latitude and longitude.",
    description: DescriptionFormat::Types(&[
        "application/vnd.apache.parquet",
        "application/x-parquet",
        "application/octet-stream",
    ]),
    extensions: &["geoparquet", "parquet"],
    corpus_labels: &[CorpusLabel::plain("geoparquet")],
    ..KindProfile::FILE
};

impl Kind for GeoParquetKind {
    fn profile(&self) -> &'static KindProfile {
        &PROFILE
    }

    fn examine_file(&self, view: &FileView<'_>) -> Option<FileExamination> {
        let head = view.file.head();
        // Files with an encrypted footer start with `PARE` instead of `PAR1`.
        if head.starts_with(b"PARE") {
            return Some(encrypted());
        }
        if !head.starts_with(b"PAR1") {
            return None;
        }
        let plain = FileExamination::known_document("parquet");
        let Some(total) = view.file.total() else {
            return Some(plain.with_requests(vec![FileRequest::Tail(TAIL)]));
        };
        let Some(end_at) = total.checked_sub(8) else { return Some(plain) };
        let tail = |lack| crate::files::request_missing(view.file, lack, 0).into_iter().collect();
        // The last eight bytes are the length of the footer and the magic bytes.
        let end = match view.file.read_range(end_at, 8) {
            Ok(end) => end,
            Err(SparseReadError::Bytes(_, last)) => {
                return Some(
                    plain.with_requests(tail(SparseReadError::Bytes(total.saturating_sub(TAIL), last))),
                );
            }
            Err(SparseReadError::Damage) => return Some(plain),
        };
        let length = u64::from(u32::from_le_bytes([end[0], end[1], end[2], end[3]]));
        match &end[4..] {
            b"PAR1" => {}
            b"PARE" => return Some(encrypted()),
            _ => return Some(plain),
        }
        let Some(footer_at) = end_at.checked_sub(length).filter(|at| *at >= 4) else { return Some(plain) };
        if length > MAX_FOOTER {
            let mut plain = plain;
            plain.add_issue(Issue::new("read-partly", "the footer is too long to be read"));
            return Some(plain);
        }
        let footer = match view.file.read_range(footer_at, length) {
            Ok(bytes) => read_footer(bytes),
            Err(lack) => return Some(plain.with_requests(tail(lack))),
        };
        let Some(footer) = footer else { return Some(plain) };
        Some(describe(view, &footer).unwrap_or(plain))
    }
}

fn encrypted() -> FileExamination {
    let mut examined = FileExamination::known_document("parquet");
    examined.add_issue(Issue::new("footer-encrypted", "the footer of the Parquet file is encrypted"));
    examined
}

fn describe(view: &FileView<'_>, footer: &ParquetFooter) -> Option<FileExamination> {
    let geo: Option<Value> = footer.geo.as_deref().and_then(|text| serde_json::from_str(text).ok());
    let mut sheet = match (&geo, footer.columns.first()) {
        (Some(geo), _) => by_key(geo)?,
        (None, Some(column)) => by_type(column, &footer.systems),
        (None, None) => return None,
    };
    sheet.software.clone_from(&footer.created_by);
    Some(FileExamination::proven_file(sheet.into_found(view.url), "geoparquet"))
}

/// Builds the description from the JSON under the key `geo`.
fn by_key(geo: &Value) -> Option<FileDescription> {
    let columns = geo.get("columns")?.as_object()?;
    let primary = geo.get("primary_column").and_then(Value::as_str);
    let column = primary.and_then(|name| columns.get(name)).or_else(|| columns.values().next())?;
    let version = geo.get("version").or_else(|| geo.get("schema_version")).and_then(Value::as_str);
    let rule = format!("PAR1 at both ends, key geo, primary column {}", primary.unwrap_or("not named"));
    let mut sheet = FileDescription::new(ID, MEDIA_TYPE, rule.chars().take(200).collect::<String>());
    sheet.versions = version.map(|v| v.chars().take(32).collect()).into_iter().collect();
    let reference = match column.get("crs") {
        None => Some(CrsRef::Crs84),
        Some(crs) => crs_of(crs),
    };
    let numbers: Vec<f64> = column
        .get("bbox")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_f64)
        .collect();
    let extent = match numbers[..] {
        [w, s, e, n] => Some([w, s, e, n]),
        [w, s, _, e, n, _] => Some([w, s, e, n]),
        _ => None,
    };
    locate(&mut sheet, reference.as_ref(), extent);
    if reference.is_none() && column.get("crs").is_some_and(|crs| !crs.is_null()) {
        let name = column.pointer("/crs/name").and_then(Value::as_str).unwrap_or("a system without a name");
        sheet.issues.push(Issue::new(
            "crs-unknown",
            format!("{} has no code", name.chars().take(100).collect::<String>()),
        ));
    }
    Some(sheet)
}

/// Builds the description from the type of a column.
fn by_type(column: &GeometryColumn, systems: &[(String, String)]) -> FileDescription {
    let name = if column.geography { "GEOGRAPHY" } else { "GEOMETRY" };
    let mut sheet =
        FileDescription::new(ID, MEDIA_TYPE, format!("PAR1 at both ends, a column of the type {name}"));
    let described = column.crs_key().and_then(|key| systems.iter().find(|(k, _)| k == key));
    let text = described.map(|(_, text)| text.as_str()).or(column.crs.as_deref()).unwrap_or_default().trim();
    let reference = match serde_json::from_str(text) {
        _ if text.is_empty() => Some(CrsRef::Crs84),
        Ok(Value::Object(json)) => crs_of(&Value::Object(json)),
        _ => match text.strip_prefix("srid:") {
            Some(code) => CrsRef::from_authority("EPSG", code),
            None => CrsRef::from_text(text),
        },
    };
    locate(&mut sheet, reference.as_ref(), column.extent);
    sheet
}

fn locate(sheet: &mut FileDescription, reference: Option<&CrsRef>, extent: Option<[f64; 4]>) {
    sheet.crs.extend(reference.and_then(CrsRef::label).map(SharedText::from));
    let Some(extent) = extent else { return };
    // Only a box in degrees may cross the antimeridian.
    let (bbox, issue) = match reference {
        Some(reference) if extent[0] > extent[2] && reference.is_geographic() => bbox_from_degrees(extent),
        other => locate_extent(other, extent),
    };
    sheet.bbox = bbox;
    sheet.issues.extend(issue);
}

/// Parses a coordinate system in PROJJSON, or in the text form of drafts of the specification.
fn crs_of(crs: &Value) -> Option<CrsRef> {
    if let Some(text) = crs.as_str() {
        let crs84 = text.replace(' ', "").contains("ID[\"OGC\",\"CRS84\"]");
        return if crs84 { Some(CrsRef::Crs84) } else { CrsRef::from_text(text) };
    }
    let id = crs
        .get("id")
        .or_else(|| crs.pointer("/source_crs/id"))
        .or_else(|| crs.pointer("/components/0/id"))?;
    let authority = id.get("authority")?.as_str()?;
    let code = match id.get("code")? {
        Value::String(code) => code.clone(),
        other => other.to_string(),
    };
    CrsRef::from_authority(authority, &code)
}
