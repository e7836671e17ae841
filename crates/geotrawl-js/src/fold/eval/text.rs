//! Converts values to text and concatenates them.

use super::{FoldValue, one_of};
use crate::model::HOLE;
use crate::value::MOST_ALTERNATIVES;

/// Maximum length of a text.
const LONGEST: usize = 8 << 10;

/// Truncates a text to the maximum length.
pub(crate) fn cap_text(mut text: String) -> String {
    text.truncate(text.floor_char_boundary(LONGEST));
    text
}

/// Formats a number like JavaScript.
pub(crate) fn number_text(number: f64) -> String {
    if number.fract() == 0.0 && number.abs() < 1e15 { format!("{number:.0}") } else { number.to_string() }
}

/// Appends the text of a value.
fn piece(value: &FoldValue<'_>, out: &mut String) {
    match value {
        FoldValue::Text(text) => out.push_str(text),
        FoldValue::Number(number) => out.push_str(&number_text(*number)),
        FoldValue::Bool(true) => out.push_str("true"),
        FoldValue::Bool(false) => out.push_str("false"),
        FoldValue::Null => out.push_str("null"),
        FoldValue::List(list) => {
            for (index, value) in list.iter().take(64).enumerate() {
                if index > 0 {
                    out.push(',');
                }
                if !matches!(value, FoldValue::List(_)) {
                    piece(value, out);
                }
            }
        }
        _ => hole(out),
    }
}

/// Appends an unknown part; consecutive ones are merged.
fn hole(out: &mut String) {
    if !out.ends_with(HOLE) {
        out.push(HOLE);
    }
}

/// Concatenates values: all combinations of their alternatives, up to the maximum number.
pub(super) fn concat_values<'a>(values: &[FoldValue<'a>]) -> FoldValue<'a> {
    let mut texts = vec![String::new()];
    for value in values {
        let several = value.alternatives();
        if several.len() > 1 {
            let room = (MOST_ALTERNATIVES / texts.len()).max(1);
            let mut out = Vec::with_capacity(texts.len() * several.len().min(room));
            for one in several.iter().take(room) {
                for text in &texts {
                    let mut text = text.clone();
                    piece(one, &mut text);
                    out.push(text);
                }
            }
            texts = out;
        } else {
            for text in &mut texts {
                if text.len() < LONGEST {
                    piece(value, text);
                }
            }
        }
    }
    one_of(texts.into_iter().map(|text| FoldValue::Text(cap_text(text).into())))
}
