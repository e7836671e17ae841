//! Reads seeds from saved sitemaps.

use super::{Seed, SeedListReport, address};
use geotrawl_kinds::formats::xml::{XmlEvent, XmlReader};
use std::io::{self, BufRead};

/// Longer addresses are truncated.
const LONGEST: usize = 16 * 1024;

/// Reads every `loc` of a sitemap or a sitemap index.
pub fn read_locations(
    mut input: impl BufRead,
    take: &mut dyn FnMut(Seed) -> bool,
    told: &mut SeedListReport,
) -> io::Result<()> {
    let mut reader = XmlReader::new(&mut input, None);
    let mut number = 0_u64;
    let mut text: Option<String> = None;
    loop {
        match reader.next() {
            XmlEvent::Eof => return Ok(()),
            XmlEvent::Start if reader.local_name() == b"loc" => text = Some(String::new()),
            XmlEvent::Text => {
                if let Some(text) = &mut text {
                    reader.append_text(text, LONGEST);
                }
            }
            XmlEvent::End => {
                let Some(loc) = text.take() else { continue };
                number += 1;
                match address(&loc) {
                    Ok(url) => {
                        if !take(Seed { url: url.into(), ..Seed::default() }) {
                            return Ok(());
                        }
                    }
                    Err(cause) => told.problem(format_args!("entry {number}"), cause),
                }
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_entry_is_a_seed() {
        let text = "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url><loc> https://a.example/?x=1&amp;y=2 \
            </loc></url><url><loc>nowhere</loc></url></urlset>";
        let (mut urls, mut told) = (Vec::new(), SeedListReport::default());
        read_locations(
            text.as_bytes(),
            &mut |seed| {
                urls.push(seed.url);
                true
            },
            &mut told,
        )
        .unwrap();
        assert_eq!(urls, ["https://a.example/?x=1&y=2"]);
        assert_eq!(told.unreadable, 1);
    }
}
