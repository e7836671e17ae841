//! Codes of systems that are identified only by name.
//!
//! ESRI's `.prj` files contain no codes, but the most common systems can be identified by name. The
//! code is used only as a label and for filters; the extent is computed from the parameters in the
//! text.

/// Returns the EPSG code of a system by its name in ESRI or OGC texts.
pub(super) fn epsg_code_by_name(name: &str) -> Option<u32> {
    let plain: String = name
        .chars()
        .filter(|c| c.is_ascii_alphanumeric() || *c == '+')
        .map(|c| c.to_ascii_lowercase())
        .collect();
    let known = NAMES.binary_search_by(|(known, _)| (*known).cmp(plain.as_str())).ok();
    known.and_then(|i| NAMES.get(i)).map(|(_, code)| *code).or_else(|| zone(&plain))
}

/// Returns the code of a system in a numbered zone.
fn zone(plain: &str) -> Option<u32> {
    let (family, rest) =
        [("utmzone", "utm"), ("mgazone", "mga"), ("3degreegausszone", "gk")].iter().find_map(
            |(marker, family)| plain.split_once(marker).map(|(datum, zone)| (*family, (datum, zone))),
        )?;
    let (datum, zone) = rest;
    let digits = zone.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let number: u32 = digits.parse().ok().filter(|n| (1..=60).contains(n))?;
    let south = zone.ends_with('s');
    match (family, datum, south) {
        ("utm", "wgs1984" | "wgs84", false) => Some(32600 + number),
        ("utm", "wgs1984" | "wgs84", true) => Some(32700 + number),
        ("utm", "etrs1989" | "etrs89", false) if (28..=38).contains(&number) => Some(25800 + number),
        ("utm", "nad1983" | "nad83", false) if number <= 23 => Some(26900 + number),
        ("utm", "nad1927" | "nad27", false) if number <= 22 => Some(26700 + number),
        ("utm", "ed1950" | "europeandatum1950" | "ed50", false) if (28..=38).contains(&number) => {
            Some(23000 + number)
        }
        ("utm", "sirgas2000", true) if (17..=25).contains(&number) => Some(31960 + number),
        ("mga", "gda1994", _) if (48..=58).contains(&number) => Some(28300 + number),
        ("mga", "gda2020", _) if (46..=59).contains(&number) => Some(7800 + number),
        ("gk", "dhdn", _) if (2..=5).contains(&number) => Some(31464 + number),
        _ => None,
    }
}

/// Names without punctuation, sorted.
#[rustfmt::skip]
static NAMES: &[(&str, u32)] = &[
    ("amersfoort", 4289), ("amersfoortrdnew", 28992), ("belgelambert1972", 31370), ("belgelambert2008",
    3812), ("britishnationalgrid", 27700), ("ch1903", 4149), ("ch1903+lv95", 2056), ("ch1903lv03", 21781),
    ("dhdn", 4314), ("ed50", 4230), ("estonia1997estonianationalgrid", 3301), ("etrf2000plcs92", 2180),
    ("etrs1989laea", 3035), ("etrs1989lcc", 3034), ("etrs1989polandcs92", 2180), ("etrs1989portugaltm06",
    3763), ("etrs89", 4258), ("etrs89laeaeurope", 3035), ("etrs89tm35finen", 3067), ("eureffintm35fin",
    3067), ("gcsamersfoort", 4289), ("gcsch1903", 4149), ("gcschinageodeticcoordinatesystem2000", 4490),
    ("gcsdeutscheshauptdreiecksnetz", 4314), ("gcsetrs1989", 4258), ("gcseuropean1950", 4230),
    ("gcsgda1994", 4283), ("gcsgda2020", 7844), ("gcsjgd2000", 4612), ("gcsjgd2011", 6668),
    ("gcsnorthamerican1927", 4267), ("gcsnorthamerican1983", 4269), ("gcsnorthamerican1983csrs", 4617),
    ("gcsosgb1936", 4277), ("gcsrgf1993", 4171), ("gcssirgas2000", 4674), ("gcswgs1984", 4326), ("gda2020",
    7844), ("gda94", 4283), ("hongkong1980grid", 2326), ("htrs96croatiatm", 3765),
    ("hungarian1972egysegesorszagosvetuleti", 23700), ("israeltmgrid", 2039), ("mgiaustrialambert", 31287),
    ("nad1983bcenvironmentalbers", 3005), ("nad1983contiguoususaalbers", 5070),
    ("nad1983statisticscanadalambert", 3347), ("nad27", 4267), ("nad83", 4269),
    ("nzgd2000newzealandtransversemercator", 2193), ("osgb1936britishnationalgrid", 27700),
    ("osgb36britishnationalgrid", 27700), ("rdnew", 28992), ("rgf1993lambert93", 2154), ("rgf93lambert93",
    2154), ("sirgas2000", 4674), ("sjtskkrovakeastnorth", 5514), ("slovenia1996slovenenationalgrid", 3794),
    ("svy21singaporetm", 3414), ("sweref99tm", 3006), ("wgs1984webmercatorauxiliarysphere", 3857), ("wgs84",
    4326),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted_and_defined() {
        assert!(NAMES.windows(2).all(|pair| pair[0].0 < pair[1].0));
        for (name, code) in NAMES {
            assert!(crs_definitions::from_code(*code as u16).is_some(), "{name} {code}");
        }
    }

    #[test]
    fn names_and_zones_are_known() {
        for (name, code) in [
            ("GCS_WGS_1984", 4326),
            ("WGS 84", 4326),
            ("British_National_Grid", 27700),
            ("CH1903+_LV95", 2056),
            ("WGS_1984_UTM_Zone_32N", 32632),
            ("WGS_1984_UTM_Zone_19S", 32719),
            ("WGS 84 / UTM zone 33N", 32633),
            ("ETRS_1989_UTM_Zone_32N", 25832),
            ("NAD_1983_UTM_Zone_18N", 26918),
            ("GDA_1994_MGA_Zone_55", 28355),
            ("GDA2020_MGA_Zone_55", 7855),
            ("SIRGAS_2000_UTM_Zone_22S", 31982),
            ("DHDN_3_Degree_Gauss_Zone_3", 31467),
        ] {
            assert_eq!(epsg_code_by_name(name), Some(code), "{name}");
        }
        for name in ["", "Custom", "WGS_1984_UTM_Zone_61N", "ETRS_1989_UTM_Zone_32N_8stellen", "UTM Zone"] {
            assert_eq!(epsg_code_by_name(name), None, "{name}");
        }
    }
}
