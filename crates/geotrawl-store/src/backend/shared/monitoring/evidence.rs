//! Stored evidence of checks: JSON, deflated with a dictionary of common phrases, because there are
//! ten checks per record.

use super::super::database_error::{DatabaseError, DatabaseResult};
use flate2::{Compress, Compression, Decompress, FlushCompress, FlushDecompress, Status};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Texts that checks share, the most common last. Part of the storage format: never edit it, add
/// another one instead (the first byte of a blob names the dictionary).
const DICTIONARY: &[u8] = include_bytes!("evidence.dictionary");
/// Number of the dictionary.
const VERSION: u8 = 1;
/// Maximum size of unpacked evidence.
const MOST_BYTES: usize = 64 << 20;

/// Serialises and compresses a value.
pub(super) fn pack(value: &impl Serialize) -> DatabaseResult<Vec<u8>> {
    let text = serde_json::to_vec(value)?;
    let mut deflate = Compress::new(Compression::new(6), true);
    deflate.set_dictionary(DICTIONARY).map_err(|error| broken(&error.to_string()))?;
    let mut packed = Vec::with_capacity(text.len() / 3 + 64);
    packed.push(VERSION);
    loop {
        let taken = deflate.total_in() as usize;
        let rest = text.get(taken..).unwrap_or_default();
        let status = deflate
            .compress_vec(rest, &mut packed, FlushCompress::Finish)
            .map_err(|error| broken(&error.to_string()))?;
        if status == Status::StreamEnd {
            return Ok(packed);
        }
        packed.reserve(text.len() / 4 + 256);
    }
}

/// Decompresses and deserialises a value.
pub(super) fn unpack<T: DeserializeOwned>(packed: &[u8]) -> DatabaseResult<T> {
    let Some((&VERSION, packed)) = packed.split_first() else {
        return Err(broken("unknown dictionary"));
    };
    let mut inflate = Decompress::new(true);
    let mut text = Vec::with_capacity(packed.len() * 4 + 256);
    loop {
        let (read, length) = (inflate.total_in(), text.len());
        let rest = packed.get(read as usize..).unwrap_or_default();
        match inflate.decompress_vec(rest, &mut text, FlushDecompress::Finish) {
            Ok(Status::StreamEnd) => break,
            Ok(_) => {}
            Err(error) if error.needs_dictionary().is_some() => {
                inflate.set_dictionary(DICTIONARY).map_err(|error| broken(&error.to_string()))?;
                continue;
            }
            Err(error) => return Err(broken(&error.to_string())),
        }
        // No progress although there was room: the input ends early.
        if text.len() < text.capacity() && inflate.total_in() == read && text.len() == length {
            return Err(broken("truncated"));
        }
        if text.len() > MOST_BYTES {
            return Err(broken("too large"));
        }
        text.reserve(text.len().max(4096));
    }
    Ok(serde_json::from_slice(&text)?)
}

fn broken(cause: &str) -> DatabaseError {
    DatabaseError::Inconsistent(format!("cannot read the evidence of a check ({cause}): the file is damaged"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evidence_comes_back_and_is_small() {
        let value = serde_json::json!({ "reason": "It answers", "n": (0..5000).collect::<Vec<_>>() });
        let packed = pack(&value).unwrap();
        assert_eq!(unpack::<serde_json::Value>(&packed).unwrap(), value);
        assert_eq!(unpack::<serde_json::Value>(&pack(&()).unwrap()).unwrap(), serde_json::Value::Null);
        let likely = serde_json::json!({ "purpose": "operation", "request": { "method": "GET", "limit": 1_048_576 },
            "answer": { "url": "https://geo.example/ows", "status": 200, "headers": { "content-type": "image/png" } },
            "outcome": "valid", "seen": "A map of 64 x 64 pixels" });
        let packed = pack(&likely).unwrap().len();
        assert!(packed * 2 < likely.to_string().len(), "{packed} bytes");
    }

    #[test]
    fn damage_is_told() {
        let packed = pack(&serde_json::json!({ "a": "b".repeat(2000) })).unwrap();
        assert!(unpack::<serde_json::Value>(&[]).is_err());
        assert!(unpack::<serde_json::Value>(&[9, 9, 9]).is_err());
        for cut in 0..packed.len() {
            assert!(unpack::<serde_json::Value>(&packed[..cut]).is_err(), "cut at {cut}");
        }
    }
}
