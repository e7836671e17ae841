//! The files of the checkout, read once for all rules.

use anyhow::{Context, Result};
use std::path::{Path, PathBuf};

/// A Rust file of the workspace.
pub struct SourceFile {
    /// Path below the root, with `/` between its parts.
    pub path: String,
    pub text: String,
}

impl SourceFile {
    /// Returns the text before the inline test module.
    pub fn product_text(&self) -> &str {
        self.text.split("#[cfg(test)]").next().unwrap_or_default()
    }

    /// Returns whether the file holds tests only.
    pub fn is_test(&self) -> bool {
        self.path.contains("/tests/") || self.path.ends_with("/tests.rs")
    }

    /// Returns whether the file belongs to the sources (not the tests) of this crate below `crates/`.
    pub fn is_source_of(&self, name: &str) -> bool {
        let rest = self.path.strip_prefix("crates/").and_then(|path| path.strip_prefix(name));
        rest.is_some_and(|rest| rest.starts_with("/src/")) && !self.is_test()
    }

    /// Returns whether a line that is not a comment contains `word`, outside inline tests.
    pub fn uses_word(&self, word: &str) -> bool {
        self.product_text().lines().any(|line| !line.trim_start().starts_with("//") && line.contains(word))
    }
}

/// The checkout: its root and its Rust files.
pub struct Checkout {
    pub root: PathBuf,
    pub sources: Vec<SourceFile>,
}

impl Checkout {
    /// Reads all Rust files of the workspace.
    pub fn read_files(root: &Path) -> Result<Self> {
        let mut files = Vec::new();
        for folder in ["crates", "xtask", "bench"] {
            list_files(&root.join(folder), &mut files)?;
        }
        let mut sources = Vec::new();
        for path in files.iter().filter(|path| path.extension().is_some_and(|ext| ext == "rs")) {
            let shown = shown_path(root, path);
            let text = std::fs::read_to_string(path).with_context(|| shown.clone())?;
            sources.push(SourceFile { path: shown, text });
        }
        sources.sort_by(|one, other| one.path.cmp(&other.path));
        Ok(Self { root: root.to_owned(), sources })
    }
}

/// Returns the path below the root, for messages.
pub fn shown_path(root: &Path, path: &Path) -> String {
    path.strip_prefix(root).unwrap_or(path).display().to_string()
}

/// Lists all files below a folder, except build output and the like.
pub fn list_files(folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    for entry in std::fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        if path.is_dir() {
            if !path.ends_with("target") && !path.ends_with("node_modules") {
                list_files(&path, files)?;
            }
        } else {
            files.push(path);
        }
    }
    Ok(())
}
