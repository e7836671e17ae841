//! Modules, bundles, documents, source maps, needed resources.

use super::{app, document, folded, has, lines, script, shown_in};
use crate::model::{MapApp, NeededResource, NeededResourceKind, PageElement};

fn modules(parts: &[(&str, &str)]) -> MapApp {
    let mut app = app("");
    app.scripts = parts
        .iter()
        .map(|(url, code)| script(&format!("https://page.example/js/{url}"), code, true))
        .collect();
    app
}

fn wants(app: &MapApp) -> Vec<(NeededResourceKind, String)> {
    folded(app).wants.into_iter().map(|NeededResource { url, kind }| (kind, url)).collect()
}

#[test]
fn imports_and_exports() {
    let app = modules(&[
        (
            "main.js",
            "import c, {u as v, f} from './cfg.js'; import * as n from './cfg.js'; show(c.x, v, n.u, f('z')); ",
        ),
        (
            "cfg.js",
            "export const u = 'a'; export default {x: 'b'}; export function f(p) { return u + p }; export * from './more.js'",
        ),
    ]);
    assert_eq!(shown_in(&app), ["'b', 'a', 'a', 'az'"]);
    assert_eq!(wants(&app), [(NeededResourceKind::Script, "https://page.example/js/more.js".to_owned())]);
}

#[test]
fn imports_of_libraries_have_names() {
    let app = modules(&[(
        "main.js",
        "import T from 'ol/source/TileWMS.js'; import {TileWMS as Q} from 'ol/source'; import * as C from 'cesium'; new T('a'); new Q('b'); C.show('c');",
    )]);
    assert_eq!(
        lines(&folded(&app)),
        ["new ol.source.TileWMS('a')", "new ol.source.TileWMS('b')", "cesium.show('c')"]
    );
    assert!(wants(&app).is_empty());
}

#[test]
fn import_maps() {
    let mut app = modules(&[
        ("main.js", "import {u} from 'cfg'; import 'lib/x.js'; show(u)"),
        ("config.js", "export const u = 'a'"),
    ]);
    app.elements.push(PageElement {
        tag: "script".into(),
        attributes: vec![("type".into(), "importmap".into())],
        text: "{\"imports\":{\"cfg\":\"/js/config.js\",\"lib/\":\"https://cdn.example/lib/\"}}".into(),
    });
    assert_eq!(shown_in(&app), ["'a'"]);
    assert_eq!(wants(&app), [(NeededResourceKind::Script, "https://cdn.example/lib/x.js".to_owned())]);
}

#[test]
fn classic_scripts_share_their_globals() {
    let mut app = app("var cfg = {u: 'a'}; function add(u) { show(u) }");
    app.scripts.push(script(
        "https://page.example/b.js",
        "show(cfg.u); add('z'); App.x = {}; App.x.y = 'q'; show(App.x.y)",
        false,
    ));
    assert_eq!(shown_in(&app), ["'z'", "'a'", "'q'"]);
}

#[test]
fn amd() {
    let mut app = app(
        "require(['esri/layers/WMSLayer', './cfg', 'dojo/domReady!'], function (W, c) { new W(c.url); show(c.url) })",
    );
    app.scripts.push(script(
        "https://page.example/maps/cfg.js",
        "define(['x'], function (x) { return {url: 'a'} })",
        false,
    ));
    has(&app, "new esri.layers.WMSLayer('a')");
    assert_eq!(shown_in(&app), ["'a'"]);
}

#[test]
fn webpack() {
    let app = modules(&[
        (
            "main.js",
            "(()=>{var e={12:(e,t,n)=>{n.d(t,{Z:()=>r});const r={u:'a'}},13:(e,t,n)=>{var o=n(12);t.v=o.Z.u+'b'},14:function(e){e.exports={q:'c'}}},t={};function n(r){var o=t[r];if(void 0!==o)return o.exports;var i=t[r]={exports:{}};return e[r](i,i.exports,n),i.exports}n.u=e=>'js/'+e+'.'+{7:'abc'}[e]+'.js';n.p='/static/';(()=>{var r=n(13),i=n(14),a=n.n(i);show(r.v,i.q,a().q);n.e(7).then(n.bind(n,99))})()})();",
        ),
        (
            "chunk.js",
            "(self.webpackChunkx=self.webpackChunkx||[]).push([[7],{99:(e,t,n)=>{var r=n(12);show(r.Z.u)}}]);",
        ),
    ]);
    assert_eq!(shown_in(&app), ["'ab', 'c', 'c'", "'a'"]);
    assert_eq!(
        wants(&app),
        [(NeededResourceKind::Script, "https://page.example/static/js/7.abc.js".to_owned())]
    );
}

#[test]
fn browserify_and_esbuild() {
    let app = modules(&[
        (
            "a.js",
            "(function e(t,n,r){})({1:[function(require,module,exports){module.exports={u:'a'}},{}],2:[function(require,module,exports){var c=require('./c');show(c.u)},{'./c':1}]},{},[2]);",
        ),
        (
            "b.js",
            "var q=__commonJS({'src/c.js'(exports,module){module.exports={u:'b'}}});var c=__toESM(q());var d={};__export(d,{k:()=>kk});var kk='x';show(q().u)",
        ),
    ]);
    assert_eq!(shown_in(&app), ["'a'", "'b'"]);
}

#[test]
fn documents_flow() {
    let code = "fetch('config.json').then(r => r.json()).then(c => show(c.wms));
        (async () => { const c = await (await fetch('config.json')).json(); show(c.wms) })();
        $.getJSON('config.json', function (c) { show(c.wms) });
        axios.get('config.json').then(r => show(r.data.wms));
        axios.get('config.json').then(({data}) => show(data.wms));
        d3.json('config.json').then(c => show(c.wms));
        fetch('other.json'); fetch('data.geojson'); fetch('/geoserver/wms?x');";
    let mut app = app(code);
    app.documents.push(document("https://page.example/maps/config.json", "{\"wms\": \"a\"}"));
    assert_eq!(shown_in(&app), ["'a'"; 6]);
    assert_eq!(
        wants(&app),
        [(NeededResourceKind::Document, "https://page.example/maps/other.json".to_owned())]
    );
    app.documents[0].body = "cb({\"wms\": \"a\"});".into();
    assert_eq!(shown_in(&app).len(), 6);
}

#[test]
fn scripts_and_documents_are_wanted() {
    let code = "import('./x.js'); $.getScript('y.js'); var s = document.createElement('script'); s.src = '/z.js';
        new Worker(new URL('./w.js', location.href)); var r = new XMLHttpRequest(); r.open('GET', 'app/settings.json');
        $.ajax({url: 'layers.json'}); importScripts('i.js')";
    let found = wants(&app(code));
    let names: Vec<&str> = found.iter().filter_map(|(_, url)| url.rsplit('/').next()).collect();
    assert_eq!(names, ["settings.json", "layers.json", "x.js", "y.js", "w.js", "i.js", "z.js"]);
}

#[test]
fn source_maps() {
    let mut app = modules(&[("main.min.js", "show('min');\n//# sourceMappingURL=main.min.js.map")]);
    assert_eq!(
        wants(&app),
        [(NeededResourceKind::SourceMap, "https://page.example/js/main.min.js.map".to_owned())]
    );
    let map = serde_json::json!({
        "version": 3, "mappings": "",
        "sources": ["webpack:///./src/main.ts", "webpack:///./src/cfg.ts", "webpack:///./node_modules/ol/a.js", "webpack:///./src/A.vue"],
        "sourcesContent": ["import {u} from './cfg'; const v: string = u; show(v)", "export const u = 'a' as const", "show('ol')", "<template><a/></template><script setup lang=\"ts\">import {u} from '@/cfg'; show(u + 'vue')</script>"],
    });
    app.documents.push(document("https://page.example/js/main.min.js.map", &map.to_string()));
    assert_eq!(shown_in(&app), ["'a'", "'avue'"]);
    assert!(wants(&app).is_empty());
}
