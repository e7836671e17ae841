//! Sections shared by all OWS-style capabilities.

use super::{CapabilitiesInput, escape_xml_text};
use std::fmt::Write as _;

/// Writes `ServiceIdentification`.
pub(super) fn write_identification(
    caps: &CapabilitiesInput<'_>,
    ns: &str,
    kind: &str,
    profiles: &[&str],
    out: &mut String,
) {
    let s = caps.service;
    let _ = write!(
        out,
        "  <{ns}:ServiceIdentification>\n    <{ns}:Title>{}</{ns}:Title>\n    <{ns}:Abstract>{}</{ns}:Abstract>\n    <{ns}:Keywords>\n",
        escape_xml_text(&s.title),
        escape_xml_text(&s.abstract_)
    );
    for keyword in &s.keywords {
        let _ = writeln!(out, "      <{ns}:Keyword>{}</{ns}:Keyword>", escape_xml_text(keyword));
    }
    let _ = writeln!(out, "    </{ns}:Keywords>\n    <{ns}:ServiceType>{kind}</{ns}:ServiceType>");
    for version in s.versions.iter().rev() {
        let _ = writeln!(out, "    <{ns}:ServiceTypeVersion>{version}</{ns}:ServiceTypeVersion>");
    }
    for profile in profiles {
        let _ = writeln!(out, "    <{ns}:Profile>{profile}</{ns}:Profile>");
    }
    let _ = writeln!(
        out,
        "    <{ns}:Fees>NONE</{ns}:Fees>\n    <{ns}:AccessConstraints>CC BY 4.0</{ns}:AccessConstraints>\n  </{ns}:ServiceIdentification>"
    );
}

/// Writes `ServiceProvider`.
pub(super) fn write_provider(caps: &CapabilitiesInput<'_>, ns: &str, out: &mut String) {
    let s = caps.service;
    let _ = writeln!(
        out,
        "  <{ns}:ServiceProvider>\n    <{ns}:ProviderName>{}</{ns}:ProviderName>\n    <{ns}:ServiceContact>\n      <{ns}:PositionName>GIS</{ns}:PositionName>\n      <{ns}:ContactInfo>\n        <{ns}:Address>\n          <{ns}:ElectronicMailAddress>{}</{ns}:ElectronicMailAddress>\n        </{ns}:Address>\n      </{ns}:ContactInfo>\n    </{ns}:ServiceContact>\n  </{ns}:ServiceProvider>",
        escape_xml_text(&s.provider),
        escape_xml_text(&s.email)
    );
}

/// Writes `OperationsMetadata` with GET bindings.
pub(super) fn write_operations(caps: &CapabilitiesInput<'_>, ns: &str, names: &[&str], out: &mut String) {
    let online = caps.online_resource();
    let _ = writeln!(out, "  <{ns}:OperationsMetadata>");
    for name in names {
        let _ = writeln!(
            out,
            "    <{ns}:Operation name=\"{name}\">\n      <{ns}:DCP><{ns}:HTTP><{ns}:Get xlink:href=\"{online}\"/><{ns}:Post xlink:href=\"{online}\"/></{ns}:HTTP></{ns}:DCP>\n    </{ns}:Operation>"
        );
    }
    let _ = writeln!(out, "  </{ns}:OperationsMetadata>");
}

/// Writes `WGS84BoundingBox`, longitude first.
pub(super) fn write_wgs84_box(ns: &str, bbox: [f64; 4], out: &mut String) {
    let [w, s, e, n] = bbox;
    let _ = writeln!(
        out,
        "      <{ns}:WGS84BoundingBox><{ns}:LowerCorner>{w} {s}</{ns}:LowerCorner><{ns}:UpperCorner>{e} {n}</{ns}:UpperCorner></{ns}:WGS84BoundingBox>"
    );
}
