//! Requests as `curl` commands.

use geotrawl_model::CheckRequest;

/// Formats a request as a command for a POSIX shell. All external text is quoted, nothing is
/// expanded, and only `http` and `https` are allowed.
pub fn format_curl(asked: &CheckRequest) -> String {
    let mut line = String::from("curl -sS -L -g --proto '=http,https' --max-time 60");
    if asked.range.is_none() {
        line.push_str(" --compressed");
    }
    let mut header = |name: &str, value: &str| {
        line.push_str(" -H ");
        line.push_str(&quoted(&format!("{name}: {value}")));
    };
    if !asked.accept.is_empty() {
        header("Accept", &asked.accept);
    }
    if let Some(range) = &asked.range {
        header("Range", range);
    }
    if let Some(content_type) = &asked.content_type {
        header("Content-Type", content_type);
    }
    if let Some(body) = &asked.body {
        // curl reads a file if the value of --data-binary starts with an at sign.
        line.push_str(if body.starts_with('@') { " --data-raw " } else { " --data-binary " });
        line.push_str(&shell(body));
    } else if asked.method == "POST" {
        line.push_str(" -X POST");
    }
    line.push_str(" --url ");
    line.push_str(&quoted(&asked.url));
    line
}

/// Quotes a header or an address without its control characters, which neither may contain.
fn quoted(text: &str) -> String {
    shell(&text.chars().filter(|c| !c.is_control()).collect::<String>())
}

/// Quotes a word for the shell. In single quotes, only the quote itself is special.
fn shell(text: &str) -> String {
    format!("'{}'", text.replace('\0', "").replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn get(url: &str) -> CheckRequest {
        CheckRequest { method: "GET".into(), url: url.into(), ..CheckRequest::default() }
    }

    #[test]
    fn requests_become_lines() {
        let asked = CheckRequest { accept: "image/png".into(), ..get("https://x.org/wms?a=1&b=$(rm)") };
        assert_eq!(
            format_curl(&asked),
            "curl -sS -L -g --proto '=http,https' --max-time 60 --compressed -H 'Accept: image/png' --url 'https://x.org/wms?a=1&b=$(rm)'"
        );
        let asked = CheckRequest { range: Some("bytes=0-9".into()), ..get("https://x.org/it's") };
        assert_eq!(
            format_curl(&asked),
            r"curl -sS -L -g --proto '=http,https' --max-time 60 -H 'Range: bytes=0-9' --url 'https://x.org/it'\''s'"
        );
        let asked = CheckRequest {
            method: "POST".into(),
            content_type: Some("text/xml".into()),
            body: Some("@/etc/passwd".into()),
            ..get("https://x.org/")
        };
        assert!(format_curl(&asked).contains("--data-raw '@/etc/passwd'"));
        let asked = CheckRequest { accept: "a\r\nX-Evil: 1".into(), ..get("https://x.org/") };
        assert!(format_curl(&asked).contains("'Accept: aX-Evil: 1'"));
    }

    /// Splits a line like a POSIX shell, for lines of plain and single-quoted words.
    fn words(line: &str) -> Vec<String> {
        let (mut words, mut word, mut inside) = (Vec::new(), None::<String>, false);
        let mut chars = line.chars();
        while let Some(c) = chars.next() {
            match c {
                '\'' => {
                    inside = !inside;
                    word.get_or_insert_default();
                }
                '\\' if !inside => word.get_or_insert_default().extend(chars.next()),
                ' ' if !inside => words.extend(word.take()),
                c => word.get_or_insert_default().push(c),
            }
        }
        assert!(!inside, "{line}");
        words.extend(word);
        words
    }

    proptest! {
        #[test]
        fn whatever_is_asked_stays_one_word(url in "\\PC{0,60}", body in ".{0,60}", accept in "\\PC{1,30}") {
            let asked = CheckRequest { body: Some(body.clone()), accept: accept.clone(), method: "POST".into(), ..get(&url) };
            let words = words(&format_curl(&asked));
            prop_assert_eq!(words.last().unwrap(), &url);
            prop_assert_eq!(&words[words.len() - 3], &body.replace('\0', ""));
            prop_assert_eq!(&words[10], &format!("Accept: {accept}"));
        }
    }
}
