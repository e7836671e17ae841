//! Plans for one minimal file of every format, and for look-alikes.

use crate::data_files::build::{
    ByteBuilder, SqliteCell, SqliteTablePlan, TagValue, TiffPlan, big_endian, build_sqlite, build_tiff,
    build_zip, compress_gzip, little_endian, text_cell,
};

/// Returns GeoKeys for model type, raster type, and the code of a system.
fn keys(model: u16, raster: u16, key: u16, code: u16) -> (u16, TagValue) {
    (34_735, TagValue::Short(vec![1, 1, 0, 3, 1024, 0, 1, model, 1025, 0, 1, raster, key, 0, 1, code]))
}

fn image(width: u16, height: u16, more: Vec<(u16, TagValue)>) -> Vec<(u16, TagValue)> {
    let mut tags = vec![(256, TagValue::Short(vec![width])), (257, TagValue::Short(vec![height]))];
    tags.extend(more);
    tags.sort_by_key(|(id, _)| *id);
    tags
}

fn placed(west: f64, north: f64, pixel: f64) -> Vec<(u16, TagValue)> {
    vec![
        (33_550, TagValue::Double(vec![pixel, pixel, 0.0])),
        (33_922, TagValue::Double(vec![0.0, 0.0, 0.0, west, north, 0.0])),
    ]
}

/// Builds a TIFF of 100 by 50 pixels of 1 km in UTM zone 32, with the directory after the pixels.
pub fn utm_tiff(big_endian: bool, big_tiff: bool, pixels: usize) -> Vec<u8> {
    let mut tags = placed(400_000.0, 5_600_000.0, 1000.0);
    tags.extend([
        keys(1, 1, 3072, 25_832),
        (273, TagValue::Long(vec![0])),
        (270, TagValue::Text("Elevation of a valley")),
    ]);
    let images = vec![image(100, 50, tags)];
    build_tiff(&TiffPlan { big_endian, big_tiff, directories_last: true, pixels, images, note: false })
}

/// Builds a TIFF in longitude and latitude, rotated by a transformation, with coordinates of pixel
/// centres.
pub fn turned_tiff() -> Vec<u8> {
    let mut matrix = vec![0.0; 16];
    (matrix[1], matrix[3], matrix[4], matrix[7]) = (0.5, 10.0, 0.25, 40.0);
    let tags =
        vec![(34_264, TagValue::Double(matrix)), keys(2, 2, 2048, 4326), (273, TagValue::Long(vec![0]))];
    build_tiff(&TiffPlan { images: vec![image(8, 4, tags)], pixels: 32, ..TiffPlan::default() })
}

/// Builds a TIFF in a user-defined system: Lambert azimuthal equal-area around 52 north, 10 east.
pub fn own_system_tiff() -> Vec<u8> {
    let directory = vec![
        1, 1, 0, 7, 1024, 0, 1, 1, 2048, 0, 1, 4326, 3072, 0, 1, 32_767, 3073, 34_737, 9, 0, 3075, 0, 1, 10,
        3088, 34_736, 1, 0, 3089, 34_736, 1, 1,
    ];
    let mut tags = placed(-50_000.0, 50_000.0, 1000.0);
    tags.extend([
        (34_735, TagValue::Short(directory)),
        (34_736, TagValue::Double(vec![10.0, 52.0])),
        (34_737, TagValue::Text("Own LAEA|")),
        (273, TagValue::Long(vec![0])),
    ]);
    build_tiff(&TiffPlan { images: vec![image(100, 100, tags)], pixels: 16, ..TiffPlan::default() })
}

fn tiled(width: u16, overview: bool, more: Vec<(u16, TagValue)>) -> Vec<(u16, TagValue)> {
    let mut tags = vec![
        (322, TagValue::Short(vec![1024])),
        (323, TagValue::Short(vec![1024])),
        (324, TagValue::Long(vec![0])),
        (325, TagValue::Long(vec![600])),
        (258, TagValue::Short(vec![8])),
        (259, TagValue::Short(vec![1])),
        (262, TagValue::Short(vec![1])),
        (277, TagValue::Short(vec![1])),
    ];
    if overview {
        tags.push((254, TagValue::Long(vec![1])));
    }
    tags.extend(more);
    image(width, width, tags)
}

fn degrees_tags() -> Vec<(u16, TagValue)> {
    let mut tags = placed(6.0, 50.0, 0.001);
    tags.push(keys(2, 1, 2048, 4326));
    tags
}

pub fn cog(note: bool) -> Vec<u8> {
    let images = vec![tiled(1000, false, degrees_tags()), tiled(500, true, Vec::new())];
    build_tiff(&TiffPlan { images, pixels: 600, note, ..TiffPlan::default() })
}

/// Builds a TIFF whose overviews follow the pixels, as tools append them.
pub fn appended_overviews() -> Vec<u8> {
    let images = vec![tiled(1000, false, degrees_tags()), tiled(500, true, Vec::new())];
    build_tiff(&TiffPlan { images, pixels: 600, directories_last: true, ..TiffPlan::default() })
}

/// Builds a scan: a TIFF without georeference.
pub fn scan() -> Vec<u8> {
    let tags = vec![(273, TagValue::Long(vec![0])), (305, TagValue::Text("Scanner 1.0"))];
    build_tiff(&TiffPlan { images: vec![image(20, 30, tags)], pixels: 64, ..TiffPlan::default() })
}

const CONTENTS: &str = "CREATE TABLE gpkg_contents (table_name TEXT NOT NULL, -- the name, of a table\n data_type TEXT NOT NULL, identifier TEXT, description TEXT DEFAULT '', last_change DATETIME, min_x DOUBLE, min_y DOUBLE, max_x DOUBLE, max_y DOUBLE, srs_id INTEGER, CONSTRAINT fk FOREIGN KEY (srs_id) REFERENCES gpkg_spatial_ref_sys(srs_id))";
const SYSTEMS: &str = "CREATE TABLE gpkg_spatial_ref_sys (srs_name TEXT NOT NULL, srs_id INTEGER NOT NULL PRIMARY KEY, organization TEXT NOT NULL, organization_coordsys_id INTEGER NOT NULL, definition TEXT NOT NULL, description TEXT)";

fn layer(name: &str, title: &str, about: &str, extent: [f64; 4], srs: i64) -> Vec<SqliteCell> {
    let mut cells = vec![
        text_cell(name),
        text_cell("features"),
        text_cell(title),
        text_cell(about),
        text_cell("2024-05-01T00:00:00Z"),
    ];
    cells.extend(extent.map(|v| if v.is_nan() { SqliteCell::Null } else { SqliteCell::Real(v) }));
    cells.push(SqliteCell::Int(srs));
    cells
}

/// Builds four layers on separate pages, one with a long description, one in a system with a custom
/// id.
pub fn geopackage(application_id: [u8; 4], user_version: u32) -> Vec<u8> {
    let long = "Roads of all classes. ".repeat(60);
    let degrees = [6.0, 45.0, 10.0, 48.0];
    let rows = vec![
        (1, layer("roads", "Roads", &long, degrees, 4326)),
        (2, layer("parcels", "Parcels", "", [400_000.0, 5_500_000.0, 500_000.0, 5_600_000.0], 100_001)),
        (3, layer("wells", "Wells", "", [7.0, 46.0, 8.0, 47.0], 4326)),
        (4, layer("notes", "Notes", "", [f64::NAN; 4], 0)),
    ];
    let system = |code: i64| {
        vec![
            text_cell("a system"),
            SqliteCell::Null,
            text_cell("EPSG"),
            SqliteCell::Int(code),
            text_cell("undefined"),
            SqliteCell::Null,
        ]
    };
    let systems = vec![(4326, system(4326)), (100_001, system(25_832))];
    let tables = [
        SqliteTablePlan { name: "gpkg_contents", sql: CONTENTS, stored: true, rows },
        SqliteTablePlan { name: "gpkg_spatial_ref_sys", sql: SYSTEMS, stored: true, rows: systems },
    ];
    build_sqlite(1024, application_id, user_version, &tables)
}

pub fn mbtiles() -> Vec<u8> {
    let json = format!(
        "{{\"vector_layers\":[{{\"id\":\"water\"}},{{\"id\":\"roads\",\"description\":\"{}\"}}]}}",
        "all of them ".repeat(80)
    );
    let pairs = [
        ("name", "Lakes and roads"),
        ("description", "A set of tiles"),
        ("bounds", "5.5,45.25,10.5,47.75"),
        ("format", "pbf"),
        ("attribution", "Somebody"),
        ("json", &json),
    ];
    let rows = pairs
        .iter()
        .enumerate()
        .map(|(i, (k, v))| (i as i64 + 1, vec![text_cell(k), text_cell(v)]))
        .collect();
    let tables = [
        SqliteTablePlan {
            name: "metadata",
            sql: "CREATE TABLE metadata (name text, value text)",
            stored: true,
            rows,
        },
        SqliteTablePlan {
            name: "map",
            sql: "CREATE TABLE map (zoom_level integer, tile_column integer, tile_row integer, tile_data blob)",
            stored: true,
            rows: Vec::new(),
        },
        SqliteTablePlan {
            name: "tiles",
            sql: "CREATE VIEW tiles AS SELECT zoom_level, tile_column, tile_row, tile_data FROM map",
            stored: false,
            rows: Vec::new(),
        },
    ];
    build_sqlite(512, *b"MPBX", 0, &tables)
}

/// Builds the database of another program that happens to have a table called metadata.
pub fn plain_sqlite() -> Vec<u8> {
    let rows = vec![(1, vec![text_cell("version"), text_cell("7")])];
    let sql = "CREATE TABLE metadata (key text, value text)";
    build_sqlite(512, [0; 4], 0, &[SqliteTablePlan { name: "metadata", sql, stored: true, rows }])
}

/// FlatBuffer table: fields as slots of eight bytes, followed by what they point to.
struct FlatBufferPlan {
    slots: Vec<Option<FlatBufferSlot>>,
}

enum FlatBufferSlot {
    Number(u64),
    Text(&'static str),
    Doubles(Vec<f64>),
    Table(FlatBufferPlan),
}

impl FlatBufferPlan {
    fn write(&self, file: &mut ByteBuilder) -> usize {
        let offsets_at = file.len();
        let fields = self.slots.len();
        let table_at = (offsets_at + 4 + 2 * fields).next_multiple_of(4);
        let place = |i: usize| 4 + 8 * i;
        file.put_u16((4 + 2 * fields) as u16).put_u16((4 + 8 * fields) as u16);
        for (i, slot) in self.slots.iter().enumerate() {
            file.put_u16(if slot.is_some() { place(i) as u16 } else { 0 });
        }
        file.align_to(4).put_u32((table_at - offsets_at) as u32).pad_to(table_at + 4 + 8 * fields);
        for (i, slot) in self.slots.iter().enumerate() {
            let at = table_at + place(i);
            let point = |file: &mut ByteBuilder, to: usize| {
                file.data[at..at + 4].copy_from_slice(&((to - at) as u32).to_le_bytes());
            };
            match slot {
                None => {}
                Some(FlatBufferSlot::Number(v)) => file.data[at..at + 8].copy_from_slice(&v.to_le_bytes()),
                Some(FlatBufferSlot::Text(v)) => {
                    let to = file.len();
                    point(file, to);
                    file.put_u32(v.len() as u32).put_bytes(v.as_bytes()).put_u8(0).align_to(4);
                }
                Some(FlatBufferSlot::Doubles(v)) => {
                    let to = file.len();
                    point(file, to);
                    file.put_u32(v.len() as u32);
                    for v in v {
                        file.put_f64(*v);
                    }
                }
                Some(FlatBufferSlot::Table(inner)) => {
                    let to = inner.write(file);
                    point(file, to);
                }
            }
        }
        table_at
    }
}

pub fn flatgeobuf(version: u8, patch: u8) -> Vec<u8> {
    let crs = FlatBufferPlan {
        slots: vec![Some(FlatBufferSlot::Text("EPSG")), Some(FlatBufferSlot::Number(2056))],
    };
    let mut slots = vec![
        Some(FlatBufferSlot::Text("bridges")),
        Some(FlatBufferSlot::Doubles(vec![2_600_000.0, 1_200_000.0, 2_610_000.0, 1_205_000.0])),
        Some(FlatBufferSlot::Number(1)),
    ];
    slots.extend((3..8).map(|_| None));
    slots.extend([
        Some(FlatBufferSlot::Number(42)),
        None,
        Some(FlatBufferSlot::Table(crs)),
        Some(FlatBufferSlot::Text("Bridges of a town")),
    ]);
    let mut header = little_endian();
    header.put_u32(0);
    let at = FlatBufferPlan { slots }.write(&mut header);
    header.data[..4].copy_from_slice(&(at as u32).to_le_bytes());
    let mut file = little_endian();
    file.put_bytes(b"fgb")
        .put_u8(version)
        .put_bytes(b"fgb")
        .put_u8(patch)
        .put_u32(header.len() as u32)
        .put_bytes(&header.data);
    file.data
}

/// Writes a text in Thrift's compact protocol.
fn thrift_text(out: &mut Vec<u8>, text: &str) {
    let mut length = text.len();
    while length >= 128 {
        out.push((length & 0x7f) as u8 | 0x80);
        length >>= 7;
    }
    out.push(length as u8);
    out.extend(text.as_bytes());
}

fn parquet_file(footer: &[u8], end: &[u8]) -> Vec<u8> {
    let mut file = little_endian();
    file.put_bytes(b"PAR1").put_bytes(&[0; 40]).put_bytes(footer).put_u32(footer.len() as u32).put_bytes(end);
    file.data
}

/// Builds a Parquet file whose footer has one key.
pub fn parquet(key: &str, value: &str) -> Vec<u8> {
    // 1: version 1; 2: no schema; 3: seven rows; 4: no row groups; 5: keys.
    let mut footer = vec![0x15, 2, 0x19, 0x0c, 0x16, 14, 0x19, 0x0c, 0x19, 0x1c, 0x18];
    thrift_text(&mut footer, key);
    footer.push(0x18);
    thrift_text(&mut footer, value);
    footer.extend([0, 0]);
    parquet_file(&footer, b"PAR1")
}

pub const GEO: &str = r#"{"version":"1.1.0","primary_column":"geometry","columns":{"geometry":{"encoding":"WKB","geometry_types":["Point"],"crs":{"id":{"authority":"EPSG","code":25832}},"bbox":[400000,5500000,500000,5600000]}}}"#;

/// Builds a Parquet file with a GEOMETRY column and no key.
pub fn parquet_by_type() -> Vec<u8> {
    let mut footer = vec![0x15, 2, 0x19, 0x1c, 0x48];
    thrift_text(&mut footer, "geom");
    // 10: the logical type, a union whose field 17 is the geometry, with its system.
    footer.extend([0x6c, 0x0c, 34, 0x18]);
    thrift_text(&mut footer, "srid:4326");
    footer.extend([0, 0, 0, 0x16, 14, 0]);
    parquet_file(&footer, b"PAR1")
}

pub fn encrypted_parquet() -> Vec<u8> {
    parquet_file(&[0xaa; 40], b"PARE")
}

/// Writes a name or text with its length, padded to four bytes.
fn nc_text(file: &mut ByteBuilder, wide: bool, text: &str) {
    nc_count(file, wide, text.len() as u64);
    file.put_bytes(text.as_bytes()).align_to(4);
}

fn nc_count(file: &mut ByteBuilder, wide: bool, count: u64) {
    if wide {
        file.put_u64(count)
    } else {
        file.put_u32(count as u32)
    };
}

/// Builds a file with five latitudes and four longitudes, and no extent in the attributes.
pub fn netcdf(version: u8) -> Vec<u8> {
    let wide = version == 5;
    let build = |at: u64| {
        let mut file = big_endian();
        file.put_bytes(b"CDF").put_u8(version);
        nc_count(&mut file, wide, 0);
        file.put_u32(10);
        nc_count(&mut file, wide, 2);
        for (name, length) in [("lat", 5), ("lon", 4)] {
            nc_text(&mut file, wide, name);
            nc_count(&mut file, wide, length);
        }
        let attributes = |file: &mut ByteBuilder, pairs: &[(&str, &str)]| {
            file.put_u32(12);
            nc_count(file, wide, pairs.len() as u64);
            for (name, value) in pairs {
                nc_text(file, wide, name);
                file.put_u32(2);
                nc_text(file, wide, value);
            }
        };
        attributes(
            &mut file,
            &[("title", "Snow depth"), ("institution", "An institute"), ("keywords", "snow, winter")],
        );
        file.put_u32(11);
        nc_count(&mut file, wide, 2);
        for (i, (name, units, offset)) in
            [("lat", "degrees_north", 0), ("lon", "degrees_east", 40)].into_iter().enumerate()
        {
            nc_text(&mut file, wide, name);
            nc_count(&mut file, wide, 1);
            nc_count(&mut file, wide, i as u64);
            attributes(&mut file, &[("units", units)]);
            file.put_u32(6);
            nc_count(&mut file, wide, if i == 0 { 40 } else { 32 });
            if version == 1 {
                file.put_u32((at + offset) as u32)
            } else {
                file.put_u64(at + offset)
            };
        }
        file
    };
    let mut file = build(build(0).len() as u64);
    for v in [44.0, 45.0, 46.0, 47.0, 48.0, 350.0, 351.0, 352.0, 353.0] {
        file.put_f64(v);
    }
    file.data
}

/// Builds a new-style HDF5 file whose root has these attributes.
pub fn hdf5(attributes: &[(&str, &str)]) -> Vec<u8> {
    let mut messages = little_endian();
    for (name, value) in attributes {
        let mut body = little_endian();
        body.put_bytes(&[3, 0])
            .put_u16(name.len() as u16 + 1)
            .put_u16(8)
            .put_u16(4)
            .put_u8(0)
            .put_bytes(name.as_bytes())
            .put_u8(0);
        // A single text of fixed length.
        body.put_bytes(&[0x13, 0, 0, 0])
            .put_u32(value.len() as u32)
            .put_bytes(&[2, 0, 0, 0])
            .put_bytes(value.as_bytes());
        messages.put_u8(0x0c).put_u16(body.len() as u16).put_u8(0).put_bytes(&body.data);
    }
    let mut file = little_endian();
    file.put_bytes(b"\x89HDF\r\n\x1a\n")
        .put_bytes(&[2, 8, 8, 0])
        .put_u64(0)
        .put_u64(u64::MAX)
        .put_u64(4096)
        .put_u64(48)
        .put_u32(0);
    file.put_bytes(b"OHDR")
        .put_bytes(&[2, 2])
        .put_u32(messages.len() as u32)
        .put_bytes(&messages.data)
        .put_u32(0);
    file.data
}

/// Builds a new-style object header with messages of these types.
fn object_header(messages: &[(u8, Vec<u8>)]) -> Vec<u8> {
    let mut body = little_endian();
    for (kind, message) in messages {
        body.put_u8(*kind).put_u16(message.len() as u16).put_u8(0).put_bytes(message);
    }
    let mut header = little_endian();
    header.put_bytes(b"OHDR").put_bytes(&[2, 2]).put_u32(body.len() as u32).put_bytes(&body.data).put_u32(0);
    header.data
}

/// Builds a file whose latitude and longitude variables are `gap` bytes after the root.
pub fn hdf5_with_axes(gap: usize) -> Vec<u8> {
    let axis = |values_at: u64, count: u64| {
        let (mut shape, mut kind, mut layout) = (little_endian(), little_endian(), little_endian());
        shape.put_bytes(&[2, 1, 0, 1]).put_u64(count);
        kind.put_bytes(&[0x11, 0x20, 0x3f, 0])
            .put_u32(8)
            .put_u16(0)
            .put_u16(64)
            .put_bytes(&[52, 11, 0, 52])
            .put_u32(1023);
        layout.put_bytes(&[3, 1]).put_u64(values_at).put_u64(8 * count);
        object_header(&[(0x01, shape.data), (0x03, kind.data), (0x08, layout.data)])
    };
    let link = |name: &str, at: u64| {
        let mut link = little_endian();
        link.put_bytes(&[1, 0]).put_u8(name.len() as u8).put_bytes(name.as_bytes()).put_u64(at);
        (0x06, link.data)
    };
    let far = 200 + gap as u64;
    let (lat, lon) = (axis(far + 400, 3), axis(far + 424, 2));
    let mut file = little_endian();
    file.put_bytes(b"\x89HDF\r\n\x1a\n")
        .put_bytes(&[2, 8, 8, 0])
        .put_u64(0)
        .put_u64(u64::MAX)
        .put_u64(4096)
        .put_u64(48)
        .put_u32(0);
    file.put_bytes(&object_header(&[link("latitude", far), link("longitude", far + 200)]));
    file.pad_to(far as usize)
        .put_bytes(&lat)
        .pad_to(far as usize + 200)
        .put_bytes(&lon)
        .pad_to(far as usize + 400);
    for value in [46.0, 47.0, 48.5, 8.25, 9.0] {
        file.put_f64(value);
    }
    file.data
}

/// Builds an old-style file: attributes in version 1 messages, after a user block.
pub fn old_hdf5(attributes: &[(&str, &str)]) -> Vec<u8> {
    let mut messages = little_endian();
    for (name, value) in attributes {
        let mut body = little_endian();
        body.put_bytes(&[1, 0])
            .put_u16(name.len() as u16 + 1)
            .put_u16(8)
            .put_u16(8)
            .put_bytes(name.as_bytes())
            .put_u8(0)
            .align_to(8);
        body.put_bytes(&[0x13, 0, 0, 0])
            .put_u32(value.len() as u32)
            .put_bytes(&[1, 0, 0, 0, 0, 0, 0, 0])
            .put_bytes(value.as_bytes())
            .align_to(8);
        messages.put_u16(0x0c).put_u16(body.len() as u16).put_bytes(&[0; 4]).put_bytes(&body.data);
    }
    let mut file = little_endian();
    file.put_bytes(&[b'#'; 512])
        .put_bytes(b"\x89HDF\r\n\x1a\n")
        .put_bytes(&[0, 0, 0, 0, 0, 8, 8, 0])
        .put_u16(4)
        .put_u16(16)
        .put_u32(0);
    file.put_u64(0)
        .put_u64(u64::MAX)
        .put_u64(4096)
        .put_u64(u64::MAX)
        .put_u64(0)
        .put_u64(96)
        .put_u32(0)
        .put_u32(0)
        .put_bytes(&[0; 16]);
    file.pad_to(512 + 96)
        .put_u8(1)
        .put_u8(0)
        .put_u16(attributes.len() as u16)
        .put_u32(1)
        .put_u32(messages.len() as u32)
        .put_u32(0);
    file.put_bytes(&messages.data);
    file.data
}

pub const EXTENT: &[(&str, &str)] = &[
    ("title", "Ice cover"),
    ("geospatial_lat_min", "60.0"),
    ("geospatial_lat_max", "70.5"),
    ("geospatial_lon_min", "10.25"),
    ("geospatial_lon_max", "30.0"),
];

/// Builds a one-degree grid over a part of Europe, edition 2.
pub fn grib2() -> Vec<u8> {
    let mut file = big_endian();
    file.put_u32(21)
        .put_u8(1)
        .put_u16(78)
        .put_u16(0)
        .put_bytes(&[2, 0, 1])
        .put_u16(2024)
        .put_bytes(&[5, 17, 12, 0, 0, 0, 1]);
    let mut grid = big_endian();
    grid.put_u8(3)
        .put_u8(0)
        .put_u32(441)
        .put_bytes(&[0, 0])
        .put_u16(0)
        .put_u8(6)
        .put_bytes(&[0; 15])
        .put_u32(21)
        .put_u32(21)
        .put_u32(0)
        .put_u32(u32::MAX);
    grid.put_u32(55_000_000)
        .put_u32(5_000_000)
        .put_u8(48)
        .put_u32(35_000_000)
        .put_u32(25_000_000)
        .put_u32(1_000_000)
        .put_u32(1_000_000)
        .put_u8(0);
    file.put_u32(grid.len() as u32 + 4).put_bytes(&grid.data).put_bytes(b"7777");
    let mut message = big_endian();
    message
        .put_bytes(b"GRIB")
        .put_u16(0)
        .put_u8(0)
        .put_u8(2)
        .put_u64(file.len() as u64 + 16)
        .put_bytes(&file.data);
    message.data
}

/// Builds the same grid in edition 1, after a bulletin header.
pub fn grib1_bulletin() -> Vec<u8> {
    let three = |v: u32| v.to_be_bytes()[1..].to_vec();
    let mut product = big_endian();
    product
        .put_bytes(&three(28))
        .put_bytes(&[3, 98, 1, 255, 0x80, 11, 1])
        .put_u16(0)
        .put_bytes(&[24, 5, 17, 12, 0, 1, 0, 0, 0])
        .put_u16(0);
    product.put_bytes(&[0, 21, 0]).put_u16(0);
    let mut grid = big_endian();
    grid.put_bytes(&three(32))
        .put_bytes(&[0, 255, 0])
        .put_u16(21)
        .put_u16(21)
        .put_bytes(&three(55_000))
        .put_bytes(&three(0x80_1388))
        .put_u8(128);
    grid.put_bytes(&three(35_000))
        .put_bytes(&three(15_000))
        .put_u16(1000)
        .put_u16(1000)
        .put_u8(0)
        .put_bytes(&[0; 4]);
    let mut message = big_endian();
    let length = 8 + product.len() + grid.len() + 4;
    message.put_bytes(b"\x01\r\r\n000 \r\r\nHTXX01 ECMF 171200\r\r\n");
    message
        .put_bytes(b"GRIB")
        .put_bytes(&three(length as u32))
        .put_u8(1)
        .put_bytes(&product.data)
        .put_bytes(&grid.data)
        .put_bytes(b"7777");
    message.data
}

/// Builds a PMTiles archive with `gap` bytes between header and metadata.
pub fn pmtiles(gap: usize) -> Vec<u8> {
    let metadata = compress_gzip(br#"{"name":"Forests","description":"Woods by type","attribution":"A survey","vector_layers":[{"id":"woods"},{"id":"clearings"}]}"#);
    let mut file = little_endian();
    let at = 127 + gap as u64;
    file.put_bytes(b"PMTiles")
        .put_u8(3)
        .put_u64(127)
        .put_u64(0)
        .put_u64(at)
        .put_u64(metadata.len() as u64)
        .pad_to(96)
        .put_bytes(&[1, 2, 2, 1, 0, 14]);
    for v in [55_000_000_i32, 452_500_000, 105_000_000, 477_500_000] {
        file.put_u32(v.cast_unsigned());
    }
    file.pad_to(127 + gap).put_bytes(&metadata);
    file.data
}

/// Builds a point cloud with GeoKeys or well-known text.
pub fn las(minor: u8, format: u8, keys: bool, copc: bool) -> Vec<u8> {
    let header_len = if minor >= 4 { 375 } else { 227 };
    let mut records = little_endian();
    let mut count = 1;
    let mut add = |user: &str, id: u16, body: &[u8]| {
        let start = records.len();
        records
            .put_u16(0)
            .put_bytes(user.as_bytes())
            .pad_to(start + 18)
            .put_u16(id)
            .put_u16(body.len() as u16)
            .pad_to(start + 54)
            .put_bytes(body);
    };
    if copc {
        add("copc", 1, &[0; 160]);
        count += 1;
    }
    if keys {
        let mut body = little_endian();
        for v in [1_u16, 1, 0, 2, 1024, 0, 1, 1, 3072, 0, 1, 25_832] {
            body.put_u16(v);
        }
        add("LASF_Projection", 34_735, &body.data);
    } else {
        let wkt = b"COMPD_CS[\"x\",PROJCS[\"ETRS89 / UTM zone 32N\",GEOGCS[\"ETRS89\",DATUM[\"European_Terrestrial_Reference_System_1989\",SPHEROID[\"GRS 1980\",6378137,298.257222101]],PRIMEM[\"Greenwich\",0],UNIT[\"degree\",0.0174532925199433]],PROJECTION[\"Transverse_Mercator\"],PARAMETER[\"latitude_of_origin\",0],PARAMETER[\"central_meridian\",9],PARAMETER[\"scale_factor\",0.9996],PARAMETER[\"false_easting\",500000],PARAMETER[\"false_northing\",0],UNIT[\"metre\",1],AUTHORITY[\"EPSG\",\"25832\"]],VERT_CS[\"h\",VERT_DATUM[\"h\",2005],UNIT[\"metre\",1]]]\0";
        add("LASF_Projection", 2112, wkt);
    }
    let mut file = little_endian();
    file.put_bytes(b"LASF")
        .pad_to(24)
        .put_bytes(&[1, minor])
        .pad_to(58)
        .put_bytes(b"a maker")
        .pad_to(94)
        .put_u16(header_len);
    file.put_u32(u32::from(header_len) + records.len() as u32)
        .put_u32(count)
        .put_u8(format)
        .put_u16(20)
        .put_u32(9)
        .pad_to(179);
    for v in [450_100.0, 450_000.0, 5_500_050.0, 5_500_000.0, 90.0, 80.0] {
        file.put_f64(v);
    }
    if minor >= 4 {
        file.pad_to(247).put_u64(9);
    }
    file.pad_to(usize::from(header_len)).put_bytes(&records.data).put_bytes(&[0; 64]);
    file.data
}

pub fn geodatabase() -> Vec<u8> {
    build_zip(&[
        ("data/Parks.gdb/a00000001.gdbtable", b"\x03\0\0\0"),
        ("data/Parks.gdb/a00000001.gdbtablx", b"\x03\0\0\0"),
        ("data/Parks.gdb/gdb", b"x"),
    ])
}

/// Returns the fixtures: kind, file name, content.
pub fn fixtures() -> Vec<(&'static str, &'static str, Vec<u8>)> {
    let nc4 = [EXTENT, &[("_NCProperties", "version=2,netcdf=4.9.2")]].concat();
    vec![
        ("cog", "is-noted.tif", cog(true)),
        ("cog", "is-without-note.tif", cog(false)),
        ("cog", "not-appended-overviews.tif", appended_overviews()),
        ("copc", "is-cloud.copc.laz", las(4, 0x86, false, true)),
        ("copc", "not-laz.laz", las(4, 0x86, false, false)),
        ("filegdb", "is-parks.gdb.zip", geodatabase()),
        ("filegdb", "not-folder-alone.zip", build_zip(&[("Parks.gdb/readme.txt", b"nothing here")])),
        ("flatgeobuf", "is-bridges.fgb", flatgeobuf(3, 1)),
        ("flatgeobuf", "is-version-2.fgb", flatgeobuf(2, 0)),
        ("flatgeobuf", "not-mention.fgb", b"fgb files are described at length here.".to_vec()),
        ("geopackage", "is-1.2.gpkg", geopackage(*b"GPKG", 10_200)),
        ("geopackage", "is-1.0.gpkg", geopackage(*b"GP10", 0)),
        ("geopackage", "is-without-id.gpkg", geopackage([0; 4], 0)),
        ("geopackage", "not-plain.sqlite", plain_sqlite()),
        ("geoparquet", "is-1.1.parquet", parquet("geo", GEO)),
        ("geoparquet", "is-by-type.parquet", parquet_by_type()),
        ("geoparquet", "not-plain.parquet", parquet("pandas", "{}")),
        ("geoparquet", "not-encrypted.parquet", encrypted_parquet()),
        ("geotiff", "is-utm.tif", utm_tiff(false, false, 500)),
        ("geotiff", "is-utm-big-endian.tif", utm_tiff(true, false, 500)),
        ("geotiff", "is-utm-bigtiff.tif", utm_tiff(false, true, 500)),
        ("geotiff", "is-turned.tif", turned_tiff()),
        ("geotiff", "is-own-system.tif", own_system_tiff()),
        ("geotiff", "not-scan.tif", scan()),
        ("grib", "is-edition-2.grib2", grib2()),
        ("grib", "is-bulletin.grb", grib1_bulletin()),
        ("grib", "not-text.grib", b"GRIB is a format of the WMO.".to_vec()),
        ("hdf5", "is-ice.h5", hdf5(EXTENT)),
        ("hdf5", "is-with-axes.h5", hdf5_with_axes(0)),
        ("hdf5", "is-behind-user-block.h5", old_hdf5(EXTENT)),
        ("hdf5", "not-netcdf.nc", hdf5(&nc4)),
        ("hdf5", "not-hdf4.hdf", b"\x0e\x03\x13\x01\0\0\0\0".to_vec()),
        ("las", "is-keys.las", las(2, 1, true, false)),
        ("las", "is-packed.laz", las(4, 0x86, false, false)),
        ("las", "not-well-log.las", b"~VERSION INFORMATION\n VERS. 2.0 : CWLS LOG ASCII STANDARD\n".to_vec()),
        ("mbtiles", "is-lakes.mbtiles", mbtiles()),
        ("mbtiles", "not-program.sqlite", plain_sqlite()),
        ("netcdf", "is-classic.nc", netcdf(1)),
        ("netcdf", "is-64bit-offset.nc", netcdf(2)),
        ("netcdf", "is-64bit-data.nc", netcdf(5)),
        ("netcdf", "is-4.nc", hdf5(&nc4)),
        ("netcdf", "not-hdf5.h5", hdf5(EXTENT)),
        ("pmtiles", "is-forests.pmtiles", pmtiles(0)),
        ("pmtiles", "not-old.pmtiles", b"PM\x02\0{\"name\":\"an archive of version 2\"}".to_vec()),
    ]
}
