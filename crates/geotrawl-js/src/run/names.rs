//! Names with a meaning for the sandbox.

use crate::signs;

/// Names of the hooks: object, call, error, import, module, function.
pub const HOOKS: [&str; 6] = ["__gtObject", "__gtCall", "__gtError", "__gtImport", "__gtModule", "__gtRan"];

/// Returns whether objects with this member are recorded; extends the members of [`signs`].
pub fn is_relevant_member(name: &str) -> bool {
    const NAMES: [&str; 26] = [
        "url",
        "urls",
        "tiles",
        "layers",
        "LAYERS",
        "params",
        "layer",
        "typename",
        "typeName",
        "typeNames",
        "serviceUrl",
        "wmsUrl",
        "wfsUrl",
        "wmtsUrl",
        "baseUrl",
        "urlTemplate",
        "tileUrl",
        "getTileUrl",
        "style",
        "sources",
        "portalItem",
        "matrixSet",
        "endpoint",
        "data",
        "service",
        "href",
    ];
    signs::is_relevant_member(name) || NAMES.contains(&name)
}

/// Returns whether a name is a constructor of the language or the browser, whose arguments are
/// irrelevant.
pub fn is_builtin(name: &str) -> bool {
    const NAMES: [&str; 30] = [
        "Error",
        "TypeError",
        "RangeError",
        "SyntaxError",
        "Array",
        "Map",
        "Set",
        "WeakMap",
        "WeakSet",
        "Promise",
        "Date",
        "RegExp",
        "Proxy",
        "Function",
        "Object",
        "String",
        "Number",
        "Boolean",
        "Uint8Array",
        "Uint16Array",
        "Uint32Array",
        "Int8Array",
        "Int16Array",
        "Int32Array",
        "Float32Array",
        "Float64Array",
        "ArrayBuffer",
        "DataView",
        "URL",
        "URLSearchParams",
    ];
    NAMES.contains(&name)
}

/// Returns whether a name is a global of a map library, or of a library that map applications use.
pub fn is_library_root(name: &str) -> bool {
    const ROOTS: [&str; 53] = [
        "L",
        "ol",
        "OpenLayers",
        "esri",
        "dojo",
        "dijit",
        "dojox",
        "Cesium",
        "mapboxgl",
        "maplibregl",
        "google",
        "Microsoft",
        "H",
        "ymaps",
        "GeoExt",
        "gxp",
        "Ext",
        "jQuery",
        "$",
        "d3",
        "axios",
        "itowns",
        "deck",
        "WorldWind",
        "proj4",
        "Proj4js",
        "angular",
        "Vue",
        "React",
        "ReactDOM",
        "_",
        "Terria",
        "MapStore2",
        "omnivore",
        "protomapsL",
        "pmtiles",
        "Backbone",
        "goog",
        "turf",
        "toGeojson",
        "Handlebars",
        "Mustache",
        "moment",
        "M",
        "GMap2",
        "VEMap",
        "Heron",
        "arcgisUtils",
        "ko",
        "Dygraph",
        "Chart",
        "topojson",
        "THREE",
    ];
    ROOTS.contains(&name)
}

/// Returns whether scripts test for a name to detect their environment; such names stay undefined.
pub fn reveals_environment(name: &str) -> bool {
    const NAMES: [&str; 19] = [
        "module",
        "exports",
        "define",
        "require",
        "requirejs",
        "global",
        "Buffer",
        "importScripts",
        "WebAssembly",
        "ActiveXObject",
        "opera",
        "chrome",
        "arguments",
        "undefined",
        "XDomainRequest",
        "Bun",
        "Deno",
        "msCrypto",
        "__dirname",
    ];
    NAMES.contains(&name) || name.starts_with("__webpack") || HOOKS.contains(&name)
}
