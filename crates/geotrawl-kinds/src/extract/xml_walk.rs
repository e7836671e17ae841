//! Walks any XML tolerantly: elements with attributes, and the text between tags in one piece.

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

/// Maximum length of text between two tags; longer text is passed on in pieces.
const MAX_TEXT: usize = 1 << 20;

/// Part of the markup.
pub(super) enum MarkupEvent<'s, 'e> {
    /// Start tag, also of an empty element.
    Start {
        element: &'e BytesStart<'s>,
    },
    /// Text directly inside an element, with references as written. Includes the qualified name of
    /// the element if the text follows its start tag.
    Text {
        element: &'e str,
        text: &'e str,
    },
    End {
        local_name: &'e str,
    },
}

/// Walks the markup as far as possible. On a syntax error, returns `Err` with its position.
pub(super) fn walk_markup<'s>(
    source: &'s str,
    mut visit: impl FnMut(MarkupEvent<'s, '_>),
) -> Result<(), usize> {
    let mut reader = Reader::from_str(source);
    let config = reader.config_mut();
    config.allow_dangling_amp = true;
    config.allow_unmatched_ends = true;
    config.check_end_names = false;
    let mut text = String::new();
    let mut current = String::new();
    loop {
        let event = reader.read_event().map_err(|_not_well_formed| reader.buffer_position() as usize)?;
        let ends_text = matches!(event, Event::Start(_) | Event::Empty(_) | Event::End(_) | Event::Eof);
        if (ends_text || text.len() > MAX_TEXT) && !text.trim_ascii().is_empty() {
            visit(MarkupEvent::Text { element: &current, text: &text });
        }
        if ends_text || text.len() > MAX_TEXT {
            text.clear();
        }
        match event {
            Event::Start(element) => {
                current.clear();
                current.push_str(element.name().0);
                visit(MarkupEvent::Start { element: &element });
            }
            Event::Empty(element) => visit(MarkupEvent::Start { element: &element }),
            Event::End(end) => {
                visit(MarkupEvent::End { local_name: end.local_name().into_inner() });
                current.clear();
            }
            Event::Text(piece) => text.push_str(&piece),
            Event::CData(piece) => text.push_str(&piece),
            Event::GeneralRef(name) => {
                text.push('&');
                text.push_str(&name);
                text.push(';');
            }
            Event::Eof => return Ok(()),
            Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => {}
        }
    }
}

/// Returns the local name of the first element if the text looks like XML.
pub(super) fn root_name(source: &str) -> Option<String> {
    let start = source.get(..source.floor_char_boundary(64 * 1024)).unwrap_or_default();
    let mut reader = Reader::from_str(start);
    reader.config_mut().allow_dangling_amp = true;
    for _ in 0..64 {
        match reader.read_event() {
            Ok(Event::Start(e) | Event::Empty(e)) => return Some(e.local_name().into_inner().to_owned()),
            Ok(Event::Eof) | Err(_) => return None,
            Ok(_) => {}
        }
    }
    None
}
