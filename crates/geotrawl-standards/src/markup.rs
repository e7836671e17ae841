//! Writing XML to memory.

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesEnd, BytesStart, BytesText, Event};

/// A document in the making. Writing to memory does not fail, so nothing here does.
pub struct Markup {
    out: Writer<Vec<u8>>,
    open: Vec<String>,
}

impl Markup {
    /// A document with its declaration and open root.
    pub fn new(root: &str, attributes: &[(&str, &str)]) -> Self {
        let mut markup = Self { out: Writer::new(Vec::new()), open: Vec::new() };
        markup.event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)));
        markup.open(root, attributes);
        markup
    }

    fn event(&mut self, event: Event<'_>) {
        let written = self.out.write_event(event);
        debug_assert!(written.is_ok(), "{written:?}");
    }

    /// Begins an element.
    pub fn open(&mut self, name: &str, attributes: &[(&str, &str)]) {
        let start = BytesStart::new(name).with_attributes(attributes.iter().copied());
        self.event(Event::Start(start));
        self.open.push(name.to_owned());
    }

    /// Ends the element that was begun last.
    pub fn close(&mut self) {
        if let Some(name) = self.open.pop() {
            self.event(Event::End(BytesEnd::new(name)));
        }
    }

    /// An element without content.
    pub fn empty(&mut self, name: &str, attributes: &[(&str, &str)]) {
        let start = BytesStart::new(name).with_attributes(attributes.iter().copied());
        self.event(Event::Empty(start));
    }

    /// An element with text.
    pub fn text(&mut self, name: &str, attributes: &[(&str, &str)], text: &str) {
        self.open(name, attributes);
        self.event(Event::Text(BytesText::new(text)));
        self.close();
    }

    /// The whole document.
    pub fn finish(mut self) -> String {
        while !self.open.is_empty() {
            self.close();
        }
        String::from_utf8(self.out.into_inner()).unwrap_or_default()
    }
}
