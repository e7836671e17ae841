//! Verification of ID tokens.

use crate::auth::secrets;
use jiff::Timestamp;
use jsonwebtoken::jwk::{AlgorithmParameters, Jwk, JwkSet, PublicKeyUse};
use jsonwebtoken::{Algorithm, DecodingKey, Validation, decode, decode_header};
use serde::Deserialize;

/// Tolerated clock difference in seconds.
const LEEWAY: i64 = 60;
/// Longest subject that is stored.
const LONGEST_SUBJECT: usize = 255;

/// The claims of an ID token that are used.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct IdTokenClaims {
    pub sub: String,
    exp: i64,
    #[serde(default)]
    nbf: Option<i64>,
    #[serde(default)]
    nonce: Option<String>,
    #[serde(default)]
    azp: Option<String>,
    #[serde(default)]
    preferred_username: Option<String>,
    #[serde(default)]
    pub email: Option<String>,
}

impl IdTokenClaims {
    /// Suggests a name for a new account, with the characters that names may have.
    pub fn suggested_name(&self) -> String {
        let candidates = [self.preferred_username.as_deref(), self.email.as_deref(), Some(&self.sub)];
        let clean = |text: &str| -> String {
            text.chars().filter(|c| c.is_alphanumeric() || "._-@+".contains(*c)).take(50).collect()
        };
        let name = candidates.into_iter().flatten().map(clean).find(|name| super::check_name(name).is_ok());
        name.unwrap_or_else(|| "person".to_owned())
    }
}

/// Whether an algorithm is accepted: public-key signatures only, never `none` or a shared secret.
fn accepted(algorithm: Algorithm) -> bool {
    matches!(algorithm, Algorithm::RS256 | Algorithm::ES256)
}

/// Returns the id of the key that signed a token.
pub(super) fn key_id(token: &str) -> Result<Option<String>, String> {
    let header = decode_header(token).map_err(|error| error.to_string())?;
    if !accepted(header.alg) {
        return Err(format!("unsupported signature algorithm {:?}", header.alg));
    }
    Ok(header.kid)
}

/// Verifies a token and returns its claims.
pub(super) fn verify_id_token(
    token: &str,
    keys: &JwkSet,
    issuer: &str,
    client: &str,
    nonce: &str,
    now: Timestamp,
) -> Result<IdTokenClaims, String> {
    let header = decode_header(token).map_err(|error| error.to_string())?;
    if !accepted(header.alg) {
        return Err(format!("unsupported signature algorithm {:?}", header.alg));
    }
    let mut validation = Validation::new(header.alg);
    validation.set_issuer(&[issuer]);
    validation.set_audience(&[client]);
    validation.set_required_spec_claims(&["exp", "iss", "aud", "sub"]);
    // The library only knows the system clock; the expiry is checked below with ours.
    validation.validate_exp = false;
    let usable = keys.keys.iter().filter(|key| fits(key, header.alg, header.kid.as_deref()));
    let mut last = "no key of the provider matches".to_owned();
    let mut found = None;
    for key in usable {
        let attempt =
            DecodingKey::from_jwk(key).and_then(|key| decode::<IdTokenClaims>(token, &key, &validation));
        match attempt {
            Ok(data) => {
                found = Some(data.claims);
                break;
            }
            Err(error) => last = error.to_string(),
        }
    }
    let claims = found.ok_or(last)?;
    let now = now.as_second();
    if claims.exp.saturating_add(LEEWAY) <= now || claims.nbf.is_some_and(|from| from > now + LEEWAY) {
        return Err("expired or not yet valid".to_owned());
    }
    // The nonce proves that the token was issued for this login and not replayed.
    if !claims.nonce.as_deref().is_some_and(|given| secrets::constant_time_eq(given, nonce)) {
        return Err("issued for another login".to_owned());
    }
    if claims.azp.as_deref().is_some_and(|party| party != client) {
        return Err("issued for another client".to_owned());
    }
    if claims.sub.is_empty() || claims.sub.len() > LONGEST_SUBJECT {
        return Err("its subject is empty or too long".to_owned());
    }
    Ok(claims)
}

/// Whether a key may verify a signature; its type and use must match, so that no key is used for
/// another purpose.
fn fits(key: &Jwk, algorithm: Algorithm, kid: Option<&str>) -> bool {
    let kind = match &key.algorithm {
        AlgorithmParameters::RSA(_) => algorithm == Algorithm::RS256,
        AlgorithmParameters::EllipticCurve(_) => algorithm == Algorithm::ES256,
        _ => false,
    };
    let named = kid.is_none_or(|kid| key.common.key_id.as_deref() == Some(kid));
    let signs = key.common.public_key_use.as_ref().is_none_or(|used| *used == PublicKeyUse::Signature);
    kind && named && signs
}
