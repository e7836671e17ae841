//! Remembers what words were found to be: titles and abstracts say the same few thousand words again and again, and
//! stemming them in several languages is what costs.

use crate::lexicon::Found;
use geotrawl_text::Languages;
use geotrawl_text::hash::{NumberMap, hash};
use std::cell::RefCell;
use std::rc::Rc;

/// Most words that a thread remembers; then it begins anew.
const MOST: usize = 16_384;
/// Longest word that is remembered, in bytes.
const LONGEST: usize = 32;

thread_local! {
    static MEMO: RefCell<Memo> = RefCell::default();
}

#[derive(Default)]
struct Memo {
    /// Which automaton it is of.
    owner: u64,
    words: NumberMap<Rc<Known>>,
}

/// What a word is in a text of some languages.
#[derive(Debug)]
pub struct Known {
    written: Box<str>,
    told: Languages,
    /// In which languages it carries no meaning.
    pub stops: Languages,
    pub found: Vec<Found>,
}

/// What a word is, from memory or by looking.
pub fn known(
    owner: u64,
    written: &str,
    told: Languages,
    look: impl FnOnce() -> (Languages, Vec<Found>),
) -> Rc<Known> {
    let fresh = |look: &mut dyn FnMut() -> (Languages, Vec<Found>)| {
        let (stops, found) = look();
        Rc::new(Known { written: written.into(), told, stops, found })
    };
    let mut look = Some(look);
    let mut look = || look.take().map_or((0, Vec::new()), |look| look());
    if written.len() > LONGEST {
        return fresh(&mut look);
    }
    let key = hash(u64::from(told), written.as_bytes());
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
