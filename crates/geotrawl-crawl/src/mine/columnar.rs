//! Reads the columnar index of Common Crawl, or any Parquet file with a `url` column. Only the
//! columns that are needed are read.

use super::scan::{AddressScanner, scan_media_type};
use super::source::ByteSource;
use bytes::Bytes;
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::{ByteArray, ByteArrayType};
use parquet::errors::ParquetError;
use parquet::file::reader::{ChunkReader, FileReader, Length, RowGroupReader, SerializedFileReader};
use std::io::{self, Read};
use std::sync::Arc;

/// Rows per batch.
const ROWS: usize = 8_192;
/// Largest single read; larger ones are rejected.
const MOST_BYTES: usize = 1 << 30;

/// The first bytes of a Parquet file.
pub const MAGIC: &[u8] = b"PAR1";

/// Adapts an archive to the Parquet reader.
struct ParquetSource {
    source: Arc<dyn ByteSource>,
    length: u64,
}

impl Length for ParquetSource {
    fn len(&self) -> u64 {
        self.length
    }
}

impl ChunkReader for ParquetSource {
    type T = io::BufReader<Box<dyn Read + Send>>;

    fn get_read(&self, start: u64) -> Result<Self::T, ParquetError> {
        Ok(io::BufReader::with_capacity(64 << 10, self.source.open(start)?))
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes, ParquetError> {
        if length > MOST_BYTES || start.saturating_add(length as u64) > self.length {
            return Err(ParquetError::EOF("a range outside of the file".to_owned()));
        }
        let mut bytes = Vec::with_capacity(length);
        self.source.open(start)?.take(length as u64).read_to_end(&mut bytes)?;
        if bytes.len() < length {
            return Err(ParquetError::EOF("the file ends early".to_owned()));
        }
        Ok(bytes.into())
    }
}

/// A columnar index, read in row groups.
pub struct ParquetIndex {
    reader: SerializedFileReader<ParquetSource>,
    url: usize,
    media_type: Option<usize>,
}

impl ParquetIndex {
    /// Opens an index.
    pub fn open(source: &Arc<dyn ByteSource>) -> io::Result<Self> {
        guarded(|| {
            let length =
                source.length().ok_or_else(|| io::Error::other("the length of the file is unknown"))?;
            source.expect_short_reads();
            let chunks = ParquetSource { source: Arc::clone(source), length };
            let reader = SerializedFileReader::new(chunks).map_err(io::Error::other)?;
            let schema = reader.metadata().file_metadata().schema_descr_ptr();
            let column = |name: &str| schema.columns().iter().position(|column| column.name() == name);
            let url = column("url").ok_or_else(|| io::Error::other("it has no column 'url'"))?;
            // On a server, reading two columns in parallel would
            // cost a request per page of a column.
            let media_type = column("content_mime_detected")
                .or_else(|| column("content_mime_type"))
                .filter(|_| source.is_local());
            Ok(Self { reader, url, media_type })
        })
    }

    /// Returns the number of row groups.
    pub fn group_count(&self) -> usize {
        self.reader.num_row_groups()
    }

    /// Scans the addresses of a row group until `go_on` returns
    /// `false`. Returns the rows and bytes read.
    pub fn scan_group(
        &self,
        group: usize,
        scanner: &mut AddressScanner,
        go_on: &mut dyn FnMut(&mut AddressScanner) -> bool,
    ) -> io::Result<(u64, u64)> {
        guarded(|| self.take_group(group, scanner, go_on))
    }

    fn take_group(
        &self,
        group: usize,
        scanner: &mut AddressScanner,
        go_on: &mut dyn FnMut(&mut AddressScanner) -> bool,
    ) -> io::Result<(u64, u64)> {
        let group = self.reader.get_row_group(group).map_err(io::Error::other)?;
        let mut urls = StringColumn::open(&*group, self.url)?;
        let mut types = self.media_type.map(|column| StringColumn::open(&*group, column)).transpose()?;
        let (mut rows, mut bytes) = (0, 0);
        loop {
            let urls = urls.next()?;
            if urls.is_empty() {
                return Ok((rows, bytes));
            }
            let types = types.as_mut().map(StringColumn::next).transpose()?.unwrap_or_default();
            for (at, url) in urls.iter().enumerate() {
                rows += 1;
                let Some(url) = url.as_ref().and_then(|url| url.as_utf8().ok()) else { continue };
                bytes += url.len() as u64;
                scanner.scan_own_address(url, "");
                if let Some(Some(media_type)) = types.get(at)
                    && let Ok(media_type) = media_type.as_utf8()
                {
                    scan_media_type(url, media_type, "", scanner);
                }
            }
            if !go_on(scanner) {
                return Ok((rows, bytes));
            }
        }
    }
}

/// A column of strings.
struct StringColumn(ColumnReaderImpl<ByteArrayType>, bool);

impl StringColumn {
    fn open(group: &dyn RowGroupReader, column: usize) -> io::Result<Self> {
        let flat = |descriptor: &parquet::schema::types::ColumnDescriptor| {
            descriptor.max_rep_level() == 0 && descriptor.max_def_level() <= 1
        };
        let chunk = group.metadata().column(column);
        let optional = chunk.column_descr().max_def_level() == 1;
        match group.get_column_reader(column).map_err(io::Error::other)? {
            ColumnReader::ByteArrayColumnReader(reader) if flat(chunk.column_descr()) => {
                Ok(Self(reader, optional))
            }
            _ => Err(io::Error::other("the column of addresses or types does not contain strings")),
        }
    }

    /// Returns the next values; empty at the end.
    fn next(&mut self) -> io::Result<Vec<Option<ByteArray>>> {
        let (mut levels, mut values) = (Vec::new(), Vec::new());
        let levels_wanted = self.1.then_some(&mut levels);
        let (records, _, _) =
            self.0.read_records(ROWS, levels_wanted, None, &mut values).map_err(io::Error::other)?;
        let mut values = values.into_iter();
        if !self.1 {
            return Ok(values.map(Some).take(records).collect());
        }
        Ok(levels.into_iter().map(|level| if level > 0 { values.next() } else { None }).collect())
    }
}

/// Converts a panic into an error, because the Parquet reader panics on some malformed files.
fn guarded<T>(work: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(work))
        .unwrap_or_else(|_| Err(io::Error::other("the index is damaged: the Parquet reader panicked")))
}
