//! Extracts text, title, authors and DOIs from PDF files.
//!
//! PDF parsers can be broken by hostile files in many ways, so never call [`read`] in an important
//! process: `geotrawl-crawl` runs it in a child process with limits on time and memory.

use serde::{Deserialize, Serialize};
use std::fmt::Write;

/// Maximum number of pages whose text is read.
pub const MOST_PAGES: usize = 200;
/// Maximum length of the text, in bytes.
pub const MOST_TEXT: usize = 2 << 20;

/// Contents of a PDF file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Document {
    pub title: Option<String>,
    pub author: Option<String>,
    pub subject: Option<String>,
    pub keywords: Option<String>,
    pub created: Option<String>,
    pub pages: u32,
    pub text: String,
    /// Parts that could not be read, with reasons.
    pub issues: Vec<String>,
}

/// Returns whether the bytes are a PDF file.
pub fn is_pdf(bytes: &[u8]) -> bool {
    // PDF readers tolerate some bytes before the signature.
    bytes.get(..bytes.len().min(1_024)).is_some_and(|start| memchr::memmem::find(start, b"%PDF-").is_some())
}

/// Reads a PDF file. May panic, exhaust memory or never return; see the module documentation.
#[cfg(feature = "pdf")]
pub fn read(bytes: &[u8]) -> Document {
    let mut read = Document::default();
    let document = match lopdf::Document::load_mem(bytes) {
        Ok(document) => document,
        Err(error) => {
            read.issues.push(format!("cannot read the document: {error}"));
            return read;
        }
    };
    if let Ok(information) = document.trailer.get(b"Info").and_then(|info| document.dereference(info))
        && let Ok(information) = information.1.as_dict()
    {
        let said = |name: &[u8]| {
            let (_, object) = document.dereference(information.get(name).ok()?).ok()?;
            let text = lopdf::decode_text_string(object).ok()?;
            Some(text.trim().to_owned()).filter(|text| !text.is_empty())
        };
        read.title = said(b"Title");
        read.author = said(b"Author");
        read.subject = said(b"Subject");
        read.keywords = said(b"Keywords");
        read.created = said(b"CreationDate").map(|date| readable(&date));
    }
    let pages = document.get_pages();
    read.pages = u32::try_from(pages.len()).unwrap_or(u32::MAX);
    for number in pages.keys().take(MOST_PAGES) {
        match document.extract_text(&[*number]) {
            Ok(text) => {
                read.text.push_str(&text);
                read.text.push('\n');
            }
            Err(error) if read.issues.len() < 10 => read.issues.push(format!("page {number}: {error}")),
            Err(_) => {}
        }
        if read.text.len() >= MOST_TEXT {
            read.text.truncate(read.text.floor_char_boundary(MOST_TEXT));
            break;
        }
    }
    if read.title.is_none() {
        // Most authors leave the title out but begin the text with it.
        read.title = read
            .text
            .lines()
            .map(str::trim)
            .find(|line| line.chars().filter(|c| c.is_alphabetic()).count() > 3)
            .map(|line| line.chars().take(200).collect());
    }
    read
}

/// Returns an issue, because this build has no PDF parser.
#[cfg(not(feature = "pdf"))]
pub fn read(bytes: &[u8]) -> Document {
    let why =
        if is_pdf(bytes) { "this program was built without PDF support" } else { "this is not a PDF file" };
    Document { issues: vec![why.to_owned()], ..Document::default() }
}

/// Formats `D:20260102030405Z` as a date.
#[cfg(feature = "pdf")]
fn readable(date: &str) -> String {
    let digits: String = date.trim_start_matches("D:").chars().take_while(char::is_ascii_digit).collect();
    let part = |from: usize, to: usize| digits.get(from..to);
    match (part(0, 4), part(4, 6), part(6, 8)) {
        (Some(year), Some(month), Some(day)) => format!("{year}-{month}-{day}"),
        (Some(year), ..) => year.to_owned(),
        _ => date.to_owned(),
    }
}

impl Document {
    /// Adds the document's contents to the metadata of an item.
    pub fn add_to_metadata(&self, metadata: &mut crate::metadata::Metadata) {
        use crate::metadata::MetadataOrigin::Pdf;
        for (name, value) in [
            ("title", &self.title),
            ("author", &self.author),
            ("subject", &self.subject),
            ("keywords", &self.keywords),
            ("created", &self.created),
        ] {
            if let Some(value) = value {
                metadata.add_field(Pdf, name, value);
            }
        }
        if self.pages > 0 {
            metadata.add_field(Pdf, "pages", &self.pages.to_string());
        }
        for issue in &self.issues {
            metadata.add_field(Pdf, "issue", issue);
        }
        metadata.add_dois(&self.text);
        metadata.derive_members();
    }
}

/// Returns a small PDF with this title and text, for tests.
pub fn sample_pdf(title: &str, lines: &[&str]) -> Vec<u8> {
    let plain = |text: &str| text.replace('\\', "\\\\").replace('(', "\\(").replace(')', "\\)");
    let mut content = String::from("BT /F1 12 Tf 50 750 Td 14 TL\n");
    for line in lines {
        let _ = writeln!(content, "({}) Tj T*", plain(line));
    }
    content.push_str("ET");
    let objects = [
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_owned(),
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 5 0 R >> >> /Contents 4 0 R >>".to_owned(),
        format!("<< /Length {} >>\nstream\n{content}\nendstream", content.len()),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>".to_owned(),
        format!("<< /Title ({}) /Author (A. Writer) /CreationDate (D:20260102030405Z) >>", plain(title)),
    ];
    let mut out = String::from("%PDF-1.4\n");
    let mut offsets = Vec::new();
    for (number, object) in objects.iter().enumerate() {
        offsets.push(out.len());
        let _ = write!(out, "{} 0 obj\n{object}\nendobj\n", number + 1);
    }
    let start = out.len();
    let _ = write!(out, "xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1);
    for offset in offsets {
        let _ = writeln!(out, "{offset:010} 00000 n ");
    }
    let _ = write!(
        out,
        "trailer\n<< /Size {} /Root 1 0 R /Info 6 0 R >>\nstartxref\n{start}\n%%EOF\n",
        objects.len() + 1
    );
    out.into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_are_told_by_their_first_bytes() {
        assert!(is_pdf(&sample_pdf("t", &[])) && !is_pdf(b"<html>") && !is_pdf(b""));
        assert!(!read(b"no document").issues.is_empty());
    }

    #[cfg(feature = "pdf")]
    #[test]
    fn a_document_gives_title_text_and_identifiers() {
        let bytes =
            sample_pdf("Cloud (Climatology)", &["The cloud data", "cited as doi:10.1175/BAMS-85-2-167."]);
        let document = read(&bytes);
        assert_eq!(document.title.as_deref(), Some("Cloud (Climatology)"));
        assert_eq!(
            (document.author.as_deref(), document.created.as_deref()),
            (Some("A. Writer"), Some("2026-01-02"))
        );
        assert_eq!(document.pages, 1);
        assert!(document.text.contains("The cloud data"), "{:?}", document.text);
        let mut metadata = crate::metadata::Metadata::default();
        document.add_to_metadata(&mut metadata);
        assert_eq!(metadata.dois, ["10.1175/bams-85-2-167"]);
        assert_eq!(metadata.title.as_deref(), Some("Cloud (Climatology)"));
    }
}
