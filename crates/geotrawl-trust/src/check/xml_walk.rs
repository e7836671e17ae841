//! Walks through an XML document element by element, to read the few things that the model does not
//! contain.

use geotrawl_kinds::formats::xml::{XmlEvent, XmlReader};

/// Maximum length of an element's text.
const TEXT: usize = 4096;

/// What the walk reports.
pub enum ElementEvent<'w, 'r> {
    /// Start of an element.
    Begin {
        /// Name without prefix.
        name: &'w str,
        /// Gives access to the attributes.
        reader: &'w XmlReader<'r>,
    },
    /// End of an element with only text.
    Leaf { name: &'w str, text: &'w str },
    /// End of an element with child elements.
    End { name: &'w str },
}

/// Walks through a document as far as it is readable; stops when `visit` returns `false`.
pub fn walk_xml(mut bytes: &[u8], mut visit: impl FnMut(ElementEvent<'_, '_>) -> bool) {
    let mut reader = XmlReader::new(&mut bytes, None);
    // Names of the open elements, because the reader does not report them at end tags.
    let mut open: Vec<String> = Vec::new();
    let mut text = String::new();
    let mut leaf = false;
    loop {
        let go_on = match reader.next() {
            XmlEvent::Start => {
                let local = reader.local_name();
                let name = String::from_utf8_lossy(&local[..local.len().min(256)]).into_owned();
                text.clear();
                leaf = true;
                let go_on = visit(ElementEvent::Begin { name: &name, reader: &reader });
                open.push(name);
                go_on
            }
            XmlEvent::Text => {
                reader.append_text(&mut text, TEXT);
                true
            }
            XmlEvent::End => {
                let name = open.pop().unwrap_or_default();
                let met = if leaf {
                    ElementEvent::Leaf { name: &name, text: text.trim() }
                } else {
                    ElementEvent::End { name: &name }
                };
                leaf = false;
                visit(met)
            }
            XmlEvent::Comment => true,
            XmlEvent::Eof => return,
        };
        if !go_on {
            return;
        }
    }
}
