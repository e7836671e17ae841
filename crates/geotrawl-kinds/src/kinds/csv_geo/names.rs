//! Names of coordinate columns, in several languages.

/// Meaning of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnRole {
    Latitude,
    Longitude,
    Easting,
    Northing,
    X,
    Y,
    /// WKT, WKB or GeoJSON.
    Geometry,
    /// `latitude, longitude` in one cell.
    Pair,
}

const LATITUDE: &[&str] = &[
    "lat",
    "latitude",
    "latitud",
    "latitudine",
    "breitengrad",
    "breite",
    "breedtegraad",
    "latituda",
    "latdd",
    "latdec",
    "wgs84lat",
    "latwgs84",
    "szerokosc",
    "sirka",
    "leveysaste",
    "breddegrad",
    "ylat",
    "enlem",
    "широта",
    "緯度",
    "纬度",
    "위도",
];
const LONGITUDE: &[&str] = &[
    "lon",
    "long",
    "lng",
    "longitude",
    "longitud",
    "longitudine",
    "laengengrad",
    "längengrad",
    "lengtegraad",
    "longituda",
    "londd",
    "longdd",
    "londec",
    "lngdec",
    "wgs84lon",
    "lonwgs84",
    "dlugosc",
    "delka",
    "pituusaste",
    "lengdegrad",
    "längdgrad",
    "xlon",
    "boylam",
    "долгота",
    "経度",
    "经度",
    "경도",
];
const EASTING: &[&str] =
    &["easting", "eastings", "rechtswert", "ostwert", "utme", "utmx", "coordx", "xcoord", "este"];
const NORTHING: &[&str] =
    &["northing", "northings", "hochwert", "nordwert", "utmn", "utmy", "coordy", "ycoord", "norte"];
const GEOMETRY: &[&str] = &[
    "wkt",
    "geom",
    "thegeom",
    "geometry",
    "geometrie",
    "geometria",
    "wkbgeometry",
    "wkb",
    "geoshape",
    "shape",
    "geojson",
    "stasgeojson",
    "stastext",
    "wktgeom",
    "geomwkt",
    "polygon",
    "multipolygon",
];
const PAIR: &[&str] = &[
    "location",
    "latlon",
    "latlong",
    "latlng",
    "geopoint",
    "geopoint2d",
    "coordinates",
    "coordonnees",
    "koordinaten",
    "coordenadas",
    "geolocation",
    "location1",
    "geocode",
    "position",
    "point",
];

/// Returns the meaning of a column by its name.
pub fn column_role(name: &str) -> Option<ColumnRole> {
    let lower = name.trim().trim_matches(['"', '\'', '\u{feff}']).to_lowercase();
    // Ignore a unit or an explanation in brackets.
    let bare = lower.split(['(', '[']).next().unwrap_or_default();
    let joined: String = bare.chars().filter(|c| c.is_alphanumeric()).collect();
    let tables = [
        (LATITUDE, ColumnRole::Latitude),
        (LONGITUDE, ColumnRole::Longitude),
        (EASTING, ColumnRole::Easting),
        (NORTHING, ColumnRole::Northing),
        (GEOMETRY, ColumnRole::Geometry),
        (PAIR, ColumnRole::Pair),
        (&["x"][..], ColumnRole::X),
        (&["y"][..], ColumnRole::Y),
    ];
    if let Some((_, role)) = tables.iter().find(|(words, _)| words.contains(&joined.as_str())) {
        return Some(*role);
    }
    // `stop_lat`, `Start Longitude`, `pickup.lng`.
    let words: Vec<&str> = bare.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()).collect();
    let last = words.last().filter(|_| words.len() > 1 && words.len() <= 4)?;
    let first = words.first()?;
    let is = |list: &[&str]| list.contains(last) || list.contains(first);
    match (is(LATITUDE), is(LONGITUDE)) {
        (true, false) => Some(ColumnRole::Latitude),
        (false, true) if last.len() > 2 && *first != "long" && *last != "long" => Some(ColumnRole::Longitude),
        _ if EASTING.contains(last) => Some(ColumnRole::Easting),
        _ if NORTHING.contains(last) => Some(ColumnRole::Northing),
        _ => None,
    }
}

/// Returns the first two columns with these roles, preferring columns whose names are otherwise
/// alike.
pub fn find_pair(
    header: &[String],
    roles: &[Option<ColumnRole>],
    first: ColumnRole,
    second: ColumnRole,
) -> Option<(usize, usize)> {
    let at = |role| roles.iter().enumerate().filter(move |(_, r)| **r == Some(role)).map(|(i, _)| i);
    let alike = |x: usize, y: usize| match (header.get(x), header.get(y)) {
        (Some(x), Some(y)) => x.len().abs_diff(y.len()) <= 2 && x.chars().next() == y.chars().next(),
        _ => false,
    };
    let pairs = || at(first).take(8).flat_map(|x| at(second).take(8).map(move |y| (x, y)));
    pairs().find(|(x, y)| alike(*x, *y)).or_else(|| pairs().next())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_many_forms_are_known() {
        for (name, expected) in [
            ("Latitude", Some(ColumnRole::Latitude)),
            ("LAT_WGS84", Some(ColumnRole::Latitude)),
            ("lat (deg)", Some(ColumnRole::Latitude)),
            ("stop_lon", Some(ColumnRole::Longitude)),
            ("Längengrad", Some(ColumnRole::Longitude)),
            ("Geo Point", Some(ColumnRole::Pair)),
            ("the_geom", Some(ColumnRole::Geometry)),
            ("Rechtswert", Some(ColumnRole::Easting)),
            ("X", Some(ColumnRole::X)),
            ("plate", None),
            ("late", None),
            ("how long", None),
            ("long description", None),
            ("lateral", None),
            ("name", None),
        ] {
            assert_eq!(column_role(name), expected, "{name}");
        }
    }
}
