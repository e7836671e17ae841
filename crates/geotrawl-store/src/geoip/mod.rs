//! Locates hosts by looking up their IP addresses in GeoIP databases. Never guesses from host
//! names.

mod countries;

use countries::POINTS;
use geotrawl_model::{Host, Precision};
use ipnet::IpNet;
use maxminddb::{Reader, path};
use std::collections::HashMap;
use std::net::IpAddr;
use std::path::Path;
use std::sync::Arc;

/// Location of an IP address, as far as a database knows it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct IpLocation {
    /// ISO 3166 code.
    pub country: Option<String>,
    pub city: Option<String>,
    pub lat: Option<f64>,
    pub lon: Option<f64>,
    pub precision: Option<Precision>,
}

/// GeoIP databases, queried in order; the first one that knows an address decides.
#[derive(Clone, Default)]
pub struct GeoIpDatabases {
    databases: Vec<Arc<GeoIpDatabase>>,
}

enum GeoIpDatabase {
    Mmdb(Reader<Vec<u8>>),
    Table(NetworkTable),
}

/// Networks grouped by prefix length, longest first.
#[derive(Default)]
struct NetworkTable {
    lengths: Vec<(bool, u8)>,
    places: HashMap<IpNet, IpLocation>,
}

/// A GeoIP database that cannot be loaded.
#[derive(Debug, thiserror::Error)]
#[error("cannot load GeoIP database {file}: {cause}")]
pub struct GeoIpError {
    pub file: String,
    pub cause: String,
}

impl GeoIpDatabases {
    /// Adds an MMDB file, shaped like GeoIP2 or ip-location-db.
    pub fn with_mmdb(self, file: &Path) -> Result<Self, GeoIpError> {
        let name = file.display().to_string();
        let bytes = std::fs::read(file)
            .map_err(|error| GeoIpError { file: name.clone(), cause: error.to_string() })?;
        self.with_mmdb_bytes(&name, bytes)
    }

    /// Adds an MMDB that is already in memory.
    pub fn with_mmdb_bytes(mut self, name: &str, bytes: Vec<u8>) -> Result<Self, GeoIpError> {
        let reader = Reader::from_source(bytes)
            .map_err(|error| GeoIpError { file: name.to_owned(), cause: error.to_string() })?;
        self.databases.push(Arc::new(GeoIpDatabase::Mmdb(reader)));
        Ok(self)
    }

    /// Adds a table of networks supplied by the operator, for addresses that public databases do
    /// not know. Lines are `network,country,city,lat,lon`; all fields but the network may be empty.
    pub fn with_table(mut self, name: &str, text: &str) -> Result<Self, GeoIpError> {
        let mut table = NetworkTable::default();
        for (number, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') || line.starts_with("network,") {
                continue;
            }
            let (net, place) = parse_row(line).map_err(|cause| GeoIpError {
                file: name.to_owned(),
                cause: format!("line {}: {cause}", number + 1),
            })?;
            table.add(net, place);
        }
        self.databases.push(Arc::new(GeoIpDatabase::Table(table)));
        Ok(self)
    }

    /// Returns these databases placed after those of `first`.
    #[must_use]
    pub fn after(self, first: Self) -> Self {
        Self { databases: first.databases.into_iter().chain(self.databases).collect() }
    }

    /// Returns the location of an address.
    pub fn locate_address(&self, address: IpAddr) -> Option<IpLocation> {
        // An IPv4-mapped IPv6 address must match IPv4 networks.
        let address = address.to_canonical();
        let found = self.databases.iter().find_map(|database| match &**database {
            GeoIpDatabase::Mmdb(reader) => look_up_mmdb(reader, address),
            GeoIpDatabase::Table(table) => table.find(address),
        })?;
        Some(with_country_point(found))
    }

    /// Fills in the location of a host from its IP address.
    pub fn locate_host(&self, host: &mut Host) {
        let Some(place) =
            host.ip.as_deref().and_then(|ip| ip.parse().ok()).and_then(|ip| self.locate_address(ip))
        else {
            return;
        };
        host.country = place.country;
        host.city = place.city;
        host.lat = place.lat;
        host.lon = place.lon;
        host.precision = place.precision;
    }
}

impl NetworkTable {
    fn add(&mut self, net: IpNet, place: IpLocation) {
        let length = (net.addr().is_ipv6(), net.prefix_len());
        if !self.lengths.contains(&length) {
            self.lengths.push(length);
            // Longest prefix first, so that the most specific network is found first.
            self.lengths.sort_unstable_by_key(|(_, bits)| std::cmp::Reverse(*bits));
        }
        self.places.insert(net.trunc(), place);
    }

    fn find(&self, address: IpAddr) -> Option<IpLocation> {
        let lengths = self.lengths.iter().filter(|(six, _)| *six == address.is_ipv6());
        lengths
            .filter_map(|(_, bits)| IpNet::new(address, *bits).ok())
            .find_map(|net| self.places.get(&net.trunc()).cloned())
    }
}

/// Looks up an address in either shape of MMDB: GeoIP2 (`country.iso_code`, `location.latitude`) or
/// ip-location-db (`country_code`, `latitude`).
fn look_up_mmdb(reader: &Reader<Vec<u8>>, address: IpAddr) -> Option<IpLocation> {
    let found = reader.lookup(address).ok().filter(maxminddb::LookupResult::has_data)?;
    let text = |deep: &[maxminddb::PathElement<'_>], flat: &str| {
        let deep = found.decode_path::<String>(deep).ok().flatten();
        deep.or_else(|| found.decode_path::<String>(&path![flat]).ok().flatten())
    };
    // Some databases store coordinates as text.
    let number = |deep: &[maxminddb::PathElement<'_>], flat: &str| {
        let deep = found.decode_path::<f64>(deep).ok().flatten();
        let deep = deep.or_else(|| found.decode_path::<f64>(&path![flat]).ok().flatten());
        deep.or_else(|| found.decode_path::<String>(&path![flat]).ok().flatten()?.parse().ok())
    };
    let place = IpLocation {
        country: text(&path!["country", "iso_code"], "country_code"),
        city: text(&path!["city", "names", "en"], "city"),
        lat: number(&path!["location", "latitude"], "latitude"),
        lon: number(&path!["location", "longitude"], "longitude"),
        precision: None,
    };
    (place != IpLocation::default()).then_some(place)
}

/// Sets the precision of a location. A location with only a country gets that country's point.
fn with_country_point(mut place: IpLocation) -> IpLocation {
    let valid = |lat: f64, lon: f64| (-90.0..=90.0).contains(&lat) && (-180.0..=180.0).contains(&lon);
    if let (Some(lat), Some(lon)) = (place.lat, place.lon)
        && valid(lat, lon)
    {
        place.precision = Some(if place.city.is_some() { Precision::City } else { Precision::Region });
        return place;
    }
    let country = place.country.as_deref().unwrap_or_default();
    let point = POINTS.binary_search_by_key(&country, |(code, _, _)| code).ok().and_then(|at| POINTS.get(at));
    place.lat = point.map(|(_, lat, _)| *lat);
    place.lon = point.map(|(_, _, lon)| *lon);
    place.precision = point.map(|_| Precision::Country);
    place
}

fn parse_row(line: &str) -> Result<(IpNet, IpLocation), String> {
    let mut fields = line.split(',').map(str::trim);
    let net = fields.next().unwrap_or_default();
    let net: IpNet =
        net.parse().map_err(|_invalid| format!("'{net}' is not a network such as 10.1.0.0/16"))?;
    let mut text = || fields.next().filter(|field| !field.is_empty()).map(str::to_owned);
    let (country, city, lat, lon) = (text(), text(), text(), text());
    let number = |text: Option<String>, most: f64| match text {
        None => Ok(None),
        Some(text) => match text.parse::<f64>() {
            Ok(value) if value.abs() <= most => Ok(Some(value)),
            _ => Err(format!("'{text}' is not a coordinate in degrees")),
        },
    };
    let (lat, lon) = (number(lat, 90.0)?, number(lon, 180.0)?);
    Ok((
        net,
        IpLocation { country: country.map(|code| code.to_uppercase()), city, lat, lon, precision: None },
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> GeoIpDatabases {
        let text = "network,country,city,lat,lon\n10.0.0.0/8,nl,,,\n10.1.0.0/16,DE,Bonn,50.73,7.1\n# x\n2001:db8::/32,SE,,,\n";
        GeoIpDatabases::default().with_table("own.csv", text).unwrap()
    }

    #[test]
    fn the_longest_network_decides() {
        let bonn = table().locate_address("10.1.2.3".parse().unwrap()).unwrap();
        assert_eq!(
            (bonn.city.as_deref(), bonn.lat, bonn.precision),
            (Some("Bonn"), Some(50.73), Some(Precision::City))
        );
        let somewhere = table().locate_address("10.9.2.3".parse().unwrap()).unwrap();
        assert_eq!(
            (somewhere.country.as_deref(), somewhere.precision),
            (Some("NL"), Some(Precision::Country))
        );
        assert!(somewhere.lat.is_some(), "a country is shown at its middle");
        assert!(table().locate_address("192.0.2.1".parse().unwrap()).is_none());
    }

    #[test]
    fn both_families_and_mapped_addresses_are_found() {
        assert_eq!(
            table().locate_address("2001:db8::1".parse().unwrap()).unwrap().country.as_deref(),
            Some("SE")
        );
        assert_eq!(
            table().locate_address("::ffff:10.1.2.3".parse().unwrap()).unwrap().city.as_deref(),
            Some("Bonn")
        );
    }

    #[test]
    fn a_bad_line_is_named() {
        let error = GeoIpDatabases::default()
            .with_table("own.csv", "10.0.0.0/8\nnowhere,DE\n")
            .err()
            .unwrap()
            .to_string();
        assert!(error.contains("line 2") && error.contains("nowhere"), "{error}");
        let error = GeoIpDatabases::default()
            .with_table("own.csv", "10.0.0.0/8,DE,,north,5\n")
            .err()
            .unwrap()
            .to_string();
        assert!(error.contains("north"), "{error}");
        assert!(GeoIpDatabases::default().with_mmdb_bytes("x.mmdb", b"not a database".to_vec()).is_err());
    }

    #[test]
    fn the_table_of_countries_is_sorted() {
        assert!(POINTS.is_sorted_by_key(|(code, _, _)| *code));
    }
}
