//! Exceptions: the error, its location and the HTTP status.

use super::{CswError, CswVersion, SoapVersion};
use crate::xml::XmlWriter;

/// OWS exception codes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExceptionCode {
    OperationNotSupported,
    MissingParameterValue,
    InvalidParameterValue,
    VersionNegotiationFailed,
    InvalidUpdateSequence,
    NoApplicableCode,
    NotFound,
}

impl ExceptionCode {
    /// Returns the code as written in documents.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::OperationNotSupported => "OperationNotSupported",
            Self::MissingParameterValue => "MissingParameterValue",
            Self::InvalidParameterValue | Self::NotFound => "InvalidParameterValue",
            Self::VersionNegotiationFailed => "VersionNegotiationFailed",
            Self::InvalidUpdateSequence => "InvalidUpdateSequence",
            Self::NoApplicableCode => "NoApplicableCode",
        }
    }
}

/// An OWS exception.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CswException {
    pub code: ExceptionCode,
    pub locator: Option<String>,
    pub text: String,
}

impl CswException {
    /// Creates an exception for an invalid parameter.
    pub fn invalid_parameter(locator: &str, text: impl Into<String>) -> Self {
        Self {
            code: ExceptionCode::InvalidParameterValue,
            locator: Some(locator.to_owned()),
            text: text.into(),
        }
    }

    /// Creates an exception for a missing parameter.
    pub fn missing_parameter(locator: &str) -> Self {
        Self {
            code: ExceptionCode::MissingParameterValue,
            locator: Some(locator.to_owned()),
            text: format!("The parameter {locator} is required."),
        }
    }

    /// Creates an exception for an internal error, or one that has no other code.
    pub fn no_applicable_code(text: impl Into<String>) -> Self {
        Self { code: ExceptionCode::NoApplicableCode, locator: None, text: text.into() }
    }
}

impl CswError {
    /// Returns the HTTP status.
    pub fn http_status(&self) -> u16 {
        match (self.soap, self.exception.code) {
            (Some(SoapVersion::V11), _) | (_, ExceptionCode::NoApplicableCode) => 500,
            (None, ExceptionCode::OperationNotSupported) if self.version == CswVersion::V3 => 501,
            (None, ExceptionCode::NotFound) => 404,
            _ => 400,
        }
    }

    /// Renders the exception report.
    pub fn to_document(&self) -> String {
        let report = self.report();
        let mut xml = XmlWriter::with_declaration();
        match self.soap {
            None => {
                xml.raw(&report);
            }
            Some(SoapVersion::V11) => {
                xml.start("soap:Envelope", &[("xmlns:soap", super::post::SOAP_11)])
                    .start("soap:Body", &[])
                    .start("soap:Fault", &[])
                    .leaf("faultcode", "soap:Client")
                    .leaf("faultstring", &self.exception.text)
                    .start("detail", &[])
                    .raw(&report);
            }
            Some(SoapVersion::V12) => {
                xml.start("soap:Envelope", &[("xmlns:soap", super::post::SOAP_12)])
                    .start("soap:Body", &[])
                    .start("soap:Fault", &[]);
                xml.start("soap:Code", &[]).leaf("soap:Value", "soap:Sender").end();
                xml.start("soap:Reason", &[])
                    .leaf_with("soap:Text", &[("xml:lang", "en")], &self.exception.text)
                    .end();
                xml.start("soap:Detail", &[]).raw(&report);
            }
        }
        xml.finish()
    }

    fn report(&self) -> String {
        // The two schemas have different names for the language attribute.
        let (namespace, version, language) = match self.version {
            CswVersion::V2 => ("http://www.opengis.net/ows", "1.2.0", "language"),
            CswVersion::V3 => ("http://www.opengis.net/ows/2.0", "3.0.0", "xml:lang"),
        };
        let mut xml = XmlWriter::fragment();
        xml.start("ows:ExceptionReport", &[("xmlns:ows", namespace), ("version", version), (language, "en")]);
        let mut attributes = vec![("exceptionCode", self.exception.code.as_str())];
        attributes.extend(self.exception.locator.as_deref().map(|locator| ("locator", locator)));
        xml.start("ows:Exception", &attributes).leaf("ows:ExceptionText", &self.exception.text).end();
        xml.finish()
    }
}
