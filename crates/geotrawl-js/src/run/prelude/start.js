// Installs everything on the global object.
function storage() {
  const map = { __proto__: null };
  return new RealProxy({
    getItem(key) { const v = map[textOf(key)]; return v === undefined ? null : v; }, setItem(key, value) { map[textOf(key)] = textOf(value); }, removeItem(key) { delete map[textOf(key)]; }, clear() {}, key() { return null; }, length: 0,
  }, { __proto__: null, get(target, key) { return key in target ? target[key] : typeof key === 'string' ? map[key] : undefined; }, set(target, key, value) { map[textOf(key)] = textOf(value); return true; } });
}
const locationObject = {
  href: facts.location.href, protocol: facts.location.protocol, host: facts.location.host, hostname: facts.location.hostname, port: facts.location.port, pathname: facts.location.pathname, search: facts.location.search, hash: facts.location.hash, origin: facts.location.protocol + '//' + facts.location.host,
  assign() {}, replace() {}, reload() {}, toString() { return facts.location.href; }, ancestorOrigins: [],
};
const quiet = function () {};
const consoleObject = new RealProxy({}, { __proto__: null, get() { return quiet; } });
const browserName = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36';

const ranFunctions = { __proto__: null };
function install() {
  const g = realGlobal;
  const set = function (name, value) { hide(g, name, value); };
  hide(g, KEY, true);
  const selves = ['window', 'self', 'top', 'parent', 'frames'];
  for (let i = 0; i < selves.length; i++) set(selves[i], g);
  set('document', documentNode); set('opener', null); set('frameElement', null); set('name', ''); set('closed', false); set('length', 0);
  defineProperty(g, 'location', { __proto__: null, configurable: true, enumerable: true, get() { return locationObject; }, set() {} });
  set('history', { length: 1, state: null, pushState: quiet, replaceState: quiet, back: quiet, forward: quiet, go: quiet });
  set('navigator', { userAgent: browserName, appVersion: cutText(browserName, 8), appName: 'Netscape', appCodeName: 'Mozilla', product: 'Gecko', platform: 'Linux x86_64', vendor: 'Google Inc.', language: 'en', languages: ['en'], onLine: true, cookieEnabled: true, hardwareConcurrency: 1, maxTouchPoints: 0, msMaxTouchPoints: 0, plugins: [], mimeTypes: [], geolocation: { getCurrentPosition: quiet, watchPosition() { return 0; }, clearWatch: quiet }, sendBeacon() { return true; }, clipboard: { writeText() { return new RealPromise(function () {}); } }, javaEnabled() { return false; }, serviceWorker: { register() { return new RealPromise(function () {}); }, addEventListener: quiet, ready: new RealPromise(function () {}) }, permissions: { query() { return new RealPromise(function () {}); } }, mediaDevices: {} });
  set('screen', { width: 1920, height: 1080, availWidth: 1920, availHeight: 1080, colorDepth: 24, pixelDepth: 24, orientation: { type: 'landscape-primary', addEventListener: quiet } });
  set('innerWidth', WIDE); set('innerHeight', TALL); set('outerWidth', WIDE); set('outerHeight', TALL); set('devicePixelRatio', 1); set('scrollX', 0); set('scrollY', 0); set('pageXOffset', 0); set('pageYOffset', 0); set('isSecureContext', true); set('origin', locationObject.origin);
  set('localStorage', storage()); set('sessionStorage', storage()); set('console', consoleObject);
  set('performance', { now() { return clock; }, mark: quiet, measure: quiet, getEntriesByType() { return []; }, getEntriesByName() { return []; }, clearMarks: quiet, clearMeasures: quiet, timing: {}, timeOrigin: 0, navigation: {} });
  set('matchMedia', function (query) { return { matches: false, media: textOf(query), addListener: quiet, removeListener: quiet, addEventListener: quiet, removeEventListener: quiet }; });
  set('getComputedStyle', function (node) { return isObject(node) && weakHas(inner, node) ? new RealProxy(makeStyle(), { __proto__: null, get(target, key) { return key === 'width' ? '1024px' : key === 'height' ? '768px' : key === 'fontSize' ? '16px' : typeof key === 'string' && matches(/width|top|left|right|bottom|padding|margin|border/i, key) ? '0px' : key in target ? target[key] : ''; } }) : makeStyle(); });
  set('getSelection', function () { return null; }); set('alert', quiet); set('confirm', function () { return true; }); set('prompt', function () { return ''; }); set('open', function (url) { host.call('open', false, [url], probe); return g; }); set('close', quiet); set('print', quiet); set('focus', quiet); set('blur', quiet); set('scrollTo', quiet); set('scroll', quiet); set('scrollBy', quiet); set('postMessage', quiet); set('stop', quiet); set('moveTo', quiet); set('resizeTo', quiet);
  set('addEventListener', function (type, fn) { listen(g, textOf(type), fn); }); set('removeEventListener', quiet); set('dispatchEvent', function (event) { fire(g, event); return true; }); set('attachEvent', function (type, fn) { listen(g, cutText(textOf(type), 2), fn); }); set('detachEvent', quiet);
  set('fetch', fetchStandin); set('atob', atobText); set('btoa', btoaText);
  set('structuredClone', copyDeep); set('reportError', quiet);
  set('crypto', { getRandomValues(list) { for (let i = 0; isObject(list) && i < list.length && i < 65536; i++) list[i] = floor(random() * 256); return list; }, randomUUID() { return '00000000-0000-4000-8000-000000000000'; }, subtle: { digest() { return new RealPromise(function () {}); } } });
  const classes = { EventTarget, Event, CustomEvent, MouseEvent: Event, KeyboardEvent: Event, UIEvent: Event, MessageEvent: Event, PointerEvent: Event, WheelEvent: Event, HashChangeEvent: Event, ErrorEvent: Event, Node, Element, HTMLElement, HTMLImageElement, HTMLCanvasElement, HTMLScriptElement, HTMLDivElement, HTMLInputElement, HTMLIFrameElement, HTMLAnchorElement, HTMLVideoElement, SVGElement, Text, Document, HTMLDocument: Document, DocumentFragment: Element, ShadowRoot: Element, Image, Option, Headers, Response, Request, XMLHttpRequest, Blob, File, FormData, AbortController, AbortSignal: EventTarget, Worker, SharedWorker: Worker, WebSocket, EventSource, MutationObserver, ResizeObserver, IntersectionObserver, PerformanceObserver, URL, URLSearchParams, TextEncoder, TextDecoder };
  const names = keysOf(classes);
  for (let i = 0; i < names.length; i++) set(names[i], classes[names[i]]);
  class Empty {}
  const empties = ['DOMParser', 'XMLSerializer', 'FileReader', 'ImageData', 'Path2D', 'OffscreenCanvas$', 'DOMMatrix', 'Range', 'Selection', 'NodeList', 'HTMLCollection', 'CSSStyleSheet', 'BroadcastChannel', 'Audio', 'DOMRect', 'Touch', 'TouchEvent$'];
  for (let i = 0; i < empties.length; i++) set(empties[i], i < 3 ? standin([empties[i]], 0, false, [], false) : class extends Empty {});
  // Framework schedulers post messages to themselves.
  set('MessageChannel', class MessageChannel {
    constructor() {
      const one = new EventTarget(), two = new EventTarget();
      const post = function (to) { return function (data) { enqueue('soon', function () { const event = makeEvent('message', to); hide(event, 'data', data); fire(to, event); }, undefined, []); }; };
      one.postMessage = post(two); two.postMessage = post(one); one.start = two.start = one.close = two.close = quiet;
      one.onmessage = two.onmessage = null;
      this.port1 = one; this.port2 = two;
    }
  });
  set('createImageBitmap', function () { return new RealPromise(function (resolve) { resolve({ width: 256, height: 256, close: quiet }); }); });
  set('CSS', { supports() { return false; }, escape: textOf });
  set('customElements', { define(name, type) {
    const tag = textOf(name); customs[tag] = type;
    const there = findAll(documentNode, tag);
    enqueue('later', function () { pendingTag = tag; let node; try { node = construct(type, []); } finally { pendingTag = ''; } if (there[0]) { assignAll(state(node).attributes, state(there[0]).attributes); } if (typeof node.connectedCallback === 'function') node.connectedCallback(); }, undefined, []);
  }, get(name) { return customs[textOf(name)]; }, whenDefined() { return new RealPromise(function (resolve) { resolve(); }); }, upgrade: quiet });
  installTimers(g);
  installSystem(g);
  if (facts.amd) installAmd(g);
  installBounds();
  deleteProperty(g, 'Atomics'); deleteProperty(g, 'SharedArrayBuffer'); deleteProperty(g, 'WebAssembly');
  // Handlers that are assigned rather than added.
  const handlers = ['onload', 'onDOMContentLoaded'];
  for (let i = 0; i < handlers.length; i++) { let now; defineProperty(g, handlers[i], { __proto__: null, configurable: true, enumerable: false, get() { return now; }, set(fn) { now = fn; if (typeof fn === 'function') enqueue('later', fn, g, [makeEvent('load', g)]); } }); }
  // Elements with an id are properties of the window.
  for (const id in byId) if (!(id in g) && matches(/^[A-Za-z_$][\w$]*$/, id)) defineProperty(g, id, hidden(byId[id]));
  for (let i = 0; i < facts.names.length; i++) if (!(facts.names[i] in g)) set(facts.names[i], facts.names[i] === '$' ? named(['$']) : LIBRARY[facts.names[i]] || named([facts.names[i]]));
  set(host.hooks[0], function (object, script, offset) { host.object(object, script, offset, probe); return object; });
  set(host.hooks[1], function (args, name, isNew, script, offset) { host.site(args, name, isNew, [script, offset], probe); return args; });
  set(host.hooks[2], function (error) { failed(error); });
  set(host.hooks[3], function (id, load) { if (host.late()) throw new RangeError('too late'); const text = urlText(id); if (host.module(text)) return load(text); if (matches(/^\.{0,2}\//, text) || matches(/^https?:/, text)) host.want(text, 'script'); return new RealPromise(function (resolve) { resolve(standin(modulePath(text), 0, false, [], true)); }); });
  set(host.hooks[5], function (name) { ranFunctions[name] = true; });
  set(host.hooks[4], function (id) { return moduleStandin(id); });
}
install();
return {
  __proto__: null,
  tick,
  define(name) { const text = textOf(name); if (!(text in realGlobal)) { hide(realGlobal, text, named([text])); return true; } return false; },
  // At the very end: calls functions that nothing has called, as a click would, with stand-ins as
  // arguments.
  force(names, scripts) {
    for (let i = 0; i < names.length && i < 200; i++) {
      const name = names[i], script = scripts[i];
      if (ranFunctions[name]) continue;
      enqueue('later', function () {
        host.enter(script);
        if (ranFunctions[name]) return;
        const fn = (0, eval)(name);
        if (typeof fn !== 'function' || isStandin(fn)) return;
        const at = findText(name, '.'), last = replaceText(name, /^.*\./, '');
        const args = argumentsFor(fn);
        if (matches(/^[A-Z]/, last)) construct(fn, args); else apply(fn, at < 0 ? undefined : (0, eval)(cutText(name, 0, name.length - last.length - 1)), args);
      }, undefined, []);
    }
  },
  // After the scripts: calls what the page itself would start.
  finish(names) {
    for (let i = 0; i < onloads.length; i++) { const code = onloads[i]; enqueue('later', function () { (0, eval)(code); }, undefined, []); }
    for (let i = 0; i < names.length; i++) { const fn = lookUp(names[i]); if (typeof fn === 'function' && !isStandin(fn)) { let known = weakGet(callCounts, fn); if (!known) { weakSet(callCounts, fn, 1); enqueue('later', fn, realGlobal, []); } } }
  },
};
