//! Reads seeds from OPML outlines.

use super::{Seed, SeedListReport, address};
use geotrawl_kinds::formats::xml::{XmlEvent, XmlReader};
use std::io::BufRead;

/// Reads the addresses of all outlines at any depth.
pub fn read_outlines(mut input: impl BufRead, take: &mut dyn FnMut(Seed) -> bool, told: &mut SeedListReport) {
    let mut reader = XmlReader::new(&mut input, None);
    let mut number = 0_u64;
    loop {
        match reader.next() {
            XmlEvent::Eof => return,
            XmlEvent::Start if reader.name().eq_ignore_ascii_case(b"outline") => {}
            _ => continue,
        }
        number += 1;
        let attr = |name: &str| reader.attr(name).map(|value| value.trim().to_owned());
        let title = attr("text").or_else(|| attr("title")).filter(|text| !text.is_empty());
        for url in ["htmlUrl", "xmlUrl", "url"].into_iter().filter_map(attr).filter(|url| !url.is_empty()) {
            match address(&url) {
                Ok(url) => {
                    if !take(Seed { url: url.into(), title: title.clone(), ..Seed::default() }) {
                        return;
                    }
                }
                Err(cause) => told.problem(format_args!("outline {number}"), cause),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outlines_are_read_at_every_depth() {
        let text = "<opml version='2.0'><body><outline text='Europe'><outline text='Portal &amp; more' \
            htmlUrl='https://a.example/' xmlUrl='https://a.example/feed'/></outline><outline url='::'/></body></opml>";
        let (mut seeds, mut told) = (Vec::new(), SeedListReport::default());
        read_outlines(
            text.as_bytes(),
            &mut |seed| {
                seeds.push(seed);
                true
            },
            &mut told,
        );
        assert_eq!(seeds.len(), 2);
        assert_eq!(seeds[0].title.as_deref(), Some("Portal & more"));
        assert_eq!(told.unreadable, 1);
    }
}
