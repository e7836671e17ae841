//! Translates parameters to PostgreSQL's syntax: `?1` becomes `$1`, and the nth bare `?` becomes
//! `$n`.

/// Translates a statement. Literals, quoted names and comments are left unchanged.
pub(crate) fn to_postgres(sql: &str) -> String {
    let mut out = String::with_capacity(sql.len() + 8);
    let mut rest = sql;
    let mut bare = 0_usize;
    while let Some(at) = rest.find(['?', '\'', '"', '-', '/']) {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        let length = match from.as_bytes() {
            [b'?', ..] => {
                let digits = from.bytes().skip(1).take_while(u8::is_ascii_digit).count();
                out.push('$');
                if digits == 0 {
                    bare += 1;
                    out.push_str(&bare.to_string());
                }
                out.push_str(from.get(1..=digits).unwrap_or_default());
                rest = from.get(digits + 1..).unwrap_or_default();
                continue;
            }
            [quote @ (b'\'' | b'"'), ..] => quoted(from, *quote),
            [b'-', b'-', ..] => from.find('\n').unwrap_or(from.len()),
            [b'/', b'*', ..] => from.find("*/").map_or(from.len(), |end| end + 2),
            _ => 1,
        };
        let (same, after) = from.split_at(length);
        out.push_str(same);
        rest = after;
    }
    out.push_str(rest);
    out
}

/// Returns the length of the quoted text at the start, including its quotes. Doubled quotes are
/// part of it.
fn quoted(text: &str, quote: u8) -> usize {
    let mut bytes = text.bytes().enumerate().skip(1).peekable();
    while let Some((at, byte)) = bytes.next() {
        if byte == quote && bytes.next_if(|(_, next)| *next == quote).is_none() {
            return at + 1;
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::to_postgres;
    use proptest::prelude::*;

    #[test]
    fn parameters_are_renamed_and_nothing_else() {
        let cases = [
            ("", ""),
            ("SELECT 1", "SELECT 1"),
            ("SELECT ?1, ?12 FROM t WHERE a = ?1", "SELECT $1, $12 FROM t WHERE a = $1"),
            ("WHERE a = ? AND b = ? LIMIT ?", "WHERE a = $1 AND b = $2 LIMIT $3"),
            ("a LIKE ? ESCAPE '\\' OR b = '?' OR c = ?", "a LIKE $1 ESCAPE '\\' OR b = '?' OR c = $2"),
            ("'it''s ?1' || ?1", "'it''s ?1' || $1"),
            ("\"wh?t\" = ?1 - ?2 / ?3", "\"wh?t\" = $1 - $2 / $3"),
            ("?1 -- is it ?2\n+ ?2", "$1 -- is it ?2\n+ $2"),
            ("?1 /* ?2 */ ?3", "$1 /* ?2 */ $3"),
            ("'open ?1", "'open ?1"),
            ("/* open ?1", "/* open ?1"),
            ("-", "-"),
            ("?", "$1"),
            ("'ä?'?", "'ä?'$1"),
        ];
        for (sql, translated) in cases {
            assert_eq!(to_postgres(sql), translated, "{sql}");
        }
    }

    proptest! {
        #[test]
        fn any_text_can_be_translated(sql in "[ -~äß'\"?/*\\-\n]{0,60}") {
            let translated = to_postgres(&sql);
            prop_assert!(translated.len() >= sql.len());
            if !sql.contains('?') {
                prop_assert_eq!(translated, sql);
            }
        }
    }
}
