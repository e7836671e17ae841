//! Properties of a description as a document, independent of what it describes.

use super::xml_walk::{ElementEvent, walk_xml};
use geotrawl_kinds::formats::xml::charset_parameter;
use geotrawl_kinds::sniff::{SniffedType, sniff_type};
use geotrawl_model::Resource;
use url::Url;

/// Properties of a description as a document.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DocumentFacts {
    /// Address that answered.
    pub url: String,
    /// Whether the document is well-formed.
    pub well_formed: bool,
    /// Whether root, namespace and members match the standard.
    pub right_root: bool,
    /// Size of all answers that make up the description.
    pub bytes: u64,
    /// Content type sent by the server.
    pub content_type: Option<String>,
    /// XML, JSON or neither.
    pub form: DescriptionForm,
    /// Version named in the request.
    pub requested_version: Option<String>,
    /// Address advertised for requests.
    pub advertised: Option<String>,
    /// Character set according to header or declaration.
    pub declared_charset: Option<String>,
    /// Whether the bytes match the declared character set; `None` if unknown.
    pub charset_right: Option<bool>,
    /// Whether it links to metadata or has a date of change; `None` for binary documents.
    pub metadata_link: Option<bool>,
    /// Whether the server supports ranges; `None` if no range was requested.
    pub ranges: Option<bool>,
}

/// Text format of a document.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum DescriptionForm {
    Xml,
    Json,
    Html,
    #[default]
    Other,
}

/// Issue codes of resources with a broken description.
const BROKEN: &[&str] = &[
    "xml-not-well-formed",
    "json-broken",
    "json-mended",
    "header-damaged",
    "body-truncated",
    "gzip-broken",
    "catalogue-cut",
    "header-unread",
    "entry-unreadable",
];

impl DocumentFacts {
    /// Extracts the properties from the kept bytes of a description.
    pub fn from_bytes(url: &Url, asked: &Url, content_type: Option<&str>, bytes: &[u8]) -> Self {
        let sniffed = sniff_type(bytes, content_type);
        let form = match &sniffed {
            SniffedType::Xml(_) => DescriptionForm::Xml,
            SniffedType::Json => DescriptionForm::Json,
            SniffedType::Html => DescriptionForm::Html,
            _ => DescriptionForm::Other,
        };
        let header = content_type.and_then(charset_parameter).map(str::to_owned);
        let declared = header.or_else(|| declaration(bytes).filter(|_| form == DescriptionForm::Xml));
        let version = asked.query_pairs().find(|(name, _)| name.eq_ignore_ascii_case("version"));
        let text = form != DescriptionForm::Other;
        Self {
            url: url.to_string(),
            content_type: content_type.map(str::to_owned),
            form,
            requested_version: version.map(|(_, value)| value.into_owned()),
            advertised: if form == DescriptionForm::Xml { advertised(bytes) } else { None },
            charset_right: if text { Some(is_right(declared.as_deref(), bytes)) } else { None },
            declared_charset: declared,
            metadata_link: text.then(|| links_metadata(bytes)),
            ..Self::default()
        }
    }

    /// Adds what parsing the resource revealed about its document.
    pub fn apply_resource(&mut self, resource: &Resource) {
        let has = |codes: &[&str]| resource.issues.iter().any(|issue| codes.contains(&issue.code.as_str()));
        self.well_formed = !has(BROKEN);
        self.right_root = !has(&["namespace-missing", "service-ignored"]);
    }
}

/// Markup that the standards use for links to metadata or for dates of change.
const METADATA_MARKS: &[&str] = &[
    "MetadataURL",
    "MetadataUrl",
    "updateSequence",
    "ows:Metadata",
    "\"describedby\"",
    "\"describedBy\"",
    "\"updated\"",
    "\"modified\"",
    "lastEditDate",
];

/// Returns whether a document links to metadata or has a date of change.
fn links_metadata(bytes: &[u8]) -> bool {
    METADATA_MARKS.iter().any(|mark| memchr::memmem::find(bytes, mark.as_bytes()).is_some())
}

/// Returns the encoding of an XML declaration.
fn declaration(bytes: &[u8]) -> Option<String> {
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(256)]).into_owned();
    let head = head.split_once("?>")?.0;
    let rest = head.split_once("encoding")?.1.trim_start().strip_prefix('=')?.trim_start();
    let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    rest[1..].split(quote).next().map(str::to_owned)
}

/// Returns whether bytes match the declared encoding, or UTF-8 without one. All bytes are valid in
/// other encodings.
fn is_right(declared: Option<&str>, bytes: &[u8]) -> bool {
    let unicode =
        declared.is_none_or(|name| name.eq_ignore_ascii_case("utf-8") || name.eq_ignore_ascii_case("utf8"));
    let wide = matches!(bytes, [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..]);
    // The kept bytes may end inside a character.
    !unicode
        || wide && declared.is_none()
        || std::str::from_utf8(bytes).map_or_else(|error| error.error_len().is_none(), |_| true)
}

/// Returns the first address that capabilities advertise for requests.
fn advertised(bytes: &[u8]) -> Option<String> {
    let mut inside = 0_u32;
    let mut found = None;
    walk_xml(bytes, |met| {
        match met {
            ElementEvent::Begin { name: "Request" | "OperationsMetadata" | "DCPType" | "DCP", .. } => {
                inside += 1;
            }
            ElementEvent::Begin { name: "OnlineResource" | "Get", reader } if inside > 0 => {
                found = reader
                    .attr_by_local_name("href")
                    .or_else(|| reader.attr_by_local_name("onlineResource"))
                    .map(|href| href.trim().to_owned());
            }
            ElementEvent::End { name: "Request" | "OperationsMetadata" | "DCPType" | "DCP" } => {
                inside = inside.saturating_sub(1);
            }
            _ => {}
        }
        found.is_none()
    });
    found.filter(|href| !href.is_empty() && href.len() <= 4096)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_say_how_they_were_made() {
        let at = Url::parse("https://x.org/wms?VERSION=1.3.0").expect("a URL");
        let xml = "<?xml version='1.0' encoding='ISO-8859-1'?><WMS_Capabilities><Service><OnlineResource href='no'/></Service><Capability><Request><GetMap><DCPType><HTTP><Get><OnlineResource xmlns:xlink='x' xlink:href=' http://inner/wms? '/></Get></HTTP></DCPType></GetMap></Request></Capability></WMS_Capabilities>";
        let facts = DocumentFacts::from_bytes(&at, &at, Some("text/xml"), xml.as_bytes());
        assert_eq!(facts.advertised.as_deref(), Some("http://inner/wms?"));
        assert_eq!(facts.declared_charset.as_deref(), Some("ISO-8859-1"));
        assert_eq!(facts.requested_version.as_deref(), Some("1.3.0"));
        assert_eq!((facts.form, facts.charset_right), (DescriptionForm::Xml, Some(true)));
        let latin = DocumentFacts::from_bytes(
            &at,
            &at,
            Some("application/json; charset=utf-8"),
            b"{\"a\": \"\xE4 b\"}",
        );
        assert_eq!((latin.form, latin.charset_right), (DescriptionForm::Json, Some(false)));
    }
}
