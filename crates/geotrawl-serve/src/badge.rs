//! SVG badges with the status of a service: `wms | alive 99.9 % | 87`.
//!
//! Badges are embedded in other sites, so they load nothing. The text repeats what the colour says,
//! for readers who do not see it.

use crate::feeds::single_line;
use geotrawl_model::Status;
use std::fmt::Write as _;

/// Content type of a badge.
pub const SVG: &str = "image/svg+xml";
/// Longest label and value, in characters.
const MOST_TEXT: usize = 60;
const HEIGHT: u32 = 20;
/// Space on both sides of a text, in pixels.
const PADDING: u32 = 6;
const LABEL_COLOUR: &str = "#333333";

/// Returns the colour of a status, dark enough for white text (WCAG 2.2 AA, 4.5 : 1).
const fn colour_of(status: Status) -> &'static str {
    match status {
        Status::Alive => "#1a7f37",
        Status::Degraded => "#8a5a00",
        Status::Dead => "#b42318",
        Status::Restricted => "#6941c6",
        Status::Blocked => "#9c2f6d",
        Status::Inconclusive | Status::Unchecked => "#57606a",
    }
}

/// Formats the right half: status, availability and score.
pub fn format_value(status: Status, share: Option<f64>, score: Option<f64>) -> String {
    let mut value = status.to_string();
    if let Some(share) = share.filter(|share| share.is_finite()) {
        let percent = share.clamp(0.0, 1.0) * 100.0;
        // Round down: 99.96 % must not be shown as 100 %.
        let shown = if percent < 100.0 { (percent * 10.0).floor() / 10.0 } else { percent };
        let _ = if shown.fract() == 0.0 {
            write!(value, " {shown:.0} %")
        } else {
            write!(value, " {shown:.1} %")
        };
    }
    if let Some(score) = score.filter(|score| score.is_finite()) {
        let _ = write!(value, " | {:.0}", score.clamp(0.0, 100.0).floor());
    }
    value
}

/// Renders the badge as SVG.
pub fn render_svg(label: &str, value: &str, status: Status) -> String {
    let (label, value) = (single_line(label, MOST_TEXT), single_line(value, MOST_TEXT));
    let (left, right) = (width(&label) + 2 * PADDING, width(&value) + 2 * PADDING);
    let (whole, colour) = (left + right, colour_of(status));
    let (label_middle, value_middle) = (left / 2, left + right / 2);
    // Fix the text length so that a wider font in the viewer does not overflow.
    let (label_width, value_width) = (left - 2 * PADDING, right - 2 * PADDING);
    let (label, value) = (escaped(&label), escaped(&value));
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{whole}\" height=\"{HEIGHT}\" \
         viewBox=\"0 0 {whole} {HEIGHT}\" role=\"img\" aria-label=\"{label}: {value}\">\
         <title>{label}: {value}</title>\
         <clipPath id=\"r\"><rect width=\"{whole}\" height=\"{HEIGHT}\" rx=\"3\"/></clipPath>\
         <g clip-path=\"url(#r)\">\
         <rect width=\"{left}\" height=\"{HEIGHT}\" fill=\"{LABEL_COLOUR}\"/>\
         <rect x=\"{left}\" width=\"{right}\" height=\"{HEIGHT}\" fill=\"{colour}\"/></g>\
         <g fill=\"#ffffff\" text-anchor=\"middle\" font-family=\"Verdana,DejaVu Sans,Geneva,sans-serif\" \
         font-size=\"11\" aria-hidden=\"true\">\
         <text x=\"{label_middle}\" y=\"14\" textLength=\"{label_width}\" lengthAdjust=\"spacingAndGlyphs\">{label}</text>\
         <text x=\"{value_middle}\" y=\"14\" textLength=\"{value_width}\" lengthAdjust=\"spacingAndGlyphs\">{value}</text>\
         </g></svg>"
    )
}

/// Estimates the width of a text in an 11-pixel wide sans-serif font.
fn width(text: &str) -> u32 {
    let tenths: u32 = text.chars().map(tenths).sum();
    tenths.div_ceil(10).max(1)
}

/// Returns the width of a character in tenths of a pixel.
fn tenths(c: char) -> u32 {
    match c {
        'i' | 'j' | 'l' | '\'' => 31,
        ' ' | 'f' | 't' | 'I' | '.' | ',' | ':' | ';' | '!' | '|' | '/' | '\\' | '(' | ')' | '[' | ']' => 43,
        'r' | '-' | '"' => 49,
        'c' | 'k' | 's' | 'v' | 'x' | 'y' | 'z' => 60,
        'm' | 'w' => 100,
        '0'..='9' | 'a'..='z' => 70,
        'M' | 'W' | '@' | '%' => 115,
        'A'..='Z' => 78,
        '+' | '<' | '>' | '=' | '~' | '^' | '#' => 90,
        c if c.is_ascii() => 70,
        // Scripts with square characters.
        '\u{1100}'..='\u{11ff}'
        | '\u{2e80}'..='\u{d7ff}'
        | '\u{f900}'..='\u{faff}'
        | '\u{fe30}'..='\u{fe4f}'
        | '\u{ff00}'..='\u{ffef}'
        | '\u{1f000}'..='\u{3ffff}' => 115,
        _ => 76,
    }
}

fn escaped(text: &str) -> String {
    quick_xml::escape::escape(text).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use quick_xml::Reader;
    use quick_xml::events::Event;

    #[test]
    fn a_badge_says_in_words_what_it_shows() {
        let text = format_value(Status::Alive, Some(0.9991), Some(87.4));
        assert_eq!(text, "alive 99.9 % | 87");
        let badge = render_svg("wms", &text, Status::Alive);
        assert!(badge.contains("role=\"img\" aria-label=\"wms: alive 99.9 % | 87\""), "{badge}");
        assert!(badge.contains("<title>wms: alive 99.9 % | 87</title>"), "{badge}");
    }

    #[test]
    fn a_share_is_never_flattered() {
        assert_eq!(format_value(Status::Alive, Some(0.99999), None), "alive 99.9 %");
        assert_eq!(format_value(Status::Alive, Some(1.0), None), "alive 100 %");
        assert_eq!(format_value(Status::Dead, Some(0.0), Some(0.0)), "dead 0 % | 0");
        assert_eq!(format_value(Status::Unchecked, None, None), "unchecked");
        assert_eq!(format_value(Status::Alive, Some(f64::NAN), Some(f64::INFINITY)), "alive");
        assert_eq!(format_value(Status::Alive, Some(7.0), Some(700.0)), "alive 100 % | 100");
    }

    /// Relative luminance of `#rrggbb` as WCAG defines it.
    fn luminance(colour: &str) -> f64 {
        let channel = |at: usize| {
            let value = f64::from(u8::from_str_radix(&colour[at..at + 2], 16).unwrap()) / 255.0;
            if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5)
    }

    #[test]
    fn white_text_can_be_read_on_every_colour() {
        let mut colours = Status::ALL.map(colour_of).to_vec();
        colours.dedup();
        for colour in colours.iter().chain(&[LABEL_COLOUR]) {
            let contrast = 1.05 / (luminance(colour) + 0.05);
            assert!(contrast >= 4.5, "{colour}: {contrast:.2}");
        }
        for (n, colour) in colours.iter().enumerate() {
            assert!(!colours[..n].contains(colour), "{colour} twice");
        }
    }

    #[test]
    fn longer_texts_are_wider_up_to_a_limit() {
        assert!(width("wwww") > width("iiii"));
        assert!(render_svg(&"w".repeat(10_000), "x", Status::Dead).len() < 2_000);
    }

    proptest! {
        #[test]
        fn any_text_gives_a_well_formed_picture(label in "\\PC{0,80}|.{0,80}", value in "(.|[<>&\"'\u{0}\u{1f}\u{fffe}]){0,80}") {
            let badge = render_svg(&label, &value, Status::Dead);
            let mut reader = Reader::from_str(&badge);
            loop {
                match reader.read_event().unwrap() {
                    Event::Eof => break,
                    Event::Start(tag) | Event::Empty(tag) => {
                        for attribute in tag.attributes() {
                            attribute.unwrap();
                        }
                        prop_assert!(tag.name().as_ref() != "script");
                    }
                    _ => {}
                }
            }
            let odd = badge.chars().any(|c| c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}'));
            prop_assert!(!odd);
        }
    }
}
