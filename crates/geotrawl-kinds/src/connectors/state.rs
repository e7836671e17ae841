//! The state of a harvest as text: `at=101 n=100 m=post`, separated by blanks, without blanks in
//! values.

use std::fmt::{self, Write as _};

/// Values of a state, in the order in which they were added.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StateFields {
    fields: Vec<(String, String)>,
}

impl StateFields {
    /// Parses what [`fmt::Display`] wrote, skipping anything that is not a field.
    pub fn parse(state: &str) -> Self {
        let unescape =
            |value: &str| percent_encoding::percent_decode_str(value).decode_utf8_lossy().into_owned();
        let fields = state.split(' ').filter_map(|field| field.split_once('='));
        Self { fields: fields.take(64).map(|(k, v)| (k.to_owned(), unescape(v))).collect() }
    }

    /// Returns a value.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.fields.iter().find(|(k, _)| k == key).map(|(_, v)| v.as_str())
    }

    /// Returns a value as a number.
    pub fn number_value(&self, key: &str) -> Option<u64> {
        self.get(key)?.parse().ok()
    }

    /// Adds a value.
    pub fn put_value(&mut self, key: &str, value: impl fmt::Display) {
        self.fields.push((key.to_owned(), value.to_string()));
    }

    /// Adds a value if it is `Some`.
    pub fn put_optional(&mut self, key: &str, value: Option<impl fmt::Display>) {
        if let Some(value) = value {
            self.put_value(key, value);
        }
    }
}

impl fmt::Display for StateFields {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, (key, value)) in self.fields.iter().enumerate() {
            if i > 0 {
                f.write_char(' ')?;
            }
            write!(f, "{key}=")?;
            for c in value.chars() {
                match c {
                    ' ' => f.write_str("%20")?,
                    '%' => f.write_str("%25")?,
                    '\n' => f.write_str("%0A")?,
                    '\r' => f.write_str("%0D")?,
                    '\t' => f.write_str("%09")?,
                    c => f.write_char(c)?,
                }
            }
        }
        Ok(())
    }
}

/// Returns a short hash of a text: pages that begin with the same record have the same hash.
pub fn page_mark(text: &str) -> u64 {
    text.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_is_read_as_it_was_written() {
        let mut fields = StateFields::default();
        fields.put_value("at", 101);
        fields.put_optional("token", Some("a b%c=d\ne"));
        fields.put_optional("none", None::<&str>);
        let text = fields.to_string();
        assert_eq!(text, "at=101 token=a%20b%25c=d%0Ae");
        let read = StateFields::parse(&text);
        assert_eq!(read, fields);
        assert_eq!((read.number_value("at"), read.get("token")), (Some(101), Some("a b%c=d\ne")));
        assert_eq!(StateFields::parse("nonsense =x  y"), StateFields::parse("=x"));
    }
}
