// Stand-ins: functions that accept every access, know their name, and record how they are called.
const KEY = host.key;           // what the host finds the state of a stand-in under
const HOLE = '\uFFFC';
const MOST_HOPS = 60;
const targets = new RealWeakMap();
const isStandin = (value) => typeof value === 'function' && weakHas(targets, value);
const stateOf = (value) => weakGet(targets, value)[KEY];

// path: array of names; made: whether a call returned it; settled: has no `then`, so that promises
// settle with it.
function standin(path, hops, made, args, settled) {
  const target = function () {};
  hide(target, KEY, { __proto__: null, path, name: joinList(path, '\u0001'), dotted: joinList(path, '.'), made: !!made, args: args || [], hops: hops || 0, settled: !!settled, kids: { __proto__: null }, prefix: null, named: false });
  const proxy = new RealProxy(target, handler);
  weakSet(targets, proxy, target);
  return proxy;
}
const unknown = () => standin([], 1, true, [], true);
const named = (path) => standin(path, 0, false, [], false);

function childPath(path, key) {
  const out = [];
  // Long chains keep only their first and last names.
  const skip = path.length > 8 ? path.length - 4 : 4;
  for (let i = 0; i < path.length; i++) if (i < 4 || i >= skip) append(out, path[i]);
  return append(out, key);
}

function primitive(hint) { return hint === 'number' ? 0 : HOLE; }
function noText() { return HOLE; }
function noNumber() { return 0; }

const handler = {
  __proto__: null,
  get(target, key, receiver) {
    if (key === KEY) return undefined;
    const state = target[KEY];
    if (key !== 'prototype' && (key !== 'name' || state.named)) {
      const known = getOwnPropertyDescriptor(target, key);
      if (known) return known.get ? apply(known.get, receiver, []) : known.value;
    }
    if (typeof key === 'symbol') {
      if (key === toPrimitive) return primitive;
      if (key === toIterator) return state.hops < 6 ? function () { return iterate(state); } : function () { return iterate(null); };
      if (key === hasInstance) return function (value) { return isStandin(value) || isDerivedFrom(value, target); };
      return undefined;
    }
    switch (key) {
      case 'length': return 0;
      case 'toString': case 'toLocaleString': return noText;
      case 'valueOf': return noNumber;
      case 'toJSON': case 'nodeType': case 'caller': case 'arguments': case '__esModule': case 'asymmetricMatch': return undefined;
      case 'hasOwnProperty': case 'propertyIsEnumerable': return function (name) { return !!getOwnPropertyDescriptor(target, name) || !!state.kids[name]; };
      case 'then': return state.settled ? undefined : thenOf(target);
      case 'call': return function (self) { return called(target, slice(arguments, 1), false, self); };
      case 'apply': return function (self, args) { return called(target, listOf(args), false, self); };
      case 'bind': return function () { return bound(target, slice(arguments, 1)); };
      case '__proto__': return RealFunction.prototype;
    }
    const kid = state.kids[key];
    if (kid !== undefined) return kid;
    if (state.hops >= MOST_HOPS) return undefined;
    const path = key === 'default' ? state.path : childPath(state.path, key);
    const real = libraryMember(state, key, receiver);
    const value = real !== undefined ? real : standin(path, state.hops + 1, false, [], false);
    state.kids[key] = value;
    return value;
  },
  set(target, key, value, receiver) {
    const state = target[KEY];
    if (receiver !== undefined && isObject(receiver) && !isStandin(receiver)) {
      // An object that inherits from a stand-in gets the member itself.
      return defineProperty(receiver, key, plain(value));
    }
    const known = getOwnPropertyDescriptor(target, key);
    if (known && known.set) { apply(known.set, receiver, [value]); return true; }
    if (typeof key === 'string') noteAssign(state, key, value);
    if (key === 'prototype') { state.kids.prototype = value; return true; }
    if (key === 'name') state.named = true;
    defineProperty(target, key, plain(value));
    if (typeof value === 'function' && typeof key === 'string' && startsWith(key, 'on') && !isStandin(value)) schedule(value, receiver, [unknown()]);
    return true;
  },
  has(target, key) { return typeof key === 'string' || !!getOwnPropertyDescriptor(target, key); },
  ownKeys(target) {
    const keys = ownKeys(target), out = [];
    for (let i = 0; i < keys.length; i++) if (keys[i] !== KEY) append(out, keys[i]);
    return out;
  },
  getOwnPropertyDescriptor(target, key) { return key === KEY ? undefined : getOwnPropertyDescriptor(target, key); },
  defineProperty(target, key, descriptor) { return key === KEY ? true : defineProperty(target, key, descriptor); },
  getPrototypeOf() { return RealFunction.prototype; },
  setPrototypeOf() { return true; },
  apply(target, self, args) { return called(target, args, false, self); },
  construct(target, args, newTarget) {
    const result = called(target, args, true, undefined);
    if (newTarget && !isStandin(newTarget)) {
      // `class Mine extends Theirs`: the object is an instance of Mine, backed by Theirs.
      const proto = newTarget.prototype;
      return createObject(isObject(proto) ? proto : RealObject.prototype);
    }
    return isObject(result) ? result : standin(target[KEY].path, target[KEY].hops + 1, true, args, false);
  },
};

function isDerivedFrom(value, target) {
  let proto = value, kid = target[KEY].kids.prototype;
  for (let i = 0; i < 32 && isObject(proto); i++) { proto = getPrototypeOf(proto); if (proto && proto === kid) return true; }
  return false;
}

function iterate(state) {
  let left = state ? 3 : 0;
  const iterator = {
    next() { return left-- > 0 ? { value: standin([], state.hops + 2, true, [], true), done: false } : { value: undefined, done: true }; },
    return() { left = 0; return { value: undefined, done: true }; },
  };
  hide(iterator, toIterator, function () { return iterator; });
  return iterator;
}

function listOf(args) {
  const out = [];
  if (isObject(args) && !isStandin(args)) { const count = args.length >>> 0; for (let i = 0; i < count && i < 64; i++) append(out, args[i]); }
  return out;
}

function joined(first, second) {
  const out = slice(first, 0);
  for (let i = 0; i < second.length; i++) append(out, second[i]);
  return out;
}

function bound(target, prefix) {
  const state = target[KEY];
  const out = standin(state.path, state.hops + 1, state.made, state.args, state.settled);
  weakGet(targets, out)[KEY].prefix = state.prefix ? joined(state.prefix, prefix) : prefix;
  return out;
}

// `then` of a library result: the callback gets a stand-in that is not thenable, so that promises
// settle.
function thenOf(target) {
  const state = target[KEY];
  return function (done) {
    const value = state.answer !== undefined ? state.answer : standin(state.path, state.hops + 1, state.made, state.args, true);
    const promise = new RealPromise(function (resolve) { resolve(value); });
    return chainable(promiseThen(promise, typeof done === 'function' ? guarded(done) : undefined));
  };
}

// Library promises have more names for `then` than built-in ones.
function chainable(promise) {
  const more = { __proto__: null, done: 1, success: 1, always: 1, spread: 1, complete: 1, when: 1 };
  for (const name in more) hide(promise, name, function (done) { return chainable(promiseThen(promise, guarded(done))); });
  const never = { __proto__: null, fail: 1, error: 1, otherwise: 1, cancel: 1, abort: 1, progress: 1, addErrback: 1 };
  for (const name in never) hide(promise, name, function () { return promise; });
  hide(promise, 'addCallback', function (done) { return chainable(promiseThen(promise, guarded(done))); });
  return promise;
}

function guarded(done) {
  if (typeof done !== 'function') return undefined;
  return function (value) { try { return apply(done, undefined, [value]); } catch (error) { failed(error); return undefined; } };
}

const NOT_CALLED = { __proto__: null, fail: 1, error: 1, catch: 1, otherwise: 1, off: 1, un: 1, removeEventListener: 1, removeListener: 1, unbind: 1, reject: 1, onerror: 1, unload: 1, beforeunload: 1 };
// Methods that return the object they are called on.
const FLUENT = { __proto__: null, addTo: 1, on: 1, off: 1, once: 1, bind: 1, unbind: 1, css: 1, addClass: 1, removeClass: 1, toggleClass: 1, setView: 1, fitBounds: 1, bindPopup: 1, bindTooltip: 1, append: 1, appendTo: 1, prepend: 1, show: 1, hide: 1, click: 1, change: 1, each: 1, ready: 1, html: 1, text: 1, attr: 1, prop: 1, data: 1, val: 1, empty: 1, remove: 1, submit: 1, addLayer: 1, addOverlay: 1, addBaseLayer: 1, controller: 1, directive: 1, service: 1, factory: 1, config: 1, run: 1, component: 1, constant: 1, value: 1, filter: 1, provider: 1, use: 1, plugin: 1, mount: 1, enter: 1, style: 1, setStyle: 1, openPopup: 1, delay: 1, fadeIn: 1, fadeOut: 1, slider: 1, dialog: 1, tabs: 1, keyup: 1, hover: 1, trigger: 1 };

function called(target, args, isNew, self) {
  const state = target[KEY];
  const all = state.prefix ? joined(state.prefix, args) : args;
  const last = state.path.length ? state.path[state.path.length - 1] : '';
  const inherited = inheritedCall(state);
  note(inherited || state, isNew || !!inherited, all);
  const special = libraryCall(state, last, all, isNew, self);
  if (special !== undefined) return special;
  if (!NOT_CALLED[last]) callBack(all, self, state);
  if (!isNew && FLUENT[last] && isStandin(self) && stateOf(self).made) return self;
  return standin(state.path, state.hops + 1, true, all, false);
}

// `Base.prototype.initialize.call(this, url)` constructs a Base.
function inheritedCall(state) {
  const at = indexIn(state.path, 'prototype');
  if (at < 1 || at !== state.path.length - 2) return null;
  const last = state.path[at + 1];
  if (last !== 'initialize' && last !== 'constructor' && last !== 'init') return null;
  const path = slice(state.path, 0, at);
  return { path, name: joinList(path, '\u0001') };
}

function note(state, isNew, args) { host.call(state.name, isNew, args, probe); }
function noteAssign(state, key, value) { host.assign(state.name, key, value, probe); }

// Returns the result of a function that builds URLs: with placeholders if it only joins texts, else
// with numbers.
function probe(fn, self, key) {
  if (typeof fn !== 'function' || isStandin(fn)) return undefined;
  const context = withFallback(self);
  let best;
  for (let round = 0; round < 2; round++) {
    const spot = round === 0 ? ['{z}', '{x}', '{y}', '{r}'] : [2, 1, 1, 3];
    spot.z = spot.zoom = spot.level = spot.levelOfDetail = spot[0];
    spot.x = spot.column = spot[1]; spot.y = spot.row = spot[2];
    spot.left = spot.minx = spot.west = 1; spot.bottom = spot.miny = spot.south = 1; spot.right = spot.maxx = spot.east = 2; spot.top = spot.maxy = spot.north = 2;
    let value;
    try {
      const three = key === 'getURL' || key === 'getTileURL' || key === 'getUrl';
      value = three && fn.length >= 3 ? apply(fn, context, [spot[1], spot[2], spot[0]]) : apply(fn, context, [spot, spot[0], unknown(), unknown()]);
    } catch (_) { continue; }
    if (isArray(value)) value = value[0];
    if (typeof value !== 'string' || value === '') continue;
    if (round === 0 && matches(/\{[zxy]\}/, value) && !matches(/NaN|undefined|\[object/, value)) return value;
    best = value;
  }
  return best;
}

// Returns the object, with a stand-in for its missing members.
function withFallback(object) {
  if (!isObject(object) || isStandin(object)) return isStandin(object) ? object : unknown();
  const behind = unknown();
  return new RealProxy(object, { __proto__: null, get(target, key) {
    if (typeof key === 'symbol' || key in target) return target[key];
    return behind[key];
  } });
}

const freezing = ['freeze', 'seal', 'preventExtensions'];
for (let i = 0; i < freezing.length; i++) {
  const real = RealObject[freezing[i]];
  hide(RealObject, freezing[i], function (value) { return isStandin(value) ? value : apply(real, RealObject, [value]); });
}
