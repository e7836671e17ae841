//! Splits text into words, for likeness and relevance.

/// Longer words are truncated.
const LONGEST: usize = 64;

/// Calls `each` with every word in lower case. Words consist of letters and digits; in scripts
/// without spaces every character counts as a word.
pub(crate) fn for_each_word(text: &str, mut each: impl FnMut(&str)) {
    let mut word = String::new();
    for c in text.chars() {
        if is_ideograph(c) {
            end_word(&mut word, &mut each);
            word.push(c);
            end_word(&mut word, &mut each);
        } else if c.is_alphanumeric() {
            if word.len() < LONGEST {
                word.extend(c.to_lowercase());
            }
        } else {
            end_word(&mut word, &mut each);
        }
    }
    end_word(&mut word, &mut each);
}

fn end_word(word: &mut String, each: &mut impl FnMut(&str)) {
    if !word.is_empty() {
        each(word);
        word.clear();
    }
}

fn is_ideograph(c: char) -> bool {
    matches!(c, '\u{0e00}'..='\u{0eff}' | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}')
}

#[cfg(test)]
mod tests {
    #[test]
    fn words_are_letters_and_digits_in_lower_case() {
        let mut words = Vec::new();
        super::for_each_word("Land-Cover 2026, Größe 地図 WMS!", |word| words.push(word.to_owned()));
        assert_eq!(words, ["land", "cover", "2026", "größe", "地", "図", "wms"]);
    }
}
