//! Counts words of pages that lead to something new; they become new search queries.

use geotrawl_model::focus::IndicativeTerm;
use std::collections::HashMap;

/// Maximum number of words to remember per run.
const MOST: usize = 50_000;
/// Maximum number of words to use per page.
const MOST_OF_PAGE: usize = 60;
/// Minimum and maximum length of a word in characters.
const SHORTEST: usize = 3;
const LONGEST: usize = 30;

/// Word counts since they were last saved.
#[derive(Default)]
pub struct TermCounts {
    counts: HashMap<Box<str>, TermCount>,
    word: String,
    /// Number of the latest page.
    page: u64,
}

#[derive(Default, Clone, Copy)]
struct TermCount {
    gained: u32,
    seen: u32,
    /// Whether it occurred on a page that led to something; only such words are saved.
    telling: bool,
    /// The latest page that was counted.
    page: u64,
}

impl TermCount {
    /// Counts the word once per page.
    fn add(&mut self, page: u64, gained: bool) -> bool {
        if self.page == page {
            return false;
        }
        self.page = page;
        self.seen += 1;
        self.gained += u32::from(gained);
        self.telling |= gained;
        true
    }
}

/// Makes room for another word if possible. For a word of a good page, words of unproductive pages
/// are dropped; they can come back.
fn has_room(counts: &mut HashMap<Box<str>, TermCount>, gained: bool) -> bool {
    if counts.len() >= MOST && gained {
        counts.retain(|_, count| count.telling);
    }
    counts.len() < MOST
}

impl TermCounts {
    /// Counts the words of a page once each: those of its title and of the link to it.
    pub fn count_page(&mut self, title: &str, words: &str, gained: bool) {
        self.page += 1;
        let (page, counts) = (self.page, &mut self.counts);
        let mut of_page = 0;
        let mut word = std::mem::take(&mut self.word);
        for text in [title, words] {
            each_word(text, &mut word, &mut |word| {
                if of_page == MOST_OF_PAGE {
                    return;
                }
                if let Some(count) = counts.get_mut(word) {
                    of_page += usize::from(count.add(page, gained));
                } else if has_room(counts, gained) {
                    of_page += usize::from(counts.entry(word.into()).or_default().add(page, gained));
                }
            });
        }
        self.word = word;
    }

    /// Returns the counts of indicative words since the last call.
    pub fn take_counts(&mut self) -> Vec<IndicativeTerm> {
        let mut terms = Vec::new();
        for (word, count) in self.counts.iter_mut().filter(|(_, count)| count.telling && count.seen > 0) {
            let (gained, seen) = (u64::from(count.gained), u64::from(count.seen));
            terms.push(IndicativeTerm { term: word.to_string(), gained, seen });
            (count.gained, count.seen) = (0, 0);
        }
        terms
    }
}

/// Visits the words of a text in lower case; scripts without spaces are split into character pairs.
fn each_word(text: &str, word: &mut String, visit: &mut dyn FnMut(&str)) {
    let mut pair: Option<char> = None;
    word.clear();
    for character in text.chars().chain(std::iter::once(' ')) {
        if is_unspaced(character) {
            if let Some(before) = pair {
                let two: String = [before, character].iter().collect();
                visit(&two);
            }
            pair = Some(character);
        } else {
            pair = None;
            if character.is_alphanumeric() {
                word.extend(character.to_lowercase());
                continue;
            }
        }
        let length = word.chars().count();
        if (SHORTEST..=LONGEST).contains(&length) && word.chars().any(char::is_alphabetic) {
            visit(word);
        }
        word.clear();
    }
}

/// Returns whether a character is Chinese or Japanese.
fn is_unspaced(character: char) -> bool {
    matches!(character, '\u{3040}'..='\u{30FF}' | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        let mut all = Vec::new();
        each_word(text, &mut String::new(), &mut |word| all.push(word.to_owned()));
        all
    }

    #[test]
    fn words_are_told_apart_in_many_scripts() {
        assert_eq!(words("Karten-Dienste (WMS) 2024, of Ä"), ["karten", "dienste", "wms"]);
        assert_eq!(words("Карта города"), ["карта", "города"]);
        assert_eq!(words("地理信息 map"), ["地理", "理信", "信息", "map"]);
        assert_eq!(words(&"x".repeat(31)), Vec::<String>::new());
    }

    #[test]
    fn telling_words_are_handed_over_once_with_how_often_they_were_seen() {
        let mut terms = TermCounts::default();
        terms.count_page("Karten der Stadt", "", false);
        assert_eq!(terms.take_counts(), []);
        terms.count_page("Karten Karten", "zur WMS", true);
        let mut told = terms.take_counts();
        told.sort_by(|a, b| a.term.cmp(&b.term));
        let told: Vec<_> = told.iter().map(|term| (term.term.as_str(), term.gained, term.seen)).collect();
        assert_eq!(told, [("karten", 1, 2), ("wms", 1, 1), ("zur", 1, 1)]);
        assert_eq!(terms.take_counts(), []);
        terms.count_page("Karten", "", false);
        assert_eq!(terms.take_counts(), [IndicativeTerm { term: "karten".into(), gained: 0, seen: 1 }]);
    }

    #[test]
    fn memory_stays_bounded() {
        let mut terms = TermCounts::default();
        for n in 0..MOST as u32 + 5_000 {
            let word: String = n.to_string().bytes().map(|b| char::from(b - b'0' + b'a')).collect();
            terms.count_page(&format!("{word}{word}x"), "", n % 2 == 0);
        }
        assert!(terms.counts.len() <= MOST);
        terms.count_page("wholly new", "", true);
        assert!(terms.counts.len() <= MOST);
    }
}
