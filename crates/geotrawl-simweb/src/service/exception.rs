//! Exception reports in both families.

use super::escape_xml_text;

/// Renders a `ServiceExceptionReport`, as WMS and old WFS and WCS do.
pub(crate) fn service_exception(version: &str, code: &str, text: &str) -> String {
    if version == "1.0.0" {
        return format!("<WMTException version=\"1.0.0\">{}</WMTException>\n", escape_xml_text(text));
    }
    let ns = if version == "1.3.0" { " xmlns=\"http://www.opengis.net/ogc\"" } else { "" };
    format!(
        "<?xml version='1.0' encoding=\"UTF-8\" standalone=\"no\"?>\n<ServiceExceptionReport version=\"{version}\"{ns}>\n<ServiceException code=\"{code}\">{}</ServiceException>\n</ServiceExceptionReport>\n",
        escape_xml_text(text)
    )
}

/// Renders an `ows:ExceptionReport`.
pub(crate) fn ows_exception(ns: &str, version: &str, code: &str, locator: &str, text: &str) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<ows:ExceptionReport xmlns:ows=\"{ns}\" version=\"{version}\" xml:lang=\"en\">\n  <ows:Exception exceptionCode=\"{code}\" locator=\"{locator}\">\n    <ows:ExceptionText>{}</ows:ExceptionText>\n  </ows:Exception>\n</ows:ExceptionReport>\n",
        escape_xml_text(text)
    )
}
