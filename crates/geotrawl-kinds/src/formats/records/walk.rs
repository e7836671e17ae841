//! Walks the elements of one record and reports each with its text.

use crate::formats::xml::{XmlEvent, XmlReader};

/// Maximum length of the text of an element while reading. Stored texts are shorter.
const TEXT_LIMIT: usize = 64 * 1024;

/// Receives the elements of a record.
pub trait RecordVisitor {
    /// Element names of the format.
    type Tag: Copy;

    /// Returns the tag for an element name.
    fn tag_for_name(local: &[u8]) -> Self::Tag;

    /// Returns whether markup inside the element belongs to its text, such as `<br/>` in a summary.
    fn is_prose(_name: Self::Tag) -> bool {
        false
    }

    /// Called at the start of an element. `path` holds the open elements above it, from the
    /// record's root.
    fn start_element(&mut self, name: Self::Tag, path: &[Self::Tag], element: &XmlReader<'_>);

    /// Called at the end of an element. `text` is its character data, not trimmed.
    fn end_element(&mut self, name: Self::Tag, path: &[Self::Tag], text: &str);
}

/// Reads the record whose element has just started. Returns `false` if the document ends before the
/// record.
pub fn walk_record<V: RecordVisitor>(reader: &mut XmlReader<'_>, visitor: &mut V) -> bool {
    let mut path: Vec<V::Tag> = Vec::with_capacity(16);
    path.push(V::tag_for_name(reader.local_name()));
    let mut text = String::with_capacity(256);
    // Number of open elements inside prose, which are not reported.
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
