//! Scripts that do not contain the address in one piece: it is built from values, modules,
//! documents or proxies, or only by running the code.

use super::javascript::{WMS, escape_literal, host_and_rest, inline_for};
use super::{RevealDocument, RevealForm, RevealWay, ShownResource, UrlForm};
use serde_json::json;
use std::fmt::Write as _;

/// A script that must be run to find the address.
const fn run(tag: &'static str, write: fn(&ShownResource, &mut String)) -> RevealWay {
    let mut way = inline_for(tag, WMS, write);
    way.level = Some(3);
    way
}

const fn with_document(
    tag: &'static str,
    path: fn(usize) -> String,
    link: fn(&ShownResource, &mut String),
    write: fn(&ShownResource) -> RevealDocument,
) -> RevealWay {
    let form = RevealForm::Document { path, link, in_head: false, write };
    RevealWay { tag, surface: false, level: Some(2), kinds: WMS, url: UrlForm::Endpoint, form }
}

pub(super) static WAYS: &[RevealWay] = &[
    inline_for("js:template-literal", WMS, |s, out| {
        parts(
            s,
            out,
            "const host = `HOST`; L.tileLayer.wms(`${'http'}://${host}/PATH`, { layers: `LAYER` }).addTo(map);",
        );
    }),
    inline_for("js:object-member", WMS, |s, out| {
        parts(
            s,
            out,
            "var App = { cfg: { maps: { server: 'HOST', service: 'PATH', layers: ['LAYER'] } } };\nvar m = App.cfg.maps;\nL.tileLayer.wms('http:' + '//' + m.server + '/' + App.cfg['maps'].service, { layers: m.layers[0] }).addTo(map);",
        );
    }),
    inline_for("js:array", WMS, |s, out| {
        parts(
            s,
            out,
            "var servers = ['', 'HOST'], paths = ['PATH'];\nmap.addLayer(new ol.layer.Tile({ source: new ol.source.TileWMS({ urls: ['http:' + '//' + servers[1] + '/' + paths[0]], params: { LAYERS: 'LAYER' } }) }));",
        );
    }),
    inline_for("js:join", WMS, |s, out| {
        parts(
            s,
            out,
            "L.tileLayer.wms(['http:', '', 'HOST', 'PATH'].join('/'), { layers: 'LAYER' }).addTo(map);",
        );
    }),
    inline_for("js:concat-method", WMS, |s, out| {
        parts(
            s,
            out,
            "L.tileLayer.wms('http:'.concat('/', '/', 'HOST', '/', 'PATH'), { layers: 'LAYER' }).addTo(map);",
        );
    }),
    inline_for("js:replace", WMS, |s, out| {
        parts(
            s,
            out,
            "L.tileLayer.wms('http:|%host%|PATH'.replace('|', '//').replace('%host%', 'HOST').replace('|', '/'), { layers: 'LAYER' }).addTo(map);",
        );
    }),
    inline_for("js:ternary", WMS, |s, out| {
        parts(
            s,
            out,
            "var host = window.devicePixelRatio > 9 ? 'print.invalid' : 'HOST';\nL.tileLayer.wms('http:' + '//' + host + '/PATH', { layers: 'LAYER' }).addTo(map);",
        );
    }),
    inline_for("js:default-parameter", WMS, |s, out| {
        parts(
            s,
            out,
            "function addWms(layers, host = 'HOST', path = 'PATH') { L.tileLayer.wms('http:' + '//' + host + '/' + path, { layers: layers }).addTo(map); }\naddWms('LAYER');",
        );
    }),
    inline_for("js:window-property", WMS, |s, out| {
        parts(
            s,
            out,
            "window.MAP_SERVER = 'HOST'; globalThis.MAP_PATH = '/PATH';</script>\n<script>L.tileLayer.wms('http:' + '//' + MAP_SERVER + window['MAP_PATH'], { layers: 'LAYER' }).addTo(map);",
        );
    }),
    inline_for("js:proxy", WMS, proxy),
    with_document("js:module-import", |n| format!("/static/dienste-{n}.js"), module_page, module),
    with_document("js:json-config", |n| format!("/static/karte-{n}/config.json"), config_page, config),
    with_document("js:jsonp-config", |n| format!("/static/layers-{n}.js"), jsonp_page, jsonp),
    run("js:char-codes", |s, out| {
        let codes: Vec<String> = s.url.chars().map(|c| u32::from(c).to_string()).collect();
        let _ = writeln!(
            out,
            "<script>var u = ''; [{}].forEach(function (c) {{ u += String.fromCharCode(c); }});\nL.tileLayer.wms(u, {{ layers: '{}' }}).addTo(map);</script>",
            codes.join(","),
            escape_literal(&s.layer)
        );
    }),
    run("js:loop", |s, out| {
        let backwards: String = s.url.chars().rev().collect();
        let _ = writeln!(
            out,
            "<script>var back = \"{}\", u = ''; for (var i = back.length - 1; i >= 0; i--) u += back.charAt(i);\nnew ol.source.TileWMS({{ url: u, params: {{ LAYERS: '{}' }} }});</script>",
            escape_literal(&backwards),
            escape_literal(&s.layer)
        );
    }),
];

/// Writes a script; replaces `HOST`, `PATH` and `LAYER` inside of literals.
fn parts(s: &ShownResource, out: &mut String, code: &str) {
    let (host, path) = host_and_rest(&s.url);
    // The replacements are lower case, so they contain none of the names still to be replaced.
    let code = code
        .replace("LAYER'", &format!("{}'", escape_literal(&s.layer)))
        .replace("LAYER`", &format!("{}`", escape_literal(&s.layer)));
    let code = code
        .replace("HOST", &host)
        .replace("PATH'", &format!("{path}'"))
        .replace("PATH`", &format!("{path}`"));
    let _ = writeln!(out, "<script>{code}</script>");
}

fn proxy(s: &ShownResource, out: &mut String) {
    let _ = writeln!(
        out,
        "<script>var proxied = '/cgi-bin/proxy.cgi?url=' + encodeURIComponent(\"{}\");\nmap.addLayer(new OpenLayers.Layer.WMS(\"{}\", proxied, {{ layers: \"{}\" }}));</script>",
        escape_literal(&s.url),
        escape_literal(&s.title),
        escape_literal(&s.layer)
    );
}

/// Returns the path of the document on its host.
fn document_path(s: &ShownResource) -> &str {
    s.document.find("/static/").map_or("", |at| &s.document[at..])
}

fn module_page(s: &ShownResource, out: &mut String) {
    let _ = writeln!(
        out,
        "<div id=\"map{0}\"></div><script type=\"module\">import dienste, {{ ebene }} from \"{1}\";\nL.tileLayer.wms(dienste.adresse, {{ layers: ebene }}).addTo(L.map(\"map{0}\"));</script>",
        s.number,
        document_path(s)
    );
}

fn module(s: &ShownResource) -> RevealDocument {
    let (host, path) = host_and_rest(&s.url);
    let body = format!(
        "const host = \"{host}\";\nexport const ebene = \"{}\";\nexport default {{ adresse: `http://${{host}}/{path}` }};\n",
        escape_literal(&s.layer)
    );
    RevealDocument { content_type: "text/javascript", body }
}

fn config_page(s: &ShownResource, out: &mut String) {
    let _ = writeln!(
        out,
        "<div id=\"map{0}\"></div><script>fetch(\"{1}\").then(r => r.json()).then(c => c.ebenen.forEach(e => L.tileLayer.wms(e.adresse, {{ layers: e.name }}).addTo(map)));</script>",
        s.number,
        document_path(s)
    );
}

fn config(s: &ShownResource) -> RevealDocument {
    let value = json!({"version": 2, "ebenen": [{"titel": s.title, "adresse": s.url, "name": s.layer}]});
    RevealDocument { content_type: "application/json", body: value.to_string() }
}

fn jsonp_page(s: &ShownResource, out: &mut String) {
    let _ = writeln!(
        out,
        "<div id=\"map{0}\"></div><script>function zeige{0}(c) {{ L.tileLayer.wms(c.wms, {{ layers: c.layers.join(',') }}).addTo(map); }}</script>\n<script src=\"{1}\"></script>",
        s.number,
        document_path(s)
    );
}

fn jsonp(s: &ShownResource) -> RevealDocument {
    let value = json!({"wms": s.url, "layers": [s.layer]});
    RevealDocument { content_type: "text/javascript", body: format!("zeige{}({value});\n", s.number) }
}
