// Requests: recorded, and answered from the fetched documents.
class Headers {
  constructor(init) { this.map = { __proto__: null }; eachOf(isPlain(init) ? init : {}, (value, key) => { this.map[lower(textOf(key))] = textOf(value); }); }
  get(name) { return this.map[lower(textOf(name))] || null; } set(name, value) { this.map[lower(textOf(name))] = textOf(value); } append(name, value) { this.set(name, value); } has(name) { return lower(textOf(name)) in this.map; } delete() {} forEach() {} entries() { return []; }
}
class Response {
  constructor(body, init) { this.bodyText = textOf(body); this.status = 200; this.ok = true; this.statusText = 'OK'; this.headers = new Headers({ 'content-type': 'application/json' }); this.url = ''; this.redirected = false; assignAll(this, init); }
  json() { const text = this.bodyText; return new RealPromise(function (resolve, reject) { try { resolve(parseJson(text)); } catch (error) { reject(error); } }); }
  text() { const text = this.bodyText; return new RealPromise(function (resolve) { resolve(text); }); }
  blob() { return new RealPromise(function (resolve) { resolve(new Blob([])); }); }
  arrayBuffer() { return new RealPromise(function (resolve) { resolve(new RealArrayBuffer(0)); }); }
  clone() { return this; }
}
class Request { constructor(url, init) { this.url = host.resolve(textOf(isObject(url) && !isStandin(url) && url.href ? url.href : url)); this.method = 'GET'; this.headers = new Headers(); assignAll(this, init); } clone() { return this; } }
function urlText(value) {
  if (typeof value === 'string') return value;
  if (isObject(value) && !isStandin(value)) { if (typeof value.href === 'string') return value.href; if (typeof value.url === 'string') return value.url; }
  return textOf(value);
}
function fetchStandin(input, init) {
  const url = urlText(input);
  host.call('fetch', false, [url, init], probe);
  const text = host.document(url, true);
  if (text !== undefined) { const response = new Response(text, { url: host.resolve(url) }); return new RealPromise(function (resolve) { resolve(response); }); }
  // The response is unknown, so the code continues with a stand-in.
  const answer = unknown(); const target = weakGet(targets, answer);
  hide(target, 'ok', true); hide(target, 'status', 200); hide(target, 'url', url);
  const names = ['json', 'text', 'blob', 'arrayBuffer'];
  for (let i = 0; i < names.length; i++) hide(target, names[i], function () { return new RealPromise(function (resolve) { resolve(unknown()); }); });
  return new RealPromise(function (resolve) { resolve(answer); });
}
class XMLHttpRequest extends EventTarget {
  constructor() { super(); this.readyState = 0; this.status = 0; this.responseText = ''; this.response = ''; this.responseType = ''; this.responseXML = null; this.statusText = ''; this.upload = new EventTarget(); this.withCredentials = false; this.timeout = 0; this.onload = null; this.onreadystatechange = null; this.onerror = null; this.onloadend = null; this.onprogress = null; hide(this, KEY, true); }
  open(method, url, later) { hide(this, 'asked', urlText(url)); hide(this, 'method', textOf(method)); hide(this, 'later', later !== false); this.readyState = 1; }
  setRequestHeader() {} overrideMimeType() {} abort() {} getResponseHeader(name) { return lower(textOf(name)) === 'content-type' ? 'application/json' : HOLE; } getAllResponseHeaders() { return ''; }
  send(data) {
    const self = this, url = textOf(self.asked);
    host.call('XMLHttpRequest\u0001open', false, [self.method, url], probe);
    const text = host.document(url, true);
    const finish = function () {
      self.readyState = 4;
      if (text === undefined) {
        self.status = 404; self.statusText = 'Not Found';
        // Run both callbacks: the one for success requests more than the one for failure.
        self.status = 200; self.responseText = self.responseType === 'json' ? '' : '{}'; self.response = self.responseType === 'json' ? unknown() : self.responseType === 'arraybuffer' ? new RealArrayBuffer(0) : self.responseType === 'blob' ? new Blob([]) : '{}';
      } else {
        self.status = 200; self.statusText = 'OK'; self.responseURL = host.resolve(url);
        if (self.responseType === 'json') { try { self.response = parseJson(text); } catch (_) { self.response = null; } } else { self.responseText = text; self.response = text; }
      }
      fire(self, makeEvent('readystatechange', self)); fire(self, makeEvent('load', self)); fire(self, makeEvent('loadend', self));
    };
    if (self.later === false) finish(); else enqueue('later', finish, undefined, []);
  }
}
hide(XMLHttpRequest, 'DONE', 4); hide(XMLHttpRequest.prototype, 'DONE', 4);
class Blob { constructor(parts) { this.size = 0; this.type = ''; hide(this, 'content', isArray(parts) ? textOf(parts[0]) : ''); } slice() { return this; } text() { const t = this.content; return new RealPromise(function (r) { r(t); }); } arrayBuffer() { return new RealPromise(function (r) { r(new RealArrayBuffer(0)); }); } }
class File extends Blob {}
class FormData { append() {} set() {} get() { return null; } has() { return false; } delete() {} entries() { return []; } }
class AbortController { constructor() { this.signal = new EventTarget(); this.signal.aborted = false; } abort() {} }
class Worker extends EventTarget { constructor(url) { super(); const text = urlText(url); host.call('Worker', true, [text], probe); if (!startsWith(text, 'blob:')) host.want(text, 'script'); } postMessage(message) { host.seen(message, probe); } terminate() {} }
class WebSocket extends EventTarget { constructor(url) { super(); host.call('WebSocket', true, [urlText(url)], probe); this.readyState = 0; } send() {} close() {} }
class EventSource extends EventTarget { constructor(url) { super(); host.call('EventSource', true, [urlText(url)], probe); } close() {} }
class Observer { constructor(fn) { hide(this, 'fn', fn); hide(this, 'seen', 0); } observe(target) { if (typeof this.fn !== 'function' || this.seen++ > 1) return; schedule(this.fn, this, [[{ target, isIntersecting: true, intersectionRatio: 1, contentRect: { width: WIDE, height: TALL, left: 0, top: 0 }, type: 'childList', addedNodes: [], removedNodes: [] }], this]); } unobserve() {} disconnect() {} takeRecords() { return []; } }
class MutationObserver extends Observer { observe() {} }
class ResizeObserver extends Observer {} class IntersectionObserver extends Observer {} class PerformanceObserver extends Observer { observe() {} }

// URLs are parsed by the host.
class URLSearchParams {
  constructor(init) {
    hide(this, 'list', []);
    if (typeof init === 'string') this.read(init);
    else if (isArray(init)) eachOf(init, (pair) => { if (isArray(pair)) this.append(pair[0], pair[1]); });
    else if (init instanceof URLSearchParams) { for (let i = 0; i < init.list.length; i++) this.append(init.list[i][0], init.list[i][1]); }
    else if (isPlain(init)) eachOf(init, (value, key) => { this.append(key, value); });
  }
  read(text) {
    const parts = splitText(startsWith(text, '?') ? cutText(text, 1) : text, '&');
    for (let i = 0; i < parts.length && i < 1000; i++) if (parts[i]) { const at = findText(parts[i], '='); append(this.list, at < 0 ? [unescapePart(parts[i]), ''] : [unescapePart(cutText(parts[i], 0, at)), unescapePart(cutText(parts[i], at + 1))]); }
  }
  append(name, value) { append(this.list, [textOf(name), textOf(value)]); this.changed(); }
  set(name, value) { const key = textOf(name); let done = false; const kept = []; for (let i = 0; i < this.list.length; i++) { if (this.list[i][0] !== key) append(kept, this.list[i]); else if (!done) { done = true; append(kept, [key, textOf(value)]); } } if (!done) append(kept, [key, textOf(value)]); hide(this, 'list', kept); this.changed(); }
  delete(name) { const kept = []; for (let i = 0; i < this.list.length; i++) if (this.list[i][0] !== textOf(name)) append(kept, this.list[i]); hide(this, 'list', kept); this.changed(); }
  get(name) { for (let i = 0; i < this.list.length; i++) if (this.list[i][0] === textOf(name)) return this.list[i][1]; return null; }
  getAll(name) { const out = []; for (let i = 0; i < this.list.length; i++) if (this.list[i][0] === textOf(name)) append(out, this.list[i][1]); return out; }
  has(name) { return this.get(name) !== null; }
  forEach(fn, self) { for (let i = 0; i < this.list.length; i++) apply(fn, self, [this.list[i][1], this.list[i][0], this]); }
  sort() {}
  get size() { return this.list.length; }
  keys() { return listIterator(this.list, 0); } values() { return listIterator(this.list, 1); } entries() { return listIterator(this.list, -1); }
  toString() { const out = []; for (let i = 0; i < this.list.length; i++) append(out, replaceText(encodeText(this.list[i][0]), /%20/g, '+') + '=' + replaceText(encodeText(this.list[i][1]), /%20/g, '+')); return joinList(out, '&'); }
  changed() { if (this.owner) this.owner.search = this.toString(); }
}
hide(URLSearchParams.prototype, toIterator, URLSearchParams.prototype.entries);
function listIterator(list, part) { let at = 0; const it = { next() { if (at >= list.length) return { value: undefined, done: true }; const pair = list[at++]; return { value: part < 0 ? [pair[0], pair[1]] : pair[part], done: false }; } }; hide(it, toIterator, function () { return it; }); return it; }
function unescapePart(text) { const spaced = replaceText(text, /\+/g, ' '); try { return decodeText(spaced); } catch (_) { return spaced; } }
class URL {
  constructor(url, base) {
    const parts = host.parts(urlText(url), base === undefined ? undefined : urlText(base));
    if (!parts) throw new RealTypeError('Invalid URL');
    hide(this, 'parts', parts);
    const params = new URLSearchParams(parts.search); hide(params, 'owner', this); hide(this, 'searchParams', params);
  }
  get href() { const p = this.parts; return p.protocol + (p.opaque ? '' : '//') + (p.username ? p.username + (p.password ? ':' + p.password : '') + '@' : '') + p.host + p.pathname + p.search + p.hash; }
  set href(value) { const parts = host.parts(urlText(value)); if (parts) hide(this, 'parts', parts); }
  get search() { return this.parts.search; } set search(value) { const t = textOf(value); this.parts.search = t === '' ? '' : startsWith(t, '?') ? t : '?' + t; }
  get hash() { return this.parts.hash; } set hash(value) { const t = textOf(value); this.parts.hash = t === '' ? '' : startsWith(t, '#') ? t : '#' + t; }
  get pathname() { return this.parts.pathname; } set pathname(value) { const t = textOf(value); this.parts.pathname = startsWith(t, '/') ? t : '/' + t; }
  get protocol() { return this.parts.protocol; } set protocol(value) { const t = textOf(value); this.parts.protocol = endsWith(t, ':') ? t : t + ':'; }
  get host() { return this.parts.host; } set host(value) { this.parts.host = textOf(value); }
  get hostname() { return this.parts.hostname; } set hostname(value) { this.parts.host = textOf(value) + (this.parts.port ? ':' + this.parts.port : ''); this.parts.hostname = textOf(value); }
  get port() { return this.parts.port; } set port(value) { this.parts.port = textOf(value); this.parts.host = this.parts.hostname + (this.parts.port ? ':' + this.parts.port : ''); }
  get origin() { return this.parts.protocol + '//' + this.parts.host; }
  get username() { return this.parts.username; } get password() { return this.parts.password; }
  toString() { return this.href; } toJSON() { return this.href; }
  static createObjectURL() { return 'blob:null'; } static revokeObjectURL() {} static canParse(url, base) { return !!host.parts(urlText(url), base === undefined ? undefined : urlText(base)); }
}
const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
function btoaText(value) {
  const text = textOf(value), out = [];
  for (let i = 0; i < text.length; i += 3) {
    const a = charCode(text, i), b = i + 1 < text.length ? charCode(text, i + 1) : 0, c = i + 2 < text.length ? charCode(text, i + 2) : 0;
    const n = ((a & 255) << 16) | ((b & 255) << 8) | (c & 255);
    append(out, DIGITS[n >> 18] + DIGITS[(n >> 12) & 63] + (i + 1 < text.length ? DIGITS[(n >> 6) & 63] : '=') + (i + 2 < text.length ? DIGITS[n & 63] : '='));
  }
  return joinList(out, '');
}
function atobText(value) {
  const text = replaceText(textOf(value), /[^A-Za-z0-9+/]/g, ''), out = []; let bits = 0, count = 0;
  for (let i = 0; i < text.length; i++) { bits = (bits << 6) | findText(DIGITS, text[i]); count += 6; if (count >= 8) { count -= 8; append(out, fromCode((bits >> count) & 255)); bits &= (1 << count) - 1; } }
  return joinList(out, '');
}
class TextEncoder { get encoding() { return 'utf-8'; } encode(value) { const text = unescapeBytes(encodeText(textOf(value))); const out = new RealUint8Array(text.length); for (let i = 0; i < text.length; i++) out[i] = charCode(text, i); return out; } }
function unescapeBytes(text) { return replaceText(text, /%([0-9A-F]{2})/g, function (all, hex) { return fromCode(parseInt(hex, 16)); }); }
class TextDecoder { get encoding() { return 'utf-8'; } decode(bytes) { if (!isObject(bytes)) return ''; const view = bytes instanceof RealArrayBuffer ? new RealUint8Array(bytes) : bytes; const out = []; for (let i = 0; i < view.length && i < 1000000; i++) append(out, '%' + (view[i] < 16 ? '0' : '') + view[i].toString(16)); const text = joinList(out, ''); try { return decodeText(text); } catch (_) { return unescapeBytes(upper(text)); } } }
