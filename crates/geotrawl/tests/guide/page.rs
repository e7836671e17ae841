//! Reads Markdown: blocks of code, and the steps of `console` blocks.

use std::path::{Path, PathBuf};

/// A page of the guide.
pub struct GuidePage {
    pub path: PathBuf,
    /// File name, for messages.
    pub name: String,
    lines: Vec<String>,
}

/// Something that a page asks the test to do.
pub enum PageStep {
    /// Stores `text` in the page's directory.
    File { name: String, text: String },
    /// Runs a command.
    Command(CommandStep),
}

/// A command of a `console` block and the output that follows it.
pub struct CommandStep {
    /// Number of the command's first line, counted from 1.
    pub line: usize,
    pub command: String,
    /// Output shown, as a range of line indexes of the page; empty when none is shown.
    pub shown: std::ops::Range<usize>,
}

impl GuidePage {
    /// Reads a page.
    pub fn read(path: &Path) -> Self {
        let text =
            std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Self { path: path.to_owned(), name, lines: text.lines().map(str::to_owned).collect() }
    }

    /// Returns lines of the page.
    pub fn lines(&self, range: std::ops::Range<usize>) -> &[String] {
        &self.lines[range]
    }

    /// Returns the fenced blocks: info string, and the range of the lines between the fences.
    fn blocks(&self) -> Vec<(&str, std::ops::Range<usize>)> {
        let mut blocks = Vec::new();
        let mut open: Option<(&str, usize)> = None;
        for (index, line) in self.lines.iter().enumerate() {
            let Some(info) = line.trim_start().strip_prefix("```") else { continue };
            match open.take() {
                Some((info, start)) => blocks.push((info, start..index)),
                None => open = Some((info.trim(), index + 1)),
            }
        }
        assert!(open.is_none(), "{}: a code block is not closed", self.name);
        blocks
    }

    /// Returns what the page asks the test to do, in order.
    pub fn steps(&self) -> Vec<PageStep> {
        let mut steps = Vec::new();
        for (info, range) in self.blocks() {
            let before = range.start.checked_sub(2).map_or("", |index| self.lines[index].trim());
            if let Some(name) = before.strip_prefix("<!-- file: ").and_then(|rest| rest.strip_suffix(" -->"))
            {
                let text = self.lines[range.clone()].join("\n") + "\n";
                steps.push(PageStep::File { name: name.to_owned(), text });
            }
            if info == "console" {
                let commands = self.commands(range);
                // Blocks with other programs need what a test does not have: they are not run.
                if commands.iter().all(|step| step.command.starts_with("geotrawl ")) {
                    steps.extend(commands.into_iter().map(PageStep::Command));
                }
            }
        }
        steps
    }

    fn commands(&self, block: std::ops::Range<usize>) -> Vec<CommandStep> {
        let mut commands: Vec<CommandStep> = Vec::new();
        let mut index = block.start;
        while index < block.end {
            let start = index;
            if let Some(first) = self.lines[index].strip_prefix("$ ") {
                let mut command = first.to_owned();
                while command.ends_with('\\') && index + 1 < block.end {
                    index += 1;
                    command.pop();
                    command.push_str(self.lines[index].trim_start());
                }
                commands.push(CommandStep { line: start + 1, command, shown: index + 1..index + 1 });
            } else {
                let last = commands.last_mut().unwrap_or_else(|| {
                    panic!("{}:{}: a console block starts with a command", self.name, start + 1)
                });
                last.shown.end = index + 1;
            }
            index += 1;
        }
        for command in &mut commands {
            while !command.shown.is_empty() && self.lines[command.shown.end - 1].trim().is_empty() {
                command.shown.end -= 1;
            }
        }
        commands
    }

    /// Returns every line of fenced or indented code, with its number; continued lines are joined.
    /// Output in `console` blocks is left out.
    pub fn code_lines(&self) -> Vec<(usize, String)> {
        let mut fenced = vec![None; self.lines.len()];
        for (info, range) in self.blocks() {
            fenced[range].fill(Some(info));
        }
        let mut found: Vec<(usize, String)> = Vec::new();
        let mut continued = false;
        for (index, line) in self.lines.iter().enumerate() {
            let is_code = match fenced[index] {
                Some("console") => continued || line.starts_with("$ "),
                Some(_) => true,
                None => line.starts_with("    "),
            };
            if !is_code {
                continued = false;
                continue;
            }
            let text = line.trim();
            let part = text.strip_suffix('\\').unwrap_or(text);
            match found.last_mut() {
                Some((_, before)) if continued => before.push_str(part),
                _ => found.push((index + 1, part.to_owned())),
            }
            continued = text.ends_with('\\');
        }
        found
    }

    /// Returns the targets of relative links, with the number of the line.
    pub fn links(&self) -> Vec<(usize, &str)> {
        let lines = self.lines.iter().enumerate();
        let targets = lines.flat_map(|(index, line)| {
            line.split("](").skip(1).filter_map(move |rest| Some((index + 1, rest.split(')').next()?)))
        });
        targets.filter(|(_, target)| !target.contains("://")).collect()
    }

    /// Returns the anchors of the headings, as GitHub and mdBook make them.
    pub fn anchors(&self) -> Vec<String> {
        let mut fenced = vec![false; self.lines.len()];
        for (_, range) in self.blocks() {
            fenced[range].fill(true);
        }
        let headings =
            self.lines.iter().zip(fenced).filter(|(line, fenced)| !fenced && line.starts_with('#'));
        let anchor = |(line, _): (&String, bool)| {
            let text = line.trim_start_matches('#').trim().to_lowercase().replace(' ', "-");
            text.chars().filter(|sign| sign.is_alphanumeric() || matches!(sign, '-' | '_')).collect()
        };
        headings.map(anchor).collect()
    }

    /// Replaces the output shown of some commands and writes the page.
    pub fn update(&self, mut outputs: Vec<(std::ops::Range<usize>, String)>) {
        let mut lines = self.lines.clone();
        outputs.sort_by_key(|(range, _)| std::cmp::Reverse(range.start));
        for (range, output) in outputs {
            lines.splice(range, output.lines().map(str::to_owned));
        }
        std::fs::write(&self.path, lines.join("\n") + "\n").expect("the page can be written");
    }
}
