//! Console output: results on stdout, everything else on stderr.

use serde::Serialize;
use std::io::{self, Write};

/// Prints one line to stdout. Exits quietly if the reader has closed the pipe (`| head`).
pub fn print_line(text: &str) {
    let mut out = io::stdout().lock();
    if out.write_all(text.as_bytes()).and_then(|()| out.write_all(b"\n")).is_err() {
        std::process::exit(0);
    }
}

/// Prints a whole text to stdout. Exits quietly if the reader has closed the pipe.
pub fn print_text(text: &[u8]) {
    let mut out = io::stdout().lock();
    if out.write_all(text).and_then(|()| out.flush()).is_err() {
        std::process::exit(0);
    }
}

/// Prints one JSON object to stdout.
pub fn print_json(value: &impl Serialize) {
    if let Ok(text) = serde_json::to_string(value) {
        print_line(&text);
    }
}

/// Prints a message for the user to stderr.
pub fn print_message(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}

/// Prints an error with its causes to stderr.
pub fn print_error(error: &anyhow::Error) {
    let mut text = format!("geotrawl: {error}");
    for cause in error.chain().skip(1) {
        let cause = cause.to_string();
        if !text.contains(&cause) {
            text.push_str(": ");
            text.push_str(&cause);
        }
    }
    print_message(&text);
}

/// Formats a number with its noun: `1 service`, `2 services`.
pub fn format_count(n: u64, one: &str, many: &str) -> String {
    if n == 1 { format!("{n} {one}") } else { format!("{} {many}", format_thousands(n)) }
}

/// Formats a number with commas between groups of three digits.
pub fn format_thousands(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Replaces control characters by spaces and shortens the text to `most` characters.
///
/// Text from web servers must not be able to move the cursor or break the line.
pub fn sanitize_line(text: &str, most: usize) -> String {
    let mut tamed: String =
        text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(most + 1).collect();
    if tamed.chars().count() > most {
        tamed = tamed.chars().take(most.saturating_sub(1)).collect();
        tamed.push('…');
    }
    tamed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strangers_cannot_move_the_cursor() {
        assert_eq!(sanitize_line("a\u{1b}[2Jb\nc", 20), "a [2Jb c");
        assert_eq!(sanitize_line("abcdef", 4), "abc…");
    }

    #[test]
    fn numbers_are_grouped() {
        assert_eq!(format_thousands(0), "0");
        assert_eq!(format_thousands(1_234_567), "1,234,567");
        assert_eq!(format_count(1, "file", "files"), "1 file");
    }
}
