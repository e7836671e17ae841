//! WARC files of a run. A file is opened after its last intact record, and every record is synced
//! to disk before the store refers to it.

use super::ArchiveError;
use geotrawl_archive::warc::{
    HttpExchange, KnownPayload, RecordLocation, SoftwareInfo, WarcWriter, intact_length,
};
use geotrawl_model::archived_page::WarcLocation;
use geotrawl_model::collection::{ArchiveRun, Collection};
use geotrawl_model::store::CollectionStore;
use jiff::Timestamp;
use std::fs::{File, OpenOptions};
use std::io::{self, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// Files longer than this are followed by another one.
const LONGEST_FILE: u64 = 1 << 30;

/// The WARC files of one run.
pub(super) struct RunFiles {
    folder: PathBuf,
    stem: String,
    number: u32,
    writer: WarcWriter<File>,
    info: WarcFileInfo,
}

struct WarcFileInfo {
    acronym: String,
    title: String,
    user_agent: String,
}

impl RunFiles {
    /// Opens the files of a run. For an interrupted run this is the last file, without a partial
    /// record.
    pub fn open(
        store: &dyn CollectionStore,
        folder: &Path,
        collection: &Collection,
        run: &ArchiveRun,
        user_agent: &str,
        now: Timestamp,
    ) -> Result<Self, ArchiveError> {
        std::fs::create_dir_all(folder)?;
        let stem = format!("{}-{}", collection.acronym, run.at.strftime("%Y%m%dT%H%M%S%6fZ"));
        let info = WarcFileInfo {
            acronym: collection.acronym.clone(),
            title: collection.spec.title.clone(),
            user_agent: user_agent.to_owned(),
        };
        let mut number = 0;
        while folder.join(name(&stem, number + 1)).exists() {
            number += 1;
        }
        let path = folder.join(name(&stem, number));
        let mut file = OpenOptions::new().create(true).truncate(false).read(true).write(true).open(path)?;
        let named = store.archive_file_end(collection.id, &name(&stem, number))?;
        let length = file.metadata()?.len();
        if length < named {
            return Err(ArchiveError::Start(format!(
                "the file {} is truncated ({length} of {named} bytes); restore it from a backup",
                name(&stem, number)
            )));
        }
        // A crash may have left a partial record after the last one that the store names.
        let sound = intact_length(&mut file, named)?;
        if sound < length {
            tracing::warn!(file = %name(&stem, number), "cutting off {} bytes of an interrupted run", length - sound);
            file.set_len(sound)?;
        }
        file.seek(SeekFrom::Start(sound))?;
        let writer = WarcWriter::new(file, &name(&stem, number), sound);
        let mut files = Self { folder: folder.to_owned(), stem, number, writer, info };
        // Every WARC file starts with a record about the software.
        if sound == 0 {
            files.write_warcinfo(now)?;
        }
        Ok(files)
    }

    fn write_warcinfo(&mut self, now: Timestamp) -> io::Result<()> {
        let info = SoftwareInfo {
            software: concat!("geotrawl/", env!("CARGO_PKG_VERSION")),
            is_part_of: &self.info.acronym,
            description: &self.info.title,
            user_agent: &self.info.user_agent,
        };
        self.writer.write_info(&info, now).map(|_| ())
    }

    /// Writes a record with `write`; a failed write is truncated again.
    fn write(
        &mut self,
        now: Timestamp,
        write: impl FnOnce(&mut WarcWriter<File>) -> io::Result<RecordLocation>,
    ) -> io::Result<WarcLocation> {
        if self.writer.position() >= LONGEST_FILE {
            self.number += 1;
            let name = name(&self.stem, self.number);
            let file =
                OpenOptions::new().create_new(true).read(true).write(true).open(self.folder.join(&name))?;
            self.writer = WarcWriter::new(file, &name, 0);
            self.write_warcinfo(now)?;
        }
        let before = self.writer.position();
        match write(&mut self.writer) {
            Ok(RecordLocation { offset, length }) => {
                Ok(WarcLocation { file: name(&self.stem, self.number), offset, length })
            }
            Err(error) => {
                let file = self.writer.get_mut();
                file.set_len(before)?;
                file.seek(SeekFrom::Start(before))?;
                Err(error)
            }
        }
    }

    /// Writes a request and its response.
    pub fn write_exchange(
        &mut self,
        exchange: &HttpExchange<'_>,
        known: Option<&KnownPayload>,
    ) -> io::Result<WarcLocation> {
        self.write(exchange.date, |writer| writer.write_exchange(exchange, known))
    }

    /// Writes metadata about an address.
    pub fn write_metadata(
        &mut self,
        url: &str,
        at: Timestamp,
        fields: &[(String, String)],
    ) -> io::Result<()> {
        self.write(at, |writer| writer.write_metadata(url, at, fields)).map(|_| ())
    }

    /// Writes content that was created here.
    pub fn write_resource(
        &mut self,
        url: &str,
        at: Timestamp,
        media_type: &str,
        bytes: &[u8],
    ) -> io::Result<()> {
        self.write(at, |writer| writer.write_resource(url, at, media_type, bytes)).map(|_| ())
    }

    /// Syncs everything to disk.
    pub fn sync_to_disk(&mut self) -> io::Result<()> {
        self.writer.get_mut().sync_data()
    }
}

fn name(stem: &str, number: u32) -> String {
    format!("{stem}-{number:05}.warc.gz")
}
