//! Text and markup blocks, generated once per language and charset and then only copied: pages are
//! rendered for every request, so rendering must be as cheap as copying.

use crate::charset::PageCharset;
use crate::lexicon::{LEXICONS, LanguageLexicon};
use crate::rng::{SeededRng, mix_seeds};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::LazyLock;

const BLOCKS: usize = 240;

/// Encoded blocks of body markup for every language and charset in use.
pub(crate) struct ProsePools {
    pools: BTreeMap<(usize, PageCharset), Vec<Vec<u8>>>,
}

impl ProsePools {
    /// Generates the pools for the given (language, charset) pairs; UTF-16 pages use UTF-8 blocks.
    pub(crate) fn new(seed: u64, used: impl Iterator<Item = (usize, PageCharset)>) -> Self {
        let mut pools = BTreeMap::new();
        for (language, charset) in used {
            let charset = if charset.is_ascii_compatible() { charset } else { PageCharset::Utf8 };
            pools.entry((language, charset)).or_insert_with(|| {
                let mut rng = SeededRng::new(mix_seeds(seed, language as u64));
                (0..BLOCKS).map(|_| charset.encode(&block(&LEXICONS[language], &mut rng))).collect()
            });
        }
        Self { pools }
    }

    /// Returns a block of a pool; `draw` can be any number.
    pub(crate) fn block(&self, language: usize, charset: PageCharset, draw: u64) -> &[u8] {
        let charset = if charset.is_ascii_compatible() { charset } else { PageCharset::Utf8 };
        match self.pools.get(&(language, charset)) {
            Some(pool) => &pool[(draw % pool.len() as u64) as usize],
            None => b"",
        }
    }
}

/// Words of a language: the listed ones, and thousands blended from them. Real text contains many
/// rare words; with only the listed words, all pages of a language would look like copies of each
/// other.
struct WordPool {
    listed: Vec<&'static str>,
    blended: Vec<String>,
}

const BLENDED: usize = 4000;

/// Per language, in the order of the lexicons; the same in every web.
static VOCABULARIES: LazyLock<Vec<WordPool>> = LazyLock::new(|| LEXICONS.iter().map(vocabulary).collect());

fn vocabulary(lexicon: &LanguageLexicon) -> WordPool {
    let listed: Vec<&'static str> = lexicon.words.split(' ').collect();
    let mut rng = SeededRng::new(0xB1E4D);
    let blended = (0..BLENDED)
        .map(|_| {
            let (first, second) = (*rng.pick(&listed), *rng.pick(&listed));
            blend(first, second, lexicon.spaced)
        })
        .collect();
    WordPool { listed, blended }
}

/// Joins the first half of one word with the second half of another, or whole words in languages
/// without spaces.
fn blend(first: &str, second: &str, spaced: bool) -> String {
    if !spaced {
        return format!("{first}{second}");
    }
    let (head, tail) = (first.chars().count().div_ceil(2).max(2), second.chars().count() / 2);
    first.chars().take(head).chain(second.chars().skip(tail)).collect()
}

impl WordPool {
    fn of(lexicon: &LanguageLexicon) -> &'static Self {
        let index = LEXICONS.iter().position(|other| other.code == lexicon.code).unwrap_or(0);
        &VOCABULARIES[index]
    }

    fn draw(&self, rng: &mut SeededRng) -> &str {
        if rng.percent(30) {
            self.listed[rng.below(self.listed.len())]
        } else {
            &self.blended[rng.below(BLENDED)]
        }
    }
}

/// Generates a sentence of `words` words.
pub(crate) fn draw_sentence(lexicon: &LanguageLexicon, rng: &mut SeededRng, words: usize) -> String {
    let vocabulary = WordPool::of(lexicon);
    let mut out = String::with_capacity(words * 9);
    for i in 0..words {
        let word = vocabulary.draw(rng);
        if i == 0 {
            let mut letters = word.chars();
            if let Some(first) = letters.next() {
                out.extend(first.to_uppercase());
                out.push_str(letters.as_str());
            }
            continue;
        }
        if lexicon.spaced {
            out.push(' ');
        }
        out.push_str(word);
    }
    out.push_str(if lexicon.spaced { "." } else { "。" });
    out
}

fn paragraph(lexicon: &LanguageLexicon, rng: &mut SeededRng, sentences: usize) -> String {
    let mut out = String::new();
    for i in 0..sentences {
        if i > 0 && lexicon.spaced {
            out.push(' ');
        }
        let words = rng.range(6, 15);
        out.push_str(&draw_sentence(lexicon, rng, words));
    }
    out
}

/// Generates a block of body markup, 300 to 1500 bytes, in one of the forms common on real pages.
fn block(lexicon: &LanguageLexicon, rng: &mut SeededRng) -> String {
    let mut out = String::new();
    let id = rng.below(100_000);
    match rng.below(8) {
        0 | 1 => {
            let count = rng.range(4, 8);
            let _ = writeln!(out, "<p>{}</p>", paragraph(lexicon, rng, count));
        }
        2 => {
            let heading = draw_sentence(lexicon, rng, 4);
            let count = rng.range(3, 5);
            let _ = writeln!(
                out,
                "<section class=\"c-teaser c-teaser--{id}\" aria-labelledby=\"t{id}\"><h3 id=\"t{id}\" class=\"c-teaser__title\">{heading}</h3><div class=\"c-teaser__body u-mt-2 u-mb-4\"><p>{}</p></div></section>",
                paragraph(lexicon, rng, count)
            );
        }
        3 => {
            out.push_str("<ul class=\"list list--bullets\">\n");
            for _ in 0..rng.range(4, 9) {
                let words = rng.range(4, 9);
                let _ =
                    writeln!(out, "  <li class=\"list__item\">{}</li>", draw_sentence(lexicon, rng, words));
            }
            out.push_str("</ul>\n");
        }
        4 => {
            out.push_str("<table class=\"table table-striped\"><tbody>\n");
            for row in 0..rng.range(4, 8) {
                let words = rng.range(2, 5);
                let _ = writeln!(
                    out,
                    "<tr><td>{row}</td><td>{}</td><td align=\"right\">{},{:02}</td></tr>",
                    draw_sentence(lexicon, rng, words),
                    rng.below(900),
                    rng.below(100)
                );
            }
            out.push_str("</tbody></table>\n");
        }
        5 => {
            let words = rng.range(5, 9);
            let caption = draw_sentence(lexicon, rng, words);
            let _ = writeln!(
                out,
                "<figure class=\"media\"><img src=\"/assets/img/foto-{id}.jpg\" srcset=\"/assets/img/foto-{id}-480.jpg 480w, /assets/img/foto-{id}-960.jpg 960w\" sizes=\"(max-width: 600px) 480px, 960px\" alt=\"{caption}\" loading=\"lazy\"><figcaption>{caption}</figcaption></figure>"
            );
            let _ = writeln!(out, "<p>{}</p>", paragraph(lexicon, rng, 2));
        }
        6 => {
            let count = rng.range(2, 4);
            let _ = writeln!(
                out,
                "<blockquote class=\"quote\"><p>{}</p></blockquote>\n<!-- module {id}: rendered {:02}:{:02} -->\n<p class=\"meta\"><time datetime=\"20{:02}-0{}-1{}\">{}</time></p>",
                paragraph(lexicon, rng, count),
                rng.below(24),
                rng.below(60),
                rng.range(10, 26),
                rng.range(1, 9),
                rng.below(10),
                draw_sentence(lexicon, rng, 3)
            );
        }
        _ => {
            let count = rng.range(2, 4);
            let _ = write!(
                out,
                "<div class=\"grid grid--2\"><div class=\"grid__cell\"><svg class=\"icon icon-{id}\" viewBox=\"0 0 24 24\" aria-hidden=\"true\"><path d=\"M"
            );
            for _ in 0..rng.range(8, 24) {
                let _ =
                    write!(out, "{}.{} {}.{}L", rng.below(24), rng.below(100), rng.below(24), rng.below(100));
            }
            let _ = writeln!(
                out,
                "0 0z\"/></svg></div><div class=\"grid__cell\"><p>{}</p></div></div>",
                paragraph(lexicon, rng, count)
            );
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pools_are_the_same_every_time_and_of_useful_size() {
        let used = || (0..LEXICONS.len()).map(|l| (l, PageCharset::Utf8));
        let (a, b) = (ProsePools::new(3, used()), ProsePools::new(3, used()));
        assert!(a.pools == b.pools);
        for pool in a.pools.values() {
            let mean = pool.iter().map(Vec::len).sum::<usize>() / pool.len();
            assert!((250..1500).contains(&mean), "mean block size {mean}");
        }
    }
}
