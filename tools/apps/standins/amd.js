/* A small loader of asynchronous modules. Written for the simulated web. */
(function (global) {
  "use strict";
  var modules = {}, pending = null;
  function resolve(name, from) {
    if (name[0] !== ".") return name;
    return new URL(name + ".js", from).href;
  }
  function load(url) {
    if (modules[url]) return modules[url];
    modules[url] = new Promise(function (done, fail) {
      var script = document.createElement("script");
      script.src = /\.js$/.test(url) ? url : url + ".js";
      script.onerror = fail;
      script.onload = function () {
        var own = pending; pending = null;
        if (!own) return done(undefined);
        all(own.names, script.src).then(function (values) { done(typeof own.factory === "function" ? own.factory.apply(null, values) : own.factory); });
      };
      document.head.appendChild(script);
    });
    return modules[url];
  }
  function all(names, from) { return Promise.all(names.map(function (n) { return load(resolve(n, from)); })); }
  global.define = function (names, factory) {
    if (!Array.isArray(names)) { factory = names; names = []; }
    pending = { names: names, factory: factory };
  };
  global.define.amd = {};
  global.requirejs = function (names, then) { all(names, document.baseURI).then(function (values) { then.apply(null, values); }); };
})(window);
