//! Decides what an address is, from its use and its form.

use super::address::{
    arcgis_service, file_extension, is_address, requested_ogc_service, tile_template_service,
    with_placeholders,
};
use super::noise::{is_noise, is_promising};
use super::sign::AddressUse;
use super::values::FoundAddress;
use crate::model::{HOLE, says};

/// Decision about an address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum JudgedAddress {
    /// Report it with this use.
    Is { url: String, says: &'static str },
    /// It cannot be requested.
    Nothing,
}

/// Returns whether a URL has a vendor's scheme, which only its own libraries resolve.
pub fn is_vendor_scheme(text: &str) -> bool {
    ["mapbox://", "esri://", "arcgis://"].iter().any(|scheme| text.starts_with(scheme))
}

/// Decides what an address with this use is.
pub fn judge_address(uses: AddressUse, found: &FoundAddress, portal: &str) -> JudgedAddress {
    let text = found.url.as_str();
    if uses == AddressUse::Item {
        return item(text, portal);
    }
    let inside = super::address::inside_scheme(text);
    if is_vendor_scheme(text) || !is_address(inside) {
        return JudgedAddress::Nothing;
    }
    if inside.len() != text.len() {
        return JudgedAddress::Is { url: inside.to_owned(), says: says::FILE };
    }
    let by_itself = || tile_template_service(text).or_else(|| arcgis_service(text));
    let says = match uses {
        AddressUse::Is(kind) => Some(kind),
        AddressUse::Arcgis => Some(arcgis_service(text).unwrap_or(says::ARCGIS)),
        AddressUse::Tiles => return tiles(found),
        AddressUse::VectorTiles => match by_itself() {
            Some("xyz") => Some("mvt"),
            Some(kind) => Some(kind),
            None if file_extension(text).eq_ignore_ascii_case("pmtiles") => Some(says::FILE),
            None if file_extension(text).eq_ignore_ascii_case("json") => Some(says::DOCUMENT),
            None if found.returned => return tiles(found),
            None => Some(""),
        },
        AddressUse::File => match by_itself() {
            Some(kind) => Some(kind),
            None if is_noise(text) || file_extension(text).eq_ignore_ascii_case("txt") => None,
            // With an unknown part, the file cannot be fetched.
            None if text.contains(HOLE) => Some(""),
            None => Some(says::FILE),
        },
        AddressUse::Document => match by_itself() {
            Some(kind) => Some(kind),
            None if is_noise(text) => None,
            None => Some(says::DOCUMENT),
        },
        AddressUse::Picture => requested_ogc_service(text).or_else(by_itself),
        AddressUse::Loaded | AddressUse::Opened => match by_itself() {
            Some(kind) if !is_noise(text) => Some(kind),
            None if !is_noise(text) && is_promising(text) => Some(""),
            _ => None,
        },
        AddressUse::Item | AddressUse::Map | AddressUse::Bare => None,
    };
    says.map_or(JudgedAddress::Nothing, |says| JudgedAddress::Is { url: text.to_owned(), says })
}

/// Tiles: the template tells the service.
fn tiles(found: &FoundAddress) -> JudgedAddress {
    let text = found.url.as_str();
    if let Some(kind) = tile_template_service(text).or_else(|| arcgis_service(text)) {
        return JudgedAddress::Is { url: text.to_owned(), says: kind };
    }
    if found.returned
        && let Some(url) = with_placeholders(text)
    {
        return JudgedAddress::Is { url, says: "xyz" };
    }
    let says = match file_extension(text).to_ascii_lowercase().as_str() {
        "json" | "tilejson" => says::DOCUMENT,
        "pmtiles" | "mbtiles" => says::FILE,
        _ if is_noise(text) || !is_promising(text) => return JudgedAddress::Nothing,
        _ => "",
    };
    JudgedAddress::Is { url: text.to_owned(), says }
}

/// Returns the URL of a portal item.
fn item(id: &str, portal: &str) -> JudgedAddress {
    if id.len() == 32 && id.bytes().all(|b| b.is_ascii_hexdigit()) {
        let portal = portal.trim_end_matches('/');
        return JudgedAddress::Is {
            url: format!("{portal}/sharing/rest/content/items/{id}"),
            says: says::ARCGIS_ITEM,
        };
    }
    JudgedAddress::Nothing
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(uses: AddressUse, url: &str) -> Option<(String, &'static str)> {
        let found = FoundAddress { url: url.to_owned(), returned: url.contains('\u{FFFC}'), listed: false };
        match judge_address(uses, &found, "https://www.arcgis.com") {
            JudgedAddress::Is { url, says } => Some((url, says)),
            JudgedAddress::Nothing => None,
        }
    }

    #[test]
    fn a_use_and_an_address_make_a_kind() {
        for (uses, url, says) in [
            (AddressUse::Is("wms"), "https://a.example/anything", Some("wms")),
            (AddressUse::Is("wms"), "roads", None),
            (AddressUse::Arcgis, "https://a.example/rest/services/a/ImageServer", Some("arcgis-imageserver")),
            (AddressUse::Arcgis, "https://a.example/agol", Some("arcgis")),
            (AddressUse::Tiles, "https://a.example/{z}/{x}/{y}.png", Some("xyz")),
            (AddressUse::Tiles, "https://a.example/tiles.json", Some("document")),
            (AddressUse::Tiles, "\u{FFFC}", None),
            (AddressUse::VectorTiles, "https://a.example/{z}/{x}/{y}.pbf", Some("mvt")),
            (AddressUse::VectorTiles, "pmtiles://https://a.example/x.pmtiles", Some("file")),
            (AddressUse::File, "data/a.geojson", Some("file")),
            (AddressUse::File, "https://a.example/ows?service=WFS&request=GetFeature", Some("wfs")),
            (AddressUse::File, "img/pin.png", None),
            (AddressUse::Document, "mapbox://styles/a/b", None),
            (AddressUse::Document, "https://a.example/style.json", Some("document")),
            (AddressUse::Picture, "https://a.example/logo.png", None),
            (AddressUse::Picture, "https://a.example/x?SERVICE=WMS&REQUEST=GetMap", Some("wms")),
            (AddressUse::Loaded, "https://a.example/geoserver/ows", Some("")),
            (AddressUse::Loaded, "https://a.example/login", None),
        ] {
            assert_eq!(judged(uses, url).map(|(_, says)| says), says, "{uses:?} {url}");
        }
        let id = "0123456789abcdef0123456789ABCDEF";
        let url = format!("https://www.arcgis.com/sharing/rest/content/items/{id}");
        assert_eq!(judged(AddressUse::Item, id), Some((url, "arcgis-item")));
    }
}
