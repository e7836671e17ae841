//! Parses a page of records as a stream.

use crate::formats::records::{RecordFormat, read_record};
use crate::formats::xml::{XmlEvent, XmlReader, charset_parameter, tidy_text};
use geotrawl_model::{CatalogueRecord, Issue};
use std::io::Read;

/// Maximum number of records per page, whatever was requested.
const MOST: usize = 20_000;
const ISSUES: usize = 20;

/// Contents of a response.
#[derive(Debug, Default)]
pub struct RecordsResponse {
    /// The response has search results, possibly empty.
    pub results: bool,
    pub records: Vec<CatalogueRecord>,
    /// Number of records in the response, including those that could not be kept.
    pub seen: u64,
    pub matched: Option<u64>,
    pub returned: Option<u64>,
    pub next: Option<u64>,
    /// The response was cut off.
    pub cut: bool,
    /// Text of an exception report.
    pub exception: Option<String>,
    pub issues: Vec<Issue>,
}

impl RecordsResponse {
    /// Returns whether an exception is about the requested version.
    pub fn is_about_version(&self) -> bool {
        self.exception.as_deref().is_some_and(|text| {
            let lower = text.to_ascii_lowercase();
            lower.contains("versionnegotiation") || lower.contains("version") && lower.contains("support")
        })
    }
}

/// Parses a response to `GetRecords` or `GetRecordById`, with or without a SOAP envelope.
pub fn read_response(stream: &mut dyn Read, content_type: Option<&str>) -> RecordsResponse {
    let mut answered = RecordsResponse::default();
    let mut reader = XmlReader::new(stream, content_type.and_then(charset_parameter));
    let mut exception = String::new();
    let mut excepted = false;
    loop {
        match reader.next() {
            XmlEvent::Start => {
                if answered.results
                    && let Some(format) = RecordFormat::from_element(reader.local_name(), reader.namespace())
                {
                    take(&mut answered, &mut reader, format);
                    continue;
                }
                match reader.local_name() {
                    b"SearchResults" => {
                        let number =
                            |name: &str| reader.attr_by_local_name(name).and_then(|v| v.trim().parse().ok());
                        answered.results = true;
                        answered.matched = number("numberOfRecordsMatched");
                        answered.returned = number("numberOfRecordsReturned");
                        answered.next = number("nextRecord");
                    }
                    b"GetRecordByIdResponse" => answered.results = true,
                    b"ExceptionReport" | b"ServiceExceptionReport" | b"Fault" => excepted = true,
                    b"Exception" | b"ServiceException" => {
                        for name in ["exceptionCode", "code", "locator"] {
                            if let Some(value) = reader.attr_by_local_name(name) {
                                exception.push_str(&value);
                                exception.push(' ');
                            }
                        }
                    }
                    _ => {}
                }
            }
            XmlEvent::Text if excepted && exception.len() < 2048 => {
                reader.append_text(&mut exception, 2048);
                exception.push(' ');
            }
            XmlEvent::Eof => break,
            _ => {}
        }
    }
    answered.cut |= reader.has_read_error();
    if excepted && answered.records.is_empty() {
        answered.results = false;
        answered.exception = Some(tidy_text(&exception, 300).unwrap_or_else(|| "an exception".to_owned()));
    }
    if let Some(violation) = reader.violation()
        && answered.results
    {
        let message = format!("a page is not well-formed XML: {violation}");
        answered.issues.push(Issue::new("xml-not-well-formed", message));
    }
    answered
}

fn take(answered: &mut RecordsResponse, reader: &mut XmlReader<'_>, format: RecordFormat) {
    let read = read_record(reader, format);
    if !read.complete {
        // Drop an incomplete record: the next page begins with it.
        answered.cut = true;
        return;
    }
    answered.seen += 1;
    for issue in read.issues {
        if answered.issues.len() < ISSUES && !answered.issues.iter().any(|i| i.code == issue.code) {
            answered.issues.push(issue);
        }
    }
    if answered.records.len() < MOST {
        answered.records.push(read.record);
    }
}
