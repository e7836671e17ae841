//! Limits the length of files and functions.

use super::checkout::{Checkout, SourceFile};
use anyhow::Result;

/// Maximum number of lines of a source file, except in folders `tests`.
const MAX_FILE_LINES: usize = 700;
/// A function with more lines than this is long.
const MAX_FUNCTION_LINES: usize = 80;
/// Maximum number of long functions per thousand functions outside tests.
const MAX_LONG_PER_THOUSAND: f64 = 2.9;

/// A function and the lines from its signature to its closing brace.
#[derive(Debug, PartialEq, Eq)]
struct FunctionSpan<'s> {
    name: &'s str,
    lines: usize,
}

/// Reports files that are too long, and the long functions if there are too many.
#[expect(clippy::unnecessary_wraps, reason = "the shape of every rule")]
pub fn check(checkout: &Checkout) -> Result<Vec<String>> {
    let mut faults = Vec::new();
    for source in &checkout.sources {
        let lines = source.text.lines().count();
        if lines > MAX_FILE_LINES && !source.path.contains("/tests/") {
            faults.push(format!("{} has {lines} lines (at most {MAX_FILE_LINES}); split it", source.path));
        }
    }
    let (total, mut long) = count_functions(&checkout.sources);
    let per_thousand = long.len() as f64 * 1_000.0 / total.max(1) as f64;
    if per_thousand > MAX_LONG_PER_THOUSAND {
        faults.push(format!(
            "{} of {total} functions are longer than {MAX_FUNCTION_LINES} lines: {per_thousand:.2} per thousand \
             (at most {MAX_LONG_PER_THOUSAND}); split the longest of these",
            long.len(),
        ));
        long.sort_by_key(|(lines, _)| std::cmp::Reverse(*lines));
        faults.extend(long.into_iter().map(|(lines, place)| format!("{lines:>4} lines: {place}")));
    }
    Ok(faults)
}

/// Returns the number of functions outside tests, and the locations of the long ones.
fn count_functions(sources: &[SourceFile]) -> (usize, Vec<(usize, String)>) {
    let (mut total, mut long) = (0, Vec::new());
    for source in sources.iter().filter(|source| source.path.contains("/src/") && !source.is_test()) {
        for function in functions(source.product_text()) {
            total += 1;
            if function.lines > MAX_FUNCTION_LINES {
                long.push((function.lines, format!("{}: {}", source.path, function.name)));
            }
        }
    }
    (total, long)
}

/// Returns the functions with a body. Relies on rustfmt: a body ends at the first `}` with the same
/// indentation as its signature.
fn functions(text: &str) -> Vec<FunctionSpan<'_>> {
    let lines: Vec<&str> = text.lines().collect();
    let mut functions = Vec::new();
    for (start, line) in lines.iter().enumerate() {
        let code = line.trim_start();
        let Some(name) = function_name(code) else { continue };
        if code.ends_with('}') {
            functions.push(FunctionSpan { name, lines: 1 });
            continue;
        }
        let indent = &line[..line.len() - code.len()];
        for (length, line) in (1..).zip(&lines[start..]) {
            let Some(rest) = at_indent(line, indent) else { continue };
            if rest == "}" {
                functions.push(FunctionSpan { name, lines: length });
                break;
            }
            // A declaration without a body, as in a trait.
            if rest.ends_with(';') {
                break;
            }
        }
    }
    functions
}

/// Returns the code of a line with exactly this indentation.
fn at_indent<'l>(line: &'l str, indent: &str) -> Option<&'l str> {
    line.strip_prefix(indent).filter(|rest| !rest.starts_with([' ', '\t']))
}

/// Returns the name of the function that starts on a line of code.
fn function_name(code: &str) -> Option<&str> {
    let mut rest = code;
    if let Some(after) = rest.strip_prefix("pub") {
        rest = match after.strip_prefix('(') {
            Some(restricted) => restricted.split_once(") ")?.1,
            None => after.strip_prefix(' ')?,
        };
    }
    while let Some(after) =
        ["const ", "async ", "unsafe ", "extern \"C\" "].iter().find_map(|word| rest.strip_prefix(word))
    {
        rest = after;
    }
    let name = rest.strip_prefix("fn ")?;
    name.split(['(', '<']).next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_measured_from_signature_to_closing_brace() {
        let text = "\
pub(crate) const fn short() -> u8 { 1 }
trait Shape {
    fn area(&self) -> f64;
    fn long_declaration(
        &self,
    ) -> f64;
    fn name(&self) -> String {
        let nested = || {
            String::new()
        };
        nested()
    }
}
async fn generic<T>(
    value: T,
) where
    T: Send,
{
    drop(value);
}
";
        let expected =
            [("short", 1), ("name", 6), ("generic", 7)].map(|(name, lines)| FunctionSpan { name, lines });
        assert_eq!(functions(text), expected);
    }
}
