//! Sanitises untrusted text for documents.

use geotrawl_text::escape::is_noncharacter;

/// Shortens untrusted text to one line of up to `most` characters, keeping only visible characters
/// that XML allows.
pub fn single_line(text: &str, most: usize) -> String {
    let mut line = String::new();
    let mut left = most;
    let mut gap = false;
    for c in text.chars() {
        if c.is_whitespace() || c.is_control() {
            gap = true;
            continue;
        }
        if is_hidden(c) {
            continue;
        }
        if left == 0 {
            line.push('…');
            return line;
        }
        if gap && !line.is_empty() {
            line.push(' ');
            left = left.saturating_sub(1);
        }
        gap = false;
        line.push(c);
        left = left.saturating_sub(1);
    }
    line
}

/// Whether XML 1.0 forbids a character, or it changes the direction of text or is invisible.
pub fn is_hidden(c: char) -> bool {
    let unseen = matches!(c,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}');
    is_noncharacter(c) || unseen
}

/// Returns an address that is safe to link to: http(s), normalised.
pub fn web_address(text: &str) -> Option<String> {
    let url = url::Url::parse(text.trim()).ok()?;
    (matches!(url.scheme(), "http" | "https") && url.as_str().len() <= 4_096).then(|| url.to_string())
}

/// Encodes JSON for use inside `<script>`, so that nothing in it ends the element.
pub fn json_for_html(value: &serde_json::Value) -> String {
    value.to_string().replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026")
}
