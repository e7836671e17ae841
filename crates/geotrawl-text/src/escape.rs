//! Makes text safe for HTML and XML.

/// Escapes text for elements of HTML and XML, and for attributes in either kind of quotes.
pub fn escape_html(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len() + 16);
    push_html(text, &mut escaped);
    escaped
}

/// Appends the text as escaped by [`escape_html`].
pub fn push_html(text: &str, escaped: &mut String) {
    for c in text.chars() {
        push_html_char(c, escaped);
    }
}

/// Appends one character as escaped by [`escape_html`].
pub fn push_html_char(c: char, escaped: &mut String) {
    match c {
        '&' => escaped.push_str("&amp;"),
        '<' => escaped.push_str("&lt;"),
        '>' => escaped.push_str("&gt;"),
        '"' => escaped.push_str("&quot;"),
        '\'' => escaped.push_str("&#39;"),
        c => escaped.push(c),
    }
}

/// Appends text escaped for XML 1.0. Drops characters that XML cannot
/// represent: control characters and noncharacters.
pub fn push_xml(text: &str, escaped: &mut String) {
    for c in text.chars() {
        match c {
            '&' | '<' | '>' | '"' => push_html_char(c, escaped),
            '\'' => escaped.push_str("&apos;"),
            // Fast path: nearly all text is ASCII and needs no Unicode lookup.
            ' '..='~' | '\t' | '\n' => escaped.push(c),
            '\r' => escaped.push('\n'),
            _ if c.is_control() || is_noncharacter(c) => {}
            _ => escaped.push(c),
        }
    }
}

/// Returns whether the code point is a Unicode noncharacter, which XML excludes.
pub fn is_noncharacter(c: char) -> bool {
    u32::from(c) & 0xfffe == 0xfffe || matches!(c, '\u{fdd0}'..='\u{fdef}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_is_escaped() {
        assert_eq!(escape_html("<a b='c' d=\"e\">&"), "&lt;a b=&#39;c&#39; d=&quot;e&quot;&gt;&amp;");
        let mut xml = String::new();
        push_xml("a'\u{1}\r\n\u{fffe}<é", &mut xml);
        assert_eq!(xml, "a&apos;\n\n&lt;é");
    }
}
