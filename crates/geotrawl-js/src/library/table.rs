//! Table of known libraries, map libraries first.

use super::ScriptLibrary;

const NONE: ScriptLibrary = ScriptLibrary {
    id: "",
    is_map: false,
    files: &[],
    packages: &[],
    places: &[],
    heads: &[],
    tails: &[],
    most: 1_500,
};

/// Any other package on a CDN.
pub const PACKAGE: ScriptLibrary = ScriptLibrary { id: "package", ..NONE };
/// Any other package on a CDN with a map-related name.
pub const MAP_PACKAGE: ScriptLibrary = ScriptLibrary { id: "map-package", is_map: true, ..NONE };

/// All known libraries.
#[rustfmt::skip]
pub const LIBRARIES: &[ScriptLibrary] = &[
    ScriptLibrary {
        id: "openlayers2",
        is_map: true,
        files: &["openlayers-light", "openlayers-mobile", "openlayers-tests"],
        places: &["openlayers.org/api/", "www.openlayers.org/api/", "dev.openlayers.org/"],
        heads: &["OpenLayers Map Viewer Library", "OpenLayers.js -- OpenLayers Map Viewer"],
        tails: &["OpenLayers."],
        most: 4_000,
        ..NONE
    },
    ScriptLibrary {
        id: "openlayers",
        is_map: true,
        files: &["ol", "openlayers", "ol3", "ol4", "ol-custom", "olcesium"],
        packages: &["ol", "openlayers", "ol3", "ol-cesium", "olcs", "openlayers-amd"],
        places: &[
            "openlayers.org/en/", "cdn.rawgit.com/openlayers/",
            "openlayers.org/ol-cesium/",
        ],
        heads: &[
            "// OpenLayers 3. See ", "// OpenLayers. See ", "// OpenLayers 4. See ", "var ol=function(){",
            "var ol = (function", "OpenLayers (https://openlayers.org/)",
        ],
        tails: &["util.VERSION", "OPENLAYERS.ol", "return ol"],
        most: 9_000,
    },
    ScriptLibrary {
        id: "openlayers-plugin",
        is_map: true,
        files: &[
            "ol-ext", "olms", "ol-layerswitcher", "ol-popup", "ol-contextmenu", "ol-geocoder",
            "ol-mapbox-style", "ol3-layerswitcher", "ol-hashed",
        ],
        packages: &[
            "ol-ext", "ol-mapbox-style", "ol-layerswitcher", "ol-popup", "ol-contextmenu", "ol-geocoder",
            "ol-hashed", "ol-pmtiles", "ol-stac",
        ],
        heads: &["ol-ext - A set of cool extensions", "require(\"ol/", "require('ol/"],
        tails: &["ol.style.", "geoportailStyle", "ol.control"],
        most: 4_000,
        ..NONE
    },
    ScriptLibrary {
        id: "leaflet",
        is_map: true,
        files: &["leaflet", "leaflet-global"],
        packages: &["leaflet"],
        places: &["cdn.leafletjs.com/"],
        heads: &[
            "a JS library for interactive maps. http",
            "a JavaScript library for mobile-friendly interactive maps. http",
            "is a modern open-source JavaScript library for interactive maps",
        ],
        tails: &[
            "videoOverlay }", "videoOverlay}", "VideoOverlay", "locationfound", "window.L", ".map=function(",
            "exports.map = createMap", "exports.version = version", ".version=",
        ],
        ..NONE
    },
    ScriptLibrary {
        id: "leaflet-plugin",
        is_map: true,
        files: &[
            "esri-leaflet", "esri-leaflet-vector", "esri-leaflet-geocoder", "esri-leaflet-renderers",
            "esri-leaflet-cluster", "leaflet-markercluster", "leaflet-draw", "leaflet-fullscreen",
            "control-fullscreen", "leaflet-timedimension", "leaflet-providers", "leaflet-wms", "leaflet-wfst",
            "nontiledlayer", "leaflet-vectorgrid", "leaflet-vectorgrid-bundled", "leaflet-ajax",
            "leaflet-omnivore", "leaflet-heat", "leaflet-geotiff", "leaflet-awesome-markers", "leaflet-label",
            "leaflet-control-geocoder", "control-geocoder", "leaflet-routing-machine",
            "leaflet-locatecontrol", "l-control-locate", "leaflet-minimap", "control-minimap", "leaflet-hash",
            "leaflet-search", "leaflet-measure", "leaflet-easybutton", "easy-button", "leaflet-sidebar",
            "l-control-sidebar", "leaflet-betterscale", "leaflet-betterwms", "leaflet-tilelayer-betterwms",
            "leaflet-groupedlayercontrol", "leaflet-utfgrid", "leaflet-featuregroup-subgroup",
            "leaflet-google", "leaflet-bing", "leaflet-gpx", "leaflet-kml", "leaflet-pm", "leaflet-geoman",
            "leaflet-editable", "leaflet-polylinedecorator", "leaflet-textpath", "leaflet-side-by-side",
            "leaflet-mouseposition", "l-control-mouseposition", "leaflet-coordinates", "leaflet-print",
            "leaflet-realtime", "leaflet-contextmenu", "leaflet-extra-markers", "leaflet-maskcanvas",
            "leaflet-maplibre-gl", "leaflet-mapbox-gl", "proj4leaflet", "protomaps-leaflet",
            "georaster-layer-for-leaflet", "leaflet-geosearch", "leaflet-zoomhome", "leaflet-edgebuffer",
            "leaflet-rotate", "leaflet-tilelayer-wmts",
        ],
        heads: &[
            "__$strToBlobUri(", "simpleheat, a tiny JavaScript library", "var protomapsL=",
            "esri-leaflet - v", "esri-leaflet-vector - v", "Leaflet.markercluster ", "Leaflet.draw ",
            "Leaflet TimeDimension v", "leaflet-wfst ", "leaflet.fullscreen", "leaflet.nontiledlayer",
            "MarkerClusterGroup=", "leaflet.wms.js", "L.VectorGrid", "esri-leaflet-geocoder - v",
            "leaflet-providers",
        ],
        tails: &[
            "(window, document)", "[2,1])(2)", "L.canvas.tile", "bundle everything", "protobuf tiles",
            "heatLayer", "Sheet", "}(window,document)", "}(window, document)", "},window)", "}, window)",
            "L.WMS", "L.Canvas.Tile", "wms.js",
        ],
        ..NONE
    },
    ScriptLibrary {
        id: "mapbox-gl",
        is_map: true,
        files: &[
            "mapbox-gl", "mapbox-gl-csp", "mapbox-gl-csp-worker", "mapbox-gl-draw", "mapbox-gl-geocoder",
            "mapbox", "mapbox-standalone",
        ],
        packages: &["mapbox-gl", "@mapbox/mapbox-gl-draw", "@mapbox/mapbox-gl-geocoder", "mapbox.js"],
        places: &["api.mapbox.com/", "api.tiles.mapbox.com/"],
        heads: &[
            "Mapbox GL JS is ", ".mapboxgl=", "var mapboxgl=", "(e=e||self).mapboxgl",
            "const e={antialias:!1,alpha:!0,stencil:!0,depth:!0}",
        ],
        tails: &[
            "return mapboxgl", "mapboxgl=", "sourceMappingURL=data:", "sourceMappingURL=mapbox-gl",
            "MapboxGL",
        ],
        most: 24_000,
    },
    ScriptLibrary {
        id: "maplibre-gl",
        is_map: true,
        files: &[
            "maplibre-gl", "maplibre-gl-csp", "maplibre-gl-csp-worker", "maplibre-gl-worker", "maptiler-sdk",
            "pmtiles", "protomaps",
        ],
        packages: &["maplibre-gl", "@maptiler/sdk", "pmtiles", "maplibre"],
        places: &["cdn.maptiler.com/"],
        heads: &["MapLibre GL JS", ".maplibregl=", "var maplibregl=", "var pmtiles="],
        tails: &[
            "setWorkerUrl", "setWorkerCount", "return maplibregl", "sourceMappingURL=data:", "PMTiles",
            "(self))",
        ],
        most: 24_000,
    },
    ScriptLibrary {
        id: "cesium",
        is_map: true,
        files: &["cesium"],
        packages: &["cesium", "@cesium/engine", "@cesium/widgets"],
        places: &["cesium.com/downloads/", "cesiumjs.org/releases/", "cesiumjs.org/Cesium/"],
        heads: &[
            "Cesium - https://github.com/CesiumGS/cesium",
            "Cesium - https://github.com/AnalyticalGraphicsInc/cesium",
            "Cesium - http://github.com/AnalyticalGraphicsInc",
        ],
        tails: &["CESIUM_VERSION", "Cesium"],
        most: 24_000,
    },
    ScriptLibrary {
        id: "arcgis",
        is_map: true,
        places: &["js.arcgis.com/", "serverapi.arcgisonline.com/", "jsdev.arcgis.com/", "js.arcgis.com:443/"],
        packages: &["@arcgis/core", "@arcgis/map-components", "esri-loader", "@esri/arcgis-rest-request"],
        heads: &[
            "All material copyright ESRI, All Rights Reserved",
            "All material copyright Esri. All Rights Reserved", "COPYRIGHT © Esri",
        ],
        tails: &["require("],
        most: 8_000,
        ..NONE
    },
    ScriptLibrary {
        id: "google-maps",
        is_map: true,
        places: &["maps.googleapis.com/maps", "maps.google.com/maps", "maps.gstatic.com/"],
        ..NONE
    },
    ScriptLibrary {
        id: "basemap-api",
        is_map: true,
        places: &[
            "www.bing.com/api/maps/", "ecn.dev.virtualearth.net/", "dev.virtualearth.net/",
            "js.api.here.com/", "js.cit.api.here.com/", "api-maps.yandex.ru/", "webapi.amap.com/",
            "api.map.baidu.com/", "atlas.microsoft.com/sdk/", "cdn.apple-mapkit.com/", "dapi.kakao.com/",
            "openapi.map.naver.com/", "api.tomtom.com/maps-sdk", "api.mapy.cz/",
        ],
        ..NONE
    },
    ScriptLibrary {
        id: "proj4",
        is_map: true,
        files: &["proj4", "proj4js", "proj4-src", "proj4js-combined", "proj4js-compressed"],
        packages: &["proj4", "proj4js"],
        heads: &[".proj4=", ".proj4 = ", "proj4js.js -- Javascript reprojection library"],
        tails: &["return proj4", "Proj4js", "projections.add("],
        ..NONE
    },
    ScriptLibrary {
        id: "deckgl",
        is_map: true,
        packages: &[
            "deck.gl", "@deck.gl/core", "@deck.gl/json", "@deck.gl/layers", "@deck.gl/mapbox",
            "@loaders.gl/core",
        ],
        files: &["deckgl", "deck-gl"],
        heads: &[
            "(function webpackUniversalModuleDefinition(root, factory) {\n  if (typeof exports === 'object' && typeof module === 'object')\n    module.exports = factory();\n  else if (typeof define === 'function' && define.amd) define([], factory);\n        else if (typeof exp",
        ],
        tails: &["return __exports__"],
        most: 6_000,
        ..NONE
    },
    ScriptLibrary {
        id: "map-tools",
        is_map: true,
        files: &[
            "turf", "topojson", "topojson-client", "topojson-server", "togeojson", "itowns", "worldwind",
            "geotiff", "shp", "shapefile", "flatgeobuf-geojson", "terraformer", "wicket", "georaster", "jsts",
            "geoext", "gxp",
        ],
        packages: &[
            "@turf/turf", "topojson", "topojson-client", "topojson-server", "togeojson", "@mapbox/togeojson",
            "@tmcw/togeojson", "itowns", "@nasaworldwind/worldwind", "geotiff", "shpjs", "flatgeobuf",
            "@terraformer/wkt", "wicket", "jsts",
        ],
        places: &["files.worldwind.arc.nasa.gov/"],
        heads: &[
            "github.com/topojson/", ".turf={}", ".turf = {}", "var toGeoJSON", "itowns.umd.js.LICENSE",
            "Jonathan Feinberg",
        ],
        tails: &["toGeoJSON"],
        most: 4_000,
    },
    ScriptLibrary {
        id: "jquery",
        files: &[
            "jquery", "jquery-ui", "jquery-migrate", "jquery-cookie", "jquery-mobile", "jquery-form",
            "jquery-validate", "jquery-slim", "jquery-easing", "jquery-ui-custom",
        ],
        packages: &["jquery", "jqueryui", "jquery-ui", "jquery-ui-dist", "jquery-migrate"],
        places: &["code.jquery.com/"],
        heads: &[
            "jQuery JavaScript Library v", "/*! jQuery v", "/*! jQuery UI - v", "jQuery UI ",
            "Sizzle CSS Selector Engine", "/*! Sizzle v", "jQuery Migrate",
        ],
        tails: &["jQuery", "a.$=", "ui.tooltip", "Sizzle", "e.$="],
        ..NONE
    },
    ScriptLibrary {
        id: "d3",
        files: &["d3", "d3-geo", "d3-scale", "d3-array", "d3-selection", "d3-tip", "d3-queue"],
        packages: &["d3", "d3-geo", "d3-geo-projection"],
        places: &["d3js.org/"],
        heads: &[
            "// https://d3js.org", "var d3 = {\n", "!function(){function n(n){return n&&(n.ownerDocument",
        ],
        tails: &["this.d3", "zoomTransform"],
        ..NONE
    },
    ScriptLibrary {
        id: "react",
        files: &["react", "react-dom", "react-is", "redux", "prop-types", "react-router", "react-bootstrap"],
        packages: &["react", "react-dom", "redux", "prop-types", "react-router-dom"],
        heads: &[
            "react.development.js", "react.production.min.js", "react-dom.development.js",
            "react-dom.production.min.js", "React v16", "/** @license React v", "react-dom.profiling.min.js",
            "react-dom-",
        ],
        most: 2_000,
        tails: &[".version=\"", ".version = ", "ReactVersion"],
        ..NONE
    },
    ScriptLibrary {
        id: "vue",
        files: &[
            "vue", "vue-global", "vue-runtime", "vue-router", "vuex", "vuetify", "vue-esm-browser",
            "vue-runtime-global", "vue-resource", "pinia",
        ],
        packages: &["vue", "vue-router", "vuex", "vuetify", "@vue/composition-api"],
        heads: &["* Vue.js v", "* vue v", "vue-router v", "Vuetify v"],
        tails: &[
            "withModifiers", "withScopeId", "watchSyncEffect", "}({})", "withMemo", "watchPostEffect",
            "return exports", "Vue",
        ],
        ..NONE
    },
    ScriptLibrary {
        id: "angular",
        files: &[
            "angular", "angular-route", "angular-sanitize", "angular-animate", "angular-resource",
            "angular-cookies", "angular-ui-router", "ui-bootstrap-tpls", "zone",
        ],
        packages: &["angular", "angular.js", "zone.js", "@angular/core", "rxjs"],
        heads: &["AngularJS v", "@license Angular v", "github.com/ReactiveX/RxJS"],
        tails: &["ng-anchor", "window.angular", "})(window, window.angular)"],
        ..NONE
    },
    ScriptLibrary {
        id: "three",
        files: &["three", "three-module", "three-core", "three-webgpu", "three-tsl", "three-webgpu-nodes"],
        packages: &["three", "three.js"],
        heads: &["Three.js Authors", "// threejs.org/license", "// three.js - http"],
        tails: &[
            "ZeroStencilOp", "sRGBEncoding", "workingToColorSpace", "vectorComponents", "yieldToMain",
            "warnOnce", "ZeroSlopeEnding", "THREE",
        ],
        most: 4_000,
        ..NONE
    },
    ScriptLibrary {
        id: "bootstrap",
        files: &[
            "bootstrap", "bootstrap-bundle", "bootstrap-esm", "bootstrap-table", "bootstrap-select",
            "bootstrap-datepicker", "bootstrap-slider", "popper", "tether", "bootbox", "materialize",
            "foundation", "semantic", "uikit",
        ],
        packages: &["bootstrap", "popper.js", "@popperjs/core", "twitter-bootstrap", "bootstrap-table"],
        places: &["maxcdn.bootstrapcdn.com/", "stackpath.bootstrapcdn.com/", "netdna.bootstrapcdn.com/"],
        heads: &["* Bootstrap v", "bootstrap.js v", "@popperjs/core v", "popper.js"],
        tails: &["}(jQuery)", "window.jQuery)", "index_umd", "Tooltip:"],
        ..NONE
    },
    ScriptLibrary {
        id: "lodash",
        files: &[
            "lodash", "lodash-core", "underscore", "underscore-esm", "underscore-umd", "backbone", "ramda",
        ],
        packages: &["lodash", "lodash.js", "underscore", "underscore.js", "backbone", "backbone.js"],
        heads: &[
            "* Lodash ", "Underscore.js ", "Backbone.js ", "var n=typeof self==\"object\"",
            "github.com/lodash/", ".underscore=", "global._ = factory", "_=e()",
        ],
        tails: &["}.call(this)", "}).call(this)", "return Backbone", "_debug", "root._"],
        ..NONE
    },
    ScriptLibrary {
        id: "moment",
        files: &[
            "moment", "moment-with-locales", "moment-timezone", "moment-timezone-with-data", "dayjs", "luxon",
            "date-fns", "daterangepicker",
        ],
        packages: &["moment", "moment.js", "moment-timezone", "dayjs", "luxon"],
        heads: &["//! moment.js", "//! moment-timezone.js", "//! version : 2.", "//! locale"],
        tails: &["return hooks", "return moment"],
        ..NONE
    },
    ScriptLibrary {
        id: "charts",
        files: &[
            "chart", "chart-umd", "highcharts", "highstock", "plotly", "echarts", "c3", "nvd3", "apexcharts",
            "raphael", "amcharts", "dygraph", "vega", "vega-lite", "vega-embed",
        ],
        packages: &[
            "chart.js", "Chart.js", "highcharts", "plotly.js", "plotly.js-dist-min", "echarts", "vega",
            "vega-lite", "vega-embed",
        ],
        places: &[
            "code.highcharts.com/", "cdn.plot.ly/", "www.gstatic.com/charts/", "www.amcharts.com/lib/",
            "cdn.amcharts.com/lib/",
        ],
        heads: &["* Chart.js v", "* plotly.js v", "Highcharts JS v", "Highstock JS v"],
        tails: &["Plotly", "Chart", "Highcharts"],
        most: 6_000,
        ..NONE
    },
    ScriptLibrary {
        id: "polyfill",
        files: &[
            "polyfill", "polyfills-es5", "core-js-bundle", "babel-polyfill", "es6-promise", "es6-shim",
            "es5-shim", "html5shiv", "respond", "modernizr", "fetch-polyfill", "whatwg-fetch", "require",
            "system", "es-module-shims", "regenerator-runtime", "babel", "babel-standalone",
            "webcomponents-bundle", "webcomponents-loader",
        ],
        packages: &[
            "core-js", "core-js-bundle", "babel-polyfill", "@babel/polyfill", "@babel/standalone",
            "requirejs", "require.js", "es-module-shims", "systemjs", "html5shiv", "modernizr", "es6-shim",
            "whatwg-fetch",
        ],
        places: &[
            "polyfill.io/", "cdn.polyfill.io/", "polyfill-fastly.io/", "polyfill-fastly.net/",
            "cdnjs.cloudflare.com/polyfill/",
        ],
        heads: &["* core-js ", "@license html5shiv", "HTML5 Shiv", "Modernizr", "RequireJS "],
        tails: &["]); }();", "n(n.s=0)}()", "}(this,document)", "}(this, document)", "setTimeout)"],
        ..NONE
    },
    ScriptLibrary {
        id: "interface",
        files: &[
            "axios", "select2", "select2-full", "toastr", "handlebars", "handlebars-runtime", "mustache",
            "knockout", "ember", "jszip", "papaparse", "filesaver", "html2canvas", "jspdf", "sweetalert",
            "sweetalert2", "swiper", "swiper-bundle", "slick", "owl-carousel", "lightbox", "fancybox",
            "jquery-fancybox", "datatables", "jquery-datatables", "socket-io", "nouislider", "flatpickr",
            "highlight", "highlight-pack", "prism", "fontawesome", "fontawesome-all", "tinymce", "ckeditor",
            "codemirror", "ace", "dojo", "ext-all", "ext-base", "ext-debug", "ext-all-debug", "prototype",
            "mootools", "scriptaculous", "yui", "lazysizes", "aos", "wow", "hammer", "masonry", "isotope",
            "chosen", "chosen-jquery", "i18next", "cookieconsent", "alpine", "htmx", "stats", "dat-gui",
            "tweenmax", "gsap", "anime", "mathjax", "katex", "jquery-lazyload",
        ],
        packages: &[
            "axios", "select2", "toastr", "toastr.js", "handlebars", "jszip", "papaparse", "file-saver",
            "html2canvas", "jspdf", "sweetalert2", "swiper", "datatables.net", "socket.io", "highlight.js",
            "prismjs", "@fortawesome/fontawesome-free", "dojo", "extjs", "ext-core",
        ],
        places: &[
            "use.fontawesome.com/", "kit.fontawesome.com/", "cdn.datatables.net/", "cdn.socket.io/",
            "cdn.tiny.cloud/", "cdn.ckeditor.com/", "cdn.mathjax.org/", "extjs.cachefly.net/",
            "cdn.sencha.com/",
        ],
        heads: &[
            "/*! Axios v", "Axios v", "* Select2 ", "/*! Select2 ", "* Toastr", "handlebars v", "JSZip v",
            "Papa Parse", "Highlight.js v", "* Swiper ", "* Socket.IO v", "Font Awesome ",
            "Knockout JavaScript library", "Ext JS Library", "DataTables ", "Prototype JavaScript framework",
        ],
        tails: &["hljs", "toastr", "select2", "customElements.define", "register();", "jQuery)"],
        most: 3_000,
        ..NONE
    },
    ScriptLibrary {
        id: "tracking",
        files: &[
            "gtm", "gtag", "analytics", "ga", "matomo", "piwik", "fbevents", "hotjar", "cookiebot",
            "otsdkstub", "addthis_widget", "addthis-widget", "recaptcha", "cookieconsent", "cookie-consent",
            "uc", "klaro", "tarteaucitron", "eucookie", "clarity", "mixpanel", "segment", "atinternet",
            "smarttag", "xiti", "sharethis",
        ],
        packages: &["cookieconsent", "cookieconsent2", "vanilla-cookieconsent", "@sentry/browser", "klaro"],
        places: &[
            "www.googletagmanager.com/", "googletagmanager.com/", "www.google-analytics.com/",
            "ssl.google-analytics.com/", "connect.facebook.net/", "platform.twitter.com/",
            "static.hotjar.com/", "www.clarity.ms/", "cdn.cookielaw.org/", "consent.cookiebot.com/",
            "www.google.com/recaptcha/", "www.gstatic.com/recaptcha/", "hcaptcha.com/", "js.hcaptcha.com/",
            "challenges.cloudflare.com/", "s7.addthis.com/", "static.addtoany.com/",
            "pagead2.googlesyndication.com/", "securepubads.g.doubleclick.net/",
            "static.cloudflareinsights.com/", "plausible.io/", "snap.licdn.com/", "bat.bing.com/",
            "js-agent.newrelic.com/", "browser.sentry-cdn.com/", "use.typekit.net/", "www.youtube.com/",
            "player.vimeo.com/", "apis.google.com/", "accounts.google.com/", "translate.google.com/",
            "app.usercentrics.eu/", "js.hs-scripts.com/", "widget.intercom.io/", "static.zdassets.com/",
            "cdn.jsdelivr.net/gh/orestbida/", "siteimproveanalytics.com/", "siteimproveanalytics.io/",
            "cdn.matomo.cloud/", "stats.wp.com/", "platform.linkedin.com/", "widgets.wp.com/",
            "script.crazyegg.com/", "cdn.segment.com/", "js.stripe.com/", "dap.digitalgov.gov/",
            "www.googleadservices.com/", "mc.yandex.ru/", "hm.baidu.com/",
        ],
        heads: &[
            "* Matomo - free/libre analytics platform", "* Piwik - ", "Google Tag Manager", "cookieconsent v",
            "CookieConsent ",
        ],
        ..NONE
    },
];
