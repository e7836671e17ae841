//! Scripts become trees, as far as they parse.

use super::address;
use super::prescan;
use aho_corasick::{AhoCorasick, AhoCorasickBuilder};
use oxc_allocator::Allocator;
use oxc_ast::ast::Program;
use oxc_parser::{ParseOptions, Parser};
use oxc_span::SourceType;
use std::sync::LazyLock;

/// What a source gave.
pub(super) enum ParseOutcome<'a> {
    Tree(&'a Program<'a>),
    /// It says nothing of addresses.
    Silent,
    /// It does not parse, or is nested too deep to try.
    Not(&'static str),
}

/// Sources up to this length are read whatever they hold: they may be the other half of something.
const SMALL: usize = 64 << 10;

/// No script names a service without one of these.
const HINTS: &[&str] = &[
    "http",
    "//",
    "url",
    "wms",
    "wfs",
    "wmts",
    "wcs",
    "tile",
    "geojson",
    "arcgis",
    "mapserv",
    "geoserver",
    "layer",
    "ahr0c",
    ".json",
    "import",
    "webpack",
    "fetch",
    "ajax",
    "open(",
];

static HINT_FINDER: LazyLock<Option<AhoCorasick>> =
    LazyLock::new(|| AhoCorasickBuilder::new().ascii_case_insensitive(true).build(HINTS).ok());

/// Parses a source: as the page says first, then as other kinds of script.
pub(super) fn parse<'a>(
    allocator: &'a Allocator,
    source: &'a str,
    module: bool,
    typed: bool,
) -> ParseOutcome<'a> {
    if source.len() > SMALL && HINT_FINDER.as_ref().is_some_and(|finder| !finder.is_match(source)) {
        return ParseOutcome::Silent;
    }
    if u32::try_from(source.len()).is_err() || prescan::is_too_deep(source) {
        return ParseOutcome::Not("it is nested too deep");
    }
    let likely = match (typed, module || looks_like_module(source)) {
        (true, _) => SourceType::ts().with_jsx(true),
        (false, true) => SourceType::mjs().with_jsx(true),
        (false, false) => SourceType::script(),
    };
    let mut best: Option<&'a Program<'a>> = None;
    let others =
        [SourceType::unambiguous().with_jsx(true), SourceType::ts().with_jsx(true), SourceType::ts()];
    for (index, kind) in std::iter::once(likely).chain(others).enumerate() {
        // Trying again is for sources that somebody wrote by hand.
        if index > 0 && source.len() > 4 << 20 {
            break;
        }
        let options = ParseOptions {
            parse_regular_expression: false,
            allow_return_outside_function: true,
            preserve_parens: false,
            ..ParseOptions::default()
        };
        let parsed = Parser::new(allocator, source, kind).with_options(options).parse();
        let whole = !parsed.panicked;
        let clean = parsed.diagnostics.is_empty();
        if whole && (clean || index == 0 && !parsed.program.body.is_empty() || best.is_none()) {
            let program: &'a Program<'a> = allocator.alloc(parsed.program);
            let better = best.is_none_or(|best| program.body.len() > best.body.len());
            if better {
                best = Some(program);
            }
            if clean || !program.body.is_empty() {
                break;
            }
        }
    }
    match best {
        Some(program) => ParseOutcome::Tree(program),
        None => ParseOutcome::Not("it does not parse"),
    }
}

/// Modules that are not marked as such: what bundlers split off.
fn looks_like_module(source: &str) -> bool {
    let head = &source[..source.floor_char_boundary(512)];
    head.starts_with("import")
        || head.starts_with("export ")
        || head.contains("\nimport ")
        || head.contains("import{")
        || head.contains(";import ")
}

/// The literals of a source that does not parse. A scanner of its own, since no parser takes it: strings and
/// templates without what is put into them, comments left out.
pub(super) fn scan_literals(source: &str) -> Vec<(u32, String)> {
    let bytes = source.as_bytes();
    let mut out = Vec::new();
    let mut at = 0;
    while let Some(found) =
        memchr::memchr3(b'"', b'\'', b'`', bytes.get(at..).unwrap_or_default()).map(|found| at + found)
    {
        let skipped = bytes.get(at..found).unwrap_or_default();
        // A quote in a comment is none.
        if let Some(comment) = comment_before(skipped) {
            let from = at + comment.0;
            let end = memchr::memmem::find(bytes.get(from..).unwrap_or_default(), comment.1);
            at = end.map_or(bytes.len(), |end| from + end + comment.1.len());
            continue;
        }
        let quote = bytes.get(found).copied().unwrap_or_default();
        let mut end = found + 1;
        while let Some(byte) = bytes.get(end) {
            match byte {
                b'\\' => end += 1,
                b'\n' if quote != b'`' => break,
                byte if *byte == quote => break,
                _ => {}
            }
            end += 1;
        }
        let end = end.min(bytes.len());
        if let Some(text) = source.get(found + 1..end)
            && address::is_seed(text)
        {
            out.push((found as u32, text.replace("\\/", "/")));
        }
        at = end + 1;
        if out.len() >= 5_000 {
            break;
        }
    }
    out
}

/// Where a comment begins that is not closed before the end, and what closes it.
fn comment_before(code: &[u8]) -> Option<(usize, &'static [u8])> {
    let mut at = 0;
    while let Some(slash) = memchr::memchr(b'/', code.get(at..)?).map(|found| at + found) {
        match code.get(slash + 1) {
            Some(b'/') => {
                let line = memchr::memchr(b'\n', code.get(slash..)?);
                match line {
                    Some(end) => at = slash + end,
                    None => return Some((slash, b"\n")),
                }
            }
            Some(b'*') => match memchr::memmem::find(code.get(slash + 2..)?, b"*/") {
                Some(end) => at = slash + 2 + end,
                None => return Some((slash, b"*/")),
            },
            _ => at = slash + 1,
        }
    }
    None
}
