//! XML writer; all untrusted text in XML documents is escaped here.

use geotrawl_text::escape::push_xml;

/// Writes XML. Elements are closed in reverse order of opening.
#[derive(Debug, Default)]
pub struct XmlWriter {
    out: String,
    open: Vec<String>,
}

impl XmlWriter {
    /// Creates a document with an XML declaration.
    pub fn with_declaration() -> Self {
        Self { out: String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"), open: Vec::new() }
    }

    /// Creates a fragment without a declaration.
    pub fn fragment() -> Self {
        Self::default()
    }

    fn tag(&mut self, name: &str, attributes: &[(&str, &str)]) {
        self.out.push('<');
        self.out.push_str(name);
        for (name, value) in attributes {
            self.out.push(' ');
            self.out.push_str(name);
            self.out.push_str("=\"");
            push_xml(value, &mut self.out);
            self.out.push('"');
        }
    }

    /// Opens an element.
    pub fn start(&mut self, name: &str, attributes: &[(&str, &str)]) -> &mut Self {
        self.tag(name, attributes);
        self.out.push('>');
        self.open.push(name.to_owned());
        self
    }

    /// Closes the innermost open element.
    pub fn end(&mut self) -> &mut Self {
        if let Some(name) = self.open.pop() {
            self.out.push_str("</");
            self.out.push_str(&name);
            self.out.push('>');
        }
        self
    }

    /// Closes the `count` innermost elements.
    pub fn end_many(&mut self, count: usize) -> &mut Self {
        for _ in 0..count {
            self.end();
        }
        self
    }

    /// Writes an element with text.
    pub fn leaf(&mut self, name: &str, text: &str) -> &mut Self {
        self.leaf_with(name, &[], text)
    }

    /// Writes an element with attributes and text.
    pub fn leaf_with(&mut self, name: &str, attributes: &[(&str, &str)], text: &str) -> &mut Self {
        self.start(name, attributes);
        push_xml(text, &mut self.out);
        self.end()
    }

    /// Writes an element with attributes only.
    pub fn empty(&mut self, name: &str, attributes: &[(&str, &str)]) -> &mut Self {
        self.tag(name, attributes);
        self.out.push_str("/>");
        self
    }

    /// Writes text.
    pub fn text(&mut self, text: &str) -> &mut Self {
        push_xml(text, &mut self.out);
        self
    }

    /// Writes XML that is already encoded.
    pub fn raw(&mut self, xml: &str) -> &mut Self {
        self.out.push_str(xml);
        self
    }

    /// Closes all open elements and returns the XML.
    pub fn finish(mut self) -> String {
        self.end_many(self.open.len());
        self.out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn elements_nest() {
        let mut xml = XmlWriter::fragment();
        xml.start("a", &[("x", "1 < 2 & \"3\"")]).leaf("b", "é<").empty("c", &[]).start("d", &[]);
        assert_eq!(xml.finish(), "<a x=\"1 &lt; 2 &amp; &quot;3&quot;\"><b>é&lt;</b><c/><d></d></a>");
    }

    proptest! {
        #[test]
        fn any_text_is_read_back(text in any::<String>()) {
            let mut xml = XmlWriter::with_declaration();
            xml.leaf_with("a", &[("b", &text)], &text);
            let written = xml.finish();
            let read = crate::tree::XmlElement::parse(written.as_bytes()).map_err(|e| e.to_string());
            prop_assert!(read.is_ok(), "{:?} {}", read, written);
        }
    }
}
