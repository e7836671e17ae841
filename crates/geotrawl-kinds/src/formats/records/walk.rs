//! Walking one record: the names of the open elements, and the text of each when it ends.

use crate::formats::xml::{XmlEvent, XmlReader};

/// The longest text that is kept of one element while reading; what is stored is shorter still.
const TEXT_LIMIT: usize = 64 * 1024;

/// Takes what it needs while a record passes by.
pub trait RecordVisitor {
    /// What this format calls its elements.
    type Tag: Copy;

    /// The name of an element.
    fn tag_for_name(local: &[u8]) -> Self::Tag;

    /// Whether markup inside this element belongs to its text (`<br/>` in a summary).
    fn is_prose(_name: Self::Tag) -> bool {
        false
    }

    /// An element begins; `path` holds the open elements above it, the record's own first.
    fn start_element(&mut self, name: Self::Tag, path: &[Self::Tag], element: &XmlReader<'_>);

    /// An element ends; `text` is its character data, not trimmed.
    fn end_element(&mut self, name: Self::Tag, path: &[Self::Tag], text: &str);
}

/// Reads the record whose element has just begun, to its end. `false` when the document ends before.
pub fn walk_record<V: RecordVisitor>(reader: &mut XmlReader<'_>, visitor: &mut V) -> bool {
    let mut path: Vec<V::Tag> = Vec::with_capacity(16);
    path.push(V::tag_for_name(reader.local_name()));
    let mut text = String::with_capacity(256);
    // Elements of prose that are open, and do not count.
    let mut inside_prose = 0usize;
    loop {
        match reader.next() {
            XmlEvent::Start => {
                if inside_prose > 0 || path.last().is_some_and(|top| V::is_prose(*top)) {
                    inside_prose += 1;
                    text.push(' ');
                    continue;
                }
                text.clear();
                let name = V::tag_for_name(reader.local_name());
                visitor.start_element(name, &path, reader);
                path.push(name);
            }
            XmlEvent::Text => {
                if text.len() < TEXT_LIMIT {
                    reader.append_text(&mut text, TEXT_LIMIT);
                }
            }
            XmlEvent::End if inside_prose > 0 => {
                inside_prose -= 1;
                text.push(' ');
            }
            XmlEvent::End => {
                let Some(name) = path.pop() else { return true };
                if path.is_empty() {
                    return !reader.is_at_end();
                }
                visitor.end_element(name, &path, &text);
                text.clear();
            }
            XmlEvent::Comment => {}
            XmlEvent::Eof => return false,
        }
    }
}
