//! Character encodings of pages, and where (or whether) they are declared.

/// The character encodings that occur on the simulated web.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum PageCharset {
    Utf8,
    Latin1,
    Latin2,
    Windows1252,
    Windows1251,
    ShiftJis,
    EucJp,
    Gb18030,
    Utf16Le,
    Utf16Be,
}

/// How a page declares its charset.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CharsetDeclaration {
    Header,
    Meta,
    /// `<meta http-equiv="Content-Type">`, the old way.
    HttpEquiv,
    Bom,
    /// The header claims UTF-8, whatever the charset is.
    Wrongly,
    Nowhere,
}

impl PageCharset {
    pub(crate) fn label(self) -> &'static str {
        match self {
            Self::Utf8 => "utf-8",
            Self::Latin1 => "ISO-8859-1",
            Self::Latin2 => "ISO-8859-2",
            Self::Windows1252 => "windows-1252",
            Self::Windows1251 => "windows-1251",
            Self::ShiftJis => "Shift_JIS",
            Self::EucJp => "EUC-JP",
            Self::Gb18030 => "GB18030",
            Self::Utf16Le => "utf-16le",
            Self::Utf16Be => "utf-16be",
        }
    }

    /// Whether ASCII characters are single bytes, so that text can be joined from encoded pieces.
    pub(crate) fn is_ascii_compatible(self) -> bool {
        !matches!(self, Self::Utf16Le | Self::Utf16Be)
    }

    /// Encodes `text`; characters that the charset lacks become character references.
    pub(crate) fn encode(self, text: &str) -> Vec<u8> {
        let encoding = match self {
            Self::Utf8 => return text.as_bytes().to_vec(),
            Self::Utf16Le => return text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
            Self::Utf16Be => return text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
            Self::Latin1 | Self::Windows1252 => encoding_rs::WINDOWS_1252,
            Self::Latin2 => encoding_rs::ISO_8859_2,
            Self::Windows1251 => encoding_rs::WINDOWS_1251,
            Self::ShiftJis => encoding_rs::SHIFT_JIS,
            Self::EucJp => encoding_rs::EUC_JP,
            Self::Gb18030 => encoding_rs::GB18030,
        };
        encoding.encode(text).0.into_owned()
    }

    pub(crate) fn bom(self) -> &'static [u8] {
        match self {
            Self::Utf8 => b"\xEF\xBB\xBF",
            Self::Utf16Le => b"\xFF\xFE",
            Self::Utf16Be => b"\xFE\xFF",
            _ => b"",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_charset_keeps_links_and_text() {
        for (charset, text) in [
            (PageCharset::Latin1, "Straße"),
            (PageCharset::Latin2, "działka"),
            (PageCharset::Windows1251, "карта"),
            (PageCharset::ShiftJis, "地図"),
            (PageCharset::EucJp, "地図"),
            (PageCharset::Gb18030, "地图"),
        ] {
            let bytes = charset.encode(text);
            let decoder = encoding_rs::Encoding::for_label(charset.label().as_bytes()).unwrap();
            assert_eq!(decoder.decode(&bytes).0, text);
            assert_eq!(charset.encode("href=\"/a\""), b"href=\"/a\"");
        }
        assert_eq!(PageCharset::Utf16Be.encode("A"), [0, b'A']);
    }
}
