//! The tokens of an HTML page: tags with attributes, text, comments, raw text.
//!
//! Written by hand, after the tokenisation rules of the HTML standard, for three reasons. The crawl needs
//! everything of a page in one pass (all attributes, visible text, comments and scripts with their
//! positions), for which the streaming rewriter `lol_html` has to build every token it otherwise skips: for
//! the tokens alone it then takes as long as we do for everything (`examples/extract_speed.rs`). It hides
//! what is inside `<noscript>` and `<noframes>`, where map pages keep their links for those without
//! scripts. And this is small: borrowed slices, no allocation for a token, linear on any input. That both
//! see the same links on arbitrary markup is a property test (`tests/extract/oracle.rs`).

use std::ops::Range;

/// A tag's or attribute's name in lower case, packed: names longer than eight bytes are [`Name::OTHER`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PackedName(u64);

impl PackedName {
    /// Any name that does not fit.
    pub(super) const OTHER: Self = Self(0);

    /// Packs a name; usable in patterns through constants.
    pub(super) const fn from_text(text: &str) -> Self {
        Self::pack(text.as_bytes())
    }

    /// The name; empty for [`Name::OTHER`].
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

/// One attribute of the tag last read.
#[derive(Debug, Clone, Copy)]
pub(super) struct TagAttribute<'a> {
    pub name: PackedName,
    /// The name as written.
    pub full_name: &'a str,
    /// The value as written: references are not undone.
    pub value: &'a str,
    /// Where the value begins in the page.
    pub at: usize,
}

/// What stands between two positions of the page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum HtmlToken {
    /// Visible text, or what the standard takes for it.
    Text(Range<usize>),
    /// A start tag; its attributes are in [`Tokens::attributes`].
    Start {
        name: PackedName,
        self_closing: bool,
    },
    End {
        name: PackedName,
    },
    /// Inside of a comment.
    Comment(Range<usize>),
    /// Inside of an element whose content is not markup (`script`, `style`, `title`, `textarea`, ...).
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

/// More attributes of one tag are read over, not kept.
const MAX_ATTRIBUTES: usize = 128;

/// Reads a page token by token.
pub(super) struct HtmlTokenizer<'a> {
    source: &'a str,
    bytes: &'a [u8],
    at: usize,
    attributes: Vec<TagAttribute<'a>>,
    /// The element whose raw content comes next, with its written name.
    raw: Option<(PackedName, &'a str)>,
    /// Depth of SVG and MathML, where raw elements may be empty and CDATA exists.
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

    /// The attributes of the start tag read last, in their order; of two with one name the first counts.
    pub(super) fn attributes(&self) -> &[TagAttribute<'a>] {
        &self.attributes
    }

    /// The next token; `None` at the end and inside a tag that never ends.
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

    /// What begins with `<`.
    fn markup(&mut self, from: usize, second: u8) -> Option<HtmlToken> {
        match second {
            b'a'..=b'z' | b'A'..=b'Z' => self.start_tag(from + 1),
            b'/' => match self.bytes.get(from + 2) {
                Some(b'a'..=b'z' | b'A'..=b'Z') => self.end_tag(from + 2),
                // `</>` is nothing at all: an empty text in its place keeps the loop simple.
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

    /// Everything up to the next `>`.
    fn bogus_comment(&mut self, from: usize) -> HtmlToken {
        let end = find(self.bytes, from, b'>');
        self.at = (end + 1).min(self.bytes.len());
        HtmlToken::Comment(from..end)
    }

    /// After `<!`: a comment, a document type, CDATA.
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

    /// Reads attributes up to the closing `>`; whether the tag closed itself, or `None` at the page's end.
    fn read_attributes(&mut self, mut at: usize) -> Option<bool> {
        let bytes = self.bytes;
        loop {
            let mut slash = false;
            // Before an attribute: blanks and slashes.
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
            // Its name; an equals sign may begin it.
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

/// Elements whose content is not markup. `noscript` and `noframes` are read as markup on purpose: we run
/// no scripts and show no frames.
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

/// Position of a byte at or after `from`, else the end.
fn find(bytes: &[u8], from: usize, byte: u8) -> usize {
    bytes.get(from..).and_then(|rest| memchr::memchr(byte, rest)).map_or(bytes.len(), |at| from + at)
}

/// Where a comment's inside ends and where the page goes on.
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

/// Where raw content ends: before its end tag, else at the page's end.
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

/// Whether `</name` stands at a position and the name ends there.
fn closes(bytes: &[u8], at: usize, name: &str) -> bool {
    bytes.get(at + 1) == Some(&b'/') && names(bytes, at + 2, name)
}

fn names(bytes: &[u8], at: usize, name: &str) -> bool {
    bytes.get(at..at + name.len()).is_some_and(|b| b.eq_ignore_ascii_case(name.as_bytes()))
        && bytes.get(at + name.len()).is_some_and(|b| ends_tag_name(*b))
}

/// Where a script ends, by the standard's rules for `<!--` inside of it: between that and `-->` a nested
/// `<script>` hides its own end tag.
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
            // The dashes may already belong to the end: `<!-->`.
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

    /// Tokens in a short notation: `<a href=x>`, `</a>`, `'text'`, `!comment!`, `{raw}`.
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
