//! Reads the commands and options of the program from the source of its command line, because
//! building the program would add minutes to `tidy`.

use anyhow::{Context, Result};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The commands and options of the program.
pub struct CommandLine {
    /// Commands with their subcommands.
    commands: BTreeMap<String, BTreeSet<String>>,
    /// Long options of all commands, and whether they take a value.
    options: BTreeMap<String, bool>,
}

impl CommandLine {
    /// Reads `cli.rs` and its submodules.
    pub fn read_sources(root: &Path) -> Result<Self> {
        let source = root.join("crates/geotrawl/src");
        let mut text = std::fs::read_to_string(source.join("cli.rs")).context("cli.rs")?;
        for entry in std::fs::read_dir(source.join("cli"))? {
            text.push_str(&std::fs::read_to_string(entry?.path())?);
        }
        Ok(Self::parse(&text))
    }

    /// Parses source text.
    pub fn parse(text: &str) -> Self {
        let enums: BTreeMap<&str, Vec<(String, Option<&str>)>> = text
            .split("\npub enum ")
            .skip(1)
            .filter_map(|rest| {
                let (name, body) = rest.split_once(" {\n")?;
                Some((name, variants(body.split("\n}").next().unwrap_or_default())))
            })
            .collect();
        let below = |name: &str| -> BTreeSet<String> {
            enums.get(name).into_iter().flatten().map(|(variant, _)| variant.clone()).collect()
        };
        let commands = enums
            .get("Command")
            .into_iter()
            .flatten()
            .map(|(name, of)| (name.clone(), of.map(below).unwrap_or_default()))
            .collect();
        Self { commands, options: options(text) }
    }

    /// Checks the words after `geotrawl`.
    pub fn check_words(&self, name: &str, words: &[&str], faults: &mut Vec<String>) {
        let mut plain: Vec<&str> = Vec::new();
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let Some(option) = word.strip_prefix("--") else {
                if !word.starts_with('-') {
                    plain.push(word);
                }
                continue;
            };
            let (option, given) =
                option.split_once('=').map_or((option, false), |(option, _)| (option, true));
            match self.options.get(option) {
                None if matches!(option, "help" | "version") => {}
                None => faults.push(format!("{name}: unknown option --{option}")),
                Some(true) if !given => _ = words.next(),
                Some(_) => {}
            }
        }
        let Some(command) = plain.first() else { return };
        match self.commands.get(*command) {
            None => faults.push(format!("{name}: unknown command `geotrawl {command}`")),
            Some(below) if below.is_empty() => {}
            Some(below) => match plain.get(1) {
                Some(sub) if !sub.split('|').all(|one| below.contains(one)) => {
                    faults.push(format!("{name}: unknown command `geotrawl {command} {sub}`"));
                }
                _ => {}
            },
        }
    }
}

/// Returns the variants of an enum as words, each with the enum of its subcommands.
fn variants(body: &str) -> Vec<(String, Option<&str>)> {
    let mut found: Vec<(String, Option<&str>)> = Vec::new();
    for line in body.lines() {
        let Some(inner) = line.strip_prefix("    ") else { continue };
        if let Some(of) = inner.trim().strip_prefix("what: ") {
            if let Some(last) = found.last_mut() {
                last.1 = Some(of.trim_end_matches(','));
            }
        } else if inner.starts_with(|c: char| c.is_ascii_uppercase()) {
            let name: String = inner.chars().take_while(char::is_ascii_alphanumeric).collect();
            found.push((kebab(&name), None));
        }
    }
    found
}

/// Returns the long options: fields with `#[arg(… long …)]`.
fn options(text: &str) -> BTreeMap<String, bool> {
    let mut options = BTreeMap::new();
    for piece in text.split("#[arg(").skip(1) {
        let Some((attribute, rest)) = piece.split_once(")]") else { continue };
        let Some(field) =
            rest.lines().map(str::trim).find(|line| line.starts_with("pub ") || line.contains(": "))
        else {
            continue;
        };
        let Some((name, kind)) = field.trim_start_matches("pub ").split_once(": ") else { continue };
        let words: Vec<&str> = attribute.split(',').map(str::trim).collect();
        let Some(long) = words.iter().find(|word| **word == "long" || word.starts_with("long = ")) else {
            continue;
        };
        let name = long
            .strip_prefix("long = \"")
            .map_or_else(|| name.replace('_', "-"), |given| given.trim_end_matches('"').to_owned());
        let flag = kind.starts_with("bool") || attribute.contains("ArgAction::Count");
        options.insert(name, !flag);
    }
    options
}

fn kebab(name: &str) -> String {
    let mut word = String::new();
    for c in name.chars() {
        if c.is_ascii_uppercase() && !word.is_empty() {
            word.push('-');
        }
        word.push(c.to_ascii_lowercase());
    }
    word
}
