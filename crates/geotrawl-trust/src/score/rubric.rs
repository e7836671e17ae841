//! The rubric as data: published, versioned, and exchangeable.

use crate::model::Cap;
use serde::{Deserialize, Serialize};

/// Everything that turns a check into a score.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Rubric {
    /// Version.
    pub rubric: String,
    /// One row for every family of kinds; a kind stands in exactly one.
    pub weights: Vec<Weights>,
    pub caps: Vec<CapRule>,
    /// Bands for people, worst first.
    pub bands: Vec<String>,
    /// Checks below which a score is provisional.
    pub provisional_below: u32,
}

/// What the components weigh for some kinds; they add up to 100.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Weights {
    pub kinds: Vec<String>,
    pub availability: f64,
    pub latency: f64,
    pub capabilities: f64,
    pub operation: f64,
    pub metadata: f64,
    pub standards: f64,
    /// Limit of the class for the scored operation; a tenth of it earns full marks.
    pub seconds: f64,
    /// What the scored operation is.
    pub operation_name: String,
}

/// When a score cannot exceed a value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CapRule {
    /// `down`, `failed`, `operation`, `empty`, `tls`.
    pub id: String,
    pub at: u8,
    pub why: String,
}

impl Rubric {
    /// The row of a kind.
    pub fn row(&self, kind: &str) -> Option<&Weights> {
        self.weights.iter().find(|row| row.kinds.iter().any(|k| k == kind))
    }

    /// A cap by its id, as it is told with a score.
    pub(super) fn cap(&self, id: &str) -> Option<Cap> {
        let rule = self.caps.iter().find(|rule| rule.id == id)?;
        Some(Cap { at: rule.at, why: rule.why.clone() })
    }
}

struct Row {
    kinds: &'static [&'static str],
    weights: [u8; 6],
    seconds: f64,
    operation: &'static str,
}

/// Kinds that are files: the header is the description, and reading it by ranges is the operation.
pub const FILES: &[&str] = &[
    "cog",
    "copc",
    "csv-geo",
    "filegdb",
    "flatgeobuf",
    "geojson",
    "geopackage",
    "geoparquet",
    "geotiff",
    "gml",
    "gpx",
    "grib",
    "hdf5",
    "kml",
    "kmz",
    "las",
    "mbtiles",
    "netcdf",
    "pmtiles",
    "shapefile",
    "topojson",
    "zarr",
];

const ROWS: &[Row] = &[
    Row {
        kinds: &["arcims", "maplibre-style", "ncwms", "ogcapi-maps", "ogcapi-styles", "wms"],
        weights: [20, 15, 10, 30, 15, 10],
        seconds: 5.0,
        operation: "a map of 64 by 64 pixels",
    },
    Row {
        kinds: &[
            "3dtiles",
            "arcgis-sceneserver",
            "arcgis-vectortileserver",
            "i3s",
            "mvt",
            "ogcapi-tiles",
            "tilejson",
            "tms",
            "wms-c",
            "wmts",
            "xyz",
        ],
        weights: [20, 20, 10, 30, 12, 8],
        seconds: 1.0,
        operation: "one tile",
    },
    Row {
        kinds: &["arcgis-featureserver", "ogcapi-features", "wfs"],
        weights: [20, 12, 10, 33, 15, 10],
        seconds: 10.0,
        operation: "one feature",
    },
    Row {
        kinds: &["arcgis-imageserver", "ogcapi-coverages", "ogcapi-edr", "wcps", "wcs"],
        weights: [20, 10, 12, 33, 15, 10],
        seconds: 10.0,
        operation: "a description of a coverage, or a tiny part of one",
    },
    Row {
        kinds: &["arcgis-mapserver"],
        weights: [20, 15, 10, 30, 17, 8],
        seconds: 5.0,
        operation: "an exported map of 64 by 64 pixels",
    },
    Row {
        kinds: &[
            "arcgis-directory",
            "arcgis-portal",
            "ckan",
            "csw",
            "dcat",
            "geonetwork",
            "geonode",
            "inspire-atom",
            "oai-pmh",
            "ogcapi-records",
            "opendatasoft",
            "opensearch",
            "schemaorg-dataset",
            "socrata",
            "stac-api",
            "stac-catalog",
        ],
        weights: [25, 15, 10, 25, 15, 10],
        seconds: 3.0,
        operation: "the number of records, and one record",
    },
    Row {
        kinds: &["erddap", "opendap", "sensorthings", "sos", "thredds"],
        weights: [22, 10, 12, 28, 18, 10],
        seconds: 10.0,
        operation: "a sensor, an observation, or the structure of one dataset",
    },
    Row {
        kinds: &["arcgis-geocodeserver", "arcgis-gpserver", "ogcapi-processes", "wps"],
        weights: [30, 15, 15, 15, 15, 10],
        seconds: 5.0,
        operation: "the description of a process; never its execution",
    },
    Row {
        kinds: FILES,
        weights: [30, 10, 25, 15, 15, 5],
        seconds: 3.0,
        operation: "the header by a range, a stable size, a reference system that is known",
    },
];

const CAPS: &[(&str, u8, &str)] = &[
    ("down", 0, "the last three checks failed"),
    ("empty", 30, "it offers no dataset"),
    ("failed", 40, "the last check failed"),
    ("operation", 50, "it describes itself, but its operation failed on every sampled dataset"),
    ("tls", 70, "its encrypted connection is not trustworthy"),
];

/// Bands, worst first, with the highest value of each.
pub(super) const BANDS: &[(u8, &str)] = &[(25, "0-25"), (50, "26-50"), (75, "51-75"), (100, "76-100")];

/// The rubric in force.
pub fn rubric() -> Rubric {
    let weights = ROWS.iter().map(|row| {
        let [availability, latency, capabilities, operation, metadata, standards] =
            row.weights.map(f64::from);
        Weights {
            kinds: row.kinds.iter().map(|&kind| kind.to_owned()).collect(),
            availability,
            latency,
            capabilities,
            operation,
            metadata,
            standards,
            seconds: row.seconds,
            operation_name: row.operation.to_owned(),
        }
    });
    let caps = CAPS.iter().map(|&(id, at, why)| CapRule { id: id.to_owned(), at, why: why.to_owned() });
    Rubric {
        rubric: super::RUBRIC.to_owned(),
        weights: weights.collect(),
        caps: caps.collect(),
        bands: BANDS.iter().map(|&(_, name)| name.to_owned()).collect(),
        provisional_below: 5,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use geotrawl_kinds::kinds::KINDS;

    #[test]
    fn every_kind_stands_in_exactly_one_row_and_no_row_holds_another() {
        let rubric = rubric();
        let mut entered: Vec<&str> =
            rubric.weights.iter().flat_map(|row| row.kinds.iter().map(String::as_str)).collect();
        entered.sort_unstable();
        let mut known: Vec<&str> = KINDS.iter().map(|kind| kind.doc().id).collect();
        known.sort_unstable();
        assert_eq!(entered, known, "every kind needs one row in score/rubric.rs");
    }

    #[test]
    fn weights_add_up_to_100() {
        for row in rubric().weights {
            let sum = row.availability
                + row.latency
                + row.capabilities
                + row.operation
                + row.metadata
                + row.standards;
            assert!((sum - 100.0).abs() < 1e-9, "{:?}", row.kinds);
            assert!(row.seconds > 0.0);
        }
    }

    #[test]
    fn the_rubric_survives_being_published() {
        let text = serde_json::to_string(&rubric()).unwrap();
        assert_eq!(serde_json::from_str::<Rubric>(&text).unwrap(), rubric());
    }
}
