//! Texts without information: defaults of server software, and the many ways to write "none". The
//! parsers of capabilities drop some of them already; here they are dropped for every kind.

use geotrawl_kinds::kinds;

/// Default titles of services; lower case, words separated by one space.
const TITLES: &[&str] = &[
    "arcgis rest services directory",
    "ckan",
    "data catalogue",
    "default",
    "deegree wfs",
    "deegree wms",
    "erddap",
    "folder",
    "geonetwork",
    "geonetwork opensource",
    "geoserver",
    "geoserver catalogue services for the web",
    "geoserver web coverage service",
    "geoserver web feature service",
    "geoserver web map service",
    "geoserver web map tile service",
    "geoserver web processing service",
    "layers",
    "map",
    "mapguide wfs server",
    "mapguide wms server",
    "mapproxy wms proxy",
    "mapserver",
    "mapserver wms",
    "mapserver wfs",
    "ms",
    "new group layer",
    "new project",
    "oai pmh",
    "ogc wcs",
    "ogc wfs",
    "ogc wms",
    "ogc wmts",
    "prototype geoserver wps",
    "pycsw geospatial catalogue",
    "pygeoapi default instance",
    "qgis mapserver",
    "qgis server",
    "qgis server wfs",
    "qgis server wms",
    "services",
    "tds catalog",
    "test",
    "thredds data server",
    "thredds server default catalog",
    "title",
    "unknown",
    "unnamed",
    "untitled",
    "web coverage service",
    "web feature service",
    "web map service",
    "web map tile service",
    "web map tile service geowebcache",
    "web processing service",
    "wfs server",
    "wms server",
];

/// Beginnings of default abstracts.
const ABSTRACTS: &[&str] = &[
    "a compliant implementation of",
    "abstract",
    "default abstract",
    "description",
    "geoserver web",
    "insert your abstract",
    "pycsw is an",
    "pygeoapi provides an api to geospatial data",
    "this is a minimal mapproxy example",
    "this is the reference implementation of",
    "this server implements the wcs specification",
    "todo",
    "wms server",
    "your abstract",
];

/// Default contacts.
const CONTACTS: &[&str] = &[
    "chief geographer",
    "claudius ptolomaeus",
    "claudius ptolomaeus gmail com",
    "email example com",
    "geoserver",
    "lastname firstname",
    "n a",
    "none",
    "null",
    "organisation",
    "organization",
    "organization name",
    "tbd",
    "test",
    "the ancient geographers",
    "the ancient geographers inc",
    "the ancient geographes inc",
    "todo",
    "unknown",
    "unknown organization",
    "unset",
    "you example com",
    "you yourdomain org",
    "your email example com",
    "your mail com",
    "your name",
    "your organisation",
    "your organization",
];

/// Default keywords.
const KEYWORDS: &[&str] = &[
    "default",
    "feature",
    "features",
    "geoserver",
    "keyword",
    "keywords",
    "map",
    "mapserver",
    "ogc",
    "ows",
    "qgis",
    "service",
];

/// Ways to write that there are no fees or constraints, or that the field was not filled in.
const NONE: &[&str] = &[
    "",
    "0",
    "aucun",
    "aucune",
    "brak",
    "geen",
    "inga",
    "ingen",
    "keine",
    "keine angabe",
    "keine angaben",
    "keine einschränkungen",
    "keine gebühren",
    "n a",
    "na",
    "nessuna",
    "nessuno",
    "ninguna",
    "ninguno",
    "no",
    "no conditions apply",
    "no fees",
    "no constraints",
    "no restrictions",
    "none",
    "none specified",
    "not applicable",
    "not specified",
    "null",
    "otherrestrictions",
    "fees none",
    "sin restricciones",
    "tbd",
    "todo",
    "undefined",
    "unknown",
    "unset",
];

/// Returns whether the title of a service is a default of the software.
pub(super) fn is_title(text: &str) -> bool {
    let plain = plain(text);
    plain.is_empty()
        || TITLES.contains(&plain.as_str())
        || kinds::ows_kinds().contains(&plain.as_str())
        || plain.strip_prefix("my ").is_some_and(|rest| {
            rest.split(' ').all(|word| is_keyword(word) || matches!(word, "server" | "ncwms"))
        })
}

/// Returns whether the abstract of a service is a default of the software.
pub(super) fn is_abstract(text: &str) -> bool {
    let plain = plain(text);
    let begins = |start: &&str| {
        plain.strip_prefix(*start).is_some_and(|rest| {
            // A single word is a default only if nothing follows it.
            if start.contains(' ') { true } else { rest.is_empty() }
        })
    };
    is_title(text) || says_none(text) || ABSTRACTS.iter().any(begins)
}

/// Returns whether a name or address of a contact is a default of the software.
pub(super) fn is_contact(text: &str) -> bool {
    let plain = plain(text);
    plain.is_empty() || CONTACTS.contains(&plain.as_str())
}

/// Returns whether a keyword (lower case) is a default of the software.
pub(super) fn is_keyword(word: &str) -> bool {
    KEYWORDS.contains(&word) || kinds::ows_kinds().contains(&word)
}

/// Returns whether a licence says "none" in one of its spellings.
pub(super) fn says_none(text: &str) -> bool {
    NONE.contains(&plain(text).as_str())
}

/// Converts to lower case and separates words by one space without punctuation; a long text is cut
/// off.
fn plain(text: &str) -> String {
    let mut plain = String::new();
    for word in text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        if plain.len() > 160 {
            break;
        }
        if !plain.is_empty() {
            plain.push(' ');
        }
        plain.extend(word.chars().take(160).flat_map(char::to_lowercase));
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_of_software_are_known() {
        for title in
            ["GeoServer Web Map Service", "WMS", "OGC:WMS", "My GeoServer WMS", "Layers", " - ", "My WMS"]
        {
            assert!(is_title(title), "{title}");
        }
        for title in ["My Town", "Layers of time", "WMS Kanton Bern", "GeoServer of Bern"] {
            assert!(!is_title(title), "{title}");
        }
        assert!(is_abstract("A compliant implementation of WMS plus most of the SLD extension."));
        assert!(is_abstract("Abstract"));
        assert!(!is_abstract("Abstract art in public places"));
        assert!(is_contact("Claudius Ptolomaeus"));
        assert!(is_contact("claudius.ptolomaeus@gmail.com"));
        assert!(is_contact("The Ancient Geographes INC"));
        assert!(!is_contact("gis@example.org"));
        assert!(says_none("NONE") && says_none("n/a") && says_none("Keine.") && says_none("Fees: none"));
        assert!(!says_none("CC BY 4.0"));
    }
}
