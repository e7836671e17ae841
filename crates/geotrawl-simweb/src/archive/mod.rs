//! The simulated web in the formats of web archives: WARC files, WAT and WET files derived from
//! them, and indexes of all captures (CDXJ, and columns as in Common Crawl). The same web gives the
//! same bytes.

mod capture;
mod columns;
mod derived;
mod markup;
mod warc;

use crate::{SimWeb, SimWebConfig};
pub use capture::Capture;
use capture::capture_url;
use columns::ColumnarIndex;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use warc::{RecordPacking, WarcWriter};

/// Options for writing an archive.
#[derive(Debug, Clone)]
pub struct ArchiveOptions {
    /// Compresses every record as a separate gzip member.
    pub gzip: bool,
    /// Continues with further webs (the next seed numbers) until the WARC file (or the WAT file if
    /// there is none) reaches this size in bytes before compression. If absent, writes one web.
    pub bytes: Option<u64>,
    pub warc: bool,
    pub wat: bool,
    pub wet: bool,
    /// CDXJ and Parquet.
    pub indexes: bool,
}

impl Default for ArchiveOptions {
    fn default() -> Self {
        Self { gzip: true, bytes: None, warc: true, wat: true, wet: true, indexes: true }
    }
}

/// Statistics of a written archive.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ArchiveSummary {
    pub captures: u64,
    /// Bytes before compression: of responses, of metadata, of text.
    pub warc_bytes: u64,
    pub wat_bytes: u64,
    pub wet_bytes: u64,
}

/// File paths of an archive.
#[derive(Debug, Clone)]
pub struct ArchivePaths {
    pub warc: PathBuf,
    pub wat: PathBuf,
    pub wet: PathBuf,
    pub cdxj: PathBuf,
    pub parquet: PathBuf,
}

impl ArchivePaths {
    /// Returns the paths used by [`SimWeb::write_archive`] in a folder.
    pub fn in_folder(folder: &Path, gzip: bool) -> Self {
        let end = if gzip { ".gz" } else { "" };
        let file = |name: &str, end: &str| folder.join(format!("{name}{end}"));
        Self {
            warc: file("simweb.warc", end),
            wat: file("simweb.warc.wat", end),
            wet: file("simweb.warc.wet", end),
            cdxj: file("simweb.cdxj", ""),
            parquet: file("simweb.parquet", ""),
        }
    }
}

/// The open files.
struct ArchiveWriters {
    warc: WarcWriter<Box<dyn Write>>,
    wat: WarcWriter<Box<dyn Write>>,
    wet: WarcWriter<Box<dyn Write>>,
    cdxj: Box<dyn Write>,
    columns: Option<ColumnarIndex>,
    name: String,
    options: ArchiveOptions,
    done: ArchiveSummary,
}

impl ArchiveWriters {
    fn create(folder: &Path, options: &ArchiveOptions) -> io::Result<Self> {
        std::fs::create_dir_all(folder)?;
        let paths = ArchivePaths::in_folder(folder, options.gzip);
        let open = |path: &Path, wanted: bool| -> io::Result<Box<dyn Write>> {
            if wanted {
                Ok(Box::new(BufWriter::with_capacity(1 << 20, File::create(path)?)))
            } else {
                Ok(Box::new(io::sink()))
            }
        };
        // Output that is discarded need not be compressed.
        let packing =
            |wanted: bool| if options.gzip && wanted { RecordPacking::Gzip } else { RecordPacking::Plain };
        let name = paths.warc.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let mut writers = Self {
            warc: WarcWriter::new(open(&paths.warc, options.warc)?, packing(options.warc)),
            wat: WarcWriter::new(open(&paths.wat, options.wat)?, packing(options.wat)),
            wet: WarcWriter::new(open(&paths.wet, options.wet)?, packing(options.wet)),
            cdxj: open(&paths.cdxj, options.indexes)?,
            columns: if options.indexes { Some(ColumnarIndex::create(&paths.parquet)?) } else { None },
            name: name.clone(),
            options: options.clone(),
            done: ArchiveSummary::default(),
        };
        for writer in [&mut writers.warc, &mut writers.wat, &mut writers.wet] {
            writer.write_info(&name)?;
        }
        Ok(writers)
    }

    fn add(&mut self, capture: &Capture) -> io::Result<()> {
        let (offset, length) = self.warc.write_response(capture)?;
        if self.options.wat {
            self.wat.write_metadata(capture, &derived::render_wat(capture, &self.name, offset))?;
        }
        if self.options.wet
            && let Some(text) = derived::render_wet(capture)
        {
            self.wet.write_conversion(capture, &text)?;
        }
        if self.options.indexes {
            let place = (self.name.as_str(), offset, length);
            self.cdxj.write_all(derived::render_cdxj(capture, place).as_bytes())?;
            if let Some(columns) = &mut self.columns {
                columns.add(capture, place)?;
            }
        }
        self.done.captures += 1;
        Ok(())
    }

    /// Returns the size of the file to which the size limit applies.
    fn measured(&self) -> u64 {
        if self.options.warc || !self.options.wat { self.warc.written() } else { self.wat.written() }
    }

    fn finish(mut self) -> io::Result<ArchiveSummary> {
        let bytes = |writer: WarcWriter<Box<dyn Write>>| writer.finish();
        self.done.warc_bytes = bytes(self.warc)?;
        self.done.wat_bytes = bytes(self.wat)?;
        self.done.wet_bytes = bytes(self.wet)?;
        self.cdxj.flush()?;
        if let Some(columns) = self.columns {
            columns.finish()?;
        }
        Ok(self.done)
    }
}

impl SimWeb {
    /// Returns the response to an ordinary request as an archive would store it; `None` for
    /// responses that no archive would contain.
    pub fn capture(&self, url: &str) -> Option<Capture> {
        capture_url(&self.web, url)
    }

    /// Returns the addresses that a complete crawl would request: pages, their documents, sitemaps.
    pub fn archived_urls(&self) -> Vec<String> {
        capture::list_urls(&self.web)
    }

    /// Writes captures of these addresses to a folder.
    pub fn write_captures(
        &self,
        folder: &Path,
        urls: impl IntoIterator<Item = String>,
        options: &ArchiveOptions,
    ) -> io::Result<ArchiveSummary> {
        let mut writers = ArchiveWriters::create(folder, options)?;
        for url in urls {
            if let Some(capture) = self.capture(&url) {
                writers.add(&capture)?;
            }
        }
        writers.finish()
    }
}

/// Writes one web, or as many as the options require, to a folder.
pub fn write_archive(
    folder: &Path,
    config: &SimWebConfig,
    options: &ArchiveOptions,
) -> io::Result<ArchiveSummary> {
    let mut writers = ArchiveWriters::create(folder, options)?;
    let mut config = config.clone();
    loop {
        let web = SimWeb::generate(config.clone());
        for url in web.archived_urls() {
            let Some(capture) = web.capture(&url) else { continue };
            writers.add(&capture)?;
            if options.bytes.is_some_and(|most| writers.measured() >= most) {
                return writers.finish();
            }
        }
        if options.bytes.is_none() {
            return writers.finish();
        }
        config.seed = config.seed.wrapping_add(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read as _;

    fn small() -> SimWebConfig {
        SimWebConfig { seed: 5, hosts: 4, pages: Some(30), ..SimWebConfig::default() }
    }

    #[test]
    fn the_same_web_gives_the_same_files() {
        let write = |options: &ArchiveOptions| {
            let folder = tempfile::tempdir().unwrap();
            let done = write_archive(folder.path(), &small(), options).unwrap();
            let paths = ArchivePaths::in_folder(folder.path(), options.gzip);
            let read = |path: &Path| std::fs::read(path).unwrap();
            let files = [&paths.warc, &paths.wat, &paths.wet, &paths.cdxj, &paths.parquet].map(|p| read(p));
            (done, files)
        };
        let (done, files) = write(&ArchiveOptions::default());
        assert_eq!(
            (&done, &files),
            (&write(&ArchiveOptions::default()).0, &write(&ArchiveOptions::default()).1)
        );
        assert!(done.captures > 30, "{done:?}");
        let (_, plain) = write(&ArchiveOptions { gzip: false, ..ArchiveOptions::default() });
        for (packed, plain) in files.iter().zip(&plain).take(3) {
            let mut open = Vec::new();
            flate2::read::MultiGzDecoder::new(&packed[..]).read_to_end(&mut open).unwrap();
            // They differ in the names of the files.
            let records = |bytes: &[u8]| bytes.windows(19).filter(|w| w == b"WARC/1.0\r\nWARC-Type").count();
            assert_eq!(records(&open), records(plain));
            assert!(plain.starts_with(b"WARC/1.0\r\nWARC-Type: warcinfo\r\n"));
        }
        let index = String::from_utf8(files[3].clone()).unwrap();
        assert_eq!(index.lines().count() as u64, done.captures);
        // Every line points to a gzip member that starts with its record.
        for line in index.lines() {
            let json: serde_json::Value = serde_json::from_str(&line[line.find('{').unwrap()..]).unwrap();
            let number = |key: &str| json[key].as_str().unwrap().parse::<usize>().unwrap();
            let member = &files[0][number("offset")..number("offset") + number("length")];
            let mut record = Vec::new();
            flate2::read::GzDecoder::new(member).take(600).read_to_end(&mut record).unwrap();
            let record = String::from_utf8_lossy(&record);
            assert!(record.contains(&format!("WARC-Target-URI: {}\r\n", json["url"].as_str().unwrap())));
        }
    }

    #[test]
    fn an_archive_grows_to_its_size() {
        let folder = tempfile::tempdir().unwrap();
        let options = ArchiveOptions { bytes: Some(3_000_000), ..ArchiveOptions::default() };
        let done = write_archive(folder.path(), &small(), &options).unwrap();
        assert!((3_000_000..6_000_000).contains(&done.warc_bytes), "{done:?}");
        assert!(done.wat_bytes > 200_000 && done.wet_bytes > 200_000, "{done:?}");
    }
}
