//! Tokens that continue a list.
//!
//! A token holds the whole question and the place in the list, so that nothing is kept between requests. A checksum
//! tells tokens that were cut or changed from ours. It is no secret: a token gives nothing that a question does not.

use super::ListPosition;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};

/// First byte of every token, so that later forms can be told apart.
const VERSION: &str = "1";
/// Bytes of the checksum.
const CHECK: usize = 9;
/// Longest token that is looked at.
const LONGEST: usize = 2_048;
const SALT: &[u8] = b"geotrawl oai-pmh resumption token";

/// Where a list goes on.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ResumptionToken {
    /// The verb, by its first letters: `records`, `identifiers`, `sets`.
    pub list: String,
    /// Name of the source.
    pub source: String,
    pub format: String,
    pub set: Option<String>,
    /// As they were given.
    pub from: Option<String>,
    pub until: Option<String>,
    pub position: ListPosition,
    /// How many were given before.
    pub cursor: u64,
    /// How many there were when the list began, in all sources.
    pub size: Option<u64>,
}

fn check(body: &str) -> Vec<u8> {
    let digest = Sha256::new().chain_update(SALT).chain_update(body.as_bytes()).finalize();
    digest.iter().copied().take(CHECK).collect()
}

impl ResumptionToken {
    /// As text.
    pub fn encode(&self) -> String {
        let optional = |text: &Option<String>| text.clone().unwrap_or_default();
        let ListPosition { after, bound, laps } = self.position;
        // None of these holds a bar: formats and sources are our words, sets and dates were checked.
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

    /// From text; `None` when it is none of ours.
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
            // The last sign holds bits that mean nothing; everything else is told.
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
