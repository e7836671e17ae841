//! All words of all vocabularies in one table, so that a word of a text is looked up once. The stem
//! finds the candidates, the word form decides.

use crate::forms::are_forms;
use geotrawl_text::hash::{NumberMap, NumberSet, hash_bytes};
use geotrawl_text::{Language, LanguageSet, fold};
use std::collections::HashSet;

/// Number of a word in one language, with all its forms.
pub type WordId = u32;

/// Size of the prefix table; a power of two.
const BEGINNINGS: usize = 1 << 14;
/// Lengths of the prefixes in the table.
const BEGINNING_LENGTHS: [usize; 3] = [3, 4, 5];

/// The words of all vocabularies.
#[derive(Debug)]
pub struct ThemeLexicon {
    words: Vec<LexiconWord>,
    by_stem: NumberMap<Vec<WordId>>,
    /// Languages with a word that has the prefix. Most words of a text are rejected by this table.
    beginnings: Vec<LanguageSet>,
    /// Stems of general last words of compounds.
    heads: NumberSet,
}

#[derive(Debug)]
struct LexiconWord {
    /// Folded forms.
    forms: Vec<Box<str>>,
    /// Whether the word alone is a phrase, so that it may be part of a compound.
    alone: bool,
    /// Whether it is used only for stop phrases, which must match exactly.
    only_stop: bool,
    /// Whether it is used for a stop phrase.
    stop: bool,
}

/// The languages in which a text may be read.
#[derive(Debug, Clone, Copy)]
pub struct TextLanguages {
    /// Languages detected in the text; 0 if unknown.
    pub told: LanguageSet,
}

impl TextLanguages {
    /// Whether a word may be read in a language. Short words are ambiguous: `las` is a forest in
    /// Polish, and `hay` means `there are` in Spanish.
    fn may_be(self, language: Language, letters: usize, stops: LanguageSet) -> bool {
        if stops & language.bit() != 0 {
            return false;
        }
        if self.told == 0 {
            return language == Language::ENGLISH || stops == 0 && letters >= 3;
        }
        if self.told & language.bit() != 0 {
            return true;
        }
        let least = if language == Language::ENGLISH { 4 } else { 6 };
        letters >= least && stops & self.told == 0
    }
}

impl Default for ThemeLexicon {
    fn default() -> Self {
        let mut heads = NumberSet::default();
        for (code, words) in HEADS {
            let Some(language) = Language::from_name(code) else { continue };
            for word in words.split_whitespace() {
                for stem in stems(language, word) {
                    heads.insert(key(language, &stem));
                }
            }
        }
        Self { words: Vec::new(), by_stem: NumberMap::default(), beginnings: vec![0; BEGINNINGS], heads }
    }
}

impl ThemeLexicon {
    /// Adds a word in lower case and returns its number. `alone`: it is a whole phrase. `stop`: it
    /// is a stop phrase.
    pub fn add_word(&mut self, language: Language, lower: &str, alone: bool, stop: bool) -> WordId {
        let folded = fold(lower);
        let stems = stems(language, lower);
        let first = key(language, stems.first().map_or("", String::as_str));
        let known = self.by_stem.get(&first).into_iter().flatten().copied();
        let same = known.into_iter().find(|id| {
            self.words.get(*id as usize).is_some_and(|word| word.forms.iter().any(|form| **form == *folded))
        });
        if let Some(word) = same.and_then(|id| self.words.get_mut(id as usize)) {
            word.only_stop &= stop;
            word.stop |= stop;
            word.alone |= alone;
        }
        if let Some(id) = same {
            return id;
        }
        let id = self.words.len() as WordId;
        let mut forms: Vec<Box<str>> = vec![folded.into()];
        if let Some(spelled) = spelled_out(language, lower) {
            forms.push(fold(&spelled).into());
        }
        for form in &forms {
            let length = form.len().saturating_sub(2).clamp(3, 5).min(form.len());
            self.beginnings[beginning(&form.as_bytes()[..length])] |= language.bit();
        }
        for stem in stems {
            let ids = self.by_stem.entry(key(language, &stem)).or_default();
            if !ids.contains(&id) {
                ids.push(id);
            }
        }
        self.words.push(LexiconWord { forms, alone, only_stop: stop, stop });
        id
    }

    /// Appends the words and compound parts that a word of a text may be. `stops` are the languages
    /// in which it is a function word.
    pub fn look_up(
        &self,
        written: &str,
        folded: &str,
        stops: LanguageSet,
        spoken: TextLanguages,
        found: &mut Vec<WordMatch>,
    ) {
        let letters = folded.chars().count();
        let mut possible: LanguageSet = 0;
        // Reject most words by their prefix, before stemming, which is expensive.
        for length in BEGINNING_LENGTHS {
            let bytes = folded.as_bytes();
            possible |= self.beginnings[beginning(&bytes[..length.min(bytes.len())])];
            if bytes.len() <= length {
                break;
            }
        }
        let mut lower = String::new();
        for language in Language::languages_in(possible) {
            if !spoken.may_be(language, letters, stops) {
                continue;
            }
            if lower.is_empty() {
                lower = written.to_lowercase();
            }
            let stem = language.stem(&lower);
            for id in self.by_stem.get(&key(language, &stem)).into_iter().flatten() {
                let Some(word) = self.words.get(*id as usize) else { continue };
                let fits = |form: &str| {
                    let foreign = spoken.told != 0 && spoken.told & language.bit() == 0;
                    let same = if word.only_stop {
                        form == folded
                    } else if foreign {
                        // Words of other languages must match exactly, except for a plural s.
                        form.trim_end_matches('s') == folded.trim_end_matches('s')
                    } else {
                        are_forms(language, form, folded)
                    };
                    same && spoken.may_be(language, form.chars().count(), stops)
                };
                if word.forms.iter().any(|form| fits(form)) {
                    found.push(WordMatch { id: *id, language, part: false });
                }
            }
        }
        if letters >= 7 && folded.is_ascii() && stops == 0 {
            self.parts(folded, spoken, found);
        }
    }

    fn parts(&self, folded: &str, spoken: TextLanguages, found: &mut Vec<WordMatch>) {
        for language in Language::all().filter(|language| language.has_compounds()) {
            let heard = spoken.told == 0 || spoken.told & language.bit() != 0;
            if !heard {
                continue;
            }
            let stem = language.stem(folded);
            if stem.is_ascii() && stem.len() <= 48 {
                self.part(language, &stem, 2, &mut |id| found.push(WordMatch { id, language, part: true }));
            }
        }
    }

    /// Finds the meaningful parts of a compound: a stop word at its start (`Trinkwasserleitung`),
    /// its last word (`Mischwald`), the part before a general last word (`Waldfläche`), or a long
    /// first word (`Gewässerstrukturgüte`).
    fn part(&self, language: Language, stem: &str, depth: usize, take: &mut dyn FnMut(WordId)) -> bool {
        let mut any = false;
        // A stop word at the start.
        for at in 6..stem.len().saturating_sub(2) {
            if let Some(id) = self.by_length(language, &stem[..at], 6, true) {
                take(id);
                break;
            }
        }
        // The last word.
        for at in 3..stem.len().saturating_sub(3) {
            let (front, back) = stem.split_at(at);
            if has_vowel(front)
                && !PREFIXES.contains(&front)
                && (back.len() > 4 || SHORT_LAST_WORDS.contains(&back))
                && let Some(id) = self.by_length(language, back, 4, false)
            {
                take(id);
                any = true;
                break;
            }
        }
        // The part before a general last word.
        for at in 3..stem.len().saturating_sub(2) {
            let (front, back) = stem.split_at(at);
            if !self.heads.contains(&key(language, back)) {
                continue;
            }
            let direct = |front: &str| self.by_length(language, &language.stem(front), 3, false);
            if let Some(id) = without_links(front).find_map(direct) {
                take(id);
                any = true;
            }
            if depth > 0 {
                let deeper = |front: &str| self.part(language, &language.stem(front), depth - 1, &mut *take);
                any |= without_links(front).any(deeper);
            }
            if any {
                return true;
            }
        }
        // A long first word, if nothing else was found.
        for at in (6..stem.len().saturating_sub(2)).rev().filter(|_| !any) {
            let (front, back) = stem.split_at(at);
            if !has_vowel(back) {
                continue;
            }
            let first = |front: &str| self.by_length(language, &language.stem(front), 6, false);
            if let Some(id) = without_links(front).find_map(first) {
                take(id);
                return true;
            }
        }
        any
    }

    fn by_length(&self, language: Language, stem: &str, least: usize, stop: bool) -> Option<WordId> {
        let ids = self.by_stem.get(&key(language, stem))?;
        ids.iter().copied().find(|id| {
            let Some(word) = self
                .words
                .get(*id as usize)
                .filter(|word| word.alone && (word.stop || !stop) && (!word.only_stop || stop))
            else {
                return false;
            };
            // A word much longer than its stem would match parts that are not this word.
            word.forms.iter().any(|form| form.len() >= least && form.len() <= stem.len() + 3)
        })
    }
}

/// A possible reading of a word in a text.
#[derive(Debug, Clone, Copy)]
pub struct WordMatch {
    pub id: WordId,
    pub language: Language,
    /// Whether it is only a part of the written word.
    pub part: bool,
}

fn key(language: Language, stem: &str) -> u64 {
    hash_bytes(u64::from(language.bit()), stem.as_bytes())
}

fn beginning(bytes: &[u8]) -> usize {
    hash_bytes(bytes.len() as u64, bytes) as usize >> 7 & (BEGINNINGS - 1)
}

/// Returns the stems under which a word is stored: as written, without accents, with `ae` for `ä`,
/// and of its plurals.
fn stems(language: Language, lower: &str) -> Vec<String> {
    let folded = fold(lower);
    let stem = |word: &str| language.stem(word).into_owned();
    let mut stems = vec![stem(lower), stem(&folded)];
    stems.extend(spelled_out(language, lower).map(|spelled| stem(&spelled)));
    // Stemmers do not change plurals of very short words such as `ríos`.
    let plurals: &[&str] = match language.code() {
        "en" | "fr" | "es" | "pt" => &["s", "es"],
        "de" => &["e", "en", "n", "er"],
        "nl" => &["en", "s"],
        _ => &[],
    };
    for plural in plurals {
        stems.push(stem(&format!("{lower}{plural}")));
        stems.push(stem(&format!("{folded}{plural}")));
    }
    let mut seen = HashSet::new();
    stems.retain(|stem| seen.insert(stem.clone()));
    stems
}

fn spelled_out(language: Language, lower: &str) -> Option<String> {
    let spells = matches!(language.code(), "de" | "sv" | "da" | "no") && !lower.is_ascii();
    spells.then(|| {
        lower
            .replace(['ä', 'æ'], "ae")
            .replace(['ö', 'ø'], "oe")
            .replace('ü', "ue")
            .replace('å', "aa")
            .replace('ß', "ss")
    })
}

fn has_vowel(text: &str) -> bool {
    text.bytes().any(|byte| matches!(byte, b'a' | b'e' | b'i' | b'o' | b'u' | b'y'))
}

/// Returns the first part of a compound, with and without its linking letters.
fn without_links(front: &str) -> impl Iterator<Item = &str> {
    let cut =
        ["s", "n", "e", "es", "en", "er", "ens"].into_iter().filter_map(|link| front.strip_suffix(link));
    std::iter::once(front).chain(cut.filter(|rest| rest.len() >= 3))
}

/// Prefixes that change the meaning of a word: `Versand`, `Einfluss`.
const PREFIXES: &[&str] = &[
    "ver", "ent", "zer", "ein", "uber", "ueber", "aus", "auf", "vor", "nach", "mit", "durch", "unter", "bei",
    "hin", "her", "zusammen", "gegen", "wider", "ruck", "rueck", "fort", "over", "van", "voor", "med", "for",
    "fra",
];

/// Last words of four letters that are unambiguous. Others are not: `reis` is part of `Kreis`.
const SHORT_LAST_WORDS: &[&str] = &["wald", "baum", "moor", "bach", "skog", "skov", "moos", "bomen"];

/// General last words of compounds, which tell what is shown about a subject but not the subject.
const HEADS: &[(&str, &str)] = &[
    (
        "de",
        "fläche gebiet karte kartierung kataster nutzung bestand art typ zone netz körper schutz brand rand grenze \
         höhe dicke bedeckung inventar linie plan atlas index gefahr gefährdung funktion verteilung entwicklung reservat \
         verlauf stand tiefe lage bereich klasse struktur güte qualität zustand daten modell bewertung monitoring \
         messung temperatur pegel ufer wirtschaft gesellschaft anteil zahl management risiko schaden ereignis statistik \
         erhebung verzeichnis region standort biotop aufnahme planung informationen dienst thema themen block schlag \
         parzelle register überwachung belastung messstelle station punkt raum einrichtung eigentum besitz ort",
    ),
    (
        "nl",
        "gebied kaart lichaam lichamen soort bestand net index zone grens laag vlak perceel register kwaliteit diepte \
         hoogte risico beheer gegevens gebruik bedekking type plan punt lijn dikte",
    ),
    ("sv", "karta område data djup täcke gräns typ zon register nät linje yta inventering klass kvalitet"),
    ("da", "kort område data dybde dække grænse type zone register net linje flade kvalitet"),
    ("no", "kart område data dybde dekke grense type sone register nett linje flate kvalitet"),
    ("fi", "kartta alue tieto aineisto raja tyyppi vyöhyke rekisteri verkko"),
];
