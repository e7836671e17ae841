//! Contexts and configurations that are small trees: WMC, OWS contexts, GDAL's service files, GeoMoose.

use super::Named;
use crate::formats::tree::Node;
use crate::formats::xml::{Reader, tidy};

/// Web Map Context 1.0 and 1.1, and the OWS context of old: every layer with its server.
pub fn view_context(reader: &mut Reader<'_>, named: &mut Named<'_>) {
    named.way = "config:wmc";
    let tree = Node::read(reader);
    named.title = tree.at(&["General", "Title"]).and_then(|title| tidy(&title.text, 300));
    for layer in
        tree.descend().filter(|node| matches!(node.name.as_str(), "Layer" | "FeatureType" | "Coverage"))
    {
        let Some(server) = layer.child("Server") else { continue };
        let service = server.attr("service").unwrap_or("OGC:WMS");
        let name = layer.text_of("Name");
        let words = layer.text_of("Title").unwrap_or_default();
        if let Some(href) = server.child("OnlineResource").and_then(|resource| resource.attr("href")) {
            named.add(href, Some(&service.replace("urn:ogc:serviceType:", "")), name, words);
        }
        for data in layer.descend().filter(|node| matches!(node.name.as_str(), "DataURL" | "MetadataURL")) {
            if let Some(href) = data.child("OnlineResource").and_then(|resource| resource.attr("href")) {
                named.add(href, None, None, words);
            }
        }
    }
}

/// An OWS context in Atom: offerings with their operations; the feed's own links stay.
pub fn atom(reader: &mut Reader<'_>, named: &mut Named<'_>) {
    named.way = "config:owc";
    named.keep_found = true;
    let tree = Node::read(reader);
    named.title = tree.text_of("title").and_then(|title| tidy(title, 300));
    for entry in tree.all("entry") {
        let words = entry.text_of("title").unwrap_or_default();
        for offering in entry.all("offering") {
            // http://www.opengis.net/spec/owc-atom/1.0/req/wms
            let service =
                offering.attr("code").and_then(|code| code.trim_end_matches('/').rsplit('/').next());
            for operation in offering.all("operation") {
                if let Some(href) = operation.attr("href").or_else(|| operation.attr("requestURL")) {
                    named.add(href, service, None, words);
                }
            }
        }
    }
}

/// GDAL's description of a service: the server's address, and what it is.
pub fn gdal(reader: &mut Reader<'_>, named: &mut Named<'_>) {
    named.way = "config:gdal";
    let tree = Node::read(reader);
    if let Some(url) = tree.text_of("GetCapabilitiesUrl") {
        named.add(url, Some("OGC:WMTS"), tree.text_of("Layer"), "");
    }
    for service in tree.all("Service") {
        let kind = match service.attr("name").unwrap_or_default() {
            "WMS" | "TiledWMS" => Some("OGC:WMS"),
            _ => None,
        };
        for server in service.all("ServerUrl") {
            // Templates write ${x} where others write {x}.
            let url = server.text.trim().replace("${", "{");
            named.add(&url, kind, service.text_of("Layers"), "");
        }
    }
}

/// A GeoMoose mapbook: sources of the map, each with a type.
pub fn mapbook(reader: &mut Reader<'_>, named: &mut Named<'_>) {
    named.way = "config:geomoose";
    let tree = Node::read(reader);
    for source in tree.descend().filter(|node| node.name.eq_ignore_ascii_case("map-source")) {
        let kind = match source.attr("type").unwrap_or_default().to_ascii_lowercase().as_str() {
            "wms" | "mapserver" => Some("OGC:WMS"),
            "wfs" | "mapserver-wfs" => Some("OGC:WFS"),
            _ => None,
        };
        let words = source.attr("title").or_else(|| source.attr("name")).unwrap_or_default().to_owned();
        let layer = source.child("layer").and_then(|layer| layer.attr("name"));
        for url in source.all("url").map(|url| url.text.trim()).chain(source.attr("url")) {
            named.add(url, kind, layer, &words);
        }
    }
}
