//! Caches the lookup of words: titles and abstracts repeat a few thousand words, and stemming them
//! in several languages is expensive.

use crate::lexicon::WordMatch;
use geotrawl_text::LanguageSet;
use geotrawl_text::hash::{NumberMap, hash_bytes};
use std::cell::RefCell;
use std::rc::Rc;

/// Most words cached per thread; the cache is cleared when it is full.
const MOST: usize = 16_384;
/// Longest word that is cached, in bytes.
const LONGEST: usize = 32;

thread_local! {
    static MEMO: RefCell<WordCache> = RefCell::default();
}

#[derive(Default)]
struct WordCache {
    /// Number of the automaton that the cache belongs to.
    owner: u64,
    words: NumberMap<Rc<CachedWord>>,
}

/// What a word means in a text of certain languages.
#[derive(Debug)]
pub struct CachedWord {
    written: Box<str>,
    told: LanguageSet,
    /// Languages in which it is a function word.
    pub stops: LanguageSet,
    pub found: Vec<WordMatch>,
}

/// Returns what a word means, from the cache or by calling `look`.
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
