//! Splits URLs into parts and text into words.

use std::borrow::Cow;

/// The parts of a URL that rankings use.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct AddressParts<'a> {
    pub host: &'a str,
    /// Starts with a slash; without the query.
    pub path: &'a str,
    pub query: &'a str,
}

impl<'a> AddressParts<'a> {
    /// Splits a canonical URL. Missing parts are empty.
    pub(crate) fn split(url: &'a str) -> Self {
        let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
        let rest = rest.split('#').next().unwrap_or_default();
        let (rest, query) = rest.split_once('?').unwrap_or((rest, ""));
        let (host, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
        Self { host: host.strip_prefix("www.").unwrap_or(host), path, query }
    }

    /// Returns the path up to and including slash number `count`
    /// after the first, or up to the last slash.
    pub(crate) fn folder_path(&self, count: usize) -> &'a str {
        let slashes = self.path.bytes().enumerate().filter(|(_, byte)| *byte == b'/').map(|(at, _)| at);
        let last = slashes.take(count + 1).last().unwrap_or(0);
        self.path.get(..=last).unwrap_or_default()
    }
}

/// Whether the script of this letter writes words without spaces.
pub(crate) fn is_from_unspaced_script(letter: char) -> bool {
    matches!(u32::from(letter), 0x3040..=0x30FF | 0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xAC00..=0xD7AF)
}

/// Returns the words of a text in lower case: runs of letters, or pairs of letters in scripts
/// without spaces. Skips words with digits.
pub(crate) fn text_words(text: &str) -> impl Iterator<Item = Cow<'_, str>> {
    text.split(|letter: char| !letter.is_alphanumeric())
        .filter(|word| word.len() > 1 && !word.bytes().any(|byte| byte.is_ascii_digit()))
        .flat_map(|word| {
            let unspaced = word.chars().next().is_some_and(is_from_unspaced_script);
            let whole = (!unspaced).then(|| lower(word));
            whole.into_iter().chain(pairs(word).take(if unspaced { 64 } else { 0 }).map(Cow::Borrowed))
        })
}

fn lower(word: &str) -> Cow<'_, str> {
    if word.bytes().any(|byte| byte.is_ascii_uppercase() || byte >= 0x80) {
        Cow::Owned(word.to_lowercase())
    } else {
        Cow::Borrowed(word)
    }
}

/// Returns all pairs of adjacent letters.
fn pairs(word: &str) -> impl Iterator<Item = &str> {
    let second = word.char_indices().skip(1);
    word.char_indices()
        .zip(second)
        .filter_map(|((from, _), (next, letter))| word.get(from..next + letter.len_utf8()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_come_apart() {
        let address = AddressParts::split("http://www.a.example/x/y/z.html?b=1&c#d");
        assert_eq!(address, AddressParts { host: "a.example", path: "/x/y/z.html", query: "b=1&c" });
        assert_eq!(
            [address.folder_path(0), address.folder_path(1), address.folder_path(2), address.folder_path(9)],
            ["/", "/x/", "/x/y/", "/x/y/"]
        );
        assert_eq!(AddressParts::split("http://a.example").folder_path(1), "");
        assert_eq!(AddressParts::split(""), AddressParts::default());
    }

    #[test]
    fn words_are_folded_and_unspaced_ones_come_in_pairs() {
        let of = |text| text_words(text).map(Cow::into_owned).collect::<Vec<_>>();
        assert_eq!(of("Karten & WMS-Dienste 2024 v2"), ["karten", "wms", "dienste"]);
        assert_eq!(of("地図配信"), ["地図", "図配", "配信"]);
        assert_eq!(of("ÜBERSICHT"), ["übersicht"]);
    }

    proptest::proptest! {
        #[test]
        fn any_text_can_be_read(text in "\\PC{0,60}") {
            let _ = text_words(&text).count();
            let address = AddressParts::split(&text);
            for count in 0..4 {
                proptest::prop_assert!(address.path.starts_with(address.folder_path(count)));
            }
        }
    }
}
