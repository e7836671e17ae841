//! GeoKeys, by which TIFF and LAS files describe their coordinate system.

use super::crs::{CrsRef, WktDefinition};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Number of keys to read from a directory.
const MAX_KEYS: usize = 512;
/// "User-defined": other keys hold the parameters.
const USER_DEFINED: u16 = 32_767;

const MODEL_TYPE: u16 = 1024;
const RASTER_TYPE: u16 = 1025;
const CITATION: u16 = 1026;
const GEOGRAPHIC: u16 = 2048;
const GEOGRAPHIC_CITATION: u16 = 2049;
const DATUM: u16 = 2050;
const ELLIPSOID: u16 = 2056;
const SEMI_MAJOR: u16 = 2057;
const SEMI_MINOR: u16 = 2058;
const INVERSE_FLATTENING: u16 = 2059;
const PRIME_MERIDIAN_LONGITUDE: u16 = 2061;
const PROJECTED: u16 = 3072;
const PROJECTED_CITATION: u16 = 3073;
const PROJECTION: u16 = 3074;
const METHOD: u16 = 3075;
const LINEAR_UNIT: u16 = 3076;
const LINEAR_UNIT_SIZE: u16 = 3077;

/// Value of a key.
#[derive(Debug, Clone, PartialEq)]
enum GeoKeyValue {
    Short(u16),
    Double(f64),
    Text(String),
}

/// Directory of GeoKeys.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct GeoKeys(BTreeMap<u16, GeoKeyValue>);

impl GeoKeys {
    /// Parses the key directory with its numbers and text.
    pub fn from_tags(directory: &[u16], doubles: &[f64], text: &str) -> Self {
        let mut keys = BTreeMap::new();
        let count = directory.get(3).map_or(0, |count| usize::from(*count)).min(MAX_KEYS);
        for key in directory.get(4..).unwrap_or_default().chunks_exact(4).take(count) {
            let (id, place, count, value) = (key[0], key[1], usize::from(key[2]), usize::from(key[3]));
            let value = match place {
                0 => Some(GeoKeyValue::Short(key[3])),
                34_736 => doubles.get(value).copied().map(GeoKeyValue::Double),
                34_737 => {
                    let bytes = text.as_bytes();
                    let piece = bytes.get(value..(value + count).min(bytes.len()));
                    piece.map(|p| {
                        GeoKeyValue::Text(
                            String::from_utf8_lossy(p).trim_end_matches(['|', '\0', ' ']).to_owned(),
                        )
                    })
                }
                34_735 => directory.get(value).copied().map(GeoKeyValue::Short),
                _ => None,
            };
            if let Some(value) = value {
                keys.insert(id, value);
            }
        }
        Self(keys)
    }

    fn short(&self, key: u16) -> Option<u16> {
        match self.0.get(&key)? {
            GeoKeyValue::Short(v) => Some(*v),
            _ => None,
        }
    }

    fn double(&self, key: u16) -> Option<f64> {
        match self.0.get(&key)? {
            GeoKeyValue::Double(v) => Some(*v).filter(|v| v.is_finite()),
            GeoKeyValue::Short(v) => Some(f64::from(*v)),
            GeoKeyValue::Text(_) => None,
        }
    }

    fn text(&self, key: u16) -> Option<&str> {
        match self.0.get(&key)? {
            GeoKeyValue::Text(v) => Some(v.trim()).filter(|v| !v.is_empty()),
            _ => None,
        }
    }

    /// Returns whether the directory is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns whether coordinates refer to the centre of a pixel rather than its corner.
    pub fn pixel_is_point(&self) -> bool {
        self.short(RASTER_TYPE) == Some(2)
    }

    /// Returns the coordinate system, given by code, text or parameters.
    pub fn crs(&self) -> Option<CrsRef> {
        // Codes below 1024 are reserved.
        let code = |key| self.short(key).filter(|c| (1024..USER_DEFINED).contains(c)).map(u32::from);
        let epsg = |code: u32| CrsRef::from_authority("EPSG", &code.to_string());
        if let Some(code) = code(PROJECTED) {
            return epsg(code);
        }
        let citations = [CITATION, PROJECTED_CITATION, GEOGRAPHIC_CITATION];
        let by_text = citations.iter().find_map(|key| self.text(*key).and_then(from_citation));
        if by_text.is_some() {
            return by_text;
        }
        let projected = self.short(MODEL_TYPE) == Some(1) || self.short(PROJECTED).is_some();
        if !projected && let Some(code) = code(GEOGRAPHIC) {
            return epsg(code);
        }
        let geodetic = self.geodetic()?;
        let (method, name) = if projected {
            (self.method()?, [PROJECTED_CITATION, CITATION])
        } else {
            ("+proj=longlat".to_owned(), [GEOGRAPHIC_CITATION, CITATION])
        };
        let name = name.iter().find_map(|key| self.text(*key)).and_then(short_name);
        let proj = format!("{method} {geodetic} +no_defs");
        Some(CrsRef::Wkt(Box::new(WktDefinition { name, epsg: None, proj })))
    }

    /// Returns the datum or ellipsoid in the notation of `proj4rs`.
    fn geodetic(&self) -> Option<String> {
        let by_datum = match (self.short(GEOGRAPHIC), self.short(DATUM)) {
            (Some(4326), _) | (_, Some(6326)) => Some("+datum=WGS84"),
            (Some(4269), _) | (_, Some(6269)) => Some("+ellps=GRS80 +towgs84=0,0,0"),
            (Some(4267), _) | (_, Some(6267)) => Some("+datum=NAD27"),
            (Some(4258), _) | (_, Some(6258)) => Some("+ellps=GRS80 +towgs84=0,0,0"),
            (Some(4283), _) | (_, Some(6283)) => Some("+ellps=GRS80 +towgs84=0,0,0"),
            _ => None,
        };
        if let Some(datum) = by_datum {
            return Some(datum.to_owned());
        }
        let ellipsoid = match self.short(ELLIPSOID) {
            Some(7030) => Some("WGS84"),
            Some(7019) => Some("GRS80"),
            Some(7008) => Some("clrk66"),
            Some(7004) => Some("bessel"),
            Some(7022) => Some("intl"),
            Some(7001) => Some("airy"),
            Some(7012) => Some("clrk80"),
            Some(7024) => Some("krass"),
            Some(7043) => Some("WGS72"),
            Some(7015) => Some("evrstSS"),
            _ => None,
        };
        if let Some(ellipsoid) = ellipsoid {
            return Some(format!("+ellps={ellipsoid}"));
        }
        let major = self.double(SEMI_MAJOR).filter(|a| (1e3..1e9).contains(a))?;
        if let Some(inverse) = self.double(INVERSE_FLATTENING).filter(|f| *f > 1.0) {
            return Some(format!("+a={major} +rf={inverse}"));
        }
        let minor = self.double(SEMI_MINOR).filter(|b| *b > 0.0 && *b <= major).unwrap_or(major);
        Some(format!("+a={major} +b={minor}"))
    }

    /// Returns the projection with its parameters and unit.
    fn method(&self) -> Option<String> {
        if let Some(code) = self.short(PROJECTION) {
            // EPSG coordinate operation codes for UTM zones.
            let zone = match code {
                16_001..=16_060 => Some((code - 16_000, "")),
                16_101..=16_160 => Some((code - 16_100, " +south")),
                _ => None,
            };
            if let Some((zone, half)) = zone {
                return Some(format!("+proj=utm +zone={zone}{half}"));
            }
        }
        let name = match self.short(METHOD)? {
            1 | 27 => "tmerc",
            7 => "merc",
            8 | 9 => "lcc",
            10 => "laea",
            11 => "aea",
            12 => "aeqd",
            14 | 15 => "stere",
            16 => "sterea",
            17 => "eqc",
            18 => "cass",
            23 => "robin",
            24 => "sinu",
            _ => return None,
        };
        let mut proj = format!("+proj={name}");
        let any = |keys: &[u16]| keys.iter().find_map(|key| self.double(*key));
        let mut add = |name: &str, value: Option<f64>| {
            if let Some(value) = value {
                let _ = write!(proj, " +{name}={value}");
            }
        };
        // Writers use natural origin, false origin and centre interchangeably.
        let latitude = any(&[3081, 3085, 3089]);
        add("lat_1", self.double(3078));
        add("lat_2", self.double(3079));
        if name == "stere" && self.short(METHOD) == Some(15) {
            let north = latitude.unwrap_or(90.0) >= 0.0;
            add("lat_0", Some(if north { 90.0 } else { -90.0 }));
            add("lat_ts", latitude);
        } else if name == "merc" || name == "eqc" {
            add("lat_ts", self.double(3078).or(latitude));
        } else {
            add("lat_0", latitude);
            if name == "lcc" && self.double(3078).is_none() {
                add("lat_1", latitude);
            }
        }
        add("lon_0", any(&[3080, 3084, 3088, 3095]));
        add("k_0", any(&[3092, 3093]));
        add("x_0", any(&[3082, 3086, 3090]));
        add("y_0", any(&[3083, 3087, 3091]));
        match self.short(LINEAR_UNIT) {
            Some(9002) => proj.push_str(" +to_meter=0.3048"),
            Some(9003) => proj.push_str(" +units=us-ft"),
            Some(USER_DEFINED) => {
                if let Some(size) = self.double(LINEAR_UNIT_SIZE).filter(|s| *s > 0.0) {
                    let _ = write!(proj, " +to_meter={size}");
                }
            }
            _ => {}
        }
        // `CrsRef` rejects geographic systems with another prime meridian later on.
        if let Some(meridian) = self.double(PRIME_MERIDIAN_LONGITUDE).filter(|m| *m != 0.0) {
            let _ = write!(proj, " +pm={meridian}");
        }
        Some(proj)
    }
}

/// Parses a citation: `ESRI PE String = PROJCS[...]`, or a name with a known code.
fn from_citation(citation: &str) -> Option<CrsRef> {
    let upper = citation.to_ascii_uppercase();
    let at = ["PROJCS[", "GEOGCS[", "PROJCRS[", "GEOGCRS["].iter().find_map(|start| upper.find(start))?;
    CrsRef::from_wkt(citation.get(at..)?)
}

/// Returns the name from `PCS Name = WGS_1984_UTM_Zone_32N|...`, or the citation itself.
fn short_name(citation: &str) -> Option<String> {
    let piece = citation.split('|').find(|p| !p.trim().is_empty())?;
    let piece = piece.rsplit_once('=').map_or(piece, |(_, name)| name);
    Some(piece.trim().chars().take(120).collect()).filter(|n: &String| !n.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_go_before_parameters() {
        let keys = GeoKeys::from_tags(&[1, 1, 0, 2, 1024, 0, 1, 1, 3072, 0, 1, 25_832], &[], "");
        assert_eq!(keys.crs(), Some(CrsRef::Epsg(25_832)));
        let keys = GeoKeys::from_tags(&[1, 1, 0, 3, 1024, 0, 1, 2, 2048, 0, 1, 4326, 1025, 0, 1, 2], &[], "");
        assert_eq!(keys.crs(), Some(CrsRef::Epsg(4326)));
        assert!(keys.pixel_is_point());
    }

    #[test]
    fn parameters_and_texts_define_what_has_no_code() {
        let directory = [
            1, 1, 0, 7, 1024, 0, 1, 1, 2048, 0, 1, 4326, 3072, 0, 1, 32_767, 3073, 34_737, 8, 0, 3075, 0, 1,
            10, 3088, 34_736, 1, 0, 3089, 34_736, 1, 1,
        ];
        let keys = GeoKeys::from_tags(&directory, &[10.0, 52.0], "My LAEA|");
        let Some(CrsRef::Wkt(definition)) = keys.crs() else { panic!("{keys:?}") };
        assert_eq!(definition.proj, "+proj=laea +lat_0=52 +lon_0=10 +datum=WGS84 +no_defs");
        assert_eq!(definition.name.as_deref(), Some("My LAEA"));
        let text = "ESRI PE String = GEOGCS[\"WGS 84\",DATUM[\"WGS_1984\",SPHEROID[\"WGS 84\",6378137,298.257223563]],PRIMEM[\"Greenwich\",0],UNIT[\"degree\",0.0174532925199433],AUTHORITY[\"EPSG\",\"4326\"]]|";
        let directory = [1, 1, 0, 1, 1026, 34_737, text.len() as u16, 0];
        assert_eq!(GeoKeys::from_tags(&directory, &[], text).crs(), Some(CrsRef::Epsg(4326)));
    }

    #[test]
    fn broken_directories_give_nothing() {
        assert!(GeoKeys::from_tags(&[], &[], "").is_empty());
        let keys = GeoKeys::from_tags(&[1, 1, 0, 9, 3072, 34_736, 1, 9, 1026, 34_737, 9, 60_000], &[], "x");
        assert_eq!(keys.crs(), None);
    }
}
