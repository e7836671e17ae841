//! OGC exception reports: the endpoint responds, but rejected the request.

use crate::formats::xml::{XmlEvent, XmlReader, tidy_text};
use crate::sniff::XmlRoot;
use std::io::Read;

/// Maximum number of bytes read of a report.
const LIMIT: u64 = 256 * 1024;

/// Contents of an exception report.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ExceptionReport {
    /// Code, e.g. `MissingParameterValue`.
    pub code: Option<String>,
    /// Name of the parameter at fault.
    pub locator: Option<String>,
    /// Message text.
    pub text: Option<String>,
}

impl ExceptionReport {
    /// Returns whether the server requires a version parameter or rejects the requested version.
    pub fn is_about_version(&self) -> bool {
        let mentions =
            |t: &Option<String>| t.as_ref().is_some_and(|t| t.to_ascii_lowercase().contains("version"));
        mentions(&self.code) || mentions(&self.locator) || mentions(&self.text)
    }

    /// Returns the code and text in one line.
    pub fn message(&self) -> String {
        let code = self.code.as_deref().unwrap_or("exception");
        match &self.text {
            Some(text) => format!("{code}: {text}"),
            None => code.to_owned(),
        }
    }
}

/// Returns whether a root element may belong to an exception report.
pub fn may_be_exception(root: &XmlRoot) -> bool {
    match root.local.as_str() {
        "ServiceExceptionReport" | "WMTException" => true,
        "ExceptionReport" => root.namespace.as_deref().is_none_or(|ns| ns.contains("opengis.net/")),
        "Envelope" => root.namespace.as_deref().is_some_and(|ns| ns.contains("soap")),
        _ => false,
    }
}

/// Reads a report. Returns `None` if the document is not one: a SOAP envelope may hold anything.
pub fn parse_exception_report(input: &mut dyn Read, http_charset: Option<&str>) -> Option<ExceptionReport> {
    let mut input = input.take(LIMIT);
    let mut reader = XmlReader::new(&mut input, http_charset);
    let mut exception = ExceptionReport::default();
    let mut text = String::new();
    let mut is_report = false;
    let mut inside = 0usize;
    loop {
        match reader.next() {
            XmlEvent::Start => match reader.local_name() {
                b"ServiceExceptionReport" | b"WMTException" | b"ExceptionReport" => is_report = true,
                b"ServiceException" | b"Exception" | b"Fault" => {
                    is_report |= reader.local_name() == b"Fault";
                    inside = reader.depth();
                    let attr = |name| reader.attr_by_local_name(name).and_then(|v| tidy_text(&v, 128));
                    exception.code = exception.code.or(attr("exceptionCode")).or(attr("code"));
                    exception.locator = exception.locator.or(attr("locator"));
                }
                _ => {}
            },
            XmlEvent::Text if (inside > 0 || is_report) && text.len() < 4096 => {
                reader.append_text(&mut text, 4096);
                text.push(' ');
            }
            XmlEvent::Eof => break,
            _ => {}
        }
    }
    exception.text = tidy_text(&text, 500);
    is_report.then_some(exception)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(text: &str) -> Option<ExceptionReport> {
        parse_exception_report(&mut text.as_bytes(), None)
    }

    #[test]
    fn every_dialect_is_read() {
        let ows = report(
            "<ows:ExceptionReport xmlns:ows='http://www.opengis.net/ows/1.1'><ows:Exception \
             exceptionCode='MissingParameterValue' locator='version'><ows:ExceptionText>Parameter missing\
             </ows:ExceptionText></ows:Exception></ows:ExceptionReport>",
        )
        .expect("a report");
        assert_eq!(ows.message(), "MissingParameterValue: Parameter missing");
        assert!(ows.is_about_version());
        let wms = report("<ServiceExceptionReport><ServiceException code='X'> no <![CDATA[layer]]> </ServiceException></ServiceExceptionReport>")
            .expect("a report");
        assert_eq!(wms.message(), "X: no layer");
        assert!(!wms.is_about_version());
        assert!(report("<WMTException>Unknown request</WMTException>").is_some());
        assert!(report("<s:Envelope xmlns:s='http://schemas.xmlsoap.org/soap/envelope/'><s:Body><s:Fault/></s:Body></s:Envelope>").is_some());
        assert!(report("<s:Envelope xmlns:s='soap'><s:Body><a/></s:Body></s:Envelope>").is_none());
    }
}
