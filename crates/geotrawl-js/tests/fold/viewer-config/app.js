define(['dojo/_base/declare', 'esri/layers/FeatureLayer', 'dojo/text!./x.html', './services'], function (declare, FeatureLayer, html, services) {
  return declare(null, {
    base: services.root + '/arcgis/rest/services',
    startup: function () {
      this.add('Parcels', 0);
      this.add('Zoning', 3);
    },
    add: function (name, id) {
      this.map.addLayer(new FeatureLayer(this.base + '/' + name + '/MapServer/' + id, { mode: 1 }));
    },
  });
});
