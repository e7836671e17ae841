(function ($, app) {
  var wms = app.hosts.maps + '/geoserver/wms';
  function addWms(title, layers, options) {
    return new OpenLayers.Layer.WMS(title, wms, { layers: layers, transparent: true }, options);
  }
  var overlays = [addWms('Roads', 'town:roads'), addWms('Parks', 'town:parks', { visibility: false })];
  $.each([{ t: 'Wards', n: 'town:wards' }, { t: 'Trees', n: 'town:trees' }], function (i, entry) {
    overlays.push(L.tileLayer.wms(wms, { layers: entry.n, title: entry.t }));
  });
  OpenLayers.ProxyHost = '/cgi-bin/proxy.cgi?url=';
  $.getJSON('settings/layers.json', function (settings) {
    for (var i = 0; i < settings.layers.length; i++) {
      L.tileLayer(settings.layers[i].url);
    }
  });
})(jQuery, MapApp);
