//! Contexts and configurations that are small trees: WMC, OWS contexts, GDAL service files,
//! GeoMoose.

use super::DocumentTargets;
use crate::formats::tree::XmlTreeNode;
use crate::formats::xml::{XmlReader, tidy_text};

/// Reads a Web Map Context 1.0 or 1.1, or an early OWS context: every layer with its server.
pub fn read_view_context(reader: &mut XmlReader<'_>, named: &mut DocumentTargets<'_>) {
    named.way = "config:wmc";
    let tree = XmlTreeNode::read_element(reader);
    named.title = tree.descendant_at(&["General", "Title"]).and_then(|title| tidy_text(&title.text, 300));
    for layer in
        tree.descendants().filter(|node| matches!(node.name.as_str(), "Layer" | "FeatureType" | "Coverage"))
    {
        let Some(server) = layer.child("Server") else { continue };
        let service = server.attr("service").unwrap_or("OGC:WMS");
        let name = layer.child_text("Name");
        let words = layer.child_text("Title").unwrap_or_default();
        if let Some(href) = server.child("OnlineResource").and_then(|resource| resource.attr("href")) {
            named.add(href, Some(&service.replace("urn:ogc:serviceType:", "")), name, words);
        }
        for data in layer.descendants().filter(|node| matches!(node.name.as_str(), "DataURL" | "MetadataURL"))
        {
            if let Some(href) = data.child("OnlineResource").and_then(|resource| resource.attr("href")) {
                named.add(href, None, None, words);
            }
        }
    }
}

/// Reads an OWS context in Atom: offerings with their operations. The feed's own links are kept.
pub fn read_owc_atom(reader: &mut XmlReader<'_>, named: &mut DocumentTargets<'_>) {
    named.way = "config:owc";
    named.keep_found = true;
    let tree = XmlTreeNode::read_element(reader);
    named.title = tree.child_text("title").and_then(|title| tidy_text(title, 300));
    for entry in tree.children_named("entry") {
        let words = entry.child_text("title").unwrap_or_default();
        for offering in entry.children_named("offering") {
            // http://www.opengis.net/spec/owc-atom/1.0/req/wms
            let service =
                offering.attr("code").and_then(|code| code.trim_end_matches('/').rsplit('/').next());
            for operation in offering.children_named("operation") {
                if let Some(href) = operation.attr("href").or_else(|| operation.attr("requestURL")) {
                    named.add(href, service, None, words);
                }
            }
        }
    }
}

/// Reads GDAL's description of a service: the address of the server and its type.
pub fn read_gdal(reader: &mut XmlReader<'_>, named: &mut DocumentTargets<'_>) {
    named.way = "config:gdal";
    let tree = XmlTreeNode::read_element(reader);
    if let Some(url) = tree.child_text("GetCapabilitiesUrl") {
        named.add(url, Some("OGC:WMTS"), tree.child_text("Layer"), "");
    }
    for service in tree.children_named("Service") {
        let kind = match service.attr("name").unwrap_or_default() {
            "WMS" | "TiledWMS" => Some("OGC:WMS"),
            _ => None,
        };
        for server in service.children_named("ServerUrl") {
            // Templates use ${x} where other formats use {x}.
            let url = server.text.trim().replace("${", "{");
            named.add(&url, kind, service.child_text("Layers"), "");
        }
    }
}

/// Reads a GeoMoose mapbook: map sources, each with a type.
pub fn read_mapbook(reader: &mut XmlReader<'_>, named: &mut DocumentTargets<'_>) {
    named.way = "config:geomoose";
    let tree = XmlTreeNode::read_element(reader);
    for source in tree.descendants().filter(|node| node.name.eq_ignore_ascii_case("map-source")) {
        let kind = match source.attr("type").unwrap_or_default().to_ascii_lowercase().as_str() {
            "wms" | "mapserver" => Some("OGC:WMS"),
            "wfs" | "mapserver-wfs" => Some("OGC:WFS"),
            _ => None,
        };
        let words = source.attr("title").or_else(|| source.attr("name")).unwrap_or_default().to_owned();
        let layer = source.child("layer").and_then(|layer| layer.attr("name"));
        for url in source.children_named("url").map(|url| url.text.trim()).chain(source.attr("url")) {
            named.add(url, kind, layer, &words);
        }
    }
}
