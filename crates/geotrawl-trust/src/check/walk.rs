//! A walk through an XML document, element by element: for the few things in it that the model does not hold.

use geotrawl_kinds::formats::xml::{XmlEvent, XmlReader};

/// Longest text of one element.
const TEXT: usize = 4096;

/// What a walk meets.
pub enum ElementEvent<'w, 'r> {
    /// An element begins.
    Begin {
        /// Its name without prefix.
        name: &'w str,
        /// Asked for its attributes.
        reader: &'w XmlReader<'r>,
    },
    /// An element with text alone ends.
    Leaf { name: &'w str, text: &'w str },
    /// An element with others in it ends.
    End { name: &'w str },
}

/// Walks through a document as far as it goes; ends early when `visit` says so.
pub fn walk_xml(mut bytes: &[u8], mut visit: impl FnMut(ElementEvent<'_, '_>) -> bool) {
    let mut reader = XmlReader::new(&mut bytes, None);
    // Names of the open elements: the reader does not tell them at their ends.
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
