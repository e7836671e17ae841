//! Well-known text of coordinate systems.
//!
//! `proj4wkt` handles the grammar and the projections. This module does what it leaves to its
//! callers: it filters invalid input, extracts the code of a definition, and adds the datum shift
//! that ESRI's dialect omits.

/// Maximum length of a text; the longest definition in the EPSG dataset has 4 KB.
const MAX_TEXT: usize = 64 * 1024;
/// Maximum nesting, since the parser recurses.
const MAX_DEPTH: usize = 24;

/// Definition of a coordinate system.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WktDefinition {
    /// Name of the system.
    pub name: Option<String>,
    /// EPSG code of the system, if the text states one.
    pub epsg: Option<u32>,
    /// Projection in the notation of `proj4rs`.
    pub proj: String,
}

/// Parses a definition. Returns `None` if the text is invalid or the projection is not supported.
pub(super) fn parse_wkt(text: &str) -> Option<WktDefinition> {
    let text = clean(text)?;
    let epsg = own_code(&text);
    let name = first_string(&text).map(str::to_owned);
    let proj = match proj4wkt::wkt_to_projstring(&text) {
        Ok(proj) => with_datum_shift(proj, &text),
        // A known code is enough, since the projection can be looked up.
        Err(_) if epsg.is_some() => String::new(),
        Err(_) => return None,
    };
    Some(WktDefinition { name, epsg, proj })
}

/// Normalises the text to upper-case keywords and square brackets. Returns `None` if it cannot be
/// WKT.
fn clean(text: &str) -> Option<String> {
    let text = text.trim_start_matches('\u{feff}').trim_matches(|c: char| c.is_whitespace() || c == '\0');
    if text.len() > MAX_TEXT || !text.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return None;
    }
    let mut cleaned = String::with_capacity(text.len());
    let mut quoted = false;
    let mut depth = 0_usize;
    for c in text.chars() {
        match c {
            '"' => {
                quoted = !quoted;
                cleaned.push(c);
            }
            _ if quoted => cleaned.push(c),
            '[' | '(' => {
                depth += 1;
                if depth > MAX_DEPTH {
                    return None;
                }
                cleaned.push('[');
            }
            ']' | ')' => {
                depth = depth.checked_sub(1)?;
                cleaned.push(']');
                // Some writers append a second system or garbage.
                if depth == 0 {
                    return Some(cleaned);
                }
            }
            _ if c.is_control() && !c.is_whitespace() => {}
            _ => cleaned.push(c.to_ascii_uppercase()),
        }
    }
    None
}

/// Returns the first quoted string, which is the name.
fn first_string(text: &str) -> Option<&str> {
    text.split('"').nth(1).map(str::trim).filter(|name| !name.is_empty())
}

/// Returns the code of the outermost element: `AUTHORITY["EPSG","25832"]` or `ID["EPSG",25832]`.
fn own_code(text: &str) -> Option<u32> {
    let bytes = text.as_bytes();
    let mut quoted = false;
    let mut depth = 0_usize;
    for (i, byte) in bytes.iter().enumerate() {
        match byte {
            b'"' => quoted = !quoted,
            _ if quoted => {}
            b'[' => {
                let before = text[..i].trim_end();
                if depth == 1 && (before.ends_with("AUTHORITY") || before.ends_with(",ID")) {
                    let inside = text[i + 1..].split(']').next()?;
                    let mut parts = inside.split(',').map(|p| p.trim().trim_matches('"'));
                    if parts.next()?.eq_ignore_ascii_case("EPSG") {
                        return parts.next()?.parse().ok();
                    }
                }
                depth += 1;
            }
            b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    None
}

/// Adds the shift of a well-known datum to a projection without one.
fn with_datum_shift(proj: String, text: &str) -> String {
    if ["+towgs84", "+datum", "+nadgrids"].iter().any(|known| proj.contains(known)) {
        return proj;
    }
    let shift = datum_name(text)
        .and_then(|name| DATUMS.binary_search_by(|(known, _)| (*known).cmp(name.as_str())).ok())
        .and_then(|i| DATUMS.get(i))
        .and_then(|(_, code)| crs_definitions::from_code(*code))
        .and_then(|found| {
            let part = |key| found.proj4.split_whitespace().find(|p| p.starts_with(key));
            // A named datum implies its ellipsoid and shift; the ellipsoid is the same.
            part("+towgs84=").or_else(|| part("+datum="))
        });
    match shift {
        Some(datum) if datum.starts_with("+datum=") => {
            let rest: Vec<&str> = proj
                .split_whitespace()
                .filter(|p| !["+a=", "+b=", "+rf=", "+ellps="].iter().any(|k| p.starts_with(k)))
                .collect();
            format!("{} {datum}", rest.join(" "))
        }
        Some(towgs84) => format!("{proj} {towgs84}"),
        None => proj,
    }
}

/// Normalises the name of the datum: `D_OSGB_1936` becomes `osgb1936`.
fn datum_name(text: &str) -> Option<String> {
    let (_, after) = text.split_once("DATUM[")?;
    let name = first_string(after)?;
    let name = name.strip_prefix("D_").unwrap_or(name);
    Some(name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect())
}

/// Datums by their ESRI and OGC names, with the geographic system whose definition contains the
/// shift. Only datums that differ from WGS84 by more than a few metres are listed.
#[rustfmt::skip]
static DATUMS: &[(&str, u16)] = &[
    ("adindan", 4201), ("ainelabd1970", 4204), ("amersfoort", 4289), ("arc1960", 4210), ("australian1984",
    4203), ("australiangeodeticdatum1966", 4202), ("beijing1954", 4214), ("belge1972", 4313), ("bogota",
    4218), ("bogota1975", 4218), ("campoinchauspe", 4221), ("cape", 4222), ("carthage", 4223), ("ch1903",
    4149), ("corregoalegre", 4225), ("corregoalegre197072", 4225), ("datum73", 4274), ("dealulpiscului1970",
    4317), ("deirezzor", 4227), ("deutscheshauptdreiecksnetz", 4314), ("egypt1907", 4229), ("european1950",
    4230), ("europeandatum1950", 4230), ("fahud", 4232), ("geodeticdatumof1965", 4300), ("ggrs1987", 4121),
    ("greekgeodeticreferencesystem1987", 4121), ("hitoxviii1963", 4254), ("hongkong1980", 4611),
    ("hungarian1972", 4237), ("hungariandatum1972", 4237), ("indian1954", 4239), ("indian1975", 4240),
    ("indonesian1974", 4238), ("indonesiandatum1974", 4238), ("israel", 4141), ("israel1993", 4141),
    ("kalianpur1975", 4146), ("kandawala", 4244), ("kartastokoordinaattijarjestelma1966", 4123),
    ("kertau1968", 4245), ("kkj", 4123), ("lisbon", 4207), ("luxembourg1930", 4181),
    ("luxembourgreferenceframe", 4181), ("luzon1911", 4253), ("massawa", 4262), ("merchich", 4261), ("mgi",
    4312), ("mgi1901", 3906), ("militargeographischeinstitut", 4312), ("minna", 4263), ("montemario", 4265),
    ("mporaloko", 4266), ("nahrwan1967", 4270), ("newzealandgeodeticdatum1949", 4272), ("nordsahara1959",
    4307), ("northamerican1927", 4267), ("northamericandatum1927", 4267), ("nouvelletriangulationfrancaise",
    4275), ("ntf", 4275), ("oldhawaiian", 4135), ("ordnancesurveyofgreatbritain1936", 4277), ("osgb1936",
    4277), ("osni1952", 4188), ("provisionalsamerican1956", 4248), ("provisionalsouthamericandatum1956",
    4248), ("pulkovo1942", 4284), ("pulkovo194258", 4179), ("pulkovo194283", 4178), ("pulkovo1942adj1983",
    4178), ("pulkovo1995", 4200), ("reseaunationalbelge1972", 4313), ("riketskoordinatsystem1990", 4124),
    ("rt1990", 4124), ("schwarzeck", 4293), ("sjtsk", 4156), ("southamerican1969", 4618),
    ("southamericandatum1969", 4618), ("systemoftheunifiedtrigonometricalcadastralnetwork", 4156),
    ("timbalai1948", 4298), ("tm65", 4299), ("tm75", 4300), ("tokyo", 4301), ("trinidad1903", 4302),
    ("wgs1972", 4322), ("worldgeodeticsystem1972", 4322),
];

#[cfg(test)]
mod tests {
    use super::*;

    const OSGB: &str = r#"PROJCS["British_National_Grid",GEOGCS["GCS_OSGB_1936",DATUM["D_OSGB_1936",SPHEROID["Airy_1830",6377563.396,299.3249646]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]],PROJECTION["Transverse_Mercator"],PARAMETER["False_Easting",400000.0],PARAMETER["False_Northing",-100000.0],PARAMETER["Central_Meridian",-2.0],PARAMETER["Scale_Factor",0.9996012717],PARAMETER["Latitude_Of_Origin",49.0],UNIT["Meter",1.0]]"#;

    #[test]
    fn the_table_is_sorted_and_every_code_has_a_shift() {
        assert!(DATUMS.windows(2).all(|pair| pair[0].0 < pair[1].0));
        for (name, code) in DATUMS {
            let def = crs_definitions::from_code(*code).unwrap_or_else(|| panic!("{name} {code}"));
            assert!(
                def.proj4.contains("+towgs84=") || def.proj4.contains("+datum="),
                "{name}: {}",
                def.proj4
            );
        }
    }

    #[test]
    fn a_datum_shift_is_added_where_the_text_has_none() {
        let definition = parse_wkt(OSGB).unwrap();
        assert_eq!(definition.name.as_deref(), Some("British_National_Grid"));
        assert_eq!(definition.epsg, None);
        assert!(definition.proj.contains("+datum=OSGB36"), "{}", definition.proj);
        let with = OSGB.replace("299.3249646]]", "299.3249646],TOWGS84[375,-111,431,0,0,0,0]]");
        assert!(parse_wkt(&with).unwrap().proj.contains("+towgs84=375"), "the text's own shift goes first");
    }

    #[test]
    fn the_code_is_that_of_the_outermost_element() {
        assert_eq!(
            own_code(r#"GEOGCS["a",DATUM["b",AUTHORITY["EPSG","6326"]],AUTHORITY["EPSG","4326"]]"#),
            Some(4326)
        );
        assert_eq!(own_code(r#"GEOGCS["a",DATUM["b",AUTHORITY["EPSG","6326"]]]"#), None);
        assert_eq!(
            own_code(r#"PROJCRS["a",BASEGEOGCRS["b",ID["EPSG",4326]],ID["EPSG",32632]]"#),
            Some(32632)
        );
        assert_eq!(own_code(r#"GEOGCS["a ] AUTHORITY[ ",AUTHORITY["ESRI","104"]]"#), None);
    }

    #[test]
    fn sloppy_text_is_cleaned() {
        assert!(parse_wkt(&format!("\u{feff}{}\0\r\n", OSGB.to_lowercase())).is_some());
        assert!(parse_wkt(&OSGB.replace('[', "(").replace(']', ")")).is_some());
        assert!(parse_wkt("not a definition").is_none());
        assert!(parse_wkt("").is_none());
        assert!(parse_wkt(&"A[".repeat(50_000)).is_none());
    }
}
