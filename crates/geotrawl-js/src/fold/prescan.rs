//! Detects sources that are nested too deeply to be parsed. Written by hand: it must not recurse,
//! and must be far cheaper than the parser that it protects.

/// Maximum depth. Code written by people or bundlers stays below a few hundred levels.
const DEEPEST: u32 = 3_000;
/// Maximum nesting of possible arrow function heads in parentheses, because parsers read them twice
/// per level.
const DEEPEST_PARENTHESES: u32 = 200;

/// An open bracket, with the depth of the chain before it.
struct OpenBracket {
    chain: u32,
    nest: u32,
    bracket: u8,
    /// Whether it may start an arrow function, which a parser only knows at its end.
    head: bool,
}

/// Estimates the depth of a source's tree from brackets and the chains of operators and keywords
/// within them.
pub(super) fn is_too_deep(source: &str) -> bool {
    let bytes = source.as_bytes();
    let mut opened: Vec<OpenBracket> = Vec::new();
    // Total depth of all open brackets and their chains; depth of the current chain; open
    // parentheses.
    let (mut outer, mut chain, mut parentheses) = (0_u32, 0_u32, 0_u32);
    // Depth of nested statements without braces.
    let mut nest = 0_u32;
    // Nested possible arrow function heads, and the cost of reading them twice.
    let (mut heads, mut read_twice) = (0_u32, 0_u64);
    let mut at = 0;
    // Whether a slash here would start a regular expression.
    let mut operand = true;
    while let Some(&byte) = bytes.get(at) {
        at += 1;
        match byte {
            b'"' | b'\'' => {
                at = string_end(bytes, at, byte);
                operand = false;
            }
            b'`' => match template_end(bytes, at) {
                (end, true) => {
                    opened.push(OpenBracket { chain, nest, bracket: b'`', head: false });
                    outer += chain + nest + 1;
                    (chain, nest) = (0, 0);
                    at = end;
                    operand = true;
                }
                (end, false) => {
                    at = end;
                    operand = false;
                }
            },
            b'/' => match bytes.get(at) {
                Some(b'/') => {
                    at = memchr::memchr(b'\n', bytes.get(at..).unwrap_or_default())
                        .map_or(bytes.len(), |end| at + end);
                }
                Some(b'*') => {
                    let end = memchr::memmem::find(bytes.get(at + 1..).unwrap_or_default(), b"*/");
                    at = end.map_or(bytes.len(), |end| at + end + 3);
                }
                _ if operand => {
                    at = regex_end(bytes, at);
                    operand = false;
                }
                _ => {
                    chain += 1;
                    operand = true;
                }
            },
            b'(' | b'[' | b'{' => {
                let head = byte == b'(' && may_be_head(bytes, at, operand);
                if head {
                    heads += 1;
                    read_twice += u64::from(heads.saturating_sub(HEADS_FREE));
                }
                opened.push(OpenBracket { chain, nest, bracket: byte, head });
                outer += chain + nest + 1;
                (chain, nest) = (0, 0);
                operand = true;
                if byte == b'(' {
                    parentheses += 1;
                }
            }
            b')' | b']' | b'}' => {
                if let Some(open) = opened.pop() {
                    outer = outer.saturating_sub(open.chain + open.nest + 1);
                    (chain, nest) = (open.chain, open.nest);
                    heads -= u32::from(open.head);
                    if open.bracket == b'(' {
                        parentheses = parentheses.saturating_sub(1);
                    }
                    if open.bracket == b'`' && byte == b'}' {
                        match template_end(bytes, at) {
                            (end, true) => {
                                opened.push(OpenBracket { chain, nest, bracket: b'`', head: false });
                                outer += chain + nest + 1;
                                (chain, nest) = (0, 0);
                                at = end;
                                operand = true;
                                continue;
                            }
                            (end, false) => at = end,
                        }
                    }
                    // After a body, a new statement begins, unless it continues with `else`: chains
                    // of `else` nest.
                    if open.bracket == b'{' && byte == b'}' && !goes_on(bytes, at) {
                        chain = chain.min(CHAIN_KEPT);
                        nest = 0;
                    }
                }
                operand = byte == b'}';
            }
            b';' => {
                (chain, nest) = (0, 0);
                operand = true;
            }
            b',' => {
                chain = 0;
                operand = true;
            }
            // A complete line ends a statement.
            b'\n' if !operand => chain = chain.min(CHAIN_KEPT),
            b'=' | b'+' | b'-' | b'*' | b'%' | b'<' | b'>' | b'!' | b'&' | b'|' | b'^' | b'~' | b'?'
            | b':' | b'.' => {
                // Each operator may nest its left or right operand.
                chain += 1;
                operand = byte != b'.';
            }
            byte if byte.is_ascii_alphabetic() || byte == b'_' || byte == b'$' || byte >= 0x80 => {
                let start = at - 1;
                while bytes.get(at).is_some_and(|byte| {
                    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') || *byte >= 0x80
                }) {
                    at += 1;
                }
                // Names in minified code have one or two letters, keywords at least two.
                if at < start + 2 {
                    operand = false;
                    continue;
                }
                let word = bytes.get(start..at).unwrap_or_default();
                operand = keyword(word);
                if statement(word) {
                    nest += 1;
                } else if operand {
                    chain += 1;
                }
            }
            byte if byte.is_ascii_digit() => operand = false,
            _ => {}
        }
        if outer + chain + nest > DEEPEST
            && (outer + nest > DEEPEST || chain > DEEPEST_CHAIN || parentheses > DEEPEST_PARENTHESES)
        {
            return true;
        }
        if parentheses > DEEPEST || read_twice > MOST_READ_TWICE {
            return true;
        }
    }
    false
}

/// Maximum depth of operator chains, which lean to the left and are cheaper than brackets.
const DEEPEST_CHAIN: u32 = 20_000;
/// Depth of a chain that is kept after a body, because statements may follow without a separator.
const CHAIN_KEPT: u32 = 2;

/// Nesting of heads whose cost is negligible.
const HEADS_FREE: u32 = 8;
/// Maximum cost of repeated reading: each level is read once more for the levels around it.
const MOST_READ_TWICE: u64 = 2_000_000;

/// Returns whether a parenthesis may start an arrow function: `(a = ...`, `({...`, `([...`.
fn may_be_head(bytes: &[u8], mut at: usize, operand: bool) -> bool {
    match bytes.get(at) {
        Some(b'{' | b'[') => return operand,
        Some(b'(') => return false,
        _ => {}
    }
    let start = at;
    while bytes.get(at).is_some_and(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b' '))
    {
        at += 1;
        if at > start + 64 {
            return false;
        }
    }
    at > start && bytes.get(at) == Some(&b'=') && !matches!(bytes.get(at + 1), Some(b'=' | b'>'))
}

/// Returns whether `else` follows.
fn goes_on(bytes: &[u8], mut at: usize) -> bool {
    while bytes.get(at).is_some_and(u8::is_ascii_whitespace) {
        at += 1;
    }
    bytes.get(at..at + 4) == Some(b"else")
}

/// Returns whether a word is followed by an operand and adds nesting.
fn keyword(word: &[u8]) -> bool {
    matches!(
        word,
        b"return"
            | b"typeof"
            | b"instanceof"
            | b"in"
            | b"of"
            | b"new"
            | b"delete"
            | b"void"
            | b"throw"
            | b"case"
            | b"do"
            | b"else"
            | b"if"
            | b"for"
            | b"while"
            | b"with"
            | b"await"
            | b"yield"
            | b"async"
            | b"function"
            | b"class"
            | b"extends"
    )
}

/// Returns whether a word starts a nested statement.
fn statement(word: &[u8]) -> bool {
    matches!(word, b"if" | b"else" | b"for" | b"while" | b"do" | b"with")
}

fn string_end(bytes: &[u8], mut at: usize, quote: u8) -> usize {
    while let Some(found) = memchr::memchr3(quote, b'\\', b'\n', bytes.get(at..).unwrap_or_default()) {
        at += found + 1;
        match bytes.get(at - 1) {
            Some(b'\\') => at += 1,
            _ => return at,
        }
    }
    bytes.len()
}

/// Returns where the text of a template ends, and whether an expression follows.
fn template_end(bytes: &[u8], mut at: usize) -> (usize, bool) {
    while let Some(found) = memchr::memchr3(b'`', b'\\', b'$', bytes.get(at..).unwrap_or_default()) {
        at += found + 1;
        match bytes.get(at - 1) {
            Some(b'\\') => at += 1,
            Some(b'$') if bytes.get(at) == Some(&b'{') => return (at + 1, true),
            Some(b'$') => {}
            _ => return (at, false),
        }
    }
    (bytes.len(), false)
}

fn regex_end(bytes: &[u8], mut at: usize) -> usize {
    let mut class = false;
    while let Some(byte) = bytes.get(at) {
        at += 1;
        match byte {
            b'\\' => at += 1,
            b'[' => class = true,
            b']' => class = false,
            b'/' if !class => return at,
            b'\n' => return at,
            _ => {}
        }
    }
    bytes.len()
}

/// Returns whether code moves elements from the start of a list to its end, as obfuscators do with
/// their string tables: `list.push(list.shift())`, `a['push'](a['shift']())`.
pub(super) fn rotates_tables(source: &str) -> bool {
    const NEAR: usize = 40;
    let bytes = source.as_bytes();
    memchr::memmem::find_iter(bytes, b"push").any(|at| {
        let after = bytes.get(at..bytes.len().min(at + NEAR)).unwrap_or_default();
        memchr::memmem::find(after, b"shift").is_some_and(|shift| {
            !after.get(..shift).unwrap_or_default().contains(&b';')
                && !after.get(..shift).unwrap_or_default().contains(&b'}')
        })
    })
}

#[cfg(test)]
mod tests {
    use super::{is_too_deep, rotates_tables};

    #[test]
    fn tables_that_turn_are_noticed() {
        for turning in ["l.push(l.shift())", "_0x['push'](_0x['shift']())"] {
            assert!(rotates_tables(turning), "{turning}");
        }
        for still in ["a.push(1); b.shift()", "l.push(x)", "pushed || shifted"] {
            assert_eq!(rotates_tables(still), still.starts_with("pushed"), "{still}");
        }
    }

    #[test]
    fn ordinary_code_is_not_deep() {
        assert!(!is_too_deep("var a = /[(\"]/.test(b) ? `x${c(`${d}`)}` : 1;"));
        assert!(!is_too_deep(&"function f(a){if(a){return a/2}else{return [a]}}\n".repeat(20_000)));
        assert!(!is_too_deep(&format!("var a=[{}];", "'x',".repeat(100_000))));
        assert!(!is_too_deep(&"if(a)b();".repeat(50_000)));
        assert!(!is_too_deep(&"a={b:{c:'d'}}\n".repeat(50_000)));
        assert!(!is_too_deep(&"const a = b + c\nfoo(a, [1])\nif (a) { b() }\n".repeat(50_000)));
    }

    #[test]
    fn deep_code_is_refused() {
        assert!(is_too_deep(&format!("x={}a{};", "a=(".repeat(190), ")".repeat(190)).repeat(4_000)));
        for (one, count) in [
            ("[", 100_000),
            ("(", 100_000),
            ("{a:", 100_000),
            ("!", 100_000),
            ("a=>", 100_000),
            ("if(a)", 100_000),
            ("a?b:", 100_000),
            ("`${", 100_000),
            ("f(", 100_000),
            ("if(a){}else ", 100_000),
            ("new ", 100_000),
            ("a=", 100_000),
            ("1+", 100_000),
            ("x.", 100_000),
        ] {
            assert!(is_too_deep(&one.repeat(count)), "{one}");
        }
    }
}
