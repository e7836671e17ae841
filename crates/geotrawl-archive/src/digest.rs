//! Digests of content: SHA-256 to compare answers, SHA-1 because other tools index WARC files by
//! it.

use data_encoding::{BASE32, HEXLOWER};
use sha1::Sha1;
use sha2::{Digest, Sha256};

/// Returns the SHA-256 in hexadecimal.
pub fn sha256(bytes: &[u8]) -> String {
    HEXLOWER.encode(&Sha256::digest(bytes))
}

/// Returns the SHA-1 in WARC's notation: `sha1:` and base 32.
pub fn warc_sha1(bytes: &[u8]) -> String {
    format!("sha1:{}", BASE32.encode(&Sha1::digest(bytes)))
}

/// Returns the [`sha256`] of several pieces.
pub fn sha256_of(pieces: &[&[u8]]) -> String {
    let mut digest = Sha256::new();
    for piece in pieces {
        digest.update(piece);
    }
    HEXLOWER.encode(&digest.finalize())
}

/// Returns a UUID derived from the unique properties of a record: the same record always gets the
/// same one.
pub(crate) fn uuid_of(parts: &[&[u8]]) -> String {
    let mut digest = Sha256::new();
    for part in parts {
        digest.update((part.len() as u64).to_le_bytes());
        digest.update(part);
    }
    let mut bytes: [u8; 16] = [0; 16];
    for (to, from) in bytes.iter_mut().zip(digest.finalize()) {
        *to = from;
    }
    // Version 8 (custom) and the variant of RFC 9562.
    bytes[6] = bytes[6] & 0x0f | 0x80;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let hex = HEXLOWER.encode(&bytes);
    let part = |from: usize, to: usize| hex.get(from..to).unwrap_or_default();
    format!("{}-{}-{}-{}-{}", part(0, 8), part(8, 12), part(12, 16), part(16, 20), part(20, 32))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_are_those_of_the_standards() {
        assert_eq!(sha256(b""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
        assert_eq!(sha256_of(&[b"a", b"bc"]), sha256(b"abc"));
        assert_eq!(warc_sha1(b""), "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ");
        let id = uuid_of(&[b"a", b"b"]);
        assert_ne!(id, uuid_of(&[b"ab", b""]));
        assert_eq!((id.len(), id.as_bytes()[14]), (36, b'8'));
    }
}
