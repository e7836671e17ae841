Denkmal.urlOf = function (service) {
  var base = Denkmal.config.base;
  return "http://" + base.host + base.root + service + "/MapServer/WMSServer";
};
Denkmal.layers = {
  monuments: function () { return L.tileLayer.wms(Denkmal.urlOf("Monuments"), { layers: "0,1", format: "image/png" }); },
  old: function () { return L.tileLayer.wms(Denkmal.config.old.join(""), { layers: "Library://Old.Map" }); }
};
