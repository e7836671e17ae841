//! CSV with coordinates: a text table whose rows have a location.
//!
//! - **Specification**: RFC 4180 for the table; none for the location.
//! - **Recognised by**: a header and rows of equal length, and columns whose names *and* values in
//!   the first 50 rows are those of coordinates: a pair of latitude and longitude, a column of WKT,
//!   WKB or GeoJSON, a column of `latitude, longitude`, or eastings and northings.
//! - **Dataset**: the file is one dataset.
//! - **Extent**: that of the rows read.
//! - **False positives**: all other tables; columns called `x` and `y` are coordinates only if
//!   their values are degrees with decimals.

mod geometry;
mod names;

use super::{ClaimCertainty, DescriptionFormat, Kind, KindProfile};
use crate::files::{
    BEGINNING, FileDescription, FileExamination, FileRequest, TextFile, TextStart, bbox_from_degrees,
};
use crate::formats::crs::{self, CrsRef};
use crate::formats::csv_table::{CsvTable, MAX_ROWS};
use crate::probe::Found;
use crate::sniff::SniffedType;
use geometry::ParsedGeometry;
use geotrawl_model::Issue;
use names::ColumnRole;
use url::Url;

/// The `csv-geo` kind.
pub struct CsvGeoKind;

/// Kind id.
const ID: &str = "csv-geo";
const MEDIA_TYPE: &str = "text/csv";
/// Share of the rows that must have a location.
const ENOUGH: f64 = 0.95;

static PROFILE: KindProfile = KindProfile {
    id: ID,
    name: "CSV with coordinates",
    what: "A text table whose rows have a location. The file is one dataset.",
    specification: "https://www.rfc-editor.org/rfc/rfc4180",
    evidence: "A header and rows of equal length, with columns whose names and values in the first 50 rows are coordinates or geometries.",
    false_positives: "All other tables; columns called x and y count only if their values are degrees with decimals.",
    description: DescriptionFormat::Types(&["text/csv", "application/csv", "text/tab-separated-values"]),
    extensions: &["csv", "tsv"],
    terria_type: Some("csv"),
    ..KindProfile::TEXT_FILE
};

impl Kind for CsvGeoKind {
    fn profile(&self) -> &'static KindProfile {
        &PROFILE
    }

    fn first_range_len(&self) -> u64 {
        // The rows are the evidence, so more of the file is needed.
        BEGINNING
    }

    fn claim_text_file(&self, start: &TextStart<'_>) -> Option<ClaimCertainty> {
        (*start.sniffed == SniffedType::Text).then_some(ClaimCertainty::Perhaps)
    }

    fn read_text_file(&self, file: TextFile<'_>) -> Option<FileExamination> {
        let mut text = Vec::new();
        // After a read error, the bytes received so far are still used.
        let _ = file.stream.read_to_end(&mut text);
        let table = CsvTable::parse(&text, file.whole)?;
        let place = place(&table)?;
        // The rows are long: fewer than the maximum have been read.
        let wants =
            if table.rows.len() < MAX_ROWS { vec![FileRequest::Span(0, BEGINNING - 1)] } else { Vec::new() };
        Some(
            FileExamination::proven_file(found(file.url, &table, place, file.whole), ID).with_requests(wants),
        )
    }
}

/// Location of the rows of a table.
#[derive(Debug, Clone, PartialEq)]
struct RowLocation {
    /// Names of the columns, for messages.
    pub columns: String,
    /// `[min x, min y, max x, max y]` of the rows read.
    pub extent: Option<[f64; 4]>,
    /// Coordinate system, if the values or the columns indicate one; `None` for numbers that are
    /// not degrees.
    pub crs: Option<CrsRef>,
    /// The columns of latitude and longitude are swapped.
    pub swapped: bool,
}

/// Locates the rows of a table. Returns `None` if they have no clear location.
fn place(table: &CsvTable) -> Option<RowLocation> {
    let roles: Vec<Option<ColumnRole>> = table.header.iter().map(|name| names::column_role(name)).collect();
    by_pair(table, &roles).or_else(|| by_column(table, &roles))
}

/// Locates the rows by two columns of numbers.
fn by_pair(table: &CsvTable, roles: &[Option<ColumnRole>]) -> Option<RowLocation> {
    let pairs = [
        (ColumnRole::Longitude, ColumnRole::Latitude),
        (ColumnRole::Easting, ColumnRole::Northing),
        (ColumnRole::X, ColumnRole::Y),
    ];
    pairs.into_iter().find_map(|(first, second)| {
        let (x, y) = names::find_pair(&table.header, roles, first, second)?;
        let points = points(table, x, y)?;
        let columns = format!("{} and {}", table.header.get(x)?, table.header.get(y)?);
        let extent = extent(&points)?;
        let [west, south, east, north] = extent;
        let in_degrees = west >= -180.0 && east <= 180.0 && south >= -90.0 && north <= 90.0;
        let turned = south >= -180.0 && north <= 180.0 && west >= -90.0 && east <= 90.0;
        let geographic = |extent, swapped| {
            Some(RowLocation {
                columns: columns.clone(),
                extent: Some(extent),
                crs: Some(CrsRef::Crs84),
                swapped,
            })
        };
        let projected = || {
            Some(RowLocation { columns: columns.clone(), extent: Some(extent), crs: None, swapped: false })
        };
        match first {
            // All zero, or the same point in all rows: placeholders.
            _ if extent.iter().all(|v| v.abs() < f64::EPSILON) => None,
            ColumnRole::Longitude if in_degrees => geographic(extent, false),
            ColumnRole::Longitude if turned => geographic([south, west, north, east], true),
            ColumnRole::Longitude | ColumnRole::Easting if large(extent) => projected(),
            ColumnRole::X
                if in_degrees
                    && has_decimals(table, x)
                    && has_decimals(table, y)
                    && table.header.len() > 2 =>
            {
                geographic(extent, false)
            }
            _ => None,
        }
    })
}

/// Returns the points in two columns, if nearly all rows that have either number have both.
fn points(table: &CsvTable, x: usize, y: usize) -> Option<Vec<(f64, f64)>> {
    let mut rows = 0_usize;
    let mut points = Vec::new();
    for row in &table.rows {
        let (a, b) = (row.get(x)?, row.get(y)?);
        // Empty cells are common, and so is a row of units below the header.
        if a.is_empty() && b.is_empty() || a.starts_with("degrees_") {
            continue;
        }
        rows += 1;
        if let (Some(a), Some(b)) = (table.parse_number(a), table.parse_number(b)) {
            points.push((a, b));
        }
    }
    let enough = points.len() as f64 >= ENOUGH * rows as f64 && points.len() * 2 >= table.rows.len().min(50);
    (!points.is_empty() && enough).then_some(points)
}

fn extent(points: &[(f64, f64)]) -> Option<[f64; 4]> {
    let (x, y) = *points.first()?;
    let join = |[w, s, e, n]: [f64; 4], (x, y): &(f64, f64)| [w.min(*x), s.min(*y), e.max(*x), n.max(*y)];
    Some(points.iter().fold([x, y, x, y], join))
}

/// Returns whether coordinates are metres or feet of a projection rather than counts.
fn large([west, south, east, north]: [f64; 4]) -> bool {
    let far = |a: f64, b: f64| a.abs().max(b.abs()) > 1000.0;
    far(west, east) && far(south, north) && [west, south, east, north].iter().all(|v| v.abs() < 3e7)
}

/// Returns whether values have three or more decimals, like coordinates; plotted values rarely do.
fn has_decimals(table: &CsvTable, at: usize) -> bool {
    let decimals = |text: &str| text.rsplit_once(['.', ',']).is_some_and(|(_, d)| d.len() >= 3);
    let (with, all) = table
        .column_values(at)
        .fold((0, 0), |(with, all), text| (with + usize::from(decimals(text)), all + 1));
    with * 10 >= all * 8
}

/// Locates the rows by one column of geometries or pairs.
fn by_column(table: &CsvTable, roles: &[Option<ColumnRole>]) -> Option<RowLocation> {
    for (at, role) in roles.iter().enumerate() {
        let read = match role {
            Some(ColumnRole::Geometry) => geometry::read_geometry,
            Some(ColumnRole::Pair) => geometry::read_pair,
            _ => continue,
        };
        let mut values = 0_usize;
        let mut shapes = Vec::new();
        for text in table.column_values(at).filter(|text| !text.is_empty()) {
            values += 1;
            shapes.extend(read(text));
        }
        if shapes.is_empty() || (shapes.len() as f64) < ENOUGH * values as f64 {
            continue;
        }
        let points: Vec<(f64, f64)> = shapes.iter().flat_map(ParsedGeometry::corners).collect();
        let extent = extent(&points);
        let srid =
            shapes.iter().find_map(|s| s.srid).and_then(|s| CrsRef::from_authority("EPSG", &s.to_string()));
        let in_degrees =
            extent.is_none_or(|[w, s, e, n]| w >= -180.0 && e <= 180.0 && s >= -90.0 && n <= 90.0);
        let crs = srid.or(in_degrees.then_some(CrsRef::Crs84));
        return Some(RowLocation { columns: table.header.get(at)?.clone(), extent, crs, swapped: false });
    }
    None
}

/// Builds the resource of a table; `whole` says whether all rows were read.
fn found(url: &Url, table: &CsvTable, place: RowLocation, whole: bool) -> Found {
    let columns: String = place.columns.chars().take(200).collect();
    let mut sheet = FileDescription::new(ID, MEDIA_TYPE, format!("table with coordinates in {columns}"));
    match (&place.crs, place.extent) {
        (Some(reference), Some(extent)) => {
            sheet.crs.extend(reference.label().map(Into::into));
            let (bbox, issue) = match reference {
                CrsRef::Crs84 => bbox_from_degrees(extent),
                other => match crs::to_wgs84(other, extent) {
                    Ok(bbox) => (Some(bbox), None),
                    Err(issue) => (None, Some(issue)),
                },
            };
            sheet.bbox = bbox;
            sheet.issues.extend(issue);
            if bbox.is_some() && !(whole && table.short) {
                let message = format!("the extent covers only the first {} rows", table.rows.len());
                sheet.issues.push(Issue::new("bbox-sampled", message));
            }
        }
        (Some(reference), None) => sheet.crs.extend(reference.label().map(Into::into)),
        (None, _) => {
            let message = "the coordinates are not degrees, and no column names their coordinate system";
            sheet.issues.push(Issue::new("crs-unknown", message));
        }
    }
    if place.swapped {
        let message = "the columns of latitude and longitude are swapped";
        sheet.issues.push(Issue::new("bbox-swapped", message));
    }
    sheet.into_found(url)
}
