//! Metadata records of catalogues, read as a stream into [`CatalogueRecord`].
//!
//! Only one record is in memory at a time, whatever the length of the list. Readers use local
//! names, because prefixes are arbitrary, namespaces have minor versions (19115-3) or are missing,
//! and no record mixes two formats. All lists and texts are bounded.

mod builder;
mod dif;
mod dublin_core;
mod extent;
mod fgdc;
mod iso;
mod iso_names;
mod period;
mod walk;

use super::xml::XmlReader;
use geotrawl_model::{CatalogueRecord, Issue};

pub use builder::CatalogueRecordBuilder;
pub use extent::{latitude_first, wgs84_box};

/// Format of a metadata record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecordFormat {
    /// Dublin Core: `csw:Record`, `csw:SummaryRecord`, `csw:BriefRecord`, `oai_dc:dc`, `rdf:Description`.
    DublinCore,
    /// ISO 19115, encoded as 19139 (`gmd:MD_Metadata`, `gmi:MI_Metadata`).
    Iso19139,
    /// ISO 19115-3 (`mdb:MD_Metadata`, all minor versions).
    Iso19115,
    /// Directory Interchange Format 9 and 10.
    Dif,
    /// FGDC Content Standard for Digital Geospatial Metadata.
    Fgdc,
}

impl RecordFormat {
    /// Detects the format by the local name and namespace of the record's root element.
    pub fn from_element(local: &[u8], namespace: Option<&str>) -> Option<Self> {
        let ns = namespace.unwrap_or_default();
        match local {
            b"Record" | b"SummaryRecord" | b"BriefRecord" if ns.is_empty() || ns.contains("/cat/csw") => {
                Some(Self::DublinCore)
            }
            b"dc" if ns.is_empty() || ns.contains("oai_dc") => Some(Self::DublinCore),
            b"Description" if ns.contains("22-rdf-syntax-ns") => Some(Self::DublinCore),
            b"MD_Metadata" | b"MI_Metadata" => {
                Some(if ns.contains("19115/-3") { Self::Iso19115 } else { Self::Iso19139 })
            }
            b"DIF" => Some(Self::Dif),
            b"metadata" if ns.is_empty() || ns.contains("fgdc") => Some(Self::Fgdc),
            _ => None,
        }
    }

    /// Returns the name of a document that contains one such record.
    pub fn document_kind(self) -> &'static str {
        match self {
            Self::DublinCore => "csw-dublin-core-record",
            Self::Iso19139 => "iso19139-record",
            Self::Iso19115 => "iso19115-3-record",
            Self::Dif => "dif-record",
            Self::Fgdc => "fgdc-csdgm-record",
        }
    }
}

/// Record with the issues found while reading it.
#[derive(Debug, Default)]
pub struct ParsedRecord {
    pub record: CatalogueRecord,
    /// Issues, one per code.
    pub issues: Vec<Issue>,
    /// Whether the record ended before the document did.
    pub complete: bool,
}

/// Reads the record whose element has just started, up to its end.
pub fn read_record(reader: &mut XmlReader<'_>, format: RecordFormat) -> ParsedRecord {
    match format {
        RecordFormat::DublinCore => dublin_core::read_dublin_core(reader),
        RecordFormat::Iso19139 | RecordFormat::Iso19115 => iso::read_iso(reader),
        RecordFormat::Dif => dif::read_dif(reader),
        RecordFormat::Fgdc => fgdc::read_fgdc(reader),
    }
}

/// Derives an identifier from the content of a record that has none, so that it is recognised next
/// time.
pub fn ensure_id(record: &mut CatalogueRecord) {
    if !record.id.is_empty() {
        return;
    }
    // FNV-1a, because the identifier must not depend on the version of the standard library's
    // hasher.
    let mut hash = 0xcbf2_9ce4_8422_2325u64;
    let links = record.links.iter().map(|link| Some(link.url.as_str()));
    for text in [record.title.as_deref(), record.abstract_.as_deref()].into_iter().chain(links).flatten() {
        for byte in text.bytes().chain([0]) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    record.id = format!("without-id-{hash:016x}");
}

#[cfg(test)]
mod tests;
