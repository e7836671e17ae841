//! Links of a record, one per protocol, with the protocol names that QGIS MetaSearch, GeoNetwork
//! and pycsw recognise.

use geotrawl_kinds::kinds;
use geotrawl_model::Record;

/// A link to a service or file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccessLink {
    pub href: String,
    /// Protocol name used in catalogues, such as `OGC:WMS`.
    pub protocol: &'static str,
    /// Media type of the response.
    pub media_type: &'static str,
    pub title: String,
}

/// Returns the links of a record: its own endpoint, then related services, one per protocol.
pub fn access_links(record: &Record) -> Vec<AccessLink> {
    let title = record.resource.title.clone().unwrap_or_else(|| record.resource.url.clone());
    let faces = record.faces.iter().map(|face| (face.kind.as_str(), face.url.as_str()));
    let doors = std::iter::once((record.resource.kind.as_str(), record.resource.url.as_str())).chain(faces);
    let mut links: Vec<AccessLink> = Vec::new();
    for (kind, href) in doors {
        let (protocol, media_type) = kind_protocol(kind);
        if links.iter().all(|link| link.protocol != protocol) {
            links.push(AccessLink { href: href.to_owned(), protocol, media_type, title: title.clone() });
        }
    }
    links
}

/// Returns the protocol name and media type of a kind.
pub fn kind_protocol(kind: &str) -> (&'static str, &'static str) {
    let profile = kinds::kind_profile(kind);
    let known = profile.and_then(|profile| Some((profile.protocol?, profile.media_type())));
    known.unwrap_or(("WWW:LINK", "application/octet-stream"))
}
