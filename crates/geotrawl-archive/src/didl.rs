//! Archive objects as MPEG-21 Digital Item Declarations, laid out like figure 2 of the ASDC paper.
//!
//! Each collection is a container, identified by its acronym and creation time. It holds one item
//! per URL, identified by acronym and URL; each of these holds an item with the metadata
//! (`METADATA`) and one with the data (`DATA`), each with identifier and time. The data is one
//! component with two identical resources: by reference, and by value in base 64. The list of
//! weighted results, which the paper stores as a metadata set, is a descriptor of the container.
//!
//! Identifiers are URIs (`anyURI`): `ACRONYM:URL`, `ACRONYM:URL#METADATA`, `ACRONYM:URL#DATA`. They
//! are unique because archived URLs have no fragment. Objects are written as a stream, because one
//! may be larger than memory.

mod read;

pub use read::{DidlError, DidlItem, DidlObject, read_object};

use crate::metadata::Metadata;
use data_encoding::BASE64;
use geotrawl_text::escape::escape_html;
use jiff::Timestamp;
use std::io::{self, Read, Write};

/// Namespace of the declaration.
pub const DIDL: &str = "urn:mpeg:mpeg21:2002:02-DIDL-NS";
/// Namespace of identifiers.
pub const DII: &str = "urn:mpeg:mpeg21:2002:01-DII-NS";
/// Namespace of timestamps.
pub const DCTERMS: &str = "http://purl.org/dc/terms/";
/// Namespace of our metadata.
pub const METADATA: &str = "https://geotrawl.example/ns/archive/1";
/// Bytes encoded at a time. A multiple of three, so that only the last chunk is padded.
const STEP: usize = 48 << 10;

/// Header of an object.
#[derive(Debug, Clone)]
pub struct ObjectHead<'a> {
    pub acronym: &'a str,
    /// Time of the run that created the object; the identifier is `ACRONYM:timestamp`.
    pub run: Timestamp,
    pub title: &'a str,
    /// The weighted results, as JSON.
    pub results: Option<&'a str>,
}

/// Header of an item.
#[derive(Debug, Clone)]
pub struct ItemHead<'a> {
    pub url: &'a str,
    pub created: Timestamp,
    /// Time of the last modification, if any.
    pub modified: Option<Timestamp>,
    pub media_type: &'a str,
    /// URL of the same bytes.
    pub reference: &'a str,
    pub metadata: &'a Metadata,
}

/// Formats a timestamp for identifiers: whole seconds if possible, otherwise with microseconds.
pub fn format_timestamp(at: Timestamp) -> String {
    if at.subsec_nanosecond() == 0 {
        at.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
    } else {
        at.strftime("%Y-%m-%dT%H:%M:%S.%6fZ").to_string()
    }
}

/// Returns the identifier of an object.
pub fn object_identifier(acronym: &str, run: Timestamp) -> String {
    format!("{acronym}:{}", format_timestamp(run))
}

/// Writes an object, item by item.
pub struct DidlWriter<W: Write> {
    out: W,
    acronym: String,
}

impl<W: Write> DidlWriter<W> {
    /// Begins an object. Writes no XML declaration, so that the object can be embedded in another
    /// document.
    pub fn begin(mut out: W, head: &ObjectHead<'_>) -> io::Result<Self> {
        write!(
            out,
            "<didl:DIDL xmlns:didl=\"{DIDL}\" xmlns:dii=\"{DII}\" xmlns:dcterms=\"{DCTERMS}\" DIDLDocumentId=\"{}\">\
             <didl:Container>",
            escape_xml(&object_identifier(head.acronym, head.run))
        )?;
        write_descriptors(&mut out, head.acronym, head.run, None)?;
        write!(
            out,
            "<didl:Descriptor><didl:Statement mimeType=\"text/plain\">{}</didl:Statement></didl:Descriptor>",
            escape_xml(head.title)
        )?;
        if let Some(results) = head.results {
            write!(
                out,
                "<didl:Descriptor><didl:Statement mimeType=\"application/json\">{}</didl:Statement></didl:Descriptor>",
                escape_xml(results)
            )?;
        }
        Ok(Self { out, acronym: head.acronym.to_owned() })
    }

    /// Writes an item with its data.
    pub fn write_item(&mut self, item: &ItemHead<'_>, mut data: impl Read) -> io::Result<()> {
        let id = format!("{}:{}", self.acronym, item.url);
        let out = &mut self.out;
        out.write_all(b"<didl:Item>")?;
        write_descriptors(out, &id, item.created, item.modified)?;

        out.write_all(b"<didl:Item>")?;
        write_descriptors(out, &format!("{id}#METADATA"), item.created, item.modified)?;
        out.write_all(b"<didl:Component><didl:Resource mimeType=\"application/xml\">")?;
        write_metadata(out, item)?;
        out.write_all(b"</didl:Resource></didl:Component></didl:Item><didl:Item>")?;

        write_descriptors(out, &format!("{id}#DATA"), item.created, item.modified)?;
        let media_type = escape_xml(item.media_type);
        write!(
            out,
            "<didl:Component><didl:Resource mimeType=\"{media_type}\" ref=\"{}\"/>\
             <didl:Resource mimeType=\"{media_type}\" encoding=\"base64\">",
            escape_xml(item.reference)
        )?;
        let mut step = vec![0; STEP];
        loop {
            let filled = fill_buffer(&mut data, &mut step)?;
            let piece = step.get(..filled).unwrap_or_default();
            out.write_all(BASE64.encode(piece).as_bytes())?;
            if filled < STEP {
                break;
            }
        }
        out.write_all(b"</didl:Resource></didl:Component></didl:Item></didl:Item>")
    }

    /// Ends the object and returns the output.
    pub fn finish(mut self) -> io::Result<W> {
        self.out.write_all(b"</didl:Container></didl:DIDL>")?;
        Ok(self.out)
    }
}

fn write_descriptors(
    out: &mut impl Write,
    id: &str,
    created: Timestamp,
    modified: Option<Timestamp>,
) -> io::Result<()> {
    write!(
        out,
        "<didl:Descriptor><didl:Statement mimeType=\"application/xml\"><dii:Identifier>{}</dii:Identifier>\
         </didl:Statement></didl:Descriptor><didl:Descriptor><didl:Statement mimeType=\"application/xml\">\
         <dcterms:created>{}</dcterms:created></didl:Statement></didl:Descriptor>",
        escape_xml(id),
        format_timestamp(created)
    )?;
    if let Some(modified) = modified {
        write!(
            out,
            "<didl:Descriptor><didl:Statement mimeType=\"application/xml\"><dcterms:modified>{}</dcterms:modified>\
             </didl:Statement></didl:Descriptor>",
            format_timestamp(modified)
        )?;
    }
    Ok(())
}

fn write_metadata(out: &mut impl Write, item: &ItemHead<'_>) -> io::Result<()> {
    write!(out, "<m:metadata xmlns:m=\"{METADATA}\" about=\"{}\">", escape_xml(item.url))?;
    let said = item.metadata;
    for (name, value) in [
        ("title", &said.title),
        ("description", &said.description),
        ("creator", &said.creator),
        ("language", &said.language),
        ("date", &said.date),
    ] {
        if let Some(value) = value {
            write!(out, "<m:{name}>{}</m:{name}>", escape_xml(value))?;
        }
    }
    for keyword in &said.keywords {
        write!(out, "<m:keyword>{}</m:keyword>", escape_xml(keyword))?;
    }
    for doi in &said.dois {
        write!(out, "<m:doi>{}</m:doi>", escape_xml(doi))?;
    }
    for field in &said.fields {
        write!(
            out,
            "<m:field from=\"{}\" name=\"{}\">{}</m:field>",
            field.from.as_str(),
            escape_xml(&field.name),
            escape_xml(&field.value)
        )?;
    }
    out.write_all(b"</m:metadata>")
}

/// Reads until the buffer is full or the input ends.
fn fill_buffer(from: &mut impl Read, into: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while let Some(room) = into.get_mut(filled..).filter(|room| !room.is_empty()) {
        match from.read(room) {
            Ok(0) => break,
            Ok(read) => filled += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

/// Escapes text for XML and removes characters that XML does not allow.
fn escape_xml(text: &str) -> String {
    let allowed: String = text
        .chars()
        .filter(|c| {
            matches!(c, '\t' | '\n' | '\r' | ' '..='\u{fffd}' | '\u{10000}'..)
                && !('\u{7f}'..='\u{84}').contains(c)
        })
        .collect();
    escape_html(&allowed)
}
