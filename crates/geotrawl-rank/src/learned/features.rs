//! Features of links.

use super::stems::{self, find_stems};
use super::yields::{SectionYield, YieldTable};
use crate::words::AddressParts;
use crate::{LinkToRank, LinkingPage, PageContext};

/// Kinds of features. Each word is a feature per kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum FeatureKind {
    Bias,
    Depth,
    Way,
    Host,
    HostWord,
    HostStem,
    Domain,
    Folder,
    SubFolder,
    Shape,
    PathWord,
    PathStem,
    PathForm,
    Word,
    WordStem,
    Around,
    AroundStem,
    Stems,
    PageShows,
    PageDistance,
    PageText,
    PageTitle,
    PageHost,
    Topic,
    Since,
    FolderSince,
}

/// Receives features one by one. Labels are created only when needed.
pub(super) trait FeatureSink {
    fn add_feature(&mut self, sort: FeatureKind, hash: u64, label: impl FnOnce() -> String);
}

/// Properties of the linking page, packed into its [`PageContext`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct PageSignals {
    /// Number of services and files on the page: none, one, some, many.
    pub shows: u32,
    /// Distance in links from a page that linked to a service or file, up to 7.
    pub distance: u32,
    /// Share of geospatial words in its text as a class up to 7.
    pub text: u32,
    /// Number of relevant stems in its title, up to 3.
    pub title: u32,
    /// Number of keywords of the task in title and text, up to 3.
    pub topic: u32,
    /// Yield of its host as a class up to 7.
    pub pays: u32,
    /// Some bits of the hash of its host name.
    pub host: u32,
    pub known: bool,
}

impl PageSignals {
    pub(super) fn pack(self) -> PageContext {
        PageContext(
            self.shows
                | self.distance << 2
                | self.text << 5
                | self.title << 8
                | self.topic << 10
                | self.pays << 12
                | u32::from(self.known) << 15
                | self.host << 16,
        )
    }

    pub(super) fn unpack(PageContext(bits): PageContext) -> Self {
        Self {
            shows: bits & 3,
            distance: bits >> 2 & 7,
            text: bits >> 5 & 7,
            title: bits >> 8 & 3,
            topic: bits >> 10 & 3,
            pays: bits >> 12 & 7,
            known: bits >> 15 & 1 == 1,
            host: bits >> 16,
        }
    }

    pub(super) fn from_page(
        page: &LinkingPage<'_>,
        geospatial: &[bool],
        topic: u32,
        host: SectionYield,
    ) -> Self {
        let telling: u32 = page
            .terms
            .iter()
            .filter(|(number, _)| geospatial.get(usize::from(*number)).copied().unwrap_or(false))
            .map(|(_, count)| u32::from(*count))
            .sum();
        // Per thousand words.
        let share = 1000 * u64::from(telling) / u64::from(page.words.max(20));
        Self {
            shows: match page.shows {
                0 => 0,
                1 => 1,
                2..=4 => 2,
                _ => 3,
            },
            distance: page.distance.min(7),
            text: match share {
                0 => 0,
                1..=4 => 1,
                5..=9 => 2,
                10..=19 => 3,
                20..=39 => 4,
                40..=79 => 5,
                80..=159 => 6,
                _ => 7,
            },
            title: find_stems(page.title).count_ones().min(3),
            topic: topic.min(3),
            pays: host.productivity_class() & 7,
            host: short(host_key(AddressParts::split(page.url).host)),
            known: true,
        }
    }
}

/// Returns some bits of a host's hash.
fn short(hash: u64) -> u32 {
    (hash >> 48) as u32
}

/// Returns the key for the yield of a host.
pub(super) fn host_key(host: &str) -> u64 {
    hash_word(FeatureKind::Host, host.as_bytes())
}

/// Keys for the yields of the places that a link belongs to.
#[derive(Debug, Clone, Copy)]
pub(super) struct YieldKeys {
    pub host: u64,
    pub domain: u64,
    pub folder: u64,
    pub sub_folder: u64,
    pub shape: u64,
}

impl YieldKeys {
    pub(super) fn as_array(self) -> [u64; 5] {
        [self.host, self.domain, self.folder, self.sub_folder, self.shape]
    }

    fn of(address: &AddressParts<'_>) -> Self {
        let host = host_key(address.host);
        let within = |sort, part: &str| hash_word(sort, part.as_bytes()).rotate_left(17) ^ host;
        Self {
            host,
            domain: hash_word(FeatureKind::Domain, domain(address.host).as_bytes()),
            folder: within(FeatureKind::Folder, address.folder_path(1)),
            sub_folder: within(FeatureKind::SubFolder, address.folder_path(2)),
            shape: shape(address).rotate_left(17) ^ host,
        }
    }
}

/// Returns the last two labels of a host name, or three for suffixes such as `gov.uk`.
fn domain(host: &str) -> &str {
    let mut dots = host.bytes().enumerate().rev().filter(|(_, byte)| *byte == b'.').map(|(at, _)| at);
    let (last, second, third) = (dots.next(), dots.next(), dots.next());
    match (last, second) {
        (Some(last), Some(second)) if last - second <= 4 && host.len() - last <= 3 => {
            host.get(third.map_or(0, |dot| dot + 1)..).unwrap_or(host)
        }
        (Some(_), Some(second)) => host.get(second + 1..).unwrap_or(host),
        _ => host,
    }
}

/// Hashes a URL with each number replaced by one digit and without
/// parameter values. Long URLs are truncated.
fn shape(address: &AddressParts<'_>) -> u64 {
    let mut kept = [0_u8; 96];
    let mut length = 0;
    let (mut digit, mut value) = (false, false);
    for byte in address.path.bytes().chain(std::iter::once(b'?')).chain(address.query.bytes()) {
        match byte {
            b'=' => value = true,
            b'&' => value = false,
            _ if value => continue,
            _ => {}
        }
        let number = byte.is_ascii_digit();
        if !(number && digit) {
            let Some(place) = kept.get_mut(length) else { break };
            *place = if number { b'0' } else { byte };
            length += 1;
        }
        digit = number;
    }
    hash_word(FeatureKind::Shape, kept.get(..length).unwrap_or_default())
}

fn seed(sort: FeatureKind) -> u64 {
    0xCBF2_9CE4_8422_2325 ^ (sort as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

fn finish(state: u64) -> u64 {
    let mixed = (state ^ state >> 32).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    mixed ^ mixed >> 29
}

/// Hashes a word, ignoring ASCII case. Reads eight bytes at a
/// time, because each link has dozens of words.
#[inline]
pub(super) fn hash_word(sort: FeatureKind, word: &[u8]) -> u64 {
    const LOWER: u64 = 0x2020_2020_2020_2020;
    const MIX: u64 = 0xC2B2_AE3D_27D4_EB4F;
    let (eights, rest) = word.as_chunks::<8>();
    let mut state = seed(sort) ^ (word.len() as u64).wrapping_mul(MIX);
    // Setting bit 5 of each byte ignores the case of ASCII letters.
    for eight in eights {
        state = (state ^ (u64::from_le_bytes(*eight) | LOWER)).wrapping_mul(MIX);
        state ^= state >> 31;
    }
    let mut last = 0_u64;
    for byte in rest {
        last = last << 8 | u64::from(*byte | 0x20);
    }
    finish((state ^ last).wrapping_mul(MIX))
}

fn number(sort: FeatureKind, value: u32) -> u64 {
    finish(seed(sort) ^ u64::from(value).wrapping_mul(0xC2B2_AE3D_27D4_EB4F))
}

/// Calls `take` for each word of a text: runs of letters, or pairs
/// of characters in scripts without spaces.
pub(super) fn for_each_word(text: &str, most: usize, mut take: impl FnMut(&str)) {
    let bytes = text.as_bytes();
    let (mut at, mut taken) = (0, 0);
    while at < bytes.len() && taken < most {
        let byte = bytes[at];
        // Skip percent-encoded bytes, which belong to no known word.
        if byte == b'%' {
            at += 3;
            continue;
        }
        let is_letter = |byte: u8| byte.is_ascii_alphabetic() || byte >= 0x80;
        if !is_letter(byte) {
            at += 1;
            continue;
        }
        // UTF-8 lead bytes of kana, CJK ideographs and Hangul: take pairs of characters.
        if (0xE3..=0xED).contains(&byte) {
            let pair = text.get(at..(at + 6).min(bytes.len()));
            if let Some(pair) =
                pair.filter(|pair| pair.len() == 6 && (0xE3..=0xED).contains(&pair.as_bytes()[3]))
            {
                take(pair);
                taken += 1;
            }
            at += 3;
            continue;
        }
        let from = at;
        while at < bytes.len() && is_letter(bytes[at]) && !(0xE3..=0xED).contains(&bytes[at]) {
            at += 1;
        }
        if let Some(word) = text.get(from..at).filter(|word| word.len() > 1) {
            take(word);
            taken += 1;
        }
    }
}

/// Splits the stored text of a link into its own text and the text around it.
pub(super) fn split_link_text(words: &str) -> (&str, &str) {
    const DOT: &str = " · ";
    // Search the second byte of `·`, which is rare in other text, because every link is searched.
    let dots = memchr::memchr_iter(0xB7, words.as_bytes()).filter_map(|at| {
        let start = at.checked_sub(2)?;
        (words.get(start..start + DOT.len())? == DOT).then_some(start)
    });
    match dots.take(1).next() {
        Some(at) => (words.get(..at).unwrap_or(words), words.get(at + DOT.len()..).unwrap_or_default()),
        None => (words, ""),
    }
}

/// The features of a link that do not change by learning, as needed to look up those that do.
#[derive(Debug, Clone, Copy)]
pub(super) struct FixedFeatures {
    pub places: YieldKeys,
    /// Relevant stems in its URL and text, and whether the host name has one; part of
    /// [`FeatureKind::Stems`].
    told: u32,
}

/// Emits all features of a link, and returns the yield of its host.
pub(super) fn emit_all_features(
    link: &LinkToRank<'_>,
    yields: &YieldTable,
    sink: &mut impl FeatureSink,
) -> SectionYield {
    let fixed = emit_fixed_features(link, sink);
    emit_yield_features(&fixed, yields, sink)
}

/// Emits the features that depend on the yields of the link's
/// places, and returns the yield of its host.
pub(super) fn emit_yield_features(
    fixed: &FixedFeatures,
    yields: &YieldTable,
    sink: &mut impl FeatureSink,
) -> SectionYield {
    let places = fixed.places;
    let mut bucket = |sort: FeatureKind, value: u32, label: &dyn Fn() -> String| {
        sink.add_feature(sort, number(sort, value), label);
    };
    let paid = |what: &str, known: SectionYield| match known.pages {
        0 => format!("no page of this {what} was visited"),
        pages => format!("{} services on {pages} pages of this {what}", known.gained),
    };
    let host = yields.get(places.host);
    for (sort, what, known) in [
        (FeatureKind::Host, "host", host),
        (FeatureKind::Domain, "domain", yields.get(places.domain)),
        (FeatureKind::Folder, "part of the host", yields.get(places.folder)),
        (FeatureKind::SubFolder, "folder", yields.get(places.sub_folder)),
        (FeatureKind::Shape, "shape on the host", yields.get(places.shape)),
    ] {
        bucket(sort, known.productivity_class(), &|| paid(what, known));
        let since = match sort {
            FeatureKind::Host => FeatureKind::Since,
            FeatureKind::Folder => FeatureKind::FolderSince,
            _ => continue,
        };
        bucket(since, known.pages_since_find_class(), &|| {
            format!("{} pages of this {what} since the last new service", known.since)
        });
    }
    bucket(FeatureKind::Stems, fixed.told | (host.productivity_class() & 7) << 4 | 1, &|| {
        format!(
            "{} relevant stems on a host with yield class {} of 7",
            fixed.told >> 8,
            host.productivity_class() & 7
        )
    });
    host
}

/// Emits the features of a link that do not change by learning.
pub(super) fn emit_fixed_features(link: &LinkToRank<'_>, sink: &mut impl FeatureSink) -> FixedFeatures {
    let address = AddressParts::split(link.url);
    let places = YieldKeys::of(&address);
    let shown = PageSignals::unpack(link.origin);
    let (own, around) = split_link_text(link.words);
    let mut bucket = |sort: FeatureKind, value: u32, label: &dyn Fn() -> String| {
        sink.add_feature(sort, number(sort, value), label);
    };
    bucket(FeatureKind::Bias, 0, &|| "baseline".into());
    bucket(FeatureKind::Depth, link.depth.min(10), &|| format!("{} links from its seed", link.depth));
    let same = shown.known && shown.host == short(places.host);
    let there = if same { "a page of this host" } else { "a page of another host" };
    let pack = |value: u32| value << 2 | u32::from(same) << 1 | u32::from(shown.known);
    if shown.known {
        bucket(FeatureKind::PageShows, pack(shown.shows), &|| {
            format!(
                "linked by {there} with {} services",
                ["no", "one", "some", "many"][shown.shows as usize & 3]
            )
        });
        bucket(FeatureKind::PageDistance, pack(shown.distance), &|| {
            format!("linked by {there}, {} links after one with services", shown.distance)
        });
        bucket(FeatureKind::PageText, pack(shown.text), &|| {
            format!("linked by {there} with text class {} of 7", shown.text)
        });
        bucket(FeatureKind::PageTitle, pack(shown.title), &|| {
            format!("linked by {there} with {} relevant stems in its title", shown.title)
        });
        bucket(FeatureKind::PageHost, pack(shown.pays), &|| {
            format!("linked by {there}, whose host has yield class {} of 7", shown.pays)
        });
    }
    let sets = [find_stems(address.host), find_stems(address.path), find_stems(own), find_stems(around)];
    let told = (sets[1] | sets[2]).count_ones().min(4);
    let form = u32::from(!address.query.is_empty())
        | u32::from(address.path.ends_with('/')) << 1
        | (address.path.bytes().filter(|byte| *byte == b'/').count() as u32).min(7) << 2;
    bucket(FeatureKind::PathForm, form, &|| "the form of its URL".into());
    let all_told = told << 8 | u32::from(sets[0] != 0) << 7;
    bucket(FeatureKind::Stems, all_told | u32::from(sets[3] != 0) << 6 | 2, &|| {
        format!("{told} relevant stems in its text and URL")
    });
    bucket(FeatureKind::Topic, shown.topic, &|| "keywords of the task".into());
    sink.add_feature(FeatureKind::Way, hash_word(FeatureKind::Way, link.way.as_bytes()), || {
        format!("found as {}", link.way)
    });
    for (sort, set) in
        [FeatureKind::HostStem, FeatureKind::PathStem, FeatureKind::WordStem, FeatureKind::AroundStem]
            .into_iter()
            .zip(sets)
    {
        for (at, stem) in stems::stems_in_set(set) {
            let part = part_of(sort);
            sink.add_feature(sort, number(sort, at as u32), || format!("'{stem}' in {part}"));
        }
    }
    for (sort, text, most) in [
        (FeatureKind::HostWord, address.host, 6),
        (FeatureKind::PathWord, address.path, 10),
        (FeatureKind::Word, own, 12),
        (FeatureKind::Around, around, 10),
    ] {
        for_each_word(text, most, |word| {
            sink.add_feature(sort, hash_word(sort, word.as_bytes()), || {
                format!("'{word}' in {}", part_of(sort))
            });
        });
    }
    FixedFeatures { places, told: all_told }
}

/// Returns the name of the part that words of this kind come from.
fn part_of(sort: FeatureKind) -> &'static str {
    match sort {
        FeatureKind::HostWord | FeatureKind::HostStem => "the name of the host",
        FeatureKind::PathWord | FeatureKind::PathStem => "its URL",
        FeatureKind::Word | FeatureKind::WordStem => "the text of the link",
        _ => "the text around the link",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_page_tells_survives_packing() {
        let shown = PageSignals {
            shows: 2,
            distance: 7,
            text: 5,
            title: 3,
            topic: 1,
            pays: 6,
            host: 0xBEEF,
            known: true,
        };
        assert_eq!(PageSignals::unpack(shown.pack()), shown);
        assert!(!PageSignals::unpack(PageContext::default()).known);
    }

    #[test]
    fn a_link_and_what_stands_around_it_are_told_apart() {
        assert_eq!(split_link_text("maps · of a town · x"), ("maps", "of a town · x"));
        assert_eq!(split_link_text(" · around"), ("", "around"));
        assert_eq!(split_link_text("a·b ÷ ·"), ("a·b ÷ ·", ""));
    }

    #[test]
    fn domains_and_shapes() {
        assert_eq!(domain("gis.a.example"), "a.example");
        assert_eq!(domain("gis.town.gov.uk"), "town.gov.uk");
        assert_eq!(domain("localhost"), "localhost");
        let of = |url| shape(&AddressParts::split(url));
        assert_eq!(of("http://a/news/2024/17.html"), of("http://a/news/1999/3.html"));
        assert_eq!(of("http://a/x?id=5"), of("http://a/x?id=abc"));
        assert_ne!(of("http://a/x?id=5"), of("http://a/x?no=5"));
    }

    proptest::proptest! {
        #[test]
        fn any_text_has_tokens(text in "\\PC{0,80}") {
            for_each_word(&text, 50, |_| {});
            let _ = YieldKeys::of(&AddressParts::split(&text));
        }
    }
}
