//! Reads the Data Portals Registry of Dateno (datenoio/dataportals-registry, CC BY 4.0): one JSON
//! object per line, each a catalogue with typed endpoints.

use super::{Seed, SeedListReport, address};
use serde::Deserialize;
use serde_json::Value;
use std::io::{self, BufRead};

/// Prefixes of useful endpoint types with the kind found there. An empty kind means that the URL
/// decides. Types that are not listed (documentation, exports, other data) are skipped.
const TYPES: &[(&str, &str)] = &[
    ("arcgis:portals", "arcgis-portal"),
    ("arcgis:rest:services", "arcgis-directory"),
    ("atom", ""),
    ("ckan", "ckan"),
    ("csw", "csw"),
    ("dcat", "dcat"),
    ("erddap", "erddap"),
    ("geomapfish:themes", ""),
    ("geonetwork", "geonetwork"),
    ("geonode:datasets", "geonode"),
    ("geonode:dcat", "dcat"),
    ("geonode:layers", "geonode"),
    ("hyrax:catalog", "thredds"),
    ("lizmap:service", ""),
    ("masterportal:config", ""),
    ("mviewer:config", ""),
    ("oaipmh", "oai-pmh"),
    ("ogcrecordsapi", "ogcapi-records"),
    ("opendap:catalog", "thredds"),
    ("opendatasoft", "opendatasoft"),
    ("opensearch", "opensearch"),
    ("pygeoapi:collections", "ogcapi-features"),
    ("qwc2", ""),
    ("schemaorg:datacatalog", ""),
    ("sitemap", ""),
    ("socrata", "socrata"),
    ("sos", "sos"),
    ("stac", "stac-api"),
    ("terria:config", ""),
    ("thredds:catalog", "thredds"),
    ("tms", "tms"),
    ("wcs", "wcs"),
    ("wfs", "wfs"),
    ("wms", "wms"),
    ("wmts", "wmts"),
    ("wps", "wps"),
];

#[derive(Deserialize)]
struct RegistryEntry {
    name: Option<String>,
    link: Option<String>,
    #[serde(default)]
    catalog_type: Option<String>,
    #[serde(default)]
    owner: Option<RegistryOwner>,
    #[serde(default)]
    endpoints: Option<Vec<RegistryEndpoint>>,
}

#[derive(Deserialize)]
struct RegistryEndpoint {
    #[serde(rename = "type")]
    type_: Option<String>,
    url: Option<String>,
}

#[derive(Deserialize)]
struct RegistryOwner {
    location: Option<RegistryLocation>,
}

#[derive(Deserialize)]
struct RegistryLocation {
    country: Option<RegistryCountry>,
}

#[derive(Deserialize)]
struct RegistryCountry {
    id: Option<Value>,
}

impl RegistryCountry {
    /// Returns the country code. The registry is exported from YAML,
    /// which reads Norway's `NO` as `false`.
    fn code(self) -> Option<String> {
        match self.id? {
            Value::String(code) => Some(code),
            Value::Bool(false) => Some("NO".to_owned()),
            _ => None,
        }
    }
}

/// Reads entries: useful endpoints, and the home page of every geoportal.
pub fn read_entries(
    input: impl BufRead,
    take: &mut dyn FnMut(Seed) -> bool,
    told: &mut SeedListReport,
) -> io::Result<()> {
    for (at, line) in input.split(b'\n').enumerate() {
        let line = line?;
        if line.trim_ascii().is_empty() {
            continue;
        }
        let entry: RegistryEntry = match serde_json::from_slice(&line) {
            Ok(entry) => entry,
            Err(error) => {
                told.problem(format_args!("line {}", at + 1), error);
                continue;
            }
        };
        let country = entry.owner.and_then(|owner| owner.location?.country?.code());
        let mut seeds = Vec::new();
        if entry.catalog_type.as_deref() == Some("Geoportal") {
            seeds.extend(entry.link.map(|url| (url, "")));
        }
        for endpoint in entry.endpoints.unwrap_or_default() {
            if let (Some(type_), Some(url)) = (endpoint.type_, endpoint.url)
                && let Some((_, kind)) = TYPES.iter().find(|(start, _)| type_.starts_with(start))
            {
                seeds.push((url, *kind));
            }
        }
        for (url, kind) in seeds {
            let url = match address(&url) {
                Ok(url) => url.into(),
                Err(cause) => {
                    told.problem(format_args!("line {}", at + 1), cause);
                    continue;
                }
            };
            let seed = Seed {
                url,
                kind: (!kind.is_empty()).then(|| kind.to_owned()),
                title: entry.name.clone(),
                country: country.clone(),
            };
            if !take(seed) {
                return Ok(());
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typed_endpoints_become_seeds_and_the_rest_is_left() {
        let text = concat!(
            r#"{"name": "Somewhere", "link": "https://geo.example.org", "catalog_type": "Geoportal", "#,
            r#""owner": {"location": {"country": {"id": "NL"}}}, "endpoints": ["#,
            r#"{"type": "wms130", "url": "https://geo.example.org/ows?service=WMS"}, "#,
            r#"{"type": "arcgis:soap", "url": "https://geo.example.org/services"}, "#,
            r#"{"type": "csw202", "url": "https://geo.example.org/csw"}, {"type": "csw202", "url": "bad"}]}"#,
            "\n{broken\n",
            r#"{"name": "Kart", "catalog_type": "Geoportal", "link": "kart.example.no", "owner": {"location": {"country": {"id": false}}}}"#,
            "\n",
            r#"{"name": "Microdata", "link": "https://micro.example.org", "catalog_type": "Microdata catalog"}"#,
        );
        let (mut seeds, mut told) = (Vec::new(), SeedListReport::default());
        read_entries(
            text.as_bytes(),
            &mut |seed| {
                seeds.push(seed);
                true
            },
            &mut told,
        )
        .unwrap();
        let rows: Vec<_> = seeds.iter().map(|s| (s.url.as_str(), s.kind.as_deref())).collect();
        assert_eq!(
            rows,
            [
                ("https://geo.example.org/", None),
                ("https://geo.example.org/ows?service=WMS", Some("wms")),
                ("https://geo.example.org/csw", Some("csw")),
                ("http://kart.example.no/", None),
            ]
        );
        let countries: Vec<_> =
            seeds.iter().map(|seed| seed.country.as_deref().unwrap_or_default()).collect();
        assert_eq!(countries, ["NL", "NL", "NL", "NO"]);
        assert_eq!(told.unreadable, 2);
    }
}
