//! What a use and an address say together.

use super::address::{arcgis, extension, is_address, requested, template, with_placeholders};
use super::noise::{is_noise, is_promising};
use super::sign::Use;
use super::values::Found;
use crate::model::{HOLE, says};

/// The judgement of one address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Judged {
    /// Report it, as this.
    Is { url: String, says: &'static str },
    /// It is nothing that can be asked for.
    Nothing,
}

/// Addresses in the schemes of vendors, which only their own libraries resolve.
pub fn is_vendor_scheme(text: &str) -> bool {
    ["mapbox://", "esri://", "arcgis://"].iter().any(|scheme| text.starts_with(scheme))
}

/// Judges an address that is used so.
pub fn judge(uses: Use, found: &Found, portal: &str) -> Judged {
    let text = found.url.as_str();
    if uses == Use::Item {
        return item(text, portal);
    }
    let inside = super::address::inside_scheme(text);
    if is_vendor_scheme(text) || !is_address(inside) {
        return Judged::Nothing;
    }
    if inside.len() != text.len() {
        return Judged::Is { url: inside.to_owned(), says: says::FILE };
    }
    let by_itself = || template(text).or_else(|| arcgis(text));
    let says = match uses {
        Use::Is(kind) => Some(kind),
        Use::Arcgis => Some(arcgis(text).unwrap_or(says::ARCGIS)),
        Use::Tiles => return tiles(found),
        Use::VectorTiles => match by_itself() {
            Some("xyz") => Some("mvt"),
            Some(kind) => Some(kind),
            None if extension(text).eq_ignore_ascii_case("pmtiles") => Some(says::FILE),
            None if extension(text).eq_ignore_ascii_case("json") => Some(says::DOCUMENT),
            None if found.returned => return tiles(found),
            None => Some(""),
        },
        Use::File => match by_itself() {
            Some(kind) => Some(kind),
            None if is_noise(text) || extension(text).eq_ignore_ascii_case("txt") => None,
            // What is not known of it makes it another file.
            None if text.contains(HOLE) => Some(""),
            None => Some(says::FILE),
        },
        Use::Document => match by_itself() {
            Some(kind) => Some(kind),
            None if is_noise(text) => None,
            None => Some(says::DOCUMENT),
        },
        Use::Picture => requested(text).or_else(by_itself),
        Use::Loaded | Use::Opened => match by_itself() {
            Some(kind) if !is_noise(text) => Some(kind),
            None if !is_noise(text) && is_promising(text) => Some(""),
            _ => None,
        },
        Use::Item | Use::Map | Use::Bare => None,
    };
    says.map_or(Judged::Nothing, |says| Judged::Is { url: text.to_owned(), says })
}

/// Tiles: the template says whose they are.
fn tiles(found: &Found) -> Judged {
    let text = found.url.as_str();
    if let Some(kind) = template(text).or_else(|| arcgis(text)) {
        return Judged::Is { url: text.to_owned(), says: kind };
    }
    if found.returned
        && let Some(url) = with_placeholders(text)
    {
        return Judged::Is { url, says: "xyz" };
    }
    let says = match extension(text).to_ascii_lowercase().as_str() {
        "json" | "tilejson" => says::DOCUMENT,
        "pmtiles" | "mbtiles" => says::FILE,
        _ if is_noise(text) || !is_promising(text) => return Judged::Nothing,
        _ => "",
    };
    Judged::Is { url: text.to_owned(), says }
}

/// The address of an item of a portal.
fn item(id: &str, portal: &str) -> Judged {
    if id.len() == 32 && id.bytes().all(|b| b.is_ascii_hexdigit()) {
        let portal = portal.trim_end_matches('/');
        return Judged::Is {
            url: format!("{portal}/sharing/rest/content/items/{id}"),
            says: says::ARCGIS_ITEM,
        };
    }
    Judged::Nothing
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(uses: Use, url: &str) -> Option<(String, &'static str)> {
        let found = Found { url: url.to_owned(), returned: url.contains('\u{FFFC}'), listed: false };
        match judge(uses, &found, "https://www.arcgis.com") {
            Judged::Is { url, says } => Some((url, says)),
            Judged::Nothing => None,
        }
    }

    #[test]
    fn a_use_and_an_address_make_a_kind() {
        for (uses, url, says) in [
            (Use::Is("wms"), "https://a.example/anything", Some("wms")),
            (Use::Is("wms"), "roads", None),
            (Use::Arcgis, "https://a.example/rest/services/a/ImageServer", Some("arcgis-imageserver")),
            (Use::Arcgis, "https://a.example/agol", Some("arcgis")),
            (Use::Tiles, "https://a.example/{z}/{x}/{y}.png", Some("xyz")),
            (Use::Tiles, "https://a.example/tiles.json", Some("document")),
            (Use::Tiles, "\u{FFFC}", None),
            (Use::VectorTiles, "https://a.example/{z}/{x}/{y}.pbf", Some("mvt")),
            (Use::VectorTiles, "pmtiles://https://a.example/x.pmtiles", Some("file")),
            (Use::File, "data/a.geojson", Some("file")),
            (Use::File, "https://a.example/ows?service=WFS&request=GetFeature", Some("wfs")),
            (Use::File, "img/pin.png", None),
            (Use::Document, "mapbox://styles/a/b", None),
            (Use::Document, "https://a.example/style.json", Some("document")),
            (Use::Picture, "https://a.example/logo.png", None),
            (Use::Picture, "https://a.example/x?SERVICE=WMS&REQUEST=GetMap", Some("wms")),
            (Use::Loaded, "https://a.example/geoserver/ows", Some("")),
            (Use::Loaded, "https://a.example/login", None),
        ] {
            assert_eq!(judged(uses, url).map(|(_, says)| says), says, "{uses:?} {url}");
        }
        let id = "0123456789abcdef0123456789ABCDEF";
        let url = format!("https://www.arcgis.com/sharing/rest/content/items/{id}");
        assert_eq!(judged(Use::Item, id), Some((url, "arcgis-item")));
    }
}
