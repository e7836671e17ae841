//! XML from strangers' text: what XML cannot hold is left out, everything else escaped.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Whether XML 1.0 can hold it.
fn holds(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | '\u{20}'..='\u{D7FF}' | '\u{E000}'..='\u{FFFD}' | '\u{10000}'..)
}

/// Text without the signs that XML 1.0 cannot hold.
pub fn clean(text: &str) -> Cow<'_, str> {
    if text.chars().all(holds) {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(text.chars().filter(|c| holds(*c)).collect())
    }
}

/// A document that grows. By hand: what is written is fixed but for its texts, and metadata goes in as it is.
#[derive(Debug, Default)]
pub(super) struct Xml(pub(super) String);

impl Xml {
    pub(super) fn raw(&mut self, markup: &str) -> &mut Self {
        self.0.push_str(markup);
        self
    }

    /// Text, escaped for elements and attributes.
    pub(super) fn text(&mut self, text: &str) -> &mut Self {
        for c in text.chars().filter(|c| holds(*c)) {
            match c {
                '&' => self.0.push_str("&amp;"),
                '<' => self.0.push_str("&lt;"),
                '>' => self.0.push_str("&gt;"),
                '"' => self.0.push_str("&quot;"),
                // Kept by attributes and by readers that change the ends of lines.
                '\t' | '\n' | '\r' => {
                    let _ = write!(self.0, "&#{};", c as u32);
                }
                other => self.0.push(other),
            }
        }
        self
    }

    /// An element with text.
    pub(super) fn element(&mut self, name: &str, text: &str) -> &mut Self {
        self.raw("<").raw(name).raw(">").text(text).raw("</").raw(name).raw(">")
    }

    pub(super) fn attribute(&mut self, name: &str, value: &str) -> &mut Self {
        self.raw(" ").raw(name).raw("=\"").text(value).raw("\"")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn any_text_is_read_back_without_what_xml_cannot_hold(text in any::<String>()) {
            let mut xml = Xml::default();
            xml.raw("<a").attribute("b", &text).raw(">").text(&text).raw("</a>");
            let mut reader = quick_xml::Reader::from_str(&xml.0);
            let mut read = String::new();
            loop {
                match reader.read_event().unwrap() {
                    quick_xml::events::Event::Text(part) => read.push_str(&part.into_inner()),
                    quick_xml::events::Event::GeneralRef(part) => {
                        if let Some(c) = part.resolve_char_ref().unwrap() {
                            read.push(c);
                        } else {
                            let name = part.into_inner();
                            read.push_str(quick_xml::escape::resolve_predefined_entity(&name).unwrap());
                        }
                    }
                    quick_xml::events::Event::Eof => break,
                    _ => {}
                }
            }
            prop_assert_eq!(read, clean(&text).into_owned());
        }
    }
}
