//! A 64-bit similarity hash of a text's words.
//!
//! Pairs of neighbouring words are hashed and the bits voted on, so that texts that share most of their
//! sentences differ in few bits, while texts that merely share a vocabulary do not. Words with digits are
//! left out: the pages of a calendar, a pager or a directory of numbered items collide, which is what the
//! trap detection wants. Letters count without regard to ASCII case; scripts written without blanks
//! count by character. The hash depends on nothing but the text.
//!
//! It runs over all text of every page, so it avoids branches that depend on the length of words: 64 bytes
//! are classed at once into a bit mask, whose edges are the words.

use super::vocabulary::TermCounter;

/// More words than this add nothing to what is known about a page.
const MAX_WORDS: u32 = 200_000;
/// Bytes classed at once.
const BLOCK: usize = 64;
/// Blanks behind the text, so that a word's last bytes can be read eight at a time.
const PADDING: [u8; 2 * BLOCK] = [b' '; 2 * BLOCK];

/// What is hashed of a text. Likeness shows in the beginning; hashing all of a long page was a sixth of
/// the processor time of a crawl.
const MAX_BYTES: usize = 16 << 10;

/// The hash and the number of words in it. No words: hash 0.
///
/// Of a long text the beginning is hashed, and its length moves two bits: texts that begin alike and go
/// on differently are near each other, but not equal.
pub(crate) fn simhash(text: &str) -> (u64, u32) {
    let (hash, words, _) = simhash_and_terms(text);
    (hash, words)
}

/// As [`simhash`], with the words of the vocabulary that were met on the way.
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

/// The hash under which a word of the vocabulary is met: of a word, or of two characters of a script without blanks.
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
    // A word may reach into the next block; the last ones are read from a padded copy.
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

/// The words read so far.
#[derive(Default)]
struct WordScanner {
    votes: BitVotes,
    terms: TermCounter,
    previous: u64,
    count: u32,
    /// Where the word that reaches into the next block began.
    start: Option<usize>,
    /// Whether it holds a digit.
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
            // Chinese, Japanese, Korean: three bytes a character, no blanks.
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

    /// Counts the pair (previous, this): a rotation makes its order count.
    #[inline]
    fn add_hash(&mut self, hash: u64) {
        self.votes.add(pair_of(self.previous, hash));
        self.previous = hash;
        self.count += 1;
    }
}

/// Whether a word begins in a script whose words are not set apart.
fn is_without_blanks(first: u64) -> bool {
    (0xE3..=0xED).contains(&(first & 0xFF))
}

#[inline]
fn pair_of(previous: u64, hash: u64) -> u64 {
    let pair = (previous.rotate_left(23) ^ hash).wrapping_mul(MIX);
    pair ^ pair >> 31
}

/// The lowest `n` bits, `n` below 64.
fn low_bits(n: usize) -> u64 {
    (1 << n) - 1
}

/// Which of 64 bytes are letters (all beyond ASCII is) and which are digits.
fn classes(block: &[u8; BLOCK]) -> (u64, u64) {
    // Plain comparisons over arrays become vector instructions.
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

/// 64 bytes of 0 or 1 as 64 bits in their order.
fn gathered(flags: &[u8; BLOCK]) -> u64 {
    let mut bits = 0;
    for (at, chunk) in flags.chunks_exact(8).enumerate() {
        bits |= (eight(chunk, 0).wrapping_mul(0x0102_0408_1020_4080) >> 56) << (at * 8);
    }
    bits
}

/// Eight bytes from a position, the first lowest; zero where there are none.
fn eight(bytes: &[u8], at: usize) -> u64 {
    bytes.get(at..).and_then(|rest| rest.first_chunk()).map_or(0, |eight| u64::from_le_bytes(*eight))
}

const MIX: u64 = 0x9E37_79B9_7F4A_7C15;

/// Hashes a word by its length, its first and its last eight bytes in lower case: what is between hardly
/// ever tells two words apart. Collisions can be made on purpose, which only makes a hostile page look
/// like another hostile page.
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

/// Counts, for each of 64 bit positions, how many hashes have it set: bit-sliced counters, so that one
/// addition serves all positions at once, and eight hashes are added before a carry travels on.
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

    /// Adds eight waiting hashes (zeros count for nothing): pairs into ones, their carries into twos and
    /// fours, and only every eighth carry travels through the higher planes.
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

    /// The bits that more than half of the hashes have set.
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

/// Sum and carry of three bits, 64 times.
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

    /// The same by the plainest means: words one by one, votes one by one.
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
