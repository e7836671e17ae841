// AMD, System.register and CommonJS-like loaders: modules of the application if available, else
// stand-ins.
const amdModules = { __proto__: null };
const amdWaiting = [];
const realModules = { __proto__: null };
const LOADER_WORDS = { __proto__: null, require: 1, exports: 1, module: 1 };

const KNOWN_ROOTS = { __proto__: null, leaflet: 'L', jquery: 'jQuery', underscore: '_', lodash: '_', openlayers: 'ol', 'mapbox-gl': 'mapboxgl', 'maplibre-gl': 'maplibregl', cesium: 'Cesium', react: 'React', vue: 'Vue', 'deck.gl': 'deck', esri: 'esri', 'dojo/_base/lang': 'dojo', 'esri-leaflet': 'L/esri' };
// Returns the name for a module id: `ol/source/TileWMS.js`, `@arcgis/core/layers/WMSLayer`.
function modulePath(id) {
  let text = replaceText(textOf(id), /[?#].*$/, '');
  text = replaceText(text, /^(https?:)?\/\/[^/]+\//, '');
  text = replaceText(text, /\.(js|mjs|ts)$/, '');
  text = replaceText(text, /^@arcgis\/core\//, 'esri/');
  text = replaceText(text, /^@deck\.gl\/[\w-]+/, 'deck');
  const root = KNOWN_ROOTS[text] || text;
  const parts = splitText(root, '/'), out = [];
  for (let i = 0; i < parts.length; i++) if (parts[i] !== '' && parts[i] !== '.' && parts[i] !== '..') append(out, parts[i]);
  return out;
}
const moduleStandins = { __proto__: null };
function moduleStandin(id) {
  const text = textOf(id);
  if (!moduleStandins[text]) moduleStandins[text] = LIBRARY[joinList(modulePath(text), '.')] || named(modulePath(text));
  return moduleStandins[text];
}

function amdId(id, from) {
  const text = textOf(id);
  if (!startsWith(text, '.')) return text;
  const base = splitText(from || '', '/'), parts = splitText(text, '/');
  base.length = base.length > 0 ? base.length - 1 : 0;
  for (let i = 0; i < parts.length; i++) {
    if (parts[i] === '.') continue;
    if (parts[i] === '..') { if (base.length) base.length = base.length - 1; } else append(base, parts[i]);
  }
  return joinList(base, '/');
}

function amdFind(id) {
  if (amdModules[id]) return amdModules[id];
  const tail = '/' + replaceText(id, /\.js$/, '') + '.js';
  for (const key in amdModules) {
    const address = '/' + replaceText(key, /[?#].*$/, '');
    if (endsWith(address, tail)) return amdModules[key];
  }
  return undefined;
}

let amdDepth = 0;
function amdGet(id, from) {
  const full = amdId(id, from);
  const bang = findText(full, '!');
  if (bang >= 0) {
    const plugin = cutText(full, 0, bang), rest = cutText(full, bang + 1);
    if (matches(/text$|json$/, plugin)) {
      const body = host.document(rest, true);
      if (body === undefined) return unknown();
      if (matches(/json$/, plugin)) { try { return parseJson(body); } catch (_) { return unknown(); } }
      return body;
    }
    return named(modulePath(plugin));
  }
  const found = amdFind(full);
  if (found) return amdRun(found);
  if (startsWith(textOf(id), '.') || matches(/^(app|js|src|config|widgets|application|modules|\/)/, full)) host.want(endsWith(full, '.js') || findText(full, '://') > 0 ? full : full + '.js', 'script');
  return moduleStandin(full);
}
function amdRun(entry) {
  if (entry.ran) return entry.exports;
  if (amdDepth > 40) return unknown();
  entry.ran = true;
  amdDepth++;
  host.enter(entry.script);
  try {
    const module = { exports: entry.exports, id: entry.id, uri: entry.id };
    const result = amdApply(entry.deps, entry.factory, entry.id, module);
    entry.exports = result !== undefined ? result : module.exports;
  } catch (error) { failed(error); }
  amdDepth--;
  return entry.exports;
}
function amdApply(deps, factory, from, module) {
  if (typeof factory !== 'function') return factory;
  const args = [];
  for (let i = 0; i < deps.length; i++) {
    const id = textOf(deps[i]);
    append(args, id === 'require' ? localRequire(from) : id === 'exports' ? module.exports : id === 'module' ? module : amdGet(id, from));
  }
  if (!deps.length) { append(args, localRequire(from)); append(args, module.exports); append(args, module); }
  return apply(factory, undefined, args);
}
function localRequire(from) {
  const out = function (id, done) { return isArray(id) ? amdRequire(id, done, from) : amdGet(id, from); };
  hide(out, 'toUrl', function (text) { return host.resolve(textOf(text)); });
  return out;
}
function amdRequire(deps, done, from) {
  // Wait until every script has run, because the modules may be defined further down.
  append(amdWaiting, function () { const module = { exports: {} }; amdApply(deps, typeof done === 'function' ? done : function () {}, from, module); });
  const script = host.script();
  enqueue('later', function () { host.enter(script); const run = amdWaiting.length ? takeWaiting() : null; if (run) run(); }, undefined, []);
  return undefined;
}
let waitingAt = 0;
function takeWaiting() { return waitingAt < amdWaiting.length ? amdWaiting[waitingAt++] : null; }

function amdDefine(id, deps, factory) {
  if (typeof id !== 'string') { factory = deps; deps = id; id = undefined; }
  if (!isArray(deps)) { factory = deps; deps = []; }
  const name = id === undefined ? host.address() : id;
  const entry = { __proto__: null, id: name, deps, factory, ran: false, exports: {}, script: host.script() };
  amdModules[name] = entry;
  // A module that no other module requires is an entry point.
  enqueue('later', function () { amdRun(entry); }, undefined, []);
}

function installAmd(into) {
  const requireFn = function (id, done) {
    if (isArray(id)) return amdRequire(id, done);
    if (isPlain(id)) { if (isArray(done)) return amdRequire(done, arguments[2]); if (isArray(id.deps)) return amdRequire(id.deps, id.callback); note({ name: 'require' }, false, [id]); return requireFn; }
    return amdGet(id);
  };
  const names = ['config', 'on', 'undef', 'specified', 'defined', 'onError'];
  for (let i = 0; i < names.length; i++) hide(requireFn, names[i], function (options) { if (isPlain(options) && isArray(options.deps)) amdRequire(options.deps, options.callback); return requireFn; });
  hide(requireFn, 'toUrl', function (text) { return host.resolve(textOf(text)); });
  const defineFn = function (id, deps, factory) { return amdDefine(id, deps, factory); };
  hide(defineFn, 'amd', {});
  hide(into, 'require', requireFn); hide(into, 'requirejs', requireFn); hide(into, 'define', defineFn);
}

const systemModules = { __proto__: null };
function installSystem(into) {
  const system = {
    register(id, deps, body) {
      if (typeof id !== 'string') { body = deps; deps = id; id = host.address(); }
      const values = {};
      const made = typeof body === 'function' ? body(function (name, value) { if (isPlain(name)) assignAll(values, name); else values[name] = value; return value; }, { import: system.import, meta: { url: host.address() } }) : undefined;
      systemModules[id] = values;
      if (!isObject(made)) return;
      enqueue('later', function () {
        for (let i = 0; isArray(deps) && i < deps.length; i++) {
          const setter = isArray(made.setters) ? made.setters[i] : undefined;
          if (typeof setter === 'function') { try { setter(systemModules[deps[i]] || moduleStandin(deps[i])); } catch (_) { /* goes on */ } }
        }
        if (typeof made.execute === 'function') made.execute();
      }, undefined, []);
    },
    import(id) { return new RealPromise(function (resolve) { resolve(systemModules[id] || moduleStandin(id)); }); },
    config() {},
  };
  hide(into, 'System', system); hide(into, 'SystemJS', system);
}
