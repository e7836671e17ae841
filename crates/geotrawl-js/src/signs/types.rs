//! Names of service types in viewers, and members whose names tell their contents. The words are
//! the same as in the parser of configurations, so that both give the same result.

use crate::model::says;

/// Types by lower-case name, without punctuation and the endings of [`service_of_type`]. Sorted.
const TYPES: &[(&str, &str)] = &[
    ("3dtile", "3dtiles"),
    ("3dtiles", "3dtiles"),
    ("arcgis", says::ARCGIS),
    ("arcgisdynamic", "arcgis-mapserver"),
    ("arcgisdynamicmapservice", "arcgis-mapserver"),
    ("arcgisfeature", "arcgis-featureserver"),
    ("arcgisfeatureserver", "arcgis-featureserver"),
    ("arcgisimageservice", "arcgis-imageserver"),
    ("arcgisimageservicevector", "arcgis-imageserver"),
    ("arcgismapserver", "arcgis-mapserver"),
    ("arcgismapservice", "arcgis-mapserver"),
    ("arcgisportal", "arcgis-portal"),
    ("arcgisportalitem", "arcgis-portal"),
    ("arcgisrest", says::ARCGIS),
    ("arcgisscene", "arcgis-sceneserver"),
    ("arcgistiled", "arcgis-mapserver"),
    ("arcgistiledimageservice", "arcgis-imageserver"),
    ("arcgistiledmapservice", "arcgis-mapserver"),
    ("c3dtiles", "3dtiles"),
    ("ckan", "ckan"),
    ("ckancatalog", "ckan"),
    ("cog", says::FILE),
    ("csw", "csw"),
    ("czml", says::FILE),
    ("esri", says::ARCGIS),
    ("esrifeature", "arcgis-featureserver"),
    ("esrifeatureserver", "arcgis-featureserver"),
    ("esriimageserver", "arcgis-imageserver"),
    ("esrimapserver", "arcgis-mapserver"),
    ("flatgeobuf", says::FILE),
    ("geojson", says::FILE),
    ("geotiff", says::FILE),
    ("gml", says::FILE),
    ("gpx", says::FILE),
    ("gxparcgiscachesource", says::ARCGIS),
    ("gxparcrestsource", says::ARCGIS),
    ("gxpwmscsource", "wms"),
    ("gxpwmssource", "wms"),
    ("hslayerswms", "wms"),
    ("i3s", "i3s"),
    ("imagearcgisrest", says::ARCGIS),
    ("imagewms", "wms"),
    ("integratedmesh", "arcgis-sceneserver"),
    ("kml", says::FILE),
    ("kmz", says::FILE),
    ("mapboxstyle", says::DOCUMENT),
    ("oaf", "ogcapi-features"),
    ("ogcapi", "ogcapi-features"),
    ("ogcapifeatures", "ogcapi-features"),
    ("ogcfeature", "ogcapi-features"),
    ("ogcfeatureserver", "ogcapi-features"),
    ("ogcwms", "wms"),
    ("ogcwmts", "wmts"),
    ("opendatasoft", "opendatasoft"),
    ("opendatasoftcatalog", "opendatasoft"),
    ("pointcloud", "arcgis-sceneserver"),
    ("sensorthings", "sensorthings"),
    ("shapefile", says::FILE),
    ("shp", says::FILE),
    ("socrata", "socrata"),
    ("sos", "sos"),
    ("stac", "stac-api"),
    ("stacapi", "stac-api"),
    ("staccatalog", says::DOCUMENT),
    ("thredds", "thredds"),
    ("threddscatalog", "thredds"),
    ("tilearcgisrest", says::ARCGIS),
    ("tilejson", says::DOCUMENT),
    ("tileset3d", "3dtiles"),
    ("tilewms", "wms"),
    ("topojson", says::FILE),
    ("vectortile", says::DOCUMENT),
    ("wcs", "wcs"),
    ("webfeatureservice", "wfs"),
    ("webmapservice", "wms"),
    ("webmaptileservice", "wmts"),
    ("wfs", "wfs"),
    ("wfs3", "ogcapi-features"),
    ("wfst", "wfs"),
    ("wms", "wms"),
    ("wmsc", "wms"),
    ("wmst", "wms"),
    ("wmstile", "wms"),
    ("wmstime", "wms"),
    ("wmsuntiled", "wms"),
    ("wmts", "wmts"),
    ("wps", "wps"),
];

fn known(name: &str) -> Option<&'static str> {
    let at = TYPES.binary_search_by(|(known, _)| (*known).cmp(name)).ok()?;
    TYPES.get(at).map(|(_, says)| *says)
}

/// Returns the service of a type: `OGC:WMS-1.3.0-http-get-map`, `wms-group` and `WMSLayer` are all
/// `wms`.
pub fn service_of_type(said: &str) -> Option<&'static str> {
    if said.len() > 64 {
        return None;
    }
    let lower = said.trim().to_ascii_lowercase();
    let lower =
        lower.strip_prefix("ogc:").map_or(lower.as_str(), |rest| rest.split('-').next().unwrap_or(rest));
    let mut name: String = lower.chars().filter(char::is_ascii_alphanumeric).collect();
    for ending in ["group", "layer", "source", "service", "item"] {
        // Keep the ending if the name is nothing else, or is known with it.
        if known(&name).is_some() {
            break;
        }
        if let Some(rest) = name.strip_suffix(ending).filter(|rest| !rest.is_empty()) {
            name = rest.to_owned();
        }
    }
    known(&name)
}

/// Words in member names, and what a URL in such a member is.
const WORDS: &[(&str, &str)] = &[
    ("wms", "wms"),
    ("wmts", "wmts"),
    ("wfs", "wfs"),
    ("wcs", "wcs"),
    ("csw", "csw"),
    ("wps", "wps"),
    ("sos", "sos"),
    ("mapserver", ""),
    ("featureserver", "arcgis-featureserver"),
    ("featureservice", "arcgis-featureserver"),
    ("imageserver", "arcgis-imageserver"),
    ("geoserver", ""),
    ("thredds", "thredds"),
    ("capabilities", ""),
    ("arcgis", ""),
    ("tileurl", ""),
    ("geojsonurl", says::FILE),
    ("kmlurl", says::FILE),
    ("styleurl", says::DOCUMENT),
];

/// Words in member names that are not about the location of a service.
#[rustfmt::skip]
const OTHER_WORDS: &[&str] = &[
    "legend", "icon", "proxy", "doc", "help", "link", "title", "label", "name", "schema", "namespace",
    "format", "version", "thumb", "logo", "metadata", "attribution", "text", "info",
];

/// Returns what a member's name tells about a URL in it: `wmsUrl`, `urlWfs`, `wmts_url`, `WMS`. An
/// empty result means a service or its server; the URL tells which.
pub fn service_of_member(name: &str) -> Option<&'static str> {
    if !may_be_service_name(name) {
        return None;
    }
    let mut letters = [0_u8; 40];
    let mut length = 0;
    for byte in name.bytes().filter(u8::is_ascii_alphanumeric) {
        *letters.get_mut(length)? = byte.to_ascii_lowercase();
        length += 1;
    }
    let letters = std::str::from_utf8(letters.get(..length)?).ok()?;
    if OTHER_WORDS.iter().any(|word| letters.contains(word)) {
        return None;
    }
    let mut found = WORDS.iter().filter(|(word, _)| letters.contains(word)).map(|(_, says)| *says);
    let first = found.next()?;
    // `wmsWfsUrl`, `geoserverWms`: the more specific word wins; several specific ones cancel out.
    Some(found.fold(first, |says, other| match (says, other) {
        ("", other) => other,
        (says, "") => says,
        (says, other) if says == other => says,
        _ => "",
    }))
}

/// Three-letter pieces, one of which occurs in every name that [`service_of_member`] knows and in
/// every proxy name.
const SIGNS: [&[u8; 3]; 18] = [
    b"wms", b"wmt", b"wfs", b"wcs", b"csw", b"wps", b"sos", b"pse", b"res", b"ese", b"edd", b"cap", b"cgi",
    b"eur", b"eos", b"eoj", b"kml", b"rox",
];

/// The pieces in a hash table; a test makes sure that no two collide.
static SLOTS: [u32; 512] = {
    let mut slots = [0; 512];
    let mut at = 0;
    while at < SIGNS.len() {
        let [a, b, c] = *SIGNS[at];
        let three = (a as u32) << 16 | (b as u32) << 8 | c as u32;
        slots[slot(three)] = three;
        at += 1;
    }
    slots
};

const fn slot(three: u32) -> usize {
    (three.wrapping_mul(0x9E37_79B1) >> 23) as usize
}

/// Returns whether a name may contain one of [`WORDS`] or name a proxy. Reads each byte once,
/// because every member is tested.
pub fn may_be_service_name(name: &str) -> bool {
    if name.len() < 3 || name.len() > 40 {
        return false;
    }
    let mut three = 0_u32;
    name.bytes().any(|byte| {
        // Skips separators: names may write their words with hyphens, underscores or capitals.
        if !byte.is_ascii_alphanumeric() {
            return false;
        }
        three = (three << 8 | u32::from(byte | 0x20)) & 0x00FF_FFFF;
        SLOTS.get(slot(three)) == Some(&three)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted() {
        for pair in TYPES.windows(2) {
            assert!(pair[0].0 < pair[1].0, "{} before {}", pair[0].0, pair[1].0);
        }
    }

    #[test]
    fn no_two_signs_share_a_slot() {
        assert_eq!(SLOTS.iter().filter(|slot| **slot != 0).count(), SIGNS.len());
    }

    #[test]
    fn every_word_has_a_sign() {
        assert!(may_be_service_name("proxyUrl") && may_be_service_name("PROXY"));
        for (word, _) in WORDS {
            assert!(service_of_member(word).is_some(), "{word}");
        }
    }

    #[test]
    fn types_are_known_by_their_many_names() {
        for (said, is) in [
            ("wms", Some("wms")),
            ("wms-group", Some("wms")),
            ("OGC:WMS-1.3.0-http-get-map", Some("wms")),
            ("wmslayer", Some("wms")),
            ("gxp_wmscsource", Some("wms")),
            ("esri-mapServer", Some("arcgis-mapserver")),
            ("esri-mapServer-group", Some("arcgis-mapserver")),
            ("ArcGISFeatureLayer", Some("arcgis-featureserver")),
            ("3d-tiles", Some("3dtiles")),
            ("WMTSSource", Some("wmts")),
            ("GET", None),
            ("layer", None),
            ("", None),
        ] {
            assert_eq!(service_of_type(said), is, "{said}");
        }
    }

    #[test]
    fn names_of_members_say_the_service() {
        for (name, is) in [
            ("wmsUrl", Some("wms")),
            ("WMS_URL", Some("wms")),
            ("urlWfs", Some("wfs")),
            ("wms", Some("wms")),
            ("wmts_service_url", Some("wmts")),
            ("geoserverUrl", Some("")),
            ("geoserverWmsUrl", Some("wms")),
            ("GetCapabilitiesUrl", Some("")),
            ("threddsCatalog", Some("thredds")),
            ("featureServer", Some("arcgis-featureserver")),
            ("wmsLegendUrl", None),
            ("wmsProxy", None),
            ("browser", None),
            ("url", None),
            ("params", None),
        ] {
            assert_eq!(service_of_member(name), is, "{name}");
        }
    }
}
