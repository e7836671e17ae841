//! GRIB: weather and ocean fields on grids, as a sequence of messages.
//!
//! - **Specification**: WMO Manual on Codes, FM 92 GRIB, editions 1 and 2.
//! - **Recognised by**: `GRIB` at the start or after a bulletin header, edition 1 or 2, and a first
//!   section of plausible length.
//! - **Dataset**: the file is one dataset; its messages are not counted, since that requires the
//!   whole file.
//! - **Extent**: that of the first message's grid.
//! - **False positives**: text that mentions GRIB.

use super::{CorpusLabel, DescriptionFormat, Kind, KindProfile};
use crate::files::{FileDescription, FileExamination, FileView};
use crate::formats::grib;
use geotrawl_model::Issue;

/// The `grib` kind.
pub struct GribKind;

/// Kind id.
pub const ID: &str = "grib";
const MEDIA_TYPE: &str = "application/wmo-grib";

static PROFILE: KindProfile = KindProfile {
    id: ID,
    name: "GRIB",
    what: "Weather and ocean fields on grids, as a sequence of messages. The file is one dataset.",
    specification: "https://community.wmo.int/en/activity-areas/wis/latest-version",
    evidence: "The bytes GRIB at the start or after a bulletin header, edition 1 or 2; extent from the first message's grid.",
    false_positives: "Text that mentions GRIB.",
    description: DescriptionFormat::Types(&[
        "application/wmo-grib",
        "application/x-grib",
        "application/x-grib2",
        "application/octet-stream",
    ]),
    extensions: &["grb", "grb2", "grib", "grib2"],
    corpus_labels: &[CorpusLabel::versioned("grib")],
    ..KindProfile::FILE
};

impl Kind for GribKind {
    fn profile(&self) -> &'static KindProfile {
        &PROFILE
    }

    fn examine_file(&self, view: &FileView<'_>) -> Option<FileExamination> {
        let message = grib::read_message(view.file.head())?;
        let mut sheet = FileDescription::new(
            ID,
            MEDIA_TYPE,
            format!("GRIB edition {}, grid: {}", message.edition, message.grid),
        );
        sheet.versions = vec![message.edition.to_string()];
        sheet.provider = centre(message.centre).map(str::to_owned);
        sheet.time = message.time.into_iter().collect();
        sheet.bbox = message.bbox;
        if sheet.bbox.is_none() {
            let why = format!("the extent of the grid ({}) cannot be determined", message.grid);
            sheet.issues.push(Issue::new("bbox-missing", why));
        }
        Some(FileExamination::proven_file(sheet.into_found(view.url), "grib"))
    }
}

/// Returns the name of an originating centre; lists those that publish most of the files on the web
/// (common code table C-11).
fn centre(number: u16) -> Option<&'static str> {
    match number {
        7..=9 => Some("US National Weather Service"),
        34 | 35 => Some("Japan Meteorological Agency"),
        38 | 39 => Some("China Meteorological Administration"),
        40 | 41 => Some("Korea Meteorological Administration"),
        54 => Some("Canadian Meteorological Centre"),
        74 | 75 => Some("UK Met Office"),
        78 | 79 => Some("Deutscher Wetterdienst"),
        80 | 81 => Some("Servizio Meteorologico (Italy)"),
        82 => Some("SMHI"),
        84 | 85 => Some("Météo-France"),
        86 => Some("Finnish Meteorological Institute"),
        88 => Some("MET Norway"),
        94 => Some("Danish Meteorological Institute"),
        98 => Some("ECMWF"),
        161 => Some("US NOAA Office of Oceanic and Atmospheric Research"),
        _ => None,
    }
}
