//! Tells forms of one noun from other words with the same stem.

use geotrawl_text::Language;

const ENGLISH: &[&str] = &["", "s", "es", "y", "ies", "e", "ed", "ing", "d"];
const GERMAN: &[&str] = &["", "e", "en", "er", "ern", "es", "n", "s", "em", "se", "sen"];
const FRENCH: &[&str] =
    &["", "s", "x", "es", "e", "al", "aux", "ale", "ales", "if", "ive", "ier", "iers", "iere", "ieres"];
const SPANISH: &[&str] = &["", "s", "es", "a", "o", "as", "os", "e", "on", "ones"];
const ITALIAN: &[&str] = &["", "a", "o", "e", "i", "he", "hi", "io", "ie", "ia"];
const DUTCH: &[&str] = &["", "e", "en", "s", "n", "es", "ren", "eren"];
const PORTUGUESE: &[&str] = &["", "s", "es", "a", "o", "as", "os", "e", "ao", "oes", "is", "l", "al", "ais"];

/// Returns the endings that distinguish forms of one noun;
/// `None` allows any of up to three letters.
fn endings_of(language: Language) -> Option<&'static [&'static str]> {
    match language.code() {
        "en" => Some(ENGLISH),
        "de" => Some(GERMAN),
        "fr" => Some(FRENCH),
        "es" => Some(SPANISH),
        "it" => Some(ITALIAN),
        "nl" => Some(DUTCH),
        "pt" => Some(PORTUGUESE),
        _ => None,
    }
}

/// Whether two folded words with the same stem are forms of one noun. The stem alone is not enough:
/// it is the same for `Oliver` and `olive`, and for `port` and `porte`.
pub fn are_forms(language: Language, one: &str, other: &str) -> bool {
    if one == other {
        return true;
    }
    let same: usize =
        one.chars().zip(other.chars()).take_while(|(a, b)| a == b).map(|(a, _)| a.len_utf8()).sum();
    let (one_end, other_end) = (&one[same..], &other[same..]);
    // `portes` is not the plural of `port`.
    let sibilant = one[..same].ends_with(['s', 'x', 'z', 'h', 'o', 'c', 'g']);
    let is_english = language == Language::ENGLISH;
    if is_english && !sibilant && (one_end == "es" || other_end == "es") {
        return false;
    }
    // `zone` is not `zoning`: one of the words must be the other with an ending.
    if is_english && ![one_end, other_end].iter().any(|end| matches!(*end, "" | "y")) {
        return false;
    }
    match endings_of(language) {
        // Endings of short French words usually make other words.
        Some(_) if language.code() == "fr" && same <= 5 => {
            matches!(one_end, "" | "s" | "x") && matches!(other_end, "" | "s" | "x")
        }
        Some(endings) => endings.contains(&one_end) && endings.contains(&other_end),
        None => one_end.chars().count() <= 3 && other_end.chars().count() <= 3,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use geotrawl_text::fold;

    #[test]
    fn forms_are_of_one_noun() {
        let forms = |code: &str, one: &str, other: &str| {
            let language = Language::from_name(code).unwrap();
            language.stem(one) == language.stem(other) && are_forms(language, &fold(one), &fold(other))
        };
        for (code, one, other) in [
            ("en", "forest", "forests"),
            ("en", "glacier", "glaciers"),
            ("en", "flood", "flooding"),
            ("de", "wald", "wälder"),
            ("de", "straße", "straßen"),
            ("fr", "forêt", "forêts"),
            ("es", "bosque", "bosques"),
            ("it", "bosco", "boschi"),
        ] {
            assert!(forms(code, one, other), "{code} {one} {other}");
        }
        for (code, one, other) in
            [("en", "olive", "oliver"), ("fr", "port", "porte"), ("en", "port", "portal")]
        {
            assert!(!forms(code, one, other), "{code} {one} {other}");
        }
    }

    proptest::proptest! {
        #[test]
        fn any_two_words_can_be_compared(one in "\\PC{0,30}", other in "\\PC{0,30}") {
            for language in Language::all() {
                let _ = are_forms(language, &one, &other);
            }
        }
    }
}
