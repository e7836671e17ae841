//! Passwords: Argon2id with limited concurrency, and the same cost for unknown names.

use crate::Problem;
use argon2::{Algorithm, Argon2, Params, PasswordHasher, PasswordVerifier, Version};
use std::sync::{Arc, OnceLock};
use tokio::sync::Semaphore;

/// Shortest password in characters, longest in bytes.
const SHORTEST: usize = 10;
const LONGEST_BYTES: usize = 1_024;
/// Memory (KiB) and passes of Argon2id, as OWASP recommends for servers.
const MEMORY_KIB: u32 = 19_456;
const PASSES: u32 = 2;
/// Hashes computed at once, and requests that may wait for one.
const AT_ONCE: usize = 2;
const WAITING: usize = 64;

/// Why a password could not be hashed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PasswordError {
    /// The password is not allowed; the message is for the user who chose it.
    #[error("{0}")]
    Unacceptable(String),
    /// Argon2 or the random number generator failed.
    #[error("cannot hash the password: {0}")]
    Engine(String),
}

/// Checks a new password of the user with this name.
pub fn check_password(name: &str, password: &str) -> Result<(), PasswordError> {
    let refuse = |why: String| Err(PasswordError::Unacceptable(why));
    if password.chars().count() < SHORTEST {
        return refuse(format!("Passwords need at least {SHORTEST} characters."));
    }
    if password.len() > LONGEST_BYTES {
        return refuse(format!("Passwords can have up to {LONGEST_BYTES} bytes."));
    }
    if password.to_lowercase() == name.trim().to_lowercase() {
        return refuse("The password must differ from the name.".to_owned());
    }
    Ok(())
}

fn engine() -> Result<Argon2<'static>, PasswordError> {
    let params =
        Params::new(MEMORY_KIB, PASSES, 1, None).map_err(|error| PasswordError::Engine(error.to_string()))?;
    Ok(Argon2::new(Algorithm::Argon2id, Version::V0x13, params))
}

/// Hashes a password (PHC string). Takes tens of milliseconds and 19 MB, so keep it off the async
/// threads.
pub fn hash_password(password: &str) -> Result<String, PasswordError> {
    let hash = engine()?
        .hash_password(password.as_bytes())
        .map_err(|error| PasswordError::Engine(error.to_string()))?;
    Ok(hash.to_string())
}

/// Generates a random password, in groups that are easy to copy.
pub fn generate_password() -> Result<String, PasswordError> {
    // No letters and digits that look alike; exactly 32 of them, so that a random byte maps without
    // bias.
    const SIGNS: &[u8; 32] = b"abcdefghjkmnpqrstuvwxyz23456789+";
    let mut random = [0_u8; 20];
    getrandom::fill(&mut random).map_err(|error| PasswordError::Engine(error.to_string()))?;
    let signs = random.iter().filter_map(|byte| SIGNS.get(usize::from(byte % 32)));
    let text: Vec<char> = signs.map(|sign| char::from(*sign)).collect();
    Ok(text.chunks(5).map(String::from_iter).collect::<Vec<_>>().join("-"))
}

/// Whether a password matches a hash. An invalid hash matches no password.
pub fn verify_password(password: &str, hash: &str) -> bool {
    if password.len() > LONGEST_BYTES {
        return false;
    }
    engine().is_ok_and(|engine| engine.verify_password(password.as_bytes(), hash).is_ok())
}

/// Verifies a password, or does the same work for an unknown name or a user without a password, so
/// that the response time does not reveal which names exist.
pub(crate) fn verify_or_pretend(password: &str, hash: Option<&str>) -> bool {
    static NOBODY: OnceLock<Option<String>> = OnceLock::new();
    if let Some(hash) = hash {
        return verify_password(password, hash);
    }
    let nobody = NOBODY.get_or_init(|| hash_password("nobody has this password").ok());
    if let Some(nobody) = nobody {
        let _same_work = verify_password(password, nobody);
    }
    false
}

/// Limits concurrent hashing, so that a flood of logins cannot exhaust the machine.
pub(crate) struct HashingQueue {
    running: Arc<Semaphore>,
    waiting: Semaphore,
}

impl Default for HashingQueue {
    fn default() -> Self {
        Self { running: Arc::new(Semaphore::new(AT_ONCE)), waiting: Semaphore::new(WAITING) }
    }
}

impl HashingQueue {
    /// Runs work that hashes, at most two at once; refuses when too many requests wait.
    pub async fn run_hashing<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Problem> {
        let busy = || Problem::too_many_requests(2, "Too many logins at once; try again in a moment.");
        let _waiting = self.waiting.try_acquire().map_err(|_full| busy())?;
        let running = Arc::clone(&self.running).acquire_owned().await.map_err(|_closed| busy())?;
        let done = tokio::task::spawn_blocking(move || {
            // The work itself holds the permit, because the request may be cancelled before the
            // hash is done.
            let _running = running;
            work()
        });
        done.await.map_err(|error| Problem::internal(&format!("hashing a password failed: {error}")))
    }

    /// Validates and hashes a new password of a user.
    pub async fn hash_new_password(
        &self,
        member: &str,
        name: &str,
        password: &str,
    ) -> Result<String, Problem> {
        let refuse = |error: PasswordError| match error {
            PasswordError::Unacceptable(why) => Problem::unprocessable(member, why),
            PasswordError::Engine(_) => Problem::internal(&error.to_string()),
        };
        check_password(name, password).map_err(refuse)?;
        let password = password.to_owned();
        self.run_hashing(move || hash_password(&password)).await?.map_err(refuse)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_is_argon2id_and_belongs_to_its_password_only() {
        let hash = hash_password("correct horse").unwrap();
        assert!(hash.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{hash}");
        assert!(verify_password("correct horse", &hash));
        assert!(!verify_password("wrong horse", &hash));
        assert!(!verify_password("correct horse", "no hash at all"));
        assert_ne!(hash, hash_password("correct horse").unwrap(), "salted");
    }

    #[test]
    fn nobody_can_be_logged_in_as() {
        assert!(!verify_or_pretend("nobody has this password", None));
    }

    #[test]
    fn passwords_have_bounds() {
        assert!(check_password("anna", "ten chars!").is_ok());
        for bad in ["short", "ANNALIESE.x", &"x".repeat(1_025)] {
            assert!(check_password("annaliese.x", bad).is_err(), "{bad}");
        }
    }
}
