// Private copies of built-ins that the page may change later. The files of this folder are joined
// into one function body; they avoid spread, array patterns and for-of, because those use built-ins
// of the page.
const { apply, construct, defineProperty, deleteProperty, getOwnPropertyDescriptor, ownKeys, getPrototypeOf, setPrototypeOf, isExtensible } = Reflect;
const realGlobal = globalThis;
const RealProxy = Proxy, RealPromise = Promise, RealObject = Object, RealArray = Array, RealFunction = Function;
const RealError = Error, RealTypeError = TypeError, RealString = String, RealDate = Date, RealMath = Math, RealSymbol = Symbol;
const RealWeakMap = WeakMap, RealMap = Map, RealSet = Set, RealRegExp = RegExp, RealURIError = URIError;
const RealUint8Array = Uint8Array, RealArrayBuffer = ArrayBuffer, RealClamped = Uint8ClampedArray;
const isArray = Array.isArray;
const parseJson = JSON.parse, writeJson = JSON.stringify;
const encodeText = encodeURIComponent, decodeText = decodeURIComponent;
const now = Date.now, random = Math.random, floor = Math.floor;
const toIterator = Symbol.iterator, toPrimitive = Symbol.toPrimitive, hasInstance = Symbol.hasInstance;
// No spread: page code may have replaced the array iterator.
const uncurry = (method) => function (self, a, b, c) {
  const count = arguments.length;
  if (count === 1) return apply(method, self, []);
  if (count === 2) return apply(method, self, [a]);
  if (count === 3) return apply(method, self, [a, b]);
  return apply(method, self, [a, b, c]);
};
const weakGet = uncurry(WeakMap.prototype.get), weakSet = uncurry(WeakMap.prototype.set), weakHas = uncurry(WeakMap.prototype.has);
const mapGet = uncurry(Map.prototype.get), mapSet = uncurry(Map.prototype.set), mapHas = uncurry(Map.prototype.has), mapDelete = uncurry(Map.prototype.delete);
const slice = uncurry(Array.prototype.slice), joinList = uncurry(Array.prototype.join), indexIn = uncurry(Array.prototype.indexOf);
const splitText = uncurry(String.prototype.split), cutText = uncurry(String.prototype.slice), findText = uncurry(String.prototype.indexOf);
const lower = uncurry(String.prototype.toLowerCase), upper = uncurry(String.prototype.toUpperCase), trim = uncurry(String.prototype.trim);
const charCode = uncurry(String.prototype.charCodeAt), startsWith = uncurry(String.prototype.startsWith), endsWith = uncurry(String.prototype.endsWith);
const fromCode = String.fromCharCode;
const execPattern = uncurry(RegExp.prototype.exec);
const replaceText = uncurry(String.prototype.replace);
const functionText = uncurry(Function.prototype.toString);
const promiseThen = uncurry(Promise.prototype.then);
const hasOwnProperty = uncurry(Object.prototype.hasOwnProperty);
const keysOf = Object.keys;
const createObject = Object.create;

// A descriptor without a prototype that the page could have changed.
const plain = (value) => ({ __proto__: null, value, writable: true, enumerable: true, configurable: true });
const hidden = (value) => ({ __proto__: null, value, writable: true, enumerable: false, configurable: true });
const append = (list, value) => { defineProperty(list, list.length, plain(value)); return list; };
const put = (object, key, value) => { defineProperty(object, key, plain(value)); return value; };
const hide = (object, key, value) => { defineProperty(object, key, hidden(value)); return value; };
const takeFirst = (list) => { const first = list[0]; const rest = []; for (let i = 1; i < list.length; i++) append(rest, list[i]); return [first, rest]; };
const own = (object, key) => (object !== null && (typeof object === 'object' || typeof object === 'function')) ? getOwnPropertyDescriptor(object, key) : undefined;
const isObject = (value) => value !== null && (typeof value === 'object' || typeof value === 'function');
const isPlain = (value) => value !== null && typeof value === 'object' && !isArray(value);
const textOf = (value) => { try { return typeof value === 'string' ? value : value === undefined || value === null ? '' : typeof value === 'symbol' ? '' : '' + value; } catch (_) { return ''; } };
const matches = (pattern, text) => execPattern(pattern, text) !== null;
const testing = (pattern) => { pattern.lastIndex = 0; return pattern; };
const assignAll = (into, from) => {
  if (!isObject(into) || !isObject(from) || isStandin(from)) return into;
  let keys; try { keys = keysOf(from); } catch (_) { return into; }
  for (let i = 0; i < keys.length; i++) { try { into[keys[i]] = from[keys[i]]; } catch (_) { /* a member that throws is left out */ } }
  return into;
};
