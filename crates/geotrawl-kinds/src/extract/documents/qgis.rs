//! QGIS projects, layer styles, and exported connections.

use super::DocumentTargets;
use crate::formats::tree::XmlTreeNode;
use crate::formats::xml::{XmlEvent, XmlReader, tidy_text};
use percent_encoding::percent_decode_str;

/// Maximum length of a text to keep.
const TEXT: usize = 16 * 1024;

/// Reads the layer sources of a project, as a stream because styles make projects long.
pub fn read_project(reader: &mut XmlReader<'_>, named: &mut DocumentTargets<'_>) {
    named.way = "config:qgis";
    let mut text = String::new();
    let mut path: Vec<Vec<u8>> = vec![b"qgis".to_vec()];
    let (mut source, mut provider, mut name) = (String::new(), String::new(), String::new());
    loop {
        match reader.next() {
            XmlEvent::Start => {
                text.clear();
                path.push(reader.local_name()[..reader.local_name().len().min(64)].to_vec());
            }
            XmlEvent::Text if text.len() < TEXT => reader.append_text(&mut text, TEXT),
            XmlEvent::End => {
                let Some(element) = path.pop() else { break };
                let parent = path.last().map(Vec::as_slice).unwrap_or_default();
                match (element.as_slice(), parent) {
                    (b"title", b"qgis") => named.title = tidy_text(&text, 300),
                    (b"datasource", b"maplayer") => text.trim().clone_into(&mut source),
                    (b"provider", b"maplayer") => text.trim().clone_into(&mut provider),
                    (b"layername", b"maplayer") => text.trim().clone_into(&mut name),
                    (b"maplayer", _) => {
                        datasource(&source, &provider, &name, named);
                        source.clear();
                        provider.clear();
                        name.clear();
                    }
                    _ => {}
                }
                text.clear();
            }
            XmlEvent::Eof => break,
            _ => {}
        }
    }
}

/// Reads exported connections such as `<wms name="..." url="..."/>`.
pub fn read_connections(reader: &mut XmlReader<'_>, named: &mut DocumentTargets<'_>) {
    named.way = "config:qgis";
    for node in XmlTreeNode::read_element(reader).descendants() {
        if let Some(url) = node.attr("url") {
            let words = node.attr("name").unwrap_or_default();
            named.add(&plain_template(url), service(&node.name, url), None, words);
        }
    }
}

/// Parses the source of a layer in one of QGIS's notations.
fn datasource(source: &str, provider: &str, layer: &str, named: &mut DocumentTargets<'_>) {
    if source.is_empty() {
        return;
    }
    let address = quoted(source, "url").or_else(|| parameter(source, "url")).or_else(|| plain(source));
    let Some(address) = address else { return };
    let name = quoted(source, "typename")
        .or_else(|| parameter(source, "layers"))
        .or_else(|| parameter(source, "identifier"));
    let tiles = source.contains("type=xyz") || source.contains("type=mbtiles");
    let kind = match provider.to_ascii_lowercase().as_str() {
        _ if tiles => None,
        "wms" if source.contains("tileMatrixSet=") => Some("OGC:WMTS"),
        "" if source.contains("tileMatrixSet=") => Some("OGC:WMTS"),
        provider => service(provider, &address),
    };
    named.add(&plain_template(&address), kind, name.as_deref(), layer);
}

fn service(provider: &str, url: &str) -> Option<&'static str> {
    match provider.to_ascii_lowercase().as_str() {
        "wms" if url.to_ascii_lowercase().contains("wmts") => Some("OGC:WMTS"),
        "wms" => Some("OGC:WMS"),
        "wmts" => Some("OGC:WMTS"),
        "wfs" => Some("OGC:WFS"),
        "wcs" => Some("OGC:WCS"),
        "csw" => Some("OGC:CSW"),
        _ => None,
    }
}

/// Returns a quoted value such as `url='https://...'` or `url="..."`, with escaped quotes inside.
fn quoted(source: &str, key: &str) -> Option<String> {
    for quote in ['\'', '"'] {
        let mark = format!("{key}={quote}");
        let starts = source
            .match_indices(&mark)
            .find(|(at, _)| *at == 0 || source[..*at].ends_with(|c: char| c.is_whitespace() || c == '&'));
        if let Some((at, _)) = starts {
            let rest = &source[at + mark.len()..];
            return rest.split_once(quote).map(|(value, _)| value.to_owned());
        }
    }
    None
}

/// Returns a parameter such as `url=https%3A%2F%2F...` among others joined by `&`. An address that
/// was not encoded extends as far as its own query.
fn parameter(source: &str, key: &str) -> Option<String> {
    let value = source.split('&').find_map(|pair| {
        let (name, value) = pair.split_once('=')?;
        name.trim().eq_ignore_ascii_case(key).then_some(value)
    })?;
    let decoded = percent_decode_str(value).decode_utf8_lossy().into_owned();
    (!decoded.is_empty()).then_some(decoded)
}

/// Parses a source that is an address, possibly after GDAL prefixes or followed by options after a
/// bar.
fn plain(source: &str) -> Option<String> {
    let start = source.find("https://").or_else(|| source.find("http://"))?;
    let known = start == 0 || source[..start].ends_with(['/', ':', '"', '\'', '=']);
    let end = source[start..].find(['|', '"', '\'', ' ', '\n']).map_or(source.len(), |end| start + end);
    known.then(|| source[start..end].to_owned())
}

/// Normalises the tile placeholders of a template.
fn plain_template(url: &str) -> String {
    url.replace("%7B", "{").replace("%7D", "}").replace("%7b", "{").replace("%7d", "}")
}
