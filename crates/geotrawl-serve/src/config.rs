//! Configuration of the server.

use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// The `[serve]` section of the configuration file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ServeConfig {
    /// Public address of this server, used in links and cookies; empty: taken from the request.
    pub public_url: String,
    /// Site title.
    pub title: String,
    /// Origins of other sites whose pages may use the API; `*` for all (without cookies).
    pub cors_origins: Vec<String>,
    /// Requests per minute for each address without login, and for each user.
    pub guest_rate: u32,
    pub user_rate: u32,
    /// Tasks that each user may run at once.
    pub max_running: u32,
    /// Hours after which an unused login expires.
    pub session_hours: u32,
    /// Trust `X-Forwarded-For` and `X-Forwarded-Proto` from reverse proxies on these addresses.
    pub trusted_proxies: Vec<String>,
    /// Let users load layers through this server if their browser cannot request them directly.
    pub proxy: bool,
    /// GeoIP databases (MMDB files), searched in order before the built-in one.
    pub places: Vec<PathBuf>,
    /// Host locations of your own networks (CSV: network,country,city,lat,lon).
    pub place_table: Option<PathBuf>,
    /// Search synonyms: one group of equivalent words per line, separated by commas.
    pub synonyms: Option<PathBuf>,
    /// Additional base maps.
    pub base_maps: Vec<BaseMap>,
    /// Who may read the catalogue through catalogue standards (CSW, OGC API Records, OAI-PMH, ...).
    pub standards: StandardsAudience,
    pub oidc: Option<OidcConfig>,
}

/// Who may use the catalogue standards.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StandardsAudience {
    #[default]
    Everyone,
    Nobody,
}

/// A base map added by the operator.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BaseMap {
    pub title: String,
    /// `xyz`, `wms` or `wmts`.
    pub kind: String,
    pub url: String,
    /// Layer name, for WMS and WMTS.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub layer: Option<String>,
    pub attribution: String,
}

/// Login with an OpenID Connect provider.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OidcConfig {
    /// Issuer, e.g. `https://login.example.org/realms/main`.
    pub issuer: String,
    pub client_id: String,
    /// File that contains the client secret.
    pub client_secret_file: PathBuf,
    /// Label of the login button.
    pub label: String,
    /// Create an account for every user that the provider authenticates.
    #[serde(default)]
    pub create_users: bool,
}

impl Default for ServeConfig {
    fn default() -> Self {
        Self {
            public_url: String::new(),
            title: "Geotrawl".into(),
            cors_origins: Vec::new(),
            guest_rate: 600,
            user_rate: 3_000,
            max_running: 5,
            session_hours: 72,
            trusted_proxies: Vec::new(),
            proxy: false,
            places: Vec::new(),
            place_table: None,
            synonyms: None,
            base_maps: Vec::new(),
            standards: StandardsAudience::Everyone,
            oidc: None,
        }
    }
}
