// Deferred work: timers, frames, events, callbacks of stand-ins. The host calls `tick` until
// nothing is left.
const MOST_JOBS = 4000;
const MOST_CALLS_OF_ONE = 2;
const queues = { __proto__: null, soon: [], later: [], at: { __proto__: null, soon: 0, later: 0 } };
let queued = 0, ticket = 0, currentScript = null, frames = 0;
const callCounts = new RealWeakMap();
const cancelled = { __proto__: null };

function enqueue(which, fn, self, args) {
  if (typeof fn !== 'function' || queued >= MOST_JOBS) return 0;
  queued++;
  const id = ++ticket;
  append(queues[which], { __proto__: null, id, fn, self, args, script: host.script() });
  return id;
}

// Schedules a callback passed to a library. Each runs a few times, not once per event.
function schedule(fn, self, args) {
  if (typeof fn !== 'function' || isStandin(fn)) return;
  const count = weakGet(callCounts, fn) || 0;
  if (count >= MOST_CALLS_OF_ONE) return;
  weakSet(callCounts, fn, count + 1);
  enqueue('soon', fn, self, args);
}

function parameterNames(fn) {
  let text = ''; try { text = cutText(functionText(fn), 0, 400); } catch (_) { return []; }
  const found = execPattern(/^(?:async\s*)?(?:function\s*\*?\s*[\w$]*\s*)?\(([^()]*)\)|^(?:async\s+)?([\w$]+)\s*=>/, text);
  if (!found) return [];
  const parts = splitText(found[1] || found[2] || '', ','), out = [];
  for (let i = 0; i < parts.length && i < 12; i++) append(out, trim(parts[i]));
  return out;
}

// Returns stand-ins for the parameters of a callback; a long parameter name tells what the callback
// expects.
function argumentsFor(fn) {
  const names = parameterNames(fn), out = [];
  for (let i = 0; i < names.length || i < 3; i++) {
    const name = names[i];
    append(out, name && name.length > 2 && matches(/^[\w$]+$/, name) ? standin([name], 1, true, [], true) : unknown());
  }
  return out;
}

const LIFE = { __proto__: null, success: 1, done: 1, callback: 1, complete: 1, load: 1, onLoad: 1, onload: 1, ready: 1, onReady: 1, onready: 1, data: 1, setup: 1, created: 1, beforeMount: 1, mounted: 1, init: 1, run: 1, launch: 1, initComponent: 1, componentDidMount: 1, controller: 1, link: 1, onSuccess: 1, fn: 1, constructor: 0, onInit: 1, onAdd: 1, loader: 1, factory: 1 };

function callBack(args, self, state) {
  const context = isStandin(self) ? self : undefined;
  for (let i = 0; i < args.length && i < 16; i++) {
    const arg = args[i];
    if (typeof arg === 'function') { if (!isStandin(arg)) schedule(arg, context, argumentsFor(arg)); }
    else if (isArray(arg)) {
      // Angular: ['$http', function (http) {...}]
      const fn = arg.length && arg.length < 40 ? arg[arg.length - 1] : undefined;
      if (typeof fn === 'function' && !isStandin(fn)) {
        const given = [];
        for (let n = 0; n < arg.length - 1; n++) append(given, standin([textOf(arg[n])], 1, true, [], true));
        schedule(fn, context, given.length ? given : argumentsFor(fn));
      }
    } else if (isPlain(arg)) callLife(arg, state);
  }
}

function callLife(options, state) {
  let keys; try { keys = keysOf(options); } catch (_) { return; }
  let context;
  for (let i = 0; i < keys.length && i < 200; i++) {
    if (LIFE[keys[i]] !== 1) continue;
    const found = own(options, keys[i]);
    const fn = found && found.value;
    if (typeof fn !== 'function' || isStandin(fn)) continue;
    if (!context) context = componentOf(options);
    if (keys[i] === 'data' || keys[i] === 'setup') {
      try { assignAll(context, apply(fn, context, [unknown(), unknown()])); } catch (_) { /* goes on without */ }
      continue;
    }
    schedule(fn, context, keys[i] === 'loader' ? [[0, 0, 1, 1], 1, unknown()] : argumentsFor(fn));
  }
}

// Returns `this` for the functions of a component: its data and methods, with a stand-in for
// everything else.
function componentOf(options) {
  const object = createObject(null);
  assignAll(object, options);
  if (isPlain(options.methods)) assignAll(object, options.methods);
  if (isPlain(options.data)) assignAll(object, options.data);
  if (isPlain(options.props) ) { /* values come from outside */ }
  if (isPlain(options.computed)) {
    const keys = keysOf(options.computed);
    for (let i = 0; i < keys.length; i++) {
      const fn = options.computed[keys[i]];
      if (typeof fn === 'function') defineProperty(object, keys[i], { __proto__: null, configurable: true, enumerable: true, get() { return apply(fn, proxy, [proxy]); }, set() {} });
    }
  }
  const behind = unknown();
  const proxy = new RealProxy(object, { __proto__: null, get(target, key) { return typeof key === 'symbol' ? undefined : key in target ? target[key] : behind[key]; }, has() { return true; } });
  return proxy;
}

// Runs one pending job; returns false if there is none.
function tick() {
  const which = queues.at.soon < queues.soon.length ? 'soon' : queues.at.later < queues.later.length ? 'later' : null;
  if (!which) return false;
  const at = queues.at[which]++;
  const job = queues[which][at];
  put(queues[which], at, undefined);
  if (cancelled[job.id]) return true;
  host.enter(job.script);
  try { apply(job.fn, job.self, job.args); } catch (error) { failed(error); }
  return true;
}

function timer(fn, args) {
  if (typeof fn === 'string') { const code = fn; fn = function () { return (0, eval)(code); }; }
  return enqueue('later', fn, undefined, args);
}
function clear(id) { if (typeof id === 'number' && id <= ticket) cancelled[id] = true; }

let clock = 0;
function installTimers(into) {
  hide(into, 'setTimeout', function setTimeout(fn) { return timer(fn, slice(arguments, 2)); });
  hide(into, 'setInterval', function setInterval(fn) {
    // An interval runs twice, because the first run often waits for results that the second one
    // finds.
    const args = slice(arguments, 2); const id = timer(fn, args);
    if (typeof fn === 'function') enqueue('later', function () { if (!cancelled[id]) apply(fn, undefined, args); }, undefined, []);
    return id;
  });
  hide(into, 'setImmediate', function setImmediate(fn) { return timer(fn, slice(arguments, 1)); });
  hide(into, 'queueMicrotask', function queueMicrotask(fn) { enqueue('soon', fn, undefined, []); });
  hide(into, 'requestAnimationFrame', function requestAnimationFrame(fn) {
    // Animations never end by themselves.
    if (++frames > 200) return 0;
    return enqueue('later', fn, undefined, [clock += 16]);
  });
  hide(into, 'requestIdleCallback', function requestIdleCallback(fn) { return enqueue('later', fn, undefined, [{ didTimeout: false, timeRemaining() { return 10; } }]); });
  const names = ['clearTimeout', 'clearInterval', 'clearImmediate', 'cancelAnimationFrame', 'cancelIdleCallback'];
  for (let i = 0; i < names.length; i++) hide(into, names[i], function (id) { clear(id); });
}

// Handles a caught error. An undeclared name becomes a stand-in from now on.
function failed(error) {
  const text = textOf(error);
  const missing = execPattern(/^ReferenceError: ([\w$]+) is not defined/, text);
  if (missing && !(missing[1] in realGlobal)) hide(realGlobal, missing[1], named([missing[1]]));
  host.failed(text);
}
