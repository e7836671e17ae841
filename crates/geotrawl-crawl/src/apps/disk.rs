//! Reads the files next to a page that is a local file.

use super::FetchedText;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use url::Url;

/// A folder that represents the location of a page.
#[derive(Debug, Clone)]
pub struct PageFolder {
    folder: PathBuf,
    base: Url,
}

impl PageFolder {
    /// Returns the folder of `file`, which represents `page`.
    pub fn beside(file: &Path, page: &Url) -> Self {
        let folder = file.parent().unwrap_or(Path::new("")).to_owned();
        let base = page.join(".").unwrap_or_else(|_| page.clone());
        Self { folder, base }
    }

    /// Reads the file that a URL refers to, if it is below the folder.
    pub(super) fn read_file(&self, url: &Url) -> FetchedText {
        let missing = || "not fetched: only files in the page's folder are read".to_owned();
        let below = url.as_str().strip_prefix(self.base.as_str()).ok_or_else(missing)?;
        let below = below.split(['?', '#']).next().unwrap_or_default();
        let path = Path::new(below);
        if below.is_empty() || !path.components().all(|part| matches!(part, Component::Normal(_))) {
            return Err(missing());
        }
        let file = self.folder.join(path);
        // A symbolic link may lead out of the folder.
        let real = file.canonicalize().map_err(|error| format!("not read: {error}"))?;
        let root = if self.folder.as_os_str().is_empty() { Path::new(".") } else { &self.folder };
        let root = root.canonicalize().map_err(|error| format!("not read: {error}"))?;
        if !real.starts_with(root) || !real.is_file() {
            return Err(missing());
        }
        let bytes = std::fs::read(&real).map_err(|error| format!("not read: {error}"))?;
        Ok(Arc::from(&*String::from_utf8_lossy(&bytes)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_below_the_folder_are_read() {
        let dir = tempfile::tempdir().unwrap();
        let site = dir.path().join("site");
        std::fs::create_dir_all(site.join("js")).unwrap();
        std::fs::write(site.join("js/app.js"), "let a").unwrap();
        std::fs::write(dir.path().join("secret.js"), "secret").unwrap();
        let page = Url::parse("http://a.example/x/index.html").unwrap();
        let disk = PageFolder::beside(&site.join("index.html"), &page);
        let read = |to: &str| disk.read_file(&Url::parse(to).unwrap());
        assert_eq!(read("http://a.example/x/js/app.js?v=1").as_deref(), Ok("let a"));
        for refused in [
            "http://a.example/secret.js",
            "http://a.example/x/%2e%2e/secret.js",
            "http://a.example/x/..%2fsecret.js",
            "http://b.example/x/js/app.js",
            "http://a.example/x/js/",
        ] {
            assert!(read(refused).is_err(), "{refused}");
        }
    }
}
