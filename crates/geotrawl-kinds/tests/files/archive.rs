//! Writes valid and invalid ZIP archives, including ones too large for memory.

use std::io::Write;

/// Piece of a file: bytes, or a number of zeros.
#[derive(Clone)]
enum VirtualPiece {
    Bytes(Vec<u8>),
    Zeros(u64),
}

/// File that may be larger than memory.
#[derive(Clone, Default)]
pub struct VirtualFile {
    pieces: Vec<(u64, VirtualPiece)>,
    length: u64,
}

impl VirtualFile {
    pub fn from_bytes(bytes: &[u8]) -> Self {
        let mut file = Self::default();
        file.push(bytes);
        file
    }

    fn push(&mut self, bytes: &[u8]) {
        self.pieces.push((self.length, VirtualPiece::Bytes(bytes.to_vec())));
        self.length += bytes.len() as u64;
    }

    fn push_zeros(&mut self, n: u64) {
        self.pieces.push((self.length, VirtualPiece::Zeros(n)));
        self.length += n;
    }

    pub fn len(&self) -> u64 {
        self.length
    }

    /// Returns bytes `from..to`.
    pub fn read_range(&self, from: u64, to: u64) -> Vec<u8> {
        let to = to.min(self.length);
        let mut out = Vec::new();
        for (at, piece) in &self.pieces {
            let n = match piece {
                VirtualPiece::Bytes(bytes) => bytes.len() as u64,
                VirtualPiece::Zeros(n) => *n,
            };
            let (a, b) = (from.max(*at), to.min(at + n));
            if a < b {
                match piece {
                    VirtualPiece::Bytes(bytes) => {
                        out.extend_from_slice(&bytes[(a - at) as usize..(b - at) as usize]);
                    }
                    VirtualPiece::Zeros(_) => out.resize(out.len() + (b - a) as usize, 0),
                }
            }
        }
        out
    }

    pub fn to_bytes(&self) -> Vec<u8> {
        self.read_range(0, self.length)
    }
}

/// Content of an entry.
enum EntryData {
    Bytes(Vec<u8>),
    /// Stored zeros, which are never materialised.
    Zeros(u64),
}

struct EntryPlan {
    name: Vec<u8>,
    content: EntryData,
    deflate: bool,
    flags: u16,
    method: Option<u16>,
}

/// Collects entries and writes them.
#[derive(Default)]
pub struct ZipBuilder {
    entries: Vec<EntryPlan>,
    /// Bytes before the archive, as in a self-extracting one.
    pub prelude: Vec<u8>,
    pub comment: Vec<u8>,
    /// Whether to write ZIP64 records and fields everywhere.
    pub zip64: bool,
    /// Whether to write sizes after the data, as streamed archives do.
    pub streamed: bool,
    /// Length of local extra fields that the directory does not have.
    pub local_extra: usize,
    /// Number of entries to claim in the end record.
    pub claim_entries: Option<u16>,
}

impl ZipBuilder {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn add_stored(mut self, name: &str, bytes: &[u8]) -> Self {
        self.add(name.as_bytes(), EntryData::Bytes(bytes.to_vec()), false, 0, None);
        self
    }

    pub fn add_deflated(mut self, name: &str, bytes: &[u8]) -> Self {
        self.add(name.as_bytes(), EntryData::Bytes(bytes.to_vec()), true, 0, None);
        self
    }

    pub fn add_raw_name(mut self, name: &[u8], bytes: &[u8]) -> Self {
        self.add(name, EntryData::Bytes(bytes.to_vec()), true, 0, None);
        self
    }

    pub fn add_zeros(mut self, name: &str, n: u64) -> Self {
        self.add(name.as_bytes(), EntryData::Zeros(n), false, 0, None);
        self
    }

    pub fn add_encrypted(mut self, name: &str, bytes: &[u8]) -> Self {
        self.add(name.as_bytes(), EntryData::Bytes(bytes.to_vec()), false, 1, None);
        self
    }

    pub fn add_with_method(mut self, name: &str, bytes: &[u8], method: u16) -> Self {
        self.add(name.as_bytes(), EntryData::Bytes(bytes.to_vec()), false, 0, Some(method));
        self
    }

    fn add(&mut self, name: &[u8], content: EntryData, deflate: bool, flags: u16, method: Option<u16>) {
        self.entries.push(EntryPlan { name: name.to_vec(), content, deflate, flags, method });
    }

    pub fn build(&self) -> Vec<u8> {
        self.build_virtual().to_bytes()
    }

    pub fn build_virtual(&self) -> VirtualFile {
        let mut file = VirtualFile::from_bytes(&self.prelude);
        let base = file.len();
        let mut directory = Vec::new();
        for entry in &self.entries {
            let (data, size) = match &entry.content {
                EntryData::Bytes(bytes) if entry.deflate => {
                    let mut encoder =
                        flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::default());
                    encoder.write_all(bytes).unwrap();
                    (Some(encoder.finish().unwrap()), bytes.len() as u64)
                }
                EntryData::Bytes(bytes) => (Some(bytes.clone()), bytes.len() as u64),
                EntryData::Zeros(n) => (None, *n),
            };
            let compressed = data.as_ref().map_or(size, |d| d.len() as u64);
            let method = entry.method.unwrap_or(if entry.deflate { 8 } else { 0 });
            let flags = entry.flags | if self.streamed { 8 } else { 0 };
            let offset = file.len() - base;
            let wide = self.zip64 || compressed >= 0xffff_ffff || offset >= 0xffff_ffff;
            let short = |n: u64| if wide { u32::MAX } else { n as u32 };

            let mut local = Vec::new();
            local.extend_from_slice(b"PK\x03\x04");
            push16(&mut local, &[45, flags, method, 0, 0]);
            let told = |n: u64| if self.streamed { 0 } else { short(n) };
            push32(&mut local, &[0, told(compressed), told(size)]);
            let zip64_extra = if wide && !self.streamed { 20 } else { 0 };
            push16(&mut local, &[entry.name.len() as u16, (self.local_extra + zip64_extra) as u16]);
            local.extend_from_slice(&entry.name);
            if zip64_extra > 0 {
                push16(&mut local, &[1, 16]);
                push64(&mut local, &[size, compressed]);
            }
            local.resize(local.len() + self.local_extra, b'x');
            file.push(&local);
            match &data {
                Some(data) => file.push(data),
                None => file.push_zeros(size),
            }
            if self.streamed {
                let mut descriptor = b"PK\x07\x08".to_vec();
                push32(&mut descriptor, &[0, compressed as u32, size as u32]);
                file.push(&descriptor);
            }

            directory.extend_from_slice(b"PK\x01\x02");
            push16(&mut directory, &[45, 45, flags, method, 0, 0]);
            push32(&mut directory, &[0, short(compressed), short(size)]);
            push16(&mut directory, &[entry.name.len() as u16, if wide { 28 } else { 0 }, 0, 0, 0]);
            push32(&mut directory, &[0, short(offset)]);
            directory.extend_from_slice(&entry.name);
            if wide {
                push16(&mut directory, &[1, 24]);
                push64(&mut directory, &[size, compressed, offset]);
            }
        }
        let directory_at = file.len() - base;
        file.push(&directory);
        let count = self.entries.len() as u64;
        let mut end = Vec::new();
        let wide = self.zip64 || directory_at >= 0xffff_ffff;
        if wide {
            let record_at = file.len();
            end.extend_from_slice(b"PK\x06\x06");
            push64(&mut end, &[44]);
            push16(&mut end, &[45, 45]);
            push32(&mut end, &[0, 0]);
            push64(&mut end, &[count, count, directory.len() as u64, directory_at]);
            end.extend_from_slice(b"PK\x06\x07");
            push32(&mut end, &[0]);
            push64(&mut end, &[record_at]);
            push32(&mut end, &[1]);
        }
        end.extend_from_slice(b"PK\x05\x06");
        let told = self.claim_entries.unwrap_or(if wide { u16::MAX } else { count as u16 });
        push16(&mut end, &[0, 0, told, told]);
        let short = |n: u64| if wide { u32::MAX } else { n as u32 };
        push32(&mut end, &[short(directory.len() as u64), short(directory_at)]);
        push16(&mut end, &[self.comment.len() as u16]);
        end.extend_from_slice(&self.comment);
        file.push(&end);
        file
    }
}

fn push16(out: &mut Vec<u8>, values: &[u16]) {
    for v in values {
        out.extend_from_slice(&v.to_le_bytes());
    }
}

fn push32(out: &mut Vec<u8>, values: &[u32]) {
    for v in values {
        out.extend_from_slice(&v.to_le_bytes());
    }
}

fn push64(out: &mut Vec<u8>, values: &[u64]) {
    for v in values {
        out.extend_from_slice(&v.to_le_bytes());
    }
}

/// Builds a `.shp` with one point at the lower corner of the box.
pub fn build_shp(bbox: [f64; 4]) -> Vec<u8> {
    let mut bytes = vec![0; 100];
    bytes[0..4].copy_from_slice(&9994u32.to_be_bytes());
    bytes[24..28].copy_from_slice(&64u32.to_be_bytes());
    bytes[28..32].copy_from_slice(&1000u32.to_le_bytes());
    bytes[32..36].copy_from_slice(&1u32.to_le_bytes());
    for (i, v) in bbox.iter().enumerate() {
        bytes[36 + 8 * i..44 + 8 * i].copy_from_slice(&v.to_le_bytes());
    }
    bytes.extend_from_slice(&[0, 0, 0, 1, 0, 0, 0, 10, 1, 0, 0, 0]);
    bytes.extend_from_slice(&bbox[0].to_le_bytes());
    bytes.extend_from_slice(&bbox[1].to_le_bytes());
    bytes
}

/// Adds the usual parts of a shapefile.
pub fn with_shapefile(archive: ZipBuilder, stem: &str, bbox: [f64; 4], prj: Option<&str>) -> ZipBuilder {
    let mut archive = archive.add_deflated(&format!("{stem}.dbf"), b"\x03rows");
    if let Some(prj) = prj {
        archive = archive.add_deflated(&format!("{stem}.prj"), prj.as_bytes());
    }
    archive
        .add_deflated(&format!("{stem}.shp"), &build_shp(bbox))
        .add_deflated(&format!("{stem}.shx"), b"index")
}

pub const WGS84_PRJ: &str = r#"GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,298.257223563]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]]"#;
pub const UTM32_PRJ: &str = r#"PROJCS["ETRS_1989_UTM_Zone_32N",GEOGCS["GCS_ETRS_1989",DATUM["D_ETRS_1989",SPHEROID["GRS_1980",6378137.0,298.257222101]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]],PROJECTION["Transverse_Mercator"],PARAMETER["False_Easting",500000.0],PARAMETER["False_Northing",0.0],PARAMETER["Central_Meridian",9.0],PARAMETER["Scale_Factor",0.9996],PARAMETER["Latitude_Of_Origin",0.0],UNIT["Meter",1.0]]"#;
