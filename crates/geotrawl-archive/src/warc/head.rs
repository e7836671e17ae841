//! Headers of WARC records and HTTP messages: lines of names and values up to an empty line.

/// Returns the end of the header, after the first empty line.
pub fn end_of_head(bytes: &[u8]) -> Option<usize> {
    let mut from = 0;
    while let Some(at) = memchr::memchr(b'\n', bytes.get(from..)?) {
        let line_end = from + at + 1;
        match bytes.get(line_end..)? {
            [b'\n', ..] => return Some(line_end + 1),
            [b'\r', b'\n', ..] => return Some(line_end + 2),
            _ => from = line_end,
        }
    }
    None
}

/// Returns names and values of the header lines after the first. Skips lines without a colon.
pub fn parse_fields(head: &[u8]) -> impl Iterator<Item = (&[u8], &[u8])> {
    head.split(|byte| *byte == b'\n').skip(1).filter_map(|line| {
        let colon = memchr::memchr(b':', line)?;
        Some((line.get(..colon)?.trim_ascii(), line.get(colon + 1..)?.trim_ascii()))
    })
}

/// Returns the value of a field; names are case-insensitive.
pub fn find_field(head: &[u8], wanted: &str) -> Option<String> {
    parse_fields(head)
        .find(|(name, _)| name.eq_ignore_ascii_case(wanted.as_bytes()))
        .map(|(_, value)| String::from_utf8_lossy(value).into_owned())
}

/// Replaces control characters, so that hostile text cannot start another field.
pub fn on_one_line(value: &str) -> String {
    value.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}
