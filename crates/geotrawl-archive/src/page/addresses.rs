//! Addresses in HTML elements, shared by parsing and rewriting.

use std::ops::Range;

/// Purpose of an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AddressRole {
    /// A link to another page.
    Link,
    /// A frame inside the page.
    Frame,
    /// Images, fonts and media.
    Requisite,
    StyleSheet,
    Script,
    /// Target of a form.
    Form,
    /// Several images, of which the browser picks one.
    SrcSet,
    /// CSS declarations, which may contain addresses.
    Style,
    /// A `link` that is neither displayed nor followed, such as `canonical`.
    Relation,
}

/// An address in an element.
pub(crate) struct HtmlAddress {
    pub role: AddressRole,
    pub raw: String,
    /// Relations, if the element is a `link`.
    pub rel: Option<String>,
}

/// Returns the purpose of an attribute. `rel` holds the relations of a `link`, in lower case.
pub(crate) fn role_of(tag: &str, attribute: &str, rel: &str) -> Option<AddressRole> {
    let is = |words: &[&str]| rel.split_ascii_whitespace().any(|word| words.contains(&word));
    Some(match (tag, attribute) {
        ("a" | "area", "href") => AddressRole::Link,
        ("link", "href") if is(&["stylesheet"]) => AddressRole::StyleSheet,
        ("link", "href") if is(&["icon", "shortcut", "apple-touch-icon", "mask-icon"]) => {
            AddressRole::Requisite
        }
        ("link", "href") => AddressRole::Relation,
        ("script", "src") => AddressRole::Script,
        ("iframe" | "frame", "src") => AddressRole::Frame,
        ("form", "action") | ("button" | "input", "formaction") => AddressRole::Form,
        ("img" | "source" | "audio" | "video" | "track" | "embed" | "input", "src")
        | ("video", "poster")
        | ("object", "data")
        | ("body" | "table" | "td" | "th" | "tr", "background")
        | ("image" | "use" | "feimage", "href" | "xlink:href") => AddressRole::Requisite,
        ("img" | "source", "srcset") | ("link", "imagesrcset") => AddressRole::SrcSet,
        (_, "style") => AddressRole::Style,
        _ => return None,
    })
}

/// Returns the relations of an element, in lower case.
pub(crate) fn link_relations(attributes: &[(String, String)]) -> String {
    let rel = attributes.iter().find(|(name, _)| name == "rel").map(|(_, value)| value.to_ascii_lowercase());
    rel.unwrap_or_default()
}

/// Returns the addresses of an element, with character references decoded.
pub(crate) fn element_addresses(tag: &str, attributes: &[(String, String)]) -> Vec<HtmlAddress> {
    let rel = link_relations(attributes);
    attributes
        .iter()
        .filter_map(|(name, value)| {
            let role = role_of(tag, name, &rel)?;
            let raw = super::decode_references(value).into_owned();
            Some(HtmlAddress { role, raw, rel: (role == AddressRole::Relation).then(|| rel.clone()) })
        })
        .collect()
}

/// Returns the ranges of the addresses in a `srcset`.
pub(crate) fn srcset_candidates(srcset: &str) -> Vec<Range<usize>> {
    let bytes = srcset.as_bytes();
    let (mut all, mut at) = (Vec::new(), 0);
    while at < bytes.len() {
        while bytes.get(at).is_some_and(|byte| byte.is_ascii_whitespace() || *byte == b',') {
            at += 1;
        }
        let from = at;
        while bytes.get(at).is_some_and(|byte| !byte.is_ascii_whitespace()) {
            at += 1;
        }
        let mut to = at;
        while to > from && bytes.get(to - 1) == Some(&b',') {
            to -= 1;
        }
        if to > from {
            all.push(from..to);
        }
        // A trailing comma ends the candidate. Otherwise descriptors follow, up to a comma outside
        // brackets.
        if to == at {
            let mut open = 0_u32;
            while let Some(&byte) = bytes.get(at) {
                at += 1;
                match byte {
                    b'(' => open += 1,
                    b')' => open = open.saturating_sub(1),
                    b',' if open == 0 => break,
                    _ => {}
                }
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn candidates_of_a_srcset_are_found() {
        let found = |text: &'static str| -> Vec<&str> {
            srcset_candidates(text).into_iter().map(|range| &text[range]).collect()
        };
        assert_eq!(found("a.png 1x, b,c.png 2x,d.png"), ["a.png", "b,c.png", "d.png"]);
        assert_eq!(found(" a.png, b.png 100w (x,y) ,"), ["a.png", "b.png"]);
        assert!(found(" ,, ").is_empty());
    }
}
