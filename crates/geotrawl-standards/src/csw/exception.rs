//! Exceptions: what is wrong with a request, where, and with which status it is answered.

use super::{Refused, Soap, Version};
use crate::xml::Xml;

/// What is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Code {
    OperationNotSupported,
    MissingParameterValue,
    InvalidParameterValue,
    VersionNegotiationFailed,
    InvalidUpdateSequence,
    NoApplicableCode,
    NotFound,
}

impl Code {
    /// As it is written.
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

/// An exception.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exception {
    pub code: Code,
    pub locator: Option<String>,
    pub text: String,
}

impl Exception {
    /// A parameter that is not understood.
    pub fn invalid(locator: &str, text: impl Into<String>) -> Self {
        Self { code: Code::InvalidParameterValue, locator: Some(locator.to_owned()), text: text.into() }
    }

    /// A parameter that is needed.
    pub fn missing(locator: &str) -> Self {
        Self {
            code: Code::MissingParameterValue,
            locator: Some(locator.to_owned()),
            text: format!("The parameter {locator} is needed."),
        }
    }

    /// A failure of ours, or one that no other code names.
    pub fn other(text: impl Into<String>) -> Self {
        Self { code: Code::NoApplicableCode, locator: None, text: text.into() }
    }
}

impl Refused {
    /// Status of HTTP.
    pub fn status(&self) -> u16 {
        match (self.soap, self.exception.code) {
            (Some(Soap::V11), _) | (_, Code::NoApplicableCode) => 500,
            (None, Code::OperationNotSupported) if self.version == Version::V3 => 501,
            (None, Code::NotFound) => 404,
            _ => 400,
        }
    }

    /// The document.
    pub fn document(&self) -> String {
        let report = self.report();
        let mut xml = Xml::document();
        match self.soap {
            None => {
                xml.raw(&report);
            }
            Some(Soap::V11) => {
                xml.start("soap:Envelope", &[("xmlns:soap", super::post::SOAP_11)])
                    .start("soap:Body", &[])
                    .start("soap:Fault", &[])
                    .leaf("faultcode", "soap:Client")
                    .leaf("faultstring", &self.exception.text)
                    .start("detail", &[])
                    .raw(&report);
            }
            Some(Soap::V12) => {
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
        // The older schema calls the language otherwise.
        let (namespace, version, language) = match self.version {
            Version::V2 => ("http://www.opengis.net/ows", "1.2.0", "language"),
            Version::V3 => ("http://www.opengis.net/ows/2.0", "3.0.0", "xml:lang"),
        };
        let mut xml = Xml::piece();
        xml.start("ows:ExceptionReport", &[("xmlns:ows", namespace), ("version", version), (language, "en")]);
        let mut attributes = vec![("exceptionCode", self.exception.code.as_str())];
        attributes.extend(self.exception.locator.as_deref().map(|locator| ("locator", locator)));
        xml.start("ows:Exception", &attributes).leaf("ows:ExceptionText", &self.exception.text).end();
        xml.finish()
    }
}
