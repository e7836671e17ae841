define(["./servers"], function (servers) {
  return { show: function (id) { var map = L.map(id).setView([50, 10], 7); L.tileLayer.wms(servers.species.root + servers.species.path, { layers: "observations" }).addTo(map); } };
});
