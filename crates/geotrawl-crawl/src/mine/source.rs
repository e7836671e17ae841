//! Where the bytes of an archive come from: a local file, or a server that supports ranges.

use super::remote::RemoteFile;
use crate::fetch::GuardedClient;
use geotrawl_model::web_archive::ArchiveId;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::UNIX_EPOCH;
use tokio::runtime::Handle;
use url::Url;

/// The bytes of an archive, readable from any offset.
pub trait ByteSource: Send + Sync {
    /// Returns the length, if it is known.
    fn length(&self) -> Option<u64>;

    /// Opens the bytes from an offset to the end.
    fn open(&self, from: u64) -> io::Result<Box<dyn Read + Send>>;

    /// Whether several sections may be read in parallel without load on a server.
    fn is_local(&self) -> bool;

    /// Announces many short reads, one after the other, by one reader at a time.
    fn expect_short_reads(&self) {}
}

/// A local file.
pub struct LocalFile {
    path: PathBuf,
    length: u64,
}

impl ByteSource for LocalFile {
    fn length(&self) -> Option<u64> {
        Some(self.length)
    }

    fn open(&self, from: u64) -> io::Result<Box<dyn Read + Send>> {
        let mut file = File::open(&self.path)?;
        file.seek(SeekFrom::Start(from))?;
        Ok(Box::new(file))
    }

    fn is_local(&self) -> bool {
        true
    }
}

/// An archive with its source.
#[derive(Clone)]
pub struct WebArchive {
    pub id: ArchiveId,
    pub source: Arc<dyn ByteSource>,
}

impl WebArchive {
    /// Opens a local file.
    pub fn open_file(path: &Path) -> io::Result<Self> {
        let known = std::fs::metadata(path)?;
        if !known.is_file() {
            return Err(io::Error::other("not a file"));
        }
        let changed = known.modified().ok().and_then(|at| at.duration_since(UNIX_EPOCH).ok());
        let id = ArchiveId {
            name: path.canonicalize().unwrap_or_else(|_| path.to_owned()).display().to_string(),
            length: Some(known.len()),
            version: changed
                .map(|at| format!("{}.{:09}", at.as_secs(), at.subsec_nanos()))
                .unwrap_or_default(),
        };
        Ok(Self { id, source: Arc::new(LocalFile { path: path.to_owned(), length: known.len() }) })
    }

    /// Opens a file on a server, read in ranges through the guarded client. Must not be called on a
    /// thread of the runtime, because it blocks.
    pub fn open_url(url: &Url, client: &GuardedClient, runtime: &Handle) -> io::Result<Self> {
        let remote = RemoteFile::open(url.clone(), client.clone(), runtime.clone())?;
        let id = ArchiveId {
            name: url.to_string(),
            length: remote.length(),
            version: remote.version().to_owned(),
        };
        Ok(Self { id, source: Arc::new(remote) })
    }
}
