OpenLayers.ProxyHost = "/cgi-bin/proxy.cgi?url=";
var map = new OpenLayers.Map("map");
map.addLayer(new OpenLayers.Layer.Vector("Hydrants", { protocol: new OpenLayers.Protocol.WFS({ url: "http://wfs.__ID__.example/cgi-bin/tinyows", featureType: "hydrants", version: "1.0.0" }) }));
var target = "http://wms.__ID__.example/wms/fire";
map.addLayer(new OpenLayers.Layer.WMS("Stations", "/cgi-bin/proxy.cgi?url=" + encodeURIComponent(target), { layers: "stations" }));
