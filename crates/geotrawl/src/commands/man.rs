//! `man`: manual pages of all commands.

use crate::cli::{EXAMPLES, EXIT_CODES, Example, ManArgs, build_command, find_similar};
use crate::exit::{ExitStatus, UsageError};
use crate::output::{self, format_count};
use anyhow::{Context, Result};
use clap::Command;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};
use std::io::Write;
use std::path::Path;

/// Environment variables that are not options, with their meaning.
const VARIABLES: &[(&str, &str)] = &[
    ("GEOTRAWL_SMTP_PASSWORD", "Password for the mail server of the configuration"),
    (
        "OTEL_EXPORTER_OTLP_ENDPOINT",
        "Address of a collector to send traces to, such as http://localhost:4318",
    ),
];

/// Files that commands read and write, with their meaning.
const FILES: &[(&str, &str)] = &[
    ("./geotrawl-data/", "Data directory, unless --data names another one"),
    ("./geotrawl-data/geotrawl.db", "The catalogue; back it up with geotrawl store backup"),
    ("./geotrawl-data/index/", "Search index; can be rebuilt from the catalogue at any time"),
    ("./geotrawl-data/archive/", "Archived pages of collections"),
    (
        "geotrawl.toml",
        "Configuration, if --config names it; docs/geotrawl.default.toml lists every setting with its default",
    ),
];

/// Prints a manual page, or writes those of all commands to a folder.
pub fn run(global_quiet: bool, args: &ManArgs) -> Result<ExitStatus> {
    let program = build_command();
    if let Some(folder) = &args.out {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
        let written = write_pages(&program, "", folder)?;
        if !global_quiet {
            let pages = format_count(written, "page", "pages");
            output::print_message(&format!("Wrote {pages} to {}.", folder.display()));
        }
        return Ok(ExitStatus::Done);
    }
    let mut command = &program;
    for word in &args.path {
        let known = || subcommands(command).map(Command::get_name);
        command = subcommands(command).find(|below| below.get_name() == word).ok_or_else(|| {
            let hint = match find_similar(word, known()) {
                Some(similar) => format!("did you mean '{similar}'?"),
                None => format!("use one of {}", known().collect::<Vec<_>>().join(", ")),
            };
            UsageError(format!("unknown command '{}'; {hint}", args.path.join(" ")))
        })?;
    }
    output::print_text(&page(command, &args.path.join(" "))?);
    Ok(ExitStatus::Done)
}

/// Returns the commands below another one that people run.
fn subcommands(command: &Command) -> impl Iterator<Item = &Command> {
    command.get_subcommands().filter(|below| !below.is_hide_set() && below.get_name() != "help")
}

/// Writes the pages of a command and of those below it; returns their number.
fn write_pages(command: &Command, name: &str, folder: &Path) -> Result<u64> {
    let path = folder.join(Man::new(command.clone()).get_filename());
    std::fs::write(&path, page(command, name)?)
        .with_context(|| format!("cannot write {}", path.display()))?;
    let mut written = 1;
    for below in subcommands(command) {
        written += write_pages(below, format!("{name} {}", below.get_name()).trim(), folder)?;
    }
    Ok(written)
}

/// Renders the page of a command, such as `user add`.
fn page(command: &Command, name: &str) -> Result<Vec<u8>> {
    // The pages list the commands below without `help`, and describe all options.
    let command = command.clone().disable_help_subcommand(true);
    let command = command.mut_args(|argument| argument.hide_short_help(false));
    let has_commands = subcommands(&command).next().is_some();
    let man = Man::new(command.clone())
        .source(format!("geotrawl {}", env!("CARGO_PKG_VERSION")))
        .manual("Geotrawl manual");
    let mut out = Vec::new();
    man.render_title(&mut out)?;
    man.render_name_section(&mut out)?;
    man.render_synopsis_section(&mut out)?;
    man.render_description_section(&mut out)?;
    if has_commands {
        man.render_subcommands_section(&mut out)?;
    }
    man.render_options_section(&mut out)?;
    let mut roff = Roff::new();
    roff.control("SH", ["EXAMPLES"]);
    let examples = EXAMPLES.iter().find(|(known, _)| *known == name);
    for Example { purpose, command } in examples.iter().flat_map(|(_, examples)| *examples) {
        roff.control("PP", []);
        roff.text([roman(format!("{purpose}:"))]);
        roff.control("RS", ["4"]);
        roff.control("nf", []);
        for line in command.lines() {
            roff.text([bold(line)]);
        }
        roff.control("fi", []);
        roff.control("RE", []);
    }
    roff.control("SH", ["ENVIRONMENT"]);
    for argument in command.get_arguments() {
        if let Some(variable) = argument.get_env() {
            let option = argument.get_long().unwrap_or_default();
            definition(&mut roff, &variable.to_string_lossy(), &format!("Default of --{option}"));
        }
    }
    for (variable, meaning) in VARIABLES {
        definition(&mut roff, variable, meaning);
    }
    roff.control("SH", ["FILES"]);
    for (file, meaning) in FILES {
        definition(&mut roff, file, meaning);
    }
    roff.control("SH", ["EXIT STATUS"]);
    for (code, meaning) in EXIT_CODES {
        definition(&mut roff, code, meaning);
    }
    if let Some((parent, _)) = command.get_display_name().and_then(|name| name.rsplit_once('-')) {
        roff.control("SH", ["SEE ALSO"]);
        roff.text([bold(parent), roman("(1)")]);
    }
    out.write_all(roff.to_roff().as_bytes())?;
    Ok(out)
}

fn definition(roff: &mut Roff, term: &str, meaning: &str) {
    roff.control("TP", []);
    roff.text([bold(term)]);
    roff.text([roman(meaning)]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_has_a_page_with_all_sections() {
        let folder = tempfile::tempdir().unwrap();
        let args = ManArgs { path: Vec::new(), out: Some(folder.path().join("man1")) };
        assert_eq!(run(true, &args).unwrap(), ExitStatus::Done);
        for (name, examples) in EXAMPLES {
            let file = format!("geotrawl {name}").trim().replace(' ', "-");
            let page = std::fs::read_to_string(folder.path().join("man1").join(format!("{file}.1"))).unwrap();
            for section in ["NAME", "SYNOPSIS", "EXAMPLES", "ENVIRONMENT", "FILES", "\"EXIT STATUS\""] {
                assert!(page.contains(&format!("\n.SH {section}\n")), "{file} lacks {section}");
            }
            assert!(page.contains("GEOTRAWL_DATA") && !page.contains("study\\-scripts"), "{file}");
            assert!(page.contains("User\\-Agent header sent with every request"), "{file}");
            for Example { purpose, .. } in *examples {
                assert!(page.contains(&purpose.replace('-', "\\-")), "{file}: {purpose}");
            }
        }
        let pages = std::fs::read_dir(folder.path().join("man1")).unwrap().count();
        assert_eq!(pages, EXAMPLES.len());
    }

    #[test]
    fn a_misspelled_command_gets_a_suggestion() {
        let args = ManArgs { path: vec!["user".into(), "ad".into()], out: None };
        let error = run(true, &args).unwrap_err().to_string();
        assert_eq!(error, "unknown command 'user ad'; did you mean 'add'?");
    }
}
