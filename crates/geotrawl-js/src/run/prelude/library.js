// Real implementations of library functions whose results the code depends on.
function extendAll(args) {
  let at = 0, deep = false;
  if (typeof args[0] === 'boolean') { deep = args[0]; at = 1; }
  let into = args[at];
  if (args.length <= at + 1) return isObject(into) ? into : {};
  if (!isObject(into)) into = {};
  for (let i = at + 1; i < args.length; i++) deep ? mergeDeep(into, args[i], 0) : assignAll(into, args[i]);
  return into;
}
function mergeDeep(into, from, depth) {
  if (!isObject(from) || isStandin(from) || depth > 8) return into;
  let keys; try { keys = keysOf(from); } catch (_) { return into; }
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i]; let value; try { value = from[key]; } catch (_) { continue; }
    if (key === '__proto__') continue;
    if (isPlain(value) && !isStandin(value)) put(into, key, mergeDeep(isPlain(into[key]) ? into[key] : {}, value, depth + 1));
    else if (isArray(value)) put(into, key, mergeDeep([], value, depth + 1));
    else into[key] = value;
  }
  return into;
}
function copyDeep(value) { return isArray(value) ? mergeDeep([], value, 0) : isPlain(value) ? mergeDeep({}, value, 0) : value; }
function defaultsOf(args) {
  const into = isObject(args[0]) ? args[0] : {};
  for (let i = 1; i < args.length; i++) {
    if (!isObject(args[i]) || isStandin(args[i])) continue;
    const keys = keysOf(args[i]);
    for (let n = 0; n < keys.length; n++) if (into[keys[n]] === undefined) put(into, keys[n], args[i][keys[n]]);
  }
  return into;
}
const MOST_TURNS = 5000;
// visit(value, key) for a list or the members of an object.
function eachOf(list, visit) {
  if (!isObject(list)) return;
  if (isStandin(list)) { visit(unknown(), 0); return; }
  if (isArray(list) || typeof list.length === 'number') {
    for (let i = 0; i < list.length && i < MOST_TURNS; i++) if (visit(list[i], i) === false) return;
    return;
  }
  const keys = keysOf(list);
  for (let i = 0; i < keys.length && i < MOST_TURNS; i++) if (visit(list[keys[i]], keys[i]) === false) return;
}
const callWith = (fn, self, a, b, c) => typeof fn === 'function' ? apply(fn, self, [a, b, c]) : isObject(fn) ? fn : (isObject(a) ? a[fn] : undefined);
const LIBRARY = { __proto__: null };
const functions = {
  __proto__: null,
  extend() { return extendAll(arguments); },
  defaults() { return defaultsOf(arguments); },
  copy(value) { return copyDeep(value); },
  mergeDeep() { const args = slice(arguments, 0); return extendAll(joined([true], args)); },
  // (value, index): underscore, Angular, Dojo, Ext
  each(list, fn, self) { eachOf(list, function (value, key) { return callWith(fn, self, value, key, list); }); return list; },
  map(list, fn, self) { const out = []; eachOf(list, function (value, key) { append(out, callWith(fn, self, value, key, list)); }); return out; },
  filter(list, fn, self) { const out = []; eachOf(list, function (value, key) { if (callWith(fn, self, value, key, list)) append(out, value); }); return out; },
  find(list, fn, self) { let out; eachOf(list, function (value, key) { if (callWith(fn, self, value, key, list)) { out = value; return false; } }); return out; },
  // (index, value): jQuery
  jqueryEach(list, fn) { eachOf(list, function (value, key) { return callWith(fn, value, key, value); }); return list; },
  jqueryMap(list, fn) { const out = []; eachOf(list, function (value, key) { const got = callWith(fn, value, value, key); if (isArray(got)) eachOf(got, function (v) { append(out, v); }); else if (got !== null && got !== undefined) append(out, got); }); return out; },
  isArray(value) { return isArray(value); },
  isFunction(value) { return typeof value === 'function'; },
  isObject(value) { return isObject(value); },
  isString(value) { return typeof value === 'string'; },
  isDefined(value) { return value !== undefined; },
  isUndefined(value) { return value === undefined; },
  isEmpty(value) { return !isObject(value) || keysOf(value).length === 0; },
  keys(value) { return isObject(value) ? keysOf(value) : []; },
  values(value) { const out = []; eachOf(value, function (one) { append(out, one); }); return out; },
  inArray(value, list) { return isArray(list) ? indexIn(list, value) : -1; },
  trim(value) { return trim(textOf(value)); },
  param(value) { return queryOf(value, false); },
  identity(value) { return value; },
  noop() {},
  now() { return now(); },
  hitch(self, fn) {
    const more = slice(arguments, 2);
    const call = typeof fn === 'string' ? function () { const f = isObject(self) ? self[fn] : undefined; return typeof f === 'function' ? apply(f, self, joined(more, slice(arguments, 0))) : undefined; }
      : function () { return typeof fn === 'function' ? apply(fn, self, joined(more, slice(arguments, 0))) : undefined; };
    return call;
  },
  bind(fn, self) {
    const more = slice(arguments, 2);
    if (typeof self === 'string') return functions.hitch(fn, self);
    return function () { return typeof fn === 'function' ? apply(fn, self, joined(more, slice(arguments, 0))) : undefined; };
  },
  template(text, data) { return fillTemplate(textOf(text), data, /\{ *([\w-]+) *\}/g); },
  substitute(text, data) { return fillTemplate(textOf(text), data, /\$\{ *([\w.-]+) *\}/g); },
  paramString(data, existing, upperCase) {
    const query = queryOf(data, !!upperCase);
    return (!existing || findText(textOf(existing), '?') < 0 ? '?' : '&') + query;
  },
  plainQuery(data) { return queryOf(data, false); },
  urlAppend(url, params) { const base = textOf(url); return base + (findText(base, '?') < 0 ? '?' : '&') + (typeof params === 'string' ? params : queryOf(params, false)); },
  setOptions(object, options) { if (!isObject(object)) return {}; const mine = isObject(object.options) ? assignAll({}, object.options) : {}; object.options = assignAll(mine, options); return object.options; },
  inherits(child, parent) { if (typeof child === 'function' && typeof parent === 'function') { try { child.prototype = createObject(isObject(parent.prototype) ? parent.prototype : null); child.superClass_ = parent.prototype; child.base = function (self) { return apply(parent, self, slice(arguments, 2)); }; } catch (_) { /* goes on */ } } },
  namespace(name) { return globalPath(textOf(name)); },
  exists(value) { return value !== undefined && value !== null; },
  parse(text) { try { return parseJson(textOf(text)); } catch (_) { return unknown(); } },
  olClass() { return deriveAll(slice(arguments, 0)); },
  extExtend(base, props) { return derive([base], props); },
  extDefine(name, props) { return extDefine(name, props); },
  extCreate(name, config) { return extCreate(name, config); },
  declare() { return declareClass(slice(arguments, 0)); },
  useState(value) { return [typeof value === 'function' ? value() : value, function () {}]; },
  useRef(value) { return { current: value === null || value === undefined ? makeElement('div') : value }; },
  useMemo(fn) { return typeof fn === 'function' ? fn() : unknown(); },
  createElement(type, props) {
    if (typeof type === 'function' && !isStandin(type)) {
      const given = assignAll({}, props);
      if (type.prototype && typeof type.prototype.render === 'function') schedule(function () { const it = construct(type, [given]); if (typeof it.render === 'function') it.render(); if (typeof it.componentDidMount === 'function') it.componentDidMount(); }, undefined, []);
      else schedule(type, undefined, [given]);
    }
    note({ name: isStandin(type) ? stateOf(type).name : textOf(typeof type === 'string' ? type : 'createElement') }, true, [props]);
    return { type: null, props };
  },
};
function fillTemplate(text, data, pattern) {
  return replaceText(text, pattern, function (all, key) {
    let value = data; const parts = splitText(key, '.');
    for (let i = 0; i < parts.length; i++) value = isObject(value) ? value[parts[i]] : undefined;
    if (typeof value === 'function' && !isStandin(value)) { try { value = value(data); } catch (_) { value = undefined; } }
    return value === undefined ? all : textOf(value);
  });
}
function queryOf(data, upperCase) {
  if (typeof data === 'string') return data;
  const out = [];
  eachOf(data, function (value, key) {
    if (typeof value === 'function' && !isStandin(value)) return;
    if (isPlain(value) && own(value, 'name')) { append(out, encodeText(textOf(value.name)) + '=' + encodeText(textOf(value.value))); return; }
    append(out, encodeText(upperCase ? upper(textOf(key)) : textOf(key)) + '=' + encodeText(isArray(value) ? joinList(value, ',') : textOf(value)));
  });
  return joinList(out, '&');
}
function give(names, fn) { const list = splitText(names, ' '); for (let i = 0; i < list.length; i++) LIBRARY[list[i]] = fn; }
give('L.extend L.Util.extend ol.obj.assign OpenLayers.Util.extend $.extend jQuery.extend _.extend _.assign angular.extend Ext.apply dojo.mixin lang.mixin dojo._base.lang.mixin goog.object.extend Object.extend Y.merge angular.merge dojo._base.lang.extend Cesium.combine', functions.extend);
give('_.defaults Ext.applyIf OpenLayers.Util.applyDefaults', functions.defaults);
give('_.clone _.cloneDeep angular.copy Ext.clone dojo.clone lang.clone dojo._base.lang.clone', functions.copy);
give('_.merge Ext.merge', functions.mergeDeep);
give('_.each _.forEach angular.forEach dojo.forEach dojo._base.array.forEach Ext.each Ext.iterate goog.array.forEach goog.object.forEach Ext.Array.each Ext.Array.forEach _.forOwn _.forIn', functions.each);
give('_.map dojo.map dojo._base.array.map Ext.Array.map goog.array.map _.flatMap _.mapValues', functions.map);
give('_.filter dojo.filter dojo._base.array.filter Ext.Array.filter goog.array.filter', functions.filter);
give('_.find _.findWhere _.detect', functions.find);
give('$.each jQuery.each', functions.jqueryEach);
give('$.map jQuery.map', functions.jqueryMap);
give('$.isArray jQuery.isArray _.isArray angular.isArray Ext.isArray L.Util.isArray lang.isArray', functions.isArray);
give('$.isFunction jQuery.isFunction _.isFunction angular.isFunction Ext.isFunction', functions.isFunction);
give('_.isObject angular.isObject Ext.isObject', functions.isObject);
give('_.isString angular.isString Ext.isString', functions.isString);
give('angular.isDefined Ext.isDefined Cesium.defined', functions.isDefined);
give('_.isUndefined angular.isUndefined', functions.isUndefined);
give('_.isEmpty Ext.isEmpty $.isEmptyObject jQuery.isEmptyObject', functions.isEmpty);
give('_.keys', functions.keys);
give('_.values', functions.values);
give('$.inArray jQuery.inArray', functions.inArray);
give('$.trim jQuery.trim _.trim dojo.trim', functions.trim);
give('$.param jQuery.param OpenLayers.Util.getParameterString dojo.objectToQuery dojo.io-query.objectToQuery Ext.urlEncode Ext.Object.toQueryString L.esri.Util.serialize Cesium.objectToQuery', functions.param);
give('_.identity $.makeArray jQuery.makeArray angular.identity dojo.byId$ Vue.ref Vue.reactive Vue.markRaw Vue.shallowRef', functions.identity);
give('$.noop jQuery.noop _.noop angular.noop L.Util.falseFn goog.provide goog.require goog.exportSymbol goog.exportProperty', functions.noop);
give('_.now $.now jQuery.now', functions.now);
give('dojo.hitch lang.hitch dojo._base.lang.hitch', functions.hitch);
give('$.proxy jQuery.proxy L.bind L.Util.bind _.bind goog.bind OpenLayers.Function.bind OpenLayers.Function.bindAsEventListener', functions.bind);
give('L.Util.template L.template', functions.template);
give('dojo.string.substitute esri.substitute dojo.replace', functions.substitute);
give('L.Util.getParamString', functions.paramString);
give('OpenLayers.Util.urlAppend Ext.urlAppend Ext.String.urlAppend', functions.urlAppend);
give('L.setOptions L.Util.setOptions', functions.setOptions);
give('goog.inherits ol.inherits', functions.inherits);
give('Ext.namespace Ext.ns', functions.namespace);
give('$.parseJSON jQuery.parseJSON angular.fromJson Ext.decode Ext.JSON.decode dojo.fromJson dojo.json.parse', functions.parse);
give('OpenLayers.Class', functions.olClass);
give('Ext.extend', functions.extExtend);
give('Ext.define', functions.extDefine);
give('Ext.create', functions.extCreate);
give('dojo.declare dojo._base.declare declare', functions.declare);
give('React.useState preact.hooks.useState', functions.useState);
give('React.useRef', functions.useRef);
give('React.useMemo', functions.useMemo);
give('React.useCallback React.memo React.forwardRef', functions.identity);
give('React.createElement', functions.createElement);

function globalPath(name) {
  const parts = splitText(name, '.'); let at = realGlobal;
  for (let i = 0; i < parts.length; i++) {
    if (!isObject(at[parts[i]])) put(at, parts[i], {});
    at = at[parts[i]];
  }
  return at;
}

// Returns the real implementation of a stand-in's member, if there is one.
function libraryMember(state, key, receiver) {
  if (state.made) {
    const list = collectionOf(state);
    if (list) { if (key === 'length') return list.length; }
    return undefined;
  }
  const fn = LIBRARY[state.dotted === '' ? key : state.dotted + '.' + key];
  if (fn) return fn;
  if (key === 'extend' && state.path.length) {
    return function (props) { return derive([standinOf(state)], props); };
  }
  if (key === 'amd') return {};
  return undefined;
}
function standinOf(state) { return standin(state.path, state.hops, false, [], false); }
function collectionOf() { return null; }

const isJquery = (state) => state.path.length === 1 && (state.path[0] === '$' || state.path[0] === 'jQuery' || state.path[0] === '$j' || state.path[0] === 'jq');
const GETS = { __proto__: null, getJSON: 1, get: 1, post: 1, ajax: 1, request: 1, load: 1, json: 1, xml: 1, csv: 1, tsv: 1, text: 1, xhrGet: 1, xhr: 1, GET: 1, loadJSON: 1, jsonp: 1, fetch: 1, getScript: 1, fetchJson: 1, ajaxJSON: 1, axios: 1, $http: 1, ky: 1, getText: 1, esriRequest: 1 };

// Returns the result of a call that is more than recorded; undefined for other calls.
function libraryCall(state, last, args, isNew, self) {
  if (isJquery(state) && !isNew) return jqueryCall(state, args);
  if (state.made && (last === 'each' || last === 'forEach') && typeof args[0] === 'function') {
    schedule(args[0], self, last === 'each' ? [0, makeElement('div')] : [unknown(), 0]);
    return self;
  }
  if (GETS[last] === 1 && !isNew) return loadCall(state, last, args);
  if (last === 'addEventListener' && typeof args[1] === 'object' && args[1] && typeof args[1].handleEvent === 'function') schedule(args[1].handleEvent, args[1], [unknown()]);
  if (state.dotted === 'ymaps.ready' || state.dotted === 'google.maps.event.addDomListener') callBack(args, self, state);
  if (last === 'component' && typeof args[1] === 'object' && args[1] && typeof args[1].template !== 'undefined') callLife(args[1], state);
  return undefined;
}

function jqueryCall(state, args) {
  const first = args[0];
  if (typeof first === 'function') { schedule(first, realGlobal.document, [named(['$'])]); return standin(state.path, 1, true, args, false); }
  const out = standin(state.path, 1, true, [], false);
  const element = isObject(first) && !isStandin(first) && own(first, KEY) ? first : typeof first === 'string' && !startsWith(trim(first), '<') ? find(first) : makeElement('div');
  const target = weakGet(targets, out);
  const members = {
    __proto__: null,
    length: 1, 0: element,
    get(i) { return i === undefined ? [element] : i === 0 ? element : undefined; },
    attr(name, value) { return jqueryValue(out, element, name, value, 'attr'); },
    data(name, value) { return jqueryValue(out, element, name, value, 'data'); },
    prop(name, value) { return jqueryValue(out, element, name, value, 'prop'); },
    val(value) { if (value === undefined) return element.value; element.value = value; return out; },
    text(value) { if (value === undefined) return element.textContent; element.textContent = textOf(value); return out; },
    html(value) { if (value === undefined) return element.innerHTML; element.innerHTML = textOf(value); return out; },
    width() { return 1024; }, height() { return 768; }, innerWidth() { return 1024; }, outerHeight() { return 0; },
    offset() { return { left: 0, top: 0 }; }, position() { return { left: 0, top: 0 }; },
    is() { return false; }, hasClass() { return false; }, size() { return 1; },
    ready(fn) { schedule(fn, realGlobal.document, [named(['$'])]); return out; },
    each(fn) { schedule(fn, element, [0, element]); return out; },
  };
  const keys = keysOf(members);
  for (let i = 0; i < keys.length; i++) hide(target, keys[i], members[keys[i]]);
  return out;
}
function jqueryValue(out, element, name, value, kind) {
  if (isPlain(name)) { const keys = keysOf(name); for (let i = 0; i < keys.length; i++) jqueryValue(out, element, keys[i], name[keys[i]], kind); return out; }
  if (kind === 'data') {
    if (value !== undefined) { element.dataset[name] = value; return out; }
    const text = element.dataset[replaceText(textOf(name), /-([a-z])/g, function (all, c) { return upper(c); })];
    if (typeof text === 'string' && matches(/^[[{]|^(true|false|null|-?\d+(\.\d+)?)$/, text)) { try { return parseJson(text); } catch (_) { return text; } }
    return text;
  }
  if (value === undefined) return kind === 'prop' ? element[name] : element.getAttribute(name) === null ? undefined : element.getAttribute(name);
  if (name === 'src' || kind === 'prop') element[name] = value; else element.setAttribute(textOf(name), textOf(value));
  return out;
}

// Calls that load data: answered from the fetched documents.
function loadCall(state, last, args) {
  let url, options;
  if (typeof args[0] === 'string') url = args[0];
  else if (isPlain(args[0])) { options = args[0]; url = options.url; }
  if (typeof url !== 'string') return undefined;
  if (isPlain(args[1])) options = args[1];
  if (options && isPlain(options.params) ) url = functions.urlAppend(url, options.params);
  else if (isPlain(args[1]) && (last === 'getJSON' || last === 'get') && isJqueryRoot(state)) url = functions.urlAppend(url, args[1]);
  if (last === 'getScript' || (options && options.dataType === 'script')) host.want(url, 'script'); 
  const body = host.document(url, last !== 'getScript');
  let answer;
  if (body === undefined) answer = undefined;
  else if (last === 'text' || last === 'getText') answer = body;
  else { try { answer = parseJson(body); } catch (_) { answer = body; } }
  const wrapped = answer === undefined ? unknown() : isAxios(state) ? { data: answer, status: 200, headers: {} } : last === 'GET' || last === 'request' ? { responseText: body, status: 200, data: answer } : answer;
  const context = isPlain(options) && isObject(options.scope) ? options.scope : isPlain(options) && isObject(options.context) ? options.context : undefined;
  let fns = 0;
  for (let i = 1; i < args.length; i++) if (typeof args[i] === 'function' && !isStandin(args[i]) && fns++ < 1) {
    // Old d3: callback(error, data)
    const nodeStyle = state.path[0] === 'd3' && args[i].length === 2;
    schedule(args[i], context, nodeStyle ? [null, wrapped] : [wrapped, 'success', unknown()]);
  }
  if (isPlain(options)) {
    const names = ['success', 'load', 'callback', 'complete', 'done', 'onSuccess', 'handleAs', 'onload'];
    for (let i = 0; i < names.length; i++) { const fn = options[names[i]]; if (typeof fn === 'function' && !isStandin(fn)) schedule(fn, context, names[i] === 'callback' && state.path[0] === 'Ext' ? [options, true, wrapped] : [wrapped, 'success', unknown()]); }
  }
  const out = standin(state.path, state.hops + 1, true, args, false);
  const made = weakGet(targets, out);
  made[KEY].answer = wrapped;
  const names = ['done', 'success', 'always', 'complete', 'then'];
  for (let i = 0; i < names.length; i++) hide(made, names[i], function (fn) {
    if (answer === undefined && names[i] === 'then') { apply(thenOf(made), out, [fn]); return out; }
    if (names[i] === 'then') return apply(thenOf(made), out, [fn]);
    if (typeof fn === 'function') schedule(fn, context, [wrapped, 'success', unknown()]);
    return out;
  });
  return out;
}
function isJqueryRoot(state) { return state.path[0] === '$' || state.path[0] === 'jQuery'; }
function isAxios(state) { const root = state.path[0]; return root === 'axios' || root === '$http' || root === 'http' || root === 'Vue' || root === 'superagent' || root === 'esriRequest'; }
