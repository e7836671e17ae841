//! Character references of HTML (`&amp;`).

use quick_xml::escape::{resolve_html5_entity, unescape_with};
use std::borrow::Cow;

/// Maximum length of a reference.
const LONGEST: usize = 40;

/// Decodes character references. Invalid references are left unchanged.
pub(crate) fn decode_references(text: &str) -> Cow<'_, str> {
    if !text.contains('&') {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        let window = from.get(..from.floor_char_boundary(LONGEST)).unwrap_or_default();
        let whole = window.find(';').and_then(|end| from.split_at_checked(end + 1));
        let meant = whole.and_then(|(reference, behind)| {
            unescape_with(reference, resolve_html5_entity).ok().map(|meant| (meant, behind))
        });
        if let Some((meant, behind)) = meant {
            out.push_str(&meant);
            rest = behind;
        } else {
            out.push('&');
            rest = from.get(1..).unwrap_or_default();
        }
    }
    out.push_str(rest);
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    #[test]
    fn references_are_undone_and_the_rest_stays() {
        assert_eq!(
            super::decode_references("a&amp;b &eacute;&#x41;&#66; AT&T &nonsense; &"),
            "a&b éAB AT&T &nonsense; &"
        );
        assert_eq!(super::decode_references("plain"), "plain");
    }
}
