//! `LIKE` patterns over whole values and over the words of a text.

use geotrawl_text::{fold, split_words};

/// Placeholder for `_` while a pattern is split into words: a caseless letter that hardly occurs in
/// texts, so that it neither ends a word nor starts one.
const STAND_IN: char = '\u{a66e}';

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PatternStep {
    Char(char),
    One,
    Any,
}

/// Common forms of patterns, which match faster than step by step: whole dictionaries are compared.
#[derive(Debug, Clone, PartialEq, Eq)]
enum PatternShape {
    Is(String),
    Begins(String),
    Ends(String),
    Holds(String),
    Other,
}

/// A pattern over a whole value that ignores case and accents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LikePattern {
    steps: Vec<PatternStep>,
    shape: PatternShape,
}

impl LikePattern {
    fn new(steps: Vec<PatternStep>) -> Self {
        let (before, rest) = match steps.split_first() {
            Some((PatternStep::Any, rest)) => (true, rest),
            _ => (false, &steps[..]),
        };
        let (after, rest) = match rest.split_last() {
            Some((PatternStep::Any, rest)) => (true, rest),
            _ => (false, rest),
        };
        let literal: Option<String> = rest.iter().map(|step| step.literal()).collect();
        let shape = match (literal, before, after) {
            (None, ..) => PatternShape::Other,
            (Some(text), false, false) => PatternShape::Is(text),
            (Some(text), false, true) => PatternShape::Begins(text),
            (Some(text), true, false) => PatternShape::Ends(text),
            (Some(text), true, true) => PatternShape::Holds(text),
        };
        Self { steps, shape }
    }

    /// Parses a pattern: `%` matches any text, `_` one character, `\` escapes the next character.
    pub fn parse(text: &str) -> Self {
        let mut steps = Vec::new();
        for part in parts(text) {
            match part {
                PatternPart::Any => {
                    if steps.last() != Some(&PatternStep::Any) {
                        steps.push(PatternStep::Any);
                    }
                }
                PatternPart::One => steps.push(PatternStep::One),
                PatternPart::Literal(text) => steps.extend(fold(&text).chars().map(PatternStep::Char)),
            }
        }
        Self::new(steps)
    }

    /// Returns whether a folded value matches.
    #[inline]
    pub fn matches(&self, folded: &str) -> bool {
        match &self.shape {
            PatternShape::Is(text) => folded == text,
            PatternShape::Begins(text) => folded.starts_with(text.as_str()),
            PatternShape::Ends(text) => folded.ends_with(text.as_str()),
            PatternShape::Holds(text) => folded.contains(text.as_str()),
            PatternShape::Other => self.follows(folded),
        }
    }

    /// Matches step by step, with backtracking to the last `%` only, which is linear for typical
    /// patterns.
    fn follows(&self, folded: &str) -> bool {
        let steps = &self.steps;
        let (mut step, mut rest) = (0, folded.chars());
        // The step after the last `%`, and where its text began.
        let mut again: Option<(usize, std::str::Chars)> = None;
        loop {
            let before = rest.clone();
            match (steps.get(step), rest.next()) {
                (None, None) => return true,
                (Some(PatternStep::Any), _) => {
                    step += 1;
                    again = Some((step, before.clone()));
                    rest = before;
                }
                (Some(PatternStep::One), Some(_)) => step += 1,
                (Some(PatternStep::Char(wanted)), Some(c)) if *wanted == c => step += 1,
                _ => {
                    let Some((after, from)) = &mut again else { return false };
                    if from.next().is_none() {
                        return false;
                    }
                    (step, rest) = (*after, from.clone());
                }
            }
        }
    }

    /// Returns the longest text that every matching value contains.
    pub fn longest_literal(&self) -> String {
        let runs = self.steps.split(|step| step.literal().is_none());
        let longest = runs.max_by_key(|run| run.len()).unwrap_or_default();
        longest.iter().filter_map(|step| step.literal()).collect()
    }

    /// Returns the text that every matching value starts with.
    pub fn literal_prefix(&self) -> String {
        self.steps.iter().map_while(|step| step.literal()).collect()
    }
}

impl PatternStep {
    fn literal(self) -> Option<char> {
        match self {
            Self::Char(c) => Some(c),
            Self::One | Self::Any => None,
        }
    }
}

/// Splits a pattern into patterns for the words of a matching text; a word next to a `%` may
/// continue there.
pub fn word_patterns(text: &str) -> Vec<LikePattern> {
    let mut found = Vec::new();
    let mut chunk = String::new();
    let mut open_left = false;
    for part in parts(text).into_iter().map(Some).chain([None]) {
        match part {
            Some(PatternPart::Literal(text)) => chunk.push_str(&text),
            Some(PatternPart::One) => chunk.push(STAND_IN),
            Some(PatternPart::Any) | None => {
                let open_right = part.is_some();
                for piece in split_words(&chunk) {
                    let mut steps = Vec::new();
                    if open_left && piece.from == 0 {
                        steps.push(PatternStep::Any);
                    }
                    let chars = fold(piece.text);
                    steps.extend(
                        chars
                            .chars()
                            .map(|c| if c == STAND_IN { PatternStep::One } else { PatternStep::Char(c) }),
                    );
                    if open_right && piece.from + piece.text.len() == chunk.len() {
                        steps.push(PatternStep::Any);
                    }
                    found.push(LikePattern::new(steps));
                }
                chunk.clear();
                open_left = true;
            }
        }
    }
    found
}

enum PatternPart {
    Literal(String),
    One,
    Any,
}

fn parts(text: &str) -> Vec<PatternPart> {
    let mut parts = Vec::new();
    let mut literal = String::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        let wild = match c {
            '%' => PatternPart::Any,
            '_' => PatternPart::One,
            // A trailing backslash matches itself.
            '\\' => {
                literal.push(chars.next().unwrap_or(c));
                continue;
            }
            _ => {
                literal.push(c);
                continue;
            }
        };
        if !literal.is_empty() {
            parts.push(PatternPart::Literal(std::mem::take(&mut literal)));
        }
        parts.push(wild);
    }
    if !literal.is_empty() {
        parts.push(PatternPart::Literal(literal));
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn like(pattern: &str, value: &str) -> bool {
        LikePattern::parse(pattern).matches(&fold(value))
    }

    #[test]
    fn patterns_match_whole_values() {
        for (pattern, value) in [
            ("water", "WATER"),
            ("%", ""),
            ("%wat%", "Freshwater lakes"),
            ("w_t%", "Wetlands"),
            ("100\\%", "100%"),
            ("a\\_b", "a_b"),
            ("for%t", "Forêt"),
            ("%a%b%a", "xxaxxbaxxa"),
            ("a\\", "a\\"),
        ] {
            assert!(like(pattern, value), "{pattern} {value}");
        }
        for (pattern, value) in
            [("water", "waters"), ("_", ""), ("", "x"), ("a\\%", "ab"), ("a\\_b", "axb"), ("%ab", "abc")]
        {
            assert!(!like(pattern, value), "{pattern} {value}");
        }
    }

    #[test]
    fn words_beside_a_wildcard_go_on() {
        let matching = |pattern: &str, of: &[&str]| {
            let words = word_patterns(pattern);
            words.iter().all(|word| of.iter().any(|text| word.matches(text)))
        };
        assert!(matching("%water%", &["freshwaters"]));
        assert!(matching("%land use%", &["upland", "used"]));
        assert!(!matching("%land use%", &["landed", "use"]));
        assert!(matching("land use", &["land", "use"]) && !matching("land use", &["lands", "use"]));
        assert!(matching("w_ter", &["water"]) && !matching("w_ter", &["waiter"]));
        assert!(word_patterns("%").is_empty() && word_patterns("% - %").is_empty());
    }

    /// Reference implementation: obvious, but slow.
    fn slow(steps: &[PatternStep], value: &[char]) -> bool {
        match (steps.split_first(), value.split_first()) {
            (None, None) => true,
            (Some((PatternStep::Any, rest)), _) => {
                slow(rest, value) || value.split_first().is_some_and(|(_, value)| slow(steps, value))
            }
            (Some((PatternStep::One, steps)), Some((_, value))) => slow(steps, value),
            (Some((PatternStep::Char(wanted), steps)), Some((c, value))) => wanted == c && slow(steps, value),
            _ => false,
        }
    }

    proptest! {
        #[test]
        fn they_are_what_the_definition_says(pattern in "[ab%_\\\\]{0,8}", value in "[ab]{0,10}") {
            let pattern = LikePattern::parse(&pattern);
            let chars: Vec<char> = value.chars().collect();
            prop_assert_eq!(pattern.matches(&value), slow(&pattern.steps, &chars));
            prop_assert_eq!(pattern.follows(&value), pattern.matches(&value));
        }

        #[test]
        fn anything_is_a_pattern(pattern in ".{0,40}", value in ".{0,40}") {
            let folded = fold(&value).into_owned();
            LikePattern::parse(&pattern).matches(&folded);
            for word in word_patterns(&pattern) {
                word.matches(&folded);
            }
        }
    }
}
