//! Remembers what words were found to be: titles and abstracts say the same few thousand words again and again, and
//! stemming them in several languages is what costs.

use crate::lexicon::WordMatch;
use geotrawl_text::LanguageSet;
use geotrawl_text::hash::{NumberMap, hash_bytes};
use std::cell::RefCell;
use std::rc::Rc;

/// Most words that a thread remembers; then it begins anew.
const MOST: usize = 16_384;
/// Longest word that is remembered, in bytes.
const LONGEST: usize = 32;

thread_local! {
    static MEMO: RefCell<WordCache> = RefCell::default();
}

#[derive(Default)]
struct WordCache {
    /// Which automaton it is of.
    owner: u64,
    words: NumberMap<Rc<CachedWord>>,
}

/// What a word is in a text of some languages.
#[derive(Debug)]
pub struct CachedWord {
    written: Box<str>,
    told: LanguageSet,
    /// In which languages it carries no meaning.
    pub stops: LanguageSet,
    pub found: Vec<WordMatch>,
}

/// What a word is, from memory or by looking.
pub fn cached_word(
    owner: u64,
    written: &str,
    told: LanguageSet,
    look: impl FnOnce() -> (LanguageSet, Vec<WordMatch>),
) -> Rc<CachedWord> {
    let fresh = |look: &mut dyn FnMut() -> (LanguageSet, Vec<WordMatch>)| {
        let (stops, found) = look();
        Rc::new(CachedWord { written: written.into(), told, stops, found })
    };
    let mut look = Some(look);
    let mut look = || look.take().map_or((0, Vec::new()), |look| look());
    if written.len() > LONGEST {
        return fresh(&mut look);
    }
    let key = hash_bytes(u64::from(told), written.as_bytes());
    let remembered = MEMO.with_borrow_mut(|memo| {
        if memo.owner != owner || memo.words.len() >= MOST {
            memo.owner = owner;
            memo.words.clear();
        }
        memo.words.get(&key).filter(|known| known.told == told && *known.written == *written).map(Rc::clone)
    });
    remembered.unwrap_or_else(|| {
        let known = fresh(&mut look);
        MEMO.with_borrow_mut(|memo| memo.words.insert(key, Rc::clone(&known)));
        known
    })
}
