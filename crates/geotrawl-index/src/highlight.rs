//! Highlights matching words in titles and snippets, escaped for HTML.

use geotrawl_text::escape::push_html_char;
use geotrawl_text::{Language, fold, split_words};
use std::cell::OnceCell;
use std::collections::HashSet;

/// Maximum length of a snippet, in bytes of text.
const SNIPPET: usize = 260;

/// Words to highlight.
#[derive(Debug, Default, Clone)]
pub struct HighlightTerms {
    pub words: HashSet<String>,
    pub stems: HashSet<String>,
    pub prefixes: Vec<String>,
    initials: OnceCell<u64>,
}

impl HighlightTerms {
    /// Returns whether a word can match, judging by its first letter. Stemming cuts only word
    /// endings, so most words need not be stemmed.
    fn may_hit(&self, word: &str, language: Language) -> bool {
        let Some(first) = word.bytes().next().filter(u8::is_ascii_alphanumeric) else { return true };
        if language.strips_prefixes() {
            return true;
        }
        let initials = self.initials.get_or_init(|| {
            let all = self.words.iter().chain(&self.stems).chain(&self.prefixes);
            all.filter_map(|word| word.bytes().next()).fold(0, |all, first| all | initial(first))
        });
        initials & initial(first) != 0
    }

    fn hit(&self, word: &str, language: Language) -> bool {
        if !self.may_hit(word, language) {
            return false;
        }
        let lower = word.to_lowercase();
        let folded = fold(&lower);
        self.words.contains(&*folded)
            || self.prefixes.iter().any(|prefix| folded.starts_with(prefix.as_str()))
            || (!language.is_stop_word(&folded) && self.stems.contains(&*language.stem(&lower)))
    }

    /// Returns the start and end of each matching word.
    fn hits(&self, text: &str, language: Language) -> Vec<(usize, usize)> {
        let hits = split_words(text).filter(|piece| self.hit(piece.text, language));
        hits.map(|piece| (piece.from, piece.from + piece.text.len())).collect()
    }

    /// Escapes a text for HTML and wraps the matching words in `<mark>`.
    pub fn mark_text(&self, text: &str, language: Language) -> String {
        marked(text, &self.hits(text, language))
    }

    /// Returns the excerpt with the most matching words, escaped and marked, and whether any word
    /// matches.
    pub fn mark_snippet(&self, text: &str, language: Language) -> (String, bool) {
        let hits = self.hits(text, language);
        let (from, to) = window(text, &hits);
        let inside: Vec<(usize, usize)> = hits
            .iter()
            .filter(|(start, end)| *start >= from && *end <= to)
            .map(|(start, end)| (start - from, end - from))
            .collect();
        let mut shown = String::new();
        if from > 0 {
            shown.push_str("… ");
        }
        shown.push_str(&marked(text[from..to].trim_end(), &inside));
        if to < text.len() {
            shown.push_str(" …");
        }
        (shown, !hits.is_empty())
    }
}

/// Returns a bit for the first letter or digit of a word.
fn initial(first: u8) -> u64 {
    1 << (first.to_ascii_lowercase() & 63)
}

/// Returns the window of text with the most hits, starting a little before its first hit.
fn window(text: &str, hits: &[(usize, usize)]) -> (usize, usize) {
    let mut best = (0, 0);
    let mut last = 0;
    for (first, (start, _)) in hits.iter().enumerate() {
        last = last.max(first);
        while last < hits.len() && hits[last].1 <= start + SNIPPET * 3 / 4 {
            last += 1;
        }
        if last - first > best.0 {
            best = (last - first, *start);
        }
    }
    let from = at_word(text, best.1.saturating_sub(SNIPPET / 5));
    let to = if text.len() - from <= SNIPPET { text.len() } else { at_word(text, from + SNIPPET) };
    if to <= from { (from, text.floor_char_boundary(from + SNIPPET)) } else { (from, to) }
}

/// Moves a position back to the start of a word.
fn at_word(text: &str, at: usize) -> usize {
    let at = text.floor_char_boundary(at);
    if at == 0 || at >= text.len() {
        return at;
    }
    let near = text.floor_char_boundary(at.saturating_sub(40));
    text[near..at].rfind(char::is_whitespace).map_or(at, |space| text.floor_char_boundary(near + space + 1))
}

fn marked(text: &str, hits: &[(usize, usize)]) -> String {
    let mut shown = String::with_capacity(text.len() + hits.len() * 13);
    let mut at = 0;
    for (from, to) in hits.iter().filter(|(_, to)| *to <= text.len()) {
        escape(&text[at..*from], &mut shown);
        shown.push_str("<mark>");
        escape(&text[*from..*to], &mut shown);
        shown.push_str("</mark>");
        at = *to;
    }
    escape(&text[at..], &mut shown);
    shown
}

fn escape(text: &str, to: &mut String) {
    for c in text.chars() {
        match c {
            '\n' | '\t' => to.push(' '),
            // Control and bidirectional formatting characters could break or disguise the page.
            c if c.is_control() => {}
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {}
            c => push_html_char(c, to),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn marks(words: &[&str]) -> HighlightTerms {
        let stem = |word: &&str| Language::ENGLISH.stem(word).into_owned();
        HighlightTerms {
            words: words.iter().map(|word| (*word).to_owned()).collect(),
            stems: words.iter().map(stem).collect(),
            ..HighlightTerms::default()
        }
    }

    #[test]
    fn hits_are_marked_and_all_else_is_escaped() {
        let marks = marks(&["road"]);
        assert_eq!(
            marks.mark_text("<script>Roads & \"paths\"", Language::ENGLISH),
            "&lt;script&gt;<mark>Roads</mark> &amp; &quot;paths&quot;"
        );
        assert_eq!(marks.mark_text("main_road_2020", Language::ENGLISH), "main_<mark>road</mark>_2020");
    }

    #[test]
    fn snippets_show_the_hit() {
        let text = format!("{} the old roads of town. {}", "blah ".repeat(200), "more ".repeat(200));
        let (shown, hit) = marks(&["road"]).mark_snippet(&text, Language::ENGLISH);
        assert!(hit && shown.contains("<mark>roads</mark>") && shown.len() < 400, "{shown}");
        assert!(shown.starts_with('…') && shown.ends_with('…'));
        let (shown, hit) = marks(&["road"]).mark_snippet("nothing here", Language::ENGLISH);
        assert!(!hit && shown == "nothing here");
    }

    proptest! {
        #[test]
        fn nothing_but_marks_is_markup(text in r#"[<>&"'a-dé\u{0}\n/ ]{0,400}|.{0,300}"#, word in "[a-d]{1,2}") {
            let marks = marks(&[&word]);
            for shown in [marks.mark_text(&text, Language::ENGLISH), marks.mark_snippet(&text, Language::ENGLISH).0] {
                let rest = shown.replace("<mark>", "").replace("</mark>", "");
                prop_assert!(!rest.contains(['<', '>', '"', '\'']), "{shown}");
                prop_assert_eq!(shown.matches("<mark>").count(), shown.matches("</mark>").count());
            }
        }
    }
}
