//! HTML character references.
//!
//! Written by hand because links on the web are escaped several times over (`&amp;amp;`), which no
//! library decodes in linear time, and because in a URL an ampersand without a closing semicolon
//! must not be read as a reference (`?a=1&copy=2`). Only names that occur in links and titles are
//! decoded; the two thousand others are left as written.

/// Names of the characters U+00A0 to U+00FF, in order.
const LATIN1: [&str; 96] = [
    "nbsp", "iexcl", "cent", "pound", "curren", "yen", "brvbar", "sect", "uml", "copy", "ordf", "laquo",
    "not", "shy", "reg", "macr", "deg", "plusmn", "sup2", "sup3", "acute", "micro", "para", "middot",
    "cedil", "sup1", "ordm", "raquo", "frac14", "frac12", "frac34", "iquest", "Agrave", "Aacute", "Acirc",
    "Atilde", "Auml", "Aring", "AElig", "Ccedil", "Egrave", "Eacute", "Ecirc", "Euml", "Igrave", "Iacute",
    "Icirc", "Iuml", "ETH", "Ntilde", "Ograve", "Oacute", "Ocirc", "Otilde", "Ouml", "times", "Oslash",
    "Ugrave", "Uacute", "Ucirc", "Uuml", "Yacute", "THORN", "szlig", "agrave", "aacute", "acirc", "atilde",
    "auml", "aring", "aelig", "ccedil", "egrave", "eacute", "ecirc", "euml", "igrave", "iacute", "icirc",
    "iuml", "eth", "ntilde", "ograve", "oacute", "ocirc", "otilde", "ouml", "divide", "oslash", "ugrave",
    "uacute", "ucirc", "uuml", "yacute", "thorn", "yuml",
];

/// Maximum length of a reference, including `&` and `;`.
const LONGEST: usize = 12;

/// Maximum number of passes over a text that keeps producing references.
const ROUNDS: usize = 4;

/// Decodes the reference at the start of `text`, which begins with `&`. Returns the character and
/// the length.
pub(crate) fn decode_entity(text: &str) -> Option<(char, usize)> {
    let bytes = text.as_bytes();
    let end = memchr::memchr(b';', bytes.get(1..bytes.len().min(LONGEST))?)? + 1;
    let name = text.get(1..end)?;
    named(name).or_else(|| numeric(name)).map(|c| (c, end + 1))
}

fn named(name: &str) -> Option<char> {
    Some(match name {
        "amp" | "AMP" => '&',
        "lt" | "LT" => '<',
        "gt" | "GT" => '>',
        "quot" | "QUOT" => '"',
        "apos" => '\'',
        "ndash" => '–',
        "mdash" => '—',
        "lsquo" => '‘',
        "rsquo" => '’',
        "sbquo" => '‚',
        "ldquo" => '“',
        "rdquo" => '”',
        "bdquo" => '„',
        "lsaquo" => '‹',
        "rsaquo" => '›',
        "hellip" => '…',
        "bull" => '•',
        "euro" => '€',
        "trade" => '™',
        "rarr" => '→',
        "larr" => '←',
        "colon" => ':',
        "sol" => '/',
        "quest" => '?',
        "equals" => '=',
        "period" => '.',
        "comma" => ',',
        "lowbar" => '_',
        "num" => '#',
        "percnt" => '%',
        "commat" => '@',
        "plus" => '+',
        "lpar" => '(',
        "rpar" => ')',
        "semi" => ';',
        "Tab" => '\t',
        "NewLine" => '\n',
        _ => {
            let at = LATIN1.iter().position(|known| *known == name)?;
            char::from_u32(0xA0 + u32::try_from(at).ok()?)?
        }
    })
}

fn numeric(name: &str) -> Option<char> {
    let digits = name.strip_prefix('#')?;
    let code = match digits.strip_prefix(['x', 'X']) {
        Some(hex) if !hex.starts_with('+') => u32::from_str_radix(hex, 16).ok()?,
        None if !digits.starts_with('+') => digits.parse().ok()?,
        _ => return None,
    };
    char::from_u32(code).filter(|c| *c != '\0')
}

/// Decodes character references until none is left. Returns `None` if they never end.
///
/// `&amp;amp;amp;` is decoded in place, so the work is linear in the length of the text.
pub(crate) fn unescape_entities(text: &str) -> Option<std::borrow::Cow<'_, str>> {
    let mut result = std::borrow::Cow::Borrowed(text);
    for _ in 0..ROUNDS {
        match one_pass(&result) {
            None => return Some(result),
            Some(changed) => result = std::borrow::Cow::Owned(changed),
        }
    }
    None
}

/// Decodes the text once. Returns `None` if there is nothing to decode.
fn one_pass(text: &str) -> Option<String> {
    let mut out = String::new();
    let mut changed = false;
    let mut rest = text;
    while let Some(at) = memchr::memchr(b'&', rest.as_bytes()) {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        // A decoded ampersand may start the next reference: `&amp;` + `lt;`.
        let mut tail = from.get(1..).unwrap_or_default();
        let mut character = '&';
        while character == '&' {
            let Some((next, length)) = reference_after_ampersand(tail) else { break };
            changed = true;
            character = next;
            tail = tail.get(length..).unwrap_or_default();
        }
        out.push(character);
        rest = tail;
    }
    out.push_str(rest);
    changed.then_some(out)
}

/// Like [`decode_entity`], for text whose `&` has already been consumed.
fn reference_after_ampersand(tail: &str) -> Option<(char, usize)> {
    let bytes = tail.as_bytes();
    let end = memchr::memchr(b';', bytes.get(..bytes.len().min(LONGEST - 1))?)?;
    let name = tail.get(..end)?;
    named(name).or_else(|| numeric(name)).map(|c| (c, end + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_undone_however_often_they_were_made() {
        for (from, to) in [
            ("a&amp;b", "a&b"),
            ("a&amp;amp;amp;b", "a&b"),
            ("a&#38;amp;b", "a&b"),
            ("&#x26;lt;", "<"),
            ("&uuml;&szlig;&nbsp;", "üß\u{a0}"),
            ("?a=1&copy=2&sect=3", "?a=1&copy=2&sect=3"),
            ("&a&#109;p;", "&"),
            ("&;&#;&#x;&#0;&#+1;&#x110000;", "&;&#;&#x;&#0;&#+1;&#x110000;"),
        ] {
            assert_eq!(unescape_entities(from).as_deref(), Some(to), "{from}");
        }
    }

    #[test]
    fn a_chain_of_a_hundred_thousand_is_linear() {
        let text = format!("&{}x", "amp;".repeat(100_000));
        assert_eq!(unescape_entities(&text).as_deref(), Some("&x"));
    }

    #[test]
    fn decoding_one_reference_tells_its_length() {
        assert_eq!(decode_entity("&auml;ä"), Some(('ä', 6)));
        assert_eq!(decode_entity("& b;"), None);
        assert_eq!(decode_entity("&"), None);
    }
}
