//! Reads seeds from plain text, one address per line.

use super::{Seed, SeedListReport, address};
use std::io::{self, BufRead, Read};

/// Longer lines are split; no address is this long.
const LONGEST_LINE: u64 = 16 * 1024;

/// Reads lines. Skips empty lines and those that start with `#`.
pub fn read_lines(
    mut input: impl BufRead,
    take: &mut dyn FnMut(Seed) -> bool,
    told: &mut SeedListReport,
) -> io::Result<()> {
    let mut line = Vec::new();
    for number in 1_u64.. {
        line.clear();
        if input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line)? == 0 {
            break;
        }
        let text = String::from_utf8_lossy(&line);
        let text = text.trim_start_matches('\u{feff}').trim();
        // A fragment follows its address directly, a comment follows a space.
        let text = text.split_once(" #").map_or(text, |(before, _)| before.trim_end());
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        match address(text) {
            Ok(url) => {
                if !take(Seed { url: url.into(), ..Seed::default() }) {
                    break;
                }
            }
            Err(cause) => told.problem(format_args!("line {number}"), cause),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remarks_are_skipped_and_nonsense_is_told() {
        let text =
            b"\xEF\xBB\xBF# portals\n\nhttps://a.example/#map\n  b.example/wms # theirs\nnot an address\n";
        let (mut urls, mut told) = (Vec::new(), SeedListReport::default());
        read_lines(
            &text[..],
            &mut |seed| {
                urls.push(seed.url);
                true
            },
            &mut told,
        )
        .unwrap();
        assert_eq!(urls, ["https://a.example/#map", "http://b.example/wms"]);
        assert_eq!(told.unreadable, 1);
        assert!(told.problems[0].starts_with("line 5: 'not an address'"), "{:?}", told.problems);
    }
}
