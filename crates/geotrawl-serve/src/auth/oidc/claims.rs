//! The ID token: who the provider says has logged in.

use crate::auth::secrets;
use jiff::Timestamp;
use jsonwebtoken::jwk::{AlgorithmParameters, Jwk, JwkSet, PublicKeyUse};
use jsonwebtoken::{Algorithm, DecodingKey, Validation, decode, decode_header};
use serde::Deserialize;

/// Clocks may differ by so many seconds.
const LEEWAY: i64 = 60;
/// Longest subject that is kept.
const LONGEST_SUBJECT: usize = 255;

/// What is used of an ID token.
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
    /// A name for a new account, of characters that names may have.
    pub fn suggested_name(&self) -> String {
        let candidates = [self.preferred_username.as_deref(), self.email.as_deref(), Some(&self.sub)];
        let clean = |text: &str| -> String {
            text.chars().filter(|c| c.is_alphanumeric() || "._-@+".contains(*c)).take(50).collect()
        };
        let name = candidates.into_iter().flatten().map(clean).find(|name| super::check_name(name).is_ok());
        name.unwrap_or_else(|| "person".to_owned())
    }
}

/// The algorithms that are accepted: signatures with public keys. Never `none`, never a shared secret.
fn accepted(algorithm: Algorithm) -> bool {
    matches!(algorithm, Algorithm::RS256 | Algorithm::ES256)
}

/// The name of the key that signed a token.
pub(super) fn key_id(token: &str) -> Result<Option<String>, String> {
    let header = decode_header(token).map_err(|error| error.to_string())?;
    if !accepted(header.alg) {
        return Err(format!("signed with {:?}", header.alg));
    }
    Ok(header.kid)
}

/// Verifies a token.
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
        return Err(format!("signed with {:?}", header.alg));
    }
    let mut validation = Validation::new(header.alg);
    validation.set_issuer(&[issuer]);
    validation.set_audience(&[client]);
    validation.set_required_spec_claims(&["exp", "iss", "aud", "sub"]);
    // The library knows only the system's clock; ours is asked below.
    validation.validate_exp = false;
    let usable = keys.keys.iter().filter(|key| fits(key, header.alg, header.kid.as_deref()));
    let mut last = "no key of the provider fits".to_owned();
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
        return Err("not valid at this time".to_owned());
    }
    if !claims.nonce.as_deref().is_some_and(|given| secrets::constant_time_eq(given, nonce)) {
        return Err("made for another login".to_owned());
    }
    if claims.azp.as_deref().is_some_and(|party| party != client) {
        return Err("made for another client".to_owned());
    }
    if claims.sub.is_empty() || claims.sub.len() > LONGEST_SUBJECT {
        return Err("its subject is empty or too long".to_owned());
    }
    Ok(claims)
}

/// Whether a key can have made a signature: of the right kind, so that no key is used as another.
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
