//! Checks command lines against the help of the program.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

/// Commands and flags, read from `--help` as they are needed.
#[derive(Default)]
pub struct ProgramHelp {
    pages: BTreeMap<Vec<String>, CommandHelp>,
}

/// What the help of one command names.
struct CommandHelp {
    commands: BTreeSet<String>,
    /// Flags, and whether each takes a value.
    flags: BTreeMap<String, bool>,
}

impl ProgramHelp {
    /// Checks a command line, given as words that start with `geotrawl`.
    pub fn check(&mut self, words: &[String]) -> Result<(), String> {
        let mut path: Vec<String> = Vec::new();
        let mut rest = words[1..].iter();
        while let Some(word) = rest.next() {
            let word = word.trim_matches(['[', ']']);
            let page = self.page(&path);
            if word.starts_with('-') && word.len() > 1 && !word.starts_with("---") {
                let (flag, value) =
                    word.split_once('=').map_or((word, None), |(flag, value)| (flag, Some(value)));
                let Some(&takes_value) = page.flags.get(flag) else {
                    return Err(format!("`geotrawl {}` has no flag {flag}", path.join(" ")));
                };
                if takes_value && value.is_none() {
                    rest.next();
                }
            } else if !page.commands.is_empty() {
                // In prose-like lines the command may be a placeholder: `geotrawl COMMAND --help`.
                if word.chars().all(|sign| sign.is_ascii_uppercase()) {
                    return Ok(());
                }
                if !page.commands.contains(word) {
                    return Err(format!("`geotrawl {}` has no command {word}", path.join(" ")));
                }
                path.push(word.to_owned());
            }
        }
        Ok(())
    }

    fn page(&mut self, path: &[String]) -> &CommandHelp {
        self.pages.entry(path.to_vec()).or_insert_with(|| CommandHelp::read(path))
    }
}

impl CommandHelp {
    fn read(path: &[String]) -> Self {
        let output = Command::new(env!("CARGO_BIN_EXE_geotrawl")).args(path).arg("--help").output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success(), "geotrawl {} --help failed", path.join(" "));
        let mut page = Self { commands: BTreeSet::new(), flags: BTreeMap::new() };
        let mut section = "";
        let mut last_takes_value = false;
        for line in text.lines() {
            if !line.starts_with(' ') && line.ends_with(':') {
                section = line;
            }
            let is_name = line.starts_with("  ") && !line.starts_with("   ");
            let word = line.split_whitespace().next().unwrap_or_default();
            if section == "Commands:" && is_name {
                page.commands.insert(word.to_owned());
            }
            if line.trim_start().starts_with('-') {
                let takes_value = line.contains('<');
                let names = line.split_whitespace().take_while(|name| name.starts_with('-'));
                for name in names {
                    let name = name.trim_end_matches([',', '.']);
                    page.flags.insert(name.to_owned(), takes_value);
                }
                last_takes_value = takes_value;
            }
            let other_names = ["[alias: ", "[aliases: "];
            if let Some(aliases) = other_names.iter().find_map(|start| line.trim().strip_prefix(start)) {
                for name in aliases.trim_end_matches(']').split(", ") {
                    page.flags.insert(name.to_owned(), last_takes_value);
                }
            }
        }
        page
    }
}

/// Returns the geotrawl commands of a line of shell, as words.
pub fn find_commands(line: &str) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    let mut current: Option<Vec<String>> = None;
    let mut at_start = true;
    for word in split_words(line.trim().trim_start_matches("$ ")) {
        let is_program = word == "geotrawl" || word.ends_with("/geotrawl");
        if matches!(word.as_str(), "&&" | "||" | "|" | ";" | "&" | ">" | "2>" | "<") {
            found.extend(current.take());
            at_start = true;
        } else if let Some(words) = &mut current {
            words.push(word.trim_end_matches([')', ';']).to_owned());
        } else if word.ends_with("$(geotrawl") || (at_start && is_program) {
            current = Some(vec!["geotrawl".to_owned()]);
        } else if !(word.contains('=') || word == "sudo") {
            at_start = false;
        }
    }
    found.extend(current);
    found
}

/// Splits a line of shell into words: quotes, backslashes, comments. Variables are left as they are.
pub fn split_words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut quote: Option<char> = None;
    let mut open = false;
    let mut signs = line.chars();
    while let Some(sign) = signs.next() {
        match (quote, sign) {
            (Some(end), _) if sign == end => quote = None,
            (Some('"') | None, '\\') => word.extend(signs.next()),
            (Some(_), _) => word.push(sign),
            (None, '\'' | '"') => (quote, open) = (Some(sign), true),
            (None, '#') if word.is_empty() && !open => break,
            (None, ' ') => {
                if open || !word.is_empty() {
                    words.push(std::mem::take(&mut word));
                }
                open = false;
            }
            (None, _) => word.push(sign),
        }
    }
    if open || !word.is_empty() {
        words.push(word);
    }
    words
}

#[test]
fn command_lines_are_split_as_a_shell_does() {
    let words = |line: &str| split_words(line);
    assert_eq!(words("a 'b c' \"d e\" f\\ g # h"), ["a", "b c", "d e", "f g"]);
    let found = find_commands("GEOTRAWL_DATA=x geotrawl user add ada --admin && geotrawl serve # both");
    assert_eq!(found, [vec!["geotrawl", "user", "add", "ada", "--admin"], vec!["geotrawl", "serve"]]);
    assert_eq!(find_commands("ID=$(geotrawl stats --json) | head").len(), 1);
    assert!(find_commands("sudo install target/release/geotrawl /usr/local/bin/").is_empty());
}

#[test]
fn unknown_commands_and_flags_are_named() {
    let mut help = ProgramHelp::default();
    let mut check = |line: &str| help.check(&split_words(line));
    assert_eq!(check("geotrawl --data x crawl https://a.example --depth 2 -q"), Ok(()));
    assert_eq!(check("geotrawl crawl a --deep 2"), Err("`geotrawl crawl` has no flag --deep".to_owned()));
    assert_eq!(check("geotrawl crwl a"), Err("`geotrawl ` has no command crwl".to_owned()));
    assert_eq!(check("geotrawl seeds imprt a"), Err("`geotrawl seeds` has no command imprt".to_owned()));
}
