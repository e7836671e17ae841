//! A small XML document as a tree, for hand-written documents whose parts refer to each other.
//!
//! Documents that a server may make long (records, catalogues, capabilities) are read as a stream
//! instead.

use super::xml::{XmlEvent, XmlReader};

/// Maximum number of elements to keep. Later elements are skipped.
const NODES: usize = 100_000;
/// Maximum size of text and attributes to keep, in bytes.
const BYTES: usize = 16 << 20;
/// Maximum length of the text of an element.
const TEXT: usize = 64 * 1024;

/// Element with its children.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct XmlTreeNode {
    /// Name without prefix.
    pub name: String,
    /// Attributes: name without prefix, and value.
    pub attrs: Vec<(String, String)>,
    /// Concatenated text directly inside the element.
    pub text: String,
    pub children: Vec<XmlTreeNode>,
}

impl XmlTreeNode {
    /// Reads the element that has just started, up to its end.
    pub fn read_element(reader: &mut XmlReader<'_>) -> Self {
        let (mut nodes, mut bytes) = (1usize, 0usize);
        let mut open = vec![Self::begin(reader, &mut bytes)];
        loop {
            match reader.next() {
                XmlEvent::Start => {
                    nodes += 1;
                    let node = if nodes <= NODES && bytes <= BYTES {
                        Self::begin(reader, &mut bytes)
                    } else {
                        Self::default()
                    };
                    open.push(node);
                }
                XmlEvent::Text => {
                    if let Some(top) = open.last_mut()
                        && bytes <= BYTES
                    {
                        let before = top.text.len();
                        reader.append_text(&mut top.text, TEXT);
                        bytes += top.text.len() - before;
                    }
                }
                XmlEvent::End => {
                    let Some(done) = open.pop() else { return Self::default() };
                    match open.last_mut() {
                        Some(parent) if !done.name.is_empty() => parent.children.push(done),
                        Some(_) => {}
                        None => return done,
                    }
                }
                XmlEvent::Comment => {}
                XmlEvent::Eof => return open.into_iter().next().unwrap_or_default(),
            }
        }
    }

    fn begin(reader: &XmlReader<'_>, bytes: &mut usize) -> Self {
        let local = |name: &[u8]| {
            let name = String::from_utf8_lossy(&name[..name.len().min(256)]).into_owned();
            name.split_once(':').map(|(_, local)| local.to_owned()).unwrap_or(name)
        };
        let attrs: Vec<(String, String)> = reader
            .attrs()
            .take(64)
            .map(|(name, value)| (local(name), value.chars().take(TEXT / 4).collect()))
            .collect();
        *bytes += attrs.iter().map(|(_, value)| value.len()).sum::<usize>() + 64;
        Self { name: local(reader.local_name()), attrs, ..Self::default() }
    }

    /// Returns the first child with this name.
    pub fn child(&self, name: &str) -> Option<&Self> {
        self.children.iter().find(|child| child.name.eq_ignore_ascii_case(name))
    }

    /// Returns the children with this name.
    pub fn children_named<'n>(&'n self, name: &'n str) -> impl Iterator<Item = &'n Self> {
        self.children.iter().filter(move |child| child.name.eq_ignore_ascii_case(name))
    }

    /// Follows a path of element names, taking the first child each time.
    pub fn descendant_at(&self, path: &[&str]) -> Option<&Self> {
        path.iter().try_fold(self, |node, name| node.child(name))
    }

    /// Returns the trimmed text of the first child with this name.
    pub fn child_text(&self, name: &str) -> Option<&str> {
        self.child(name).map(|child| child.text.trim()).filter(|text| !text.is_empty())
    }

    /// Returns the trimmed value of an attribute by its local name, or `None` if it is empty.
    pub fn attr(&self, name: &str) -> Option<&str> {
        let (_, value) = self.attrs.iter().find(|(n, _)| n.eq_ignore_ascii_case(name))?;
        Some(value.trim()).filter(|value| !value.is_empty())
    }

    /// Iterates over this element and all its descendants, in document order.
    pub fn descendants(&self) -> DescendantIter<'_> {
        DescendantIter { waiting: vec![self] }
    }
}

/// Iterator over elements in document order.
pub struct DescendantIter<'n> {
    waiting: Vec<&'n XmlTreeNode>,
}

impl<'n> Iterator for DescendantIter<'n> {
    type Item = &'n XmlTreeNode;

    fn next(&mut self) -> Option<&'n XmlTreeNode> {
        let node = self.waiting.pop()?;
        self.waiting.extend(node.children.iter().rev());
        Some(node)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(xml: &str) -> XmlTreeNode {
        let mut input = xml.as_bytes();
        let mut reader = XmlReader::new(&mut input, None);
        while !matches!(reader.next(), XmlEvent::Start | XmlEvent::Eof) {}
        XmlTreeNode::read_element(&mut reader)
    }

    #[test]
    fn a_document_becomes_a_tree() {
        let tree = read("<a x:b='1'><c>one</c><d><c> two </c></d>text<e/></a>");
        assert_eq!(tree.attr("b"), Some("1"));
        assert_eq!(tree.child_text("c"), Some("one"));
        assert_eq!(tree.descendant_at(&["d", "c"]).map(|c| c.text.trim()), Some("two"));
        let names: Vec<&str> = tree.descendants().map(|n| n.name.as_str()).collect();
        assert_eq!(names, ["a", "c", "d", "c", "e"]);
    }

    #[test]
    fn hostile_documents_stay_small() {
        assert_eq!(read("<a><b><c>").descendants().count(), 3);
        assert!(read(&format!("<a>{}</a>", "<b/>".repeat(200_000))).descendants().count() <= NODES + 1);
        assert!(read(&"<a>".repeat(100_000)).descendants().count() <= NODES);
    }
}
