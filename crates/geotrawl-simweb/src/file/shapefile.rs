//! Zipped Shapefiles: real headers, one point per record, and any number of zeros.

use super::sparse::SparseFile;
use super::zip::{ZipMember, ZipMethod, write_zip};

/// Content of a zipped Shapefile.
#[derive(Debug, Clone)]
pub(crate) struct ShapeZip {
    /// Stem of each Shapefile.
    pub stems: Vec<String>,
    /// Folder inside the archive, empty or with a trailing slash.
    pub folder: String,
    pub bbox: [f64; 4],
    /// Number of zeros after the first `.shp`; turns a small archive into a huge one.
    pub zeros: u64,
    pub upper_case: bool,
    pub with_prj: bool,
    /// Resource forks as added by the archiver of macOS.
    pub mac_forks: bool,
}

const PRJ: &str = "GEOGCS[\"GCS_WGS_1984\",DATUM[\"D_WGS_1984\",SPHEROID[\"WGS_1984\",6378137.0,298.257223563]],PRIMEM[\"Greenwich\",0.0],UNIT[\"Degree\",0.0174532925199433]]";

pub(crate) fn shape_zip(spec: &ShapeZip) -> SparseFile {
    let mut entries = Vec::new();
    let name = |stem: &str, extension: &str| {
        let extension = if spec.upper_case { extension.to_ascii_uppercase() } else { extension.to_owned() };
        format!("{}{stem}.{extension}", spec.folder)
    };
    for (index, stem) in spec.stems.iter().enumerate() {
        let zeros = if index == 0 { spec.zeros } else { 0 };
        let method = if zeros > 0 { ZipMethod::Stored } else { ZipMethod::Deflated };
        let mut shp = ZipMember::new(name(stem, "shp"), shp(spec.bbox, zeros), method);
        shp.zeros = zeros;
        entries.push(shp);
        entries.push(ZipMember::new(name(stem, "shx"), shx(spec.bbox), ZipMethod::Deflated));
        entries.push(ZipMember::new(name(stem, "dbf"), dbf(), ZipMethod::Deflated));
        if spec.with_prj {
            entries.push(ZipMember::new(name(stem, "prj"), PRJ, ZipMethod::Stored));
        }
        if spec.mac_forks {
            entries.push(ZipMember::new(
                format!("__MACOSX/{}._{stem}.shp", spec.folder),
                "\0\x05\x16\x07",
                ZipMethod::Stored,
            ));
        }
    }
    entries.push(ZipMember::new(
        format!("{}readme.txt", spec.folder),
        "Open data, use freely.\n",
        ZipMethod::Deflated,
    ));
    write_zip(&entries, "")
}

/// Returns the 100-byte header of `.shp` and `.shx`; `length` in bytes.
fn header([w, s, e, n]: [f64; 4], length: u64) -> Vec<u8> {
    let mut out = 9994_i32.to_be_bytes().to_vec();
    out.extend_from_slice(&[0; 20]);
    out.extend_from_slice(&((length / 2).min(i32::MAX as u64) as i32).to_be_bytes());
    out.extend_from_slice(&1000_i32.to_le_bytes());
    out.extend_from_slice(&1_i32.to_le_bytes());
    for number in [w, s, e, n, 0.0, 0.0, 0.0, 0.0] {
        out.extend_from_slice(&number.to_le_bytes());
    }
    out
}

fn shp(bbox: [f64; 4], zeros: u64) -> Vec<u8> {
    let points = [(bbox[0], bbox[1]), (bbox[2], bbox[3])];
    let mut out = header(bbox, 100 + 28 * points.len() as u64 + zeros);
    for (index, (x, y)) in points.iter().enumerate() {
        out.extend_from_slice(&(index as i32 + 1).to_be_bytes());
        out.extend_from_slice(&10_i32.to_be_bytes());
        out.extend_from_slice(&1_i32.to_le_bytes());
        out.extend_from_slice(&x.to_le_bytes());
        out.extend_from_slice(&y.to_le_bytes());
    }
    out
}

fn shx(bbox: [f64; 4]) -> Vec<u8> {
    let mut out = header(bbox, 116);
    for index in 0..2_i32 {
        out.extend_from_slice(&(50 + 14 * index).to_be_bytes());
        out.extend_from_slice(&10_i32.to_be_bytes());
    }
    out
}

/// Returns a dBASE table with one numeric column and two rows.
fn dbf() -> Vec<u8> {
    let mut out = vec![0x03, 126, 1, 1];
    out.extend_from_slice(&2_u32.to_le_bytes());
    out.extend_from_slice(&65_u16.to_le_bytes());
    out.extend_from_slice(&5_u16.to_le_bytes());
    out.extend_from_slice(&[0; 20]);
    out.extend_from_slice(b"ID\0\0\0\0\0\0\0\0\0N");
    out.extend_from_slice(&[0; 4]);
    out.extend_from_slice(&[4, 0]);
    out.extend_from_slice(&[0; 14]);
    out.push(0x0D);
    out.extend_from_slice(b"    1    2\x1A");
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_two_gigabyte_archive_costs_nothing_and_ends_with_its_directory() {
        let spec = ShapeZip {
            stems: vec!["roads".into()],
            folder: String::new(),
            bbox: [1.0, 2.0, 3.0, 4.0],
            zeros: 2_000_000_000,
            upper_case: false,
            with_prj: true,
            mac_forks: false,
        };
        let file = shape_zip(&spec);
        assert!(file.len() > 2_000_000_000);
        let tail = file.chunk(file.len() - 22);
        assert!(tail.starts_with(b"PK\x05\x06"));
        assert_eq!(&file.chunk(0)[..4], b"PK\x03\x04");
        assert_eq!(dbf().len(), 65 + 11);
    }
}
