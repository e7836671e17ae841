//! Secrets: made of 256 random bits, shown once, kept as SHA-256.

use crate::Problem;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

/// How the secret of a token begins, so that people and scanners recognise one.
pub const TOKEN_PREFIX: &str = "gt_";
/// No secret of ours is longer; what is longer is not looked up.
pub(crate) const LONGEST_SECRET: usize = 100;

/// A new secret, as text.
pub fn new_secret() -> Result<String, Problem> {
    let mut bytes = [0_u8; 32];
    getrandom::fill(&mut bytes)
        .map_err(|error| Problem::internal(&format!("the system gives no random numbers: {error}")))?;
    Ok(URL_SAFE_NO_PAD.encode(bytes))
}

/// What is kept of a secret.
pub fn hash_secret(secret: &str) -> [u8; 32] {
    Sha256::digest(secret.as_bytes()).into()
}

/// The same in base64url, for PKCE.
pub(crate) fn hash_to_base64url(secret: &str) -> String {
    URL_SAFE_NO_PAD.encode(hash_secret(secret))
}

/// Whether two texts are equal, in a time that does not say where they differ.
pub fn constant_time_eq(one: &str, other: &str) -> bool {
    one.as_bytes().ct_eq(other.as_bytes()).into()
}
