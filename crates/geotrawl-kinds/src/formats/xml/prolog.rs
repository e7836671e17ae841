//! Finds where a document starts after blank lines, warnings and banners.

use super::chars::space_run;

/// Number of bytes to search for the start of a document.
const LOOK: usize = 16 * 1024;

/// Returns the offset of an XML document in `head` (ASCII-compatible bytes, after a byte order
/// mark), or `None` if nothing looks like one. Usually 0.
///
/// Warnings of PHP are markup themselves (`<br />` and `<b>`), so anything before an XML
/// declaration is skipped if it is white space, text, or HTML of that sort.
pub fn document_start(head: &[u8]) -> Option<usize> {
    let head = &head[..head.len().min(LOOK)];
    let blank = space_run(head);
    let rest = &head[blank..];
    if !rest.starts_with(b"<") || looks_like_warning(rest) {
        return memchr::memmem::find(head, b"<?xml ").or_else(|| memchr::memmem::find(head, b"<?xml\t"));
    }
    Some(blank)
}

fn looks_like_warning(rest: &[u8]) -> bool {
    const WARNINGS: [&[u8]; 6] = [b"<br", b"<b>", b"<font", b"<p>", b"<div", b"<pre"];
    WARNINGS.iter().any(|w| rest.len() >= w.len() && rest[..w.len()].eq_ignore_ascii_case(w))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_before_the_document_is_skipped() {
        assert_eq!(document_start(b"<?xml version='1.0'?><a/>"), Some(0));
        assert_eq!(document_start(b"<a><![CDATA[<?xml version='1.0'?>]]></a>"), Some(0));
        assert_eq!(document_start(b"\n\n<?xml version='1.0'?><a/>"), Some(2));
        assert_eq!(document_start(b"<br />\n<b>Warning</b>: x<br /><?xml version='1.0'?><a/>"), Some(30));
        assert_eq!(document_start(b"Notice: undefined <?xml version='1.0'?><a/>"), Some(18));
        assert_eq!(document_start(b"just text"), None);
        assert_eq!(document_start(b"<b>bold</b>"), None);
    }
}
