//! A 64-bit similarity hash of the words of a text.
//!
//! Pairs of adjacent words are hashed and vote on each bit, so texts that share most of their
//! sentences differ in few bits, while texts that merely share a vocabulary do not. Words with
//! digits are ignored: the pages of a calendar, a pager or a directory of numbered items collide,
//! which trap detection relies on. ASCII case is ignored, and scripts without spaces count by
//! character. The hash depends only on the text.
//!
//! Since it processes the text of every page, the code avoids branches that depend on the length of
//! words: it classifies 64 bytes at once into a bit mask, whose edges are the words.

use super::vocabulary::TermCounter;

/// Maximum number of words to hash. More words add nothing to what is known about a page.
const MAX_WORDS: u32 = 200_000;
/// Number of bytes to classify at once.
const BLOCK: usize = 64;
/// Spaces after the text, so that the last bytes of a word can be read eight at a time.
const PADDING: [u8; 2 * BLOCK] = [b' '; 2 * BLOCK];

/// Number of bytes to hash. The beginning of a text is enough to judge similarity, and hashing all
/// of long pages took a sixth of the processor time of a crawl.
const MAX_BYTES: usize = 16 << 10;

/// Returns the hash and the number of words. The hash is 0 without words.
///
/// Of a long text only the beginning is hashed, and its length flips two bits: texts that begin
/// alike but continue differently are similar, but not equal.
pub(crate) fn simhash(text: &str) -> (u64, u32) {
    let (hash, words, _) = simhash_and_terms(text);
    (hash, words)
}

/// Returns the same as [`simhash`] and the vocabulary terms in the text.
pub(crate) fn simhash_and_terms(text: &str) -> (u64, u32, Vec<(u16, u16)>) {
    let beginning = text.get(..text.floor_char_boundary(MAX_BYTES)).unwrap_or(text);
    let mut read = hash_all(beginning);
    let hash = read.votes.majority();
    let terms = read.terms.into_counts();
    if text.len() == beginning.len() || read.count == 0 {
        return (hash, read.count, terms);
    }
    let length = text.len() as u64;
    (hash ^ 1 << (length % 64) ^ 1 << (length / 64 % 64), read.count, terms)
}

/// Returns the hash of a vocabulary word: of a word, or of two characters of a script without
/// spaces.
pub(super) fn word_hash(word: &str) -> u64 {
    let mut padded = word.as_bytes().to_vec();
    padded.extend_from_slice(&PADDING);
    let first = eight(&padded, 0);
    if !is_without_blanks(first) {
        return hash_of(&padded, first, 0, word.len());
    }
    let second = hash_of(&padded, eight(&padded, 3), 3, word.len().clamp(4, 6));
    pair_of(hash_of(&padded, first, 0, 3), second)
}

fn hash_all(text: &str) -> WordScanner {
    let bytes = text.as_bytes();
    let whole = bytes.len() / BLOCK * BLOCK;
    let mut words = WordScanner::default();
    let mut at = 0;
    // A word may extend into the next block, so the last blocks are read from a padded copy.
    while at + 2 * BLOCK <= whole && words.count < MAX_WORDS {
        words.read_block(bytes, at);
        at += BLOCK;
    }
    let from = words.start.map_or(at, |start| start.min(at));
    let mut tail = Vec::with_capacity(bytes.len() - from + PADDING.len());
    tail.extend_from_slice(bytes.get(from..).unwrap_or_default());
    tail.extend_from_slice(&PADDING);
    words.start = words.start.map(|start| start - from);
    let mut at = at - from;
    while at + BLOCK <= tail.len() && words.count < MAX_WORDS {
        words.read_block(&tail, at);
        at += BLOCK;
    }
    words
}

/// State while scanning words.
#[derive(Default)]
struct WordScanner {
    votes: BitVotes,
    terms: TermCounter,
    previous: u64,
    count: u32,
    /// Start of the word that extends into the next block.
    start: Option<usize>,
    /// Whether that word contains a digit.
    digit: bool,
}

impl WordScanner {
    /// Reads the words that end within one block.
    fn read_block(&mut self, bytes: &[u8], at: usize) {
        let Some(block) = bytes.get(at..).and_then(|rest| rest.first_chunk()) else { return };
        let (letters, digits) = classes(block);
        let inside = letters | digits;
        let carried = u64::from(self.start.is_some());
        let shifted = inside << 1 | carried;
        let mut starts = inside & !shifted;
        let mut ends = !inside & shifted;
        if let Some(from) = self.start
            && ends != 0
        {
            let end = ends.trailing_zeros() as usize;
            ends &= ends - 1;
            if !self.digit && digits & low_bits(end) == 0 {
                self.add(bytes, from, at + end);
            }
            self.start = None;
        }
        while ends != 0 {
            let end = ends.trailing_zeros() as usize;
            let start = starts.trailing_zeros() as usize;
            ends &= ends - 1;
            starts &= starts.wrapping_sub(1);
            if digits & (low_bits(end) ^ low_bits(start)) == 0 {
                self.add(bytes, at + start, at + end);
            }
        }
        if starts != 0 {
            let start = starts.trailing_zeros() as usize;
            self.start = Some(at + start);
            self.digit = digits >> start != 0;
        } else if self.start.is_some() {
            self.digit |= digits != 0;
        }
    }

    #[inline]
    fn add(&mut self, bytes: &[u8], from: usize, to: usize) {
        let first = eight(bytes, from);
        if is_without_blanks(first) {
            // Chinese, Japanese and Korean have three bytes per character and no spaces.
            let mut character = from;
            while character < to && self.count < MAX_WORDS {
                let end = (character + 3).min(to);
                let hash = hash_of(bytes, eight(bytes, character), character, end);
                self.terms.add(pair_of(self.previous, hash));
                self.add_hash(hash);
                character += 3;
            }
        } else {
            let hash = hash_of(bytes, first, from, to);
            self.terms.add(hash);
            self.add_hash(hash);
        }
    }

    /// Adds the pair of the previous word and this one. A rotation makes their order significant.
    #[inline]
    fn add_hash(&mut self, hash: u64) {
        self.votes.add(pair_of(self.previous, hash));
        self.previous = hash;
        self.count += 1;
    }
}

/// Returns whether a word starts in a script that does not separate words.
fn is_without_blanks(first: u64) -> bool {
    (0xE3..=0xED).contains(&(first & 0xFF))
}

#[inline]
fn pair_of(previous: u64, hash: u64) -> u64 {
    let pair = (previous.rotate_left(23) ^ hash).wrapping_mul(MIX);
    pair ^ pair >> 31
}

/// Returns a mask of the lowest `n` bits, for `n` below 64.
fn low_bits(n: usize) -> u64 {
    (1 << n) - 1
}

/// Classifies 64 bytes into letters (including all non-ASCII bytes) and digits.
fn classes(block: &[u8; BLOCK]) -> (u64, u64) {
    // Plain comparisons over arrays compile to vector instructions.
    let mut letters = [0; BLOCK];
    let mut digits = [0; BLOCK];
    let mut any_digit = 0;
    for ((letter, digit), b) in letters.iter_mut().zip(&mut digits).zip(block) {
        *letter = u8::from((b | 0x20).wrapping_sub(b'a') < 26) | b >> 7;
        *digit = u8::from(b.wrapping_sub(b'0') < 10);
        any_digit |= *digit;
    }
    (gathered(&letters), if any_digit == 0 { 0 } else { gathered(&digits) })
}

/// Packs 64 bytes of 0 or 1 into 64 bits, in order.
fn gathered(flags: &[u8; BLOCK]) -> u64 {
    let mut bits = 0;
    for (at, chunk) in flags.chunks_exact(8).enumerate() {
        bits |= (eight(chunk, 0).wrapping_mul(0x0102_0408_1020_4080) >> 56) << (at * 8);
    }
    bits
}

/// Reads eight bytes as a little-endian number, or 0 beyond the end.
fn eight(bytes: &[u8], at: usize) -> u64 {
    bytes.get(at..).and_then(|rest| rest.first_chunk()).map_or(0, |eight| u64::from_le_bytes(*eight))
}

const MIX: u64 = 0x9E37_79B9_7F4A_7C15;

/// Hashes a word by its length and its first and last eight bytes, in lower case: the bytes between
/// hardly ever distinguish two words. Collisions can be provoked, but that only makes one hostile
/// page look like another.
fn hash_of(bytes: &[u8], first: u64, from: usize, to: usize) -> u64 {
    const LOWER: u64 = 0x2020_2020_2020_2020;
    let length = to - from;
    let short = length.min(8);
    let mask = u64::MAX >> (64 - 8 * short);
    let first = (first | LOWER) & mask;
    let last = (eight(bytes, to - short) | LOWER) & mask;
    let mixed =
        (first ^ length as u64).wrapping_mul(MIX) ^ last.wrapping_mul(0xC2B2_AE3D_27D4_EB4F).rotate_left(29);
    mixed ^ mixed >> 32
}

/// Counts for each of 64 bit positions how many hashes have it set. The counters are bit-sliced, so
/// that one addition updates all positions, and eight hashes are added before a carry propagates.
#[derive(Default)]
struct BitVotes {
    waiting: [u64; 8],
    waits: usize,
    planes: [u64; 20],
    total: u64,
}

impl BitVotes {
    #[inline]
    fn add(&mut self, hash: u64) {
        if let Some(place) = self.waiting.get_mut(self.waits) {
            *place = hash;
        }
        self.waits += 1;
        self.total += 1;
        if self.waits == 8 {
            self.flush();
        }
    }

    /// Adds eight waiting hashes (zeros have no effect): pairs into ones, their carries into twos
    /// and fours. Only every eighth carry propagates through the higher planes.
    fn flush(&mut self) {
        let added = std::mem::take(&mut self.waiting);
        self.waits = 0;
        let [ones, twos, fours, higher @ ..] = &mut self.planes;
        let (one, two_a) = full_add(*ones, added[0], added[1]);
        let (one, two_b) = full_add(one, added[2], added[3]);
        let (two, four_a) = full_add(*twos, two_a, two_b);
        let (one, two_a) = full_add(one, added[4], added[5]);
        let (one, two_b) = full_add(one, added[6], added[7]);
        let (two, four_b) = full_add(two, two_a, two_b);
        let (four, mut carry) = full_add(*fours, four_a, four_b);
        (*ones, *twos, *fours) = (one, two, four);
        for plane in higher {
            if carry == 0 {
                break;
            }
            let next = *plane & carry;
            *plane ^= carry;
            carry = next;
        }
    }

    /// Returns the bits that are set in more than half of the hashes.
    fn majority(&mut self) -> u64 {
        self.flush();
        let mut result = 0;
        for bit in 0..64 {
            let count: u64 = self.planes.iter().enumerate().map(|(at, plane)| (plane >> bit & 1) << at).sum();
            result |= u64::from(count * 2 > self.total) << bit;
        }
        result
    }
}

/// Returns sum and carry of three bits, for 64 positions at once.
fn full_add(a: u64, b: u64, c: u64) -> (u64, u64) {
    let partial = a ^ b;
    (partial ^ c, a & b | partial & c)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn distance(a: &str, b: &str) -> u32 {
        (simhash(a).0 ^ simhash(b).0).count_ones()
    }

    /// Returns words from a small vocabulary, in an order that depends on the seed.
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

    /// Computes the same hash in the simplest way: word by word, vote by vote.
    fn plain(text: &str) -> (u64, u32) {
        let mut padded = text.as_bytes().to_vec();
        padded.extend_from_slice(&PADDING);
        let is_word = |b: u8| b.is_ascii_alphanumeric() || b >= 0x80;
        let mut words = WordScanner::default();
        let mut from = 0;
        for at in 0..padded.len() {
            if is_word(padded[at]) {
                continue;
            }
            if at > from && !padded[from..at].iter().any(u8::is_ascii_digit) {
                words.add(&padded, from, at);
            }
            from = at + 1;
        }
        (words.votes.majority(), words.count)
    }

    proptest::proptest! {
        #[test]
        fn blocks_see_the_words_that_a_plain_loop_sees(text in "([a-zA-Zéあ0-9]{0,12}[ .,\n-]{0,3}){0,60}") {
            proptest::prop_assert_eq!(simhash(&text), plain(&text));
        }

        #[test]
        fn long_words_cross_blocks(text in "[a-z]{0,300} [a-z0-9]{0,200} [é]{0,100}") {
            proptest::prop_assert_eq!(simhash(&text), plain(&text));
        }
    }
}
