//! Recognises libraries by their URL.

use super::ScriptLibrary;
use super::table::{LIBRARIES, MAP_PACKAGE, PACKAGE};
use std::collections::HashMap;
use std::sync::LazyLock;

/// Libraries by file name, package and URL prefix.
struct LibraryIndex {
    files: HashMap<&'static str, &'static ScriptLibrary>,
    packages: HashMap<&'static str, &'static ScriptLibrary>,
    /// Path prefixes with their libraries, by host.
    places: HashMap<&'static str, Vec<(&'static str, &'static ScriptLibrary)>>,
}

static INDEX: LazyLock<LibraryIndex> = LazyLock::new(|| {
    let mut index = LibraryIndex { files: HashMap::new(), packages: HashMap::new(), places: HashMap::new() };
    for library in LIBRARIES {
        for file in library.files {
            index.files.entry(file).or_insert(library);
        }
        for package in library.packages {
            index.packages.entry(package).or_insert(library);
        }
        for place in library.places {
            let (host, path) = place.split_once('/').unwrap_or((place, ""));
            index.places.entry(host).or_default().push((path, library));
        }
    }
    index
});

/// Returns the library at a URL.
pub fn find_by_url(url: &str) -> Option<&'static ScriptLibrary> {
    let url = url.split(['?', '#']).next().unwrap_or(url).trim();
    if url.is_empty() || url.len() > 2048 {
        return None;
    }
    let (host, path) = match url.split_once("//") {
        Some((scheme, rest)) if scheme.is_empty() || scheme.ends_with(':') => {
            rest.split_once('/').unwrap_or((rest, ""))
        }
        _ => ("", url),
    };
    let host = host.to_ascii_lowercase();
    at_place(&host, path).or_else(|| of_package(&host, path)).or_else(|| of_file(path))
}

/// Looks up hosts and path prefixes that serve only one library.
fn at_place(host: &str, path: &str) -> Option<&'static ScriptLibrary> {
    let places = INDEX.places.get(host)?;
    places.iter().find(|(start, _)| path.starts_with(start)).map(|(_, library)| *library)
}

/// Looks up a package on a CDN or in `node_modules`.
fn of_package(host: &str, path: &str) -> Option<&'static ScriptLibrary> {
    let name = match host {
        "unpkg.com" | "esm.sh" | "esm.run" | "cdn.skypack.dev" | "cdn.esm.sh" => path,
        "cdn.jsdelivr.net" | "fastly.jsdelivr.net" | "ga.jspm.io" => {
            if let Some(list) = path.strip_prefix("combine/") {
                let all = list.split(',').filter_map(|part| part.strip_prefix("npm/")).map(named);
                return all.max_by_key(|library| library.is_map);
            }
            // `/gh/` serves any repository, including applications.
            path.strip_prefix("npm/").or_else(|| path.strip_prefix("npm:"))?
        }
        "cdnjs.cloudflare.com"
        | "ajax.googleapis.com"
        | "ajax.aspnetcdn.com"
        | "cdn.bootcss.com"
        | "cdn.bootcdn.net"
        | "lib.baomitu.com"
        | "cdn.staticfile.org"
        | "ajax.microsoft.com" => {
            path.strip_prefix("ajax/libs/").or_else(|| path.strip_prefix("ajax/")).unwrap_or(path)
        }
        _ => match path.rsplit_once("node_modules/") {
            Some((_, name)) => name,
            None => return None,
        },
    };
    Some(named(name.trim_start_matches('/')))
}

/// Returns the library of a package name, which may be followed by a version and a path.
fn named(path: &str) -> &'static ScriptLibrary {
    let mut segments = path.split('/');
    let first = segments.next().unwrap_or_default();
    let name = if first.starts_with('@') {
        format!("{first}/{}", segments.next().unwrap_or_default())
    } else {
        first.to_owned()
    };
    // `leaflet@1.9.4`, `@turf/turf@6`.
    let cut = name.get(1..).and_then(|rest| rest.find('@')).map_or(name.len(), |at| at + 1);
    let name = name.get(..cut).unwrap_or(&name);
    if let Some(library) = INDEX.packages.get(name).copied() {
        return library;
    }
    let lower = name.to_ascii_lowercase();
    let speaks = [
        "leaflet",
        "openlayers",
        "mapbox",
        "maplibre",
        "cesium",
        "ol-",
        "geojson",
        "esri",
        "arcgis",
        "deck.gl",
    ];
    if speaks.iter().any(|word| lower.contains(word)) { &MAP_PACKAGE } else { &PACKAGE }
}

/// Build suffixes of file names.
#[rustfmt::skip]
const BUILDS: &[&str] = &[
    "all", "amd", "cjs", "common", "csp", "debug", "dev", "development", "dist", "es", "es2015", "es5", "es6", "esm", "full",
    "global", "iife", "legacy", "light", "min", "module", "pack", "packed", "prod", "production", "release", "rel", "slim",
    "src", "uncompressed", "unminified", "umd", "compressed", "latest", "mini", "x", "browser",
];

/// Looks up a file by its name without build suffixes.
fn of_file(path: &str) -> Option<&'static ScriptLibrary> {
    let file = path.rsplit('/').next()?;
    let lower = file.to_ascii_lowercase();
    let mut stem = [".js", ".mjs", ".cjs"]
        .iter()
        .find_map(|ending| lower.strip_suffix(ending))?
        .replace(['.', '_'], "-");
    let mut marked = false;
    loop {
        if let Some(library) = INDEX.files.get(stem.as_str()) {
            return (marked || is_plain(library, &stem, file, path)).then_some(*library);
        }
        let (rest, mark) = stem.rsplit_once('-').filter(|(rest, _)| !rest.is_empty())?;
        if !is_build(mark) {
            return None;
        }
        marked = true;
        stem.truncate(rest.len());
    }
}

/// Returns whether a suffix is a number, a hash or a build word.
fn is_build(mark: &str) -> bool {
    let number = mark.strip_prefix('v').unwrap_or(mark);
    let is_number = !number.is_empty() && number.len() <= 8 && number.bytes().all(|b| b.is_ascii_digit());
    let is_pre = ["alpha", "beta", "rc"]
        .iter()
        .any(|pre| mark.strip_prefix(pre).is_some_and(|rest| rest.bytes().all(|b| b.is_ascii_digit())));
    let is_hash = mark.len() >= 7
        && mark.bytes().all(|b| b.is_ascii_hexdigit())
        && mark.bytes().any(|b| b.is_ascii_digit());
    is_number || is_pre || is_hash || BUILDS.contains(&mark)
}

/// Returns whether a file with only the library's name is that library. `openlayers.js` and
/// `cesium.js` usually are people's own scripts, because the libraries spell their file names
/// differently; the same holds for common words.
fn is_plain(library: &ScriptLibrary, stem: &str, file: &str, path: &str) -> bool {
    match (library.id, stem) {
        ("openlayers", "openlayers") => file.starts_with("OpenLayers"),
        ("cesium", _) => file.starts_with("Cesium"),
        ("tracking", "analytics" | "ga" | "uc" | "segment") => false,
        ("mapbox-gl", "mapbox") | ("interface", "stats" | "highlight" | "ace" | "chosen") => false,
        ("charts", "chart" | "vega" | "c3") => file.starts_with('C') || path.contains("lib"),
        ("map-tools", "shp" | "shapefile" | "worldwind" | "itowns") => {
            path.contains("lib") || path.contains("vendor")
        }
        ("polyfill", "system" | "respond" | "babel") => path.contains("lib") || path.contains("vendor"),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libraries_are_told_by_their_address() {
        for (url, id) in [
            ("https://unpkg.com/leaflet@1.9.4/dist/leaflet.js", "leaflet"),
            ("https://unpkg.com/leaflet", "leaflet"),
            ("https://cdn.jsdelivr.net/npm/ol@v10.2.0/dist/ol.js", "openlayers"),
            ("https://cdn.jsdelivr.net/combine/npm/jquery@3,npm/ol@10/dist/ol.js", "openlayers"),
            ("https://cdnjs.cloudflare.com/ajax/libs/openlayers/2.13.1/OpenLayers.js", "openlayers"),
            ("//cdnjs.cloudflare.com/ajax/libs/proj4js/2.9.0/proj4.js", "proj4"),
            ("https://cdn.jsdelivr.net/npm/@turf/turf@6/turf.min.js", "map-tools"),
            ("https://cdn.jsdelivr.net/npm/leaflet-something@1/x.js", "map-package"),
            ("https://cdn.jsdelivr.net/npm/left-pad@1/x.js", "package"),
            ("https://js.arcgis.com/4.29/", "arcgis"),
            ("https://js.arcgis.com/3.40/init.js", "arcgis"),
            ("https://maps.googleapis.com/maps/api/js?key=x", "google-maps"),
            ("https://api.mapbox.com/mapbox-gl-js/v2.15.0/mapbox-gl.js", "mapbox-gl"),
            ("https://openlayers.org/en/v4.6.5/build/ol.js", "openlayers"),
            ("http://www.openlayers.org/api/OpenLayers.js", "openlayers2"),
            ("https://www.googletagmanager.com/gtag/js?id=G-1", "tracking"),
            ("/js/leaflet-src.js", "leaflet"),
            ("js/leaflet.1.9.4.min.js", "leaflet"),
            ("lib/OpenLayers.light.js", "openlayers2"),
            ("ol/ol-debug.js", "openlayers"),
            ("ol.a1b2c3d4.js", "openlayers"),
            ("/static/jquery-3.6.0.min.js", "jquery"),
            ("/js/jquery.js", "jquery"),
            ("/js/esri-leaflet-vector-4.0.0.js", "leaflet-plugin"),
            ("/js/leaflet.markercluster-src.js", "leaflet-plugin"),
            ("/js/bootstrap.bundle.min.js", "bootstrap"),
            ("/Build/Cesium/Cesium.js", "cesium"),
            ("/js/maplibre-gl.js", "maplibre-gl"),
            ("/node_modules/d3/dist/d3.js", "d3"),
            ("/js/vue.global.prod.js", "vue"),
            ("/js/react-dom.production.min.js", "react"),
            ("/js/proj4js-combined.js", "proj4"),
            ("/js/Leaflet.VectorGrid.bundled.min.js", "leaflet-plugin"),
        ] {
            assert_eq!(find_by_url(url).map(|library| library.id), Some(id), "{url}");
        }
        assert!(
            super::super::is_map_library("/js/leaflet.js") && !super::super::is_map_library("/js/jquery.js")
        );
    }

    #[test]
    fn applications_are_not() {
        for url in [
            "/js/map.js",
            "/js/ol-app.js",
            "/js/leaflet-init.js",
            "/js/my-openlayers-layers.js",
            "/js/openlayers.js",
            "/examples/cesium.js",
            "/js/leafletInit.js",
            "/js/app.min.js",
            "/assets/index-a1b2c3d4.js",
            "/assets/vendor-a1b2c3d4.js",
            "/js/main.bundle.js",
            "https://cdn.jsdelivr.net/gh/someone/map@1/app.js",
            "/js/chunk-vendors.js",
            "/leaflet/",
            "/js/analytics.js",
            "",
        ] {
            assert_eq!(find_by_url(url).map(|library| library.id), None, "{url}");
        }
    }

    #[test]
    fn no_name_is_in_two_libraries() {
        let mut seen = std::collections::HashMap::new();
        for library in LIBRARIES {
            for file in library.files {
                let other = seen.insert(*file, library.id).filter(|other| *other != library.id);
                // Two families contain `cookieconsent`.
                assert!(
                    other.is_none() || *file == "cookieconsent",
                    "{file} in {} and {other:?}",
                    library.id
                );
            }
        }
    }
}
