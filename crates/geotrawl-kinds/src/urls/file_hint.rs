//! Which data file a URL seems to be. Only a hint: the file's bytes decide.

use super::filter::Filter;
use super::query::{listed, lowered, pairs, percent_decoded};
use url::Url;

/// A file extension and what it means for the crawl.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileType {
    /// Lower case, without the dot.
    pub extension: &'static str,
    /// The kind it is proven as; `None` for formats that are known but not read yet.
    pub kind: Option<&'static str>,
}

const fn read(extension: &'static str, kind: &'static str) -> FileType {
    FileType { extension, kind: Some(kind) }
}

const fn later(extension: &'static str) -> FileType {
    FileType { extension, kind: None }
}

/// Every extension of geospatial files. To read another format, turn `later` into `read`. Sorted.
///
/// What the web uses for everything else too is left to an ordinary request, which finds out for itself:
/// `.json`, `.xml`, `.txt`. Tables (`.csv`) are worth one range; `.db` is nearly never ours.
pub const FILES: &[FileType] = &[
    later("asc"),
    read("cdf", "netcdf"),
    read("citygml", "gml"),
    read("csv", "csv-geo"),
    later("czml"),
    later("db"),
    later("dem"),
    later("dgn"),
    later("dwg"),
    later("dxf"),
    later("e00"),
    later("ecw"),
    read("fgb", "flatgeobuf"),
    later("gdb"),
    read("geojson", "geojson"),
    read("geojsonl", "geojson"),
    read("geojsons", "geojson"),
    read("geoparquet", "geoparquet"),
    read("geotiff", "geotiff"),
    read("gml", "gml"),
    read("gpkg", "geopackage"),
    read("gpx", "gpx"),
    read("grb", "grib"),
    read("grb2", "grib"),
    read("grib", "grib"),
    read("grib2", "grib"),
    read("gtiff", "geotiff"),
    read("h5", "hdf5"),
    read("hdf", "hdf5"),
    read("hdf5", "hdf5"),
    read("he5", "hdf5"),
    later("hgt"),
    later("jp2"),
    read("kml", "kml"),
    read("kmz", "kmz"),
    read("las", "las"),
    read("laz", "las"),
    read("mbtiles", "mbtiles"),
    later("mif"),
    read("nc", "netcdf"),
    read("nc3", "netcdf"),
    read("nc4", "netcdf"),
    read("netcdf", "netcdf"),
    later("osm"),
    read("parquet", "geoparquet"),
    later("pbf"),
    read("pmtiles", "pmtiles"),
    read("shp", "shapefile"),
    read("shz", "shapefile"),
    read("sqlite", "geopackage"),
    read("sqlite3", "geopackage"),
    read("tif", "geotiff"),
    read("tiff", "geotiff"),
    read("topojson", "topojson"),
    read("tsv", "csv-geo"),
    read("zip", "shapefile"),
];

/// Extensions that are read in gzip as well (`roads.geojson.gz`). Sorted.
const IN_GZIP: &[&str] = &["csv", "geojson", "geojsonl", "geojsons", "gml", "gpx", "kml", "topojson", "tsv"];

/// A URL that seems to be a data file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileHint {
    /// The extension that says so, in lower case.
    pub extension: &'static str,
    /// The kind that it would most likely be.
    pub kind: &'static str,
}

/// The data file that a URL seems to be, by the end of its path or of a parameter that names a file.
pub fn file_hint(url: &Url) -> Option<FileHint> {
    file_type(url).and_then(FileType::hint)
}

/// As [`file_hint`], for the name of a file alone (the `download` attribute, for instance).
pub fn file_hint_of_name(name: &str) -> Option<FileHint> {
    type_of_name(name).and_then(FileType::hint)
}

impl FileType {
    /// What a file of this type is proven as.
    pub(super) fn hint(self) -> Option<FileHint> {
        self.kind.map(|kind| FileHint { extension: self.extension, kind })
    }
}

/// The file type that a URL ends with, read or not.
pub(super) fn file_type(url: &Url) -> Option<FileType> {
    if let Some(found) = of_path(url.path()) {
        return Some(found);
    }
    // `download.php?file=roads.kmz`, `export?format=kml`.
    let query = url.query()?;
    pairs(query).find_map(|pair| {
        let names_file = lowered(pair.key, |key| {
            matches!(
                key,
                "file"
                    | "filename"
                    | "f"
                    | "path"
                    | "download"
                    | "doc"
                    | "name"
                    | "fichier"
                    | "datei"
                    | "archivo"
            )
        });
        if names_file {
            return type_of_name(&percent_decoded(pair.value));
        }
        let names_format =
            lowered(pair.key, |key| matches!(key, "format" | "output" | "type" | "outputformat"));
        let extension = pair.value;
        let plain = ["kml", "kmz", "geojson", "gpx", "gpkg"];
        if names_format && plain.iter().any(|format| extension.eq_ignore_ascii_case(format)) {
            return by_extension(extension);
        }
        None
    })
}

/// The file type that a name ends with.
fn type_of_name(name: &str) -> Option<FileType> {
    of_path(name)
}

/// The file type that a path ends with, inside of gzip too.
fn of_path(path: &str) -> Option<FileType> {
    let extension = extension_of(path)?;
    if extension.eq_ignore_ascii_case("gz") {
        let inner = extension_of(path.get(..path.len() - 3)?)?;
        return lowered(inner, |inner| listed(IN_GZIP, inner)).then(|| by_extension(inner)).flatten();
    }
    by_extension(extension)
}

/// What follows the last dot of the last segment of a path.
pub(super) fn extension_of(path: &str) -> Option<&str> {
    let bytes = path.as_bytes();
    let at = bytes.iter().rposition(|b| matches!(b, b'.' | b'/'))?;
    if bytes.get(at) == Some(&b'.') { path.get(at + 1..) } else { None }
}

static FILTER: Filter = {
    let mut filter = Filter::new();
    let mut at = 0;
    while at < FILES.len() {
        filter = filter.with(FILES[at].extension);
        at += 1;
    }
    filter
};

fn by_extension(extension: &str) -> Option<FileType> {
    if !FILTER.may_hold(extension.as_bytes()) {
        return None;
    }
    lowered(extension, |extension| {
        FILES.binary_search_by(|f| f.extension.cmp(extension)).ok().and_then(|at| FILES.get(at).copied())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted_and_unique() {
        assert!(FILES.is_sorted_by(|a, b| a.extension < b.extension));
        assert!(IN_GZIP.is_sorted());
    }

    #[test]
    fn files_are_told_by_their_names() {
        for (url, extension) in [
            ("https://x.org/a/Roads.KML", Some("kml")),
            ("https://x.org/a.kmz?v=1", Some("kmz")),
            ("https://x.org/a.zip", Some("zip")),
            ("https://x.org/get.php?file=data%2Froads.zip", Some("zip")),
            ("https://x.org/export?format=kml", Some("kml")),
            ("https://x.org/a.geojson", Some("geojson")),
            ("https://x.org/a.GeoJSON.GZ", Some("geojson")),
            ("https://x.org/a.copc.laz", Some("laz")),
            ("https://x.org/a.gdb.zip", Some("zip")),
            ("https://x.org/get?filename=Stations.CSV.gz", Some("csv")),
            ("https://x.org/a.TIF", Some("tif")),
            ("https://x.org/a.tar.gz", None),
            ("https://x.org/sitemap.xml.gz", None),
            ("https://x.org/.gz", None),
            ("https://x.org/gz", None),
            ("https://x.org/a.json", None),
            ("https://x.org/a.xml", None),
            ("https://x.org/a.txt", None),
            ("https://x.org/a.db", None),
            ("https://x.org/kml", None),
            ("https://x.org/?q=a.zip", None),
        ] {
            assert_eq!(file_hint(&Url::parse(url).unwrap()).map(|h| h.extension), extension, "{url}");
        }
    }
}
