//! Guesses the type of data file from a URL. Only a hint: the bytes of the file decide.

use super::filter::NameFilter;
use super::query::{is_listed, percent_decode, query_pairs, with_lowercase};
use crate::kinds::KINDS;
use std::sync::LazyLock;
use url::Url;

/// A file extension and the kind it suggests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileType {
    /// In lower case, without the dot.
    pub extension: &'static str,
    /// Kind that such files have; `None` for known formats that are not read yet.
    pub kind: Option<&'static str>,
}

/// Extensions of formats that are known but not read yet. Sorted.
const UNREAD: &[&str] = &[
    "asc", "czml", "db", "dem", "dgn", "dwg", "dxf", "e00", "ecw", "gdb", "hgt", "jp2", "mif", "osm", "pbf",
];

/// All extensions of geospatial files, sorted: those of the kinds, and those that are not read yet.
///
/// Extensions used for everything else (`.json`, `.xml`, `.txt`) are left to an ordinary request,
/// which detects the type. Tables (`.csv`) are worth one range; `.db` is almost never geospatial.
pub struct FileTypes {
    types: Vec<FileType>,
    filter: NameFilter,
    /// Extensions that are also read when gzipped (`roads.geojson.gz`). Sorted.
    in_gzip: Vec<&'static str>,
}

/// File types of all kinds.
pub static FILE_TYPES: LazyLock<FileTypes> = LazyLock::new(FileTypes::of_kinds);

impl FileTypes {
    fn of_kinds() -> Self {
        let unread = UNREAD.iter().map(|&extension| FileType { extension, kind: None });
        let profiles = || KINDS.iter().map(|kind| kind.profile());
        let read = profiles().flat_map(|profile| {
            profile.extensions.iter().map(|&extension| FileType { extension, kind: Some(profile.id) })
        });
        let mut types: Vec<FileType> = unread.chain(read).collect();
        types.sort_unstable_by_key(|file| file.extension);
        let filter = types.iter().fold(NameFilter::empty(), |filter, file| filter.with_name(file.extension));
        let texts = profiles().filter(|profile| profile.is_file() && profile.is_text);
        let mut in_gzip: Vec<&str> = texts.flat_map(|profile| profile.extensions).copied().collect();
        in_gzip.sort_unstable();
        Self { types, filter, in_gzip }
    }

    /// Returns all types, sorted by extension.
    pub fn all(&self) -> &[FileType] {
        &self.types
    }

    fn by_extension(&self, extension: &str) -> Option<FileType> {
        if !self.filter.may_contain(extension.as_bytes()) {
            return None;
        }
        with_lowercase(extension, |extension| {
            let at = self.types.binary_search_by(|file| file.extension.cmp(extension)).ok()?;
            self.types.get(at).copied()
        })
    }
}

/// A URL that looks like a data file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileHint {
    /// The extension, in lower case.
    pub extension: &'static str,
    /// The most likely kind.
    pub kind: &'static str,
}

/// Returns the data file that a URL suggests by the end of its path or by a parameter that names a
/// file.
pub fn file_hint(url: &Url) -> Option<FileHint> {
    file_type(url).and_then(FileType::to_hint)
}

/// Like [`file_hint`], for a file name (for example the `download` attribute).
pub fn file_hint_of_name(name: &str) -> Option<FileHint> {
    type_of_name(name).and_then(FileType::to_hint)
}

impl FileType {
    /// Returns the hint for this type, if the format is read.
    pub(super) fn to_hint(self) -> Option<FileHint> {
        self.kind.map(|kind| FileHint { extension: self.extension, kind })
    }
}

/// Returns the file type of a URL, whether or not the format is read.
pub(super) fn file_type(url: &Url) -> Option<FileType> {
    if let Some(found) = of_path(url.path()) {
        return Some(found);
    }
    // `download.php?file=roads.kmz`, `export?format=kml`.
    let query = url.query()?;
    query_pairs(query).find_map(|pair| {
        let names_file = with_lowercase(pair.key, |key| {
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
            return type_of_name(&percent_decode(pair.value));
        }
        let names_format =
            with_lowercase(pair.key, |key| matches!(key, "format" | "output" | "type" | "outputformat"));
        let extension = pair.value;
        let plain = ["kml", "kmz", "geojson", "gpx", "gpkg"];
        if names_format && plain.iter().any(|format| extension.eq_ignore_ascii_case(format)) {
            return FILE_TYPES.by_extension(extension);
        }
        None
    })
}

/// Returns the file type of a file name.
fn type_of_name(name: &str) -> Option<FileType> {
    of_path(name)
}

/// Returns the file type of a path, looking through a `.gz` extension.
fn of_path(path: &str) -> Option<FileType> {
    let extension = extension_of(path)?;
    if extension.eq_ignore_ascii_case("gz") {
        let inner = extension_of(path.get(..path.len() - 3)?)?;
        return with_lowercase(inner, |inner| is_listed(&FILE_TYPES.in_gzip, inner))
            .then(|| FILE_TYPES.by_extension(inner))
            .flatten();
    }
    FILE_TYPES.by_extension(extension)
}

/// Returns what follows the last dot of the last path segment.
pub(super) fn extension_of(path: &str) -> Option<&str> {
    let bytes = path.as_bytes();
    let at = bytes.iter().rposition(|b| matches!(b, b'.' | b'/'))?;
    if bytes.get(at) == Some(&b'.') { path.get(at + 1..) } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted_and_unique() {
        assert!(FILE_TYPES.all().is_sorted_by(|a, b| a.extension < b.extension));
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
