//! Parses scripts.

use super::address;
use super::prescan;
use aho_corasick::{AhoCorasick, AhoCorasickBuilder};
use oxc_allocator::Allocator;
use oxc_ast::ast::Program;
use oxc_parser::{ParseOptions, Parser};
use oxc_span::SourceType;
use std::sync::LazyLock;

/// Result of parsing a source.
pub(super) enum ParseOutcome<'a> {
    Tree(&'a Program<'a>),
    /// It contains nothing about services.
    Silent,
    /// It cannot be parsed, or is nested too deeply to try; the text says which.
    Not(&'static str),
}

/// Sources up to this length are always parsed, because they may complete others.
const SMALL: usize = 64 << 10;

/// Every script that names a service contains one of these.
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

/// Parses a source as the type given by the page, then as other script types.
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
        return ParseOutcome::Not("it is nested too deeply");
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
        // Retries are only worthwhile for hand-written sources, which are small.
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
        None => ParseOutcome::Not("it cannot be parsed"),
    }
}

/// Returns whether a source is an unmarked module, such as a chunk split off by a bundler.
fn looks_like_module(source: &str) -> bool {
    let head = &source[..source.floor_char_boundary(512)];
    head.starts_with("import")
        || head.starts_with("export ")
        || head.contains("\nimport ")
        || head.contains("import{")
        || head.contains(";import ")
}

/// Returns the string literals of a source that cannot be parsed, using a simple scanner. Skips
/// comments and the expressions in templates.
pub(super) fn scan_literals(source: &str) -> Vec<(u32, String)> {
    let bytes = source.as_bytes();
    let mut out = Vec::new();
    let mut at = 0;
    while let Some(found) =
        memchr::memchr3(b'"', b'\'', b'`', bytes.get(at..).unwrap_or_default()).map(|found| at + found)
    {
        let skipped = bytes.get(at..found).unwrap_or_default();
        // A quote inside a comment does not start a literal.
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

/// Returns where an unclosed comment begins, and what closes it.
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
