//! Settings of rendering, and how the browser is found.

use super::result::{RenderError, RenderErrorKind};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Limits of the browser and of one page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RenderConfig {
    /// Program of the browser; by default the first of [`BROWSERS`] on the `PATH`.
    pub browser: Option<PathBuf>,
    /// Concurrent pages. Each has its own browser, so that they do not affect each other.
    pub pages: usize,
    /// Time limit of a page.
    pub deadline: Duration,
    /// A page that sends no request for this long is complete ...
    pub quiet: Duration,
    /// ... but it is observed for at least this long.
    pub at_least: Duration,
    /// Most requests of a page; more end it.
    pub requests: usize,
    /// Most requests of a page to one host; further ones are blocked.
    pub requests_per_host: usize,
    /// Most bytes that a page may load over the network.
    pub bytes: u64,
    /// The document is truncated to this many bytes.
    pub html_bytes: usize,
    /// Memory limit of the browser with all its processes.
    pub memory: u64,
    /// A browser is replaced after this many pages, to limit the effect of memory leaks.
    pub pages_per_browser: u32,
    /// A browser that does not respond for this long is considered hung.
    pub answer_within: Duration,
    /// Width and height of the window in pixels.
    pub viewport: (u32, u32),
}

impl Default for RenderConfig {
    fn default() -> Self {
        Self {
            browser: None,
            pages: 1,
            deadline: Duration::from_secs(20),
            quiet: Duration::from_millis(1500),
            at_least: Duration::from_millis(2500),
            requests: 500,
            requests_per_host: 200,
            bytes: 32 << 20,
            html_bytes: 2 << 20,
            memory: 1536 << 20,
            pages_per_browser: 50,
            answer_within: Duration::from_secs(10),
            viewport: (1280, 900),
        }
    }
}

/// Names of the browser's program in common distributions.
pub const BROWSERS: &[&str] =
    &["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];

/// Returns the browser named by `given`, or the first one on the `PATH`.
pub fn find_browser(given: Option<&Path>) -> Result<PathBuf, RenderError> {
    let search = std::env::var_os("PATH").unwrap_or_default();
    let on_path =
        |name: &Path| std::env::split_paths(&search).map(|dir| dir.join(name)).find(|p| is_program(p));
    let found = match given {
        Some(path) if path.components().count() > 1 => {
            Some(path.to_path_buf()).filter(|path| is_program(path))
        }
        Some(name) => on_path(name),
        None => BROWSERS.iter().find_map(|name| on_path(Path::new(name))),
    };
    found.ok_or_else(|| {
        let message = match given {
            Some(path) => format!("No browser found at {}", path.display()),
            None => format!(
                "Rendering requires a browser, and none was found (looked for {}): install \
                 chromium or do not use --render",
                BROWSERS.join(", ")
            ),
        };
        RenderError::new(RenderErrorKind::NoBrowser, message)
    })
}

#[cfg(unix)]
fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(path: &Path) -> bool {
    path.is_file()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_browser_is_told_in_words() {
        let failure = find_browser(Some(Path::new("/nowhere/chromium"))).unwrap_err();
        assert_eq!(failure.kind, RenderErrorKind::NoBrowser);
        assert!(failure.message.contains("/nowhere/chromium"));
        assert!(find_browser(Some(Path::new("no-such-browser-here"))).is_err());
        assert!(find_browser(Some(Path::new("sh"))).is_ok(), "a bare name is looked for on the PATH");
    }
}
