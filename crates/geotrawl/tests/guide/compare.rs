//! Compares output with what a page shows.

/// Whether the lines of an output come in a fixed order.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum LineOrder {
    Fixed,
    /// A crawl prints resources as soon as it has verified them, in no fixed order.
    Any,
}

/// Returns whether an output is what the page shows.
pub fn matches_output(shown: &[String], output: &str, order: LineOrder) -> bool {
    let shown: Vec<String> = join_json(shown).iter().map(|line| normalize(line)).collect();
    let output: Vec<String> = output.lines().filter(|line| !is_progress(line)).map(normalize).collect();
    match order {
        LineOrder::Fixed => matches_lines(&shown, &output),
        LineOrder::Any => matches_set(&shown, &output),
    }
}

/// Joins JSON objects that the page wraps over several lines.
fn join_json(lines: &[String]) -> Vec<String> {
    let mut joined: Vec<String> = Vec::new();
    for line in lines {
        match joined.last_mut() {
            Some(last) if last.starts_with('{') && !is_complete(last) => last.push_str(line.trim_start()),
            _ => joined.push(line.clone()),
        }
    }
    joined
}

fn is_complete(json: &str) -> bool {
    json.matches('{').count() == json.matches('}').count()
}

/// Progress is printed every ten seconds: only on slow machines.
fn is_progress(line: &str) -> bool {
    line.split_once(" s  ").is_some_and(|(seconds, rest)| {
        seconds.bytes().all(|byte| byte.is_ascii_digit()) && rest.contains(" in flight")
    })
}

/// Replaces durations and times by placeholders, and removes blanks at the end of the line.
fn normalize(line: &str) -> String {
    let words: Vec<&str> = line.trim_end().split(' ').collect();
    let mut out = Vec::with_capacity(words.len());
    for (index, &word) in words.iter().enumerate() {
        let next = words.get(index + 1).copied().unwrap_or_default();
        let unit = next.trim_end_matches(['.', ',', ';', ':', ')']);
        let is_number = word.starts_with(|first: char| first.is_ascii_digit())
            && word.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.' || byte == b',');
        if is_number && matches!(unit, "s" | "ms" | "GB") {
            out.push("#".to_owned());
        } else {
            out.push(replace_times(word));
        }
    }
    out.join(" ")
}

/// Replaces times in RFC 3339 (`2026-11-16T10:00:00.123Z`) by a placeholder.
fn replace_times(word: &str) -> String {
    let mut out = String::new();
    let mut rest = word;
    while let Some(at) = find_time(rest) {
        let end = rest[at..].find('Z').map_or(rest.len(), |end| at + end + 1);
        out.push_str(&rest[..at]);
        out.push_str("#time");
        rest = &rest[end..];
    }
    out + rest
}

fn find_time(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    (0..bytes.len().checked_sub(16)?).find(|&at| {
        let part = &bytes[at..at + 16];
        let shape = b"0000-00-00T00:00";
        part.iter()
            .zip(shape)
            .all(|(byte, &sign)| if sign == b'0' { byte.is_ascii_digit() } else { *byte == sign })
    })
}

fn matches_lines(shown: &[String], output: &[String]) -> bool {
    let Some((first, rest)) = shown.split_first() else { return output.is_empty() };
    if first.trim() == "..." {
        return (0..=output.len()).any(|skipped| matches_lines(rest, &output[skipped..]));
    }
    output
        .split_first()
        .is_some_and(|(line, others)| matches_line(first, line) && matches_lines(rest, others))
}

/// Every line shown is one of the output, each another one; without `...` there are no more.
fn matches_set(shown: &[String], output: &[String]) -> bool {
    let mut left: Vec<&String> = output.iter().collect();
    let mut open_ended = false;
    for line in shown {
        if line.trim() == "..." {
            open_ended = true;
            continue;
        }
        let Some(found) = left.iter().position(|candidate| matches_line(line, candidate)) else {
            return false;
        };
        left.swap_remove(found);
    }
    open_ended || left.is_empty()
}

/// Compares one line; `...` and `[..]` in `shown` match any text.
fn matches_line(shown: &str, line: &str) -> bool {
    let shown = shown.replace("[..]", "...");
    let mut pieces = shown.split("...");
    let first = pieces.next().unwrap_or_default();
    let Some(mut rest) = line.strip_prefix(first) else { return false };
    let mut pieces = pieces.peekable();
    if pieces.peek().is_none() {
        return rest.is_empty();
    }
    while let Some(piece) = pieces.next() {
        if pieces.peek().is_none() {
            return rest.ends_with(piece);
        }
        let Some(at) = rest.find(piece) else { return false };
        rest = &rest[at + piece.len()..];
    }
    true
}

#[test]
fn wildcards_match_what_varies() {
    let lines = |text: &str| -> Vec<String> { text.lines().map(str::to_owned).collect() };
    let output = "wms  3  http://a.example/\nkml  1  http://b.example/\nFound 2 on 7 pages in 3.1 s.\n";
    for shown in [
        "wms  3  http://a.example/\n...\nFound 2 on [..] pages in 0.2 s.",
        "...",
        "wms ... http://a.example/\nkml ...\nFound 2 on 7 pages in 12.0 s.",
    ] {
        assert!(matches_output(&lines(shown), output, LineOrder::Fixed), "{shown}");
    }
    for shown in ["wms  3  http://a.example/", "...\nFound 3 ...", "kml ...\nwms ...\nFound ..."] {
        assert!(!matches_output(&lines(shown), output, LineOrder::Fixed), "{shown}");
    }
    assert!(matches_output(&lines("kml ...\nwms ...\nFound ..."), output, LineOrder::Any));
    assert!(!matches_output(&lines("kml ...\nwms ..."), output, LineOrder::Any));
    let json = "{\"id\":\"x\",\"at\":\"2026-01-01T00:00:00.5Z\",\"rest\":1}\n";
    assert!(matches_output(
        &lines("{\"id\":\"x\",\n \"at\":\"2026-11-19T23:00:00Z\",...}"),
        json,
        LineOrder::Fixed
    ));
}
