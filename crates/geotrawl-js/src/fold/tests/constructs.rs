//! Values, one construct per test.

use super::{app, folded, has, lines, shows};
use crate::model::PageElement;

#[test]
fn variables_and_concatenation() {
    shows("var a = 'https://h.example'; const b = a + '/wms'; show(b)", "'https://h.example/wms'");
    shows("show(x); var x = 'a'", "'a'");
    shows("let a = 'a'; { let a = 'b'; show(a) } show(a)", "'b'; 'a'");
    shows("var u = 'a'; u = 'b'; show(u)", "<'a' | 'b'>");
    shows("var u = 'a'; u += 'b'; u += 'c'; show(u)", "'abc'");
    shows("var u; u = 'a'; show(u)", "'a'");
    shows("function f(){ v = 'a' } show(v)", "'a'");
    shows("show('a' + unknown() + 'b' + x + y)", "'a…b…'");
    shows("show(1 + 2); show('v' + 1.5)", "3; 'v1.5'");
    shows("const s = 'ab'; show(`x${s}y${'z'}`); show(String.raw`a\\b${s}`)", "'xabyz'; 'a\\bab'");
}

#[test]
fn members_of_objects() {
    shows("var c = {urls: {wms: 'a'}}; show(c.urls.wms); show(c['urls']['wms'])", "'a'; 'a'");
    shows("var c = {}; c.url = 'a'; show(c.url)", "'a'");
    shows("var c = {}; c.u = {}; c.u.w = 'a'; show(c.u.w)", "'a'");
    shows("var c = {}; c['url'] = 'a'; show(c)", "{url: 'a'}");
    shows("var k = 'wms'; var c = {wms: 'a', wfs: 'b'}; show(c[k]); show(c[q])", "'a'; <'a' | 'b'>");
    shows("var b = {x: 1}; show({...b, y: 2})", "{x: 1, y: 2}");
    shows("show(Object.assign({}, {a: 'x'}, {b: 'y'}).b)", "'y'");
    shows("var o = $.extend({a: 'x'}, {a: 'y'}); show(o.a)", "'y'");
    shows("var o = OpenLayers.Util.applyDefaults({a: 'x'}, {a: 'y', b: 'z'}); show(o.a + o.b)", "'xz'");
    shows("var o = {get url() { return 'a' + this.b }, b: 'c'}; show(o.url)", "'ac'");
    shows("show(Object.freeze({a: 'x'}).a)", "'x'");
    shows("var k = 'a'; show({[k]: 'x'}.a)", "'x'");
}

#[test]
fn lists() {
    shows(
        "var l = ['a', 'b']; show(l[1]); show(l.join('/')); show(['x', ...l])",
        "'b'; 'a/b'; ['x', 'a', 'b']",
    );
    shows("show(['a'].concat(['b'], 'c'))", "['a', 'b', 'c']");
    shows("show(['a', 'b'].map(x => x + '1'))", "['a1', 'b1']");
    shows("['a', 'b'].forEach(function (x) { show(x) })", "'a'; 'b'");
    shows("for (const x of ['a', 'b']) show(x + x)", "'aa'; 'bb'");
    shows("[{n: 'a', u: 1}, {n: 'b', u: 2}].forEach(l => show(l.n, l.u))", "'a', 1; 'b', 2");
    shows("for (const {n, u} of [{n: 'a', u: 1}, {n: 'b', u: 2}]) show(n, u)", "'a', 1; 'b', 2");
    shows("var o = {a: 'x'}; for (var k in o) show(k, o[k])", "'a', 'x'");
    shows("$.each(['a', 'b'], function (i, x) { show(x) })", "'a'; 'b'");
    shows("Object.keys({a: 1}).forEach(k => show(k))", "'a'");
    shows("Object.entries({a: 1}).forEach(([k, v]) => show(k, v))", "'a', 1");
}

#[test]
fn methods_of_texts() {
    shows("show('a{s}b'.replace('{s}', 'x'))", "'axb'");
    shows(
        "show('aXbX'.replace(/X/g, 'y')); show('a.b'.replace(/\\./, '-')); show('a/'.replace(/\\/$/, ''))",
        "'ayby'; 'a-b'; 'a'",
    );
    shows("show('aXbX'.replaceAll('X', 'y'))", "'ayby'");
    shows("show('a'.concat('b', 1)); show(' A '.trim().toLowerCase())", "'ab1'; 'a'");
    shows(
        "show('abcdef'.slice(1, 3) + 'abcdef'.substring(4) + 'abc'.substr(1, 1) + 'abc'.slice(-1))",
        "'bcefbc'",
    );
    shows("show('a,b'.split(',')[1])", "'b'");
    shows(
        "show(encodeURIComponent('a b/ä')); show(decodeURIComponent('a%2Fb')); show(encodeURI('a b'))",
        "'a%20b%2F%C3%A4'; 'a/b'; 'a%20b'",
    );
    shows(
        "show(atob('aHR0cHM6Ly9hLmIvd21z')); show(String(12)); show(JSON.parse('{\"a\":[\"b\"]}').a[0])",
        "'https://a.b/wms'; '12'; 'b'",
    );
    shows(
        "show(new URL('wms', 'https://a.example/x/').href); show(new URL('/q', location.href).toString())",
        "'https://a.example/x/wms'; 'https://page.example/q'",
    );
    shows("show('w?' + new URLSearchParams({service: 'WMS', x: 1}))", "'w?service=WMS&x=1'");
}

#[test]
fn choices() {
    shows("show(q ? 'a' : 'b')", "<'a' | 'b'>");
    shows("show(q || 'a'); show(q ?? 'a'); show(q && 'a'); show('' || 'a')", "'a'; 'a'; 'a'; 'a'");
    shows("show((dev ? 'x' : 'y') + '/wms')", "<'x/wms' | 'y/wms'>");
}

#[test]
fn functions() {
    shows("function u(p) { return 'h/' + p } show(u('a')); show(u('b'))", "'h/a'; 'h/b'");
    shows("const u = (p, q = 'd') => p + q; show(u('a'))", "'ad'");
    shows("function f(u, l) { show(u, l) } f('a', 1); f('b', 2)", "'a', 1; 'b', 2");
    shows("var f = function ({u = 'd', l} = {}) { show(u, l) }; f({l: 1})", "'d', 1");
    shows("(function (w, d) { w.cfg = 'a'; show(w.cfg) })(window, document); show(cfg)", "'a'; 'a'");
    shows("(function () { var a = 'x'; show(a) }).call(this)", "'x'");
    shows("show((() => 'a')())", "'a'");
    shows("var o = {add: function (u) { show(u) }}; o.add('a')", "'a'");
    shows("function f(n) { return f(n) } show('a' + f(1))", "'a…'");
    shows("function a(x) { return b(x) } function b(x) { return a(x) } show('a' + a(1))", "'a…'");
    shows("function o(l) { var r = {}; r.layer = l; return r } show(o('x').layer)", "'x'");
    shows("async function f() { return 'a' } async function g() { const v = await f(); show(v) }", "'a'");
}

#[test]
fn destructuring() {
    shows("const {a, b: {c}, d = 'z'} = {a: 'x', b: {c: 'y'}}; show(a + c + d)", "'xyz'");
    shows("const [a, b] = ['x', 'y']; show(a + b)", "'xy'");
    shows("var a; ({a} = {a: 'x'}); show(a)", "'x'");
}

#[test]
fn classes() {
    shows("class A { u = 'a'; static s = 'b'; m() { show(this.u + A.s) } }", "'ab'");
    shows(
        "class A { constructor() { this.u = 'a' } get v() { return this.u + 'v' } m() { show(this.v) } }",
        "'av'",
    );
    shows("class A { u = 'a' } class B extends A { m() { show(this.u) } }", "'a'");
    shows("function A() { this.u = 'a' } A.prototype.m = function () { show(this.u) }", "'a'");
    shows("var o = {u: 'a', m: function () { show(this.u) }}", "'a'");
    shows("class A { #u = 'a'; m() { show(this.#u) } }", "'a'");
    shows("class A {} A.u = 'a'; show(A.u)", "'a'");
    shows("class A { constructor(u) { this.u = u; show(this.u + '/wms') } } new A('a')", "'a/wms'");
}

#[test]
fn the_page() {
    shows("show(location.protocol + '//' + location.host + '/wms')", "'https://page.example/wms'");
    shows(
        "show(window.location.origin, document.location.pathname, document.baseURI)",
        "'https://page.example', '/maps/index.html', 'https://page.example/maps/'",
    );
    shows("window.a = 'x'; globalThis.b = a + 'y'; show(self.b)", "'xy'");
    let mut app = app(
        "show(document.getElementById('m').dataset.wmsUrl, document.querySelector('#m').getAttribute('title'), $('#m').data('wms-url'), JSON.parse(document.getElementById('c').textContent).u)",
    );
    let attributes = [("id", "m"), ("data-wms-url", "a"), ("title", "t")];
    let own =
        |pairs: &[(&str, &str)]| pairs.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect();
    app.elements.push(PageElement { tag: "div".into(), attributes: own(&attributes), text: String::new() });
    app.elements.push(PageElement {
        tag: "script".into(),
        attributes: own(&[("id", "c")]),
        text: "{\"u\":\"v\"}".into(),
    });
    has(&app, "show('a', 't', 'a', 'v')");
}

#[test]
fn names_of_what_is_called() {
    let all = |code: &str| lines(&folded(&app(code)));
    assert_eq!(
        all("L.tileLayer.wms('https://a.example/wms', {layers: 'x'})"),
        ["L.tileLayer.wms('https://a.example/wms', {layers: 'x'})"]
    );
    assert_eq!(all("var W = OpenLayers.Layer.WMS; new W('n', 'u')"), ["new OpenLayers.Layer.WMS('n', 'u')"]);
    assert_eq!(all("function f(x) { x.default.tileLayer.wms('u') }"), ["tileLayer.wms('u')"]);
    assert_eq!(all("(0, a.b.tileLayer)('u')"), ["a.b.tileLayer('u')"]);
    assert_eq!(all("var M = L.TileLayer.WMS.extend({x: 1}); new M('u')"), ["new L.TileLayer.WMS('u')"]);
    assert_eq!(all("class M extends ol.source.TileWMS {} new M('u')"), ["new ol.source.TileWMS('u')"]);
    assert_eq!(all("const {TileWMS: T} = ol.source; new T('u')"), ["new ol.source.TileWMS('u')"]);
    assert_eq!(
        all("map.on('load', function () { map.addSource('a', {type: 'raster'}) })"),
        ["map.addSource('a', {type: 'raster'})"]
    );
    assert_eq!(all("var m = new maplibregl.Map(); m.addSource('a', 1)"), ["addSource('a', 1)"]);
    assert_eq!(all("var S = require('ol/source'); new S.TileWMS('u')"), ["new ol.source.TileWMS('u')"]);
    assert_eq!(
        all("var s = _interop(require('ol/source/TileWMS')); new s.default('u')"),
        ["new ol.source.TileWMS('u')"]
    );
    assert_eq!(all("window.L.tileLayer('u')"), ["L.tileLayer('u')"]);
}

#[test]
fn objects_assignments_and_texts() {
    let all = |code: &str| lines(&folded(&app(code)));
    assert_eq!(all("x({url: b, z: 1}); var b = 'a'"), ["{url: 'a', z: 1}"]);
    assert_eq!(all("OpenLayers.ProxyHost = '/p?url='"), ["OpenLayers.ProxyHost = '/p?url='"]);
    assert_eq!(all("var h = 'https://a.example'; var q = h + '/wms'; f(q)"), ["f('https://a.example/wms')"]);
    assert_eq!(all("var q = 'https://a.example' + '/wms?' + x"), ["text https://a.example/wms?…"]);
    assert_eq!(
        all("q('See https://a.example for more'); /* 'https://c.example/wms' */"),
        Vec::<String>::new()
    );
    assert_eq!(
        all("function t(x, y) { return 'https://a.example/wms?BBOX=' + x }"),
        ["text https://a.example/wms?BBOX=…"]
    );
    assert_eq!(all("document.createElementNS('http://www.w3.org/2000/svg', 'a')"), Vec::<String>::new());
    assert_eq!(
        all("x({url: function (e) { return 'https://a.example/wfs?b=' + e }})"),
        ["{url: => 'https://a.example/wfs?b=…'}"]
    );
}

#[test]
fn layers_made_in_a_function() {
    let app = app(
        "var base = 'https://a.example'; function wms(l) { return new ol.source.TileWMS({url: base + '/wms', params: {LAYERS: l}}) } wms('x'); wms('y');",
    );
    has(&app, "new ol.source.TileWMS({url: 'https://a.example/wms', params: {LAYERS: 'x'}})");
    has(&app, "new ol.source.TileWMS({url: 'https://a.example/wms', params: {LAYERS: 'y'}})");
}

#[test]
fn typescript_and_jsx() {
    shows("enum E { A = 'x', B = 'y' } const u: string = E.A; show(u as any, E.B!)", "'x', 'y'");
    has(
        &app("const u = 'https://a.example/wms'; const e = <WMSTileLayer url={u} layers=\"x\" />;"),
        "WMSTileLayer({url: 'https://a.example/wms', layers: 'x'})",
    );
}

#[test]
fn what_does_not_parse_is_searched_for_texts() {
    let all = folded(&app("var a = 'https://a.example/wms'; // 'https://b.example/wms'\n )]} foo"));
    assert_eq!(lines(&all), ["text https://a.example/wms"]);
    assert_eq!(all.issues.len(), 1);
}
