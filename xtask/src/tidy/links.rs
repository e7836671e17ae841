//! Checks relative links in Markdown files.

use super::checkout::{Checkout, list_files, shown_path};
use anyhow::Result;

/// Reports links to files that do not exist.
pub fn check(checkout: &Checkout) -> Result<Vec<String>> {
    let root = &checkout.root;
    let mut files = Vec::new();
    list_files(&root.join("docs"), &mut files)?;
    for entry in std::fs::read_dir(root)? {
        files.push(entry?.path());
    }
    let mut faults = Vec::new();
    for path in files.iter().filter(|path| path.extension().is_some_and(|ext| ext == "md")) {
        let text = std::fs::read_to_string(path)?;
        for target in text.split("](").skip(1).filter_map(|rest| rest.split([')', '#', ' ']).next()) {
            let external = target.is_empty() || target.contains("://") || target.starts_with("mailto:");
            let folder = path.parent().unwrap_or(root);
            if !external && !folder.join(target).exists() {
                faults.push(format!("{} links to {target}, which does not exist", shown_path(root, path)));
            }
        }
    }
    Ok(faults)
}
