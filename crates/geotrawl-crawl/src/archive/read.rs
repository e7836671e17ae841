//! Parses an answer: its type, text, metadata, links and embedded files.

use super::documents::DocumentReader;
use super::visit::ArchiveAnswer;
use geotrawl_archive::likeness::TextSketch;
use geotrawl_archive::metadata::Metadata;
use geotrawl_archive::{css, page, pdf};
use geotrawl_kinds::extract::{TextKind, decode_text};
use url::Url;

/// Maximum number of characters to compare in text other than HTML.
const MOST_TEXT: usize = 4 << 20;

/// Parsed content of an answer.
#[derive(Debug, Default)]
pub(super) struct ParsedAnswer {
    /// `html` or `document`.
    pub sort: &'static str,
    pub media_type: String,
    pub metadata: Metadata,
    /// Plain text, if there is any.
    pub text: String,
    pub sketch: TextSketch,
    pub links: Vec<Url>,
    pub requisites: Vec<Url>,
    /// Why it must not be archived.
    pub refused: Option<&'static str>,
}

/// Parses an answer.
pub(super) async fn parse_answer(answer: &ArchiveAnswer, documents: &DocumentReader) -> ParsedAnswer {
    let declared = answer.head.content_type.clone().unwrap_or_default();
    let essence = declared.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let mut reading = ParsedAnswer { media_type: declared, sort: "document", ..ParsedAnswer::default() };
    let named: Vec<(&str, String)> = answer
        .headers
        .iter()
        .map(|(name, value)| (name.as_str(), String::from_utf8_lossy(value).into_owned()))
        .collect();
    reading.metadata.add_headers(named.iter().map(|(name, value)| (*name, value.as_str())));
    let forbids = |(name, value): &(&str, String)| {
        name.eq_ignore_ascii_case("x-robots-tag") && value.to_ascii_lowercase().contains("noarchive")
    };
    let mut noarchive = named.iter().any(forbids);
    if is_html(&essence, &answer.body) {
        reading.sort = "html";
        if essence.is_empty() {
            "text/html".clone_into(&mut reading.media_type);
        }
        let (source, _) = decode_text(&answer.head, &answer.body, TextKind::Html);
        let page = page::read_page(&answer.url, &source);
        reading.metadata.add_page(&page);
        noarchive |= page.noarchive;
        reading.text = page.text;
        reading.requisites = page.requisites;
        if !page.nofollow && !answer.head.nofollow {
            reading.links = page.links;
        }
    } else if pdf::is_pdf(&answer.body) {
        if essence.is_empty() || essence == "application/octet-stream" {
            "application/pdf".clone_into(&mut reading.media_type);
        }
        match documents.read_document(&answer.body).await {
            Ok(document) => {
                document.add_to_metadata(&mut reading.metadata);
                reading.text = document.text;
            }
            Err(why) => {
                let issues = vec![why];
                pdf::Document { issues, ..pdf::Document::default() }.add_to_metadata(&mut reading.metadata);
            }
        }
    } else if is_text(&essence) {
        let (source, _) = decode_text(&answer.head, &answer.body, TextKind::Plain);
        if essence == "text/css" {
            reading.requisites =
                css::find_addresses(&source, &answer.url).into_iter().map(|(url, _)| url).collect();
        }
        let end = source.floor_char_boundary(MOST_TEXT.min(source.len()));
        source.get(..end).unwrap_or_default().clone_into(&mut reading.text);
        reading.metadata.derive_members();
    } else {
        reading.metadata.derive_members();
    }
    if reading.media_type.trim().is_empty() {
        "application/octet-stream".clone_into(&mut reading.media_type);
    }
    reading.sketch = TextSketch::from_text(&reading.text);
    reading.refused = noarchive.then_some("it asks not to be archived");
    reading
}

/// Returns whether an answer is HTML: declared as such, or undeclared and starting like HTML.
fn is_html(essence: &str, body: &[u8]) -> bool {
    match essence {
        "text/html" | "application/xhtml+xml" => !pdf::is_pdf(body),
        "" | "text/plain" | "application/octet-stream" => {
            let start = body.trim_ascii_start();
            let starts =
                |word: &[u8]| start.get(..word.len()).is_some_and(|at| at.eq_ignore_ascii_case(word));
            starts(b"<!doctype html") || starts(b"<html")
        }
        _ => false,
    }
}

fn is_text(essence: &str) -> bool {
    essence.starts_with("text/")
        || essence.ends_with("+xml")
        || essence.ends_with("+json")
        || matches!(
            essence,
            "application/xml" | "application/json" | "application/javascript" | "application/ecmascript"
        )
}
