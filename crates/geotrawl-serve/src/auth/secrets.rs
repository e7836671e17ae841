//! Secrets: 256 random bits, shown once, stored as SHA-256.

use crate::Problem;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

/// Prefix of token secrets, so that users and secret scanners recognise them.
pub const TOKEN_PREFIX: &str = "gt_";
/// Maximum length of a secret; longer ones are not looked up.
pub(crate) const LONGEST_SECRET: usize = 100;

/// Generates a new secret as text.
pub fn new_secret() -> Result<String, Problem> {
    let mut bytes = [0_u8; 32];
    getrandom::fill(&mut bytes).map_err(|error| {
        Problem::internal(&format!("cannot read random numbers from the system: {error}"))
    })?;
    Ok(URL_SAFE_NO_PAD.encode(bytes))
}

/// Returns the hash under which a secret is stored.
pub fn hash_secret(secret: &str) -> [u8; 32] {
    Sha256::digest(secret.as_bytes()).into()
}

/// Returns the hash in base64url, for PKCE.
pub(crate) fn hash_to_base64url(secret: &str) -> String {
    URL_SAFE_NO_PAD.encode(hash_secret(secret))
}

/// Compares two texts in constant time.
pub fn constant_time_eq(one: &str, other: &str) -> bool {
    one.as_bytes().ct_eq(other.as_bytes()).into()
}
