//! Namespace prefixes in scope, tolerating undeclared ones.

/// Namespace of `xml:lang` and others, always bound.
const XML: &str = "http://www.w3.org/XML/1998/namespace";
const XMLNS: &str = "http://www.w3.org/2000/xmlns/";
/// Maximum length of a namespace name. Longer ones are truncated, as they are not genuine.
const NAME_LIMIT: usize = 1024;

#[derive(Debug)]
struct PrefixBinding {
    prefix: Box<[u8]>,
    uri: Box<str>,
    depth: u32,
}

/// Prefix bindings in scope.
#[derive(Debug, Default)]
pub struct NamespaceScope {
    bindings: Vec<PrefixBinding>,
    /// Last prefix that was found to be bound, since documents use the same few repeatedly.
    last: Vec<u8>,
}

impl NamespaceScope {
    /// Adds the `xmlns` attribute of an element at `depth`. Returns what is wrong with it.
    pub fn declare_prefix(&mut self, attr: &[u8], uri: &str, depth: u32) -> Option<&'static str> {
        let prefix = attr.strip_prefix(b"xmlns:").unwrap_or_default();
        let wrong = match (prefix, uri) {
            (b"xml", XML) => return None,
            (b"xml", _) => Some("the prefix xml bound to another namespace"),
            (b"xmlns", _) => Some("a declaration of the prefix xmlns"),
            (_, XML) => Some("the namespace of xml bound to another prefix"),
            (_, XMLNS) => Some("the namespace of xmlns bound to a prefix"),
            ([], _) if attr.len() > 5 => Some("an empty prefix"),
            ([], _) => None,
            (_, "") => Some("a prefix bound to an empty namespace"),
            (p, _) if p.contains(&b':') || !super::chars::may_start_name(p[0]) => Some("an invalid prefix"),
            _ => None,
        };
        self.last.clear();
        self.bindings.push(PrefixBinding {
            prefix: prefix.into(),
            uri: uri[..uri.floor_char_boundary(NAME_LIMIT)].into(),
            depth,
        });
        wrong
    }

    /// Removes bindings that were declared deeper than `depth`.
    #[inline]
    pub fn close_scope(&mut self, depth: u32) {
        while self.bindings.last().is_some_and(|b| b.depth > depth) {
            self.bindings.pop();
            self.last.clear();
        }
    }

    /// Returns the namespace of a prefix. The empty prefix is the default namespace.
    pub fn resolve_prefix(&self, prefix: &[u8]) -> Option<&str> {
        if prefix == b"xml" {
            return Some(XML);
        }
        let found = self.bindings.iter().rev().find(|b| &*b.prefix == prefix)?;
        (!found.uri.is_empty()).then_some(&*found.uri)
    }

    /// Returns whether a prefix is bound.
    #[inline]
    pub fn is_bound(&mut self, prefix: &[u8]) -> bool {
        if !self.last.is_empty() && self.last == prefix {
            return true;
        }
        let known = self.resolve_prefix(prefix).is_some();
        if known {
            self.last.clear();
            self.last.extend_from_slice(prefix);
        }
        known
    }
}

/// Splits a qualified name at its colon into prefix (may be empty) and local name.
#[inline]
pub fn split_name(name: &[u8]) -> (&[u8], &[u8]) {
    // Names are short, so a plain loop is faster than a call to `memchr`.
    match name.iter().position(|b| *b == b':') {
        Some(i) => (&name[..i], &name[i + 1..]),
        None => (&[], name),
    }
}

/// Returns whether prefix and local name form a qualified name: one colon with a name on both
/// sides.
pub fn is_qualified(prefix: &[u8], local: &[u8]) -> bool {
    !prefix.is_empty()
        && !local.contains(&b':')
        && local.first().is_some_and(|b| super::chars::may_start_name(*b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bindings_live_as_long_as_their_element() {
        let mut ns = NamespaceScope::default();
        assert_eq!(ns.declare_prefix(b"xmlns", "urn:a", 1), None);
        assert_eq!(ns.declare_prefix(b"xmlns:p", "urn:p", 1), None);
        assert_eq!(ns.declare_prefix(b"xmlns:p", "urn:q", 2), None);
        assert_eq!(ns.resolve_prefix(b"p"), Some("urn:q"));
        assert!(ns.is_bound(b"p"));
        ns.close_scope(1);
        assert_eq!(ns.resolve_prefix(b"p"), Some("urn:p"));
        assert_eq!(ns.resolve_prefix(b""), Some("urn:a"));
        ns.close_scope(0);
        assert!(!ns.is_bound(b"p"));
        assert_eq!(ns.resolve_prefix(b"xml"), Some(XML));
    }

    #[test]
    fn misuse_is_named() {
        let mut ns = NamespaceScope::default();
        assert!(ns.declare_prefix(b"xmlns:x", "", 1).is_some());
        assert!(ns.declare_prefix(b"xmlns:xml", "urn:x", 1).is_some());
        assert!(ns.declare_prefix(b"xmlns", XML, 1).is_some());
        assert!(ns.declare_prefix(b"xmlns", "", 1).is_none());
    }
}
