//! What the provider says about itself, and its keys; asked through the guarded client, kept for a while.

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

/// Documents are kept so long.
const FRESH_FOR: SignedDuration = SignedDuration::from_hours(1);
/// Keys are asked for again, when one is unknown, at most this often.
const KEYS_EVERY: SignedDuration = SignedDuration::from_mins(1);
/// Bytes of a document.
const LARGEST: u64 = 256 << 10;

/// The discovery document, as far as it is used.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct ProviderMetadata {
    issuer: String,
    pub authorization_endpoint: Url,
    token_endpoint: Url,
    jwks_uri: Url,
}

type CachedDocument<T> = Mutex<Option<(Timestamp, Arc<T>)>>;

/// The provider.
#[derive(Default)]
pub(crate) struct OidcProvider {
    pub(super) logins: PendingLogins,
    discovered: CachedDocument<ProviderMetadata>,
    keys: CachedDocument<JwkSet>,
}

fn kept<T>(place: &CachedDocument<T>, now: Timestamp, fresh_for: SignedDuration) -> Option<Arc<T>> {
    let kept = place.lock().unwrap_or_else(PoisonError::into_inner).clone();
    kept.filter(|(at, _)| now.duration_since(*at).abs() < fresh_for).map(|(_, value)| value)
}

fn keep<T>(place: &CachedDocument<T>, now: Timestamp, value: T) -> Arc<T> {
    let value = Arc::new(value);
    *place.lock().unwrap_or_else(PoisonError::into_inner) = Some((now, Arc::clone(&value)));
    value
}

impl OidcProvider {
    /// What the provider says about itself.
    pub(super) async fn fetch_metadata(
        &self,
        app: &App,
        config: &OidcConfig,
    ) -> Result<Arc<ProviderMetadata>, Problem> {
        if let Some(known) = kept(&self.discovered, app.now(), FRESH_FOR) {
            return Ok(known);
        }
        let url = format!("{}/.well-known/openid-configuration", config.issuer.trim_end_matches('/'));
        let url = Url::parse(&url).map_err(|error| {
            Problem::internal(&format!(
                "the issuer of OpenID Connect in the configuration is no URL: {error}"
            ))
        })?;
        let found: ProviderMetadata = ask(app, get(url)).await?;
        if found.issuer != config.issuer {
            return Err(Problem::bad_gateway("The provider says it is another issuer than configured."));
        }
        Ok(keep(&self.discovered, app.now(), found))
    }

    /// The provider's keys; new ones when the known lack this one.
    async fn keys(&self, app: &App, config: &OidcConfig, kid: Option<&str>) -> Result<Arc<JwkSet>, Problem> {
        let has = |keys: &JwkSet| kid.is_none_or(|kid| keys.find(kid).is_some());
        if let Some(keys) = kept(&self.keys, app.now(), FRESH_FOR) {
            let just_asked = kept(&self.keys, app.now(), KEYS_EVERY).is_some();
            if has(&keys) || just_asked {
                return Ok(keys);
            }
        }
        let discovered = self.fetch_metadata(app, config).await?;
        // Read leniently: one key of a kind we do not know must not hide the others.
        let set: LenientKeySet = ask(app, get(discovered.jwks_uri.clone())).await?;
        let keys = set.keys.into_iter().filter_map(|key| serde_json::from_value(key).ok()).collect();
        Ok(keep(&self.keys, app.now(), JwkSet { keys }))
    }

    /// Exchanges a code for the ID token.
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
                        "the client secret in {} cannot be read: {error}",
                        file.display()
                    ))
                })
            })
            .await?;
        // RFC 6749, 2.3.1: both are form-encoded before they are joined.
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
        Ok(ask::<TokenResponse>(app, request).await?.id_token)
    }

    /// What an ID token says, when it is the provider's, for us, for this login, and still valid.
    pub(super) async fn verified_claims(
        &self,
        app: &App,
        config: &OidcConfig,
        token: &str,
        nonce: &str,
    ) -> Result<IdTokenClaims, Problem> {
        let refuse = |why: String| {
            tracing::warn!("an ID token was refused: {why}");
            Problem::unauthenticated("The provider's answer is not valid; begin again.")
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

/// Asks for a JSON document.
async fn ask<T: DeserializeOwned>(app: &App, request: OutboundRequest) -> Result<T, Problem> {
    let host = request.url.host_str().unwrap_or_default().to_owned();
    let failed = |why: String| {
        tracing::warn!("the OpenID Connect provider {host} failed: {why}");
        Problem::bad_gateway(
            "The provider to log in with did not answer as it should; the operator finds more in the log.",
        )
    };
    let answer = app.outbound.send(request).await.map_err(|failure| failed(failure.reason))?;
    if answer.status != 200 || answer.cut {
        return Err(failed(format!("status {}, cut: {}", answer.status, answer.cut)));
    }
    serde_json::from_slice(&answer.body).map_err(|error| failed(error.to_string()))
}
