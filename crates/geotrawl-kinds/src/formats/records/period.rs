//! Periods in the text notation of Dublin Core.

/// Converts a DCMI Period such as `start=2000-01-01; end=2001-12-31; scheme=W3C-DTF;` to
/// `2000-01-01/2001-12-31`. Returns `None` if the text is not one.
pub fn parse_dcmi_period(text: &str) -> Option<String> {
    let part = |name: &str| {
        text.split(';').take(16).find_map(|part| {
            let (key, value) = part.split_once('=')?;
            key.trim().eq_ignore_ascii_case(name).then(|| value.trim().to_owned())
        })
    };
    let (start, end) = (part("start"), part("end"));
    if start.is_none() && end.is_none() {
        return None;
    }
    Some(format!("{}/{}", start.unwrap_or_default(), end.unwrap_or_default()))
}
