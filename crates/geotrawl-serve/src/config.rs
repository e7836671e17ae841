//! Settings of the answering side.

use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// What `[serve]` of the configuration file says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ServeConfig {
    /// Address under which people reach this server, for links and cookies; empty: as the request says.
    pub public_url: String,
    /// Name shown in the application.
    pub title: String,
    /// Origins of other sites whose pages may use the API; `*` for all (without cookies).
    pub cors_origins: Vec<String>,
    /// Requests a minute for one address without login, and for one person.
    pub guest_rate: u32,
    pub user_rate: u32,
    /// Tasks of one person that run at once.
    pub max_running: u32,
    /// Hours that a login lasts without use.
    pub session_hours: u32,
    /// Trust `X-Forwarded-For` and `X-Forwarded-Proto` of a reverse proxy on these addresses.
    pub trusted_proxies: Vec<String>,
    /// Let people see layers that their browser may not ask itself, through this server.
    pub proxy: bool,
    /// Databases of places (MMDB files), asked in order before the built-in one.
    pub places: Vec<PathBuf>,
    /// A table of places for networks of one's own (CSV: network,country,city,lat,lon).
    pub place_table: Option<PathBuf>,
    /// Synonyms for the search: a line holds words of one meaning, separated by commas.
    pub synonyms: Option<PathBuf>,
    /// More base maps.
    pub base_maps: Vec<BaseMap>,
    /// Who may read the catalogue by the standards of catalogues (CSW, OGC API Records, OAI-PMH, ...).
    pub standards: StandardsAudience,
    pub oidc: Option<OidcConfig>,
}

/// Who is answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StandardsAudience {
    #[default]
    Everyone,
    Nobody,
}

/// A base map of the operator's.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BaseMap {
    pub title: String,
    /// `xyz`, `wms` or `wmts`.
    pub kind: String,
    pub url: String,
    /// For WMS and WMTS.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub layer: Option<String>,
    pub attribution: String,
}

/// Log in with an OpenID Connect provider.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OidcConfig {
    /// Issuer, e.g. `https://login.example.org/realms/main`.
    pub issuer: String,
    pub client_id: String,
    /// File that holds the client's secret.
    pub client_secret_file: PathBuf,
    /// What the button says.
    pub label: String,
    /// Make an account for whoever the provider vouches for.
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
