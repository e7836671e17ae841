//! Finds archived scripts and configuration files of map applications by URL.

use super::http::ArchivedResponse;
use super::members::FileCompression;
use super::source::WebArchive;
use super::warc::{RecordPosition, WarcRecordReader};
use crate::apps::PieceReader;
use geotrawl_kinds::extract::{TextKind, decode_text};
use siphasher::sip128::{Hasher128, SipHasher13};
use std::collections::HashMap;
use std::hash::Hasher;
use std::io::Read;
use std::sync::{Arc, Mutex, PoisonError};
use url::Url;

/// Most pieces remembered; takes some tens of megabytes.
const MOST_PIECES: usize = 500_000;
/// Longer scripts are truncated, like fetched ones.
const MOST_SCRIPT: u64 = 16 << 20;

/// Whether a response may be a script or configuration file of an application.
pub fn is_app_piece(url: &Url, media_type: &str) -> bool {
    let ending = url.path().rsplit_once('.').map_or("", |(_, ending)| ending);
    ["js", "mjs", "cjs", "json", "map", "geojson"].contains(&ending)
        || ["javascript", "json", "ecmascript"].iter().any(|name| media_type.contains(name))
        || !media_type.contains("html") && ["xml", "txt", "conf"].contains(&ending)
}

/// Positions of the scripts and configuration files in the archives read so far.
#[derive(Default)]
pub struct ScriptIndex {
    places: Mutex<HashMap<u128, (usize, RecordPosition)>>,
}

impl ScriptIndex {
    /// Records the position of a piece, unless its URL is already known.
    pub fn insert(&self, url: &Url, archive: usize, place: RecordPosition) {
        let mut places = self.places.lock().unwrap_or_else(PoisonError::into_inner);
        if places.len() < MOST_PIECES {
            places.entry(key(url)).or_insert((archive, place));
        }
    }

    fn find(&self, url: &Url) -> Option<(usize, RecordPosition)> {
        self.places.lock().unwrap_or_else(PoisonError::into_inner).get(&key(url)).copied()
    }
}

fn key(url: &Url) -> u128 {
    let mut hasher = SipHasher13::new();
    let text = url.as_str();
    hasher.write(text.split('#').next().unwrap_or(text).as_bytes());
    hasher.finish128().as_u128()
}

/// Opens the record at a position.
pub fn reopen_record(
    archive: &WebArchive,
    packing: FileCompression,
    place: RecordPosition,
) -> Option<(WarcRecordReader, super::warc::WarcRecordHead)> {
    let (from, skip) = match packing {
        FileCompression::Plain => (place.member + place.skip, 0),
        FileCompression::Gzip | FileCompression::Zstd => (place.member, place.skip),
    };
    let mut records = WarcRecordReader::open(&archive.source, packing, from, u64::MAX).ok()?;
    records.skip_bytes(skip).ok()?;
    let record = records.next_record(&mut |_| {}).ok()??;
    Some((records, record))
}

/// Why a piece is not available.
pub const ABSENT: &str = "not in the archive";

/// Reads archived scripts and configuration files.
pub struct ArchivedScripts<'s> {
    pub shelf: &'s ScriptIndex,
    pub archives: &'s [WebArchive],
    pub packings: &'s [FileCompression],
}

impl PieceReader for ArchivedScripts<'_> {
    fn read_piece(&self, url: &Url) -> Result<Arc<str>, String> {
        let body = self.shelf.find(url).and_then(|(archive, place)| {
            let (mut records, record) =
                reopen_record(self.archives.get(archive)?, *self.packings.get(archive)?, place)?;
            let block = records.read_block().ok()?;
            let message = match record.kind {
                super::warc::RecordKind::Response => ArchivedResponse::parse(block, url, "")?,
                _ => ArchivedResponse::from_resource(&record.content_type, url),
            };
            let mut stream = records.block_stream();
            std::io::copy(&mut (&mut stream).take(message.body as u64), &mut std::io::sink()).ok()?;
            let mut body = Vec::new();
            // If the stream is damaged, use the part that could be read.
            let _ = message.decode_body(stream).take(MOST_SCRIPT).read_to_end(&mut body);
            Some((message.head, body))
        });
        let Some((head, body)) = body else {
            return Err(ABSENT.to_owned());
        };
        // Servers often return their start page for missing files.
        if body.trim_ascii_start().starts_with(b"<") {
            return Err("the response is a web page".to_owned());
        }
        let (text, _) = decode_text(&head, &body, TextKind::Plain);
        Ok(Arc::from(&*text))
    }
}
