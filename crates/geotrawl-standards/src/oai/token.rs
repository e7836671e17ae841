//! Resumption tokens.
//!
//! A token contains the whole request and the position in the list, so the server keeps no state. A
//! checksum detects truncated or modified tokens. It is not a secret: a token gives access to
//! nothing that a request does not.

use super::ListPosition;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};

/// First byte of every token, so that later formats can be distinguished.
const VERSION: &str = "1";
/// Length of the checksum in bytes.
const CHECK: usize = 9;
/// Longest token that is decoded.
const LONGEST: usize = 2_048;
const SALT: &[u8] = b"geotrawl oai-pmh resumption token";

/// The position at which a list continues.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ResumptionToken {
    /// The list: `records`, `identifiers` or `sets`.
    pub list: String,
    /// Name of the source.
    pub source: String,
    pub format: String,
    pub set: Option<String>,
    /// The dates as written by the client.
    pub from: Option<String>,
    pub until: Option<String>,
    pub position: ListPosition,
    /// Number of records returned before.
    pub cursor: u64,
    /// Total number of records in all sources when the list began.
    pub size: Option<u64>,
}

fn check(body: &str) -> Vec<u8> {
    let digest = Sha256::new().chain_update(SALT).chain_update(body.as_bytes()).finalize();
    digest.iter().copied().take(CHECK).collect()
}

impl ResumptionToken {
    /// Encodes the token as text.
    pub fn encode(&self) -> String {
        let optional = |text: &Option<String>| text.clone().unwrap_or_default();
        let ListPosition { after, bound, laps } = self.position;
        // None of the values contains a bar: formats and sources are constants, sets and dates have
        // been validated.
        let body = [
            VERSION.to_owned(),
            self.list.clone(),
            self.source.clone(),
            self.format.clone(),
            optional(&self.set),
            optional(&self.from),
            optional(&self.until),
            after.to_string(),
            bound.to_string(),
            laps.to_string(),
            self.cursor.to_string(),
            self.size.map(|size| size.to_string()).unwrap_or_default(),
        ]
        .join("|");
        let mut bytes = check(&body);
        bytes.extend(body.as_bytes());
        URL_SAFE_NO_PAD.encode(bytes)
    }

    /// Decodes a token; `None` if it is not valid.
    pub fn decode(text: &str) -> Option<Self> {
        if text.len() > LONGEST {
            return None;
        }
        let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
        let (sum, body) = bytes.split_at_checked(CHECK)?;
        let body = std::str::from_utf8(body).ok()?;
        if sum != check(body) {
            return None;
        }
        let parts: Vec<&str> = body.split('|').collect();
        let [version, list, source, format, set, from, until, after, bound, laps, cursor, size] = parts[..]
        else {
            return None;
        };
        let optional = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        (version == VERSION).then_some(())?;
        Some(Self {
            list: list.to_owned(),
            source: source.to_owned(),
            format: format.to_owned(),
            set: optional(set),
            from: optional(from),
            until: optional(until),
            position: ListPosition {
                after: after.parse().ok()?,
                bound: bound.parse().ok()?,
                laps: laps.parse().ok()?,
            },
            cursor: cursor.parse().ok()?,
            size: if size.is_empty() { None } else { Some(size.parse().ok()?) },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn token() -> ResumptionToken {
        ResumptionToken {
            list: "records".into(),
            source: "catalogue".into(),
            format: "oai_dc".into(),
            set: Some("kind:wms".into()),
            from: Some("2026-01-01".into()),
            until: None,
            position: ListPosition { after: 12, bound: 99, laps: 1 },
            cursor: 200,
            size: Some(1234),
        }
    }

    #[test]
    fn a_token_comes_back_and_a_changed_one_does_not() {
        let text = token().encode();
        assert_eq!(ResumptionToken::decode(&text), Some(token()));
        assert_eq!(ResumptionToken::decode(&text[..text.len() - 4]), None);
        for place in 0..text.len() {
            let mut changed = text.clone().into_bytes();
            changed[place] = if changed[place] == b'A' { b'B' } else { b'A' };
            let changed = String::from_utf8(changed).unwrap();
            // Some bits of the last character are padding; any other change must be detected.
            assert!(ResumptionToken::decode(&changed).is_none_or(|read| read == token()), "{place}");
        }
    }

    proptest! {
        #[test]
        fn nothing_makes_it_fail(text in any::<String>()) {
            prop_assert_eq!(ResumptionToken::decode(&text), None);
        }
    }
}
