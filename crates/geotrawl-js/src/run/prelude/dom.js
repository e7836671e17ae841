// A small DOM, sufficient for code to continue and for libraries to request their tiles.
const inner = new RealWeakMap();     // node -> its private state
const known = [];                    // elements with attributes, in the order in which they came
const byId = { __proto__: null };
const MOST_NODES = 20000;
let nodes = 0;

class EventTarget {
  addEventListener(type, fn) { listen(this, textOf(type), fn); }
  removeEventListener() {}
  dispatchEvent(event) { fire(this, event); return true; }
  attachEvent(type, fn) { listen(this, cutText(textOf(type), 2), fn); }
}
const listeners = new RealWeakMap();
const EARLY = { __proto__: null, load: 1, DOMContentLoaded: 1, ready: 1, readystatechange: 1, deviceready: 1, pageshow: 1, 'turbolinks:load': 1, 'turbo:load': 1, resize: 1, message: 0, error: 0, unload: 0, beforeunload: 0, popstate: 0, click: 0 };
function listen(target, type, fn) {
  const call = typeof fn === 'function' ? fn : isObject(fn) && typeof fn.handleEvent === 'function' ? function (event) { return apply(fn.handleEvent, fn, [event]); } : null;
  if (!call) return;
  let lists = weakGet(listeners, target);
  if (!lists) { lists = { __proto__: null }; weakSet(listeners, target, lists); }
  if (!lists[type]) lists[type] = [];
  if (lists[type].length < 64) append(lists[type], call);
  // Images fire load by themselves; the page and its document do so once, late.
  if (EARLY[type] === 1 && (target === realGlobal || target === documentNode) ) enqueue('later', call, target, [makeEvent(type, target)]);
}
function fire(target, event) {
  const type = textOf(event && event.type);
  const lists = weakGet(listeners, target), handler = own(target, 'on' + type) || null;
  const list = lists && lists[type];
  if (isObject(event)) { try { hide(event, 'target', target); hide(event, 'currentTarget', target); } catch (_) { /* frozen */ } }
  for (let i = 0; list && i < list.length; i++) { try { apply(list[i], target, [event]); } catch (error) { failed(error); } }
  const fn = handler && handler.value;
  if (typeof fn === 'function') { try { apply(fn, target, [event]); } catch (error) { failed(error); } }
}
function makeEvent(type, target) { const event = new Event(type); hide(event, 'target', target); hide(event, 'currentTarget', target); return event; }
class Event {
  constructor(type, init) { this.type = textOf(type); this.bubbles = false; this.cancelable = false; this.defaultPrevented = false; this.timeStamp = 0; assignAll(this, init); }
  preventDefault() {} stopPropagation() {} stopImmediatePropagation() {} composedPath() { return []; }
  initEvent(type) { this.type = textOf(type); } initCustomEvent(type, a, b, detail) { this.type = textOf(type); this.detail = detail; }
}
class CustomEvent extends Event {}

class Node extends EventTarget {
  get childNodes() { return state(this).children; }
  get children() { return state(this).children; }
  get parentNode() { return state(this).parent; }
  get parentElement() { return state(this).parent; }
  get firstChild() { return state(this).children[0] || null; }
  get lastChild() { const list = state(this).children; return list[list.length - 1] || null; }
  get firstElementChild() { return this.firstChild; }
  get lastElementChild() { return this.lastChild; }
  get nextSibling() { return sibling(this, 1); }
  get previousSibling() { return sibling(this, -1); }
  get nextElementSibling() { return sibling(this, 1); }
  get childElementCount() { return state(this).children.length; }
  get ownerDocument() { return documentNode; }
  get isConnected() { return true; }
  getRootNode() { return documentNode; }
  hasChildNodes() { return state(this).children.length > 0; }
  appendChild(node) { return adopt(this, node, -1); }
  append() { for (let i = 0; i < arguments.length; i++) adopt(this, arguments[i], -1); }
  prepend() { for (let i = 0; i < arguments.length; i++) adopt(this, arguments[i], 0); }
  insertBefore(node, before) { return adopt(this, node, indexIn(state(this).children, before)); }
  replaceChild(node, old) { adopt(this, node, -1); leave(old); return old; }
  replaceChildren() { state(this).children.length = 0; for (let i = 0; i < arguments.length; i++) adopt(this, arguments[i], -1); }
  after(node) { const p = state(this).parent; if (p) adopt(p, node, -1); }
  before(node) { const p = state(this).parent; if (p) adopt(p, node, -1); }
  replaceWith(node) { const p = state(this).parent; if (p) { adopt(p, node, -1); leave(this); } }
  removeChild(node) { leave(node); return node; }
  remove() { leave(this); }
  contains(node) { for (let i = 0; node && i < 200; i++) { if (node === this) return true; node = inner && weakHas(inner, node) ? state(node).parent : null; } return false; }
  cloneNode() { const copy = makeElement(lower(textOf(this.tagName || 'div'))); assignAll(state(copy).attributes, state(this).attributes); return copy; }
  compareDocumentPosition() { return 0; }
  normalize() {}
  get textContent() { return state(this).text; }
  set textContent(value) { const it = state(this); it.text = textOf(value); it.children.length = 0; }
  get nodeValue() { return state(this).text; }
  set nodeValue(value) { state(this).text = textOf(value); }
  get data() { return state(this).text; }
  set data(value) { state(this).text = textOf(value); }
}
hide(Node, 'ELEMENT_NODE', 1); hide(Node, 'TEXT_NODE', 3); hide(Node, 'DOCUMENT_NODE', 9);
const blank = () => ({ __proto__: null, children: [], parent: null, attributes: { __proto__: null }, text: '', style: null, dataset: null, classes: null, values: { __proto__: null }, asked: '' });
function state(node) { let it = isObject(node) ? weakGet(inner, node) : undefined; if (!it) { it = blank(); if (isObject(node)) weakSet(inner, node, it); } return it; }
function sibling(node, step) { const p = state(node).parent; if (!p) return null; const list = state(p).children; const at = indexIn(list, node); return at < 0 ? null : list[at + step] || null; }
function leave(node) {
  if (!isObject(node) || !weakHas(inner, node)) return;
  const p = state(node).parent; if (!p) return;
  const list = state(p).children, kept = [];
  for (let i = 0; i < list.length; i++) if (list[i] !== node) append(kept, list[i]);
  state(p).children = kept; state(node).parent = null;
}
function adopt(parent, node, at) {
  if (!isObject(node) || !weakHas(inner, node)) return node;
  for (let up = parent, i = 0; up && i < 200; i++) { if (up === node) return node; up = state(up).parent; }
  leave(node);
  const list = state(parent).children;
  if (list.length > MOST_NODES) return node;
  if (at < 0 || at >= list.length) append(list, node);
  else { const out = []; for (let i = 0; i < list.length; i++) { if (i === at) append(out, node); append(out, list[i]); } state(parent).children = out; }
  state(node).parent = parent;
  attached(node);
  return node;
}
function attached(node) {
  const tag = node.localName;
  if (tag === 'script' || tag === 'iframe') { const src = node.src; if (tag === 'script' && src) loadScript(node, src); if (tag === 'script' && !src && state(node).text) runText(state(node).text); }
  if (tag === 'link') enqueue('later', function () { fire(node, makeEvent('load', node)); }, undefined, []);
  const kids = state(node).children;
  for (let i = 0; i < kids.length && i < 200; i++) if (kids[i].localName === 'script') attached(kids[i]);
}
function runText(text) { if (text.length > 1000000) return; try { (0, eval)(text); } catch (error) { failed(error); } }
function loadScript(node, src) {
  const it = state(node);
  if (it.asked === src) return;
  it.asked = src;
  host.call('script', false, [src], probe);
  const back = execPattern(/[?&](?:callback|jsonp|cb)=([\w.$]+)/, src);
  const body = host.document(src, false);
  if (body !== undefined) runText(body); else host.want(src, 'script');
  enqueue('later', function () {
    if (back && body === undefined) { const fn = lookUp(back[1]); if (typeof fn === 'function') { try { fn(unknown()); } catch (error) { failed(error); } } }
    fire(node, makeEvent('load', node));
    if (typeof node.onreadystatechange === 'function') node.onreadystatechange();
  }, undefined, []);
}
function lookUp(path) { const parts = splitText(path, '.'); let at = realGlobal; for (let i = 0; i < parts.length && isObject(at); i++) at = at[parts[i]]; return at; }

const camel = (name) => replaceText(name, /-([a-z])/g, function (all, c) { return upper(c); });
const dashed = (name) => replaceText(name, /[A-Z]/g, function (c) { return '-' + lower(c); });
function makeStyle() {
  const style = {};
  hide(style, 'setProperty', function (name, value) { style[camel(textOf(name))] = textOf(value); });
  hide(style, 'getPropertyValue', function (name) { const v = style[camel(textOf(name))]; return typeof v === 'string' ? v : ''; });
  hide(style, 'removeProperty', function (name) { delete style[camel(textOf(name))]; });
  const names = ['transform', 'transition', 'opacity', 'width', 'height', 'display', 'position', 'cssText', 'overflow', 'zIndex', 'left', 'top', 'touchAction', 'userSelect', 'backgroundColor', 'font', 'transformOrigin'];
  for (let i = 0; i < names.length; i++) style[names[i]] = '';
  return style;
}
function makeClasses(node) {
  const set = [];
  const list = {
    add() { for (let i = 0; i < arguments.length; i++) if (indexIn(set, arguments[i]) < 0) append(set, textOf(arguments[i])); sync(); },
    remove() { for (let i = 0; i < arguments.length; i++) { const at = indexIn(set, arguments[i]); if (at >= 0) put(set, at, ''); } sync(); },
    toggle(name) { if (list.contains(name)) { list.remove(name); return false; } list.add(name); return true; },
    contains(name) { return indexIn(set, textOf(name)) >= 0; },
    replace(a, b) { list.remove(a); list.add(b); },
    item(i) { return set[i]; }, forEach(fn) { eachOf(set, fn); },
    get length() { return set.length; }, toString() { return state(node).attributes.class || ''; },
  };
  function sync() { const out = []; for (let i = 0; i < set.length; i++) if (set[i]) append(out, set[i]); state(node).attributes.class = joinList(out, ' '); }
  const now = splitText(state(node).attributes.class || '', ' '); for (let i = 0; i < now.length; i++) if (now[i]) append(set, now[i]);
  return list;
}
const WIDE = 1024, TALL = 768;
const REFLECTED = ['name', 'type', 'title', 'rel', 'alt', 'target', 'method', 'content', 'charset', 'media', 'htmlFor', 'lang', 'dir', 'placeholder', 'crossOrigin', 'referrerPolicy', 'integrity', 'async', 'defer', 'noModule', 'role', 'tabIndex', 'hidden', 'disabled', 'checked', 'selected', 'htmlContent'];
class Element extends Node {
  get nodeType() { return 1; }
  get tagName() { return upper(state(this).tag || 'div'); }
  get nodeName() { return upper(state(this).tag || 'div'); }
  get localName() { return state(this).tag || 'div'; }
  get namespaceURI() { return state(this).space || 'http://www.w3.org/1999/xhtml'; }
  get id() { return state(this).attributes.id || ''; }
  set id(value) { setAttribute(this, 'id', value); }
  get className() { return state(this).attributes.class || ''; }
  set className(value) { const it = state(this); it.attributes.class = textOf(value); it.classes = null; }
  get classList() { const it = state(this); return it.classes || (it.classes = makeClasses(this)); }
  get style() { const it = state(this); return it.style || (it.style = makeStyle()); }
  set style(value) { this.style.cssText = textOf(value); }
  get dataset() {
    const it = state(this);
    if (!it.dataset) { it.dataset = {}; for (const key in it.attributes) if (startsWith(key, 'data-')) put(it.dataset, camel(cutText(key, 5)), it.attributes[key]); }
    return it.dataset;
  }
  get attributes() { const out = []; for (const key in state(this).attributes) append(out, { name: key, nodeName: key, value: state(this).attributes[key], nodeValue: state(this).attributes[key] }); return out; }
  getAttribute(name) { const value = state(this).attributes[lower(textOf(name))]; return value === undefined ? null : value; }
  getAttributeNS(space, name) { return this.getAttribute(name); }
  setAttribute(name, value) { setAttribute(this, lower(textOf(name)), value); }
  setAttributeNS(space, name, value) { setAttribute(this, lower(textOf(name)), value); }
  hasAttribute(name) { return state(this).attributes[lower(textOf(name))] !== undefined; }
  getAttributeNames() { return keysOf(state(this).attributes); }
  hasAttributes() { return keysOf(state(this).attributes).length > 0; }
  removeAttribute(name) { delete state(this).attributes[lower(textOf(name))]; }
  toggleAttribute(name) { this.setAttribute(name, ''); return true; }
  get src() { const src = state(this).attributes.src; return src === undefined ? '' : host.resolve(src); }
  set src(value) { setAttribute(this, 'src', value); }
  get href() { const href = state(this).attributes.href; return href === undefined ? '' : host.resolve(href); }
  set href(value) { setAttribute(this, 'href', value); }
  get action() { return state(this).attributes.action || ''; }
  set action(value) { setAttribute(this, 'action', value); }
  get value() { const it = state(this); return it.values.value !== undefined ? it.values.value : it.attributes.value !== undefined ? it.attributes.value : it.text; }
  set value(value) { state(this).values.value = textOf(value); }
  get innerHTML() { return state(this).text; }
  set innerHTML(value) { const it = state(this); it.text = textOf(value); it.children.length = 0; }
  get innerText() { return state(this).text; }
  set innerText(value) { state(this).text = textOf(value); }
  get text() { return state(this).text; }
  set text(value) { state(this).text = textOf(value); }
  get outerHTML() { return '<' + this.localName + '>'; }
  get options() { return state(this).children; }
  get elements() { return state(this).children; }
  get selectedIndex() { return 0; } set selectedIndex(value) {}
  get clientWidth() { return WIDE; } get clientHeight() { return TALL; }
  get offsetWidth() { return WIDE; } get offsetHeight() { return TALL; }
  get scrollWidth() { return WIDE; } get scrollHeight() { return TALL; }
  get width() { const it = state(this); return it.values.width === undefined ? (it.tag === 'img' ? 256 : 300) : it.values.width; } set width(value) { state(this).values.width = value; }
  get height() { const it = state(this); return it.values.height === undefined ? (it.tag === 'img' ? 256 : 150) : it.values.height; } set height(value) { state(this).values.height = value; }
  get naturalWidth() { return 256; } get naturalHeight() { return 256; } get complete() { return true; }
  get offsetLeft() { return 0; } get offsetTop() { return 0; } get clientLeft() { return 0; } get clientTop() { return 0; }
  get scrollTop() { return 0; } set scrollTop(value) {} get scrollLeft() { return 0; } set scrollLeft(value) {}
  get offsetParent() { return null; }
  get shadowRoot() { return state(this).shadow || null; }
  get sheet() { return { insertRule() { return 0; }, cssRules: [], deleteRule() {} }; }
  get contentWindow() { return realGlobal; } get contentDocument() { return documentNode; }
  attachShadow() { const shadow = new Element(); state(this).shadow = shadow; return shadow; }
  getBoundingClientRect() { return { left: 0, top: 0, right: WIDE, bottom: TALL, width: WIDE, height: TALL, x: 0, y: 0 }; }
  getClientRects() { return [this.getBoundingClientRect()]; }
  getContext(kind) { return canvasContext(this, textOf(kind)); }
  toDataURL() { return 'data:,'; }
  toBlob(done) { schedule(done, undefined, [unknown()]); }
  insertAdjacentHTML() {} insertAdjacentElement(where, node) { return adopt(this, node, -1); }
  matches(selector) { return fits(this, textOf(selector)); }
  closest(selector) { for (let at = this, i = 0; at && i < 100; i++) { if (fits(at, textOf(selector))) return at; at = state(at).parent; } return null; }
  querySelector(selector) { return findIn(this, textOf(selector)) || made(this, textOf(selector)); }
  querySelectorAll(selector) { return findAll(this, textOf(selector)); }
  getElementsByTagName(tag) { return findAll(this, textOf(tag)); }
  getElementsByClassName(name) { return findAll(this, '.' + textOf(name)); }
  focus() {} blur() {} click() {} submit() {} reset() {} scrollIntoView() {} scrollTo() {} select() {} animate() { return unknown(); }
  setPointerCapture() {} releasePointerCapture() {} requestFullscreen() { return new RealPromise(function () {}); }
  decode() { return new RealPromise(function (resolve) { resolve(); }); }
  play() { return new RealPromise(function () {}); } pause() {} load() {}
  add(node) { adopt(this, node, -1); }
  setCustomValidity() {} checkValidity() { return true; }
  createSVGPoint() { return { x: 0, y: 0, matrixTransform() { return this; } }; } getBBox() { return { x: 0, y: 0, width: 10, height: 10 }; } getScreenCTM() { return null; } createSVGRect() { return {}; } getTotalLength() { return 0; }
}
for (let i = 0; i < REFLECTED.length; i++) {
  const name = REFLECTED[i], attribute = name === 'htmlFor' ? 'for' : lower(name);
  defineProperty(Element.prototype, name, { __proto__: null, configurable: true, enumerable: true, get() { const v = state(this).attributes[attribute]; return v === undefined ? '' : v; }, set(value) { state(this).attributes[attribute] = value; } });
}
class HTMLElement extends Element { constructor() { super(); pendingElement(this); } }
class Text extends Node { get nodeType() { return 3; } get nodeName() { return '#text'; } }
let pendingTag = '';
function pendingElement(node) { if (!weakHas(inner, node)) { const it = blank(); it.tag = pendingTag || 'custom-element'; weakSet(inner, node, it); hide(node, KEY, true); } }

function makeElement(tag) {
  if (++nodes > MOST_NODES) throw new RealTypeError('too many elements');
  const custom = customs[tag];
  if (custom) { pendingTag = tag; try { const node = construct(custom, []); pendingTag = ''; return node; } catch (_) { pendingTag = ''; } }
  const node = createObject((CLASSES[tag] || HTMLElement).prototype);
  const it = blank(); it.tag = tag; weakSet(inner, node, it);
  hide(node, KEY, true);
  return node;
}
function setAttribute(node, name, value) {
  const it = state(node), text = textOf(value);
  it.attributes[name] = text;
  if (name === 'class') it.classes = null;
  if (name === 'id') { if (!byId[text]) byId[text] = node; }
  if (startsWith(name, 'data-') && it.dataset) put(it.dataset, camel(cutText(name, 5)), text);
  if (name === 'src') {
    if (it.tag === 'img' || it.tag === 'image') requestImage(node, text);
    else if (it.tag === 'script') { if (it.parent) loadScript(node, host.resolve(text)); }
    else if (text && it.tag) host.call('request', false, [text], probe);
  } else if (name === 'href' && it.tag === 'image') requestImage(node, text);
}
let images = 0;
function requestImage(node, text) {
  if (!text || startsWith(text, 'data:') || startsWith(text, 'blob:')) { if (text) enqueue('later', function () { fire(node, makeEvent('load', node)); }, undefined, []); return; }
  host.call('request', false, [text], probe);
  if (++images < 300) enqueue('later', function () { fire(node, makeEvent('load', node)); }, undefined, []);
}
function canvasContext(canvas, kind) {
  if (kind !== '2d') return graphics(canvas, kind);
  const it = state(canvas);
  if (it.context) return it.context;
  const values = { __proto__: null, canvas, globalAlpha: 1, lineWidth: 1, font: '10px sans-serif', fillStyle: '#000', strokeStyle: '#000', imageSmoothingEnabled: true, globalCompositeOperation: 'source-over' };
  const pixels = function (x, y, w, h) { const count = RealMath.max(1, RealMath.min(1 << 20, (w || 1) * (h || 1) * 4)) | 0; return { width: w || 1, height: h || 1, data: new RealClamped(count) }; };
  values.measureText = function (text) { return { width: 6 * textOf(text).length, actualBoundingBoxAscent: 8, actualBoundingBoxDescent: 2, actualBoundingBoxLeft: 0, actualBoundingBoxRight: 6 }; };
  values.getImageData = pixels; values.createImageData = function (w, h) { return pixels(0, 0, w, h); };
  values.getTransform = function () { return { a: 1, b: 0, c: 0, d: 1, e: 0, f: 0 }; };
  values.isPointInPath = function () { return false; }; values.getLineDash = function () { return []; };
  values.createLinearGradient = values.createRadialGradient = values.createPattern = function () { return { addColorStop() {}, setTransform() {} }; };
  const nothing = function () {};
  return it.context = new RealProxy(values, { __proto__: null, get(target, key) { return key in target ? target[key] : typeof key === 'string' ? nothing : undefined; }, has() { return true; } });
}

// A WebGL context that draws nothing and reports success.
function graphics(canvas, kind) {
  if (!startsWith(kind, 'webgl') && !startsWith(kind, 'experimental-webgl')) return null;
  const it = state(canvas);
  if (it.graphics) return it.graphics;
  const done = function () { return true; }, made = function () { return {}; }, zero = function () { return 0; }, nothing = function () {};
  const values = {
    __proto__: null, canvas, drawingBufferWidth: WIDE, drawingBufferHeight: TALL,
    getParameter(name) { return name === 7938 ? 'WebGL 2.0' : name === 35724 ? 'WebGL GLSL ES 3.00' : name === 3386 || name === 3088 ? [4096, 4096] : 4096; },
    getShaderParameter: done, getProgramParameter(program, name) { return name === 35718 || name === 35721 || name === 35382 ? 0 : true; }, getExtension: made, getSupportedExtensions() { return []; },
    getContextAttributes() { return { alpha: true, antialias: false, stencil: true, depth: true }; }, checkFramebufferStatus() { return 36053; }, getError: zero, getAttribLocation: zero, isContextLost() { return false; },
    getShaderPrecisionFormat() { return { precision: 23, rangeMin: 127, rangeMax: 127 }; }, getShaderInfoLog() { return ''; }, getProgramInfoLog() { return ''; }, clientWaitSync() { return 37146; }, getUniformBlockIndex: zero,
    VERSION: 7938, SHADING_LANGUAGE_VERSION: 35724, MAX_VIEWPORT_DIMS: 3386, FRAMEBUFFER_COMPLETE: 36053, ACTIVE_UNIFORMS: 35718, ACTIVE_ATTRIBUTES: 35721, ACTIVE_UNIFORM_BLOCKS: 35382, NO_ERROR: 0,
  };
  return it.graphics = new RealProxy(values, { __proto__: null, get(target, key) {
    if (key in target) return target[key];
    if (typeof key !== 'string') return undefined;
    if (matches(/^[A-Z0-9_]+$/, key)) return 1;
    return startsWith(key, 'create') || startsWith(key, 'get') || key === 'fenceSync' ? made : nothing;
  } });
}

// Selectors: tag, #id, .class, [attr], [attr=value], :not() and friends ignored; the last compound counts.
function compound(selector) {
  const parts = splitText(trim(replaceText(selector, /:[\w-]+(\([^)]*\))?/g, '')), /[\s>+~]+/);
  return parts[parts.length - 1] || '*';
}
function fitsOne(node, simple) {
  const it = state(node);
  const pattern = /([#.]?)([\w-]+|\*)|\[\s*([\w-]+)\s*(?:([~|^$*]?)=\s*["']?([^"'\]]*)["']?)?\s*\]/g;
  let found, any = false;
  while ((found = execPattern(pattern, simple)) !== null) {
    any = true;
    if (found[3]) {
      const value = it.attributes[lower(found[3])];
      if (value === undefined) return false;
      if (found[5] !== undefined) {
        const want = found[5], how = found[4];
        if (how === '^' ? !startsWith(value, want) : how === '$' ? !endsWith(value, want) : how === '*' ? findText(value, want) < 0 : value !== want) return false;
      }
    } else if (found[1] === '#') { if (it.attributes.id !== found[2]) return false; }
    else if (found[1] === '.') { if (findText(' ' + (it.attributes.class || '') + ' ', ' ' + found[2] + ' ') < 0) return false; }
    else if (found[2] !== '*' && it.tag !== lower(found[2])) return false;
  }
  return any;
}
function fits(node, selector) {
  if (selector.length > 500 || !weakHas(inner, node) || state(node).tag === undefined) return false;
  const options = splitText(selector, ',');
  for (let i = 0; i < options.length; i++) if (fitsOne(node, compound(options[i]))) return true;
  return false;
}
function collect(node, selector, out, most) {
  const stack = [node]; let at = 0;
  while (at < stack.length && out.length < most && at < 5000) {
    const kids = state(stack[at++]).children;
    for (let i = 0; i < kids.length && out.length < most; i++) { if (fits(kids[i], selector)) append(out, kids[i]); append(stack, kids[i]); }
  }
  return out;
}
function findIn(node, selector) {
  const id = execPattern(/^#([\w-]+)$/, trim(selector));
  if (id && byId[id[1]]) return byId[id[1]];
  return collect(node, selector, [], 1)[0];
}
function findAll(node, selector) {
  const list = collect(node, selector, [], 500);
  hide(list, 'item', function (i) { return list[i] || null; });
  hide(list, 'namedItem', function () { return null; });
  return list;
}
// Elements that are requested but missing are created, so that the code continues.
function made(parent, selector) {
  const last = compound(selector);
  const tag = execPattern(/^[a-z][\w-]*/i, last);
  if (tag && matches(/^(meta|link|base|script|noscript)$/i, tag[0])) return null;
  const node = makeElement(tag ? lower(tag[0]) : 'div');
  const id = execPattern(/#([\w-]+)/, last), cls = execPattern(/\.([\w-]+)/, last);
  if (id) setAttribute(node, 'id', id[1]);
  if (cls) setAttribute(node, 'class', cls[1]);
  adopt(parent, node, -1);
  return node;
}
function find(selector) { return findIn(documentNode, selector) || made(body, selector); }

const customs = { __proto__: null };
const CLASSES = { __proto__: null };
class HTMLImageElement extends HTMLElement {} class HTMLCanvasElement extends HTMLElement {} class HTMLScriptElement extends HTMLElement {} class HTMLDivElement extends HTMLElement {} class HTMLInputElement extends HTMLElement {} class HTMLIFrameElement extends HTMLElement {} class HTMLVideoElement extends HTMLElement {} class HTMLAnchorElement extends HTMLElement {
  get hostname() { return partOf(this, 'hostname'); } get host() { return partOf(this, 'host'); } get pathname() { return partOf(this, 'pathname'); } get search() { return partOf(this, 'search'); } get protocol() { return partOf(this, 'protocol'); } get hash() { return partOf(this, 'hash'); } get port() { return partOf(this, 'port'); } get origin() { return partOf(this, 'origin'); } toString() { return this.href; }
}
function partOf(node, name) { const parts = host.parts(node.href); return parts ? parts[name] : ''; }
class SVGElement extends Element {}
CLASSES.img = HTMLImageElement; CLASSES.canvas = HTMLCanvasElement; CLASSES.script = HTMLScriptElement; CLASSES.div = HTMLDivElement; CLASSES.input = HTMLInputElement; CLASSES.iframe = HTMLIFrameElement; CLASSES.a = HTMLAnchorElement; CLASSES.video = HTMLVideoElement;
function Image(width, height) { const node = makeElement('img'); if (width) node.width = width; if (height) node.height = height; return node; }
Image.prototype = HTMLImageElement.prototype;
function Option(text, value) { const node = makeElement('option'); node.text = textOf(text); node.value = textOf(value); return node; }

class Document extends Node {
  get nodeType() { return 9; } get nodeName() { return '#document'; } get tagName() { return undefined; }
  get documentElement() { return html; } get head() { return head; } get body() { return body; }
  get scrollingElement() { return html; } get activeElement() { return body; }
  get readyState() { return 'complete'; } get compatMode() { return 'CSS1Compat'; } get visibilityState() { return 'visible'; } get hidden() { return false; }
  get title() { return state(this).title; } set title(value) { state(this).title = textOf(value); }
  get cookie() { return ''; } set cookie(value) {}
  get domain() { return facts.location.hostname; } set domain(value) {}
  get referrer() { return ''; } get characterSet() { return 'UTF-8'; } get charset() { return 'UTF-8'; }
  get URL() { return facts.location.href; } get documentURI() { return facts.location.href; } get baseURI() { return facts.base; }
  get location() { return realGlobal.location; } set location(value) { realGlobal.location.href = value; }
  get defaultView() { return realGlobal; } get parentWindow() { return realGlobal; }
  get currentScript() { return currentScriptElement(); }
  get scripts() { return findAll(this, 'script'); } get forms() { return namedList(findAll(this, 'form')); } get images() { return findAll(this, 'img'); } get links() { return findAll(this, 'a'); } get styleSheets() { return []; } get all() { return []; } get fonts() { return { ready: new RealPromise(function (r) { r(); }), load() { return new RealPromise(function (r) { r([]); }); }, addEventListener() {}, check() { return true; } }; }
  get implementation() { return { hasFeature() { return true; }, createHTMLDocument() { return documentNode; }, createDocument() { return documentNode; } }; }
  get fullscreenElement() { return null; }
  getElementById(id) { const text = textOf(id); if (byId[text]) return byId[text]; const node = makeElement('div'); setAttribute(node, 'id', text); adopt(body, node, -1); return node; }
  getElementsByName(name) { return findAll(this, '[name="' + textOf(name) + '"]'); }
  getElementsByTagName(tag) { const list = findAll(this, textOf(tag)); if (!list.length && lower(textOf(tag)) === 'script') append(list, currentScriptElement()); return list; }
  getElementsByTagNameNS(space, tag) { return this.getElementsByTagName(tag); }
  getElementsByClassName(name) { return findAll(this, '.' + textOf(name)); }
  querySelector(selector) { return findIn(this, textOf(selector)) || made(body, textOf(selector)); }
  querySelectorAll(selector) { return findAll(this, textOf(selector)); }
  createElement(tag) { return makeElement(lower(textOf(tag))); }
  createElementNS(space, tag) { const node = makeElement(lower(textOf(tag))); state(node).space = textOf(space); return node; }
  createTextNode(text) { const node = new Text(); weakSet(inner, node, blank()); state(node).text = textOf(text); hide(node, KEY, true); return node; }
  createComment(text) { return this.createTextNode(text); }
  createDocumentFragment() { const node = makeElement('fragment'); return node; }
  createEvent() { return new Event(''); }
  createRange() { return { setStart() {}, setEnd() {}, selectNode() {}, selectNodeContents() {}, createContextualFragment() { return makeElement('fragment'); }, getBoundingClientRect() { return body.getBoundingClientRect(); }, collapse() {} }; }
  createTreeWalker() { return { nextNode() { return null; } }; }
  importNode(node) { return node; } adoptNode(node) { return node; }
  elementFromPoint() { return body; } hasFocus() { return true; } execCommand() { return false; } queryCommandSupported() { return false; } getSelection() { return null; }
  write() { written(joinList(slice(arguments, 0), '')); } writeln() { written(joinList(slice(arguments, 0), '')); } open() {} close() {}
  exitFullscreen() {}
}
function namedList(list) { for (let i = 0; i < list.length; i++) { const name = list[i].getAttribute('name') || list[i].id; if (name) put(list, name, list[i]); } return list; }
// Old pages load scripts by document.write.
function written(text) {
  const pattern = /<script[^>]*?src\s*=\s*["']?([^"'\s>]+)/gi; let found, turns = 0;
  while ((found = execPattern(pattern, text)) !== null && turns++ < 50) { host.call('script', false, [found[1]], probe); host.want(found[1], 'script'); }
}

const documentNode = createObject(Document.prototype);
weakSet(inner, documentNode, blank()); state(documentNode).title = facts.title; hide(documentNode, KEY, true);
const html = makeElement('html'), head = makeElement('head'), body = makeElement('body');
adopt(documentNode, html, -1); adopt(html, head, -1); adopt(html, body, -1);
const onloads = [];
for (let i = 0; i < facts.elements.length; i++) {
  const given = facts.elements[i];
  const node = given.tag === 'body' ? body : given.tag === 'html' ? html : given.tag === 'head' ? head : makeElement(given.tag);
  for (let n = 0; n < given.attributes.length; n++) {
    const name = lower(given.attributes[n][0]), value = given.attributes[n][1];
    state(node).attributes[name] = value;
    if (name === 'id' && !byId[value]) byId[value] = node;
    if (name === 'onload') append(onloads, value);
  }
  state(node).text = given.text;
  if (node !== body && node !== html && node !== head) { leave(node); const list = state(given.tag === 'meta' || given.tag === 'link' ? head : body).children; append(list, node); state(node).parent = given.tag === 'meta' || given.tag === 'link' ? head : body; }
}
let scriptElement = null, scriptElementOf = -1;
function currentScriptElement() {
  const at = host.script();
  if (scriptElement && scriptElementOf === at) return scriptElement;
  scriptElement = makeElement('script'); scriptElementOf = at;
  const src = host.address();
  if (src && src !== facts.location.href) state(scriptElement).attributes.src = src;
  state(scriptElement).parent = head;
  return scriptElement;
}
