//! A 64-bit similarity hash of a text's words.
//!
//! Pairs of neighbouring words are hashed and the bits voted on, so that texts that share most of their
//! sentences differ in few bits, while texts that merely share a vocabulary do not. Words with digits are
//! left out: the pages of a calendar, a pager or a directory of numbered items collide, which is what the
//! trap detection wants. Letters count without regard to ASCII case; scripts written without blanks
//! count by character. The hash depends on nothing but the text.

/// More words than this add nothing to what is known about a page.
const MAX_WORDS: u32 = 200_000;

/// The hash and the number of words in it. No words: hash 0.
pub(crate) fn simhash(text: &str) -> (u64, u32) {
    let bytes = text.as_bytes();
    let mut votes = Votes::default();
    let mut previous = 0_u64;
    let mut words = 0_u32;
    let mut at = 0;
    while let Some(start) =
        bytes.get(at..).and_then(|rest| rest.iter().position(|b| CLASS[*b as usize] != BREAK))
    {
        let from = at + start;
        let rest = bytes.get(from..).unwrap_or_default();
        let length = rest.iter().position(|b| CLASS[*b as usize] == BREAK).unwrap_or(rest.len());
        at = from + length;
        let word = rest.get(..length).unwrap_or_default();
        let mut count = |hash: u64| {
            // The pair (previous, this): a rotation makes its order count.
            votes.add((previous.rotate_left(23) ^ hash).wrapping_mul(MIX));
            previous = hash;
            words += 1;
        };
        if word.iter().any(|b| CLASS[*b as usize] == DIGIT) {
            continue;
        }
        if word.first().is_some_and(|b| (0xE3..=0xED).contains(b)) {
            // Chinese, Japanese, Korean: three bytes a character, no blanks.
            word.chunks(3).for_each(|character| count(hash_of(character)));
        } else {
            count(hash_of(word));
        }
        if words >= MAX_WORDS {
            break;
        }
    }
    (votes.majority(), words)
}

const BREAK: u8 = 0;
const LETTER: u8 = 1;
const DIGIT: u8 = 2;

/// What a byte is: part of a word, a digit, or a break. All beyond ASCII is a letter.
static CLASS: [u8; 256] = {
    let mut table = [LETTER; 256];
    let mut at = 0;
    while at < 128 {
        let byte = at as u8;
        table[at] = if byte.is_ascii_alphabetic() {
            LETTER
        } else if byte.is_ascii_digit() {
            DIGIT
        } else {
            BREAK
        };
        at += 1;
    }
    table
};

const MIX: u64 = 0x9E37_79B9_7F4A_7C15;

/// Hashes a word eight bytes at a time, letters in lower case. Collisions can be made on purpose, which
/// only makes a hostile page look like another hostile page.
fn hash_of(word: &[u8]) -> u64 {
    let mut hash = word.len() as u64;
    for chunk in word.chunks(8) {
        let mut eight = [b' '; 8];
        if let Some(room) = eight.get_mut(..chunk.len()) {
            room.copy_from_slice(chunk);
        }
        let value = u64::from_le_bytes(eight) | 0x2020_2020_2020_2020;
        hash = (hash ^ value).wrapping_mul(MIX);
        hash ^= hash >> 29;
    }
    hash
}

/// Counts, for each of 64 bit positions, how many hashes have it set: bit-sliced counters, so that one
/// addition serves all positions at once.
#[derive(Default)]
struct Votes {
    planes: [u64; 20],
    total: u64,
}

impl Votes {
    fn add(&mut self, hash: u64) {
        self.total += 1;
        let mut carry = hash;
        for plane in &mut self.planes {
            let next = *plane & carry;
            *plane ^= carry;
            carry = next;
            if carry == 0 {
                break;
            }
        }
    }

    /// The bits that more than half of the hashes have set.
    fn majority(&self) -> u64 {
        let mut result = 0;
        for bit in 0..64 {
            let count: u64 = self.planes.iter().enumerate().map(|(at, plane)| (plane >> bit & 1) << at).sum();
            result |= u64::from(count * 2 > self.total) << bit;
        }
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn distance(a: &str, b: &str) -> u32 {
        (simhash(a).0 ^ simhash(b).0).count_ones()
    }

    /// Many words from a small vocabulary, in an order that depends on the seed.
    fn prose(seed: u64, words: usize) -> String {
        let mut state = seed;
        (0..words)
            .map(|_| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let n = (state >> 33) % 300;
                ["data", "map", "land", "water", "road", "of", "the", "and", "in", "forest"]
                    [(n % 10) as usize]
                    .to_owned()
                    + ["a", "b", "c", "d", "e", "f"][(n / 10 % 6) as usize]
                    + " "
            })
            .collect()
    }

    #[test]
    fn near_duplicates_are_near_and_strangers_are_far() {
        let page = prose(1, 800);
        let changed = page.replacen("watera ", "changed ", 2);
        assert!(distance(&page, &changed) <= 6, "{}", distance(&page, &changed));
        for other in 2..40 {
            let far = distance(&page, &prose(other, 800));
            assert!(far > 10, "seed {other}: {far}");
        }
    }

    #[test]
    fn numbers_do_not_count() {
        let page = |n: u32| format!("Events in May {n} page {n} of 99 Monday Tuesday room{n}");
        assert_eq!(simhash(&page(1)), simhash(&page(2031)));
        assert_eq!(simhash("Events").1, 1);
    }

    #[test]
    fn case_and_script_are_handled() {
        assert_eq!(simhash("WMS Layer"), simhash("wms layer"));
        assert_eq!(simhash("地図サービス").1, 6);
        assert_eq!(simhash(""), (0, 0));
        assert_eq!(simhash("12 34 -- 5"), (0, 0));
    }
}
