//! Names say what things are, and texts use plain English: CONTRIBUTING.md, "Style".
//!
//! Prints its figures on every run, so that a review can see where they go.

use super::checkout::{Checkout, SourceFile, list_files, shown_path};
use anyhow::{Context, Result};
use std::collections::BTreeMap;

/// Highest share of types whose name is used by three or more types, in percent.
const MAX_SHARED_TYPES: f64 = 10.0;
/// Highest share of types whose name is a single word, in percent.
const MAX_ONE_WORD_TYPES: f64 = 30.0;
/// Highest share of public functions whose name is a single word, in percent.
const MAX_ONE_WORD_FUNCTIONS: f64 = 45.0;
/// Most habit words in all comments together. Texts that users read may have none.
const MAX_HABITS_IN_COMMENTS: usize = 50;

/// Phrases that make a text read like a translation. Each has a plainer word: see the style guide.
const HABITS: &[&str] = &[
    "anew",
    "as it is written",
    "give away",
    "gives away",
    "gives up",
    "lift",
    "lifted",
    "lifts",
    "looked at as of",
    "mend",
    "mended",
    "mends",
    "of its own",
    "pays",
    "so many",
    "stand at",
    "stand for",
    "stand in",
    "stands at",
    "stands for",
    "stands in",
    "stranger",
    "strangers",
    "told by",
    "wants",
    "whoever",
];

/// Reports shares of names above the limits, and habit words.
pub fn check(checkout: &Checkout) -> Result<Vec<String>> {
    let names = Names::collect(&checkout.sources);
    println!("tidy: {names}");
    let mut faults = names.faults();
    let mut in_comments = Vec::new();
    for source in &checkout.sources {
        // Strings of tests and of this list are material, not messages.
        let has_messages =
            source.path.contains("/src/") && !source.is_test() && !source.path.ends_with("tidy/language.rs");
        let product_lines = if has_messages { source.product_text().lines().count() } else { 0 };
        for (number, line) in (1..).zip(source.text.lines()) {
            let (code, comment) = split_comment(line);
            let place = || format!("{}:{number}", source.path);
            in_comments.extend(habits_in(comment).map(|habit| format!("{}: \"{habit}\"", place())));
            if number <= product_lines {
                let messages = string_literals(code).filter(|text| text.split_whitespace().count() > 3);
                faults.extend(
                    messages.flat_map(habits_in).map(|habit| format!("{}: says \"{habit}\"", place())),
                );
            }
        }
    }
    println!("tidy: {} discouraged words in comments", in_comments.len());
    if in_comments.len() > MAX_HABITS_IN_COMMENTS {
        faults.push(format!(
            "{} habit words in comments (at most {MAX_HABITS_IN_COMMENTS}); say these plainly:",
            in_comments.len()
        ));
        faults.append(&mut in_comments);
    }
    faults.extend(habits_in_texts(checkout)?);
    Ok(faults)
}

/// Returns the habit words of the texts that users read: README, guide, and the strings of the web application.
fn habits_in_texts(checkout: &Checkout) -> Result<Vec<String>> {
    let mut files = vec![checkout.root.join("README.md")];
    list_files(&checkout.root.join("docs/guide"), &mut files)?;
    list_files(&checkout.root.join("web/src/messages"), &mut files)?;
    // Messages in other languages have habits that this list does not know.
    files.retain(|path| {
        let name = path.to_string_lossy();
        name.ends_with(".md") || name.ends_with(".en.json")
    });
    let mut faults = Vec::new();
    for path in files {
        let shown = shown_path(&checkout.root, &path);
        let text = std::fs::read_to_string(&path).with_context(|| shown.clone())?;
        for (number, line) in (1..).zip(text.lines()) {
            // In message files the keys are not shown.
            let line = line.split_once("\": \"").map_or(line, |(_, value)| value);
            faults.extend(habits_in(line).map(|habit| format!("{shown}:{number}: says \"{habit}\"")));
        }
    }
    Ok(faults)
}

/// Counts of type and function names.
struct Names<'s> {
    types: BTreeMap<&'s str, usize>,
    functions: usize,
    one_word_functions: usize,
}

impl<'s> Names<'s> {
    /// Counts the names of all types, and of public functions, outside tests.
    fn collect(sources: &'s [SourceFile]) -> Self {
        let mut names = Self { types: BTreeMap::new(), functions: 0, one_word_functions: 0 };
        for source in sources.iter().filter(|source| source.path.contains("/src/") && !source.is_test()) {
            for line in source.product_text().lines() {
                let Some(definition) = definition(line.trim_start()) else { continue };
                match definition {
                    Definition::Type(name) => *names.types.entry(name).or_default() += 1,
                    Definition::PublicFunction(name) => {
                        names.functions += 1;
                        names.one_word_functions += usize::from(!name.contains('_'));
                    }
                }
            }
        }
        names
    }

    /// Returns the share of types, in percent, whose name and number of uses satisfy `test`.
    fn share_of_types(&self, test: impl Fn(&str, usize) -> bool) -> f64 {
        let matching: usize =
            self.types.iter().filter(|(name, uses)| test(name, **uses)).map(|(_, uses)| uses).sum();
        percent(matching, self.types.values().sum())
    }

    fn shared_types(&self) -> f64 {
        self.share_of_types(|_, uses| uses >= 3)
    }

    fn one_word_types(&self) -> f64 {
        self.share_of_types(|name, _| is_one_word(name))
    }

    fn one_word_functions(&self) -> f64 {
        percent(self.one_word_functions, self.functions)
    }

    /// Returns one sentence for each share above its limit.
    fn faults(&self) -> Vec<String> {
        let mut shared: Vec<_> = self.types.iter().filter(|(_, uses)| **uses >= 3).collect();
        shared.sort_by_key(|(_, uses)| std::cmp::Reverse(**uses));
        let shared: Vec<_> = shared.iter().take(10).map(|(name, uses)| format!("{name} ({uses})")).collect();
        let limits = [
            (self.shared_types(), MAX_SHARED_TYPES, "of the types share their name with two others or more"),
            (self.one_word_types(), MAX_ONE_WORD_TYPES, "of the types have names of one word"),
            (
                self.one_word_functions(),
                MAX_ONE_WORD_FUNCTIONS,
                "of the public functions have names of one word",
            ),
        ];
        let exceeded = limits.iter().filter(|(share, limit, _)| share > limit);
        exceeded
            .map(|(share, limit, what)| {
                format!("{share:.1} % {what} (at most {limit} %); most shared: {}", shared.join(", "))
            })
            .collect()
    }
}

impl std::fmt::Display for Names<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{} types: {:.1} % share a name with two others or more, {:.1} % have one word; \
             {} public functions: {:.1} % have one word",
            self.types.values().sum::<usize>(),
            self.shared_types(),
            self.one_word_types(),
            self.functions,
            self.one_word_functions()
        )
    }
}

/// What a line of code defines.
enum Definition<'s> {
    Type(&'s str),
    PublicFunction(&'s str),
}

/// Returns the type or public function that a line of code defines.
fn definition(code: &str) -> Option<Definition<'_>> {
    let (public, rest) = match code.strip_prefix("pub") {
        Some(restricted) if restricted.starts_with('(') => (true, restricted.split_once(") ")?.1),
        Some(rest) => (true, rest.trim_start()),
        None => (false, code),
    };
    let words = rest.split([' ', '<', '(', '{', ':', ';', '=']);
    let mut words = words.skip_while(|word| matches!(*word, "const" | "async" | "unsafe"));
    let (keyword, name) = (words.next()?, words.next()?);
    match keyword {
        "struct" | "enum" | "union" | "trait" | "type" if name.starts_with(char::is_uppercase) => {
            Some(Definition::Type(name))
        }
        "fn" if public => Some(Definition::PublicFunction(name)),
        _ => None,
    }
}

/// Returns whether a type name in camel case is a single word.
fn is_one_word(name: &str) -> bool {
    name.chars().filter(|c| c.is_uppercase()).count() <= 1
}

fn percent(part: usize, whole: usize) -> f64 {
    part as f64 * 100.0 / whole.max(1) as f64
}

/// Splits a line into its code and its comment. A `//` in a string counts as a comment only after a space, which
/// addresses do not have.
fn split_comment(line: &str) -> (&str, &str) {
    if line.trim_start().starts_with("//") {
        return ("", line);
    }
    line.find(" // ").map_or((line, ""), |at| line.split_at(at))
}

/// Returns the contents of the string literals that begin and end in this line, and the rest of a line that only
/// continues one.
fn string_literals(code: &str) -> impl Iterator<Item = &str> {
    code.split('"').skip(1).step_by(2)
}

/// Returns the habit words in a text.
fn habits_in(text: &str) -> impl Iterator<Item = &'static str> {
    let lower = text.to_lowercase();
    HABITS.iter().copied().filter(move |habit| {
        lower.match_indices(habit).any(|(at, _)| {
            let before = lower[..at].chars().next_back();
            let after = lower[at + habit.len()..].chars().next();
            !before.is_some_and(is_word_character) && !after.is_some_and(is_word_character)
        })
    })
}

/// Returns whether a character continues a word, an identifier or a path.
fn is_word_character(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-' | '`')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_definitions_after_any_modifiers() {
        let name = |code| match definition(code) {
            Some(Definition::Type(name) | Definition::PublicFunction(name)) => name,
            None => "",
        };
        assert_eq!(name("pub(crate) struct HostLease<'a> {"), "HostLease");
        assert_eq!(name("type Result<T> = std::result::Result<T, Error>;"), "Result");
        assert_eq!(name("pub const fn is_empty(&self) -> bool {"), "is_empty");
        assert_eq!(name("pub(in crate::store) async fn renew(&self)"), "renew");
        assert_eq!(name("fn private() {"), "");
        assert_eq!(name("use pub_types::Thing;"), "");
        assert_eq!(name("public_thing fn x()"), "");
    }

    #[test]
    fn habits_are_whole_words() {
        assert_eq!(habits_in("It wants so many.").collect::<Vec<_>>(), ["so many", "wants"]);
        assert_eq!(habits_in("a recommended `wants` and lift-off").count(), 0);
    }
}
