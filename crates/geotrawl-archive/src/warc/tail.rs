//! Recovers files whose writer was killed.

use super::read::is_damage;
use flate2::bufread::GzDecoder;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};

/// Returns where the last complete member ends, searching from `from`, which is the end of a member
/// or the start of the file. Anything after it is incomplete and must be truncated.
pub fn intact_length(file: &mut (impl Read + Seek), from: u64) -> io::Result<u64> {
    file.seek(SeekFrom::Start(from))?;
    let mut reader = BufReader::with_capacity(64 << 10, file);
    let mut sound = from;
    loop {
        if reader.fill_buf()?.is_empty() {
            return Ok(sound);
        }
        let mut member = GzDecoder::new(&mut reader);
        match io::copy(&mut member, &mut io::sink()) {
            Ok(_) => sound = reader.stream_position()?,
            Err(error) if is_damage(&error) => return Ok(sound),
            Err(error) => return Err(error),
        }
    }
}
