//! Metadata and keys of the provider, fetched through the guarded client and cached.

use super::PendingLogins;
use super::claims::{self, IdTokenClaims};
use crate::config::OidcConfig;
use crate::outbound::OutboundRequest;
use crate::{App, Problem};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use jiff::{SignedDuration, Timestamp};
use jsonwebtoken::jwk::JwkSet;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::sync::{Arc, Mutex, PoisonError};
use url::Url;
use url::form_urlencoded::{Serializer, byte_serialize};

/// How long documents are cached.
const FRESH_FOR: SignedDuration = SignedDuration::from_hours(1);
/// Minimum interval between refreshes of the keys when a key is unknown.
const KEYS_EVERY: SignedDuration = SignedDuration::from_mins(1);
/// Maximum size of a document in bytes.
const LARGEST: u64 = 256 << 10;

/// The part of the discovery document that is used.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct ProviderMetadata {
    issuer: String,
    pub authorization_endpoint: Url,
    token_endpoint: Url,
    jwks_uri: Url,
}

type CachedDocument<T> = Mutex<Option<(Timestamp, Arc<T>)>>;

/// The OpenID Connect provider.
#[derive(Default)]
pub(crate) struct OidcProvider {
    pub(super) logins: PendingLogins,
    discovered: CachedDocument<ProviderMetadata>,
    keys: CachedDocument<JwkSet>,
}

fn cached<T>(place: &CachedDocument<T>, now: Timestamp, fresh_for: SignedDuration) -> Option<Arc<T>> {
    let kept = place.lock().unwrap_or_else(PoisonError::into_inner).clone();
    kept.filter(|(at, _)| now.duration_since(*at).abs() < fresh_for).map(|(_, value)| value)
}

fn store_cached<T>(place: &CachedDocument<T>, now: Timestamp, value: T) -> Arc<T> {
    let value = Arc::new(value);
    *place.lock().unwrap_or_else(PoisonError::into_inner) = Some((now, Arc::clone(&value)));
    value
}

impl OidcProvider {
    /// Returns the provider's metadata, cached.
    pub(super) async fn fetch_metadata(
        &self,
        app: &App,
        config: &OidcConfig,
    ) -> Result<Arc<ProviderMetadata>, Problem> {
        if let Some(known) = cached(&self.discovered, app.now(), FRESH_FOR) {
            return Ok(known);
        }
        let url = format!("{}/.well-known/openid-configuration", config.issuer.trim_end_matches('/'));
        let url = Url::parse(&url).map_err(|error| {
            Problem::internal(&format!(
                "the OpenID Connect issuer in the configuration is not a valid URL: {error}"
            ))
        })?;
        let found: ProviderMetadata = fetch_json(app, get(url)).await?;
        if found.issuer != config.issuer {
            return Err(Problem::bad_gateway("The provider reports a different issuer than configured."));
        }
        Ok(store_cached(&self.discovered, app.now(), found))
    }

    /// Returns the provider's keys, refreshed if the cached ones lack `kid`.
    async fn keys(&self, app: &App, config: &OidcConfig, kid: Option<&str>) -> Result<Arc<JwkSet>, Problem> {
        let has = |keys: &JwkSet| kid.is_none_or(|kid| keys.find(kid).is_some());
        if let Some(keys) = cached(&self.keys, app.now(), FRESH_FOR) {
            // The provider may have rotated its keys, but tokens with invented key ids must not
            // cause a request each.
            let just_asked = cached(&self.keys, app.now(), KEYS_EVERY).is_some();
            if has(&keys) || just_asked {
                return Ok(keys);
            }
        }
        let discovered = self.fetch_metadata(app, config).await?;
        // One key of an unknown type must not hide the others.
        let set: LenientKeySet = fetch_json(app, get(discovered.jwks_uri.clone())).await?;
        let keys = set.keys.into_iter().filter_map(|key| serde_json::from_value(key).ok()).collect();
        Ok(store_cached(&self.keys, app.now(), JwkSet { keys }))
    }

    /// Exchanges a code for an ID token.
    pub(super) async fn redeem_code(
        &self,
        app: &App,
        config: &OidcConfig,
        code: &str,
        verifier: &str,
        return_to: &str,
    ) -> Result<String, Problem> {
        let discovered = self.fetch_metadata(app, config).await?;
        let file = config.client_secret_file.clone();
        let secret = app
            .blocking(move |_| {
                std::fs::read_to_string(&file).map_err(|error| {
                    Problem::internal(&format!(
                        "cannot read the client secret in {}: {error}",
                        file.display()
                    ))
                })
            })
            .await?;
        // RFC 6749, 2.3.1: both parts are form-encoded before they are joined.
        let encoded = |text: &str| byte_serialize(text.as_bytes()).collect::<String>();
        let basic = STANDARD.encode(format!("{}:{}", encoded(&config.client_id), encoded(secret.trim())));
        let form = Serializer::new(String::new())
            .append_pair("grant_type", "authorization_code")
            .append_pair("code", code)
            .append_pair("redirect_uri", return_to)
            .append_pair("code_verifier", verifier)
            .finish();
        let request = OutboundRequest {
            form: Some(form),
            authorization: Some(format!("Basic {basic}")),
            ..get(discovered.token_endpoint.clone())
        };
        #[derive(Deserialize)]
        struct TokenResponse {
            id_token: String,
        }
        Ok(fetch_json::<TokenResponse>(app, request).await?.id_token)
    }

    /// Returns the claims of an ID token if the provider issued it to us for this login and it is
    /// still valid.
    pub(super) async fn verified_claims(
        &self,
        app: &App,
        config: &OidcConfig,
        token: &str,
        nonce: &str,
    ) -> Result<IdTokenClaims, Problem> {
        let refuse = |why: String| {
            tracing::warn!("rejected an ID token: {why}");
            Problem::unauthenticated("The provider's response is not valid; log in again.")
        };
        let kid = claims::key_id(token).map_err(refuse)?;
        let keys = self.keys(app, config, kid.as_deref()).await?;
        claims::verify_id_token(token, &keys, &config.issuer, &config.client_id, nonce, app.now())
            .map_err(refuse)
    }
}

#[derive(Deserialize)]
struct LenientKeySet {
    keys: Vec<serde_json::Value>,
}

fn get(url: Url) -> OutboundRequest {
    let accept = Some("application/json".to_owned());
    OutboundRequest { accept, ..OutboundRequest::get(url, LARGEST) }
}

/// Requests a JSON document.
async fn fetch_json<T: DeserializeOwned>(app: &App, request: OutboundRequest) -> Result<T, Problem> {
    let host = request.url.host_str().unwrap_or_default().to_owned();
    let failed = |why: String| {
        tracing::warn!("the OpenID Connect provider {host} failed: {why}");
        Problem::bad_gateway("The OpenID Connect provider failed; the operator can find details in the log.")
    };
    let answer = app.outbound.send(request).await.map_err(|failure| failed(failure.reason))?;
    if answer.status != 200 || answer.cut {
        return Err(failed(format!("status {}, truncated: {}", answer.status, answer.cut)));
    }
    serde_json::from_slice(&answer.body).map_err(|error| failed(error.to_string()))
}
