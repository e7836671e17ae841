//! The sections that all OWS-style capabilities share.

use super::{Caps, escape};
use std::fmt::Write as _;

/// `ServiceIdentification`.
pub(super) fn identification(caps: &Caps<'_>, ns: &str, kind: &str, profiles: &[&str], out: &mut String) {
    let s = caps.service;
    let _ = write!(
        out,
        "  <{ns}:ServiceIdentification>\n    <{ns}:Title>{}</{ns}:Title>\n    <{ns}:Abstract>{}</{ns}:Abstract>\n    <{ns}:Keywords>\n",
        escape(&s.title),
        escape(&s.abstract_)
    );
    for keyword in &s.keywords {
        let _ = writeln!(out, "      <{ns}:Keyword>{}</{ns}:Keyword>", escape(keyword));
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

/// `ServiceProvider`.
pub(super) fn provider(caps: &Caps<'_>, ns: &str, out: &mut String) {
    let s = caps.service;
    let _ = writeln!(
        out,
        "  <{ns}:ServiceProvider>\n    <{ns}:ProviderName>{}</{ns}:ProviderName>\n    <{ns}:ServiceContact>\n      <{ns}:PositionName>GIS</{ns}:PositionName>\n      <{ns}:ContactInfo>\n        <{ns}:Address>\n          <{ns}:ElectronicMailAddress>{}</{ns}:ElectronicMailAddress>\n        </{ns}:Address>\n      </{ns}:ContactInfo>\n    </{ns}:ServiceContact>\n  </{ns}:ServiceProvider>",
        escape(&s.provider),
        escape(&s.email)
    );
}

/// `OperationsMetadata` with GET bindings.
pub(super) fn operations(caps: &Caps<'_>, ns: &str, names: &[&str], out: &mut String) {
    let online = caps.online();
    let _ = writeln!(out, "  <{ns}:OperationsMetadata>");
    for name in names {
        let _ = writeln!(
            out,
            "    <{ns}:Operation name=\"{name}\">\n      <{ns}:DCP><{ns}:HTTP><{ns}:Get xlink:href=\"{online}\"/><{ns}:Post xlink:href=\"{online}\"/></{ns}:HTTP></{ns}:DCP>\n    </{ns}:Operation>"
        );
    }
    let _ = writeln!(out, "  </{ns}:OperationsMetadata>");
}

/// `WGS84BoundingBox`, longitude first.
pub(super) fn wgs84(ns: &str, bbox: [f64; 4], out: &mut String) {
    let [w, s, e, n] = bbox;
    let _ = writeln!(
        out,
        "      <{ns}:WGS84BoundingBox><{ns}:LowerCorner>{w} {s}</{ns}:LowerCorner><{ns}:UpperCorner>{e} {n}</{ns}:UpperCorner></{ns}:WGS84BoundingBox>"
    );
}
