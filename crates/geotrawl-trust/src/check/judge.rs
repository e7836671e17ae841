//! Judges an answer: some kind of trouble, or what was requested.

mod content;
mod image;
#[cfg(test)]
pub mod pictures;
mod trouble;

use geotrawl_model::{CheckFailure, Outcome};
use std::collections::BTreeMap;
use url::Url;

pub use content::judge_content;
pub use image::DecodedPicture;
pub use trouble::{detect_trouble, judge_other_document};

/// An answer and the part of it that was read.
pub struct ObservedAnswer<'s> {
    pub asked: &'s Url,
    /// Address that answered.
    pub url: &'s Url,
    pub status: u16,
    pub content_type: Option<&'s str>,
    /// Total size, if the server reported it.
    pub total: Option<u64>,
    pub headers: &'s BTreeMap<String, String>,
    pub redirects: &'s [(u16, String)],
    pub bytes: &'s [u8],
    /// Whether there was more.
    pub truncated: bool,
}

/// The outcome of a request, also in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JudgedAnswer {
    pub outcome: Outcome,
    pub seen: String,
}

impl JudgedAnswer {
    pub fn new(outcome: Outcome, seen: impl Into<String>) -> Self {
        Self { outcome, seen: seen.into() }
    }
}

/// Judges a request without an answer by the failure class of the client. Class `resolver` means
/// that the name could not be resolved for the moment.
pub fn judge_failure(failed: &CheckFailure) -> JudgedAnswer {
    let outcome = match failed.class.as_str() {
        "dns" | "resolver" => Outcome::Dns,
        "connect" => Outcome::Connect,
        "tls" => Outcome::Tls,
        "timeout" => Outcome::Timeout,
        "robots" => Outcome::Robots,
        "resting" => Outcome::RateLimited,
        "too-large" | "bomb" => Outcome::TooLarge,
        "bad-url" | "blocked-address" | "blocked-port" | "bad-redirect" | "redirect-loop"
        | "too-many-redirects" | "local" => Outcome::Refused,
        "decode" => Outcome::Malformed,
        _ => Outcome::Reset,
    };
    JudgedAnswer::new(outcome, short(&failed.message, 300))
}

/// Returns the picture if it has a single colour, for comparison with the next one.
pub fn single_colour_picture(bytes: &[u8]) -> Option<DecodedPicture> {
    image::decode_picture(bytes)?.ok().filter(|picture| picture.blank)
}

/// Returns the start of a text on one line.
fn short(text: &str, length: usize) -> String {
    let mut line = String::new();
    for word in text.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        line.extend(word.chars().filter(|c| !c.is_control()).take(length));
        if line.len() >= length {
            break;
        }
    }
    if line.chars().count() > length {
        line = line.chars().take(length).collect::<String>() + "…";
    }
    line
}
