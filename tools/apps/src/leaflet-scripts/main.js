(function () {
  var map = L.map("map").setView([49, 11], 9);
  Object.keys(Denkmal.layers).forEach(function (name) { Denkmal.layers[name]().addTo(map); });
})();
