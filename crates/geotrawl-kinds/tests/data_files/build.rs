//! Builds data files byte by byte from readable plans.

/// File under construction, with numbers of one byte order.
#[derive(Default, Clone)]
pub struct ByteBuilder {
    pub data: Vec<u8>,
    pub big: bool,
}

impl ByteBuilder {
    pub fn put_bytes(&mut self, bytes: &[u8]) -> &mut Self {
        self.data.extend_from_slice(bytes);
        self
    }

    fn number(&mut self, bytes: &[u8]) -> &mut Self {
        let mut bytes = bytes.to_vec();
        if self.big {
            bytes.reverse();
        }
        self.put_bytes(&bytes)
    }

    pub fn put_u8(&mut self, v: u8) -> &mut Self {
        self.put_bytes(&[v])
    }

    pub fn put_u16(&mut self, v: u16) -> &mut Self {
        self.number(&v.to_le_bytes())
    }

    pub fn put_u32(&mut self, v: u32) -> &mut Self {
        self.number(&v.to_le_bytes())
    }

    pub fn put_u64(&mut self, v: u64) -> &mut Self {
        self.number(&v.to_le_bytes())
    }

    pub fn put_f64(&mut self, v: f64) -> &mut Self {
        self.put_u64(v.to_bits())
    }

    pub fn pad_to(&mut self, len: usize) -> &mut Self {
        assert!(self.data.len() <= len, "{} bytes do not fit {len}", self.data.len());
        self.data.resize(len, 0);
        self
    }

    pub fn align_to(&mut self, to: usize) -> &mut Self {
        let len = self.data.len().next_multiple_of(to);
        self.pad_to(len)
    }

    pub fn len(&self) -> usize {
        self.data.len()
    }
}

pub fn little_endian() -> ByteBuilder {
    ByteBuilder::default()
}

pub fn big_endian() -> ByteBuilder {
    ByteBuilder { big: true, ..ByteBuilder::default() }
}

/// Value of a TIFF tag.
#[derive(Clone)]
pub enum TagValue {
    Short(Vec<u16>),
    Long(Vec<u32>),
    Double(Vec<f64>),
    Text(&'static str),
}

#[derive(Clone, Default)]
pub struct TiffPlan {
    pub big_endian: bool,
    pub big_tiff: bool,
    /// Whether the directories follow the pixels.
    pub directories_last: bool,
    /// Whether to write GDAL's note after the header.
    pub note: bool,
    pub images: Vec<Vec<(u16, TagValue)>>,
    pub pixels: usize,
}

/// Builds a TIFF file. Tag 324 or 273 of every image is set to the offset of the pixels.
pub fn build_tiff(plan: &TiffPlan) -> Vec<u8> {
    let new = || ByteBuilder { big: plan.big_endian, ..ByteBuilder::default() };
    let note = "LAYOUT=IFDS_BEFORE_DATA\nBLOCK_ORDER=ROW_MAJOR\n";
    let header_len = if plan.big_tiff { 16 } else { 8 };
    let mut start = header_len;
    let note = format!("GDAL_STRUCTURAL_METADATA_SIZE={:06} bytes\n{note}", note.len());
    start += if plan.note { note.len().next_multiple_of(2) } else { 0 };
    let (count_len, entry_len, inline) = if plan.big_tiff { (8, 20, 8) } else { (2, 12, 4) };
    let value_of = |tag: &TagValue| {
        let mut value = new();
        match tag {
            TagValue::Short(v) => v.iter().for_each(|v| _ = value.put_u16(*v)),
            TagValue::Long(v) => v.iter().for_each(|v| _ = value.put_u32(*v)),
            TagValue::Double(v) => v.iter().for_each(|v| _ = value.put_f64(*v)),
            TagValue::Text(v) => _ = value.put_bytes(v.as_bytes()).put_u8(0),
        }
        value.data
    };
    let size_of = |image: &Vec<(u16, TagValue)>| {
        let outside: usize = image
            .iter()
            .map(|(_, t)| value_of(t).len())
            .filter(|l| *l > inline)
            .map(|l| l.next_multiple_of(2))
            .sum();
        count_len + entry_len * image.len() + inline + outside
    };
    let all: usize = plan.images.iter().map(size_of).sum();
    let first = if plan.directories_last { start + plan.pixels } else { start };
    let pixels_at = if plan.directories_last { start } else { start + all };
    let mut file = new();
    file.put_bytes(if plan.big_endian { b"MM" } else { b"II" });
    if plan.big_tiff {
        file.put_u16(43).put_u16(8).put_u16(0).put_u64(first as u64);
    } else {
        file.put_u16(42).put_u32(first as u32);
    }
    if plan.note {
        file.put_bytes(note.as_bytes());
    }
    file.pad_to(start);
    if plan.directories_last {
        file.pad_to(start + plan.pixels);
    }
    for (i, image) in plan.images.iter().enumerate() {
        let at = file.len();
        let next = if i + 1 < plan.images.len() { at + size_of(image) } else { 0 };
        let mut outside_at = at + count_len + entry_len * image.len() + inline;
        let mut outside = new();
        if plan.big_tiff {
            file.put_u64(image.len() as u64);
        } else {
            file.put_u16(image.len() as u16);
        }
        for (id, tag) in image {
            let tag =
                if matches!(id, 273 | 324) { TagValue::Long(vec![pixels_at as u32]) } else { tag.clone() };
            let value = value_of(&tag);
            let (field, count) = match &tag {
                TagValue::Short(v) => (3, v.len()),
                TagValue::Long(v) => (4, v.len()),
                TagValue::Double(v) => (12, v.len()),
                TagValue::Text(v) => (2, v.len() + 1),
            };
            file.put_u16(*id).put_u16(field);
            let mut slot = new();
            if value.len() > inline {
                if plan.big_tiff {
                    slot.put_u64(outside_at as u64)
                } else {
                    slot.put_u32(outside_at as u32)
                };
                outside_at += value.len().next_multiple_of(2);
                outside.put_bytes(&value).align_to(2);
            } else {
                slot.put_bytes(&value).pad_to(inline);
            }
            if plan.big_tiff {
                file.put_u64(count as u64)
            } else {
                file.put_u32(count as u32)
            };
            file.put_bytes(&slot.data);
        }
        if plan.big_tiff {
            file.put_u64(next as u64)
        } else {
            file.put_u32(next as u32)
        };
        file.put_bytes(&outside.data);
    }
    if !plan.directories_last {
        let end = file.len() + plan.pixels;
        file.pad_to(end);
    }
    file.data
}

/// Encodes an SQLite varint.
fn varint(value: u64) -> Vec<u8> {
    let mut groups = vec![(value & 0x7f) as u8];
    let mut rest = value >> 7;
    while rest > 0 {
        groups.push((rest & 0x7f) as u8 | 0x80);
        rest >>= 7;
    }
    groups.reverse();
    groups
}

#[derive(Clone)]
pub enum SqliteCell {
    Null,
    Int(i64),
    Real(f64),
    Text(String),
}

pub fn text_cell(value: &str) -> SqliteCell {
    SqliteCell::Text(value.to_owned())
}

pub struct SqliteTablePlan {
    pub name: &'static str,
    pub sql: &'static str,
    /// `false` for a view.
    pub stored: bool,
    pub rows: Vec<(i64, Vec<SqliteCell>)>,
}

fn record(cells: &[SqliteCell]) -> Vec<u8> {
    let (mut types, mut body) = (Vec::new(), big_endian());
    for cell in cells {
        match cell {
            SqliteCell::Null => types.extend(varint(0)),
            SqliteCell::Int(v) => {
                types.extend(varint(6));
                body.put_u64(v.cast_unsigned());
            }
            SqliteCell::Real(v) => {
                types.extend(varint(7));
                body.put_f64(*v);
            }
            SqliteCell::Text(v) => {
                types.extend(varint(13 + 2 * v.len() as u64));
                body.put_bytes(v.as_bytes());
            }
        }
    }
    // One byte is enough for the length of the header of the few columns here, or two.
    let length = if types.len() + 1 < 128 { types.len() + 1 } else { types.len() + 2 };
    let mut out = varint(length as u64);
    out.extend(types);
    out.extend(body.data);
    out
}

/// Builds an SQLite file. The root page of a table has one leaf per row if there are several rows.
/// Long rows go to overflow pages.
pub fn build_sqlite(
    page_size: usize,
    application_id: [u8; 4],
    user_version: u32,
    tables: &[SqliteTablePlan],
) -> Vec<u8> {
    let mut pages: Vec<Vec<u8>> = vec![Vec::new()];
    let mut schema = Vec::new();
    for (i, table) in tables.iter().enumerate() {
        let mut root = 0;
        if table.stored {
            pages.push(Vec::new());
            root = pages.len();
            if table.rows.len() > 2 {
                let leaves: Vec<(usize, i64)> = table
                    .rows
                    .iter()
                    .map(|row| {
                        pages.push(Vec::new());
                        let at = pages.len();
                        let leaf = leaf(page_size, 0, std::slice::from_ref(row), &mut pages);
                        pages[at - 1] = leaf;
                        (at, row.0)
                    })
                    .collect();
                pages[root - 1] = interior(page_size, &leaves);
            } else {
                let leaf = leaf(page_size, 0, &table.rows, &mut pages);
                pages[root - 1] = leaf;
            }
        }
        let kind = if table.stored { "table" } else { "view" };
        schema.push((
            i as i64 + 1,
            vec![
                text_cell(kind),
                text_cell(table.name),
                text_cell(table.name),
                SqliteCell::Int(root as i64),
                text_cell(table.sql),
            ],
        ));
    }
    let first = leaf(page_size, 100, &schema, &mut pages);
    pages[0] = first;
    let mut header = big_endian();
    header.put_bytes(b"SQLite format 3\0").put_u16(if page_size == 65_536 { 1 } else { page_size as u16 });
    header
        .put_bytes(&[1, 1, 0, 64, 32, 32])
        .pad_to(24)
        .put_u32(1)
        .put_u32(pages.len() as u32)
        .pad_to(44)
        .put_u32(4)
        .pad_to(56)
        .put_u32(1);
    header
        .put_u32(user_version)
        .pad_to(68)
        .put_bytes(&application_id)
        .pad_to(92)
        .put_u32(1)
        .put_u32(3_045_000);
    pages[0][..100].copy_from_slice(&header.data);
    pages.concat()
}

fn interior(page_size: usize, leaves: &[(usize, i64)]) -> Vec<u8> {
    let mut page = vec![0; page_size];
    let (last, others) = leaves.split_last().expect("leaves");
    let mut end = page_size;
    let mut pointers = big_endian();
    for (at, key) in others {
        let mut cell = (*at as u32).to_be_bytes().to_vec();
        cell.extend(varint(*key as u64));
        end -= cell.len();
        page[end..end + cell.len()].copy_from_slice(&cell);
        pointers.put_u16(end as u16);
    }
    let mut head = big_endian();
    head.put_u8(5)
        .put_u16(0)
        .put_u16(others.len() as u16)
        .put_u16(end as u16)
        .put_u8(0)
        .put_u32(last.0 as u32)
        .put_bytes(&pointers.data);
    page[..head.len()].copy_from_slice(&head.data);
    page
}

fn leaf(
    page_size: usize,
    start: usize,
    rows: &[(i64, Vec<SqliteCell>)],
    pages: &mut Vec<Vec<u8>>,
) -> Vec<u8> {
    let mut page = vec![0; page_size];
    let mut end = page_size;
    let mut pointers = big_endian();
    for (id, cells) in rows {
        let payload = record(cells);
        let mut cell = varint(payload.len() as u64);
        cell.extend(varint(id.cast_unsigned()));
        let most = page_size - 35;
        if payload.len() <= most {
            cell.extend(&payload);
        } else {
            let min = (page_size - 12) * 32 / 255 - 23;
            let fill = min + (payload.len() - min) % (page_size - 4);
            let local = if fill <= most { fill } else { min };
            cell.extend(&payload[..local]);
            let chunks: Vec<&[u8]> = payload[local..].chunks(page_size - 4).collect();
            cell.extend((pages.len() as u32 + 1).to_be_bytes());
            for (i, chunk) in chunks.iter().enumerate() {
                let next = if i + 1 < chunks.len() { pages.len() as u32 + 2 } else { 0 };
                let mut overflow = big_endian();
                overflow.put_u32(next).put_bytes(chunk).pad_to(page_size);
                pages.push(overflow.data);
            }
        }
        end -= cell.len();
        page[end..end + cell.len()].copy_from_slice(&cell);
        pointers.put_u16(end as u16);
    }
    let mut head = big_endian();
    head.put_u8(13)
        .put_u16(0)
        .put_u16(rows.len() as u16)
        .put_u16(end as u16)
        .put_u8(0)
        .put_bytes(&pointers.data);
    assert!(start + head.len() <= end, "rows do not fit the page");
    page[start..start + head.len()].copy_from_slice(&head.data);
    page
}

/// Builds a ZIP archive of stored entries.
pub fn build_zip(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let (mut file, mut directory) = (little_endian(), little_endian());
    for (name, content) in entries {
        let at = file.len() as u32;
        let sizes = |b: &mut ByteBuilder| {
            b.put_u32(0)
                .put_u32(0)
                .put_u32(content.len() as u32)
                .put_u32(content.len() as u32)
                .put_u16(name.len() as u16)
                .put_u16(0);
        };
        file.put_bytes(b"PK\x03\x04").put_u16(20).put_u16(0).put_u16(0);
        sizes(&mut file);
        file.put_bytes(name.as_bytes()).put_bytes(content);
        directory.put_bytes(b"PK\x01\x02").put_u16(20).put_u16(20).put_u16(0).put_u16(0);
        sizes(&mut directory);
        directory.put_u16(0).put_u16(0).put_u16(0).put_u32(0).put_u32(at).put_bytes(name.as_bytes());
    }
    let (at, length) = (file.len() as u32, directory.len() as u32);
    file.put_bytes(&directory.data)
        .put_bytes(b"PK\x05\x06")
        .put_u32(0)
        .put_u16(entries.len() as u16)
        .put_u16(entries.len() as u16);
    file.put_u32(length).put_u32(at).put_u16(0);
    file.data
}

pub fn compress_gzip(bytes: &[u8]) -> Vec<u8> {
    use std::io::Write;
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(bytes).expect("memory");
    encoder.finish().expect("memory")
}
