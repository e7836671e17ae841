//! Reduces names and titles to what survives a change of software: `ws:Roads_2019` and `roads`
//! become the same.

use std::collections::HashMap;
use unicode_normalization::UnicodeNormalization;

/// Maximum length of the text that is used.
const LONGEST: usize = 200;

/// Tokens that say nothing about a service: software names, versions and conventional words. Sorted.
const SILENT: &[&str] = &[
    "a",
    "and",
    "api",
    "arcgis",
    "au",
    "d",
    "data",
    "dataset",
    "daten",
    "datos",
    "de",
    "der",
    "des",
    "die",
    "donnees",
    "du",
    "e",
    "el",
    "et",
    "fc",
    "feature",
    "features",
    "for",
    "geo",
    "geoserver",
    "gis",
    "in",
    "l",
    "la",
    "las",
    "layer",
    "layers",
    "le",
    "les",
    "line",
    "lines",
    "lyr",
    "map",
    "maps",
    "mapserver",
    "mv",
    "new",
    "of",
    "ogc",
    "old",
    "point",
    "points",
    "polygon",
    "public",
    "server",
    "service",
    "services",
    "shp",
    "tbl",
    "test",
    "the",
    "und",
    "v",
    "view",
    "vw",
    "wcs",
    "web",
    "wfs",
    "wms",
    "wmts",
    "y",
];

/// Names of demonstration data and of common base maps; sorted.
const DEMO: &[&str] = &[
    "arcgridsample",
    "archsites",
    "background",
    "basemap",
    "blumarble",
    "boundarylines",
    "bugsites",
    "coastlines",
    "countries",
    "countryboundaries",
    "demo",
    "disputedareas",
    "giantpolygon",
    "graticule",
    "imgsample",
    "mosaic",
    "naturalearth",
    "openstreetmap",
    "osm",
    "osmroads",
    "poi",
    "polylandmarks",
    "populatedplaces",
    "restricted",
    "sfdem",
    "spearfish",
    "states",
    "streams",
    "tasmaniacities",
    "tasmaniaroads",
    "tasmaniastateboundaries",
    "tasmaniawaterbodies",
    "tigerny",
    "tigerroads",
    "worldborders",
    "worldmap",
];

/// Common layer names; sorted.
const EVERYDAY_WORDS: &[&str] = &[
    "address",
    "addresses",
    "admin",
    "aerial",
    "areas",
    "batiments",
    "boundaries",
    "boundary",
    "building",
    "buildings",
    "bus",
    "cadastre",
    "cities",
    "city",
    "communes",
    "contours",
    "counties",
    "dem",
    "districts",
    "dtm",
    "edificios",
    "elevation",
    "flur",
    "flurstucke",
    "forest",
    "forests",
    "gebaude",
    "gemeinden",
    "geology",
    "grenzen",
    "grid",
    "hillshade",
    "hospitals",
    "hydro",
    "hydrography",
    "imagery",
    "lakes",
    "landcover",
    "landuse",
    "limites",
    "municipalities",
    "ortho",
    "orthophoto",
    "orthophotos",
    "parcelles",
    "parcels",
    "parks",
    "places",
    "population",
    "protectedareas",
    "rail",
    "railways",
    "regions",
    "rios",
    "river",
    "rivers",
    "road",
    "roads",
    "routes",
    "schools",
    "schulen",
    "sites",
    "soil",
    "soils",
    "stations",
    "strassen",
    "streets",
    "suelos",
    "temperature",
    "towns",
    "trails",
    "transport",
    "trees",
    "urban",
    "vegetation",
    "wald",
    "water",
    "waterbodies",
    "watersheds",
    "wells",
    "wetlands",
    "zones",
    "zoning",
];

/// A name or title reduced to its significant parts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct NormalizedName {
    /// Significant tokens in order.
    pub tokens: Vec<String>,
    /// The last year in the text; 0 if there is none.
    pub year: u16,
}

impl NormalizedName {
    /// Joins all tokens into one word.
    pub fn to_key(&self) -> String {
        self.tokens.concat()
    }
}

/// Normalizes a name and removes its workspace.
pub(super) fn normalize_name(name: &str) -> NormalizedName {
    let local = name.rsplit([':', '/', '}']).find(|part| !part.trim().is_empty()).unwrap_or_default();
    // Remove database schemas before tables: `gis.public.roads`.
    let local = local.rsplit('.').find(|part| !part.trim().is_empty()).unwrap_or(local);
    normalize_text(local)
}

/// Normalizes a title or another text.
pub(super) fn normalize_text(text: &str) -> NormalizedName {
    let mut plain = NormalizedName::default();
    for token in tokens(text) {
        if let Some(year) = year(&token) {
            plain.year = year;
        } else if !says_nothing(&token) {
            plain.tokens.push(token);
        }
    }
    plain
}

/// Splits into lower-case tokens without diacritics: at punctuation, between letters and digits,
/// and before a capital after a small letter.
fn tokens(text: &str) -> Vec<String> {
    let mut tokens: Vec<String> = Vec::new();
    let mut last = ' ';
    for c in text.chars().take(LONGEST) {
        if c.is_alphanumeric() {
            let parted = !last.is_alphanumeric()
                || last.is_numeric() != c.is_numeric()
                || (last.is_lowercase() && c.is_uppercase());
            if parted {
                tokens.push(String::new());
            }
            if let Some(token) = tokens.last_mut() {
                match c {
                    'ß' => token.push_str("ss"),
                    'ø' | 'Ø' => token.push('o'),
                    'æ' | 'Æ' => token.push('a'),
                    'ł' | 'Ł' => token.push('l'),
                    'đ' | 'Đ' => token.push('d'),
                    _ => token
                        .extend(c.nfkd().filter(|part| part.is_alphanumeric()).flat_map(char::to_lowercase)),
                }
            }
        }
        last = c;
    }
    // `ä` became `a`, while others write `ae`. Both mean the same, so reduce both to the shorter
    // form.
    for token in &mut tokens {
        for (long, short) in [("ae", "a"), ("oe", "o"), ("ue", "u")] {
            if token.contains(long) {
                *token = token.replace(long, short);
            }
        }
    }
    tokens.retain(|token| !token.is_empty());
    tokens
}

/// Returns the year that a token stands for.
fn year(token: &str) -> Option<u16> {
    let year: u16 = token.parse().ok()?;
    (token.len() == 4 && (1900..2100).contains(&year)).then_some(year)
}

/// Returns whether a token was added by software, versions or conventions.
fn says_nothing(token: &str) -> bool {
    SILENT.binary_search(&token).is_ok()
}

/// Returns whether a key is too short to identify a dataset, or belongs to demonstration data.
pub(super) fn is_demo(name: &str, key: &str) -> bool {
    // Workspaces of GeoServer's demonstration data, and Natural Earth.
    const SPACES: &[&str] = &["topp:", "tiger:", "nurc:", "sf:", "ne:", "it.geosolutions:", "ne_"];
    let lower = name.to_lowercase();
    key.chars().count() < 3
        || key.chars().all(char::is_numeric)
        || SPACES.iter().any(|space| lower.starts_with(space))
        || DEMO.binary_search(&key).is_ok()
}

/// Information content of a common name, in bits.
pub(super) const EVERYDAY: u8 = 2;

/// Returns the information content of a name, in bits.
pub(super) fn information_bits(key: &str) -> u8 {
    match key.chars().count() {
        0..3 => 0,
        _ if is_everyday(key) => EVERYDAY,
        3..10 => 4,
        _ => 6,
    }
}

/// Returns whether a name is so common that a match is insignificant.
fn is_everyday(key: &str) -> bool {
    EVERYDAY_WORDS.binary_search(&key).is_ok()
}

/// Minimum number of names for recognising a prefix.
pub(super) const SHOW_PREFIX: usize = 3;

/// Returns the first token if nearly all names share it, e.g. an organisation or a place that other
/// software omits.
pub(super) fn shared_prefix(names: &[NormalizedName]) -> Option<String> {
    if names.len() < SHOW_PREFIX {
        return None;
    }
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for name in names.iter().filter(|name| name.tokens.len() > 1) {
        if let Some(first) = name.tokens.first() {
            *counts.entry(first).or_default() += 1;
        }
    }
    let (first, count) = counts.into_iter().max_by_key(|(token, count)| (*count, *token))?;
    (count * 5 >= names.len() * 4).then(|| first.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_sorted() {
        for list in [SILENT, DEMO, EVERYDAY_WORDS] {
            assert!(list.is_sorted());
        }
    }

    #[test]
    fn spellings_of_one_name_meet() {
        for name in ["ws:Roads_2019", "roads", "gis.public.ROADS", "Roads-layer", "v_roads", "{urn:x}roads"] {
            assert_eq!(normalize_name(name).to_key(), "roads", "{name}");
        }
        assert_eq!(normalize_name("ws:Roads_2019").year, 2019);
        assert_eq!(normalize_name("LandUsePlan").to_key(), normalize_name("land_use_plan").to_key());
        assert_eq!(
            normalize_text("Gewässer der Städte").to_key(),
            normalize_text("gewaesser staedte").to_key()
        );
        assert_eq!(normalize_text("Straßen").to_key(), normalize_text("STRASSEN").to_key());
    }

    #[test]
    fn what_nearly_all_names_begin_with_is_found() {
        let names: Vec<NormalizedName> =
            ["bern_roads", "bern_water", "bern_trees", "other"].map(normalize_name).to_vec();
        assert_eq!(shared_prefix(&names), None);
        assert_eq!(shared_prefix(&names[..3]), Some("bern".to_owned()));
    }

    #[test]
    fn demonstration_data_are_known() {
        assert!(
            is_demo("topp:states", "states") && is_demo("ne:countries", "countries") && is_demo("0", "0")
        );
        assert!(!is_demo("ws:tramlines", "tramlines"));
    }
}
