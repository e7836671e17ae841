//! The tokens of an HTML page: tags with attributes, text, comments, raw text.
//!
//! Hand-written after the tokenisation rules of the HTML standard, for three reasons. The crawl
//! needs all parts of a page in one pass (all attributes, visible text, comments and scripts with
//! their positions), for which the streaming rewriter `lol_html` has to build every token that it
//! otherwise skips: it takes as long for the tokens alone as this module takes for everything
//! (`examples/extract_speed.rs`). It hides the content of `<noscript>` and `<noframes>`, where map
//! pages keep links for browsers without scripts. And this module is small: borrowed slices, no
//! allocation per token, linear time on any input. A property test checks that both see the same
//! links on arbitrary markup (`tests/extract/oracle.rs`).

use std::ops::Range;

/// Name of a tag or attribute in lower case, packed. Names longer than eight bytes are
/// [`PackedName::OTHER`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PackedName(u64);

impl PackedName {
    /// Any name that is too long to pack.
    pub(super) const OTHER: Self = Self(0);

    /// Packs a name. Constants of packed names can be used in patterns.
    pub(super) const fn from_text(text: &str) -> Self {
        Self::pack(text.as_bytes())
    }

    /// Returns the name, or an empty string for [`PackedName::OTHER`].
    pub(super) fn unpack(self) -> String {
        self.0.to_be_bytes().iter().filter(|b| **b != 0).map(|b| char::from(*b)).collect()
    }

    const fn pack(bytes: &[u8]) -> Self {
        if bytes.len() > 8 {
            return Self::OTHER;
        }
        let mut packed = 0_u64;
        let mut at = 0;
        while at < bytes.len() {
            packed = packed << 8 | bytes[at].to_ascii_lowercase() as u64;
            at += 1;
        }
        Self(packed)
    }
}

/// Attribute of the last start tag.
#[derive(Debug, Clone, Copy)]
pub(super) struct TagAttribute<'a> {
    pub name: PackedName,
    /// Name as written.
    pub full_name: &'a str,
    /// Value as written, with references not decoded.
    pub value: &'a str,
    /// Offset of the value in the page.
    pub at: usize,
}

/// Token of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum HtmlToken {
    /// Visible text, or what the standard treats as text.
    Text(Range<usize>),
    /// Start tag. Its attributes are in [`HtmlTokenizer::attributes`].
    Start {
        name: PackedName,
        self_closing: bool,
    },
    End {
        name: PackedName,
    },
    /// Content of a comment.
    Comment(Range<usize>),
    /// Content of an element whose content is not markup (`script`, `style`, `title`, `textarea`,
    /// ...).
    Raw {
        name: PackedName,
        range: Range<usize>,
    },
}

pub(super) const SCRIPT: PackedName = PackedName::from_text("script");
pub(super) const STYLE: PackedName = PackedName::from_text("style");
pub(super) const TITLE: PackedName = PackedName::from_text("title");
pub(super) const TEXTAREA: PackedName = PackedName::from_text("textarea");
pub(super) const SVG: PackedName = PackedName::from_text("svg");
const MATH: PackedName = PackedName::from_text("math");
const XMP: PackedName = PackedName::from_text("xmp");
const IFRAME: PackedName = PackedName::from_text("iframe");
const NOEMBED: PackedName = PackedName::from_text("noembed");

/// Maximum number of attributes to keep per tag. Further ones are skipped.
const MAX_ATTRIBUTES: usize = 128;

/// Reads a page token by token.
pub(super) struct HtmlTokenizer<'a> {
    source: &'a str,
    bytes: &'a [u8],
    at: usize,
    attributes: Vec<TagAttribute<'a>>,
    /// Element whose raw content comes next, with its name as written.
    raw: Option<(PackedName, &'a str)>,
    /// Nesting depth of SVG and MathML, where raw elements may be empty and CDATA is allowed.
    foreign: u32,
}

impl<'a> HtmlTokenizer<'a> {
    pub(super) fn new(source: &'a str) -> Self {
        Self {
            source,
            bytes: source.as_bytes(),
            at: 0,
            attributes: Vec::with_capacity(16),
            raw: None,
            foreign: 0,
        }
    }

    /// Returns the attributes of the last start tag in order. If a name occurs twice, the first one
    /// counts.
    pub(super) fn attributes(&self) -> &[TagAttribute<'a>] {
        &self.attributes
    }

    /// Returns the next token, or `None` at the end of the page or inside a tag that never ends.
    pub(super) fn next(&mut self) -> Option<HtmlToken> {
        if let Some((name, written)) = self.raw.take() {
            let from = self.at;
            self.at = raw_end(self.bytes, from, name, written);
            if self.at > from {
                return Some(HtmlToken::Raw { name, range: from..self.at });
            }
        }
        let from = self.at;
        let rest = self.bytes.get(from..)?;
        match rest {
            [] => None,
            [b'<', second, ..] => self.markup(from, *second),
            [_, tail @ ..] => {
                let length = memchr::memchr(b'<', tail).map_or(rest.len(), |at| at + 1);
                self.at = from + length;
                Some(HtmlToken::Text(from..self.at))
            }
        }
    }

    /// Reads a token that starts with `<`.
    fn markup(&mut self, from: usize, second: u8) -> Option<HtmlToken> {
        match second {
            b'a'..=b'z' | b'A'..=b'Z' => self.start_tag(from + 1),
            b'/' => match self.bytes.get(from + 2) {
                Some(b'a'..=b'z' | b'A'..=b'Z') => self.end_tag(from + 2),
                // `</>` is ignored; returning an empty text keeps the loop simple.
                Some(b'>') => Some(self.text_to(from + 3, from + 3)),
                Some(_) => Some(self.bogus_comment(from + 2)),
                None => Some(self.text_to(from, from + 2)),
            },
            b'!' => Some(self.declaration(from + 2)),
            b'?' => Some(self.bogus_comment(from + 1)),
            _ => {
                let length = memchr::memchr(b'<', self.bytes.get(from + 1..)?);
                Some(self.text_to(from, length.map_or(self.bytes.len(), |at| from + 1 + at)))
            }
        }
    }

    fn text_to(&mut self, from: usize, to: usize) -> HtmlToken {
        self.at = to;
        HtmlToken::Text(from..to)
    }

    /// Skips everything up to the next `>`, as a comment.
    fn bogus_comment(&mut self, from: usize) -> HtmlToken {
        let end = find(self.bytes, from, b'>');
        self.at = (end + 1).min(self.bytes.len());
        HtmlToken::Comment(from..end)
    }

    /// Reads a comment, a document type or CDATA after `<!`.
    fn declaration(&mut self, from: usize) -> HtmlToken {
        let rest = self.bytes.get(from..).unwrap_or_default();
        if rest.starts_with(b"--") {
            let (end, next) = comment_end(self.bytes, from + 2);
            self.at = next;
            return HtmlToken::Comment(from + 2..end);
        }
        if self.foreign > 0 && rest.starts_with(b"[CDATA[") {
            let inside = from + 7;
            let tail = self.bytes.get(inside..).unwrap_or_default();
            let end = memchr::memmem::find(tail, b"]]>").map_or(self.bytes.len(), |at| inside + at);
            self.at = (end + 3).min(self.bytes.len());
            return HtmlToken::Text(inside..end);
        }
        self.bogus_comment(from)
    }

    fn start_tag(&mut self, from: usize) -> Option<HtmlToken> {
        let (written, name, end) = self.tag_name(from);
        self.attributes.clear();
        let self_closing = self.read_attributes(end)?;
        if name == SVG || name == MATH {
            self.foreign += u32::from(!self_closing);
        } else if is_raw(name) && self.foreign == 0 {
            self.raw = Some((name, written));
        }
        Some(HtmlToken::Start { name, self_closing })
    }

    fn end_tag(&mut self, from: usize) -> Option<HtmlToken> {
        let (_, name, end) = self.tag_name(from);
        self.attributes.clear();
        self.read_attributes(end)?;
        self.attributes.clear();
        if name == SVG || name == MATH {
            self.foreign = self.foreign.saturating_sub(1);
        }
        Some(HtmlToken::End { name })
    }

    fn tag_name(&self, from: usize) -> (&'a str, PackedName, usize) {
        let rest = self.bytes.get(from..).unwrap_or_default();
        let length = rest.iter().position(|b| ends_tag_name(*b)).unwrap_or(rest.len());
        let written = self.source.get(from..from + length).unwrap_or_default();
        (written, PackedName::pack(written.as_bytes()), from + length)
    }

    /// Reads attributes up to the closing `>`. Returns whether the tag is self-closing, or `None`
    /// at the end of the page.
    fn read_attributes(&mut self, mut at: usize) -> Option<bool> {
        let bytes = self.bytes;
        loop {
            let mut slash = false;
            // Skip blanks and slashes before the attribute.
            loop {
                match *bytes.get(at)? {
                    b'/' => slash = true,
                    b if is_blank(b) => slash = false,
                    b'>' => {
                        self.at = at + 1;
                        return Some(slash);
                    }
                    _ => break,
                }
                at += 1;
            }
            // A name may start with an equals sign.
            let name_from = at;
            at += 1;
            while !ends_attribute_name(*bytes.get(at)?) {
                at += 1;
            }
            let name_to = at;
            while is_blank(*bytes.get(at)?) {
                at += 1;
            }
            let (from, to) = if *bytes.get(at)? == b'=' {
                at += 1;
                while is_blank(*bytes.get(at)?) {
                    at += 1;
                }
                let quote = *bytes.get(at)?;
                if quote == b'"' || quote == b'\'' {
                    let from = at + 1;
                    let to = from + memchr::memchr(quote, bytes.get(from..)?)?;
                    at = to + 1;
                    (from, to)
                } else {
                    let from = at;
                    while !ends_unquoted(*bytes.get(at)?) {
                        at += 1;
                    }
                    (from, at)
                }
            } else {
                (at, at)
            };
            if self.attributes.len() < MAX_ATTRIBUTES {
                let full_name = self.source.get(name_from..name_to).unwrap_or_default();
                let value = self.source.get(from..to).unwrap_or_default();
                let name = PackedName::pack(full_name.as_bytes());
                self.attributes.push(TagAttribute { name, full_name, value, at: from });
            }
        }
    }
}

/// Returns whether the content of an element is not markup. `noscript` and `noframes` are
/// deliberately read as markup, because we run no scripts and show no frames.
fn is_raw(name: PackedName) -> bool {
    matches!(name, SCRIPT | STYLE | TITLE | TEXTAREA | XMP | IFRAME | NOEMBED)
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\t' | b'\r' | b'\x0c')
}

fn ends_tag_name(byte: u8) -> bool {
    matches!(byte, b'>' | b'/') || is_blank(byte)
}

fn ends_attribute_name(byte: u8) -> bool {
    matches!(byte, b'=' | b'>' | b'/') || is_blank(byte)
}

fn ends_unquoted(byte: u8) -> bool {
    byte == b'>' || is_blank(byte)
}

/// Returns the position of a byte at or after `from`, or the end.
fn find(bytes: &[u8], from: usize, byte: u8) -> usize {
    bytes.get(from..).and_then(|rest| memchr::memchr(byte, rest)).map_or(bytes.len(), |at| from + at)
}

/// Returns the end of a comment's content, and the position after the comment.
fn comment_end(bytes: &[u8], from: usize) -> (usize, usize) {
    let rest = bytes.get(from..).unwrap_or_default();
    if rest.starts_with(b">") {
        return (from, from + 1);
    }
    if rest.starts_with(b"->") {
        return (from, from + 2);
    }
    let mut at = from;
    while let Some(dashes) = bytes.get(at..).and_then(|rest| memchr::memmem::find(rest, b"--")) {
        let end = at + dashes;
        match bytes.get(end + 2..).unwrap_or_default() {
            [b'>', ..] => return (end, end + 3),
            [b'!', b'>', ..] => return (end, end + 4),
            _ => at = end + 1,
        }
    }
    (bytes.len(), bytes.len())
}

/// Returns the end of raw content: before its end tag, or at the end of the page.
fn raw_end(bytes: &[u8], from: usize, name: PackedName, written: &str) -> usize {
    if name == SCRIPT {
        return script_end(bytes, from);
    }
    let mut at = from;
    loop {
        at = find(bytes, at, b'<');
        if at >= bytes.len() || closes(bytes, at, written) {
            return at;
        }
        at += 1;
    }
}

/// Returns whether `</name` is at a position and the name ends there.
fn closes(bytes: &[u8], at: usize, name: &str) -> bool {
    bytes.get(at + 1) == Some(&b'/') && names(bytes, at + 2, name)
}

fn names(bytes: &[u8], at: usize, name: &str) -> bool {
    bytes.get(at..at + name.len()).is_some_and(|b| b.eq_ignore_ascii_case(name.as_bytes()))
        && bytes.get(at + name.len()).is_some_and(|b| ends_tag_name(*b))
}

/// Returns the end of a script. By the standard's rules for `<!--` inside a script, a nested
/// `<script>` between it and `-->` hides its own end tag.
fn script_end(bytes: &[u8], from: usize) -> usize {
    #[derive(PartialEq)]
    enum ScriptState {
        Script,
        Escaped,
        Nested,
    }
    let mut inside = ScriptState::Script;
    let mut at = from;
    loop {
        let rest = bytes.get(at..).unwrap_or_default();
        let next = match inside {
            ScriptState::Script => memchr::memchr(b'<', rest),
            _ => memchr::memchr2(b'<', b'-', rest),
        };
        let Some(offset) = next else { return bytes.len() };
        at += offset;
        if inside != ScriptState::Script && bytes.get(at..).is_some_and(|r| r.starts_with(b"-->")) {
            inside = ScriptState::Script;
            at += 3;
            continue;
        }
        if closes(bytes, at, "script") {
            if inside != ScriptState::Nested {
                return at;
            }
            inside = ScriptState::Escaped;
        } else if inside == ScriptState::Script && bytes.get(at..).is_some_and(|r| r.starts_with(b"<!--")) {
            inside = ScriptState::Escaped;
            // The dashes may be part of the end: `<!-->`.
            at += 2;
            continue;
        } else if inside == ScriptState::Escaped
            && bytes.get(at) == Some(&b'<')
            && names(bytes, at + 1, "script")
        {
            inside = ScriptState::Nested;
        }
        at += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Formats tokens in a short notation: `<a href=x>`, `</a>`, `'text'`, `!comment!`, `{raw}`.
    fn shown(html: &str) -> String {
        let mut tokens = HtmlTokenizer::new(html);
        let mut out = Vec::new();
        while let Some(token) = tokens.next() {
            out.push(match token {
                HtmlToken::Text(r) if r.is_empty() => String::new(),
                HtmlToken::Text(r) => format!("'{}'", &html[r]),
                HtmlToken::Start { self_closing, .. } => {
                    let shown: Vec<_> =
                        tokens.attributes().iter().map(|a| format!("{}={}", a.full_name, a.value)).collect();
                    format!("<{}{}>", shown.join(" "), if self_closing { "/" } else { "" })
                }
                HtmlToken::End { .. } => "</>".to_owned(),
                HtmlToken::Comment(r) => format!("!{}!", &html[r]),
                HtmlToken::Raw { range, .. } => format!("{{{}}}", &html[range]),
            });
        }
        out.concat()
    }

    #[test]
    fn markup_is_read_by_the_rules() {
        for (html, expected) in [
            ("a<b>c</b>d", "'a'<>'c'</>'d'"),
            ("<a href=x y='z' w=\"v\" u>", "<href=x y=z w=v u=>"),
            ("<a href = x/>", "<href=x/>"),
            ("<br/><br / >", "</><>"),
            ("<a =b=c>", "<=b=c>"),
            ("1 < 2 <3", "'1 ''< 2 ''<3'"),
            ("<!--a-->b<!-->c<!--->d", "!a!'b'!!'c'!!'d'"),
            ("<!--a--!>b<!--c", "!a!'b'!c!"),
            ("<!DOCTYPE html>a", "!DOCTYPE html!'a'"),
            ("<?php x ?>a</ x>b</>c", "!?php x ?!'a'! x!'b''c'"),
            ("<script>a<b></script>c", "<>{a<b>}</>'c'"),
            ("<script><!--<script></script>--></script>c", "<>{<!--<script></script>-->}</>'c'"),
            ("<script><!--></script>c", "<>{<!-->}</>'c'"),
            ("<STYLE></x></Style>c", "<>{</x>}</>'c'"),
            ("<title></title>", "<></>"),
            ("<svg><title/><a x></svg><![CDATA[d]]>", "<></><x=></>![CDATA[d]]!"),
            ("<svg><![CDATA[<a>]]></svg>", "<>'<a>'</>"),
            ("<noscript><a x></noscript>", "<><x=></>"),
            ("<a href='x", ""),
            ("<a href='x>' y>", "<href=x>' y>"),
            ("<", "'<'"),
            ("</", "'</'"),
        ] {
            let expected = expected.replace("<href=x>' y>", "<href=x> y=>");
            assert_eq!(shown(html), expected, "{html}");
        }
    }

    #[test]
    fn hostile_markup_is_linear() {
        for piece in
            ["<", "<!--", "<a ", "<a b='", "</", "<script>", "<![CDATA[", "<svg><title>", "--", "<!-->-"]
        {
            let html = piece.repeat(200_000);
            let mut tokens = HtmlTokenizer::new(&html);
            let mut count = 0;
            while tokens.next().is_some() {
                count += 1;
            }
            assert!(count <= html.len(), "{piece}");
        }
    }
}
