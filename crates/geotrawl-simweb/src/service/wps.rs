//! WPS capabilities 1.0.0 and 2.0.0.

use super::{CapabilitiesInput, escape_xml_text, ows};
use std::fmt::Write as _;

pub(super) fn write_capabilities(caps: &CapabilitiesInput<'_>, out: &mut String) {
    let s = caps.service;
    let two = caps.version == "2.0.0";
    let (ns, ows_ns) = if two {
        ("http://www.opengis.net/wps/2.0", "http://www.opengis.net/ows/2.0")
    } else {
        ("http://www.opengis.net/wps/1.0.0", "http://www.opengis.net/ows/1.1")
    };
    let _ = writeln!(
        out,
        "<wps:Capabilities service=\"WPS\" version=\"{}\" xml:lang=\"{}\" xmlns:wps=\"{ns}\" xmlns:ows=\"{ows_ns}\" xmlns:xlink=\"http://www.w3.org/1999/xlink\">",
        caps.version, s.language
    );
    ows::write_identification(caps, "ows", "WPS", &[], out);
    ows::write_provider(caps, "ows", out);
    ows::write_operations(caps, "ows", &["GetCapabilities", "DescribeProcess", "Execute"], out);
    out.push_str(if two { "  <wps:Contents>\n" } else { "  <wps:ProcessOfferings>\n" });
    for d in &s.datasets {
        let (open, close) = if two {
            (
                "wps:ProcessSummary processVersion=\"1.0.0\" jobControlOptions=\"sync-execute\"",
                "wps:ProcessSummary",
            )
        } else {
            ("wps:Process wps:processVersion=\"1.0.0\"", "wps:Process")
        };
        let title = format!("      <ows:Title>{}</ows:Title>\n", escape_xml_text(&d.title));
        let id = format!("      <ows:Identifier>{}</ows:Identifier>\n", escape_xml_text(&d.name));
        let (first, second) = if two { (&title, &id) } else { (&id, &title) };
        let _ = writeln!(
            out,
            "    <{open}>\n{first}{second}      <ows:Abstract>{}</ows:Abstract>\n    </{close}>",
            escape_xml_text(&d.abstract_)
        );
    }
    out.push_str(if two { "  </wps:Contents>\n" } else { "  </wps:ProcessOfferings>\n" });
    if !two {
        let _ = writeln!(
            out,
            "  <wps:Languages><wps:Default><ows:Language>{0}</ows:Language></wps:Default><wps:Supported><ows:Language>{0}</ows:Language></wps:Supported></wps:Languages>",
            s.language
        );
    }
    out.push_str("</wps:Capabilities>\n");
}
