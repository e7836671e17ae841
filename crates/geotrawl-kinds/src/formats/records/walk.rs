//! Walking one record: the names of the open elements, and the text of each when it ends.

use crate::formats::xml::{Event, Reader};

/// The longest text that is kept of one element while reading; what is stored is shorter still.
const TEXT_LIMIT: usize = 64 * 1024;

/// Takes what it needs while a record passes by.
pub trait Visitor {
    /// What this format calls its elements.
    type Tag: Copy;

    /// The name of an element.
    fn name(local: &[u8]) -> Self::Tag;

    /// Whether markup inside this element belongs to its text (`<br/>` in a summary).
    fn is_prose(_name: Self::Tag) -> bool {
        false
    }

    /// An element begins; `path` holds the open elements above it, the record's own first.
    fn start(&mut self, name: Self::Tag, path: &[Self::Tag], element: &Reader<'_>);

    /// An element ends; `text` is its character data, not trimmed.
    fn end(&mut self, name: Self::Tag, path: &[Self::Tag], text: &str);
}

/// Reads the record whose element has just begun, to its end. `false` when the document ends before.
pub fn walk<V: Visitor>(reader: &mut Reader<'_>, visitor: &mut V) -> bool {
    let mut path: Vec<V::Tag> = Vec::with_capacity(16);
    path.push(V::name(reader.local()));
    let mut text = String::with_capacity(256);
    // Elements of prose that are open, and do not count.
    let mut inside_prose = 0usize;
    loop {
        match reader.next() {
            Event::Start => {
                if inside_prose > 0 || path.last().is_some_and(|top| V::is_prose(*top)) {
                    inside_prose += 1;
                    text.push(' ');
                    continue;
                }
                text.clear();
                let name = V::name(reader.local());
                visitor.start(name, &path, reader);
                path.push(name);
            }
            Event::Text => {
                if text.len() < TEXT_LIMIT {
                    reader.text_into(&mut text, TEXT_LIMIT);
                }
            }
            Event::End if inside_prose > 0 => {
                inside_prose -= 1;
                text.push(' ');
            }
            Event::End => {
                let Some(name) = path.pop() else { return true };
                if path.is_empty() {
                    return !reader.at_end();
                }
                visitor.end(name, &path, &text);
                text.clear();
            }
            Event::Comment => {}
            Event::Eof => return false,
        }
    }
}
