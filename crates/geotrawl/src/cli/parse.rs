//! Builds the command line with its examples, and parses it.

use super::examples::examples_of;
use super::{Cli, EXIT_CODES};
use clap::error::{ContextKind, ContextValue};
use clap::{Command, CommandFactory, FromArgMatches};
use std::fmt::Write;

/// Builds the command line, with examples in the help of every command.
pub fn build_command() -> Command {
    let mut command = add_examples(Cli::command(), "");
    command.build();
    fix_usage(command)
}

/// Parses the arguments of this process; exits with a message if they are invalid.
pub fn parse_command_line() -> Cli {
    let matches = build_command().try_get_matches().unwrap_or_else(|mut error| {
        keep_best_suggestion(&mut error);
        error.exit()
    });
    Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.format(&mut build_command()).exit())
}

fn add_examples(command: Command, name: &str) -> Command {
    let header = *command.get_styles().get_header();
    let mut text = format!("{header}Examples:{header:#}");
    for example in examples_of(name) {
        let indented = example.command.replace('\n', "\n  ");
        let _ = write!(text, "\n  # {}\n  {indented}", example.purpose);
    }
    let name = name.to_owned();
    let is_program = name.is_empty();
    let command = command.mut_subcommands(move |below| {
        let name = format!("{name} {}", below.get_name());
        add_examples(below, name.trim())
    });
    if command.is_hide_set() {
        return command;
    }
    if is_program {
        let codes: Vec<String> =
            EXIT_CODES.iter().map(|(code, meaning)| format!("{code} {meaning}")).collect();
        let codes = format!("Exit codes: {}.", codes.join("; "));
        let _ = write!(text, "\n\n{codes}");
        return command.after_help(codes).after_long_help(text);
    }
    command.after_long_help(text)
}

/// Sets the usage of every command to the one in its help. Otherwise the usage in an error lists
/// options that come from the environment, such as `--data` from `GEOTRAWL_DATA`, as required.
fn fix_usage(mut command: Command) -> Command {
    let usage = command.render_usage().ansi().to_string();
    let command = command.mut_subcommands(fix_usage);
    match usage.split_once(' ') {
        Some((_title, usage)) => command.override_usage(usage.to_owned()),
        None => command,
    }
}

/// Leaves only the most similar of the suggested commands, which clap lists last.
fn keep_best_suggestion(error: &mut clap::Error) {
    if let Some(ContextValue::Strings(similar)) = error.get(ContextKind::SuggestedSubcommand)
        && let Some(best) = similar.last().cloned()
    {
        error.insert(ContextKind::SuggestedSubcommand, ContextValue::String(best));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_similar_command_is_suggested() {
        let mut error = build_command().try_get_matches_from(["geotrawl", "serach"]).unwrap_err();
        keep_best_suggestion(&mut error);
        let text = error.to_string();
        assert!(text.contains("'search'") && !text.contains("'serve'"), "{text}");
    }

    #[test]
    fn the_short_help_lists_only_the_usual_global_options() {
        let mut command = build_command();
        let user = command.find_subcommand_mut("user").unwrap().find_subcommand_mut("add").unwrap();
        let short = user.render_help().to_string();
        let (own, global) = short.split_once("Global options:").unwrap();
        assert!(own.contains("--max-running") && !own.contains("--data"), "{short}");
        assert!(global.contains("--data") && !global.contains("--connector"), "{short}");
        assert!(user.render_long_help().to_string().contains("--connector"));
    }
}
