//! Where addresses stand in HTML, once for reading and for rewriting.

use std::ops::Range;

/// What an address is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// A person may go there.
    Link,
    /// Shown inside the page.
    Frame,
    /// Images, fonts, sounds.
    Requisite,
    StyleSheet,
    Script,
    /// Where a form is sent.
    Form,
    /// Several images, of which a browser chooses.
    SrcSet,
    /// Declarations, which may hold addresses.
    Style,
    /// A `link` that is neither shown nor gone to, as `canonical`.
    Relation,
}

/// An address as it stands in an element.
pub(crate) struct Address {
    pub role: Role,
    pub raw: String,
    /// Of a `link`.
    pub rel: Option<String>,
}

/// What an attribute of an element holds; `rel`: relations of a `link`, in lower case.
pub(crate) fn role(tag: &str, attribute: &str, rel: &str) -> Option<Role> {
    let is = |words: &[&str]| rel.split_ascii_whitespace().any(|word| words.contains(&word));
    Some(match (tag, attribute) {
        ("a" | "area", "href") => Role::Link,
        ("link", "href") if is(&["stylesheet"]) => Role::StyleSheet,
        ("link", "href") if is(&["icon", "shortcut", "apple-touch-icon", "mask-icon"]) => Role::Requisite,
        ("link", "href") => Role::Relation,
        ("script", "src") => Role::Script,
        ("iframe" | "frame", "src") => Role::Frame,
        ("form", "action") | ("button" | "input", "formaction") => Role::Form,
        ("img" | "source" | "audio" | "video" | "track" | "embed" | "input", "src")
        | ("video", "poster")
        | ("object", "data")
        | ("body" | "table" | "td" | "th" | "tr", "background")
        | ("image" | "use" | "feimage", "href" | "xlink:href") => Role::Requisite,
        ("img" | "source", "srcset") | ("link", "imagesrcset") => Role::SrcSet,
        (_, "style") => Role::Style,
        _ => return None,
    })
}

/// The relations of an element.
pub(crate) fn relations(attributes: &[(String, String)]) -> String {
    let rel = attributes.iter().find(|(name, _)| name == "rel").map(|(_, value)| value.to_ascii_lowercase());
    rel.unwrap_or_default()
}

/// The addresses of an element, references undone.
pub(crate) fn addresses_of(tag: &str, attributes: &[(String, String)]) -> Vec<Address> {
    let rel = relations(attributes);
    attributes
        .iter()
        .filter_map(|(name, value)| {
            let role = role(tag, name, &rel)?;
            let raw = super::undone(value).into_owned();
            Some(Address { role, raw, rel: (role == Role::Relation).then(|| rel.clone()) })
        })
        .collect()
}

/// Where the addresses of a `srcset` are in it.
pub(crate) fn candidates(srcset: &str) -> Vec<Range<usize>> {
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
        // A comma at its end ends the candidate; else descriptors follow, up to a comma outside of brackets.
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
            candidates(text).into_iter().map(|range| &text[range]).collect()
        };
        assert_eq!(found("a.png 1x, b,c.png 2x,d.png"), ["a.png", "b,c.png", "d.png"]);
        assert_eq!(found(" a.png, b.png 100w (x,y) ,"), ["a.png", "b.png"]);
        assert!(found(" ,, ").is_empty());
    }
}
