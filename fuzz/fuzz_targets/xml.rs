//! Any document through the XML reader, whole and in small pieces, with identical results.

#![no_main]

use geotrawl_kinds::formats::xml::{Event, Reader};
use libfuzzer_sys::fuzz_target;
use std::io::Read;

/// Reader that returns at most `step` bytes at a time.
struct Dribble<'b> {
    bytes: &'b [u8],
    step: usize,
}

impl Read for Dribble<'_> {
    fn read(&mut self, buf: &mut [u8]) -> std::io::Result<usize> {
        let n = self.step.min(buf.len()).min(self.bytes.len());
        buf[..n].copy_from_slice(&self.bytes[..n]);
        self.bytes = &self.bytes[n..];
        Ok(n)
    }
}

/// Returns the texts and names of a document, and whether it is well-formed.
fn transcript(input: &mut dyn Read) -> (String, bool) {
    let mut reader = Reader::new(input, None);
    let mut out = String::new();
    let mut depth = 0_i64;
    loop {
        match reader.next() {
            Event::Start => {
                depth += 1;
                out.push('<');
                out.push_str(&String::from_utf8_lossy(reader.name()));
                for (name, value) in reader.attrs() {
                    out.push(' ');
                    out.push_str(&String::from_utf8_lossy(name));
                    out.push('=');
                    out.push_str(&value);
                }
            }
            Event::End => {
                depth -= 1;
                out.push('>');
            }
            Event::Text => reader.text_into(&mut out, usize::MAX),
            Event::Comment => {}
            Event::Eof => break,
        }
        assert!(depth >= 0, "an end without a start");
    }
    assert_eq!(depth, 0, "every start has its end");
    assert_eq!(reader.next(), Event::Eof, "the end stays the end");
    (out, reader.well_formed())
}

fuzz_target!(|data: &[u8]| {
    let Some((step, document)) = data.split_first() else { return };
    let whole = transcript(&mut &*document);
    let pieces = transcript(&mut Dribble { bytes: document, step: usize::from(*step).max(1) });
    assert_eq!(whole, pieces);
});
