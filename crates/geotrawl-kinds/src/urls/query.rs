//! Key-value pairs of a query, exactly as written: nothing is decoded, so that kept pairs stay
//! unchanged.

/// Size of the stack buffer for lower-case keys; longer keys are not known parameters.
const KEY_MAX: usize = 40;

/// One `key=value` pair of a query.
#[derive(Debug, Clone, Copy)]
pub(super) struct QueryPair<'a> {
    /// The pair as written.
    pub raw: &'a str,
    pub key: &'a str,
    pub value: &'a str,
}

/// Returns the non-empty pairs of a query in order.
pub(super) fn query_pairs(query: &str) -> impl Iterator<Item = QueryPair<'_>> {
    query.split('&').filter(|raw| !raw.is_empty()).map(|raw| {
        let (key, value) = raw.split_once('=').unwrap_or((raw, ""));
        QueryPair { raw, key, value }
    })
}

/// Calls `test` with the key in lower case. Returns `T::default()` for keys too long to be known.
pub(super) fn with_lowercase<T: Default>(key: &str, test: impl FnOnce(&str) -> T) -> T {
    let mut buffer = [0_u8; KEY_MAX];
    let Some(room) = buffer.get_mut(..key.len()) else { return T::default() };
    room.copy_from_slice(key.as_bytes());
    room.make_ascii_lowercase();
    std::str::from_utf8(room).map(test).unwrap_or_default()
}

/// Returns whether a sorted table contains the key. A test beside each table checks that it is
/// sorted.
pub(super) fn is_listed(table: &[&str], key: &str) -> bool {
    table.binary_search(&key).is_ok()
}

/// Decodes `%XX` and `+` leniently; replaces invalid UTF-8.
pub(super) fn percent_decode(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        match (byte, decode_escape_at(bytes, at)) {
            (b'%', Some(value)) => {
                out.push(value);
                at += 3;
            }
            (b'+', _) => {
                out.push(b' ');
                at += 1;
            }
            _ => {
                out.push(byte);
                at += 1;
            }
        }
    }
    String::from_utf8(out).unwrap_or_else(|e| String::from_utf8_lossy(e.as_bytes()).into_owned())
}

/// Decodes the `%XX` at this position.
pub(super) fn decode_escape_at(bytes: &[u8], at: usize) -> Option<u8> {
    let high = hex(*bytes.get(at + 1)?)?;
    let low = hex(*bytes.get(at + 2)?)?;
    Some(high << 4 | low)
}

fn hex(byte: u8) -> Option<u8> {
    (byte as char).to_digit(16).map(|d| d as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_kept_as_written() {
        let all: Vec<_> = query_pairs("MAP=%2Fa&&x&b=1=2").map(|p| (p.raw, p.key, p.value)).collect();
        assert_eq!(all, [("MAP=%2Fa", "MAP", "%2Fa"), ("x", "x", ""), ("b=1=2", "b", "1=2")]);
    }

    #[test]
    fn decoding_is_lenient() {
        assert_eq!(percent_decode("a%2Fb+c%zz%"), "a/b c%zz%");
        assert_eq!(percent_decode("%ff"), "\u{fffd}");
    }

    #[test]
    fn a_key_is_found_in_any_case() {
        assert!(with_lowercase("SerVice", |key| key == "service"));
        assert!(!with_lowercase(&"k".repeat(1000), |_| true));
    }
}
