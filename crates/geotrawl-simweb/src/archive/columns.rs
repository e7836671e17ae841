//! The columnar index, with some of the columns of Common Crawl's index.

use super::capture::Capture;
use super::derived::surt_key;
use super::warc::split_url;
use parquet::basic::Compression;
use parquet::data_type::{ByteArray, ByteArrayType, Int32Type};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::Arc;

const SCHEMA: &str = "message spark_schema {
  OPTIONAL BYTE_ARRAY url_surtkey (UTF8);
  OPTIONAL BYTE_ARRAY url (UTF8);
  OPTIONAL BYTE_ARRAY url_host_name (UTF8);
  OPTIONAL INT32 fetch_status (INTEGER(16,true));
  OPTIONAL BYTE_ARRAY content_mime_detected (UTF8);
  OPTIONAL BYTE_ARRAY warc_filename (UTF8);
  OPTIONAL INT32 warc_record_offset;
  OPTIONAL INT32 warc_record_length;
}";

/// Maximum number of rows held in memory.
const ROWS_PER_GROUP: usize = 20_000;

struct CaptureRow {
    surt: String,
    url: String,
    host: String,
    status: i32,
    mime: String,
    file: String,
    offset: i32,
    length: i32,
}

/// Writes the index.
pub(super) struct ColumnarIndex {
    writer: SerializedFileWriter<File>,
    rows: Vec<CaptureRow>,
}

impl ColumnarIndex {
    pub(super) fn create(path: &Path) -> io::Result<Self> {
        let schema = Arc::new(parse_message_type(SCHEMA).map_err(io::Error::other)?);
        // As in Common Crawl's index.
        let properties = WriterProperties::builder()
            .set_compression(Compression::GZIP(parquet::basic::GzipLevel::default()))
            .build();
        let writer = SerializedFileWriter::new(File::create(path)?, schema, Arc::new(properties))
            .map_err(io::Error::other)?;
        Ok(Self { writer, rows: Vec::new() })
    }

    pub(super) fn add(
        &mut self,
        capture: &Capture,
        (file, offset, length): (&str, u64, u64),
    ) -> io::Result<()> {
        self.rows.push(CaptureRow {
            surt: surt_key(&capture.url),
            url: capture.url.clone(),
            host: split_url(&capture.url).0.to_owned(),
            status: i32::from(capture.status),
            mime: capture.media_type().to_owned(),
            file: file.to_owned(),
            offset: i32::try_from(offset).unwrap_or(i32::MAX),
            length: i32::try_from(length).unwrap_or(i32::MAX),
        });
        if self.rows.len() >= ROWS_PER_GROUP { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.rows.is_empty() {
            return Ok(());
        }
        let rows = std::mem::take(&mut self.rows);
        let mut group = self.writer.next_row_group().map_err(io::Error::other)?;
        let levels = vec![1_i16; rows.len()];
        let texts: [fn(&CaptureRow) -> &str; 3] = [|row| &row.surt, |row| &row.url, |row| &row.host];
        let more: [fn(&CaptureRow) -> &str; 2] = [|row| &row.mime, |row| &row.file];
        let numbers: [fn(&CaptureRow) -> i32; 3] = [|row| row.status, |row| row.offset, |row| row.length];
        let text = |group: &mut parquet::file::writer::SerializedRowGroupWriter<'_, File>,
                    of: fn(&CaptureRow) -> &str|
         -> parquet::errors::Result<()> {
            let values: Vec<ByteArray> = rows.iter().map(|row| ByteArray::from(of(row))).collect();
            if let Some(mut column) = group.next_column()? {
                column.typed::<ByteArrayType>().write_batch(&values, Some(&levels), None)?;
                column.close()?;
            }
            Ok(())
        };
        let number = |group: &mut parquet::file::writer::SerializedRowGroupWriter<'_, File>,
                      of: fn(&CaptureRow) -> i32|
         -> parquet::errors::Result<()> {
            let values: Vec<i32> = rows.iter().map(of).collect();
            if let Some(mut column) = group.next_column()? {
                column.typed::<Int32Type>().write_batch(&values, Some(&levels), None)?;
                column.close()?;
            }
            Ok(())
        };
        let mut write = || -> parquet::errors::Result<()> {
            for of in texts {
                text(&mut group, of)?;
            }
            number(&mut group, numbers[0])?;
            for of in more {
                text(&mut group, of)?;
            }
            number(&mut group, numbers[1])?;
            number(&mut group, numbers[2])
        };
        write().map_err(io::Error::other)?;
        group.close().map_err(io::Error::other)?;
        Ok(())
    }

    pub(super) fn finish(mut self) -> io::Result<()> {
        self.flush()?;
        self.writer.close().map_err(io::Error::other)?;
        Ok(())
    }
}
